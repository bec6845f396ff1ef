"""Rounds of hostile connections, one after the other: nothing that the server takes grows with their number."""

import asyncio
import gc
from collections import Counter

from gridgames_protocol.messages import Ok, Ping
from gridgames_server.connection import Connection
from gridgames_server.limits import TICK, TOKENS_MAX, Limits
from gridgames_server.session import Session
from tests.hostile.mob import KINDS
from tests.hostile.test_mob import mob_at, play_on
from tests.hostile.vitals import MB, vitals
from tests.server.tables import sit_down
from tests.wire import Open, program, run, serving, until

ROUNDS = 4
VISITORS, CROWD = 150, 5_000  # in a round
GREETINGS = len([kind for kind in KINDS if "hello" in kind or kind in ("floods", "opens a room and is gone")])
# Who said hello is remembered, up to a bound: before memory can be flat, that many must have been here.
FIRST, FULL_HOUSE = 300, TOKENS_MAX * len(KINDS) // GREETINGS + CROWD
# What the allocator takes and gives back from one round to the next, with those who are remembered above the bound
# until somebody counts, once a minute.
MAY_SWAY = 6 * MB


async def one_round(house, table, count, seed):
    """A crowd comes and goes, while a game goes on."""
    async with mob_at(house, count, seed) as mob:
        while not mob.done():
            await play_on(table)
            if isinstance(house, Open):
                await house.later(TICK)  # its clock is moved by nobody else
            await asyncio.wait({mob}, timeout=0.2)


def test_memory_files_and_threads_stay_flat_round_after_round(long):
    async def evening():
        async with program("--max-per-address", "500", "--log-level", "error") as house:
            table = await sit_down(house, "grid-hunt")
            pid, seen = house.process.pid, []
            for number in range(ROUNDS):
                count = (FULL_HOUSE if long else FIRST) if number == 0 else (CROWD if long else VISITORS)
                await one_round(house, table, count, number)
                while vitals(pid).files > (seen or [vitals(pid)])[0].files:
                    assert isinstance(await table.seats[1].says(Ping), Ok)
                seen.append(vitals(pid))
                print(f"after {count}: {seen[-1]}")
            assert max(later.memory for later in seen[1:]) < seen[0].memory + MAY_SWAY
            assert {later.files for later in seen} == {seen[0].files}
            assert len({later.threads for later in seen}) == 1
        assert house.text == ""

    run(evening(), within=1_800 if long else 120)


def test_no_task_and_no_trace_of_a_connection_is_left_round_after_round(long):
    async def evening():
        async with serving(rate=Limits().rate) as house:
            table = await sit_down(house, "grid-hunt")
            for number in range(ROUNDS):
                await one_round(house, table, CROWD if long else VISITORS, number)
                await until(lambda: len(house.service.connections) == 2)
                gc.collect()
                left = Counter(type(thing) for thing in gc.get_objects() if isinstance(thing, Connection | Session))
                assert left == {Connection: 2, Session: 2}
                assert asyncio.all_tasks() == {asyncio.current_task()}

    run(evening(), within=1_800 if long else 120)
