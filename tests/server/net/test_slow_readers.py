"""Those who read slowly, or not at all: output is bounded, and nobody waits for them."""

import asyncio
import socket
from itertools import count
from types import SimpleNamespace

from gridgames_protocol.messages import Again, Room
from gridgames_server.connection import PARTING, Connection
from gridgames_server.limits import OUTPUT_MAX, STUCK_OUTPUT
from tests.server.strangers import SMALL, talk_until_something_waits, watching
from tests.server.tables import sit_down
from tests.wire import run, serving, until


def test_one_who_never_reads_is_cut_when_too_much_waits_and_the_game_goes_on():
    async def evening():
        async with serving(buffer=SMALL) as house:
            table = await sit_down(house, "grid-conquest")
            eve = await house.stranger(watching(table.room), buffer=SMALL)
            await table.seats[1].sees(Room, lambda room: room.watchers == 1)
            wire, most = house.wire(eve), 0
            while wire.is_open:
                if table.shown.turn:
                    await table.move()
                else:
                    await table.seats[1].says(Again)
                    await table.seats[2].says(Again)
                    await table.see(table.shown.rev + 1)
                most = max(most, wire.transport.get_write_buffer_size() if wire.is_open else 0)
            assert OUTPUT_MAX / 2 < most <= OUTPUT_MAX
            await table.seats[1].sees(Room, lambda room: room.watchers == 0)
            await table.end()

    run(evening())


def test_one_who_never_reads_is_cut_when_nothing_moves_for_a_while():
    async def evening():
        async with serving(buffer=SMALL) as house:
            table = await sit_down(house, "grid-conquest")
            eve = await house.stranger(watching(table.room), buffer=SMALL)
            await table.seats[1].sees(Room, lambda room: room.watchers == 1)
            wire = await talk_until_something_waits(house, table, eve)
            await house.later(STUCK_OUTPUT)
            assert wire.is_open
            await house.later(2)
            await table.seats[1].sees(Room, lambda room: room.watchers == 0)
            await table.end()

    run(evening())


def test_one_who_reads_slowly_is_let_be():
    async def evening():
        async with serving(buffer=SMALL) as house:
            table = await sit_down(house, "grid-conquest")
            eve = await house.stranger(watching(table.room), buffer=SMALL)
            await table.seats[1].sees(Room, lambda room: room.watchers == 1)
            for _ in range(3):
                wire = await talk_until_something_waits(house, table, eve)
                waiting = wire.transport.get_write_buffer_size()
                while wire.transport.get_write_buffer_size() == waiting:
                    await asyncio.get_running_loop().sock_recv(eve, 512)
                await house.later(STUCK_OUTPUT - 3)
            assert wire.is_open

    run(evening())


def test_one_who_never_reads_does_not_hold_up_the_end():
    async def evening():
        async with serving(buffer=SMALL) as house:
            table = await sit_down(house, "grid-conquest")
            eve = await house.stranger(watching(table.room), buffer=SMALL)
            await table.seats[1].sees(Room, lambda room: room.watchers == 1)
            await talk_until_something_waits(house, table, eve)
            async with asyncio.timeout(2):
                await house.service.stop()
            assert house.service.connections == {}

    run(evening())


def test_one_who_says_no_more_is_gone_at_once_although_something_still_waits_to_be_read():
    async def evening():
        async with serving(buffer=SMALL) as house:
            table = await sit_down(house, "grid-conquest")
            eve = await house.stranger(watching(table.room), buffer=SMALL)
            await table.seats[1].sees(Room, lambda room: room.watchers == 1)
            await talk_until_something_waits(house, table, eve)
            eve.shutdown(socket.SHUT_WR)
            await table.seats[1].sees(Room, lambda room: room.watchers == 0)
            assert len(house.service.connections) == 3
            await house.later(PARTING + 1)
            await until(lambda: len(house.service.connections) == 2)

    run(evening())


class Wire:
    """A transport of which only the output that waits is of interest."""

    waiting = 0

    def get_extra_info(self, what):
        return ("127.0.0.1", 4743)

    def get_write_buffer_size(self):
        return self.waiting


def test_output_that_waits_for_the_first_time_has_its_time_however_long_the_calm_was():
    service = SimpleNamespace(ids=count(1), tls=None, clock=lambda: 0.0, made=lambda connection: None)
    connection, wire = Connection(service), Wire()
    connection.connection_made(wire)
    assert connection.is_calm()
    late = 10 * STUCK_OUTPUT
    wire.waiting = connection.written = 50
    assert not connection.is_calm()
    assert connection.overdue(late) is None
    assert connection.overdue(late + STUCK_OUTPUT) is None
    assert connection.overdue(late + STUCK_OUTPUT + 1) == "does not read"
