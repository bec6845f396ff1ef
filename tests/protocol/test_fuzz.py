"""Hostile lines in both directions: nothing but a WireError ever comes out, and what is read can be written again."""

import tracemalloc
from collections import Counter
from random import Random

import pytest

from gridgames_protocol.codec import encode
from gridgames_protocol.errors import WireError
from gridgames_protocol.framing import Splitter, stuff
from tests.hostile.mutations import BENDS, GOOD, SHORT, bombs
from tests.protocol.vectors import LIMITS, decode, line_of

LINES = 50_000  # per seed and direction
RUNS = [("request", 0), ("request", 1), *(("push", seed) for seed in range(5))]  # a hub reads many more requests
AT_ONCE = 50  # lines in a chunk


def chunks(direction, seed):
    """The bent lines of a seed, mostly of one direction, in chunks that end anywhere."""
    rng, held = Random(f"{direction} {seed}"), b""
    own = [vector for vector in GOOD if vector["direction"] == direction]
    lines = [line_of(vector) for vector in own * 8 + SHORT]
    for _ in range(LINES // AT_ONCE):
        bent = [rng.choice(BENDS)(rng, rng.choice(lines)) for _ in range(AT_ONCE)]
        stream = held + b"\n".join(bent) + b"\n"
        at = len(stream) - int(rng.random() * 100)
        held = stream[at:]
        yield stream[:at]
    yield held


@pytest.mark.parametrize(("direction", "seed"), RUNS)
def test_nothing_but_a_wire_error_comes_out_of_hostile_lines(direction, seed):
    splitter, seen = Splitter(LIMITS[direction]), Counter()
    for chunk in chunks(direction, seed):
        seen.update(outcome(direction, found) for found in splitter.feed(chunk))
    assert seen["too_long"] > 0 or direction == "push"  # where no bent line is long enough
    assert min(seen[code] for code in ("bad_line", "unknown_type", "bad_request", "read")) > LINES / 50
    assert seen.total() > LINES * 0.95  # an empty line is none


def outcome(direction, found):
    """What becomes of a line; one that is read must come back the same from its own bytes."""
    if isinstance(found, WireError):
        return found.code
    try:
        message = decode(direction, found)
    except WireError as error:
        return error.code
    assert decode(direction, encode(message)[:-1]) == message
    return "read"


@pytest.mark.parametrize(("direction", "most", "bound"), [("request", 64, 1_000_000), ("push", 8_192, 6_000_000)])
def test_no_line_takes_much_memory(direction, most, bound):
    for name, payload in bombs(most, LIMITS[direction]).items():
        line = stuff(payload)[:-1]
        assert len(line) < LIMITS[direction], name
        tracemalloc.start()
        try:
            with pytest.raises(WireError):
                decode(direction, line)
            _, peak = tracemalloc.get_traced_memory()
        finally:
            tracemalloc.stop()
        assert peak < bound, name
