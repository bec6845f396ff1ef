"""The arguments, the environment and the settings file of the client."""

# What --version and --help do not need is imported where it is used, so that both are fast.
import argparse
import os
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, NoReturn

from gridgames_protocol.machine import output
from gridgames_protocol.machine.output import print_line
from gridgames_protocol.version import VERSION

if TYPE_CHECKING:
    from gridgames_client.net.address import Address
    from gridgames_client.state.settings import Settings

NO_SUCCESS, BAD_USAGE, INTERRUPTED = 1, 2, 130  # exit codes
READ_MAX = 10_000  # characters of a password file


def fail(code: int, sentence: str) -> NoReturn:
    """End with one sentence and an exit code."""
    from gridgames_protocol.safe_text import harmless

    print_line(f"gridgames-client: {harmless(sentence)}", sys.stderr)
    sys.exit(code)


class Parser(output.Parser):
    """A parser that reports a wrong argument in one sentence."""

    def error(self, message: str) -> NoReturn:
        fail(BAD_USAGE, f"{message}; see {self.prog} --help")


def parse(arguments: Sequence[str] | None) -> argparse.Namespace:
    """The options of the command without a subcommand."""
    parser = Parser(
        "gridgames-client",
        description="Play two-player games of hidden information.",
        epilog="Without an address, servers on your network are listed; "
        "if there are none, one is started on this machine for as long as you play. "
        "gridgames-client verify FILE checks a game that was saved with /save. "
        "gridgames-client bot HOST[:PORT] COMMAND lets a program play. "
        "gridgames-client guests lets people play with netcat.",
        allow_abbrev=False,
    )
    parser.add_argument("address", nargs="?", metavar="HOST[:PORT]", type=typed_address, help="where the server is")
    parser.add_argument("--version", action="version", version=f"gridgames {VERSION}")
    parser.add_argument("--name", type=short_text, help="your name; the same name later is the same player")
    parser.add_argument("--plain", action="store_true", help="play in plain lines instead of full screen")
    parser.add_argument("--words", action="store_true", help="describe boards in words; with plain lines")
    parser.add_argument("--wait", action="store_true", help="with plain lines: read input only when it is your turn")
    parser.add_argument("--ascii", action="store_true", help="draw with plain ASCII characters")
    parser.add_argument("--no-color", action="store_true", help="draw without colours")
    parser.add_argument("--no-bell", action="store_true", help="stay silent when it is your turn")
    parser.add_argument("--no-animation", action="store_true", help="draw without animation")
    parser.add_argument("--print-config", action="store_true", help="print a settings file with comments, and exit")
    parser.add_argument(
        "--tls", action="store_true", help="encrypt the connection; the server's certificate is remembered"
    )
    parser.add_argument(
        "--fingerprint",
        metavar="HEX",
        type=typed_fingerprint,
        help="the certificate that the server must show; with TLS",
    )
    parser.add_argument("--password-file", metavar="FILE", help="file with the server's password in its first line")
    parser.add_argument(
        "--search",
        metavar="PLACES",
        type=typed_places,
        default=os.environ.get("GRIDGAMES_SEARCH") or None,
        help="where to look for servers: addresses separated by commas, or none (default: the local network)",
    )
    parser.add_argument("--status", action="store_true", help="print the server's status, and exit")
    options = parser.parse_args(arguments)
    options.listen = None
    options.tls |= options.fingerprint is not None
    if options.tls and options.address is None:
        parser.error("argument --tls: it needs an address")
    options.password = password(options.password_file)
    add_settings(options)
    return options


def parse_guests(arguments: Sequence[str]) -> argparse.Namespace:
    """The options of `gridgames-client guests`."""
    parser = Parser(
        "gridgames-client guests",
        description="Let people play with netcat or telnet. Each of them plays in plain lines.",
        allow_abbrev=False,
    )
    parser.add_argument("address", nargs="?", metavar="HOST[:PORT]", type=typed_address, help="where the server is")
    parser.add_argument("--listen", metavar="ADDRESS:PORT", type=listening_address, default="0.0.0.0:4744",
                        help="where guests come in (default 0.0.0.0:4744); port 0 takes a free one")  # fmt: skip
    parser.add_argument(
        "--tls", action="store_true", help="encrypt the connection to the server; its certificate is remembered"
    )
    parser.add_argument("--fingerprint", metavar="HEX", type=typed_fingerprint, help="the server's certificate")
    parser.add_argument("--password-file", metavar="FILE", help="file with the server's password in its first line")
    options = parser.parse_args(arguments)
    options.tls |= options.fingerprint is not None
    options.password = password(options.password_file)
    return options


def add_settings(options: argparse.Namespace) -> None:
    """Fill in what no flag has set, from the settings file and the environment."""
    if options.print_config:
        return
    options.settings = settings = find_settings()
    options.name = options.name or settings.name or None
    options.plain |= settings.plain or is_set("GRIDGAMES_PLAIN")
    options.words |= settings.words or is_set("GRIDGAMES_WORDS")
    options.ascii |= settings.ascii or is_set("GRIDGAMES_ASCII")
    options.no_color |= not settings.colors
    options.no_bell |= not settings.bell
    options.no_animation |= not settings.animation


def is_set(variable: str) -> bool:
    """True if an environment variable is set to anything but 0, no, false or off."""
    return os.environ.get(variable, "").strip().lower() not in ("", "0", "no", "false", "off")


def find_settings() -> "Settings":
    """The settings of this user's file; the defaults if there is none."""
    from gridgames_client.state.settings import BadSettings, Settings, read_settings

    try:
        path = config_file()
        return read_settings(path.read_text("utf-8-sig"))
    except FileNotFoundError:
        return Settings()
    except BadSettings as bad:
        fail(BAD_USAGE, f"{path}: {bad}")
    except (OSError, ValueError) as error:
        fail(BAD_USAGE, f"can't read {path}: {getattr(error, 'strerror', None) or 'it is not text'}")


def config_file() -> Path:
    """The path of this user's settings."""
    base = os.environ.get("APPDATA" if sys.platform == "win32" else "XDG_CONFIG_HOME", "")
    try:
        folder = Path(base) if os.path.isabs(base) else Path.home() / ".config"
    except RuntimeError:
        raise FileNotFoundError("this user has no home") from None
    return folder / "gridgames" / "client.toml"


def typed_address(text: str, least_port: int = 1) -> "Address":
    """Parse an address."""
    from gridgames_client.net.address import read_address

    try:
        return read_address(text, least_port)
    except ValueError as error:
        raise argparse.ArgumentTypeError(str(error)) from None


def listening_address(text: str) -> "Address":
    """Read an address to listen on. Port 0 stands for any free one."""
    return typed_address(text, least_port=0)


def typed_fingerprint(text: str) -> str:
    """Parse a certificate's SHA-256: 64 hex digits, with or without colons."""
    digits = "".join(char for char in text.lower() if char not in ": -")
    if len(digits) != 64 or not all(char in "0123456789abcdef" for char in digits):
        raise argparse.ArgumentTypeError("a fingerprint has 64 digits 0-9 and a-f; the host's log shows it")
    return digits


def typed_places(text: str) -> "tuple[Address, ...]":
    """Parse a list of addresses, or the word none."""
    return () if text.strip().lower() == "none" else tuple(map(typed_address, text.replace(",", " ").split()))


def short_text(text: str) -> str:
    """Check a name roughly. The server checks it in full."""
    if not (1 <= len(text) <= 64 and text.isprintable()):
        raise argparse.ArgumentTypeError("a name has 1 to 16 letters, digits, spaces and - _ .")
    return text


def password(path: str | None) -> str | None:
    """The server's password, from a file or the environment, if there is one."""
    place, found = "GRIDGAMES_PASSWORD", os.environ.get("GRIDGAMES_PASSWORD") or None
    if path is not None:
        place = f"the password file {path}"
        try:
            with Path(path).open(encoding="utf-8-sig") as file:
                found = file.readline(READ_MAX).strip()
        except (OSError, ValueError) as error:
            fail(NO_SUCCESS, f"can't read {place}: {getattr(error, 'strerror', 'it is not text')}")
    if found is None:
        return None
    from gridgames_protocol.messages import PASSWORD_MAX

    if not (1 <= len(found) <= PASSWORD_MAX and found.isprintable()):
        fail(NO_SUCCESS, f"{place} holds no password: it has 1 to {PASSWORD_MAX} characters")
    return found
