"""Being found on the network: a short answer to a call, silence to everything else, and no way to flood others."""

import asyncio
import socket
from contextlib import asynccontextmanager

import msgpack
import pytest

from gridgames_protocol.discovery import SIZE, Answer, Call, decode_answer, encode_call
from gridgames_protocol.messages import Create
from gridgames_server.admin.commands import describe_for_search, drain
from gridgames_server.core.limits import CALLERS_MAX, CALLS_PER_ADDRESS, CALLS_SAVED
from gridgames_server.net import addresses, discovery
from gridgames_server.net.discovery import DiscoveryLimiter, answering_calls
from tests.protocol.vectors import VECTORS
from tests.server.hub_harness import HubHarness
from tests.wire import LOCAL, program, run

NONCE = "c0ffee00c0ffee00"
CALL = encode_call(Call(NONCE, 1))


# What is said of a server ---------------------------------------------------------------------------------------------


def said_of(server, **more):
    return describe_for_search(
        server.hub, **{"nonce": NONCE, "instance": "1" * 16, "port": 4743, "tls": False, "version": "1", **more}
    )


def test_an_answer_counts_players_and_rooms_that_wait():
    server = HubHarness()
    server.table("grid-hunt", "Ada", "Bob")
    server.enter("Cyd").opens("quantum-duel")
    server.connects()  # and has not said hello
    assert said_of(server) == Answer(NONCE, "1" * 16, "the house", 4743, 3, 1, False, False, "1", 1)


def test_an_answer_says_whether_a_password_and_tls_are_needed_and_never_which():
    server = HubHarness(password="sesame")
    answer = said_of(server, tls=True)
    assert (answer.password, answer.tls) == (True, True)
    assert "sesame" not in repr(answer)


def test_private_rooms_do_not_show_even_as_a_number():
    server = HubHarness()
    server.enter("Ada").opens("grid-hunt", private=True)
    assert said_of(server).open == 0


def test_one_who_looks_for_a_server_does_not_find_one_that_is_about_to_stop():
    server = HubHarness()
    server.does(drain(server.hub, "", server.now))
    assert said_of(server) is None


# How often ------------------------------------------------------------------------------------------------------------


def answered(callers, address, times, now):
    return sum(callers.may_answer(address, now) for _ in range(times))


def test_one_address_is_answered_so_often_and_later_again():
    callers = DiscoveryLimiter()
    assert answered(callers, "192.0.2.1", 100, now=1_000.0) == CALLS_PER_ADDRESS
    assert answered(callers, "192.0.2.2", 1, now=1_000.0) == 1
    assert answered(callers, "192.0.2.1", 100, now=1_001.0) == 2


def test_all_together_are_answered_so_often():
    callers = DiscoveryLimiter()
    assert sum(answered(callers, f"192.0.2.{n}", 10, now=1_000.0) for n in range(100)) == CALLS_SAVED


def test_a_refused_call_costs_nobody_anything():
    callers = DiscoveryLimiter()
    answered(callers, "192.0.2.1", 10_000, now=1_000.0)
    assert answered(callers, "192.0.2.1", 1, now=1_000.6) == 1


def test_only_so_many_callers_are_remembered_and_old_ones_make_room():
    callers, now = DiscoveryLimiter(), 1_000.0
    for number in range(3 * CALLERS_MAX):
        now += 0.02
        callers.may_answer(f"10.0.{number // 256}.{number % 256}", now)
        assert len(callers.by_address) <= CALLERS_MAX
    assert callers.may_answer("192.0.2.1", now + 60)


# Over real sockets ----------------------------------------------------------------------------------------------------


@asynccontextmanager
async def heard_by(describe, host=LOCAL):
    """Something that listens for calls; where it does."""
    (bound,) = addresses.bind(host, 0)
    with bound:
        async with answering_calls([bound], describe, lambda: 1_000.0):
            yield bound.getsockname()[1]


class Listener(asyncio.DatagramProtocol):
    """A caller who hears what comes back."""

    def __init__(self):
        self.heard = asyncio.Queue()

    def datagram_received(self, data, addr):
        self.heard.put_nowait(data)


@asynccontextmanager
async def calling(port):
    """A caller, and a way to send something."""
    loop = asyncio.get_running_loop()
    transport, listener = await loop.create_datagram_endpoint(Listener, remote_addr=(LOCAL, port))
    try:
        yield transport.sendto, listener.heard
    finally:
        transport.close()


def here(nonce):
    return Answer(nonce, "1" * 16, "the house", 4743, 3, 1, False, False, "1", 1)


def test_a_call_is_answered_to_who_made_it_with_no_more_bytes_than_it_had():
    async def scenario():
        async with heard_by(here) as port, calling(port) as (send, heard):
            send(CALL)
            answer = await heard.get()
            assert decode_answer(answer) == here(NONCE)
            assert len(answer) < len(CALL) == SIZE

    run(scenario())


GARBAGE = {
    "nothing": b"",
    "text": b"hello?",
    "a short call": CALL[:-1],
    "a long call": CALL + b"\0",
    "a request of the game": msgpack.packb({"type": "status", "id": 1}),
    "zeros": bytes(SIZE),
    "a huge datagram": b"\xff" * 60_000,
    **{v["name"]: bytes.fromhex(v["datagram"]) for v in VECTORS["datagrams"] if "message" not in v},
}


def test_garbage_is_passed_over_in_silence():
    async def scenario():
        async with heard_by(here) as port, calling(port) as (send, heard):
            for garbage in GARBAGE.values():
                send(garbage)
            send(CALL)  # behind all of it: whatever else was answered would have come first
            assert decode_answer(await heard.get()).nonce == NONCE
            assert heard.empty()

    run(scenario())


def test_a_flood_of_calls_is_answered_a_few_times():
    async def scenario():
        described = []

        def describe(nonce):
            described.append(nonce)
            return here(nonce)

        async with heard_by(describe) as port, calling(port) as (send, heard):
            for number in range(100):
                send(encode_call(Call(f"{number:016x}", 1)))
            for _ in range(CALLS_PER_ADDRESS):
                await heard.get()
            assert len(described) == CALLS_PER_ADDRESS

    run(scenario())


def test_one_who_would_rather_not_be_found_says_nothing():
    async def scenario():
        answers = [None, here(NONCE)]
        async with heard_by(lambda nonce: answers.pop(0)) as port, calling(port) as (send, heard):
            send(CALL)
            send(CALL)
            assert decode_answer(await heard.get()) == here(NONCE)
            assert heard.empty()

    run(scenario())


def test_after_a_bug_in_an_answer_the_next_call_is_answered(monkeypatch, caplog):
    monkeypatch.setattr(discovery, "RETRY", 0.0)

    async def scenario():
        answers = [lambda: 1 // 0, lambda: here(NONCE)]
        async with heard_by(lambda nonce: answers.pop(0)()) as port, calling(port) as (send, heard):
            send(CALL)
            send(CALL)
            assert decode_answer(await heard.get()) == here(NONCE)

    run(scenario())
    assert [line.partition(" at ")[0] for line in caplog.messages] == [
        "bug in an answer to a search: ZeroDivisionError"
    ]


def test_calls_are_heard_where_the_game_is_played():
    def places(host):
        bound = addresses.bind(host, 0)
        try:
            port = bound[0].getsockname()[1]
            return [(found, at - port) for found, at in addresses.list_discovery_addresses(bound)]
        finally:
            for opened in bound:
                opened.close()

    assert places(LOCAL) == [(LOCAL, 0)]
    assert places("0.0.0.0") == [("0.0.0.0", 0)]
    assert places("::") == [("0.0.0.0", 0)], "calls go by IPv4"
    assert places("::1") == []


def test_a_port_that_is_taken_is_one_line_in_the_log_and_the_game_is_played(caplog):
    async def scenario():
        (bound,) = addresses.bind(LOCAL, 0)
        with bound, socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as taken:
            taken.bind(bound.getsockname())
            async with answering_calls([bound], here, lambda: 0.0) as opened:
                assert opened == []

    run(scenario())
    (line,) = caplog.messages
    assert line.startswith(f"can't be found on the network at {LOCAL} port ")


# The real program -----------------------------------------------------------------------------------------------------


async def asked(port):
    """What a server at a port of this machine answers to a call."""
    async with calling(port) as (send, heard):
        send(CALL)
        return decode_answer(await heard.get())


@pytest.mark.parametrize("host", [LOCAL, "0.0.0.0", "::"])
def test_the_real_program_is_found(host):
    async def scenario():
        async with program("--host", host, "--name", "Ada's attic") as server:
            ada = await server.guest("Ada")
            await ada.says(Create, game="grid-hunt")
            answer = await asked(server.port)
            assert (answer.server, answer.port, answer.players, answer.open) == ("Ada's attic", server.port, 1, 1)
            assert (answer.password, answer.tls) == (False, False)

    run(scenario())


def test_each_start_of_a_server_has_an_instance_of_its_own():
    async def scenario():
        async with program() as one, program() as two:
            answers = [await asked(server.port) for server in (one, one, two)]
            assert answers[0] == answers[1]
            assert answers[0].instance != answers[2].instance

    run(scenario())


@pytest.mark.parametrize(("flags", "variables"), [(["--no-discovery"], {}), ([], {"GRIDGAMES_NO_DISCOVERY": "1"})])
def test_the_real_program_can_be_told_not_to_be_found(flags, variables):
    async def scenario():
        async with program(*flags, **variables) as server:
            with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as free:
                free.bind((LOCAL, server.port))  # nobody listens there

    run(scenario())
