"""What can be wrong with bytes from outside, as one small tree.

    WireError
    ├── BadLine       not one MessagePack map of plain values under the line's stuffing
    ├── TooLong       more bytes than a line of that direction may have
    ├── UnknownType   a map, but its `type` is on no list
    └── BadMessage    a message of a known type with a field that is missing or wrong
        └── UnknownKey   a key that a strict reader does not know

Each is the peer's doing, never ours. `code` is the word that goes back on the wire.
"""

from typing import ClassVar, Literal

from gridgames_protocol.safe_text import is_harmless

SHOWN_MAX = 40  # characters of a foreign word that a sentence repeats


class WireError(Exception):
    """Bytes from outside that are no valid message."""

    code: ClassVar[Literal["bad_line", "too_long", "unknown_type", "bad_request"]]
    re: int | None = None  # the request's id, where it could be read
    field: str | None = None  # the field that is missing or wrong, where it is known


class BadLine(WireError):
    """A line that no message can be read from."""

    code = "bad_line"

    def __init__(self, fault: str) -> None:
        super().__init__(fault)
        self.fault = fault

    def __str__(self) -> str:
        return f"This line is not a message: {self.fault}."


class TooLong(WireError):
    """A line over its direction's limit; it is dropped up to its LF."""

    code = "too_long"

    def __init__(self, limit: int) -> None:
        super().__init__(limit)
        self.limit = limit

    def __str__(self) -> str:
        return f"This line is too long: at most {self.limit} bytes, its LF included."


class UnknownType(WireError):
    """A map that names no message of its direction."""

    code = "unknown_type"
    field = "type"

    def __init__(self, re: int | None = None, word: object = None) -> None:
        super().__init__(re, word)
        self.re, self.word = re, word

    def __str__(self) -> str:
        if self.word is None:
            return "This message has no `type`."
        return f"There is no message of the type {show(self.word)} in this direction."


class BadMessage(WireError):
    """A message of a known type with a missing or unfit field."""

    code = "bad_request"

    def __init__(self, what: str, field: str, needs: str, re: int | None = None) -> None:
        super().__init__(what, field, needs, re)
        self.what, self.needs, self.re = what, needs, re
        self.field = field

    def __str__(self) -> str:
        return f"`{self.what}` needs `{self.field}` to be {self.needs}."


class UnknownKey(BadMessage):
    """A message with a key that is not known, where the peer has asked for strictness."""

    def __init__(self, what: str, key: str, re: int | None = None) -> None:
        super().__init__(what, key, "", re)
        self.field = key if is_repeatable(key) else None

    def __str__(self) -> str:
        return f"`{self.what}` has no field {show(self.args[1])}."


def show(word: object) -> str:
    """A foreign word as a sentence may repeat it."""
    return f"`{word}`" if isinstance(word, str) and is_repeatable(word) else "that you sent"


def is_repeatable(word: str) -> bool:
    """True if a foreign word is short and harmless."""
    return 1 <= len(word) <= SHOWN_MAX and is_harmless(word)
