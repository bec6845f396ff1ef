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
        if self._asks_row():
            return Asking(self.action, self.board, label) if label in self.board.rows else None
        if label not in self.board.cols:
            return None
        row = self.board.rows.index(self.row if self.row is not None else self._rows()[0])
        cell = row * len(self.board.cols) + self.board.cols.index(label)
        return self.action.form.replace("{cell}", self.board.names[cell])

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
    typed = _bare(rest.removeprefix("TO ") if is_verb else text.upper())
    known = {_bare(name): name for name in board.names}
    return known.get(typed) or known.get(typed[::-1])


def _bare(text: str) -> str:
    return re.sub(r"[^0-9A-Z]", "", text)


def fitting(model: Model, cell: str) -> list[Action]:
    """The actions that can be done at a cell, and those that need none."""
    at_cell = [action for action in model.actions if action.cells is not None and cell in action.cells]
    return at_cell + [action for action in model.actions if action.cells is None]
