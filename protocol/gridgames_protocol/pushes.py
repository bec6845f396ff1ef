"""Every message of a server, with the bounds of its fields."""

from typing import Annotated, get_args

from gridgames_protocol.message_fields import (
    ANALYSED_MAX,
    LINE_MAX,
    PUSHES,
    RECORD_PART,
    Agent,
    ByeCode,
    Chance,
    Code,
    Count,
    ErrorCode,
    EventKind,
    First,
    Id,
    Judgement,
    KeepsLine,
    Level,
    Name,
    RoomState,
    Seats,
    Seconds,
    Slug,
    Versions,
    push,
)
from gridgames_protocol.rules import FLAT, SPARSE, Length, Range
from gridgames_protocol.schema import Unchecked, record
from gridgames_protocol.views import Card, Review, Seat, Sentence, Turning, Variant, View


@push("ok")
class Ok:
    re: Id
    room: Code | None = None


@record
class Features:
    """What a server can do."""

    versions: Versions  # of the protocol
    rate: Count  # requests a second; 0: no limit
    burst: Count  # requests at once
    bots: Annotated[tuple[Level, ...], Length(0, 3)]
    store: bool
    handout: bool  # the client can be downloaded from the same port
    variants: bool
    analysis: bool
    hints: bool


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
    features: Features | None = None


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
    features: Features | None = None


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
    clock: Seconds | None = None
    variant: Variant | None = None
    quiet: Annotated[bool, SPARSE] = False
    agent: Agent | None = None  # the host's, if it is a program


@push("lobby")
class Lobby:
    rooms: Annotated[tuple[LobbyRoom, ...], Length(0, 4_096)]
    players: Count
    more: Count  # rooms that are there and not listed
    names: Annotated[tuple[Name, ...], Length(0, 100), SPARSE] = ()  # players who are in the lobby


@record
class SeatHolder:
    name: Name
    online: bool
    bot: Level | None
    agent: Agent | None = None  # the program that plays, if one does


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
    clock: Seconds | None
    score: tuple[Count, Count, Count]
    number: Count
    assist: bool = False
    again: Seats = ()  # who has asked for another game
    draw: Seats = ()  # who has offered a draw
    variant: Variant | None = None
    quiet: Annotated[bool, SPARSE] = False
    hints: Annotated[bool, SPARSE] = False


@push("view")
class Show(Unchecked):
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
class Event(KeepsLine):
    text: Sentence
    kind: EventKind
    seat: Seat | None = None
    name: Name | None = None
    commit: Commit | None = None
    past: bool | None = None  # told before, and told again to one who comes back
    line: Annotated[str, Length(0, LINE_MAX)] | None = None  # as typed; its verb alone where the line is secret
    begins: Id | None = None  # the number of the game in this room that begins with this event
    private: Annotated[bool, SPARSE] = False  # its reader alone knows it: cover it with their secrets


@record
class Reveal:
    what: Annotated[str, Length(1, 64)]
    value: Annotated[str, Length(0, 1_000)]
    nonce: Annotated[str, Length(32, 32)]


Move = tuple[Seat, Annotated[str, Length(0, LINE_MAX)]]
Moves = Annotated[tuple[Move, ...], Length(0, 8_192)]
Reveals = Annotated[tuple[Reveal, ...], Length(0, 8_192)]


@push("opening")
class Opening(KeepsLine):
    moves: Moves
    reveal: Reveals


# The reasons for an end that are the same in every game, and whether somebody wins then; None: perhaps. Every other
# reason is a game's own: its rules lead to it.
OUTSIDE_REASONS = {  # no rule leads to these
    "resigned": True, "agreed": False, "absence": True, "clock": None, "afresh": False, "closed": False,
}  # fmt: skip
FOUL_REASONS = {"forfeit": True, "length": False}  # fouls count for these, and `moves` has no fouls


@push("over")
class Over(KeepsLine):
    winner: Seat | None
    reason: Annotated[str, Length(1, 40)]
    text: Sentence
    moves: Moves
    reveal: Reveals
    review: Review | None = None
    number: Id | None = None  # in the history


Percent = Annotated[int, Range(0, 100)]
Luck = Annotated[int, Range(-100_000, 100_000)]
# The mover's chance after the move, after the best one, that best line, and the judgement of the move.
AnalysedMove = tuple[Chance | None, Chance | None, Annotated[str, Length(0, 40)], Judgement]


@push("analysis")
class Analysis:
    """How well a finished game was played, move by move, from what each mover knew."""

    moves: Annotated[tuple[AnalysedMove, ...], Length(0, ANALYSED_MAX)]
    accuracy: tuple[Percent | None, Percent | None]
    luck: tuple[Luck | None, Luck | None]
    rival: Annotated[str, Length(1, 80)]  # the opponent that the chances assume
    turning: Turning | None = None
    number: Id | None = None  # in the history
    re: Id | None = None
    seats: Annotated[tuple[Seat, ...], Length(0, ANALYSED_MAX), SPARSE] = ()  # who made each of the moves


@push("hint")
class Hint:
    re: Id
    line: Annotated[str, Length(1, LINE_MAX)]
    why: Sentence


@push("record")
class RecordPart:
    """A part of a saved game's JSON text."""

    re: Id
    game: Id
    at: Count
    size: Count  # characters of the whole text
    text: Annotated[str, Length(0, RECORD_PART)]


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
    variant: Variant | None = None


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
    field: Annotated[str, Length(1, 80)] | None = None  # that a program should look at
    wait: Count | None = None  # seconds until it makes sense to try again


@push("bye")
class Bye:
    code: ByeCode
    text: Sentence


Push = (
    Ok | Welcome | Status | Lobby | Room | Show | Event | Opening | Over | Analysis | Hint | RecordPart | History
    | Replay | Standings | Error | Bye
)  # fmt: skip

assert set(get_args(Push)) == set(PUSHES.values())
