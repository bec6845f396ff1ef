"""What the server and the client cost: `python -m tests.bench`, from the project's root.

A real server runs in a process of its own, and is played on by bare sockets from another core. Beside it, in the same
run, plays the yardstick: a bare relay that answers with the same messages. What counts is the CPU that the measured
process itself has used. `--quick` takes a minute, everything takes a quarter of an hour; a machine that does nothing
else gives the best figures.
"""

import argparse
import json
import sys
import tempfile
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, TypeVar

from tests.bench import client, crowd, profile_report, report
from tests.bench.busy_store import busy_store
from tests.bench.measure import VARIANTS_AT, Cost, Effort, measure
from tests.bench.move_scripts import SCRIPTS
from tests.bench.process import on_the_other_core
from tests.bench.restart import restarts

T = TypeVar("T")
Figures = dict[str, float]


@dataclass(frozen=True, slots=True)
class Size:
    """How much is measured."""

    rooms: tuple[int, ...]
    moves: int  # with each number of rooms, about
    strolls: int  # moves whose time is measured
    times: int  # that somebody comes, or opens a room
    people: int  # whose memory is measured
    open_games: int  # before a restart
    finished_games: int  # besides them
    starts: int
    keys: int
    idle: float  # seconds


FULL = Size(
    (1, 50, 500, 2_000),
    12_000,
    400,
    times=20,
    people=1_000,
    open_games=1_000,
    finished_games=100_000,
    starts=3,
    keys=40,
    idle=5.0,
)
QUICK = Size(
    (1, 50), 1_200, 100, times=4, people=200, open_games=100, finished_games=1_000, starts=1, keys=10, idle=1.0
)
DISK = "/var/tmp"  # a folder that is on a disk: /tmp may be in memory, where keeping costs nothing


def numbers(text: str) -> tuple[int, ...]:
    """A list of numbers, as it is typed."""
    return tuple(sorted({int(number) for number in text.split(",")}))


def slugs(text: str) -> tuple[str, ...]:
    """A list of games, as it is typed."""
    if unknown := [slug for slug in text.split(",") if slug not in SCRIPTS]:
        raise argparse.ArgumentTypeError(f"no such game: {', '.join(unknown)}; there are {', '.join(SCRIPTS)}")
    return tuple(text.split(","))


def arguments(typed: Sequence[str]) -> argparse.Namespace:
    """What was typed behind the program's name."""
    parser = argparse.ArgumentParser(
        "python -m tests.bench", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--quick", action="store_true", help="less of everything")
    parser.add_argument("--json", type=Path, metavar="FILE", help="write the figures to a file as well")
    parser.add_argument("--rooms", type=numbers, metavar="N,...", help="how many rooms, by default 1,50,500,2000")
    parser.add_argument("--games", type=slugs, default=tuple(SCRIPTS), metavar="SLUG,...", help="by default all")
    parser.add_argument("--moves-only", action="store_true", help="no lobby, no watchers, no restart")
    parser.add_argument("--client", action="store_true", help="the client too")
    parser.add_argument("--folder", type=Path, default=DISK, help="where stores are made, by default %(default)s")
    parser.add_argument("--profile", type=Path, metavar="FILE", help="instead of all that, profile the server's moves")
    return parser.parse_args(typed)


def main(typed: Sequence[str], size: Size | None = None) -> None:
    """Measure, and print."""
    options = arguments(typed)
    size = size or (QUICK if options.quick else FULL)
    size = replace(size, rooms=options.rooms or size.rooms)
    with tempfile.TemporaryDirectory(dir=options.folder) as name, on_the_other_core():
        folder = Path(name)
        if options.profile:
            rooms = min(VARIANTS_AT, max(size.rooms))
            options.profile.write_text(profile_report.of_moves(options.games, rooms, size.moves, folder))
            return
        costs = report.Costs(moves(options.games, size, folder))
        others = {} if options.moves_only else surroundings(options.games[0], size, folder)
    if options.client:
        others["client"] = told("client", client.client, size.starts, size.keys, size.idle)
    print(report.text(costs, others))
    if options.json:
        found = {"machine": report.machine(), **costs.plain(), **others}
        options.json.write_text(json.dumps(found, indent=2) + "\n", "utf-8")


def moves(games: Sequence[str], size: Size, folder: Path) -> list[Cost]:
    """What moves cost in each game."""
    effort = Effort(size.moves, size.strolls)
    return [cost for game in games for cost in told(game, measure, game, size.rooms, effort, folder)]


def surroundings(game: str, size: Size, folder: Path) -> dict[str, Figures]:
    """What is around the moves: people who look on, the lobby, and a restart."""
    effort, most = Effort(size.moves, 0), max(size.rooms)
    return {
        "company": told("company", crowd.company, game, min(VARIANTS_AT, most), effort),
        "lobby": told("lobby", crowd.lobby, game, most, size.times, size.people),
        "restart": told("restart", restarts, size.open_games, size.finished_games, size.starts, folder),
        "busy store": told(
            "busy store", busy_store, game, min(VARIANTS_AT, most), size.strolls, size.finished_games, folder
        ),
    }


def told(what: str, measured: Callable[..., T], *given: Any) -> T:
    """Measure something, and say on stderr that one is at it."""
    print(f"{what} ...", file=sys.stderr, flush=True)
    return measured(*given)


if __name__ == "__main__":
    main(sys.argv[1:])
