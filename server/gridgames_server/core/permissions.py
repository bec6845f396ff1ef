"""A connection and the player behind it: who they are, how much they may say, and what they may say when."""

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Literal

from gridgames_protocol.messages import (
    Again,
    AskHistory,
    AskReplay,
    AskStandings,
    AskStatus,
    Chat,
    Claim,
    Create,
    ErrorCode,
    Farewell,
    Hello,
    Join,
    Leave,
    Level,
    Ping,
    Play,
    Request,
    Resign,
    Watch,
)
from gridgames_server.games.game import Refusal
from gridgames_server.limits import BURST

if TYPE_CHECKING:
    from gridgames_server.room import Room

Phase = Literal["new", "lobby", "seated", "watching"]

_ALWAYS: frozenset[type] = frozenset({AskStatus, Ping, Farewell, AskHistory, AskReplay, AskStandings})
_ENTER: frozenset[type] = frozenset({Create, Join, Watch})
_SEATED: frozenset[type] = frozenset({Play, Again, Resign, Claim})
_IN_ROOM: frozenset[type] = frozenset({Leave, Chat})

# Who may say what. What is not listed for a phase is refused by the first row below that names it.
ALLOWED: dict[Phase, frozenset[type]] = {
    "new": frozenset({Hello, AskStatus, Farewell}),
    "lobby": _ALWAYS | _ENTER,
    "seated": _ALWAYS | _IN_ROOM | _SEATED,
    "watching": _ALWAYS | _IN_ROOM,
}

REFUSED: dict[Phase, tuple[tuple[frozenset[type], ErrorCode, str], ...]] = {
    "new": ((_ALWAYS | _ENTER | _SEATED | _IN_ROOM, "hello_first", "Say hello first, with your name."),),
    "lobby": (
        (frozenset({Hello}), "bad_request", "You have said hello already."),
        (_SEATED | _IN_ROOM, "not_in_room", "You are in no room. Create one, or join one with its code."),
    ),
    "seated": (
        (frozenset({Hello}), "bad_request", "You have said hello already."),
        (_ENTER, "in_room", "You are in a room already. Leave it first."),
    ),
    "watching": (
        (frozenset({Hello}), "bad_request", "You have said hello already."),
        (_ENTER, "in_room", "You are watching a room. Leave it first."),
        (_SEATED, "not_seated", "You are watching. Only the two players can do that."),
    ),
}


@dataclass(slots=True)
class Allowance:
    """A bucket of requests that fills with time. Spending may overdraw it, up to as much again as it holds."""

    rate: float
    size: float
    left: float = field(init=False)
    since: float

    def __post_init__(self) -> None:
        self.left = self.size

    def spend(self, cost: float, now: float) -> None:
        """Take the cost out."""
        self.left = min(self.size, self.left + (now - self.since) * self.rate) - cost
        self.since = now

    @property
    def overdrawn(self) -> bool:
        """True if more was spent than there was, by a whole request: slow down. Its bytes alone are less than that."""
        return self.left <= -1

    @property
    def exhausted(self) -> bool:
        """True if even that did not help: cut."""
        return self.left < -self.size


@dataclass(slots=True, eq=False)
class Player:
    """A name and a token; connected, or only holding a seat."""

    name: str
    key: str
    token_hash: bytes = field(repr=False)
    session: int | None = None
    room: "Room | None" = field(default=None, repr=False)
    seat: int | None = None
    last_play: int | None = None
    last_seen: float = 0.0
    number: int = 0  # what the store calls them
    kept_as: str | None = None  # the name that the store knows
    bot: Level | None = None
    missed: str | None = None  # why the room was closed in which they had a seat, and were away


BOT_NUMBERS: dict[Level, int] = {"easy": -1, "medium": -2, "hard": -3}  # what the store calls them


def bot_player(level: Level) -> Player:
    """A computer player; no person's name can have brackets."""
    return Player(f"Bot ({level})", "", b"", bot=level, number=BOT_NUMBERS[level])


@dataclass(slots=True, eq=False)
class Session:
    """One connection."""

    id: int
    address: str
    opened: float
    heard: float
    allowance: Allowance | None  # None: no limit
    player: Player | None = None
    bad_lines: int = 0
    looking: bool = False  # a question about games that are over has no answer yet

    @property
    def phase(self) -> Phase:
        """Where the player is; what the session may say depends on this."""
        player = self.player
        if player is None:
            return "new"
        if player.room is None:
            return "lobby"
        return "seated" if player.seat else "watching"

    def spend(self, cost: float, now: float) -> None:
        """Charge the connection."""
        if self.allowance:
            self.allowance.spend(cost, now)

    def hold(self, seconds: float) -> None:
        """Forgive the silence of a while in which nobody could be heard."""
        self.opened += seconds
        self.heard += seconds


def allowance(rate: int, now: float) -> Allowance | None:
    """What a connection may spend at a rate of requests a second; 0 means no limit."""
    return Allowance(rate, rate * BURST, now) if rate else None


def check_allowed(phase: Phase, request: Request) -> None:
    """Refuse what may not be said in this phase."""
    kind = type(request)
    if kind in ALLOWED[phase]:
        return
    for kinds, code, text in REFUSED[phase]:
        if kind in kinds:
            raise Refusal(code, text)
    raise AssertionError(f"{kind.__name__} is neither allowed nor refused")
