"""A house whose deeds are kept: it can end at any moment, and a new one goes on from what was kept.

shelf = Shelf()
house = KeptHouse(shelf)
ada, bob = house.table("grid-hunt")
house = house.again()          # a new server, from the shelf
ada, bob = house.back(ada), house.back(bob)
"""

import hashlib
from collections import deque
from collections.abc import Callable, Iterable
from pathlib import Path
from threading import Event as Flag
from typing import Any

from gridgames_protocol.messages import Event as Told
from gridgames_protocol.messages import Hello, Push, Watch, Welcome, encode
from gridgames_server import hub
from gridgames_server.deeds import (
    Deed,
    Lived,
    PlayerNamed,
    Record,
    RoomAside,
    RoomClosed,
    RoomOpened,
    Saved,
    SavedPlayer,
    SavedRoom,
)
from gridgames_server.effects import Effect, Send
from gridgames_server.games import GAMES
from gridgames_server.journal import Journal
from gridgames_server.limits import Limits
from gridgames_server.outbox import Outbox
from gridgames_server.restore import restore, undo
from gridgames_server.room import Room
from tests.server.house import Guest, House


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
        self.slow = False
        self.asked: deque[tuple[list[Record], Callable[[], None], Callable[[], None]]] = deque()

    def keep(self, records: list[Record], kept: Callable[[], None], refused: Callable[[], None]) -> None:
        self.asked.append((records, kept, refused))
        if not self.slow:
            self.keeps()

    def keeps(self) -> None:
        """What was asked first is kept."""
        records, kept, _ = self.asked.popleft()
        self.records += records
        kept()

    def refuses(self) -> None:
        """There is no space for anything that was asked."""
        asked, self.asked = self.asked, deque()
        for _, _, refused in asked:
            refused()

    def look(self, *_: object) -> None:
        raise AssertionError("nobody asks here")

    def reload(self) -> Saved:
        return self.saved()

    def saved(self) -> Saved:
        """What a new server starts from."""
        return saved(self.records)

    def again(self) -> "Shelf":
        """What the next server finds: what this one was still asked for is lost."""
        return Shelf(self.records)


def saved(records: Iterable[Record]) -> Saved:
    """What records lead to, worked out in the plainest way."""
    now, players, rooms, deeds = 0.0, {}, {}, {}
    plays: dict[int, int] = {}
    holders: dict[tuple[int, int | None], int | None] = {}
    numbers = [0]
    for record in records:
        match record:
            case PlayerNamed(player, name, key, token_hash):
                players[player] = SavedPlayer(player, name, key, token_hash, None)
            case RoomOpened(room):
                rooms[room], deeds[room] = record, []
                numbers.append(room)
            case RoomClosed(room):
                del rooms[room]
            case RoomAside(room):
                del rooms[room]
            case Lived(at):
                now = at
            case Deed(room, _, at, what, seat, _, id):
                now = at
                deeds[room].append(record)
                if what == "sit":
                    holders[room, seat] = id
                if what == "line" and id is not None:
                    plays[holders[room, seat] or 0] = id
    return Saved(
        now=now,
        players=tuple(player._replace(last_play=plays.get(number)) for number, player in sorted(players.items())),
        rooms=tuple(SavedRoom(room, tuple(deeds[number])) for number, room in sorted(rooms.items())),
        next_player=max(players, default=0) + 1,
        next_room=max(numbers) + 1,
    )


class KeptHouse(House):
    """A house whose effects leave through an outbox, and which may begin from what another has kept."""

    def __init__(
        self,
        keeper: Any,
        begin: Saved | None = None,
        luck: Luck | None = None,
        games: Any = GAMES,
        **limits: int,
    ) -> None:
        super().__init__(games)
        begin = begin or Saved(now=self.now)
        self.now, self.luck, self.keeper = begin.now, luck or Luck(), keeper
        self.hub = hub.Hub(hub.House(games, "the house", None, Limits(**{"rate": 0, **limits})), self.luck, self.now)
        self.outbox = Outbox(keeper, self.performs, self.undoes)
        self.does(restore(self.hub, begin, begin.now))

    def does(self, effects: list[Effect]) -> None:
        if effects:
            self.outbox.put(effects)

    def performs(self, effects: list[Effect]) -> None:
        """Perform effects; as in the shell, nothing is said on a wire that has gone in the meantime."""
        for effect in effects:
            if not (isinstance(effect, Send) and self.guests[effect.session].closed):
                super().does([effect])

    def undoes(self, effects: list[Effect]) -> None:
        """Go back to what was kept, as the service does."""
        self.does(undo(self.hub, effects, self.keeper.reload(), self.now))

    def again(self, **options: Any) -> "KeptHouse":
        """A new server, from what this one has kept."""
        keeper = self.keeper.again()
        house = KeptHouse(keeper, keeper.saved(), Luck(self.luck.drawn), **options)
        house.ids = self.ids
        return house

    def back(self, guest: Guest, name: str | None = None) -> Guest:
        """Somebody who was in another house comes to this one with the token; no view goes back for them either."""
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
    assert hub.out == []
    room.catch_up(player, now)
    sends, hub.out[:] = hub.out[:], []
    said = [message for send in sends if isinstance(send, Send) for message in send.said]
    return [encode(message) for message in said if not is_coming_or_going(message)]


def is_coming_or_going(message: Push) -> bool:
    """True for the news of a connection, which is kept by nobody."""
    return isinstance(message, Told) and message.text.endswith((" is away, and can return.", " is back."))


def standing(room: Room) -> dict[str, object]:
    """What a room is from within, but for connections."""
    return {
        "room": (room.code, room.number, room.game.card.slug, room.first, room.private, room.clock, room.address),
        "seats": {seat: holder and (holder.name, holder.last_play) for seat, holder in room.here.seats.items()},
        "match": room.match and (room.match.seed, room.match.first, tuple(room.match.lines), room.match.state),
        "secrets": room.match and tuple(room.match.secrets),
        "counts": (room.rev, room.games, room.moves, room.score, room.deeds),
        "wishes": set(room.wishes),
        "times": (room.touched, room.turn_since),
    }


# The store itself -----------------------------------------------------------------------------------------------------


class Shelved(Journal):
    """A real journal that is waited for: what is put in is on disk when `keep` returns."""

    def __init__(self, path: Path) -> None:
        super().__init__(path, lambda call: call(), self.breaks)
        self.errors: list[BaseException] = []
        self.settled = Flag()
        self.begin = self.load()
        self.start()

    def breaks(self, error: BaseException) -> None:
        self.errors.append(error)
        self.settled.set()

    def keep(self, records: list[Record], kept: Callable[[], None], refused: Callable[[], None]) -> None:
        answers: list[Callable[[], None]] = []

        def settle(answer: Callable[[], None]) -> None:
            answers.append(answer)
            self.settled.set()

        self.settled.clear()
        super().keep(records, lambda: settle(kept), lambda: settle(refused))
        assert self.settled.wait(20), "the writer is stuck"
        assert not self.errors
        answers[0]()

    def saved(self) -> Saved:
        return self.load()

    def again(self) -> "Shelved":
        """The next server's, on the same file."""
        self.close()
        return Shelved(self.path)


def copied(path: Path, to: Path) -> Path:
    """The store's files as a kill would leave them now, in a folder of their own."""
    to.mkdir()
    for file in (path, path.with_name(path.name + "-wal")):
        if file.exists():
            (to / file.name).write_bytes(file.read_bytes())
    return to / path.name


def kept_in(path: Path) -> Saved:
    """What a server that starts on this file would start from."""
    journal = Journal(path, lambda call: call(), lambda error: None)
    try:
        return journal.load()
    finally:
        journal.store.execute("PRAGMA synchronous=OFF")  # nobody will need it again
        journal.close()
