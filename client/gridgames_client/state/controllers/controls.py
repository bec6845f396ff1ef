"""The part of the controller that the modules for keys, the board, the lobby and replays use."""

from collections.abc import Callable
from typing import Protocol

from gridgames_client.state.cell_input import CellPrompt
from gridgames_client.state.commands import Command, OpenReplay
from gridgames_client.state.controllers.notifications import Notification
from gridgames_client.state.guide import Guide
from gridgames_client.state.model import Model
from gridgames_client.state.pages import Page
from gridgames_protocol.messages import PastGame, Request


class Controls(Protocol):
    """What these modules read, change and call."""

    model: Model
    page: Page | None
    cursor: int  # the cell, in reading order
    cell_prompt: CellPrompt | None
    last_moves: tuple[tuple[int, int, str], ...]  # of the last view
    moved_at: float | None  # when `last_moves` changed
    chosen_row: int  # the cursor's row in the lobby or in a choice
    has_tiles: bool  # the lobby draws the games as tiles side by side
    typed: str  # the text in the input line
    shows_second: bool  # the second board is drawn in the place of the first
    log_offset: int  # events of the log below the visible ones
    line_to_confirm: str  # a line that sets a secret and waits for a second Enter
    confirms_secrets: bool
    guide: Guide
    replay_requests: dict[Request, OpenReplay | PastGame]  # the replays for which these requests were sent

    @property
    def notify(self) -> Callable[[Notification], None]:
        """Tells the front end what has happened."""

    @property
    def remember_guide(self) -> Callable[[str], None]:
        """Stores that the player has been guided through a game."""

    @property
    def remember_assist(self) -> Callable[[bool], None]:
        """Stores whether the player wants assist against the computer."""

    @property
    def clock(self) -> Callable[[], float]:
        """Tells the time."""

    def send(self, request: Request, text: str = "") -> None:
        """Send a request. `text` is the typed line."""

    def run(self, command: Command, text: str = "") -> bool:
        """Run a command."""

    def is_asking(self, request: Request) -> bool:
        """True while the same request is unanswered."""

    def refuse(self, why: str, typed: str) -> None:
        """Say why something is not possible."""

    def open(self, page: Page) -> None:
        """Open a page."""

    def confirm(self, yes: bool) -> None:
        """Answer the open question."""

    def pick_row(self, by: int) -> None:
        """Move the cursor in the lobby's list, or among several actions."""

    def scroll(self, by: int) -> None:
        """Scroll the log."""

    def close_page(self) -> None:
        """Close the open page."""

    def notify_change(self) -> bool:
        """Tell the front end to draw again."""
