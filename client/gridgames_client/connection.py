"""Lines in and out, and back again after the line has broken.

A request gets its id here. A play that was under way when the line broke is settled on coming back: the server's
`last_play` says whether it was accepted, and if not, it is sent again under the same id.
"""

import asyncio
import hashlib
import random
import ssl
from collections.abc import Callable
from dataclasses import dataclass, replace
from importlib.metadata import version
from typing import Protocol

from gridgames_client.identity import Identity
from gridgames_client.model import Line
from gridgames_protocol.errors import WireError
from gridgames_protocol.lines import SERVER_LINE_MAX, Splitter
from gridgames_protocol.messages import (
    PROTOCOL,
    Bye,
    Error,
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

PORT = 4743
CONNECT_WITHIN = 10.0
HEARTBEAT = 12.0  # the server forgives 25 s of silence and asks for a word every 15
DEAD_AFTER = 30.0  # without an answer to two heartbeats
PAUSES = (0.3, 1.0, 2.0, 4.0, 8.0)  # before the next try; the last one again and again
FINAL = {"replaced", "bye"}  # goodbyes after which coming back is not wanted
NAMES_TRIED = 20


class Refused(Exception):
    """The server can't be played on, and this sentence says what to do."""


@dataclass(frozen=True, slots=True)
class Address:
    """Where a server is."""

    host: str
    port: int = PORT

    def __str__(self) -> str:
        return f"[{self.host}]:{self.port}" if ":" in self.host else f"{self.host}:{self.port}"


def read_address(text: str) -> Address:
    """HOST, HOST:PORT or [IPV6]:PORT as it is typed."""
    host, colon, port = text.rpartition(":")
    if not colon or (":" in host and not host.startswith("[")):
        host, port = text, str(PORT)
    if not host or not port.isdecimal() or not 0 < int(port[:6]) < 65_536:
        raise ValueError(f"{text} is no address: type HOST or HOST:PORT, for example 192.168.1.20:{PORT}")
    return Address(host.strip("[]"), int(port))


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
        name: str | None = None,
        password: str | None = None,
        tls: bool = False,
        trust: Callable[[str], str] = lambda fingerprint: fingerprint,
    ) -> None:
        self.address, self.identity, self.listener = address, identity, listener
        self.name, self.password, self.tls, self.trust = name, password, tls, trust
        self.next_id = 1
        self.waiting: dict[int, Request] = {}
        self.writer: asyncio.StreamWriter | None = None  # None while nobody could read it
        self.sent_at = 0.0
        self.welcomed = False  # at least once
        self.tries = 0  # to come back, since then
        self.names_tried = 0

    # What the player asks ---------------------------------------------------------------------------------------------

    def ask(self, request: Request) -> None:
        """Send a request, under the next id."""
        if self.writer is None:
            self.listener.unanswered(request)
            return
        request = replace(request, id=self.next_id)
        self.next_id += 1
        self.waiting[request.id] = request
        self._send(request)

    def _send(self, request: Request) -> None:
        if self.writer is not None:
            self.writer.write(encode(request))
            self.sent_at = asyncio.get_running_loop().time()

    # Coming and coming back -------------------------------------------------------------------------------------------

    async def run(self) -> None:
        """Stay connected until the server or the player says goodbye. Raises Refused where there is no way in."""
        while True:
            try:
                await self._visit()
                why = "The server has closed the connection."
            except OSError as error:
                if not self.welcomed:
                    raise Refused(no_answer(self.address, error)) from None
                why = f"The connection to {self.address} is lost."
            if not self.welcomed:
                raise Refused(
                    f"{self.address} has closed the connection at once. Is it a gridgames server? With --tls?"
                )
            self._settle_lost()
            self.listener.line_is("reconnecting", why)
            await asyncio.sleep(PAUSES[min(self.tries, len(PAUSES) - 1)] * random.uniform(0.7, 1.3))
            self.tries += 1

    def _settle_lost(self) -> None:
        """Keep the plays that may have been accepted; let go of everything else."""
        self.writer = None
        for id, request in list(self.waiting.items()):
            if not isinstance(request, Play):
                del self.waiting[id]
                self.listener.unanswered(request)

    async def _visit(self) -> None:
        """Be on one connection from its hello to its end."""
        async with asyncio.timeout(CONNECT_WITHIN):
            reader, writer = await asyncio.open_connection(self.address.host, self.address.port, ssl=self._tls())
        try:
            if self.tls:
                self._check_certificate(writer)
            self.writer = writer
            self._send(self._hello())
            await self._listen(reader)
        finally:
            self.writer = None
            writer.close()

    async def _listen(self, reader: asyncio.StreamReader) -> None:
        """Take in what arrives; a heartbeat goes out while nothing else does."""
        splitter = Splitter(SERVER_LINE_MAX)
        now = asyncio.get_running_loop().time
        heard_at = now()
        while True:
            try:
                async with asyncio.timeout_at(self.sent_at + HEARTBEAT):
                    chunk = await reader.read(65_536)
            except TimeoutError:
                if now() - heard_at > DEAD_AFTER:
                    raise
                self.ask(Ping(1))
                continue
            if not chunk:
                return
            heard_at = now()
            for line in splitter.feed(chunk):
                self._take(self._decoded(line))

    def _decoded(self, line: bytes | WireError) -> Push:
        try:
            if isinstance(line, WireError):
                raise line
            return decode_push(line)
        except WireError:
            text = f"{self.address} speaks something else than this client. Is it a gridgames server of this version?"
            raise Refused(text) from None

    def _tls(self) -> ssl.SSLContext | None:
        if not self.tls:
            return None
        # A LAN's server signs for itself: it is known by its certificate, which must stay the same, not by its name.
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
        context.check_hostname = False
        context.verify_mode = ssl.CERT_NONE
        return context

    def _check_certificate(self, writer: asyncio.StreamWriter) -> None:
        shown = hashlib.sha256(writer.get_extra_info("ssl_object").getpeercert(True)).hexdigest()
        if self.trust(shown) != shown:
            raise Refused(
                f"{self.address} shows another certificate than the first time. If its host has not changed it on "
                f"purpose, somebody may be listening in. It is now: {shown}"
            )

    # What the server says ---------------------------------------------------------------------------------------------

    def _hello(self) -> Hello:
        wanted = self.name or self.identity.name or "Player"
        tail = f"-{self.names_tried + 1}" if self.names_tried else ""
        hello = Hello(
            self.next_id,
            PROTOCOL,
            wanted[: 16 - len(tail)] + tail,
            self.identity.token,
            self.password,
            f"gridgames {version('gridgames')}",
        )
        self.next_id += 1
        self.hello = hello
        return hello

    def _take(self, message: Push) -> None:
        """Sort out answers, then pass the message on."""
        re = getattr(message, "re", None)
        if isinstance(message, Bye) and (message.code in FINAL or not self.welcomed):
            raise Refused(message.text)
        if re is not None and re == self.hello.id:
            self._greeted(message)
            return
        request = self.waiting.pop(re, None) if re is not None else None
        if request is not None:
            self.listener.answered(request, message)
        else:
            self.listener.heard(message)

    def _greeted(self, message: Push) -> None:
        """Deal with the answer to our hello."""
        if isinstance(message, Welcome):
            if message.token != self.identity.token:
                self._settle_forgotten()
            self.welcomed, self.tries = True, 0
            self.identity.keep(message.name, message.token)
            self.next_id = max(self.next_id, (message.last_play or 0) + 1)
            self.listener.line_is("connected", "")
            self.listener.heard(message)
            self._settle_plays(message.last_play or 0)
        elif isinstance(message, Error):
            self._turned_away(message)

    def _turned_away(self, error: Error) -> None:
        """Try another way in where there is one."""
        if error.code == "token":
            self.identity.token = None
        elif error.code == "name_taken" and self.name is None and self.names_tried < NAMES_TRIED:
            self.names_tried += 1
        elif error.code in ("name", "name_taken"):
            raise Refused(f"{error.text} Use --name.")
        elif error.code == "password":
            raise Refused(f"{error.text} Use --password-file, or set GRIDGAMES_PASSWORD.")
        else:
            raise Refused(error.text)
        self._send(self._hello())

    def _settle_plays(self, last_play: int) -> None:
        """Answer the plays that were accepted before the line broke, and send the others again."""
        for id, request in sorted(self.waiting.items()):
            if id <= last_play:
                del self.waiting[id]
                self.listener.answered(request, Ok(id))
            else:
                self._send(request)

    def _settle_forgotten(self) -> None:
        """The server does not know us any more: nothing that was under way can be settled."""
        lost, self.waiting = self.waiting, {}
        for request in lost.values():
            self.listener.unanswered(request)


def no_answer(address: Address, error: BaseException) -> str:
    """Why there is no connection, and what to look at."""
    match error:
        case TimeoutError():
            return f"{address} does not answer. Is the address right, and the port open?"
        case ConnectionRefusedError():
            return f"Nothing listens at {address}. Is gridgames-server running there?"
        case ssl.SSLError():
            return f"{address} does not speak TLS. Try without --tls."
        case OSError(strerror=why) if why:
            return f"There is no way to {address}: {why}."
        case _:
            return f"There is no way to {address}."
