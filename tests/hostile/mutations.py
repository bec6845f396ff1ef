"""How hostile lines are made of good ones: bytes turned, cut, grown and spliced, and messages with alien values."""

import msgpack

from gridgames_protocol.framing import stuff
from tests.protocol.vectors import MALFORMED, MESSAGES, line_of

SMALL = 1_000  # bytes: mutations of longer lines show nothing new and take long
SHORT = [vector for vector in MESSAGES + MALFORMED if len(line_of(vector)) <= SMALL]
LONG = [line_of(vector) for vector in MESSAGES + MALFORMED if len(line_of(vector)) > SMALL]
GOOD = [vector for vector in SHORT if vector in MESSAGES]
PACKED = {line_of(vector): msgpack.packb(vector["message"]) for vector in GOOD}
OTHERS = [line_of(vector) for vector in SHORT]

# First bytes of MessagePack values of every kind, and the bytes that stuffing is about.
HEADS = bytes([0x00, 0x0A, 0x7F, 0x80, 0x8F, 0x90, 0x9F, 0xA0, 0xBF, *range(0xC0, 0xE0), 0xFF])
ALIENS = [
    *(None, True, False, 0, 1, 10, 193, -1, 2**53, 2**64 - 1, -(2**63), 0.5, float("nan"), float("-inf")),
    *("", "x", "\n", "\u202e", "王" * 20, "x" * 301, b"", b"\xc1", b"x" * 70),
    *([], [[]], [None] * 70, {}, {"": {}}, {b"x": 1}, {1: 2}, [[[[[[[[[0]]]]]]]]]),
    *(msgpack.ExtType(5, b""), msgpack.ExtType(5, b"x" * 20), msgpack.Timestamp(0), msgpack.Timestamp(2**40, 1)),
]


def flipped(rng, line):
    """A byte or two turned into others."""
    bent = bytearray(line)
    for _ in range(rng.choice((1, 1, 2, 3))):
        at = int(rng.random() * len(bent))
        bent[at] = rng.choice(HEADS) if rng.random() < 0.5 else bent[at] ^ 1 << int(rng.random() * 8)
    return bytes(bent)


def cut(rng, line):
    """A piece left out."""
    at = int(rng.random() * len(line))
    return line[:at] + line[at + 1 + int(rng.random() * 8) :]


def grown(rng, line):
    """A piece put in."""
    at = int(rng.random() * len(line))
    return line[:at] + rng.choice((rng.randbytes(3), bytes([rng.choice(HEADS)]))) + line[at:]


def spliced(rng, line):
    """The beginning of one line and the end of another."""
    other = rng.choice(OTHERS)
    return line[: int(rng.random() * len(line))] + other[int(rng.random() * len(other)) :]


def repeated(rng, line):
    """A piece many times over."""
    at, size = int(rng.random() * len(line)), 1 + int(rng.random() * 12)
    return line[:at] + line[at : at + size] * rng.choice((2, 3, 17, 100)) + line[at + size :]


def noise(rng, line):
    """Nothing that was ever a line."""
    return rng.randbytes(1 + int(rng.random() * 40))


def rebuilt(rng, line):
    """A message packed well, with one of its values gone, doubled or swapped for an alien."""
    return with_alien(rng, msgpack.unpackb(PACKED[line])) if line in PACKED else flipped(rng, line)


def with_alien(rng, message):
    """A message's line, after one of its values was taken out, doubled, boxed or swapped for an alien."""
    inside = message
    while True:
        at = rng.choice(list(inside) if isinstance(inside, dict) else range(len(inside)))
        if not (isinstance(inside[at], dict | list) and inside[at]) or rng.random() < 0.3:
            break
        inside = inside[at]
    match int(rng.random() * 6):
        case 0:
            del inside[at]
        case 1 if isinstance(inside, list):
            inside.insert(at, inside[at])
        case 1 | 2:
            inside[at] = [inside[at]]
        case _:
            inside[at] = rng.choice(ALIENS)
    return stuff(msgpack.packb(message))[:-1]


def untouched(rng, line):
    """A line as it is, or one of the long ones."""
    return line if rng.random() < 0.99 else rng.choice(LONG)


BENDS = [flipped, flipped, flipped, cut, grown, spliced, repeated, noise, rebuilt, rebuilt, rebuilt, untouched]


def bombs(most, room):
    """Payloads that take little to write and much to read, for a direction's longest list and line."""
    promise = b"\xdc" + most.to_bytes(2, "big")
    full = [promise + b"\x80" * most] * (room // (most + 3) - 1)
    return {
        "a list without end": b"\x81\xa1x\xdd\xff\xff\xff\xff",
        "a map without end": b"\xdf\xff\xff\xff\xff",
        "a text without end": b"\x81\xa1x\xdb\xff\xff\xff\xff",
        "binary without end": b"\x81\xa1x\xc6\xff\xff\xff\xff",
        "an extension without end": b"\x81\xa1x\xc9\xff\xff\xff\xff\x05",
        "a thousand promises inside each other": b"\x81\xa1x" + promise * 1_000,
        "as many promises as a line holds": b"\x81\xa1x" + promise * (room // 3 - 10),
        "promises of maps": b"\x81\xa1x" + (b"\xde" + promise[1:] + b"\xa1x") * (room // 5 - 10),
        "maps inside maps": b"\x81\xa1x" * (room // 3 - 10),
        "lists inside lists": b"\x91" * (room - 10),
        "a line full of empty maps": b"\xdc" + len(full).to_bytes(2, "big") + b"".join(full),
        "a line full of small maps": b"\x92" + 2 * (promise + b"\x81\xa0\xc0" * most),
        "a text of wide characters": b"\x81\xa1x\xda"
        + (room - 20).to_bytes(2, "big")
        + b"\xf0\x9f\x98\x80"
        + b"x" * (room - 24),
    }
