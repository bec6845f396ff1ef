"""What the client costs, on a real screen of a real process: to start, to answer a key, to wait and to play."""

import asyncio
import tempfile
from contextlib import asynccontextmanager
from itertools import cycle
from pathlib import Path
from statistics import median
from time import perf_counter

from gridgames_protocol.messages import Join, Show
from tests.bench.process import cpu_of
from tests.client.two_terminals import code_of_room, screen
from tests.wire import program

Figures = dict[str, float]

PATH = ("2 2", "2 3", "2 4", "3 4", "4 4", "4 3", "4 2", "3 2")  # of the Seeker, round the middle

BETWEEN_KEYS = 0.12  # seconds: somebody types fast. The client draws no more often than its own limit allows


def client(starts: int, keys: int, seconds: float) -> Figures:
    """All figures of the client."""
    return asyncio.run(measure(starts, keys, seconds))


async def measure(starts: int, keys: int, seconds: float) -> Figures:
    async with program("--rate", "0") as server:
        with tempfile.TemporaryDirectory() as folder:
            took = [await start(server.port, Path(folder) / str(number)) for number in range(starts)]
            async with in_the_lobby(server.port, Path(folder) / "ada") as ada:
                return {
                    "start_ms": median(took) * 1e3,
                    **await in_lobby(ada, keys, seconds),
                    **await at_table(server, ada, keys, seconds),
                }


@asynccontextmanager
async def in_the_lobby(port, state):
    """Somebody before a full screen, in the lobby."""
    async with screen(port, "Ada", state) as ada:
        await ada.shows("Play now", "Ada")
        yield ada


async def start(port, state):
    """Seconds from the start of the program to the lobby on the screen."""
    begun = perf_counter()
    async with in_the_lobby(port, state) as ada:
        took = perf_counter() - begun
        ada.press("ctrl-q")
        await ada.ends()
    return took


async def in_lobby(ada, keys, seconds):
    """Keys and idleness in the lobby."""
    return {
        "lobby_key_ms": await key_to_screen(ada, keys),
        "lobby_idle_cpu_percent": await idle(ada, seconds),
    }


async def key_to_screen(ada, keys):
    """Milliseconds from a key to what it draws: letters that are typed and taken back."""
    took = []
    for number in range(keys):
        await asyncio.sleep(BETWEEN_KEYS)
        size, begun = len(ada.raw), perf_counter()
        ada.press("backspace" if number % 2 else "z")
        await ada.until(lambda size=size: len(ada.raw) > size, "an answer to a key")
        took.append(perf_counter() - begun)
        await ada.until(lambda typed=not number % 2: ("> z" in ada.text()) is typed, "the letter")
    return median(took) * 1e3


async def idle(ada, seconds):
    """Percent of a core that the client uses while nobody does anything."""
    cpu, begun = cpu_of(ada.process.pid), perf_counter()
    await asyncio.sleep(seconds)
    return (cpu_of(ada.process.pid) - cpu) / (perf_counter() - begun) * 100


async def at_table(server, ada, keys, seconds):
    """Keys, idleness and moves in a running game; the other player is a bare connection."""
    bob = await server.guest("Bob")
    ada.enters("create secret-paths first=host")
    await bob.says(Join, room=await code_of_room(ada))
    await bob.types("GOAL 1 5")
    await ada.shows("1 Ada", "Bob 2")
    ada.enters("GOAL 5 1")
    await ada.shows("Enter again to confirm")
    ada.enters("")
    await ada.shows("your turn", "The Seeker starts")
    await bob.sees(Show, lambda show: show.view.phase == "play")
    key, resting = await key_to_screen(ada, keys), await idle(ada, seconds)
    cpu = cpu_of(ada.process.pid)
    moves = 2 * keys
    for cell, _ in zip(cycle(PATH), range(moves), strict=False):
        await move(ada, bob, cell)
    return {
        "table_key_ms": key,
        "table_idle_cpu_percent": resting,
        "move_cpu_ms": (cpu_of(ada.process.pid) - cpu) / moves * 1e3,
    }


async def move(ada, bob, cell):
    """Whoever is to move moves the Seeker, and both see it."""
    rev, seat = bob.table.rev, bob.table.turn[0]
    if seat == 1:
        ada.enters(f"MOVE {cell}")
    else:
        await bob.types(f"MOVE {cell}")
    await bob.sees(Show, lambda show: show.rev > rev)
    await ada.until(lambda: ("your turn" in ada.text()) is (seat == 2), f"the Seeker on {cell}")
