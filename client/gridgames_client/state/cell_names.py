"""Reads the names of cells as players write them."""

import re

from gridgames_protocol.views import Action, Board


def parse_cell(board: Board, text: str) -> str | None:
    """The cell that a text names: (3,3), 3 3, 33, 2B or B2."""
    known = {_split(name): name for name in board.names}
    typed = _split(text)
    if len(typed) == 1 and len(typed[0]) == 2 and typed not in known:
        typed = (typed[0][0], typed[0][1])
    mixed = len(typed) == 2 and typed[0].isdecimal() != typed[1].isdecimal()
    return known.get(typed) or (known.get(typed[::-1]) if mixed else None)


def parse_choice(board: Board, action: Action, line: str) -> str | None:
    """The cell that a line of an action names. The column is enough if only one row is possible."""
    rest = line.strip().upper().removeprefix(action.verb).strip().removeprefix("TO ")
    cell, cells = parse_cell(board, rest), action.cells or ()
    if cell in cells:
        return cell
    ends = [name for name in cells if _split(name)[-1:] == _split(rest)]
    return ends[0] if len(ends) == 1 else None


def names_other_cell(board: Board, action: Action, line: str) -> bool:
    """True if a line of an action names a cell that the action does not list."""
    verb, _, rest = line.strip().upper().partition(" ")
    cell = parse_cell(board, rest.strip().removeprefix("TO ")) if verb == action.verb else None
    return cell is not None and cell not in (action.cells or ())


def _split(text: str) -> tuple[str, ...]:
    return tuple(re.findall(r"\d+|[A-Z]+", text.upper()))
