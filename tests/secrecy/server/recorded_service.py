"""A whole scenario on the real service: what was written to whom, and when, and what the log says of it."""

import logging
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

from gridgames_protocol.codec import encode
from gridgames_protocol.messages import Again, Chat, Create, Hello, Join, Ping, Play, Request, Watch
from gridgames_server.bots import BOTS
from gridgames_server.core.hub import Hub, ServerConfig
from gridgames_server.games.game import Game
from gridgames_server.net.service import Service
from gridgames_server.storage.restore import restore
from tests.secrecy.server.cues import Code, Cue
from tests.secrecy.server.fake_transports import END, Loop, Wire, Written
from tests.secrecy.server.fixed_chance import Dealer, Luck
from tests.secrecy.server.memory_store import Cupboard

PASSWORD = "open sesame"
NO_ROOM = "NOSUCH"
THE_LOG = "the log"
HEARTBEAT = 15.0  # as often as a client pings
AFTERWARDS = 2.0  # seconds in which the last words leave


@dataclass
class Stage:
    """The service, everybody who is connected to it, and the paper on which every write is put down."""

    game: Game[Any]
    delay: float = 0.0  # of the disk
    analysed: bool = False  # finished games are analysed
    loop: Loop = field(default_factory=Loop)
    luck: Luck = field(default_factory=Luck)
    paper: list[Written] = field(default_factory=list)
    opened: dict[int, int] = field(default_factory=dict)  # tables whose secrets are open, from where on the paper
    codes: dict[int, str] = field(default_factory=dict)
    tokens: dict[str, str] = field(default_factory=dict)
    wires: dict[str, Wire] = field(default_factory=dict)
    watching: dict[str, Code] = field(default_factory=dict)
    plays: dict[str, Play] = field(default_factory=dict)  # the last good one of each

    def __post_init__(self) -> None:
        self.dealer = Dealer(self.game)
        self.cupboard = Cupboard(self.loop, self.delay)
        self.starts(1_000.0)

    def starts(self, now: float) -> None:
        """The server starts, at this time of its own."""
        since = self.loop.now - now
        config = ServerConfig(
            (self.dealer,),
            "the house",
            PASSWORD,
            bots=frozenset(BOTS),
            has_analysis=self.analysed,
            has_hints=True,
            has_store=True,
        )
        self.hub = Hub(config, self.luck, now)
        self.service = Service(self.hub, self.cupboard, lambda: self.loop.now - since)
        self.service.loop = self.loop  # type: ignore[assignment]
        self.service.tick()

    def performs(self, cues: Iterable[Cue]) -> None:
        """Everybody does what they are to do."""
        for cue in cues:
            self.loop.pass_until(cue.at)
            getattr(self, cue.do)(cue, *cue.given)
            self.loop.settle()
        self.loop.pass_until(self.loop.now + AFTERWARDS)

    # Coming and going -------------------------------------------------------------------------------------------------

    def connects(self, cue: Cue) -> None:
        """Somebody connects; an older connection of theirs is left to the server."""
        wire = self.wires[cue.who] = Wire(cue.who, self.loop, self.paper)
        wire.plug_in(self.service.new_connection())
        self.loop.call_later(HEARTBEAT, self._beats, wire, cue.number)

    def _beats(self, wire: Wire, number: int) -> None:
        if wire.open:
            wire.send(encode(Ping(number)))
            self.loop.call_later(HEARTBEAT, self._beats, wire, number)

    def comes(self, cue: Cue) -> None:
        """Somebody connects and says hello, with the token if there is one."""
        self.connects(cue)
        self.watching.pop(cue.who, None)
        self._ask(cue.who, Hello(cue.number, 1, cue.who, self.tokens.get(cue.who), PASSWORD))
        self.tokens.setdefault(cue.who, self.luck.last.hex())

    def drops(self, cue: Cue) -> None:
        """A connection breaks."""
        self.wires[cue.who].break_off()

    # Saying -----------------------------------------------------------------------------------------------------------

    def says(self, cue: Cue, kind: type, *given: Any) -> None:
        """Somebody makes a request."""
        said = [self.codes.get(one.table, NO_ROOM) if isinstance(one, Code) else one for one in given]
        request = kind(cue.number, *said)
        if kind is Watch:
            self.watching[cue.who] = given[0]
        if cue.line is not None and not cue.alone:
            self.plays[cue.who] = request
        self._ask(cue.who, request)

    def chats(self, cue: Cue, text: str) -> None:
        """Somebody says something to everybody at the table."""
        self._ask(cue.who, Chat(cue.number, text))

    def sends(self, cue: Cue, chunk: bytes) -> None:
        """Somebody sends bytes."""
        self.wires[cue.who].send(chunk)

    def repeats(self, cue: Cue) -> None:
        """Somebody who has not heard the answer makes the last good play again, with its id."""
        if cue.who in self.plays:
            self._ask(cue.who, self.plays[cue.who])

    def opens(self, cue: Cue, table: int, request: type, options: dict[str, Any]) -> None:
        """A room is opened."""
        self._ask(cue.who, request(cue.number, self.game.card.slug, **options))
        self.codes[table] = next(reversed(self.hub.rooms.by_code))

    def challenges(self, cue: Cue) -> None:
        """Somebody begins a game against the computer, which is dealt the same in every world."""
        self.dealer.draws = {}
        self.says(cue, Create, self.game.card.slug, "host", "easy")

    def joins(self, cue: Cue, draws: dict[str, int], code: Code) -> None:
        """The second player comes to the table, and the game is dealt."""
        self.dealer.draws = draws
        self.says(cue, Join, code)

    joins_before = joins  # for a game that comes before the one with the secrets

    def agrees(self, cue: Cue, draws: dict[str, int]) -> None:
        """The second player wants another game too, and it is dealt."""
        self.dealer.draws = draws
        self.says(cue, Again)

    def intrudes(self, cue: Cue, code: Code) -> None:
        """Somebody wants a seat at a table where two sit already."""
        room = self.hub.rooms.by_code.get(self.codes.get(code.table, ""))
        self.says(cue, Join, NO_ROOM if room is None or room.is_open else code)

    def poses(self, cue: Cue, name: str) -> None:
        """Somebody says hello with the name of one who is here."""
        if name in self.tokens:
            self.says(cue, Hello, 1, name, None, PASSWORD)

    def types_in_vain(self, cue: Cue, line: str) -> None:
        """Somebody types a line while the disk is full."""
        self.loop.settle()  # what was decided before this is kept
        self.cupboard.is_disk_full = True
        self.says(cue, Play, line)
        self.loop.settle()
        self.cupboard.is_disk_full = False

    def _ask(self, who: str, request: Request) -> None:
        self.wires[who].send(encode(request))

    # What happens to everybody ----------------------------------------------------------------------------------------

    def opens_secrets(self, cue: Cue, table: int) -> None:
        """From here on a table's secrets are no secrets to those who sit there."""
        self.opened.setdefault(table, len(self.paper))

    def passes(self, cue: Cue, seconds: float) -> None:
        """Time passes."""
        self.loop.pass_until(self.loop.now + seconds)

    def sleeps(self, cue: Cue, seconds: float) -> None:
        """The host sleeps."""
        self.loop.sleep(seconds)

    def restarts(self, cue: Cue) -> None:
        """The server is killed when the disk has done its work; a new one starts, and everybody comes back."""
        self.loop.pass_until(self.loop.now + self.delay)
        here = {who: self.watching.get(who) for who, wire in self.wires.items() if wire.open and who in self.tokens}
        for wire in self.wires.values():
            wire.open = False
        self.paper += [Written(self.loop.now, who, END) for who in here]
        self.loop.forget()
        saved = self.cupboard.saved()
        self.starts(saved.now)
        self.service.outbox.put(restore(self.hub, saved, saved.now))
        for who, table in here.items():
            again = Cue(cue.number, cue.at, who, "comes")
            self.comes(again)
            if table:
                self.says(again, Watch, table)
            self.loop.settle()


def performed(game: Game[Any], cues: Iterable[Cue], delay: float, analysed: bool = False) -> Stage:
    """The scenario, when it is over."""
    stage = Stage(game, delay, analysed)
    with logged(stage):
        stage.performs(cues)
    return stage


@contextmanager
def logged(stage: Stage) -> Iterator[None]:
    """What the server logs is put down among what it writes."""
    log = logging.getLogger("gridgames")
    pen = Pen(stage)
    before = log.level, log.propagate
    log.addHandler(pen)
    log.setLevel(logging.DEBUG)
    log.propagate = False
    try:
        yield
    finally:
        log.removeHandler(pen)
        log.setLevel(before[0])
        log.propagate = before[1]


class Pen(logging.Handler):
    """Puts down what is logged."""

    def __init__(self, stage: Stage) -> None:
        super().__init__()
        self.stage = stage

    def emit(self, record: logging.LogRecord) -> None:
        text = f"{record.levelname} {record.getMessage()}"
        self.stage.paper.append(Written(self.stage.loop.now, THE_LOG, text.encode()))
