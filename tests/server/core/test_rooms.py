"""The lobby: which rooms are listed and how, codes, private rooms, and news that come neither late nor too often."""

import pytest

from gridgames_protocol.lines import SERVER_LINE_MAX
from gridgames_protocol.messages import (
    NAME_MAX,
    Chat,
    Create,
    Join,
    Leave,
    Lobby,
    LobbyRoom,
    Play,
    Resign,
    Watch,
    encode,
)
from gridgames_server.limits import GUESSES, LOBBY_PAUSE, LOBBY_ROOMS
from gridgames_server.lobby import CODE_LENGTH, CODE_LETTERS
from tests.server.house import House, play, word
from tests.sixth_game import Pebbles


def shown(guest):
    """The rows of the lobby as a guest last saw it."""
    return guest.reads(Lobby)[-1].rooms


# The list


def test_an_empty_lobby():
    ada = House().enter("Ada")
    assert ada.reads(Lobby) == [Lobby((), 1, 0)]


def test_a_row_says_what_one_needs_to_choose():
    house = House()
    eve, ada, bob, wes = map(house.enter, ("Eve", "Ada", "Bob", "Wes"))
    code = ada.opens("grid-hunt")
    house.passes(1)
    assert shown(eve) == (LobbyRoom(code, "grid-hunt", "Grid Hunt", "Ada", "waiting", True, 0),)
    bob.says(Join, code)
    wes.says(Watch, code)
    house.passes(1)
    assert shown(eve) == (LobbyRoom(code, "grid-hunt", "Grid Hunt", "Ada", "playing", False, 1),)
    bob.says(Resign)
    ada.says(Leave)
    house.passes(1)
    assert shown(eve) == (LobbyRoom(code, "grid-hunt", "Grid Hunt", "Bob", "over", False, 1),)


def test_open_rooms_come_first_and_the_newest_on_top():
    house = House()
    codes = [house.enter(name).opens("grid-hunt") for name in ("Ada", "Bob", "Cat")]
    house.enter("Dan").says(Join, codes[2])
    assert [room.room for room in shown(house.enter("Eve"))] == [codes[1], codes[0], codes[2]]


def test_the_lobby_counts_everybody_who_has_said_hello():
    house = House()
    house.table("grid-hunt", "Ada", "Bob", "Wes")
    house.connects()
    (lobby,) = house.enter("Eve").reads(Lobby)
    assert lobby.players == 4


def test_a_full_list_fits_in_one_line_and_says_how_many_more_there_are():
    house = House(rate=0, max_per_address=500, max_rooms_per_address=500)
    dear = "\U00010400\U00010a01\U00010a01" * 3 + "\U00010400\U00010a01" * 10  # four bytes for each character
    for number in range(LOBBY_ROOMS + 5):
        house.enter(f"{number:03}{dear}").opens("treasure-hunt-duel")
    (lobby,) = house.enter("Eve").reads(Lobby)
    assert len(lobby.rooms[0].host) == NAME_MAX
    assert (len(lobby.rooms), lobby.more) == (LOBBY_ROOMS, 5)
    assert len(encode(lobby)) <= SERVER_LINE_MAX


# Codes


def test_a_code_has_six_symbols_that_do_not_look_alike():
    assert (CODE_LENGTH, len(set(CODE_LETTERS))) == (6, 32)
    assert not set("01IO") & set(CODE_LETTERS)
    house = House(rate=0)
    ada = house.enter("Ada")
    codes = set()
    for _ in range(200):
        codes.add(ada.opens("grid-hunt"))
        ada.says(Leave)
    assert len(codes) == 200
    assert {letter for code in codes for letter in code} == set(CODE_LETTERS)
    assert {len(code) for code in codes} == {CODE_LENGTH}


def test_two_rooms_never_share_a_code():
    house = House()
    stuttering = iter([b"\0" * 6, b"\0" * 6, b"\1" * 6])
    house.hub.rooms.entropy = lambda size: next(stuttering)
    ada, bob = house.enter("Ada"), house.enter("Bob")
    assert (ada.opens("grid-hunt"), bob.opens("grid-hunt")) == ("222222", "333333")


@pytest.mark.parametrize("typed", [str.lower, str.upper, str.title, lambda code: f"  {code}\t"])
def test_a_code_is_found_however_it_is_typed(typed):
    house = House()
    code = house.enter("Ada").opens("grid-hunt")
    assert word(house.enter("Bob").says(Watch, typed(code))) == "ok"


@pytest.mark.parametrize("code", ["222222", "2", "ſ", "ß" * 8, "\x00", "💥"])
def test_a_code_that_no_room_has(code):
    assert word(House().enter("Ada").says(Join, code)) == "no_such_room"


# Creating


def test_a_game_that_is_not_there_is_refused_with_those_that_are():
    house = House()
    reply = house.enter("Ada").says(Create, "chess")
    assert reply.code == "no_such_game"
    assert all(game.card.slug in reply.text for game in house.hub.house.games)
    assert house.hub.rooms.by_code == {}


def test_where_the_computer_does_not_play_a_room_with_it_is_refused():
    house = House(games=(Pebbles(),))
    assert word(house.enter("Ada").says(Create, "pebbles", bot="easy")) == "not_now"
    assert house.hub.rooms.by_code == {}


def test_all_five_games_can_be_opened():
    house = House()
    ada = house.enter("Ada")
    slugs = [card.slug for card in ada.welcome.games]
    assert len(slugs) == 5
    for slug in slugs:
        ada.opens(slug)
        assert ada.where.game == slug
        ada.says(Leave)


def test_a_third_player_finds_no_seat():
    house = House()
    ada, _ = house.table("grid-hunt")
    reply = house.enter("Cat").says(Join, ada.where.room)
    assert (reply.code, reply.text) == ("room_full", "No seat is free there. You can watch instead.")


# Private rooms


def test_a_private_room_is_not_listed():
    house = House()
    ada, bob, eve = map(house.enter, ("Ada", "Bob", "Eve"))
    code = ada.opens("grid-hunt", private=True)
    house.passes(1)
    bob.says(Join, code)
    house.passes(1)
    assert [lobby.rooms for lobby in eve.reads(Lobby)] == [()] * 3
    assert [lobby.more for lobby in house.enter("Fay").reads(Lobby)] == [0]


def test_a_private_room_is_joined_and_watched_with_its_code():
    house = House()
    ada, bob, wes = map(house.enter, ("Ada", "Bob", "Wes"))
    code = ada.opens("grid-hunt", private=True, first="host")
    assert word(bob.says(Join, code.lower())) == "ok"
    assert word(wes.says(Watch, code.lower())) == "ok"
    assert ada.where.watchers == 1
    play(ada, bob, lines=((1, "HIDE 2 3"), (2, "HIDE 5 5")))


def test_codes_can_not_be_guessed_by_trying():
    house = House(rate=0)
    ada, eve = house.enter("Ada"), house.enter("Eve", "10.6.6.6")
    code = ada.opens("grid-hunt", private=True)
    answers = [word(eve.says(Watch, f"{number:06}")) for number in range(GUESSES + 2)]
    assert answers == ["no_such_room"] * GUESSES + ["too_fast"] * 2
    assert word(eve.says(Watch, code)) == "too_fast", "a right one is answered like a wrong one by then"
    assert word(eve.says(Join, code)) == "too_fast"
    assert word(house.enter("Fay", "10.6.6.7").says(Watch, code)) == "ok", "others are let in"
    house.passes(7)
    assert word(eve.says(Watch, code)) == "ok", "after a while one more may be tried"


def test_a_room_that_is_listed_is_open_to_who_guessed_too_often():
    house = House(rate=0)
    code = house.enter("Ada").opens("grid-hunt")
    eve, bob = house.enter("Eve"), house.enter("Bob")
    for number in range(GUESSES + 5):
        eve.says(Join, f"{number:06}")
    assert word(bob.says(Join, code)) == "ok", "nobody pays for what another did from the same address"


# News


def test_the_first_news_come_at_once():
    house = House()
    ada, eve = house.enter("Ada"), house.enter("Eve")
    house.passes(2)
    house.read_by_all()
    code = ada.opens("grid-hunt")
    assert [room.room for room in shown(eve)] == [code]


def test_news_that_follow_wait_for_a_pause_and_come_together():
    house = House(rate=0)
    guests = [house.enter(name) for name in ("Ada", "Bob", "Cat")]
    eve = house.enter("Eve")
    house.passes(2)
    house.read_by_all()
    codes = [guest.opens("grid-hunt") for guest in guests]
    assert len(shown(eve)) == 1
    assert house.hub.due(house.now) == LOBBY_PAUSE
    house.passes(LOBBY_PAUSE)
    (lobby,) = eve.reads()
    assert {room.room for room in lobby.rooms} == set(codes)
    house.passes(5)
    assert eve.reads() == [], "without news there is nothing to tell"


def test_under_load_there_are_at_most_a_few_news_a_second():
    house = House(rate=0)
    ada, eve = house.enter("Ada"), house.enter("Eve")
    house.read_by_all()
    for _ in range(200):
        house.now += 0.01
        ada.opens("grid-hunt")
        ada.says(Leave)
    assert 2 / LOBBY_PAUSE - 1 <= len(eve.reads(Lobby)) <= 2 / LOBBY_PAUSE + 1


def test_who_enters_the_lobby_sees_it_at_once_and_once():
    house = House()
    for name in ("Ada", "Bob", "Cat"):
        assert house.enter(name).words() == ["welcome", "lobby"]
    house.passes(1)
    dan = house.enter("Dan")
    assert dan.words() == ["welcome", "lobby"]
    dan.opens("grid-hunt")
    dan.reads()
    dan.says(Leave)
    assert dan.words() == ["ok", "lobby"]


def test_those_in_a_room_hear_nothing_of_the_lobby():
    house = House()
    guests = house.table("grid-hunt", "Ada", "Bob", "Wes")
    house.enter("Eve").opens("grid-conquest")
    house.passes(5)
    assert all(guest.reads() == [] for guest in guests)


def test_moves_and_chat_are_no_news_for_the_lobby_but_an_end_is():
    house = House()
    ada, bob = house.table("grid-hunt")
    eve = house.enter("Eve")
    house.passes(1)
    house.read_by_all()
    play(ada, bob, lines=((1, "HIDE 2 3"), (2, "HIDE 5 5")))
    ada.says(Chat, "hi")
    house.passes(1)
    assert eve.reads() == []
    ada.says(Play, "DIG 5 5")
    assert [room.state for room in shown(eve)] == ["over"]


def test_a_game_that_ends_by_the_clock_is_news():
    house = House()
    house.table("grid-hunt", clock=5)
    eve = house.enter("Eve")
    house.passes(4)
    eve.reads()
    house.passes(1)
    assert [room.state for room in shown(eve)] == ["over"]
