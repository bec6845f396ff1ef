"""The computer from outside: two processes that have only their connections play each game against the real server."""

import asyncio
import sys
from pathlib import Path

import pytest

from gridgames_server.bots import BOTS
from tests.wire import environment, program, run

ROOT = Path(__file__).parents[3]
PIPE = asyncio.subprocess.PIPE


async def guest(*arguments: object) -> asyncio.subprocess.Process:
    """A computer player on its way to the server."""
    command = (sys.executable, "-m", "tests.server.bots.bot_client", *map(str, arguments))
    return await asyncio.create_subprocess_exec(*command, cwd=ROOT, stdout=PIPE, stderr=PIPE, env=environment())


@pytest.mark.parametrize("slug", BOTS)
def test_two_clients_that_break_off_and_come_back_play_a_game_to_its_end(slug):
    async def scenario():
        async with program("--rate", "0") as server:
            ada = await guest(server.port, "Ada", "hard", "create", slug)
            try:
                room = (await ada.stdout.readline()).decode().strip()
                bob = await guest(server.port, "Bob", "easy", "join", room)
                said, complaint = await bob.communicate()
                assert (bob.returncode, complaint.decode()) == (0, "")
                heard, complaint = await ada.communicate()
                assert (ada.returncode, complaint.decode()) == (0, "")
            finally:
                if ada.returncode is None:
                    ada.kill()
                    await ada.communicate()
            assert said == heard
            assert said.split()[0] in (b"1", b"2")

    run(scenario())
