"""The program: arguments, and which way to play."""

import argparse
import asyncio
import contextlib
import getpass
import logging
import os
import sys
import time
from collections.abc import Coroutine, Sequence
from importlib.metadata import version
from pathlib import Path
from typing import NoReturn

from gridgames_client import identity
from gridgames_client.connection import Address, Connection, Refused, no_answer, read_address
from gridgames_client.desk import Desk
from gridgames_client.identity import Identity
from gridgames_client.local import LocalServer
from gridgames_client.model import Model
from gridgames_client.plain import Plain, read_lines, write_line
from gridgames_protocol.messages import AskStatus, Request, Status, decode_push, encode

STATUS_WITHIN = 5.0
GOODBYE_WITHIN = 0.5
log = logging.getLogger("gridgames")


def main(arguments: Sequence[str] | None = None) -> None:
    """Play, or ask a server how it is."""
    options = parser().parse_args(arguments)
    try:
        address = read_address(options.address) if options.address else None
    except ValueError as error:
        fail(str(error))
    try:
        if options.status:
            status(address or Address("127.0.0.1"), options)
        else:
            asyncio.run(play(address, options))
    except Refused as refused:
        fail(str(refused))
    except KeyboardInterrupt:
        sys.exit(130)
    except Exception as bug:
        fail(f"something went wrong in this program ({type(bug).__name__}); the details are in {note_bug(bug)}")


def parser() -> argparse.ArgumentParser:
    """The flags."""
    found = argparse.ArgumentParser(
        "gridgames-client",
        description="Play two-player games of hidden information.",
        epilog="Without an address, a server is started on this machine for as long as you play.",
    )
    found.add_argument("address", nargs="?", metavar="HOST[:PORT]", help="where the server is")
    found.add_argument("--version", action="version", version=f"gridgames {version('gridgames')}")
    found.add_argument("--name", help="what to be called; remembered for this server")
    found.add_argument("--plain", action="store_true", help="play in plain lines instead of full screen")
    found.add_argument("--ascii", action="store_true", help="draw with plain ASCII characters")
    found.add_argument("--no-color", action="store_true", help="draw without colours")
    found.add_argument("--no-bell", action="store_true", help="stay silent when it is your turn")
    found.add_argument("--tls", action="store_true", help="encrypt; the server's certificate is remembered")
    found.add_argument("--password-file", metavar="FILE", help="file with the server's password in its first line")
    found.add_argument("--status", action="store_true", help="print how the server is, and exit")
    return found


def fail(sentence: str) -> NoReturn:
    """End with one sentence."""
    print(f"gridgames-client: {sentence}", file=sys.stderr)
    sys.exit(1)


def note_bug(bug: BaseException) -> Path:
    """Write a bug to a file, and say where."""
    path = identity.state_folder() / "client.log"
    with contextlib.suppress(OSError):
        path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        os.chmod(identity.open_private(path).name, 0o600)
        notes = logging.FileHandler(path)
        log.addHandler(notes)
        log.error("a bug", exc_info=bug)
        notes.close()
    return path


def password(options: argparse.Namespace) -> str | None:
    """The server's password, if there is one."""
    if options.password_file is None:
        return os.environ.get("GRIDGAMES_PASSWORD")
    try:
        return Path(options.password_file).read_text("utf-8").split("\n")[0].strip()
    except (OSError, UnicodeDecodeError):
        fail(f"can't read the password file {options.password_file}")


def name(options: argparse.Namespace, who: Identity) -> str:
    """What to be called if the player has not said: as last time, or as the user of this machine."""
    if who.name:
        return who.name
    with contextlib.suppress(Exception):  # a user without a name raises whatever the platform likes
        user = "".join(char for char in getpass.getuser() if char.isalnum() or char in "-_.")[:16]
        return user or "Player"
    return "Player"


def is_plain(options: argparse.Namespace) -> bool:
    """True where a full screen is not wanted or not possible."""
    terminal = sys.stdin.isatty() and sys.stdout.isatty()
    return bool(options.plain) or not terminal or os.environ.get("TERM", "dumb") == "dumb"


async def play(address: Address | None, options: argparse.Namespace) -> None:
    """Play on a server, or on one that is started here."""
    if address is not None:
        await play_at(address, str(address), options)
        return
    async with LocalServer() as server:
        await play_at(server.address, "local", options)


async def play_at(address: Address, server: str, options: argparse.Namespace) -> None:
    """Play until the player leaves."""
    who = identity.take(server)
    who.name = name(options, who)
    model = Model(str(address), bell=not options.no_bell)
    waiting: list[Request] = []
    desk = Desk(model, waiting.append, lambda happening: None, save, time.monotonic)
    table = Plain(desk, write_line) if is_plain(options) else None
    connection = Connection(
        address,
        who,
        table or desk,
        options.name,
        password(options),
        options.tls,
        lambda fingerprint: identity.pinned(server, fingerprint),
    )
    desk.ask = connection.ask
    try:
        playing = in_plain_lines(table) if table is not None else on_full_screen(desk, options)
        await until_goodbye(connection, desk, playing)
    finally:
        who.close()


async def until_goodbye(connection: Connection, desk: Desk, playing: Coroutine[object, object, None]) -> None:
    """Keep the line up while somebody plays; whichever ends first ends the other."""
    line = asyncio.create_task(connection.run())
    seat = asyncio.create_task(playing)
    try:
        await asyncio.wait({line, seat}, return_when=asyncio.FIRST_COMPLETED)
        if line.done():
            line.result()
        seat.result()
        desk.farewell()
        await asyncio.wait({line}, timeout=GOODBYE_WITHIN)
    finally:
        line.cancel()
        seat.cancel()
        await asyncio.gather(line, seat, return_exceptions=True)


async def in_plain_lines(table: Plain) -> None:
    """Play with lines of text."""

    def typed(line: str | None) -> None:
        if line is None:
            table.ended.set()
        else:
            table.typed(line)

    await table.welcomed.wait()
    read_lines(asyncio.get_running_loop(), typed)
    await table.ended.wait()


async def on_full_screen(desk: Desk, options: argparse.Namespace) -> None:
    """Play on the whole terminal."""
    from gridgames_client.app import App  # prompt_toolkit's drawing half is not needed for plain lines

    await App(desk, options.ascii, not options.no_color).run()


def save(path: str, text: str) -> str:
    """Write a game to a file that is not there yet, and say so."""
    try:
        with open(os.path.expanduser(path), "x", encoding="utf-8") as file:
            file.write(text + "\n")
    except OSError as error:
        return f"Not saved: {path}: {error.strerror}."
    return f"Saved to {path}."


def status(address: Address, options: argparse.Namespace) -> None:
    """Print how a server is."""
    answer = asyncio.run(ask_status(address))
    for label, value in vars_of(answer):
        print(f"{label}: {value}")


async def ask_status(address: Address) -> Status:
    """Ask a server how it is."""
    try:
        async with asyncio.timeout(STATUS_WITHIN):
            reader, writer = await asyncio.open_connection(address.host, address.port)
            writer.write(encode(AskStatus(1)))
            line = await reader.readuntil(b"\n")
            writer.close()
            answer = decode_push(line[:-1])
    except OSError as error:
        raise Refused(no_answer(address, error)) from None
    except Exception:
        raise Refused(f"{address} is no gridgames server") from None
    if not isinstance(answer, Status):
        raise Refused(f"{address} does not say how it is")
    return answer


def vars_of(answer: Status) -> list[tuple[str, object]]:
    """What a status says, in the order in which people ask."""
    return [
        ("server", answer.server),
        ("uptime", f"{answer.uptime} s"),
        ("players", answer.players),
        ("rooms", answer.rooms),
        ("games", answer.games),
        ("moves", answer.moves),
    ]


if __name__ == "__main__":
    main()
