"""The byte vectors that other people write their clients by are what this package says and hears."""

from hashlib import sha256

import pytest

from gridgames_protocol.codec import decode_push, decode_request, encode
from gridgames_protocol.errors import BadLine, WireError
from gridgames_protocol.framing import Splitter
from gridgames_protocol.messages import PUSHES, REQUESTS, Chat, Ok, Ping, Play
from tests.protocol.vectors import (
    LIMITS,
    MALFORMED,
    MESSAGES,
    STORED,
    STREAMS,
    VECTORS,
    decode,
    line_of,
    name_of,
    pack,
    pack_anew,
    written,
)

every_message = pytest.mark.parametrize("vector", MESSAGES, ids=name_of)
every_malformed = pytest.mark.parametrize("vector", MALFORMED, ids=name_of)
every_stream = pytest.mark.parametrize("stream", STREAMS, ids=name_of)


def test_the_stored_lines_are_their_messages_packed(rewrite):
    """With --rewrite the lines are packed anew; what a malformed line is answered stays as it was written by hand."""
    if rewrite:
        pack_anew(MESSAGES + MALFORMED)
        STORED.write_text(written(VECTORS), encoding="ascii")
    assert STORED.read_text(encoding="ascii") == written(VECTORS)
    for vector in MESSAGES + MALFORMED:
        assert "message" not in vector or vector["line"] == pack(vector["message"]).hex(), name_of(vector)


BY_HAND = [
    # a map of 2: text of 4 "type", text of 4 "ping"; text of 2 "id", the integer
    (Ping(5), "82 a4 74797065 a4 70696e67 a2 6964 05 0a"),
    # 10 is 0a, which becomes c1 01
    (Ping(10), "82 a4 74797065 a4 70696e67 a2 6964 c101 0a"),
    # 193 is cc c1, and the c1 becomes c1 00
    (Ping(193), "82 a4 74797065 a4 70696e67 a2 6964 cc c100 0a"),
    # 2753 is cd 0a c1
    (Ping(0x0AC1), "82 a4 74797065 a4 70696e67 a2 6964 cd c101 c100 0a"),
    # 49418 is cd c1 0a
    (Ping(0xC10A), "82 a4 74797065 a4 70696e67 a2 6964 cd c100 c101 0a"),
    # 49409 is cd c1 01: only the c1 is stuffed
    (Ping(0xC101), "82 a4 74797065 a4 70696e67 a2 6964 cd c100 01 0a"),
    # an LF in the text of 9, and a map of 3
    (
        Chat(21, "two\nlines"),
        "83 a4 74797065 a4 63686174 a2 6964 15 a4 74657874 a9 74776f c101 6c696e6573 0a",
    ),
    # a rev of 193
    (
        Play(14, "SCAN 3 3", 193),
        "84 a4 74797065 a4 706c6179 a2 6964 0e a4 6c696e65 a8 5343414e20332033 a3 726576 cc c100 0a",
    ),
    (Ok(10), "82 a4 74797065 a2 6f6b a2 7265 c101 0a"),
]


@pytest.mark.parametrize(("message", "line"), BY_HAND)
def test_a_line_that_was_packed_by_hand_is_stored_written_and_read(message, line):
    assert encode(message) == bytes.fromhex(line)
    assert decode("push" if type(message) is Ok else "request", bytes.fromhex(line)[:-1]) == message
    assert bytes.fromhex(line).hex() in {vector["line"] for vector in MESSAGES}


def test_every_message_of_both_directions_has_a_vector():
    said = {(vector["direction"], vector["message"]["type"]) for vector in MESSAGES}
    assert said == {("request", word) for word in REQUESTS} | {("push", word) for word in PUSHES}


def test_every_code_that_a_line_can_earn_has_a_vector():
    assert {vector["code"] for vector in MALFORMED} == {kind.code for kind in WireError.__subclasses__()}


def test_no_two_vectors_have_the_same_name():
    for vectors in (MESSAGES, MALFORMED, STREAMS):
        assert len(set(map(name_of, vectors))) == len(vectors)


def test_the_longest_lines_have_exactly_the_limit_of_their_direction():
    for direction, limit in LIMITS.items():
        sizes = [len(line_of(vector)) + 1 for vector in MESSAGES if vector["direction"] == direction]
        assert max(sizes) == limit


@every_message
def test_a_message_means_what_the_vector_says(vector):
    meant = pack(vector.get("means", vector["message"]))
    message = decode(vector["direction"], line_of(vector))
    assert encode(message) == meant
    assert decode(vector["direction"], meant[:-1]) == message


@every_message
def test_a_message_in_one_chunk_with_others_around_it(vector):
    line = line_of(vector)
    splitter = Splitter(LIMITS[vector["direction"]])
    assert splitter.feed(b"\n" + line + b"\n" + b"before\n" + line + b"\n" + b"aft") == [line, b"before", line]


@every_message
def test_a_message_byte_by_byte(vector):
    line = line_of(vector)
    splitter = Splitter(LIMITS[vector["direction"]])
    assert [found for byte in line + b"\n" for found in splitter.feed(bytes([byte]))] == [line]


def cuts(size):
    """Every place to cut so many bytes; of very many the first, the last, and some between."""
    return range(size) if size <= 4_096 else [*range(100), *range(100, size - 100, 997), *range(size - 100, size)]


@every_message
def test_a_message_cut_in_two(vector):
    line = line_of(vector)
    splitter = Splitter(LIMITS[vector["direction"]])
    for at in cuts(len(line) + 1):
        assert splitter.feed(line[:at]) == []
        assert splitter.feed(line[at:] + b"\n") == [line]


@every_message
def test_a_message_that_breaks_off_is_no_message(vector):
    line = line_of(vector)
    for at in cuts(len(line)):
        with pytest.raises(BadLine):
            decode(vector["direction"], line[:at])


def answered(direction, line):
    """What a line (LF included) on a new connection is answered: a code, the request's id, and the field."""
    (found,) = Splitter(LIMITS[direction]).feed(line)
    try:
        if isinstance(found, WireError):
            raise found
        return decode(direction, found)
    except WireError as error:
        return error.code, error.re, error.field


@every_malformed
def test_a_malformed_line_is_answered_with_its_code(vector):
    code, re, field = answered(vector["direction"], line_of(vector) + b"\n")
    assert (code, re) == (vector["code"], vector["re"])
    assert vector["direction"] == "push" or field == vector["field"]


@every_malformed
def test_a_malformed_line_does_not_disturb_the_next_one(vector):
    line, ping = line_of(vector) + b"\n", encode(Ping(7))
    splitter = Splitter(LIMITS[vector["direction"]])
    *_, last = splitter.feed(line + ping)
    assert decode_request(last) == Ping(7)
    assert not splitter.pending


@every_malformed
def test_a_malformed_line_is_refused_by_the_decoder_alone(vector):
    with pytest.raises(WireError) as caught:
        decode(vector["direction"], line_of(vector))
    assert caught.value.code == vector["code"]


def yielded(stream, chunks):
    """What a splitter makes of the chunks, in the words of the vectors."""
    splitter = Splitter(LIMITS[stream["direction"]])
    found = [line for chunk in chunks for line in splitter.feed(chunk)]
    return [{"code": line.code} if isinstance(line, WireError) else {"line": line.hex()} for line in found]


@every_stream
def test_a_stream_yields_its_lines(stream):
    assert yielded(stream, map(bytes.fromhex, stream["chunks"])) == stream["yields"]


@every_stream
def test_a_stream_yields_the_same_however_it_is_cut(stream):
    whole = bytes.fromhex("".join(stream["chunks"]))
    assert yielded(stream, [whole]) == stream["yields"]
    for size in (1, 2, 3, 7, 1_000, 4_095, 4_096, 4_097):
        assert yielded(stream, [whole[at : at + size] for at in range(0, len(whole), size)]) == stream["yields"]


def test_the_commitment_of_the_vectors_is_opened_by_their_reveal():
    (commit,) = (vector["message"]["commit"] for vector in MESSAGES if "commit" in vector["message"])
    (reveal,) = (shown for vector in MESSAGES for shown in vector["message"].get("reveal", []))
    assert reveal["what"] == commit["what"]
    text = f"{reveal['nonce']}:{reveal['what']}={reveal['value']}"
    assert sha256(text.encode()).hexdigest() == commit["hash"]


def test_the_same_word_means_another_message_in_the_other_direction():
    line = pack({"type": "bye", "id": 1, "code": "bye", "text": "See you."})[:-1]
    assert type(decode_request(line)) is REQUESTS["bye"]
    assert type(decode_push(line)) is PUSHES["bye"]
