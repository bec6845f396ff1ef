"""The asyncio shell: connection -> lines -> hub -> effects, performed in their order.

There is no task per connection. Bytes are read into one buffer that all connections share, every complete line goes to
the hub at once, and what the hub decides for a connection during one turn of the loop leaves in one write.
"""

import asyncio
import logging
import os
import socket
import ssl
import time
import traceback
from collections import Counter
from collections.abc import Callable, Iterable
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from itertools import count
from typing import Any

from gridgames_protocol.errors import WireError
from gridgames_protocol.messages import Error, Push, decode_request, encode
from gridgames_server import openers
from gridgames_server.bots import BOTS
from gridgames_server.connection import Connection
from gridgames_server.deeds import RECORDS
from gridgames_server.effects import Effect, Hangup, Look, Note, Send, Tell, Think, Trouble
from gridgames_server.games.game import Chance, Game
from gridgames_server.history import Found, Question, answer
from gridgames_server.hub import Hub
from gridgames_server.limits import (
    BACKLOG,
    BEHIND_MAX,
    CLOCK_GAP,
    MESSAGE_WITHIN,
    READ_SIZE,
    SURPLUS,
    SURPLUS_PER_ADDRESS,
    TICK,
)
from gridgames_server.outbox import Keeper, Outbox
from gridgames_server.restore import undo

log = logging.getLogger("gridgames")

GOODBYE_WITHIN = 1.0  # for the last words to reach everybody when the server stops


class Service:
    """A hub with its wires."""

    def __init__(
        self, hub: Hub, keeper: Keeper, clock: Callable[[], float] = time.monotonic, bot_delay: float = 0.0
    ) -> None:
        self.hub = hub
        self.clock = clock
        self.bot_delay = bot_delay
        self.tls: ssl.SSLContext | None = None
        self.buffer = memoryview(bytearray(READ_SIZE))
        self.ids = count(1)
        self.connections: dict[int, Connection] = {}
        self.crowds: Counter[str] = Counter()  # connections by address
        self.outbox = Outbox(keeper, self._perform, self._undo, lambda call: self.loop.call_soon(call))
        self.stopping = False
        self._servers: list[asyncio.Server] = []
        self._unwritten: list[Connection] = []
        self._unheard: list[Connection] = []  # not read from until the disk has caught up
        self._ticked = clock()
        self._timer: asyncio.TimerHandle | None = None
        self._news: asyncio.TimerHandle | None = None  # when the lobby hears them
        self._empty = asyncio.Event()
        self._reader = ThreadPoolExecutor(1, "history")  # one thread: whoever looks back must not slow the bots down

    async def listen(self, sockets: Iterable[socket.socket], tls: ssl.SSLContext | None = None) -> None:
        """Serve whoever comes to these sockets."""
        self.loop = asyncio.get_running_loop()
        self.tls = tls
        for bound in sockets:
            self._servers.append(await self.loop.create_server(lambda: Connection(self), sock=bound, backlog=BACKLOG))
        self._tick_in(TICK)

    async def stop(self) -> None:
        """Tell everybody, and close every connection."""
        self.stopping = True
        for server in self._servers:
            server.close()
        for timer in (self._timer, self._news):
            if timer:
                timer.cancel()
        self.do(self.hub.stop(self.clock()))
        self._write_all()
        for _ in range(3):  # turns of the loop that one who has just been let in needs to become a connection
            await asyncio.sleep(0)
        await self._emptied()
        for connection in self.connections.values():
            connection.cut()
        await self._emptied()
        self.outbox.keep_turn()  # what this last turn has decided
        self._reader.shutdown(wait=False)

    async def _emptied(self) -> None:
        """Wait for the last connection to end, but not for long."""
        try:
            async with asyncio.timeout(GOODBYE_WITHIN):
                while self.connections:
                    self._empty.clear()
                    await self._empty.wait()
        except TimeoutError:
            log.info("%d connections did not close", len(self.connections))

    # What happens on the wires ----------------------------------------------------------------------------------------

    def made(self, connection: Connection) -> None:
        """A connection was made."""
        self.connections[connection.id] = connection
        self.crowds[connection.address] += 1
        log.info("session %d connected from %s", connection.id, connection.address)
        if self._is_overrun(connection.address):
            connection.cut()
            return
        now = self.clock()
        self.do(self.hub.connect(connection.id, connection.address, now))
        if self.stopping:
            self.do(self.hub.stop(now))

    def _is_overrun(self, address: str) -> bool:
        """True if so many come that there is no time for explanations."""
        limits = self.hub.house.limits
        return (
            len(self.connections) > limits.max_players + SURPLUS
            or self.crowds[address] > limits.max_per_address + SURPLUS_PER_ADDRESS
        )

    def arrived(self, connection: Connection, chunk: bytes) -> None:
        """Some bytes have arrived."""
        if not connection.opened:
            connection.opened = bool(chunk.strip(b"\n"))
            help = openers.answer(chunk, connection.here())
            if help:
                self._send_away(connection, help)
                return
        now = self.clock()
        self.do(self.hub.heard(connection.id, len(chunk), now))
        for line in connection.splitter.feed(chunk):
            if not connection.is_open:
                return
            self._take(connection, line, now)
        if not connection.splitter.pending:
            connection.line_since = None
        elif b"\n" in chunk or connection.line_since is None:
            connection.line_since = now
        if self.outbox.behind > BEHIND_MAX:
            connection.transport.pause_reading()
            self._unheard.append(connection)

    def _take(self, connection: Connection, line: bytes | WireError, now: float) -> None:
        try:
            if not isinstance(line, bytes):
                raise line
            request = decode_request(line)
        except WireError as error:
            self.do(self.hub.garbled(connection.id, error, now))
        else:
            self.do(self.hub.receive(connection.id, request, now))

    def came_without_tls(self, connection: Connection, chunk: bytes) -> None:
        """The first bytes on a TLS port were none of TLS."""
        self._send_away(connection, openers.answer_without_tls(chunk, connection.here()))

    def _send_away(self, connection: Connection, help: bytes) -> None:
        """Help one who did not come for us, and close."""
        log.info("session %d is no client", connection.id)
        connection.say(help)
        self.ended(connection)

    def ended(self, connection: Connection) -> None:
        """Nothing more will be heard on a connection."""
        now = self.clock()
        connection.part(now)
        self.do(self.hub.gone(connection.id, now))

    def lost(self, connection: Connection) -> None:
        """A connection is no more."""
        del self.connections[connection.id]
        self.crowds[connection.address] -= 1
        if not self.crowds[connection.address]:
            del self.crowds[connection.address]
        log.info("session %d is gone", connection.id)
        self.do(self.hub.gone(connection.id, self.clock()))
        if not self.connections:
            self._empty.set()

    # Time -------------------------------------------------------------------------------------------------------------

    def _tick_in(self, seconds: float) -> None:
        if self._timer:
            self._timer.cancel()
        if not self.stopping:
            self._timer = self.loop.call_later(seconds, self.tick)

    def tick(self) -> None:
        """Look at the clocks, the wires' and then the hub's."""
        self._tick_in(TICK)
        now = self.clock()
        gap, self._ticked = now - self._ticked, now
        for connection in self._unheard:  # it is not they who are silent
            connection.line_since = connection.line_since and now
            self.do(self.hub.heard(connection.id, 0, now))
        for connection in list(self.connections.values()):
            if gap > CLOCK_GAP:
                connection.hold(gap, now)
            if connection.is_calm():
                continue
            why = connection.overdue(now)
            if why:
                log.info("session %d %s, cut", connection.id, why)
                connection.cut()
            elif connection.is_trickling(now):
                text = f"A line must be complete within {MESSAGE_WITHIN} seconds."
                self.do(self.hub.expel(connection.id, "slow", text, now))
        self.do(self.hub.tick(now))
        if self._unheard and self.outbox.behind <= BEHIND_MAX:
            unheard, self._unheard = self._unheard, []
            for connection in unheard:
                connection.transport.resume_reading()

    # Effects ----------------------------------------------------------------------------------------------------------

    def do(self, effects: list[Effect]) -> None:
        """Perform what was decided, in its order and behind the disk; everything that is decided comes through here."""
        if effects:
            self.outbox.put(effects)
        if self.hub.rooms.changed and self._news is None and not self.stopping:
            self._news = self.loop.call_later(self.hub.due(self.clock()), self._tell_lobby)

    def _tell_lobby(self) -> None:
        self._news = None
        self.do(self.hub.decided(self.clock()))

    def _undo(self, effects: list[Effect]) -> None:
        """What was decided could not be kept: go back to what is on disk."""
        log.error("the disk is full: nothing can be saved")
        self.do(undo(self.hub, effects, self.outbox.keeper.reload(), self.clock()))

    def _perform(self, effects: list[Effect]) -> None:
        last: tuple[Push, ...] | None = None
        lines = b""
        for effect in effects:
            if type(effect) is Send:
                connection = self.connections.get(effect.session)
                if connection is not None and connection.is_open:
                    if effect.said is not last:  # what goes to many is packed once
                        last = effect.said
                        lines = packed(last)
                    connection.say(lines)
            elif type(effect) not in RECORDS:
                self._perform_other(effect)

    def _perform_other(self, effect: Effect) -> None:
        match effect:
            case Hangup(session):
                self._hang_up(session)
            case Note(text):
                log.info(text)
            case Trouble(number, error):
                log.error("trouble %s: %s", number, where(error))
            case Think():
                self._think(effect)
            case Look(session, player, question):
                self.outbox.keeper.look(question, player, partial(self._found, session, player, question))
            case Tell(tell, why):
                tell(why)

    def _think(self, about: Think) -> None:
        """Let a bot choose, in a thread: a hard one takes its time."""
        if not self.stopping:
            due = self.loop.time() + self.bot_delay
            choice = self.loop.run_in_executor(None, choose, about, os.urandom(32))
            choice.add_done_callback(partial(self._thought, about, due))

    def _thought(self, about: Think, due: float, choice: asyncio.Future[str | Exception]) -> None:
        """Let the bot type at the moment that was set before: how long it has thought could tell what it knows."""
        self.loop.call_at(due, self._type_for_bot, about, choice.result())

    def _type_for_bot(self, about: Think, line: str | Exception) -> None:
        if not self.stopping:
            self.do(self.hub.thought(about.room, about.seat, about.show.rev, line, self.clock()))

    def _found(self, session: int, player: int, question: Question, found: Found) -> None:
        """Answer a player with what the store has found, in a thread: a long game takes a while to play again."""
        if not self.stopping:
            reply = self.loop.run_in_executor(self._reader, reply_to, question, found, player, self.hub.house.games)
            reply.add_done_callback(lambda done: self.do(self.hub.found(session, done.result(), self.clock())))

    def write_soon(self, connection: Connection) -> None:
        """Let a connection say what waits there at the end of this turn of the loop."""
        if not self._unwritten:
            self.loop.call_soon(self._write_all)
        self._unwritten.append(connection)

    def _hang_up(self, id: int) -> None:
        connection = self.connections.get(id)
        if connection is not None:
            connection.part(self.clock())

    def _write_all(self) -> None:
        unwritten, self._unwritten = self._unwritten, []
        for connection in unwritten:
            if connection.is_open:
                connection.flush()


def choose(about: Think, seed: bytes) -> str | Exception:
    """A bot's line, or the bug that it has struck."""
    try:
        return BOTS[about.game](about.show, about.level, Chance(seed))
    except Exception as bug:
        return bug


def reply_to(question: Question, found: Found, player: int, games: tuple[Game[Any], ...]) -> Push:
    """The answer to a question about games that are over; a bug there costs nobody but who asked."""
    try:
        return answer(question, found, player, games)
    except Exception as bug:
        log.error("in the history: %s", where(bug))
        return Error("internal", "Something went wrong on the server while it looked that up.", question.id)


def packed(said: tuple[Push, ...]) -> bytes:
    """Messages as lines; a bug that made one that does not fit must not keep others from theirs."""
    try:
        return b"".join(map(encode, said))
    except Exception:
        return b"".join(map(packed_alone, said))


def packed_alone(message: Push) -> bytes:
    """A message as a line, or words of regret."""
    try:
        return encode(message)
    except Exception as bug:
        log.error("a message that can't be sent: %s", where(bug))
        text = "Something went wrong on the server: it has something to say to you, and can't."
        return encode(Error("internal", text, getattr(message, "re", None)))


def where(error: BaseException) -> str:
    """Where in the code an error struck, without its message: that might quote a secret."""
    frames = traceback.extract_tb(error.__traceback__)
    steps = (f"{frame.filename.rpartition('/')[2]}:{frame.lineno} {frame.name}" for frame in frames)
    return f"{type(error).__name__} at " + " > ".join(steps)
