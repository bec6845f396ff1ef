"""Cells: their names, their distances and neighbours, and how a typed line names one.

A cell is its index in reading order. Whatever the labels of a grid are, a line may write a cell joined (`2B`, `B2`,
`33`) or apart (`3,3`, `3 3`, `(3,3)`), by its labels or by row and column number.
"""

import re
from collections.abc import Iterable
from contextlib import suppress
from dataclasses import dataclass, field

from gridgames_protocol.views import Board, CellKind, Frame
from gridgames_server.games.game import Refusal, syntax

_JOINED = re.compile(r"(\d)(\d)|(\d{1,3})([A-Z])|([A-Z])(\d{1,3})", re.ASCII)
_APART = re.compile(r"(-?\d{1,3}|[A-Z])(?:\s*,\s*|\s+)(-?\d{1,3}|[A-Z])", re.ASCII)
_NUMBER = re.compile(r"-?\d{1,3}", re.ASCII)


class OffGrid(Refusal):
    """A cell that is readable and not there."""

    def __init__(self, text: str) -> None:
        super().__init__("illegal", text)


@dataclass(frozen=True, slots=True)
class Grid:
    """Rows and columns with labels; `form` makes a cell's name out of its row and column."""

    rows: tuple[str, ...]
    cols: tuple[str, ...]
    form: str
    names: tuple[str, ...] = field(init=False)
    frame: Frame = field(init=False, repr=False)
    cells: dict[str, int] = field(init=False, repr=False)  # by name
    _spelled: dict[str, int] = field(init=False, repr=False, default_factory=dict)  # how cells are usually written
    _far: tuple[tuple[int, ...], ...] = field(init=False, repr=False)  # every view asks for many of them
    _near: tuple[tuple[int, ...], ...] = field(init=False, repr=False)

    def __post_init__(self) -> None:
        cells = range(len(self.rows) * len(self.cols))
        names = (self.form.format(row=row, col=col) for row in self.rows for col in self.cols)
        object.__setattr__(self, "names", tuple(names))
        object.__setattr__(self, "frame", Frame(self.rows, self.cols, self.names))
        object.__setattr__(self, "cells", {name: cell for cell, name in enumerate(self.names)})
        for cell in cells:
            row, col = (labels[place] for labels, place in zip((self.rows, self.cols), self.place(cell), strict=True))
            for text in (self.names[cell], f"{row}{col}", f"{row} {col}", f"{row},{col}"):
                with suppress(Refusal):
                    self._spelled[text] = self._read(text)
        object.__setattr__(self, "_far", tuple(tuple(self._steps(a, b) for b in cells) for a in cells))
        object.__setattr__(self, "_near", tuple(tuple(b for b in cells if self._touch(a, b)) for a in cells))

    def _touch(self, a: int, b: int) -> bool:
        (row, col), (row_b, col_b) = self.place(a), self.place(b)
        return a != b and abs(row - row_b) <= 1 and abs(col - col_b) <= 1

    def _steps(self, a: int, b: int) -> int:
        (row, col), (row_b, col_b) = self.place(a), self.place(b)
        return abs(row - row_b) + abs(col - col_b)

    def __len__(self) -> int:
        return len(self.names)

    def place(self, cell: int) -> tuple[int, int]:
        """Row and column of a cell, counted from 0."""
        return divmod(cell, len(self.cols))

    def cell(self, row: int, col: int) -> int:
        """The cell at a row and a column, counted from 0."""
        return row * len(self.cols) + col

    def distance(self, a: int, b: int) -> int:
        """Steps from one cell to the other, along rows and columns."""
        return self._far[a][b]

    def neighbours(self, cell: int) -> tuple[int, ...]:
        """The up to eight cells around one, in reading order."""
        return self._near[cell]

    def named(self, cells: Iterable[int]) -> tuple[str, ...]:
        """The names of some cells."""
        names = self.names
        return tuple([names[cell] for cell in cells])

    def read(self, text: str) -> int:
        """The cell that a piece of a typed line (in capitals) names."""
        cell = self._spelled.get(text)
        return self._read(text) if cell is None else cell

    def _read(self, text: str) -> int:
        text = text.strip()
        if text.startswith("(") and text.endswith(")"):
            text = text[1:-1].strip()
        row, col = self._labels(text)
        if not (1 <= row <= len(self.rows) and 1 <= col <= len(self.cols)):
            raise OffGrid(f"That is off the grid: {self.extent()}.")
        return self.cell(row - 1, col - 1)

    def _labels(self, text: str) -> tuple[int, int]:
        """Row and column as they were typed, counted from 1."""
        if len(self.rows) == 1 and _NUMBER.fullmatch(text):
            return 1, int(text)
        found = _JOINED.fullmatch(text) or _APART.fullmatch(text)
        if found and len(self.rows) > 1:
            first, second = (part for part in found.groups() if part)
            if not first.isalpha() and not second.isalpha():
                return int(first), int(second)
            letter, number = (first, second) if first.isalpha() else (second, first)
            at = ord(letter) - ord("A") + 1
            if not number.isalpha() and self.rows[0].isalpha():
                return at, int(number)
            if not number.isalpha() and self.cols[0].isalpha():
                return int(number), at
        raise syntax(f"That names no place on the board. One is written like {self.names[len(self.cols) // 2]}.")

    def extent(self) -> str:
        """How far the grid goes, in words."""
        columns = f"{self.cols[0]} to {self.cols[-1]}"
        if len(self.rows) == 1:
            return f"positions are {columns}"
        return f"rows are {self.rows[0]} to {self.rows[-1]}, columns {columns}"

    def board(self, kind: CellKind) -> Board:
        """An empty board to draw on, all its cells of one kind."""
        return Board(self.frame, ("",) * len(self), (kind,) * len(self))
