"""Guests with netcat: every game, both line ends, telnet's bytes, and a word to come back."""

import argparse
import asyncio
import contextlib
import re
import socket
from contextlib import asynccontextmanager
from types import SimpleNamespace

import pytest

from gridgames_client.net.address import Address, Refused
from gridgames_client.options import parse_guests
from gridgames_client.state.controllers.controller import Controller
from gridgames_client.terminal.plain import guests
from gridgames_client.terminal.plain.guests import (
    GUESTS_MAX,
    KEPT_MAX,
    KEPT_PER_ADDRESS,
    LETTERS,
    MINUTE,
    NAMES,
    NAMES_WITHIN,
    NO_GAME,
    PER_ADDRESS,
    SEAT_KEPT,
    STRANGERS_MAX,
    TRIES,
    TRIES_OF_ALL,
    WELCOME,
    Guest,
    GuestDoor,
    GuestWords,
    Tries,
    list_addresses,
    make_limit_key,
)
from gridgames_client.terminal.plain.plain_app import Plain
from gridgames_protocol.machine import own_addresses
from tests.wire import LOCAL, program, run, serving, until


@asynccontextmanager
async def a_door(server, **more):
    """A door to a server; where guests come in."""
    options = argparse.Namespace(password=None, tls=False, fingerprint=None)
    door = GuestDoor(Address(server.host, server.port), options, **more)
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
            await until(lambda: not door.guests and not door.strangers)


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


def test_guests_are_told_when_a_game_was_and_what_a_friend_types(tmp_path):
    async def whole():
        async with program("--store", str(tmp_path / "games.sqlite")) as server, a_door(server) as (_, port):
            ada, _ = await enters(port, "Ada")
            ada.types("create quantum-duel")
            await ada.reads(f"The second player types: nc {LOCAL} {port}\r\n")
            ada.types("/leave", "create quantum-duel bot=easy first=host")
            await ada.reads("Your turn: ")
            ada.types("/resign", "y")
            await ada.reads("has resigned")
            ada.types("/leave", "history")
            await ada.reads("Quantum Duel against ")
            assert re.search(r", \d{4}-\d\d-\d\d \d\d:\d\d", await ada.reads("\r\n"))

    run(whole())


def test_a_guest_hears_the_bell_before_each_turn_until_it_is_off():
    async def whole():
        async with serving() as server, a_door(server) as (_, port):
            ada, _ = await enters(port, "Ada")
            ada.types("create grid-conquest bot=easy first=host")
            assert "\a" in await ada.reads("Your turn: ")
            ada.types("C3")
            assert "\a" in await ada.reads("Your turn: ")
            ada.types("/bell")
            await ada.reads("The bell is off.")
            ada.types("A1", "E5")  # the computer has claimed one of them at most
            assert "\a" not in await ada.reads("Your turn: ")

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


async def knocks(port, host="127.0.0.2"):
    """Somebody at another address who says nothing."""
    reader, writer = await asyncio.open_connection(LOCAL, port, local_addr=(host, 0))
    OPENED.append(writer)
    return Netcat(reader, writer, b"\n")


async def last_words(guest):
    """What is said to a guest up to the end."""
    return (await guest.reader.read()).decode().split("\r\n")[-2]


def test_too_many_guests_are_sent_away_with_a_sentence():
    async def whole():
        async with serving() as server, a_door(server) as (door, port):
            door.guests = {Guest(None, None, SimpleNamespace(in_game=True)): "elsewhere" for _ in range(GUESTS_MAX)}
            ada = await knocks(port)
            ada.types("Ada")
            assert await last_words(ada) == "There are too many guests already. Try again later."
            door.guests.clear()

    run(whole())


def test_whoever_has_a_seat_comes_back_with_the_word_through_a_full_door(monkeypatch):
    async def whole():
        times = [100.0]
        async with serving() as server, a_door(server, clock=lambda: times[0]) as (door, port):

            async def comes_back():
                guest = await knocks(port)
                guest.types(word)
                return guest

            ada, word = await enters(port, "Ada")
            kept = door.words.kept[word]
            assert (kept.connections, kept.seated_until) == (1, 0.0)
            monkeypatch.setattr(guests, "GUESTS_MAX", 1)
            ada.types("create grid-hunt bot=easy first=host")
            await ada.reads("Your turn: ")
            beside = await comes_back()  # the other connection of Ada may be lost without a word
            await beside.reads("Your turn: ")
            await until(lambda: kept.connections == 1)
            beside.writer.close()
            await until(lambda: not kept.connections)
            assert kept.seated_until == times[0] + SEAT_KEPT
            monkeypatch.setattr(guests, "GUESTS_MAX", 0)
            again = await comes_back()
            await again.reads("Your turn: ")
            again.types("/resign", "y")
            await again.reads("has resigned")
            again.types("quit")
            await until(lambda: not kept.connections)
            assert kept.seated_until == 0.0
            said = await last_words(await comes_back())
            assert said == "There are too many guests already. Try again later."

    run(whole())


def test_wrong_words_are_counted_at_a_full_door_too():
    words = GuestWords()
    for _ in range(TRIES):
        with pytest.raises(Refused, match="too many guests"):
            words.identify("aaaa-bbbb-cccc", "10.0.0.2", 1.0, is_full=True)
    with pytest.raises(Refused, match="Wait a minute"):
        words.identify("aaaa-bbbb-cccc", "10.0.0.2", 2.0, is_full=True)


def test_one_address_can_not_fill_the_door():
    async def whole():
        async with serving() as server, a_door(server) as (_, port):
            strangers = [await knocks(port) for _ in range(PER_ADDRESS)]
            for stranger in strangers:
                await stranger.reads("come back:")
            said = await last_words(await knocks(port))
            assert said == "There are too many guests of your address already. Try again later."
            await enters(port, "Ada")

    run(whole())


def test_a_newcomer_takes_the_place_of_a_silent_stranger_and_nobody_elses():
    async def whole():
        async with serving() as server, a_door(server) as (_, port):
            ada, _ = await enters(port, "Ada")
            one = await knocks(port, "127.0.0.3")
            await one.reads("come back:")
            crowd = []
            for number in range(STRANGERS_MAX - 1):
                crowd.append(await knocks(port, f"127.0.1.{number // PER_ADDRESS}"))
                await crowd[-1].reads("come back:")
            await enters(port, "Bob")
            assert await last_words(crowd[0]) == "Others wait at the door. Connect again to type your name."
            one.types("Cem")
            await one.reads("You are in the lobby.")
            ada.types("help")
            await ada.reads("In the lobby, type one of these:")

    run(whole())


async def enters_from(port, host, name):
    guest = await knocks(port, host)
    guest.types(name)
    await guest.reads("You are in the lobby.")
    return guest


def test_at_a_full_door_the_oldest_idle_guest_of_the_fullest_address_makes_place(monkeypatch):
    monkeypatch.setattr(guests, "GUESTS_MAX", 5)

    async def whole():
        async with serving() as server, a_door(server) as (door, port):
            alone = await enters_from(port, "127.0.0.3", "Ada")
            playing, idle, other, last = [await enters_from(port, "127.0.0.2", f"n{n}") for n in range(4)]
            playing.types("create grid-hunt bot=easy first=host")
            await playing.reads("Your turn: ")
            for host, gone in (("127.0.0.4", idle), ("127.0.0.5", other)):
                await enters_from(port, host, "Bob")
                assert await last_words(gone) == NO_GAME
            refused = await knocks(port, "127.0.0.2")
            refused.types("n4")
            assert await last_words(refused) == "There are too many guests already. Try again later."
            for guest in (alone, last):
                guest.types("help")
                await guest.reads("In the lobby, type one of these:")
            playing.types("/resign", "y")
            await playing.reads("has resigned")
            assert len(door.guests) == 5

    run(whole())


def test_a_wrong_word_at_a_full_door_takes_nobodys_place(monkeypatch):
    monkeypatch.setattr(guests, "GUESTS_MAX", 1)

    async def whole():
        async with serving() as server, a_door(server) as (_, port):
            ada, _ = await enters(port, "Ada")
            wrong = await knocks(port)
            wrong.types("aaaa-bbbb-cccc")
            assert (await last_words(wrong)).startswith("Nobody has that word.")
            ada.types("help")
            await ada.reads("In the lobby, type one of these:")

    run(whole())


def test_who_reads_nothing_makes_place_too(monkeypatch):
    monkeypatch.setattr(guests, "GUESTS_MAX", 1)
    monkeypatch.setattr(guests, "CLOSE_WITHIN", 0.0)

    async def whole():
        async with serving() as server, a_door(server) as (door, port):
            await enters(port, "Ada")
            [guest] = door.guests
            guest.writer.write(b"x" * 50_000_000)  # more than any kernel takes
            await enters_from(port, "127.0.0.2", "Bob")
            await until(guest.writer.transport.is_closing)
            await until(lambda: sum(kept.connections for kept in door.words.kept.values()) == 1)

    run(whole())


def test_who_says_no_name_is_not_waited_for_long():
    async def whole():
        async with serving() as server, a_door(server, hello_within=0.0) as (_, port):
            assert await last_words(await knocks(port)) == WELCOME[-1]

    run(whole())


def test_a_guest_who_reads_nothing_does_not_keep_a_place(monkeypatch):
    monkeypatch.setattr(guests, "CLOSE_WITHIN", 0.0)

    async def whole():
        async with serving() as server, a_door(server) as (door, port):
            ada, _ = await enters(port, "Ada")
            [guest] = door.guests
            guest.writer.write(b"x" * 50_000_000)  # more than any kernel takes
            ada.types("quit")
            await until(lambda: not door.guests)

    run(whole())


@pytest.mark.parametrize("buggy", [(Plain, "take_line"), (Controller, "on_message")], ids=["typing", "line"])
def test_a_bug_ends_one_guest_with_a_sentence_and_the_host_and_the_loop_hear_of_it(buggy, monkeypatch):
    def struck(*given):
        raise RuntimeError("planted")

    async def whole():
        said, heard = [], []
        asyncio.get_running_loop().set_exception_handler(lambda loop, context: heard.append(context["exception"]))
        async with serving() as server, a_door(server, tell=said.append) as (_, port):
            monkeypatch.setattr(*buggy, struck)
            ada = await knocks(port)
            ada.types("Ada", "help")
            assert await last_words(ada) == "Something went wrong."
            assert said == ["Something went wrong in this program (RuntimeError): a guest was cut off."]
            assert [str(error) for error in heard] == ["planted"]
            monkeypatch.undo()
            await enters(port, "Bob")

    run(whole())


# Words to come back ---------------------------------------------------------------------------------------------------


def test_two_hundred_short_visits_do_not_push_out_the_word_of_anybody_in_a_game():
    words = GuestWords()
    playing, away = words.identify("Ada", "10.0.0.1", 0.0), words.identify("Bob", "10.0.0.2", 0.0)
    words.kept[playing].connections = 1
    words.kept[away].seated_until = SEAT_KEPT
    for number in range(2 * KEPT_MAX):
        words.identify(f"guest {number}", f"10.1.0.{number}", 11.0 * number)
    assert len(words.kept) == KEPT_MAX
    assert {playing, away} <= words.kept.keys()
    words.kept[playing].connections = 0
    for number in range(2 * KEPT_MAX):
        words.identify(f"guest {number}", f"10.2.0.{number}", SEAT_KEPT + 11.0 * number)
    assert not {playing, away} & words.kept.keys(), "a word that nobody needs any more makes place"


def test_an_address_pushes_out_its_own_words_only():
    words = GuestWords()
    idle = words.identify("Ada", "10.0.0.1", 0.0)
    own = [words.identify("x", "10.0.0.2", 30.0 * number) for number in range(3 * KEPT_PER_ADDRESS)]
    assert [word for word in own if word in words.kept] == own[-KEPT_PER_ADDRESS:]
    assert idle in words.kept


def test_an_address_whose_words_are_all_in_use_gets_no_more():
    words = GuestWords()
    for number in range(KEPT_PER_ADDRESS):
        words.kept[words.identify("x", "10.0.0.2", 30.0 * number)].connections = 1
    with pytest.raises(Refused, match="Come back with your word"):
        words.identify("x", "10.0.0.2", 1_000.0)
    assert words.identify("Ada", "10.0.0.1", 1_000.0)


def test_words_are_hard_to_guess_and_easy_to_type():
    words = GuestWords()
    word = words.identify("Ada", "10.0.0.1", 0.0)
    assert len(LETTERS) ** 12 > 2**58
    assert words.identify(f" {word.upper()} ", "10.0.0.9", 0.0) == word


def test_wrong_words_are_limited_by_address_also_when_a_right_one_follows():
    words = GuestWords()
    word = words.identify("Ada", "10.0.0.1", 0.0)
    for _ in range(TRIES):
        with pytest.raises(Refused, match="Nobody has that word"):
            words.identify("aaaa-bbbb-cccc", "10.0.0.2", 1.0)
    for typed in ("aaaa-bbbb-cccc", word):
        with pytest.raises(Refused, match="Wait a minute"):
            words.identify(typed, "10.0.0.2", 2.0)
    assert words.identify(word, "10.0.0.1", 2.0) == word, "another address is not held up"
    assert words.identify(word, "10.0.0.2", 1.0 + MINUTE) == word


def test_who_comes_back_again_and_again_with_the_right_word_has_to_wait():
    words = GuestWords()
    word = words.identify("Ada", "10.0.0.2", 1.0)
    for _ in range(TRIES - 1):
        assert words.identify(word, "10.0.0.2", 1.0) == word
    with pytest.raises(Refused, match="Wait a minute"):
        words.identify(word, "10.0.0.2", 2.0)
    assert words.identify(word, "10.0.0.2", 1.0 + MINUTE) == word


def test_names_are_limited_by_address():
    words = GuestWords()
    for _ in range(TRIES):
        words.identify("x", "10.0.0.2", 1.0)
    with pytest.raises(Refused, match="Too many names"):
        words.identify("x", "10.0.0.2", 2.0)
    assert words.identify("x", "10.0.0.2", 1.0 + MINUTE)


def count_accepted(words, tried):
    """How many tries are let in; each is what is typed, the address and the time."""
    accepted = 0
    for typed, address, now in tried:
        with contextlib.suppress(Refused):
            words.identify(typed, address, now)
            accepted += 1
    return accepted


def test_a_flood_of_names_from_several_addresses_leaves_places_for_others():
    words, crowd = GuestWords(), [f"10.0.1.{number}" for number in range(5)]
    flood = [("x", address, minute * MINUTE) for minute in range(8) for _ in range(20) for address in crowd]
    assert count_accepted(words, flood) < NAMES
    for number in range(5):
        words.identify("x", f"10.0.2.{number}", 8 * MINUTE)
    with pytest.raises(Refused, match="Too many new guests"):
        words.identify("x", crowd[0], 8 * MINUTE)


def test_all_guests_together_leave_new_players_and_connections_for_others():
    """The server's own limits for one address: 128 new players and 6.4 a minute, 256 connections and 4 a second."""
    words, crowd = GuestWords(), [f"10.0.{number // 250}.{number % 250}" for number in range(500)]
    assert count_accepted(words, [("x", address, 0.0) for address in crowd]) == NAMES <= 64
    assert NAMES * MINUTE / NAMES_WITHIN < 6.4
    for kept in words.kept.values():
        kept.identity.token = "t"
    known = [(word, address, MINUTE) for word in words.kept for address in crowd]
    assert count_accepted(words, known) == TRIES_OF_ALL <= 4 * MINUTE / 2


def test_a_word_whose_owner_never_reached_the_server_counts_as_a_new_guest():
    words, crowd = GuestWords(), [f"10.0.1.{number}" for number in range(NAMES)]
    word = words.identify("x", "10.0.0.2", 0.0)
    assert count_accepted(words, [(word, address, 1.0) for address in crowd]) == NAMES - 1
    words.kept[word].identity.token = "t"
    assert words.identify(word, "10.0.0.2", 2.0) == word


def test_the_counted_tries_are_bounded():
    tries = Tries(MINUTE, TRIES, TRIES_OF_ALL)
    for number in range(3 * TRIES_OF_ALL):
        tries.try_spend(f"10.{number}", 0.0)
    assert len(tries.counted) == TRIES_OF_ALL


def test_a_network_of_ipv6_counts_as_one_address():
    assert make_limit_key("fd00::1:2:3:4") == make_limit_key("fd00::1") == "fd00::/64"
    assert make_limit_key("::ffff:10.0.0.1") == make_limit_key("10.0.0.1") == "10.0.0.1"


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
