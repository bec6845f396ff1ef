"""The player's desk: what is typed or chosen becomes a request, and what is answered changes what is seen.

Full screen and plain lines are two ways to sit at it. It draws nothing and knows no wire: requests go out through
`ask`, and whoever draws looks at `model`, `page` and `asking` after every change.
"""

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Literal

from gridgames_client import cells, commands
from gridgames_client.cells import Asking
from gridgames_client.commands import Ask, Confirm, Pick, Quit, Save, Toggle, Turn, Wish, Wrong
from gridgames_client.model import Line, Model
from gridgames_client.record import recorded
from gridgames_protocol.messages import (
    Create,
    Error,
    Farewell,
    First,
    Join,
    Leave,
    Play,
    Push,
    Request,
    Show,
    Watch,
)
from gridgames_protocol.text import harmless
from gridgames_protocol.views import Action

LOST = "That was not sent: the connection is down. Try again when it is back."
QUIT = "Leave the program? Your seat is kept for a while, and the game goes on."
FIRSTS: tuple[First, ...] = ("random", "host", "guest")
CLOCKS = (None, 30, 60, 120, 300)


@dataclass(frozen=True, slots=True)
class Choice:
    """Several actions fit one cell: which?"""

    actions: tuple[Action, ...]
    cell: str


@dataclass(frozen=True, slots=True)
class NewRoom:
    """The dialogue that makes a room: a game, and three options."""

    games: tuple[str, ...]
    game: int = 0
    first: int = 0
    clock: int = 0
    private: bool = False
    row: int = 0

    def moved(self, by: int) -> "NewRoom":
        """Go to another row."""
        return replace(self, row=(self.row + by) % 4)

    def turned(self, by: int) -> "NewRoom":
        """Change what the row says."""
        match self.row:
            case 0:
                return replace(self, game=(self.game + by) % len(self.games))
            case 1:
                return replace(self, first=(self.first + by) % len(FIRSTS))
            case 2:
                return replace(self, clock=(self.clock + by) % len(CLOCKS))
            case _:
                return replace(self, private=not self.private)

    def request(self) -> Create:
        """What to ask the server for."""
        game, first, clock = self.games[self.game], FIRSTS[self.first], CLOCKS[self.clock]
        return Create(commands.NO_ID, game, first, None, self.private, clock)


Page = Turn | Confirm | Choice | NewRoom
Happening = Literal["change", "your turn", "accepted", "quit"]


@dataclass(slots=True)
class Desk:
    """One player at work."""

    model: Model
    ask: Callable[[Request], None]
    tell: Callable[[Happening], None]
    save: Callable[[str, str], str]  # path, text -> what to say about it
    clock: Callable[[], float]
    page: Page | None = None
    asking: Asking | None = None
    cursor: int = 0  # the cell, in reading order
    chosen: int = 0  # the row of the lobby, or of a choice
    typed: str = ""  # the line that was sent last
    words: bool = False  # plain mode: boards as words
    scrolled: int = 0  # lines of the log below the screen

    # What the player does ---------------------------------------------------------------------------------------------

    def submit(self, text: str) -> bool:
        """Take a typed line. True if it is done with, False if it should stay for correction."""
        self.model.say("")
        if self.asking is not None and text.strip():
            done = self._answer(self.asking, text)
            if done is not None:
                return done
        return self.grant(commands.read(self.model, text), text)

    def _answer(self, asking: Asking, text: str) -> bool | None:
        """Answer the menu's question; None if the line is none of its answers."""
        answer = asking.answered(text)
        self.asking = answer if isinstance(answer, Asking) else None
        if isinstance(answer, str):
            return self.grant(commands.play(self.model, answer), text)
        return None if answer is None else self._changed()

    def grant(self, wish: Wish, text: str = "") -> bool:
        """Do what is wished. True if the typed line is done with."""
        match wish:
            case Ask(request):
                self.typed = text
                self.ask(request)
                return not isinstance(request, Play)  # a play's line stays until it is accepted
            case Confirm() | Turn():
                self.page = wish
            case Pick(action):
                board = self.model.board
                assert board
                self.asking = Asking(action, board)
            case Toggle(setting):
                self._toggle(setting)
            case Save(path):
                self.model.say(self.save(path, recorded(self.model)))
            case Quit():
                self.quit()
            case Wrong(words):
                self.model.say(words, bad=True)
                self._changed()
                return False
        return self._changed()

    def act(self) -> None:
        """Do what can be done at the cell under the cursor."""
        board = self.model.board
        if board is None:
            return
        cell = board.names[self.cursor]
        actions = cells.fitting(self.model, cell)
        if not any(action.cells for action in actions):
            self.model.say(
                f"Nothing can be done at {cell} now." if self.model.to_act else "It is not your turn.", bad=True
            )
        elif len(actions) == 1:
            self.grant(commands.play(self.model, actions[0].form.replace("{cell}", cell)))
        else:
            self.page, self.chosen = Choice(tuple(actions), cell), 0
        self._changed()

    def choose(self, number: int) -> None:
        """Choose one of several actions."""
        page, self.page = self.page, None
        if isinstance(page, Choice) and 0 <= number < len(page.actions):
            self.grant(commands.play(self.model, page.actions[number].form.replace("{cell}", page.cell)))
        self._changed()

    def confirm(self, yes: bool) -> None:
        """Answer a question."""
        page, self.page = self.page, None
        if isinstance(page, Confirm) and yes:
            if page.request is None:
                self.tell("quit")
            else:
                self.ask(page.request)
        self._changed()

    def move_cursor(self, rows: int, cols: int) -> None:
        """Move the cursor on the board, not over its edge."""
        board = self.model.board
        if board is not None:
            row, col = divmod(self.cursor, len(board.cols))
            row = min(max(row + rows, 0), len(board.rows) - 1)
            col = min(max(col + cols, 0), len(board.cols) - 1)
            self.cursor = row * len(board.cols) + col
            self._changed()

    def scroll(self, by: int) -> None:
        """Look further back in the log, or forward again."""
        self.scrolled = max(0, self.scrolled + by)
        self._changed()

    def mark(self) -> None:
        """Change the pencil mark under the cursor."""
        if self.model.board is not None:
            self.model.mark(self.model.board.names[self.cursor])
            self._changed()

    def pick_row(self, by: int) -> None:
        """Move in the lobby's list, or among several actions."""
        rows = len(self.page.actions) if isinstance(self.page, Choice) else len(self.lobby_rows())
        if rows:
            self.chosen = min(max(self.chosen + by, 0), rows - 1)
            self._changed()

    def lobby_rows(self) -> list[str]:
        """What can be chosen in the lobby: the games, then the rooms."""
        rooms = self.model.lobby.rooms if self.model.lobby else ()
        return [card.slug for card in self.model.cards] + [room.room for room in rooms]

    def choose_row(self, watch: bool = False) -> None:
        """Open a room for the chosen game, or join or watch the chosen room."""
        number = self.chosen - len(self.model.cards)
        if number < 0:
            self.new_room(self.chosen)
            return
        room = self.model.lobby.rooms[number] if self.model.lobby else None
        if room is not None:
            kind = Join if room.open and not watch else Watch
            self.grant(Ask(kind(commands.NO_ID, room.room)))

    def new_room(self, game: int = 0) -> None:
        """Open the dialogue that makes a room."""
        if self.model.cards:
            self.page = NewRoom(tuple(card.slug for card in self.model.cards), game)
        self._changed()

    def create_room(self) -> None:
        """Make the room that the dialogue describes."""
        page, self.page = self.page, None
        if isinstance(page, NewRoom):
            self.grant(Ask(page.request()))

    def close_page(self) -> None:
        """Go back to what lies under a page."""
        self.page = self.asking = None
        self._changed()

    def quit(self) -> None:
        """Leave the program; one who is in the middle of a game is asked first."""
        if self.model.in_game:
            self.page = Confirm(QUIT, None)
            self._changed()
        else:
            self.tell("quit")

    def farewell(self) -> None:
        """Say goodbye properly; only a running game keeps its seat."""
        if self.model.room is not None and not self.model.in_game:
            self.ask(Leave(commands.NO_ID))
        self.ask(Farewell(commands.NO_ID))

    def toggle_mask(self) -> None:
        """Cover or show the player's own secrets."""
        self._toggle("mask")
        self._changed()

    def _toggle(self, setting: commands.Setting) -> None:
        match setting:
            case "mask":
                self.model.masked = not self.model.masked
                self.model.say("Your secrets are " + ("covered." if self.model.masked else "shown."))
            case "bell":
                self.model.bell = not self.model.bell
                self.model.say("The bell is " + ("on." if self.model.bell else "off."))
            case "words" | "board":
                self.words = setting == "words"

    def _changed(self) -> bool:
        self.tell("change")
        return True

    # What comes over the line -----------------------------------------------------------------------------------------

    def line_is(self, line: Line, why: str) -> None:
        """The line has come up or gone down."""
        self.model.line, self.model.trouble = line, why
        self._changed()

    def heard(self, message: Push) -> None:
        """The server has said something."""
        was_to_act = self.model.to_act
        self.model.apply(message)
        if isinstance(message, Show):
            left = message.deadline
            self.model.clock_ends = None if left is None else self.clock() + left
            self.cursor = min(self.cursor, len(message.view.board.names) - 1)
            if self.asking is not None and self.asking.action not in message.view.actions:
                self.asking = None
            if self.model.to_act and not was_to_act:
                self.tell("your turn")
        self._changed()

    def answered(self, request: Request, reply: Push) -> None:
        """A request has its answer."""
        if isinstance(reply, Error):
            self.model.say(self.model.named(harmless(reply.text)), bad=True)
        elif isinstance(request, Play):
            self.tell("accepted")
        self._changed()

    def unanswered(self, request: Request) -> None:
        """A request was lost with the line."""
        self.model.say(LOST, bad=True)
        self._changed()
