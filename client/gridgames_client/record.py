"""A finished game as a text record: everything that is needed to check it without a server."""

import json

from gridgames_client.model import Model
from gridgames_protocol.text import harmless

FORMAT = "gridgames game 1"


def recorded(model: Model) -> str:
    """The game that is over, as JSON."""
    ending, room = model.ending, model.room
    assert ending
    assert room
    return json.dumps(
        {
            "format": FORMAT,
            "game": room.game,
            "players": [harmless(holder.name) if holder else None for holder in room.seats],
            "winner": ending.over.winner,
            "reason": ending.over.reason,
            "text": ending.over.text,
            "moves": ending.moves,
            "commits": model.commits,
            "reveal": [{"what": r.what, "value": r.value, "nonce": r.nonce} for r in ending.reveals],
        },
        indent=1,
        ensure_ascii=False,
    )
