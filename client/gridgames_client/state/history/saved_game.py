"""A finished game as a text record: everything that is needed to check it without a server."""

import json

from gridgames_client.model import Model
from gridgames_protocol.saved import FORMAT


def recorded(model: Model) -> str:
    """The game that is over, as JSON; in ASCII alone, so that no terminal obeys what somebody has put in it."""
    ending, room = model.ending, model.room
    assert ending
    assert room
    record = {
        "format": FORMAT,
        "game": room.game,
        "you": room.you,
        "players": [model.names.get(seat) for seat in (1, 2)],
        "winner": ending.over.winner,
        "reason": ending.over.reason,
        "text": ending.over.text,
        "moves": ending.moves,
        "told": answers(model),
        "commits": model.commits,
        "reveal": [{"what": r.what, "value": r.value, "nonce": r.nonce} for r in ending.reveals],
    }
    return json.dumps(record, indent=1).replace("\x7f", "\\u007f")


def answers(model: Model) -> list[str]:
    """What this player alone was told in the game, as far as the log still has it."""
    found: list[str] = []
    for event in model.log:
        if event.kind == "system" and event.text.startswith("Welcome to "):
            found.clear()  # so far it was the game before
        elif event.kind == "hint":
            found.append(event.text)
    return found
