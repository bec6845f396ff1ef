"""A program that is measured: in a process of its own, on a core of its own, with its times read from the system."""

import gc
import os
import re
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from tests.wire import LOCAL, PROGRAM, environment

ENOUGH = "20000"
FLAGS = (
    *("--host", LOCAL, "--port", "0", "--rate", "0", "--max-players", ENOUGH, "--max-per-address", ENOUGH),
    *("--max-rooms", ENOUGH, "--max-rooms-per-address", ENOUGH),
)
PAGE = os.sysconf("SC_PAGE_SIZE")
ROOT = Path(__file__).parents[2]
CORES = sorted(os.sched_getaffinity(0))


class Process:
    """A program that listens on a port of this machine."""

    def __init__(self, command: Sequence[str | Path]) -> None:
        self.errors = tempfile.TemporaryFile()  # noqa: SIM115 - closed in `end`
        self.began = time.perf_counter()
        self.popen = subprocess.Popen(
            command, stdout=subprocess.PIPE, stderr=self.errors, env=environment(PYTHONHASHSEED="0"), cwd=ROOT
        )
        if len(CORES) > 1:
            os.sched_setaffinity(self.popen.pid, CORES[:1])
        assert self.popen.stdout
        found = re.search(rb":(\d+)", self.popen.stdout.readline())
        self.ready_after = time.perf_counter() - self.began
        if found is None:
            words = self.last_words()
            self.end()
            raise AssertionError(words)
        self.port = int(found[1])

    def cpu(self) -> float:
        """Seconds of CPU that all its threads have used, in their own code and in the system's."""
        return cpu_of(self.popen.pid)

    def rss(self) -> int:
        """Bytes of memory that it holds."""
        return int(Path(f"/proc/{self.popen.pid}/statm").read_text().split()[1]) * PAGE

    def last_words(self) -> str:
        """What it wrote to stderr last."""
        self.errors.seek(0)
        return self.errors.read()[-2_000:].decode(errors="replace")

    def end(self) -> None:
        """Stop it, and wait for it."""
        self.popen.send_signal(signal.SIGTERM)
        self.popen.communicate()
        self.errors.close()


@contextmanager
def running(*command: str | Path) -> Iterator[Process]:
    """Run a program as long as it is needed."""
    process = Process(command)
    try:
        yield process
    finally:
        process.end()


def server_command(store: Path | None, profile: Path | None = None) -> list[str | Path]:
    """How the server is started, with or without a store, by itself or under the profiler."""
    program = [PROGRAM] if profile is None else [sys.executable, "-m", "tests.bench.profiled_server", str(profile)]
    return [*program, *FLAGS, *(["--no-store"] if store is None else ["--store", str(store)])]


def cpu_of(process: int) -> float:
    """Seconds of CPU that all threads of a process have used, in their own code and in the system's."""
    # The number of its clock, as clock_getcpuclockid(3) makes it: /proc/PID/stat knows hundredths of a second only.
    return time.clock_gettime((~process << 3) | 2)


@contextmanager
def on_the_other_core() -> Iterator[None]:
    """Keep this process, which makes the load, off the core of what it measures, and its pauses out of the times."""
    os.sched_setaffinity(0, CORES[1:] or CORES)
    gc.disable()
    try:
        yield
    finally:
        gc.enable()
        os.sched_setaffinity(0, CORES)
