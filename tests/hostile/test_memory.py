"""Everybody who means harm at once, at the real program: what it takes of the machine is bounded, and is given back."""

import asyncio
import re
import socket
import time
from collections import Counter
from contextlib import suppress

from gridgames_protocol.codec import encode
from gridgames_protocol.framing import CLIENT_LINE_MAX, stuff
from gridgames_protocol.messages import CHAT_MAX, PROTOCOL, Chat, Create, Hello, Leave, Ok, Ping, Room, Watch
from gridgames_server.core.limits import MESSAGE_WITHIN, OUTPUT_MAX, ROOM_LOG
from tests.hostile.mutations import bombs
from tests.hostile.process_usage import MB, measure_process
from tests.server.raw_sockets import SMALL, messages
from tests.server.tcp_tables import sit_down
from tests.wire import program, read_all, run

ROOMY = ("--max-players", "1000", "--max-per-address", "1000")
DEAF, FLOODERS, BOMBERS, TRICKLERS = 64, 192, 32, 256
FLOOD = encode(Ping(2)) * 20_000  # 400 KB
LETTERS = "\U0001f600" * CHAT_MAX  # four bytes each
CHATS = ROOM_LOG  # as many as one who comes in is shown
VISITS = 14  # of each of the deaf, 65 kB long: more than may wait for one who does not read
NARROW = 88  # bytes in a packet: of so small ones the system itself holds little for one who does not read
# What goes to many is stored once, so the deaf together take less than this. The others hold a line of input, and what
# they are told before they are sent away; no connection takes more than some dozen kilobytes besides.
MAY_GROW = DEAF * OUTPUT_MAX + (DEAF + FLOODERS + BOMBERS + TRICKLERS) * 48_000
MAY_STAY = 24 * MB  # what the allocator may keep of that for the next time; it does not add up, as the soak shows
IN_TIME = 2 * MESSAGE_WITHIN  # the deadline, the time to part, and some ticks of a busy machine


def hello(name):
    return encode(Hello(1, PROTOCOL, name))


async def watcher(server, room, number):
    """Somebody who watches a room and reads until that is granted, on a wire of which the system holds little."""
    found = socket.socket()
    server.sockets.append(found)
    found.setblocking(False)
    found.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, SMALL)
    found.setsockopt(socket.IPPROTO_TCP, socket.TCP_MAXSEG, NARROW)
    loop, heard = asyncio.get_running_loop(), b""
    await loop.sock_connect(found, (server.host, server.port))
    await loop.sock_sendall(found, hello(f"deaf {number}") + encode(Watch(2, room)))
    while encode(Ok(2, room)) not in heard:
        heard += await loop.sock_recv(found, 65_536)
    return found


async def listens_never(deaf, room):
    """Go out of a room whose log is long and in again, and do not read any of it. The rest waits above OUTPUT_MAX."""
    loop = asyncio.get_running_loop()
    for id in range(100, 100 + 2 * VISITS, 2):
        await loop.sock_sendall(deaf, encode(Leave(id)) + encode(Watch(id + 1, room)))


async def has_ended(deaf):
    """Wait until the server has closed the connection of one who reads at last."""
    with suppress(ConnectionError):
        await read_all(deaf)


async def floods(server, number):
    """Say the same for as long as one is let, and do not read."""
    flooder = await server.stranger(hello(f"flood {number}"), buffer=SMALL)
    with suppress(ConnectionError):
        await asyncio.get_running_loop().sock_sendall(flooder, FLOOD)
        await read_all(flooder)


async def bombs_away(server, payloads):
    """Send lines that take little to write and much to read, until there is a goodbye."""
    stranger = await server.stranger(b"\x80\n" + b"".join(stuff(payload) for payload in payloads))
    with suppress(ConnectionError):
        await read_all(stranger)


async def trickles(server, number):
    """Say hello, begin a line, and wait to be sent away; how long that took."""
    stranger = await server.stranger(hello(f"trickle {number}") + b"\x85")
    began = time.monotonic()
    words = messages(await read_all(stranger))
    assert words[-1].code == "slow"
    return time.monotonic() - began


async def empty_room(server, name):
    """A room whose host is away, and has said much."""
    host = await server.guest(name)
    room = (await host.says(Create, game="grid-hunt")).room
    for _ in range(CHATS):
        assert isinstance(await host.says(Chat, text=LETTERS), Ok)
    host.cut()
    return room


async def attack(server, table, rooms):
    """Everything at once, and a player who comes in the middle of it; how long the tricklers stayed, and that took."""
    payloads = list(bombs(64, CLIENT_LINE_MAX).values())
    deaf = [await watcher(server, rooms[number % 2], number) for number in range(DEAF)]
    async with asyncio.TaskGroup() as crowd:
        tricklers = [crowd.create_task(trickles(server, number)) for number in range(TRICKLERS)]
        for number, stranger in enumerate(deaf):
            crowd.create_task(listens_never(stranger, rooms[number % 2]))
        for number in range(FLOODERS):
            crowd.create_task(floods(server, number))
        for _ in range(BOMBERS):
            crowd.create_task(bombs_away(server, payloads))
        began = time.monotonic()
        zoe = await server.guest("Zoe")
        took = time.monotonic() - began
        await table.end()
    for room in rooms:  # in which nobody is left but Zoe
        await zoe.says(Watch, room=room)
        await zoe.sees(Room, lambda room: room.watchers == 1)
        await zoe.says(Leave)
    for stranger in deaf:
        await has_ended(stranger)
    zoe.cut()
    for stranger in server.sockets:
        stranger.close()
    return max(task.result() for task in tricklers), took


async def until_files(server, table, files):
    """Let the server answer until it has no more files open than that."""
    while measure_process(server.process.pid).files > files:
        assert isinstance(await table.seats[1].says(Ping), Ok)


def test_memory_and_files_are_bounded_and_given_back_whoever_comes_at_once():
    async def scenario():
        async with program(*ROOMY, "--rate", "40") as server:
            table = await sit_down(server, "grid-conquest")
            rooms = [await empty_room(server, name) for name in ("Cleo", "Dan")]
            before = measure_process(server.process.pid)
            stayed, took = await attack(server, table, rooms)
            await until_files(server, table, before.files)
            after = measure_process(server.process.pid)
            print(f"before: {before}\nafter: {after}")
            print(f"tricklers stayed for {stayed:.1f} s; somebody came in within {1_000 * took:.0f} ms")
            assert after.peak - before.memory < MAY_GROW
            assert after.memory - before.memory < MAY_STAY
            assert stayed < IN_TIME
        cut = re.findall(r"session \d+ (does not read|is too far behind), closed", server.text)
        print(f"how the deaf were cut: {Counter(cut)}")
        assert len(cut) >= DEAF, "those who read nothing were cut for that"
        assert not re.search("ERROR|WARNING|dropped", server.text)

    run(scenario(), within=120)
