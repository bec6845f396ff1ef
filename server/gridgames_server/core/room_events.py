"""What is kept of a room: everything that was done in it, in order. Doing it again gives the room as it was.

Each deed is bound to the one before it by a hash. A disk that has changed one of them is found out: a room whose deeds
do not hang together is set aside, and never served wrongly.
"""

import hashlib
from dataclasses import dataclass, field
from typing import Literal, NamedTuple, get_args

import msgpack

from gridgames_protocol.messages import First

What = Literal["sit", "left", "start", "line", "end", "wish", "chat", "hold"]


class Deed(NamedTuple):
    """One thing that was done in a room."""

    room: int
    number: int  # which of the room's deeds, from 1
    at: float  # the hub's time
    what: What
    seat: int | None = None
    text: str = ""
    id: int | None = None  # the player who sat down, or a play's id
    secret: bytes = b""  # a game's seed

    def __repr__(self) -> str:
        return f"Deed(room={self.room}, number={self.number}, what={self.what!r})"  # the rest may be a secret


@dataclass(frozen=True, slots=True)
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


@dataclass(frozen=True, slots=True)
class RoomClosed:
    """A room that is not coming back."""

    room: int


@dataclass(frozen=True, slots=True)
class RoomAside:
    """A room that can't be served any more; its deeds stay for the host to look at."""

    room: int
    why: str


@dataclass(frozen=True, slots=True)
class Lived:
    """The hub was alive at this time, though nobody may have done anything: clocks go on from here."""

    at: float


@dataclass(frozen=True, slots=True)
class PlayerNamed:
    """A player, under the name of now."""

    player: int
    name: str
    key: str
    token_hash: bytes = field(repr=False)


@dataclass(frozen=True, slots=True)
class PlayerForgotten:
    """A player whose token is not valid any more."""

    player: int


@dataclass(frozen=True, slots=True)
class GameOver:
    """A finished game, whole: what history and standings are made of."""

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


# Something to keep. What stands behind it among the effects waits until it is on disk.
Record = Deed | RoomOpened | RoomClosed | RoomAside | Lived | PlayerNamed | PlayerForgotten | GameOver
RECORDS = frozenset(get_args(Record))


class SavedPlayer(NamedTuple):
    """A player as the store knows them."""

    player: int
    name: str
    key: str
    token_hash: bytes
    last_play: int | None


@dataclass(frozen=True, slots=True)
class SavedRoom:
    """A room as the store knows it."""

    opened: RoomOpened
    deeds: tuple[Deed, ...] = field(repr=False)


@dataclass(frozen=True, slots=True)
class Saved:
    """Everything that a server starts from."""

    now: float = 0.0  # the last time that the hub of before is known to have lived
    players: tuple[SavedPlayer, ...] = ()
    rooms: tuple[SavedRoom, ...] = ()
    broken: tuple[SavedRoom, ...] = ()  # their deeds do not hang together
    next_player: int = 1
    next_room: int = 1


def first_link(room: RoomOpened) -> bytes:
    """What a room's first deed is bound to."""
    options = (room.first, room.private, room.clock, room.assist)
    return _hashed(b"", room.room, room.code, room.game, *options, room.address)


def next_link(link: bytes, deed: Deed) -> bytes:
    """What the deed after this one is bound to."""
    return _hashed(link, *deed)


def player_seal(player: int, name: str, key: str, token_hash: bytes, last_play: int | None) -> bytes:
    """What shows that a player is the one who was kept."""
    return _hashed(b"player", player, name, key, token_hash, last_play)


def game_seal(*row: object) -> bytes:
    """What shows that a finished game is the one that was kept."""
    return _hashed(b"game", *row)


def time_seal(now: float) -> bytes:
    """What shows that a time is the one that was kept."""
    return _hashed(b"now", now)


def _hashed(link: bytes, *parts: object) -> bytes:
    # MessagePack tells a number from its digits, text from bytes and None from nothing, and takes all that a damaged
    # file may hold.
    return hashlib.sha256(link + msgpack.packb(parts)).digest()[:16]
