"""The only ways in which the core touches the world; the shell performs them, in their order."""

from collections.abc import Callable
from dataclasses import dataclass, field

from gridgames_protocol.messages import Level, Push, Show
from gridgames_server.deeds import Record
from gridgames_server.history import Question
from gridgames_server.values import value


@value
class Send:
    """Say something on a connection, all that one reader is told at a time in one go."""

    session: int
    said: tuple[Push, ...]


@dataclass(frozen=True, slots=True)
class Hangup:
    """Close a connection once everything said on it so far is out."""

    session: int


@dataclass(frozen=True, slots=True)
class Look:
    """Look something up in the store, and answer who asked."""

    session: int
    player: int
    question: Question


@dataclass(frozen=True, slots=True)
class Think:
    """Let a bot choose a line for what its seat is shown, off the loop's thread, and after a human-like pause."""

    room: int
    game: str
    seat: int
    level: Level
    show: Show = field(repr=False)


@dataclass(frozen=True, slots=True)
class Note:
    """Write a line to the log: ids and counts, never what players typed or were told."""

    text: str


@dataclass(frozen=True, slots=True)
class Trouble:
    """Write to the log where a bug struck, under the id that the player was given."""

    id: str
    error: BaseException


@dataclass(frozen=True, slots=True)
class Tell:
    """Tell the host that all up to here is kept, or why it could not be."""

    tell: Callable[[str], object]
    why: str = ""


Effect = Send | Hangup | Record | Look | Think | Note | Trouble | Tell
