"""Coming back: the seat, the room and the view as they are, in every phase of every game, from every kind of loss."""

from dataclasses import replace

import pytest

from gridgames_protocol.messages import (
    Again,
    ByeRequest,
    Chat,
    Event,
    Hello,
    Join,
    Leave,
    Opening,
    Over,
    Ping,
    Play,
    Resign,
    Show,
    Watch,
)
from gridgames_server.core.limits import ROOM_LOG, SILENCE
from tests.server.hub_harness import MIDDLES, HubHarness, ended, play, word

BREAKS = {
    "breaks": lambda guest: guest.drops(),
    "says goodbye": lambda guest: guest.says(ByeRequest),
    "is still there": lambda guest: None,
}


# Into each phase


def test_to_the_lobby():
    ada = HubHarness().enter("Ada")
    ada.drops()
    ada = ada.comes_back()
    assert ada.welcome.room is None
    assert ada.words() == ["welcome", "lobby"]


def test_to_a_room_that_waits():
    server = HubHarness()
    ada = server.enter("Ada")
    code = ada.opens("grid-hunt", clock=60)
    ada.drops()
    ada = ada.comes_back()
    assert ada.welcome.room == code
    assert ada.where.state == "waiting"
    assert (ada.where.you, ada.where.clock, ada.view) == (1, 60, None)
    assert word(server.enter("Bob").says(Join, code)) == "ok"


@pytest.mark.parametrize("way", BREAKS)
@pytest.mark.parametrize("game", MIDDLES)
@pytest.mark.parametrize("seat", [1, 2])
def test_to_the_middle_of_each_game(game, seat, way):
    server = HubHarness()
    seats = list(server.table(game))
    play(*seats, lines=MIDDLES[game])
    gone = seats[seat - 1]
    seen, told = gone.sees, gone.hears()
    BREAKS[way](gone)
    if gone.closed:
        told.append(f"Player {seat} is away, and can return.")
    back = seats[seat - 1] = gone.comes_back()
    assert back.sees == seen, "the view as it was"
    welcome, room, *past, view = (message for message in back.reads() if not is_live(message))
    assert (welcome.room, room.you, type(view)) == (room.room, seat, Show)
    told = [text for text in told if not text.startswith("Sealed")]  # seals come first
    assert [event.text for event in past][-len(told) :] == told
    mover = seats[view.turn[0] - 1]
    assert mover.types(mover.sees.view.actions[0].lines()[0]) == ["ok"], "and the game goes on"


def is_live(message):
    return isinstance(message, Event) and not message.past


@pytest.mark.parametrize("hidden", [1, 2])
def test_to_a_setup(hidden):
    server = HubHarness()
    seats = server.table("grid-hunt")
    seats[hidden - 1].types("HIDE 2 3")
    for guest in seats:
        guest.drops()
    first, second = (guest.comes_back() for guest in seats)
    assert first.sees.view.phase == second.sees.view.phase == "setup"
    done, due = (first, second) if hidden == 1 else (second, first)
    assert done.sees.view.state["treasures"] == (("2,3", None) if hidden == 1 else (None, "2,3"))
    assert due.sees.view.state["treasures"] == (None, None)
    assert done.types("HIDE 3 3") == ["not_your_turn"]
    assert due.types("HIDE 3 3") == ["ok"]


@pytest.mark.parametrize("game", MIDDLES)
def test_to_a_game_that_is_over(game):
    server = HubHarness()
    ada, bob = server.table(game)
    play(ada, bob, lines=MIDDLES[game])
    ada.drops()
    bob.says(Resign)
    over = ended(bob)
    ada = ada.comes_back()
    assert ada.where.state == "over"
    assert ada.where.score == (1, 0, 0)
    assert ada.sees.view.phase == "over"
    assert ada.reads(Opening, Over) == [over]
    assert word(ada.says(Again)) == word(bob.says(Again)) == "ok"
    assert ada.where.number == 2


def test_after_having_left_there_is_no_seat_to_come_back_to():
    server = HubHarness()
    ada, bob = server.table("grid-hunt")
    ada.says(Leave)
    ada.drops()
    ada = ada.comes_back()
    assert ada.welcome.room is None
    assert word(ada.says(Join, bob.where.room)) == "room_full"


def test_one_who_watched_comes_back_to_the_lobby():
    server = HubHarness()
    ada, _, wes = server.table("grid-hunt", "Ada", "Bob", "Wes")
    assert ada.where.watchers == 1
    wes.drops()
    assert ada.where.watchers == 0
    assert ada.words() == ["room"], "it is no event"
    wes = wes.comes_back()
    assert wes.words() == ["welcome", "lobby"]


# What has happened


def test_what_happened_is_told_again_as_past():
    server = HubHarness()
    ada, bob = server.enter("Ada"), server.enter("Bob")
    bob.says(Join, ada.opens("grid-hunt"))
    bob.types("HIDE 5 5")
    ada.says(Chat, "brb")
    told = ada.reads(Event)
    assert [event.commit.what for event in told if event.commit] == ["treasure of 2"]
    past = ada.comes_back().reads(Event)
    told.sort(key=lambda event: event.commit is None)  # seals come first
    assert past == [replace(event, past=True) for event in told], "with kinds, seats, names and commitments"


def test_seals_are_told_again_however_much_was_said_since_and_not_in_the_next_game():
    server = HubHarness(rate=0)
    ada, bob = server.table("quantum-duel")
    sealed = []
    for number in range(ROOM_LOG):
        for guest, place in ((ada, "1"), (bob, "7")):
            guest.types(f"MOVE {place}")
            guest.types(f"OBSERVE {3 + number % 2}")
        sealed += [event.commit for event in ada.reads(Event) if event.commit]
    assert len(sealed) == 2 * ROOM_LOG
    ada = ada.comes_back()
    assert [event.commit for event in ada.reads(Event) if event.commit] == sealed
    bob.says(Resign)
    assert [event.commit for event in ada.comes_back().reads(Event) if event.commit] == sealed
    ada, bob = ada.comes_back(), bob.comes_back()
    ada.says(Again)
    bob.says(Again)
    assert not [event for event in ada.comes_back().reads(Event) if event.commit]


def test_nobody_is_told_again_what_only_the_other_may_know():
    server = HubHarness()
    ada, bob, wes = server.table("treasure-hunt-duel", "Ada", "Bob", "Wes")
    ada.types("QUERY 2B")
    (hint,) = (text for text in ada.hears() if text.startswith("Distance"))
    code = ada.where.room
    ada.drops()
    bob.drops()
    wes.says(Leave)
    wes.reads()
    wes.says(Watch, code)
    assert hint in ada.comes_back().hears()
    assert hint not in bob.comes_back().hears()
    assert hint not in wes.hears()


def test_the_last_fifty_are_told_again_in_their_order():
    server = HubHarness(rate=0)
    ada, bob = server.table("grid-hunt")
    for number in range(ROOM_LOG + 10):
        bob.says(Chat, f"line {number}")
    bob.drops()
    ada.drops()
    past = [event for event in ada.comes_back().reads(Event) if event.past]
    assert len(past) == ROOM_LOG
    assert [event.text for event in past[:-2]] == [f"line {number}" for number in range(12, 60)]
    assert [event.text for event in past[-2:]] == [f"Player {seat} is away, and can return." for seat in (2, 1)]
    assert {event.name for event in past[:-2]} == {"Bob"}


def test_one_who_starts_to_watch_is_told_too():
    server = HubHarness()
    ada, bob = server.table("grid-conquest")
    ada.types("C3")
    ada.says(Chat, "hi")
    wes = server.enter("Wes")
    wes.reads()
    wes.says(Watch, ada.where.room)
    _, room, *events, view = wes.reads()
    assert (room.you, room.watchers, view.you) == (None, 1, None)
    assert all(event.past for event in events)
    assert [event.text for event in events][-1] == "hi"
    assert bob.where.watchers == 1


def test_a_return_is_told_once_to_everybody_and_to_the_one_who_returns():
    server = HubHarness()
    ada, bob = server.table("grid-hunt")
    bob.drops()
    assert ada.hears() == ["Player 2 is away, and can return."]
    assert [seat.online for seat in ada.where.seats] == [True, False]
    bob = bob.comes_back()
    assert ada.hears() == ["Player 2 is back."]
    assert [seat.online for seat in ada.where.seats] == [True, True]
    *_, view, back = bob.reads()
    assert (word(view), back.text, back.past) == ("view", "Player 2 is back.", None)


# The old connection


def test_the_old_connection_is_told_that_it_was_replaced():
    server = HubHarness()
    ada, bob = server.table("grid-hunt")
    again = ada.comes_back()
    assert ada.words() == ["replaced"]
    assert ada.closed
    assert again.types("HIDE 2 3") == ["ok"]
    assert bob.hears() == ["Sealed: treasure of 1.", "Player 1 has hidden a treasure."], "and nothing of the change"


def test_the_end_of_a_stale_connection_does_not_disturb_the_new_one():
    server = HubHarness()
    ada, bob = server.table("grid-hunt")
    again = ada.comes_back()
    server.does(server.hub.disconnect(ada.id, server.now))
    server.does(server.hub.bytes_received(ada.id, 0, [Leave(999)], server.now))
    assert bob.reads() == []
    assert again.types("HIDE 2 3") == ["ok"]


@pytest.mark.parametrize("silence", [1, SILENCE - 1, SILENCE + 10])
def test_a_half_dead_connection_never_blocks_its_owner(silence):
    server = HubHarness()
    ada, bob = server.table("grid-hunt")
    ada.awake = False
    server.passes(silence)
    again = ada.comes_back()
    assert again.where.you == 1
    assert again.types("HIDE 2 3") == ["ok"]
    server.passes(SILENCE + 10)
    assert not again.closed
    assert bob.where.seats[0].online


def test_of_many_connections_the_last_one_has_the_seat():
    server = HubHarness()
    ada, _ = server.table("grid-hunt")
    chain = [ada]
    for _ in range(5):
        chain.append(chain[-1].comes_back())
    assert [guest.closed for guest in chain] == [True] * 5 + [False]
    assert chain[-1].types("HIDE 2 3") == ["ok"]


def test_one_who_watches_from_a_new_connection_no_longer_watches():
    server = HubHarness()
    ada, _, wes = server.table("grid-hunt", "Ada", "Bob", "Wes")
    again = wes.comes_back()
    assert wes.words() == ["replaced"]
    assert ada.where.watchers == 0
    assert again.welcome.room is None


def test_at_a_table_the_name_stays():
    server = HubHarness()
    ada, bob = server.table("grid-hunt")
    ada.drops()
    ada = ada.comes_back("Zoe")
    assert ada.welcome.name == "Ada"
    bob.says(Resign)
    ada.says(Leave)
    ada.drops()
    assert ada.comes_back("Zoe").welcome.name == "Zoe", "but not in the lobby"


def test_a_token_comes_back_as_it_was_given():
    server = HubHarness()
    ada = server.enter("Ada")
    token = ada.welcome.token
    assert len(bytes.fromhex(token)) == 32
    ada.drops()
    assert ada.comes_back().welcome.token == token
    assert server.enter("Bob").welcome.token != token


def test_a_second_hello_on_one_connection_is_refused_and_changes_nothing():
    server = HubHarness()
    ada, bob = server.table("grid-hunt")
    assert word(ada.says(Hello, 1, "Ada", ada.welcome.token)) == "bad_request"
    assert word(ada.says(Ping)) == "ok"
    assert bob.reads() == []


def test_a_play_in_flight_is_known_from_last_play():
    server = HubHarness()
    ada, bob = server.table("grid-conquest")
    sent = ada.says(Play, "C3").re  # its answer is lost on the way
    ada = ada.comes_back()
    assert ada.welcome.last_play == sent
    assert bob.types("D4") == ["ok"]
    assert ada.types("D3") == ["ok"]
