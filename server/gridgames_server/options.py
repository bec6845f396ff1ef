"""The command line and the environment, as one value."""

import argparse
import os
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import NamedTuple, NoReturn

from gridgames_protocol.machine.output import Parser, print_line
from gridgames_protocol.version import PORT, VERSION
from gridgames_server.core.limits import Limits

PREFIX = "GRIDGAMES_"
YES, NO = {"1", "yes", "true", "on"}, {"", "0", "no", "false", "off"}  # values of a variable
BAD_USAGE, CANNOT_LISTEN, CANNOT_READ, CANNOT_STORE, DISK_BROKEN, INTERRUPTED = 2, 3, 4, 5, 6, 130  # exit codes
CLIENT_VARIABLES = {"GRIDGAMES_SEARCH"}  # the client's; the server ignores them
EVERYWHERE = "0.0.0.0 is every IPv4 address, :: every address"
NO_HOME = "there is no home directory to keep games in: use --store FILE, or --no-store"


class Options(NamedTuple):  # a dataclass takes 10 ms more to import
    """What the host has chosen. Each field is a flag."""

    host: str
    port: int
    name: str
    store: str | None
    no_store: bool
    socket: str | None
    no_discovery: bool
    no_handout: bool
    keep_games: int
    keep_days: int
    give_up: int
    password_file: str | None
    tls_cert: str | None
    tls_key: str | None
    max_players: int
    max_per_address: int
    max_rooms: int
    max_rooms_per_address: int
    rate: int
    bot_delay: float
    log_level: str
    log_json: bool
    end_with_stdin: bool

    def limits(self) -> Limits:
        """Return the hub's limits."""
        return Limits(self.max_players, self.max_per_address, self.max_rooms, self.max_rooms_per_address, self.rate)


def parse(arguments: Sequence[str] | None) -> Options:
    """Read the flags and the environment. A flag wins over its variable."""
    parser = _Parser(
        "gridgames-server",
        description="A server for two-player games of hidden information.",
        epilog="Commands for a running server: gridgames-server status [--json], players, rooms, say TEXT, kick NAME, "
        "ban MINUTES NAME, drain [--within MINUTES], undrain, backup FILE. "
        "Commands for files: check FILE, replay FILE, pyz FILE. "
        "Every flag can also be set as an environment variable: GRIDGAMES_PORT for --port, and so on.",
        allow_abbrev=False,
    )
    _add_flags(parser)
    parser.refuse_unknown_variables()
    options = Options(**vars(parser.parse_args(arguments)))
    if options.tls_key and not options.tls_cert:
        parser.error("argument --tls-key: it needs --tls-cert beside it")
    return options


def _add_flags(parser: "_Parser") -> None:
    parser.add_argument("--version", action="version", version=f"gridgames {VERSION}")
    default = Limits()
    flag, switch, limit = parser.add_flag, parser.add_switch, make_number_reader(1, 1_000_000)
    flag("host", "0.0.0.0", f"address to listen on; {EVERYWHERE}", read_host, "ADDRESS", _Once)
    flag("port", PORT, "port to listen on; 0 takes a free one", make_number_reader(0, 65_535), "N")
    flag("name", "gridgames", "name of the server", read_server_name, "TEXT")
    flag("store", None, f"file to keep games in (default: {find_default_store() or 'none'})", str, "FILE")
    switch("no-store", "keep games in memory only")
    flag("socket", None, "socket for the host's commands (default: beside the store)", str, "FILE")
    switch("no-discovery", "do not answer clients that search the network for servers")
    switch("no-handout", "do not offer the client to browsers that open the server's address")
    flag("keep-games", 0, "number of finished games to keep; 0 keeps all", make_number_reader(0, 10**9), "N")
    flag("keep-days", 0, "days to keep finished games; 0 keeps all", make_number_reader(0, 10**6), "N")
    give_up = "start on a backup, and lose this number of later writes"
    flag("give-up", 0, give_up, make_number_reader(0, 10**12), "N")
    flag("password-file", None, "file whose first line is the players' password (default: no password)", str, "FILE")
    flag("tls-cert", None, "certificate for TLS (default: no TLS)", str, "FILE")
    flag("tls-key", None, "key of the certificate (default: it is in the certificate's file)", str, "FILE")
    flag("max-players", default.max_players, "maximum number of connections", limit, "N")
    flag("max-per-address", default.max_per_address, "maximum number of connections from one address", limit, "N")
    flag("max-rooms", default.max_rooms, "maximum number of rooms", limit, "N")
    flag("max-rooms-per-address", default.max_rooms_per_address, "maximum number of rooms from one address", limit, "N")
    flag(
        "rate",
        default.rate,
        "requests per second for each connection; 0 is no limit",
        make_number_reader(0, 1_000_000),
        "N",
    )
    flag("bot-delay", 0.8, "seconds that the computer takes for a move", read_seconds, "SECONDS")
    flag("log-level", "info", "least important lines to log: debug, info, warning or error", read_log_level, "LEVEL")
    switch("log-json", "log one JSON object per line")
    # For a client that starts its own server: the pipe closes when the client ends, however it ends.
    parser.add_argument("--end-with-stdin", action="store_true", help=argparse.SUPPRESS)


class _Parser(Parser):
    """Flags that can also be set in the environment. A mistake ends the program with one sentence."""

    def add_flag(
        self,
        name: str,
        default: object,
        help: str,
        type: Callable[[str], object],
        metavar: str,
        action: str | type[argparse.Action] = "store",
    ) -> None:
        """Add a flag with a value. Its variable in the environment is its default."""
        if default is not None:
            help += f" (default: {default})"
        variable = name_variable(name)
        given = os.environ.get(variable)
        if given:
            try:
                default = type(given)
            except argparse.ArgumentTypeError as error:
                self.error(f"variable {variable}: {error}")
        self.add_argument(
            f"--{name}", default=default, help=help.replace("%", "%%"), type=type, metavar=metavar, action=action
        )

    def add_switch(self, name: str, help: str) -> None:
        """Add a flag without a value. Its variable in the environment is yes or no."""
        variable = name_variable(name)
        given = os.environ.get(variable, "").lower()
        if given not in YES | NO:
            self.error(f"variable {variable}: it must be 1 or 0")
        self.add_argument(f"--{name}", action="store_true", default=given in YES, help=f"{help} (default: no)")

    def refuse_unknown_variables(self) -> None:
        """A misspelt variable must not be ignored: it may be the password."""
        known = [name_variable(action.dest) for action in self._actions if action.help != argparse.SUPPRESS]
        for name in sorted(os.environ):
            if name.startswith(PREFIX) and name not in known and name not in CLIENT_VARIABLES:
                from difflib import get_close_matches

                (nearest,) = get_close_matches(name, known, 1, 0)
                self.error(f"variable {name} is unknown; the nearest is {nearest}")

    def error(self, message: str) -> NoReturn:
        print_and_exit(BAD_USAGE, f"{message}; see {self.prog} --help")


class _Once(argparse.Action):
    """Stores a value, and refuses a second one."""

    is_given = False

    def __call__(
        self, parser: argparse.ArgumentParser, namespace: object, value: object, flag: str | None = None
    ) -> None:
        if self.is_given:
            parser.error(f"argument {flag}: it can be given only once; {EVERYWHERE}")
        self.is_given = True
        setattr(namespace, self.dest, value)


def name_variable(flag: str) -> str:
    """Return the environment variable of a flag."""
    return PREFIX + flag.upper().replace("-", "_")


def make_number_reader(least: int, most: int) -> Callable[[str], int]:
    """Return a reader for whole numbers from `least` to `most`."""

    def read(text: str) -> int:
        if not (text.isascii() and text.isdecimal() and least <= int(text[:20]) <= most):
            raise argparse.ArgumentTypeError(f"it must be a whole number from {least} to {most}")
        return int(text)

    return read


def read_host(text: str) -> str:
    """Read an address to listen on."""
    if not text.strip():
        raise argparse.ArgumentTypeError(f"it must be an address; {EVERYWHERE}")
    return text


def read_seconds(text: str) -> float:
    """Read a number of seconds."""
    try:
        value = float(text)
    except ValueError:
        value = -1.0
    if not 0 <= value <= 60:
        raise argparse.ArgumentTypeError("it must be a number of seconds from 0 to 60")
    return value


def read_log_level(text: str) -> str:
    """Read a log level."""
    if text not in ("debug", "info", "warning", "error"):
        raise argparse.ArgumentTypeError("it must be debug, info, warning or error")
    return text


def read_server_name(text: str) -> str:
    """Read a name that fits in a message and on a screen."""
    if not (1 <= len(text) <= 40 and text.isprintable()):
        raise argparse.ArgumentTypeError("it must be 1 to 40 printable characters")
    return text


def find_default_store() -> Path | None:
    """Return the store in this user's state folder, or None if the user has no home."""
    base = os.environ.get("LOCALAPPDATA" if sys.platform == "win32" else "XDG_STATE_HOME")
    try:
        folder = Path(base) if base else Path.home() / ".local" / "state"
    except RuntimeError:  # no $HOME, and no entry in the user database
        return None
    return folder / "gridgames" / "server.sqlite"


def print_and_exit(code: int, sentence: str) -> NoReturn:
    """End the program with one sentence and an exit code."""
    from gridgames_protocol.safe_text import harmless  # it may quote an argument

    print_line(f"gridgames-server: {harmless(sentence)}", sys.stderr)
    sys.exit(code)
