"""The state of the core, and the actions that handlers and the hub share. Each action returns its effects."""

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from gridgames_protocol.messages import PROTOCOL, Bye, ByeCode, Event, Features, Play, Status
from gridgames_server.core.effects import Effect, Hangup, LogBug, LogLine, Send
from gridgames_server.core.limits import BANS_MAX, BURST, Limits
from gridgames_server.core.permissions import Phase
from gridgames_server.core.players import Player, Players
from gridgames_server.core.rate_limit import AddressLimits, BotQueue, GuessLimiter, Own, TokenBucket
from gridgames_server.core.room import Room
from gridgames_server.core.room_events import RoomClosed
from gridgames_server.core.rooms import Rooms
from gridgames_server.errors import Refusal
from gridgames_server.games.game import Game

CANNOT_SAVE = "The server can't save anything right now, so this was not done. Tell its host, and try again."


@dataclass(frozen=True, slots=True)
class ServerConfig:
    """What a host decides about the server."""

    games: tuple[Game[Any], ...]
    name: str = "gridgames"
    password: str | None = field(default=None, repr=False)
    limits: Limits = field(default_factory=Limits)
    bots: frozenset[str] = frozenset()  # the games that the computer plays
    version: str | None = None
    has_store: bool = False
    has_analysis: bool = False  # finished games are analysed
    has_handout: bool = False  # browsers get the client from the same port
    has_hints: bool = False  # players are told the best line where a room allows it


@dataclass(slots=True, eq=False)
class Session:
    """One connection."""

    id: int
    address: str
    opened_at: float
    last_input: float  # when something last arrived
    allowance: TokenBucket | None  # None: no limit
    player: Player | None = None
    bad_lines: int = 0
    bye_over_limit: Bye | None = None  # above the limits: closed with this unless it shows the token of a seated player
    strict: bool = False  # refuses requests with keys that the server does not know
    question: int | None = None  # the id of the request whose answer another thread looks for

    @property
    def phase(self) -> Phase:
        """Return the phase, which decides what requests are allowed."""
        player = self.player
        if player is None:
            return "new"
        if player.room is None:
            return "lobby"
        return "seated" if player.seat else "watching"

    def spend(self, cost: float) -> None:
        """Charge the connection. The hub refills the allowance when something arrives."""
        if self.allowance is not None:
            self.allowance.left -= cost

    def begin_question(self, id: int) -> None:
        """Begin to look for an answer in another thread, or raise a Refusal while another one is looked for."""
        if self.question is not None:
            raise Refusal("too_fast", "One question at a time: the answer to the last one is on its way.")
        self.question = id

    def was_played(self, play: Play) -> bool:
        """True if this play is a repetition of the last accepted one. Raise a Refusal for a lower id."""
        last = self.player.last_play if self.player else None
        if last is not None and play.id < last:
            raise Refusal("bad_request", f"The ids of plays increase: the next one is above {last}.", "id")
        return play.id == last


class State:
    """Sessions, players and rooms."""

    def __init__(self, config: ServerConfig, entropy: Callable[[int], bytes], now: float) -> None:
        self.config = config
        self.entropy = entropy
        self.limits = AddressLimits(config.limits)
        self.guesses = GuessLimiter()
        self.sessions: dict[int, Session] = {}
        self.players = Players(entropy, config.password, self.guesses, self.limits, self.check_can_save)
        self.rooms = Rooms(config.games, config.bots, entropy, config.limits)
        self.rooms.last_game = 0 if config.has_store else None
        self.bot_queue = BotQueue()
        self.lobby_newcomers: set[int] = set()  # sessions that have entered the lobby and were not sent it yet
        self.bans: dict[str, float] = {}  # address, key of a name or #number -> end of the ban
        self.online = 0  # players who are connected
        self.started_at = now
        self.moves = 0
        self.draining = False  # no new game begins
        self.stop_at: float | None = None  # when a draining server stops, even if a game is being played
        self.can_save: Callable[[], bool] = lambda: True  # returns False while the disk is full

    def check_can_save(self) -> None:
        """Raise a Refusal while the disk is full."""
        if not self.can_save():
            raise Refusal("not_now", CANNOT_SAVE)

    # Connections ------------------------------------------------------------------------------------------------------

    def attach(self, session: Session, player: Player) -> None:
        """Connect a session to its player."""
        session.player, player.session = player, session.id
        self.online += 1

    def detach(self, session: Session) -> None:
        """Disconnect a session from its player."""
        player, session.player = session.player, None
        if player is not None:
            player.session = None
            self.online -= 1

    def dismiss(self, id: int, code: ByeCode, text: str, now: float) -> list[Effect]:
        """Send `bye` and close a connection. Its player keeps the seat."""
        if id not in self.sessions:
            return []
        log = LogLine(f"session {id} dismissed: {code}", id)
        return [Send(id, (Bye(code, text),)), Hangup(id), log, *self.drop(id, now)]

    def refuse(self, session: Session, bye: Bye, now: float) -> list[Effect]:
        """Send a refused connection the reason, and close it."""
        return self.dismiss(session.id, bye.code, bye.text, now)

    def drop(self, id: int, now: float) -> list[Effect]:
        """Remove a session whose connection has ended. Its player keeps the seat."""
        session = self.sessions.pop(id, None)
        if session is None:
            return []
        self.limits.give_back(session.address, session.allowance, now)
        player = session.player
        if player is None:
            return []
        room = find_room(player)
        self.detach(session)
        player.last_seen = now
        if room is not None and player.seat is not None:
            return self.in_room(room, lambda: room.mark_away(player, now))
        self.players.release_name(player)
        return self.in_room(room, lambda: room.leave(player, now)) if room is not None else []

    def take_over(self, player: Player, now: float) -> list[Effect]:
        """Close a player's old connection. The room does not see the player as away in between."""
        old, room = self.sessions[player.session or 0], find_room(player)
        effects: list[Effect] = []
        if player.seat is None and room is not None:
            effects = self.in_room(room, lambda: room.leave(player, now))
        self.detach(old)
        return effects + self.dismiss(old.id, "replaced", "You have connected from somewhere else.", now)

    def enter_lobby(self, player: Player) -> list[Effect]:
        """Put a player into the lobby. If their room was closed while they were away, tell them why."""
        if player.session is None:
            return []
        self.lobby_newcomers.add(player.session)
        if player.closing_notice is None:
            return []
        missed, player.closing_notice = Event(player.closing_notice, "system", past=True), None
        return [Send(player.session, (missed,))]

    def status(self, re: int, now: float) -> Status:
        """Return the public status of the server."""
        rooms = self.rooms.by_code.values()
        playing = sum(room.state == "playing" for room in rooms)
        counts = (int(now - self.started_at), self.online, len(rooms), playing, self.moves)
        return Status(re, self.config.name, *counts, self.config.version, self.features())

    def features(self) -> Features:
        """Return the optional features that this server has."""
        rate = self.config.limits.rate
        return Features(
            versions=(PROTOCOL,),
            rate=rate,
            burst=rate * BURST,
            bots=("easy", "medium", "hard") if self.config.bots else (),
            store=self.config.has_store,
            handout=self.config.has_handout,
            variants=any(game.card.variants for game in self.config.games),
            analysis=self.config.has_analysis,
            hints=self.config.has_hints,
        )

    # Rooms ------------------------------------------------------------------------------------------------------------

    def in_room(self, room: Room, action: Callable[[], None]) -> list[Effect]:
        """Do something in a room, and return its effects. A bug closes only that room."""
        try:
            action()
        except Exception as bug:
            room.take_effects()
            return self.close_broken(room, bug)[0]
        return self.take_effects(room)

    def take_effects(self, room: Room) -> list[Effect]:
        """Return the effects of a room, and update its row in the lobby."""
        self.rooms.update_row(room)
        return room.take_effects()

    def take_out(self, player: Player, now: float) -> list[Effect]:
        """Take a player out of their room. The room is closed when no person is left in a seat."""
        room = find_room(player)
        assert room
        effects = self.in_room(room, lambda: room.leave(player, now))
        if room.is_deserted:
            effects += self.close(room, "All players have left, so the room is closed.")
        return effects

    def close_broken(self, room: Room | None, bug: Exception) -> tuple[list[Effect], str]:
        """Log a bug, and close the room that it happened in. Return the effects and the bug's number in the log."""
        number = self.entropy(4).hex()
        effects: list[Effect] = [LogBug(number, bug)]
        if room is not None:
            why = f"Something went wrong in this room (number {number}), and it had to be closed. Sorry."
            effects += self.close(room, why)
        return effects, number

    def close(self, room: Room, why: str) -> list[Effect]:
        """Close a room if it is open. Its players go to the lobby and are told why, the absent when they come back."""
        if not self.rooms.close(room):
            return []
        room.audience.announce(why)
        effects: list[Effect] = [RoomClosed(room.number), *room.take_effects()]
        for guest in room.audience.everybody():
            guest.room = guest.seat = None
            if guest.session is None:
                self.players.release_name(guest)
                guest.closing_notice = why
            else:
                effects += self.enter_lobby(guest)
        return [*effects, LogLine(f"room {room.number} closed after {room.games} games and {room.moves} moves")]

    def may_spend(self, session: Session, kind: Own, now: float) -> bool:
        """Charge for a game or a chat line. Return False if nothing is left.

        A seated player who has played before uses their own share first. Everybody else uses the address's share.
        """
        player = session.player
        has_share = player is not None and player.seat is not None and player.last_play is not None
        if player and has_share and self.limits.try_spend_own(player.number, kind, now):
            return True
        return self.limits.try_spend(session.address, kind, now)

    def make_guess_key(self, session: Session) -> str | int:
        """Return the key under which wrong guesses count: the player if they have played before, else the address."""
        player = session.player
        return player.number if player and player.last_play is not None else session.address

    # The host ---------------------------------------------------------------------------------------------------------

    def ban(self, who: str, until: float) -> None:
        """Ban an address, the key of a name, or a player's #number. If there are too many, the first to end goes."""
        if len(self.bans) >= BANS_MAX:
            del self.bans[min(self.bans, key=lambda banned: self.bans[banned])]
        self.bans[who] = until

    def ban_player(self, player: Player, until: float) -> None:
        """Ban a player by name and by number: another name does not help."""
        for who in (player.key, f"#{player.number}"):
            self.ban(who, until)

    def banned_for(self, who: str, now: float) -> int:
        """Return how many seconds an address, a name or a number is still banned, 0 if it is not."""
        until = self.bans.get(who, now)
        if until <= now:
            self.bans.pop(who, None)
        return max(0, round(until - now))


def find_room(player: Player) -> Room | None:
    """Return the room that a player is in. `Player` itself knows it only as a Place."""
    room = player.room
    assert room is None or isinstance(room, Room)
    return room
