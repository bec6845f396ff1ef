"""Words to the system's service manager, if one has started us and listens: that we are ready, alive, about to stop."""

import contextlib
import os
import socket


def notify(*words: str) -> None:
    """Tell the service manager something; nobody else hears it, and nobody waits for it."""
    path = os.environ.get("NOTIFY_SOCKET", "")
    if not path.startswith(("/", "@")):
        return
    name = "\0" + path[1:] if path.startswith("@") else path  # an abstract name, as some systems use
    with contextlib.suppress(OSError), socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as line:
        line.setblocking(False)
        line.sendto("\n".join(words).encode(), name)


def watched_every() -> float | None:
    """In which seconds the service manager wants to hear from us again, if it does."""
    wanted, pid = os.environ.get("WATCHDOG_USEC", ""), os.environ.get("WATCHDOG_PID") or str(os.getpid())
    if not (wanted.isascii() and wanted.isdecimal() and int(wanted)) or pid != str(os.getpid()):
        return None
    return int(wanted) / 1_000_000
