"""How soon a server is ready that has many open games to bring back.

`python -m tests.bench.restart [--games N]`, from the project's root. Prints how long reading, checking and replaying
take in this process, and how long the real program takes from its start to the line that says it listens.
"""

import argparse
import asyncio
import tempfile
from itertools import cycle
from pathlib import Path
from time import perf_counter

from gridgames_server.deeds import Record
from gridgames_server.games import GAMES
from gridgames_server.hub import House, Hub
from gridgames_server.journal import Journal
from gridgames_server.restore import restore
from tests.server.house import MIDDLES, play
from tests.server.kept import KeptHouse, Shelf, Shelved
from tests.wire import program

MANY = 1_000_000


def open_games(count: int) -> list[Record]:
    """The records of so many games that are under way."""
    shelf = Shelf()
    house = KeptHouse(shelf, max_players=MANY, max_per_address=MANY, max_rooms=MANY, max_rooms_per_address=MANY)
    for number, game in zip(range(count), cycle(MIDDLES), strict=False):
        play(*house.table(game, f"{number} a", f"{number} b"), lines=MIDDLES[game])
        house.guests.clear()
        house.hub.sessions.clear()
    return shelf.records


def fill(path: Path, count: int) -> int:
    """Make a store with so many open games; how many deeds are in it."""
    journal = Shelved(path)
    journal.keep(open_games(count), lambda: None, lambda: None)
    deeds = sum(len(room.deeds) for room in journal.load().rooms)
    journal.close()
    return deeds


def bring_back(path: Path) -> None:
    """Print how long a hub takes to have everything back."""
    begun = perf_counter()
    journal = Journal(path, lambda call: call(), print)
    saved = journal.load()
    loaded = perf_counter()
    hub = Hub(House(GAMES), bytes, saved.now)
    restore(hub, saved, saved.now)
    print(f"read and checked in {loaded - begun:.2f} s, replayed in {perf_counter() - loaded:.2f} s:", end=" ")
    print(f"{len(hub.rooms.by_code)} rooms")
    journal.close()


async def start(path: Path) -> float:
    """Seconds from the program's start to its first line."""
    begun = perf_counter()
    async with program("--store", str(path)):
        return perf_counter() - begun


def main() -> None:
    """Measure, and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--games", type=int, default=1_000)
    games = parser.parse_args().games
    with tempfile.TemporaryDirectory() as folder:
        store, empty = Path(folder) / "store", Path(folder) / "empty"
        print(f"{games} open games, {fill(store, games)} deeds, {store.stat().st_size / 2**20:.1f} MiB")
        bring_back(store)
        for name, path in (("an empty store", empty), (f"{games} open games", store)):
            print(f"the program with {name} listens after {asyncio.run(start(path)):.2f} s")


if __name__ == "__main__":
    main()
