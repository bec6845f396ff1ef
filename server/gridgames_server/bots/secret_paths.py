"""Secret Paths as the computer plays it."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import cast

from gridgames_protocol.messages import Level, Show
from gridgames_server.bots.burning_paths import value_steps
from gridgames_server.bots.policy import Chances, choose_best, list_legal_lines, make_even, softmax
from gridgames_server.games.secret_paths import ENTRIES, GOAL_ROW, GRID, TRAIL_SHOWN

CELLS = range(len(GRID))
NEAR = tuple(frozenset(GRID.neighbours(cell)) for cell in CELLS)
# Factors for the weight of a possible goal after a step of the rival.
ENTERED = 0.001  # the rival entered it without winning; not 0, because the view shows only the end of the trail
PASSED_UP = 0.05  # the rival could have entered it and did not
STEPS_AWAY = 0.8  # the rival's step led away from it
ERRS = 0.3  # how often the rival is expected to make a random move
PATIENCE = 0.95  # the value of a win falls by this factor for each turn
SWEEPS = 30
TO_AND_FRO = 4  # with so few cells in the whole trail, the Seeker only goes to and fro
EVEN = 0.01  # prospects that differ less count as equal
BLUFFS = 0.08  # how often any safe move is chosen
EQUAL = 0.5  # the lowest value of a safe position
HOPE = 0.3  # the best prospects add so much
WARMTH: dict[str, float] = {"medium": 0.18, "easy": 0.4}  # a warmer level chooses bad moves more often


def secret_paths(show: Show, level: Level) -> Chances:
    """Return the probability of each line: move the Seeker towards the own goal, and not beside the rival's.

    The rival's goal is one of five cells. Each of their moves changes the weights of these cells: a cell that they
    entered without winning is not their goal, a cell that they could have entered is hardly their goal, and a cell that
    they go away from is a little less likely. `hard` leaves the Seeker where the danger by these weights is least. In
    the middle row and its own half there is no danger, and one step always leads back there.

    Among safe moves `hard` computes the prospects of every cell. The rival of this model knows which goals the bot's
    own moves have ruled out. It mostly leaves the Seeker beside as few of the other goals as possible, and sometimes
    makes a random move. So the bot leads the Seeker to where a random step, or the last careful one, ends beside its
    goal. Sometimes, and if the Seeker goes to and fro, it bluffs with any safe move. The goal itself may be any of the
    five.

    Every level takes a win beside the Seeker. `medium` and `easy` choose among other moves by `value_moves`: the more a
    move loses, the rarer it is.

    In the variant `burning` all levels look ahead instead: see `burning_paths`.
    """
    if show.view.phase == "setup":
        return make_even(list_legal_lines(show))
    path = read_view(show)
    if can_win(path):
        return {move_line(path.goal): 1.0}
    if level != "hard":
        return softmax(value_moves(path), WARMTH[level])
    return choose_for_hard(path) if path.entries_left is None else choose_best(value_moves(path), EVEN)


def value_lines(show: Show) -> dict[str, float]:
    """Return the chance to win with each useful line, from what the seat knows. A setup has no values."""
    return {} if show.view.phase == "setup" else value_moves(read_view(show))


@dataclass(frozen=True, slots=True)
class Path:
    """What one seat knows: the own goal, the Seeker's cell, and what the moves tell about the goals."""

    goal: int
    seeker: int
    rival_goals: Mapping[int, float]  # the probability of each
    own_goals: frozenset[int]  # possible own goals from the rival's point of view
    to_and_fro: bool  # the Seeker has only gone between a few cells in its whole trail
    entries_left: tuple[int, ...] | None = None  # of each cell in the variant `burning`


def can_win(path: Path) -> bool:
    """True if the own goal is beside the Seeker, and not burnt."""
    return path.goal in NEAR[path.seeker] and (path.entries_left is None or path.entries_left[path.goal] > 0)


def list_goal_cells(seat: int) -> tuple[int, ...]:
    """Return the cells that can be a seat's goal."""
    return tuple(GRID.cell(GOAL_ROW[seat], column) for column in range(len(GRID.cols)))


def read_view(show: Show) -> Path:
    """Read what a seat knows from its view and the Seeker's trail in it."""
    state, you = show.view.state, cast("int", show.you)
    trail = [GRID.names.index(name) for name in cast("Sequence[str]", state["trail"])]
    goal = GRID.names.index(cast("Sequence[str]", state["goals"])[you - 1])
    rival_goals, own_goals = dict.fromkeys(list_goal_cells(3 - you), 1.0), set(list_goal_cells(you))
    mine = len(trail) % 2 == 1  # whose the first step of the trail is; the last one is the rival's
    for start, end in pairwise(trail):
        if mine:
            own_goals -= {*NEAR[start], end}
        else:
            rival_goals = {at: weight * weigh_step(at, start, end) for at, weight in rival_goals.items()}
        mine = not mine
    to_and_fro = len(trail) == TRAIL_SHOWN and len(set(trail)) <= TO_AND_FRO
    entered = cast("Sequence[int] | None", state["entered"])
    entries_left = None if entered is None else tuple(ENTRIES - times for times in entered)
    return Path(goal, trail[-1], rival_goals, frozenset(own_goals | {goal}), to_and_fro, entries_left)


def weigh_step(goal: int, start: int, end: int) -> float:
    """Return the factor for a goal's weight after a player's step."""
    if end == goal:
        return ENTERED
    if goal in NEAR[start]:
        return PASSED_UP
    return STEPS_AWAY if count_steps(end, goal) > count_steps(start, goal) else 1.0


def count_steps(start: int, end: int) -> int:
    """Return the number of moves between two cells."""
    (row_a, column_a), (row_b, column_b) = GRID.place(start), GRID.place(end)
    return max(abs(row_a - row_b), abs(column_a - column_b))


def move_line(cell: int) -> str:
    return f"MOVE {GRID.names[cell]}"


def value_moves(path: Path) -> dict[str, float]:
    """Estimate the chance to win with each move: 1 for a win, else less for danger and more for good prospects."""
    if path.entries_left is not None:
        values = value_steps(path.seeker, path.goal, path.rival_goals, path.entries_left)
        return {move_line(cell): chance for cell, chance in values.items()}
    danger, hope = measure_dangers(path), measure_prospects(path)
    return {
        move_line(cell): 1.0 if cell == path.goal else (1 - danger[cell]) * (EQUAL + HOPE * hope[cell])
        for cell in NEAR[path.seeker]
    }


def measure_dangers(path: Path) -> dict[int, float]:
    """Return for each cell beside the Seeker the probability that the rival's goal is beside that cell."""
    total = sum(path.rival_goals.values())
    return {
        cell: sum(weight for goal, weight in path.rival_goals.items() if goal in NEAR[cell]) / total
        for cell in sorted(NEAR[path.seeker])
    }


def choose_for_hard(path: Path) -> Chances:
    """Return the choice of `hard`: the least danger, then the best prospects, and sometimes a bluff."""
    danger, hope = measure_dangers(path), measure_prospects(path)
    least = min(danger.values())
    safe = {move_line(cell): hope[cell] for cell in danger if danger[cell] <= least}
    any_safe, promising = make_even([*safe]), choose_best(safe, EVEN)
    bluff = 1.0 if path.to_and_fro else BLUFFS
    return {line: bluff * any_safe[line] + (1 - bluff) * promising.get(line, 0.0) for line in safe}


def measure_prospects(path: Path) -> list[float]:
    """Return for each cell how surely and how soon a Seeker that is left there comes beside the own goal."""
    rows = {GRID.place(goal)[0] for goal in path.rival_goals}
    away = [[to for to in NEAR[cell] if all(abs(GRID.place(to)[0] - row) > 1 for row in rows)] for cell in CELLS]
    replies = [find_careful_steps(cell, path.own_goals) for cell in CELLS]
    worth = [0.0] * len(CELLS)
    for _ in range(SWEEPS):
        turn = [
            1.0 if path.goal in NEAR[cell] else PATIENCE * max((worth[to] for to in away[cell]), default=0.0)
            for cell in CELLS
        ]
        worth = [(1 - ERRS) * average(turn, replies[cell]) + ERRS * average(turn, NEAR[cell]) for cell in CELLS]
    return worth


def find_careful_steps(cell: int, goals: Collection[int]) -> list[int]:
    """Return the steps from a cell after which the fewest of these goals are beside the Seeker."""
    beside = {to: sum(goal in NEAR[to] for goal in goals) for to in NEAR[cell]}
    fewest = min(beside.values())
    return [to for to in beside if beside[to] == fewest]


def average(values: Sequence[float], cells: Collection[int]) -> float:
    return sum(values[cell] for cell in cells) / len(cells)
