"""Twin scenarios through the whole server: who can't know a difference is sent the same bytes at the same moments.

Every write on a wire is compared: its bytes, so that the lines, their order and their sizes are; its boundaries; its
moment; and its place among the writes to others who can't know the difference either, should they talk about it. The
server's log is read like one more wire. A table's own people are compared until its secrets are opened; everybody else
is to the end of the scenario.

One thing may differ: the hash of a commitment. It is of the secret and of a nonce, and the nonce, drawn from a seed
that is the same in both worlds, hides the secret; tests/secrecy/games/test_seals.py shows that no nonce depends on a
secret, nor is sent before the end. So the 64 hex digits behind the key `hash` count as 64 zeros here, and nothing else
is overlooked.

`python -m tests.secrecy.server.server_twins GAME NUMBER` looks at one scenario again.
"""

import re
import sys
from collections.abc import Mapping
from itertools import zip_longest
from math import inf
from typing import Any

from gridgames_server.games.game import Game
from tests.secrecy.games.game_twins import EVERY_GAME, unpacked
from tests.secrecy.server.fake_transports import Written
from tests.secrecy.server.other_secrets import Eyes, another, observers
from tests.secrecy.server.recorded_service import THE_LOG, Stage, performed
from tests.secrecy.server.twin_scenarios import Scenario, scenario
from tests.secrecy.server.twin_tables import READERS

SEAL = re.compile(rb"(\xa4hash\xd9\x40)[0-9a-f]{64}")
UNSEALED = rb"\g<1>" + b"0" * 64

BY_SLUG = {game.card.slug: game for game in EVERY_GAME}
SEATS: tuple[Eyes, Eyes] = ("seat 1", "seat 2")
TWINS = 2_000  # of each game
OUTSIDE_EVERY = 4  # scenarios, the watchers are hidden too in one, and all that is said at the tables differs


class Leak(AssertionError):
    """The suite's failure: somebody could tell two worlds apart."""

    def __init__(self, night: Scenario, eyes: Eyes, one: Written | None, two: Written | None) -> None:
        super().__init__(night.number, eyes, one, two)
        self.night, self.eyes, self.one, self.two = night, eyes, one, two

    def __str__(self) -> str:
        slug, number = self.night.game.card.slug, self.night.number
        return (
            f"{slug}, scenario {number}: {self.who} can tell two worlds apart that are one to {self.eyes}.\n"
            f"  in one world:  {told(self.one)}\n"
            f"  in the other:  {told(self.two)}\n"
            f"  again with:    python -m tests.secrecy.server.server_twins {slug} {number}"
        )

    @property
    def who(self) -> str:
        return " or ".join(sorted({written.who for written in (self.one, self.two) if written}))


def told(written: Written | None) -> str:
    """A write in words."""
    if written is None:
        return "nothing more"
    if written.who == THE_LOG:
        return f"{written.at:.4f} s, {written.who}: {written.chunk.decode()}"
    lines = [unpacked(line + b"\n") for line in written.chunk.split(b"\n")[:-1]]
    return f"{written.at:.4f} s, {written.who}: {lines}"


def examine(game: Game[Any], number: int, options: Mapping[str, Any] | None = None) -> int:
    """Spend a scenario in its worlds, and raise the Leak that is found; how many twins there were at its tables."""
    night = scenario(game, number, options)
    truth = performed(game, night.cues, night.delay, night.analysed)
    for eyes in (*SEATS, "watchers" if number % OUTSIDE_EVERY else "outside"):
        compare(night, eyes, truth, performed(game, another(night, eyes), night.delay, night.analysed))
    return sum(table.differs(reader) for table in night.tables for reader in READERS)


def examine_all(game: Game[Any], twins: int = TWINS, options: Mapping[str, Any] | None = None) -> int:
    """Spend as many scenarios as there must be twins; how many that took."""
    found = number = 0
    while found < twins:
        found += examine(game, number, options)
        number += 1
    return number


def compare(night: Scenario, eyes: Eyes, truth: Stage, other: Stage) -> None:
    """Raise a Leak at the first write by which somebody could tell the worlds apart."""
    for one, two in zip_longest(seen(night, eyes, truth), seen(night, eyes, other)):
        if one != two and masked(one) != masked(two):
            raise Leak(night, eyes, one, two)


def seen(night: Scenario, eyes: Eyes, stage: Stage) -> list[Written]:
    """All that is written to those who must not tell the worlds apart, while they must not."""
    until = {who: stage.opened.get(table, inf) for who, table in observers(night, eyes).items()}
    return [written for place, written in enumerate(stage.paper) if place < until.get(written.who, 0)]


def masked(written: Written | None) -> Written | None:
    """A write without the hashes of its commitments."""
    return written and written._replace(chunk=SEAL.sub(UNSEALED, written.chunk))


if __name__ == "__main__":
    slug, number = sys.argv[1:]
    print(examine(BY_SLUG[slug], int(number)), "twins")
