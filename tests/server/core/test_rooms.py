"""The lobby: which rooms are listed and how, codes, private rooms, and news that come neither late nor too often."""

import pytest

from gridgames_protocol.codec import encode
from gridgames_protocol.framing import SERVER_LINE_MAX
from gridgames_protocol.messages import (
    NAME_MAX,
    Again,
    Chat,
    Create,
    Join,
    Leave,
    Lobby,
    LobbyRoom,
    Play,
    Resign,
    Watch,
)
from gridgames_server.core.limits import GUESSES, LOBBY_NAMES, LOBBY_PAUSE, LOBBY_ROOMS
from gridgames_server.core.rooms import CODE_LENGTH, CODE_LETTERS
from tests.server.hub_harness import HubHarness, play, word
from tests.sixth_game import Pebbles


def shown(guest):
    """The rows of the lobby as a guest last saw it."""
    return guest.reads(Lobby)[-1].rooms


# The list


def test_an_empty_lobby():
    ada = HubHarness().enter("Ada")
    assert ada.reads(Lobby) == [Lobby((), 1, 0, ("Ada",))]


def test_a_row_says_what_one_needs_to_choose():
    server = HubHarness()
    eve, ada, bob, wes = map(server.enter, ("Eve", "Ada", "Bob", "Wes"))
    code = ada.opens("grid-hunt")
    server.passes(1)
    assert shown(eve) == (LobbyRoom(code, "grid-hunt", "Grid Hunt", "Ada", "waiting", True, 0),)
    bob.says(Join, code)
    wes.says(Watch, code)
    server.passes(1)
    assert shown(eve) == (LobbyRoom(code, "grid-hunt", "Grid Hunt", "Ada", "playing", False, 1),)
    bob.says(Resign)
    ada.says(Leave)
    server.passes(1)
    assert shown(eve) == (LobbyRoom(code, "grid-hunt", "Grid Hunt", "Bob", "over", False, 1),)


def test_a_row_says_which_program_plays():
    server = HubHarness()
    eve = server.enter("Eve")
    for name, agent, bot in (("Ada", "my-client 1.0", False), ("Bob", "bob-bot " * 4, True), ("Cat", "ö", True)):
        server.enter(name, agent=agent, bot=bot).opens("grid-hunt")
    server.passes(1)
    assert [(room.host, room.agent) for room in shown(eve)] == [
        ("Cat", "a program"), ("Bob", "bob-bot bob-bot "), ("Ada", None)
    ]  # fmt: skip


def test_open_rooms_come_first_and_the_newest_on_top():
    server = HubHarness()
    codes = [server.enter(name).opens("grid-hunt") for name in ("Ada", "Bob", "Cat")]
    server.enter("Dan").says(Join, codes[2])
    assert [room.room for room in shown(server.enter("Eve"))] == [codes[1], codes[0], codes[2]]


def test_the_lobby_counts_everybody_who_has_said_hello():
    server = HubHarness()
    server.table("grid-hunt", "Ada", "Bob", "Wes")
    server.connects()
    (lobby,) = server.enter("Eve").reads(Lobby)
    assert lobby.players == 4


def test_a_full_list_fits_in_one_line_and_says_how_many_more_there_are():
    server = HubHarness(rate=0, max_per_address=500, max_rooms_per_address=500)
    dear = "\U00010400\U00010a01\U00010a01" * 3 + "\U00010400\U00010a01" * 10  # four bytes for each character
    for number in range(LOBBY_ROOMS + 5):
        host = server.enter(f"{number:03}{dear}", agent="x" * 64, bot=True)
        host.opens("secret-paths", clock=86_400, quiet=True, variant="burning")
    for number in range(LOBBY_NAMES):
        server.enter(f"{900 + number}{dear}")
    (lobby,) = server.enter("Eve").reads(Lobby)
    assert len(lobby.rooms[0].host) == NAME_MAX
    assert len(lobby.names) == LOBBY_NAMES
    assert (len(lobby.rooms), lobby.more) == (LOBBY_ROOMS, 5)
    assert len(encode(lobby)) <= SERVER_LINE_MAX


def test_the_lobby_names_those_who_are_in_no_room():
    server = HubHarness()
    ada, bob = server.enter("Ada"), server.enter("Bob")
    server.passes(LOBBY_PAUSE)
    assert ada.reads(Lobby)[-1].names == ("Ada", "Bob")
    bob.opens("grid-hunt", private=True)
    server.passes(LOBBY_PAUSE)
    assert ada.reads(Lobby)[-1].names == ("Ada",)
    bob.says(Leave)
    server.passes(LOBBY_PAUSE)
    assert ada.reads(Lobby)[-1].names == ("Ada", "Bob")


# Codes


def test_a_code_has_six_symbols_that_do_not_look_alike():
    assert (CODE_LENGTH, len(set(CODE_LETTERS))) == (6, 32)
    assert not set("01IO") & set(CODE_LETTERS)
    server = HubHarness(rate=0)
    ada = server.enter("Ada")
    codes = set()
    for _ in range(200):
        codes.add(ada.opens("grid-hunt"))
        ada.says(Leave)
    assert len(codes) == 200
    assert {letter for code in codes for letter in code} == set(CODE_LETTERS)
    assert {len(code) for code in codes} == {CODE_LENGTH}


def test_two_rooms_never_share_a_code():
    server = HubHarness()
    stuttering = iter([b"\0" * 6, b"\0" * 6, b"\1" * 6])
    server.hub.rooms.entropy = lambda size: next(stuttering)
    ada, bob = server.enter("Ada"), server.enter("Bob")
    assert (ada.opens("grid-hunt"), bob.opens("grid-hunt")) == ("222222", "333333")


@pytest.mark.parametrize("typed", [str.lower, str.upper, str.title, lambda code: f"  {code}\t"])
def test_a_code_is_found_however_it_is_typed(typed):
    server = HubHarness()
    code = server.enter("Ada").opens("grid-hunt")
    assert word(server.enter("Bob").says(Watch, typed(code))) == "ok"


@pytest.mark.parametrize("code", ["222222", "2", "ſ", "ß" * 8, "\x00", "💥"])
def test_a_code_that_no_room_has(code):
    assert word(HubHarness().enter("Ada").says(Join, code)) == "no_such_room"


# Creating


def test_a_game_that_is_not_there_is_refused_with_those_that_are():
    server = HubHarness()
    reply = server.enter("Ada").says(Create, "chess")
    assert reply.code == "no_such_game"
    assert all(game.card.slug in reply.text for game in server.hub.config.games)
    assert server.hub.rooms.by_code == {}


def test_where_the_computer_does_not_play_a_room_with_it_is_refused():
    server = HubHarness(games=(Pebbles(),))
    assert word(server.enter("Ada").says(Create, "pebbles", bot="easy")) == "not_now"
    assert server.hub.rooms.by_code == {}


def test_all_five_games_can_be_opened():
    server = HubHarness()
    ada = server.enter("Ada")
    slugs = [card.slug for card in ada.welcome.games]
    assert len(slugs) == 5
    for slug in slugs:
        ada.opens(slug)
        assert ada.where.game == slug
        ada.says(Leave)


def test_a_third_player_finds_no_seat():
    server = HubHarness()
    ada, _ = server.table("grid-hunt")
    reply = server.enter("Cat").says(Join, ada.where.room)
    assert (reply.code, reply.text) == ("room_full", "No seat is free there. You can watch instead.")


# Private rooms


def test_a_private_room_is_not_listed():
    server = HubHarness()
    ada, bob, eve = map(server.enter, ("Ada", "Bob", "Eve"))
    code = ada.opens("grid-hunt", private=True)
    server.passes(1)
    bob.says(Join, code)
    server.passes(1)
    assert {lobby.rooms for lobby in eve.reads(Lobby)} == {()}
    assert [lobby.more for lobby in server.enter("Fay").reads(Lobby)] == [0]


def test_a_private_room_is_joined_and_watched_with_its_code():
    server = HubHarness()
    ada, bob, wes = map(server.enter, ("Ada", "Bob", "Wes"))
    code = ada.opens("grid-hunt", private=True, first="host")
    assert word(bob.says(Join, code.lower())) == "ok"
    assert word(wes.says(Watch, code.lower())) == "ok"
    assert ada.where.watchers == 1
    play(ada, bob, lines=((1, "HIDE 2 3"), (2, "HIDE 5 5")))


def test_codes_can_not_be_guessed_by_trying():
    server = HubHarness(rate=0)
    ada, eve = server.enter("Ada"), server.enter("Eve", "10.6.6.6")
    code = ada.opens("grid-hunt", private=True)
    answers = [word(eve.says(Watch, f"{number:06}")) for number in range(GUESSES + 2)]
    assert answers == ["no_such_room"] * GUESSES + ["too_fast"] * 2
    assert word(eve.says(Watch, code)) == "too_fast", "a right one is answered like a wrong one by then"
    assert word(eve.says(Join, code)) == "too_fast"
    assert word(server.enter("Fay", "10.6.6.7").says(Watch, code)) == "ok", "others are let in"
    server.passes(7)
    assert word(eve.says(Watch, code)) == "ok", "after a while one more may be tried"


def test_a_room_that_is_listed_is_open_to_who_guessed_too_often():
    server = HubHarness(rate=0)
    code = server.enter("Ada").opens("grid-hunt")
    eve, bob = server.enter("Eve"), server.enter("Bob")
    for number in range(GUESSES + 5):
        eve.says(Join, f"{number:06}")
    assert word(bob.says(Join, code)) == "ok", "nobody pays for what another did from the same address"


# News


def test_the_first_news_come_at_once():
    server = HubHarness()
    ada, eve = server.enter("Ada"), server.enter("Eve")
    server.passes(2)
    server.read_by_all()
    code = ada.opens("grid-hunt")
    assert [room.room for room in shown(eve)] == [code]


def test_a_room_that_waits_with_nobody_there_is_not_offered_as_open():
    server = HubHarness()
    ada, eve = server.enter("Ada"), server.enter("Eve")
    code = ada.opens("grid-hunt")
    server.passes(1)
    assert [room.open for room in shown(eve)] == [True]
    ada.drops()
    server.passes(1)
    assert [room.open for room in shown(eve)] == [False]
    ada = ada.comes_back()
    server.passes(1)
    assert [room.open for room in shown(eve)] == [True]
    ada.drops()
    assert word(eve.says(Join, code)) == "ok", "a friend who knows the code need not wait"


def test_what_does_not_change_the_list_of_rooms_is_no_news():
    server = HubHarness()
    ada, bob = server.table("grid-conquest")
    eve = server.enter("Eve")
    server.passes(1)
    eve.reads()
    ada.types("C3")
    bob.says(Chat, "hm")
    bob.says(Again)
    server.passes(1)
    assert eve.reads(Lobby) == []


def test_news_that_follow_wait_for_a_pause_and_come_together():
    server = HubHarness(rate=0)
    guests = [server.enter(name) for name in ("Ada", "Bob", "Cat")]
    eve = server.enter("Eve")
    server.passes(2)
    server.read_by_all()
    codes = [guest.opens("grid-hunt") for guest in guests]
    assert len(shown(eve)) == 1
    assert server.hub.seconds_until_lobby(server.now) == LOBBY_PAUSE
    server.passes(LOBBY_PAUSE)
    (lobby,) = eve.reads()
    assert {room.room for room in lobby.rooms} == set(codes)
    server.passes(5)
    assert eve.reads() == [], "without news there is nothing to tell"


def test_under_load_there_are_at_most_a_few_news_a_second():
    server = HubHarness(rate=0)
    ada, eve = server.enter("Ada"), server.enter("Eve")
    server.read_by_all()
    for _ in range(200):
        server.now += 0.01
        ada.opens("grid-hunt")
        ada.says(Leave)
    assert 2 / LOBBY_PAUSE - 1 <= len(eve.reads(Lobby)) <= 2 / LOBBY_PAUSE + 1


def test_who_enters_the_lobby_sees_it_at_once_and_once():
    server = HubHarness()
    for name in ("Ada", "Bob", "Cat"):
        assert server.enter(name).words() == ["welcome", "lobby"]
    server.passes(1)
    dan = server.enter("Dan")
    assert dan.words() == ["welcome", "lobby"]
    dan.opens("grid-hunt")
    dan.reads()
    dan.says(Leave)
    assert dan.words() == ["ok", "lobby"]


def test_those_in_a_room_hear_nothing_of_the_lobby():
    server = HubHarness()
    guests = server.table("grid-hunt", "Ada", "Bob", "Wes")
    server.enter("Eve").opens("grid-conquest")
    server.passes(5)
    assert all(guest.reads() == [] for guest in guests)


def test_moves_and_chat_are_no_news_for_the_lobby_but_an_end_is():
    server = HubHarness()
    ada, bob = server.table("grid-hunt")
    eve = server.enter("Eve")
    server.passes(1)
    server.read_by_all()
    play(ada, bob, lines=((1, "HIDE 2 3"), (2, "HIDE 5 5")))
    ada.says(Chat, "hi")
    server.passes(1)
    assert eve.reads() == []
    ada.says(Play, "DIG 5 5")
    assert [room.state for room in shown(eve)] == ["over"]


def test_a_game_that_ends_by_the_clock_is_news():
    server = HubHarness()
    server.table("grid-hunt", clock=5)
    eve = server.enter("Eve")
    server.passes(4)
    eve.reads()
    server.passes(1)
    assert [room.state for room in shown(eve)] == ["over"]
