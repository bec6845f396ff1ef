"""Addresses: which to listen on, which players type on other machines, and how limits count them."""

import errno
import ipaddress
import os
import socket
from typing import Any

from gridgames_protocol.machine.own_addresses import plain_address, reachable_hosts

# A name may have an address of a family that this machine does not support, such as `localhost` without IPv6.
_UNSUPPORTED = {errno.EADDRNOTAVAIL, errno.EAFNOSUPPORT}

SocketName = Any  # what getsockname() returns: a tuple that begins with host and port, a path, or nothing


def bind(host: str, port: int) -> list[socket.socket]:
    """Open listening sockets on every address of a host, all on one port. `::` includes IPv4."""
    found = socket.getaddrinfo(host or None, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE)
    bound: list[socket.socket] = []
    for family, _, protocol, _, (name, _, *scope) in dict.fromkeys(found):
        try:
            opened = _open(family, protocol, (name, port, *scope))
        except OSError as error:
            if error.errno in _UNSUPPORTED:
                continue
            for other in bound:
                other.close()
            raise
        bound.append(opened)
        port = opened.getsockname()[1]  # port 0: the system chooses for the first socket, the others use the same
    if not bound:
        raise OSError(errno.EADDRNOTAVAIL, os.strerror(errno.EADDRNOTAVAIL))
    return bound


def _open(family: int, protocol: int, name: SocketName) -> socket.socket:
    # The protocol is given because asyncio sets TCP_NODELAY only on sockets that are known to be TCP.
    opened = socket.socket(family, socket.SOCK_STREAM, protocol)
    try:
        if os.name == "posix":  # on Windows this would let two servers use the same port
            opened.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        if family == socket.AF_INET6:
            opened.setsockopt(socket.IPPROTO_IPV6, socket.IPV6_V6ONLY, name[0] != "::")
        opened.bind(name)
        opened.listen()
    except OSError:
        opened.close()
        raise
    return opened


def list_discovery_addresses(bound: list[socket.socket]) -> list[tuple[str, int]]:
    """Return where to listen for discovery calls. They are IPv4 only, because they are broadcast."""
    names = [opened.getsockname()[:2] for opened in bound]
    wanted = [("0.0.0.0" if host == "::" else host, port) for host, port in names]
    return [(host, port) for host, port in dict.fromkeys(wanted) if ":" not in host]


def list_reachable_addresses(bound: SocketName) -> list[str]:
    """Return every address that a player can type to reach a bound socket, private ones first."""
    return [format_address((host, bound[1])) for host in reachable_hosts(bound[0])]


def format_address(name: SocketName) -> str:
    """Return HOST:PORT as a player types it."""
    if not isinstance(name, tuple):
        return "HOST:PORT"
    host = plain_address(name[0])
    return f"[{host}]:{name[1]}" if host.version == 6 else f"{host}:{name[1]}"


def is_public(address: str) -> bool:
    """True for a typed address that the internet can reach."""
    host = address.rpartition(":")[0].strip("[]")
    return ipaddress.ip_address(host).is_global


def make_limit_key(peer: SocketName) -> str:
    """Return what limits count: an IPv4 address, or an IPv6 /64 network, since one host can use a whole network."""
    if not isinstance(peer, tuple):
        return "this machine"
    address = plain_address(peer[0])
    return str(ipaddress.ip_network((address, 64), strict=False)) if address.version == 6 else str(address)
