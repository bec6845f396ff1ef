"""What the player does on the board: act on a cell, choose among actions, move the cursor, mark a cell."""

from gridgames_client.state import cell_input, commands
from gridgames_client.state.cell_names import parse_choice
from gridgames_client.state.controllers.controls import Controls
from gridgames_client.state.controllers.notifications import FrontEndAction
from gridgames_client.state.dialogs import Choice
from gridgames_protocol.views import Action

HIDE = "Hide it at {}? Enter again to confirm."
HIDE_COVERED = "Hide it there? Enter again to confirm."


def act(controller: Controls) -> None:
    """Run the action at the cursor's cell. If there are several, a typed verb decides, or else the player chooses.

    The player also chooses if only one of them fits this cell: Enter must not become a guess where a query was meant.
    """
    board = controller.model.board
    if board is None:
        return
    cell = board.names[controller.cursor]
    fitting = cell_input.list_actions_at(controller.model, cell)
    verb = find_typed_action(controller)
    if verb is not None:
        fitting = [action for action in fitting if action.verb == verb.verb]
    if not any(action.cells for action in fitting):
        controller.model.say(cell_input.explain_no_action(controller.model, cell, verb.verb if verb else ""), bad=True)
    elif len(fitting) == 1 and (verb or is_only_action(controller, fitting[0])):
        play_choice(controller, Choice(tuple(fitting), cell), 0)
    else:
        controller.open(Choice(tuple(fitting), cell))
        controller.chosen_row = 0
    controller.notify_change()


def is_only_action(controller: Controls, action: Action) -> bool:
    """True if no other action takes a cell now."""
    return all(other is action or not other.cells for other in controller.model.actions)


def find_typed_action(controller: Controls) -> Action | None:
    """The action whose verb begins with the typed text, if there is only one."""
    word = controller.typed.strip().upper()
    found = [action for action in controller.model.actions if word and action.verb.startswith(word) and action.cells]
    return found[0] if len(found) == 1 else None


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
    if ask_second_enter(controller, line, choice.cell):
        return
    controller.notify(FrontEndAction("clear"))
    controller.run(commands.play_line(controller.model, line))
    if choice.actions[number].secret:
        controller.cursor = cell_input.find_middle(controller.model)  # the cursor must not point at the secret


def needs_second_enter(controller: Controls, line: str) -> bool:
    """True if a typed line sets a secret and needs a second Enter."""
    for action in controller.model.actions:
        cell = parse_choice(controller.model.board, action, line) if action.secret and controller.model.board else None
        if cell and line.strip().upper().startswith(action.verb):
            return ask_second_enter(controller, action.form.replace("{cell}", cell), cell)
    return False


def ask_second_enter(controller: Controls, line: str, cell: str) -> bool:
    """Ask for a second Enter if the line sets a secret of the whole game. True if the player was asked."""
    action = next((one for one in controller.model.actions if one.secret and line in one.lines()), None)
    if not controller.confirms_secrets or action is None or not controller.model.chooses_secrets:
        return False
    if controller.line_to_confirm == line:
        controller.line_to_confirm = ""
        return False
    controller.line_to_confirm = line
    controller.model.say(HIDE_COVERED if controller.model.masked else HIDE.format(cell))
    return True


def move_cursor(controller: Controls, rows: int, cols: int) -> None:
    """Move the cursor. It stops at the edge of the board."""
    board = controller.model.board
    if board is not None:
        row, col = divmod(controller.cursor, len(board.cols))
        row = min(max(row + rows, 0), len(board.rows) - 1)
        col = min(max(col + cols, 0), len(board.cols) - 1)
        controller.cursor = row * len(board.cols) + col
        drop_unconfirmed_line(controller)
        controller.notify_change()


def drop_unconfirmed_line(controller: Controls) -> None:
    if controller.line_to_confirm:
        controller.line_to_confirm = ""
        controller.model.say("")


def mark(controller: Controls) -> None:
    """Change the pencil mark under the cursor."""
    if controller.model.board is not None:
        controller.model.mark(controller.model.board.names[controller.cursor])
        controller.notify_change()
