"""Addresses: the ones to listen on, the ones to type on other machines, and whom limits count as one."""

import errno
import ipaddress
import os
import socket
from typing import Any

# Addresses set aside for documentation. Connecting a UDP socket sends nothing; it only makes the system choose a route,
# and with it the address that it would use.
_SOMEWHERE = {socket.AF_INET: "192.0.2.1", socket.AF_INET6: "2001:db8::1"}
# `localhost` may name an address of a family that this machine does not have.
_NOT_HERE = {errno.EADDRNOTAVAIL, errno.EAFNOSUPPORT}

SocketName = Any  # what the system calls a socket's end: a tuple that begins with host and port, a path, or nothing


def bind(host: str, port: int) -> list[socket.socket]:
    """Listening sockets on every address of a host, all on one port; `::` takes IPv4 in as well."""
    found = socket.getaddrinfo(host or None, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE)
    bound: list[socket.socket] = []
    for family, _, protocol, _, (name, _, *scope) in dict.fromkeys(found):
        try:
            opened = _opened(family, protocol, (name, port, *scope))
        except OSError as error:
            if error.errno in _NOT_HERE:
                continue
            for other in bound:
                other.close()
            raise
        bound.append(opened)
        port = opened.getsockname()[1]  # if any free one was wanted, the others follow the first
    if not bound:
        raise OSError(errno.EADDRNOTAVAIL, os.strerror(errno.EADDRNOTAVAIL))
    return bound


def _opened(family: int, protocol: int, name: SocketName) -> socket.socket:
    # The protocol is named because asyncio lets small writes leave at once only on sockets that say that they are TCP.
    opened = socket.socket(family, socket.SOCK_STREAM, protocol)
    try:
        if os.name == "posix":  # elsewhere this would let two servers have the same port
            opened.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        if family == socket.AF_INET6:
            opened.setsockopt(socket.IPPROTO_IPV6, socket.IPV6_V6ONLY, name[0] != "::")
        opened.bind(name)
        opened.listen()
    except OSError:
        opened.close()
        raise
    return opened


def to_call(bound: list[socket.socket]) -> list[tuple[str, int]]:
    """Where calls for servers are heard that listen like this: calls go by IPv4, which knows how to call everybody."""
    names = [opened.getsockname()[:2] for opened in bound]
    heard = [("0.0.0.0" if host == "::" else host, port) for host, port in names]
    return [(host, port) for host, port in dict.fromkeys(heard) if ":" not in host]


def to_type(bound: SocketName) -> list[str]:
    """What to type elsewhere to reach a socket that is bound like this."""
    host, port = bound[:2]
    address = ipaddress.ip_address(host)
    if not address.is_unspecified:
        return [joined(bound)]
    families = [socket.AF_INET] if address.version == 4 else [socket.AF_INET, socket.AF_INET6]
    found = [own for family in families for own in _own(family)]
    return [joined((own, port)) for own in found or ["127.0.0.1"]]


def joined(name: SocketName) -> str:
    """A socket's name as one types it."""
    if not isinstance(name, tuple):
        return "HOST:PORT"
    host = _plain(name[0])
    return f"[{host}]:{name[1]}" if host.version == 6 else f"{host}:{name[1]}"


def is_public(address: str) -> bool:
    """True for a typed address that the whole internet can reach."""
    host = address.rpartition(":")[0].strip("[]")
    return ipaddress.ip_address(host).is_global


def counted_as(peer: SocketName) -> str:
    """Whom limits count as one: an address, or an IPv6 network, since one host has as many of those as it likes."""
    if not isinstance(peer, tuple):
        return "this machine"
    address = _plain(peer[0])
    return str(ipaddress.ip_network((address, 64), strict=False)) if address.version == 6 else str(address)


def _plain(host: str) -> ipaddress.IPv4Address | ipaddress.IPv6Address:
    """An address without its zone, and without the IPv6 dress that IPv4 wears on a socket for both."""
    address = ipaddress.ip_address(host.partition("%")[0])
    return getattr(address, "ipv4_mapped", None) or address


def _own(family: socket.AddressFamily) -> list[str]:
    """This machine's address as others see it; if it has no way out, those that its own name stands for."""
    try:
        with socket.socket(family, socket.SOCK_DGRAM) as probe:
            probe.connect((_SOMEWHERE[family], 9))
            return [str(probe.getsockname()[0])]
    except OSError:
        return _named(family)


def _named(family: socket.AddressFamily) -> list[str]:
    try:
        found = {str(name[0]) for *_, name in socket.getaddrinfo(socket.gethostname(), None, family)}
    except OSError:
        return []  # no network of that kind
    return sorted(own for own in found if not _plain(own).is_loopback)
