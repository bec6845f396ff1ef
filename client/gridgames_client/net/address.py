"""Addresses of servers, the connection to one, and its certificate."""

import asyncio
import errno
import hashlib
import os
import re
import socket
import ssl
from collections.abc import Callable
from dataclasses import dataclass
from ipaddress import IPv6Address
from pathlib import Path

from gridgames_protocol.messages import PORT

_FORM = re.compile(r"(\[(?P<six>[^\[\]]+)\]|(?P<host>[^\s:/\\@\[\]]+))(:(?P<port>[0-9]{1,5}))?")


class Refused(Exception):
    """No game is possible on this server. The message says why, and what to do."""


class OtherCertificate(Refused):
    """The server shows another certificate than the wanted or the remembered one."""


@dataclass(frozen=True, slots=True)
class Address:
    """A host and a port."""

    host: str
    port: int = PORT

    def __str__(self) -> str:
        return f"[{self.host}]:{self.port}" if ":" in self.host else f"{self.host}:{self.port}"


def read_address(text: str, least_port: int = 1) -> Address:
    """Read HOST, HOST:PORT, an IPv6 address, or [IPV6]:PORT."""
    if _is_ipv6(text):
        return Address(text)
    found = _FORM.fullmatch(text)
    if found and _is_host(found["six"], found["host"]) and least_port <= int(found["port"] or PORT) < 65_536:
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


async def open_connection(
    address: Address, tls: bool, within: float
) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
    """Connect to a server. Raises OSError if there is no connection within this time."""
    async with asyncio.timeout(within):
        return await asyncio.open_connection(address.host, address.port, ssl=_self_signed() if tls else None)


def check_certificate(
    address: Address,
    writer: asyncio.StreamWriter,
    wanted: str | None,
    find_other: Callable[[str], Path | None],
) -> str:
    """Return the fingerprint of the certificate that a server shows on this connection; "" without TLS.

    Raise OtherCertificate if it is not the wanted one, or if `find_other` returns a file that remembers another one.
    """
    tls = writer.get_extra_info("ssl_object")
    shown = hashlib.sha256(tls.getpeercert(True)).hexdigest() if tls else ""
    if wanted is not None and shown != wanted:
        raise OtherCertificate(f"{address} shows another certificate than you gave. It shows: {shown or 'none'}")
    file = find_other(shown) if tls else None
    if file is not None:
        raise OtherCertificate(explain_other_certificate(str(address), shown, f"delete {file} and start again"))
    return shown


def _self_signed() -> ssl.SSLContext:
    # Servers in a LAN sign their own certificates. The client checks that the certificate stays the same, not its name.
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    context.check_hostname = False
    context.verify_mode = ssl.CERT_NONE
    return context


def explain_no_answer(address: Address, error: OSError) -> str:
    """Why there is no connection, and what the player can check."""
    match error:
        case TimeoutError():
            return f"{address} does not answer. Is the address right, and the port open?"
        case ssl.SSLError():
            return f"{address} does not speak TLS. Try without --tls."
        case socket.gaierror():
            return f"No machine called {address.host} can be found. Is the name right?"
        case ConnectionResetError() | ConnectionAbortedError() | BrokenPipeError():
            return explain_hang_up(address)
    # If a name has several addresses, one error covers all of them. It has no errno.
    if f"[Errno {errno.ECONNREFUSED}]" in str(error):
        return f"Nothing listens at {address}. Is gridgames-server running there?"
    reason = os.strerror(error.errno) if error.errno else "it can't be reached from here"
    return f"There is no way to {address}: {reason}."


def explain_other_certificate(server: str, shown: str, advice: str) -> str:
    """The message if a server shows another certificate than the first one."""
    return (
        f"{server} shows another certificate than the first time. If its host has not changed it on purpose, "
        f"somebody may be listening in. If you trust it, {advice}. It shows: {shown}"
    )


def explain_hang_up(address: Address) -> str:
    """The message if the other side closes the connection at once."""
    return f"{address} has closed the connection at once. Is it a gridgames server? With --tls?"


def explain_other_protocol(address: Address) -> str:
    """The message if the other side does not speak this protocol."""
    return f"{address} speaks something else than this client. Is it a gridgames server of this version?"
