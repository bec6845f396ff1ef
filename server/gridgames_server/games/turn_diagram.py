"""A diagram of a line over time: a row for each turn, the newest on top, and the tracks of tokens from row to row."""

from collections.abc import Mapping, Sequence
from functools import cache
from itertools import chain
from typing import TypeVar

from gridgames_protocol.views import Board, Frame
from gridgames_server.games.game import MARKS, OWNED
from gridgames_server.games.grid import Grid
from gridgames_server.games.seats import SEATS, other

T = TypeVar("T")

Trail = tuple[tuple[int, str, str], ...]  # steps: seat, from, to
Boards = Mapping[int, Board]  # of each seat


class TurnDiagram:
    """Draws diagrams of a line with at most `rows` rows. The seats take turns, and a row's label is its seat."""

    def __init__(self, line: Grid, rows: int) -> None:
        self.line, self.rows = line, rows
        self.blank = Board(line.frame, (), ())
        # The name of each position in each row, the newest row first.
        self._names = [[f"{age + 1}/{name}" for name in line.names] for age in range(rows)]
        self._frame = cache(self._make_frame)
        # All steps, by seat, by the age of the row that they start from, by start and by end. They are made in advance:
        # diagrams have them in common, and the time to draw one must not reveal a token's track.
        self._steps = {
            seat: [
                [[(seat, start, end) for end in newer] for start in older]
                for older, newer in zip(self._names, [self._names[0], *self._names], strict=False)
            ]
            for seat in SEATS
        }

    def add_row(self, boards: Boards, seat: int, at: int, text: str, trails: Mapping[int, Trail]) -> Boards:
        """Return the diagrams of both seats with a new row: a look of one seat. Trails are hidden with the own token.

        Both share their texts and corners, which takes a third of the memory off.
        """
        texts, corners = self._add(boards[1].texts, at, text, ""), self._add(boards[1].corners, at, MARKS[seat], "")
        frame = self._frame(len(texts) // len(self.line), seat)
        kinds = {eyes: self._add(old.kinds, at, OWNED[eyes][seat], "empty") for eyes, old in boards.items()}
        return {
            eyes: Board(frame, texts, kinds[eyes], corners=corners, trail=trails[eyes], private=("trail",))
            for eyes in boards
        }

    def set_trail(self, board: Board, trail: Trail) -> Board:
        """Return a diagram with other tracks, which everybody may see."""
        return Board(board.frame, board.texts, board.kinds, corners=board.corners, trail=trail)

    def list_steps(self, seat: int, places: Sequence[int | None]) -> Trail:
        """Return a token's steps from row to row, the oldest first. `places` are its positions, the oldest first."""
        ages = range(len(places) - 1, 0, -1)
        return tuple(
            [
                self._steps[seat][age][start][end]
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
