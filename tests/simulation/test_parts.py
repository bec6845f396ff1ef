"""The simulated world itself: time passes, wires keep the order of their bytes, a dead server does nothing more."""

import pytest

from gridgames_server.core.limits import CLOCK_GAP
from gridgames_server.core.room_events import Heartbeat
from tests.simulation.simulated_clock import Clock, Loop
from tests.simulation.simulated_host import MARK, Crash, Marked
from tests.simulation.world import Weather, World


class Listener:
    """Somebody at the end of a wire."""

    address = "10.0.0.1"

    def __init__(self):
        self.heard = b""
        self.is_over = False

    def hears(self, wire, chunk):
        self.heard += chunk

    def is_cut_off(self, wire):
        self.is_over = True


@pytest.fixture
def world():
    return World(1, guests=0)


def passes(world, seconds):
    """Let everything happen that happens within so many seconds."""
    end = world.clock.later(seconds, lambda: None)
    while world.clock.now < end.when:
        world.clock.step()


def test_what_is_planned_for_one_time_happens_in_the_order_in_which_it_was_planned():
    clock, done = Clock(), []
    for number in range(50):
        clock.at(0.1 + 0.2, done.append, number)
    for _ in range(50):
        clock.step()
    assert done == list(range(50))


def test_time_goes_on_whatever_happens():
    clock, times = Clock(), []
    for _ in range(3):
        clock.later(0, lambda: times.append(clock.now))
        clock.step()
    assert times == sorted(set(times))


def test_sleep_and_a_server_that_is_down_are_no_time_to_play_in_and_a_pause_is():
    clock = Clock()
    clock.leap(100.0)
    clock.leap(CLOCK_GAP)
    clock.gaps.append((150.0, 160.0))
    assert clock.playable(0.0, 200.0) == 90.0
    assert clock.playable(155.0, 165.0) == 5.0


def test_the_server_may_count_neither_a_sleep_nor_a_short_pause():
    clock = Clock()
    clock.leap(100.0)
    clock.leap(CLOCK_GAP)
    assert clock.awake(0.0, 200.0) == 100.0 - CLOCK_GAP


def test_nothing_of_a_life_happens_after_its_end():
    clock, done = Clock(), []
    loop = Loop(clock, Marked(1), Weather())
    loop.call_later(1, done.append, "alive")
    loop.call_later(2, done.append, "dead")
    clock.step()
    loop.alive = False
    clock.step()
    assert done == ["alive"]
    assert loop.timers == set()


@pytest.mark.parametrize("lag", [0.0, 0.001, 0.02])
def test_bytes_arrive_in_their_order_however_they_are_cut(world, lag):
    listener = Listener()
    wire = world.host.connect(listener)
    passes(world, 1)
    wire.lag = lag
    world.witness.hears = lambda wire, chunk: None
    sent = b""
    for number in range(300):
        chunk = b"%d;" % number * (1 + number % 5)
        sent += chunk
        wire.write(chunk)
        if number % 7 == 0:
            passes(world, 0.003)
    passes(world, 5)
    assert listener.heard == sent
    assert (wire.buffered, listener.is_over) == (0, False)
    assert world.splits > 10


def test_a_crash_lets_nothing_more_out_and_loses_what_was_not_kept(world):
    disk, told = world.host.disk, []
    world.fuse = 2
    disk.save([Heartbeat(1.0)], lambda: told.append("kept"))
    with pytest.raises(Crash):
        passes(world, 1)
    with pytest.raises(Crash):
        world.reaches_a_point()
    assert (world.host.shelf.records, told) == ([], [])


def test_a_crash_may_come_after_the_commit_and_before_anybody_is_told(world):
    disk, told = world.host.disk, []
    world.fuse = 3
    disk.save([Heartbeat(1.0)], lambda: told.append("kept"))
    with pytest.raises(Crash):
        passes(world, 1)
    assert (world.host.shelf.records, told) == ([Heartbeat(1.0)], [])


def test_tokens_and_seeds_are_marked_and_nothing_else_is():
    luck = Marked(5)
    assert luck(32).startswith(MARK)
    assert luck(32) != luck(32)
    assert not luck(6).startswith(MARK[:6])
