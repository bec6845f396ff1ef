"""The question that a player in plain mode has to answer now."""

from gridgames_client.state.commands import Confirm
from gridgames_client.state.controllers.controller import Controller
from gridgames_client.state.model import Model
from gridgames_protocol.views import Action

AGAIN = "Type /again for a rematch, or /leave for the lobby."
LEAVE = "Type /leave for the lobby."


def find_question(controller: Controller) -> str:
    """The open question; empty if nothing is asked."""
    model = controller.model
    if isinstance(controller.page, Confirm):
        return f"{controller.page.question} (y/n)"
    if controller.page is not None:
        return ""
    if controller.cell_prompt is not None:
        return controller.cell_prompt.question
    if model.show and model.to_act:
        keyed = list_keyed(model)
        return ask_choice(keyed) if keyed else model.show.view.prompt
    return ask_rematch(model)


def list_keyed(model: Model) -> list[Action]:
    """The actions of the menu."""
    return [action for action in model.actions if action.key]


def ask_choice(keyed: list[Action]) -> str:
    """The menu's question."""
    return f"Enter your choice ({' or '.join(str(action.key) for action in keyed)}):"


def ask_rematch(model: Model) -> str:
    """The question after a game; empty for one who has asked for a rematch."""
    room = model.room
    if room is None or model.ending is None or room.you in room.again:
        return ""
    return LEAVE if room.you is None or model.has_empty_seat else AGAIN
