"""Lines as a foreign client reads them: the plain maps, without any class of ours."""

from functools import lru_cache
from typing import Any

import msgpack

from gridgames_protocol.framing import unstuff


@lru_cache(maxsize=8)  # who checks a line and who reads it do so one after the other; a long line takes megabytes
def unpacked(line: bytes) -> dict[str, Any]:
    """The map that a line without its LF holds; nobody may change it."""
    found: dict[str, Any] = msgpack.unpackb(unstuff(line), use_list=False)
    return found
