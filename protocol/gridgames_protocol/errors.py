"""What can be wrong with bytes from outside, as one small tree.

    WireError
    ├── BadLine       not one MessagePack map of plain values under the line's stuffing
    ├── TooLong       more bytes than a line of that direction may have
    ├── UnknownType   a map, but its `type` is on no list
    └── BadMessage    a message of a known type with a field that is missing or wrong

Each is the peer's doing, never ours. `code` is the word that goes back on the wire.
"""

from typing import ClassVar, Literal


class WireError(Exception):
    """Bytes from outside that are no valid message."""

    code: ClassVar[Literal["bad_line", "too_long", "unknown_type", "bad_request"]]
    re: int | None = None  # the request's id, where it could be read


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

    def __init__(self, re: int | None = None) -> None:
        super().__init__(re)
        self.re = re

    def __str__(self) -> str:
        return "This message has no `type` that is known here."


class BadMessage(WireError):
    """A message of a known type with a missing or unfit field."""

    code = "bad_request"

    def __init__(self, what: str, field: str, needs: str, re: int | None = None) -> None:
        super().__init__(what, field, needs, re)
        self.what, self.field, self.needs, self.re = what, field, needs, re

    def __str__(self) -> str:
        return f"`{self.what}` needs `{self.field}` to be {self.needs}."
