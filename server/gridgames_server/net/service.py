"""The asyncio shell: connects the hub with its connections, the storage, the bots and the clock.

There is no task per connection. Complete lines go to the hub at once. All lines for a connection from one turn of the
loop are sent in one write, unless they are long or the peer reads slowly.
"""

import asyncio
import logging
import os
import socket
import ssl
import time
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from itertools import count

from gridgames_protocol.codec import Lines, decode_request, encode
from gridgames_protocol.errors import WireError
from gridgames_protocol.messages import Analysis, Error, Lobby, Push, Request
from gridgames_server.core.effects import (
    Analyse,
    AnswerHost,
    AskBot,
    Effect,
    Hangup,
    HistoryQuery,
    LogBug,
    LogLine,
    RunQuery,
    Send,
    Thought,
)
from gridgames_server.core.fair_queue import FairQueue
from gridgames_server.core.hub import Hub
from gridgames_server.core.limits import (
    ACCEPTS,
    ANALYSES_MAX,
    BACKLOG,
    BEHIND_MAX,
    LOG_SUM_EVERY,
    MESSAGE_WITHIN,
    SURPLUS,
    SURPLUS_PER_ADDRESS,
    THOUGHTS_MAX,
    TICK,
)
from gridgames_server.core.room_events import RECORDS, GameOver
from gridgames_server.errors import locate
from gridgames_server.net.connection import Connection
from gridgames_server.net.http_download import HttpDownload, build_line_response, finish
from gridgames_server.net.input_queue import InputQueue
from gridgames_server.net.session_log import SessionLog
from gridgames_server.net.steady_clock import SteadyClock
from gridgames_server.net.thread_work import analyse_record, answer_query, start_threads, think
from gridgames_server.net.tls import HandshakeQueue
from gridgames_server.storage.history_answers import Query
from gridgames_server.storage.outbox import Outbox, Storage

log = logging.getLogger("gridgames")

FLUSH_AT = 128  # connections; the views of hundreds of rooms would wait in memory for the end of the turn
JOINED_MAX = 8  # messages; a move has fewer, and one write is cheaper than many
GOODBYE_WITHIN = 1.0  # seconds for the last lines to be sent when the server stops


class Service:
    """A hub with its connections."""

    def __init__(
        self, hub: Hub, storage: Storage, clock: Callable[[], float] = time.monotonic, bot_delay: float = 0.0
    ) -> None:
        self.hub = hub
        hub.state.can_save = lambda: not storage.is_disk_full
        self.clock = SteadyClock(clock)
        self.bot_delay = bot_delay
        self.tls: ssl.SSLContext | None = None
        self.connections: dict[int, Connection] = {}
        self.address_counts: Counter[str] = Counter()  # connections by address
        self.outbox = Outbox(storage, self._perform, lambda call: self.loop.call_soon(call))
        self.session_log = SessionLog(lambda address: hub.state.limits.try_spend(address, "logged", self.clock()))
        self._summed_up_at = self.clock()
        self.stopping = False
        self._ids = count(1)
        self.http_download: HttpDownload | None = None  # answers browsers
        self._servers: list[asyncio.Server] = []
        self._unflushed: list[Connection] = []
        self._input: InputQueue[Connection] = InputQueue(
            lambda connection: self._attempt(connection, connection.handle_input),
            lambda call: self.loop.call_soon(call),
            clock,
        )
        self._handshakes: HandshakeQueue[Connection] = HandshakeQueue(
            lambda connection: self._attempt(connection, connection.continue_handshake),
            lambda delay, call: self.loop.call_later(delay, call),
            time.perf_counter,
        )
        self._held_connections: list[Connection] = []  # reading is paused until the disk has caught up
        self._gaps = 0  # number of sleeps of the host after which the clocks were shown again
        self._timer: asyncio.TimerHandle | None = None
        self._lobby_timer: asyncio.TimerHandle | None = None
        self._empty = asyncio.Event()
        self._analyst = ThreadPoolExecutor(1, "analysis")
        self._unanalysed: FairQueue[Analyse] = FairQueue()
        self._is_analysing = False
        self._thinkers = ThreadPoolExecutor(THOUGHTS_MAX, "thoughts")

    async def listen(self, sockets: Iterable[socket.socket], tls: ssl.SSLContext | None = None) -> None:
        """Accept connections on these sockets."""
        self.loop = asyncio.get_running_loop()
        self.tls = tls
        for bound in sockets:
            # asyncio accepts as many connections at once as the backlog is long: the system's own is set afterwards.
            self._servers.append(await self.loop.create_server(self.new_connection, sock=bound, backlog=ACCEPTS))
            bound.listen(BACKLOG)
        start_threads(self._analyst, 1)
        start_threads(self._thinkers, THOUGHTS_MAX)
        self._tick_in(TICK)

    def new_connection(self) -> Connection:
        """Return a new connection for the loop to open."""
        return Connection(self, next(self._ids), self.tls)

    async def stop(self) -> None:
        """Tell everybody, and close every connection."""
        self.stopping = True
        for server in self._servers:
            server.close()
        for timer in (self._timer, self._lobby_timer):
            if timer:
                timer.cancel()
        self.do(self.hub.stop(self.clock()))
        self._flush_all()
        for _ in range(3):  # turns of the loop until an accepted socket is a connection
            await asyncio.sleep(0)
        await self._wait_until_empty()
        for connection in self.connections.values():
            connection.abort()
        await self._wait_until_empty()
        self.outbox.save_turn()  # the records of the last turn
        for threads in (self._analyst, self._thinkers):
            threads.shutdown(wait=False, cancel_futures=True)

    async def _wait_until_empty(self) -> None:
        """Wait up to GOODBYE_WITHIN seconds until all connections are closed."""
        try:
            async with asyncio.timeout(GOODBYE_WITHIN):
                while self.connections:
                    self._empty.clear()
                    await self._empty.wait()
        except TimeoutError:
            log.info("%d connections did not close in time", len(self.connections))

    # Called by connections --------------------------------------------------------------------------------------------

    def connection_opened(self, connection: Connection) -> None:
        """Add a new connection, or refuse it."""
        self.connections[connection.id] = connection
        self.address_counts[connection.address] += 1
        self.session_log.note_opened(connection.id, connection.address)
        if self._is_overrun(connection.address) and not self._make_space(connection.address):
            connection.abort()
            return
        now = self.clock()
        self.do(self.hub.connect(connection.id, connection.address, now))
        if self.stopping:
            self.do(self.hub.stop(now))

    def _is_overrun(self, address: str) -> bool:
        """True if there are too many connections to send each refused one the reason."""
        limits = self.hub.config.limits
        return (
            len(self.connections) > limits.max_players + SURPLUS
            or self.address_counts[address] > limits.max_per_address + SURPLUS_PER_ADDRESS
        )

    def _make_space(self, address: str) -> bool:
        """Abort an address's oldest closing connection to make space for a seated player who comes back."""
        closing = (other for other in self.connections.values() if other.address == address and other.is_closing)
        oldest = next(closing, None) if self.hub.players.has_seated_players() else None
        if oldest:
            oldest.abort()
        return oldest is not None

    def handshake_wanted(self, connection: Connection, is_first: bool) -> None:
        """Queue the next step of a TLS handshake, or abort it if its address has begun too many."""
        if is_first and not self.hub.state.limits.try_spend(connection.address, "handshakes", self.clock()):
            self.session_log.log_event(connection.id, "has begun too many TLS handshakes from its address, closed")
            connection.abort()
        else:
            self._handshakes.put(connection)

    def input_arrived(self, connection: Connection) -> None:
        """Queue a connection's input."""
        self._input.put(connection)

    def lines_received(self, connection: Connection, lines: Sequence[bytes | WireError], size: int, parts: int) -> None:
        """Decode the lines of a chunk of `size` bytes, and give them to the hub."""
        now, requests = self.clock(), (self._read(connection.id, line) for line in lines)
        self.do(self.hub.bytes_received(connection.id, size, requests, now, parts))
        if self.outbox.waiting_effects > BEHIND_MAX:
            connection.hold_input()
            self._held_connections.append(connection)

    def _read(self, id: int, line: bytes | WireError) -> Request | WireError:
        """Return the request in a line, or the error."""
        try:
            request = decode_request(line, self.hub.is_strict(id)) if isinstance(line, bytes) else line
        except WireError as error:
            request = error
        self.session_log.note_request(id, request)
        return request

    def wrong_protocol_found(self, connection: Connection, help: bytes, why: str = "is no client") -> None:
        """Answer a peer that speaks another protocol, and close."""
        self.session_log.log_event(connection.id, why)
        connection.queue(help)
        self.connection_ended(connection)

    def answers_http(self) -> bool:
        """True if the server offers the client to browsers."""
        return self.http_download is not None

    def http_requested(self, connection: Connection, line: bytes) -> None:
        """Answer a browser. The hub forgets its session, since it is no player."""
        assert self.http_download
        session = self.hub.sessions.get(connection.id)
        if session is None:  # it was refused, and the answer waits for the disk
            return
        self.session_log.log_event(connection.id, "is a browser")
        refused = session.bye_over_limit
        self.do(self.hub.disconnect(connection.id, self.clock()))
        if refused:
            finish(connection, build_line_response("503 Service Unavailable", refused.text))
        else:
            self.http_download.respond(connection, line, self.loop)

    def connection_ended(self, connection: Connection) -> None:
        """End the session of a peer that has closed its side."""
        connection.close_gracefully()
        self.do(self.hub.disconnect(connection.id, self.clock()))

    def connection_closed(self, connection: Connection) -> None:
        """Remove a closed connection."""
        del self.connections[connection.id]
        self.address_counts[connection.address] -= 1
        if not self.address_counts[connection.address]:
            del self.address_counts[connection.address]
        if self.http_download:
            self.http_download.forget(connection)
        self.session_log.note_closed(connection.id)
        self.do(self.hub.disconnect(connection.id, self.clock()))
        if not self.connections:
            self._empty.set()

    def flush_soon(self, connection: Connection) -> None:
        """Flush a connection at the end of this turn of the loop, or when many others wait too."""
        if not self._unflushed:
            self.loop.call_soon(self._flush_all)
        self._unflushed.append(connection)
        if len(self._unflushed) >= FLUSH_AT:
            self._flush_all()

    def _flush_all(self) -> None:
        unflushed, self._unflushed = self._unflushed, []
        for connection in unflushed:
            if connection.is_open:
                self._attempt(connection, connection.flush)

    def _attempt(self, connection: Connection, act: Callable[[], object]) -> None:
        """Do something for one of many connections. After a bug it is closed, and the others come next."""
        try:
            act()
        except Exception as bug:
            log.error("bug in the connection of session %d: %s", connection.id, locate(bug))
            connection.abort()

    # Time -------------------------------------------------------------------------------------------------------------

    def _tick_in(self, seconds: float) -> None:
        if self._timer:
            self._timer.cancel()
        if not self.stopping:
            self._timer = self.loop.call_later(seconds, self.tick)

    def tick(self) -> None:
        """Check the deadlines of the connections, then the clocks of the hub."""
        self._tick_in(TICK)
        now = self.clock.tick()
        for connection in list(self.connections.values()):
            self._attempt(connection, partial(self._check_deadlines, connection, now))
        if self._gaps != self.clock.gaps:
            self._gaps = self.clock.gaps
            self.do(self.hub.show_clocks(now))
        self.do(self.hub.tick(now))
        if now - self._summed_up_at >= LOG_SUM_EVERY:
            self._summed_up_at = now
            self.session_log.sum_up()
        if self.outbox.storage.is_disk_full:
            self.outbox.storage.retry_full_disk()
        if self._held_connections and self.outbox.waiting_effects <= BEHIND_MAX:
            held, self._held_connections = self._held_connections, []
            for connection in held:
                connection.release_input()

    def _check_deadlines(self, connection: Connection, now: float) -> None:
        why = connection.find_overdue(now)
        if why:
            self.session_log.log_event(connection.id, f"{why}, closed")
            connection.abort()
        elif not connection.is_reading:  # reading is paused, so the peer is not to blame for its silence
            connection.input_was_held(now)
            self.do(self.hub.bytes_received(connection.id, 0, (), now))
        elif connection.is_trickling(now):
            text = f"A line must be complete within {MESSAGE_WITHIN} seconds."
            self.do(self.hub.expel(connection.id, "slow", text, now))

    # Effects ----------------------------------------------------------------------------------------------------------

    def do(self, effects: list[Effect]) -> None:
        """Perform effects in their order, once the records before them are on disk. All effects come through here."""
        if effects:
            self.outbox.put(effects)
        if self.hub.is_lobby_outdated and self._lobby_timer is None and not self.stopping:
            self._lobby_timer = self.loop.call_later(self.hub.seconds_until_lobby(self.clock()), self._show_lobby)

    def _show_lobby(self) -> None:
        self._lobby_timer = None
        self.do(self.hub.show_lobby(self.clock()))

    def _perform(self, effects: list[Effect]) -> None:
        last: tuple[Push | Lines, ...] | None = None
        chunks: list[bytes] = []
        for effect in effects:
            if type(effect) is Send:
                connection = self.connections.get(effect.session)
                if connection is not None and connection.is_open:
                    if effect.messages is not last:  # messages for many sessions are packed once
                        last = effect.messages
                        chunks = encode_chunks(last)
                    if type(last[0]) is Lobby:
                        connection.queue_latest(chunks[0])
                    else:
                        for chunk in chunks:
                            connection.queue(chunk)
            elif type(effect) not in RECORDS:
                self._perform_other(effect)

    def _perform_other(self, effect: Effect) -> None:
        match effect:
            case Hangup(session):
                self._hang_up(session)
            case LogLine(text, session):
                self.session_log.log_line(text, session)
            case LogBug(number, error):
                log.error("bug %s: %s", number, locate(error))
            case AskBot():
                self._think(effect)
            case Analyse():
                self._analyse(effect)
            case RunQuery(session, player, question):
                self._run_query(session, player, question)
            case AnswerHost(tell):
                tell("")

    def _think(self, question: AskBot) -> None:
        """Let a thread think: a strong bot is slow."""
        if self.stopping:
            return
        due = self.loop.time() + self.bot_delay
        found = self.loop.run_in_executor(self._thinkers, think, question, os.urandom(32))
        found.add_done_callback(partial(self._take_thought, question, due))

    def _take_thought(self, question: AskBot, due: float, found: asyncio.Future[Thought]) -> None:
        if not found.cancelled():
            self._end_thought(question, due, found.result())

    def _end_thought(self, question: AskBot, due: float, thought: Thought) -> None:
        """Give a hint at once. A bot acts at a time that was set before: the time that it needs may reveal secrets."""
        if self.stopping:
            return
        self.do(self.hub.thought_ended(question, self.clock()))
        if question.wants == "hint":
            self.do(self.hub.bot_answered(question, thought, self.clock()))
        else:
            self.loop.call_at(due, self._act_for_bot, question, thought)

    def _act_for_bot(self, question: AskBot, thought: Thought) -> None:
        if self.outbox.storage.is_disk_full:
            self.loop.call_later(TICK, self._act_for_bot, question, thought)
        elif not self.stopping:
            self.do(self.hub.bot_answered(question, thought, self.clock()))

    def _analyse(self, game: Analyse) -> None:
        """Analyse a game when its turn has come. If too many wait, the address that has the most loses its last."""
        self._unanalysed.put(game)
        if len(self._unanalysed) > ANALYSES_MAX:
            self._unanalysed.drop()
        self._analyse_next()

    def _analyse_next(self) -> None:
        if self._unanalysed and not (self._is_analysing or self.stopping):
            self._is_analysing = True
            over = self._unanalysed.take().over
            found = self.loop.run_in_executor(self._analyst, analyse_record, over)
            found.add_done_callback(partial(self._send_analysis, over))

    def _send_analysis(self, over: GameOver, done: asyncio.Future[Analysis | None]) -> None:
        self._is_analysing = False
        if not (self.stopping or done.cancelled()):
            self.do(self.hub.analysis_done(over, done.result(), self.clock()))
            self._analyse_next()

    def _run_query(self, session: int, player: int, question: HistoryQuery) -> None:
        connection = self.connections.get(session)
        if connection is None:
            return

        def send(reply: Push) -> None:
            if not self.stopping:
                self.do(self.hub.query_answered(session, reply, self.clock()))

        build = partial(answer_query, question, player, self.hub.config.games)
        is_here = partial(self.connections.__contains__, session)
        self.outbox.storage.run_query(Query(question, player, build, send, is_here, connection.address))

    def _hang_up(self, id: int) -> None:
        connection = self.connections.get(id)
        if connection is not None:
            connection.close_gracefully()


def encode_chunks(said: tuple[Push | Lines, ...]) -> list[bytes]:
    """Encode messages for a connection's queue. Many lines are not joined: connections share those that are kept."""
    return [encode_lines(said)] if len(said) <= JOINED_MAX else [encode_lines((message,)) for message in said]


def encode_lines(said: tuple[Push | Lines, ...]) -> bytes:
    """Encode messages as lines. If one can't be encoded, the others are still sent."""
    try:
        return b"".join(map(encode, said))
    except Exception:
        return b"".join(map(encode_or_report, said))


def encode_or_report(message: Push | Lines) -> bytes:
    """Encode a message, or an error message in its place."""
    try:
        return encode(message)
    except Exception as bug:
        log.error("a message can't be encoded: %s", locate(bug))
        text = "Something went wrong on the server: a message for you could not be sent."
        return encode(Error("internal", text, getattr(message, "re", None)))
