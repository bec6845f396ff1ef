"""Cells as the player names them: by the menu's questions, by a half-typed line, under the cursor."""

import re
from dataclasses import dataclass

from gridgames_client.model import Model
from gridgames_protocol.views import Action, Board


@dataclass(frozen=True, slots=True)
class Asking:
    """The menu's way to name a cell: a question for the row, one for the column, none where there is no choice."""

    action: Action
    board: Board
    row: str | None = None

    @property
    def question(self) -> str:
        """What is to be answered next."""
        if self._asks_row():
            return f"Row ({span(self.board.rows)}):"
        what = "Column" if len(self.board.rows) > 1 else "Position"
        return f"{what} ({span(self.board.cols)}):"

    def answered(self, text: str) -> "Asking | str | None":
        """The next question, the whole line, or None if that was no answer."""
        label = text.strip().upper()
        rows, cols = ([each.upper() for each in labels] for labels in (self.board.rows, self.board.cols))
        if self._asks_row() and label in rows:
            return Asking(self.action, self.board, self.board.rows[rows.index(label)])
        if not self._asks_row() and label in cols:
            row = self.board.rows.index(self.row if self.row is not None else self._rows()[0])
            return self._line(self.board.names[row * len(cols) + cols.index(label)])
        cell = written(self.board, label)
        return self._line(cell) if cell else None

    def _line(self, cell: str) -> str:
        return self.action.form.replace("{cell}", cell)

    def _asks_row(self) -> bool:
        return self.row is None and len(self._rows()) > 1

    def _rows(self) -> list[str]:
        """The rows in which the action could be done; all of them if it could be done nowhere."""
        width = len(self.board.cols)
        cells = [self.board.names.index(name) for name in self.action.cells or () if name in self.board.names]
        return sorted({self.board.rows[cell // width] for cell in cells}) or list(self.board.rows)


def span(labels: tuple[str, ...]) -> str:
    """Labels as people write them: 1-5."""
    return f"{labels[0]}-{labels[-1]}" if len(labels) > 1 else labels[0]


def named(model: Model, text: str) -> str | None:
    """The cell that a half-typed line names, to be lit on the board."""
    board = model.board
    if board is None:
        return None
    verb, _, rest = text.strip().upper().partition(" ")
    is_verb = any(verb == action.verb for action in model.actions)
    return written(board, rest.removeprefix("TO ") if is_verb else text)


def written(board: Board, text: str) -> str | None:
    """The cell that is written somehow like this: (3,3), 3 3, 33; 2B or B2."""
    known = {_parts(name): name for name in board.names}
    typed = _parts(text)
    if len(typed) == 1 and len(typed[0]) == 2 and typed not in known:
        typed = (typed[0][0], typed[0][1])
    mixed = len(typed) == 2 and typed[0].isdecimal() != typed[1].isdecimal()
    return known.get(typed) or (known.get(typed[::-1]) if mixed else None)


def _parts(text: str) -> tuple[str, ...]:
    return tuple(re.findall(r"\d+|[A-Z]+", text.upper()))


def fitting(model: Model, cell: str) -> list[Action]:
    """The actions that can be done at a cell, and those that need none."""
    at_cell = [action for action in model.actions if action.cells is not None and cell in action.cells]
    return at_cell + [action for action in model.actions if action.cells is None]


def why_not(model: Model, cell: str) -> str:
    """Why nothing can be done at a cell."""
    if model.room is not None and model.room.you is None:
        return "You are watching: only the players can act."
    if model.ending:
        return "The game is over. Ask for another with /again, or /leave."
    return f"Nothing can be done at {cell} now." if model.to_act else "It is not your turn."


def middle(model: Model) -> int:
    """The cell in the middle of the board, in reading order."""
    board = model.board
    return len(board.rows) // 2 * len(board.cols) + len(board.cols) // 2 if board else 0
