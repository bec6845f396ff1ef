"""The lines that histories are made of, each with its meaning, so that no test has to ask the product what was said.

A cell is (row, column), both counted from 1. The spellings differ on purpose.
"""

from collections.abc import Mapping
from itertools import product
from random import Random
from typing import NamedTuple

Cell = tuple[int, int]


class Utterance(NamedTuple):
    """What a line does, and where or how much."""

    verb: str
    what: Cell | int | None = None


FIVE = range(1, 6)
CELLS: tuple[Cell, ...] = tuple(product(FIVE, FIVE))
POSITIONS = range(1, 8)


def letter(number: int) -> str:
    """A row or column as the games with letters call it."""
    return " ABCDE"[number]


def steps(a: Cell, b: Cell) -> int:
    """Steps from one cell to the other, along rows and columns."""
    return abs(a[0] - b[0]) + abs(a[1] - b[1])


def touch(a: Cell, b: Cell) -> bool:
    """True for a cell and itself or one of the up to eight around it."""
    return abs(a[0] - b[0]) <= 1 and abs(a[1] - b[1]) <= 1


def spelled(verb: str, *forms: str) -> dict[str, Utterance]:
    """A verb with every cell, in every form: {r} {c} are the numbers, {R} {C} the letters."""
    return {
        form.format(r=row, c=col, R=letter(row), C=letter(col)): Utterance(verb, (row, col))
        for form in forms
        for row, col in CELLS
    }


PHRASES: Mapping[str, Mapping[str, Utterance]] = {
    "treasure-hunt-duel": {
        **spelled("QUERY", "QUERY {r}{C}", "query {C}{r}", "  Query ( {r} , {C} ) "),
        **spelled("GUESS", "GUESS {r}{C}"),
    },
    "grid-hunt": {
        **spelled("HIDE", "HIDE {r} {c}"),
        **spelled("SCAN", "scan ({r},{c})"),
        **spelled("DIG", "DIG {r}{c}"),
    },
    "grid-conquest": spelled("CLAIM", "{R}{c}", "claim {c}{R}"),
    "quantum-duel": {
        "STAY": Utterance("STAY"),
        " stay ": Utterance("STAY"),
        **{f"MOVE {n}": Utterance("MOVE", n) for n in POSITIONS},
        **{f"TUNNEL {n}": Utterance("TUNNEL", n) for n in POSITIONS},
        **{f"{verb} {n}": Utterance("OBSERVE", n) for verb in ("OBSERVE", "observe") for n in POSITIONS},
    },
    "secret-paths": {
        **{f"GOAL {row} {col}": Utterance("GOAL", (row, col)) for row in (1, 5) for col in FIVE},
        **spelled("MOVE", "move to {r},{c}", "MOVE {r} {c}"),
    },
    "pebbles": {
        **{f"HOLD {n}": Utterance("HOLD", n) for n in range(1, 5)},
        **{f"GUESS {n}": Utterance("GUESS", n) for n in range(1, 7)},
    },
}

SETUP_VERBS = frozenset({"HIDE", "GOAL", "HOLD"})  # once for each player, before everything else

# Lines that no game plays. "MOVE 0 3" is a foul in Secret Paths, which counts and is no move.
NONSENSE = (
    "",
    "xyzzy",
    "MOVE",
    "MOVE 0 3",
    "DIG 9 9",
    "QUERY 9Z",
    "OBSERVE 0",
    "HIDE here",
    "12345",
    "SCÄN 1 1",
    "\x1b[1m",
)


def draws(slug: str, chance: Random) -> dict[str, int]:
    """What the server itself draws in a game, by the labels of its draws."""
    if slug == "treasure-hunt-duel":
        return {"treasure": chance.randrange(25)}
    if slug == "grid-conquest":
        return {f"value of {letter(row)}{col}": chance.randrange(5) for row, col in CELLS}
    return {}
