"""What a client is told of a game: its card, and what one seat may see now."""

from collections.abc import Mapping
from typing import Annotated, Literal

from gridgames_protocol.rules import FLAT, SPARSE, Absent, InvalidField, Length, Only, Range
from gridgames_protocol.safe_text import columns, is_harmless
from gridgames_protocol.schema import Unchecked, record

Seat = Annotated[int, Range(1, 2)]
CellKind = Literal[
    "empty", "hidden", "known", "hint", "mine", "theirs", "both", "token", "miss", "goal", "ruled_out"
]  # fmt: skip
Mark = Literal[CellKind, "legal", "last", "trail", "zone", "possible"]  # what a legend explains
MoveKind = Literal["none", "hint", "private", "miss", "good"]  # private: a hint that is covered with the own secrets
Phase = Literal["setup", "play", "over"]
Place = Literal["beside", "under"]
Layer = Literal["corners", "heat", "possible", "trail", "zones"]

CELL_COLUMNS = 3  # a text this wide keeps a margin in a cell of five columns, the narrowest that is drawn
MARKED_MAX = 32  # characters of a label or a cell's text: marks take no column, and must not come without end
CELLS_MAX = 400  # 20 by 20, more than a screen of 80 columns shows
CORNER_COLUMNS = 2
POINTS_MAX = 120  # of a review: more than a screen has columns, and little beside the moves of a long game

Label = Annotated[
    str,
    Only(
        f"at most 8 columns and {MARKED_MAX} characters",
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
Corner = Annotated[
    str,
    Only(
        f"at most {CORNER_COLUMNS} columns and {MARKED_MAX} characters",
        lambda text: len(text) <= MARKED_MAX and columns(text) <= CORNER_COLUMNS and is_harmless(text),
    ),
]
NO_STATE: Mapping[str, object] = {}  # of a view that is sent without its state: a reader has asked for that
Sentence = Annotated[str, Length(0, 1_000)]
FactLabel = Annotated[str, Length(1, 40)]
Amount = Annotated[int, Range(0, 65_535)]
Variant = Annotated[str, Length(1, 20)]

LegendEntry = tuple[Mark, Seat | None, Annotated[str, Length(1, 12)]]
# Label, whose it is, value, the value that fills it, and the value in words.
Meter = tuple[Annotated[str, Length(1, 12)], Seat | None, Amount, Amount, Annotated[str, Length(0, 12)]]
# Who moved, what, what came of it, and how that is drawn.
MoveEntry = tuple[Seat, Annotated[str, Length(1, 10)], Annotated[str, Length(0, 5)], MoveKind]
LastCell = tuple[Seat, Annotated[int, Range(0, 1)], CellName]  # on which board: 0, or 1 for the second one


@record
class Card:
    """A game as the lobby shows it; the edition is raised when its rules change."""

    slug: Annotated[str, Length(1, 40)]
    title: Annotated[str, Length(1, 40)]
    summary: Annotated[str, Length(1, 80)]
    rules: Annotated[str, Length(1, 5_000)]
    edition: Annotated[int, Range(1, 1_000)]
    assist: bool = False  # cells can be ruled out by what a player was told
    picture: Annotated[tuple[Annotated[str, Length(1, 7)], ...], Length(0, 5), SPARSE] = ()
    variants: Annotated[tuple[tuple[Variant, Annotated[str, Length(1, 160)]], ...], Length(0, 8), SPARSE] = ()
    guide: Annotated[
        tuple[tuple[Annotated[str, Length(1, 20)], Annotated[str, Length(1, 160)]], ...], Length(0, 12), SPARSE
    ] = ()


@record
class Frame:
    """What stays of a board whatever happens on it: its labels, and the names of its cells in reading order."""

    rows: Annotated[tuple[Label, ...], Length(1, 26)]
    cols: Annotated[tuple[Label, ...], Length(1, 26)]
    names: Annotated[tuple[CellName, ...], Length(1, CELLS_MAX)]


@record
class Board(Unchecked):
    """What each cell of a frame shows; a mask is how one looks while its reader's own secret is covered."""

    frame: Annotated[Frame, FLAT]
    texts: Annotated[tuple[CellText, ...], Length(1, CELLS_MAX)]
    kinds: Annotated[tuple[CellKind, ...], Length(1, CELLS_MAX)]
    masks: Annotated[tuple[tuple[CellName, CellText, CellKind], ...], Length(0, CELLS_MAX)] = ()
    title: Annotated[str, Length(0, 20), SPARSE] = ""
    corners: Annotated[tuple[Corner, ...], Length(0, CELLS_MAX), SPARSE] = ()
    heat: Annotated[tuple[Annotated[int, Range(0, 5)], ...], Length(0, CELLS_MAX), SPARSE] = ()
    possible: Annotated[tuple[CellName, ...], Length(0, CELLS_MAX), SPARSE] = ()
    trail: Annotated[tuple[tuple[Seat, CellName, CellName], ...], Length(0, 12), SPARSE] = ()
    zones: Annotated[
        tuple[tuple[Seat, Annotated[tuple[CellName, ...], Length(1, CELLS_MAX)]], ...], Length(0, 2), SPARSE
    ] = ()
    private: Annotated[tuple[Layer, ...], Length(0, 5), SPARSE] = ()  # the layers that tell the reader's own secret

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
            raise InvalidField("board", "names, texts and kinds for every cell")
        if not {len(self.corners), len(self.heat)} <= {0, size}:
            raise InvalidField("board", "corners and heat for every cell, or for none")
        named = {name for name, _, _ in self.masks}.union(self.possible, *(cells for _, cells in self.zones))
        named.update(name for _, *step in self.trail for name in step)
        if not named.issubset(self.names):
            raise InvalidField("board", "layers that name its own cells")

    # How a game draws: each of these gives a new board, so that a state may hold one, and draw what a move changes.

    def put(self, cell: int, text: str, kind: CellKind) -> "Board":
        """Return the board with another text and kind in one cell."""
        texts, kinds = list(self.texts), list(self.kinds)
        texts[cell], kinds[cell] = text, kind
        return self._redraw(tuple(texts), tuple(kinds), self.masks)

    def add(self, cell: int, text: str, kind: CellKind) -> "Board":
        """Return the board with a text added to one cell."""
        return self.put(cell, self.texts[cell] + text, kind)

    def add_secret(self, cell: int, text: str, kind: CellKind) -> "Board":
        """Return the board with the reader's own secret added to one cell. Its mask shows the cell without it."""
        covered = (self.frame.names[cell], self.texts[cell], self.kinds[cell])
        texts, kinds = list(self.texts), list(self.kinds)
        texts[cell], kinds[cell] = texts[cell] + text, kind
        return self._redraw(tuple(texts), tuple(kinds), (*self.masks, covered))

    def uncovered(self) -> "Board":
        """Return the board without masks."""
        layers = (self.title, self.corners, self.heat, self.possible, self.trail, self.zones)
        return Board(self.frame, self.texts, self.kinds, (), *layers)

    def _redraw(
        self, texts: tuple[str, ...], kinds: tuple[CellKind, ...], masks: tuple[tuple[str, str, CellKind], ...]
    ) -> "Board":
        return Board(
            self.frame,
            texts,
            kinds,
            masks,
            self.title,
            self.corners,
            self.heat,
            self.possible,
            self.trail,
            self.zones,
            self.private,
        )


@record
class Action(Unchecked):
    """One verb that may be typed now, with the cells that it may name."""

    verb: Annotated[str, Length(1, 20)]
    form: Annotated[str, Length(1, 40)]
    help: Annotated[str, Length(1, 120)]
    cells: Annotated[tuple[CellName, ...], Length(0, CELLS_MAX)] | None = None
    key: Annotated[str, Length(1, 1)] | None = None
    secret: bool = False  # what is typed is the player's own secret: do not show it to the room
    tells: Annotated[str, Length(0, 80), SPARSE] = ""  # what the player will be told
    private: Annotated[bool, SPARSE] = False  # the cells depend on the player's own secret: cover them with it
    warning: Annotated[str, Length(0, 80), SPARSE] = ""  # what it costs to name a cell that is not in `cells`

    def lines(self) -> tuple[str, ...]:
        """Every line that this action allows."""
        if self.cells is None:
            return (self.form,)
        return tuple(self.form.replace("{cell}", cell) for cell in self.cells)


@record
class SecondBoard(Unchecked):
    """Another board, and where it stands in relation to the first one."""

    title: Annotated[str, Length(0, 20)]
    place: Place
    board: Board


@record
class View(Unchecked):
    """What one reader may see of a game: enough to draw it, to play it, and for a program to reason about it."""

    phase: Phase
    prompt: Sentence
    board: Board
    facts: Annotated[tuple[tuple[FactLabel, Sentence], ...], Length(0, 20)]
    actions: Annotated[tuple[Action, ...], Length(0, 12)]
    state: Annotated[Mapping[str, object], Absent(NO_STATE)]
    claimable: bool = False
    private: Annotated[tuple[FactLabel, ...], Length(0, 20)] = ()  # facts and meters that tell the reader's own secret
    goal: Annotated[str, Length(0, 80), SPARSE] = ""
    legend: Annotated[tuple[LegendEntry, ...], Length(0, 6), SPARSE] = ()
    meters: Annotated[tuple[Meter, ...], Length(0, 4), SPARSE] = ()
    moves: Annotated[tuple[MoveEntry, ...], Length(0, 24), SPARSE] = ()
    last: Annotated[tuple[LastCell, ...], Length(0, 2), SPARSE] = ()
    boards: Annotated[tuple[SecondBoard, ...], Length(0, 1), SPARSE] = ()
    claim: Annotated[str, Length(0, 20), SPARSE] = ""  # what may be claimed, in words
    # The name of the secret that a secret action with cells seals now. Its value is the name of the chosen cell; a game
    # whose secrets have other values leaves this empty.
    seals: Annotated[str, Length(0, 64), SPARSE] = ""

    def __post_init__(self) -> None:
        boards = (self.board, *(second.board for second in self.boards))
        if not all(number < len(boards) and name in boards[number].names for _, number, name in self.last):
            raise InvalidField("last", "cells of the boards that are there")

    def find_board(self, place: Place) -> SecondBoard | None:
        """Return the second board that stands beside or under the first one."""
        return next((board for board in self.boards if board.place == place), None)

    def without_state(self) -> "View":
        """Return the view without `state`, for a reader who does not want it."""
        return View(
            self.phase,
            self.prompt,
            self.board,
            self.facts,
            self.actions,
            NO_STATE,
            self.claimable,
            self.private,
            self.goal,
            self.legend,
            self.meters,
            self.moves,
            self.last,
            self.boards,
            self.claim,
            self.seals,
        )


@record
class ReviewRow:
    """One line of a picture: a number for each point, and what it comes to in words."""

    label: FactLabel
    most: Annotated[int, Range(1, 65_535)]  # the number that is drawn highest
    numbers: Annotated[tuple[Amount, ...], Length(0, POINTS_MAX)]
    note: Annotated[str, Length(0, 160)]

    def __post_init__(self) -> None:
        if any(number > self.most for number in self.numbers):
            raise InvalidField("numbers", "at most what `most` says")


@record
class Turning:
    """The move that decided a game, and why."""

    move: Amount  # its place in `moves`, from 0
    text: Annotated[str, Length(1, 160)]
    round: Amount | None = None  # as a table of moves with a column for each seat numbers its rows, from 1


@record
class Review:
    """How a game was decided: a picture over its moves, drawn without any knowledge of the game."""

    title: Annotated[str, Length(1, 80)]
    after: Annotated[tuple[Amount, ...], Length(0, POINTS_MAX)]  # how many moves were made at each point
    rows: Annotated[tuple[ReviewRow, ...], Length(0, 4)]
    turning: Turning | None = None

    def __post_init__(self) -> None:
        if any(len(row.numbers) != len(self.after) for row in self.rows):
            raise InvalidField("rows", "rows with a number for each point")
