"""Many scenarios, one after the other or on several processors, and what came of them."""

import logging
import time
from collections import Counter
from collections.abc import Iterable, Iterator
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, field

from tests.simulation.invariants import Breach
from tests.simulation.world import World

GAMES = 20  # of one scenario


@dataclass
class Tally:
    """What a run of scenarios comes to."""

    scenarios: int = 0
    games: int = 0
    faults: Counter[str] = field(default_factory=Counter)
    splits: int = 0
    plays: int = 0
    lives: int = 0
    seconds: float = 0.0  # of a processor
    hours: float = 0.0  # that were simulated
    breaches: list[tuple[int, str]] = field(default_factory=list)
    ends: Counter[str] = field(default_factory=Counter)  # of games, by their reasons
    played: set[tuple[str, str | None]] = field(default_factory=set)  # the games, with their variants

    def add(self, other: "Tally") -> None:
        """Put two runs together."""
        self.faults.update(other.faults)
        self.breaches += other.breaches
        self.ends.update(other.ends)
        self.played |= other.played
        for name in ("scenarios", "games", "splits", "plays", "lives", "seconds", "hours"):
            setattr(self, name, getattr(self, name) + getattr(other, name))

    def __str__(self) -> str:
        head = f"{self.scenarios} scenarios, {self.games} games, {self.plays} plays, {self.faults.total()} faults"
        more = f"{self.splits} split chunks, {self.lives} lives of the server, {self.hours:.0f} hours"
        return f"{head}, {more}, {self.seconds:.1f} s of a processor"


def reproduce(seed: int) -> str:
    """The command that shows a failure again."""
    return f"python -m tests.simulation --seed {seed}"


def scenario(seed: int, games: int = GAMES) -> Tally:
    """One scenario; a breach is noted and not raised."""
    logging.getLogger("gridgames").setLevel(logging.CRITICAL + 1)
    began = time.process_time()
    world = World(seed, games)
    breaches = []
    try:
        world.run()
    except Breach as found:
        breaches.append((seed, str(found)))
    shadow = world.witness.shadow
    return Tally(
        1, shadow.games, world.faults, world.splits, len(shadow.played), world.host.lives,
        time.process_time() - began, world.clock.now / 3600, breaches,
        Counter(end.reason for told in shadow.told.values() for end in told.ends),
        {(room.game.card.slug, room.variant) for room in shadow.codes.values()},
    )  # fmt: skip


def scenarios(seeds: Iterable[int], processors: int = 1) -> Iterator[Tally]:
    """Many scenarios, each as it ends."""
    if processors == 1:
        yield from map(scenario, seeds)
        return
    with ProcessPoolExecutor(processors) as pool:
        yield from pool.map(scenario, seeds, chunksize=4)
