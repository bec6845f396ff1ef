"""Which requests a session may make in each phase."""

from typing import Literal

from gridgames_protocol.messages import (
    Again,
    AskAnalysis,
    AskHint,
    AskHistory,
    AskRecord,
    AskReplay,
    AskStandings,
    AskStatus,
    ByeRequest,
    Chat,
    Claim,
    Create,
    ErrorCode,
    Hello,
    Join,
    Leave,
    OfferDraw,
    Ping,
    Play,
    Request,
    Resign,
    Watch,
)
from gridgames_server.errors import Refusal

Phase = Literal["new", "lobby", "seated", "watching"]

_ALWAYS: frozenset[type] = frozenset(
    {AskStatus, Ping, ByeRequest, AskHistory, AskReplay, AskStandings, AskRecord, AskAnalysis}
)
_ENTER: frozenset[type] = frozenset({Create, Join, Watch})
_SEATED: frozenset[type] = frozenset({Play, Again, Resign, Claim, OfferDraw, AskHint})
_IN_ROOM: frozenset[type] = frozenset({Leave, Chat})
_HELLO: frozenset[type] = frozenset({Hello})

RECORDED = _SEATED - {AskHint} | {
    Create,
    Join,
    Chat,
}  # requests that write a record, so they are refused on a full disk

ALLOWED: dict[Phase, frozenset[type]] = {
    "new": frozenset({Hello, AskStatus, ByeRequest}),
    "lobby": _ALWAYS | _ENTER,
    "seated": _ALWAYS | _IN_ROOM | _SEATED,
    "watching": _ALWAYS | _IN_ROOM,
}

# The code and the text of a refusal: the first row of the phase that has the request.
REFUSALS: dict[Phase, tuple[tuple[frozenset[type], ErrorCode, str], ...]] = {
    "new": ((_ALWAYS | _ENTER | _SEATED | _IN_ROOM, "hello_first", "Say hello first, with your name."),),
    "lobby": (
        (_HELLO, "bad_request", "You have said hello already."),
        (_SEATED | _IN_ROOM, "not_in_room", "You are in no room. Create one, or join one with its code."),
    ),
    "seated": (
        (_HELLO, "bad_request", "You have said hello already."),
        (_ENTER, "in_room", "You are in a room already. Leave it first."),
    ),
    "watching": (
        (_HELLO, "bad_request", "You have said hello already."),
        (_ENTER, "in_room", "You are watching a room. Leave it first."),
        (_SEATED, "not_seated", "You are watching. Only the two players can do that."),
    ),
}


def check_allowed(phase: Phase, request: Request) -> None:
    """Raise a Refusal if a request is not allowed in this phase."""
    kind = type(request)
    if kind in ALLOWED[phase]:
        return
    for kinds, code, text in REFUSALS[phase]:
        if kind in kinds:
            raise Refusal(code, text)
    raise AssertionError(f"{kind.__name__} is neither allowed nor refused")
