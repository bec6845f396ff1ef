"""What a host does besides serving: back the store up, check one, check a saved game."""

import argparse
import asyncio
import os
import sqlite3
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

from gridgames_server import record
from gridgames_server.deeds import Saved
from gridgames_server.games import GAMES
from gridgames_server.games.game import Game
from gridgames_server.history import Kept
from gridgames_server.hub import House, Hub
from gridgames_server.journal import Journal
from gridgames_server.match import replay
from gridgames_server.restore import restore
from gridgames_server.store import StoreError, connect, copy, damaged_games, load, read_games

COMMANDS = ("backup", "check", "replay")
ASK_WITHIN = 60.0


def backup(store: Path, path: str) -> str:
    """Copy the store to a new file, through the running server if there is one; "" or why not."""
    path = os.path.abspath(path)
    if socket_of(store).exists():
        try:
            return asyncio.run(ask_server(socket_of(store), f"backup {path}"))
        except (OSError, TimeoutError):
            pass  # left over from a server that was killed: the store is ours
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


# The way to the running server ----------------------------------------------------------------------------------------


def socket_of(store: Path) -> Path:
    """Where the host's own commands reach the server that uses a store."""
    return store.with_name(store.name + ".sock")


async def ask_server(path: Path, command: str) -> str:
    """Say a command to the running server, and read what it says."""
    async with asyncio.timeout(ASK_WITHIN):
        reader, writer = await asyncio.open_unix_connection(path)
        writer.write(os.fsencode(command))
        writer.write_eof()  # and no LF, which may stand in a file's name
        answer = await reader.read()
        writer.close()
    return os.fsdecode(answer)


async def listen_to_host(journal: Journal, store: Path) -> asyncio.Server:
    """Take the host's commands, from this user alone."""
    path = socket_of(store)
    path.unlink(missing_ok=True)  # the store is locked, so whoever made it is gone

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        word, _, rest = os.fsdecode(await reader.read()).partition(" ")
        if word == "backup" and rest:
            done: asyncio.Future[str] = asyncio.get_running_loop().create_future()
            journal.backup(rest, done.set_result)
            writer.write(os.fsencode(await done))
        else:
            writer.write(b"that is no command")
        writer.close()

    try:
        return await asyncio.start_unix_server(serve, path)  # nobody else's, by the umask of the program
    except OSError as error:
        raise StoreError(f"can't listen at {path}: {error.strerror or error}") from None


# The sub-commands -----------------------------------------------------------------------------------------------------


def main(arguments: list[str], default_store: Path) -> int:
    """Do one of the host's commands; what comes back is the exit code."""
    parser = argparse.ArgumentParser("gridgames-server")
    commands = parser.add_subparsers(dest="command", required=True)
    add = commands.add_parser("backup", help="copy the store, also while the server runs")
    add.add_argument("file", help="where to; it must not be there yet")
    add.add_argument("--store", type=Path, default=Path(os.environ.get("GRIDGAMES_STORE") or default_store))
    add = commands.add_parser("check", help="check a store that no server uses, or a backup")
    add.add_argument("file", type=Path)
    add = commands.add_parser("replay", help="play a saved game again by the rules")
    add.add_argument("file", type=Path)
    options = parser.parse_args(arguments)
    do: dict[str, Callable[[argparse.Namespace], int]] = {"backup": _backup, "check": _check, "replay": _replay}
    try:
        return do[options.command](options)
    except (StoreError, record.BadRecord) as error:
        return _say(str(error), 1)
    except (OSError, UnicodeDecodeError) as error:
        return _say(f"can't read {options.file}: {getattr(error, 'strerror', None) or 'it is not text'}", 1)


def _backup(options: argparse.Namespace) -> int:
    why = backup(options.store, options.file)
    return _say(why, 1) if why else _say(f"Backed up to {options.file}.", 0)


def _check(options: argparse.Namespace) -> int:
    faults = check_store(options.file)
    return _say("\n".join(faults), 1) if faults else _say("Every room and every game is sound.", 0)


def _replay(options: argparse.Namespace) -> int:
    faults = record.check(options.file.read_text("utf-8"), GAMES)
    return _say("\n".join(faults), 1) if faults else _say("Every answer was right.", 0)


def _say(text: str, code: int) -> int:
    print(text, file=sys.stderr if code else sys.stdout)
    return code
