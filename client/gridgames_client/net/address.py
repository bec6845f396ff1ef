"""Where a server is, and the way there."""

import asyncio
import errno
import os
import re
import socket
import ssl
from dataclasses import dataclass
from ipaddress import IPv6Address

PORT = 4743
_FORM = re.compile(r"(\[(?P<six>[^\[\]]+)\]|(?P<host>[^\s:/\\@\[\]]+))(:(?P<port>[0-9]{1,5}))?")


class Refused(Exception):
    """The server can't be played on, and this sentence says what to do."""


@dataclass(frozen=True, slots=True)
class Address:
    """A host and a port."""

    host: str
    port: int = PORT

    def __str__(self) -> str:
        return f"[{self.host}]:{self.port}" if ":" in self.host else f"{self.host}:{self.port}"


def read_address(text: str) -> Address:
    """HOST, HOST:PORT, an IPv6 address, or [IPV6]:PORT, as people type it."""
    if _is_ipv6(text):
        return Address(text)
    found = _FORM.fullmatch(text)
    if found and _is_host(found["six"], found["host"]) and 0 < int(found["port"] or PORT) < 65_536:
        return Address(found["six"] or found["host"].lower(), int(found["port"] or PORT))
    raise ValueError(f"{text} is no address; type HOST or HOST:PORT, for example 192.168.1.20:{PORT}")


def _is_host(six: str | None, host: str) -> bool:
    if six:
        return _is_ipv6(six)
    try:
        return bool(host.encode("idna"))
    except UnicodeError:
        return False


def _is_ipv6(text: str) -> bool:
    try:
        return bool(IPv6Address(text))
    except ValueError:
        return False


async def reach(address: Address, tls: bool, within: float) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
    """A connection to a server, or the OSError that says why there is none."""
    async with asyncio.timeout(within):
        return await asyncio.open_connection(address.host, address.port, ssl=_self_signed() if tls else None)


def _self_signed() -> ssl.SSLContext:
    # A server in a LAN signs for itself: it is known by its certificate, which must stay the same, not by its name.
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    context.check_hostname = False
    context.verify_mode = ssl.CERT_NONE
    return context


def no_answer(address: Address, error: OSError) -> str:
    """Why there is no connection, and what to look at."""
    match error:
        case TimeoutError():
            return f"{address} does not answer. Is the address right, and the port open?"
        case ssl.SSLError():
            return f"{address} does not speak TLS. Try without --tls."
        case socket.gaierror():
            return f"No machine called {address.host} can be found. Is the name right?"
        case ConnectionResetError() | ConnectionAbortedError() | BrokenPipeError():
            return no_server(address)
    # A name with several addresses fails with one error about all of them, which has no number of its own.
    if f"[Errno {errno.ECONNREFUSED}]" in str(error):
        return f"Nothing listens at {address}. Is gridgames-server running there?"
    reason = os.strerror(error.errno) if error.errno else "it can't be reached from here"
    return f"There is no way to {address}: {reason}."


def no_server(address: Address) -> str:
    """What to say of something that hangs up at once."""
    return f"{address} has closed the connection at once. Is it a gridgames server? With --tls?"


def no_gridgames(address: Address) -> str:
    """What to say of something that talks nonsense."""
    return f"{address} speaks something else than this client. Is it a gridgames server of this version?"
