"""Errors that cross layers, and how an error is logged."""

import traceback

from gridgames_protocol.messages import ErrorCode

SEE_LOG = "something went wrong on the server: its log says where"


class Refusal(Exception):
    """A refused request, and why. A game refuses lines that can't be read (`syntax`) or are forbidden (`illegal`).

    `field` is the field of the request that has to change. It is None if no other value would help.
    """

    def __init__(self, code: ErrorCode, text: str, field: str | None = None) -> None:
        super().__init__(code, text, field)
        self.code, self.text, self.field = code, text, field

    def __str__(self) -> str:
        return self.text


def syntax(text: str) -> Refusal:
    """Return the refusal of a line that can't be read."""
    return Refusal("syntax", text, "line")


def not_understood(lines: str) -> Refusal:
    """Return the refusal of a line that no game reads. `lines` are sentences about what can be typed."""
    return syntax(f"That was not understood. {lines}")


def illegal(text: str) -> Refusal:
    """Return the refusal of a line that can be read but is not allowed."""
    return Refusal("illegal", text, "line")


def locate(error: BaseException) -> str:
    """Return where in the code an error was raised. Its message is left out: it may quote a secret."""
    frames = traceback.extract_tb(error.__traceback__)
    steps = (f"{frame.filename.rpartition('/')[2]}:{frame.lineno} {frame.name}" for frame in frames)
    return f"{type(error).__name__} at " + " > ".join(steps)
