"""Secret Paths in the variant `burning`: a search over the steps that are left.

Every step uses up an entry of a cell, and a player who can't move loses. So a search often reaches the end of the game.
The rival's goal is not known: each of the five has a weight by the rival's steps so far.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from gridgames_server.games.secret_paths import GRID

NEAR = tuple(tuple(sorted(GRID.neighbours(cell))) for cell in range(len(GRID)))
VISITS = 2_500  # positions to visit for one move
BRANCHING = 6  # a search that is one step deeper visits at most about six times as many positions
DEEPEST = 14  # steps
ERRS = 0.2  # how often the rival is expected to take a random step
UNDECIDED = 0.5  # the value of a position at the end of the search that has no winner


def value_steps(
    seeker: int, goal: int, rival_goals: Mapping[int, float], entries_left: Sequence[int]
) -> dict[int, float]:
    """Return the chance to win with each step from the Seeker's cell. The depth depends on VISITS."""
    total = sum(rival_goals.values())
    search = Search(goal, {cell: weight / total for cell, weight in rival_goals.items()}, list(entries_left))
    steps = search.find_steps(seeker)
    values: dict[int, float] = {}
    for depth in range(1, DEEPEST):
        before = search.visits
        values = {cell: 1.0 if cell == goal else search.after_own_step(cell, depth) for cell in steps}
        if search.visits + BRANCHING * (search.visits - before) > VISITS:
            break
    return values


@dataclass(slots=True)
class Search:
    """A depth-first search. A step takes an entry from `left`, and it is put back afterwards."""

    goal: int
    rival_goals: Mapping[int, float]  # the probability of each; their sum is 1
    left: list[int]  # entries that each cell has left
    visits: int = 0

    def find_steps(self, at: int) -> list[int]:
        return [cell for cell in NEAR[at] if self.left[cell]]

    def after_own_step(self, at: int, depth: int) -> float:
        """Return the chance to win after an own step. The rival may be unable to move, reach a goal, or step on."""
        self.visits += 1
        self.left[at] -= 1
        steps = self.find_steps(at)
        value = 1.0
        if steps:
            danger = sum([self.rival_goals.get(cell, 0.0) for cell in steps])
            value = (1 - danger) * (self.rival_turn(steps, depth - 1) if depth else UNDECIDED)
        self.left[at] += 1
        return value

    def rival_turn(self, steps: Sequence[int], depth: int) -> float:
        """Return the chance to win before the rival's step, which is mostly their best one."""
        values = [self.own_turn(cell, depth) for cell in steps]
        return (1 - ERRS) * min(values) + ERRS * sum(values) / len(values)

    def own_turn(self, at: int, depth: int) -> float:
        """Return the chance to win after the rival's step."""
        self.visits += 1
        self.left[at] -= 1
        steps = self.find_steps(at)
        if not steps:
            value = 0.0
        elif self.goal in steps:
            value = 1.0
        elif depth <= 0:
            value = UNDECIDED
        else:
            value = max([self.after_own_step(cell, depth - 1) for cell in steps])
        self.left[at] += 1
        return value
