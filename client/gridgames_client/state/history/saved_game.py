"""Writes a finished game as text, with all that is needed to check it without a server."""

from gridgames_client.state.model import Model
from gridgames_protocol import saved_game


def write_saved_game(model: Model) -> str:
    """The finished game as JSON. It is pure ASCII, so that it holds no control characters for a terminal."""
    ending, room = model.ending, model.room
    assert ending
    assert room
    record = {
        "format": saved_game.FORMAT,
        "game": room.game,
        **({} if room.variant is None else {"variant": room.variant}),
        "you": room.you,
        "players": [model.names.get(seat) for seat in (1, 2)],
        "winner": ending.over.winner,
        "reason": ending.over.reason,
        "text": ending.over.text,
        "moves": ending.moves,
        "told": list(model.hints),
        "typed": model.own_lines,
        "chosen": model.secret_cells,
        "complete": model.lines_complete,
        "doubts": list(ending.contradictions),
        "commits": model.commits,
        "reveal": [{"what": r.what, "value": r.value, "nonce": r.nonce} for r in ending.reveals],
    }
    return saved_game.write_record(record)
