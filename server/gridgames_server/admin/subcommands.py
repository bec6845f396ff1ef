"""What a host does besides serving: look after a running server, back a store up, check one, check a saved game."""

import argparse
import asyncio
import os
import sqlite3
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

from gridgames_protocol.saved import BadRecord
from gridgames_protocol.text import columns
from gridgames_server import record
from gridgames_server.deeds import Saved
from gridgames_server.ear import ask_server, socket_of
from gridgames_server.games import GAMES
from gridgames_server.games.game import Game
from gridgames_server.history import Kept
from gridgames_server.hub import House, Hub
from gridgames_server.match import replay
from gridgames_server.restore import restore
from gridgames_server.store import StoreError, connect, copy, damaged_games, load, read_games

# What is said to a running server: the help, and what has to stand behind the word.
TO_SERVER = {
    "status": ("how the server is", None),
    "players": ("who is connected or seated", None),
    "rooms": ("which rooms there are", None),
    "say": ("tell everybody something", "TEXT"),
    "kick": ("send a player away", "NAME"),
    "drain": ("let no new game begin, and end when the last one is over", None),
}
ELSEWHERE = (
    "the server has written {}, but not in this place: it has folders of its own. "
    "Let it write beside its store, and move the file from there"
)
COMMANDS = ("backup", "check", "replay", *TO_SERVER)


def backup(store: Path, path: str, socket: Path | None = None) -> str:
    """Copy the store to a new file, through the running server if there is one; "" or why not."""
    path = os.path.abspath(path)
    if os.path.exists(path):
        return f"{path} is there already"
    socket = Path(socket or socket_of(store))
    if socket.exists():
        try:
            why = asyncio.run(ask_server(socket, f"backup {path}"))[1]
            return why or ("" if os.path.exists(path) else ELSEWHERE.format(path))
        except (ConnectionRefusedError, FileNotFoundError):
            pass  # left over from a server that was killed: the store is ours
        except OSError:  # a time-out is one too
            return f"the server at {socket} does not answer"
    if not store.exists():
        return f"there is no store at {store}"
    opened = connect(store)
    try:
        return copy(opened, path)
    finally:
        opened.close()


def check_store(path: Path) -> list[str]:
    """What is wrong with a store or a backup; its open rooms and its finished games are all played again."""
    if not path.exists() or not path.stat().st_size:
        raise StoreError(f"there is no store at {path}")
    store = connect(path)
    try:
        faults = [f"SQLite says: {row[0]}" for row in store.execute("PRAGMA integrity_check") if row[0] != "ok"]
        saved, _ = load(store)
        faults += check_rooms(saved)
        faults += [f"game {number} is not as it was written" for number in damaged_games(store)]
        faults += [fault for game in read_games(store, "1", {}) if (fault := check_game(game, GAMES))]
    except sqlite3.DatabaseError as error:
        return [f"it is damaged: {error}"]
    finally:
        store.close()
    return faults


def check_rooms(saved: Saved) -> list[str]:
    """The rooms that could not be brought back."""
    hub = Hub(House(GAMES), os.urandom, saved.now)
    restore(hub, saved, saved.now)
    back = {room.number for room in hub.rooms.by_code.values()}
    rooms = [room.opened.room for room in (*saved.rooms, *saved.broken)]
    return [f"room {number} can't be brought back" for number in rooms if number not in back]


def check_game(kept: Kept, games: tuple[Game[Any], ...]) -> str:
    """What is wrong with a finished game."""
    rules = next((game for game in games if game.card.slug == kept.game), None)
    if rules is None or rules.card.edition != kept.edition:
        return ""  # of older rules: nothing to hold it against
    try:
        match = replay(rules, kept.seed, kept.first, kept.moves())
    except Exception:
        return f"game {kept.number} can't be played again"
    ended = match.outcome and (match.outcome.winner, match.outcome.reason)
    expected = (kept.winner, kept.reason) if kept.reason not in record.OUTSIDE else None
    return "" if ended == expected else f"game {kept.number} ended otherwise"


# The sub-commands -----------------------------------------------------------------------------------------------------


def main(arguments: list[str], default_store: Path) -> int:
    """Do one of the host's commands; what comes back is the exit code."""
    options = _parser(default_store).parse_args(arguments)
    do: dict[str, Callable[[argparse.Namespace], int]] = {"backup": _backup, "check": _check, "replay": _replay}
    try:
        return do.get(options.command, _tell_server)(options)
    except (StoreError, BadRecord) as error:
        return _say(str(error), 1)
    except (OSError, UnicodeDecodeError) as error:
        return _say(f"can't read {options.file}: {getattr(error, 'strerror', None) or 'it is not text'}", 1)


def _parser(default_store: Path) -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser("gridgames-server")
    commands = parser.add_subparsers(dest="command", required=True)
    backing = commands.add_parser("backup", help="copy the store, also while the server runs")
    backing.add_argument("file", help="where to; it must not be there yet")
    add = commands.add_parser("check", help="check a store that no server uses, or a backup")
    add.add_argument("file", type=Path)
    add = commands.add_parser("replay", help="play a saved game again by the rules")
    add.add_argument("file", type=Path)
    telling = [commands.add_parser(word, help=help) for word, (help, _) in TO_SERVER.items()]
    for add, (_, rest) in zip(telling, TO_SERVER.values(), strict=True):
        if rest:
            add.add_argument("rest", nargs="+", metavar=rest)
    store, place = os.environ.get("GRIDGAMES_STORE") or default_store, os.environ.get("GRIDGAMES_SOCKET") or None
    for add in (backing, *telling):
        add.add_argument("--store", type=Path, default=Path(store), metavar="FILE", help="the server's store")
        add.add_argument("--socket", type=Path, default=place, metavar="FILE", help="the server's, if it has --socket")
    return parser


def _tell_server(options: argparse.Namespace) -> int:
    """Say a command to the running server, and pass on what it says."""
    path = Path(options.socket or socket_of(options.store))
    words = " ".join([options.command, *getattr(options, "rest", ())])
    try:
        code, said = asyncio.run(ask_server(path, words))
    except (OSError, TimeoutError):
        return _say(f"no server answers at {path}", 1)
    return _say("\n".join(in_columns(said.split("\n"))), code)


def in_columns(lines: list[str]) -> list[str]:
    """Lines whose parts, split at tabs, stand below each other."""
    rows = [line.split("\t") for line in lines]
    widths = [max(map(columns, column)) for column in zip(*rows, strict=True)]
    return ["  ".join(map(_filled, row, widths)).rstrip() for row in rows]


def _filled(part: str, size: int) -> str:
    return part + " " * (size - columns(part))


def _backup(options: argparse.Namespace) -> int:
    why = backup(options.store, options.file, options.socket)
    return _say(why, 1) if why else _say(f"Backed up to {options.file}.", 0)


def _check(options: argparse.Namespace) -> int:
    faults = check_store(options.file)
    return _say("\n".join(faults), 1) if faults else _say("Every room and every game is sound.", 0)


def _replay(options: argparse.Namespace) -> int:
    faults = record.check(options.file.read_text("utf-8"), GAMES)
    return _say("\n".join(faults), 1) if faults else _say("Every answer was right.", 0)


def _say(text: str, code: int) -> int:
    if text:
        print(text, file=sys.stderr if code else sys.stdout)
    return code
