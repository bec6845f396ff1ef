"""Where the server's time goes, game by game: what the profiler found while moves were played."""

import io
import pstats
import signal
from collections.abc import Sequence
from pathlib import Path

from tests.bench.load import Load
from tests.bench.measure import MOVES_A_GAME
from tests.bench.process import running, server_command

LINES = 40


def of_moves(games: Sequence[str], rooms: int, moves: int, folder: Path) -> str:
    """The profiles of all threads, with and without a store."""
    parts = []
    for game in games:
        for name, store in (("memory", None), ("store", folder / f"{game}.sqlite")):
            found = folder / f"{game} {name}"
            found.mkdir()
            played = profile(game, rooms, moves, store, found)
            parts += [f"{game}, {name}, {played} moves\n{top(file)}" for file in sorted(found.iterdir(), reverse=True)]
    return "\n".join(parts)


def profile(game: str, rooms: int, moves: int, store: Path | None, found: Path) -> int:
    """Play under the profiler; how many moves there were."""
    with running(*server_command(store, found)) as process:
        load = Load(process.port, game)
        load.grow(rooms)
        played = 0
        for _ in range(max(1, moves // (MOVES_A_GAME * rooms))):
            load.start_afresh()
            process.popen.send_signal(signal.SIGUSR1)
            played += len(load.play(load.rooms))
            process.popen.send_signal(signal.SIGUSR1)
        load.close()
    return played


def top(file: Path) -> str:
    """What took the most time in one thread."""
    text = io.StringIO()
    pstats.Stats(str(file), stream=text).strip_dirs().sort_stats("tottime").print_stats(LINES)
    return f"thread {file.name}\n" + "\n".join(line for line in text.getvalue().splitlines()[1:] if line.strip())
