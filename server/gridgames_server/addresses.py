"""The addresses under which other machines reach this one."""

import ipaddress
import socket

# Addresses set aside for documentation. Connecting a UDP socket sends nothing; it only makes the system choose a route,
# and with it the address that it would use.
_SOMEWHERE = {socket.AF_INET: "192.0.2.1", socket.AF_INET6: "2001:db8::1"}


def to_type(bound: tuple[str, int]) -> list[str]:
    """What to type elsewhere to reach a socket that is bound like this."""
    host, port = bound[:2]
    address = ipaddress.ip_address(host)
    if not address.is_unspecified:
        return [_joined(host, port)]
    families = [socket.AF_INET] if address.version == 4 else [socket.AF_INET, socket.AF_INET6]
    found = [own for family in families if (own := _own(family))]
    return [_joined(own, port) for own in found] or [_joined("127.0.0.1", port)]


def is_public(address: str) -> bool:
    """True for an address that the whole internet can reach."""
    host = address.rpartition(":")[0].strip("[]")
    return ipaddress.ip_address(host).is_global


def _own(family: socket.AddressFamily) -> str | None:
    try:
        with socket.socket(family, socket.SOCK_DGRAM) as probe:
            probe.connect((_SOMEWHERE[family], 9))
            return str(probe.getsockname()[0])
    except OSError:
        return None  # no network of that kind


def _joined(host: str, port: int) -> str:
    return f"[{host}]:{port}" if ":" in host else f"{host}:{port}"
