"""A scenario without wires: two controllers and a watcher's around a real match.

    scenario = Scenario("grid-hunt")
    scenario.types(1, "HIDE 2 3")
    scenario.types(2, "HIDE 5 5")
    assert scenario.controllers[1].model.to_act

Each controller is told what its reader may know, in the server's order: the answer, what happened, the table.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from gridgames_client.state.controllers.controller import Controller
from gridgames_client.state.model import Model
from gridgames_protocol.messages import (
    Chat,
    Error,
    Event,
    First,
    Lobby,
    LobbyRoom,
    Ok,
    Play,
    Push,
    Request,
    Room,
    RoomState,
    SeatHolder,
    Show,
    Welcome,
)
from gridgames_server.errors import Refusal
from gridgames_server.games import GAMES
from gridgames_server.games.game import Outcome
from gridgames_server.games.match import make_closing
from gridgames_server.games.narration import Announcement
from gridgames_server.games.seats import Reader
from tests.server.games.dialogue import Table
from tests.sixth_game import Pebbles

ALL = {game.card.slug: game for game in (*GAMES, Pebbles())}
CARDS = tuple(game.card for game in GAMES)
ADDRESS = "192.168.1.20:4743"
CODE = "K7QX2M"
TOKEN = "a token"
READERS: tuple[Reader, ...] = (1, 2, None)


@dataclass
class Clock:
    """Time that only the test moves."""

    now: float = 100.0

    def __call__(self) -> float:
        return self.now


@dataclass
class Seat:
    """A controller, what it has asked for, what has happened at it, and what it has saved."""

    controller: Controller
    asked: list[Request] = field(default_factory=list)
    happened: list[str] = field(default_factory=list)
    saved: dict[str, str] = field(default_factory=dict)

    def saves(self, path: str, text: str) -> str:
        self.saved[path] = text
        return f"Saved to {path}."


def make_seat(clock: Clock | None = None, address: str = ADDRESS) -> Seat:
    """Somebody who has not reached a server yet."""
    seat = Seat(
        Controller(Model(address), lambda request: None, lambda what: None, lambda path, text: "", clock or Clock())
    )
    seat.controller.guide.known_games = set(ALL)
    seat.controller.ask, seat.controller.notify, seat.controller.save = (
        seat.asked.append,
        seat.happened.append,
        seat.saves,
    )
    return seat


def welcome(name: str = "Ada", room: str | None = None) -> Welcome:
    """The answer to somebody's hello."""
    return Welcome(1, 1, "the house", name, TOKEN, CARDS, room, None)


def in_lobby(*rooms: LobbyRoom, players: int = 3, name: str = "Ada") -> Seat:
    """Somebody in the lobby."""
    seat = make_seat()
    seat.controller.on_connection("connected", "")
    seat.controller.on_message(welcome(name))
    seat.controller.on_message(Lobby(rooms, players, 0))
    return seat


def listed(
    room: str = CODE, game: str = "grid-hunt", host: str = "Bo", state: RoomState = "waiting", watchers: int = 0
) -> LobbyRoom:
    """A room as the lobby lists it."""
    return LobbyRoom(room, game, ALL[game].card.title, host, state, state == "waiting", watchers)


def room_of(
    game: str,
    state: RoomState = "playing",
    names: tuple[str | None, str | None] = ("Ada", "Bo"),
    you: Reader = 1,
    first: First = "random",
    clock: int | None = None,
    number: int = 1,
    score: tuple[int, int, int] = (0, 0, 0),
) -> Room:
    """A room as the server describes it."""
    one, two = (SeatHolder(name, True, None) if name else None for name in names)
    return Room(CODE, game, ALL[game].card.title, state, (one, two), you, 0, first, clock, score, number)


class Scenario:
    """A room in which a match is played."""

    def __init__(
        self,
        game: str,
        first: int = 1,
        draws: Mapping[str, int] | None = None,
        names: tuple[str, str] = ("Ada", "Bo"),
        clock: int | None = None,
        assist: bool = False,
    ) -> None:
        self.time = Clock()
        self.table = Table(ALL[game], first, draws)
        self.table.match.assist = assist
        self.room = replace(room_of(game, names=names, clock=clock), assist=assist)
        self.rev = 0
        self.seats = {reader: make_seat(self.time) for reader in READERS}
        for reader, seat in self.seats.items():
            seat.controller.ask = lambda request, reader=reader: self.is_asked(reader, request)
            seat.controller.on_connection("connected", "")
            seat.controller.on_message(welcome(self.name(reader)))
        self.tell_room()
        self.tell(self.table.told)
        self.show()

    @property
    def controllers(self) -> dict[Reader, Controller]:
        return {reader: seat.controller for reader, seat in self.seats.items()}

    def name(self, reader: Reader) -> str:
        holder = self.room.seats[reader - 1] if reader else None
        return holder.name if holder else "Wim"

    # What the players do ----------------------------------------------------------------------------------------------

    def types(self, seat: int, *lines: str) -> None:
        """A seat types lines, and none of them is refused."""
        for line in lines:
            assert self.controllers[seat].submit(line)
            assert not self.controllers[seat].model.notice_is_error, self.controllers[seat].model.notice

    def is_asked(self, reader: Reader, request: Any) -> None:
        """Answer a controller's request as the server does; what needs more than this table is only noted."""
        self.seats[reader].asked.append(request)
        told: tuple[Announcement, ...] = ()
        reply: Push = Ok(1)
        if isinstance(request, Play):
            try:
                played = self.table.match.play(reader or 1, request.line)
                told, foul = played.announcements, played.foul
                reply = Error(foul.code, foul.text, 1) if foul else reply
            except Refusal as refusal:
                reply = Error(refusal.code, refusal.text, 1)
        self.controllers[reader].on_reply(request, reply)
        if isinstance(request, Chat):
            self.says(Event(request.text, "chat", reader, self.name(reader)))
        if told:
            self.tell(told)
            self.show()
        if told and self.table.match.outcome:
            self.ends()

    # What everybody is told -------------------------------------------------------------------------------------------

    def says(self, message: Push) -> None:
        """Tell everybody the same."""
        for controller in self.controllers.values():
            controller.on_message(message)

    def tell_room(self, **changes: Any) -> None:
        """Describe the room to everybody."""
        self.room = replace(self.room, **changes)
        for reader, controller in self.controllers.items():
            controller.on_message(replace(self.room, you=reader))

    def tell(self, told: tuple[Announcement, ...]) -> None:
        """Tell each what they may know of an event."""
        for announcement in told:
            for reader in READERS:
                if reader in announcement.readers:
                    self.controllers[reader].on_message(announcement.event)

    def show(self, deadline: int | None = None, claimable: bool = False) -> None:
        """Show each the table."""
        self.rev += 1
        for reader in READERS:
            self.controllers[reader].on_message(self.shown(reader, deadline, claimable))

    def shown(self, reader: Reader, deadline: int | None = None, claimable: bool = False) -> Show:
        """The table as a reader may see it."""
        view, turn = self.table.sees(reader), tuple(sorted(self.table.match.to_act()))
        if claimable and reader:
            view = replace(view, claimable=True)
        clock = self.room.clock if turn and deadline is None else deadline
        return Show(CODE, self.rev, turn, reader, view, clock)

    def stops(self, winner: int | None, reason: str, text: str) -> None:
        """End the game from outside its rules."""
        self.table.match.stop(Outcome(winner, reason, text))
        self.show()
        self.ends()

    def ends(self) -> None:
        """Tell everybody the result, and open every secret."""
        outcome = self.table.match.outcome
        assert outcome
        score = list(self.room.score)
        score[outcome.winner - 1 if outcome.winner else 2] += 1
        self.tell_room(state="over", score=tuple(score))
        for part in make_closing(self.table.match):
            self.says(part)


def lines(seat: Seat) -> list[str]:
    """The lines of the game that a seat has asked to play."""
    return [request.line for request in seat.asked if isinstance(request, Play)]
