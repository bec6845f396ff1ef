"""The process of a server of one's own. It starts while the client imports the rest: so this module imports little."""

import os
import socket
import subprocess
import sys
import tempfile
import threading
from pathlib import Path
from typing import Any

from gridgames_client.net.private_files import private_folder
from gridgames_client.net.start_commands import server_command

END_WITHIN = 3.0
HOST = "127.0.0.1"
COMMAND = ("--host", HOST, "--port", "0", "--no-discovery", "--log-level", "error", "--end-with-stdin")


class ServerProcess:
    """A server on this machine. It ends when its input is closed, so also when the client is killed."""

    def __init__(self, *flags: str, neighbour: int = 0) -> None:
        self.neighbour = neighbour  # the usual port, if something else listens there
        self._ending = threading.Lock()  # two threads may end it
        self._last_words: str | None = None
        self.errors = tempfile.TemporaryFile()  # noqa: SIM115  (closed in `end`)
        self.child: subprocess.Popen[bytes] = subprocess.Popen(
            [*server_command(), *COMMAND, *flags],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=self.errors,
            env={name: value for name, value in os.environ.items() if not name.startswith("GRIDGAMES_")},
            **_own_group(),
        )

    def read_line(self) -> bytes:
        """The line that the server prints when it listens; empty if it has ended."""
        assert self.child.stdout
        return self.child.stdout.readline()

    def end(self) -> str:
        """Close its input, and wait until it has ended. Returns its last words, which may say why it has no address."""
        with self._ending:
            if self._last_words is None:
                self._last_words = self._end()
            return self._last_words

    def _end(self) -> str:
        assert self.child.stdin
        with self.errors, self.child:
            self.child.stdin.close()
            try:
                self.child.wait(END_WITHIN)
            except subprocess.TimeoutExpired:
                self.child.kill()
            self.errors.seek(0)
            *_, words = self.errors.read().decode("utf-8", "replace").strip().split("\n")
        return words


def start_keeping() -> ServerProcess:
    """Start a server that keeps its games. It listens on the port of the last time, if that is free.

    So whoever sat at a second terminal comes back by the same address.
    """
    folder = private_folder("home")
    port = read_usual_port(folder)
    free = is_free(port)
    flags = ("--store", str(folder / "games.sqlite"), "--port", str(port if free else 0))
    return ServerProcess(*flags, neighbour=0 if free else port)


def start_forgetting() -> ServerProcess:
    """Start a server that keeps no games."""
    return ServerProcess("--no-store")


def read_usual_port(folder: Path) -> int:
    """The port of the last time; 0 if there was none."""
    try:
        port = int((folder / "port").read_text("ascii"))
    except (OSError, ValueError):
        return 0
    return port if 0 < port < 65_536 else 0


def is_free(port: int) -> bool:
    """True if nothing listens on a port of this machine."""
    try:
        with socket.create_server((HOST, port)):
            return True
    except OSError:
        return False


def _own_group() -> dict[str, Any]:
    """Return the arguments for a child process that a Ctrl-C in the terminal does not reach."""
    if sys.platform == "win32":
        return {"creationflags": subprocess.CREATE_NEW_PROCESS_GROUP}
    return {"start_new_session": True}
