"""Every message of a client, with the bounds of its fields."""

from typing import Annotated, get_args

from gridgames_protocol.message_fields import (
    CHAT_MAX,
    LINE_MAX,
    PASSWORD_MAX,
    REQUESTS,
    Code,
    Count,
    First,
    Id,
    Level,
    Seconds,
    Slug,
    Version,
    Versions,
    request,
)
from gridgames_protocol.rules import SPARSE, Length, Range
from gridgames_protocol.views import Variant


@request("hello")
class Hello:
    id: Id
    protocol: Version | Versions
    name: Annotated[str, Length(0, 64)]  # wider than a name may be: one that is too long deserves a kind word
    token: Annotated[str, Length(1, 128)] | None = None
    password: Annotated[str, Length(0, PASSWORD_MAX)] | None = None
    agent: Annotated[str, Length(0, 64)] | None = None
    bot: Annotated[bool, SPARSE] = False  # a program plays
    state: Annotated[bool, SPARSE] = True  # views carry `state`
    strict: Annotated[bool, SPARSE] = False  # unknown keys are refused


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
    clock: Seconds | None = None
    assist: bool = False
    variant: Variant | None = None
    quiet: Annotated[bool, SPARSE] = False  # only the seats chat
    hints: Annotated[bool, SPARSE] = False  # both may ask for hints


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
class ByeRequest:
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


@request("draw")
class OfferDraw:
    id: Id


@request("hint")
class AskHint:
    id: Id


@request("record")
class AskRecord:
    id: Id
    game: Id  # its number in the history
    at: Annotated[Count, SPARSE] = 0  # from this character on


@request("analysis")
class AskAnalysis:
    id: Id
    game: Id  # its number in the history


Request = (
    Hello | AskStatus | Ping | Create | Join | Watch | Leave | Play | Again | Resign | Claim | Chat | ByeRequest
    | AskHistory | AskReplay | AskStandings | OfferDraw | AskHint | AskRecord | AskAnalysis
)  # fmt: skip

assert set(get_args(Request)) == set(REQUESTS.values())
