"""Which of this machine's addresses others can type: the server and the guests' door print them."""

import ipaddress
import socket

from gridgames_protocol.machine import interfaces


def reachable_hosts(bound: str) -> list[str]:
    """Return every host that others can type to reach a socket that is bound to an address, private ones first."""
    address = plain_address(bound)
    if not address.is_unspecified:
        return [str(address)]
    families = [socket.AF_INET] if address.version == 4 else [socket.AF_INET, socket.AF_INET6]
    found = {own for family in families for own in own_addresses(family)}
    useful = [own for own in map(plain_address, found) if not (own.is_loopback or own.is_link_local)]
    return [str(own) for own in sorted(useful, key=lambda own: (own.is_global, own.version, own))] or ["127.0.0.1"]


def plain_address(host: str) -> ipaddress.IPv4Address | ipaddress.IPv6Address:
    """Return an address without its zone. An IPv4 address that is mapped into IPv6 becomes IPv4."""
    address = ipaddress.ip_address(host.partition("%")[0])
    return getattr(address, "ipv4_mapped", None) or address


def own_addresses(family: socket.AddressFamily) -> set[str]:
    """Return this machine's addresses: of its interfaces and of its default route."""
    if family == socket.AF_INET6:
        found = interfaces.list_ipv6_addresses()
    else:
        found = interfaces.ask_interfaces(interfaces.ADDRESS)
    return {*found, *interfaces.ask_windows(family), *interfaces.ask_route(family)}
