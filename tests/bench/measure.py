"""What a move costs: the server without a store, the server with one and the yardstick take turns, round by round.

Whatever else the machine does disturbs all of them alike. A round is one game in every room, and only its moves are
counted: what comes before the first turn, and giving the game up after it, are not.
"""

import statistics
import sys
from collections.abc import Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field
from pathlib import Path
from time import perf_counter, process_time, sleep

import msgpack

from tests.bench.load import Load
from tests.bench.process import Process, running, server_command
from tests.bench.relay_players import Move, RelayLoad, written_down

PACE = 400.0  # moves a second where a move's time is measured: a small part of what a server can do
SETTLED = 0.005  # seconds of CPU in ten times as long: servers that do nothing but look at their clocks
ROUNDS_MAX = 60
MOVES_A_GAME = 12  # more or less
VARIANTS = {
    "relay, plain Protocol": ("--plain",),
    "relay, packed parts reused": ("--reuse",),
    "relay, no events": ("--brief",),
}
VARIANTS_AT = 50  # rooms


@dataclass(frozen=True, slots=True)
class Effort:
    """How much is measured."""

    moves: int  # about so many in all rooms and rounds together
    strolls: int  # moves whose time is measured

    def rounds_for(self, rooms: int) -> int:
        """How many games are played in each of so many rooms."""
        return max(1, min(ROUNDS_MAX, self.moves // (MOVES_A_GAME * rooms)))


@dataclass
class Cost:
    """What moves cost at one server with so many rooms."""

    game: str
    target: str
    rooms: int
    rss: int = 0
    moves: int = 0
    rounds: list[float] = field(default_factory=list)  # µs of CPU a move
    busy: list[float] = field(default_factory=list)  # the part of the time in which the players had work
    took: list[float] = field(default_factory=list)  # seconds, of moves at a steady pace

    @property
    def cpu(self) -> float:
        """µs of CPU a move."""
        return statistics.median(self.rounds)

    def quantile(self, part: float) -> float:
        """Milliseconds within which this part of the moves was complete, for both players."""
        return sorted(self.took)[int(part * len(self.took))] * 1e3 if self.took else float("nan")

    def plain(self) -> dict[str, object]:
        """For JSON."""
        return {
            "game": self.game,
            "target": self.target,
            "rooms": self.rooms,
            "moves": self.moves,
            "cpu_us": self.cpu,
            "cpu_us_least": min(self.rounds),
            "cpu_us_most": max(self.rounds),
            "p50_ms": self.quantile(0.5),
            "p99_ms": self.quantile(0.99),
            "rss": self.rss,
            "players_busy": statistics.median(self.busy),
        }


@dataclass
class Target:
    """A program under load."""

    name: str
    process: Process
    load: Load

    def open(self, rooms: int) -> Cost:
        """Have so many rooms, and count from nothing."""
        self.load.grow(rooms)
        return Cost(self.load.game, self.name, rooms, self.process.rss())

    def round(self, cost: Cost) -> None:
        """Play a game in every room."""
        self.load.start_afresh()
        cpu, begun, own = self.process.cpu(), perf_counter(), process_time()
        moves = len(self.load.play(self.load.rooms))
        cost.moves += moves
        cost.rounds.append((self.process.cpu() - cpu) / moves * 1e6)
        cost.busy.append((process_time() - own) / (perf_counter() - begun))
        cost.rss = max(cost.rss, self.process.rss())

    def stroll(self, cost: Cost, moves: int) -> None:
        """Play some moves at a steady pace."""
        while len(cost.took) < moves:
            self.load.start_afresh()
            cost.took += self.load.stroll(moves - len(cost.took), PACE)


def measure(game: str, rooms: Sequence[int], effort: Effort, folder: Path) -> list[Cost]:
    """What a game's moves cost with each number of rooms, in all three, and in the yardstick's variants with some."""
    costs: list[Cost] = []
    with ExitStack() as stack:
        targets = {
            name: enter(stack, name, running(*server_command(store)), game)
            for name, store in (("memory", None), ("store", folder / f"{game}.sqlite"))
        }
        targets["memory"].load.grow(1)
        moves = written_down(targets["memory"].load)
        file = folder / f"{game}.game"
        file.write_bytes(msgpack.packb([(move.to_mover, move.to_other) for move in moves]))
        targets["yardstick"] = enter(stack, "yardstick", relay(file), game, moves)
        for count in rooms:
            with ExitStack() as more:
                variants = VARIANTS if count == variants_at(rooms) else {}
                extra = {name: enter(more, name, relay(file, *VARIANTS[name]), game, moves) for name in variants}
                costs += take_turns([*targets.values(), *extra.values()], count, effort)
    return costs


def variants_at(rooms: Sequence[int]) -> int:
    """The number of rooms with which the variants are measured."""
    return min(rooms, key=lambda count: abs(count - VARIANTS_AT))


def relay(file: Path, *flags: str):
    """The yardstick, as a program that runs as long as it is needed."""
    return running(sys.executable, "-m", "tests.bench.relay", str(file), *flags)


def enter(stack: ExitStack, name: str, program, game: str, moves: list[Move] | None = None) -> Target:
    """Start a program, and let its players come."""
    process = stack.enter_context(program)
    load = Load(process.port, game) if moves is None else RelayLoad(process.port, game, moves)
    stack.callback(load.close)
    return Target(name, process, load)


def take_turns(targets: Sequence[Target], rooms: int, effort: Effort) -> list[Cost]:
    """Play the rounds of all, one after the other."""
    for target in targets:
        target.load.idle = [other.load for other in targets if other is not target]
    costs = [target.open(rooms) for target in targets]
    for _ in range(effort.rounds_for(rooms)):
        for target, cost in zip(targets, costs, strict=True):
            target.round(cost)
    for target, cost in zip(targets, costs, strict=True):
        if effort.strolls:
            settle(targets)
            target.stroll(cost, effort.strolls)
    return costs


def settle(targets: Sequence[Target]) -> None:
    """Let everybody show that they are alive, and wait until the servers have taken that in."""
    for target in targets:
        target.load.breathe()
        target.load.breathed = perf_counter()
    cpu, last = sum(target.process.cpu() for target in targets), 0.0
    while cpu - last > SETTLED:
        sleep(SETTLED * 10)
        cpu, last = sum(target.process.cpu() for target in targets), cpu
