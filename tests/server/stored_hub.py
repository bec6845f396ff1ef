"""A server whose events are kept: it can end at any moment, and a new one goes on from what was kept.

shelf = Shelf()
server = StoredHub(shelf)
ada, bob = server.table("grid-hunt")
server = server.again()        # a new server, from the shelf
ada, bob = server.back(ada), server.back(bob)
"""

import hashlib
from collections import deque
from collections.abc import Callable, Iterable
from contextlib import closing
from pathlib import Path
from threading import Event as Flag
from typing import Any

from gridgames_protocol.codec import encode
from gridgames_protocol.messages import Event as Told
from gridgames_protocol.messages import Hello, Push, Watch, Welcome
from gridgames_server.bots import BOTS
from gridgames_server.core import hub
from gridgames_server.core.effects import Effect, Send
from gridgames_server.core.limits import Limits
from gridgames_server.core.room import Room
from gridgames_server.core.room_events import (
    GameOver,
    GameStarted,
    Heartbeat,
    LinePlayed,
    PlayerNamed,
    Record,
    RoomClosed,
    RoomEvent,
    RoomOpened,
    RoomQuarantined,
    SavedPlayer,
    SavedRoom,
    SeatTaken,
    Snapshot,
)
from gridgames_server.games import GAMES
from gridgames_server.net.steady_clock import SteadyClock
from gridgames_server.storage.outbox import Outbox
from gridgames_server.storage.restore import restore
from gridgames_server.storage.store import connect_reader
from gridgames_server.storage.writer import Writer, read_whole_log
from tests.server.hub_harness import Guest, HubHarness, unpacked


class Luck:
    """Bytes that look random; where it stands can be told and set, so that a new server has the old one's luck."""

    def __init__(self, drawn: int = 0) -> None:
        self.drawn = drawn

    def __call__(self, size: int) -> bytes:
        self.drawn += 1
        return hashlib.sha512(b"%d" % self.drawn).digest()[:size]


class Shelf:
    """Keeps records in memory: at once, or when the test says so."""

    def __init__(self, records: Iterable[Record] = ()) -> None:
        self.records = list(records)
        self.slow = self.is_disk_full = False
        self.asked: deque[tuple[list[Record], Callable[[], None]]] = deque()

    def save(self, records: list[Record], kept: Callable[[], None]) -> None:
        self.asked.append((records, kept))
        if not self.slow:
            self.keeps()

    def keeps(self) -> None:
        """What was asked first is kept."""
        records, kept = self.asked.popleft()
        self.records += records
        kept()

    def run_query(self, *_: object) -> None:
        raise AssertionError("nobody asks here")

    def saved(self) -> Snapshot:
        """What a new server starts from."""
        return saved(self.records)

    def again(self) -> "Shelf":
        """What the next server finds: what this one was still asked for is lost."""
        return Shelf(self.records)


def saved(records: Iterable[Record]) -> Snapshot:
    """What records lead to, worked out in the plainest way."""
    now, players, rooms, events = 0.0, {}, {}, {}
    plays: dict[int, int] = {}
    games: dict[int, int | None] = {}
    numbered = [0]
    holders: dict[tuple[int, int], int] = {}
    numbers = [0]
    for record in records:
        match record:
            case PlayerNamed(player, name, key, token_hash):
                players[player] = SavedPlayer(player, name, key, token_hash, None)
            case RoomOpened(room):
                rooms[room], events[room] = record, []
                numbers.append(room)
            case RoomClosed(room):
                del rooms[room]
            case RoomQuarantined(room):
                del rooms[room]
            case Heartbeat(at):
                now = at
            case GameOver(room=room):
                games[room] = record.game_number
                numbered.append(record.game_number or 0)
            case _ if isinstance(record, RoomEvent):
                now = record.at
                if isinstance(record, GameStarted):
                    games[record.room] = None
                events[record.room].append(record)
                if isinstance(record, SeatTaken):
                    holders[record.room, record.seat] = record.player
                if isinstance(record, LinePlayed):
                    plays[holders[record.room, record.seat]] = record.play
    return Snapshot(
        now=now,
        players=tuple(player._replace(last_play=plays.get(number)) for number, player in sorted(players.items())),
        rooms=tuple(
            SavedRoom(room, tuple(events[number]), games.get(number)) for number, room in sorted(rooms.items())
        ),
        next_player=max(players, default=0) + 1,
        next_room=max(numbers) + 1,
        last_game=max(numbered),
    )


class StoredHub(HubHarness):
    """A server whose effects leave through an outbox, and which may begin from what another has kept."""

    def __init__(
        self,
        storage: Any,
        begin: Snapshot | None = None,
        luck: Luck | None = None,
        games: Any = GAMES,
        **limits: int,
    ) -> None:
        super().__init__(games)
        begin = begin or Snapshot(now=self.now)
        self.raw, self.luck, self.storage = begin.now, luck or Luck(), storage
        self.clock = SteadyClock(lambda: self.raw)
        bounds = Limits(**{"rate": 0, **limits})
        config = hub.ServerConfig(games, "the house", None, bounds, frozenset(BOTS), has_store=True)
        self.hub = hub.Hub(config, self.luck, self.now)
        self.hub.state.can_save = lambda: not storage.is_disk_full
        self.outbox = Outbox(storage, self.performs)
        self.does(restore(self.hub, begin, begin.now))

    def does(self, effects: list[Effect]) -> None:
        if effects:
            self.outbox.put(effects)

    def performs(self, effects: list[Effect]) -> None:
        """Perform effects; as in the shell, nothing is said on a wire that has gone in the meantime."""
        for effect in effects:
            if not (isinstance(effect, Send) and self.guests[effect.session].closed):
                super().does([effect])

    def again(self, **options: Any) -> "StoredHub":
        """A new server, from what this one has kept."""
        storage = self.storage.again()
        server = StoredHub(storage, storage.saved(), Luck(self.luck.drawn), **options)
        server.ids = self.ids
        return server

    def back(self, guest: Guest, name: str | None = None) -> Guest:
        """Somebody who was in another server comes to this one with the token; no view goes back for them either."""
        assert guest.welcome
        found = self.connects(guest.address)
        found.view = guest.view
        assert isinstance(found.says(Hello, 1, name or guest.welcome.name, token=guest.welcome.token), Welcome)
        return found

    def all_back(self, *guests: Guest) -> tuple[Guest, ...]:
        """Everybody comes back, and watchers look on again; they have read everything."""
        found = tuple(self.back(guest) for guest in guests)
        for was, guest in zip(guests, found, strict=True):
            if was.place and was.where.you is None and was.where.room in self.hub.rooms.by_code:
                guest.says(Watch, was.where.room)
        self.read_by_all()
        return found

    def would_read(self, guest: Guest) -> list[bytes]:
        """All that a guest would be sent on coming back now, but for who came and went."""
        player = self.hub.sessions[guest.id].player
        assert player
        return told(self.hub, player.room, player, self.now) if player.room else []


def told(hub: hub.Hub, room: Room, player: Any, now: float) -> list[bytes]:
    """What one who comes in is sent, as it goes over the wire, but for who came and went."""
    assert room.take_effects() == []
    room.catch_up(player, now)
    sends = room.take_effects()
    said = [message for send in sends if isinstance(send, Send) for message in unpacked(send.messages)]
    return [encode(message) for message in said if not is_coming_or_going(message)]


def is_coming_or_going(message: Push) -> bool:
    """True for the news of a connection, which is kept by nobody."""
    return isinstance(message, Told) and message.text.endswith((" is away, and can return.", " is back."))


def standing(room: Room) -> dict[str, object]:
    """What a room is from within, but for connections."""
    return {
        "room": (room.code, room.number, room.game.card.slug, room.first, room.private, room.clock, room.address),
        "seats": {seat: holder and (holder.name, holder.last_play) for seat, holder in room.audience.seats.items()},
        "match": room.match and (room.match.seed, room.match.first, tuple(room.match.lines), room.match.state),
        "secrets": room.match and tuple(room.match.secrets),
        "counts": (room.rev, room.games, room.moves, room.score, room.events),
        "wishes": (set(room.rematch_seats), set(room.draw_seats)),
        "times": (room.last_event_at, room.turn_since),
    }


# The store itself -----------------------------------------------------------------------------------------------------


class Shelved(Writer):
    """A real store that is waited for: what is put in is on disk when `keep` returns."""

    def __init__(self, path: Path) -> None:
        super().__init__(path, lambda call: call(), self.breaks)
        self.errors: list[BaseException] = []
        self.settled = Flag()
        self.begin = self.load()
        self.start()

    def breaks(self, error: BaseException) -> None:
        self.errors.append(error)
        self.settled.set()

    def save(self, records: list[Record], kept: Callable[[], None]) -> None:
        self.settled.clear()
        super().save(records, self.settled.set)
        assert self.settled.wait(20), "the writer is stuck"
        assert not self.errors
        kept()

    def saved(self) -> Snapshot:
        """What a new server would start from."""
        with closing(connect_reader(self.path)) as reader:
            return read_whole_log(reader).make_snapshot()

    def again(self) -> "Shelved":
        """The next server's, on the same file."""
        self.close()
        return Shelved(self.path)


def copied(path: Path, to: Path) -> Path:
    """The store's files as a kill would leave them now, in a folder of their own."""
    to.mkdir()
    for file in (path, *(path.with_name(f"{path.name}-{what}") for what in ("wal", "last"))):
        if file.exists():
            (to / file.name).write_bytes(file.read_bytes())
    return to / path.name


def kept_in(path: Path) -> Snapshot:
    """What a server that starts on this file would start from."""
    storage = Writer(path, lambda call: call(), lambda error: None)
    try:
        return storage.load()
    finally:
        storage.store.execute("PRAGMA synchronous=OFF")  # nobody will need it again
        storage.close()
