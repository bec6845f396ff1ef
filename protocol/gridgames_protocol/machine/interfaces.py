"""This machine's addresses, as far as the system tells: the server prints them, the client searches their networks."""

import socket
import struct
import sys
from contextlib import suppress

try:
    import fcntl
except ImportError:  # not on Windows
    fcntl = None  # type: ignore[assignment]

ADDRESS, BROADCAST = 0x8915, 0x8919  # Linux: SIOCGIFADDR and SIOCGIFBRDADDR
# Addresses reserved for documentation. Connecting a UDP socket sends nothing; the system only chooses a route, and with
# it the local address.
_SOMEWHERE = {socket.AF_INET: "192.0.2.1", socket.AF_INET6: "2001:db8::1"}


def ask_interfaces(*questions: int) -> list[str]:
    """Return what all interfaces that are up answer to ADDRESS or BROADCAST (IPv4, Linux only)."""
    found: list[str] = []
    if fcntl is None or sys.platform != "linux":
        return found
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        for _, name in socket.if_nameindex():
            for question in questions:
                with suppress(OSError):  # it has no such address
                    answer = fcntl.ioctl(probe, question, struct.pack("256s", name.encode()[:15]))
                    found.append(socket.inet_ntoa(answer[20:24]))
    return found


def ask_route(family: socket.AddressFamily = socket.AF_INET) -> list[str]:
    """Return the address that the system sends from; nothing if it has no route."""
    with suppress(OSError), socket.socket(family, socket.SOCK_DGRAM) as probe:
        probe.connect((_SOMEWHERE[family], 9))
        return [str(probe.getsockname()[0])]
    return []
