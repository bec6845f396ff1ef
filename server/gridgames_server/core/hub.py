"""The server core, without I/O: inputs are method calls, outputs are lists of effects."""

from collections.abc import Callable, Iterable
from dataclasses import replace
from functools import partial

from gridgames_protocol.errors import BadLine, TooLong, WireError
from gridgames_protocol.messages import (
    Analysis,
    AskAnalysis,
    AskHint,
    AskHistory,
    AskRecord,
    AskReplay,
    AskStandings,
    Bye,
    ByeCode,
    Chat,
    Create,
    Error,
    Hello,
    Hint,
    Ok,
    Play,
    Push,
    Request,
    Watch,
)
from gridgames_server.core import handlers
from gridgames_server.core.effects import Analyse, AskBot, Effect, LogLine, Send, Thought
from gridgames_server.core.limits import (
    BAD_LINES_MAX,
    BYTES_PER_REQUEST,
    COST_CHAT,
    COST_CREATE,
    COST_ERROR,
    COST_LOOK,
    COST_WATCH,
    FORGET_EVERY,
    HEARTBEAT_EVERY,
    HELLO_WITHIN,
    LOBBY_PAUSE,
    PARTS_PER_REQUEST,
    RETURNING_PER_ADDRESS,
    RETURNING_WITHIN,
    SILENCE,
    SURPLUS,
)
from gridgames_server.core.permissions import RECORDED, check_allowed
from gridgames_server.core.room import Room
from gridgames_server.core.room_events import GameOver, Heartbeat, PlayerForgotten
from gridgames_server.core.state import ServerConfig, Session, State, find_room
from gridgames_server.errors import Refusal
from gridgames_server.games.game import Outcome
from gridgames_server.games.seats import other

__all__ = ["Hub", "ServerConfig"]

COSTS: dict[type, int] = {
    Create: COST_CREATE,
    Chat: COST_CHAT,
    Watch: COST_WATCH,
    AskHistory: COST_LOOK,
    AskReplay: COST_LOOK,
    AskStandings: COST_LOOK,
    AskRecord: COST_LOOK,
    AskAnalysis: COST_LOOK,
    AskHint: COST_LOOK,
}


class Hub:
    """Takes every input. The time and the source of randomness are passed in."""

    def __init__(self, config: ServerConfig, entropy: Callable[[int], bytes], now: float) -> None:
        self.config = config
        self.state = State(config, entropy, now)
        self.sessions, self.players, self.rooms = self.state.sessions, self.state.players, self.state.rooms
        self.last_cleanup = self.last_heartbeat = now
        self.lobby_shown_at = now - LOBBY_PAUSE
        self.lobby_shown = (self.rooms.revision, 0)  # the last lobby that was sent: revision, players online

    # Connections ------------------------------------------------------------------------------------------------------

    def connect(self, id: int, address: str, now: float) -> list[Effect]:
        """Handle a new connection."""
        refused = self._refuse_connection(address, now)
        allowance = self.state.limits.take_burst(address, self.config.limits.rate, now)
        session = self.sessions[id] = Session(id, address, now, now, allowance, bye_over_limit=refused)
        effects: list[Effect] = []
        if refused and self.state.banned_for(address, now):
            effects = self.state.refuse(session, refused, now)
        elif refused:
            effects = self._let_wait(session, refused, now)
        return self._finish(effects, now)

    def _refuse_connection(self, address: str, now: float) -> Bye | None:
        """Return why a new connection is above the limits, or None."""
        limits = self.config.limits
        is_fast = not self.state.limits.try_spend(address, "connections", now)
        if len(self.sessions) >= limits.max_players:
            return Bye("server_full", "This server is full. Try again later.")
        if sum(session.address == address for session in self.sessions.values()) >= limits.max_per_address:
            return Bye("server_full", "Too many connections come from your address. Close one first.")
        if is_fast or self.state.banned_for(address, now):
            text = "Too many connections have come from your address, or it was sent away. Wait some minutes."
            return Bye("too_fast", text)
        return None

    def _let_wait(self, session: Session, refused: Bye, now: float) -> list[Effect]:
        """Let a refused connection say hello with a seated player's token. If too many wait, refuse the oldest."""
        if not self.players.has_seated_players():
            return self.state.refuse(session, refused, now)
        waiting = [other for other in self.sessions.values() if other.bye_over_limit]
        own = [other for other in waiting if other.address == session.address]
        oldest = own[0] if len(own) > RETURNING_PER_ADDRESS else waiting[0] if len(waiting) > SURPLUS else None
        return self.state.refuse(oldest, refused, now) if oldest else []

    def bytes_received(
        self, id: int, size: int, lines: Iterable[Request | WireError], now: float, parts: int = 0
    ) -> list[Effect]:
        """Handle what a connection has received: its size, and the requests and errors in it.

        `parts` is the number of reads and TLS records that ended no line.
        """
        session = self.sessions.get(id)
        if session is None:
            return []
        session.last_input = now
        if session.allowance is not None:
            session.allowance.refill(now)
        session.spend(size / BYTES_PER_REQUEST + parts / PARTS_PER_REQUEST)
        effects = self._cut_if_exhausted(session, now)
        for line in lines:
            if id not in self.sessions:
                break
            effects += (
                self._invalid_line(session, line, now)
                if isinstance(line, WireError)
                else self._answer(session, line, now)
            )
        return self._finish(effects, now)

    def is_strict(self, id: int) -> bool:
        """True if the client has asked for errors on unknown keys."""
        session = self.sessions.get(id)
        return session is not None and session.strict

    def expel(self, id: int, code: ByeCode, text: str, now: float) -> list[Effect]:
        """Close a connection for a reason that the shell has found."""
        return self._finish(self.state.dismiss(id, code, text, now), now)

    def disconnect(self, id: int, now: float) -> list[Effect]:
        """Handle the end of a connection."""
        return self._finish(self.state.drop(id, now), now)

    # Requests ---------------------------------------------------------------------------------------------------------

    def _answer(self, session: Session, request: Request, now: float) -> list[Effect]:
        """Handle a request. A Refusal or a bug becomes an error message."""
        if session.bye_over_limit:
            if not (isinstance(request, Hello) and self.players.has_seat(request.token)):
                return self.state.refuse(session, session.bye_over_limit, now)
            session.bye_over_limit = None
        session.spend(COSTS.get(type(request), 1))
        if too_fast := self._refuse_if_too_fast(session, request.id, now):
            return too_fast
        try:
            if isinstance(request, Play) and session.was_played(request):
                return [Send(session.id, (Ok(request.id),))]
            check_allowed(session.phase, request)
            if type(request) in RECORDED:
                self.state.check_can_save()
            return handlers.handle(self.state, session, request, now)
        except Refusal as refusal:
            session.spend(COST_ERROR)
            error = Error(refusal.code, refusal.text, request.id, refusal.field)
            effects: list[Effect] = [Send(session.id, (error,))]
            if refusal.code == "password":
                effects.append(LogLine(f"session {session.id} was refused: password", session.id))
            return effects
        except Exception as bug:
            room = find_room(session.player) if session.player else None
            if room is not None:
                room.take_effects()
            effects, number = self.state.close_broken(room, bug)
            log, *rest = effects
            return [log, Send(session.id, (make_internal_error(number, request.id),)), *rest]

    def _invalid_line(self, session: Session, error: WireError, now: float) -> list[Effect]:
        """Answer a line that is not a request, and close the connection after BAD_LINES_MAX of them."""
        if session.bye_over_limit:
            return self.state.refuse(session, session.bye_over_limit, now)
        session.bad_lines += isinstance(error, BadLine | TooLong)
        session.spend(1 + COST_ERROR)
        effects = self._refuse_if_too_fast(session, error.re, now)
        if not effects:
            effects = [Send(session.id, (Error(error.code, str(error), error.re, error.field),))]
        if session.bad_lines >= BAD_LINES_MAX:
            text = f"That was the {BAD_LINES_MAX}th line that can't be read."
            effects += self.state.dismiss(session.id, error.code, text, now)
        return effects

    def _refuse_if_too_fast(self, session: Session, id: int | None, now: float) -> list[Effect]:
        """Return an error if the connection is too fast, else nothing."""
        if session.allowance is None or not session.allowance.is_overdrawn:
            return []
        wait = session.allowance.seconds_to_wait
        error = Error("too_fast", f"That was too fast. Try again in {wait} s.", id, wait=wait)
        return [Send(session.id, (error,)), *self._cut_if_exhausted(session, now)]

    def _cut_if_exhausted(self, session: Session, now: float) -> list[Effect]:
        if session.allowance is None or not session.allowance.is_exhausted:
            return []
        return self.state.dismiss(session.id, "too_fast", "You were much too fast for too long.", now)

    # Answers from outside ---------------------------------------------------------------------------------------------

    def thought_ended(self, question: AskBot, now: float) -> list[Effect]:
        """Return the questions that may run now that a thread has answered one."""
        self.state.bot_queue.end(question)
        return [*self.state.bot_queue.begin(now)]

    def bot_answered(self, question: AskBot, thought: Thought, now: float) -> list[Effect]:
        """Give a hint, or do what a bot has chosen. After a bot's exception the room is closed.

        If the view has changed since, a bot's answer is ignored: the bot was asked again.
        """
        room = next((room for room in self.rooms.by_code.values() if room.number == question.room), None)
        if question.wants == "hint":
            return self._give_hint(question, thought, room, now)
        effects: list[Effect] = []
        if room is not None and room.rev == question.show.rev:
            effects = self.state.in_room(room, partial(self._act_for_bot, room, question, thought, now))
        return self._finish(effects, now)

    def _act_for_bot(self, room: Room, question: AskBot, thought: Thought, now: float) -> None:
        """Play a bot's line, or accept the draw that it was offered."""
        if isinstance(thought, Exception):
            raise thought
        if isinstance(thought, str):
            room.play(question.seat, Play(1, thought), now)
            self.state.moves += 1
        elif thought and other(question.seat) in room.draw_seats:
            room.offer_draw(question.seat, now)

    def _give_hint(self, question: AskBot, thought: Thought, room: Room | None, now: float) -> list[Effect]:
        """Send a hint, and keep it until the view changes."""
        effects: list[Effect] = []
        if isinstance(thought, Exception):
            effects, number = self.state.close_broken(None, thought)
            reply: Push = make_internal_error(number, question.re)
        elif room is None or not room.is_current(question.show):
            reply = Error("stale", "The game has moved on since you asked for a hint.", question.re)
        elif isinstance(thought, tuple):
            room.hinted[question.seat] = (room.rev, *thought)
            reply = Hint(question.re, *thought)
        else:
            reply = Error("not_your_turn", "There is nothing to advise.", question.re)
        return effects + self.query_answered(question.session, reply, now)

    def analysis_done(self, over: GameOver, analysis: Analysis | None, now: float) -> list[Effect]:
        """Send a finished analysis to the game's room, unless there is none or the room has begun another game."""
        room = next((room for room in self.rooms.by_code.values() if room.number == over.room), None)
        if analysis is None or room is None or (room.games, room.state) != (over.number, "over"):
            return []
        room.analysis = replace(analysis, number=over.game_number)
        said = (room.analysis,)
        return [Send(session, said) for session in room.audience.all_sessions()]

    def query_answered(self, id: int, reply: Push, now: float) -> list[Effect]:
        """Send the answer that another thread has found, unless the one who asked is gone or was answered before."""
        session = self.sessions.get(id)
        if session is None or session.question != getattr(reply, "re", None):
            return []
        session.question = None
        return [Send(id, (reply,))]

    # Time -------------------------------------------------------------------------------------------------------------

    def tick(self, now: float) -> list[Effect]:
        """Check everything that depends on time. Called every TICK seconds."""
        effects: list[Effect] = []
        for session in list(self.sessions.values()):
            if session.bye_over_limit and now - session.opened_at > RETURNING_WITHIN:
                effects += self.state.refuse(session, session.bye_over_limit, now)
            elif session.player is None and now - session.opened_at > HELLO_WITHIN:
                text = f"There was no hello within {HELLO_WITHIN} seconds."
                effects += self.state.dismiss(session.id, "hello_first", text, now)
            elif now - session.last_input > SILENCE:
                text = f"Nothing was heard for {SILENCE} seconds. Connect again."
                effects += self.state.dismiss(session.id, "silent", text, now)
        if self.state.can_save():
            effects += self._let_time_pass(now)
        rooms = {room.number for room in self.rooms.by_code.values()}
        for question in self.state.bot_queue.drop(now, rooms):
            if question.wants == "hint":
                effects += self.bot_answered(question, TimeoutError() if question.room in rooms else None, now)
        return [*self._finish(effects, now), *self.state.bot_queue.begin(now)]

    def _let_time_pass(self, now: float) -> list[Effect]:
        """Check the rooms, and forget old players."""
        effects: list[Effect] = []
        for room in [room for room in self.rooms.by_code.values() if not room.is_calm(now)]:
            effects += self._check_room(room, now)
        if now - self.last_cleanup >= FORGET_EVERY:
            self.last_cleanup = now
            effects += [PlayerForgotten(player.number) for player in self.players.forget(now)]
        return effects + self._record_heartbeat(now)

    def show_clocks(self, now: float) -> list[Effect]:
        """Send the turn clocks again, after the server's clock stood still."""
        effects: list[Effect] = []
        for room in list(self.rooms.by_code.values()):
            effects += self.state.in_room(room, partial(room.show_clock, now))
        return self._finish(effects, now)

    def stop(self, now: float) -> list[Effect]:
        """Send everybody `bye`, and close all connections."""
        effects: list[Effect] = []
        for id in list(self.sessions):
            effects += self.state.dismiss(id, "shutting_down", "The server is stopping. Try again in a while.", now)
        return self._finish(effects, now)

    def _check_room(self, room: Room, now: float) -> list[Effect]:
        """Check a room's clocks, and close the room if it has expired."""
        effects = self.state.in_room(room, lambda: room.tick(now))
        why = room.find_expiry(now)
        if why is None:
            return effects
        if room.state == "playing":  # end the game first, which opens its secrets
            ending = Outcome(None, "closed", why)
            effects += self.state.in_room(room, lambda: room.end(ending, now, counts=False))
        return effects + self.state.close(room, f"{why} The room is closed.")

    def _record_heartbeat(self, now: float) -> list[Effect]:
        """Record the time every HEARTBEAT_EVERY seconds while a turn's clock runs. A restart continues from it."""
        runs = any(room.clock and room.state == "playing" for room in self.rooms.by_code.values())
        if now - self.last_heartbeat < HEARTBEAT_EVERY or not runs:
            return []
        self.last_heartbeat = now
        return [Heartbeat(now)]

    # The lobby --------------------------------------------------------------------------------------------------------

    @property
    def is_lobby_outdated(self) -> bool:
        """True if the lobby has changed since it was last sent to everybody in it."""
        return self.lobby_shown != (self.rooms.revision, self.state.online)

    def seconds_until_lobby(self, now: float) -> float:
        """Seconds until the lobby may be sent again."""
        return max(0.0, self.lobby_shown_at + LOBBY_PAUSE - now)

    def show_lobby(self, now: float) -> list[Effect]:
        """Send the lobby to players who enter it, and to all in it if it has changed and LOBBY_PAUSE is over."""
        is_news = self.is_lobby_outdated and not self.seconds_until_lobby(now)
        if is_news:
            self.lobby_shown, self.lobby_shown_at = (self.rooms.revision, self.state.online), now
        elif not self.state.lobby_newcomers:
            return []
        entering = self.state.lobby_newcomers
        readers = [session for session in self.sessions.values() if session.phase == "lobby"]
        names = tuple(session.player.name for session in readers if session.player)
        said = (self.rooms.list_rooms(self.state.online, names),)
        effects: list[Effect] = [Send(reader.id, said) for reader in readers if is_news or reader.id in entering]
        entering.clear()
        return effects

    def _finish(self, effects: list[Effect], now: float) -> list[Effect]:
        """Add analyses and the lobby to the effects, and queue the questions to bots."""
        kinds = set(map(type, effects))
        if self.config.has_analysis and GameOver in kinds:
            addresses = {room.number: room.address for room in self.rooms.by_code.values()}
            ended = [effect for effect in effects if isinstance(effect, GameOver)]
            effects += [Analyse(over, addresses.get(over.room, "")) for over in ended]
        if AskBot in kinds:
            for effect in effects:
                if isinstance(effect, AskBot):
                    self.state.bot_queue.ask(effect)
            effects = [effect for effect in effects if not isinstance(effect, AskBot)]
            effects += self.state.bot_queue.begin(now)
        return effects + self.show_lobby(now)


def make_internal_error(number: str, re: int) -> Error:
    """Return the reply to a request that met a bug, with the bug's number in the log."""
    return Error("internal", f"Something went wrong on the server. Tell its host this number: {number}.", re)
