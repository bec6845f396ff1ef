"""Treasure Hunt Duel as the computer plays it."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import cast

from gridgames_protocol.messages import Level, Show
from gridgames_server.bots.policy import happens, pick
from gridgames_server.games.game import Chance
from gridgames_server.games.treasure_hunt_duel import GRID

CELLS = tuple(range(len(GRID)))
DISTANCE = tuple(tuple(GRID.distance(a, b) for b in CELLS) for a in CELLS)
SHARP = 0.9  # how surely a rival who can know the cell is expected to name it
LET_GO = 0.4  # what is left of the belief in a cell that the rival could have named before, and did not


def treasure_hunt_duel(show: Show, level: Level, chance: Chance) -> str:
    """Query or guess, by the cells that fit all own hints.

    Two queries in neighbouring corners tell the cell for certain, and a corner alone leaves five at most: so between
    two who reason, the one who moves first knows on the third turn, and the other must guess on the second, right in
    nine of 25 cases. `hard` finds such turns by counting. Which cells the rival has asked about is public, so for each
    cell that still fits one can tell whether the rival would know it by now. A query is worth the number of answers
    after which a guess could still come in time, an answer that the rival knows as well counting a tenth; a guess now
    is worth one, for a wrong one gives the rival two turns. A rival who owes a turn can't be in time, so nothing is
    guessed then that a query can tell.

    `medium` looks at three queries, takes the best, guesses one of two, and at times asks without thinking. `easy` asks
    anywhere, remembers its last two hints, and guesses too soon now and then.
    """
    hunt = seen(show)
    if level == "hard":
        return think(hunt, chance, show.rev)
    if level == "medium":
        return look(hunt, chance, show.rev)
    return wander(hunt, chance, show.rev)


@dataclass(frozen=True, slots=True)
class Hunt:
    """What one seat knows: own hints, cells that may be asked, the rival's queries in order, wrong guesses, debts."""

    hints: tuple[tuple[int, int], ...]
    askable: tuple[int, ...]
    rival_asked: tuple[int, ...]
    misses: frozenset[int]
    rival_owes: bool

    def fitting(self, hints: Iterable[tuple[int, int]]) -> list[int]:
        """The cells that fit some hints and were not guessed yet."""
        hints = tuple(hints)
        return [
            cell for cell in CELLS if cell not in self.misses and all(DISTANCE[at][cell] == far for at, far in hints)
        ]

    def rival_knows(self, treasure: int, asked: Sequence[int]) -> bool:
        """True if a rival who asked there would be left with this treasure alone."""
        return len(self.fitting((at, DISTANCE[at][treasure]) for at in asked)) == 1


def seen(show: Show) -> Hunt:
    """What a seat's view tells."""
    state, at = show.view.state, GRID.names.index
    queried = cast("Mapping[str, int]", state["queried"])
    return Hunt(
        hints=tuple((at(name), far) for name, far in cast("Mapping[str, int]", state["hints"]).items()),
        askable=tuple(
            at(name) for action in show.view.actions if action.verb == "QUERY" for name in action.cells or ()
        ),
        rival_asked=tuple(at(name) for name, seat in queried.items() if seat != show.you),
        misses=frozenset(at(name) for name in cast("Sequence[str]", state["guessed"])),
        rival_owes=any(seat != show.you for seat in cast("Sequence[int]", state["owes"])),
    )


def ask(cell: int) -> str:
    return f"QUERY {GRID.names[cell]}"


def name(cell: int) -> str:
    return f"GUESS {GRID.names[cell]}"


def best(chance: Chance, worth: Mapping[int, float], label: str) -> int:
    """One of the cells that are worth most."""
    top = max(worth.values())
    return pick(chance, [cell for cell, value in worth.items() if value > top - 1e-9], label)


def think(hunt: Hunt, chance: Chance, rev: int) -> str:
    """The hard hunter: guess when no query leads to a better chance."""
    cells = hunt.fitting(hunt.hints)
    belief = {cell: LET_GO if hunt.rival_knows(cell, hunt.rival_asked[:-1]) else 1.0 for cell in cells}
    late = 0.0 if hunt.rival_owes else SHARP
    in_time = {cell: weight * (1 - late * hunt.rival_knows(cell, hunt.rival_asked)) for cell, weight in belief.items()}
    worth = {query: in_time_after(query, in_time) for query in hunt.askable}
    if len(cells) == 1 or not worth or max(worth.values()) <= max(belief.values()):
        return name(best(chance, belief, f"guess {rev}"))
    return ask(best(chance, worth, f"query {rev}"))


def in_time_after(query: int, in_time: Mapping[int, float]) -> float:
    """The chance, times the number of cells, of a right guess after a query: the best cell of each answer."""
    answers: dict[int, float] = {}
    for cell, weight in in_time.items():
        far = DISTANCE[query][cell]
        answers[far] = max(answers.get(far, 0.0), weight)
    return sum(answers.values())


def look(hunt: Hunt, chance: Chance, rev: int) -> str:
    """The medium hunter: a fair query, a guess at one of two, and a lapse now and then."""
    cells = hunt.fitting(hunt.hints)
    if len(cells) <= 2 or not hunt.askable:
        return name(pick(chance, cells, f"guess {rev}"))
    looked_at = [pick(chance, hunt.askable, f"look {rev} {number}") for number in range(3)]
    if happens(chance, 25, f"lapse {rev}"):
        return ask(looked_at[0])
    even = dict.fromkeys(cells, 1.0)
    return ask(best(chance, {query: in_time_after(query, even) for query in looked_at}, f"query {rev}"))


def wander(hunt: Hunt, chance: Chance, rev: int) -> str:
    """The easy hunter: any query, a short memory, and little patience."""
    cells = hunt.fitting(hunt.hints[-2:])
    if len(cells) == 1 or not hunt.askable or happens(chance, 15, f"patience {rev}"):
        return name(pick(chance, cells, f"guess {rev}"))
    return ask(pick(chance, hunt.askable, f"query {rev}"))
