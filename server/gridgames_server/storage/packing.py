"""Packs records as bytes, and computes the checksums (links) that chain the rows of the log."""

import hashlib
from collections.abc import Callable, Iterable
from dataclasses import fields, is_dataclass
from operator import attrgetter
from typing import Any, NamedTuple

import msgpack

from gridgames_server.core.room_events import RECORDS, Record, SavedPlayer


class Counters(NamedTuple):
    """What a base holds besides rooms and players."""

    now: float
    next_player: int
    next_room: int
    last_game: int = 0


class LastGame(NamedTuple):
    """The number of the finished game in a room, for a base: the game's record is not in it."""

    room: int
    game_number: int | None


TAGS: dict[type, str] = {**RECORDS, SavedPlayer: "player", Counters: "counters", LastGame: "last"}
TYPES = {tag: kind for kind, tag in TAGS.items()}
Packable = Record | SavedPlayer | Counters | LastGame


def _make_reader(kind: type) -> Callable[[Any], tuple[Any, ...]]:
    """Return a function that lists the field values of a record."""
    names = [field.name for field in fields(kind)] if is_dataclass(kind) else []
    if len(names) == 1:
        return lambda record: (getattr(record, names[0]),)
    return attrgetter(*names) if names else tuple


_VALUES = {kind: _make_reader(kind) for kind in TAGS}


def pack(records: Iterable[Packable]) -> bytes:
    """Pack records as one blob. Each is a list of its tag and its fields."""
    packed: bytes = msgpack.packb([(TAGS[kind := type(record)], *_VALUES[kind](record)) for record in records])
    return packed


def unpack(blob: bytes) -> list[Any]:
    """Return the records of a blob. A damaged blob raises ValueError."""
    try:
        found = msgpack.unpackb(blob, use_list=False, strict_map_key=False)
        return [TYPES[tag](*values) for tag, *values in found]
    except Exception as error:  # a damaged blob can raise anything
        raise ValueError("these are no records") from error


def join_room_numbers(records: Iterable[Packable]) -> str:
    """Return the numbers of the rooms that records concern, in the format of the column `rooms`."""
    rooms = {getattr(record, "room", 0) for record in records} - {0}
    return ",".join(map(str, sorted(rooms)))


HEAD, OWN = 4, 12  # a link's bytes 0-3 check the row's head, 4-11 the whole row, 12-19 the link of the row before


def make_link(before: bytes, number: int, at: int, rooms: str, records: bytes) -> bytes:
    """Return a row's link: a check of its head, of the whole row, and of the row before it."""
    own = make_own_link(number, at, rooms, records)
    return own + hashlib.sha256(before + own).digest()[:8]


def make_own_link(number: int, at: int, rooms: str, records: bytes) -> bytes:
    """Return the part of a link that does not depend on the row before."""
    head: bytes = msgpack.packb((number, at, rooms))
    return hashlib.sha256(head).digest()[:HEAD] + hashlib.sha256(head + records).digest()[: OWN - HEAD]


def make_seal(kind: str, *parts: object) -> bytes:
    """Return the checksum of a row that is not in a chain."""
    # MessagePack encodes 1, "1", b"1" and None differently.
    return hashlib.sha256(kind.encode() + msgpack.packb(parts)).digest()[:16]
