"""Twin games: two worlds that a reader can't tell apart must send that reader the same bytes at the same moments.

`python -m tests.secrecy.games.game_twins GAME NUMBER` looks at one history again.
"""

import sys
from collections.abc import Iterator, Sequence
from itertools import islice
from random import Random
from typing import Any

import msgpack

from gridgames_protocol.framing import unstuff
from gridgames_server.games import GAMES
from gridgames_server.games.game import Game
from gridgames_server.games.seats import Reader
from tests.secrecy.games.histories import History, history
from tests.secrecy.games.other_worlds import RECAST, World
from tests.secrecy.games.reader_streams import Sent, stream
from tests.sixth_game import Pebbles

EVERY_GAME: tuple[Game[Any], ...] = (*GAMES, Pebbles())
READERS: tuple[Reader, ...] = (1, 2, None)

HISTORIES = 2_000  # of each game
DRAWN = 5  # other worlds of a usual history; one of them is played, so that two thousand take a few seconds
THOROUGH_EVERY = 100  # histories, one is played in all its worlds; it meets each of the three readers in turn
THOROUGH_WORLDS = 200  # at most: more than any game has but for a watcher's 624 pairs of treasures, and long duels


class Leak(AssertionError):
    """The suite's failure: a reader could tell two worlds apart."""

    def __init__(
        self, past: History, reader: Reader, world: World, line: int, messages: tuple[bytes | None, bytes | None]
    ) -> None:
        super().__init__(past, reader, world, line, messages)
        self.past, self.reader, self.world, self.line, self.messages = past, reader, world, line, messages

    def __str__(self) -> str:
        one, two = map(unpacked, self.messages)
        return (
            f"{self.past.slug}, history {self.past.number}: {self._who()} can tell two worlds apart {self._moment()}.\n"
            f"  instead:       {self._instead()}\n"
            f"  in one world:  {one}\n"
            f"  in the other:  {two}\n"
            f"  they differ in {', '.join(differing(one, two)) or 'the order of their keys'}\n"
            f"  again with:    python -m tests.secrecy.games.game_twins {self.past.slug} {self.past.number}"
        )

    def _who(self) -> str:
        return f"seat {self.reader}" if self.reader else "a watcher"

    def _moment(self) -> str:
        if not self.line:
            return "at the opening"
        seat, line, verdict = self.past.attempts[self.line - 1]
        return f"at line {self.line}, when seat {seat} types {line!r} ({verdict})"

    def _instead(self) -> str:
        drawn = {label: value for label, value in self.world.draws.items() if value != self.past.draws[label]}
        typed = {f"line {index + 1}": line for index, line in self.world.typed.items()}
        return ", ".join(f"{what}: {value}" for what, value in {**drawn, **typed}.items())


def unpacked(message: bytes | None) -> dict[str, object]:
    """The map in a message; an empty one where nothing was sent."""
    return {} if message is None else msgpack.unpackb(unstuff(message[:-1]))


def differing(one: dict[str, object], two: dict[str, object]) -> list[str]:
    """The keys under which two maps hold different things, 1 and true being different."""
    return [key for key in {**one, **two} if repr(one.get(key)) != repr(two.get(key))]


def examine_all(game: Game[Any]) -> None:
    """Examine as many histories of a game as make us trust it."""
    for number in range(HISTORIES):
        examine(game, number)


def examine(game: Game[Any], number: int) -> None:
    """Play a history in its other worlds, and raise the Leak that is found."""
    past, reader = history(game, number), READERS[number % len(READERS)]
    others = RECAST[past.slug](past, reader, Random(f"worlds/{number}"))
    if number % THOROUGH_EVERY == 0:
        compare(past, reader, list(islice(others, THOROUGH_WORLDS)))
    else:
        compare(past, reader, usual(list(islice(others, DRAWN)), number))


def usual(worlds: list[World], number: int) -> list[World]:
    """One world: the one that lasts longest, and in every other history any one, which mostly ends sooner."""
    return sorted(worlds, key=lambda world: world.until)[-1:] if number % 2 else worlds[:1]


def compare(past: History, reader: Reader, worlds: Sequence[World]) -> None:
    """Raise a Leak if the reader is sent anything else in one of the worlds, while it lasts."""
    longest = max((world.until for world in worlds), default=0)
    truth = list(stream(past.match(), reader, [attempt[:2] for attempt in past.attempts[:longest]]))
    for world in worlds:
        lines = stream(past.match(world.draws), reader, typed_instead(past, reader, world))
        for line, (one, two) in enumerate(zip(truth, lines, strict=False)):  # the truth goes on for longer worlds
            if one != two:
                raise Leak(past, reader, world, line, first_difference(one, two))


def typed_instead(past: History, reader: Reader, world: World) -> Iterator[tuple[int, str | None]]:
    """The lines of another world: what others typed in vain is left out, for nobody else may notice it."""
    for index, (seat, line, verdict) in enumerate(past.attempts[: world.until]):
        yield seat, None if verdict == "refused" and seat != reader else world.typed.get(index, line)


def first_difference(one: Sent, two: Sent) -> tuple[bytes | None, bytes | None]:
    """The first messages that differ; None where one world sends no more."""
    size = max(len(one), len(two))
    padded = zip((*one, *[None] * size), (*two, *[None] * size), strict=False)
    return next((a, b) for a, b in padded if a != b)


if __name__ == "__main__":
    slug, number = sys.argv[1:]
    examine(next(game for game in EVERY_GAME if game.card.slug == slug), int(number))
