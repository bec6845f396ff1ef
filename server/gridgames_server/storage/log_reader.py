"""Reads the log: checks every row against the row before it, and applies its records.

A damaged or missing row puts every room that it may concern into quarantine. All other rooms are restored.
"""

import sqlite3
from collections.abc import Callable
from dataclasses import dataclass, field
from itertools import pairwise
from typing import cast, get_args

from gridgames_server.core.room_events import (
    GameOver,
    GameStarted,
    LinePlayed,
    PlayerForgotten,
    PlayerNamed,
    RoomClosed,
    RoomEvent,
    RoomOpened,
    RoomQuarantined,
    SavedPlayer,
    SavedRoom,
    SeatTaken,
    Snapshot,
)
from gridgames_server.storage.packing import HEAD, OWN, Counters, LastGame, Packable, make_link, make_own_link, unpack
from gridgames_server.storage.store import Row, read_rows, read_start

EVENTS = frozenset(get_args(RoomEvent))
SKIPPED = 1_000  # player and room numbers to skip for each lost row, which may have used some


@dataclass(slots=True, eq=False)
class OpenRoom:
    """A room at the current row of the log."""

    opened: RoomOpened
    events: list[RoomEvent] = field(default_factory=list)
    is_broken: bool = False  # an event of this room is lost
    is_doubtful: bool = False  # a row was lost; the number of the room's next event shows whether it was of this room
    seats: dict[int, int] = field(default_factory=dict)  # seat -> the last player who took it
    game_number: int | None = None  # of the finished game, in the history

    def add(self, event: RoomEvent, may_skip: bool) -> None:
        """Add the next event. A gap in the numbers shows that an event is lost."""
        follows = may_skip or not self.events or event.number == self.events[-1].number + 1
        self.is_broken |= not follows
        self.is_doubtful &= not follows
        self.events.append(event)

    def make_saved_room(self) -> SavedRoom:
        return SavedRoom(self.opened, tuple(self.events), self.game_number)


@dataclass(slots=True, eq=False)
class Ledger:
    """The state that results from the records of the log."""

    now: float = 0.0
    players: dict[int, SavedPlayer] = field(default_factory=dict)
    rooms: dict[int, OpenRoom] = field(default_factory=dict)
    quarantined: list[tuple[OpenRoom, str]] = field(default_factory=list)
    next_player: int = 1
    next_room: int = 1
    last_game: int = 0  # the highest number in the history
    finished: list[tuple[int, int, GameOver]] = field(default_factory=list)  # with the row's number and time
    faults: list[str] = field(default_factory=list)  # what is wrong with the log, a sentence each
    lost: list[int] = field(default_factory=list)  # numbers of rooms whose opening row is lost
    is_reading_base: bool = True  # compaction leaves events out, so their numbers have gaps there
    seq: int = 0  # of the last row
    link: bytes = b""

    def add(self, row: Row) -> None:
        """Apply the records of an undamaged row."""
        for record in unpack(row.records):
            self.apply(record)
            if isinstance(record, GameOver):
                self.finished.append((row.seq, row.at, record))

    def apply(self, record: Packable) -> None:
        """Apply the next record."""
        self.now = max(self.now, getattr(record, "at", 0.0))
        match record:
            case RoomOpened(room):
                self.rooms[room] = OpenRoom(record)
                self.next_room = max(self.next_room, room + 1)
            case RoomClosed(room):
                self.rooms.pop(room, None)
            case RoomQuarantined(room, why):
                if found := self.rooms.pop(room, None):
                    self.quarantined.append((found, why))
            case PlayerNamed(player, name, key, token_hash):
                known = self.players.get(player)
                self.apply(SavedPlayer(player, name, key, token_hash, known.last_play if known else None))
            case SavedPlayer(player):
                self.players[player] = record
                self.next_player = max(self.next_player, player + 1)
            case PlayerForgotten(player):
                self.players.pop(player, None)
            case Counters(now, next_player, next_room, last_game):
                self.now = max(self.now, now)
                self.next_player, self.next_room, self.last_game = next_player, next_room, last_game
            case GameOver(room=room) | LastGame(room):
                self.last_game = max(self.last_game, record.game_number or 0)
                if room in self.rooms:
                    self.rooms[room].game_number = record.game_number
            case _ if type(record) in EVENTS:
                self._add_event(cast("RoomEvent", record))

    def _add_event(self, event: RoomEvent) -> None:
        room = self.rooms.get(event.room)
        if room is None:  # the row that opened it is lost
            self.next_room = max(self.next_room, event.room + 1)
            if event.room not in self.lost:
                self.lost.append(event.room)
            return
        room.add(event, self.is_reading_base)
        if isinstance(event, SeatTaken):
            room.seats[event.seat] = event.player
        elif isinstance(event, GameStarted):
            room.game_number = None
        elif isinstance(event, LinePlayed) and (player := self.players.get(room.seats.get(event.seat, 0))):
            self.players[player.player] = player._replace(last_play=max(event.play, player.last_play or 0))

    def note_loss(self, what: str, rooms: list[int] | None) -> None:
        """Note that a row of these rooms is lost. None: it may be of any room."""
        self.faults.append(what)
        self.next_player += SKIPPED
        self.next_room += SKIPPED
        for number, room in self.rooms.items():
            room.is_broken |= rooms is not None and number in rooms
            room.is_doubtful |= rooms is None

    def list_broken_rooms(self) -> list[OpenRoom]:
        """Return the rooms that have lost an event, or may have."""
        return [room for room in self.rooms.values() if room.is_broken or room.is_doubtful or not room.events]

    def make_snapshot(self) -> Snapshot:
        """Return the state that a server starts from."""
        broken = self.list_broken_rooms()
        return Snapshot(
            self.now,
            tuple(player for _, player in sorted(self.players.items())),
            tuple(room.make_saved_room() for room in self.rooms.values() if room not in broken),
            tuple(room.make_saved_room() for room in broken),
            self.next_player,
            self.next_room,
            self.last_game,
        )


def read_log(store: sqlite3.Connection, upto: int = 2**62, pause: Callable[[], object] = lambda: None) -> Ledger:
    """Read the base and the log up to row `upto`. `pause` is called after each row."""
    start, ledger = read_start(store), Ledger()
    base = read_rows(store, "base", start.first, start.last)
    log = read_rows(store, "log", start.seq + 1, upto)
    _apply(ledger, base, start.first - 1, start.link, "the base", pause)
    if len(base) <= start.last - start.first:
        ledger.faults.append("rows of the base are lost")
    for room in ledger.rooms.values():  # a room of the base has all its events in one row
        room.is_doubtful = False
    ledger.is_reading_base = False
    _apply(ledger, log, start.seq, start.link, "the log", pause)
    last = log[-1] if log else Row(start.seq, 0, "", b"", start.link)
    ledger.seq, ledger.link = last.seq, last.link
    return ledger


def _apply(ledger: Ledger, rows: list[Row], seq: int, link: bytes, where: str, pause: Callable[[], object]) -> None:
    """Check and apply the rows that follow the row with this number and link."""
    after_loss = False
    for before, row in pairwise([Row(seq, 0, "", b"", link), *rows]):
        missing = row.seq - before.seq - 1
        if missing:
            ledger.note_loss(f"{missing} rows before row {row.seq} of {where} are missing", None)
        own = make_own_link(*row[:-1])
        follows = after_loss or missing or row.link == make_link(before.link, *row[:-1])
        after_loss = not (row.link[:OWN] == own and follows)
        pause()
        if not after_loss:
            ledger.add(row)
        elif row.link[:HEAD] == own[:HEAD]:
            rooms = [int(number) for number in row.rooms.split(",") if number]
            which = f"rooms {row.rooms}" if rooms else "no room"
            ledger.note_loss(f"row {row.seq} of {where} is damaged: {which} may be affected", rooms)
        else:
            ledger.note_loss(f"row {row.seq} of {where} is damaged: any room may be affected", None)
