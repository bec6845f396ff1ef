"""Commitments: a server binds itself to a secret with a hash, and opens it at the end for everybody to check."""

import hashlib
from collections.abc import Iterable, Mapping
from typing import NamedTuple

from gridgames_protocol.messages import Reveal


def commitment(what: str, value: str, nonce: str) -> str:
    """The hash that binds to a secret without telling it."""
    return hashlib.sha256(f"{nonce}:{what}={value}".encode()).hexdigest()


class Verdict(NamedTuple):
    """What came of checking the openings: how many fit, and which do not fit or were never committed to."""

    fitting: int
    broken: tuple[str, ...]  # opened to something else than was committed, or never opened
    unseen: int  # opened, but committed before the reader came


def check(commits: Mapping[str, str], reveals: Iterable[Reveal]) -> Verdict:
    """Hold every opening against the hash that was seen when its secret came to exist."""
    opened = {reveal.what: reveal for reveal in reveals}
    broken = [what for what in commits if what not in opened]
    fitting = unseen = 0
    for what, reveal in opened.items():
        if what not in commits:
            unseen += 1
        elif commitment(what, reveal.value, reveal.nonce) == commits[what]:
            fitting += 1
        else:
            broken.append(what)
    return Verdict(fitting, tuple(broken), unseen)
