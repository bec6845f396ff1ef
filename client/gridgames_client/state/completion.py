"""Completes and suggests lines. In a game they come from the view's actions."""

from gridgames_client.state.actions.find_action import list_slashes
from gridgames_client.state.actions.game_actions import find_typed_verb
from gridgames_client.state.cell_input import find_cell
from gridgames_client.state.model import Model
from gridgames_protocol.safe_text import is_harmless
from gridgames_protocol.views import Action


def list_candidates(model: Model, typed: str) -> list[str]:
    """The possible lines that begin with the typed text."""
    if model.room is None:
        slash = "/" if typed.startswith("/") else ""  # optional in the lobby
        lines = [slash + line for line in list_lobby_lines(model)]
    elif typed.startswith("/"):
        lines = list_slash_lines(model)
    elif is_covered(model, typed):
        lines = []  # the menu would show what the line covers
    else:
        lines = [line for action in model.actions for line in action.lines()]
    return [line for line in lines if line.upper().startswith(typed.upper()) and is_harmless(line)]


def is_covered(model: Model, typed: str) -> bool:
    """True while the typed line must stay covered."""
    return model.masked and (model.may_type_secret or model.is_secret(typed)) and not typed.startswith("/")


def list_lobby_lines(model: Model) -> list[str]:
    """The possible lines in the lobby."""
    rooms = model.lobby.rooms if model.lobby else ()
    lines = [f"{verb} {card.slug}" for verb in ("create", "rules") for card in model.cards]
    lines += [f"join {room.room}" for room in rooms if room.open]
    lines += [f"watch {room.room}" for room in rooms]
    lines += ["history", "standings", *(f"standings {card.slug}" for card in model.cards)]
    return [*lines, *(f"replay {game.number}" for game in model.past_games), "help", "quit"]


def list_slash_lines(model: Model) -> list[str]:
    """The commands of the room that work now."""
    return [*list_slashes(model), *(f"/replay {game.number}" for game in model.past_games)]


def suggest_rest(model: Model, typed: str, cell: str | None) -> str:
    """The rest of the line that Enter completes: for the cell under the cursor, or of the only possible line."""
    if not typed.strip() or is_covered(model, typed):
        return ""
    action = find_typed_verb(model, typed) if cell else None
    rest = complete_verb(action, typed, cell or "") if action else complete_line(model, typed, cell)
    return rest.lower() if typed.islower() and model.room is not None else rest


def complete_verb(action: Action, typed: str, cell: str) -> str:
    """The rest of an action's line after its letter or its verb. The cell alone follows a letter and a space."""
    line = action.form.replace("{cell}", cell)
    if line.upper().startswith(typed.upper()):
        return line[len(typed) :] if is_harmless(line) else ""
    return cell if is_harmless(cell) and typed.endswith(" ") and action.cells is not None else ""


def complete_line(model: Model, typed: str, cell: str | None) -> str:
    """The rest of the only line that is likely. A line that is complete and a number are not continued."""
    if find_cell(model, typed):
        return ""
    found = list_candidates(model, typed)
    here = [action.form.replace("{cell}", cell or "") for action in model.actions if cell in (action.cells or ())]
    likely = [line for line in here if line in found] or (found if len(found) == 1 else [])
    rest = likely[0][len(typed) :] if likely else ""
    return "" if typed[-1].isdigit() and rest[:1].isdigit() else rest
