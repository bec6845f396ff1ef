"""Builds the server from its options, runs it, and shuts it down."""

import asyncio
import errno
import logging
import os
import socket
import ssl
import sys
from collections.abc import Callable, Iterator
from contextlib import AsyncExitStack, contextmanager
from pathlib import Path
from typing import NoReturn

from gridgames_protocol.discovery import Answer
from gridgames_protocol.machine.output import print_line
from gridgames_protocol.machine.signals import call_on_signals
from gridgames_protocol.messages import PASSWORD_MAX
from gridgames_protocol.version import VERSION
from gridgames_server.admin import commands, control_socket, log_format, portability
from gridgames_server.admin.monitor import Monitor
from gridgames_server.admin.systemd import notify
from gridgames_server.bots import BOTS
from gridgames_server.core.hub import Hub, ServerConfig
from gridgames_server.core.limits import SURPLUS
from gridgames_server.core.room_events import Snapshot
from gridgames_server.errors import locate
from gridgames_server.games import GAMES
from gridgames_server.net import addresses
from gridgames_server.net.discovery import answering_calls
from gridgames_server.net.http_download import BUILD_AFTER, HttpDownload
from gridgames_server.net.pyz_builder import build_pyz
from gridgames_server.net.service import Service
from gridgames_server.net.tls import compute_fingerprint
from gridgames_server.options import (
    CANNOT_LISTEN,
    CANNOT_READ,
    CANNOT_STORE,
    DISK_BROKEN,
    INTERRUPTED,
    NO_HOME,
    Options,
    find_default_store,
    print_and_exit,
)
from gridgames_server.storage.outbox import NoStorage
from gridgames_server.storage.restore import restore
from gridgames_server.storage.store import KeepLimits, StoreError
from gridgames_server.storage.writer import Writer

try:
    import resource
except ImportError:  # not on Windows
    resource = None  # type: ignore[assignment]

SYSTEM_PORTS = 1024  # only root may open the ports below
READ_MAX = 10_000  # characters of a password file
OTHER_FILES = 64  # open files besides connections: listening sockets, the log, the store
FILES_LOG_EVERY = 60.0  # seconds: without descriptors asyncio reports hundreds of failures a second
END_SIGNALS = ("SIGINT", "SIGTERM", "SIGHUP", "SIGBREAK")  # the last two: the terminal was closed

log = logging.getLogger("gridgames")


def run(options: Options) -> None:
    """Serve until a signal ends the program."""
    log_format.start_logging(options.log_level, options.log_json)
    store = choose_store(options)
    password = read_password(options.password_file) if options.password_file else None
    tls = read_tls(options.tls_cert, options.tls_key) if options.tls_cert else None
    config = ServerConfig(
        GAMES,
        options.name,
        password,
        options.limits(),
        bots=frozenset(BOTS),
        version=VERSION[:32],
        has_store=store is not None,
        has_hints=True,
        has_analysis=True,
        has_handout=not (options.no_handout or options.end_with_stdin),
    )
    sockets = bind(options.host, options.port)
    found = list_addresses(sockets)
    log_format.write_first_json_line(VERSION, found, str(store) if store else None)
    allow_open_files(options.max_players + SURPLUS + OTHER_FILES)
    try:
        asyncio.run(serve(config, sockets, found, tls, store, options))
    except StoreError as error:
        fail(CANNOT_STORE, str(error))
    except KeyboardInterrupt:  # before the loop handles signals
        sys.exit(INTERRUPTED)


def fail(code: int, sentence: str) -> NoReturn:
    """End the program with one sentence and an exit code. With `--log-json` the sentence is a line of the log."""
    if log_format.logs_json():
        log.critical(sentence)
        logging.shutdown()  # write that line
        sys.exit(code)
    print_and_exit(code, sentence)


# What a server needs --------------------------------------------------------------------------------------------------


def choose_store(options: Options) -> Path | None:
    """Return the file to keep games in, or None for `--no-store`."""
    if options.no_store:
        return None
    path = Path(options.store) if options.store else find_default_store()
    if path is None:
        fail(CANNOT_STORE, NO_HOME)
    if not path.is_absolute():
        log.warning("the store %s is a relative path: it depends on the folder that the server is started in", path)
    return path


def read_password(path: str) -> str:
    """Read the first line of a password file."""
    try:
        with Path(path).open(encoding="utf-8-sig") as file:
            password = file.readline(READ_MAX).strip()
    except (OSError, UnicodeDecodeError) as error:
        fail(CANNOT_READ, f"can't read the password file {path}: {getattr(error, 'strerror', 'it is not text')}")
    if not 1 <= len(password) <= PASSWORD_MAX:
        fail(CANNOT_READ, f"the first line of the password file {path} must have 1 to {PASSWORD_MAX} characters")
    warn_if_readable("password file", path)
    return password


def warn_if_readable(what: str, path: str) -> None:
    """Log a warning if every user of this machine can read a secret file."""
    if os.name == "posix" and Path(path).stat().st_mode & 0o004:
        log.warning("every user of this machine can read the %s %s; chmod 600 changes that", what, path)


def read_tls(cert: str, key: str | None) -> ssl.SSLContext:
    """Read the server's certificate and its key."""
    for path in (cert, key or cert):
        try:
            with Path(path).open("rb") as file:
                file.read(1)  # for an error that names the file
        except OSError as error:
            fail(CANNOT_READ, f"can't read {path}: {error.strerror}")
    context = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
    try:
        context.load_cert_chain(cert, key, password="")  # without one, OpenSSL would ask on a terminal
    except ssl.SSLError as error:
        if error.reason and error.reason.endswith(("TOO_SMALL", "TOO_WEAK")):
            fail(CANNOT_READ, f"{cert} is too weak: it needs an EC key, or an RSA key of 2048 bits, and SHA-256")
        fail(CANNOT_READ, f"{cert} and {key or cert} are not a certificate and its key without a passphrase")
    warn_if_readable("key", key or cert)
    log.info("the fingerprint of the certificate is %s", compute_fingerprint(Path(cert).read_text("ascii", "replace")))
    return context


def bind(host: str, port: int) -> list[socket.socket]:
    """Open the sockets to listen on."""
    try:
        return addresses.bind(host, port)
    except (OSError, UnicodeError) as error:
        fail(CANNOT_LISTEN, f"can't listen on {host} port {port}: {explain(error, port)}")


def explain(error: OSError | UnicodeError, port: int) -> str:
    """Return why a port could not be opened, and what to do."""
    if isinstance(error, UnicodeError):
        return "that is not a host name"
    advice = ""
    if error.errno == errno.EADDRINUSE:
        advice = ". Is a server running already? Use --port N for another port."
    elif error.errno == errno.EACCES and port < SYSTEM_PORTS:
        advice = f". The system keeps the ports below {SYSTEM_PORTS} for itself: use --port N with a higher one."
    return f"{error.strerror}{advice}"


def allow_open_files(wanted: int) -> None:
    """Raise the limit on open files, as far as the system allows. Each connection is one."""
    if resource is None:
        return
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    if soft == resource.RLIM_INFINITY or soft >= wanted:
        return
    allowed = wanted if hard == resource.RLIM_INFINITY else min(wanted, hard)
    try:
        resource.setrlimit(resource.RLIMIT_NOFILE, (allowed, hard))
    except (OSError, ValueError):  # a service manager may forbid it
        allowed = soft
    if allowed < wanted:
        log.warning("the system allows %d open files: fewer players than --max-players can connect", allowed)


# Serving --------------------------------------------------------------------------------------------------------------


async def serve(
    config: ServerConfig,
    sockets: list[socket.socket],
    found: list[str],
    tls: ssl.SSLContext | None,
    store: Path | None,
    options: Options,
) -> None:
    """Serve until a signal ends it. A second signal ends it at once. `found` is what players can type."""
    loop = asyncio.get_running_loop()
    loop.set_exception_handler(log_location)
    urls = [f"{'https' if tls else 'http'}://{address}" for address in found if config.has_handout]
    stop = asyncio.Event()
    call_on_signals(END_SIGNALS, lambda: os._exit(1) if stop.is_set() else stop.set())
    if options.end_with_stdin:
        portability.call_when_stdin_ends(stop.set)
    async with AsyncExitStack() as until_the_end:
        writer, saved = until_the_end.enter_context(open_store(store, options))
        start = loop.time() - saved.now  # the hub's time stands still while no server runs
        hub = Hub(config, os.urandom, saved.now)
        service = Service(hub, writer or NoStorage(), lambda: loop.time() - start, options.bot_delay)
        service.loop = loop  # a command of the host may come before the first connection
        monitor = Monitor(hub, writer, VERSION, lambda: stop_if_drained(service, stop))
        left_over = restore(hub, saved, saved.now)
        await until_the_end.enter_async_context(
            control_socket.listen_for_host(
                options.socket, store, control_socket.make_command_table(service, writer, monitor.make_health)
            )
        )
        if not options.no_discovery:
            answer = make_search_answer(hub, sockets, tls is not None)
            await until_the_end.enter_async_context(answering_calls(sockets, answer, loop.time))
        if config.has_handout:
            service.http_download = HttpDownload(config.name, build_pyz, urls)
            loop.call_later(BUILD_AFTER, service.http_download.get_file, loop)
        await service.listen(sockets, tls)
        service.do(left_over)
        announce(found, urls, tls is not None, options.log_json)
        if is_exposed(found, tls is not None, config.password is not None):
            log.warning("listening on a public address without a password or TLS: anybody can play and listen in")
        monitor.start()
        notify("READY=1")
        await stop.wait()
        log.info("stopping")
        notify("STOPPING=1")
        monitor.stop()
        await service.stop()
    log.info("stopped")


def stop_if_drained(service: Service, stop: asyncio.Event) -> None:
    """Set `stop` if the host has asked the server to end and no game is left to wait for."""
    if commands.is_drained(service.hub, service.clock()):
        stop.set()


@contextmanager
def open_store(store: Path | None, options: Options) -> Iterator[tuple[Writer | None, Snapshot]]:
    """Open the store, and read what it holds."""
    if store is None:
        yield None, Snapshot()
        return
    loop = asyncio.get_running_loop()
    keep = KeepLimits(options.keep_games, options.keep_days)
    writer = Writer(store, loop.call_soon_threadsafe, give_up, keep, options.give_up)
    saved = writer.load()
    writer.start()
    try:
        yield writer, saved
    finally:
        writer.close()


def make_search_answer(hub: Hub, sockets: list[socket.socket], tls: bool) -> Callable[[str], Answer | None]:
    """Return the function that answers clients that search the network."""
    port, instance = sockets[0].getsockname()[1], os.urandom(8).hex()
    return lambda nonce: commands.describe_for_search(hub, nonce, instance, port, tls, VERSION)


def give_up(error: BaseException) -> None:
    """End at once: after a failed write nobody knows what the disk holds. The next start reads it again."""
    try:
        log.critical("the store can't be written: %s", error)
        logging.shutdown()  # write that line
    finally:
        os._exit(DISK_BROKEN)


def announce(found: list[str], urls: list[str], tls: bool, as_json: bool) -> None:
    """Print that the server listens, what to type on the other machines, and what to open in a browser."""
    flags = " --tls" if tls else ""
    typed = " or ".join(f"gridgames-client {address}{flags}" for address in found)
    opened = f" or open {' or '.join(urls)} in a browser" if urls else ""
    line = f"gridgames {VERSION} is listening. To play: {typed}{opened}"
    print_line(log_format.make_json_line(line, addresses=found, browser=urls) if as_json else line)


def list_addresses(sockets: list[socket.socket]) -> list[str]:
    """Return every address that players on other machines can type."""
    found = [address for sock in sockets for address in addresses.list_reachable_addresses(sock.getsockname())]
    return list(dict.fromkeys(found))


def is_exposed(found: list[str], tls: bool, password: bool) -> bool:
    """True if the internet can reach the server and neither TLS nor a password protects it."""
    return not (tls or password) and any(map(addresses.is_public, found))


_no_files_logged = -FILES_LOG_EVERY


def log_location(loop: asyncio.AbstractEventLoop, context: dict[str, object]) -> None:
    """Log only the place of a bug: its message may quote a secret."""
    error = context.get("exception")
    if isinstance(error, OSError) and error.errno in (errno.EMFILE, errno.ENFILE):
        _log_no_files(loop.time())
        return
    log.error("bug in the server: %s", locate(error) if isinstance(error, BaseException) else context.get("message"))


def _log_no_files(now: float) -> None:
    """Log that no connection can be accepted, at most once a minute."""
    global _no_files_logged
    if now - _no_files_logged >= FILES_LOG_EVERY:
        _no_files_logged = now
        log.error("no more files can be opened: new connections wait. Raise the limit, or lower --max-players")
