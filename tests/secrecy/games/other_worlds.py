"""The other worlds: for a history and a reader, all that could have been instead without the reader's noticing.

A world differs from the history in what the reader may not know, and lasts until the reader would be told the
difference. Everything is worked out here from the rules and the lines alone; no view, no state and no distance of the
product is asked, so that a leak can't talk itself out of the worlds that would show it.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import partial
from itertools import islice, product
from random import Random
from typing import NamedTuple, TypeVar

from gridgames_server.games.seats import Reader, other
from tests.secrecy.games.histories import History
from tests.secrecy.games.phrases import CELLS, FIVE, POSITIONS, Cell, Utterance, letter, steps, touch

T = TypeVar("T")

BEGINNINGS = 6  # of a duel for which other walks are sought; as many as a usual history asks for, and one more
SAMPLE = 200  # walks through a whole duel, where it has more than that many


class World(NamedTuple):
    """What was drawn, what was typed instead of some lines of the history, and how many of its lines it shares."""

    draws: Mapping[str, int]
    typed: Mapping[int, str]
    until: int


Choice = Cell | int
Chosen = Mapping[int, Choice]  # a secret for each seat that has chosen one
Tells = Callable[
    [Reader, int, Utterance, Chosen, Chosen], bool
]  # does a seat's event tell the reader two choices apart?


def until_told(history: History, told: Callable[[int, Utterance], bool]) -> int:
    """How many lines there are before the first event that is told."""
    found = (index for index, seat, move in history.moves if told(seat, move))
    return next(found, len(history.attempts))


# Treasure Hunt Duel ---------------------------------------------------------------------------------------------------


def other_treasures(history: History, reader: Reader, chance: Random) -> Iterator[World]:
    """The treasure elsewhere, until an own distance would differ or somebody's wrong guess would be right."""
    true = CELLS[history.draws["treasure"]]

    def told(treasure: Cell, seat: int, move: Utterance) -> bool:
        if move.verb == "GUESS":
            return move.what == treasure
        return seat == reader and steps(move.what, treasure) != steps(move.what, true)

    for index in shuffled(range(len(CELLS)), chance):
        if CELLS[index] != true:
            yield World({"treasure": index}, {}, until_told(history, partial(told, CELLS[index])))


# The games whose players each choose one secret -----------------------------------------------------------------------


def other_choices(
    verb: str,
    choices: Callable[[int], Iterable[Choice]],
    spell: Callable[[Choice], str],
    tells: Tells,
) -> Callable[[History, Reader, Random], Iterator[World]]:
    """The worlds in which those who are not the reader have chosen something else."""

    def recast(history: History, reader: Reader, chance: Random) -> Iterator[World]:
        lines = {seat: index for index, seat, move in history.moves if move.verb == verb}
        true = {seat: move.what for _, seat, move in history.moves if move.verb == verb}
        hidden = [seat for seat in lines if seat != reader]
        for instead in shuffled(product(*map(choices, hidden)), chance):
            chosen = true | dict(zip(hidden, instead, strict=True))
            if chosen != true:
                typed = {lines[seat]: spell(chosen[seat]) for seat in hidden}
                told = until_told(history, lambda seat, move, chosen=chosen: tells(reader, seat, move, true, chosen))
                yield World({}, typed, told)

    return recast


def search_tells(reader: Reader, seat: int, move: Utterance, true: Chosen, chosen: Chosen) -> bool:
    """Grid Hunt: everybody sees that a dig missed; only the one who scans hears the distance."""
    treasure = chosen.get(other(seat))
    if move.verb == "SCAN":
        return seat == reader and steps(move.what, treasure) != steps(move.what, true[other(seat)])
    return move.verb == "DIG" and move.what == treasure


def step_tells(reader: Reader, seat: int, move: Utterance, true: Chosen, chosen: Chosen) -> bool:
    """Secret Paths: everybody sees that a mover has not won."""
    return move.verb == "MOVE" and move.what == chosen[seat]


def guess_tells(reader: Reader, seat: int, move: Utterance, true: Chosen, chosen: Chosen) -> bool:
    """Pebbles: everybody sees that a guess was wrong."""
    return move.verb == "GUESS" and move.what == sum(chosen.values())


# Grid Conquest --------------------------------------------------------------------------------------------------------


def other_values(history: History, reader: Reader, chance: Random) -> Iterator[World]:
    """Other values in cells that nobody has seen: each cell with each value alone, and many cells at once."""
    labels = {cell: f"value of {letter(cell[0])}{cell[1]}" for cell in CELLS}
    seen = {cell: until_told(history, lambda _, move, cell=cell: touch(move.what, cell)) for cell in CELLS}
    alone = [{cell: value} for cell in CELLS for value in range(5) if value != history.draws[labels[cell]]]
    together = [
        {cell: chance.randrange(5) for cell in CELLS if seen[cell] >= seen[first]} for first in chance.sample(CELLS, 8)
    ]
    for instead in shuffled((*alone, *together), chance):
        draws = {**history.draws, **{labels[cell]: value for cell, value in instead.items()}}
        if draws != history.draws:
            yield World(draws, {}, min(seen[cell] for cell in instead))


# Quantum Duel ---------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Tokens:
    """Where both tokens are, and who has used the tunnel."""

    at: Mapping[int, int]
    tunnelled: frozenset[int] = frozenset()

    def after(self, seat: int, move: Utterance) -> "Tokens":
        """The tokens after a movement."""
        if move.verb == "STAY":
            return self
        tunnelled = self.tunnelled | {seat} if move.verb == "TUNNEL" else self.tunnelled
        return replace(self, at={**self.at, seat: move.what}, tunnelled=tunnelled)

    def movements(self, seat: int) -> list[Utterance]:
        """Every movement that a seat may make."""
        at = self.at.get(seat)
        found = [Utterance("MOVE", n) for n in POSITIONS if at is None or abs(n - at) <= 1]
        if at is not None:
            found.append(Utterance("STAY"))
        if seat not in self.tunnelled:
            found += [Utterance("TUNNEL", n) for n in POSITIONS]
        return found

    def told_by_look(self, seat: int, position: int) -> bool:
        """True where a seat's look ends the game: it finds the other's token, or a collision is announced after it."""
        rival = self.at.get(other(seat))
        return rival is not None and rival in (position, self.at[seat])


def other_movements(history: History, reader: Reader, chance: Random) -> Iterator[World]:
    """Other movements: a few for some beginnings of the history, then all for the whole of it, or a sample."""
    length = len(history.attempts)

    def some(until: int) -> Iterator[World]:
        return (World({}, typed, until) for typed in walks(history, reader, chance, until))

    for until in shuffled(range(1, length + 1), chance)[:BEGINNINGS]:
        yield from islice(some(until), 1)
    whole = list(islice(some(length), SAMPLE + 1))
    if len(whole) > SAMPLE:  # neighbours in one walk differ in their last steps alone, so each is begun anew
        whole = [world for _ in range(SAMPLE) for world in islice(some(length), 1)]
    yield from whole


def walks(history: History, reader: Reader, chance: Random, until: int) -> Iterator[dict[int, str]]:
    """Every way in which the hidden tokens may have walked through some lines, as lines to type, in random order."""
    moves = [move for move in history.moves if move[0] < until]
    true = {index: spelled_movement(move) for index, seat, move in moves if seat != reader and move.verb != "OBSERVE"}

    def walk(step: int, tokens: Tokens, typed: dict[int, str]) -> Iterator[dict[int, str]]:
        if step == len(moves):
            yield from [typed] if typed != true else []
            return
        index, seat, move = moves[step]
        if move.verb == "OBSERVE":
            if not tokens.told_by_look(seat, move.what):
                yield from walk(step + 1, tokens, typed)
        elif seat == reader:
            yield from walk(step + 1, tokens.after(seat, move), typed)
        else:
            for instead in shuffled(tokens.movements(seat), chance):
                yield from walk(step + 1, tokens.after(seat, instead), {**typed, index: spelled_movement(instead)})

    return walk(0, Tokens({}), {})


def spelled_movement(move: Utterance) -> str:
    """A movement as a line."""
    return "STAY" if move.verb == "STAY" else f"{move.verb} {move.what}"


def shuffled(items: Iterable[T], chance: Random) -> list[T]:
    """The items in random order."""
    found = list(items)
    chance.shuffle(found)
    return found


GOAL_ROW = {1: 5, 2: 1}

RECAST: Mapping[str, Callable[[History, Reader, Random], Iterator[World]]] = {
    "treasure-hunt-duel": other_treasures,
    "grid-hunt": other_choices("HIDE", lambda seat: CELLS, lambda cell: "HIDE {} {}".format(*cell), search_tells),
    "grid-conquest": other_values,
    "quantum-duel": other_movements,
    "secret-paths": other_choices(
        "GOAL",
        lambda seat: [(GOAL_ROW[seat], col) for col in FIVE],
        lambda cell: "GOAL {} {}".format(*cell),
        step_tells,
    ),
    "pebbles": other_choices("HOLD", lambda seat: range(1, 4), lambda hand: f"HOLD {hand}", guess_tells),
}
