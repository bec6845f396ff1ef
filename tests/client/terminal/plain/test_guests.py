"""Guests with netcat: every game, both line ends, telnet's bytes, and a word to come back."""

import argparse
import asyncio
import contextlib
import socket
from contextlib import asynccontextmanager

import pytest

from gridgames_client.net.address import Address
from gridgames_client.options import parse_guests
from gridgames_client.terminal.plain.guests import GUESTS_MAX, GuestDoor, list_addresses
from gridgames_protocol.machine import own_addresses
from tests.wire import LOCAL, run, serving, until


@asynccontextmanager
async def a_door(server):
    """A door to a server; where guests come in."""
    options = argparse.Namespace(password=None, tls=False, fingerprint=None)
    door = GuestDoor(Address(server.host, server.port), options)
    server = await asyncio.start_server(door.serve_guest, LOCAL, 0, limit=10_000)
    async with server:
        try:
            yield door, server.sockets[0].getsockname()[1]
        finally:
            for writer in OPENED:
                writer.close()
                with contextlib.suppress(OSError):
                    await writer.wait_closed()
            OPENED.clear()
            await until(lambda: door.guests == 0)


OPENED = []  # what netcat has opened in a test


class Netcat:
    """Somebody with netcat."""

    def __init__(self, reader, writer, end):
        self.reader, self.writer, self.end, self.text = reader, writer, end, ""
        OPENED.append(writer)

    async def reads(self, words):
        """Read until some words have come; what came since the last time."""
        while words not in self.text:
            chunk = await self.reader.read(65_536)
            assert chunk, f"{words!r} never came: {self.text}"
            self.text += chunk.decode()
        before, _, self.text = self.text.partition(words)
        return before

    def types(self, *lines):
        for line in lines:
            self.writer.write(line.encode() + self.end)


async def enters(port, name, end=b"\n"):
    reader, writer = await asyncio.open_connection(LOCAL, port)
    guest = Netcat(reader, writer, end)
    await guest.reads("come back:")
    guest.types(name)
    await guest.reads("Your word to come back is ")
    word = (await guest.reads(".")).strip()
    await guest.reads("You are in the lobby.")
    return guest, word


GAMES = {
    "treasure-hunt-duel": [],
    "grid-hunt": [(1, "HIDE 2 3"), (2, "HIDE 5 5")],
    "grid-conquest": [(1, "C3"), (2, "A1")],
    "quantum-duel": [(1, "MOVE 3"), (1, "OBSERVE 5")],
    "secret-paths": [(1, "GOAL 2"), (2, "GOAL 4"), (1, "move to 4,2")],
}


@pytest.mark.parametrize("game", GAMES)
def test_two_guests_play(game):
    async def whole():
        async with serving() as server, a_door(server) as (_, port):
            ada, _ = await enters(port, "Ada")
            bob, _ = await enters(port, "Bob", b"\r\n")
            ada.types(f"create {game} first=host")
            await ada.reads("Then: join ")
            bob.types("join " + (await ada.reads("\r\n")).strip())
            for guest in (ada, bob):
                await guest.reads("Welcome to ")
            for seat, line in GAMES[game]:
                guest = ada if seat == 1 else bob
                await guest.reads("Your turn: ")
                guest.types(line)
            ada.types("/resign", "y")
            for guest in (ada, bob):
                await guest.reads("has resigned")
            ada.types("/save game.json")
            await ada.reads("A guest can't save games")

    run(whole())


def test_telnets_bytes_are_dropped_and_a_word_brings_back():
    async def whole():
        async with serving() as server, a_door(server) as (_, port):
            ada, word = await enters(port, "Ada")
            ada.writer.write(b"\xff\xfd\x01\xff\xfa\x18\x00VT100\xff\xf0help\r\n")
            await ada.reads("In the lobby, type one of these:")
            ada.writer.close()
            again, same = await enters(port, word)
            assert same == word
            again.types("create grid-hunt bot=easy", "/quit", "y")
            await again.reads("Your game is kept; come back with your word to go on.")

    run(whole())


def test_too_many_guests_are_sent_away_with_a_sentence():
    async def whole():
        async with serving() as server, a_door(server) as (door, port):
            door.guests = GUESTS_MAX
            reader, writer = await asyncio.open_connection(LOCAL, port)
            OPENED.append(writer)
            assert await reader.read() == b"There are too many guests already. Try again later.\r\n"
            door.guests = 0

    run(whole())


# The door -------------------------------------------------------------------------------------------------------------


def test_guests_are_told_every_address_that_they_can_type(monkeypatch):
    has = {socket.AF_INET: {"127.0.0.1", "10.77.1.1", "8.8.8.8"}, socket.AF_INET6: {"fd00::2"}}
    monkeypatch.setattr(own_addresses, "own_addresses", has.get)
    assert list_addresses(("0.0.0.0", 4744)) == [
        "Guests come in with: nc 10.77.1.1 4744",
        "Guests come in with: nc 8.8.8.8 4744",
        "Ctrl-C closes the door.",
    ]
    assert list_addresses(("192.168.1.20", 4744))[0] == "Guests come in with: nc 192.168.1.20 4744"


def test_a_door_may_listen_at_any_free_port():
    assert parse_guests(["--listen", "127.0.0.1:0"]).listen == Address("127.0.0.1", 0)
    with pytest.raises(SystemExit):
        parse_guests(["127.0.0.1:0"])
