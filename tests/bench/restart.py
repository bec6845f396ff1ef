"""How soon a server is ready that has many open games to bring back."""

from itertools import cycle
from pathlib import Path
from time import perf_counter

from gridgames_server.core.hub import Hub, ServerConfig
from gridgames_server.core.room_events import Record
from gridgames_server.games import GAMES
from gridgames_server.storage.restore import restore
from gridgames_server.storage.writer import Writer
from tests.bench.busy_store import finish_games
from tests.bench.process import running, server_command
from tests.server.hub_harness import MIDDLES, play
from tests.server.stored_hub import Shelf, Shelved, StoredHub

MANY = 1_000_000

Figures = dict[str, float]


def restarts(games: int, finished: int, starts: int, folder: Path) -> Figures:
    """Seconds from the start of the program to the line that says it listens, and what of it is reading and playing."""
    store = folder / "open games"
    events = fill(store, games)
    figures = {
        "games": games,
        "events": events,
        "store_mib": store.stat().st_size / 2**20,
        **bring_back(store),
        "empty_s": min(start(folder / f"empty {number}") for number in range(starts)),
        "full_s": min(start(store) for _ in range(starts)),
    }
    finish_games(store, finished)
    return {**figures, "finished": finished, "history_s": min(start(store) for _ in range(starts))}


def open_games(count: int) -> list[Record]:
    """The records of so many games that are under way."""
    shelf = Shelf()
    server = StoredHub(shelf, max_players=MANY, max_per_address=MANY, max_rooms=MANY, max_rooms_per_address=MANY)
    for number, game in zip(range(count), cycle(MIDDLES), strict=False):
        play(*server.table(game, f"{number} a", f"{number} b"), lines=MIDDLES[game])
        server.guests.clear()
        server.hub.sessions.clear()
    return shelf.records


def fill(path: Path, count: int) -> int:
    """Make a store with so many open games; how many events are in it."""
    storage = Shelved(path)
    storage.save(open_games(count), lambda: None)
    events = sum(len(room.events) for room in storage.saved().rooms)
    storage.close()
    return events


def bring_back(path: Path) -> Figures:
    """How long a hub in this process takes to have everything back."""
    begun = perf_counter()
    storage = Writer(path, lambda call: call(), print)
    saved = storage.load()
    loaded = perf_counter()
    hub = Hub(ServerConfig(GAMES), bytes, saved.now)
    restore(hub, saved, saved.now)
    replayed = perf_counter()
    storage.close()
    return {"rooms": len(hub.rooms.by_code), "read_s": loaded - begun, "replay_s": replayed - loaded}


def start(path: Path) -> float:
    """Seconds from the program's start to its first line."""
    with running(*server_command(path)) as process:
        return process.ready_after
