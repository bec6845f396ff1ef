"""Devices that mean harm or are merely broken, on real connections, while a game goes on next to them."""

import asyncio
import socket
import tracemalloc
from contextlib import suppress

import msgpack
import pytest

from gridgames_protocol.codec import encode
from gridgames_protocol.framing import CLIENT_LINE_MAX, stuff
from gridgames_protocol.messages import (
    PROTOCOL,
    Again,
    AskStatus,
    Bye,
    Error,
    Event,
    Hello,
    Ok,
    Ping,
    Room,
    Status,
)
from gridgames_server.core.limits import (
    BAD_LINES_MAX,
    HELLO_WITHIN,
    MESSAGE_WITHIN,
    READ_SIZE,
    SILENCE,
    STUCK_OUTPUT,
    SURPLUS,
    SURPLUS_PER_ADDRESS,
    Limits,
)
from gridgames_server.net.connection import PARTING
from tests.server.raw_sockets import SMALL, messages, talk_until_something_waits, watching
from tests.server.tcp_tables import sit_down
from tests.wire import read_all, run, serving, turn, until

RATE = Limits().rate
GARBAGE = (
    b"\xc1\xff",
    b"\x93\x01\x02\x03",
    b"\xff" * 40,
    b"\x81",
    b"\x00\x01\x02",
    b"\xdf\xff\xff\xff\xff",
    b"\x80\x80",
)


def padded(size):
    """A request whose line has so many bytes, its LF included."""
    bare = len(stuff(msgpack.packb({"type": "status", "id": 1, "padding": b"." * 300})))
    line = stuff(msgpack.packb({"type": "status", "id": 1, "padding": b"." * (300 + size - bare)}))
    assert len(line) == size
    return line


# Lines


def test_a_line_of_the_full_length_is_read_and_one_byte_more_is_dropped_up_to_its_lf():
    async def scenario():
        async with serving() as server:
            ada = await server.connection()
            ada.writer.write(padded(CLIENT_LINE_MAX) + padded(CLIENT_LINE_MAX + 1) + encode(AskStatus(2)))
            assert isinstance(await ada.hears(), Status)
            assert (await ada.hears()).code == "too_long"
            assert (await ada.hears()).re == 2

    run(scenario())


def test_a_line_may_come_byte_by_byte():
    async def scenario():
        async with serving() as server:
            ada = await server.guest("Ada")
            wire = server.wire(ada)
            for byte in encode(Ping(7))[:-1]:
                ada.writer.write(bytes([byte]))
                await until(lambda: wire._splitter.pending)
                await turn()
            ada.writer.write(b"\n")
            await ada.sees(Ok, lambda reply: reply.re == 7)

    run(scenario())


@pytest.mark.parametrize("garbage", GARBAGE)
def test_the_eighth_line_that_is_no_message_gets_its_error_and_then_goodbye(garbage):
    async def scenario():
        async with serving() as server:
            stranger = await server.stranger((garbage + b"\n") * 20)
            *errors, bye = messages(await read_all(stranger))
            assert [error.code for error in errors] == ["bad_line"] * BAD_LINES_MAX
            assert isinstance(bye, Bye)

    run(scenario())


def test_the_last_words_arrive_although_much_that_was_sent_will_never_be_read():
    async def scenario():
        async with serving() as server:
            stranger = await server.stranger(b"\xff\n" * 10 + b"." * 4 * READ_SIZE)
            assert isinstance(messages(await read_all(stranger))[-1], Bye)

    run(scenario())


def test_one_who_says_no_more_still_gets_the_answers():
    async def scenario():
        async with serving() as server:
            stranger = await server.stranger(encode(AskStatus(1)) + encode(AskStatus(2)))
            stranger.shutdown(socket.SHUT_WR)
            assert [status.re for status in messages(await read_all(stranger))] == [1, 2]
            await until(lambda: not server.service.connections)

    run(scenario())


# Time


def test_a_byte_a_second_does_not_keep_a_line_alive():
    async def scenario():
        async with serving() as server:
            eve = await server.guest("Eve")
            wire = server.wire(eve)
            for _ in range(MESSAGE_WITHIN + 1):
                await server.later(1)
                assert wire.is_open
                eve.writer.write(b"\x81")
                await until(lambda: server.service.hub.sessions[wire.id].last_input == server.clock.now)
            await server.later(1)
            assert (await eve.last_words())[-1].code == "slow"

    run(scenario())


def test_a_line_without_end_is_refused_once_and_then_runs_out_of_time():
    async def scenario():
        async with serving() as server:
            eve = await server.guest("Eve")
            eve.writer.write(b"." * 3 * CLIENT_LINE_MAX)
            assert (await eve.sees(Error)).code == "too_long"
            await server.later(MESSAGE_WITHIN + 1)
            assert [word.code for word in (await eve.last_words()) if isinstance(word, Bye | Error)] == ["slow"]

    run(scenario())


def test_a_line_that_starts_behind_a_dropped_one_has_its_whole_time():
    async def scenario():
        async with serving() as server:
            ada = await server.guest("Ada")
            ada.writer.write(b"." * CLIENT_LINE_MAX)
            assert (await ada.sees(Error)).code == "too_long"
            await server.later(MESSAGE_WITHIN - 1)
            ping = encode(Ping(7))
            ada.writer.write(b"\n" + ping[:3])
            await until(lambda: server.wire(ada)._line_since == server.service.clock())
            await server.later(MESSAGE_WITHIN - 1)
            ada.writer.write(ping[3:])
            await ada.sees(Ok, lambda reply: reply.re == 7)

    run(scenario())


def test_a_line_begun_right_after_the_host_slept_has_no_extra_time():
    async def scenario():
        async with serving() as server:
            eve = await server.guest("Eve")
            server.clock.now += 1_000
            eve.writer.write(b"\x81")
            await until(lambda: server.wire(eve)._line_since == server.service.clock())
            await server.later(MESSAGE_WITHIN + 2)
            assert (await eve.last_words())[-1].code == "slow"

    run(scenario())


def test_who_never_says_hello_is_sent_away():
    async def scenario():
        async with serving() as server:
            stranger = await server.stranger()
            await until(lambda: server.service.connections)
            await server.later(HELLO_WITHIN + 1)
            assert messages(await read_all(stranger))[-1].code == "hello_first"

    run(scenario())


def test_a_connection_that_is_only_half_there_is_taken_for_dead_and_its_seat_is_held():
    async def scenario():
        async with serving() as server:
            table = await sit_down(server, "grid-conquest")
            ada, bob = table.seats.values()
            await server.later(SILENCE - 5)
            await bob.says(Ping)
            await server.later(6)
            await bob.sees(Event, lambda event: event.text == "Player 1 is away, and can return.")
            assert len(server.service.connections) == 2, "there is time for the last words"
            await server.later(PARTING + 1)
            await until(lambda: len(server.service.connections) == 1)
            table.seats[1], _ = await server.returns(ada)
            await bob.sees(Room, lambda room: all(holder.online for holder in room.seats))
            await table.end()

    run(scenario())


# Numbers


def test_a_flood_is_told_to_slow_down_and_then_cut_while_others_are_answered():
    async def scenario():
        async with serving(rate=RATE) as server:
            table = await sit_down(server, "grid-conquest")
            eve = await server.guest("Eve")
            for _ in range(10 * RATE):
                eve.calls(Ping)
            await table.move()
            *replies, bye = [word for word in await eve.last_words() if isinstance(word, Ok | Error | Bye)]
            kinds = [reply.code if isinstance(reply, Error) else "ok" for reply in replies]
            oks = kinds.count("ok")
            assert kinds == ["ok"] * oks + ["too_fast"] * (len(kinds) - oks)
            assert RATE <= oks <= 3 * RATE
            assert bye.code == "too_fast"
            await table.move()

    run(scenario())


def test_one_too_many_is_told_so_and_a_place_that_becomes_free_is_taken():
    async def scenario():
        async with serving(max_players=2) as server:
            ada = await server.guest("Ada")
            await server.guest("Bob")
            eve = await server.connection()
            eve.calls(Hello, protocol=PROTOCOL, name="Eve")
            (bye,) = await eve.last_words()
            assert bye == Bye("server_full", "This server is full. Try again later.")
            ada.cut()
            await until(lambda: len(server.service.hub.sessions) == 1)
            await server.guest("Eve")

    run(scenario())


def test_who_has_a_seat_comes_back_however_many_others_wait_at_the_address():
    async def scenario():
        async with serving(max_per_address=3) as server:
            table = await sit_down(server, "grid-hunt")
            table.seats[1].cut()
            await table.seats[2].sees(Room, lambda room: not room.seats[0].online)
            for _ in range(3 * SURPLUS_PER_ADDRESS):  # none of them says or reads anything
                await server.stranger()
            assert (await server.returns(table.seats[1]))[1].room == table.room

    run(scenario())


@pytest.mark.parametrize(
    ("limits", "places"),
    [({"max_per_address": 3}, 3 + SURPLUS_PER_ADDRESS), ({"max_players": 3, "max_per_address": 99}, 3 + SURPLUS)],
)
def test_far_too_many_are_cut_without_a_word(limits, places):
    async def scenario():
        async with serving(**limits) as server:
            strangers = [await server.stranger() for _ in range(places)]
            await until(lambda: len(server.service.connections) == places)
            told = messages(await read_all(strangers[-1]))
            assert [bye.code for bye in told] == ["server_full"]
            assert await read_all(await server.stranger()) == b""
            assert len(server.service.connections) == places

            await server.later(PARTING + 1)
            await until(lambda: len(server.service.connections) == 3)
            strangers[0].close()
            await until(lambda: len(server.service.connections) == 2)
            await server.guest("Ada")

    run(scenario())


# All of them at once


async def garble(server, number):
    """Send many lines that are none, and get the goodbye."""
    lines = [bytes([128 + number % 16]) + GARBAGE[turn % len(GARBAGE)] for turn in range(100)]
    stranger = await server.stranger(b"\n".join(lines) + b"\n")
    assert isinstance(messages(await read_all(stranger))[-1], Bye)


async def flood(server):
    """Send fifty megabytes of requests, and do not read."""
    stranger = await server.stranger(encode(Hello(1, PROTOCOL, "flood")))
    pings = encode(Ping(2)) * 5_000
    with suppress(ConnectionError):  # it is cut before long
        for _ in range(50_000_000 // len(pings)):
            await asyncio.get_running_loop().sock_sendall(stranger, pings)


async def trickle(server):
    """Begin a line and leave it at that."""
    await server.stranger(encode(Hello(1, PROTOCOL, "trickle")) + b"\x85")


def test_hostile_devices_do_not_disturb_a_game_and_memory_stays_bounded():
    async def scenario():
        async with serving(rate=5 * RATE, buffer=SMALL) as server:
            table = await sit_down(server, "grid-conquest")
            deaf = await server.stranger(watching(table.room), buffer=SMALL)
            await table.seats[1].sees(Room, lambda room: room.watchers == 1)
            await talk_until_something_waits(server, table, deaf)
            tracemalloc.start()
            before, _ = tracemalloc.get_traced_memory()
            async with asyncio.TaskGroup() as hostile:
                hostile.create_task(flood(server))
                hostile.create_task(trickle(server))
                for number in range(40):
                    hostile.create_task(garble(server, number))
                over = await table.end()
            _, peak = tracemalloc.get_traced_memory()
            tracemalloc.stop()
            assert over.winner
            assert peak - before < 4_000_000, "with what the hostile ones hold themselves"

            await server.later(max(MESSAGE_WITHIN, STUCK_OUTPUT) + 2)
            await until(lambda: len(server.service.hub.sessions) == 2)
            assert isinstance(await table.seats[1].says(Again), Ok)

    run(scenario())
