"""Checks a saved game without a server: was every secret opened as it had been sealed?"""

from collections.abc import Iterator
from typing import Any

from gridgames_protocol import commitments, saved_game
from gridgames_protocol.messages import Reveal

DOUBT = "This game does not fit together. Do not trust its server."
SEAL_SHOWN = 12  # digits of a hash that are printed


def verify_saved_game(text: str) -> tuple[list[str], bool]:
    """The result of the check as lines, and whether everything fits."""
    record = saved_game.read(text)
    commits, reveals = record["commits"], saved_game.opened(record)
    verdict = commitments.check(commits, reveals)
    lies = saved_game.list_contradictions(record)
    summary = DOUBT if lies else summarize(commits, verdict)
    lines = [describe_game(record), *check_secrets(commits, reveals, verdict), *lies, summary]
    return lines, not verdict.broken and not lies


def describe_game(record: dict[str, Any]) -> str:
    """The game, its players and its result."""
    names = " and ".join(str(name) for name in record["players"][:2] if name)
    return f"{record['game']}, {names or 'nobody'}: {record['text']}"


def check_secrets(commits: dict[str, str], reveals: list[Reveal], verdict: commitments.Verdict) -> Iterator[str]:
    """A line for each secret: its seal, its value, and whether they fit."""
    opened = {reveal.what for reveal in reveals}
    for what in commits:
        if what not in opened:
            yield f"{what}: sealed as {commits[what][:SEAL_SHOWN]}, and never opened."
    for reveal in reveals:
        if reveal.what not in commits:
            yield f"{reveal.what}: opened as {reveal.value}, without a seal."
        else:
            fits = "does NOT fit" if reveal.what in verdict.broken else "fits"
            yield f"{reveal.what}: sealed as {commits[reveal.what][:SEAL_SHOWN]}, opened as {reveal.value}: {fits}."


def summarize(commits: dict[str, str], verdict: commitments.Verdict) -> str:
    """The result in one sentence."""
    if verdict.broken:
        return f"NOT what was sealed: {len(verdict.broken)} of {len(commits)} secrets."
    if not commits:
        return "No secret was sealed in this game."
    return {1: "The sealed secret fits.", 2: "Both sealed secrets fit."}.get(
        verdict.fitting, f"All {verdict.fitting} sealed secrets fit."
    )
