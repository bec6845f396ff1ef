"""Everybody who means harm at once, at the real program: what it takes of the machine is bounded, and is given back."""

import asyncio
import socket
import time
from contextlib import suppress

from gridgames_protocol.lines import CLIENT_LINE_MAX, stuff
from gridgames_protocol.messages import CHAT_MAX, PROTOCOL, Chat, Create, Hello, Ok, Ping, Watch, encode
from gridgames_server.limits import MESSAGE_WITHIN, OUTPUT_MAX
from tests.hostile.bends import bombs
from tests.hostile.vitals import MB, vitals
from tests.server.strangers import SMALL, messages
from tests.server.tables import sit_down
from tests.wire import program, read_all, run

ROOMY = ("--max-players", "1000", "--max-per-address", "1000")
DEAF, FLOODERS, BOMBERS, TRICKLERS = 64, 192, 32, 256
FLOOD = encode(Ping(2)) * 20_000  # 400 KB
LETTERS = "\U0001f600" * CHAT_MAX  # four bytes each
WORDS = 12  # of each of 32 in a room to the others: more than may wait for one who does not read
NARROW = 88  # bytes in a packet: of so small ones the system itself holds little for one who does not read
# Each of the deaf may leave so much unread before it is cut. The others hold a line of input at the most, and what
# they are told before they are sent away; no connection takes more than some dozen kilobytes besides.
MAY_GROW = DEAF * OUTPUT_MAX + (DEAF + FLOODERS + BOMBERS + TRICKLERS) * 48_000
MAY_STAY = 24 * MB  # what the allocator may keep of that for the next time; it does not add up, as the soak shows
IN_TIME = 2 * MESSAGE_WITHIN  # the deadline, the time to part, and some ticks of a busy machine


def hello(name):
    return encode(Hello(1, PROTOCOL, name))


async def watcher(house, room, number):
    """Somebody who watches a room and reads until that is granted, on a wire of which the system holds little."""
    found = socket.socket()
    house.sockets.append(found)
    found.setblocking(False)
    found.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, SMALL)
    found.setsockopt(socket.IPPROTO_TCP, socket.TCP_MAXSEG, NARROW)
    loop, heard = asyncio.get_running_loop(), b""
    await loop.sock_connect(found, (house.host, house.port))
    await loop.sock_sendall(found, hello(f"deaf {number}") + encode(Watch(2, room)))
    while encode(Ok(2, room)) not in heard:
        heard += await loop.sock_recv(found, 65_536)
    return found


async def listens_never(deaf):
    """Talk in a room where others do the same, and do not read any of it."""
    chat = b"".join(encode(Chat(id, LETTERS)) for id in range(3, 3 + WORDS))
    await asyncio.get_running_loop().sock_sendall(deaf, chat)


async def was_cut(deaf):
    """True if the wire of one who reads at last has ended without a goodbye."""
    try:
        return b"bye" not in (await read_all(deaf))[-200:]
    except ConnectionError:
        return True


async def floods(house, number):
    """Say the same for as long as one is let, and do not read."""
    flooder = await house.stranger(hello(f"flood {number}"), buffer=SMALL)
    with suppress(ConnectionError):
        await asyncio.get_running_loop().sock_sendall(flooder, FLOOD)
        await read_all(flooder)


async def bombs_away(house, payloads):
    """Send lines that take little to write and much to read, until there is a goodbye."""
    stranger = await house.stranger(b"\x80\n" + b"".join(stuff(payload) for payload in payloads))
    with suppress(ConnectionError):
        await read_all(stranger)


async def trickles(house, number):
    """Say hello, begin a line, and wait to be sent away; how long that took."""
    stranger = await house.stranger(hello(f"trickle {number}") + b"\x85")
    began = time.monotonic()
    words = messages(await read_all(stranger))
    assert words[-1].code == "slow"
    return time.monotonic() - began


async def empty_room(house, name):
    """A room whose host is away."""
    host = await house.guest(name)
    room = (await host.says(Create, game="grid-hunt")).room
    host.cut()
    return room


async def attack(house, table, rooms):
    """Everything at once, and a player who comes in the middle of it; how long the tricklers stayed, and that took."""
    payloads = list(bombs(64, CLIENT_LINE_MAX).values())
    deaf = [await watcher(house, rooms[number % 2], number) for number in range(DEAF)]
    async with asyncio.TaskGroup() as crowd:
        tricklers = [crowd.create_task(trickles(house, number)) for number in range(TRICKLERS)]
        for stranger in deaf:
            crowd.create_task(listens_never(stranger))
        for number in range(FLOODERS):
            crowd.create_task(floods(house, number))
        for _ in range(BOMBERS):
            crowd.create_task(bombs_away(house, payloads))
        began = time.monotonic()
        zoe = await house.guest("Zoe")
        took = time.monotonic() - began
        await table.end()
    for stranger in deaf:
        assert await was_cut(stranger)
    zoe.cut()
    for stranger in house.sockets:
        stranger.close()
    return max(task.result() for task in tricklers), took


async def until_files(house, table, files):
    """Let the server answer until it has no more files open than that."""
    while vitals(house.process.pid).files > files:
        assert isinstance(await table.seats[1].says(Ping), Ok)


def test_memory_and_files_are_bounded_and_given_back_whoever_comes_at_once():
    async def evening():
        async with program(*ROOMY, "--log-level", "error") as house:
            table = await sit_down(house, "grid-conquest")
            rooms = [await empty_room(house, name) for name in ("Cleo", "Dan")]
            before = vitals(house.process.pid)
            stayed, took = await attack(house, table, rooms)
            await until_files(house, table, before.files)
            after = vitals(house.process.pid)
            print(f"before: {before}\nafter: {after}")
            print(f"tricklers stayed for {stayed:.1f} s; somebody came in within {1_000 * took:.0f} ms")
            assert after.peak - before.memory < MAY_GROW
            assert after.memory - before.memory < MAY_STAY
            assert stayed < IN_TIME
        assert house.text == ""

    run(evening(), within=120)
