"""TLS handshakes are done one step at a time, each address in turn, and an address begins only so many."""

import asyncio
from collections import deque

import pytest

from gridgames_protocol.messages import Ping
from gridgames_server.core.limits import HANDSHAKE_PAUSE, TLS_WITHIN
from gridgames_server.net.connection import Connection
from gridgames_server.net.tls import HandshakeQueue
from tests.server.net.test_tls import Tls, contexts
from tests.wire import run, serving, until


class Timers:
    """A loop's timers, which the test lets fire one by one."""

    def __init__(self):
        self.calls, self.pauses = deque(), []

    def call_later(self, delay, call):
        self.pauses.append(delay)
        self.calls.append(call)

    def fire(self):
        self.calls.popleft()()


class Peer:
    def __init__(self, address, steps):
        self.address, self.steps = address, steps


def note_step(peer):
    peer.steps.append(peer.address)


def test_there_is_a_pause_after_each_step_and_addresses_take_turns():
    timers, steps = Timers(), []
    queue = HandshakeQueue(note_step, timers.call_later, lambda: 0.0)
    for address in ["a", "a", "a", "a", "b", "c", "b"]:
        queue.put(Peer(address, steps))
    assert steps == ["a"]
    for _ in range(6):
        timers.fire()
    assert steps == ["a", "a", "b", "c", "a", "b", "a"]
    assert timers.pauses == [HANDSHAKE_PAUSE] * 7


def test_the_pause_after_a_long_step_is_twice_as_long():
    timers, times = Timers(), iter([0.0, 0.25, 1.0, 1.001])
    queue = HandshakeQueue(note_step, timers.call_later, lambda: next(times))
    queue.put(Peer("a", []))
    queue.put(Peer("a", []))
    timers.fire()
    assert timers.pauses == [0.5, HANDSHAKE_PAUSE]


def test_a_step_after_a_calm_time_does_not_wait():
    timers, steps = Timers(), []
    queue = HandshakeQueue(note_step, timers.call_later, lambda: 0.0)
    queue.put(Peer("a", steps))
    timers.fire()
    assert not timers.calls
    queue.put(Peer("b", steps))
    assert steps == ["a", "b"]


@pytest.fixture
def begun(monkeypatch):
    """The connections whose handshakes were begun, in order."""
    found, go_on = [], Connection.continue_handshake

    def note(connection):
        found.append(connection.id)
        go_on(connection)

    monkeypatch.setattr(Connection, "continue_handshake", note)
    return found


def test_an_address_begins_only_so_many_handshakes(begun):
    async def scenario():
        async with serving(tls=contexts(), rate=20, max_per_address=8) as server:
            loop, crowd = asyncio.get_running_loop(), 8  # what an address may save up
            for _ in range(crowd):
                stranger = await server.stranger(Tls().shakes())
                assert await loop.sock_recv(stranger, 1) == b"\x16"
                stranger.close()
                await until(lambda: not server.service.connections)
            assert await loop.sock_recv(await server.stranger(Tls().shakes()), 1) == b""
            assert len(begun) == crowd
            await server.later(2)  # one comes in every two seconds
            assert await loop.sock_recv(await server.stranger(Tls().shakes()), 1) == b"\x16"

    run(scenario())


def test_the_rest_of_a_hello_waits_for_its_turn_too(begun):
    async def scenario():
        async with serving(tls=contexts()) as server:
            loop, hello = asyncio.get_running_loop(), Tls().shakes()
            strangers = [await server.stranger(hello[:100]) for _ in range(5)]
            await until(lambda: len(begun) == 5)
            for stranger in strangers:
                await loop.sock_sendall(stranger, hello[100:])
            steps = [len(begun)]
            while len(begun) < 10:
                await asyncio.sleep(0)
                if len(begun) != steps[-1]:
                    steps.append(len(begun))
            assert steps == [5, 6, 7, 8, 9, 10]

    run(scenario())


def test_whoever_waits_for_a_turn_is_not_cut_for_being_slow(begun):
    async def scenario():
        async with serving(tls=contexts()) as server:
            server.service._handshakes._is_paused = True
            coming = asyncio.create_task(server.guest("Ada"))
            await until(lambda: server.service._handshakes._waiting)
            await server.later(TLS_WITHIN + 2)
            assert not begun
            server.service._handshakes._next()
            ada = await coming
            await ada.says(Ping)

    run(scenario())
