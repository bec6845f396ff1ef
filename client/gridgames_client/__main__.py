"""The program: its subcommands, bugs and exit codes."""

# What --version and --help do not need is imported where it is used, so that both are fast.
import argparse
import gc
import os
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from gridgames_client.options import (
    BAD_USAGE,
    INTERRUPTED,
    NO_SUCCESS,
    Parser,
    fail,
    parse,
    parse_guests,
    password,
    short_text,
    typed_address,
    typed_fingerprint,
)
from gridgames_protocol.machine.output import print_line

if TYPE_CHECKING:
    from collections.abc import Coroutine

    from gridgames_client.net.server_process import ServerProcess

GARBAGE = 50_000  # new objects between two runs of the cycle collector; the default takes a tenth of the start
LOG_MAX = 1_000_000  # bytes; a longer log starts anew


def main(arguments: Sequence[str] | None = None) -> None:
    """Run the subcommand, or play."""
    gc.set_threshold(GARBAGE)
    given = sys.argv[1:] if arguments is None else list(arguments)
    if given[:1] == ["verify"]:
        sys.exit(check_file(given[1:]))
    if given[:1] == ["bot"]:
        sys.exit(run_program(given[1:]))
    if given[:1] == ["guests"]:
        run(parse_guests(given[1:]))
        return
    options = parse(given)
    if options.print_config:
        from gridgames_client.state.settings import write_default_settings

        print_line(write_default_settings())
        return
    run(options)


def run(options: argparse.Namespace) -> None:
    """Run what the options ask for. Every failure is one sentence and an exit code."""
    first = start_server(options)
    import asyncio

    from gridgames_client.net.address import Refused

    try:
        asyncio.run(choose_task(options, first))
    except Refused as refused:
        fail(NO_SUCCESS, str(refused))
    except KeyboardInterrupt:
        sys.exit(INTERRUPTED)
    except BrokenPipeError:  # nobody reads the output any more
        sys.exit(NO_SUCCESS)
    except Exception as bug:
        place = note_bug(bug)
        fail(NO_SUCCESS, f"something went wrong in this program ({type(bug).__name__}); the details are in {place}")


def start_server(options: argparse.Namespace) -> "ServerProcess | None":
    """Start a server on this machine if no address is given. It starts while the rest of this program is imported."""
    if options.listen is not None or options.status or options.address is not None:
        return None
    from gridgames_client.net.server_process import start_keeping

    try:
        return start_keeping()
    except OSError:
        return None  # it is tried again later, and then the player is told why


def choose_task(options: argparse.Namespace, first: "ServerProcess | None") -> "Coroutine[object, object, None]":
    """The coroutine that the options ask for."""
    if options.listen is not None:
        from gridgames_client.terminal.plain import guests

        return guests.serve_guests(options)
    if options.status:
        return print_status(options)
    from gridgames_client.terminal import session

    return session.play(options, first)


# gridgames-client bot -------------------------------------------------------------------------------------------------


def run_program(arguments: Sequence[str]) -> int:
    """Let a program play: it reads a view as one line of JSON, and writes its move as one line."""
    import asyncio
    from typing import get_args

    from gridgames_client.net.address import Refused
    from gridgames_client.net.bot_runner import run_bot
    from gridgames_protocol.messages import Level

    parser = Parser(
        "gridgames-client bot",
        description="Let a program play. It reads each view in which it may act as one line of JSON, and writes the "
        "line to play. After a game it reads a line whose type is over.",
        allow_abbrev=False,
    )
    parser.add_argument("--game", default="grid-hunt", help="the game to open a room for (default: grid-hunt)")
    parser.add_argument("--against", choices=get_args(Level), help="play against the computer (default: a person)")
    parser.add_argument("--room", help="join this room instead of opening one")
    parser.add_argument("--games", type=int, default=1, help="how many games to play (default: 1)")
    parser.add_argument("--name", type=short_text, help="its name (default: program)")
    parser.add_argument("--password-file", metavar="FILE", help="file with the server's password in its first line")
    parser.add_argument("--tls", action="store_true", help="encrypt; the server's certificate is remembered")
    parser.add_argument("--fingerprint", metavar="HEX", type=typed_fingerprint,
                        help="the certificate that the server must show; with TLS")  # fmt: skip
    parser.add_argument("address", metavar="HOST[:PORT]", type=typed_address, help="where the server is")
    parser.add_argument("command", nargs=argparse.REMAINDER, metavar="COMMAND", help="the program and its arguments")
    options = parser.parse_args(arguments)
    if not options.command:
        parser.error("the following arguments are required: COMMAND")
    given = vars(options)
    options.tls |= options.fingerprint is not None
    given["password"] = password(given.pop("password_file"))
    try:
        asyncio.run(run_bot(given.pop("address"), given.pop("command"), report=say, **given))
    except Refused as refused:
        fail(NO_SUCCESS, str(refused))
    except KeyboardInterrupt:
        return INTERRUPTED
    return 0


def say(text: str) -> None:
    """Print a line about the program's games."""
    from gridgames_protocol.safe_text import harmless

    print_line(harmless(text))


# gridgames-client verify ----------------------------------------------------------------------------------------------


def check_file(arguments: Sequence[str]) -> int:
    """Check a saved game and print the result. Returns 0 if every secret fits its seal, or else 1."""
    parser = Parser(
        "gridgames-client verify",
        description="Check a game that was saved with /save: was every secret opened as it had been sealed?",
        epilog="Exit code: 0 every secret fits, 1 one does not or its seal is missing, 2 the file can't be checked. "
        "The seals are taken from the file: whoever gave it to you could have changed both. "
        "gridgames-server replay FILE checks the answers.",
        allow_abbrev=False,
    )
    from gridgames_client.state.history.verify import verify_saved_game
    from gridgames_protocol.safe_text import harmless
    from gridgames_protocol.saved_game import BadRecord

    parser.add_argument("file", metavar="FILE", help="the saved game")
    path = parser.parse_args(arguments).file
    try:
        lines, fits = verify_saved_game(saved_game(path))
    except BadRecord as bad:
        fail(BAD_USAGE, f"{path} can't be checked: {bad}")
    for line in lines:
        print_line(harmless(line))
    return 0 if fits else NO_SUCCESS


def saved_game(path: str) -> str:
    """The text of a saved game."""
    from gridgames_protocol.saved_game import RECORD_MAX, BadRecord

    try:
        with open(path, "rb") as file:
            raw = file.read(RECORD_MAX + 1)
        text = raw.decode("utf-8-sig")
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or "it is not text"
        raise BadRecord(reason[0].lower() + reason[1:]) from None
    if len(raw) > RECORD_MAX:
        raise BadRecord("it is too large for a saved game")
    return text


# Failures and status --------------------------------------------------------------------------------------------------


def note_bug(bug: BaseException) -> Path:
    """Write a bug to a file that only this user can read. Returns its path."""
    import contextlib
    import tempfile
    import time
    import traceback

    from gridgames_client.net.private_files import open_private, private_folder

    details = "".join(traceback.format_exception(bug)).encode("utf-8", "replace")
    with contextlib.suppress(OSError):
        path = private_folder("logs") / "client.log"
        with open_private(path) as file:
            if file.seek(0, os.SEEK_END) > LOG_MAX:
                file.truncate(0)
                file.seek(0)
            file.write(time.strftime("%Y-%m-%d %H:%M:%S\n").encode() + details)
        return path
    with tempfile.NamedTemporaryFile("wb", prefix="gridgames-", suffix=".log", delete=False) as spare:
        spare.write(details)
    return Path(spare.name)


async def print_status(options: argparse.Namespace) -> None:
    """Print the status of a server."""
    from gridgames_client.net.address import Address
    from gridgames_client.net.server_status import list_facts
    from gridgames_protocol.safe_text import harmless

    for line in await list_facts(options.address or Address("127.0.0.1"), options.tls, options.fingerprint):
        print_line(harmless(line))


if __name__ == "__main__":
    main()
