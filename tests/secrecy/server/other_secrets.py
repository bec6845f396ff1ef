"""The same scenario with other secrets: some type them at other lengths, and do other things alone."""

from collections.abc import Iterator, Mapping
from random import Random
from typing import Literal

from gridgames_server.games.seats import Reader
from tests.secrecy.server.cues import Cue
from tests.secrecy.server.private_requests import alone, chat
from tests.secrecy.server.recorded_service import THE_LOG
from tests.secrecy.server.twin_scenarios import LOU, SAM, Scenario
from tests.secrecy.server.twin_tables import Table

PAD = 60  # spaces at most on each side of a secret line
LEFT_OUT = 0.5  # of what somebody does alone; the rest is something else then

Eyes = Literal["seat 1", "seat 2", "watchers", "outside"]
READER: Mapping[Eyes, Reader] = {"seat 1": 1, "seat 2": 2, "watchers": None, "outside": None}
EYES: tuple[Eyes, ...] = tuple(READER)
OBSERVED: Mapping[Eyes, tuple[Reader, ...]] = {
    "seat 1": (1, None),  # who watches knows less than who plays
    "seat 2": (2, None),
    "watchers": (None,),
    "outside": (),  # what is said at a table is not for them either
}


def observers(scenario: Scenario, eyes: Eyes) -> dict[str, int | None]:
    """Everybody who must not tell the worlds apart: their table, or None if they have none."""
    seated = {table.person(reader): table.number for table in scenario.tables for reader in OBSERVED[eyes]}
    return {**seated, LOU: None, SAM: None, THE_LOG: None}


def another(scenario: Scenario, eyes: Eyes) -> Iterator[Cue]:
    """The scenario in a world that these eyes can't tell from it."""
    chance = Random(f"another/{scenario.number}/{eyes}")
    homes = {person: table for table in scenario.tables for person in table.people}
    seen = observers(scenario, eyes)
    for cue in scenario.cues:
        if cue.do in ("joins", "agrees"):
            yield dealt(cue, homes[cue.who], READER[eyes])
        elif cue.who not in homes or cue.who in seen:
            yield cue
        elif not cue.alone:
            yield instead(cue, homes[cue.who], eyes, chance)
        elif chance.random() > LEFT_OUT:
            slug = scenario.game.card.slug
            yield Cue(cue.number, cue.at, *alone(cue.who, slug, chance))


def dealt(cue: Cue, table: Table, reader: Reader) -> Cue:
    """A deal of another world."""
    world = table.worlds.get(reader)
    draws, *rest = cue.given
    return cue._replace(given=({**draws, **world.draws}, *rest)) if world else cue


def instead(cue: Cue, table: Table, eyes: Eyes, chance: Random) -> Cue:
    """What somebody with secrets does in another world, where the others know that something is done."""
    if cue.do == "chats" and eyes == "outside":
        return cue._replace(given=chat(cue.who, chance).given)
    if cue.line is None or table.past.attempts[cue.line].verdict != "played":
        return cue
    world = table.worlds.get(READER[eyes])
    line = world.typed.get(cue.line, cue.given[-1]) if world else cue.given[-1]
    padded = " " * chance.randint(0, PAD) + line + " " * chance.randint(0, PAD)
    return cue._replace(given=(*cue.given[:-1], padded))
