"""Effects: what the core asks the shell to do. The shell performs them in order."""

from collections.abc import Callable
from dataclasses import field
from typing import Literal

from gridgames_protocol.codec import Lines
from gridgames_protocol.messages import AskAnalysis, AskHistory, AskRecord, AskReplay, AskStandings, Level, Push, Show
from gridgames_server.core.room_events import GameOver, Record
from gridgames_server.values import value

HistoryQuery = AskHistory | AskReplay | AskStandings | AskRecord | AskAnalysis
Wants = Literal["move", "draw", "hint"]
# A line; whether a draw is accepted; a line with the reason, or None if there is nothing to advise; or a bug.
Thought = str | bool | tuple[str, str] | None | Exception


@value
class Send:
    """Send messages on a connection."""

    session: int
    messages: tuple[Push | Lines, ...]


@value
class Hangup:
    """Close a connection once everything queued on it is sent."""

    session: int


@value
class RunQuery:
    """Run a query about finished games, and send the answer to the session."""

    session: int
    player: int
    question: HistoryQuery


@value
class AskBot:
    """Let the computer think about a seat's view, in another thread.

    A bot chooses its line, or whether it accepts a draw, and answers after a pause. A hint is sent without a pause.
    """

    room: int
    game: str
    seat: int
    level: Level
    show: Show = field(repr=False)
    address: str = ""  # of the player who opened the room or asked for the hint; addresses take turns
    wants: Wants = "move"
    session: int = 0  # that asked for the hint
    re: int = 0  # the id of its request
    lines: int = 0  # of the game so far


@value
class Analyse:
    """Analyse a finished game in another thread, and send the analysis to everybody in its room."""

    over: GameOver
    address: str  # of the player who opened the room; addresses take turns


@value
class LogLine:
    """Write a line to the log. It holds ids and counts, never what players typed or read."""

    text: str
    session: int | None = None  # the session that the line is about


@value
class LogBug:
    """Log the place of a bug in the code, with the number that the player was shown."""

    id: str
    error: BaseException


@value
class AnswerHost:
    """Tell the host that all earlier records are on disk."""

    tell: Callable[[str], object]  # called with "", which means success


Effect = Send | Hangup | Record | RunQuery | AskBot | Analyse | LogLine | LogBug | AnswerHost
