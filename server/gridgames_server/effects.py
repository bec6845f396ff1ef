"""The only ways in which the core touches the world; the shell performs them, in their order."""

from dataclasses import dataclass

from gridgames_protocol.messages import Push


@dataclass(frozen=True, slots=True)
class Send:
    """Say something on a connection."""

    session: int
    message: Push


@dataclass(frozen=True, slots=True)
class Hangup:
    """Close a connection once everything said on it so far is out."""

    session: int


@dataclass(frozen=True, slots=True)
class Record:
    """Keep an accepted line. What stands behind it waits until it is on disk."""

    room: int
    game: int  # which game in the room
    seat: int
    line: str
    play: int  # the request's id


@dataclass(frozen=True, slots=True)
class Note:
    """Write a line to the log: ids and counts, never what players typed or were told."""

    text: str


@dataclass(frozen=True, slots=True)
class Trouble:
    """Write to the log where a bug struck, under the id that the player was given."""

    id: str
    error: BaseException


Effect = Send | Hangup | Record | Note | Trouble
