"""A finished game as a client saves it in a file: what such a file must hold, whoever reads it."""

import json
from typing import Any

from gridgames_protocol.messages import LINE_MAX, Reveal
from gridgames_protocol.records import Unfit

FORMAT = "gridgames game 1"
SHAPES = {
    "game": str,
    "players": list,
    "reason": str,
    "text": str,
    "moves": list,
    "told": list,
    "commits": dict,
    "reveal": list,
}
SEATS = (1, 2)


class BadRecord(Exception):
    """A file that is no saved game, and why."""


def read(text: str) -> dict[str, Any]:
    """The record in a file, if it is one."""
    try:
        record = json.loads(text)
        json.dumps(record, ensure_ascii=False).encode()  # half of a surrogate pair is no text
    except (ValueError, RecursionError):
        raise BadRecord("it is not JSON, or not all of it is there") from None
    if not isinstance(record, dict) or record.get("format") != FORMAT:
        raise BadRecord("it is not a game that was saved with /save")
    for key, kind in SHAPES.items():
        if not isinstance(record.get(key), kind):
            raise BadRecord(f"its {key!r} is missing or wrong")
    if record.get("you") not in (*SEATS, None):
        raise BadRecord("its 'you' is wrong")
    for move in record["moves"]:
        _check_move(move)
    if not all(isinstance(seal, str) for seal in record["commits"].values()):
        raise BadRecord("one of its seals is wrong")
    return record


def opened(record: dict[str, Any]) -> list[Reveal]:
    """The secrets of a record as they were opened."""
    reveals = [_secret(raw) for raw in record["reveal"]]
    if len({reveal.what for reveal in reveals}) < len(reveals):
        raise BadRecord("it opens a secret twice")
    return reveals


def _check_move(move: Any) -> None:
    if not (isinstance(move, list) and len(move) == 2 and move[0] in SEATS and isinstance(move[1], str)):
        raise BadRecord("one of its moves is wrong")
    if len(move[1]) > LINE_MAX:
        raise BadRecord("one of its moves is too long")


def _secret(raw: Any) -> Reveal:
    try:
        return Reveal(raw["what"], raw["value"], raw["nonce"])
    except (TypeError, KeyError, Unfit):
        raise BadRecord("one of its opened secrets is wrong") from None
