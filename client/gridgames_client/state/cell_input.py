"""Which cell the player means: by the menu's questions, a half-typed line or the cursor."""

from dataclasses import dataclass

from gridgames_client.state.actions.game_actions import find_begun_action
from gridgames_client.state.cell_names import parse_cell, parse_choice
from gridgames_client.state.model import Model
from gridgames_protocol.views import Action, Board

OVER = "The game is over. F6 (/again) asks for another, F7 (/leave) goes to the lobby."
OVER_ALONE = "The game is over. F7 (/leave) goes to the lobby."


@dataclass(frozen=True, slots=True)
class CellPrompt:
    """The menu's questions for a cell: its row, then its column. A row that is the only one is not asked for."""

    action: Action
    board: Board
    row: str | None = None

    @property
    def question(self) -> str:
        """The text of the next question."""
        if self._asks_row():
            return f"Row ({name_range(self.board.rows)}):"
        what = "Column" if len(self.board.rows) > 1 else "Position"
        return f"{what} ({name_range(self.board.cols)}):"

    def answer(self, text: str) -> "CellPrompt | str | None":
        """The next question, or the complete line, or None if the text is no answer."""
        label = text.strip().upper()
        rows, cols = ([each.upper() for each in labels] for labels in (self.board.rows, self.board.cols))
        if self._asks_row() and label in rows:
            return CellPrompt(self.action, self.board, self.board.rows[rows.index(label)])
        if not self._asks_row() and label in cols:
            row = self.board.rows.index(self.row if self.row is not None else self._rows()[0])
            return self._line(self.board.names[row * len(cols) + cols.index(label)])
        cell = parse_cell(self.board, label)
        return self._line(cell) if cell else None

    def _line(self, cell: str) -> str:
        return self.action.form.replace("{cell}", cell)

    def _asks_row(self) -> bool:
        return self.row is None and len(self._rows()) > 1

    def _rows(self) -> list[str]:
        """The rows in which the action is possible; all rows if there is none."""
        width = len(self.board.cols)
        cells = [self.board.names.index(name) for name in self.action.cells or () if name in self.board.names]
        return sorted({self.board.rows[cell // width] for cell in cells}) or list(self.board.rows)


def name_range(labels: tuple[str, ...]) -> str:
    """A range of labels, for example 1-5."""
    return f"{labels[0]}-{labels[-1]}" if len(labels) > 1 else labels[0]


def find_cell(model: Model, text: str) -> str | None:
    """The cell that a half-typed line names; the board highlights it."""
    board = model.board
    if board is None:
        return None
    word, _, rest = text.strip().partition(" ")
    action = find_begun_action(model, word) if rest else None
    named = parse_cell(board, rest.upper().removeprefix("TO ")) if action else None
    named = named or (parse_choice(board, action, rest) if action else None)
    return named or parse_cell(board, text)


def find_shown_cell(model: Model, cursor: int, typed: str) -> str:
    """The cell that the frame on the board shows: the typed one, or else the one under the cursor; none if hidden."""
    if model.chooses_unseen:
        return ""
    return find_cell(model, typed) or (model.board.names[cursor] if model.board else "")


def explain_no_action(model: Model) -> str:
    """Why the player can't act now."""
    if model.room is not None and model.room.you is None:
        return "You are watching: only the players can act."
    if model.ending:
        return OVER_ALONE if model.has_empty_seat else OVER
    return "It is not your turn."


def find_start(model: Model) -> int:
    """The cell where the cursor begins: of those where the player can act, the nearest to the middle of the board."""
    board, middle = model.board, find_middle(model)
    legal = {name for action in model.actions for name in action.cells or ()}
    if board is None:
        return middle
    width = len(board.cols)

    def measure(cell: int) -> int:
        return abs(cell // width - middle // width) + abs(cell % width - middle % width)

    return min((cell for cell, name in enumerate(board.names) if name in legal), key=measure, default=middle)


def find_middle(model: Model) -> int:
    """The cell in the middle of the board, in reading order."""
    board = model.board
    return len(board.rows) // 2 * len(board.cols) + len(board.cols) // 2 if board else 0
