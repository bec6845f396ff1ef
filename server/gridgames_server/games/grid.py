"""Cells: their names, their distances and neighbours, and how a typed line names one.

A cell is its index in reading order. On every grid a line may write a cell joined (`2B`, `B2`, `33`) or apart (`3,3`,
`3 3`, `(3,3)`), by its labels or by row and column number.
"""

import re
from collections.abc import Iterable, Mapping
from contextlib import suppress
from dataclasses import field

from gridgames_protocol.views import Board, CellKind, Frame
from gridgames_server.errors import Refusal, syntax
from gridgames_server.values import value

_JOINED = re.compile(r"(\d)(\d)|(\d{1,3})([A-Z])|([A-Z])(\d{1,3})", re.ASCII)
_APART = re.compile(r"(-?\d{1,3}|[A-Z])(?:\s*,\s*|\s+)(-?\d{1,3}|[A-Z])", re.ASCII)
_NUMBER = re.compile(r"-?\d{1,3}", re.ASCII)


class OffGrid(Refusal):
    """The typed cell can be read, but is not on the grid."""

    def __init__(self, text: str) -> None:
        super().__init__("illegal", text, "line")


@value
class Grid:
    """Rows and columns with labels. `form` is the format of a cell's name."""

    rows: tuple[str, ...]
    cols: tuple[str, ...]
    form: str
    names: tuple[str, ...] = field(init=False)
    frame: Frame = field(init=False, repr=False)
    cells: dict[str, int] = field(init=False, repr=False)  # by name
    _spelled: dict[str, int] = field(init=False, repr=False, default_factory=dict)  # usual spelling -> cell
    _far: tuple[tuple[int, ...], ...] = field(init=False, repr=False)  # distances, computed once: every view needs many
    _near: tuple[tuple[int, ...], ...] = field(init=False, repr=False)
    _rings: dict[tuple[int, int], frozenset[int]] = field(init=False, repr=False, default_factory=dict)

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
        places = [self.place(cell) for cell in cells]
        far = tuple(tuple(abs(row - r) + abs(col - c) for r, c in places) for row, col in places)
        object.__setattr__(self, "_far", far)
        for cell in cells:
            for steps in range(len(self.rows) + len(self.cols)):
                self._rings[cell, steps] = frozenset(at for at in cells if far[cell][at] == steps)
        object.__setattr__(self, "_near", tuple(tuple(b for b in cells if self._touch(a, b)) for a in cells))

    def _touch(self, a: int, b: int) -> bool:
        (row, col), (row_b, col_b) = self.place(a), self.place(b)
        return a != b and abs(row - row_b) <= 1 and abs(col - col_b) <= 1

    def __len__(self) -> int:
        return len(self.names)

    def place(self, cell: int) -> tuple[int, int]:
        """Return row and column of a cell, counted from 0."""
        return divmod(cell, len(self.cols))

    def cell(self, row: int, col: int) -> int:
        """Return the cell at a row and a column, counted from 0."""
        return row * len(self.cols) + col

    def distance(self, a: int, b: int) -> int:
        """Return the number of steps between two cells, along rows and columns."""
        return self._far[a][b]

    def find_fitting(self, answers: Mapping[str, int]) -> frozenset[int]:
        """Return the cells whose distance from each named cell is the given answer."""
        rings = [self._rings[self.cells[name], far] for name, far in answers.items()]
        return rings[0].intersection(*rings[1:]) if rings else frozenset(range(len(self)))

    def neighbours(self, cell: int) -> tuple[int, ...]:
        """Return the up to eight cells around a cell, in reading order."""
        return self._near[cell]

    def name_cells(self, cells: Iterable[int]) -> tuple[str, ...]:
        """Return the names of cells."""
        names = self.names
        return tuple([names[cell] for cell in cells])

    def read(self, text: str) -> int:
        """Return the cell that a part of a typed line (in capitals) names."""
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
        """Return row and column as they were typed, counted from 1."""
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
        """Return the ranges of rows and columns in words."""
        columns = f"{self.cols[0]} to {self.cols[-1]}"
        if len(self.rows) == 1:
            return f"positions are {columns}"
        return f"rows are {self.rows[0]} to {self.rows[-1]}, columns {columns}"

    def board(self, kind: CellKind) -> Board:
        """Return an empty board. All its cells are of one kind."""
        return Board(self.frame, ("",) * len(self), (kind,) * len(self))
