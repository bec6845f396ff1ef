"""A grid of characters to paint on. Half a row is the unit of height, so that a gap can be as thin as it is wide.

Colours are named by their roles; `style.py` says what each role looks like.
"""

from functools import lru_cache
from typing import NamedTuple

from gridgames_client.render.drawing.text_layout import Fragment, Line, Target, columns

GROUNDS = ("page", "panel")  # never used as ink: a terminal may have its own colour there


class Cell(NamedTuple):
    """One character, its colours, and what a click on it means. An empty one is the right half of a wide character."""

    char: str
    ink: str
    ground: str
    roles: str = ""
    target: Target | None = None


@lru_cache(maxsize=4_096)
def join_style(ink: str, ground: str, roles: str = "") -> str:
    """The style of an ink on a ground, with further classes."""
    parts = [f"class:ink.{ink}", f"class:ground.{ground}", *(f"class:{role}" for role in roles.split())]
    return " ".join(parts)


class Canvas:
    """Rows of cells, all of one ground at first. Painting outside has no effect."""

    def __init__(self, width: int, height: int, ground: str = "page") -> None:
        self.width, self.height, self.ground = width, height, ground
        self.rows = [[Cell(" ", "text", ground)] * width for _ in range(height)]

    def is_inside(self, x: int, y: int) -> bool:
        """True if there is a cell at a place."""
        return 0 <= x < self.width and 0 <= y < self.height

    def write(self, x: int, y: int, text: str, ink: str, roles: str = "", ground: str | None = None) -> None:
        """Write text. Without a given ground, the ground stays."""
        for char in text:
            wide = columns(char)
            if wide == 0 and self.is_inside(x - 1, y):
                before = self.rows[y][x - 1]
                self.rows[y][x - 1] = before._replace(char=before.char + char)
            for place, part in enumerate([char, ""][:wide]):
                if self.is_inside(x + place, y):
                    cell = self.rows[y][x + place]
                    under = ground or _halves(cell)[1]
                    self.rows[y][x + place] = Cell(part, ink, under, roles or cell.roles, cell.target)
            x += wide

    def fill(self, x: int, top: int, width: int, height: int, colour: str) -> None:
        """Fill a rectangle with a colour. Top and height count half rows."""
        edges = {top} if top % 2 or height == 1 else set()  # rows of which only one half is filled
        edges |= {top + height - 1} if (top + height) % 2 and height > 1 else set()
        for half in edges:
            for column in range(x, x + width):
                self.dot(column, half, colour)
        left, right = max(0, x), min(self.width, x + width)
        for y in range((top + 1) // 2, (top + height) // 2):
            if 0 <= y < self.height and left < right:
                self._fill_row(y, left, right, colour)

    def _fill_row(self, y: int, left: int, right: int, colour: str) -> None:
        """Fill a part of a whole row. This is faster than half rows."""
        part = self.rows[y][left:right]
        if all(cell.char in BLOCKS and cell.target is None for cell in part):
            self.rows[y][left:right] = [Cell(" ", "text", colour)] * (right - left)
        else:
            for column in range(left, right):
                self.dot(column, 2 * y, colour)
                self.dot(column, 2 * y + 1, colour)

    def dot(self, x: int, half: int, colour: str) -> None:
        """Paint one column of half a row, unless a letter is there."""
        y, low = divmod(half, 2)
        if not self.is_inside(x, y):
            return
        cell = self.rows[y][x]
        if cell.char not in BLOCKS:
            return
        upper, lower = _halves(cell)
        upper, lower = (upper, colour) if low else (colour, lower)
        self.rows[y][x] = _block(upper, lower, cell)

    def stamp(self, x: int, top: int, shape: tuple[str, ...], colours: dict[str, str], scale: int = 1) -> None:
        """Paint a shape of dots; each letter of it has a colour, or none."""
        for row, dots in enumerate(shape):
            for column, letter in enumerate(dots):
                if letter in colours:
                    self.fill(x + column * scale, top + row * scale, scale, scale, colours[letter])

    def paste(self, x: int, y: int, rows: tuple[tuple[Cell, ...], ...]) -> None:
        """Copy cells onto the canvas."""
        for row, cells in zip(self.rows[y:], rows, strict=False):
            row[x : x + len(cells)] = cells

    def mark(self, x: int, y: int, width: int, height: int, target: Target | None, roles: str = "") -> None:
        """Set the click target of a rectangle, and add style classes."""
        for row in self.rows[max(0, y) : y + height]:
            before = after = None
            for column in range(max(0, x), min(self.width, x + width)):
                cell = row[column]
                if cell is not before:  # neighbours are often the same object
                    before = cell
                    after = Cell(cell.char, cell.ink, cell.ground, f"{cell.roles} {roles}".strip(), target)
                row[column] = after or cell

    def lines(self) -> list[Line]:
        """The canvas as styled lines."""
        return [list(_join(tuple(row))) for row in self.rows]


@lru_cache(maxsize=1_024)  # most rows do not change between drawings
def _join(row: tuple[Cell, ...]) -> tuple[Fragment, ...]:
    """A row of cells as fragments. Neighbours of one style are joined."""
    line: Line = []
    chars: list[str] = []
    first = before = row[0] if row else None
    for cell in row:
        if cell is not before and first and cell[1:] != first[1:]:
            line.append(Fragment(join_style(first.ink, first.ground, first.roles), "".join(chars), first.target))
            chars, first = [], cell
        before = cell
        chars.append(cell[0])
    if first:
        line.append(Fragment(join_style(first.ink, first.ground, first.roles), "".join(chars), first.target))
    return tuple(line)


BLOCKS = (" ", "▀", "▄")


def _halves(cell: Cell) -> tuple[str, str]:
    """The colours of the upper and the lower half of a cell."""
    if cell.char == "▀":
        return cell.ink, cell.ground
    return (cell.ground, cell.ink) if cell.char == "▄" else (cell.ground, cell.ground)


def _block(upper: str, lower: str, cell: Cell) -> Cell:
    """A cell whose halves have two colours."""
    if upper == lower:
        return Cell(" ", "text", upper, cell.roles, cell.target)
    if upper in GROUNDS:
        return Cell("▄", lower, upper, cell.roles, cell.target)
    return Cell("▀", upper, lower, cell.roles, cell.target)
