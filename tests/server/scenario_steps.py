"""A scenario at one table as a list of steps, so that it can be cut off after any of them and gone on with."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from random import Random
from typing import Any

from gridgames_protocol.codec import encode
from gridgames_protocol.messages import (
    Again,
    Chat,
    Create,
    Hello,
    Join,
    Leave,
    Lobby,
    OfferDraw,
    Play,
    Push,
    Request,
    Resign,
    Watch,
)
from gridgames_server.core.room_events import Record
from tests.server.hub_harness import MIDDLES, Guest
from tests.server.stored_hub import Luck, Shelf, StoredHub, is_coming_or_going, saved, standing

PACE = 1.5  # seconds between two steps: a clock runs, and nobody takes the pause for the host's sleep
FOULS = {"secret-paths": "MOVE 5 5"}


@dataclass(frozen=True)
class Step:
    """Somebody makes a request, and this is all that follows."""

    who: str
    request: Request
    kept: tuple[Record, ...]
    said: dict[str, list[bytes]]  # what each was sent, but for the lobby
    luck: int  # drawn by then
    would_read: dict[str, list[bytes]]  # what each would be sent who came back now
    tables: list[dict[str, object]]  # every room from within


@dataclass
class Scenario:
    """What happened, step by step, in a server that nothing disturbed."""

    steps: list[Step] = field(default_factory=list)
    tokens: dict[str, str] = field(default_factory=dict)

    def kept(self, steps: int) -> list[Record]:
        """The records of the first steps."""
        return [record for step in self.steps[:steps] for record in step.kept]

    def luck(self, steps: int) -> Luck:
        return Luck(self.steps[steps - 1].luck if steps else 0)


class Party:
    """Ada and Bob, who play, and Wes, who looks on, in one server after the other."""

    def __init__(self, server: StoredHub, guests: dict[str, Guest] | None = None) -> None:
        self.server = server
        self.guests = guests or {name: server.connects() for name in ("Ada", "Bob", "Wes")}

    def at(self, number: int) -> None:
        """It is time for the step with this number."""
        then = 1_000.0 + PACE * number
        while self.server.now < then:
            self.server.now = min(self.server.now + PACE, then)
            self.server.clock.tick()

    def does(self, who: str, request: Request) -> dict[str, list[bytes]]:
        """Make a request; what each is sent then."""
        self.server.read_by_all()
        self.guests[who].says(type(request), *list(fields(request).values())[1:], id=request.id)
        return {name: packed(guest.reads()) for name, guest in self.guests.items()}

    def would_read(self) -> dict[str, list[bytes]]:
        """What each would be sent who came back now."""
        known = {name: guest for name, guest in self.guests.items() if self.server.hub.sessions[guest.id].player}
        return {name: self.server.would_read(guest) for name, guest in known.items()}

    def tables(self) -> list[dict[str, object]]:
        """Every room from within."""
        return [standing(room) for room in self.server.hub.rooms.by_code.values()]


def fields(request: Request) -> dict[str, Any]:
    return {name: getattr(request, name) for name in request.__dataclass_fields__}


def packed(messages: list[Push]) -> list[bytes]:
    heard = [message for message in messages if not isinstance(message, Lobby)]
    return [encode(message) for message in heard if not is_coming_or_going(message)]


def scenario(game: str) -> Scenario:
    """Spend a whole scenario with one game: every kind of event is in it, and refusals too."""
    shelf, told = Shelf(), Scenario()
    party = Party(StoredHub(shelf))
    for number, (who, kind, *given) in enumerate(requests(game, party)):
        party.at(number)
        before = len(shelf.records)
        request = kind(number + 1, *given)
        said = party.does(who, request)
        told.steps.append(
            Step(
                who,
                request,
                tuple(shelf.records[before:]),
                said,
                party.server.luck.drawn,
                party.would_read(),
                party.tables(),
            )
        )
    told.tokens = {name: guest.welcome.token for name, guest in party.guests.items() if guest.welcome}
    return told


def requests(game: str, party: Party) -> Iterator[tuple[Any, ...]]:
    """Who asks for what, one after the other, given how the scenario goes."""
    ada, bob = party.guests["Ada"], party.guests["Bob"]
    for name in party.guests:
        yield name, Hello, 1, name
    yield "Ada", Create, game, "host", None, True, 600
    yield "Ada", Chat, "is anybody coming?"
    code = ada.where.room
    yield "Wes", Watch, code
    yield "Bob", Join, code
    yield "Wes", Chat, "good luck to you both"
    for seat, line in MIDDLES[game]:
        yield ("Ada", "Bob")[seat - 1], Play, line
    yield "Ada", Play, "nonsense"
    if game in FOULS:
        yield ("Ada", "Bob")[ada.sees.turn[0] - 1], Play, FOULS[game]
    yield "Bob", Again
    yield from to_the_end(party)
    yield "Bob", Play, "C3"
    yield "Bob", Again
    yield "Ada", Again
    yield from some_lines(party)
    yield "Ada", OfferDraw
    yield "Ada", Again
    yield "Bob", Again
    yield "Bob", Resign
    yield "Ada", Chat, "thank you"
    yield "Bob", Leave
    yield "Ada", Again
    yield "Ada", Leave
    yield "Bob", Create, game, "guest"
    assert bob.where.state == "waiting"


def to_the_end(party: Party) -> Iterator[tuple[str, type, str]]:
    """Lines that end the game as soon as one can."""
    choose = Random(5)
    while party.guests["Ada"].sees.turn:
        name, lines = to_act(party)
        yield name, Play, choose.choice([line for line, ends in lines.items() if ends] or list(lines))


def some_lines(party: Party) -> Iterator[tuple[str, type, str]]:
    """Lines that do not end the game."""
    for _ in range(3):
        name, lines = to_act(party)
        yield name, Play, next(line for line, ends in lines.items() if not ends)


def to_act(party: Party) -> tuple[str, dict[str, bool]]:
    """Who is to act, and what they may type; whether the game ends by it."""
    seat = party.guests["Ada"].sees.turn[0]
    name = ("Ada", "Bob")[seat - 1]
    seen = party.guests[name].sees
    match = party.server.room(seen.room).match
    assert match
    lines = [line for action in seen.view.actions for line in action.lines()]
    return name, {line: match.game.play(match.state, seat, line).state.outcome is not None for line in lines}


def begun_from(records: list[Record], luck: Luck) -> StoredHub:
    """A new server, from records that an old one has kept."""
    return StoredHub(Shelf(records), saved(records) if records else None, luck)
