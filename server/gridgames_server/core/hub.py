"""Sessions times rooms: every message comes in here, and everything that follows from it comes out as effects."""

from collections.abc import Callable
from dataclasses import dataclass, field
from functools import partial
from typing import Any

from gridgames_protocol.errors import BadLine, TooLong, WireError
from gridgames_protocol.messages import (
    AskHistory,
    AskReplay,
    AskStandings,
    Bye,
    ByeCode,
    Chat,
    Create,
    Error,
    Event,
    Ok,
    Play,
    Push,
    Request,
    Status,
    Watch,
)
from gridgames_server import grants
from gridgames_server.deeds import Lived, PlayerForgotten, RoomClosed
from gridgames_server.effects import Effect, Hangup, Note, Send, Trouble
from gridgames_server.games.game import Game, Outcome, Refusal
from gridgames_server.limits import (
    BAD_LINES_MAX,
    BYTES_PER_REQUEST,
    CLOCK_GAP,
    COST_CHAT,
    COST_CREATE,
    COST_ERROR,
    COST_LOOK,
    COST_WATCH,
    FORGET_EVERY,
    HELLO_WITHIN,
    LIVED_EVERY,
    LOBBY_PAUSE,
    SILENCE,
    TICK,
    Limits,
)
from gridgames_server.lobby import Rooms
from gridgames_server.players import Guesses, Players
from gridgames_server.room import Room
from gridgames_server.session import Player, Session, allowance, check_allowed
from gridgames_server.vitals import Vitals

COSTS: dict[type, int] = {
    Create: COST_CREATE,
    Chat: COST_CHAT,
    Watch: COST_WATCH,
    AskHistory: COST_LOOK,
    AskReplay: COST_LOOK,
    AskStandings: COST_LOOK,
}


@dataclass(frozen=True, slots=True)
class House:
    """What a host decides about the server."""

    games: tuple[Game[Any], ...]
    name: str = "gridgames"
    password: str | None = field(default=None, repr=False)
    limits: Limits = field(default_factory=Limits)


class Hub:
    """The whole server but its wires. Time is passed in, and so is where randomness comes from."""

    def __init__(self, house: House, entropy: Callable[[int], bytes], now: float) -> None:
        self.house = house
        self.entropy = entropy
        self.sessions: dict[int, Session] = {}
        self.guesses = Guesses()
        self.players = Players(entropy, house.password, self.guesses)
        self.rooms = Rooms(house.games, entropy, house.limits)
        self.started = self.latest = self.ticked = self.tidied = self.lived = now
        self.lobby_told = now - LOBBY_PAUSE
        self.entering: set[int] = set()  # sessions that have come to the lobby and not seen it yet
        self.owed = 0.0  # seconds of sleep for which the clocks are still to be held
        self.moves = 0
        self.draining = False  # no game begins any more
        self.vitals: Callable[[], Vitals] = Vitals  # what the shell says of itself when somebody asks
        self.out: list[Effect] = []  # the rooms write to the same list

    # What happens -----------------------------------------------------------------------------------------------------

    def connect(self, id: int, address: str, now: float) -> list[Effect]:
        """A connection was made."""
        self._look_at_clock(now)
        limits = self.house.limits
        full = len(self.sessions) >= limits.max_players
        crowd = sum(session.address == address for session in self.sessions.values())
        self.sessions[id] = Session(id, address, now, now, allowance(limits.rate, now))
        if full:
            self.dismiss(id, "server_full", "This server is full. Try again later.", now)
        elif crowd >= limits.max_per_address:
            self.dismiss(id, "server_full", "Too many connections come from your address. Close one first.", now)
        return self.decided(now)

    def receive(self, id: int, request: Request, now: float) -> list[Effect]:
        """A client has said something."""
        self._look_at_clock(now)
        session = self.sessions.get(id)
        if session is not None:
            session.spend(COSTS.get(type(request), 1), now)
            if not self._too_fast(session, request.id, now):
                self._answer(session, request, now)
        return self.decided(now)

    def garbled(self, id: int, error: WireError, now: float) -> list[Effect]:
        """A client has said something that is no message."""
        self._look_at_clock(now)
        session = self.sessions.get(id)
        if session is not None:
            session.bad_lines += isinstance(error, BadLine | TooLong)
            session.spend(1 + COST_ERROR, now)
            if not self._too_fast(session, error.re, now):
                self.say(id, Error(error.code, str(error), error.re))
            if session.bad_lines >= BAD_LINES_MAX:
                self.dismiss(id, error.code, f"That was the {BAD_LINES_MAX}th line that can't be read.", now)
        return self.decided(now)

    def heard(self, id: int, size: int, now: float) -> list[Effect]:
        """Some bytes have arrived, whatever they may be."""
        self._look_at_clock(now)
        session = self.sessions.get(id)
        if session is not None:
            session.heard = now
            session.spend(size / BYTES_PER_REQUEST, now)
            self._cut_if_exhausted(session, now)
        return self.decided(now)

    def expel(self, id: int, code: ByeCode, text: str, now: float) -> list[Effect]:
        """The shell wants a connection ended."""
        self._look_at_clock(now)
        self.dismiss(id, code, text, now)
        return self.decided(now)

    def gone(self, id: int, now: float) -> list[Effect]:
        """A connection has ended, one way or another."""
        self._look_at_clock(now)
        self._drop(id, now)
        return self.decided(now)

    def thought(self, number: int, seat: int, rev: int, line: str | Exception, now: float) -> list[Effect]:
        """A bot has made up its mind, or stumbled; if the table has moved on, it thinks again already."""
        self._look_at_clock(now)
        room = next((room for room in self.rooms.by_code.values() if room.number == number), None)
        if room is not None and room.rev == rev:
            self.in_room(room, partial(self._type_for_bot, room, seat, line, now))
        return self.decided(now)

    def _type_for_bot(self, room: Room, seat: int, line: str | Exception, now: float) -> None:
        if isinstance(line, Exception):
            raise line
        if room.play(seat, Play(1, line), now):
            self.rooms.changed = True
        self.moves += 1

    def found(self, id: int, reply: Push, now: float) -> list[Effect]:
        """What a client has asked about games that are over has its answer."""
        session = self.sessions.get(id)
        if session is not None:
            session.looking = False
            self.say(id, reply)
        return self.decided(now)

    def tick(self, now: float) -> list[Effect]:
        """Time has passed."""
        self._look_at_clock(now)
        self.ticked = now
        for session in list(self.sessions.values()):
            if session.player is None and now - session.opened > HELLO_WITHIN:
                self.dismiss(session.id, "hello_first", f"There was no hello within {HELLO_WITHIN} seconds.", now)
            elif now - session.heard > SILENCE:
                self.dismiss(session.id, "silent", f"Nothing was heard for {SILENCE} seconds. Connect again.", now)
        for room in [room for room in self.rooms.by_code.values() if not room.is_calm(now)]:
            self._tend(room, now)
        if now - self.tidied >= FORGET_EVERY:
            self.tidied = now
            self.out += [PlayerForgotten(player.number) for player in self.players.forget(now)]
        self._note_life(now)
        return self.decided(now)

    def _note_life(self, now: float) -> None:
        """Keep the time now and then while a turn's clock runs, so that a restart does not begin the turn again."""
        rooms = self.rooms.by_code.values()
        if now - self.lived >= LIVED_EVERY and any(room.clock and room.state == "playing" for room in rooms):
            self.lived = now
            self.out.append(Lived(now))

    def stop(self, now: float) -> list[Effect]:
        """The server ends: everybody is told."""
        for id in list(self.sessions):
            self.dismiss(id, "shutting_down", "The server is stopping. Try again in a while.", now)
        return self.decided(now)

    def due(self, now: float) -> float:
        """In how many seconds the lobby may hear the news that it has."""
        return max(0.0, self.lobby_told + LOBBY_PAUSE - now)

    def _look_at_clock(self, now: float) -> None:
        """Let no clock have run while the host slept, whatever it is that happens first after that."""
        if now - self.ticked <= CLOCK_GAP and not self.owed:
            self.latest = now
            return
        # From the last tick on, if there are any: what was heard after it may be nothing that others may know of.
        since = self.ticked if self.latest - self.ticked <= 2 * TICK else self.latest
        gap, self.latest = now - since, now
        if gap > CLOCK_GAP:
            self.ticked = now
            self.owed += gap
            for session in self.sessions.values():
                session.hold(gap)
            for room in self.rooms.by_code.values():
                room.forgive(gap)
        if self.owed:
            owed, self.owed = self.owed, 0.0
            for room in list(self.rooms.by_code.values()):
                self.in_room(room, partial(room.hold, owed, now))

    def decided(self, now: float) -> list[Effect]:
        """Hand over what has been decided; the lobby is shown to who enters, and to all in it when there is news."""
        if self.rooms.changed or self.entering:
            self._show_lobby(now)
        effects = self.out[:]
        self.out.clear()
        return effects

    def _show_lobby(self, now: float) -> None:
        news = self.rooms.changed and not self.due(now)
        if news:
            self.rooms.changed, self.lobby_told = False, now
        if news or self.entering:
            readers = [session.id for session in self.sessions.values() if session.phase == "lobby"]
            said = (self.rooms.listing(self.online()),)
            self.out += [Send(id, said) for id in readers if news or id in self.entering]
            self.entering.clear()

    # Wishes -----------------------------------------------------------------------------------------------------------

    def _answer(self, session: Session, request: Request, now: float) -> None:
        """Grant a wish, or say why not."""
        before = len(self.out)
        try:
            if isinstance(request, Play) and grants.was_played(session, request):
                self.say(session.id, Ok(request.id))
                return
            check_allowed(session.phase, request)
            grants.GRANT[type(request)](self, session, request, now)
        except Refusal as refusal:
            del self.out[before:]
            self.say(session.id, Error(refusal.code, refusal.text, request.id))
            session.spend(COST_ERROR, now)
            if refusal.code == "password":
                self.out.append(Note(f"session {session.id} was refused: password"))
        except Exception as bug:
            del self.out[before:]
            number = self._note_trouble(bug)
            text = f"Something went wrong on the server. Tell its host this number: {number}."
            self.say(session.id, Error("internal", text, request.id))
            if session.player and session.player.room:
                self._close_broken(session.player.room, number)

    def say(self, id: int, message: Push) -> None:
        """Say one thing on a connection."""
        self.out.append(Send(id, (message,)))

    def status(self, re: int, now: float) -> Status:
        """How the server is, as far as anybody may know it."""
        rooms = self.rooms.by_code.values()
        playing = sum(room.state == "playing" for room in rooms)
        counts = (int(now - self.started), self.online(), len(rooms), playing, self.moves)
        return Status(re, self.house.name, *counts, self.vitals().version)

    # Connections ------------------------------------------------------------------------------------------------------

    def online(self) -> int:
        """How many players are connected."""
        return sum(session.player is not None for session in self.sessions.values())

    def take_over(self, player: Player, now: float) -> None:
        """End a player's old connection; a seat goes over to the new one without having been empty."""
        old = self.sessions[player.session or 0]
        if player.seat is None and player.room:
            player.room.leave(player, now)
        player.session = old.player = None
        self.dismiss(old.id, "replaced", "You have connected from somewhere else.", now)

    def _too_fast(self, session: Session, id: int | None, now: float) -> bool:
        """True if a request came too soon after too many others; it gets its answer here."""
        if session.allowance is None or not session.allowance.overdrawn:
            return False
        self.say(session.id, Error("too_fast", "That was too fast. Wait a moment, then go on.", id))
        self._cut_if_exhausted(session, now)
        return True

    def _cut_if_exhausted(self, session: Session, now: float) -> None:
        if session.allowance is not None and session.allowance.exhausted:
            self.dismiss(session.id, "too_fast", "You were much too fast for too long.", now)

    def dismiss(self, id: int, code: ByeCode, text: str, now: float) -> None:
        """Say goodbye to a connection and close it; a seat behind it is held."""
        if id in self.sessions:
            self.out += [Send(id, (Bye(code, text),)), Hangup(id), Note(f"session {id} dismissed: {code}")]
            self._drop(id, now)

    def _drop(self, id: int, now: float) -> None:
        """Go on without a connection."""
        session = self.sessions.pop(id, None)
        if session is None or session.player is None:
            return
        player, room = session.player, session.player.room
        player.session, player.last_seen = None, now
        if room is not None and player.seat is not None:
            room.lost(player, now)
        else:
            if room is not None:
                room.leave(player, now)
            self.players.release_name(player)
        self.rooms.changed = True

    def enter_lobby(self, player: Player) -> None:
        """Show a player the lobby, and what they have missed."""
        if player.session is None:
            return
        self.entering.add(player.session)
        if player.missed:
            self.say(player.session, Event(player.missed, "system", past=True))
            player.missed = None

    # Rooms ------------------------------------------------------------------------------------------------------------

    def take_out(self, player: Player, now: float) -> None:
        """Take a player out of their room; the last one closes it."""
        room = player.room
        assert room
        self.in_room(room, lambda: room.leave(player, now))
        if room.is_deserted:
            self._close(room, "All players have left, so the room is closed.")
        self.rooms.changed = True

    def _tend(self, room: Room, now: float) -> None:
        """Look after a room's clocks, and close it when it is deserted."""
        was = room.state
        self.in_room(room, lambda: room.tick(now))
        why = room.expired(now)
        if why:
            if room.state == "playing":  # its secrets are opened like any other game's
                self.in_room(room, lambda: room.end(Outcome(None, "closed", why), now, counts=False))
            self._close(room, f"{why} The room is closed.")
        self.rooms.changed |= room.state != was

    def in_room(self, room: Room, deed: Callable[[], None]) -> None:
        """Do something in a room; a bug there closes that room and no other."""
        before = len(self.out)
        try:
            deed()
        except Exception as bug:
            del self.out[before:]
            self._close_broken(room, self._note_trouble(bug))

    def _note_trouble(self, bug: Exception) -> str:
        number = self.entropy(4).hex()
        self.out.append(Trouble(number, bug))
        return number

    def _close_broken(self, room: Room, number: str) -> None:
        self._close(room, f"Something went wrong in this room (number {number}), and it had to be closed. Sorry.")

    def _close(self, room: Room, why: str) -> None:
        """Close a room, once; everybody in it goes to the lobby, and knows why, or learns it when they come back."""
        if self.rooms.by_code.pop(room.code, None) is None:
            return
        self.out.append(RoomClosed(room.number))
        room.here.announce(why)
        for guest in room.here.everybody():
            guest.room = guest.seat = None
            if guest.session is None:
                self.players.release_name(guest)
                guest.missed = why
            else:
                self.enter_lobby(guest)
        self.out.append(Note(f"room {room.number} closed after {room.games} games and {room.moves} moves"))
        self.rooms.changed = True
