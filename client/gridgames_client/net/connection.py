"""Lines in and out, and back again after the line has broken.

A request gets its id here. A play that was under way when the line broke is settled on coming back: the server's
`last_play` says whether it was accepted, and if not, it is sent again under the same id.
"""

import asyncio
import hashlib
import random
from collections.abc import Callable
from dataclasses import dataclass, replace
from importlib.metadata import version
from pathlib import Path
from typing import Protocol

from gridgames_client.address import Address, Refused, no_answer, no_gridgames, no_server, reach
from gridgames_client.identity import Identity
from gridgames_client.model import Line
from gridgames_protocol.errors import BadMessage, UnknownType, WireError
from gridgames_protocol.lines import SERVER_LINE_MAX, Splitter
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
    decode_push,
    encode,
)
from gridgames_protocol.records import Unfit
from gridgames_protocol.text import columns

NAMELESS = "Player"
NAMES_TRIED = 20
FORGOTTEN = "The server does not know you any more; it may have been started anew."
STOPPED = "The server has stopped; waiting for it to come back."
# Answers to a hello that may be others at the next try: no reason to give up a game.
PASSING = {"too_fast", "server_full", "shutting_down", "internal"}
ADVICE = {
    "name": " Start again with another --name.",
    "name_taken": " Start again with another --name.",
    "password": " Use --password-file, or set GRIDGAMES_PASSWORD.",
}


@dataclass(frozen=True, slots=True)
class Patience:
    """How long to wait for what, in seconds."""

    answer: float = 10.0  # for a connection, and then for the answer to a hello
    heartbeat: float = 12.0  # the server forgives 25 s of silence and asks for a word every 15
    silence: float = 30.0  # two heartbeats without an answer: the server is gone
    pauses: tuple[float, ...] = (0.3, 1.0, 2.0, 4.0, 8.0)  # before the next try; the last one again and again

    def pause(self, tries: int) -> float:
        """How long to wait before coming back: a little more or less, so that not all come at once."""
        return self.pauses[min(tries, len(self.pauses) - 1)] * random.uniform(0.7, 1.3)


USUAL = Patience()


class WrongPassword(Refused):
    """The server does not let anybody in who does not know its password."""


class Listener(Protocol):
    """Who is told what happens on the line."""

    def line_is(self, line: Line, why: str) -> None:
        """The line has come up or gone down."""

    def heard(self, message: Push) -> None:
        """The server has said something."""

    def answered(self, request: Request, reply: Push) -> None:
        """A request has its answer."""

    def unanswered(self, request: Request) -> None:
        """A request was lost with the line, and is not sent again."""


class Connection:
    """The way to one server, for as long as the player wants to be there."""

    def __init__(
        self,
        address: Address,
        identity: Identity,
        listener: Listener,
        *,
        name: str | None = None,
        password: str | None = None,
        tls: bool = False,
        distrust: Callable[[str], Path | None] = lambda fingerprint: None,
        patience: Patience = USUAL,
    ) -> None:
        self.address, self.identity, self.listener = address, identity, listener
        self.password, self.tls, self.distrust, self.patience = password, tls, distrust, patience
        self.wish = name or identity.name or NAMELESS
        self.insists = name is not None  # on that name and no other
        self.number = 1  # behind the name, if others have it
        self.next_id = 1
        self.waiting: dict[int, Request] = {}
        self.settled = asyncio.Event()  # set while no request waits for its answer
        self.settled.set()
        self.writer: asyncio.StreamWriter | None = None
        self.sent_at = 0.0
        self.greeted = False  # on this connection
        self.welcomed = False  # at least once
        self.left = False  # for good
        self.parting = ""  # the server's last words
        self.stopped = False  # it has said that it stops, and has not been reached since
        self.tries = 0  # to come back

    # What the player asks ---------------------------------------------------------------------------------------------

    def ask(self, request: Request) -> None:
        """Send a request, under the next id."""
        if not self.greeted:
            self.listener.unanswered(request)
            return
        request = replace(request, id=self._take_id())
        try:
            self._send(request)
        except Unfit:  # half a character, from a terminal that speaks no UTF-8
            self.listener.answered(request, Error("bad_request", "That can't be sent: it is no proper text."))
            return
        self.waiting[request.id] = request
        self.settled.clear()

    def _take_id(self) -> int:
        self.next_id += 1
        return self.next_id - 1

    def _send(self, request: Request) -> None:
        assert self.writer
        self.writer.write(encode(request))
        self.sent_at = asyncio.get_running_loop().time()

    # Coming and coming back -------------------------------------------------------------------------------------------

    async def run(self) -> None:
        """Stay connected until the player has said goodbye. Raises Refused where there is no way in."""
        while True:
            why = await self._visit()
            if self.left:
                return
            if not self.welcomed:
                raise Refused(why)
            self._give_up(plays=False)
            self.listener.line_is("reconnecting", why)
            await asyncio.sleep(self.patience.pause(self.tries))
            self.tries += 1

    async def _visit(self) -> str:
        """Be on one connection to its end, and say why it ended."""
        self.parting = ""
        try:
            reader, self.writer = await reach(self.address, self.tls, self.patience.answer)
            self._check_certificate(self.writer)
            self._say_hello()
            await self._listen(reader)
        except OSError as error:
            return self.parting or (self._lost() if self.welcomed else no_answer(self.address, error))
        finally:
            self.greeted = False
            if self.writer is not None:
                self.writer.close()
                self.writer = None
        return self.parting or ("The server has closed the connection." if self.welcomed else no_server(self.address))

    def _lost(self) -> str:
        """Why the line is down."""
        return STOPPED if self.stopped else f"The connection to {self.address} is lost."

    async def _listen(self, reader: asyncio.StreamReader) -> None:
        """Take in what arrives; a heartbeat goes out while nothing else does."""
        splitter = Splitter(SERVER_LINE_MAX)
        now = asyncio.get_running_loop().time
        came_at = heard_at = now()
        while True:
            limit = self.sent_at + self.patience.heartbeat if self.greeted else came_at + self.patience.answer
            try:
                async with asyncio.timeout_at(limit):
                    chunk = await reader.read(65_536)
            except TimeoutError:
                if not self.greeted or now() - heard_at > self.patience.silence:
                    raise
                self.ask(Ping(1))
                continue
            if not chunk:
                return
            heard_at = now()
            for line in splitter.feed(chunk):
                message = self._decoded(line)
                if message is not None:
                    self._take(message)

    def _decoded(self, line: bytes | WireError) -> Push | None:
        """What a line says; None if only later versions know."""
        try:
            if isinstance(line, WireError):
                raise line
            return decode_push(line)
        except WireError as error:
            if self.greeted and isinstance(error, UnknownType | BadMessage):
                return None
            raise Refused(no_gridgames(self.address)) from None

    def _check_certificate(self, writer: asyncio.StreamWriter) -> None:
        tls = writer.get_extra_info("ssl_object")
        shown = hashlib.sha256(tls.getpeercert(True)).hexdigest() if tls else ""
        file = self.distrust(shown) if tls else None
        if file is not None:
            raise Refused(
                f"{self.address} shows another certificate than the first time. If its host has not changed it on "
                f"purpose, somebody may be listening in. If you trust it, delete {file}. It shows: {shown}"
            )

    # What the server says ---------------------------------------------------------------------------------------------

    def _say_hello(self) -> None:
        name, agent = numbered(self.wish, self.number), f"gridgames {version('gridgames')}"
        self.hello = Hello(self._take_id(), PROTOCOL, name, self.identity.token, self.password, agent)
        self._send(self.hello)

    def _take(self, message: Push) -> None:
        """Sort out answers, then pass the message on."""
        id = getattr(message, "re", None)
        request = self._withdraw(id) if id is not None else None
        if isinstance(message, Bye):
            self._part(message)
        elif isinstance(message, Welcome):
            self._be_welcome(message)
        elif isinstance(message, Error) and id == self.hello.id:
            self._turn_away(message)
        elif request is None:
            self.listener.heard(message)
        elif not isinstance(request, Ping):
            self.listener.answered(request, message)

    def _part(self, bye: Bye) -> None:
        """Take the server's last words: for good, or until the next try."""
        if bye.code == "replaced":
            raise Refused(bye.text)
        self.left, self.parting, self.stopped = bye.code == "bye", bye.text, bye.code == "shutting_down"
        self.listener.heard(bye)

    def _be_welcome(self, welcome: Welcome) -> None:
        """Be in, and settle what was under way when the line broke."""
        forgotten = self.welcomed and welcome.token != self.hello.token
        self.greeted = self.welcomed = True
        self.stopped = False
        self.wish, self.insists, self.number, self.tries = welcome.name, False, 1, 0
        self.identity.keep(welcome.name, welcome.token)
        last_play = welcome.last_play or 0
        self.next_id = max(self.next_id, last_play + 1)
        self.listener.line_is("connected", "")
        self.listener.heard(welcome)
        if forgotten:
            self._give_up(plays=True)
            self.listener.heard(Event(FORGOTTEN, "system"))
        for id, request in sorted(self.waiting.items()):
            if id <= last_play:
                self._withdraw(id)
                self.listener.answered(request, Ok(id))
            else:
                self._send(request)

    def _turn_away(self, error: Error) -> None:
        """Try another way in where there is one."""
        assert self.writer
        if error.code == "token":
            self.identity.token = None
        elif error.code == "name_taken" and not self.insists and self.number < NAMES_TRIED:
            self.number += 1
        elif error.code == "name" and not self.insists and self.wish != NAMELESS:
            self.wish = NAMELESS
        elif self.welcomed and error.code in PASSING:
            self.parting = error.text
            self.writer.close()
            return
        elif error.code == "password" and not self.welcomed:
            raise WrongPassword(error.text + ADVICE["password"])
        else:
            raise Refused(f"{error.text}{ADVICE.get(error.code, '')}")
        self._say_hello()

    # Answers that are waited for --------------------------------------------------------------------------------------

    def _withdraw(self, id: int) -> Request | None:
        """Wait for an answer no longer."""
        request = self.waiting.pop(id, None)
        if not self.waiting:
            self.settled.set()
        return request

    def _give_up(self, plays: bool) -> None:
        """Let go of requests that were lost; plays only if it can't be learned any more whether they were accepted."""
        for id, request in list(self.waiting.items()):
            if plays or not isinstance(request, Play):
                self._withdraw(id)
                if not isinstance(request, Ping):
                    self.listener.unanswered(request)


def numbered(name: str, number: int) -> str:
    """A name with a number behind it from the second on, no wider than a name may be."""
    if number == 1:
        return name
    tail = f"-{number}"
    while columns(name) + len(tail) > NAME_COLUMNS:
        name = name[:-1]
    return name.rstrip() + tail
