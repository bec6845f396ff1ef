"""The bench works and gives every figure. What the figures are is not asked."""

import json
import math
from collections import Counter
from contextlib import closing

import pytest

from tests.bench.__main__ import Size, main
from tests.bench.client import client
from tests.bench.load import VIEW, Load, Refused
from tests.bench.measure import VARIANTS
from tests.bench.move_scripts import SCRIPTS
from tests.bench.process import running, server_command
from tests.bench.report import LABELS
from tests.server.tcp_tables import SLUGS

BRIEF = Size((1, 3), 24, 4, times=2, people=10, open_games=10, finished_games=20, starts=1, keys=2, idle=0.1)


SURROUNDINGS = ("company", "lobby", "restart", "busy store")


@pytest.fixture(scope="module")
def port():
    """Where a server listens that has no store."""
    with running(*server_command(None)) as process:
        yield process.port


@pytest.fixture
def load(port, request):
    """The players of a game, with two rooms."""
    with closing(Load(port, request.param)) as players:
        players.grow(2)
        yield players


def test_every_game_has_a_script():
    assert list(SCRIPTS) == SLUGS


@pytest.mark.parametrize("load", SCRIPTS, indirect=True)
def test_a_script_is_played_again_and_again_without_a_refusal_or_an_end(load):
    for _ in range(3):
        assert len(load.play(load.rooms)) >= 2 * 6
        load.start_afresh()
    assert len(load.stroll(moves=5, pace=1e6)) == 5


@pytest.mark.parametrize("load", ["secret-paths"], indirect=True)
def test_a_move_is_complete_when_the_watchers_have_seen_it_too(load):
    load.invite(2)
    (room, _) = load.rooms
    room.types(1, "MOVE 2 2")
    views = Counter()
    while not room.is_quiet:
        for wire, chunk in load.arrivals():
            views[wire] += chunk.count(VIEW)
            room.hears(wire, chunk)
    assert +views == Counter([*room.seats, *room.watchers])


@pytest.mark.parametrize("load", ["secret-paths"], indirect=True)
def test_a_line_that_is_refused_ends_the_bench(load):
    with pytest.raises(Refused, match="not_your_turn"):
        load.play(load.rooms, lambda: iter_script((1, "MOVE 2 2"), (1, "MOVE 3 3")))


def iter_script(*steps):
    for seat, line in steps:
        yield seat, line.upper()


def all_finite(figures):
    return all(math.isfinite(value) for value in figures.values() if not isinstance(value, str))


def test_one_command_gives_every_figure(tmp_path, capsys):
    flags = ("--games", "grid-hunt", "--folder", str(tmp_path))
    main([*flags, "--json", str(tmp_path / "figures")], BRIEF)
    found = json.loads((tmp_path / "figures").read_text())
    targets = [(cost["target"], cost["rooms"]) for cost in found["moves"]]
    assert sorted(targets) == sorted(
        [(name, rooms) for name in ("memory", "store", "yardstick") for rooms in (1, 3)]
        + [(name, 3) for name in VARIANTS]
    )
    assert [end["target"] for end in found["ends"]] == ["memory", "store", "yardstick"]
    assert [(mean["target"], mean["rooms"]) for mean in found["together"]] == [
        (name, rooms) for rooms in (1, 3) for name in ("memory", "store", "yardstick")
    ]
    figures = [*found["moves"], *found["together"], *found["ends"], *map(found.get, SURROUNDINGS)]
    assert all(map(all_finite, figures))
    printed = capsys.readouterr().out
    assert "| grid-hunt | 3 | " in printed
    assert "all games" in printed
    assert all(LABELS[name] in printed for part in SURROUNDINGS for name in found[part])


def test_the_client_gives_every_figure():
    found = client(starts=1, keys=2, seconds=0.1)
    assert {*found} == {*list(LABELS)[-6:]}
    assert all_finite(found)


def test_a_profile_says_where_the_time_of_every_thread_goes(tmp_path):
    main(["--games", "quantum-duel", "--folder", str(tmp_path), "--profile", str(tmp_path / "found")], BRIEF)
    text = (tmp_path / "found").read_text()
    assert text.count("thread loop") == 2
    assert text.count("thread writer") == 1
    assert "(observe)" in text
