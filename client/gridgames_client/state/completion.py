"""Which lines may be typed now, to be completed and suggested. At the table they are the view's actions."""

from gridgames_client.commands import SLASHES
from gridgames_client.model import Model
from gridgames_protocol.text import is_harmless


def candidates(model: Model, typed: str) -> list[str]:
    """The lines that may be typed now and begin like what has been typed."""
    if model.room is None:
        slash = "/" if typed.startswith("/") else ""  # which means nothing in the lobby, and is typed all the same
        lines = [slash + line for line in lobby_lines(model)]
    elif typed.startswith("/"):
        lines = slash_lines(model)
    elif covered(model, typed):
        lines = [f"{action.verb} " for action in model.actions]  # a list of cells would tell which one it is
    else:
        lines = [line for action in model.actions for line in action.lines()]
    return [line for line in lines if line.upper().startswith(typed.upper()) and is_harmless(line)]


def covered(model: Model, typed: str) -> bool:
    """True while nothing may be shown that tells what is being typed."""
    return model.masked and (model.types_secret or model.is_secret(typed)) and not typed.startswith("/")


def lobby_lines(model: Model) -> list[str]:
    """What may be typed in the lobby."""
    rooms = model.lobby.rooms if model.lobby else ()
    lines = [f"{verb} {card.slug}" for verb in ("create", "rules") for card in model.cards]
    lines += [f"join {room.room}" for room in rooms if room.open]
    lines += [f"watch {room.room}" for room in rooms]
    lines += ["history", "standings", *(f"standings {card.slug}" for card in model.cards)]
    return [*lines, *(f"replay {game.number}" for game in model.past), "help", "quit"]


def slash_lines(model: Model) -> list[str]:
    """The commands of the room that work now."""
    seated = model.room is not None and model.room.you is not None
    works = {
        "/chat": True,
        "/again": seated and model.show is not None and not model.deserted,
        "/resign": model.in_game,
        "/claim": model.claimable,
        "/moves": model.ending is not None,
        "/save": model.ending is not None,
        "/mask": model.covers,
    }
    replays = [f"/replay {game.number}" for game in model.past]
    return [*(word for word in SLASHES if works.get(word, True)), *replays]


def suggestion(model: Model, typed: str, cell: str | None) -> str:
    """The rest of the line that is likely meant: the one for the cell under the cursor, or the only one left."""
    if not typed.strip() or covered(model, typed):
        return ""
    found = candidates(model, typed)
    here = [action.form.replace("{cell}", cell or "") for action in model.actions if cell in (action.cells or ())]
    likely = [line for line in here if line in found] or (found if len(found) == 1 else [])
    rest = likely[0][len(typed) :] if likely else ""
    return rest.lower() if typed.islower() else rest
