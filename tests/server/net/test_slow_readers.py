"""Those who read slowly, or not at all: output is bounded, and nobody waits for them."""

import asyncio
import socket
from types import SimpleNamespace

from gridgames_protocol.codec import encode
from gridgames_protocol.framing import SERVER_LINE_MAX
from gridgames_protocol.messages import CHAT_MAX, NAME_MAX, Event, Room
from gridgames_server.core.limits import OUTPUT_CAP, ROOM_CHATS, STUCK_OUTPUT
from gridgames_server.games.match import LINES_MAX, Match, make_closing
from gridgames_server.games.quantum_duel import QuantumDuel
from gridgames_server.net.connection import PARTING, Connection
from tests.server.raw_sockets import SMALL, chatter, talk_until_something_waits, watching
from tests.server.tcp_tables import sit_down
from tests.wire import run, serving


def test_one_who_never_reads_is_cut_when_too_much_waits_and_the_game_goes_on():
    async def scenario():
        async with serving(buffer=SMALL) as server:
            table = await sit_down(server, "grid-conquest")
            eve = await server.stranger(watching(table.room), buffer=SMALL)
            await table.seats[1].sees(Room, lambda room: room.watchers == 1)
            wire, most = server.wire(eve), 0
            while wire.is_open:
                await chatter(wire)
                most = max(most, wire.unsent if wire.is_open else 0)
            assert OUTPUT_CAP / 2 < most <= OUTPUT_CAP
            await table.seats[1].sees(Room, lambda room: room.watchers == 0)
            await table.end()

    run(scenario())


def test_one_who_never_reads_is_cut_when_nothing_moves_for_a_while():
    async def scenario():
        async with serving(buffer=SMALL) as server:
            table = await sit_down(server, "grid-conquest")
            eve = await server.stranger(watching(table.room), buffer=SMALL)
            await table.seats[1].sees(Room, lambda room: room.watchers == 1)
            wire = await talk_until_something_waits(server, table, eve)
            await server.later(STUCK_OUTPUT)
            assert wire.is_open
            await server.later(2)
            await table.seats[1].sees(Room, lambda room: room.watchers == 0)
            await table.end()

    run(scenario())


def test_one_who_reads_slowly_is_let_be():
    async def scenario():
        async with serving(buffer=SMALL) as server:
            table = await sit_down(server, "grid-conquest")
            eve = await server.stranger(watching(table.room), buffer=SMALL)
            await table.seats[1].sees(Room, lambda room: room.watchers == 1)
            for _ in range(3):
                wire = await talk_until_something_waits(server, table, eve)
                waiting = wire.transport.get_write_buffer_size()
                while wire.transport.get_write_buffer_size() == waiting:
                    await asyncio.get_running_loop().sock_recv(eve, 512)
                await server.later(STUCK_OUTPUT - 3)
            assert wire.is_open

    run(scenario())


def test_one_who_never_reads_does_not_hold_up_the_end():
    async def scenario():
        async with serving(buffer=SMALL) as server:
            table = await sit_down(server, "grid-conquest")
            eve = await server.stranger(watching(table.room), buffer=SMALL)
            await table.seats[1].sees(Room, lambda room: room.watchers == 1)
            await talk_until_something_waits(server, table, eve)
            async with asyncio.timeout(2):
                await server.service.stop()
            assert server.service.connections == {}

    run(scenario())


def test_a_peer_that_has_closed_is_gone_at_once_even_with_unread_output():
    async def scenario():
        async with serving(buffer=SMALL) as server:
            table = await sit_down(server, "grid-conquest")
            eve = await server.stranger(watching(table.room), buffer=SMALL)
            await table.seats[1].sees(Room, lambda room: room.watchers == 1)
            await talk_until_something_waits(server, table, eve)
            eve.shutdown(socket.SHUT_WR)
            await table.seats[1].sees(Room, lambda room: room.watchers == 0)
            assert len(server.service.connections) == 3
            await server.later(PARTING + 1)
            while len(server.service.connections) > 2:  # the system may still have taken some
                await server.later(1)

    run(scenario())


def longest_ending():
    """The bytes at the end of a game that has as many lines and secrets as there can be."""
    match, looks = Match(QuantumDuel(), bytes(32), 1), {1: ("2", "3"), 2: ("5", "6")}
    while not match.outcome:
        (seat,) = match.to_act()
        if match.state.moved:
            match.play(seat, f"OBSERVE {looks[seat][match.line_count // 4 % 2]}")
        else:
            match.play(seat, "STAY" if match.line_count > 3 else f"MOVE {1 if seat == 1 else 7}")
    assert match.line_count == LINES_MAX
    return b"".join(map(encode, make_closing(match)))


def test_all_that_a_reader_can_be_sent_at_once_fits_into_the_bound():
    chat = encode(Event("\U0001f600" * CHAT_MAX, "chat", 1, "\U0001f600" * NAME_MAX))
    assert len(longest_ending()) + 3 * ROOM_CHATS * len(chat) + SERVER_LINE_MAX < OUTPUT_CAP
    assert 2 * (len(longest_ending()) + 3 * ROOM_CHATS * len(chat) + SERVER_LINE_MAX) > OUTPUT_CAP


class Wire:
    """A transport of which only the output that waits is of interest."""

    waiting = 0

    def get_extra_info(self, what):
        return ("127.0.0.1", 4743)

    def get_write_buffer_size(self):
        return self.waiting


def test_output_that_waits_for_the_first_time_has_its_time_however_long_the_calm_was():
    owner = SimpleNamespace(clock=lambda: 0.0, connection_opened=lambda connection: None)
    connection, wire = Connection(owner, 1), Wire()
    connection.connection_made(wire)
    assert connection.find_overdue(0) is None
    late = 10 * STUCK_OUTPUT
    wire.waiting = 50
    assert connection.find_overdue(late) is None
    assert connection.find_overdue(late + STUCK_OUTPUT) is None
    assert connection.find_overdue(late + STUCK_OUTPUT + 1) == "does not read"
