"""When the host has slept and there is no space to keep that the clocks were held: they are held all the same."""

import pytest

from gridgames_protocol.messages import Error, Hello
from gridgames_server.limits import ABSENCE, TICK
from gridgames_server.restore import CANNOT_SAVE
from tests.server.kept import KeptHouse
from tests.server.test_undo import FullHouse


@pytest.fixture
def house():
    return FullHouse()


def sleeps_in_vain(house, seconds):
    """The host sleeps, and when it wakes up there is no space on its disk for a moment."""
    house.keeper.slow = True
    house.sleeps(seconds)
    house.is_full()


def test_a_turn_does_not_run_out_because_of_a_sleep_that_could_not_be_kept(house):
    ada, bob = house.table("grid-conquest", clock=60)
    house.passes(20)
    sleeps_in_vain(house, 3_600)
    house.passes(TICK)
    assert ada.where.state == "playing"
    assert ada.types("C3") == ["ok"]
    assert (bob.sees.turn, bob.sees.deadline) == ((2,), 60)


def test_the_time_that_was_left_is_left_still_and_a_restart_does_not_change_that(house):
    ada, bob = house.table("grid-conquest", clock=60)
    house.passes(20)
    sleeps_in_vain(house, 3_600)
    house.passes(TICK)
    assert ada.sees.deadline == 40 - TICK
    again = house.again()
    ada, _ = again.all_back(ada, bob)
    assert isinstance(again, KeptHouse)
    assert ada.sees.deadline == 40 - TICK


def test_two_sleeps_that_could_not_be_kept_are_both_made_up_for(house):
    ada, _ = house.table("grid-conquest", clock=60)
    house.keeper.slow = True
    house.sleeps(3_600)
    house.sleeps(7_200)
    house.is_full()
    house.passes(TICK)
    assert ada.sees.deadline == 60 - TICK


def test_it_is_made_up_for_before_anything_else_is_kept(house):
    ada, bob = house.table("grid-conquest", clock=60)
    cat, _ = house.table("grid-conquest", "Cat", "Dan")
    sleeps_in_vain(house, 3_600)
    assert cat.types("C3") == ["ok"]
    again = house.again()
    again.passes(TICK)
    ada, _ = again.all_back(ada, bob)
    assert (ada.where.state, ada.sees.deadline) == ("playing", 60 - TICK)


def test_it_is_tried_again_until_there_is_space(house):
    ada, _ = house.table("grid-conquest", clock=60)
    sleeps_in_vain(house, 3_600)
    for _ in range(3):
        house.keeper.slow = True
        house.passes(TICK)
        house.is_full()
    house.passes(TICK)
    assert ada.sees.deadline == 60 - 4 * TICK
    assert ada.reads(Error) == [], "nobody had asked for anything"


def test_absence_is_not_held_twice(house):
    ada, bob = house.table("grid-conquest")
    ada.drops()
    house.passes(ABSENCE - 10)
    sleeps_in_vain(house, 3_600)
    house.passes(9)
    assert not bob.sees.view.claimable
    house.passes(2)
    assert bob.sees.view.claimable


def test_nobody_waits_for_the_clocks_to_hear_that_nothing_was_saved(house):
    house.table("grid-conquest", clock=60)
    eve = house.connects()
    id = house.asks(eve, Hello, 1, "Eve")
    house.sleeps(3_600)
    house.keeper.refuses()
    assert house.keeper.slow, "nothing else can be saved yet"
    assert eve.reads(Error) == [Error("not_now", CANNOT_SAVE, id)]
    assert eve.closed
