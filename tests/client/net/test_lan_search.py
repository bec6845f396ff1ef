"""Looking for servers: whoever answers is found, nobody else is waited for, and nonsense is dropped."""

import asyncio
import time
from contextlib import asynccontextmanager

from gridgames_client.net import lan_search
from gridgames_client.net.address import Address
from gridgames_client.net.lan_search import QUIET, WITHIN, list_own_networks, search_servers
from gridgames_protocol.discovery import SIZE, Answer, decode_call, encode_answer
from tests.wire import LOCAL, program, run


class Pretender(asyncio.DatagramProtocol):
    """Something that answers calls as a test likes."""

    def __init__(self, reply):
        self.reply, self.calls = reply, []

    def connection_made(self, transport):
        self.transport = transport

    def datagram_received(self, data, addr):
        call = decode_call(data)
        self.calls.append(call)
        for datagram in self.reply(call):
            self.transport.sendto(datagram, addr)


@asynccontextmanager
async def pretending(reply):
    """Somebody who hears calls, and where."""
    loop = asyncio.get_running_loop()
    transport, pretender = await loop.create_datagram_endpoint(lambda: Pretender(reply), local_addr=(LOCAL, 0))
    try:
        yield pretender, Address(LOCAL, transport.get_extra_info("sockname")[1])
    finally:
        transport.close()


def answer(call, **more):
    facts = {"server": "the attic", "port": 4743, "players": 1, "open": 0, "password": False, "tls": False}
    return Answer(**{"nonce": call.nonce, "instance": "1" * 16, **facts, "version": "1", "protocol": 1, **more})


async def found(*places):
    """Who is found there, and how long that took."""
    began = time.monotonic()
    async with search_servers(places) as looking:
        servers = await looking.collect()
    return [(server.name, server.address_text) for server in servers], time.monotonic() - began


def test_servers_that_run_are_found_each_by_its_name():
    async def scenario():
        async with program("--name", "attic") as one, program("--name", "cellar") as two:
            servers, took = await found(*(Address(LOCAL, server.port) for server in (two, one)))
            assert servers == [("attic", f"{LOCAL}:{one.port}"), ("cellar", f"{LOCAL}:{two.port}")]
            assert took < WITHIN + 1

    run(scenario())


def test_where_nobody_answers_that_is_known_soon():
    async def scenario():
        async with pretending(lambda call: []) as (silent, place):
            servers, took = await found(place)
            assert servers == []
            assert QUIET <= took < WITHIN
            assert len(silent.calls) == 3, "a call may get lost"
            assert len({call.nonce for call in silent.calls}) == 1

    run(scenario())


def test_where_nobody_is_asked_nobody_is_waited_for():
    async def scenario():
        servers, took = await found()
        assert servers == []
        assert took < QUIET

    run(scenario())


def test_the_port_is_from_the_answer_and_the_address_is_the_senders():
    async def scenario():
        async with pretending(lambda call: [encode_answer(answer(call, port=5))]) as (_, place):
            assert (await found(place))[0] == [("the attic", f"{LOCAL}:5")]

    run(scenario())


def test_answers_to_nobodys_call_and_nonsense_are_dropped():
    def reply(call):
        yield b""
        yield b"\xff" * SIZE
        yield encode_answer(answer(call, nonce="f" * 16, server="impostor"))
        yield encode_answer(answer(call))[:-1]
        yield encode_answer(answer(call, instance="2" * 16))

    async def scenario():
        async with pretending(reply) as (_, place):
            assert (await found(place))[0] == [("the attic", f"{LOCAL}:4743")]

    run(scenario())


def test_a_flood_of_answers_is_held_in_bounds():
    def reply(call):
        for number in range(1_000):
            yield encode_answer(answer(call, instance=f"{number:016x}"))

    async def scenario():
        async with pretending(reply) as (_, place), search_servers([place]) as looking:
            assert len(await looking.collect()) <= 50
            assert len(looking.heard) <= lan_search.HEARD_MAX

    run(scenario())


def test_places_that_nobody_knows_do_not_keep_others_from_being_found():
    async def scenario():
        async with pretending(lambda call: [encode_answer(answer(call))]) as (_, place):
            nowhere = Address("no such machine.invalid"), Address("::1")
            assert (await found(*nowhere, place))[0] == [("the attic", f"{LOCAL}:4743")]

    run(scenario())


def test_everywhere_is_everybody_and_this_machine_each_once():
    places = list_own_networks()
    assert places[0] == Address("255.255.255.255", 4743)
    assert places[-1] == Address(LOCAL, 4743)
    assert len(set(places)) == len(places)
