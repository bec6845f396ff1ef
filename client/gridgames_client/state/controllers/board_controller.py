"""What the player does on the board: act on a cell, choose among actions, move the cursor, mark a cell."""

from gridgames_client.state import cell_input, commands
from gridgames_client.state.actions.game_actions import (
    find_default,
    find_typed_verb,
    list_usable,
)
from gridgames_client.state.cell_names import parse_cell, parse_choice
from gridgames_client.state.controllers.controls import Controls
from gridgames_client.state.controllers.notifications import FrontEndAction
from gridgames_client.state.dialogs import Choice

MARKS = ("", "?", "!", "*")  # the pencil marks, in the order in which they change
FINAL = "{}: it can't be changed later. Enter again to confirm."
MARKED = "Marked {} with {}, for you alone. Press again for the next sign, or none."
FINAL_COVERED = "It can't be changed later. Enter again to confirm."
MARKS_COVERED = "Your pencil marks are covered too. F4 shows your secrets and the marks."
UNSEEN = "Covered: type the line, it shows as stars. F4 shows your secrets and the cursor."


def act(controller: Controls) -> None:
    """Run an action at the cursor's cell: the typed one, or the only one. If there are several, the player chooses.

    The choice begins with the first action that is possible there.
    An action that is not possible there is sent too: the server's answer says why.
    """
    board = controller.model.board
    if board is None:
        return
    cell = board.names[controller.cursor]
    typed = find_typed_verb(controller.model, controller.typed)
    actions = [typed] if typed else list_usable(controller.model)
    controller.log_offset, controller.shows_second = 0, False
    if controller.model.chooses_unseen and any(action.cells is not None for action in actions):
        explain_unseen(controller)
    elif not actions:
        controller.model.say(cell_input.explain_no_action(controller.model), bad=True)
    elif len(actions) == 1:
        play_choice(controller, Choice(tuple(actions), cell), 0)
    else:
        controller.model.say("")
        controller.open(Choice(tuple(actions), cell))
        controller.chosen_row = find_default(controller.model, actions, cell)
    controller.notify_change()


def act_at(controller: Controls, cell: int) -> None:
    """Move the cursor to a cell and act there. A hidden cursor stays where it is."""
    if not controller.model.chooses_unseen:
        controller.cursor = cell
    act(controller)


def act_on_refused_cell(controller: Controls, line: str) -> None:
    """Act at the cell that a line names and nothing else, after the server did not understand it."""
    model = controller.model
    cell = parse_cell(model.board, line) if model.board else None
    if model.board is None or cell is None or model.chooses_unseen:
        return
    controller.notify(FrontEndAction("clear"))
    controller.cursor = model.board.names.index(cell)
    act(controller)


def explain_unseen(controller: Controls) -> None:
    """Say how a covered secret is chosen."""
    controller.model.drop_notice()
    if not controller.model.notice:
        controller.model.say(UNSEEN)
    controller.notify_change()


def choose(controller: Controls, number: int) -> None:
    """Choose one of several actions."""
    page = controller.page
    if isinstance(page, Choice) and 0 <= number < len(page.actions):
        controller.page = None
        play_choice(controller, page, number)
    controller.notify_change()


def play_choice(controller: Controls, choice: Choice, number: int) -> None:
    """Play one of the actions that fit a cell."""
    controller.model.say("")
    line = choice.build_line(number)
    if ask_second_enter(controller, line):
        return
    controller.notify(FrontEndAction("clear"))
    controller.run(commands.play_line(controller.model, line))


def needs_second_enter(controller: Controls, line: str) -> bool:
    """True if a typed line sets a secret and needs a second Enter."""
    for action in controller.model.actions:
        cell = parse_choice(controller.model.board, action, line) if action.secret and controller.model.board else None
        if cell and line.strip().upper().startswith(action.verb):
            return ask_second_enter(controller, action.form.replace("{cell}", cell))
    return False


def ask_second_enter(controller: Controls, line: str) -> bool:
    """Ask for a second Enter if the line sets a secret of the whole game. True if the player was asked."""
    action = next((one for one in controller.model.actions if one.secret and line in one.lines()), None)
    if not controller.confirms_secrets or action is None or not controller.model.chooses_secrets:
        return False
    if controller.line_to_confirm == line:
        controller.line_to_confirm = ""
        return False
    controller.line_to_confirm = line
    controller.model.say(FINAL_COVERED if controller.model.masked else FINAL.format(line))
    return True


def move_cursor(controller: Controls, rows: int, cols: int) -> None:
    """Move the cursor. It stops at the edge of the board."""
    board = controller.model.board
    if controller.model.chooses_unseen:
        explain_unseen(controller)
    elif board is not None:
        row, col = divmod(controller.cursor, len(board.cols))
        row = min(max(row + rows, 0), len(board.rows) - 1)
        col = min(max(col + cols, 0), len(board.cols) - 1)
        controller.cursor = row * len(board.cols) + col
        controller.line_to_confirm, controller.log_offset, controller.shows_second = "", 0, False
        controller.model.drop_notice()
        controller.notify_change()


def switch_board(controller: Controls) -> None:
    """Show the second board in the place of the first, or the first one again."""
    show = controller.model.show
    if show and show.view.find_board("beside"):
        controller.shows_second = not controller.shows_second
        controller.model.drop_notice()
        controller.notify_change()


def mark(controller: Controls) -> None:
    """Change the pencil mark under the cursor."""
    if controller.model.chooses_unseen:
        explain_unseen(controller)
    elif controller.model.covers and controller.model.involves_secret:
        controller.model.say(MARKS_COVERED)
        controller.notify_change()
    elif controller.model.board is not None:
        cell = controller.model.board.names[controller.cursor]
        now = controller.model.marks.get(cell, "")
        sign = controller.model.marks[cell] = MARKS[(MARKS.index(now) + 1) % len(MARKS)]
        controller.model.say(MARKED.format(cell, sign) if sign else f"{cell} is not marked any more.")
        controller.notify_change()
