"""A server without wires: a hub, a clock that only the test moves, and guests who speak and read.

    server = HubHarness()
    ada, bob = server.enter("Ada"), server.enter("Bob")
    code = ada.opens("grid-hunt", first="host")
    bob.says(Join, code)
    ada.types("HIDE 2 3")
    assert "Player 1 has hidden a treasure." in bob.hears()

What must hold at every step is checked at every step: each request gets one reply, every message fits on the wire,
nothing is said on a closed connection, and no view goes back.
"""

import hashlib
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from itertools import count
from typing import Any

from gridgames_protocol.codec import Lines, decode_push, encode
from gridgames_protocol.errors import WireError
from gridgames_protocol.messages import (
    PUSHES,
    Bye,
    Create,
    Error,
    Event,
    Hello,
    Join,
    Over,
    Play,
    Push,
    Room,
    Show,
    Watch,
    Welcome,
)
from gridgames_server.bots import BOTS
from gridgames_server.core import hub, room
from gridgames_server.core.effects import AskBot, Effect, Hangup, LogBug, LogLine, RunQuery, Send, Thought
from gridgames_server.core.limits import CLOCK_GAP, TICK, Limits
from gridgames_server.core.room_events import LinePlayed
from gridgames_server.games import GAMES
from gridgames_server.games.game import Game
from gridgames_server.games.seats import Reader
from gridgames_server.net.steady_clock import SteadyClock
from gridgames_server.storage.history_answers import QueryResult, build_answer

HOME = "192.168.1.20"


def unpacked(said: Iterable[Push | Lines]) -> Iterator[Push]:
    """Each message, also of those that are kept as lines."""
    for message in said:
        if isinstance(message, Lines):
            yield from map(decode_push, message.kept_line.split(b"\n")[:-1])
        else:
            yield message


# Some lines of each game, with seat 1 first, that end in the middle of it.
MIDDLES: Mapping[str, tuple[tuple[int, str], ...]] = {
    "treasure-hunt-duel": ((1, "QUERY 2B"), (2, "QUERY 5A"), (1, "QUERY 3C")),
    "grid-hunt": ((1, "HIDE 2 3"), (2, "HIDE 5 5"), (1, "SCAN 3 3")),
    "grid-conquest": ((1, "C3"), (2, "D4")),
    "quantum-duel": ((1, "MOVE 3"), (1, "OBSERVE 5"), (2, "MOVE 6")),
    "secret-paths": ((1, "GOAL 2"), (2, "GOAL 4"), (1, "MOVE 4 2")),
}


class Entropy:
    """Bytes that look random and are the same in every run."""

    def __init__(self) -> None:
        self.drawn = count()

    def __call__(self, size: int) -> bytes:
        return hashlib.sha512(b"%d" % next(self.drawn)).digest()[:size]


class HubHarness:
    """The hub with everybody who is connected to it."""

    def __init__(self, games: tuple[Game[Any], ...] = GAMES, password: str | None = None, **limits: int) -> None:
        self.raw = 1_000.0  # what the host's clock shows
        self.clock = SteadyClock(lambda: self.raw)
        config = hub.ServerConfig(games, "the house", password, Limits(**limits), frozenset(BOTS), "1.2.3")
        self.hub = hub.Hub(config, Entropy(), self.now)
        self.gaps = 0
        self.guests: dict[int, Guest] = {}
        self.ids = count(1)  # of requests; they increase over the life of every token, whoever makes them
        self.effects: list[Effect] = []  # everything that was decided, in order
        self.computer_is_quick = True  # False: each thought takes until the test has its answer

    @property
    def now(self) -> float:
        """The server's time; it can be set on."""
        return self.clock()

    @now.setter
    def now(self, now: float) -> None:
        self.raw += now - self.clock()

    def connects(self, address: str = HOME) -> "Guest":
        """Somebody connects and has not said anything yet."""
        id = len(self.guests) + 1
        guest = self.guests[id] = Guest(self, id, address)
        self.does(self.hub.connect(id, address, self.now))
        return guest

    def enter(self, name: str, address: str = HOME, **more: str | bool) -> "Guest":
        """Somebody connects, and says hello as they should."""
        guest = self.connects(address)
        assert isinstance(guest.says(Hello, 1, name, **more), Welcome)
        return guest

    def table(self, game: str, *names: str, **options: Any) -> tuple["Guest", ...]:
        """Two at a table, the host to move first, and whoever watches; they have read everything so far."""
        host, guest, *watchers = (self.enter(name) for name in names or ("Ada", "Bob"))
        code = host.opens(game, **{"first": "host", **options})
        guest.says(Join, code)
        for watcher in watchers:
            watcher.says(Watch, code)
        self.read_by_all()
        return (host, guest, *watchers)

    def read_by_all(self) -> None:
        """Everybody reads what they have been sent."""
        for guest in self.guests.values():
            guest.reads()

    def passes(self, seconds: float) -> None:
        """Time passes as it does: there are ticks, and those who are awake are heard."""
        step, end = TICK if seconds <= 120 else CLOCK_GAP - TICK, self.raw + seconds
        while self.raw < end:
            self.raw = min(self.raw + step, end)
            for guest in list(self.guests.values()):
                if guest.awake and not guest.closed:
                    self.does(self.hub.bytes_received(guest.id, 1, (), self.now))
            self.ticks()

    def ticks(self) -> None:
        """There is a tick, as the shell makes it."""
        gaps, now = self.gaps, self.clock.tick()
        self.gaps = self.clock.gaps
        if gaps != self.gaps:
            self.does(self.hub.show_clocks(now))
        self.does(self.hub.tick(now))

    def sleeps(self, seconds: float) -> None:
        """The host sleeps: nothing happens, and then there is a tick."""
        self.raw += seconds
        self.ticks()

    def answers(self, question: AskBot, thought: Thought) -> None:
        """The computer has thought, and answers."""
        self.does(self.hub.thought_ended(question, self.now))  # changes nothing if it was quick
        self.does(self.hub.bot_answered(question, thought, self.now))

    def stops(self) -> None:
        """The server is told to stop."""
        self.does(self.hub.stop(self.now))

    def does(self, effects: list[Effect]) -> None:
        """Perform effects, as the shell does."""
        self.effects += effects
        for effect in effects:
            match effect:
                case Send(id, said):
                    for message in unpacked(said):
                        self.guests[id].is_sent(message)
                case RunQuery(id, player, question):
                    found = build_answer(question, QueryResult(), player, self.hub.config.games)
                    self.does(self.hub.query_answered(id, found, self.now))
                case AskBot() if self.computer_is_quick:
                    self.does(self.hub.thought_ended(effect, self.now))
                case Hangup(id):
                    self.guests[id].closed = True
                    self.does(self.hub.disconnect(id, self.now))

    def of(self, kind: type) -> list[Any]:
        """All effects of one kind so far."""
        return [effect for effect in self.effects if isinstance(effect, kind)]

    def lines(self) -> list[LinePlayed]:
        """The lines that were kept."""
        return self.of(LinePlayed)

    def troubles(self) -> list[LogBug]:
        return self.of(LogBug)

    def notes(self) -> list[str]:
        return [note.text for note in self.of(LogLine)]

    def room(self, code: str) -> room.Room:
        """A room from within, for what nobody at the table may know."""
        return self.hub.rooms.by_code[code]


@dataclass(eq=False)
class Guest:
    """A client: its connection, and what it has been sent and not yet read."""

    server: HubHarness = field(repr=False)
    id: int
    address: str
    closed: bool = False
    awake: bool = True  # pings when it should
    inbox: list[Push] = field(default_factory=list, repr=False)
    view: Show | None = field(default=None, repr=False)  # the latest
    place: Room | None = field(default=None, repr=False)  # the room as it was last described
    welcome: Welcome | None = field(default=None, repr=False)

    # What a client does -----------------------------------------------------------------------------------------------

    def says(self, kind: type, *fields: object, id: int | None = None, **more: object) -> Any:
        """Make a request, and return the one reply to it."""
        before = len(self.inbox)
        id = self.asks(kind, *fields, id=id, **more)
        (reply,) = (message for message in self.inbox[before:] if getattr(message, "re", None) == id)
        return reply

    def asks(self, kind: type, *fields: object, id: int | None = None, **more: object) -> int:
        """Make a request whose reply may come later, and return its id."""
        id = id or next(self.server.ids)
        request = kind(id, *fields, **more)
        hub, now = self.server.hub, self.server.now
        self.server.does(hub.bytes_received(self.id, len(encode(request)), [request], now))
        return id

    def garbles(self, error: WireError) -> None:
        """Send a line that is no message."""
        self.server.does(self.server.hub.bytes_received(self.id, 0, [error], self.server.now))

    def types(self, *lines: str) -> list[str]:
        """Type lines of a game, and return how each was answered."""
        return [word(self.says(Play, line)) for line in lines]

    def opens(self, game: str, **options: object) -> str:
        """Create a room, and return its code."""
        code = self.says(Create, game, **options).room
        assert isinstance(code, str)
        return code

    def drops(self) -> None:
        """The connection breaks."""
        self.closed = True
        self.server.does(self.server.hub.disconnect(self.id, self.server.now))

    def comes_back(self, name: str | None = None) -> "Guest":
        """Connect again, and say hello with the token."""
        assert self.welcome
        return self.server.enter(name or self.welcome.name, self.address, token=self.welcome.token)

    # What a client reads ----------------------------------------------------------------------------------------------

    def is_sent(self, message: Push) -> None:
        """Something arrives."""
        assert not self.closed, f"said on a closed connection: {message}"
        encode(message)
        self.inbox.append(message)
        match message:
            case Show():
                assert self.view is None or self.view.room != message.room or self.view.rev <= message.rev
                self.view = message
            case Room():
                self.place = message
            case Welcome():
                self.welcome = message

    def reads(self, *kinds: type) -> list[Any]:
        """What has arrived since the last reading; of some kinds only, if any are named."""
        arrived, self.inbox = self.inbox, []
        return [message for message in arrived if not kinds or isinstance(message, kinds)]

    def hears(self) -> list[str]:
        """The sentences that have arrived since the last reading."""
        return [event.text for event in self.reads(Event)]

    def words(self) -> list[str]:
        """The kinds of messages that have arrived since the last reading, in order."""
        return [word(message) for message in self.reads()]

    @property
    def sees(self) -> Show:
        """The table as it was last shown."""
        assert self.view
        return self.view

    @property
    def where(self) -> Room:
        """The room as it was last described."""
        assert self.place
        return self.place


_WORDS = {cls: name for name, cls in PUSHES.items()}


def word(message: Push) -> str:
    """A message in one word: an error's or a goodbye's code, or its type."""
    return message.code if isinstance(message, Error | Bye) else _WORDS[type(message)]


def play(*seats: Guest, lines: tuple[tuple[int, str], ...]) -> None:
    """Type lines, each from its seat; all are accepted."""
    for seat, line in lines:
        assert seats[seat - 1].types(line) == ["ok"]


def ended(guest: Guest) -> Over:
    """The one `over` among what a guest has not read yet."""
    (over,) = guest.reads(Over)
    assert isinstance(over, Over)
    return over


class Cracked:
    """A game with a bug: one of its functions fails from the moment that the test says so, and quotes a secret."""

    SECRET = "the treasure is at 4D"

    def __init__(self, game: Game[Any]) -> None:
        self.game = game
        self.card = game.card
        self.breaks: str | None = None
        self.for_reader: Reader | str = "everybody"  # whose view fails

    def start(self, *given: Any) -> Any:
        return self._run("start", *given)

    def to_act(self, *given: Any) -> Any:
        return self._run("to_act", *given)

    def play(self, *given: Any) -> Any:
        return self._run("play", *given)

    def claim(self, *given: Any) -> Any:
        return self._run("claim", *given)

    def possibilities(self, *given: Any) -> Any:
        return self._run("possibilities", *given)

    def review(self, *given: Any) -> Any:
        return self._run("review", *given)

    def view(self, state: Any, reader: Reader) -> Any:
        if self.breaks == "view" and self.for_reader not in (reader, "everybody"):
            return self.game.view(state, reader)
        return self._run("view", state, reader)

    def _run(self, name: str, *given: Any) -> Any:
        if self.breaks == name:
            raise RuntimeError(self.SECRET)
        return getattr(self.game, name)(*given)
