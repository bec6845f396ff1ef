"""The host's commands: send one to a running server, back up or check a store, check a saved game."""

import argparse
import asyncio
import os
import sqlite3
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

from gridgames_protocol.machine.output import Parser, print_line
from gridgames_protocol.safe_text import columns, harmless
from gridgames_protocol.saved_game import RECORD_MAX, BadRecord
from gridgames_server.admin import verify_saved
from gridgames_server.admin.control_socket import BACKUP_WITHIN, ask_server, default_socket
from gridgames_server.admin.portability import is_control_socket
from gridgames_server.core.hub import Hub, ServerConfig
from gridgames_server.core.room_events import Snapshot
from gridgames_server.games import GAMES
from gridgames_server.games.game import Game
from gridgames_server.games.match import may_have_ended, replay
from gridgames_server.storage.finished_games import archive_games, find_damaged_games, read_games
from gridgames_server.storage.history_answers import FinishedGame, find_rules
from gridgames_server.storage.log_reader import read_log
from gridgames_server.storage.restore import restore
from gridgames_server.storage.store import StoreError, count_lost_writes, open_copy, write_copy

# Commands for a running server: the help text and the arguments.
TO_SERVER = {
    "status": ("show the state of the server", None),
    "players": ("list who is connected or has a seat", None),
    "rooms": ("list the rooms", None),
    "say": ("send a text to everybody", "TEXT"),
    "kick": ("disconnect a player", "NAME"),
    "ban": ("ban a name or an address for some minutes", "MINUTES NAME"),
    "drain": ("allow no new games, and stop when the last game is over", None),
    "undrain": ("allow new games again", None),
}
ELSEWHERE = (
    "the server has written {}, but in its own file system, which is not this one. "
    "Let it write beside its store, and move the file from there"
)
NO_SOCKET = (
    ". A server with another store is reached with --store FILE. A server with --no-store is reached if it and this "
    "command are given the same --socket FILE; without that, gridgames-client --status shows its counts"
)
COMMANDS = ("backup", "check", "replay", *TO_SERVER)


def backup(store: Path, path: str, socket: Path | None = None) -> str:
    """Copy the store to a new file, through the running server if there is one. Return "" or the error."""
    path = os.path.abspath(path)
    if os.path.lexists(path):
        return f"{path} exists already"
    socket = Path(socket or default_socket(store))
    if is_control_socket(socket):
        try:
            asyncio.run(ask_server(socket, "status"))  # notices soon that a server does not answer
            why = asyncio.run(ask_server(socket, f"backup {path}", BACKUP_WITHIN))[1]
            return why or ("" if os.path.exists(path) else ELSEWHERE.format(path))
        except (ConnectionRefusedError, FileNotFoundError):
            pass  # a killed server has left the socket: no server uses the store
        except OSError:  # TimeoutError is an OSError too
            return f"the server at {socket} does not answer"
    with open_copy(store) as opened:
        return write_copy(opened, path)


def check_store(path: Path) -> list[str]:
    """Return the faults of a store or a backup. All open rooms and finished games are replayed."""
    with open_copy(path) as store:
        try:
            faults = [f"SQLite says: {row[0]}" for row in store.execute("PRAGMA integrity_check") if row[0] != "ok"]
            ledger = read_log(store)
            archive_games(store, ledger.finished, ledger.seq, {})
            if lost := count_lost_writes(path, ledger.seq):
                faults.append(f"the last {lost} writes are lost")
            faults += ledger.faults + check_rooms(ledger.make_snapshot())
            faults += [f"room {number} can't be restored" for number in ledger.lost]
            faults += [f"game {number} is damaged" for number in find_damaged_games(store)]
            faults += [fault for game in read_games(store, "1", {}) if (fault := check_game(game, GAMES))]
        except sqlite3.DatabaseError as error:
            return [f"the store is damaged: {error}"]
    return faults


def check_rooms(saved: Snapshot) -> list[str]:
    """Return a fault for each room that could not be restored."""
    hub = Hub(ServerConfig(GAMES), os.urandom, saved.now)
    restore(hub, saved, saved.now)
    back = {room.number for room in hub.rooms.by_code.values()}
    rooms = [room.opened.room for room in (*saved.rooms, *saved.broken)]
    return [f"room {number} can't be restored" for number in rooms if number not in back]


def check_game(kept: FinishedGame, games: tuple[Game[Any], ...]) -> str:
    """Return the fault of a finished game, or ""."""
    rules = find_rules(kept, games)
    if rules is None:
        return ""  # played by older rules: it can't be checked
    try:
        match = replay(rules, kept.seed, kept.first, kept.moves())
    except Exception:
        return f"game {kept.number} can't be replayed"
    fits = may_have_ended(match, kept.winner, kept.reason)
    return "" if fits else f"game {kept.number} has another result by the rules"


# The sub-commands -----------------------------------------------------------------------------------------------------


def main(arguments: list[str], default_store: Path) -> int:
    """Run one of the host's commands. Return the exit code."""
    options = _parser(default_store).parse_args(arguments)
    do: dict[str, Callable[[argparse.Namespace], int]] = {"backup": _backup, "check": _check, "replay": _replay}
    try:
        return do.get(options.command, _send_to_server)(options)
    except (StoreError, BadRecord) as error:
        return _print(str(error), 1)
    except (OSError, UnicodeDecodeError) as error:
        return _print(f"can't read {options.file}: {getattr(error, 'strerror', None) or 'it is not text'}", 1)


def _parser(default_store: Path) -> argparse.ArgumentParser:
    parser = Parser("gridgames-server")
    commands = parser.add_subparsers(dest="command", required=True)
    backing = commands.add_parser("backup", help="copy the store, also while the server runs")
    backing.add_argument("file", help="the new file; it must not exist yet")
    add = commands.add_parser("check", help="check a store that no server uses, or a backup")
    add.add_argument("file", type=Path)
    add = commands.add_parser("replay", help="replay a saved game and check it by the rules")
    add.add_argument("file", type=Path)
    live = [commands.add_parser(word, help=help) for word, (help, _) in TO_SERVER.items()]
    for add, (_, rest) in zip(live, TO_SERVER.values(), strict=True):
        if rest:
            add.add_argument("rest", nargs="+", metavar=rest)
    by_name = dict(zip(TO_SERVER, live, strict=True))
    by_name["status"].add_argument(
        "--json", action="append_const", dest="rest", const="--json", help="one JSON object (default: a line per fact)"
    )
    by_name["drain"].add_argument(
        "--within", type=int, metavar="MINUTES", help="stop by then, whatever is being played (default: no limit)"
    )
    store, place = os.environ.get("GRIDGAMES_STORE") or default_store, os.environ.get("GRIDGAMES_SOCKET") or None
    for add in (backing, *live):
        about = f"the server's store (default: {store})".replace("%", "%%")
        add.add_argument("--store", type=Path, default=Path(store), metavar="FILE", help=about)
        about = "the server's --socket (default: beside the store)"
        add.add_argument("--socket", type=Path, default=place, metavar="FILE", help=about)
    return parser


def _send_to_server(options: argparse.Namespace) -> int:
    """Send a command to the running server, and print the answer."""
    path = Path(options.socket or default_socket(options.store))
    within = getattr(options, "within", None)
    rest = getattr(options, "rest", None) or (["--within", str(within)] if within is not None else [])
    words = " ".join([options.command, *rest])
    try:
        code, said = asyncio.run(ask_server(path, words))
    except (OSError, TimeoutError):
        return _print(f"no server answers at {path}{'' if options.socket else NO_SOCKET}", 1)
    return _print("\n".join(align_columns(said.split("\n"))), code)


def align_columns(lines: list[str]) -> list[str]:
    """Align the parts of lines that are separated by tabs."""
    rows = [line.split("\t") for line in lines]
    if len({len(row) for row in rows}) > 1:  # not a table
        return lines
    widths = [max(map(columns, column)) for column in zip(*rows, strict=True)]
    return ["  ".join(map(_pad, row, widths)).rstrip() for row in rows]


def _pad(part: str, size: int) -> str:
    return part + " " * (size - columns(part))


def _backup(options: argparse.Namespace) -> int:
    why = backup(options.store, options.file, options.socket)
    return _print(why, 1) if why else _print(f"Backed up to {options.file}.", 0)


def _check(options: argparse.Namespace) -> int:
    faults = check_store(options.file)
    return _print("\n".join(faults), 1) if faults else _print("All rooms and games are undamaged.", 0)


def _replay(options: argparse.Namespace) -> int:
    with options.file.open("rb") as file:
        text = file.read(RECORD_MAX + 1)
    if len(text) > RECORD_MAX:
        raise BadRecord("it is too large for a saved game")
    faults = verify_saved.check_saved_game(text.decode(), GAMES)
    return _print("\n".join(faults), 1) if faults else _print("All answers in this game are right.", 0)


def _print(text: str, code: int) -> int:
    if text:
        print_line("\n".join(map(harmless, text.split("\n"))), sys.stderr if code else sys.stdout)
    return code
