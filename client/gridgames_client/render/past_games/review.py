"""How a game was decided, as a picture: rows of numbers over its moves. Nothing here knows what they count."""

from collections.abc import Callable, Sequence

from gridgames_client.paint import Fragment, Glyphs, Line, cut, filled, wrapped
from gridgames_client.paint import columns as columns_of
from gridgames_protocol.text import harmless
from gridgames_protocol.views import Review, ReviewRow

LABEL_MAX = 20  # columns of a row's name beside its bars
BARS_MIN = 8  # columns in which bars tell something
COLUMN = 10  # columns of a row's numbers beside the moves

Named = Callable[[str], str]  # a sentence with the players' names in it


def picture(review: Review, named: Named, glyphs: Glyphs, size: int, noted: bool = True) -> list[Line]:
    """The rows under their title, each with its note: what the highest bar stands for, the bars, the last number."""
    lines = wrapped(review.title, size, "class:heading")
    labels = [cut(harmless(named(row.label)), min(LABEL_MAX, size // 2), glyphs.more) for row in review.rows]
    wide = max(map(columns_of, labels), default=0)
    for row, label in zip(review.rows, labels, strict=True):
        lines.append([Fragment("class:fact", f"{filled(label, wide, '')}  "), *drawn(row, glyphs, size - wide - 2)])
        lines += wrapped(f"  {noted_of(row, named)}", size, "class:quiet", "  ") if row.note and noted else []
    return lines


def noted_of(row: ReviewRow, named: Named) -> str:
    """A row's note under its name, which it need not say again."""
    return named(row.note.removeprefix(f"{row.label} "))


def drawn(row: ReviewRow, glyphs: Glyphs, size: int) -> Line:
    """A row's numbers in so many columns: as bars, or as they are where there are no signs for bars."""
    if not row.numbers:
        return []
    most, last = str(row.most), str(row.numbers[-1])
    space = size - len(most) - len(last) - 2
    if not glyphs.bars or space < min(BARS_MIN, len(row.numbers)):
        return [Fragment("class:fact", in_figures(row.numbers, size, glyphs.more))]
    bars = "".join(bar(row, number, glyphs) for number in spread(row.numbers, space))
    return [Fragment("class:quiet", f"{most} "), Fragment("class:bars", bars), Fragment("class:fact", f" {last}")]


def bar(row: ReviewRow, number: int, glyphs: Glyphs) -> str:
    """The sign for a number: nothing for 0, and something for all others."""
    return glyphs.bars[(number * len(glyphs.bars) - 1) // row.most] if number and glyphs.bars else " "


def in_figures(numbers: Sequence[int], size: int, more: str) -> str:
    """The numbers, or as many of the last of them as fit."""
    for first in range(len(numbers)):
        text = " ".join([more] * bool(first) + [str(number) for number in numbers[first:]])
        if len(text) <= size:
            return text
    return ""


def spread(numbers: Sequence[int], count: int) -> Sequence[int]:
    """So many of the numbers, evenly spread, the first and the last among them; all if there are no more."""
    if len(numbers) <= count:
        return numbers
    return [numbers[(len(numbers) - 1) * place // max(1, count - 1)] for place in range(count - 1)] + [numbers[-1]]


# Beside the moves -----------------------------------------------------------------------------------------------------


def titled(review: Review, size: int) -> list[Line]:
    """What the numbers beside the moves count."""
    return [*wrapped(f"After each move: {review.title}", size, "class:quiet"), []]


def column(review: Review, named: Named, size: int) -> int:
    """How wide each row's column is: wide enough for the longest name, if so many columns allow it."""
    wide = max([COLUMN, *(columns_of(harmless(named(row.label))) + 1 for row in review.rows)])
    return wide if wide * len(review.rows) <= size else COLUMN


def heads(review: Review, named: Named, glyphs: Glyphs, wide: int = COLUMN) -> str:
    """The rows' names as heads of columns."""
    return "".join(filled(named(row.label), wide - 1, glyphs.more) + " " for row in review.rows)


def beside_move(review: Review, number: int, glyphs: Glyphs, wide: int = COLUMN) -> Line:
    """How it stood after a move: each row's number with its bar, where the review has that point."""
    if number not in review.after:
        return []
    at = review.after.index(number)
    line: Line = []
    for row in review.rows:
        figure = f"{row.numbers[at]:>4} "
        sign = bar(row, row.numbers[at], glyphs)
        line += [Fragment("class:fact", figure), Fragment("class:bars", sign + " " * (wide - len(figure) - 1))]
    return line


# In words -------------------------------------------------------------------------------------------------------------


def in_words(review: Review) -> list[str]:
    """The review as sentences: what is counted, each row's numbers, and what they come to."""
    if not review.after:
        return []
    each = review.after == tuple(range(len(review.after)))
    points = "at the start and after each move" if each else f"after {listed(review.after)} moves"
    lines = [f"Review: {review.title}, {points}."]
    for row in review.rows:
        lines.append(f"{row.label}: {listed(row.numbers)}.")
        lines += [row.note] if row.note else []
    return lines


def listed(numbers: Sequence[int]) -> str:
    """Numbers as one reads them out."""
    return ", ".join(map(str, numbers))
