"""The yardstick: a bare relay that answers each line with what the server answered in a game that was written down.

It knows no rules and keeps nothing. It packs every message anew, as a server must whose views change with every move.
`python -m tests.bench.relay FILE [--plain] [--reuse] [--brief]`; the variants show what a choice is worth.
"""

import argparse
import asyncio
from collections import defaultdict
from collections.abc import Callable
from pathlib import Path
from typing import Any

import msgpack

from gridgames_protocol.framing import stuff, unstuff

Message = dict[str, Any]
Answer = Callable[[int], bytes]  # from the request's id to the bytes
Step = tuple[Answer, Answer]  # to the one who moved, and to the other

LOCAL = "127.0.0.1"
BUFFER = memoryview(bytearray(1 << 16))  # one for all connections
pack = msgpack.Packer().pack


class Table:
    """Two connections, and how far they are in the game."""

    def __init__(self) -> None:
        self.seats: dict[int, asyncio.Transport] = {}
        self.moves = 0


class RelayState:
    """What all connections share."""

    def __init__(self, steps: list[Step]) -> None:
        self.steps = steps
        self.tables: defaultdict[int, Table] = defaultdict(Table)


class Relay:
    """One connection: it first says where it sits, and every line after that is a move."""

    def __init__(self, state: RelayState) -> None:
        self.state = state
        self.table: Table | None = None
        self.seat = 0

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        assert isinstance(transport, asyncio.Transport)
        self.transport = transport

    def take(self, chunk: bytes) -> None:
        """Answer the lines of a chunk; on this machine a short line never comes in two."""
        for line in chunk.split(b"\n"):
            if line:
                self.answer(msgpack.unpackb(unstuff(line)))

    def answer(self, request: Message) -> None:
        if self.table is None:
            self.table, self.seat = self.state.tables[request["room"]], request["seat"]
            self.table.seats[self.seat] = self.transport
            self.transport.write(stuff(pack({"type": "ok", "re": request["id"]})))
            return
        to_mover, to_other = self.state.steps[self.table.moves % len(self.state.steps)]
        self.table.moves += 1
        self.transport.write(to_mover(request["id"]))
        self.table.seats[3 - self.seat].write(to_other(request["id"]))


class Shared(Relay, asyncio.BufferedProtocol):
    """Reads into the one buffer."""

    def get_buffer(self, sizehint: int) -> memoryview:
        return BUFFER

    def buffer_updated(self, nbytes: int) -> None:
        self.take(bytes(BUFFER[:nbytes]))


class Plain(Relay, asyncio.Protocol):
    """Gets a new `bytes` for everything that arrives."""

    def data_received(self, data: bytes) -> None:
        self.take(data)


# Answers --------------------------------------------------------------------------------------------------------------


def packed_anew(messages: list[Message]) -> Answer:
    """Pack every message, every time."""

    def answer(id: int) -> bytes:
        return b"".join([stuff(pack({**message, "re": id} if "re" in message else message)) for message in messages])

    return answer


def packed_in_parts(messages: list[Message], before: list[Message]) -> Answer:
    """Pack what has changed since the messages before; the values that have not are packed already."""
    last = {message["type"]: message for message in before}
    plans = [parts_of(message, last.get(message["type"], {})) for message in messages]

    def answer(id: int) -> bytes:
        lines = []
        for plan in plans:
            parts = [part if type(part) is bytes else pack(id if part is None else part[0]) for part in plan]
            lines.append(stuff(b"".join(parts)))
        return b"".join(lines)

    return answer


def parts_of(message: Message, last: Message) -> list[bytes | tuple[Any] | None]:
    """A message as packed parts and, in a tuple, values that are to be packed; None is the request's id."""
    parts: list[bytes | tuple[Any] | None] = []
    packed = msgpack.Packer().pack_map_header(len(message))
    for key, value in message.items():
        packed += pack(key)
        if key != "re" and last.get(key) == value:
            packed += pack(value)
        else:
            parts += (packed, None if key == "re" else (value,))
            packed = b""
    return [*parts, packed]


def steps_of(game: list[tuple[list[Message], list[Message]]], reuse: bool, brief: bool) -> list[Step]:
    """The answers to the moves of a game, to the mover and to the other."""
    if brief:
        game = [tuple([m for m in said if m["type"] in ("ok", "view")] for said in both) for both in game]
    if not reuse:
        return [(packed_anew(mover), packed_anew(other)) for mover, other in game]
    # Turns alternate: what the mover was told before is what was told to the other then.
    return [
        (packed_in_parts(mover, game[number - 1][1]), packed_in_parts(other, game[number - 1][0]))
        for number, (mover, other) in enumerate(game)
    ]


async def serve(state: RelayState, protocol: type[Shared] | type[Plain]) -> None:
    server = await asyncio.get_running_loop().create_server(lambda: protocol(state), LOCAL, 0, backlog=256)
    print(f"listening on {LOCAL}:{server.sockets[0].getsockname()[1]}", flush=True)
    await server.serve_forever()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("game", type=Path)
    parser.add_argument("--plain", action="store_true", help="asyncio.Protocol instead of BufferedProtocol")
    parser.add_argument("--reuse", action="store_true", help="reuse the packed parts that do not change")
    parser.add_argument("--brief", action="store_true", help="the acknowledgement and the views alone")
    options = parser.parse_args()
    game = msgpack.unpackb(options.game.read_bytes())
    asyncio.run(serve(RelayState(steps_of(game, options.reuse, options.brief)), Plain if options.plain else Shared))


if __name__ == "__main__":
    main()
