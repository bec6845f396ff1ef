"""When the host has slept, the clocks do not tell what somebody asked for just before."""

import pytest

from gridgames_protocol.messages import AskHistory, Ping
from gridgames_server.core.limits import CLOCK_GAP, TICK
from tests.server.hub_harness import HubHarness

SLEEPS = (CLOCK_GAP - TICK / 4, 100.0)  # one is noticed if it is counted from the last tick, and not from the question


@pytest.mark.parametrize("seconds", SLEEPS)
@pytest.mark.parametrize("question", [Ping, AskHistory])
def test_a_question_before_the_host_sleeps_does_not_show_on_the_others_clock(question, seconds):
    told = []
    for asks in (False, True):
        server = HubHarness()
        ada, bob = server.table("grid-conquest", clock=60)
        server.passes(10 * TICK)
        server.now += TICK / 2
        if asks:
            bob.says(question)
        ada.reads()
        server.sleeps(seconds)
        told.append(ada.reads())
    assert told[0] == told[1] != []


def test_a_turn_that_began_after_the_last_tick_has_its_whole_time_and_no_more():
    server = HubHarness()
    ada, bob = server.table("grid-conquest", first="host", clock=60)
    server.passes(10 * TICK)
    server.now += TICK / 2
    ada.types("C3")
    server.sleeps(100)
    assert (bob.sees.turn, bob.sees.deadline) == ((2,), 60)
