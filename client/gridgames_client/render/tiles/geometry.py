"""Where the tiles of a board are. A tile and the gap behind it are one pitch; gaps are one column by half a row."""

from typing import NamedTuple

from gridgames_client.render.drawing.text_layout import columns
from gridgames_protocol.views import Board

LABELS = 1  # rows above the tiles


class Pitch(NamedTuple):
    """The columns and rows from one tile to the next."""

    wide: int
    high: int

    @property
    def tile(self) -> int:
        """The columns of a tile: odd, so that one of them is the middle."""
        return self.wide - 1

    @property
    def halves(self) -> int:
        """The half rows of a tile. The lowest pitch has no gap."""
        return 2 * self.high - 1 if self.high > 1 else 2


PITCHES = tuple(
    Pitch(*size) for size in ((20, 10), (16, 8), (14, 7), (14, 6), (12, 5), (10, 4), (8, 3), (6, 2), (4, 1))
)
SIDE_PITCHES = PITCHES[PITCHES.index(Pitch(10, 4)) :]  # of a second board: smaller than the first


class Geometry(NamedTuple):
    """The places of one board's tiles on a canvas of its own."""

    pitch: Pitch
    gutter: int  # columns left of the tiles: the labels of the rows, and a gap
    rows: int
    cols: int
    labelled: bool = True  # a row of labels stands above

    @property
    def width(self) -> int:
        """The columns of the whole board, the gap at its right edge included."""
        return self.gutter + self.cols * self.pitch.wide

    @property
    def height(self) -> int:
        """The rows of the whole board."""
        return self.labelled + self.rows * self.pitch.high

    def place(self, index: int) -> tuple[int, int]:
        """The column and the row of a tile's corner."""
        row, col = divmod(index, self.cols)
        return self.gutter + col * self.pitch.wide, self.labelled + row * self.pitch.high

    def middle(self, index: int) -> tuple[int, int]:
        """The column and the row in the middle of a tile."""
        x, y = self.place(index)
        return x + self.pitch.tile // 2, y + (self.pitch.high - 1) // 2


def measure(board: Board, pitch: Pitch, labelled: bool = True) -> Geometry:
    """The geometry of a board with tiles of a pitch."""
    gutter = max(map(columns, board.rows), default=0) + 2
    return Geometry(pitch, max(3, gutter), len(board.rows), len(board.cols), labelled)


def choose(
    board: Board, size: int, rows: int, pitches: tuple[Pitch, ...] = PITCHES, labelled: bool = True
) -> Geometry | None:
    """The geometry with the largest tiles that fit; None if not even the smallest do."""
    for pitch in pitches:
        found = measure(board, pitch, labelled)
        if found.width <= size and found.height <= rows:
            return found
    return None
