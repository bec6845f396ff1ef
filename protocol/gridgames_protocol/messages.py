"""Every message in both directions: the closed list, and the way onto the wire and off it."""

from typing import Annotated, Any, Literal, TypeVar, dataclass_transform, get_args

import msgpack

from gridgames_protocol.errors import BadLine, BadMessage, TooLong, UnknownType
from gridgames_protocol.lines import CLIENT_LINE_MAX, SERVER_LINE_MAX, stuff, unstuff
from gridgames_protocol.records import (
    FLAT,
    INTEGER_MAX,
    Drawn,
    Length,
    Range,
    Repeated,
    Unfit,
    is_plain,
    pack,
    read,
    record,
)
from gridgames_protocol.views import Card, Review, Seat, Sentence, View

T = TypeVar("T")

PROTOCOL = 1
CHAT_MAX = 300
LINE_MAX = 200  # a typed line of a game; the longest sensible one has 20 characters
NAME_COLUMNS = 16
NAME_MAX = 32  # characters: an accent may follow every letter

Count = Annotated[int, Range(0, INTEGER_MAX)]
Id = Annotated[int, Range(1, INTEGER_MAX)]
Code = Annotated[str, Length(1, 16)]  # a room's
Slug = Annotated[str, Length(1, 40)]
Name = Annotated[str, Length(1, NAME_MAX)]

First = Literal["random", "host", "guest"]
Level = Literal["easy", "medium", "hard"]
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
_LISTED: dict[type, tuple[str, int]] = {}  # a message's class -> its word, and the limit of its direction's lines


def _enter(cls: type[T], word: str, listed: dict[str, type], limit: int) -> type[T]:
    made = record(cls, word)
    listed[word], _LISTED[made] = made, (word, limit)
    return made


@dataclass_transform(frozen_default=True)
def request(word: str) -> Any:
    """Enter a class in the list of what a client may say."""
    return lambda cls: _enter(cls, word, REQUESTS, CLIENT_LINE_MAX)


@dataclass_transform(frozen_default=True)
def push(word: str) -> Any:
    """Enter a class in the list of what a server may say."""
    return lambda cls: _enter(cls, word, PUSHES, SERVER_LINE_MAX)


# What a client says ---------------------------------------------------------------------------------------------------


@request("hello")
class Hello:
    id: Id
    protocol: Count
    name: Annotated[str, Length(0, 64)]  # wider than a name may be: one that is too long deserves a kind word
    token: Annotated[str, Length(1, 128)] | None = None
    password: Annotated[str, Length(0, 256)] | None = None
    agent: Annotated[str, Length(0, 64)] | None = None


@request("status")
class AskStatus:
    id: Id


@request("ping")
class Ping:
    id: Id


@request("create")
class Create:
    id: Id
    game: Slug
    first: First = "random"
    bot: Level | None = None
    private: bool = False
    clock: Annotated[int, Range(5, 86_400)] | None = None
    assist: bool = False


@request("join")
class Join:
    id: Id
    room: Code


@request("watch")
class Watch:
    id: Id
    room: Code


@request("leave")
class Leave:
    id: Id


@request("play")
class Play:
    id: Id
    line: Annotated[str, Length(0, LINE_MAX)]
    rev: Count | None = None


@request("again")
class Again:
    id: Id


@request("resign")
class Resign:
    id: Id


@request("claim")
class Claim:
    id: Id


@request("chat")
class Chat:
    id: Id
    text: Annotated[str, Length(1, CHAT_MAX)]


@request("bye")
class Farewell:
    id: Id


@request("history")
class AskHistory:
    id: Id
    before: Id | None = None  # the number of a game: older ones than that


@request("replay")
class AskReplay:
    id: Id
    game: Id  # its number in the history
    step: Count  # after so many lines; 0 is the start
    eyes: Annotated[int, Range(0, 2)]  # as a seat saw it then, or 0: with everything open


@request("standings")
class AskStandings:
    id: Id
    game: Slug | None = None  # None: all games together


Request = (
    Hello | AskStatus | Ping | Create | Join | Watch | Leave | Play | Again | Resign | Claim | Chat | Farewell
    | AskHistory | AskReplay | AskStandings
)  # fmt: skip


# What a server says ---------------------------------------------------------------------------------------------------


@push("ok")
class Ok:
    re: Id
    room: Code | None = None


@push("welcome")
class Welcome:
    re: Id
    protocol: Count
    server: Annotated[str, Length(0, 64)]
    name: Name
    token: Annotated[str, Length(1, 128)]
    games: Annotated[tuple[Card, ...], Length(0, 64)]
    room: Code | None
    last_play: Id | None


@push("status")
class Status:
    # Nothing in here grows with what others type, or tells when they do.
    re: Id
    server: Annotated[str, Length(0, 64)]
    uptime: Count
    players: Count
    rooms: Count
    games: Count
    moves: Count
    version: Annotated[str, Length(1, 32)] | None = None


@record
class LobbyRoom:
    room: Code
    game: Slug
    title: Annotated[str, Length(1, 40)]
    host: Name
    state: RoomState
    open: bool
    watchers: Count
    assist: bool = False


@push("lobby")
class Lobby:
    rooms: Annotated[tuple[LobbyRoom, ...], Length(0, 4_096)]
    players: Count
    more: Count  # rooms that are there and not listed


@record
class SeatHolder:
    name: Name
    online: bool
    bot: Level | None


@push("room")
class Room:
    room: Code
    game: Slug
    title: Annotated[str, Length(1, 40)]
    state: RoomState
    seats: tuple[SeatHolder | None, SeatHolder | None]
    you: Seat | None
    watchers: Count
    first: First
    clock: Annotated[int, Range(5, 86_400)] | None
    score: tuple[Count, Count, Count]
    number: Count
    assist: bool = False


@push("view")
class Show(Drawn):
    """A view as it is sent: the game's part, and what the room adds to it."""

    room: Code
    rev: Count
    turn: Annotated[tuple[Seat, ...], Length(0, 2)]
    you: Seat | None
    view: Annotated[View, FLAT]
    deadline: Count | None = None


@record
class Commit:
    what: Annotated[str, Length(1, 64)]
    hash: Annotated[str, Length(64, 64)]


@push("event")
class Event(Repeated):
    text: Sentence
    kind: EventKind
    seat: Seat | None = None
    name: Name | None = None
    commit: Commit | None = None
    past: bool | None = None  # told before, and told again to one who comes back


@record
class Reveal:
    what: Annotated[str, Length(1, 64)]
    value: Annotated[str, Length(0, 1_000)]
    nonce: Annotated[str, Length(32, 32)]


Move = tuple[Seat, Annotated[str, Length(0, LINE_MAX)]]
Moves = Annotated[tuple[Move, ...], Length(0, 8_192)]
Reveals = Annotated[tuple[Reveal, ...], Length(0, 8_192)]


@push("opening")
class Opening:
    moves: Moves
    reveal: Reveals


@push("over")
class Over:
    winner: Seat | None
    reason: Annotated[str, Length(1, 40)]
    text: Sentence
    moves: Moves
    reveal: Reveals
    review: Review | None = None


@record
class PastGame:
    number: Id
    game: Slug
    title: Annotated[str, Length(1, 40)]
    you: Seat
    names: tuple[Name, Name]
    winner: Seat | None
    reason: Annotated[str, Length(1, 40)]
    lines: Count
    ended: Count  # seconds since 1970


@push("history")
class History:
    re: Id
    games: Annotated[tuple[PastGame, ...], Length(0, 50)]
    more: bool


@push("replay")
class Replay:
    """A finished game as it stood after some of its lines."""

    re: Id
    game: Id
    step: Count
    steps: Count
    eyes: Annotated[int, Range(0, 2)]
    names: tuple[Name, Name]
    line: tuple[Seat, Annotated[str, Length(0, LINE_MAX)]] | None  # that led here
    text: Sentence  # how the game ended
    view: Annotated[View, FLAT]
    review: Review | None = None  # with the last step


@record
class Standing:
    name: Name
    played: Count
    won: Count
    drawn: Count
    lost: Count


@push("standings")
class Standings:
    re: Id
    game: Slug | None
    rows: Annotated[tuple[Standing, ...], Length(0, 100)]


@push("error")
class Error:
    code: ErrorCode
    text: Sentence
    re: Id | None = None


@push("bye")
class Bye:
    code: ByeCode
    text: Sentence


Push = Ok | Welcome | Status | Lobby | Room | Show | Event | Opening | Over | History | Replay | Standings | Error | Bye
Message = Request | Push

assert set(get_args(Request)) == set(REQUESTS.values())
assert set(get_args(Push)) == set(PUSHES.values())


# Onto the wire and off it ---------------------------------------------------------------------------------------------

_NO_VALUE = "it holds no MessagePack value, more than one, or one that is out of bounds"
# The entries that arrays and maps of a small message have at the most: a few bytes must not claim megabytes ahead of
# their content.
FEW = 64


def encode(message: Message) -> bytes:
    """The line, LF included, that carries a message."""
    if type(message) is Event and message.kept is not None:
        return message.kept
    word, limit = _LISTED[type(message)]
    try:
        line = stuff(pack(message))
    except (UnicodeEncodeError, OverflowError):  # half of a surrogate pair; an integer that no machine has
        raise Unfit(word, "text that UTF-8 can write and integers of at most 64 bits") from None
    if len(line) > limit:
        raise Unfit(word, f"a line of at most {limit} bytes")
    return line


def spoken(event: Event) -> Event:
    """An event that is told again and again: its line is made once."""
    event.kept = encode(event)
    return event


def decode_request(line: bytes) -> Request:
    """The request that a client's line (without its LF) carries."""
    if len(line) >= CLIENT_LINE_MAX:
        raise TooLong(CLIENT_LINE_MAX)
    message: Request = recognize(unpack(unstuff(line), most=FEW), REQUESTS)
    return message


def decode_push(line: bytes) -> Push:
    """The push or reply that a server's line (without its LF) carries."""
    if len(line) >= SERVER_LINE_MAX:
        raise TooLong(SERVER_LINE_MAX)
    payload = unstuff(line)
    _skim(payload)
    message: Push = recognize(unpack(payload, most=8_192), PUSHES)
    return message


def recognize(raw: dict[str, object], listed: dict[str, type]) -> Any:
    """The message of a list that a map is."""
    word = raw.get("type")
    cls = listed.get(word) if type(word) is str else None
    if cls is None:
        raise UnknownType(_id_of(raw))
    try:
        return read(cls, raw)
    except Unfit as unfit:
        raise BadMessage(str(word), unfit.field, unfit.needs, _id_of(raw)) from None


def _id_of(raw: dict[str, object]) -> int | None:
    """What an error answers: the id of a request that is wrong in some other way."""
    id = raw.get("id")
    return id if type(id) is int and 1 <= id <= INTEGER_MAX else None


def _skim(payload: bytes) -> None:
    """Go over a payload and make nothing of it, to see that it holds what its heads promise."""
    # An array takes its room when its head is read: a thousand heads inside each other would take 64 MB.
    skimmer = msgpack.Unpacker(max_buffer_size=len(payload))
    skimmer.feed(payload)
    try:
        skimmer.skip()
    except (ValueError, msgpack.OutOfData):
        raise BadLine(_NO_VALUE) from None


def unpack(payload: bytes, most: int) -> dict[str, object]:
    """The map of plain values in a payload, none with more than so many entries: nothing else is let in."""
    try:
        # What a text or bytes may have is limited by the payload.
        raw = msgpack.unpackb(
            payload, use_list=False, strict_map_key=True, max_array_len=most, max_map_len=most, max_ext_len=0
        )
    except ValueError:
        raise BadLine(_NO_VALUE) from None
    if type(raw) is not dict:
        raise BadLine("it holds no map")
    if not is_plain(raw):
        raise BadLine("it holds a float, an extension type, a key that is no string, or is nested too deep")
    return raw
