"""A saved game, checked without a server: was every secret opened as it had been sealed?"""

from collections.abc import Iterator
from typing import Any

from gridgames_protocol import fairness, saved
from gridgames_protocol.messages import Reveal

SEAL_SHOWN = 12  # digits of a hash that tell it from others


def verified(text: str) -> tuple[list[str], bool]:
    """What came of checking a saved game, a line for each secret, and whether all of them fit."""
    record = saved.read(text)
    commits, reveals = record["commits"], saved.opened(record)
    verdict = fairness.check(commits, reveals)
    lines = [heading(record), *secrets(commits, reveals, verdict), conclusion(commits, verdict)]
    return lines, not verdict.broken and not verdict.unseen


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
