"""The figures as tables that one can read, and for programs."""

import os
import platform
import statistics
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from tests.bench.busy_store import ASKERS
from tests.bench.crowd import PEOPLE
from tests.bench.measure import VARIANTS, Cost

Figures = Mapping[str, float]

SERVERS = ("memory", "store")
YARDSTICK = "yardstick"
FEW = 50  # rooms from which growth is told: with fewer, every move wakes the server up

LABELS = {
    "alone_us": "µs a move with nobody else there",
    "watched_us": f"µs a move with {PEOPLE} watchers in every room",
    "lobby_us": f"µs a move with {PEOPLE} people in the lobby",
    "kib_a_connection": "KiB a connection",
    "idle_cpu_percent": "% of a core while nobody does anything",
    "list_ms": "ms from hello to the list of rooms",
    "create_ms": "ms from create to its answer",
    "change_ms": "ms of CPU to open or leave a room",
    "change_told_ms": f"ms of CPU for that and to tell {PEOPLE} people in the lobby",
    "games": "open games",
    "events": "events in them",
    "store_mib": "MiB of store",
    "rooms": "rooms",
    "read_s": "s to read and check",
    "replay_s": "s to play again",
    "empty_s": "s from the start with an empty store",
    "full_s": "s from the start with all of them",
    "finished": "finished games besides them",
    "history_s": "s from the start with those too",
    "written_bytes": "bytes written to the disk for a line",
    "quiet_p50_ms": "ms for half of the moves at a steady pace",
    "quiet_p99_ms": "ms for 99 % of them",
    "busy_p50_ms": f"ms for half of them beside {ASKERS} who ask for their history and a running backup",
    "busy_p99_ms": "ms for 99 % of them then",
    "start_ms": "ms from the start to the lobby",
    "lobby_key_ms": "ms from a key to the screen, in the lobby",
    "lobby_idle_cpu_percent": "% of a core in the lobby",
    "table_key_ms": "ms from a key to the screen, at a table",
    "table_idle_cpu_percent": "% of a core at a table",
    "move_cpu_ms": "ms of CPU for a move, one's own typed or the other's",
}


def table(heads: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """Markdown."""
    return "\n".join(f"| {' | '.join(cells)} |" for cells in (heads, ["---"] * len(heads), *rows))


class Costs:
    """All costs of moves, found by game, target and rooms."""

    def __init__(self, costs: Sequence[Cost]) -> None:
        self.found = {(cost.game, cost.target, cost.rooms): cost for cost in costs}
        self.games = list(dict.fromkeys(cost.game for cost in costs))
        self.rooms = sorted({cost.rooms for cost in costs})
        self.variants_at = next((cost.rooms for cost in costs if cost.target in VARIANTS), None)

    def __getitem__(self, key: tuple[str, str, int]) -> Cost:
        return self.found[key]

    def ratio(self, game: str, target: str, rooms: int) -> float:
        """How many times the yardstick a move costs."""
        return self[game, target, rooms].cpu / self[game, YARDSTICK, rooms].cpu

    def together(self, target: str, rooms: int) -> float:
        """µs of CPU a move in the mean of all games: what disturbs one of them matters less there."""
        return statistics.mean(self[game, target, rooms].cpu for game in self.games)

    @property
    def few(self) -> int:
        """The number of rooms from which growth is told."""
        return min(self.rooms, key=lambda rooms: abs(rooms - FEW))

    def least_ratio(self, game: str, target: str, rooms: int) -> float:
        """The same of the least rounds of both: it tells more where the machine has other work."""
        return min(self[game, target, rooms].rounds) / min(self[game, YARDSTICK, rooms].rounds)

    def growth(self, game: str, target: str) -> float:
        """How many times as much a move costs with most rooms as with few."""
        return self[game, target, self.rooms[-1]].cpu / self[game, target, self.few].cpu

    def kib_a_room(self, game: str, target: str) -> float:
        """KiB that a room takes, with its two connections."""
        least, most = self[game, target, self.rooms[0]], self[game, target, self.rooms[-1]]
        return (most.rss - least.rss) / max(1, most.rooms - least.rooms) / 1024

    def plain(self) -> dict[str, Any]:
        """For JSON."""
        ends = [(game, target) for game in self.games for target in (*SERVERS, YARDSTICK)]
        return {
            "moves": [
                {**cost.plain(), "ratio": self.ratio(*key), "least_ratio": self.least_ratio(*key)}
                for key, cost in self.found.items()
            ],
            "together": [
                {"target": target, "rooms": rooms, "cpu_us": self.together(target, rooms)}
                for rooms in self.rooms
                for target in (*SERVERS, YARDSTICK)
            ],
            "ends": [
                {
                    "game": game,
                    "target": target,
                    "growth": self.growth(game, target),
                    "kib_a_room": self.kib_a_room(game, target),
                }
                for game, target in ends
            ],
        }


def machine() -> dict[str, str | int]:
    """Where it was measured."""
    return {"python": platform.python_version(), "system": platform.platform(), "cores": os.cpu_count() or 1}


def of_moves(costs: Costs) -> str:
    """A row for each game and number of rooms."""
    heads = ["game", "rooms", "memory µs", "ratio", "store µs", "ratio", "yardstick µs"]
    heads += ["p50 / p99 ms: memory", "store", "yardstick"]
    rows = []
    for game in costs.games:
        for rooms in costs.rooms:
            found = {target: costs[game, target, rooms] for target in (*SERVERS, YARDSTICK)}
            cells = [game, f"{rooms:,}"]
            for target in SERVERS:
                cells += [f"{found[target].cpu:.0f}", f"{costs.ratio(game, target, rooms):.2f}"]
            cells.append(f"{found[YARDSTICK].cpu:.0f}")
            cells += [f"{cost.quantile(0.5):.2f} / {cost.quantile(0.99):.2f}" for cost in found.values()]
            rows.append(cells)
    return table(heads, rows)


def of_all(costs: Costs) -> str:
    """A row for each number of rooms, with the mean of all games."""
    heads = ["all games, rooms", "memory µs", "ratio", "store µs", "ratio", "yardstick µs"]
    rows = []
    for rooms in costs.rooms:
        yardstick = costs.together(YARDSTICK, rooms)
        means = [costs.together(target, rooms) for target in SERVERS]
        cells = [cell for mean in means for cell in (f"{mean:.0f}", f"{mean / yardstick:.2f}")]
        rows.append([f"{rooms:,}", *cells, f"{yardstick:.0f}"])
    return table(heads, rows)


def of_ends(costs: Costs) -> str:
    """Growth with the number of rooms, and memory."""
    heads = [f"growth from {costs.few:,} to {costs.rooms[-1]:,} rooms", *SERVERS, YARDSTICK]
    heads += [f"KiB a room, {target}" for target in (*SERVERS, YARDSTICK)]
    rows = []
    for game in costs.games:
        grown = [f"{costs.growth(game, target):.2f}" for target in (*SERVERS, YARDSTICK)]
        rows.append([game, *grown, *(f"{costs.kib_a_room(game, target):.1f}" for target in (*SERVERS, YARDSTICK))])
    return table(heads, rows)


def of_variants(costs: Costs) -> str:
    """What the yardstick would cost if it were built otherwise."""
    rooms = costs.variants_at
    if rooms is None:
        return ""
    names = (YARDSTICK, *VARIANTS)
    rows = [[game, *(f"{costs[game, name, rooms].cpu:.0f}" for name in names)] for game in costs.games]
    return table([f"µs a move, {rooms} rooms", *names], rows)


def of_figures(title: str, figures: Figures) -> str:
    """Figures with what they are."""
    return table([title, ""], [[LABELS[name], f"{value:,.4g}"] for name, value in figures.items()])


def text(costs: Costs, others: Mapping[str, Figures]) -> str:
    """Everything that was measured."""
    where = machine()
    busiest = max(max(cost.busy) for cost in costs.found.values())
    parts = [
        f"Python {where['python']}, {where['system']}, {where['cores']} cores. µs are of the server's CPU for a move "
        "(median of the rounds); a ratio is to the yardstick's. p50 and p99 are of moves at a steady pace, "
        f"as the players see them. The players' core was busy for {busiest:.0%} of the time at the most.",
        of_moves(costs),
        of_all(costs),
        of_ends(costs),
        of_variants(costs),
        *(of_figures(title, figures) for title, figures in others.items()),
    ]
    return "\n\n".join(part for part in parts if part)
