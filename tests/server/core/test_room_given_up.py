"""Rooms that are given up: idle and deserted ones are closed, and everybody learns why."""

import pytest

from gridgames_protocol.messages import Again, Chat, Claim, Event, Join, Lobby, Play, Resign
from gridgames_server.limits import ROOM_DESERTED, ROOM_IDLE
from tests.server.house import House, ended, word

IDLE = "Nobody has done anything here for 6 hours. The room is closed."
DESERTED = "Nobody has been here for 30 minutes. The room is closed."


def room_in(house, state):
    """A room in one of its three states: who opened it, and its code."""
    ada, bob = house.enter("Ada"), house.enter("Bob")
    code = ada.opens("grid-conquest", first="host")
    if state != "waiting":
        bob.says(Join, code)
    if state == "over":
        bob.says(Resign)
    return ada, code


@pytest.mark.parametrize("state", ["waiting", "playing", "over"])
def test_a_room_where_nobody_does_anything_for_hours_is_closed_and_says_why(state):
    house = House()
    ada, code = room_in(house, state)
    house.passes(ROOM_IDLE)
    house.read_by_all()
    house.passes(5)
    event, lobby = ada.reads(Event, Lobby)
    assert (event.text, event.kind) == (IDLE, "system")
    assert lobby.rooms == ()
    assert word(ada.says(Join, code)) == "no_such_room"


def test_whatever_a_player_does_keeps_a_room_open():
    house = House()
    ada, bob = house.table("grid-conquest")
    for guest, deed in ((ada, (Play, "C3")), (bob, (Chat, "hm")), (bob, (Again,)), (bob, (Resign,))):
        house.passes(ROOM_IDLE - 60)
        assert word(guest.says(*deed)) == "ok"
    house.passes(ROOM_IDLE - 60)
    assert house.room(ada.where.room)


def test_what_is_refused_does_not_keep_a_room_open():
    house = House()
    ada, bob = house.table("grid-conquest")
    house.passes(ROOM_IDLE - 60)
    bob.says(Claim)
    bob.types("C3")
    house.passes(120)
    assert IDLE in ada.hears()


def test_a_long_turn_is_not_idle_before_its_clock_has_run_out():
    house = House()
    ada, bob = house.table("grid-conquest", clock=7 * 3600)
    house.passes(7 * 3600 - 60)
    assert ada.types("C3") == ["ok"]
    house.passes(7 * 3600)
    assert ended(bob).reason == "clock"


def test_only_a_room_in_which_no_time_can_run_out_is_calm():
    house = House()
    ada, bob = house.table("grid-conquest")
    room = house.room(ada.where.room)
    assert room.is_calm(house.now)
    assert not room.is_calm(house.now + ROOM_IDLE + 1)
    bob.drops()
    assert not room.is_calm(house.now)
    cleo, _ = house.table("grid-conquest", "Cleo", "Dan", clock=60)
    assert not house.room(cleo.where.room).is_calm(house.now)


@pytest.mark.parametrize("state", ["waiting", "playing", "over"])
def test_a_deserted_room_is_closed_and_says_why(state):
    house = House()
    ada, code = room_in(house, state)
    for guest in reversed(house.guests.values()):
        guest.drops()
        house.passes(60)
    house.passes(ROOM_DESERTED - 60)
    assert house.room(code), "the last one has not been away for long enough"
    house.passes(60)
    assert code not in house.hub.rooms.by_code
    ada = ada.comes_back()
    assert ada.welcome.room is None
    welcome, event, lobby = ada.reads()
    assert (event.text, event.kind, event.past) == (DESERTED, "system", True)
    assert (word(welcome), lobby.rooms) == ("welcome", ())
    ada.drops()
    assert ada.comes_back().hears() == [], "once is enough"


def test_watchers_of_a_deserted_room_go_to_the_lobby():
    house = House()
    ada, bob, wes = house.table("grid-conquest", "Ada", "Bob", "Wes")
    ada.drops()
    bob.drops()
    house.passes(ROOM_DESERTED + 5)
    *_, event, lobby = wes.reads()
    assert (event.text, event.past) == (DESERTED, None)
    assert (word(lobby), lobby.rooms) == ("lobby", ())


def test_one_who_is_there_keeps_the_room():
    house = House()
    ada, bob = house.table("grid-conquest")
    bob.drops()
    house.passes(ROOM_DESERTED + 60)
    assert ada.types("C3") == ["ok"]
    assert bob.comes_back().types("D4") == ["ok"]
