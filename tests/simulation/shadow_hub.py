"""The house as the disk has it: every record is done again the moment that it is kept, in a house without wires.

What stands here has certainly happened. Whatever anybody is told must stand here already.
"""

from collections import Counter
from dataclasses import dataclass, field
from typing import Any

from gridgames_protocol.fairness import commitment
from gridgames_protocol.messages import Show, encode
from gridgames_server.deeds import Deed, GameOver, PlayerNamed, Record, RoomClosed, RoomOpened
from gridgames_server.games import GAMES
from gridgames_server.games.tell import Reader, other
from gridgames_server.hub import House, Hub
from gridgames_server.restore import redo
from gridgames_server.room import Room
from gridgames_server.session import Player
from tests.simulation.breach import breach
from tests.simulation.maps import unpacked


def _no_luck(_: int) -> bytes:
    raise AssertionError("doing it again draws nothing")


@dataclass
class Ended:
    """A game that is over, as the disk has it."""

    winner: int | None
    reason: str
    text: str
    moves: tuple[tuple[int, str], ...]


@dataclass
class Told:
    """What the disk knows of a room beside the room itself."""

    ends: list[Ended] = field(default_factory=list)
    chats: set[str] = field(default_factory=set)
    seals: set[str] = field(default_factory=set)
    sealed: int = 0  # of the game on the table
    closed: bool = False
    turn_at: float = 0.0  # the world's time when the turn began


class Shadow:
    """Rooms and players as a new server would have them."""

    def __init__(self) -> None:
        self.hub = Hub(House(GAMES, "the house"), _no_luck, 0.0)
        self.players: dict[int, Player] = {}
        self.by_token: dict[bytes, Player] = {}
        self.rooms: dict[int, Room] = {}
        self.codes: dict[str, Room] = {}  # of all times
        self.told: dict[int, Told] = {}
        self.games = 0  # that have come to an end
        self.played: dict[tuple[int, int], str] = {}  # the line of each player's play
        self.done: Counter[tuple[int, str]] = Counter()  # how often each player has done something

    def keeps(self, record: Record) -> None:
        """Do a record again."""
        match record:
            case PlayerNamed(number, name, key, token_hash):
                player = self.players.setdefault(number, Player(name, key, token_hash, number=number))
                player.name, player.key = name, key
                self.by_token[token_hash] = player
            case RoomOpened(number, code):
                if number in self.rooms or code in self.codes:
                    raise breach("order", f"room {number} is opened twice")
                self.rooms[number] = self.codes[code] = self.hub.rooms.furnish(record, self.hub.out, 0.0)
                self.told[number] = Told()
            case RoomClosed(number):
                self.told[number].closed = True
                for holder in self.rooms.pop(number).here.everybody():
                    holder.room = holder.seat = None
            case GameOver():
                self.games += 1
            case Deed():
                self._does(record)

    def _does(self, deed: Deed) -> None:
        room = self.rooms.get(deed.room)
        if room is None:
            raise breach("order", f"deed {deed.number} of a room {deed.room} that is not open")
        if deed.number != room.deeds + 1:
            raise breach("order", f"deed {deed.number} of room {deed.room} follows on {room.deeds}")
        self._counts(room, deed)
        try:
            redo(room, deed, self.players)
        except Exception as error:
            raise breach("replay", f"deed {deed} of a {room.game.card.slug} can't be done again: {error!r}") from error
        self.hub.out.clear()
        self._remembers(room, deed)

    def _counts(self, room: Room, deed: Deed) -> None:
        """Each play of a player is kept once, and they are kept in their order."""
        holder = room.here.seats[deed.seat] if deed.seat else None
        doer = deed.id if deed.what == "sit" else holder and holder.number
        if doer:
            self.done[doer, deed.what] += 1
        if deed.what == "end" and deed.text.startswith("resigned") and deed.seat:
            loser = room.here.seats[other(deed.seat)]
            self.done[loser.number if loser else 0, "resigned"] += 1
        if deed.what == "line" and holder is not None and not holder.bot:
            assert deed.id
            if deed.id <= (holder.last_play or 0):
                raise breach("once", f"play {deed.id} of player {holder.number} is kept after {holder.last_play}")
            holder.last_play = deed.id
            self.played[holder.number, deed.id] = deed.text

    def _remembers(self, room: Room, deed: Deed) -> None:
        told = self.told[room.number]
        if deed.what == "chat":
            told.chats.add(deed.text)
        if deed.what == "start":
            told.sealed = 0
        if deed.what in ("start", "line") and room.match:
            for secret in room.match.secrets[told.sealed :]:
                told.seals.add(commitment(secret.what, secret.value, secret.nonce))
            told.sealed = len(room.match.secrets)
        if deed.what in ("line", "end") and room.match and room.match.outcome:
            ending = room.match.outcome
            told.ends.append(Ended(ending.winner, ending.reason, ending.text, room.match.moves()))
            self.games += deed.what == "end" and not deed.id  # given up by both: no record of its own

    def view(self, room: Room, reader: Reader) -> dict[str, Any]:
        """What a reader would be shown of a room, as it comes off the wire."""
        assert room.match
        show = Show(room.code, room.rev, tuple(sorted(room.match.to_act())), reader, room.match.view(reader))
        return unpacked(encode(show)[:-1])
