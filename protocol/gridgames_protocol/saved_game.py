"""A finished game as a client saves it in a file: what such a file must hold, whoever reads it."""

import json
from typing import Any

from gridgames_protocol.honesty import find_contradictions
from gridgames_protocol.messages import LINE_MAX, Reveal
from gridgames_protocol.rules import InvalidField

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
RECORD_MAX = 16_000_000  # bytes of a saved game; the longest real one has a few million


class BadRecord(Exception):
    """A file that is no saved game, and why."""


def write_record(record: dict[str, Any]) -> str:
    """A record as text; in printable ASCII alone, so that no terminal obeys what somebody has put in it."""
    return json.dumps(record, indent=1).replace("\x7f", "\\u007f")


def read(text: str) -> dict[str, Any]:
    """Read a saved game. Raises BadRecord if the text is none."""
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
    if not (record.get("you") is None or is_seat(record["you"])):
        raise BadRecord("its 'you' is wrong")
    if not isinstance(record.get("variant", ""), str):
        raise BadRecord("its 'variant' is wrong")
    if not (_all_texts(record.get("typed", [])) and _all_texts(list(_choices(record).values()))):
        raise BadRecord("what its player typed is wrong")
    for move in record["moves"]:
        _check_move(move)
    if not all(isinstance(seal, str) for seal in record["commits"].values()):
        raise BadRecord("one of its seals is wrong")
    return record


def is_seat(value: Any) -> bool:
    """True for 1 and 2 as integers: 1.0 and true are equal to 1, and no seats."""
    return type(value) is int and value in SEATS


def _all_texts(values: Any) -> bool:
    return isinstance(values, list) and all(isinstance(value, str) for value in values)


def _choices(record: dict[str, Any]) -> dict[str, Any]:
    chosen = record.get("chosen", {})
    if not isinstance(chosen, dict):
        raise BadRecord("what its player typed is wrong")
    return chosen


def list_contradictions(record: dict[str, Any]) -> list[str]:
    """Return where the server contradicts what the player's client knew."""
    moves = [(seat, line) for seat, line in record["moves"]]
    complete, typed = record.get("complete") is True, record.get("typed", [])  # a record from a server has no `typed`
    return find_contradictions(
        record.get("you"), typed, _choices(record), complete, moves, record["commits"], opened(record)
    )


def opened(record: dict[str, Any]) -> list[Reveal]:
    """Return the opened secrets of a saved game."""
    reveals = [_secret(raw) for raw in record["reveal"]]
    if len({reveal.what for reveal in reveals}) < len(reveals):
        raise BadRecord("it opens a secret twice")
    return reveals


def _check_move(move: Any) -> None:
    if not (isinstance(move, list) and len(move) == 2 and is_seat(move[0]) and isinstance(move[1], str)):
        raise BadRecord("one of its moves is wrong")
    if len(move[1]) > LINE_MAX:
        raise BadRecord("one of its moves is too long")


def _secret(raw: Any) -> Reveal:
    try:
        return Reveal(raw["what"], raw["value"], raw["nonce"])
    except (TypeError, KeyError, InvalidField):
        raise BadRecord("one of its opened secrets is wrong") from None
