"""What the controller tells the front end."""

from dataclasses import dataclass
from typing import Literal

from gridgames_client.state.model import ConnectionState
from gridgames_protocol.messages import Push, Request

# The steps that only the front end can do.
FrontEndStep = Literal[
    "board",
    "clear",
    "complete",
    "drop line",
    "leave",
    "mouse",
    "redraw",
    "scroll page",
    "submit",
    "suspend",
    "type",
    "chat",
]


@dataclass(frozen=True, slots=True)
class Received:
    """A message has arrived, and the model has applied it."""

    message: Push


@dataclass(frozen=True, slots=True)
class Replied:
    """The server has answered a request."""

    request: Request
    reply: Push


@dataclass(frozen=True, slots=True)
class Lost:
    """A request was lost with the connection."""

    request: Request


@dataclass(frozen=True, slots=True)
class Guided:
    """The guide explains something to a new player."""

    sentences: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Connected:
    """The connection has come up or gone down."""

    before: ConnectionState
    now: ConnectionState
    why: str


@dataclass(frozen=True, slots=True)
class FrontEndAction:
    """A step that only the front end can do, and by how much."""

    step: FrontEndStep
    by: int = 0


Notification = (
    Literal["change", "your turn", "restore line", "quit"]
    | Received
    | Replied
    | Lost
    | Connected
    | Guided
    | FrontEndAction
)
