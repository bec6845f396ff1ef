"""The shell from close by: what is written when, what waits for the disk, and what a bug leaves standing."""

import asyncio
import logging
import socket

from gridgames_protocol.codec import decode_push, encode
from gridgames_protocol.messages import (
    PROTOCOL,
    AskStatus,
    Bye,
    Create,
    Error,
    Event,
    Hello,
    Join,
    Ok,
    Ping,
    Play,
    Show,
)
from gridgames_server.core.limits import MESSAGE_WITHIN, OUTPUT_MAX, STUCK_OUTPUT
from gridgames_server.net.connection import Connection
from gridgames_server.net.service import encode_lines
from gridgames_server.serve import log_location
from tests.server.tcp_tables import sit_down
from tests.wire import Open, run, serving, turn


class Paper(asyncio.Transport):
    """A transport that only writes down what is done with it."""

    def __init__(self):
        super().__init__({"peername": ("192.168.1.7", 50_000), "sockname": ("192.168.1.20", 4743)})
        self.writes, self.closed = [], ""
        self.pauses = []  # of reading
        self.unread = 0  # bytes that the peer has not taken
        self.peer_is_gone = False

    def write(self, chunk):
        assert not self.closed
        self.writes.append(chunk)

    def write_eof(self):
        if self.peer_is_gone:
            raise OSError("Transport endpoint is not connected")
        self.closed = "our side"

    def abort(self):
        self.closed = "both sides"

    def pause_reading(self):
        self.pauses.append("pause")

    def resume_reading(self):
        self.pauses.append("resume")

    def get_write_buffer_size(self):
        return self.unread

    def messages(self):
        """Each write, as the messages in it."""
        return [[decode_push(line) for line in chunk.split(b"\n")[:-1]] for chunk in self.writes]


def connected(server: Open) -> tuple[Connection, Paper]:
    """A connection on paper."""
    connection, paper = server.service.new_connection(), Paper()
    connection.connection_made(paper)
    return connection, paper


def arrives(connection, chunk):
    """The loop has read some bytes."""
    while chunk:
        buffer = connection.get_buffer(-1)
        part, chunk = chunk[: len(buffer)], chunk[len(buffer) :]
        buffer[: len(part)] = part
        connection.buffer_updated(len(part))


def gone(*connections):
    for connection in connections:
        connection.connection_lost(None)


# Writing


def test_all_that_is_decided_for_a_connection_in_one_turn_leaves_in_one_write():
    async def scenario():
        async with serving() as server:
            (ada, ada_paper), (bob, bob_paper) = connected(server), connected(server)
            arrives(ada, encode(Hello(1, PROTOCOL, "Ada")) + encode(Create(2, "grid-conquest", "host")))
            await turn()
            arrives(bob, encode(Hello(1, PROTOCOL, "Bob")))
            await turn()
            ada_paper.writes.clear()
            bob_paper.writes.clear()

            (code,) = server.service.hub.rooms.by_code
            arrives(bob, encode(Join(2, code)))
            arrives(ada, encode(Play(3, "C3")) + encode(Ping(4)) + encode(AskStatus(5)))
            assert (ada_paper.writes, bob_paper.writes) == ([], [])
            await turn()
            assert [len(ada_paper.writes), len(bob_paper.writes)] == [1, 1]
            assert [word.rev for word in ada_paper.messages()[0] if isinstance(word, Show)] == [1, 2]
            assert [word.re for word in ada_paper.messages()[0] if hasattr(word, "re")] == [3, 4, 5]
            gone(ada, bob)

    run(scenario())


def test_what_is_too_much_for_one_write_does_not_pile_up():
    async def scenario():
        async with serving() as server:
            eve, paper = connected(server)
            for _ in range(3):
                arrives(eve, encode(AskStatus(1)) * 3_000)
            assert paper.writes
            assert max(map(len, paper.writes)) < OUTPUT_MAX + 300  # one status more
            gone(eve)

    run(scenario())


def test_the_last_words_and_the_close_come_in_their_order():
    async def scenario():
        async with serving() as server:
            eve, paper = connected(server)
            arrives(eve, encode(AskStatus(1)) + b"\xff\n" * 100 + encode(AskStatus(2)))
            assert paper.closed == "our side"
            (words,) = paper.messages()
            assert [type(word).__name__ for word in words] == ["Status", *["Error"] * 8, "Bye"]
            arrives(eve, encode(AskStatus(3)))
            await turn()
            assert len(paper.writes) == 1
            gone(eve)

    run(scenario())


def test_a_peer_that_is_gone_before_we_can_close_is_let_go():
    async def scenario():
        async with serving() as server:
            eve, paper = connected(server)
            paper.peer_is_gone = True
            arrives(eve, b"\xff\n" * 8)
            assert paper.closed == "both sides"
            gone(eve)

    run(scenario())


def test_small_writes_do_not_wait_for_larger_ones():
    async def scenario():
        async with serving() as server:
            ada = await server.guest("Ada")
            raw = server.wire(ada).transport.get_extra_info("socket")
            assert raw.getsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY)

    run(scenario())


# Time


def test_while_the_host_sleeps_no_wire_runs_out_of_time():
    async def scenario():
        async with serving() as server:
            ada, paper = connected(server)
            arrives(ada, encode(Hello(1, PROTOCOL, "Ada")) + b"\x82")
            await turn()
            paper.unread = 100
            await server.later(1)
            server.clock.now += 3_600
            server.service.tick()
            assert paper.closed == ""
            await server.later(max(MESSAGE_WITHIN, STUCK_OUTPUT) + 1)
            assert paper.closed
            gone(ada)

    run(scenario())


def test_who_comes_while_the_server_stops_is_told_so():
    async def scenario():
        async with serving() as server:
            stopping = asyncio.create_task(server.service.stop())
            await turn()
            ada, paper = connected(server)
            assert [word.code for word in paper.messages()[0]] == ["shutting_down"]
            gone(ada)
            await stopping

    run(scenario())


# The disk


class Disk:
    """Keeps records at once, or when the test says so."""

    def __init__(self):
        self.slow = self.is_disk_full = False
        self.waiting = []

    def save(self, records, kept):
        if self.slow:
            self.waiting.append(kept)
        else:
            kept()


def test_nothing_leaves_before_what_stands_before_it_is_on_disk():
    async def scenario():
        disk = Disk()
        async with serving(storage=disk) as server:
            table = await sit_down(server, "grid-conquest")
            ada, bob = table.seats.values()
            disk.slow = True
            ada.calls(Play, line="C3")
            pong = ada.calls(Ping)
            while not disk.waiting:
                await turn()
            bob_wire, ada_wire = server.wire(bob), server.wire(ada)
            assert (bob_wire.unsent, ada_wire.unsent) == (0, 0)

            disk.slow = False
            disk.waiting.pop()()
            assert isinstance(await ada.hears(), Ok | Event)
            assert (await bob.sees(Show)).rev == 2
            while not (isinstance(message := await ada.hears(), Ok) and message.re == pong):
                pass
            assert any(isinstance(word, Show) and word.rev == 2 for word in ada.heard)

    run(scenario())


# Bugs


def test_a_message_that_can_not_be_packed_is_told_as_our_fault(caplog):
    secret = Event("\ud800 canary", "system")
    before, told = map(decode_push, encode_lines((Ok(1), secret)).split(b"\n")[:2])
    assert before == Ok(1)
    assert isinstance(told, Error)
    assert told.code == "internal"
    assert "a message can't be encoded" in caplog.text
    assert "canary" not in caplog.text


def test_a_bug_outside_every_game_ends_one_connection_and_no_other(caplog):
    caplog.set_level(logging.INFO)

    def stumble(*given):
        raise ZeroDivisionError("canary")

    async def scenario():
        async with serving() as server:
            ada, eve = await server.guest("Ada"), await server.connection()
            loop, hub = asyncio.get_running_loop(), server.service.hub
            loop.set_exception_handler(log_location)
            loop.call_soon(stumble)
            receive, hub.bytes_received = hub.bytes_received, stumble
            eve.calls(AskStatus)
            assert await eve.reader.read() == b""
            hub.bytes_received = receive
            assert isinstance(await ada.says(Ping), Ok)
            await server.later(1)
            assert len(server.service.connections) == 1

    run(scenario())
    assert "bug in the connection of session 2: ZeroDivisionError at" in caplog.text
    assert "bug in the server: ZeroDivisionError at" in caplog.text
    assert "canary" not in caplog.text


def test_goodbye_reaches_everybody_when_the_server_stops():
    async def scenario():
        async with serving() as server:
            table = await sit_down(server, "secret-paths")
            stopping = asyncio.create_task(server.service.stop())
            for guest in table.seats.values():
                words = await guest.last_words()
                assert words[-1] == Bye("shutting_down", "The server is stopping. Try again in a while.")
                guest.cut()
            await stopping

    run(scenario())
