"""msgpack without its C extension, as in `gridgames.pyz`: it packs, reads and refuses the same."""

import json
import os
import subprocess
import sys
from pathlib import Path

from gridgames_protocol.codec import encode
from gridgames_protocol.errors import WireError
from gridgames_protocol.framing import Splitter, stuff
from tests.hostile.mutations import bombs
from tests.protocol.test_fuzz import AT_ONCE, chunks
from tests.protocol.vectors import LIMITS, decode

HERE = Path(__file__).parent
TOP = HERE.parents[1]
TESTS = [HERE / f"test_{name}.py" for name in ("threads", "messages", "errors", "lines", "records")]
CHUNKS = 40  # of hostile lines, in each direction
BOMBS = {"request": 64, "push": 8_192}
SAY_OUTCOMES = "import json; from tests.protocol.test_pure_python import *; print(json.dumps(list_outcomes()))"


def run(*arguments):
    """Run Python with the pure-Python msgpack."""
    alone = {**os.environ, "MSGPACK_PUREPYTHON": "1"}
    return subprocess.run([sys.executable, *arguments], cwd=TOP, env=alone, capture_output=True, text=True)


def list_outcomes():
    """What becomes of hostile lines: the code of the error, or the bytes of the message that was read."""
    found = []
    for direction, limit in LIMITS.items():
        splitter = Splitter(limit)
        stream = (
            line for _, chunk in zip(range(CHUNKS), chunks(direction, 7), strict=False) for line in splitter.feed(chunk)
        )
        found += [outcome(direction, line) for line in stream]
        found += [outcome(direction, stuff(bomb)[:-1]) for bomb in bombs(BOMBS[direction], limit).values()]
    return found


def outcome(direction, line):
    try:
        return encode(decode(direction, line)).hex() if isinstance(line, bytes) else line.code
    except WireError as error:
        return error.code


def test_what_holds_for_the_c_extension_holds_without_it():
    done = run("-m", "pytest", "-q", "-p", "no:cacheprovider", *TESTS)
    assert done.returncode == 0, done.stdout


def test_hostile_lines_fare_the_same_with_and_without_the_c_extension():
    pure = run("-c", SAY_OUTCOMES)
    assert pure.returncode == 0, pure.stderr
    outcomes = list_outcomes()
    assert len(outcomes) > CHUNKS * AT_ONCE
    assert json.loads(pure.stdout) == outcomes
