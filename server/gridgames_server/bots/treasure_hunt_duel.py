"""Treasure Hunt Duel as the computer plays it."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import cast

from gridgames_protocol.messages import Level, Show
from gridgames_server.bots.policy import Chances, choose_best, softmax
from gridgames_server.games.treasure_hunt_duel import GRID

CELLS = tuple(range(len(GRID)))
DISTANCE = tuple(tuple(GRID.distance(a, b) for b in CELLS) for a in CELLS)
LATER = 0.8  # the chance that a rival with more than FEW cells left does not win within two turns
FEW = 5  # cells; a query in a corner leaves no more
DARES: dict[str, int] = {"medium": 2, "easy": 1}  # with more cells left, a level does not guess
WARMTH: dict[str, float] = {"medium": 0.15, "easy": 0.8}  # a warmer level chooses bad lines more often


def treasure_hunt_duel(show: Show, level: Level) -> Chances:
    """Return the probability of each line, by the cells that fit all own answers.

    Queries in two neighbouring corners determine the cell. So between two good players the first knows the cell on the
    third turn, and the second must guess on the second turn, which is right in 9 of 25 cases. The rival's queries are
    public: for each cell that still fits, the bot can count the cells that the rival would have left.
    `value_searches` turns that into the chance to win with each line.

    `hard` guesses if no query has a higher value. Its query is the one that separates the most cells. The choice does
    not depend on its own answers, because that would reveal them to the rival.

    `medium` and `easy` choose among the lines that a person would consider. The more a line loses, the rarer it is.
    """
    hunt = read_view(show)
    if level == "hard":
        return choose_for_hard(hunt)
    return softmax(value_sensible_lines(hunt, DARES[level]), WARMTH[level])


def value_lines(show: Show) -> dict[str, float]:
    """Return the chance to win with each line, the useful ones first, from what the seat knows."""
    hunt = read_view(show)
    cells = hunt.possible_cells()
    belief = dict.fromkeys(cells, 1 / len(cells))
    alive = estimate_turns(hunt, belief)
    values = value_searches(hunt)
    asked = [query for query in hunt.askable if query_line(query) not in values]
    values |= {query_line(query): value_query(query, belief, alive) for query in asked}
    return values | {guess_line(cell): value_guess(cell, belief, alive) for cell in CELLS if cell not in belief}


@dataclass(frozen=True, slots=True)
class Hunt:
    """What one seat knows: own answers, cells to query, both players' queries, wrong guesses, turns to skip."""

    hints: tuple[tuple[int, int], ...]
    askable: tuple[int, ...]
    rival_asked: tuple[int, ...]
    misses: frozenset[int]
    rival_owes: bool

    def possible_cells(self) -> tuple[int, ...]:
        """Return the cells where the treasure can be."""
        return find_possible_cells(self.hints, self.misses)


def find_possible_cells(hints: Iterable[tuple[int, int]], misses: frozenset[int]) -> tuple[int, ...]:
    """Return the cells that fit the answers and were not guessed yet."""
    cells = [cell for cell in CELLS if cell not in misses]
    for at, far in hints:
        distance = DISTANCE[at]
        cells = [cell for cell in cells if distance[cell] == far]
    return tuple(cells)


def read_view(show: Show) -> Hunt:
    """Read what a seat knows from its view."""
    state, at = show.view.state, GRID.cells.__getitem__
    queried = cast("Mapping[str, int]", state["queried"])
    return Hunt(
        hints=tuple((at(name), far) for name, far in cast("Mapping[str, int]", state["hints"]).items()),
        askable=tuple(cell for cell in CELLS if GRID.names[cell] not in queried),
        rival_asked=tuple(at(name) for name, seat in queried.items() if seat != show.you),
        misses=frozenset(at(name) for name in cast("Sequence[str]", state["guessed"])),
        rival_owes=any(seat != show.you for seat in cast("Sequence[int]", state["owes"])),
    )


def query_line(cell: int) -> str:
    return f"QUERY {GRID.names[cell]}"


def guess_line(cell: int) -> str:
    return f"GUESS {GRID.names[cell]}"


# What a line is worth


def value_searches(hunt: Hunt) -> dict[str, float]:
    """Return the chance to win with each useful line, against a rival who guesses once the cell is certain.

    Three own turns are computed.
    """
    cells = hunt.possible_cells()
    belief = dict.fromkeys(cells, 1 / len(cells))
    alive = estimate_turns(hunt, belief)
    values = {guess_line(cell): value_guess(cell, belief, alive) for cell in belief}
    if len(belief) > 1:
        values |= {query_line(query): value_query(query, belief, alive) for query in hunt.askable}
    return values


Belief = Mapping[int, float]  # the probability of each cell; their sum is 1
Alive = Mapping[int, tuple[float, float]]  # cell -> the probabilities of a next turn, and of one after it


def estimate_turns(hunt: Hunt, cells: Iterable[int]) -> Alive:
    """Return for each cell the probabilities of a next own turn, and of one after it."""
    alive: dict[int, tuple[float, float]] = {}
    for cell in cells:
        left = find_rival_cells(hunt.rival_asked, hunt.misses, cell)
        next_turn = 0.0 if may_know(hunt, cell) else estimate_no_win(left, may_be_certain(hunt, left))
        if hunt.rival_owes:
            alive[cell] = 1.0, next_turn
        else:
            alive[cell] = next_turn, LATER * next_turn if len(left) > FEW else 0.0
    return alive


@lru_cache(4_096)
def find_rival_cells(asked: tuple[int, ...], misses: frozenset[int], treasure: int) -> tuple[int, ...]:
    """Return the cells that the rival has left after these queries, if this is the treasure's cell."""
    return find_possible_cells(((at, DISTANCE[at][treasure]) for at in asked), misses)


def may_know(hunt: Hunt, treasure: int) -> bool:
    """True if the rival could have chosen a last query that separates the few cells that they had left.

    The query that they did choose is ignored: a rival who knew of it would choose one that looks harmless.
    """
    before = hunt.rival_asked[:-1]
    return bool(before) and len(find_rival_cells(before, hunt.misses, treasure)) <= FEW


def may_be_certain(hunt: Hunt, cells: Sequence[int]) -> bool:
    """True if a rival with these cells left must expect that the bot knows the cell."""
    asked = tuple(at for at, _ in hunt.hints)
    certain = sum(len(find_rival_cells(asked, hunt.misses, cell)) == 1 for cell in cells)
    return 2 * certain > len(cells)


def estimate_no_win(left: Sequence[int], hurried: bool) -> float:
    """Return the probability that a rival with these cells left does not win on the next turn."""
    if len(left) == 1:
        return 0.0
    return 1 - 1 / len(left) if hurried else 1.0


def value_guess(guess: int, belief: Belief, alive: Alive) -> float:
    """Return the chance to win with a guess. A wrong guess gives the rival two turns."""
    later = (likely * alive[cell][1] for cell, likely in belief.items() if cell != guess)
    return belief.get(guess, 0.0) + max(later, default=0.0)


def value_query(query: int, belief: Belief, alive: Alive) -> float:
    """Return the chance to win with a query. Each answer leaves some cells, to guess among or to separate later."""
    distance = DISTANCE[query]
    first: dict[int, float] = {}
    later: dict[int, float] = {}
    for cell, likely in belief.items():
        next_turn, after_it = alive[cell]
        far = distance[cell]
        first[far] = max(first.get(far, 0.0), likely * next_turn)
        later[far] = later.get(far, 0.0) + likely * after_it
    return sum(max(chance, later[far]) for far, chance in first.items())


# The levels


def choose_for_hard(hunt: Hunt) -> Chances:
    """Return the choice of `hard`."""
    values = value_searches(hunt)
    guesses = {line: chance for line, chance in values.items() if line.startswith("GUESS")}
    queries = list_public_queries(hunt)
    if len(guesses) == 1 or not queries or max(map(values.__getitem__, queries)) <= max(guesses.values()):
        return choose_best(guesses)
    return choose_best(dict.fromkeys(queries, 0.0))


def list_public_queries(hunt: Hunt) -> list[str]:
    """Return the queries that, with those asked before, separate the most cells. They do not depend on the answers."""
    asked = [at for at, _ in hunt.hints]
    cells = [cell for cell in CELLS if cell not in hunt.misses]
    before = [tuple(DISTANCE[at][cell] for at in asked) for cell in cells]
    kinds = {
        query: len({(told, DISTANCE[query][cell]) for told, cell in zip(before, cells, strict=True)})
        for query in hunt.askable
    }
    most = max(kinds.values(), default=0)
    return [query_line(query) for query, count in kinds.items() if count == most]


def value_sensible_lines(hunt: Hunt, dares: int) -> dict[str, float]:
    """Return the values of the lines that a person would consider: no blind guess, no query whose answer is known."""
    cells, values = hunt.possible_cells(), value_searches(hunt)
    if len(cells) == 1 or not hunt.askable:
        return {guess_line(cell): values[guess_line(cell)] for cell in cells}
    useful = {query_line(query) for query in hunt.askable if len({DISTANCE[query][cell] for cell in cells}) > 1}
    guesses = {guess_line(cell) for cell in cells if len(cells) <= dares or not useful}
    return {line: chance for line, chance in values.items() if line in useful | guesses}
