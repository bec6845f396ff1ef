"""A program that opens thousands of hostile connections: python -m tests.hostile.connection_flood PORT COUNT SEED

Each connects, does one thing that no client does, and goes: with a goodbye that it waits for, or without.
"""

import asyncio
import socket
import struct
import sys
from collections import Counter
from random import Random

from gridgames_protocol.codec import encode
from gridgames_protocol.messages import PROTOCOL, Create, Hello, Ping
from tests.hostile.corpus import corpus
from tests.hostile.mutations import BENDS, OTHERS

LOCAL = "127.0.0.1"
# Limits are counted by address: the players who are not to notice anything come from another one.
ELSEWHERE = "127.0.0.2" if sys.platform == "linux" else LOCAL
AT_ONCE = 64
AT_ONCE_GONE = struct.pack("ii", 1, 0)  # closing throws away what waits, and leaves no port behind that must rest
KEPT = list(corpus().values())
TLS_HELLO = b"\x16\x03\x01\x02\x00\x01\x00"
DOORS = (
    *(b"GET / HTTP/1.1\r\n\r\n", b"SSH-2.0-x\r\n", TLS_HELLO, b"hello?\n"),
    *(b"\n" * 5_000 + b"EHLO x\r\n", b"." * 70_000),
)
BEGINNINGS = (b"", b"\x85\xa4ty", b"\x00" * 300, b"\x80" * 5_000, b"\xff\xd8\xff\xe0", b"\n" * 300 + b"\xdf")


def bent(chance, count):
    """Some hostile lines in one go."""
    return b"\n".join(chance.choice(BENDS)(chance, chance.choice(OTHERS)) for _ in range(count)) + b"\n"


def hello(chance):
    return encode(Hello(1, PROTOCOL, f"m{chance.randrange(10**9)}"))


# What each kind sends, and whether it is sent away for it at once.
KINDS = {
    "knocks at the wrong door": lambda chance: (chance.choice(DOORS), True),
    "says eight lines that are none": lambda chance: (b"\x81\n" * 8, True),
    "floods": lambda chance: (hello(chance) + encode(Ping(2)) * 400, True),
    "begins something": lambda chance: (chance.choice(BEGINNINGS), False),
    "says bent lines": lambda chance: (b"\x80\n" + bent(chance, 30), False),
    "says what was worth keeping": lambda chance: (b"\n".join([b"\x80", *chance.sample(KEPT, 8)]) + b"\n", False),
    "says hello and then bent lines": lambda chance: (hello(chance) + bent(chance, 30), False),
    "says hello and half a line": lambda chance: (hello(chance) + b"\x85\xa4ty", False),
    "opens a room and is gone": lambda chance: (hello(chance) + encode(Create(2, "quantum-duel")), False),
}


async def come(port, chance):
    """One connection from beginning to end; the kind that it was, and how it ended."""
    kind = chance.choice(list(KINDS))
    says, waits = KINDS[kind](chance)
    slams = not waits and chance.random() < 0.5
    loop = asyncio.get_running_loop()
    with socket.socket() as wire:
        wire.setblocking(False)
        wire.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, AT_ONCE_GONE)
        wire.bind((ELSEWHERE, 0))
        await loop.sock_connect(wire, (LOCAL, port))
        try:
            await loop.sock_sendall(wire, says)
            if not waits and not slams:
                wire.shutdown(socket.SHUT_WR)
            while not slams and await loop.sock_recv(wire, 65_536):
                pass
        except OSError:
            return f"{kind}: cut"
    return f"{kind}: {'slams the door' if slams else 'hears the last words'}"


async def mob(port, count, seed):
    """So many connections, some at a time; how they ended."""
    chance, ends = Random(seed), Counter()
    left = iter(range(count))

    async def one_after_the_other():
        for _ in left:
            ends[await come(port, chance)] += 1

    async with asyncio.TaskGroup() as crowd:
        for _ in range(AT_ONCE):
            crowd.create_task(one_after_the_other())
    return ends


if __name__ == "__main__":
    for end, times in sorted(asyncio.run(mob(*map(int, sys.argv[1:]))).items()):
        print(times, end)
