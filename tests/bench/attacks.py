"""A game beside attacks: `python -m tests.bench.attacks`, from the project's root, about three minutes.

For each attack a server runs in a process of its own, the attackers in another one and from another address. Two play
20 moves a second, undisturbed and beside the attack in turns; what counts is the time from a typed line to its reply.
"""

import argparse
import asyncio
import signal
import ssl
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from tests.bench.attackers import ATTACKS, PASSWORD
from tests.hostile.test_connection_flood import play_on
from tests.server.tcp_tables import Table, sit_down
from tests.wire import Program, program, run

ROUNDS = 2  # without the attack and beside it, in turns
LONG = 3_000  # lines
PACE = 0.05  # seconds between two moves: the rate of play that is measured
DISK = "/var/tmp" if Path("/var/tmp").is_dir() else None  # /tmp may be in memory
ROOT = Path(__file__).parents[2]


@dataclass(frozen=True)
class Found:
    """The answers beside an attack, and those of the same game without it, in seconds."""

    attack: str
    actions: int
    beside: list[float]
    alone: list[float]

    def row(self, seconds: float) -> str:
        """A row of the table: milliseconds."""
        times = [statistics.median(self.beside), max(self.beside), statistics.median(self.alone), max(self.alone)]
        return f"| {self.attack} | {self.actions / seconds:,.0f} | " + " | ".join(f"{1e3 * took:.1f}" for took in times)


def flags(attack: str, folder: Path) -> list[str]:
    """How the server is started."""
    found = ["--store", str(folder / "store.sqlite"), "--log-level", "error"]
    if attack == "wrong passwords":
        (folder / "password").write_text(PASSWORD)
        (folder / "password").chmod(0o600)
        found += ["--password-file", str(folder / "password")]
    if attack.startswith("TLS"):
        cert, key = folder / "cert.pem", folder / "key.pem"
        make = ("openssl", "req", "-x509", "-newkey", "rsa:4096", "-nodes", "-days", "2", "-subj", "/CN=localhost")
        subprocess.run([*make, "-keyout", str(key), "-out", str(cert)], check=True, capture_output=True)
        found += ["--tls-cert", str(cert), "--tls-key", str(key)]
    return found


async def play_for(table: Table, seconds: float) -> list[float]:
    """Play; how long each answer took."""
    answers, until = [], time.monotonic() + seconds
    while time.monotonic() < until:
        if took := await play_on(table):
            answers.append(took)
        await asyncio.sleep(PACE)
    return answers


async def play_long_game(folder: Path) -> str:
    """Play a long game that goes on, for the server that is started next. Its room."""
    async with program(*flags("", folder), "--rate", "0") as server:
        table = await sit_down(server, "quantum-duel", ("Cy", "Dan"))
        for seat, line in ((1, "MOVE 1"), (1, "OBSERVE 4"), (2, "MOVE 7"), (2, "OBSERVE 4")):
            await table.types(seat, line)
        for number in range(LONG // 4):
            for seat in (1, 2):
                await table.types(seat, "STAY")
                await table.types(seat, f"OBSERVE {3 + number % 2}")
        assert await server.ends(signal.SIGTERM) == 0
    return table.room


async def play_beside(table: Table, server: Program, attack: str, room: str, seconds: float) -> tuple[int, list[float]]:
    """Play while the attackers are at it."""
    words = (attack, str(server.port), str(seconds + 2), room)
    attackers = await asyncio.create_subprocess_exec(
        *(sys.executable, "-m", "tests.bench.attackers", *words), stdout=asyncio.subprocess.PIPE, cwd=ROOT
    )
    assert attackers.stdout
    await attackers.stdout.readline()  # they have started
    answers = await play_for(table, seconds)
    said, _ = await attackers.communicate()
    return int(said), answers


def measure(attack: str, seconds: float, rounds: int = ROUNDS) -> Found:
    """One attack."""

    async def scenario() -> Found:
        with tempfile.TemporaryDirectory(dir=DISK) as name:
            room = await play_long_game(Path(name)) if attack == "watching a long game" else ""
            async with program(
                *flags(attack, Path(name)), tls=trusting() if attack.startswith("TLS") else None
            ) as server:
                hello = {"password": PASSWORD} if attack == "wrong passwords" else {}
                table = await sit_down(server, "grid-conquest", **hello)
                actions, alone, beside = 0, list[float](), list[float]()
                for _ in range(rounds):
                    alone += await play_for(table, seconds)
                    done, answers = await play_beside(table, server, attack, room or table.room, seconds)
                    actions, beside = actions + done, beside + answers
        assert server.text == "", server.text
        return Found(attack, actions, beside, alone)

    return run(scenario(), within=120 + 4 * rounds * seconds)


def trusting() -> ssl.SSLContext:
    """A client that takes any certificate."""
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    context.check_hostname, context.verify_mode = False, ssl.CERT_NONE
    return context


def main(typed: Sequence[str]) -> None:
    """Measure, and print the table."""
    parser = argparse.ArgumentParser("python -m tests.bench.attacks", description=__doc__)
    parser.add_argument("--seconds", type=float, default=8.0, help="of each half, by default 8")
    parser.add_argument("--attack", choices=ATTACKS, action="append", help="by default all")
    options = parser.parse_args(typed)
    print("| attack | times a second | median beside it, ms | slowest | median without it, ms | slowest |")
    print("| --- | --- | --- | --- | --- | --- |")
    for attack in options.attack or ATTACKS:
        print(measure(attack, options.seconds).row(ROUNDS * (options.seconds + 2)), "|", flush=True)


if __name__ == "__main__":
    main(sys.argv[1:])
