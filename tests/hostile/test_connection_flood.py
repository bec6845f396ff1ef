"""Thousands of hostile connections at the real program, while a game goes on next to them."""

import asyncio
import sys
import time
from contextlib import asynccontextmanager
from pathlib import Path

from gridgames_protocol.messages import Again, Ok, Show
from tests.hostile.connection_flood import KINDS
from tests.hostile.process_usage import measure_process
from tests.server.tcp_tables import sit_down
from tests.wire import program, run

ROOT = Path(__file__).parents[2]
CONNECTIONS, MANY = 2_000, 40_000
A_MOVE_TAKES = 0.05  # seconds: two who type faster than anybody does
ROOMY = ("--max-players", "1000", "--max-per-address", "1000")


async def play_on(table):
    """One move, or another game; how long its answer took."""
    if table.shown.turn:
        seat, line = table.next()
        began = time.monotonic()
        rev = table.shown.rev + 1
        await table.seats[seat].types(line)
        took = time.monotonic() - began
        await table.see(rev)
        return took
    for seat in (1, 2):
        assert isinstance(await table.seats[seat].says(Again), Ok)
    for guest in table.seats.values():
        await guest.sees(Show, lambda show: bool(show.turn))
    return 0.0


@asynccontextmanager
async def mob_at(server, count, seed):
    """The mob, in a process of its own, so that it does not slow down who is measured."""
    command = (sys.executable, "-m", "tests.hostile.connection_flood", str(server.port), str(count), str(seed))
    mob = await asyncio.create_subprocess_exec(*command, stdout=asyncio.subprocess.PIPE, cwd=ROOT)
    ended = asyncio.create_task(mob.communicate())
    try:
        yield ended
    finally:
        if mob.returncode is None:
            mob.kill()
        await ended
    assert mob.returncode == 0


def test_a_game_goes_on_and_every_move_is_answered_while_thousands_come_to_do_harm(tmp_path, long):
    count = MANY if long else CONNECTIONS

    async def scenario():
        async with program(*ROOMY, "--store", str(tmp_path / "store"), "--log-level", "error") as server:
            table = await sit_down(server, "grid-conquest")
            before = measure_process(server.process.pid)
            answers = []
            async with mob_at(server, count, 7) as mob:
                while not mob.done():
                    answers.append(await play_on(table))
                    await asyncio.wait({mob}, timeout=A_MOVE_TAKES)
                ends = mob.result()[0].decode()
            print(f"{len(answers)} moves, the slowest answer after {1_000 * max(answers):.0f} ms; the mob:\n{ends}")
            print(f"before: {before}; after: {measure_process(server.process.pid)}")
            assert sum(int(row.split()[0]) for row in ends.splitlines()) == count
            assert all(f" {kind}: " in ends for kind in KINDS)
            await play_on(table)
        assert server.text == "", "nothing went wrong that a host would want to know"

    run(scenario(), within=1_200 if long else 120)
