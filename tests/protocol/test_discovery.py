"""The two datagrams of the search: as the vectors have them, never larger than what was asked, and nothing else."""

from dataclasses import fields
from random import Random

import msgpack
import pytest

from gridgames_protocol.discovery import (
    SIZE,
    Answer,
    Call,
    decode_answer,
    decode_call,
    encode_answer,
    encode_call,
)
from gridgames_protocol.errors import WireError
from gridgames_protocol.rules import InvalidField
from gridgames_protocol.schema import INTEGER_MAX
from tests.protocol.vectors import VECTORS, name_of

DATAGRAMS = VECTORS["datagrams"]
GOOD = [vector for vector in DATAGRAMS if "message" in vector]
BAD = [vector for vector in DATAGRAMS if "message" not in vector]
CALL = Call("c0ffee00c0ffee00", 1)
HERE = Answer("c0ffee00c0ffee00", "5e1f5e1f5e1f5e1f", "the attic", 4743, 10, 193, False, True, "0.1.0", 1)


def decode(direction, datagram):
    return {"call": decode_call, "answer": decode_answer}[direction](datagram)


@pytest.mark.parametrize("vector", GOOD, ids=name_of)
def test_a_datagram_means_what_its_vector_says(vector):
    message = decode(vector["direction"], bytes.fromhex(vector["datagram"]))
    for field in fields(message):
        assert getattr(message, field.name) == vector["message"][field.name]


@pytest.mark.parametrize("vector", BAD, ids=name_of)
def test_what_is_no_datagram_of_its_direction_is_refused(vector):
    with pytest.raises(WireError):
        decode(vector["direction"], bytes.fromhex(vector["datagram"]))


def test_the_bytes_are_those_of_the_vectors():
    stored = {vector["name"]: vector["datagram"] for vector in DATAGRAMS}
    assert encode_call(CALL).hex() == stored["a call"]
    assert encode_answer(HERE).hex() == stored["an answer"]
    for vector in GOOD:
        assert vector["datagram"] == msgpack.packb(vector["message"]).hex(), vector["name"]


@pytest.mark.parametrize("protocol", [0, 1, 10, 193, 70_000, INTEGER_MAX])
def test_every_call_has_its_full_size(protocol):
    call = Call("0123456789abcdef", protocol)
    assert len(encode_call(call)) == SIZE
    assert decode_call(encode_call(call)) == call


def test_no_answer_is_larger_than_a_call():
    widest = "\U0001f3e0"  # four bytes in UTF-8
    most = (65_535, INTEGER_MAX, INTEGER_MAX, True, True, "1" * 32, INTEGER_MAX)
    longest = Answer("f" * 16, "f" * 16, widest * 40, *most)  # a host's name for the server has no more characters
    assert len(encode_answer(longest)) < SIZE
    with pytest.raises(InvalidField):
        encode_answer(Answer("f" * 16, "f" * 16, widest * 64, *most[:-2], widest * 32, INTEGER_MAX))


def test_text_that_can_not_be_written_is_not_sent():
    with pytest.raises(InvalidField):
        encode_answer(Answer("f" * 16, "f" * 16, "half \ud800", 1, 0, 0, False, False, "1", 1))


@pytest.mark.parametrize(("entries", "fits"), [(64, True), (65, False)])
def test_a_datagram_has_as_many_entries_in_one_place_as_a_request(entries, fits):
    bare = {"type": "find", "nonce": CALL.nonce, "protocol": CALL.protocol, "more": [0] * entries}
    pad = SIZE - len(msgpack.packb({**bare, "pad": ""})) - 2
    datagram = msgpack.packb({**bare, "pad": " " * pad})
    if fits:
        assert decode_call(datagram) == CALL
    else:
        with pytest.raises(WireError):
            decode_call(datagram)


def test_garbage_is_refused_and_nothing_else_happens():
    rng = Random(4743)
    call, here = encode_call(CALL), encode_answer(HERE)
    for _ in range(20_000):
        for direction, datagram in (("call", call), ("answer", here)):
            bent = bytearray(datagram)
            for _ in range(rng.choice((1, 1, 2, 5))):
                bent[rng.randrange(len(bent))] = rng.randrange(256)
            try:
                message = decode(direction, bytes(bent))
            except WireError:
                continue
            assert type(message) is (Call if direction == "call" else Answer)
    for size in (0, 1, SIZE - 1, SIZE):
        for _ in range(1_000):
            for direction in ("call", "answer"):
                with pytest.raises(WireError):
                    decode(direction, rng.randbytes(size))
