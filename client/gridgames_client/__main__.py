"""The program: arguments, and which way to play."""

import argparse
import asyncio
import contextlib
import os
import sys
import tempfile
import time
import traceback
from collections.abc import Sequence
from importlib.metadata import version
from pathlib import Path
from typing import NoReturn

from gridgames_client import identity, sitting
from gridgames_client.address import Address, Refused, read_address
from gridgames_client.sitting import PASSWORD_MAX
from gridgames_client.status import ask_status, certificate, report
from gridgames_client.teletype import write_line
from gridgames_client.verify import verified
from gridgames_protocol.saved import BadRecord
from gridgames_protocol.text import harmless

LOG_MAX = 1_000_000  # bytes of old bugs
RECORD_MAX = 16_000_000  # bytes of a saved game: the longest that a server lets happen has a few
NO_SUCCESS, BAD_USAGE, INTERRUPTED = 1, 2, 130  # exit codes


def main(arguments: Sequence[str] | None = None) -> None:
    """Play, ask a server how it is, or check a game that was saved."""
    given = sys.argv[1:] if arguments is None else list(arguments)
    if given[:1] == ["verify"]:
        sys.exit(check_file(given[1:]))
    options = parse(given)
    try:
        asyncio.run(print_status(options) if options.status else sitting.play(options))
    except Refused as refused:
        fail(NO_SUCCESS, str(refused))
    except KeyboardInterrupt:
        sys.exit(INTERRUPTED)
    except Exception as bug:
        place = note_bug(bug)
        fail(NO_SUCCESS, f"something went wrong in this program ({type(bug).__name__}); the details are in {place}")


# Arguments ------------------------------------------------------------------------------------------------------------


class Parser(argparse.ArgumentParser):
    """Flags, and one sentence for a wrong one."""

    def error(self, message: str) -> NoReturn:
        fail(BAD_USAGE, f"{message}; see {self.prog} --help")


def parse(arguments: Sequence[str] | None) -> argparse.Namespace:
    """The options."""
    parser = Parser(
        "gridgames-client",
        description="Play two-player games of hidden information.",
        epilog="Without an address, servers on your network are listed; "
        "if there are none, one is started on this machine for as long as you play. "
        "gridgames-client verify FILE checks a game that was saved with /save.",
        allow_abbrev=False,
    )
    parser.add_argument("address", nargs="?", metavar="HOST[:PORT]", type=typed_address, help="where the server is")
    parser.add_argument("--version", action="version", version=f"gridgames {version('gridgames')}")
    parser.add_argument("--name", type=short_text, help="what to be called; the same name later is the same player")
    parser.add_argument("--plain", action="store_true", help="play in plain lines instead of full screen")
    parser.add_argument("--ascii", action="store_true", help="draw with plain ASCII characters")
    parser.add_argument("--no-color", action="store_true", help="draw without colours")
    parser.add_argument("--no-bell", action="store_true", help="stay silent when it is your turn")
    parser.add_argument("--tls", action="store_true", help="encrypt; the server's certificate is remembered")
    parser.add_argument("--password-file", metavar="FILE", help="file with the server's password in its first line")
    parser.add_argument(
        "--search",
        metavar="PLACES",
        type=typed_places,
        default=os.environ.get("GRIDGAMES_SEARCH") or None,
        help="where to look for servers: addresses with commas between them, or none; by default everywhere",
    )
    parser.add_argument("--status", action="store_true", help="print how the server is, and exit")
    options = parser.parse_args(arguments)
    if options.tls and options.address is None:
        parser.error("argument --tls: it needs an address")
    options.password = password(options.password_file)
    return options


def typed_address(text: str) -> Address:
    """An address, or what is wrong with it."""
    try:
        return read_address(text)
    except ValueError as error:
        raise argparse.ArgumentTypeError(str(error)) from None


def typed_places(text: str) -> tuple[Address, ...]:
    """Some addresses; none at all if that is what the word says."""
    return () if text.strip().lower() == "none" else tuple(map(typed_address, text.replace(",", " ").split()))


def short_text(text: str) -> str:
    """A name that can be sent to a server, which will say if it does not like it."""
    if not (1 <= len(text) <= 64 and text.isprintable()):
        raise argparse.ArgumentTypeError("a name has 1 to 16 letters, digits, spaces and - _ .")
    return text


def password(path: str | None) -> str | None:
    """The server's password, from a file or the environment, if there is one."""
    place, found = "GRIDGAMES_PASSWORD", os.environ.get("GRIDGAMES_PASSWORD") or None
    if path is not None:
        place = f"the password file {path}"
        try:
            found = Path(path).read_text("utf-8-sig").split("\n")[0].strip()
        except (OSError, ValueError) as error:
            fail(NO_SUCCESS, f"can't read {place}: {getattr(error, 'strerror', 'it is not text')}")
    if found is not None and not (1 <= len(found) <= PASSWORD_MAX and found.isprintable()):
        fail(NO_SUCCESS, f"{place} holds no password: it has 1 to {PASSWORD_MAX} characters")
    return found


# A game that was saved ------------------------------------------------------------------------------------------------


def check_file(arguments: Sequence[str]) -> int:
    """Check a game that was saved, and say what came of it: 0 if every secret fits its seal, 1 if not."""
    parser = Parser(
        "gridgames-client verify",
        description="Check a game that was saved with /save: was every secret opened as it had been sealed?",
        epilog="Exit code: 0 every secret fits, 1 one does not or its seal is missing, 2 the file can't be checked. "
        "The seals are taken from the file: whoever gave it to you could have changed both. "
        "gridgames-server replay FILE checks the answers.",
        allow_abbrev=False,
    )
    parser.add_argument("file", metavar="FILE", help="the saved game")
    path = parser.parse_args(arguments).file
    try:
        lines, fits = verified(saved_game(path))
    except BadRecord as bad:
        fail(BAD_USAGE, f"{path} can't be checked: {bad}")
    with contextlib.suppress(OSError):  # nobody reads any more; the exit code tells it all the same
        for line in lines:
            write_line(harmless(line))
    return 0 if fits else NO_SUCCESS


def saved_game(path: str) -> str:
    """The text of a saved game."""
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


# Ends -----------------------------------------------------------------------------------------------------------------


def fail(code: int, sentence: str) -> NoReturn:
    """End with one sentence and an exit code."""
    print(f"gridgames-client: {harmless(sentence)}", file=sys.stderr)
    sys.exit(code)


def note_bug(bug: BaseException) -> Path:
    """Write a bug to a file that only this user can read, and say where."""
    details = "".join(traceback.format_exception(bug)).encode("utf-8", "replace")
    with contextlib.suppress(OSError):
        path = identity.private_folder("logs") / "client.log"
        with identity.open_private(path) as file:
            if file.seek(0, os.SEEK_END) > LOG_MAX:
                file.truncate(0)
                file.seek(0)
            file.write(time.strftime("%Y-%m-%d %H:%M:%S\n").encode() + details)
        return path
    with tempfile.NamedTemporaryFile("wb", prefix="gridgames-", suffix=".log", delete=False) as spare:
        spare.write(details)
    return Path(spare.name)


async def print_status(options: argparse.Namespace) -> None:
    """Print how a server is."""
    address = options.address or Address("127.0.0.1")
    for line in report(await ask_status(address, options.tls)):
        write_line(harmless(line))
    if options.tls:
        write_line(f"certificate: {await certificate(address)}")


if __name__ == "__main__":
    main()
