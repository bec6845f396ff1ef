"""Looking for servers: whoever answers is found, nobody else is waited for, and nonsense is dropped."""

import asyncio
import errno
import socket
import time
from contextlib import asynccontextmanager, suppress

from gridgames_client.net import lan_search
from gridgames_client.net.address import Address
from gridgames_client.net.found_servers import HEARD_MAX, SILENT
from gridgames_client.net.lan_search import AGAIN, QUIET, WITHIN, list_own_networks, search_servers
from gridgames_protocol.discovery import SIZE, Answer, decode_call, encode_answer
from tests.wire import LOCAL, program, run, turn


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
            yield encode_answer(answer(call, instance=f"{number:016x}", port=number + 1))

    async def scenario():
        async with pretending(reply) as (_, place), search_servers([place]) as looking:
            assert len(await looking.collect()) <= 50
            assert len(looking.found.heard) <= HEARD_MAX

    run(scenario())


def test_after_an_error_of_the_network_answers_are_still_heard(monkeypatch):
    async def scenario():
        loop = asyncio.get_running_loop()
        real, errors = loop.sock_recvfrom, [OSError(errno.EHOSTUNREACH, "No route to host")]

        async def receive(*given):
            if errors:
                raise errors.pop()
            return await real(*given)

        monkeypatch.setattr(loop, "sock_recvfrom", receive)
        async with pretending(lambda call: [encode_answer(answer(call))]) as (_, place):
            assert (await found(place))[0] == [("the attic", f"{LOCAL}:4743")]
        assert errors == []

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


# A slow start, and a search that goes on ------------------------------------------------------------------------------


class Neighbours:
    """Servers that answer when the test says so, and a clock of its own."""

    def __init__(self):
        self.now = 100.0
        self.opened = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        self.opened.bind((LOCAL, 0))
        self.place = Address(LOCAL, self.opened.getsockname()[1])

    def clock(self):
        return self.now

    def answers(self, *names):
        """Take the next call, and answer it by these names. The answers have arrived then."""
        datagram, caller = self.opened.recvfrom(SIZE)
        for name in names:
            told = answer(decode_call(datagram), server=name, instance=name.ljust(16, "0"), port=ord(name[0]))
            self.opened.sendto(encode_answer(told), caller)

    def count_calls(self):
        """The calls that have arrived and are not answered."""
        self.opened.setblocking(False)
        calls = 0
        with suppress(BlockingIOError):
            while self.opened.recv(SIZE):
                calls += 1
        return calls


@asynccontextmanager
async def neighbours():
    """Neighbours, and a search for them."""
    there = Neighbours()
    with there.opened:
        async with search_servers([there.place], there.clock) as looking:
            yield there, looking


def names(servers):
    return [server.name for server in servers]


def test_answers_that_came_during_a_slow_start_are_listed_though_the_time_is_over():
    async def scenario():
        async with neighbours() as (there, looking):
            there.answers("attic", "cellar", "barn")  # nobody listens: the loop does not go round
            there.now += 60
            assert names(await looking.collect()) == ["attic", "barn", "cellar"]

    run(scenario())


def test_a_search_goes_on_and_tells_of_servers_that_come_and_go():
    async def scenario():
        async with neighbours() as (there, looking):
            there.answers("attic")
            there.now += WITHIN
            assert names(await looking.collect()) == ["attic"]
            following = looking.follow()
            looking.call()
            there.answers("attic", "cellar")
            assert names(await anext(following)) == ["attic", "cellar"]
            there.now += SILENT - 1
            looking.call()
            there.answers("cellar", "barn")
            assert names(await anext(following)) == ["attic", "barn", "cellar"]
            there.now += 1
            looking.call()
            there.answers("loft")
            assert names(await anext(following)) == ["barn", "cellar", "loft"], (
                "three calls of the attic's are unanswered"
            )
            await following.aclose()

    run(scenario())


def test_a_search_calls_again_after_a_while_and_not_sooner(monkeypatch):
    monkeypatch.setattr(lan_search, "CALLS", ())

    async def scenario():
        async with neighbours() as (there, looking):
            assert there.count_calls() == 1
            following = looking.follow()
            for waits, calls in ((AGAIN - 1, 0), (1, 0), (AGAIN - 1, 1), (1, 0), (0, 1)):
                waiting = asyncio.ensure_future(anext(following))
                await turn()
                there.now += waits
                looking.news.set()
                await waiting
                assert there.count_calls() == calls, "a call comes before the next wait"

    run(scenario())
