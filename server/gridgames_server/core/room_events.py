"""Records: everything that the server stores on disk.

What happens in a room is a list of typed events. Each holds its room, its number in that room (from 1) and the hub's
time. `Room.apply` applies an event, both when it happens and after a restart.
"""

from dataclasses import field
from typing import NamedTuple

from gridgames_protocol.messages import First
from gridgames_server.values import value

# What happens in a room -----------------------------------------------------------------------------------------------


@value
class SeatTaken:
    room: int
    number: int
    at: float
    seat: int
    player: int  # a bot's number is below 0


@value
class SeatLeft:
    room: int
    number: int
    at: float
    seat: int


class Counts(NamedTuple):
    """The counts of a room over all its games."""

    games: int
    moves: int
    rev: int
    score: tuple[int, int, int]


@value
class GameStarted:
    room: int
    number: int
    at: float
    first: int  # the seat that moves first
    edition: int  # of the game's rules
    seed: bytes = field(repr=False)
    before: Counts | None = None  # before this game: a restart needs none of the earlier games


@value
class LinePlayed:
    room: int
    number: int
    at: float
    seat: int
    line: str = field(repr=False)
    play: int  # the request's id


@value
class GameStopped:
    """A game was ended for a reason outside its rules."""

    room: int
    number: int
    at: float
    winner: int | None
    reason: str
    text: str
    counts: bool  # True: it counts in the score and in the history


@value
class RematchAsked:
    room: int
    number: int
    at: float
    seat: int


@value
class DrawOffered:
    room: int
    number: int
    at: float
    seat: int


@value
class ChatSaid:
    room: int
    number: int
    at: float
    seat: int | None  # None: a watcher
    name: str
    text: str = field(repr=False)


RoomEvent = SeatTaken | SeatLeft | GameStarted | LinePlayed | GameStopped | RematchAsked | DrawOffered | ChatSaid


# Everything else ------------------------------------------------------------------------------------------------------


@value
class RoomOpened:
    """A room and its options."""

    room: int
    code: str = field(repr=False)
    game: str
    first: First
    private: bool
    clock: int | None
    address: str
    assist: bool = False
    quiet: bool = False  # only the seats chat
    variant: str | None = None
    hints: bool = False  # both players may ask for hints


@value
class RoomClosed:
    """A room was closed."""

    room: int


@value
class RoomQuarantined:
    """A room that can't be served any more. Its events stay on disk for the host."""

    room: int
    why: str


@value
class Heartbeat:
    """The hub was running at this time. After a restart the clocks continue from here."""

    at: float


@value
class PlayerNamed:
    """A new player, or a player with a new name."""

    player: int
    name: str
    key: str
    token_hash: bytes = field(repr=False)


@value
class PlayerForgotten:
    """A player whose token is not valid any more."""

    player: int


@value
class GameOver:
    """A finished game. History and standings are computed from these."""

    room: int
    number: int
    game: str
    edition: int
    seed: bytes = field(repr=False)
    first: int
    players: tuple[int, int]
    names: tuple[str, str]
    lines: tuple[tuple[int, str], ...] = field(repr=False)
    winner: int | None
    reason: str
    text: str
    variant: str | None = None
    game_number: int | None = None  # its place in the history


# Effects after a record wait until the record is on disk.
Record = RoomEvent | RoomOpened | RoomClosed | RoomQuarantined | Heartbeat | PlayerNamed | PlayerForgotten | GameOver
# Every type of record with its tag in the file. A tag keeps its meaning. A new field comes last and has a default.
RECORDS: dict[type, str] = {
    SeatTaken: "sit",
    SeatLeft: "left",
    GameStarted: "start",
    LinePlayed: "line",
    GameStopped: "stop",
    RematchAsked: "again",
    DrawOffered: "draw",
    ChatSaid: "chat",
    RoomOpened: "open",
    RoomClosed: "close",
    RoomQuarantined: "aside",
    Heartbeat: "alive",
    PlayerNamed: "name",
    PlayerForgotten: "forget",
    GameOver: "over",
}


class SavedPlayer(NamedTuple):
    """A player in the store."""

    player: int
    name: str
    key: str
    token_hash: bytes
    last_play: int | None


@value
class SavedRoom:
    """A room in the store."""

    opened: RoomOpened
    events: tuple[RoomEvent, ...] = field(repr=False)
    game_number: int | None = None  # of the finished game, in the history


@value
class Snapshot:
    """The stored state that a server starts from."""

    now: float = 0.0  # the last stored time of the hub before
    players: tuple[SavedPlayer, ...] = ()
    rooms: tuple[SavedRoom, ...] = ()
    broken: tuple[SavedRoom, ...] = ()  # rooms with missing or damaged events
    next_player: int = 1
    next_room: int = 1
    last_game: int = 0  # the highest number in the history
    notice: str = ""  # announced in every room
