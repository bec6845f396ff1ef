"""When an action is possible: small tests of the player's situation."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Protocol

from gridgames_client.state.commands import TextPage
from gridgames_client.state.history.replay import PastGames, Replaying
from gridgames_client.state.model import Model
from gridgames_client.state.pages import Page


class Situation(Protocol):
    """What decides whether an action is possible."""

    model: Model
    page: Page | None
    on_board: bool  # keys act on the board or a list, not on the input line
    typed: str  # the text in the input line
    vi: bool  # the letters h j k l move
    log_offset: int  # events of the log below the visible ones
    hides_second: bool  # the screen has no space for the view's second board

    def is_room_chosen(self) -> bool:
        """True if the lobby's cursor is on a room."""

    def is_verb_typed(self) -> bool:
        """True if only the beginning of a verb is typed."""


@dataclass(slots=True)
class BareSituation:
    """A situation without a page and without typed text."""

    model: Model
    page: Page | None = None
    on_board: bool = False
    typed: str = ""
    vi: bool = False
    log_offset: int = 0
    hides_second: bool = False

    def is_room_chosen(self) -> bool:
        return False

    def is_verb_typed(self) -> bool:
        return False


Test = Callable[[Situation], bool]


def has_page(*kinds: type) -> Test:
    return lambda now: isinstance(now.page, kinds)


def both(*tests: Test) -> Test:
    return lambda now: all(test(now) for test in tests)


def always(now: Situation) -> bool:
    """Possible at any time."""
    return True


def no_page(now: Situation) -> bool:
    """No page is open."""
    return now.page is None


def in_lobby(now: Situation) -> bool:
    """In the lobby, no page open."""
    return now.page is None and now.model.room is None


def in_room(now: Situation) -> bool:
    """In a room, no page open."""
    return now.page is None and now.model.room is not None


def at_table(now: Situation) -> bool:
    """At a board, no page open."""
    return now.page is None and now.model.board is not None


def keys_act(now: Situation) -> bool:
    """Keys may act on the board or a list: no line is being typed."""
    return now.on_board or not now.typed


def types_line(now: Situation) -> bool:
    """A line is being typed."""
    return not now.on_board and bool(now.typed) and (now.page is None or in_replays(now))


def in_replays(now: Situation) -> bool:
    """The list of finished games or a replay is open. Lines can be typed there too."""
    return isinstance(now.page, PastGames | Replaying)


def has_seat(now: Situation) -> bool:
    """The player has a seat."""
    return now.model.room is not None and now.model.room.you is not None


def can_ask_again(now: Situation) -> bool:
    """The player has an opponent for a rematch."""
    return has_seat(now) and now.model.show is not None and not now.model.has_empty_seat


def is_over(now: Situation) -> bool:
    """The game is over."""
    return now.model.ending is not None


def shows_page(page: str) -> Test:
    return lambda now: isinstance(now.page, TextPage) and now.page.page == page


def allows_key(key: str, now: Situation) -> bool:
    """True if a key runs a command instead of typing a character. Letters do so only outside the input line."""
    if len(key) > 1:
        return True
    return now.on_board or (not key.isalnum() and not now.typed)
