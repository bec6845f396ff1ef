"""The server's time stands still while the host sleeps."""

from gridgames_server.core.limits import CLOCK_GAP, TICK
from gridgames_server.net.steady_clock import SteadyClock


class Host:
    """A clock that the test moves."""

    def __init__(self):
        self.now = 1_000.0
        self.clock = SteadyClock(lambda: self.now)

    def passes(self, seconds):
        for _ in range(seconds):
            self.now += TICK
            self.clock.tick()


def test_without_a_gap_it_shows_what_the_host_shows():
    host = Host()
    host.passes(20)
    host.now += CLOCK_GAP
    assert (host.clock(), host.clock.gaps) == (1_020.0 + CLOCK_GAP, 0)


def test_of_a_sleep_the_time_between_two_ticks_counts_and_no_more():
    host = Host()
    host.passes(20)
    host.now += 3_600
    assert (host.clock(), host.clock.gaps) == (1_020.0 + TICK, 1)
    host.passes(10)
    assert host.clock() == 1_030.0 + TICK


def test_it_is_the_same_whoever_read_it_before_the_sleep():
    for read_at in (0.0, 0.5, 0.99):
        host = Host()
        host.passes(3)
        host.now += read_at
        host.clock()
        host.now += 100 - read_at
        assert host.clock() == 1_003.0 + TICK


def test_it_never_goes_back_not_even_when_a_tick_was_late():
    host = Host()
    host.passes(3)
    host.now += 3 * TICK
    before = host.clock()
    host.now += 100
    assert host.clock() == before


def test_each_sleep_is_left_out():
    host = Host()
    for _ in range(5):
        host.now += 100
        host.clock.tick()
    assert (host.clock(), host.clock.gaps) == (1_000.0 + 5 * TICK, 5)
