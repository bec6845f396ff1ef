"""A saved game, played again by the rules: was every answer right?"""

from collections.abc import Mapping, Sequence
from typing import Any

from gridgames_protocol import fairness, saved
from gridgames_protocol.saved import BadRecord
from gridgames_server.games.game import Dealt, Game, Refusal
from gridgames_server.games.tell import SEATS
from gridgames_server.match import Match

OUTSIDE = {"resigned", "forfeit", "absence", "clock", "afresh", "closed"}  # ends that are none of the rules


def check(text: str, games: Sequence[Game[Any]]) -> list[str]:
    """What is wrong with a saved game by the rules; nothing if every answer was right."""
    record = saved.read(text)
    rules = next((game for game in games if game.card.slug == record["game"]), None)
    if rules is None:
        raise BadRecord(f"there is no game called {record['game']!r} here")
    reveals = saved.opened(record)
    broken = fairness.check(record["commits"], reveals).broken
    secrets = {reveal.what: reveal.value for reveal in reveals}
    # The record does not say who began. Only one of the two can have: with the other one the moves soon stop.
    faults, _ = max((replayed(rules, record, secrets, first) for first in SEATS), key=lambda tried: tried[1])
    return [f"{what!r} was not opened as it was sealed" for what in broken] + faults


def replayed(
    rules: Game[Any], record: Mapping[str, Any], secrets: Mapping[str, str], first: int
) -> tuple[list[str], int]:
    """Play a record's moves again and compare; how many of them could be played tells whether `first` is right."""
    try:
        match = Match(rules, b"", first, Dealt(b"", rules.draws(secrets)))
    except (KeyError, ValueError):
        return ["its secrets are none of this game's"], 0
    told: list[str] = []
    for number, (seat, line) in enumerate(record["moves"]):
        try:
            played = match.play(seat, line)
            if played.foul:  # it counts, but is no move
                raise played.foul
        except Refusal as refusal:
            return [f"move {number + 1} ({line!r}) is refused: {refusal.text}"], number
        hints = [telling for telling in played.told if telling.event.kind == "hint"]
        told += [hint.event.text for hint in hints if record.get("you") in hint.readers]
    return compared(match, record, secrets, told), len(record["moves"])


def compared(match: Match, record: Mapping[str, Any], secrets: Mapping[str, str], told: list[str]) -> list[str]:
    """What a record says otherwise than the match that its moves lead to."""
    faults = []
    if {secret.what: secret.value for secret in match.secrets} != dict(secrets):
        faults.append("the secrets that were opened are not those of these moves")
    said = record["told"]
    told = told[max(0, len(told) - len(said)) :]  # one who came back in the middle has only the last of them
    if told != said:
        faults.append("an answer was wrong: " + first_difference(told, said))
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
