"""Lets guests play with netcat or telnet: each connection is a player in plain lines."""

import argparse
import asyncio
import contextlib
import ipaddress
import re
import secrets
import time
from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from pathlib import Path

from gridgames_client.net.address import Address, OtherCertificate, Refused, check_certificate, open_connection
from gridgames_client.net.connection import DEFAULT_TIMEOUTS, Connection
from gridgames_client.net.credentials import Identity, refuse_dropped_tls, trust_first_certificate
from gridgames_client.state.controllers.controller import Controller
from gridgames_client.state.model import Model
from gridgames_client.terminal.plain.plain_app import Plain
from gridgames_client.terminal.stdio import LINE_MAX, format_time
from gridgames_protocol.machine.output import print_line
from gridgames_protocol.machine.own_addresses import plain_address, reachable_hosts
from gridgames_protocol.machine.signals import call_on_signals

GUESTS_MAX = 32  # at once; all of them are one address to the server
STRANGERS_MAX = 32  # connections that have not said a name yet; one of them makes place for a newcomer
PER_ADDRESS = 8  # connections of one address at once: a family fits, and one machine can't fill the door
KEPT_MAX = 200  # guests who can come back with their word
KEPT_PER_ADDRESS = 20  # of one address, so that nobody's words push out those of others
SEAT_KEPT = 86_400.0  # seconds that the word of somebody in a game is kept for sure; the room is closed by then
GUEST_COLUMNS = 80  # nobody tells how wide their window is
UNSENT_MAX = 256_000  # bytes that a guest may leave unread
HELLO_WITHIN = 30.0  # seconds for a stranger to say a name
CLOSE_WITHIN = 5.0  # seconds for a guest to read the last lines
MINUTE = 60.0  # seconds for which a try is counted
# To the server all guests are one address. What follows leaves half of its allowance to players on this machine.
TRIES = 10  # names and words, a minute and address: each may be a connection to the server
TRIES_OF_ALL = 120  # a minute: the server takes 240 connections
NAMES = 60  # new guests within NAMES_WITHIN: each may be a new player, and the server takes 128 and 6.4 a minute
NAMES_WITHIN = 600.0
LETTERS = "abcdefghjkmnpqrstuvwxyz23456789"  # of a word; none looks like another
WORD = re.compile(rf"[{LETTERS}]{{4}}(-[{LETTERS}]{{4}}){{2}}")  # 59 bits, and no name that people have
# Telnet's control bytes: an option of three bytes, a command of two, or a subnegotiation.
TELNET = re.compile(rb"\xff(?:\xfa.*?\xff\xf0|[\xfb-\xfe].|[\xf0-\xf9])", re.DOTALL)
KEPT = "Your game is kept; come back with your word to go on."
NO_NAME = "Others wait at the door. Connect again to type your name."
NO_GAME = "The door is full, and you are in no game: somebody else has your place. Come back later with your word."
WELCOME = (
    "Welcome to gridgames. Your terminal shows what you type: turn the screen away before you type a secret.",
    "Type your name, or the word that you were given to come back:",
)


@dataclass
class Tries:
    """What all addresses have tried lately. Each may try as often as is left for all others, and no more."""

    seconds: float  # for which a try is counted
    most: int  # of one address
    most_of_all: int
    counted: list[tuple[float, str]] = field(default_factory=list)  # when, and the address

    def try_spend(self, address: str, now: float) -> bool:
        """Count a try of an address. False if it has to wait."""
        self.counted = [(at, other) for at, other in self.counted if now - at < self.seconds]
        own = sum(other == address for _, other in self.counted)
        if own >= min(self.most, self.most_of_all - len(self.counted)):
            return False
        self.counted.append((now, address))
        return True


@dataclass
class KeptGuest:
    """A guest who may come back with a word."""

    identity: Identity
    address: str
    connections: int = 0
    seated_until: float = 0.0  # a game waits for them until then, if they are not connected

    def is_free(self, now: float) -> bool:
        """True if nobody loses anything when the word is forgotten."""
        return not self.connections and self.seated_until <= now


@dataclass
class GuestWords:
    """The words of the guests, by which they come back. The oldest are forgotten, but none that is in use."""

    kept: dict[str, KeptGuest] = field(default_factory=dict)  # by word
    tries: Tries = field(default_factory=lambda: Tries(MINUTE, TRIES, TRIES_OF_ALL))
    names: Tries = field(default_factory=lambda: Tries(NAMES_WITHIN, NAMES, NAMES))

    def identify(self, typed: str, address: str, now: float, is_full: bool = False) -> str:
        """The word of a guest: that of an earlier visit, or a new one. Refused says why there is none.

        If the door is full, only those whose seat is kept come in.
        """
        word = typed.strip().lower()
        if not self.tries.try_spend(address, now):
            raise Refused("Too many names and words from your address. Wait a minute.")
        if word in self.kept and not (is_full and self.kept[word].is_free(now)):
            if self.kept[word].identity.token is None:
                self._count_new_guest(address, now)
            return word
        if is_full:
            raise Refused("There are too many guests already. Try again later.")
        if WORD.fullmatch(word):
            raise Refused("Nobody has that word. Connect again and type it as it was given to you, or a name.")
        self._count_new_guest(address, now)
        own = [word for word, guest in self.kept.items() if guest.address == address]
        if len(own) >= KEPT_PER_ADDRESS:
            self._forget_one(own, now)
        elif len(self.kept) >= KEPT_MAX:
            self._forget_one(list(self.kept), now)
        name = "".join(char for char in typed if char.isalnum() or char in "-_. ").strip()[:16]
        word = "-".join("".join(secrets.choice(LETTERS) for _ in range(4)) for _ in range(3))
        self.kept[word] = KeptGuest(Identity(name or None), address)
        return word

    def _count_new_guest(self, address: str, now: float) -> None:
        """Count a guest whom the server does not know. Refused if there were too many."""
        if not self.names.try_spend(address, now):
            raise Refused("Too many new guests have come in the last minutes. Wait some minutes.")

    def _forget_one(self, words: list[str], now: float) -> None:
        """Forget the oldest of these words that nobody needs."""
        free = next((word for word in words if self.kept[word].is_free(now)), None)
        if free is None:
            raise Refused("Too many guests have a game here already. Come back with your word.")
        del self.kept[free]


@dataclass
class GuestDoor:
    """The connected guests, and those who may come back."""

    server: Address
    options: argparse.Namespace
    tell: Callable[[str], None] = print_line  # what the host reads
    hello_within: float = HELLO_WITHIN
    clock: Callable[[], float] = time.monotonic
    words: GuestWords = field(default_factory=GuestWords)
    guests: "dict[Guest, str]" = field(default_factory=dict)  # those who have said a name: their address
    strangers: "dict[Guest, str]" = field(default_factory=dict)  # the others; in both the oldest are first

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
        address = make_limit_key(writer.get_extra_info("peername")[0])
        guest = Guest(reader, writer)
        try:
            if [*self.guests.values(), *self.strangers.values()].count(address) >= PER_ADDRESS:
                guest.write("There are too many guests of your address already. Try again later.")
                return
            if len(self.strangers) >= STRANGERS_MAX:
                displace(self.strangers, find_crowded(self.strangers, self.strangers), NO_NAME)
            self.strangers[guest] = address
            await self.let_in(guest, address)
        except Refused as refused:
            with contextlib.suppress(OSError):
                guest.write(str(refused))
        except (OSError, TimeoutError):
            pass  # the guest has disconnected
        finally:
            self.strangers.pop(guest, None)
            self.guests.pop(guest, None)
            await close(writer)

    def find_idle(self, address: str) -> "Guest | None":
        """The guest without a game whose place a newcomer takes: of an address that has more guests."""
        counts = Counter(self.guests.values())
        idle = [one for one, at in self.guests.items() if not one.in_game and counts[at] > counts[address]]
        return find_crowded(idle, self.guests)

    async def let_in(self, guest: "Guest", address: str) -> None:
        """Ask for the name or the word, and play."""
        for line in WELCOME:
            guest.write(line)
        async with asyncio.timeout(self.hello_within):
            typed = await guest.read()
        if guest not in self.strangers:
            raise Refused(NO_NAME)
        if typed is None:
            return
        is_full = len(self.guests) >= GUESTS_MAX
        idle = self.find_idle(address) if is_full else None
        word = self.words.identify(typed, address, self.clock(), is_full=is_full and idle is None)
        displace(self.guests, idle, NO_GAME)
        self.guests[guest] = self.strangers.pop(guest)
        guest.write(f"Your word to come back is {word}. Do not tell it to anybody.")
        kept = self.words.kept[word]
        kept.connections += 1
        try:
            await guest.play(self, kept)
        finally:
            kept.connections -= 1


def find_crowded(some: "Iterable[Guest]", addresses: "dict[Guest, str]") -> "Guest | None":
    """The first of some guests of the address that has the most of all; None if there are none."""
    counts = Counter(addresses.values())
    return max(some, key=lambda guest: counts[addresses[guest]], default=None)


def displace(places: "dict[Guest, str]", guest: "Guest | None", why: str) -> None:
    """Take a guest's place, if there is one."""
    if guest is not None:
        del places[guest]
        guest.reader.set_exception(Refused(why))


def make_limit_key(host: str) -> str:
    """What limits count: an IPv4 address, or an IPv6 /64 network, since one host can use a whole network."""
    address = plain_address(host)
    return str(ipaddress.ip_network((address, 64), strict=False)) if address.version == 6 else str(address)


async def close(writer: asyncio.StreamWriter) -> None:
    """Close a guest's connection, also if the guest does not read."""
    writer.close()
    with contextlib.suppress(OSError):
        async with asyncio.timeout(CLOSE_WITHIN):  # a TimeoutError is an OSError
            await writer.wait_closed()
    writer.transport.abort()


@dataclass(eq=False)
class Guest:
    """The connection of one guest."""

    reader: asyncio.StreamReader
    writer: asyncio.StreamWriter
    model: Model | None = None  # of one who plays

    @property
    def in_game(self) -> bool:
        """True for a player of a running game."""
        return self.model is not None and self.model.in_game

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

    async def play(self, door: GuestDoor, kept: KeptGuest) -> None:
        """Play until one side ends."""
        self.model = model = Model(str(door.server), tls=door.options.tls)
        host, port = self.writer.get_extra_info("sockname")[:2]
        model.friend_types = f"nc {plain_address(host)} {port}"
        controller = Controller(
            model, lambda request: None, lambda what: None, refuse_to_save, time.monotonic, format_time
        )
        table = Plain(controller, self.write, later=asyncio.get_running_loop().call_soon)
        table.count_columns = lambda: GUEST_COLUMNS
        table.goodbye_in_game = KEPT
        table.ring = lambda: self.writer.write(b"\a")
        options = door.options
        connection = Connection(
            door.server,
            kept.identity,
            controller,
            password=options.password,
            tls=options.tls,
            find_other_certificate=door.find_other_certificate,
            fingerprint=options.fingerprint,
        )
        controller.ask = connection.ask
        try:
            await self.follow(table, connection, door.tell)
        finally:
            kept.seated_until = door.clock() + SEAT_KEPT if model.in_game else 0.0

    async def follow(self, table: Plain, connection: Connection, tell: Callable[[str], None]) -> None:
        """Pass lines both ways until one side ends. `tell` tells the host what no guest should read."""
        line, typing = asyncio.create_task(connection.run()), asyncio.create_task(self.type_lines(table, connection))
        try:
            await asyncio.wait({line, typing}, return_when=asyncio.FIRST_COMPLETED)
            if connection.is_connected:
                table.controller.say_goodbye()
                await asyncio.wait({line}, timeout=0.5)
        finally:
            for task in (line, typing):
                task.cancel()
            ended = await asyncio.gather(line, typing, return_exceptions=True)
        for error in ended:
            self.explain(error, tell)

    def explain(self, error: BaseException | None, tell: Callable[[str], None]) -> None:
        """Tell the guest why the game ends, and the host what no guest should read."""
        match error:
            case None | asyncio.CancelledError() | OSError():  # the guest has disconnected
                pass
            case OtherCertificate():  # it names a file of the host's
                tell(str(error))
                self.write("The server is not the one that it was. The host knows more.")
            case Refused():
                self.write(str(error))
            case _:
                tell(f"Something went wrong in this program ({type(error).__name__}): a guest was cut off.")
                loop = asyncio.get_running_loop()
                loop.call_exception_handler({"message": "A guest was cut off", "exception": error})
                self.write("Something went wrong.")

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
            print_line(line)
        await ended.wait()
