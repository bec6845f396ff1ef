"""Grid Conquest as the computer plays it."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import product
from math import comb
from typing import cast

from gridgames_protocol.messages import Level, Show
from gridgames_server.bots.policy import happens, pick
from gridgames_server.games.game import Chance
from gridgames_server.games.grid_conquest import GOAL, GRID

VALUES = (1, 2, 3, 4, 5)
MANY = 3  # fives, or fours, in sight: more make no difference
MAY_OPEN = 2  # hidden cells that a claim of somebody who takes care opens, on average
DOES_OPEN = 3  # and one of somebody who does not
SKILL = 0.6  # how far the rival is trusted to play well

Sight = int  # how many fives and fours are in sight, as one number: see `sight`
Odds = tuple[float, ...]  # a chance for each sight


def grid_conquest(show: Show, level: Level, chance: Chance) -> str:
    """Claim a cell, by its points now against the fives and fours that it opens for the other.

    Whoever takes a five opens cells, and the rival has the first choice of them. `hard` looks ahead through the whole
    race in an outline of the game: the points that each still needs, and the fives and fours in sight. There a claim
    takes a five, a four or a three and opens two cells of unknown value, and the chances follow backwards from the end.
    On the real board it tries each cell, with every value that a hidden one may have and all that its hidden neighbours
    may turn out to be, and takes the one with the best chances in the race from there. So it opens the game in a
    corner, takes the four that opens less, but the five that opens more if the rival will take another five first.

    The race is weighed against a rival who looks ahead as well and, for two parts in five, against one who claims
    anywhere: waiting moves, which win against the first, lose time against the second.

    `medium` takes the highest value in sight, if it is a four or a five, or tries a hidden cell, and does not look at
    what that opens; at times it claims any cell. `easy` claims any cell half of the time, else the highest value in
    sight.
    """
    board = seen(show)
    if level == "hard":
        cell = think(board, chance, show.rev)
    elif level == "medium":
        cell = grab(board, chance, show.rev)
    else:
        cell = wander(board, chance, show.rev)
    return f"CLAIM {GRID.names[cell]}"


@dataclass(frozen=True, slots=True)
class Sighted:
    """The board as both players see it, and what each still needs: the one to move, and the rival."""

    known: Mapping[int, int]  # values in sight, of cells that can be claimed
    hidden: frozenset[int]
    need: int
    rival_needs: int

    @property
    def claimable(self) -> list[int]:
        return sorted({*self.known, *self.hidden})

    def best_in_sight(self) -> list[int]:
        """The cells of the highest value in sight."""
        top = max(self.known.values(), default=0)
        return [cell for cell, value in self.known.items() if value == top]


def seen(show: Show) -> Sighted:
    """What the view tells."""
    state, at = show.view.state, GRID.names.index
    owned = {at(name) for name in cast("Mapping[str, int]", state["owners"])}
    values = {at(name): value for name, value in cast("Mapping[str, int]", state["values"]).items()}
    scores, me = cast("Sequence[int]", state["scores"]), (show.you or 1) - 1
    return Sighted(
        known={cell: value for cell, value in values.items() if cell not in owned},
        hidden=frozenset(cell for cell in range(len(GRID)) if cell not in values),
        need=GOAL - scores[me],
        rival_needs=GOAL - scores[1 - me],
    )


# The outline of the race


def sight(fives: int, fours: int) -> Sight:
    """How many fives and fours are in sight, as one number."""
    return (MANY + 1) * min(fives, MANY) + min(fours, MANY)


SIGHTS = tuple((fives, fours) for fives in range(MANY + 1) for fours in range(MANY + 1))


@cache
def opened(hidden: int, before: Sight) -> tuple[tuple[float, Sight], ...]:
    """What may be in sight after so many hidden cells are opened, each with its chance."""
    chances: dict[Sight, float] = {}
    fives, fours = SIGHTS[before]
    for new in range(hidden + 1):
        for more in range(hidden - new + 1):
            ways = comb(hidden, new) * comb(hidden - new, more) * 3 ** (hidden - new - more)
            after = sight(fives + new, fours + more)
            chances[after] = chances.get(after, 0.0) + ways / 5**hidden
    return tuple((chance, after) for after, chance in chances.items())


def expected(odds: Odds, hidden: int, before: Sight) -> float:
    """The chance after so many hidden cells are opened."""
    return sum(chance * odds[after] for chance, after in opened(hidden, before))


def takes(before: Sight) -> list[tuple[int, Sight]]:
    """The values that can be taken in the outline, where a three is always at hand, and what is in sight then."""
    fives, fours = SIGHTS[before]
    five, four = [(5, sight(fives - 1, fours))] * (fives > 0), [(4, sight(fives, fours - 1))] * (fours > 0)
    return [*five, *four, (3, before)]


@cache
def against_sharp(need: int, rival_needs: int) -> Odds:
    """The chances of the one to move when both look ahead."""
    return tuple(
        max(
            1.0 if value >= need else 1 - expected(against_sharp(rival_needs, need - value), MAY_OPEN, after)
            for value, after in takes(before)
        )
        for before in range(len(SIGHTS))
    )


@cache
def against_careless(need: int, rival_needs: int) -> Odds:
    """The chances of the one to move when the rival claims anywhere."""
    return tuple(
        max(
            1.0 if value >= need else expected(careless_turn(need - value, rival_needs), MAY_OPEN, after)
            for value, after in takes(before)
        )
        for before in range(len(SIGHTS))
    )


@cache
def careless_turn(need: int, rival_needs: int) -> Odds:
    """The same when that rival is to move."""
    goes_on = [against_careless(need, rival_needs - value) for value in VALUES if value < rival_needs]
    return tuple(
        sum(expected(odds, DOES_OPEN, before) for odds in goes_on) / len(VALUES) for before in range(len(SIGHTS))
    )


for _needs in product(range(1, GOAL + 1), repeat=2):  # thought through once, so that no move waits for it
    against_sharp(*_needs), careless_turn(*_needs)


# The levels


def think(board: Sighted, chance: Chance, rev: int) -> int:
    """The hard player: the cell with the best chances in the race from there."""
    worth = {cell: worth_of(board, cell) for cell in board.claimable}
    top = max(worth.values())
    return pick(chance, [cell for cell, value in worth.items() if value > top - 1e-9], f"claim {rev}")


def worth_of(board: Sighted, cell: int) -> float:
    """The chance to win after claiming a cell."""
    if cell in board.hidden:
        return sum(chance_after(board, cell, value) for value in VALUES) / len(VALUES)
    return chance_after(board, cell, board.known[cell])


def chance_after(board: Sighted, cell: int, value: int) -> float:
    """The chance to win after claiming a cell, if that is its value."""
    need = board.need - value
    if need <= 0:
        return 1.0
    left = [known for other, known in board.known.items() if other != cell]
    in_sight, opens = sight(left.count(5), left.count(4)), len(board.hidden.intersection(GRID.neighbours(cell)))
    sharp = 1 - expected(against_sharp(board.rival_needs, need), opens, in_sight)
    careless = expected(careless_turn(need, board.rival_needs), opens, in_sight)
    return SKILL * sharp + (1 - SKILL) * careless


def grab(board: Sighted, chance: Chance, rev: int) -> int:
    """The medium player: a high value in sight, else something new, and a lapse now and then."""
    if happens(chance, 25, f"lapse {rev}"):
        return pick(chance, board.claimable, f"any {rev}")
    if board.hidden and max(board.known.values(), default=0) < min(4, board.need):
        return pick(chance, sorted(board.hidden), f"new {rev}")
    return pick(chance, board.best_in_sight(), f"claim {rev}")


def wander(board: Sighted, chance: Chance, rev: int) -> int:
    """The easy player: any cell, or the best in sight."""
    if not board.known or happens(chance, 50, f"wander {rev}"):
        return pick(chance, board.claimable, f"any {rev}")
    return pick(chance, board.best_in_sight(), f"claim {rev}")
