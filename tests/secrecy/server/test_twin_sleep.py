"""When the host has slept, the clocks do not tell what somebody asked for just before."""

import pytest

from gridgames_protocol.messages import AskHistory, Ping
from gridgames_server.limits import CLOCK_GAP, TICK
from tests.server.house import House

SLEEPS = (CLOCK_GAP - TICK / 4, 100.0)  # one is noticed if it is counted from the last tick, and not from the question


@pytest.mark.parametrize("seconds", SLEEPS)
@pytest.mark.parametrize("question", [Ping, AskHistory])
def test_a_question_before_the_host_sleeps_does_not_show_on_the_others_clock(question, seconds):
    told = []
    for asks in (False, True):
        house = House()
        ada, bob = house.table("grid-conquest", clock=60)
        house.passes(10 * TICK)
        house.now += TICK / 2
        if asks:
            bob.says(question)
        ada.reads()
        house.sleeps(seconds)
        told.append(ada.reads())
    assert told[0] == told[1] != []


def test_a_turn_that_began_after_the_last_tick_has_its_whole_time_and_no_more():
    house = House()
    ada, bob = house.table("grid-conquest", first="host", clock=60)
    house.passes(10 * TICK)
    house.now += TICK / 2
    ada.types("C3")
    house.sleeps(100)
    assert (bob.sees.turn, bob.sees.deadline) == ((2,), 60)
