"""Draws a board as text, and describes it in words."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from gridgames_client.render.drawing.text_layout import Fragment, Glyphs, Line, clip, columns
from gridgames_protocol.views import Board, LegendEntry

TEXT = 3  # columns of a cell's text


class Spacing(NamedTuple):
    """How much space a board takes: the columns of a cell, rules between the rows, bars between the cells."""

    cell: int
    ruled: bool
    barred: bool


FULL = Spacing(TEXT + 2, True, True)  # one column on either side of the text, for the cursor and the pencil mark
COMPACT = Spacing(TEXT + 2, False, True)
SMALL = Spacing(TEXT, False, True)
BARE = Spacing(TEXT, False, False)


@dataclass(frozen=True, slots=True)
class Overlay:
    """What the client adds to a board: the cursor, highlighted cells, changes, pencil marks, and covers."""

    cursor: int | None = None
    lit: str | None = None
    marks: dict[str, str] = field(default_factory=dict)
    masked: bool = True
    news: frozenset[int] = frozenset()
    you: int = 1  # the reader's seat; 1 for a watcher
    legal: frozenset[str] = frozenset()  # the cells that the chosen action may name
    last: tuple[tuple[int, int], ...] = ()  # the last move: seat and cell
    won: frozenset[int] = frozenset()  # the cells that won the game
    glow: frozenset[int] = frozenset()  # the cells that are highlighted for a moment


class Part(NamedTuple):
    """The visible rows and columns of a board."""

    rows: range
    cols: range


# Finding the room for it ----------------------------------------------------------------------------------------------


def draw(board: Board, pencil: Overlay, glyphs: Glyphs, compact: bool) -> list[Line]:
    """The whole board in lines: with rules between the rows, or compact, a line for each row."""
    return draw_part(board, pencil, glyphs, COMPACT if compact else FULL, take_whole(board))


def fit_board(board: Board, pencil: Overlay, glyphs: Glyphs, size: int, rows: int) -> list[Line]:
    """The board as large as it fits. Of a board that is too large, the part around the cursor."""
    for look in (FULL, COMPACT, SMALL, BARE):
        if measure_width(board, look) <= size and measure_height(board, look) <= rows:
            return draw_part(board, pencil, glyphs, look, take_whole(board))
    row, col = divmod(pencil.cursor or 0, len(board.cols))
    seen_cols = (size - measure_gutter(board) - 1) // BARE.cell  # one column is for the sign that there are more
    part = Part(choose_range(row, len(board.rows), rows - 1), choose_range(col, len(board.cols), seen_cols))
    return draw_part(board, pencil, glyphs, BARE, part)


def take_whole(board: Board) -> Part:
    """All of a board."""
    return Part(range(len(board.rows)), range(len(board.cols)))


def choose_range(place: int, total: int, shown: int) -> range:
    """A range of `seen` places out of all, with one of them near the middle."""
    shown = min(max(shown, 1), total)
    first = min(max(place - shown // 2, 0), total - shown)
    return range(first, first + shown)


def measure_gutter(board: Board) -> int:
    """The columns left of the cells."""
    return max(map(columns, board.rows)) + 1


def measure_width(board: Board, look: Spacing) -> int:
    """The columns of a whole board."""
    return measure_gutter(board) + len(board.cols) * (look.cell + look.barred) + look.barred


def measure_height(board: Board, look: Spacing) -> int:
    """The rows of a whole board."""
    return 1 + len(board.rows) * (1 + look.ruled) + look.ruled


# Drawing it -----------------------------------------------------------------------------------------------------------


def draw_part(board: Board, pencil: Overlay, glyphs: Glyphs, look: Spacing, part: Part) -> list[Line]:
    """A part of a board in one look."""
    lines = [draw_heads(board, glyphs, look, part.cols)]
    for number in part.rows:
        if look.ruled:
            lines.append(draw_rule(board, look, glyphs.across, glyphs.joints if number else glyphs.corners))
        lines.append(draw_row(board, pencil, glyphs, look, number, part.cols))
    if look.ruled:
        lines.append(draw_rule(board, look, glyphs.across, glyphs.feet))
    return lines


def draw_heads(board: Board, glyphs: Glyphs, look: Spacing, cols: range) -> Line:
    """The labels of the columns, with a sign if there are more."""
    before = glyphs.more if cols.start else ""
    after = glyphs.more if cols.stop < len(board.cols) else ""
    space = " " * look.barred
    labels = space.join(centre(board.cols[col], look.cell) for col in cols)
    return [Fragment("class:label", before.rjust(measure_gutter(board)) + space + labels + after)]


def draw_rule(board: Board, look: Spacing, across: str, ends: tuple[str, str, str]) -> Line:
    """A line between two rows."""
    left, joint, right = ends
    cells = joint.join([across * look.cell] * len(board.cols))
    return [Fragment("class:grid", " " * measure_gutter(board) + left + cells + right)]


def draw_row(board: Board, pencil: Overlay, glyphs: Glyphs, look: Spacing, number: int, cols: range) -> Line:
    """One row of cells."""
    bar = [Fragment("class:grid", glyphs.down)] if look.barred else []
    label = board.rows[number]
    line: Line = [Fragment("class:label", " " * (measure_gutter(board) - 1 - columns(label)) + label + " "), *bar]
    for col in cols:
        line += [draw_cell(board, pencil, glyphs, look, number * len(board.cols) + col), *bar]
    return line


def draw_cell(board: Board, pencil: Overlay, glyphs: Glyphs, look: Spacing, index: int) -> Fragment:
    """One cell: its text in the middle, the cursor around it, the pencil mark after it, as far as they fit."""
    text, kind = show_cell(board, index, pencil.masked)
    text = find_owner_mark(board, index, kind) or text
    name, here = board.names[index], index == pencil.cursor
    left, right = glyphs.cursor if here else (" ", " ")
    right = pencil.marks.get(name, "") or right
    inside = look.cell - 2
    if columns(text) > inside:
        words = clip(text + right, look.cell)
        words += " " * (look.cell - columns(words))
    else:
        words = left + centre(text, inside) + right
    if kind == "ruled_out":
        words = words.replace(" ", glyphs.shade)
    return Fragment(choose_style(pencil, index, name, kind), words, ("cell", index))


def choose_style(pencil: Overlay, index: int, name: str, kind: str) -> str:
    """The style classes of a cell."""
    roles = [f"cell.{kind}"]
    if index in pencil.news:
        roles.append("news")
    if name == pencil.lit:
        roles.append("lit")
    if index == pencil.cursor:
        roles.append("cursor")
    return " ".join(f"class:{role}" for role in roles)


def centre(text: str, size: int) -> str:
    """Text centred in a number of columns."""
    text = clip(text, size)
    space = size - columns(text)
    return " " * (space - space // 2) + text + " " * (space // 2)


# What is on it --------------------------------------------------------------------------------------------------------


def show_cell(board: Board, index: int, masked: bool) -> tuple[str, str]:
    """The text of a cell. Own secrets are left out while they are covered."""
    if masked:
        for name, text, kind in board.masks:
            if name == board.names[index]:
                return text, kind
    return board.texts[index], board.kinds[index]


def find_owner_mark(board: Board, index: int, kind: str) -> str:
    """The mark of a player's own cell, such as P1, where its text says something else; "" if it has none."""
    return board.corners[index] if board.corners and kind in ("mine", "theirs") else ""


def find_changes(before: Board | None, board: Board, masked: bool) -> frozenset[int]:
    """The cells that look different from before."""
    if before is None or before.names != board.names:
        return frozenset()
    return frozenset(
        index
        for index in range(len(board.names))
        if differ(show_cell(before, index, masked), show_cell(board, index, masked))
    )


def differ(before: tuple[str, str], now: tuple[str, str]) -> bool:
    """True if a cell has changed. Cells that assist rules out do not count."""
    return before[0] != now[0] or (before[1] != now[1] and "ruled_out" not in (before[1], now[1]))


def describe_board(board: Board, masked: bool) -> list[str]:
    """The board as sentences, one for each cell that is not empty."""
    lines, blank = describe_cells(board, masked), list_ruled_out(board, masked)
    lines += [f"Ruled out: {', '.join(blank)}."] if blank else []
    return lines or ["The board is empty."]


def describe_cells(board: Board, masked: bool, legend: Sequence[LegendEntry] = ()) -> list[str]:
    """A sentence for each cell that has a text. It says what the text means, in the legend's words if it has some."""
    secrets = set() if masked else {name for name, *_ in board.masks}
    lines = []
    for index, name in enumerate(board.names):
        text, kind = show_cell(board, index, masked)
        if text:
            mark = find_owner_mark(board, index, kind)
            meaning = explain_kind(kind, legend, name in secrets)
            lines.append(f"{name}: {text}, {mark + ', ' if mark else ''}{meaning}.")
    return lines


def explain_kind(kind: str, legend: Sequence[LegendEntry], is_own_secret: bool) -> str:
    """What a kind of cell means. The legend's "you" and "your ..." are said of the reader's own secrets only."""
    owner, meaning = next(((seat, text) for mark, seat, text in legend if mark == kind), (None, kind.replace("_", " ")))
    is_about_reader = meaning == "you" or meaning.startswith("your ")
    if is_own_secret and owner:
        thing = kind if meaning == "you" else meaning.removeprefix("your ")
        return f"your {thing}"
    return kind if is_about_reader else meaning


def list_ruled_out(board: Board, masked: bool) -> list[str]:
    """The cells that are ruled out and have no text."""
    return [name for index, name in enumerate(board.names) if show_cell(board, index, masked) == ("", "ruled_out")]
