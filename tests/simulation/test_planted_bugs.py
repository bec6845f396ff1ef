"""The simulation bites: each of these bugs is found within a few scenarios, by an invariant that is meant to."""

from functools import cache

import pytest

from tests.simulation import delivery_bugs, storage_bugs
from tests.simulation.invariants import INVARIANTS, Breach
from tests.simulation.planted import planted
from tests.simulation.world import World

BUGS = (*storage_bugs.BUGS, *delivery_bugs.BUGS)
FIRST, MOST = 1_000, 40  # the seeds that are tried, if need be


@pytest.fixture(autouse=True)
def _quiet(caplog):
    caplog.set_level(100, "gridgames")


@cache
def holds(seed):
    """True if nothing is found without a bug."""
    World(seed).run()
    return True


def found(bug):
    """The breach that a bug leads to, and the seed."""
    for seed in range(FIRST, FIRST + MOST):
        with planted(bug):
            try:
                World(seed).run()
            except Breach as breach:
                return breach, seed
    pytest.fail(f"nobody has noticed that {bug.what}")


@pytest.mark.parametrize("bug", BUGS, ids=lambda bug: bug.what)
def test_a_planted_bug_is_found_and_without_it_the_same_seed_passes(bug):
    breach, seed = found(bug)
    assert breach.invariant in bug.found_by, breach
    assert holds(seed)


def test_there_are_many_of_them_and_each_invariant_finds_some():
    assert len(BUGS) >= 30
    assert len({bug.what for bug in BUGS}) == len(BUGS)
    assert {invariant for bug in BUGS for invariant in bug.found_by} <= INVARIANTS.keys()
