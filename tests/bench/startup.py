"""How long the programs take to start: `python -m tests.bench.startup [--beside FOLDER] [--times N]`.

Each way of starting is timed from the start of the process until its screen or its output is there, here and with the
code of another checkout, in turn. The medians of the times and of the CPU's times are printed, in milliseconds: on a
busy machine only the second tell something. As after an installation, every module is compiled before the first timed
run.
"""

import argparse
import os
import pty
import re
import resource
import signal
import subprocess
import sys
import tempfile
import termios
import time
from contextlib import contextmanager
from pathlib import Path
from statistics import median
from typing import IO, TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

TOP = Path(__file__).parents[2]
ENTRIES = {"client": "gridgames_client", "server": "gridgames_server"}
LOBBY = b"Quantum"  # on the lobby's screen, and nowhere before it
PLAIN_LOBBY = b"You are in the lobby"
ASKS_KIND, ANSWERS_KIND = b"\x1b[c", b"\x1b[?62c"  # every real terminal answers this question


def command(program: str, *words: str) -> list[str]:
    return [sys.executable, "-P", "-m", ENTRIES[program], *words]


def variables(checkout: Path, state: str) -> dict[str, str]:
    """An environment in which the code of a checkout is used. Compiled modules are kept in the state folder."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith(("GRIDGAMES_", "PYTHON"))}
    roots = os.pathsep.join(str(checkout / root) for root in ("server", "client", "protocol"))
    places = {"PYTHONPATH": roots, "PYTHONPYCACHEPREFIX": f"{state}/compiled", "XDG_STATE_HOME": state}
    return kept | places | {"GRIDGAMES_SEARCH": "none", "TERM": "xterm-256color"}


def cpu() -> float:
    """The CPU's time of all children that have ended."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def time_output(words: list[str], told: dict[str, str]) -> tuple[float, float]:
    """How long a program takes that prints something and ends."""
    began, used = time.perf_counter(), cpu()
    subprocess.run(words, env=told, check=True, stdout=subprocess.DEVNULL, stdin=subprocess.DEVNULL)
    return time.perf_counter() - began, cpu() - used


def time_lobby(words: list[str], told: dict[str, str]) -> tuple[float, float]:
    """How long a client takes to the lobby, on a terminal or, with --plain, in lines."""
    master, slave = pty.openpty()
    termios.tcsetwinsize(slave, (24, 80))
    began, used = time.perf_counter(), cpu()
    process = subprocess.Popen(words, env=told, stdin=slave, stdout=slave, stderr=slave, start_new_session=True)
    os.close(slave)
    seen, wanted = b"", PLAIN_LOBBY if "--plain" in words else LOBBY
    answered = False
    while wanted not in seen:
        seen += os.read(master, 65_536)
        if ASKS_KIND in seen and not answered:
            answered = bool(os.write(master, ANSWERS_KIND))
    took = time.perf_counter() - began
    process.send_signal(signal.SIGTERM)
    while True:
        try:
            os.read(master, 65_536)
        except OSError:  # the terminal is closed
            break
    process.wait()
    os.close(master)
    return took, cpu() - used


def read_port(stdout: IO[bytes]) -> str:
    found = re.search(rb"127\.0\.0\.1:(\d+)", stdout.readline())
    assert found
    return found[1].decode()


@contextmanager
def serving(checkout: Path, state: str) -> "Iterator[str]":
    """A server of a checkout; its address."""
    words = command("server", "--host", "127.0.0.1", "--port", "0", "--no-store", "--no-discovery")
    process = subprocess.Popen(words, env=variables(checkout, state), stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
    assert process.stdout
    try:
        yield f"127.0.0.1:{read_port(process.stdout)}"
    finally:
        process.terminate()
        process.wait()
        process.stdout.close()


def measure(checkout: Path, state: str, address: str) -> dict[str, tuple[float, float]]:
    """One run of every way to start."""
    told = variables(checkout, state)
    return {
        "client --version": time_output(command("client", "--version"), told),
        "client --help": time_output(command("client", "--help"), told),
        "server --version": time_output(command("server", "--version"), told),
        "server --help": time_output(command("server", "--help"), told),
        "to the lobby": time_lobby(command("client", address), told),
        "to the lobby, plain lines": time_lobby(command("client", address, "--plain"), told),
        "to the lobby of an own server": time_lobby(command("client"), told),
    }


def figures_of(runs: list[tuple[float, float]]) -> str:
    """The medians of the time and of the CPU's time, in milliseconds."""
    took, used = (1000 * median(column) for column in zip(*runs, strict=True))
    return f"{took:4.0f} ({used:4.0f})"


def main() -> None:
    """Measure this checkout, and another one beside it."""
    parser = argparse.ArgumentParser("tests.bench.startup", description="How long the programs take to start.")
    parser.add_argument("--beside", type=Path, help="another checkout")
    parser.add_argument("--times", type=int, default=9)
    options = parser.parse_args()
    checkouts = [TOP, *([options.beside] if options.beside else [])]
    found: dict[str, list[list[tuple[float, float]]]] = {}
    with tempfile.TemporaryDirectory() as folder:
        for run in range(options.times + 1):
            for number, checkout in enumerate(checkouts):
                state = f"{folder}/{number}"
                with serving(checkout, state) as address:
                    for name, took in measure(checkout, state, address).items():
                        columns = found.setdefault(name, [[] for _ in checkouts])
                        if run:  # the first run compiles
                            columns[number].append(took)
    for name, columns in found.items():
        figures = [figures_of(runs) for runs in columns]
        print(f"{name:32} {'   '.join(figures)}")


if __name__ == "__main__":
    main()
