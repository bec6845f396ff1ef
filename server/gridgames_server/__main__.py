"""The program: arguments, logging, signals."""

import argparse
import asyncio
import logging
import os
import signal
import ssl
import sys
from collections.abc import Sequence
from importlib.metadata import version
from pathlib import Path
from typing import NoReturn

from gridgames_server import addresses
from gridgames_server.games import GAMES
from gridgames_server.hub import House, Hub
from gridgames_server.limits import Limits
from gridgames_server.outbox import Memory
from gridgames_server.service import Service, where

PORT = 4743
CANNOT_LISTEN, CANNOT_READ = 3, 4  # exit codes; 2 is argparse's own for a wrong flag

log = logging.getLogger("gridgames")


def main(arguments: Sequence[str] | None = None) -> None:
    """Run a server until it is told to stop."""
    options = parser().parse_args(arguments)
    logging.basicConfig(
        level=options.log_level.upper(), stream=sys.stderr, format="%(asctime)s %(levelname)s %(message)s"
    )
    password = read_password(options.password_file) if options.password_file else None
    tls = read_tls(options.tls_cert, options.tls_key) if options.tls_cert else None
    limits = Limits(
        options.max_players,
        options.max_per_address,
        options.max_rooms,
        options.max_rooms_per_address,
        options.rate,
    )
    house = House(GAMES, options.name, password, limits)
    asyncio.run(serve(house, options.host, options.port, tls))


def parser() -> argparse.ArgumentParser:
    """The flags; each has an environment variable, and the flag wins."""
    found = argparse.ArgumentParser(
        "gridgames-server",
        description="A server for two-player games of hidden information.",
        epilog="Every flag can also be set as an environment variable: GRIDGAMES_PORT for --port, and so on.",
    )
    found.add_argument("--version", action="version", version=f"gridgames {version('gridgames')}")

    def flag(name: str, default: object, help: str, **more: object) -> None:
        variable = "GRIDGAMES_" + name.upper().replace("-", "_")
        found.add_argument(f"--{name}", default=os.environ.get(variable, default), help=help, **more)  # type: ignore[arg-type]

    defaults = Limits()
    flag("host", "0.0.0.0", "address to listen on; 0.0.0.0 is every IPv4 one, :: every one", metavar="ADDRESS")
    flag("port", PORT, "port to listen on; 0 takes a free one", type=number, metavar="N")
    flag("name", "gridgames", "what the server calls itself", type=server_name, metavar="TEXT")
    flag("password-file", None, "file whose first line every player must know", metavar="FILE")
    flag("tls-cert", None, "certificate for TLS", metavar="FILE")
    flag("tls-key", None, "its key, if it is not in the same file", metavar="FILE")
    flag("max-players", defaults.max_players, "connections in all", type=number, metavar="N")
    flag("max-per-address", defaults.max_per_address, "connections from one address", type=number, metavar="N")
    flag("max-rooms", defaults.max_rooms, "rooms in all", type=number, metavar="N")
    flag("max-rooms-per-address", defaults.max_rooms_per_address, "rooms from one address", type=number, metavar="N")
    flag("rate", defaults.rate, "requests a second and connection; 0 means no limit", type=number, metavar="N")
    flag("log-level", "info", "what to log", choices=("debug", "info", "warning", "error"))
    return found


def number(text: str) -> int:
    """A whole number that is not negative."""
    value = int(text)
    if value < 0:
        raise ValueError
    return value


def server_name(text: str) -> str:
    """A name that fits in a message and on a screen."""
    if not (1 <= len(text) <= 40 and text.isprintable()):
        raise argparse.ArgumentTypeError("a name has 1 to 40 printable characters")
    return text


def read_password(path: str) -> str:
    """The first line of a password file."""
    try:
        password = Path(path).read_text("utf-8").split("\n")[0].strip()
    except (OSError, UnicodeDecodeError) as error:
        fail(CANNOT_READ, f"can't read the password file {path}: {getattr(error, 'strerror', 'it is not text')}")
    if not password:
        fail(CANNOT_READ, f"the password file {path} has no password in its first line")
    return password


def read_tls(cert: str, key: str | None) -> ssl.SSLContext:
    """The certificate that the server shows."""
    context = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
    try:
        context.load_cert_chain(cert, key)
    except (OSError, ssl.SSLError) as error:
        fail(CANNOT_READ, f"can't use the certificate {cert}: {error.strerror or error}")
    return context


def fail(code: int, sentence: str) -> NoReturn:
    """End with one sentence and an exit code."""
    print(f"gridgames-server: {sentence}", file=sys.stderr)
    sys.exit(code)


async def serve(house: House, host: str, port: int, tls: ssl.SSLContext | None) -> None:
    """Serve until a signal says to stop; a second signal ends at once."""
    loop = asyncio.get_running_loop()
    loop.set_exception_handler(log_only_where)
    service = Service(Hub(house, os.urandom, loop.time()), Memory(), loop.time)
    try:
        server = await service.listen(host, port, tls)
    except (OSError, OverflowError) as error:
        fail(CANNOT_LISTEN, f"can't listen on {host} port {port}: {getattr(error, 'strerror', None) or error}")
    stop = asyncio.Event()

    def on_signal() -> None:
        if stop.is_set():
            os._exit(1)
        stop.set()

    for wanted in (signal.SIGINT, signal.SIGTERM):
        loop.add_signal_handler(wanted, on_signal)
    announce(server, tls is not None, house.password is not None)
    await stop.wait()
    server.close()
    await service.stop()
    log.info("stopped")


def announce(server: asyncio.Server, tls: bool, password: bool) -> None:
    """Say that the server listens, and what to type on the other machines."""
    found = [address for sock in server.sockets for address in addresses.to_type(sock.getsockname())]
    flags = " --tls" if tls else ""
    commands = " or ".join(f"gridgames-client {address}{flags}" for address in dict.fromkeys(found))
    print(f"gridgames {version('gridgames')} is listening. To play: {commands}", flush=True)
    if not (tls or password) and any(addresses.is_public(address) for address in found):
        log.warning("listening on a public address without a password or TLS: anybody can play and listen in")


def log_only_where(loop: asyncio.AbstractEventLoop, context: dict[str, object]) -> None:
    """Log a bug of the shell by its place alone."""
    error = context.get("exception")
    log.error("in the shell: %s", where(error) if isinstance(error, BaseException) else context.get("message"))


if __name__ == "__main__":
    main()
