"""Effects: what the core asks the shell to do. The shell performs them in order."""

from collections.abc import Callable
from dataclasses import field

from gridgames_protocol.messages import AskAnalysis, AskHistory, AskRecord, AskReplay, AskStandings, Level, Push, Show
from gridgames_server.core.room_events import GameOver, Record
from gridgames_server.values import value

HistoryQuery = AskHistory | AskReplay | AskStandings | AskRecord | AskAnalysis


@value
class Send:
    """Send messages on a connection."""

    session: int
    messages: tuple[Push, ...]


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
    """Let a bot choose a line from its seat's view, in another thread and after a pause."""

    room: int
    game: str
    seat: int
    level: Level
    show: Show = field(repr=False)
    address: str = ""  # of the player who opened the room; running bots are counted by it


@value
class Analyse:
    """Analyse a finished game in another thread, and send the analysis to everybody in its room."""

    over: GameOver


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
