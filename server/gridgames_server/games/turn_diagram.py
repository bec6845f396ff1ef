"""A diagram of a line over time: a row for each turn, the newest on top, and the tracks of tokens from row to row."""

from collections.abc import Sequence
from functools import cache
from itertools import chain
from typing import TypeVar

from gridgames_protocol.views import Board, Frame
from gridgames_server.games.game import MARKS, Look
from gridgames_server.games.grid import Grid
from gridgames_server.games.seats import other

T = TypeVar("T")

Trail = tuple[tuple[int, str, str], ...]  # steps: seat, from, to


class TurnDiagram:
    """Draws diagrams of a line with at most `rows` rows. The seats take turns, and a row's label is its seat."""

    def __init__(self, line: Grid, rows: int) -> None:
        self.line, self.rows = line, rows
        self.blank = Board(line.frame, (), ())
        # The name of each position in each row, the newest row first.
        self._names = [[f"{age + 1}/{name}" for name in line.names] for age in range(rows)]
        self._frame = cache(self._make_frame)

    def add_row(self, board: Board, seat: int, at: int, look: Look, trail: Trail) -> Board:
        """Return a diagram with a new row in which one position is drawn. The trail is hidden with the own token."""
        text, kind, corner = look
        texts = self._add(board.texts, at, text, "")
        frame = self._frame(len(texts) // len(self.line), seat)
        kinds, corners = self._add(board.kinds, at, kind, "empty"), self._add(board.corners, at, corner, "")
        return Board(frame, texts, kinds, corners=corners, trail=trail, private=("trail",))

    def set_trail(self, board: Board, trail: Trail) -> Board:
        """Return a diagram with other tracks, which everybody may see."""
        return Board(board.frame, board.texts, board.kinds, corners=board.corners, trail=trail)

    def list_steps(self, seat: int, places: Sequence[int | None]) -> Trail:
        """Return a token's steps from row to row, the oldest first. `places` are its positions, the oldest first."""
        ages = range(len(places) - 1, 0, -1)
        return tuple(
            [
                (seat, self._names[age][start], self._names[age - 1][end])
                for age, start, end in zip(ages, places, places[1:], strict=False)
                if start is not None and end is not None
            ]
        )

    def _add(self, cells: tuple[T, ...], at: int, look: T, blank: T) -> tuple[T, ...]:
        """Return the cells with a new row on top and without a row that is too old."""
        row = [blank] * len(self.line)
        row[at] = look
        return (*row, *cells)[: self.rows * len(self.line)]

    def _make_frame(self, rows: int, newest: int) -> Frame:
        seats = [newest if age % 2 == 0 else other(newest) for age in range(rows)]
        return Frame(tuple(MARKS[seat] for seat in seats), self.line.cols, tuple(chain(*self._names[:rows])))
