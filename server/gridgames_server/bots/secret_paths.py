"""Secret Paths as the computer plays it."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import cast

from gridgames_protocol.messages import Level, Show
from gridgames_server.bots.policy import happens, legal_lines, pick
from gridgames_server.games.game import Chance
from gridgames_server.games.secret_paths import GOAL_ROW, GRID, TRAIL_SHOWN

CELLS = range(len(GRID))
NEAR = tuple(frozenset(GRID.neighbours(cell)) for cell in CELLS)
ENTERED = 0.001  # what is left of the belief in a goal that the rival entered: hardly any, for a trail is forgotten
PASSED_UP = 0.05  # what is left of the belief in a goal that the rival could have reached and did not
STEPS_AWAY = 0.8  # the same, after a step of the rival's that led away from it
ERRS = 0.3  # how often the rival is expected to move without care
PATIENCE = 0.95  # what a win is worth that comes one turn later
SWEEPS = 30
TO_AND_FRO = 4  # so few cells in a whole trail lead nowhere
EVEN = 0.01  # values this close to each other are as good


def secret_paths(show: Show, level: Level, chance: Chance) -> str:
    """Move the Seeker home, and never leave it where the rival could win when that can be helped.

    The rival's goal is one of five, and each move of theirs tells something about it: a cell that they entered without
    winning is not their goal, one beside which they stood and went elsewhere hardly is, and one that they go away from
    is a little less likely. `hard` leaves the Seeker where these weights find the least danger; from the middle row
    and its own half there is none at all, and one step always leads there from a Seeker that was left so before.

    Among safe moves it thinks ahead over all cells to the end: the rival mostly avoids every cell from which one of
    one's goals could be reached, as far as one's own moves have not ruled that goal out, or as few of them as
    possible, and at times moves without care. So it drives the Seeker to where a careless step, or the last careful
    one, leads beside its goal. Now and then it bluffs: any safe move, whatever that seems to say about its goal; so
    it does where the Seeker goes to and fro. The goal itself may be any of the five.

    `medium` takes a win and avoids the rival's rows, but thinks one step ahead, does not reckon who has gone where,
    and has lapses. `easy` strolls, mostly homeward, and sees a win beside the Seeker three times in four.
    """
    if show.view.phase == "setup":
        return pick(chance, legal_lines(show), "goal")
    path = seen(show)
    if level == "hard":
        return go(think(path, chance, show.rev))
    if level == "medium" and not happens(chance, 25, f"lapse {show.rev}"):
        return go(watch(path, chance, show.rev))
    return go(stroll(path, chance, show.rev))


@dataclass(frozen=True, slots=True)
class Path:
    """What one seat knows: the own goal, where the Seeker stands, and what each one's moves say about the goals."""

    goal: int
    seeker: int
    rival_goals: Mapping[int, float]  # how likely each is
    own_goals: frozenset[int]  # that the rival must reckon with
    to_and_fro: bool  # the Seeker has gone between the same few cells for as long as its trail is remembered


def row(seat: int) -> tuple[int, ...]:
    """The cells that can be a seat's goal."""
    return tuple(GRID.cell(GOAL_ROW[seat], column) for column in range(len(GRID.cols)))


def seen(show: Show) -> Path:
    """What a seat's view tells, by going back along the Seeker's trail."""
    state, you = show.view.state, cast("int", show.you)
    trail = [GRID.names.index(name) for name in cast("Sequence[str]", state["trail"])]
    goal = GRID.names.index(cast("Sequence[str]", state["goals"])[you - 1])
    rival_goals, own_goals = dict.fromkeys(row(3 - you), 1.0), set(row(you))
    mine = len(trail) % 2 == 1  # whose the first step of the trail is; the last one is the rival's
    for start, end in pairwise(trail):
        if mine:
            own_goals -= {*NEAR[start], end}
        else:
            rival_goals = {at: weight * told(at, start, end) for at, weight in rival_goals.items()}
        mine = not mine
    to_and_fro = len(trail) == TRAIL_SHOWN and len(set(trail)) <= TO_AND_FRO
    return Path(goal, trail[-1], rival_goals, frozenset(own_goals | {goal}), to_and_fro)


def told(goal: int, start: int, end: int) -> float:
    """What a step of a player who goes for a goal leaves of the belief in it."""
    if end == goal:
        return ENTERED
    if goal in NEAR[start]:
        return PASSED_UP
    return STEPS_AWAY if steps(end, goal) > steps(start, goal) else 1.0


def steps(start: int, end: int) -> int:
    """How many moves it takes from a cell to another."""
    (row_a, column_a), (row_b, column_b) = GRID.place(start), GRID.place(end)
    return max(abs(row_a - row_b), abs(column_a - column_b))


def go(cell: int) -> str:
    return f"MOVE {GRID.names[cell]}"


def think(path: Path, chance: Chance, rev: int) -> int:
    """The hard player: win, or stay safe and lure."""
    if path.goal in NEAR[path.seeker]:
        return path.goal
    danger = {
        cell: sum(path.rival_goals[at] for at in path.rival_goals if at in NEAR[cell]) for cell in NEAR[path.seeker]
    }
    least = min(danger.values())
    safe = sorted(cell for cell in danger if danger[cell] <= least)
    if path.to_and_fro or happens(chance, 8, f"bluff {rev}"):
        return pick(chance, safe, f"any {rev}")
    hope = prospects(path)
    top = max(hope[cell] for cell in safe)
    return pick(chance, [cell for cell in safe if hope[cell] >= top - EVEN], f"move {rev}")


def prospects(path: Path) -> list[float]:
    """For each cell, what leaving the Seeker there is worth: how surely, and how soon, it comes beside one's goal."""
    rows = {GRID.place(goal)[0] for goal in path.rival_goals}
    away = [[to for to in NEAR[cell] if all(abs(GRID.place(to)[0] - row) > 1 for row in rows)] for cell in CELLS]
    replies = [careful(cell, path.own_goals) for cell in CELLS]
    worth = [0.0] * len(CELLS)
    for _ in range(SWEEPS):
        turn = [
            1.0 if path.goal in NEAR[cell] else PATIENCE * max((worth[to] for to in away[cell]), default=0.0)
            for cell in CELLS
        ]
        worth = [(1 - ERRS) * mean(turn, replies[cell]) + ERRS * mean(turn, NEAR[cell]) for cell in CELLS]
    return worth


def careful(cell: int, goals: Collection[int]) -> list[int]:
    """The steps from a cell after which the fewest of some goals are beside the Seeker."""
    beside = {to: sum(goal in NEAR[to] for goal in goals) for to in NEAR[cell]}
    fewest = min(beside.values())
    return [to for to in beside if beside[to] == fewest]


def mean(values: Sequence[float], cells: Collection[int]) -> float:
    return sum(values[cell] for cell in cells) / len(cells)


def watch(path: Path, chance: Chance, rev: int) -> int:
    """The medium player: win, or leave the fewest of the rival's goals beside the Seeker."""
    if path.goal in NEAR[path.seeker]:
        return path.goal
    return pick(chance, sorted(careful(path.seeker, path.rival_goals)), f"step {rev}")


def stroll(path: Path, chance: Chance, rev: int) -> int:
    """The easy player: win if it is noticed, or go anywhere, more often nearer to the goal."""
    if path.goal in NEAR[path.seeker] and happens(chance, 75, f"notice {rev}"):
        return path.goal
    cells = sorted(NEAR[path.seeker] - {path.goal})
    if happens(chance, 50, f"homeward {rev}"):
        nearest = min(steps(cell, path.goal) for cell in cells)
        cells = [cell for cell in cells if steps(cell, path.goal) == nearest]
    return pick(chance, cells, f"stroll {rev}")
