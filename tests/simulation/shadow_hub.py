"""The server as the disk has it: every record is done again the moment that it is kept, in a server without wires.

What stands here has certainly happened. Whatever anybody is told must stand here already.
"""

from collections import Counter
from dataclasses import dataclass, field
from typing import Any

from gridgames_protocol.codec import encode
from gridgames_protocol.commitments import commitment
from gridgames_protocol.messages import Show
from gridgames_server.core.hub import Hub, ServerConfig
from gridgames_server.core.players import Player
from gridgames_server.core.room import Room
from gridgames_server.core.room_events import (
    RECORDS,
    ChatSaid,
    GameOver,
    GameStarted,
    GameStopped,
    LinePlayed,
    PlayerNamed,
    Record,
    RoomClosed,
    RoomEvent,
    RoomOpened,
    SeatTaken,
)
from gridgames_server.games import GAMES
from gridgames_server.games.seats import Reader, other
from gridgames_server.storage.restore import apply_stored
from tests.simulation.invariants import breach
from tests.simulation.raw_maps import unpacked


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
        self.hub = Hub(ServerConfig(GAMES, "the house"), _no_luck, 0.0)
        self.players: dict[int, Player] = {}
        self.by_token: dict[bytes, Player] = {}
        self.rooms: dict[int, Room] = {}
        self.codes: dict[str, Room] = {}  # of all times
        self.told: dict[int, Told] = {}
        self.games = 0  # that have come to an end
        self.finished = 0  # those that are in the history
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
                self.rooms[number] = self.codes[code] = self.hub.rooms.set_up(record, 0.0)
                self.told[number] = Told()
            case RoomClosed(number):
                self.told[number].closed = True
                for holder in self.rooms.pop(number).audience.everybody():
                    holder.room = holder.seat = None
            case GameOver(game_number=number):
                self.games += 1
                self.finished += 1
                if number != self.finished:
                    raise breach("order", f"game {self.finished} has the number {number} in the history")
            case _ if isinstance(record, RoomEvent):
                self._applies(record)

    def _applies(self, event: RoomEvent) -> None:
        room = self.rooms.get(event.room)
        if room is None:
            raise breach("order", f"event {event.number} of a room {event.room} that is not open")
        if event.number != room.events + 1:
            raise breach("order", f"event {event.number} of room {event.room} follows on {room.events}")
        self._counts(room, event)
        try:
            apply_stored(room, event, self.players)
        except Exception as error:
            slug = room.game.card.slug
            raise breach("replay", f"event {event} of a {slug} can't be applied again: {error!r}") from error
        room.take_effects()
        self._remembers(room, event)

    def _counts(self, room: Room, event: RoomEvent) -> None:
        """Each play of a player is kept once, and they are kept in their order."""
        seat = getattr(event, "seat", None) or getattr(event, "winner", None)
        holder = room.audience.seats[seat] if seat else None
        doer = event.player if isinstance(event, SeatTaken) else holder and holder.number
        if doer:
            self.done[doer, RECORDS[type(event)]] += 1
        if isinstance(event, GameStopped) and event.reason == "resigned" and event.winner:
            loser = room.audience.seats[other(event.winner)]
            self.done[loser.number if loser else 0, "resigned"] += 1
        if isinstance(event, GameStopped) and not event.winner:  # either may have claimed a draw
            for either in filter(None, room.audience.seats.values()):
                self.done[either.number, "stop"] += 1
        if isinstance(event, LinePlayed) and holder is not None and not holder.bot:
            if event.play <= (holder.last_play or 0):
                raise breach("once", f"play {event.play} of player {holder.number} is kept after {holder.last_play}")
            holder.last_play = event.play
            self.played[holder.number, event.play] = event.line

    def _remembers(self, room: Room, event: RoomEvent) -> None:
        told = self.told[room.number]
        if isinstance(event, ChatSaid):
            told.chats.add(f"{event.name}\n{event.text}")
        if isinstance(event, GameStarted):
            told.sealed = 0
        if isinstance(event, GameStarted | LinePlayed) and room.match:
            for secret in room.match.list_reveals()[told.sealed :]:
                told.seals.add(commitment(secret.what, secret.value, secret.nonce))
            told.sealed = len(room.match.secrets)
        if isinstance(event, LinePlayed | GameStopped) and room.match and room.match.outcome:
            ending = room.match.outcome
            told.ends.append(Ended(ending.winner, ending.reason, ending.text, room.match.moves()))
            if isinstance(event, GameStopped) and not event.counts:  # given up by both: no record of its own
                self.games += 1

    def view(self, room: Room, reader: Reader) -> dict[str, Any]:
        """What a reader would be shown of a room, as it comes off the wire."""
        assert room.match
        show = Show(room.code, room.rev, tuple(sorted(room.match.to_act())), reader, room.match.view(reader))
        return unpacked(encode(show)[:-1])
