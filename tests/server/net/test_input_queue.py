"""One turn of the loop handles only so much input, from however many connections, and the addresses take turns."""

from gridgames_protocol.codec import encode
from gridgames_protocol.messages import PROTOCOL, AskStatus, Hello, Ok, Ping
from gridgames_server.core.limits import BURST, PARTS_PER_REQUEST, READ_SIZE, TURN_WORK, Limits
from gridgames_server.net.connection import Connection
from gridgames_server.net.input_queue import InputQueue
from tests.server.net.test_connection import arrives, connected, gone
from tests.server.net.test_tls import contexts
from tests.server.raw_sockets import messages
from tests.wire import read_all, run, serving, turn, until

RATE = Limits().rate
EACH = 4  # connections that a turn handles, if each takes a quarter of its work


class Work:
    """A clock that goes on by a quarter of a turn's work with each connection that is handled."""

    def __init__(self):
        self.now, self.handled = 0.0, []

    def __call__(self):
        return self.now

    def note(self, who):
        self.handled.append(who)
        self.now += TURN_WORK / EACH


class Reader:
    def __init__(self, address, work):
        self.address, self.work = address, work


def handle(reader):
    reader.work.note(reader.address)


class Turns:
    """The loop: what is called soon is called in the next turn."""

    def __init__(self):
        self.soon = []

    def call_soon(self, call):
        self.soon.append(call)

    def next(self):
        calls, self.soon = self.soon, []
        for call in calls:
            call()


def queue_of(addresses):
    turns, work = Turns(), Work()
    queue = InputQueue(handle, turns.call_soon, work)
    for address in addresses:
        queue.put(Reader(address, work))
    return queue, turns, work


def test_what_fits_in_a_turn_is_handled_at_once():
    _, turns, work = queue_of("aabc")
    assert work.handled == ["a", "a", "b", "c"]
    turns.next()
    assert turns.soon == [], "an idle loop is not woken"


def test_a_turn_handles_no_more_than_its_work_and_the_addresses_take_turns():
    _, turns, work = queue_of("a" * 20 + "b" + "cc")
    assert work.handled == ["a"] * EACH
    turns.next()
    assert work.handled[EACH:] == ["a", "b", "c", "a"]
    turns.next()
    assert work.handled[2 * EACH :] == ["c", "a", "a", "a"]
    while turns.soon:
        before = len(work.handled)
        turns.next()
        assert len(work.handled) <= before + EACH
    assert sorted(work.handled) == sorted("a" * 20 + "b" + "cc")


def test_newer_input_does_not_overtake_what_waits():
    queue, turns, work = queue_of("aaaaaaa")
    turns.soon.insert(0, lambda: setattr(work, "now", work.now + 10 * TURN_WORK))  # something else takes very long
    turns.next()
    queue.put(Reader("b", work))
    assert work.handled == ["a"] * (EACH + 3) + ["b"]


# On connections


def flooded(server, count):
    """As many connections, each with more input than a read takes; the bytes that were handled, by turn."""
    work, sizes = Work(), []
    service = server.service
    service._input = InputQueue(Connection.handle_input, lambda call: service.loop.call_soon(call), work)
    receive = service.lines_received

    def note(connection, lines, size, parts):
        work.note(connection.id)
        sizes.append(size)
        receive(connection, lines, size, parts)

    service.lines_received = note
    return work, sizes, [connected(server) for _ in range(count)]


def test_a_turn_handles_few_bytes_however_many_connections_have_sent_much():
    async def scenario():
        async with serving() as server:
            _, sizes, crowd = flooded(server, 60)
            for connection, _ in crowd:
                arrives(connection, b"\n" * READ_SIZE)
            handled = sum(sizes)
            assert handled == EACH * READ_SIZE
            while handled < 60 * READ_SIZE:
                await turn()
                assert sum(sizes) - handled <= EACH * READ_SIZE
                handled = sum(sizes)
            gone(*(connection for connection, _ in crowd))

    run(scenario())


def test_a_connection_whose_input_waits_is_not_read_from_until_it_is_handled():
    async def scenario():
        async with serving() as server:
            _, _, crowd = flooded(server, EACH + 1)
            for connection, _ in crowd:
                arrives(connection, b"\n" * READ_SIZE)
            assert [connection.is_reading for connection, _ in crowd] == [True] * EACH + [False]
            assert crowd[-1][1].pauses == ["pause"]
            await turn()
            assert crowd[-1][1].pauses == ["pause", "resume"]
            gone(*(connection for connection, _ in crowd))

    run(scenario())


def test_a_line_that_waits_is_answered_in_order_and_reading_goes_on():
    async def scenario():
        async with serving() as server:
            _, _, crowd = flooded(server, EACH + 1)
            for connection, _ in crowd:
                arrives(connection, encode(AskStatus(1)))
                arrives(connection, encode(AskStatus(2)))
            late, paper = crowd[-1]
            assert (late.is_reading, paper.pauses, paper.writes) == (True, [], [])
            await until(lambda: paper.writes)
            assert [status.re for written in paper.messages() for status in written] == [1, 2]
            gone(*(connection for connection, _ in crowd))

    run(scenario())


def test_one_who_says_no_more_while_the_input_waits_still_gets_the_answers():
    async def scenario():
        async with serving() as server:
            _, _, crowd = flooded(server, EACH)
            for connection, _ in crowd:
                arrives(connection, b"\n")
            stranger = await server.stranger()
            await until(lambda: len(server.service.connections) == EACH + 1)
            wire = server.wire(stranger)
            for connection, _ in crowd:  # they use up the turn in which the stranger speaks
                arrives(connection, b"\n")
            arrives(wire, encode(AskStatus(1)) + encode(AskStatus(2)))
            assert wire.eof_received() is True, "the transport stays open"
            assert [status.re for status in messages(await read_all(stranger))] == [1, 2]
            await until(lambda: len(server.service.connections) == EACH)
            gone(*(connection for connection, _ in crowd))

    run(scenario())


# What it costs


def charged(server):
    """What the hub is told of each chunk: bytes, lines, and parts that ended no line."""
    told, receive = [], server.service.hub.bytes_received

    def note(id, size, lines, now, parts=0):
        lines = list(lines)
        told.append((size, len(lines), parts))
        return receive(id, size, lines, now, parts)

    server.service.hub.bytes_received = note
    return told


def test_a_read_that_ends_no_line_is_counted_and_one_that_ends_some_is_not():
    async def scenario():
        async with serving() as server:
            told, (ada, _) = charged(server), connected(server)
            for chunk in (b"\n", encode(Ping(1))[:5], encode(Ping(1))[5:] + encode(Ping(2)), b"\n\n"):
                arrives(ada, chunk)
            assert [(lines, parts) for _, lines, parts in told] == [(0, 1), (0, 1), (2, 0), (0, 1)]
            gone(ada)

    run(scenario())


async def behind_tls(server):
    """Somebody behind TLS who has said hello, and what the hub is told of the bytes that come from now on."""
    ada = await server.guest("Ada")
    return ada, charged(server)


def test_every_byte_and_every_record_of_tls_is_counted():
    async def scenario():
        async with serving(tls=contexts()) as server:
            ada, told = await behind_tls(server)
            line = encode(Ping(7))
            for byte in line:
                ada.writer.write(bytes([byte]))  # a record each
            await ada.sees(Ok, lambda reply: reply.re == 7)
            assert sum(size for size, _, _ in told) == len(line) * 23, "5 bytes of header, 17 of TLS, 1 of the line"
            assert sum(parts + lines for _, lines, parts in told) == len(line)

    run(scenario())


def test_a_line_in_one_record_costs_no_more_than_a_line_without_tls():
    async def scenario():
        async with serving(tls=contexts()) as server:
            ada, told = await behind_tls(server)
            await ada.says(Ping)
            ((_, lines, parts),) = told
            assert (lines, parts) == (1, 0)

    run(scenario())


def test_records_of_one_byte_are_cut_after_as_many_as_the_allowance_pays_for():
    async def scenario():
        async with serving(tls=contexts(), rate=RATE) as server:
            eve = await server.guest("Eve")
            told = charged(server)
            while server.service.hub.sessions:
                for _ in range(100):
                    eve.writer.write(b"\n")
                await turn()
            records = sum(parts for _, _, parts in told)
            allowed = 2 * RATE * BURST  # saved up, and as much again until it is cut
            assert records <= allowed * PARTS_PER_REQUEST + READ_SIZE // 23
            assert records > allowed * PARTS_PER_REQUEST // 2
            eve.cut()

    run(scenario())


def test_a_line_that_comes_byte_by_byte_now_and_then_is_no_flood():
    async def scenario():
        async with serving(rate=RATE) as server:
            ada, paper = connected(server)
            arrives(ada, encode(Hello(1, PROTOCOL, "Ada")))
            for number in range(2, 60):
                await server.later(1)
                for byte in encode(Ping(number)):
                    arrives(ada, bytes([byte]))
            await turn()
            heard = [word for written in paper.messages() for word in written]
            assert sum(isinstance(word, Ok) for word in heard) == 58
            gone(ada)

    run(scenario())
