"""What differs between systems: the end of stdin, and the socket for the host's commands.

Where the system has Unix sockets, the host's commands come through one: only its owner can open it. Windows has none
for Python. There the server listens on a TCP port of this machine, and writes the port and a token to the same path.
Who can read that file can send commands.
"""

import asyncio
import contextlib
import hmac
import os
import socket
import threading
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from contextlib import asynccontextmanager, contextmanager
from pathlib import Path

LOOPBACK = "127.0.0.1"
TOKEN = 32  # hex digits
HAS_UNIX_SOCKETS = hasattr(socket, "AF_UNIX")

Streams = tuple[asyncio.StreamReader, asyncio.StreamWriter]
Handler = Callable[[asyncio.StreamReader, asyncio.StreamWriter], Awaitable[None]]


def call_when_stdin_ends(call: Callable[[], object]) -> None:
    """Call a function on the event loop when the other end of stdin is closed.

    A thread reads stdin, because Windows has no `add_reader` for pipes.
    """
    loop = asyncio.get_running_loop()

    def read() -> None:
        with contextlib.suppress(OSError):
            while os.read(0, 4_096):
                pass
        with contextlib.suppress(RuntimeError):  # the loop has ended before
            loop.call_soon_threadsafe(call)

    threading.Thread(target=read, name="stdin", daemon=True).start()


# The socket for the host's commands -----------------------------------------------------------------------------------


def is_control_socket(path: Path) -> bool:
    """True if there is a socket at a path, or the file that stands for one."""
    return path.is_socket() if HAS_UNIX_SOCKETS else path.is_file()


async def connect(path: Path) -> Streams:
    """Connect to the server that listens at a path. Raise an OSError if none does."""
    if HAS_UNIX_SOCKETS:
        return await asyncio.open_unix_connection(path)
    port, token = _read_address(path)
    reader, writer = await asyncio.open_connection(LOOPBACK, port)
    writer.write(token)
    return reader, writer


@asynccontextmanager
async def listen(path: Path, handle: Handler) -> AsyncIterator[None]:
    """Accept connections at a path that only this user can open. Raise an OSError if that can't be done."""
    with _bind_unix(path) if HAS_UNIX_SOCKETS else _bind_loopback(path) as (bound, token):
        start = asyncio.start_unix_server if HAS_UNIX_SOCKETS else asyncio.start_server
        server = await start(handle if token is None else _require_token(token, handle), sock=bound)
        try:
            yield
        finally:
            server.close()


@contextmanager
def _bind_unix(path: Path) -> Iterator[tuple[socket.socket, None]]:
    """Bind a Unix socket, and remove its file at the end."""
    bound = socket.socket(socket.AF_UNIX)
    try:
        if path.is_socket() and _is_stale(socket.AF_UNIX, str(path)):
            path.unlink(missing_ok=True)
        bound.bind(str(path))  # the program's umask keeps it private from the start
        path.chmod(0o600)
    except OSError:
        bound.close()
        raise
    try:
        yield bound, None
    finally:
        path.unlink(missing_ok=True)


@contextmanager
def _bind_loopback(path: Path) -> Iterator[tuple[socket.socket, bytes]]:
    """Bind a TCP socket, write its port and a new token to a private file, and remove the file at the end."""
    with contextlib.suppress(OSError, ValueError):
        if _is_stale(socket.AF_INET, (LOOPBACK, _read_address(path)[0])):
            path.unlink(missing_ok=True)
    token = os.urandom(TOKEN // 2).hex()
    bound = socket.create_server((LOOPBACK, 0))
    try:
        with open(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w", encoding="ascii") as file:
            file.write(f"{bound.getsockname()[1]} {token}\n")
    except OSError:
        bound.close()
        raise
    try:
        yield bound, token.encode()
    finally:
        path.unlink(missing_ok=True)


def _read_address(path: Path) -> tuple[int, bytes]:
    """Return the port and the token that a server has written. Raise ConnectionRefusedError for any other file."""
    port, _, token = path.read_bytes()[:100].strip().partition(b" ")
    if not port.isdigit() or len(token) != TOKEN:
        raise ConnectionRefusedError
    return int(port), token


def _is_stale(family: socket.AddressFamily, address: str | tuple[str, int]) -> bool:
    """True if nobody listens: a killed server has left the file."""
    with socket.socket(family) as probe:
        try:
            probe.connect(address)
        except ConnectionRefusedError:
            return True
    return False


def _require_token(token: bytes, handle: Handler) -> Handler:
    """Return a handler that closes a connection at once if it does not begin with the token."""

    async def check(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            given = await reader.readexactly(TOKEN)
        except (asyncio.IncompleteReadError, OSError):
            given = b""
        if hmac.compare_digest(given, token):
            await handle(reader, writer)
        else:
            writer.close()

    return check
