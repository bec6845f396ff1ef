"""Run the simulation by hand: one seed again, or as many games as there is time for."""

import argparse
import logging
import os
import sys

from tests.simulation.invariants import Breach
from tests.simulation.run import GAMES, Tally, reproduce, scenarios
from tests.simulation.world import World

TELL_EVERY = 500  # scenarios


def main() -> int:
    """0 if all that must hold did hold."""
    parser = argparse.ArgumentParser("python -m tests.simulation", description=__doc__)
    parser.add_argument("--seed", type=int, help="one scenario, and where exactly it breaks")
    parser.add_argument("--digest", action="store_true", help="with --seed: print what is the same in every run")
    parser.add_argument("--games", type=int, default=2_000, help="how many games, by default 2000")
    parser.add_argument("--from", type=int, default=0, dest="first", help="the seed to begin with")
    parser.add_argument("--processors", type=int, default=os.cpu_count() or 1)
    options = parser.parse_args()
    if options.seed is not None:
        return one(options.seed, options.digest)
    return many(options.games, options.first, options.processors)


def one(seed: int, digest: bool) -> int:
    """One scenario."""
    logging.getLogger("gridgames").setLevel(logging.CRITICAL + 1)
    world = World(seed, GAMES)
    try:
        world.run()
    except Breach as found:
        print(f"seed {seed}, step {world.clock.steps}: {found}", file=sys.stderr)
        raise
    print(world.summary() if digest else f"seed {seed}: all holds; {dict(world.faults)}")
    return 0


def many(games: int, first: int, processors: int) -> int:
    """Scenarios until there are so many games."""
    total, told = Tally(), 0
    for tally in scenarios(range(first, first + -(-games // GAMES)), processors):
        total.add(tally)
        for seed, breach in tally.breaches:
            print(f"seed {seed}: {breach}\n    {reproduce(seed)}", flush=True)
        if total.scenarios >= told + TELL_EVERY:
            told = total.scenarios
            print(total, flush=True)
    print(total)
    for fault, times in total.faults.most_common():
        print(f"{times:>9} {fault}")
    return bool(total.breaches)


if __name__ == "__main__":
    sys.exit(main())
