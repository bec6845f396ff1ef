"""What the store costs a move: bytes that are written, and the time beside people who ask and a backup that runs."""

import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import ExitStack, closing, contextmanager
from dataclasses import replace
from itertools import count
from pathlib import Path

from gridgames_server.core.players import hash_token
from gridgames_server.core.room_events import PlayerNamed
from tests.bench.load import Load
from tests.bench.measure import PACE
from tests.bench.process import Process, running, server_command
from tests.server.stored_games import BY_SLUG, over, played_out
from tests.server.stored_hub import Shelved
from tests.wire import PROGRAM, environment

ASKERS = 64
A_COMMIT = 1_000  # finished games
BACKUPS = 3  # times as many moves as elsewhere: they last for more than one backup

Figures = dict[str, float]


def token_of(asker: int) -> str:
    """The token of one of those whose games are in the store."""
    return f"{asker:064x}"


def finish_games(path: Path, games: int) -> None:
    """Add so many finished games to a store. They are those of the people who ask."""
    journal = Shelved(path)
    first = journal.begin.next_player
    names = {n: f"asker {n}" for n in range(ASKERS)}
    journal.save([PlayerNamed(first + n, who, who, hash_token(token_of(n))) for n, who in names.items()], lambda: None)
    game, number = over(played_out(BY_SLUG["grid-conquest"], bytes(32), 1)), count(journal.begin.last_game + 1)
    for done in range(0, games, A_COMMIT):
        some = range(done, min(games, done + A_COMMIT))
        pairs = [(first + n % ASKERS, first + (n + 1 + n // ASKERS % (ASKERS - 1)) % ASKERS) for n in some]
        journal.save([replace(game, players=pair, game_number=next(number)) for pair in pairs], lambda: None)
    journal.close()


def busy_store(game: str, rooms: int, moves: int, finished: int, folder: Path) -> Figures:
    """Bytes written a line, and the times of moves with nobody else there, and beside askers and a backup."""
    store = folder / "busy.sqlite"
    finish_games(store, finished)
    with running(*server_command(store)) as server, closing(Load(server.port, game)) as load:
        load.grow(rooms)
        load.start_afresh()
        before = bytes_written(server)
        lines = len(load.play(load.rooms))
        written = (bytes_written(server) - before) / lines
        moves *= BACKUPS
        quiet = stroll(load, moves)
        with ExitStack() as disturbed:
            disturbed.enter_context(asking(server.port))
            disturbed.enter_context(backing_up(store, folder))
            busy = stroll(load, moves)
    return {
        "written_bytes": written,
        "quiet_p50_ms": quantile(quiet, 0.5),
        "quiet_p99_ms": quantile(quiet, 0.99),
        "busy_p50_ms": quantile(busy, 0.5),
        "busy_p99_ms": quantile(busy, 0.99),
    }


def stroll(load: Load, moves: int) -> list[float]:
    """Seconds that each of some moves took, at a steady pace."""
    took: list[float] = []
    while len(took) < moves:
        load.start_afresh()
        took += load.stroll(moves - len(took), PACE)
    return took


def quantile(took: list[float], part: float) -> float:
    return sorted(took)[int(part * len(took))] * 1e3


def bytes_written(process: Process) -> int:
    """Bytes that a process has had written to the disk."""
    lines = Path(f"/proc/{process.popen.pid}/io").read_text().splitlines()
    return next(int(line.split()[1]) for line in lines if line.startswith("write_bytes"))


def yield_core() -> None:
    """Let the players go first: they share their core with those who disturb, and their own wait must not count."""
    os.nice(19)


@contextmanager
def asking(port: int) -> Iterator[None]:
    """Let many ask for their history, each again as soon as the answer is there."""
    with subprocess.Popen(
        [sys.executable, "-m", "tests.bench.askers", str(port)], stdout=subprocess.PIPE, preexec_fn=yield_core
    ) as askers:
        assert askers.stdout
        askers.stdout.readline()  # all are there
        yield
        askers.terminate()


@contextmanager
def backing_up(store: Path, folder: Path) -> Iterator[None]:
    """Let one backup run after the other."""
    script = 'n=0; while :; do n=$((n+1)); rm -f "$2"; "$0" backup --store "$1" "$2" || exit 1; done'
    command = ["sh", "-c", script, str(PROGRAM), str(store), str(folder / "backup")]
    with subprocess.Popen(command, env=environment(), start_new_session=True, preexec_fn=yield_core) as backups:
        yield
        assert backups.poll() is None, "a backup has failed"
        os.killpg(backups.pid, 15)
