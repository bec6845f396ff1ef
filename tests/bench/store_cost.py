"""What keeping every line costs: the server's CPU for a move with a store, against one without.

`python -m tests.bench.store_cost [--moves N] [--tables N]`, from the project's root. Both servers are real programs
with real sockets; they take turns, so that whatever else the machine does disturbs both alike.
"""

import argparse
import asyncio
import os
import tempfile
from pathlib import Path
from time import perf_counter
from typing import NamedTuple

from gridgames_protocol.messages import Again
from tests.server.tables import SLUGS, Table, sit_down
from tests.wire import Program, program

ROUNDS = 3
TICKS = os.sysconf("SC_CLK_TCK")


class Cost(NamedTuple):
    """What some moves took."""

    moves: int
    cpu: float
    seconds: float

    def __str__(self) -> str:
        pace = f"{self.moves / self.seconds:,.0f} moves a second"
        return f"{self.cpu / self.moves * 1e6:7.0f} µs of CPU a move, {pace} with the players on the same machine"


def cpu_of(process: int) -> float:
    """Seconds of CPU that a process has used, in its own code and in the system's."""
    numbers = Path(f"/proc/{process}/stat").read_text().rpartition(") ")[2].split()
    return (int(numbers[11]) + int(numbers[12])) / TICKS


async def play(table: Table, moves: int) -> None:
    """Play so many moves, one game after the other."""
    for _ in range(moves):
        if not table.shown.turn:
            rev = table.shown.rev
            for guest in table.seats.values():
                await guest.says(Again)
            await table.see(rev + 1)
        await table.move()


async def measure(house: Program, tables: int, moves: int) -> Cost:
    """What moves cost at some tables that play at once."""
    seated = [await sit_down(house, SLUGS[n % len(SLUGS)], (f"{n} a", f"{n} b")) for n in range(tables)]
    before, begun = cpu_of(house.process.pid), perf_counter()
    await asyncio.gather(*(play(table, moves // tables) for table in seated))
    return Cost(moves // tables * tables, cpu_of(house.process.pid) - before, perf_counter() - begun)


async def compare(tables: int, moves: int) -> None:
    """Measure both in turn, and print."""
    costs: dict[str, list[Cost]] = {"without": [], "with": []}
    for number in range(ROUNDS):
        with tempfile.TemporaryDirectory() as folder:
            for name, flags in (("without", ()), ("with", ("--store", f"{folder}/store"))):
                async with program("--rate", "0", *flags) as house:
                    costs[name].append(await measure(house, tables, moves))
                print(f"round {number + 1}, {name:7} a store: {costs[name][-1]}")
    totals = {name: Cost(*map(sum, zip(*rounds, strict=True))) for name, rounds in costs.items()}
    for name, total in totals.items():
        print(f"in all,  {name:7} a store: {total}")
    print(f"ratio: {totals['with'].cpu / totals['with'].moves / (totals['without'].cpu / totals['without'].moves):.2f}")


def main() -> None:
    """Measure, and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--moves", type=int, default=3_000)
    parser.add_argument("--tables", type=int, default=20)
    options = parser.parse_args()
    asyncio.run(compare(options.tables, options.moves))


if __name__ == "__main__":
    main()
