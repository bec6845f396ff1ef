"""This machine's addresses, as far as the system tells: the server prints them, the client searches their networks.

No name is looked up: a resolver that does not answer would hold up the start.
"""

import socket
import struct
import sys
from array import array
from contextlib import suppress
from ipaddress import IPv6Address
from pathlib import Path

try:
    import fcntl
except ImportError:  # not on Windows
    fcntl = None  # type: ignore[assignment]

# SIOCGIFADDR and SIOCGIFBRDADDR: what an interface is asked for.
ADDRESS, BROADCAST = (0xC020_6921, 0xC020_6923) if sys.platform == "darwin" else (0x8915, 0x8919)
# Linux: SIOCGIFCONF, and the bytes of each row that it fills in. A row holds a union with pointers in it.
_LIST, _ROW = 0x8912, 40 if struct.calcsize("P") == 8 else 32
_ROWS_MAX = 256
# Not /proc/net: a service that sees only processes in /proc (ProcSubset=pid) has no such path.
_IPV6_ADDRESSES = Path("/proc/self/net/if_inet6")
# Addresses reserved for documentation. Connecting a UDP socket sends nothing; the system only chooses a route, and with
# it the local address.
_SOMEWHERE = {socket.AF_INET: "192.0.2.1", socket.AF_INET6: "2001:db8::1"}


def ask_interfaces(*questions: int) -> list[str]:
    """Return what all interfaces answer to ADDRESS or BROADCAST (IPv4, Linux and macOS only)."""
    found: list[str] = []
    if fcntl is None:
        return found
    with suppress(OSError), socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        for row in _list_rows(probe):
            for question in questions:
                with suppress(OSError):  # it has no such address
                    found.append(socket.inet_ntoa(fcntl.ioctl(probe, question, row)[20:24]))
    return found


def _list_rows(probe: socket.socket) -> list[bytes]:
    """Return an `ifreq` structure for each address (Linux) or each interface (macOS)."""
    if sys.platform == "linux":  # needs no netlink socket, which a service may be denied, and lists every address
        rows = array("B", bytes(_ROW * _ROWS_MAX))
        place, size = rows.buffer_info()
        (size,) = struct.unpack_from("i", fcntl.ioctl(probe, _LIST, struct.pack("iP", size, place)))
        return [rows[at : at + _ROW].tobytes() for at in range(0, size, _ROW)]
    return [struct.pack("32s", name.encode()[:15]) for _, name in socket.if_nameindex()]


def list_ipv6_addresses() -> list[str]:
    """Return the IPv6 addresses of all interfaces (Linux only)."""
    try:
        rows = _IPV6_ADDRESSES.read_text("ascii").splitlines()
    except OSError:  # not Linux, or no IPv6
        return []
    return [str(IPv6Address(bytes.fromhex(row.split()[0]))) for row in rows]


def ask_windows(family: socket.AddressFamily) -> list[str]:
    """Return the addresses of all interfaces (Windows only: there the empty name means this machine)."""
    if sys.platform != "win32":
        return []
    with suppress(OSError):
        return [str(name[0]) for *_, name in socket.getaddrinfo("", None, family)]
    return []


def ask_route(family: socket.AddressFamily = socket.AF_INET) -> list[str]:
    """Return the address that the system sends from; nothing if it has no route."""
    with suppress(OSError), socket.socket(family, socket.SOCK_DGRAM) as probe:
        probe.connect((_SOMEWHERE[family], 9))
        return [str(probe.getsockname()[0])]
    return []
