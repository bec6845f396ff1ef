"""All that a client ever knows of a game: a card about it, and what one seat may see of it now."""

from collections.abc import Mapping
from typing import Annotated, Literal

from gridgames_protocol.records import FLAT, Drawn, Length, Only, Range, Repeated, Unfit, record
from gridgames_protocol.text import columns, is_harmless

Seat = Annotated[int, Range(1, 2)]
CellKind = Literal[
    "empty", "hidden", "known", "hint", "mine", "theirs", "both", "token", "miss", "goal", "ruled_out"
]  # fmt: skip
Phase = Literal["setup", "play", "over"]

CELL_COLUMNS = 3  # a text this wide keeps a margin in a cell of five columns, the narrowest that is drawn
MARKED_MAX = 32  # characters of a label or a cell's text: marks take no column, and must not come without end
CELLS_MAX = 400  # 20 by 20, more than a screen of 80 columns shows
POINTS_MAX = 120  # of a review: more than a screen has columns, and little beside the moves of a long game

Label = Annotated[
    str,
    Only(
        f"a label of up to 8 columns and {MARKED_MAX} characters",
        lambda text: len(text) <= MARKED_MAX and columns(text) <= 8 and is_harmless(text),
    ),
]
CellName = Annotated[str, Length(1, 8)]
CellText = Annotated[
    str,
    Only(
        f"at most {CELL_COLUMNS} columns and {MARKED_MAX} characters",
        lambda text: len(text) <= MARKED_MAX and columns(text) <= CELL_COLUMNS and is_harmless(text),
    ),
]
Sentence = Annotated[str, Length(0, 1_000)]
FactLabel = Annotated[str, Length(1, 40)]
Amount = Annotated[int, Range(0, 65_535)]


@record
class Card:
    """A game as the lobby shows it; the edition is raised when its rules change."""

    slug: Annotated[str, Length(1, 40)]
    title: Annotated[str, Length(1, 40)]
    summary: Annotated[str, Length(1, 80)]
    rules: Annotated[str, Length(1, 5_000)]
    edition: Annotated[int, Range(1, 1_000)]
    assist: bool = False  # cells can be ruled out by what a player was told


@record
class Frame(Repeated):
    """What stays of a board whatever happens on it: its labels, and the names of its cells in reading order."""

    rows: Annotated[tuple[Label, ...], Length(1, 26)]
    cols: Annotated[tuple[Label, ...], Length(1, 26)]
    names: Annotated[tuple[CellName, ...], Length(1, CELLS_MAX)]


@record
class Board(Drawn, Repeated):
    """What each cell of a frame shows; a mask is how one looks while its reader's own secret is covered."""

    frame: Annotated[Frame, FLAT]
    texts: Annotated[tuple[CellText, ...], Length(1, CELLS_MAX)]
    kinds: Annotated[tuple[CellKind, ...], Length(1, CELLS_MAX)]
    masks: Annotated[tuple[tuple[CellName, CellText, CellKind], ...], Length(0, CELLS_MAX)] = ()

    @property
    def rows(self) -> tuple[str, ...]:
        """The labels of the rows."""
        return self.frame.rows

    @property
    def cols(self) -> tuple[str, ...]:
        """The labels of the columns."""
        return self.frame.cols

    @property
    def names(self) -> tuple[str, ...]:
        """The names of the cells."""
        return self.frame.names

    def __post_init__(self) -> None:
        size = len(self.rows) * len(self.cols)
        if not len(self.names) == len(self.texts) == len(self.kinds) == size:
            raise Unfit("board", "names, texts and kinds for every cell")

    # How a game draws: each of these gives a new board, so that a state may hold one, and draw what a move changes.

    def put(self, cell: int, text: str, kind: CellKind) -> "Board":
        """The same with a cell that shows something else."""
        return self.put_all({cell: (text, kind)})

    def put_all(self, looks: Mapping[int, tuple[str, CellKind]]) -> "Board":
        """The same with several cells that show something else."""
        texts, kinds = list(self.texts), list(self.kinds)
        for cell, (text, kind) in looks.items():
            texts[cell], kinds[cell] = text, kind
        return Board(self.frame, tuple(texts), tuple(kinds), self.masks)

    def add(self, cell: int, text: str, kind: CellKind) -> "Board":
        """The same with something written behind what a cell shows already."""
        return self.put(cell, self.texts[cell] + text, kind)

    def add_secret(self, cell: int, text: str, kind: CellKind) -> "Board":
        """The same with the reader's own secret behind what a cell shows; covered, the cell looks as it did."""
        covered = (self.names[cell], self.texts[cell], self.kinds[cell])
        board = self.add(cell, text, kind)
        return Board(self.frame, board.texts, board.kinds, (*self.masks, covered))

    def uncovered(self) -> "Board":
        """The same with nothing to cover."""
        return Board(self.frame, self.texts, self.kinds)


@record
class Action(Drawn, Repeated):
    """One verb that may be typed now, with the cells that it may name."""

    verb: Annotated[str, Length(1, 20)]
    form: Annotated[str, Length(1, 40)]
    help: Annotated[str, Length(1, 120)]
    cells: Annotated[tuple[CellName, ...], Length(0, CELLS_MAX)] | None = None
    key: Annotated[str, Length(1, 1)] | None = None
    secret: bool = False  # what is typed is the player's own secret: do not show it to the room

    def lines(self) -> tuple[str, ...]:
        """Every line that this action allows."""
        if self.cells is None:
            return (self.form,)
        return tuple(self.form.replace("{cell}", cell) for cell in self.cells)


@record
class View(Drawn):
    """What one reader may see of a game: enough to draw it, to play it, and for a program to reason about it."""

    phase: Phase
    prompt: Sentence
    board: Board
    facts: Annotated[tuple[tuple[FactLabel, Sentence], ...], Length(0, 20)]
    actions: Annotated[tuple[Action, ...], Length(0, 12)]
    state: Mapping[str, object]
    claimable: bool = False
    private: Annotated[tuple[FactLabel, ...], Length(0, 20)] = ()  # the facts that tell the reader's own secret


@record
class ReviewRow:
    """One line of a picture: a number for each point, and what it comes to in words."""

    label: FactLabel
    most: Annotated[int, Range(1, 65_535)]  # the number that is drawn highest
    numbers: Annotated[tuple[Amount, ...], Length(0, POINTS_MAX)]
    note: Annotated[str, Length(0, 160)]

    def __post_init__(self) -> None:
        if any(number > self.most for number in self.numbers):
            raise Unfit("numbers", "at most what `most` says")


@record
class Review:
    """How a game was decided: a picture over its moves, drawn without any knowledge of the game."""

    title: Annotated[str, Length(1, 80)]
    after: Annotated[tuple[Amount, ...], Length(0, POINTS_MAX)]  # how many moves were made at each point
    rows: Annotated[tuple[ReviewRow, ...], Length(0, 4)]

    def __post_init__(self) -> None:
        if any(len(row.numbers) != len(self.after) for row in self.rows):
            raise Unfit("rows", "rows with a number for each point")
