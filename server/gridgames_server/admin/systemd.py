"""Notifies the service manager (systemd) that the server is ready, alive or stopping."""

import contextlib
import os
import socket


def notify(*words: str) -> None:
    """Send words to the service manager, if there is one. It never blocks."""
    path = os.environ.get("NOTIFY_SOCKET", "")
    if not path.startswith(("/", "@")):
        return
    name = "\0" + path[1:] if path.startswith("@") else path  # an abstract socket
    with contextlib.suppress(OSError), socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as sender:
        sender.setblocking(False)
        sender.sendto("\n".join(words).encode(), name)


def read_watchdog_interval() -> float | None:
    """Return the seconds within which the service manager expects the next WATCHDOG=1, or None."""
    wanted, pid = os.environ.get("WATCHDOG_USEC", ""), os.environ.get("WATCHDOG_PID") or str(os.getpid())
    if not (wanted.isascii() and wanted.isdecimal() and int(wanted)) or pid != str(os.getpid()):
        return None
    return int(wanted) / 1_000_000
