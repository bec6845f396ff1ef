"""Whole scenarios: some tables of one game, somebody in the lobby, and a stranger at the door."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from random import Random
from typing import Any

from gridgames_protocol.messages import (
    AskHint,
    AskHistory,
    AskRecord,
    AskReplay,
    AskStandings,
    AskStatus,
    ByeRequest,
    Hello,
    Leave,
)
from gridgames_server.games.game import Game
from tests.secrecy.server.cues import Beat, Code, Cue
from tests.secrecy.server.private_requests import alone
from tests.secrecy.server.recorded_service import PASSWORD
from tests.secrecy.server.twin_tables import Plan, Table, table

TABLES = 3
GAPS = (0.0, 0.0, 0.0625, 0.125, 0.25, 0.5)  # seconds between two beats
SLOW_DISK, SLOW_SHARE = 0.03125, 0.2  # seconds, like the gaps such that sums of them are exact; and how many scenarios
RESTART_SHARE = 0.07
ANALYSED_SHARE = 0.1  # of the scenarios: an analysis takes as long as a whole scenario without
AGAINST_BOT = 0.3  # how often the one in the lobby begins a game against the computer, and asks what to do

LOU, SAM = "Lou", "Sam"  # in the lobby, and at the door


@dataclass(frozen=True)
class Scenario:
    """Who does what and when, at which tables, with how slow a disk."""

    game: Game[Any]
    number: int
    tables: tuple[Table, ...]
    cues: tuple[Cue, ...]
    delay: float
    analysed: bool = False  # the server analyses finished games


def scenario(game: Game[Any], number: int, options: Mapping[str, Any] | None = None) -> Scenario:
    """The scenario with a number; the same for the same game, number and options of the rooms."""
    chance = Random(f"evening/{game.card.slug}/{number}")
    tables = tuple(table(game, place, number * TABLES + place) for place in range(TABLES))
    delay = SLOW_DISK if chance.random() < SLOW_SHARE else 0.0
    plans = [Plan(one, chance, options or {}, slow=not one.number, can_fill=not delay).made() for one in tables]
    slug = game.card.slug
    beats = [
        *merged([*plans, lobby(slug, chance), door(slug, chance), sky(chance)], chance),
        *(Beat(LOU, "says", request) for request in chance.sample(LAST_QUESTIONS, 2)),
    ]
    return Scenario(game, number, tables, timed(beats, chance), delay, chance.random() < ANALYSED_SHARE)


LAST_QUESTIONS = ((AskStatus,), (AskStandings,), (AskHistory,), (AskReplay, 1, 2, 0), (AskRecord, 1))


def lobby(slug: str, chance: Random) -> list[Beat]:
    """Somebody who is curious, and stays in the lobby."""
    asked = [alone(LOU, slug, chance) for _ in range(chance.randint(0, 3))]
    tried = [Beat(LOU, "intrudes", (Code(chance.randrange(TABLES)),)) for _ in range(chance.randint(0, 2))]
    chance.shuffle(both := [*asked, *tried])
    return [Beat(LOU, "comes"), *(against_bot() if chance.random() < AGAINST_BOT else ()), *both]


def against_bot() -> list[Beat]:
    """A game against the computer: what to do at first, and no more of it."""
    return [Beat(LOU, "challenges"), Beat(LOU, "says", (AskHint,)), Beat(LOU, "says", (Leave,))]


def door(slug: str, chance: Random) -> list[Beat]:
    """A stranger, who knows the password at last, and goes away again."""
    if chance.random() < 0.6:
        return []
    wrong = [(Hello, 1, SAM), (Hello, 2, SAM), (Hello, 1, SAM, "0" * 64, PASSWORD)]
    return [
        Beat(SAM, "connects"),
        Beat(SAM, "says", (AskStatus,)),
        Beat(SAM, "says", chance.choice(wrong)),
        Beat(SAM, "poses", (LOU,)),
        Beat(SAM, "comes"),
        Beat(SAM, "intrudes", (Code(chance.randrange(TABLES)),)),
        alone(SAM, slug, chance),
        Beat(SAM, "says", (ByeRequest,)),
    ]


def sky(chance: Random) -> list[Beat]:
    """What happens to everybody."""
    return [Beat("", "restarts")] if chance.random() < RESTART_SHARE else []


def merged(plans: list[list[Beat]], chance: Random) -> Iterator[Beat]:
    """All plans at once, each in its own order."""
    turns = [place for place, plan in enumerate(plans) for _ in plan]
    chance.shuffle(turns)
    going = [iter(plan) for plan in plans]
    return (next(going[place]) for place in turns)


def timed(beats: Iterable[Beat], chance: Random) -> tuple[Cue, ...]:
    """The beats, each at its moment."""
    now, cues = 0.0, []
    for number, beat in enumerate(beats, 1):
        now += chance.choice(GAPS)
        cues.append(Cue(number, now, *beat))
        if beat.do in ("sleeps", "passes"):
            now += beat.given[0]
    return tuple(cues)
