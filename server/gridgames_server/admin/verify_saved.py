"""Replays a saved game by the rules, and checks that every answer was right."""

from collections.abc import Mapping, Sequence
from typing import Any

from gridgames_protocol import commitments, saved_game
from gridgames_protocol.messages import FOUL_REASONS, OUTSIDE_REASONS
from gridgames_protocol.saved_game import BadRecord
from gridgames_server.errors import Refusal
from gridgames_server.games import find_variant
from gridgames_server.games.game import Game, KnownChance
from gridgames_server.games.match import Match, may_have_ended
from gridgames_server.games.seats import SEATS


def check_saved_game(text: str, games: Sequence[Game[Any]]) -> list[str]:
    """Return the faults of a saved game, none if every answer was right."""
    record = saved_game.read(text)
    found = next((game for game in games if game.card.slug == record["game"]), None)
    rules = found and find_variant(found, record.get("variant"))
    if rules is None:
        raise BadRecord(f"there is no game called {record['game']!r} here")
    reveals = saved_game.opened(record)
    broken = commitments.check(record["commits"], reveals).broken
    secrets = {reveal.what: reveal.value for reveal in reveals}
    # The record does not say which seat began. With the wrong one the replay stops early.
    faults, _ = max((replay_record(rules, record, secrets, first) for first in SEATS), key=lambda tried: tried[1])
    lies = saved_game.list_contradictions(record)  # answers that contradict the opened secrets
    return [*(f"{what!r} does not match its commitment" for what in broken), *faults, *lies]


def replay_record(
    rules: Game[Any], record: Mapping[str, Any], secrets: Mapping[str, str], first: int
) -> tuple[list[str], int]:
    """Replay a record and compare. Return its faults, and how many moves could be played."""
    try:
        match = Match(rules, b"", first, KnownChance(b"", rules.draws(secrets)))
    except (KeyError, ValueError):
        return ["its secrets do not fit this game"], 0
    told: list[str] = []
    for number, (seat, line) in enumerate(record["moves"]):
        try:
            played = match.play(seat, line)
            if played.foul:  # a record holds no fouls
                raise played.foul
        except Refusal as refusal:
            return [f"move {number + 1} ({line!r}) is refused: {refusal.text}"], number
        hints = [said for said in played.announcements if said.event.kind == "hint"]
        told += [hint.event.text for hint in hints if record.get("you") in hint.readers]
    return compare(match, record, secrets, told), len(record["moves"])


def compare(match: Match, record: Mapping[str, Any], secrets: Mapping[str, str], told: list[str]) -> list[str]:
    """Return the differences between a record and the replayed match."""
    faults = []
    if dict(match.secrets) != dict(secrets):
        faults.append("the opened secrets do not fit the moves")
    said = record["told"]
    told = told[max(0, len(told) - len(said)) :]  # a player who came back has only the last answers
    if told != said:
        faults.append("an answer was wrong: " + describe_first_difference(told, said))
    ended, reason = match.outcome, record["reason"]
    is_won = record.get("winner") is not None
    follows_from_fouls = ended is None and FOUL_REASONS.get(reason) == is_won
    if not (follows_from_fouls or may_have_ended(match, record.get("winner"), reason)):
        earlier = ended and (reason in OUTSIDE_REASONS or reason in FOUL_REASONS)
        result = f"by the rules the result is: {ended.text if ended else 'none'}"
        faults.append("by the rules the game ended earlier" if earlier else result)
    return faults


def describe_first_difference(right: list[str], told: list[Any]) -> str:
    """Describe the first answer that differs."""
    for number, answer in enumerate(right):
        if number >= len(told) or told[number] != answer:
            return f"answer {number + 1} should have been {answer!r}"
    return "there are more answers than questions"
