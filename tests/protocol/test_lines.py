"""Bytes to lines and back, however the bytes are cut up on their way."""

import tracemalloc

import pytest

from gridgames_protocol.errors import BadLine, TooLong
from gridgames_protocol.framing import CLIENT_LINE_MAX, SERVER_LINE_MAX, Splitter, stuff, unstuff

PAIRS = [
    (b"", b"\n"),
    (b"plain", b"plain\n"),
    (b"\n", b"\xc1\x01\n"),
    (b"\xc1", b"\xc1\x00\n"),
    (b"\n\n", b"\xc1\x01\xc1\x01\n"),
    (b"\xc1\xc1", b"\xc1\x00\xc1\x00\n"),
    (b"\n\xc1", b"\xc1\x01\xc1\x00\n"),
    (b"\xc1\n", b"\xc1\x00\xc1\x01\n"),
    (b"\xc1\x00", b"\xc1\x00\x00\n"),
    (b"\xc1\x01", b"\xc1\x00\x01\n"),
    (b"\xc1\x00\n\x01", b"\xc1\x00\x00\xc1\x01\x01\n"),
]


@pytest.mark.parametrize(("payload", "line"), PAIRS)
def test_a_line_carries_its_bytes_there_and_back(payload, line):
    assert stuff(payload) == line
    assert unstuff(line[:-1]) == payload


def test_every_byte_before_every_other_comes_through():
    for payload in (bytes([first, second]) for first in range(256) for second in range(256)):
        line = stuff(payload)
        assert line.index(b"\n") == len(line) - 1
        assert unstuff(line[:-1]) == payload


def test_a_c1_before_any_other_byte_is_malformed():
    for after in range(2, 256):
        with pytest.raises(BadLine, match="followed by neither 00 nor 01"):
            unstuff(b"ok" + bytes([0xC1, after]) + b"ok")


@pytest.mark.parametrize(
    "line", [b"\xc1", b"ok\xc1", b"\xc1\x00\xc1", b"\xc1\x01\xc1", b"\xc1\xc1\x00", b"\xc1\xc1\x01"]
)
def test_a_c1_without_its_second_byte_is_malformed(line):
    with pytest.raises(BadLine):
        unstuff(line)


def test_a_line_is_given_out_when_its_lf_comes():
    splitter = Splitter(100)
    assert splitter.feed(b"one") == []
    assert splitter.feed(b" line") == []
    assert splitter.feed(b"\n") == [b"one line"]


def test_a_chunk_may_end_many_lines_and_open_another():
    splitter = Splitter(100)
    assert splitter.feed(b"a\nb\nc") == [b"a", b"b"]
    assert splitter.feed(b"d\n") == [b"cd"]


def test_empty_lines_are_ignored():
    splitter = Splitter(100)
    assert splitter.feed(b"\n\na\n\n") == [b"a"]
    assert splitter.feed(b"\n") == []
    assert not splitter.pending


@pytest.mark.parametrize("chunk", [b"\n" * 65_536, (b"a" * 20 + b"\n" * 200) * 300])
def test_empty_lines_take_no_memory_of_their_own(chunk):
    splitter = Splitter(100)
    splitter.feed(b"\n\n")
    tracemalloc.start()
    lines = splitter.feed(chunk)
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert lines == [b"a" * 20] * chunk.count(b"a" * 20)
    assert peak < 2 * len(chunk), "a list of empty lines takes eight bytes for each"


def test_an_empty_chunk_changes_nothing():
    splitter = Splitter(100)
    assert splitter.feed(b"a") == splitter.feed(b"") == []
    assert splitter.feed(b"\n") == [b"a"]


def test_a_splitter_is_pending_in_the_middle_of_a_line_only():
    splitter = Splitter(4)
    steps = [
        (b"", False),
        (b"a", True),
        (b"b\n", False),
        (b"a\nb", True),
        (b"\n", False),
        (b"12345", True),
        (b"6", True),
    ]
    for chunk, pending in [*steps, (b"\n", False)]:
        splitter.feed(chunk)
        assert splitter.pending is pending, chunk


STREAM = b"first\n\nsecond one\nxxxxxxxxxxxxxxxxxxxx\nthird\n" + stuff(b"four\nth") + b"unfinished"


def told(chunks, limit=16):
    """What a new splitter makes of the chunks; an over-long line shows as its limit."""
    splitter = Splitter(limit)
    found = [line for chunk in chunks for line in splitter.feed(chunk)]
    return [line.limit if isinstance(line, TooLong) else line for line in found]


WHOLE = [b"first", b"second one", 16, b"third", b"four\xc1\x01th"]


def test_a_stream_in_one_chunk():
    assert told([STREAM]) == WHOLE


def test_a_stream_byte_by_byte():
    assert told([bytes([byte]) for byte in STREAM]) == WHOLE


@pytest.mark.parametrize("size", range(2, len(STREAM)))
def test_a_stream_in_equal_chunks(size):
    assert told([STREAM[at : at + size] for at in range(0, len(STREAM), size)]) == WHOLE


@pytest.mark.parametrize("at", range(len(STREAM) + 1))
def test_a_stream_cut_in_two(at):
    assert told([STREAM[:at], STREAM[at:]]) == WHOLE


@pytest.mark.parametrize("limit", [1, 2, 16, CLIENT_LINE_MAX, SERVER_LINE_MAX])
def test_a_line_of_exactly_the_limit_passes_and_one_more_byte_is_too_long(limit):
    longest = b"x" * (limit - 1)
    assert told([longest + b"\n"], limit) == [longest] * bool(longest)
    assert told([longest, b"\n"], limit) == [longest] * bool(longest)
    assert told([longest + b"x\n"], limit) == [limit]
    assert told([longest, b"x\n"], limit) == [limit]


def test_an_over_long_line_is_reported_before_its_lf_comes():
    splitter = Splitter(4)
    assert splitter.feed(b"xxx") == []
    (report,) = splitter.feed(b"x")
    assert isinstance(report, TooLong)
    assert str(report) == "This line is too long: at most 4 bytes, its LF included."


def test_an_over_long_line_is_reported_once():
    assert told([b"x" * 9, b"x", b"x" * 100, b"x\n"], 4) == [4]


def test_the_tail_of_an_over_long_line_is_never_a_line():
    assert told([b"xxxxxxxx", b"ab", b"c\nok\n"], 4) == [4, b"ok"]
    assert told([b"xxxxxxxx", b"\nok\n"], 4) == [4, b"ok"]
    assert told([b"xxxxxxxx\nok\n"], 4) == [4, b"ok"]


def test_each_over_long_line_is_reported():
    assert told([b"xxxxx\nyyyyy\n\nzzzzz"], 4) == [4, 4, 4]


@pytest.mark.parametrize("limit", [CLIENT_LINE_MAX, SERVER_LINE_MAX])
def test_a_line_without_end_costs_no_more_than_the_limit(limit):
    splitter = Splitter(limit)
    chunk = b"x" * 1_000
    tracemalloc.start()
    try:
        for _ in range(1_000):
            splitter.feed(chunk)
            assert len(splitter._held) < limit
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert peak < 4 * limit + 10_000  # the held bytes, their successor, and a few small objects


def test_a_splitter_is_as_good_as_new_after_an_over_long_line():
    splitter = Splitter(16)
    for _ in range(3):
        assert [type(found) for found in splitter.feed(b"x" * 50 + b"\n")] == [TooLong]
        assert splitter.feed(b"123456789 12345\n") == [b"123456789 12345"]
        assert not splitter.pending
