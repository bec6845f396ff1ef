"""The bounds of the fields of messages, their closed lists, and the lists of messages."""

from typing import Annotated, Any, Literal, TypeVar, dataclass_transform

from gridgames_protocol.framing import CLIENT_LINE_MAX, SERVER_LINE_MAX
from gridgames_protocol.rules import SPARSE, Length, Range
from gridgames_protocol.schema import INTEGER_MAX, record
from gridgames_protocol.views import Seat

T = TypeVar("T")

PROTOCOL = 1
CHAT_MAX = 300
LINE_MAX = 200  # a typed line of a game; the longest sensible one has 20 characters
NAME_COLUMNS = 16
NAME_MAX = 32  # characters: an accent may follow every letter
PASSWORD_MAX = 256
ANALYSED_MAX = 1_024  # moves of one analysis: with the longest lines they fit in a line of the wire
RECORD_PART = 16_384  # characters of one part of a saved game

Count = Annotated[int, Range(0, INTEGER_MAX)]
Id = Annotated[int, Range(1, INTEGER_MAX)]
Code = Annotated[str, Length(1, 16)]  # a room's
Slug = Annotated[str, Length(1, 40)]
Name = Annotated[str, Length(1, NAME_MAX)]
Agent = Annotated[str, Length(1, 64)]  # the program behind a connection
Seats = Annotated[tuple[Seat, ...], Length(0, 2), SPARSE]
Seconds = Annotated[int, Range(5, 86_400)]
Chance = Annotated[int, Range(0, 1_000)]  # of a thousand
Version = Annotated[int, Range(0, INTEGER_MAX)]
Versions = Annotated[tuple[Version, ...], Length(1, 16)]

First = Literal["random", "host", "guest"]
Level = Literal["easy", "medium", "hard"]
Judgement = Literal["none", "?!", "?", "??"]
RoomState = Literal["waiting", "playing", "over"]
EventKind = Literal["move", "hint", "system", "chat"]
ErrorCode = Literal[
    "bad_line", "too_long", "bad_request", "unknown_type", "protocol", "hello_first", "name", "name_taken", "password",
    "token", "no_such_game", "no_such_room", "room_full", "not_in_room", "in_room", "not_seated", "not_your_turn",
    "illegal", "syntax", "stale", "not_now", "too_fast", "server_full", "shutting_down", "internal",
]  # fmt: skip
ByeCode = Literal[ErrorCode, "bye", "replaced", "kicked", "silent", "slow"]

REQUESTS: dict[str, type] = {}
PUSHES: dict[str, type] = {}
WORDS: dict[type, tuple[str, int]] = {}  # a message's class -> its word, and the limit of its direction's lines


class KeepsLine:
    """A message that is sent many times and may keep its line, see `codec.keep_line`."""

    __slots__ = ("kept_line",)
    kept_line: bytes


def _register(cls: type[T], word: str, listed: dict[str, type], limit: int) -> type[T]:
    made = record(cls, word)
    listed[word], WORDS[made] = made, (word, limit)
    return made


@dataclass_transform(frozen_default=True)
def request(word: str) -> Any:
    """Enter a class in the list of what a client may say."""
    return lambda cls: _register(cls, word, REQUESTS, CLIENT_LINE_MAX)


@dataclass_transform(frozen_default=True)
def push(word: str) -> Any:
    """Enter a class in the list of what a server may say."""
    return lambda cls: _register(cls, word, PUSHES, SERVER_LINE_MAX)
