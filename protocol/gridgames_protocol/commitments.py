"""Commitments: a server binds itself to a secret with a hash, and opens it at the end for everybody to check."""

import hashlib
from collections.abc import Iterable, Mapping
from typing import NamedTuple

from gridgames_protocol.messages import Reveal


def commitment(what: str, value: str, nonce: str) -> str:
    """Return the hash of a secret and its nonce. It does not reveal the secret."""
    return hashlib.sha256(f"{nonce}:{what}={value}".encode()).hexdigest()


class Verdict(NamedTuple):
    """The result of checking all openings."""

    fitting: int
    broken: tuple[str, ...]  # opened to something else than was committed, or never opened


def check(commits: Mapping[str, str], reveals: Iterable[Reveal]) -> Verdict:
    """Compare every opening with the hash that was announced when the secret was made."""
    opened = {reveal.what: reveal for reveal in reveals}
    broken, fitting = [what for what in commits if what not in opened], 0
    for what, reveal in opened.items():
        if what not in commits:
            continue  # a contradiction, which `honesty` finds
        if commitment(what, reveal.value, reveal.nonce) == commits[what]:
            fitting += 1
        else:
            broken.append(what)
    return Verdict(fitting, tuple(broken))
