"""Lets guests play with netcat or telnet: each connection is a player in plain lines."""

import argparse
import asyncio
import contextlib
import re
import secrets
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

from gridgames_client.net.address import Address, OtherCertificate, Refused, check_certificate, open_connection
from gridgames_client.net.connection import DEFAULT_TIMEOUTS, Connection
from gridgames_client.net.credentials import Identity, refuse_dropped_tls, trust_first_certificate
from gridgames_client.state.controllers.controller import Controller
from gridgames_client.state.model import Model
from gridgames_client.terminal.plain.plain_app import Plain
from gridgames_client.terminal.stdio import LINE_MAX, write_line
from gridgames_protocol.machine.own_addresses import reachable_hosts
from gridgames_protocol.machine.signals import call_on_signals

GUESTS_MAX = 32  # at once
KEPT_MAX = 200  # guests who can come back with their word
UNSENT_MAX = 256_000  # bytes that a guest may leave unread
ASK_WITHIN = 120.0  # seconds for a guest to say a name
# Telnet's control bytes: an option of three bytes, a command of two, or a subnegotiation.
TELNET = re.compile(rb"\xff(?:\xfa.*?\xff\xf0|[\xfb-\xfe].|[\xf0-\xf9])", re.DOTALL)
KEPT = "Your game is kept; come back with your word to go on."
WELCOME = (
    "Welcome to gridgames. Your terminal shows what you type: turn the screen away before you type a secret.",
    "Type your name, or the word that you were given to come back:",
)


@dataclass
class GuestDoor:
    """The connected guests, and those who may come back."""

    server: Address
    options: argparse.Namespace
    tell: Callable[[str], None] = write_line  # what the host reads
    guests: int = 0
    identities: dict[str, Identity] = field(default_factory=dict)  # by word

    def find_other_certificate(self, fingerprint: str) -> Path | None:
        """Tell the host the server's first certificate and remember it. The file of the stored one if it is another."""
        return trust_first_certificate(str(self.server), self.tell, fingerprint)

    async def check_server(self) -> None:
        """Check the server's certificate before any guest comes. A server that is not there yet is checked later."""
        if not self.options.tls:
            refuse_dropped_tls(str(self.server))
            return
        try:
            _, writer = await open_connection(self.server, True, DEFAULT_TIMEOUTS.answer)
        except OSError:
            return
        try:
            check_certificate(self.server, writer, self.options.fingerprint, self.find_other_certificate)
        finally:
            writer.close()

    async def serve_guest(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """Play with one guest until the guest or the server leaves."""
        if self.guests >= GUESTS_MAX:
            writer.write(b"There are too many guests already. Try again later.\r\n")
            writer.close()
            return
        self.guests += 1
        try:
            await Guest(reader, writer).play(self)
        except (OSError, TimeoutError):
            pass  # the guest has disconnected
        finally:
            self.guests -= 1
            writer.close()
            with contextlib.suppress(OSError):
                await writer.wait_closed()

    def identify(self, typed: str) -> tuple[str, Identity]:
        """The guest's identity: that of an earlier visit by its word, or a new one with a new word."""
        word = typed.strip().lower()
        if word in self.identities:
            return word, self.identities[word]
        while len(self.identities) >= KEPT_MAX:
            del self.identities[next(iter(self.identities))]
        word = secrets.token_hex(4)
        name = "".join(char for char in typed if char.isalnum() or char in "-_. ").strip()[:16]
        self.identities[word] = Identity(name or None)
        return word, self.identities[word]


@dataclass
class Guest:
    """The connection of one guest."""

    reader: asyncio.StreamReader
    writer: asyncio.StreamWriter

    def write(self, text: str) -> None:
        """Send a line. Raises OSError if the guest does not read."""
        if self.writer.is_closing() or self.writer.transport.get_write_buffer_size() > UNSENT_MAX:
            raise OSError("the guest does not read")
        self.writer.write(text.encode("utf-8", "replace") + b"\r\n")

    async def read(self) -> str | None:
        """The next line, without its line end and telnet's control bytes; None at the end."""
        try:
            raw = await self.reader.readuntil(b"\n")
        except asyncio.IncompleteReadError as rest:
            raw = rest.partial
        except asyncio.LimitOverrunError:
            return None
        if not raw:
            return None
        return TELNET.sub(b"", raw).rstrip(b"\r\n\0")[:LINE_MAX].decode("utf-8", "replace")

    async def play(self, door: GuestDoor) -> None:
        """Ask for the name, and play."""
        for line in WELCOME:
            self.write(line)
        async with asyncio.timeout(ASK_WITHIN):
            typed = await self.read()
        if typed is None:
            return
        word, identity = door.identify(typed)
        self.write(f"Your word to come back is {word}. Do not tell it to anybody.")
        model = Model(str(door.server), tls=door.options.tls)
        controller = Controller(model, lambda request: None, lambda what: None, refuse_to_save, time.monotonic)
        table = Plain(controller, self.write, later=asyncio.get_running_loop().call_soon)
        table.goodbye_in_game = KEPT
        options = door.options
        connection = Connection(
            door.server,
            identity,
            controller,
            password=options.password,
            tls=options.tls,
            find_other_certificate=door.find_other_certificate,
            fingerprint=options.fingerprint,
        )
        controller.ask = connection.ask
        await self.follow(table, connection, door.tell)

    async def follow(self, table: Plain, connection: Connection, tell: Callable[[str], None]) -> None:
        """Pass lines both ways until one side ends. `tell` tells the host what no guest should read."""
        line, typing = asyncio.create_task(connection.run()), asyncio.create_task(self.type_lines(table, connection))
        try:
            await asyncio.wait({line, typing}, return_when=asyncio.FIRST_COMPLETED)
            if line.done() and (error := line.exception()) is not None:
                if isinstance(error, OtherCertificate):  # it names a file of the host's
                    tell(str(error))
                    error = Refused("The server is not the one that it was. The host knows more.")
                self.write(str(error) if isinstance(error, Refused) else "Something went wrong.")
            if connection.is_connected:
                table.controller.say_goodbye()
                await asyncio.wait({line}, timeout=0.5)
        finally:
            for task in (line, typing):
                task.cancel()
            await asyncio.gather(line, typing, return_exceptions=True)
            with contextlib.suppress(OSError):
                await self.writer.drain()

    async def type_lines(self, table: Plain, connection: Connection) -> None:
        """Submit the lines that the guest types."""
        await table.welcomed.wait()
        while not table.ended.is_set() and (line := await self.read()) is not None:
            table.take_line(line)
            while not connection.all_answered.is_set():
                await connection.all_answered.wait()


def refuse_to_save(path: str, text: str) -> str:
    """Refuse to save: guests have no files on this machine."""
    return "A guest can't save games: they would be kept on the host's machine."


def list_addresses(bound: tuple[str, int]) -> list[str]:
    """What the host tells guests to type: a line for every address of this machine that leads here."""
    ways = [f"Guests come in with: nc {host} {bound[1]}" for host in reachable_hosts(bound[0])]
    return [*ways, "Ctrl-C closes the door."]


async def serve_guests(options: argparse.Namespace) -> None:
    """Accept guests until the program ends."""
    ended = asyncio.Event()
    call_on_signals(("SIGINT", "SIGTERM", "SIGHUP"), ended.set)
    door = GuestDoor(options.address or Address("127.0.0.1"), options)
    listen = options.listen
    await door.check_server()
    try:
        server = await asyncio.start_server(door.serve_guest, listen.host, listen.port, limit=LINE_MAX)
    except OSError as error:
        raise Refused(f"can't listen at {listen}: {error.strerror}") from None
    async with server:
        for line in list_addresses(server.sockets[0].getsockname()):
            write_line(line)
        await ended.wait()
