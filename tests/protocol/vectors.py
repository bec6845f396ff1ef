"""The byte vectors as the tests read and write them, with a second, slower way to pack a line."""

import json
from pathlib import Path

import msgpack

from gridgames_protocol.codec import decode_push, decode_request
from gridgames_protocol.framing import CLIENT_LINE_MAX, SERVER_LINE_MAX
from gridgames_protocol.messages import Message

STORED = Path(__file__).parents[2] / "protocol" / "vectors.json"
LIMITS = {"request": CLIENT_LINE_MAX, "push": SERVER_LINE_MAX}

VECTORS = json.loads(STORED.read_text(encoding="ascii"))
MESSAGES, MALFORMED, STREAMS = VECTORS["messages"], VECTORS["malformed"], VECTORS["streams"]


def name_of(vector: dict) -> str:
    """How pytest calls a vector."""
    return f"{vector['direction']}: {vector['name']}"


def line_of(vector: dict) -> bytes:
    """A vector's line without its LF, as a splitter yields it."""
    line = bytes.fromhex(vector["line"])
    assert line.endswith(b"\n")
    return line[:-1]


def pack(message: object) -> bytes:
    """The line, LF included, that carries a message: byte by byte, as the contract words it."""
    stuffed = {0xC1: b"\xc1\x00", 0x0A: b"\xc1\x01"}
    return b"".join(stuffed.get(byte, bytes([byte])) for byte in msgpack.packb(message)) + b"\n"


def decode(direction: str, line: bytes) -> Message:
    """The message that a line of that direction carries."""
    return {"request": decode_request, "push": decode_push}[direction](line)


def pack_anew(vectors: list[dict]) -> None:
    """Bring each vector's line up to its message, where it has one."""
    for vector in vectors:
        if "message" in vector:
            vector["line"] = pack(vector["message"]).hex()


def written(vectors: dict) -> str:
    """The file's text: one vector a line, so that a change shows as one line."""
    return "{\n" + ",\n".join(f"{json.dumps(key)}: {_listed(held)}" for key, held in vectors.items()) + "\n}\n"


def _listed(entries: list) -> str:
    return "[\n" + ",\n".join(map(json.dumps, entries)) + "\n]"
