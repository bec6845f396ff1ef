"""The server under the profiler: `python -m tests.bench.profiled_server FOLDER flags...`.

Every thread is profiled by itself, into a file with its name in the folder. SIGUSR1 switches the main thread's profile
on and off, so that it holds moves alone.
"""

import cProfile
import signal
import sys
import threading
import time
from pathlib import Path
from types import FrameType

from gridgames_server.__main__ import main


class Switch:
    """The main thread's profile, on or off."""

    def __init__(self) -> None:
        self.profile = cProfile.Profile()
        self.is_on = False

    def turn(self, number: int, frame: FrameType | None) -> None:
        """Switch it."""
        self.is_on = not self.is_on
        (self.profile.enable if self.is_on else self.profile.disable)()


def profile_threads(folder: Path) -> None:
    """Let every thread that is started from now on leave its profile."""
    run = threading.Thread.run

    def profiled(thread: threading.Thread) -> None:
        profile = cProfile.Profile(time.thread_time)  # one that waits for the disk is not at work
        try:
            profile.runcall(run, thread)
        finally:
            profile.dump_stats(folder / thread.name)

    threading.Thread.run = profiled  # type: ignore[method-assign]


if __name__ == "__main__":
    folder, switch = Path(sys.argv[1]), Switch()
    signal.signal(signal.SIGUSR1, switch.turn)
    profile_threads(folder)
    try:
        main(sys.argv[2:])
    finally:
        switch.profile.disable()
        switch.profile.dump_stats(folder / "loop")
