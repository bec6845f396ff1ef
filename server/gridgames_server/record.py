"""A saved game, played again by the rules: was every answer right?"""

import json
from collections.abc import Mapping, Sequence
from typing import Any

from gridgames_protocol.messages import LINE_MAX
from gridgames_server.games.game import Dealt, Game, Refusal
from gridgames_server.games.tell import SEATS
from gridgames_server.match import Match

FORMAT = "gridgames game 1"
OUTSIDE = {"resigned", "forfeit", "absence", "clock", "afresh", "closed"}  # ends that are none of the rules


class BadRecord(Exception):
    """A file that is no saved game, and why."""


def check(text: str, games: Sequence[Game[Any]]) -> list[str]:
    """What is wrong with a saved game by the rules; nothing if every answer was right."""
    record = read(text)
    rules = next((game for game in games if game.card.slug == record["game"]), None)
    if rules is None:
        raise BadRecord(f"there is no game called {record['game']!r} here")
    secrets = {secret["what"]: secret["value"] for secret in record["reveal"]}
    faults = []
    for first in SEATS:  # the record does not say who began, but only one of the two can have
        faults = replayed(rules, record, secrets, first)
        if not faults:
            break
    return faults


def read(text: str) -> dict[str, Any]:
    """The record in a file, if it is one."""
    try:
        record = json.loads(text)
    except ValueError:
        raise BadRecord("it is not JSON") from None
    if not isinstance(record, dict) or record.get("format") != FORMAT:
        raise BadRecord(f"it is not a {FORMAT!r}")
    shapes = {"game": str, "reason": str, "moves": list, "reveal": list, "told": list}
    for key, kind in shapes.items():
        if not isinstance(record.get(key), kind):
            raise BadRecord(f"its {key!r} is missing or wrong")
    for move in record["moves"]:
        if not (isinstance(move, list) and len(move) == 2 and move[0] in SEATS and isinstance(move[1], str)):
            raise BadRecord("one of its moves is wrong")
        if len(move[1]) > LINE_MAX:
            raise BadRecord("one of its moves is too long")
    for secret in record["reveal"]:
        if not (isinstance(secret, dict) and all(isinstance(secret.get(key), str) for key in ("what", "value"))):
            raise BadRecord("one of its secrets is wrong")
    return record


def replayed(rules: Game[Any], record: Mapping[str, Any], secrets: Mapping[str, str], first: int) -> list[str]:
    """Play a record's moves again and compare."""
    try:
        match = Match(rules, b"", first, Dealt(b"", rules.draws(secrets)))
    except (KeyError, ValueError):
        return ["its secrets are none of this game's"]
    told: list[str] = []
    for number, (seat, line) in enumerate(record["moves"], start=1):
        try:
            played = match.play(seat, line)
        except Refusal as refusal:
            return [f"move {number} ({line}) is refused: {refusal.text}"]
        hints = [telling for telling in played.told if telling.kind == "hint"]
        told += [hint.text for hint in hints if record.get("you") in hint.readers]
    faults = []
    if {secret.what: secret.value for secret in match.secrets} != dict(secrets):
        faults.append("the secrets that were opened are not those of these moves")
    if told != record["told"]:
        faults.append("an answer was wrong: " + first_difference(told, record["told"]))
    ended = match.outcome
    if record["reason"] in OUTSIDE:
        if ended:
            faults.append("by the rules it was over before")
    elif ended is None or (ended.winner, ended.reason) != (record.get("winner"), record["reason"]):
        faults.append(f"by the rules it ended like this: {ended.text if ended else 'not at all'}")
    return faults


def first_difference(right: list[str], told: list[Any]) -> str:
    """The first answer that differs."""
    for number, answer in enumerate(right):
        if number >= len(told) or told[number] != answer:
            return f"answer {number + 1} should have been {answer!r}"
    return "there are more answers than questions"
