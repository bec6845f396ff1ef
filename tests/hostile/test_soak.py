"""Rounds of hostile connections, one after the other: nothing that the server takes grows with their number."""

import asyncio
import gc
from collections import Counter

from gridgames_protocol.messages import AskHistory, History, Ok, Ping
from gridgames_server.core.limits import TICK, TOKENS_MAX, Limits
from gridgames_server.core.state import Session
from gridgames_server.net.connection import Connection
from tests.hostile.connection_flood import KINDS
from tests.hostile.process_usage import MB, measure_process
from tests.hostile.test_connection_flood import mob_at, play_on
from tests.server.tcp_tables import sit_down
from tests.wire import Open, program, run, serving, until

ROUNDS = 4
VISITORS, CROWD = 150, 5_000  # in a round
GREETINGS = len([kind for kind in KINDS if "hello" in kind or kind in ("floods", "opens a room and is gone")])
# Who said hello is remembered, up to a bound: before memory can be flat, that many must have been here.
FIRST, FULL_SERVER = 300, TOKENS_MAX * len(KINDS) // GREETINGS + CROWD
# What the allocator takes and gives back from one round to the next, with those who are remembered above the bound
# until somebody counts, once a minute.
MAY_SWAY = 6 * MB
STARTED_LATER = 2  # threads: one for history and one for analysis, each started when it is first needed


async def one_round(server, table, count, seed):
    """A crowd comes and goes, while a game goes on."""
    async with mob_at(server, count, seed) as mob:
        while not mob.done():
            await play_on(table)
            if isinstance(server, Open):
                await server.later(TICK)  # its clock is moved by nobody else
            await asyncio.wait({mob}, timeout=0.2)


async def start_every_thread(server, table):
    """A browser asks for the page, a player for the history, and a game ends: each starts a thread that stays."""
    reader, writer = await asyncio.open_connection("127.0.0.1", server.port)
    writer.write(b"GET / HTTP/1.1\r\n\r\n")
    assert b"200 OK" in await reader.read()
    writer.close()
    await writer.wait_closed()
    assert isinstance(await table.seats[1].says(AskHistory), History)
    while table.shown.turn:
        await play_on(table)


def test_memory_files_and_threads_stay_flat_round_after_round(long):
    async def scenario():
        async with program("--max-per-address", "500", "--log-level", "error") as server:
            table = await sit_down(server, "grid-hunt")
            await start_every_thread(server, table)
            pid, seen = server.process.pid, []
            for number in range(ROUNDS):
                count = (FULL_SERVER if long else FIRST) if number == 0 else (CROWD if long else VISITORS)
                await one_round(server, table, count, number)
                while measure_process(pid).files > (seen or [measure_process(pid)])[0].files:
                    assert isinstance(await table.seats[1].says(Ping), Ok)
                seen.append(measure_process(pid))
                print(f"after {count}: {seen[-1]}")
            assert max(later.memory for later in seen[1:]) < seen[0].memory + MAY_SWAY
            assert {later.files for later in seen} == {seen[0].files}
            assert max(later.threads for later in seen) <= seen[0].threads + STARTED_LATER
        assert server.text == ""

    run(scenario(), within=1_800 if long else 120)


def test_no_task_and_no_trace_of_a_connection_is_left_round_after_round(long):
    async def scenario():
        async with serving(rate=Limits().rate) as server:
            table = await sit_down(server, "grid-hunt")
            for number in range(ROUNDS):
                await one_round(server, table, CROWD if long else VISITORS, number)
                await until(lambda: len(server.service.connections) == 2)
                gc.collect()
                left = Counter(type(thing) for thing in gc.get_objects() if isinstance(thing, Connection | Session))
                assert left == {Connection: 2, Session: 2}
                assert asyncio.all_tasks() == {asyncio.current_task()}

    run(scenario(), within=1_800 if long else 120)
