"""The program: arguments, logging, signals."""

import argparse
import asyncio
import errno
import gc
import logging
import os
import signal
import socket
import ssl
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import AsyncExitStack, contextmanager
from importlib.metadata import version
from pathlib import Path
from typing import NoReturn

from gridgames_protocol.discovery import Answer
from gridgames_server import addresses, ear, hosting, logs, tools
from gridgames_server.deeds import Saved
from gridgames_server.discovery import be_found, until_closed
from gridgames_server.games import GAMES
from gridgames_server.hub import House, Hub
from gridgames_server.journal import Journal
from gridgames_server.limits import SURPLUS, Limits
from gridgames_server.notify import notify
from gridgames_server.outbox import Memory
from gridgames_server.pulse import Pulse
from gridgames_server.restore import restore
from gridgames_server.service import Service, where
from gridgames_server.store import Keep, StoreError
from gridgames_server.tls import fingerprint

try:
    import resource
except ImportError:  # a system that does not count a process's files
    resource = None  # type: ignore[assignment]

VERSION = version("gridgames")
PORT = 4743
PASSWORD_MAX = 256  # characters: `hello` carries no more
GARBAGE = 50_000  # new objects between two looks for cycles: most die by themselves, and looking took a tenth of a move
OTHER_FILES = 64  # that are open besides connections: sockets that listen, the log, the store
YES, NO = {"1", "yes", "true", "on"}, {"", "0", "no", "false", "off"}  # in a variable of the environment
BAD_USAGE, CANNOT_LISTEN, CANNOT_READ, CANNOT_STORE, DISK_BROKEN, INTERRUPTED = 2, 3, 4, 5, 6, 130  # exit codes

log = logging.getLogger("gridgames")


def main(arguments: Sequence[str] | None = None) -> None:
    """Run a server until it is told to stop."""
    os.umask(0o077)  # the store and its side files hold secrets
    given = list(sys.argv[1:] if arguments is None else arguments)
    if given and given[0] in tools.COMMANDS:
        sys.exit(tools.main(given, default_store()))
    options = parse(given)
    logs.start(options.log_level, options.log_json)
    password = read_password(options.password_file) if options.password_file else None
    tls = read_tls(options.tls_cert, options.tls_key) if options.tls_cert else None
    limits = Limits(
        options.max_players,
        options.max_per_address,
        options.max_rooms,
        options.max_rooms_per_address,
        options.rate,
    )
    allow_files(limits.max_players + SURPLUS + OTHER_FILES)
    house = House(GAMES, options.name, password, limits)
    sockets = bind(options.host, options.port)
    store = None if options.no_store else Path(options.store or default_store())
    keep = Keep(options.keep_games, options.keep_days)
    try:
        asyncio.run(serve(house, sockets, tls, store, keep, options))
    except StoreError as error:
        fail(CANNOT_STORE, str(error))
    except KeyboardInterrupt:  # before the loop could listen for signals
        sys.exit(INTERRUPTED)


# Arguments ------------------------------------------------------------------------------------------------------------


class Parser(argparse.ArgumentParser):
    """Flags that can also be set in the environment, and one sentence for a wrong one."""

    def flag(self, name: str, default: object, help: str, type: Callable[[str], object], metavar: str) -> None:
        """Add a flag; its variable in the environment is its default."""
        variable = "GRIDGAMES_" + name.upper().replace("-", "_")
        given = os.environ.get(variable)
        if given:
            try:
                default = type(given)
            except argparse.ArgumentTypeError as wrong:
                self.error(f"variable {variable}: {wrong}")
        self.add_argument(f"--{name}", default=default, help=help, type=type, metavar=metavar)

    def switch(self, name: str, help: str) -> None:
        """Add a flag without a value; its variable in the environment says yes or no."""
        variable = "GRIDGAMES_" + name.upper().replace("-", "_")
        given = os.environ.get(variable, "").lower()
        if given not in YES | NO:
            self.error(f"variable {variable}: it must be 1 or 0")
        self.add_argument(f"--{name}", action="store_true", default=given in YES, help=help)

    def error(self, message: str) -> NoReturn:
        fail(BAD_USAGE, f"{message}; see {self.prog} --help")


def parse(arguments: Sequence[str] | None) -> argparse.Namespace:
    """The options; a flag wins over its variable."""
    parser = Parser(
        "gridgames-server",
        description="A server for two-player games of hidden information.",
        epilog="For a server that runs: gridgames-server status, players, rooms, say TEXT, kick NAME, drain, "
        "backup FILE. For files: check FILE, replay FILE. "
        "Every flag can also be set as an environment variable: GRIDGAMES_PORT for --port, and so on.",
        allow_abbrev=False,
    )
    parser.add_argument("--version", action="version", version=f"gridgames {VERSION}")
    default = Limits()
    limit, flag = whole(1, 1_000_000), parser.flag
    flag("host", "0.0.0.0", "address to listen on; 0.0.0.0 is every IPv4 one, :: every one", str, "ADDRESS")
    flag("port", PORT, f"port to listen on, by default {PORT}; 0 takes a free one", whole(0, 65_535), "N")
    flag("name", "gridgames", "what the server calls itself", server_name, "TEXT")
    flag("store", None, f"file to keep games in, by default {default_store()}", str, "FILE")
    parser.switch("no-store", "keep games in memory only")
    flag("socket", None, "where the host's commands come in, by default beside the store", str, "FILE")
    parser.switch("no-discovery", "do not answer those who look for servers on the network")
    flag("keep-games", 0, "finished games to keep at the most; 0 means all", whole(0, 10**9), "N")
    flag("keep-days", 0, "days to keep finished games for; 0 means for ever", whole(0, 10**6), "N")
    # For a client that brings its own server: when the client is gone, however it went, so is the pipe.
    parser.add_argument("--end-with-stdin", action="store_true", help=argparse.SUPPRESS)
    flag("password-file", None, "file whose first line every player must know", str, "FILE")
    flag("tls-cert", None, "certificate for TLS", str, "FILE")
    flag("tls-key", None, "its key, if it is not in the same file", str, "FILE")
    flag("max-players", default.max_players, "connections in all", limit, "N")
    flag("max-per-address", default.max_per_address, "connections from one address", limit, "N")
    flag("max-rooms", default.max_rooms, "rooms in all", limit, "N")
    flag("max-rooms-per-address", default.max_rooms_per_address, "rooms from one address", limit, "N")
    flag("rate", default.rate, "requests a second and connection; 0 means no limit", whole(0, 1_000_000), "N")
    flag("bot-delay", 0.8, "seconds that the computer takes for a move", seconds, "SECONDS")
    flag("log-level", "info", "what to log: debug, info, warning or error", log_level, "LEVEL")
    parser.switch("log-json", "log a JSON object a line")
    options = parser.parse_args(arguments)
    if options.tls_key and not options.tls_cert:
        parser.error("argument --tls-key: it needs --tls-cert beside it")
    return options


def whole(least: int, most: int) -> Callable[[str], int]:
    """What reads a whole number in these bounds."""

    def read(text: str) -> int:
        if not (text.isascii() and text.isdecimal() and least <= int(text[:20]) <= most):
            raise argparse.ArgumentTypeError(f"it must be a whole number from {least} to {most}")
        return int(text)

    return read


def seconds(text: str) -> float:
    """A short time."""
    try:
        value = float(text)
    except ValueError:
        value = -1.0
    if not 0 <= value <= 60:
        raise argparse.ArgumentTypeError("it must be a number of seconds from 0 to 60")
    return value


def log_level(text: str) -> str:
    """What is logged, and all that is worse."""
    if text not in ("debug", "info", "warning", "error"):
        raise argparse.ArgumentTypeError("it must be debug, info, warning or error")
    return text


def server_name(text: str) -> str:
    """A name that fits in a message and on a screen."""
    if not (1 <= len(text) <= 40 and text.isprintable()):
        raise argparse.ArgumentTypeError("it must be 1 to 40 printable characters")
    return text


# What a server needs --------------------------------------------------------------------------------------------------


def read_password(path: str) -> str:
    """The first line of a password file."""
    try:
        password = Path(path).read_text("utf-8-sig").split("\n")[0].strip()
    except (OSError, UnicodeDecodeError) as error:
        fail(CANNOT_READ, f"can't read the password file {path}: {getattr(error, 'strerror', 'it is not text')}")
    if not 1 <= len(password) <= PASSWORD_MAX:
        fail(CANNOT_READ, f"the first line of the password file {path} must have 1 to {PASSWORD_MAX} characters")
    return password


def read_tls(cert: str, key: str | None) -> ssl.SSLContext:
    """What the server proves itself with."""
    for path in (cert, key or cert):
        try:
            Path(path).read_bytes()  # for an error that names the file
        except OSError as error:
            fail(CANNOT_READ, f"can't read {path}: {error.strerror}")
    context = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
    try:
        context.load_cert_chain(cert, key, password="")  # an empty one, or it would ask a terminal that nobody sees
    except ssl.SSLError:
        fail(CANNOT_READ, f"{cert} and {key or cert} are no certificate with its key, without a passphrase")
    log.info("the fingerprint of the certificate is %s", fingerprint(Path(cert).read_text("ascii", "replace")))
    return context


def default_store() -> Path:
    """Where this user's programs keep what they have to remember."""
    base = os.environ.get("XDG_STATE_HOME") or Path.home() / ".local" / "state"
    return Path(base) / "gridgames" / "server.sqlite"


def bind(host: str, port: int) -> list[socket.socket]:
    """The sockets to listen on."""
    try:
        return addresses.bind(host, port)
    except (OSError, UnicodeError) as error:
        reason = getattr(error, "strerror", "that is no name of a host")
        taken = getattr(error, "errno", None) == errno.EADDRINUSE
        advice = ". Is a server running already? --port N takes another." if taken else ""
        fail(CANNOT_LISTEN, f"can't listen on {host} port {port}: {reason}{advice}")


def allow_files(wanted: int) -> None:
    """Raise the limit of open files as far as needed and allowed: each connection is one."""
    if resource is None:
        return
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    if soft == resource.RLIM_INFINITY or soft >= wanted:
        return
    allowed = wanted if hard == resource.RLIM_INFINITY else min(wanted, hard)
    try:
        resource.setrlimit(resource.RLIMIT_NOFILE, (allowed, hard))
    except (OSError, ValueError):  # a service manager may have taken that right away
        allowed = soft
    if allowed < wanted:
        log.warning("the system allows %d open files: fewer than --max-players can connect", allowed)


def fail(code: int, sentence: str) -> NoReturn:
    """End with one sentence and an exit code."""
    print(f"gridgames-server: {sentence}", file=sys.stderr)
    sys.exit(code)


# Serving --------------------------------------------------------------------------------------------------------------


async def serve(
    house: House,
    sockets: list[socket.socket],
    tls: ssl.SSLContext | None,
    store: Path | None,
    keep: Keep,
    options: argparse.Namespace,
) -> None:
    """Serve until a signal says to stop; a second signal ends at once."""
    loop = asyncio.get_running_loop()
    loop.set_exception_handler(log_only_where)
    stop = asyncio.Event()

    def on_signal() -> None:
        if stop.is_set():
            os._exit(1)
        stop.set()

    for wanted in (signal.SIGINT, signal.SIGTERM):
        loop.add_signal_handler(wanted, on_signal)
    if options.end_with_stdin:
        loop.add_reader(0, until_stdin_closes(loop, stop))
    async with AsyncExitStack() as until_the_end:
        journal, saved = until_the_end.enter_context(keeping(store, keep))
        start = loop.time() - saved.now  # the hub's time stands still while there is no server
        hub = Hub(house, os.urandom, saved.now)
        service = Service(hub, journal or Memory(), lambda: loop.time() - start, options.bot_delay)
        service.loop = loop  # a command of the host may come before anybody can connect
        pulse = Pulse(hub, journal, VERSION, lambda: stop.set() if hosting.is_drained(hub) else None)
        hub.vitals = pulse.vitals
        left_over = restore(hub, saved, saved.now)
        commands = ear.commands(service, journal)
        if options.socket:
            await until_the_end.enter_async_context(ear.listening(Path(options.socket), commands))
        elif store:
            await until_the_end.enter_async_context(ear.listening_if_possible(ear.socket_of(store), commands))
        if not options.no_discovery:
            lookouts = await be_found(sockets, describing(hub, sockets, tls is not None), loop.time)
            until_the_end.enter_context(until_closed(lookouts))
        gc.set_threshold(GARBAGE)
        await service.listen(sockets, tls)
        service.do(left_over)
        announce(sockets, tls is not None, house.password is not None)
        pulse.start()
        notify("READY=1")
        await stop.wait()
        log.info("stopping")
        notify("STOPPING=1")
        pulse.stop()
        await service.stop()
    log.info("stopped")


@contextmanager
def keeping(store: Path | None, keep: Keep) -> Iterator[tuple[Journal | None, Saved]]:
    """Where games are kept, and what is there from before."""
    if store is None:
        yield None, Saved()
        return
    loop = asyncio.get_running_loop()
    journal = Journal(store, loop.call_soon_threadsafe, give_up, keep)
    saved = journal.load()
    journal.start()
    try:
        yield journal, saved
    finally:
        journal.close()


def describing(hub: Hub, sockets: list[socket.socket], tls: bool) -> Callable[[str], Answer | None]:
    """What tells those who look for servers about this one."""
    port, instance = sockets[0].getsockname()[1], os.urandom(8).hex()
    return lambda nonce: hosting.sign(hub, nonce, instance, port, tls, VERSION)


def until_stdin_closes(loop: asyncio.AbstractEventLoop, stop: asyncio.Event) -> Callable[[], None]:
    """What ends the server when nobody holds the other end of its input any more."""

    def readable() -> None:
        if not os.read(0, 4_096):
            loop.remove_reader(0)
            stop.set()

    return readable


def give_up(error: BaseException) -> None:
    """End at once: what the disk says it has can't be trusted any more. A new start reads it afresh."""
    log.critical("the store can't be written: %s", error)
    os._exit(DISK_BROKEN)


def announce(sockets: list[socket.socket], tls: bool, password: bool) -> None:
    """Say that the server listens, and what to type on the other machines."""
    found = [address for sock in sockets for address in addresses.to_type(sock.getsockname())]
    flags = " --tls" if tls else ""
    commands = " or ".join(f"gridgames-client {address}{flags}" for address in dict.fromkeys(found))
    print(f"gridgames {VERSION} is listening. To play: {commands}", flush=True)
    if is_exposed(found, tls, password):
        log.warning("listening on a public address without a password or TLS: anybody can play and listen in")


def is_exposed(found: list[str], tls: bool, password: bool) -> bool:
    """True if strangers can come in, and nothing keeps them out."""
    return not (tls or password) and any(map(addresses.is_public, found))


def log_only_where(loop: asyncio.AbstractEventLoop, context: dict[str, object]) -> None:
    """Log a bug of the shell by its place alone."""
    error = context.get("exception")
    log.error("in the shell: %s", where(error) if isinstance(error, BaseException) else context.get("message"))


if __name__ == "__main__":
    main()
