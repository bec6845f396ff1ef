"""How a board looks: the only place that knows."""

from dataclasses import dataclass, field
from typing import NamedTuple

from gridgames_client.paint import Fragment, Glyphs, Line, clipped, columns
from gridgames_protocol.views import Board

TEXT = 3  # columns of what stands in a cell


class Look(NamedTuple):
    """How much space a board takes: the columns of a cell, rules between the rows, bars between the cells."""

    cell: int
    ruled: bool
    barred: bool


FULL = Look(TEXT + 2, True, True)  # one column on either side of the text, for the cursor and the pencil mark
COMPACT = Look(TEXT + 2, False, True)
SMALL = Look(TEXT, False, True)
BARE = Look(TEXT, False, False)


@dataclass(frozen=True, slots=True)
class Pencil:
    """What the player's side adds to a board: a cursor, a cell that is lit, news, marks, and covers."""

    cursor: int | None = None
    lit: str | None = None
    marks: dict[str, str] = field(default_factory=dict)
    masked: bool = True
    news: frozenset[int] = frozenset()


class Part(NamedTuple):
    """The rows and columns of a board that are in sight."""

    rows: range
    cols: range


# Finding the room for it ----------------------------------------------------------------------------------------------


def draw(board: Board, pencil: Pencil, glyphs: Glyphs, compact: bool) -> list[Line]:
    """The whole board in lines: with rules between the rows, or compact, a line for each row."""
    return picture(board, pencil, glyphs, COMPACT if compact else FULL, whole(board))


def fitted(board: Board, pencil: Pencil, glyphs: Glyphs, size: int, rows: int) -> list[Line]:
    """The board as large as it can be in so many columns and rows; what is too large is seen around the cursor."""
    for look in (FULL, COMPACT, SMALL, BARE):
        if wide(board, look) <= size and high(board, look) <= rows:
            return picture(board, pencil, glyphs, look, whole(board))
    row, col = divmod(pencil.cursor or 0, len(board.cols))
    seen_cols = (size - gutter(board) - 1) // BARE.cell  # one column is left for the sign that there are more
    part = Part(around(row, len(board.rows), rows - 1), around(col, len(board.cols), seen_cols))
    return picture(board, pencil, glyphs, BARE, part)


def whole(board: Board) -> Part:
    """All of a board."""
    return Part(range(len(board.rows)), range(len(board.cols)))


def around(place: int, total: int, shown: int) -> range:
    """As many of all places as can be shown, with one of them near the middle."""
    shown = min(max(shown, 1), total)
    first = min(max(place - shown // 2, 0), total - shown)
    return range(first, first + shown)


def gutter(board: Board) -> int:
    """The columns left of the cells."""
    return max(map(columns, board.rows)) + 1


def wide(board: Board, look: Look) -> int:
    """How many columns a whole board takes."""
    return gutter(board) + len(board.cols) * (look.cell + look.barred) + look.barred


def high(board: Board, look: Look) -> int:
    """How many rows a whole board takes."""
    return 1 + len(board.rows) * (1 + look.ruled) + look.ruled


# Drawing it -----------------------------------------------------------------------------------------------------------


def picture(board: Board, pencil: Pencil, glyphs: Glyphs, look: Look, part: Part) -> list[Line]:
    """A part of a board in one look."""
    lines = [heads(board, glyphs, look, part.cols)]
    for number in part.rows:
        if look.ruled:
            lines.append(rule(board, look, glyphs.across, glyphs.joints if number else glyphs.corners))
        lines.append(row(board, pencil, glyphs, look, number, part.cols))
    if look.ruled:
        lines.append(rule(board, look, glyphs.across, glyphs.feet))
    return lines


def heads(board: Board, glyphs: Glyphs, look: Look, cols: range) -> Line:
    """The labels of the columns, and whether there are more than are seen."""
    before = glyphs.more if cols.start else ""
    after = glyphs.more if cols.stop < len(board.cols) else ""
    space = " " * look.barred
    labels = space.join(centred(board.cols[col], look.cell) for col in cols)
    return [Fragment("class:label", before.rjust(gutter(board)) + space + labels + after)]


def rule(board: Board, look: Look, across: str, ends: tuple[str, str, str]) -> Line:
    """A line between two rows."""
    left, joint, right = ends
    cells = joint.join([across * look.cell] * len(board.cols))
    return [Fragment("class:grid", " " * gutter(board) + left + cells + right)]


def row(board: Board, pencil: Pencil, glyphs: Glyphs, look: Look, number: int, cols: range) -> Line:
    """One row of cells."""
    bar = [Fragment("class:grid", glyphs.down)] if look.barred else []
    label = board.rows[number]
    line: Line = [Fragment("class:label", " " * (gutter(board) - 1 - columns(label)) + label + " "), *bar]
    for col in cols:
        line += [square(board, pencil, glyphs, look, number * len(board.cols) + col), *bar]
    return line


def square(board: Board, pencil: Pencil, glyphs: Glyphs, look: Look, index: int) -> Fragment:
    """One cell: its text in the middle, the cursor around it, the pencil mark behind it, as far as there is room."""
    text, kind = seen(board, index, pencil.masked)
    name, here = board.names[index], index == pencil.cursor
    left, right = glyphs.cursor if here else (" ", " ")
    right = pencil.marks.get(name, "") or right
    inside = look.cell - 2
    if columns(text) > inside:
        words = clipped(text + right, look.cell)
        words += " " * (look.cell - columns(words))
    else:
        words = left + centred(text, inside) + right
    if kind == "ruled_out":
        words = words.replace(" ", glyphs.shade)
    return Fragment(style_of(pencil, index, name, kind), words, ("cell", index))


def style_of(pencil: Pencil, index: int, name: str, kind: str) -> str:
    """The roles of a cell: what it is, and what the player's side adds."""
    roles = [f"cell.{kind}"]
    if index in pencil.news:
        roles.append("news")
    if name == pencil.lit:
        roles.append("lit")
    if index == pencil.cursor:
        roles.append("cursor")
    return " ".join(f"class:{role}" for role in roles)


def centred(text: str, size: int) -> str:
    """Text in the middle of so many columns."""
    text = clipped(text, size)
    space = size - columns(text)
    return " " * (space - space // 2) + text + " " * (space // 2)


# What is on it --------------------------------------------------------------------------------------------------------


def seen(board: Board, index: int, masked: bool) -> tuple[str, str]:
    """What a cell shows: the reader's own secrets only while they are uncovered."""
    if masked:
        for name, text, kind in board.masks:
            if name == board.names[index]:
                return text, kind
    return board.texts[index], board.kinds[index]


def changed(before: Board | None, board: Board, masked: bool) -> frozenset[int]:
    """The cells that look different from before."""
    if before is None or before.names != board.names:
        return frozenset()
    return frozenset(
        index for index in range(len(board.names)) if differ(seen(before, index, masked), seen(board, index, masked))
    )


def differ(before: tuple[str, str], now: tuple[str, str]) -> bool:
    """True if something has happened in a cell; what one can rule out is no news of the table."""
    return before[0] != now[0] or (before[1] != now[1] and "ruled_out" not in (before[1], now[1]))


def in_words(board: Board, masked: bool) -> list[str]:
    """The board as sentences: every cell that shows something."""
    lines = []
    for index, name in enumerate(board.names):
        text, kind = seen(board, index, masked)
        if text:
            lines.append(f"{name}: {text}, {kind.replace('_', ' ')}.")
    blank = [name for index, name in enumerate(board.names) if seen(board, index, masked) == ("", "ruled_out")]
    lines += [f"Ruled out: {', '.join(blank)}."] if blank else []
    return lines or ["The board is empty."]
