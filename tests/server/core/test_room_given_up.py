"""Rooms that are given up: idle and deserted ones are closed, and everybody learns why."""

import pytest

from gridgames_protocol.messages import Again, Chat, Claim, Event, Join, Lobby, Play, Resign
from gridgames_server.core.limits import ROOM_DESERTED, ROOM_IDLE, WAITING_DESERTED
from tests.server.hub_harness import HubHarness, ended, word

IDLE = "Nobody has done anything here for 6 hours. The room is closed."
DESERTED = "Nobody has been here for 30 minutes. The room is closed."


def room_in(server, state):
    """A room in one of its three states: who opened it, and its code."""
    ada, bob = server.enter("Ada"), server.enter("Bob")
    code = ada.opens("grid-conquest", first="host")
    if state != "waiting":
        bob.says(Join, code)
    if state == "over":
        bob.says(Resign)
    return ada, code


@pytest.mark.parametrize("state", ["waiting", "playing", "over"])
def test_a_room_where_nobody_does_anything_for_hours_is_closed_and_says_why(state):
    server = HubHarness()
    ada, code = room_in(server, state)
    server.passes(ROOM_IDLE)
    server.read_by_all()
    server.passes(5)
    event, lobby = ada.reads(Event, Lobby)
    assert (event.text, event.kind) == (IDLE, "system")
    assert lobby.rooms == ()
    assert word(ada.says(Join, code)) == "no_such_room"


def test_whatever_a_player_does_keeps_a_room_open():
    server = HubHarness()
    ada, bob = server.table("grid-conquest")
    for guest, request in ((ada, (Play, "C3")), (bob, (Chat, "hm")), (bob, (Again,)), (bob, (Resign,))):
        server.passes(ROOM_IDLE - 60)
        assert word(guest.says(*request)) == "ok"
    server.passes(ROOM_IDLE - 60)
    assert server.room(ada.where.room)


def test_what_is_refused_does_not_keep_a_room_open():
    server = HubHarness()
    ada, bob = server.table("grid-conquest")
    server.passes(ROOM_IDLE - 60)
    bob.says(Claim)
    bob.types("C3")
    server.passes(120)
    assert IDLE in ada.hears()


def test_a_long_turn_is_not_idle_before_its_clock_has_run_out():
    server = HubHarness()
    ada, bob = server.table("grid-conquest", clock=7 * 3600)
    server.passes(7 * 3600 - 60)
    assert ada.types("C3") == ["ok"]
    server.passes(7 * 3600)
    assert ended(bob).reason == "clock"


def test_only_a_room_in_which_no_time_can_run_out_is_calm():
    server = HubHarness()
    ada, bob = server.table("grid-conquest")
    room = server.room(ada.where.room)
    assert room.is_calm(server.now)
    assert not room.is_calm(server.now + ROOM_IDLE + 1)
    bob.drops()
    assert not room.is_calm(server.now)
    cleo, _ = server.table("grid-conquest", "Cleo", "Dan", clock=60)
    assert not server.room(cleo.where.room).is_calm(server.now)


@pytest.mark.parametrize("state", ["waiting", "playing", "over"])
def test_a_deserted_room_is_closed_and_says_why(state):
    server = HubHarness()
    ada, code = room_in(server, state)
    for guest in reversed(server.guests.values()):
        guest.drops()
        server.passes(60)
    patience = WAITING_DESERTED if state == "waiting" else ROOM_DESERTED
    server.passes(patience - 60)
    assert server.room(code), "the last one has not been away for long enough"
    server.passes(60)
    assert code not in server.hub.rooms.by_code
    ada = ada.comes_back()
    assert ada.welcome.room is None
    welcome, event, lobby = ada.reads()
    assert (event.text, event.kind, event.past) == (DESERTED.replace("30", str(patience // 60)), "system", True)
    assert (word(welcome), lobby.rooms) == ("welcome", ())
    ada.drops()
    assert ada.comes_back().hears() == [], "once is enough"


def test_watchers_of_a_deserted_room_go_to_the_lobby():
    server = HubHarness()
    ada, bob, wes = server.table("grid-conquest", "Ada", "Bob", "Wes")
    ada.drops()
    bob.drops()
    server.passes(ROOM_DESERTED + 5)
    *_, event, lobby = wes.reads()
    assert (event.text, event.past) == (DESERTED, None)
    assert (word(lobby), lobby.rooms) == ("lobby", ())


def test_one_who_is_there_keeps_the_room():
    server = HubHarness()
    ada, bob = server.table("grid-conquest")
    bob.drops()
    server.passes(ROOM_DESERTED + 60)
    assert ada.types("C3") == ["ok"]
    assert bob.comes_back().types("D4") == ["ok"]
