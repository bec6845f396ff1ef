"""Draws the review of a game: rows of numbers over its moves. The server says what they count."""

from collections.abc import Callable, Sequence

from gridgames_client.render.drawing.text_layout import Fragment, Glyphs, Line, cut, fit, wrap
from gridgames_client.render.drawing.text_layout import columns as columns_of
from gridgames_protocol.safe_text import harmless
from gridgames_protocol.views import Review, ReviewRow

LABEL_MAX = 20  # columns of a row's name beside its bars
BARS_MIN = 8  # columns that bars need
COLUMN = 10  # columns of a row's numbers beside the moves

Named = Callable[[str], str]  # puts the players' names into a sentence


def draw_rows(review: Review, named: Named, glyphs: Glyphs, size: int, noted: bool = True) -> list[Line]:
    """The rows under their title. Each has its note, the value of the highest bar, the bars and the last number."""
    lines = wrap(review.title, size, "class:heading")
    labels = [cut(harmless(named(row.label)), min(LABEL_MAX, size // 2), glyphs.more) for row in review.rows]
    wide = max(map(columns_of, labels), default=0)
    for row, label in zip(review.rows, labels, strict=True):
        lines.append([Fragment("class:fact", f"{fit(label, wide, '')}  "), *draw_numbers(row, glyphs, size - wide - 2)])
        lines += wrap(f"  {shorten_note(row, named)}", size, "class:quiet", "  ") if row.note and noted else []
    return lines


def shorten_note(row: ReviewRow, named: Named) -> str:
    """A row's note, without the row's name at its beginning."""
    return named(row.note.removeprefix(f"{row.label} "))


def draw_numbers(row: ReviewRow, glyphs: Glyphs, size: int, style: str = "class:bars") -> Line:
    """A row's numbers as bars, or as digits if the glyphs have no bars."""
    if not row.numbers:
        return []
    most, last = str(row.most), str(row.numbers[-1])
    space = size - len(most) - len(last) - 2
    if not glyphs.bars or space < min(BARS_MIN, len(row.numbers)):
        return [Fragment("class:fact", join_figures(row.numbers, size, glyphs.more))]
    bars = "".join(draw_bar(row, number, glyphs) for number in spread(row.numbers, space))
    return [Fragment("class:quiet", f"{most} "), Fragment(style, bars), Fragment("class:fact", f" {last}")]


def draw_bar(row: ReviewRow, number: int, glyphs: Glyphs) -> str:
    """The bar for a number; a space for 0 only."""
    return glyphs.bars[(number * len(glyphs.bars) - 1) // row.most] if number and glyphs.bars else " "


def join_figures(numbers: Sequence[int], size: int, more: str) -> str:
    """The numbers as text, or the last ones that fit."""
    for first in range(len(numbers)):
        text = " ".join([more] * bool(first) + [str(number) for number in numbers[first:]])
        if len(text) <= size:
            return text
    return ""


def spread(numbers: Sequence[int], count: int) -> Sequence[int]:
    """A number of values, evenly spread, with the first and the last; all if there are fewer."""
    if len(numbers) <= count:
        return numbers
    return [numbers[(len(numbers) - 1) * place // max(1, count - 1)] for place in range(count - 1)] + [numbers[-1]]


# Beside the moves -----------------------------------------------------------------------------------------------------


def title_numbers(review: Review, size: int) -> list[Line]:
    """What the numbers beside the moves count."""
    return [*wrap(f"After each move: {review.title}", size, "class:quiet"), []]


def measure_column(review: Review, named: Named, size: int) -> int:
    """The width of each row's column: that of the longest name, if it fits."""
    wide = max([COLUMN, *(columns_of(harmless(named(row.label))) + 1 for row in review.rows)])
    return wide if wide * len(review.rows) <= size else COLUMN


def draw_heads(review: Review, named: Named, glyphs: Glyphs, wide: int = COLUMN) -> str:
    """The rows' names as heads of columns."""
    return "".join(fit(named(row.label), wide - 1, glyphs.more) + " " for row in review.rows)


def draw_beside_move(review: Review, number: int, glyphs: Glyphs, wide: int = COLUMN) -> Line:
    """The numbers after a move, each with its bar, if the review has that point."""
    if number not in review.after:
        return []
    at = review.after.index(number)
    line: Line = []
    for row in review.rows:
        figure = f"{row.numbers[at]:>4} "
        sign = draw_bar(row, row.numbers[at], glyphs)
        line += [Fragment("class:fact", figure), Fragment("class:bars", sign + " " * (wide - len(figure) - 1))]
    return line


# In words -------------------------------------------------------------------------------------------------------------


def describe_review(review: Review) -> list[str]:
    """The review as sentences: what is counted, each row's numbers, and what they come to."""
    if not review.after:
        return []
    each = review.after == tuple(range(len(review.after)))
    points = "at the start and after each move" if each else f"after {join_numbers(review.after)} moves"
    lines = [f"Review: {review.title}, {points}."]
    for row in review.rows:
        lines.append(f"{row.label}: {join_numbers(row.numbers)}.")
        lines += [row.note] if row.note else []
    return lines


def join_numbers(numbers: Sequence[int]) -> str:
    """Numbers for reading aloud."""
    return ", ".join(map(str, numbers))
