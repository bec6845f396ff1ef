"""A saved game, checked without a server: was every secret opened as it had been sealed?"""

import json
from collections.abc import Iterator
from typing import Any

from gridgames_client.record import FORMAT
from gridgames_protocol import fairness
from gridgames_protocol.messages import Reveal
from gridgames_protocol.records import Unfit

SEAL_SHOWN = 12  # digits of a hash that tell it from others


class BadRecord(Exception):
    """A file that is no saved game, and why."""


def verified(text: str) -> tuple[list[str], bool]:
    """What came of checking a saved game, a line for each secret, and whether all of them fit."""
    record = read(text)
    commits, reveals = record["commits"], [read_secret(secret) for secret in record["reveal"]]
    if len({reveal.what for reveal in reveals}) < len(reveals):
        raise BadRecord("it opens a secret twice")
    verdict = fairness.check(commits, reveals)
    lines = [heading(record), *secrets(commits, reveals, verdict), conclusion(commits, verdict)]
    return lines, not verdict.broken and not verdict.unseen


def read(text: str) -> dict[str, Any]:
    """The record in a file, if it is one."""
    try:
        record = json.loads(text)
        json.dumps(record, ensure_ascii=False).encode()  # half of a surrogate pair is no text
    except (ValueError, RecursionError):
        raise BadRecord("it is not JSON, or not all of it is there") from None
    if not isinstance(record, dict) or record.get("format") != FORMAT:
        raise BadRecord("it is not a game that was saved with /save")
    shapes = {"game": str, "players": list, "text": str, "commits": dict, "reveal": list}
    for key, kind in shapes.items():
        if not isinstance(record.get(key), kind):
            raise BadRecord(f"its {key!r} is missing or wrong")
    if not all(isinstance(seal, str) for seal in record["commits"].values()):
        raise BadRecord("one of its seals is wrong")
    return record


def read_secret(raw: Any) -> Reveal:
    """A secret as it was opened."""
    try:
        return Reveal(raw["what"], raw["value"], raw["nonce"])
    except (TypeError, KeyError, Unfit):
        raise BadRecord("one of its opened secrets is wrong") from None


def heading(record: dict[str, Any]) -> str:
    """Which game it is."""
    names = " and ".join(str(name) for name in record["players"][:2] if name)
    return f"{record['game']}, {names or 'nobody'}: {record['text']}"


def secrets(commits: dict[str, str], reveals: list[Reveal], verdict: fairness.Verdict) -> Iterator[str]:
    """What was sealed, what it was opened as, and whether that fits."""
    opened = {reveal.what for reveal in reveals}
    for what in commits:
        if what not in opened:
            yield f"{what}: sealed as {commits[what][:SEAL_SHOWN]}, and never opened."
    for reveal in reveals:
        if reveal.what not in commits:
            yield f"{reveal.what}: opened as {reveal.value}; its seal is not in the file, so it can't be checked."
        else:
            fits = "does NOT fit" if reveal.what in verdict.broken else "fits"
            yield f"{reveal.what}: sealed as {commits[reveal.what][:SEAL_SHOWN]}, opened as {reveal.value}: {fits}."


def conclusion(commits: dict[str, str], verdict: fairness.Verdict) -> str:
    """The whole in a sentence."""
    if verdict.broken:
        return f"NOT what was sealed: {len(verdict.broken)} of {len(commits)} secrets."
    if verdict.unseen:
        return f"Fitting: {verdict.fitting}. Without a seal in the file, so not to be checked: {verdict.unseen}."
    if not commits:
        return "No secret was sealed in this game."
    return "The sealed secret fits." if verdict.fitting == 1 else f"All {verdict.fitting} sealed secrets fit."
