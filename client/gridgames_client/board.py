"""How a board looks: the only place that knows."""

from dataclasses import dataclass, field

from gridgames_client.paint import Fragment, Glyphs, Line
from gridgames_protocol.text import columns
from gridgames_protocol.views import Board

CELL = 5  # columns of a cell: a text of three, and one on either side for cursor and pencil mark
SMALL_CELL = 3


@dataclass(frozen=True, slots=True)
class Pencil:
    """What the player's side adds to a board: a cursor, a cell that is lit, marks, and covers."""

    cursor: int | None = None
    lit: str | None = None
    marks: dict[str, str] = field(default_factory=dict)
    masked: bool = True


def draw(board: Board, pencil: Pencil, glyphs: Glyphs, compact: bool, cell: int = CELL) -> list[Line]:
    """The board in lines: with rules between the rows, or compact, a line for each row."""
    gutter = max(map(columns, board.rows)) + 1
    lines = [heads(board, gutter, cell)]
    if not compact:
        lines.append(rule(board, gutter, cell, glyphs.across, glyphs.corners))
    for number, label in enumerate(board.rows):
        if number and not compact:
            lines.append(rule(board, gutter, cell, glyphs.across, glyphs.joints))
        lines.append(row(board, pencil, glyphs, number, label.rjust(gutter - 1) + " ", cell))
    if not compact:
        lines.append(rule(board, gutter, cell, glyphs.across, glyphs.feet))
    return lines


def heads(board: Board, gutter: int, cell: int) -> Line:
    """The labels of the columns."""
    labels = " ".join(label.center(cell) for label in board.cols)
    return [Fragment("class:label", " " * (gutter + 1) + labels)]


def rule(board: Board, gutter: int, cell: int, across: str, ends: tuple[str, str, str]) -> Line:
    """A line between two rows."""
    left, joint, right = ends
    return [Fragment("class:grid", " " * gutter + left + joint.join([across * cell] * len(board.cols)) + right)]


def row(board: Board, pencil: Pencil, glyphs: Glyphs, number: int, label: str, cell: int) -> Line:
    """One row of cells."""
    line: Line = [Fragment("class:label", label), Fragment("class:grid", glyphs.down)]
    first = number * len(board.cols)
    for index in range(first, first + len(board.cols)):
        line += square(board, pencil, glyphs, index, cell)
        line.append(Fragment("class:grid", glyphs.down))
    return line


def square(board: Board, pencil: Pencil, glyphs: Glyphs, index: int, cell: int) -> Line:
    """One cell: its text in the middle, the cursor around it, the pencil mark in its corner."""
    text, kind = seen(board, index, pencil.masked)
    name = board.names[index]
    style = f"class:cell.{kind}"
    if name == pencil.lit:
        style += " class:lit"
    here = index == pencil.cursor
    if here:
        style += " class:cursor"
    left, right = glyphs.cursor if here else (" ", " ")
    mark = pencil.marks.get(name, "")
    margins = (cell - 3) // 2
    middle = centred(text, 3)
    if margins == 0:
        return [Fragment(style, middle, ("cell", index))]
    return [Fragment(style, f"{left}{middle}{mark or right}", ("cell", index))]


def seen(board: Board, index: int, masked: bool) -> tuple[str, str]:
    """What a cell shows: the reader's own secrets only while they are uncovered."""
    if masked:
        for name, text, kind in board.masks:
            if name == board.names[index]:
                return text, kind
    return board.texts[index], board.kinds[index]


def centred(text: str, size: int) -> str:
    """Text in the middle of so many columns."""
    space = size - columns(text)
    return " " * (space - space // 2) + text + " " * (space // 2)


def in_words(board: Board, masked: bool) -> list[str]:
    """The board as sentences: every cell that shows something."""
    lines = []
    for index, name in enumerate(board.names):
        text, kind = seen(board, index, masked)
        if text:
            lines.append(f"{name}: {text}, {kind.replace('_', ' ')}.")
    return lines or ["The board is empty."]
