"""The connection to a server: sends requests, receives messages, and reconnects.

A request gets its id here. If the connection breaks before a play is answered, the server's `last_play` says after the
reconnect whether it was accepted. If not, it is sent again under the same id.
"""

import asyncio
import random
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Protocol

from gridgames_client.net.address import (
    Address,
    Refused,
    check_certificate,
    explain_hang_up,
    explain_no_answer,
    explain_other_protocol,
    open_connection,
)
from gridgames_client.net.credentials import Identity
from gridgames_client.state.model import ConnectionState, TooMuch
from gridgames_protocol.codec import decode_push, encode
from gridgames_protocol.errors import BadMessage, UnknownType, WireError
from gridgames_protocol.framing import SERVER_LINE_MAX, Splitter
from gridgames_protocol.messages import (
    NAME_COLUMNS,
    PROTOCOL,
    Bye,
    Error,
    Event,
    Hello,
    Ok,
    Ping,
    Play,
    Push,
    Request,
    Welcome,
)
from gridgames_protocol.rules import InvalidField
from gridgames_protocol.safe_text import columns
from gridgames_protocol.schema import INTEGER_MAX
from gridgames_protocol.version import VERSION

DEFAULT_NAME = "Guest"  # "Player 2" would read as a seat
NAMES_TRIED = 20  # numbers that are added to a name that others have
IDS_LEFT = 1_000_000_000  # ids that must be left after connecting
UNANSWERED_MAX = 1_000  # requests
FORGOTTEN = "The server does not know you any more; it may have been started anew."
STOPPED = "The server has stopped; waiting for it to come back."
# Errors after which the next attempt may succeed: a running game is not given up for them.
TEMPORARY_ERRORS = {"too_fast", "server_full", "shutting_down", "internal"}
ADVICE = {
    "name": " Start again with another --name.",
    "name_taken": " Start again with another --name.",
    "password": " Use --password-file, or set GRIDGAMES_PASSWORD.",
}


@dataclass(frozen=True, slots=True)
class Timeouts:
    """How long the connection waits, in seconds."""

    answer: float = 10.0  # for a connection, and for the answer to a hello
    heartbeat: float = 12.0  # after so long without a request; the server closes after 25 s of silence
    silence: float = 30.0  # without a message of the server: the connection is lost
    pauses: tuple[float, ...] = (0.3, 1.0, 2.0, 4.0, 8.0)  # before each attempt to reconnect; the last one is repeated

    def pick_pause(self, attempts: int) -> float:
        """The seconds before the next attempt. They vary, so that not all clients reconnect at once."""
        return self.pauses[min(attempts, len(self.pauses) - 1)] * random.uniform(0.7, 1.3)


DEFAULT_TIMEOUTS = Timeouts()


class WrongPassword(Refused):
    """The password is missing or wrong."""


class Listener(Protocol):
    """Gets the messages and the state of the connection."""

    def on_connection(self, state: ConnectionState, why: str) -> None:
        """The state of the connection has changed."""

    def on_message(self, message: Push) -> None:
        """A message has arrived that answers no request."""

    def on_reply(self, request: Request, reply: Push) -> None:
        """The answer to a request has arrived."""

    def on_lost(self, request: Request) -> None:
        """A request was lost with the connection. It is not sent again."""


class Connection:
    """The connection to one server. It reconnects until the player leaves."""

    def __init__(
        self,
        address: Address,
        identity: Identity,
        listener: Listener,
        *,
        name: str | None = None,
        password: str | None = None,
        tls: bool = False,
        find_other_certificate: Callable[[str], Path | None] = lambda fingerprint: None,
        fingerprint: str | None = None,
        timeouts: Timeouts = DEFAULT_TIMEOUTS,
        bot: bool = False,
    ) -> None:
        self.address, self.identity, self.listener = address, identity, listener
        self.password, self.tls, self.timeouts = password, tls, timeouts
        self.find_other_certificate = find_other_certificate
        self.bot = bot  # a program plays
        self.fingerprint = fingerprint  # the only accepted certificate
        self.wanted_name = name or identity.name or DEFAULT_NAME
        self.keeps_name = name is not None  # no other name is tried
        self.name_number = 1  # added to the name if others have it
        self.next_id = 1
        self.unanswered: dict[int, Request] = {}
        self.all_answered = asyncio.Event()  # set while no request is unanswered
        self.all_answered.set()
        self.writer: asyncio.StreamWriter | None = None
        self.sent_at = 0.0
        self.is_connected = False  # the server has welcomed this connection
        self.was_connected = False  # the server has welcomed this client at least once
        self.first_welcome = asyncio.Event()
        self.has_left = False  # the server has confirmed the goodbye
        self.bye_text = ""  # the server's last message
        self.server_stopped = False  # it has said that it stops; False again after a reconnect
        self.attempts = 0  # to reconnect

    # Requests ---------------------------------------------------------------------------------------------------------

    def ask(self, request: Request) -> None:
        """Send a request under the next id."""
        if not self.is_connected:
            self.listener.on_lost(request)
            return
        request = replace(request, id=self._take_id())
        try:
            self._send(request)
        except InvalidField:  # half a character, typed in a terminal without UTF-8
            self.listener.on_reply(request, Error("bad_request", "That can't be sent: it is no proper text."))
            return
        self.unanswered[request.id] = request
        self.all_answered.clear()
        if len(self.unanswered) > UNANSWERED_MAX:
            raise Refused(f"{self.address} does not answer any more.")

    def _take_id(self) -> int:
        self.next_id += 1
        return self.next_id - 1

    def _send(self, request: Request) -> None:
        assert self.writer
        self.writer.write(encode(request))
        self.sent_at = asyncio.get_running_loop().time()

    # Connecting and reconnecting --------------------------------------------------------------------------------------

    async def run(self) -> None:
        """Stay connected until the player has left. Raises Refused if the server does not let the client in."""
        while True:
            why = await self._run_once()
            if self.has_left:
                return
            if not self.was_connected:
                raise Refused(why)
            self._lose_all_but_plays()
            self.listener.on_connection("reconnecting", why)
            await asyncio.sleep(self.timeouts.pick_pause(self.attempts))
            self.attempts += 1

    async def _run_once(self) -> str:
        """Connect, and receive messages until the connection ends. Returns why it ended."""
        self.bye_text = ""
        try:
            reader, self.writer = await open_connection(self.address, self.tls, self.timeouts.answer)
            check_certificate(self.address, self.writer, self.fingerprint, self.find_other_certificate)
            self._say_hello()
            await self._receive(reader)
        except TooMuch as too_much:
            raise Refused(str(too_much)) from None
        except OSError as error:
            why = self._explain_loss() if self.was_connected else explain_no_answer(self.address, error)
            return self.bye_text or why
        finally:
            self.is_connected = False
            if self.writer is not None:
                self.writer.close()
                self.writer = None
        why = "The server has closed the connection." if self.was_connected else explain_hang_up(self.address)
        return self.bye_text or why

    def _explain_loss(self) -> str:
        """Why there is no connection now."""
        return STOPPED if self.server_stopped else f"The connection to {self.address} is lost."

    async def _receive(self, reader: asyncio.StreamReader) -> None:
        """Receive messages. A ping is sent if no request was sent for a while."""
        splitter = Splitter(SERVER_LINE_MAX)
        now = asyncio.get_running_loop().time
        came_at = heard_at = now()
        while True:
            limit = self.sent_at + self.timeouts.heartbeat if self.is_connected else came_at + self.timeouts.answer
            try:
                async with asyncio.timeout_at(limit):
                    chunk = await reader.read(65_536)
            except TimeoutError:
                if not self.is_connected or now() - heard_at > self.timeouts.silence:
                    raise
                self.ask(Ping(1))
                continue
            if not chunk:
                return
            heard_at = now()
            for line in splitter.feed(chunk):
                message = self._decode_line(line)
                if message is not None:
                    self._handle(message)

    def _decode_line(self, line: bytes | WireError) -> Push | None:
        """The message of a line; None if only later versions know it."""
        try:
            if isinstance(line, WireError):
                raise line
            return decode_push(line)
        except WireError as error:
            if self.is_connected and isinstance(error, UnknownType | BadMessage):
                return None
            raise Refused(explain_other_protocol(self.address)) from None

    # Messages of the server -------------------------------------------------------------------------------------------

    def _say_hello(self) -> None:
        name, agent = add_number(self.wanted_name, self.name_number), f"gridgames {VERSION}"
        self.hello = Hello(self._take_id(), PROTOCOL, name, self.identity.token, self.password, agent, self.bot)
        self._send(self.hello)

    def _handle(self, message: Push) -> None:
        """Match answers to their requests, and pass the message on."""
        id = getattr(message, "re", None)
        request = self._pop_request(id) if id is not None else None
        if isinstance(message, Bye):
            self._handle_bye(message)
        elif isinstance(message, Welcome):
            self._handle_welcome(message)
        elif isinstance(message, Error) and id == self.hello.id:
            self._handle_hello_error(message)
        elif request is None:
            self.listener.on_message(message)
        elif not isinstance(request, Ping):
            self.listener.on_reply(request, message)

    def _handle_bye(self, bye: Bye) -> None:
        """Keep the server's last message. Raises Refused if the client must not reconnect."""
        if bye.code in ("replaced", "kicked"):
            raise Refused(bye.text)
        self.has_left, self.bye_text, self.server_stopped = bye.code == "bye", bye.text, bye.code == "shutting_down"
        self.listener.on_message(bye)

    def _handle_welcome(self, welcome: Welcome) -> None:
        """Note that the client is connected, and settle the requests that were lost with the last connection."""
        forgotten = self.was_connected and welcome.token != self.hello.token
        self.is_connected = self.was_connected = True
        self.first_welcome.set()
        self.server_stopped = False
        self.wanted_name, self.keeps_name, self.name_number, self.attempts = welcome.name, False, 1, 0
        self.identity.store(welcome.name, welcome.token)
        last_play = welcome.last_play or 0
        if last_play > INTEGER_MAX - IDS_LEFT:
            raise Refused(f"{self.address} has used up the numbers for requests. Ask its host to start it anew.")
        self.next_id = max(self.next_id, last_play + 1)
        plays = sorted(self.unanswered.items())  # of the last connection; the listener may ask for more now
        self.listener.on_connection("connected", "")
        self.listener.on_message(welcome)
        for id, request in plays:
            if forgotten:  # whether it was accepted can't be learned any more
                self._lose(id, request)
            elif id <= last_play:
                self._pop_request(id)
                self.listener.on_reply(request, Ok(id))
            else:
                self._send(request)
        if forgotten:
            self.listener.on_message(Event(FORGOTTEN, "system"))

    def _handle_hello_error(self, error: Error) -> None:
        """Send another hello if it may succeed. Raises Refused if not."""
        assert self.writer
        if error.code == "token" and self.identity.token is not None:
            self.identity.token = None
        elif error.code == "name_taken" and not self.keeps_name and self.name_number < NAMES_TRIED:
            self.name_number += 1
        elif error.code == "name" and not self.keeps_name and self.wanted_name != DEFAULT_NAME:
            self.wanted_name = DEFAULT_NAME
        elif self.was_connected and error.code in TEMPORARY_ERRORS:
            self.bye_text = error.text
            self.writer.close()
            return
        elif error.code == "password" and not self.was_connected:
            raise WrongPassword(error.text + ADVICE["password"])
        else:
            raise Refused(f"{error.text}{ADVICE.get(error.code, '')}")
        self._say_hello()

    # Unanswered requests ----------------------------------------------------------------------------------------------

    def _pop_request(self, id: int) -> Request | None:
        """Remove a request from the unanswered ones."""
        request = self.unanswered.pop(id, None)
        if not self.unanswered:
            self.all_answered.set()
        return request

    def _lose_all_but_plays(self) -> None:
        """Give up the requests of a broken connection. Its plays are settled by the next welcome."""
        for id, request in list(self.unanswered.items()):
            if not isinstance(request, Play):
                self._lose(id, request)

    def _lose(self, id: int, request: Request) -> None:
        self._pop_request(id)
        if not isinstance(request, Ping):
            self.listener.on_lost(request)


def add_number(name: str, number: int) -> str:
    """Add a number to a name, and shorten the name so that both fit. Number 1 is not added."""
    if number == 1:
        return name
    tail = f"-{number}"
    while columns(name) + len(tail) > NAME_COLUMNS:
        name = name[:-1]
    return name.rstrip() + tail
