"""Thousands of games with everything going wrong that can: what must hold holds at every step, and every game ends.

A seed that fails is named with the command that shows it again. `--long` plays ten times as many.
"""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from gridgames_server.games import GAMES, VARIANTS
from tests.simulation.__main__ import many
from tests.simulation.faults import TROUBLES
from tests.simulation.planted import planted
from tests.simulation.run import Tally, reproduce, scenario, scenarios
from tests.simulation.storage_bugs import BUGS

ROOT = Path(__file__).parents[2]
SCENARIOS = 95  # about 22 games each


@pytest.fixture(scope="module")
def total(request):
    """What many scenarios come to, on all processors."""
    longer = 10 if request.config.getoption("--long") else 1
    total = Tally()
    for tally in scenarios(range(SCENARIOS * longer), os.cpu_count() or 1):
        total.add(tally)
    print(total)
    return total


def test_all_that_must_hold_holds_at_every_step(total):
    assert [f"seed {seed}: {breach}: {reproduce(seed)}" for seed, breach in total.breaches] == []


def test_there_are_enough_games_and_faults_to_mean_something(total):
    assert total.games >= 2_000
    assert total.faults.total() >= 8_000


def test_everything_has_gone_wrong(total):
    troubles = {trouble.__name__.replace("_", " ") for trouble in TROUBLES}
    careless = {"play sent twice", "play sent again after coming back", "nonsense typed"}
    assert total.faults.keys() == troubles | careless
    assert min(total.faults.values()) > 50
    assert total.splits > 1_000
    assert total.lives > 500


def test_every_game_is_played_to_every_kind_of_end(total):
    assert total.played == {*((game.card.slug, None) for game in GAMES), *VARIANTS}
    outside = {"resigned", "agreed", "clock", "afresh"}
    assert total.ends.keys() >= outside | {"treasure", "points", "goal", "stuck", "capture", "collision"}


def digest(seed, hash_seed):
    """What one scenario comes to, in a process of its own."""
    command = [sys.executable, "-m", "tests.simulation", "--seed", str(seed), "--digest"]
    environment = {**os.environ, "PYTHONHASHSEED": str(hash_seed)}
    return subprocess.run(command, cwd=ROOT, env=environment, check=True, capture_output=True, text=True).stdout


def test_a_seed_gives_the_same_bytes_in_every_process_whatever_the_order_of_its_sets():
    first = digest(7, 1)
    assert len(first.split()[0]) == 32
    assert digest(7, 2) == first
    assert digest(8, 1) != first


def test_a_seed_that_fails_is_named_with_the_command_that_shows_it_again(capsys):
    (bug,) = [bug for bug in BUGS if bug.what == "an event is kept twice"]
    with planted(bug):
        assert many(games=1, first=3, processors=1) == 1
    assert "seed 3: order: " in capsys.readouterr().out


def test_the_command_that_shows_it_again_is_one():
    assert scenario(3).breaches == []
    assert reproduce(3) == "python -m tests.simulation --seed 3"
