"""How soon a server is ready that has many open games to bring back."""

from itertools import cycle
from pathlib import Path
from time import perf_counter

from gridgames_server.deeds import Record
from gridgames_server.games import GAMES
from gridgames_server.hub import House, Hub
from gridgames_server.journal import Journal
from gridgames_server.restore import restore
from tests.bench.process import running, server_command
from tests.server.house import MIDDLES, play
from tests.server.kept import KeptHouse, Shelf, Shelved

MANY = 1_000_000

Figures = dict[str, float]


def restarts(games: int, starts: int, folder: Path) -> Figures:
    """Seconds from the start of the program to the line that says it listens, and what of it is reading and playing."""
    store = folder / "open games"
    deeds = fill(store, games)
    return {
        "games": games,
        "deeds": deeds,
        "store_mib": store.stat().st_size / 2**20,
        **bring_back(store),
        "empty_s": min(start(folder / f"empty {number}") for number in range(starts)),
        "full_s": min(start(store) for _ in range(starts)),
    }


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


def bring_back(path: Path) -> Figures:
    """How long a hub in this process takes to have everything back."""
    begun = perf_counter()
    journal = Journal(path, lambda call: call(), print)
    saved = journal.load()
    loaded = perf_counter()
    hub = Hub(House(GAMES), bytes, saved.now)
    restore(hub, saved, saved.now)
    replayed = perf_counter()
    journal.close()
    return {"rooms": len(hub.rooms.by_code), "read_s": loaded - begun, "replay_s": replayed - loaded}


def start(path: Path) -> float:
    """Seconds from the program's start to its first line."""
    with running(*server_command(path)) as process:
        return process.ready_after
