"""Two datagrams by which a client finds the servers on its network: a call to everybody, and a server's answer.

A call is padded to the largest size of an answer. A server never sends more than it received, so a forged call can't
use it to flood somebody else.
"""

from typing import Annotated, Any, dataclass_transform

import msgpack

from gridgames_protocol.codec import FEW, recognize, unpack
from gridgames_protocol.errors import BadLine
from gridgames_protocol.messages import Count
from gridgames_protocol.rules import InvalidField, Length, Range
from gridgames_protocol.schema import pack, record

SIZE = 512  # bytes of every call, and the limit of an answer: small enough for one packet on every network
NONCE = 16  # hex digits that an answer repeats: only a receiver of the call can answer it

Nonce = Annotated[str, Length(NONCE, NONCE)]


@dataclass_transform(frozen_default=True)
def datagram(word: str) -> Any:
    """Make a class a record that is sent alone, under a word."""
    return lambda cls: record(cls, word)


@datagram("find")
class Call:
    """A client asks which servers are there."""

    nonce: Nonce
    protocol: Count


@datagram("here")
class Answer:
    """A server answers with what anybody may know."""

    nonce: Nonce
    instance: Nonce  # the same in all answers of one server, whatever way they came
    server: Annotated[str, Length(0, 64)]
    port: Annotated[int, Range(1, 65_535)]
    players: Count
    open: Count  # rooms that wait for a second player, but private ones
    password: bool
    tls: bool
    version: Annotated[str, Length(1, 32)]
    protocol: Count


_CALL: dict[str, type] = {"find": Call}
_ANSWER: dict[str, type] = {"here": Answer}


def encode_call(call: Call) -> bytes:
    """Return a call as a datagram, padded to its full size."""
    raw = msgpack.unpackb(pack(call))
    bare = msgpack.packb({**raw, "pad": ""})
    padded: bytes = msgpack.packb({**raw, "pad": " " * (SIZE - len(bare) - 2)})  # its head has two more bytes then
    return padded


def encode_answer(answer: Answer) -> bytes:
    """Return an answer as a datagram."""
    try:
        packed = pack(answer)
    except UnicodeEncodeError:  # half of a surrogate pair
        raise InvalidField("server", "text that UTF-8 can write") from None
    if len(packed) > SIZE:
        raise InvalidField("here", f"a datagram of at most {SIZE} bytes")
    return packed


def decode_call(datagram: bytes) -> Call:
    """The call that a datagram carries; a `WireError` if it is none, or has not its full size."""
    if len(datagram) != SIZE:
        raise BadLine(f"it does not have {SIZE} bytes")
    call: Call = recognize(unpack(datagram, FEW), _CALL)
    return call


def decode_answer(datagram: bytes) -> Answer:
    """The answer that a datagram carries; a `WireError` if it is none."""
    if len(datagram) > SIZE:
        raise BadLine(f"it has more than {SIZE} bytes")
    answer: Answer = recognize(unpack(datagram, FEW), _ANSWER)
    return answer
