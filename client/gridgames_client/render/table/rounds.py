"""Finds the rounds of typed lines: the same numbers as in the table of moves. The lines of a setup have none."""

import re
from collections.abc import Sequence

from gridgames_client.render.table.moves import MOVES_MAX, group_rounds
from gridgames_protocol.views import MoveEntry

WORD = re.compile(r"[^\W\d_]+|\d")  # a word of letters, or one digit

TypedLine = tuple[int, str]  # the seat, and what it typed


def find_entries(lines: Sequence[TypedLine], moves: Sequence[MoveEntry]) -> list[int | None]:
    """For each line, the place of its move in the view; None if the view has no move for it."""
    found: list[int | None] = [None] * len(lines)
    end = len(lines)
    for place in reversed(range(len(moves))):
        seat, text = moves[place][:2]
        fitting = [at for at in range(end) if lines[at][0] == seat and ends_with(lines[at][1], text)]
        if fitting:
            end = fitting[-1]
            found[end] = place
    return found


def ends_with(line: str, text: str) -> bool:
    """True if a typed line ends with a move's text: `DIG 5 3` with `dig 5,3`, `QUERY B2` with `2B`."""
    words, ending = (WORD.findall(part.upper()) for part in (line, text))
    tail = words[-len(ending) :]
    has_letter = any(len(word) == 1 and word.isalpha() for word in ending)
    return tail == ending or (has_letter and sorted(tail) == sorted(ending))


def number_lines(lines: Sequence[TypedLine], moves: Sequence[MoveEntry]) -> list[int | None]:
    """The round of each line. A line before a move of the same turn belongs to that move's round."""
    if not moves or len(moves) >= MOVES_MAX:
        return [None] * len(lines)
    rounds = [number for number, played in enumerate(group_rounds(tuple(moves)), start=1) for _ in played]
    numbers: list[int | None] = []
    following = 0
    number: int | None = _count_next(lines, moves)
    for (seat, _), place in reversed(list(zip(lines, find_entries(lines, moves), strict=True))):
        number = rounds[place] if place is not None else number if seat == following or not following else None
        following = seat
        numbers.insert(0, number)
    return numbers


def _count_next(lines: Sequence[TypedLine], moves: Sequence[MoveEntry]) -> int:
    """The round of a last line that has no move of its own."""
    last: MoveEntry = (lines[-1][0], "-", "", "none") if lines else moves[-1]
    return len(group_rounds((*moves, last)))
