"""One table of a scenario: a history, what could have been instead, and all that goes on around it, beat by beat."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import islice
from random import Random
from typing import Any

from gridgames_protocol.messages import Again, Claim, Create, Leave, Play, Resign, Watch
from gridgames_server.games.game import Game
from gridgames_server.games.seats import SEATS, Reader, other
from tests.secrecy.games.histories import History, history
from tests.secrecy.games.other_worlds import RECAST, World
from tests.secrecy.server.cues import Beat, Code
from tests.secrecy.server.fixed_chance import BUG
from tests.secrecy.server.private_requests import alone, chat

READERS: tuple[Reader, ...] = (1, 2, None)
DRAWN = {"quantum-duel": 5, "grid-conquest": 10}  # other worlds of which the one that lasts longest is taken
ALL = 24  # of a treasure's places; the worlds of other games are as quickly made
LINES = 8  # of a usual table
LONG_EVERY = 20  # tables, one is played as long as its history goes on

LIVELY = (0.1, 0.1, 0.3, 0.5, 0.7)  # how likely it is that something goes on before the next line, and something more
EARLIER = 0.15  # of the tables have played before
ASSISTED = 0.3  # of the tables, if the game has an assist
SLEEP_SHARE = 0.05  # of what goes on
SLEEPS = (4.75, 100.0)  # seconds; the short one is noticed or not, by what else happens around it
AGAIN = 0.3  # of those who resign play once more
ENDINGS = ("resign", "leave", "afresh", "bug", "bug", "none", "none", "none")
SLOW_ENDINGS = ("clock", "absence")  # for one table of a scenario: everybody waits for them
SLOW_SHARE = 0.1
FULL_SHARE = 0.02  # of the lines are typed in vain first, for the disk is full
CLOCKS = (None, None, 600, 86_400)
SHORT_CLOCK, SHORT_ABSENCE = 30, 61


@dataclass(frozen=True)
class Table:
    """A history as far as all of its other worlds last, and those worlds, by who can't tell them from it."""

    number: int
    past: History
    worlds: Mapping[Reader, World]

    def person(self, reader: Reader) -> str:
        """Who sits on a seat, or watches."""
        return {1: "Ada", 2: "Bob", None: "Wes"}[reader] + str(self.number)

    @cached_property
    def people(self) -> dict[str, Reader]:
        """Everybody at the table."""
        return {self.person(reader): reader for reader in READERS}

    def differs(self, reader: Reader) -> bool:
        """True if the world for a reader is another one by the end."""
        world = self.worlds.get(reader)
        if world is None:
            return False
        typed = {at: line for at, line in world.typed.items() if at < len(self.past.attempts)}
        return any(self.past.draws[label] != drawn for label, drawn in world.draws.items()) or any(
            self.past.attempts[at].line != line for at, line in typed.items()
        )


def table(game: Game[Any], place: int, number: int) -> Table:
    """The table with a history's number."""
    past, chance = history(game, number), Random(f"table/{game.card.slug}/{number}")
    if number % LONG_EVERY:
        past = replace(past, attempts=past.attempts[:LINES])
    worlds = {reader: world for reader in READERS if (world := another_world(past, reader, chance))}
    lasts = min((world.until for world in worlds.values()), default=len(past.attempts))
    return Table(place, replace(past, attempts=past.attempts[:lasts], ending=None), worlds)


def another_world(past: History, reader: Reader, chance: Random) -> World | None:
    """The one that lasts longest of some."""
    found = islice(RECAST[past.slug](past, reader, chance), DRAWN.get(past.slug, ALL))
    return max(found, key=lambda world: world.until, default=None)


class Plan:
    """What everybody at a table does, in order."""

    def __init__(self, table: Table, chance: Random, options: Mapping[str, Any], slow: bool, can_fill: bool) -> None:
        self.table, self.chance, self.options, self.can_fill = table, chance, options, can_fill
        self.past, self.code = table.past, Code(table.number)
        self.ada, self.bob, self.wes = table.people
        self.seats = {1: self.ada, 2: self.bob}
        self.ending = chance.choice(SLOW_ENDINGS if slow and chance.random() < SLOW_SHARE else ENDINGS)
        self.lively = chance.choice(LIVELY)
        self.asker = chance.choice(SEATS)
        self.fouls = any(attempt.verdict == "foul" for attempt in self.past.attempts)
        self.away: set[int] = set()
        self.watches = False
        self.beats: list[Beat] = []

    def made(self) -> list[Beat]:
        """The plan, from the first hello to the end."""
        self.begin()
        for line, attempt in enumerate(self.past.attempts):
            self.pass_time()
            self.be_there(attempt.seat)
            self.type(line)
        self.pass_time()
        self.end()
        return self.beats

    def do(self, who: str, do: str, *given: Any) -> None:
        self.beats.append(Beat(who, do, given))

    def say(self, who: str, *request: Any) -> None:
        self.do(who, "says", *request)

    # The beginning ----------------------------------------------------------------------------------------------------

    def begin(self) -> None:
        """Two sit down, perhaps not for the first time."""
        earlier = self.chance.random() < EARLIER
        first = other(self.past.first) if earlier else self.past.first
        options = {
            "first": {1: "host", 2: "guest"}[first],
            "private": self.chance.random() < 0.3,
            "clock": SHORT_CLOCK if self.ending == "clock" else self.chance.choice(CLOCKS),
            "assist": self.past.game.card.assist and self.chance.random() < ASSISTED,
            **self.options,
        }
        self.do(self.ada, "comes")
        self.do(self.ada, "opens", self.table.number, Create, options)
        if self.chance.random() < 0.3:
            self.look_on()
        self.do(self.bob, "comes")
        if not earlier:
            self.do(self.bob, "joins", self.past.draws, self.code)
            return
        self.do(self.bob, "joins_before", self.past.draws, self.code)
        self.say(self.chance.choice((self.ada, self.bob)), Resign)
        self.say(self.ada, Again)
        self.do(self.bob, "agrees", self.past.draws)

    # In between -------------------------------------------------------------------------------------------------------

    def type(self, line: int) -> None:
        """Type a line of the history; if it is lost on the way to the disk, type it again."""
        attempt = self.past.attempts[line]
        who = self.seats[attempt.seat]
        if self.can_fill and attempt.verdict != "refused" and self.chance.random() < FULL_SHARE:
            self.beats.append(Beat(who, "types_in_vain", (attempt.line,), line))
        self.beats.append(Beat(who, "says", (Play, attempt.line), line, alone=attempt.verdict == "refused"))

    def pass_time(self) -> None:
        """Perhaps something goes on."""
        while self.chance.random() < self.lively:
            self.go_on()

    def go_on(self) -> None:
        """Somebody does something that is no move."""
        reader = self.chance.choice((*READERS, *SEATS))
        if self.chance.random() < SLEEP_SHARE:
            self.fall_asleep()
        elif reader is None:
            self.look_on()
        elif reader in self.away:
            self.be_there(reader)
        else:
            self.fidget(reader)

    def fidget(self, seat: int) -> None:
        """Somebody at the table does something else than play."""
        who, kind = self.seats[seat], self.chance.random()
        if kind < 0.45:
            self.beats.append(alone(who, self.past.slug, self.chance))
        elif kind < 0.6:
            self.beats.append(chat(who, self.chance))
        elif kind < 0.76:
            self.do(who, "drops")
            self.away.add(seat)
        elif kind < 0.82:
            self.do(who, "comes")  # from somewhere else; the older connection is ended
        elif kind < 0.91 and seat == self.asker:
            self.say(who, Again)  # the other never agrees
        elif not self.fouls and other(seat) not in self.away:
            self.say(who, Claim)  # there is nothing to claim

    def fall_asleep(self) -> None:
        """The host falls asleep, just after somebody has asked for something."""
        present = [self.seats[seat] for seat in SEATS if seat not in self.away]
        self.beats += [alone(who, self.past.slug, self.chance) for who in present]
        self.do("", "sleeps", self.chance.choice(SLEEPS))

    def be_there(self, seat: int) -> None:
        """Come back, if away."""
        if seat in self.away:
            self.away.remove(seat)
            self.do(self.seats[seat], "comes")

    def look_on(self) -> None:
        """A watcher comes, does something, or goes."""
        kind = self.chance.random()
        if not self.watches:
            self.do(self.wes, "comes")
            self.say(self.wes, Watch, self.code)
            self.watches = True
        elif kind < 0.5:
            self.beats.append(alone(self.wes, self.past.slug, self.chance))
        elif kind < 0.7:
            self.beats.append(chat(self.wes, self.chance))
        elif kind < 0.85:
            self.do(self.wes, "drops")
            self.watches = False
        else:
            self.say(self.wes, Leave)
            self.say(self.wes, Watch, self.code)

    # The end ----------------------------------------------------------------------------------------------------------

    def end(self) -> None:
        """However it ends."""
        for seat in SEATS:
            self.be_there(seat)
        seat = self.chance.choice(SEATS)
        who, rival = self.seats[seat], self.seats[other(seat)]
        if self.ending == "bug":  # whose turn it is: the room is closed, and its secrets stay
            self.say(who, Play, BUG)
            self.say(rival, Play, BUG)
        elif self.ending != "none":
            self.do("", "opens_secrets", self.table.number)
            getattr(self, self.ending)(who, rival)

    def resign(self, who: str, rival: str) -> None:
        self.say(who, Resign)
        if self.chance.random() < AGAIN:
            self.say(who, Again)
            self.say(rival, Again)
            self.beats.append(chat(rival, self.chance))

    def leave(self, who: str, rival: str) -> None:
        self.say(who, Leave)
        self.say(rival, Again)
        self.say(rival, Leave)

    def afresh(self, who: str, rival: str) -> None:
        self.say(who, Again)
        self.say(rival, Again)

    def clock(self, who: str, rival: str) -> None:
        self.do("", "passes", SHORT_CLOCK + 1)

    def absence(self, who: str, rival: str) -> None:
        self.do(who, "drops")
        self.do("", "passes", SHORT_ABSENCE)
        self.say(rival, Claim)
