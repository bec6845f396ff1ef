"""A real server in a process of its own, for tests of programs that connect to it."""

import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def started_server(*flags: str) -> Iterator[tuple[str, str]]:
    """Start a server without a store; give its host and port."""
    command = [sys.executable, "-m", "gridgames_server", "--host", "127.0.0.1", "--port", "0", "--no-store"]
    command += ["--no-discovery", "--bot-delay", "0", "--rate", "0", *flags]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as server:
        assert server.stdout
        line = server.stdout.readline()
        try:
            yield "127.0.0.1", line.rsplit(":", 1)[1].split()[0]
        finally:
            server.terminate()
