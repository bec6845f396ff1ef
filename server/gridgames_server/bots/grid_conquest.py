"""Grid Conquest as the computer plays it."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from itertools import product
from math import comb
from typing import cast

from gridgames_protocol.messages import Level, Show
from gridgames_server.bots.policy import Chances, choose_best, make_even, softmax
from gridgames_server.games.grid_conquest import GOAL, GRID

VALUES = (1, 2, 3, 4, 5)
MANY = 3  # visible fives, or fours; more than that count as three
MAY_OPEN = 2  # hidden cells that a careful player's claim opens on average
DOES_OPEN = 3  # hidden cells that a careless player's claim opens on average
SKILL = 0.6  # the assumed probability that the rival looks ahead
WARMTH: dict[str, float] = {"medium": 0.1, "easy": 0.18}  # a warmer level chooses bad claims more often

Sight = int  # the numbers of visible fives and fours, encoded by `encode_sight`
Odds = tuple[float, ...]  # the chance to win for each Sight


def grid_conquest(show: Show, level: Level) -> Chances:
    """Return the probability of each claim, from its points and from the fives and fours that it opens for the rival.

    A claim opens cells, and the rival has the first choice of them. `value_claims` looks ahead to the end in a simple
    model of the game: the points that each player needs, and the visible fives and fours. In the model a claim takes a
    five, a four or a three and opens two cells of unknown value. The chances are computed backwards from the end. On
    the real board every cell is tried, with every value that it and its hidden neighbours may have. So `hard` begins in
    a corner. It takes the four that opens less, but the five that opens more if the rival will take another five first.

    The rival of the model looks ahead with probability SKILL, and otherwise claims any cell. Waiting moves win against
    the first kind of rival, and lose time against the second.

    `medium` and `easy` use the same values: the more a claim loses, the rarer it is. Every level takes a visible win.
    """
    board = read_view(show)
    wins = [claim_line(cell) for cell, points in board.known.items() if points >= board.need]
    if wins:
        return make_even(wins)
    return choose_best(value_claims(board)) if level == "hard" else softmax(value_claims(board), WARMTH[level])


def value_lines(show: Show) -> dict[str, float]:
    """Return the chance to win with each useful line, from what the seat knows."""
    return value_claims(read_view(show))


def claim_line(cell: int) -> str:
    return f"CLAIM {GRID.names[cell]}"


@dataclass(frozen=True, slots=True)
class VisibleBoard:
    """The board as both players see it, and the points that the player to move and the rival need."""

    known: Mapping[int, int]  # visible values of unclaimed cells
    hidden: frozenset[int]
    need: int
    rival_needs: int

    @property
    def claimable(self) -> list[int]:
        return sorted({*self.known, *self.hidden})


def read_view(show: Show) -> VisibleBoard:
    """Read the board from a view."""
    state, at = show.view.state, GRID.names.index
    owned = {at(name) for name in cast("Mapping[str, int]", state["owners"])}
    values = {at(name): value for name, value in cast("Mapping[str, int]", state["values"]).items()}
    scores, me = cast("Sequence[int]", state["scores"]), (show.you or 1) - 1
    return VisibleBoard(
        known={cell: value for cell, value in values.items() if cell not in owned},
        hidden=frozenset(cell for cell in range(len(GRID)) if cell not in values),
        need=GOAL - scores[me],
        rival_needs=GOAL - scores[1 - me],
    )


# The model of the game


def encode_sight(fives: int, fours: int) -> Sight:
    """Encode the numbers of visible fives and fours as one number."""
    return (MANY + 1) * min(fives, MANY) + min(fours, MANY)


SIGHTS = tuple((fives, fours) for fives in range(MANY + 1) for fours in range(MANY + 1))


@cache
def open_cells(hidden: int, before: Sight) -> tuple[tuple[float, Sight], ...]:
    """Return every Sight after some hidden cells are opened, with its probability."""
    chances: dict[Sight, float] = {}
    fives, fours = SIGHTS[before]
    for new in range(hidden + 1):
        for more in range(hidden - new + 1):
            ways = comb(hidden, new) * comb(hidden - new, more) * 3 ** (hidden - new - more)
            after = encode_sight(fives + new, fours + more)
            chances[after] = chances.get(after, 0.0) + ways / 5**hidden
    return tuple((chance, after) for after, chance in chances.items())


def average_after_opening(odds: Odds, hidden: int, before: Sight) -> float:
    """Return the expected chance to win after some hidden cells are opened."""
    return sum(chance * odds[after] for chance, after in open_cells(hidden, before))


def list_claimable_values(before: Sight) -> list[tuple[int, Sight]]:
    """Return the values that can be claimed in the model, with the Sight after it. A three is always possible."""
    fives, fours = SIGHTS[before]
    five = [(5, encode_sight(fives - 1, fours))] if fives else []
    four = [(4, encode_sight(fives, fours - 1))] if fours else []
    return [*five, *four, (3, before)]


@cache
def solve_against_careful(need: int, rival_needs: int) -> Odds:
    """Return the chances of the player to move if both look ahead."""
    return tuple(
        max(
            1.0
            if value >= need
            else 1 - average_after_opening(solve_against_careful(rival_needs, need - value), MAY_OPEN, after)
            for value, after in list_claimable_values(before)
        )
        for before in range(len(SIGHTS))
    )


@cache
def solve_against_careless(need: int, rival_needs: int) -> Odds:
    """Return the chances of the player to move if the rival claims any cell."""
    return tuple(
        max(
            1.0
            if value >= need
            else average_after_opening(solve_careless_turn(need - value, rival_needs), MAY_OPEN, after)
            for value, after in list_claimable_values(before)
        )
        for before in range(len(SIGHTS))
    )


@cache
def solve_careless_turn(need: int, rival_needs: int) -> Odds:
    """Return the same chances if that rival is to move."""
    goes_on = [solve_against_careless(need, rival_needs - value) for value in VALUES if value < rival_needs]
    return tuple(
        sum(average_after_opening(odds, DOES_OPEN, before) for odds in goes_on) / len(VALUES)
        for before in range(len(SIGHTS))
    )


@cache
def fill_caches() -> None:
    """Fill the caches, from the shortest race to the longest, so that no call nests deeply."""
    for needs in product(range(1, GOAL + 1), repeat=2):
        solve_against_careful(*needs), solve_careless_turn(*needs)


# What a claim is worth


def value_claims(board: VisibleBoard) -> dict[str, float]:
    """Return the chance to win with each claim."""
    fill_caches()
    return {claim_line(cell): value_claim(board, cell) for cell in board.claimable}


def value_claim(board: VisibleBoard, cell: int) -> float:
    """Return the chance to win after claiming a cell."""
    if cell in board.hidden:
        return sum(value_known_claim(board, cell, points) for points in VALUES) / len(VALUES)
    return value_known_claim(board, cell, board.known[cell])


def value_known_claim(board: VisibleBoard, cell: int, value: int) -> float:
    """Return the chance to win after claiming a cell with this value."""
    need = board.need - value
    if need <= 0:
        return 1.0
    left = [known for other, known in board.known.items() if other != cell]
    in_sight, opens = encode_sight(left.count(5), left.count(4)), len(board.hidden.intersection(GRID.neighbours(cell)))
    return value_race(need, board.rival_needs, in_sight, opens)


@lru_cache(50_000)
def value_race(need: int, rival_needs: int, in_sight: Sight, opens: int) -> float:
    """Return the chance to win if the rival is to move and `opens` hidden cells were opened."""
    careful = 1 - average_after_opening(solve_against_careful(rival_needs, need), opens, in_sight)
    careless = average_after_opening(solve_careless_turn(need, rival_needs), opens, in_sight)
    return SKILL * careful + (1 - SKILL) * careless
