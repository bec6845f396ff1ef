"""The player's desk: what is typed or chosen becomes a request, and what is answered changes what is seen.

Full screen and plain lines are two ways to sit at it. It draws nothing and knows no wire: requests go out through
`ask`, and whoever draws looks at `model`, `page` and `asking` after every change.
"""

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import Literal

from gridgames_client import cells, commands, leafing
from gridgames_client.cells import Asking
from gridgames_client.commands import Ask, Confirm, Pick, Quit, Rerun, Save, Toggle, Turn, Wish, Wrong
from gridgames_client.dialogues import Choice, NewRoom
from gridgames_client.model import Line, Model
from gridgames_client.past import PastGames, Replaying
from gridgames_client.record import recorded
from gridgames_protocol.messages import (
    Create,
    Error,
    Event,
    Farewell,
    History,
    Join,
    Leave,
    Lobby,
    LobbyRoom,
    Over,
    PastGame,
    Push,
    Replay,
    Request,
    Room,
    Show,
    Standings,
    Watch,
    Welcome,
)
from gridgames_protocol.text import harmless

LOST = "That was not sent: the connection is down. Try again when it is back."
QUIT = "Leave the program? Your seat is kept for a while, and the game goes on."
QUIT_HOME = "Leave the program? The server here ends with it, until you come back."
LOOK_BACK = ("history", "standings")  # rows of the lobby below the rooms, and what to type for the same
LOG_STEP = 4  # events that a page of the log goes on by

Page = Turn | Confirm | Choice | NewRoom | PastGames | Replaying
Happening = Literal["change", "your turn", "given back", "quit"]


@dataclass(slots=True)
class Desk:
    """One player at work."""

    model: Model
    ask: Callable[[Request], None]
    tell: Callable[[Happening], None]
    save: Callable[[str, str], str]  # path, text -> what to say about it
    clock: Callable[[], float]
    when: Callable[[int], str] = str  # a time in seconds since 1970, as people write it here
    page: Page | None = None
    page_top: int = 0  # lines of the page above the screen
    asking: Asking | None = None
    cursor: int = 0  # the cell, in reading order
    chosen: int = 0  # the row of the lobby, or of a choice
    given_back: str = ""  # a typed line that came to nothing, to be corrected or tried again
    words: bool = False  # boards as words
    scrolled: int = 0  # events of the log below the screen
    returning: str = ""  # the code of a room that was watched when the line broke, until it is watched again
    sought: dict[Request, Rerun | PastGame] = field(default_factory=dict)  # for which replays these are asked
    _typed: dict[Request, str] = field(default_factory=dict)  # the lines behind the requests that are under way

    # What the player types --------------------------------------------------------------------------------------------

    def submit(self, text: str) -> bool:
        """Take a typed line. True if it is done with, False if it should stay for correction."""
        self.model.say("")
        self.scrolled = 0
        if leafing.read(self, text):
            return self._changed()
        if self.asking is not None and text.strip():
            done = self._answer(self.asking, text)
            if done is not None:
                return done
        wish = commands.read(self.model, text)
        if wish == Wrong(commands.LOBBY_HELP) and isinstance(self.page, Replaying):
            wish = Wrong(leafing.WORDS)
        return self.grant(wish, text)

    def _answer(self, asking: Asking, text: str) -> bool | None:
        """Answer the menu's question; None if the line is something else than an answer."""
        if text.strip().startswith("/"):
            return None  # a command of the room; the question stays open
        answer = asking.answered(text)
        if answer is None and len(text.strip()) <= 2:
            return self.grant(Wrong(f"{harmless(text.strip())} is none of them. {asking.question}"))
        self.asking = answer if isinstance(answer, Asking) else None
        if isinstance(answer, str):
            return self.grant(commands.play(self.model, answer), answer)
        return None if answer is None else self._changed()

    def grant(self, wish: Wish, text: str = "") -> bool:
        """Do what is wished. True if the typed line is done with."""
        match wish:
            case Ask(request):
                self._typed[request] = text
                self.ask(request)
            case Rerun():
                leafing.seek(self, wish, text)
            case Confirm() | Turn():
                self.open(wish)
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

    # What the player does on the board --------------------------------------------------------------------------------

    def act(self) -> None:
        """Do what can be done at the cell under the cursor."""
        board = self.model.board
        if board is None:
            return
        cell = board.names[self.cursor]
        actions = cells.fitting(self.model, cell)
        if not any(action.cells for action in actions):
            self.model.say(cells.why_not(self.model, cell), bad=True)
        elif len(actions) == 1:
            self._play(Choice(tuple(actions), cell), 0)
        else:
            self.open(Choice(tuple(actions), cell))
            self.chosen = 0
        self._changed()

    def choose(self, number: int) -> None:
        """Choose one of several actions."""
        page = self.page
        if isinstance(page, Choice) and 0 <= number < len(page.actions):
            self.page = None
            self._play(page, number)
        self._changed()

    def _play(self, choice: Choice, number: int) -> None:
        """Play one of the actions that fit a cell."""
        self.model.say("")
        self.grant(commands.play(self.model, choice.line(number)))
        if choice.actions[number].secret:
            self.cursor = cells.middle(self.model)  # it must not go on pointing at what was hidden there

    def move_cursor(self, rows: int, cols: int) -> None:
        """Move the cursor on the board, not over its edge."""
        board = self.model.board
        if board is not None:
            row, col = divmod(self.cursor, len(board.cols))
            row = min(max(row + rows, 0), len(board.rows) - 1)
            col = min(max(col + cols, 0), len(board.cols) - 1)
            self.cursor = row * len(board.cols) + col
            self._changed()

    def mark(self) -> None:
        """Change the pencil mark under the cursor."""
        if self.model.board is not None:
            self.model.mark(self.model.board.names[self.cursor])
            self._changed()

    def scroll(self, by: int) -> None:
        """Look further back in the log, or forward again."""
        self.scrolled = min(max(0, self.scrolled + by), max(0, len(self.model.log) - 1))
        self._changed()

    # What the player does in the lobby --------------------------------------------------------------------------------

    def lobby_rows(self) -> list[str]:
        """What can be chosen in the lobby: the games, then the rooms, then what is over."""
        rooms = self.model.lobby.rooms if self.model.lobby else ()
        return [*(card.slug for card in self.model.cards), *(room.room for room in rooms), *LOOK_BACK]

    def pick_row(self, by: int) -> None:
        """Move in the lobby's list, or among several actions."""
        rows = len(self.page.actions) if isinstance(self.page, Choice) else len(self.lobby_rows())
        if rows:
            self.chosen = min(max(self.chosen + by, 0), rows - 1)
            self._changed()

    def chosen_room(self) -> LobbyRoom | None:
        """The room that the lobby's cursor is on, if it is on one."""
        rooms = self.model.lobby.rooms if self.model.lobby else ()
        number = self.chosen - len(self.model.cards)
        return rooms[number] if 0 <= number < len(rooms) else None

    def choose_row(self, watch: bool = False) -> None:
        """Open a room for the chosen game, join or watch the chosen room, or look back."""
        room, row = self.chosen_room(), self._chosen_row()
        if self.chosen < len(self.model.cards):
            self.new_room(self.chosen)
        elif room is not None:
            self.model.say("")
            kind = Join if room.open and not watch else Watch
            self.grant(Ask(kind(commands.NO_ID, room.room)))
        elif row:
            self.model.say("")
            self.grant(commands.look_back(self.model, row, []))

    def new_room(self, game: int = 0) -> None:
        """Open the dialogue that makes a room."""
        if self.model.cards:
            games = tuple(card.slug for card in self.model.cards)
            helped = frozenset(card.slug for card in self.model.cards if card.assist)
            # At home one thinks of the computer first.
            self.open(NewRoom(games, min(game, len(games) - 1), level=int(self.model.home), helped=helped))
        self._changed()

    def edit_room(self, rows: int = 0, turns: int = 0) -> None:
        """Go to another row of the dialogue, or change what its row says."""
        if isinstance(self.page, NewRoom):
            self.page = self.page.moved(rows)
            self.page = self.page.turned(turns) if turns else self.page
            self._changed()

    def create_room(self) -> None:
        """Make the room that the dialogue describes."""
        page, self.page = self.page, None
        if isinstance(page, NewRoom):
            self.model.say("")
            self.grant(Ask(page.request()))

    # Pages and settings -----------------------------------------------------------------------------------------------

    def open(self, page: Page) -> None:
        """Lay a page over what is seen."""
        self.page, self.page_top = page, 0

    def confirm(self, yes: bool) -> None:
        """Answer a question."""
        page, self.page = self.page, None
        if isinstance(page, Confirm) and yes:
            if page.request is None:
                self.tell("quit")
            else:
                self.ask(page.request)
        self._changed()

    def close_page(self) -> None:
        """Go back to what lies under a page: a replay may have been chosen from the list."""
        if isinstance(self.page, PastGames | Replaying):
            self.model.say("")
        self.page = leafing.under(self)
        self.asking = None
        self._changed()

    def quit(self) -> None:
        """Leave the program; one who is in the middle of a game is asked first."""
        if self.model.in_game:
            self.open(Confirm(QUIT_HOME if self.model.home else QUIT, None))
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
        if line == "connected" and self.model.notice == LOST:
            self.model.say("")
        self._changed()

    def heard(self, message: Push) -> None:
        """The server has said something."""
        was_to_act, had_board, row = self.model.to_act, self.model.board is not None, self._chosen_row()
        before = self.model.room
        self.model.apply(message)
        match message:
            case Show():
                self._see(message, had_board)
                if self.model.to_act != was_to_act:
                    self.model.say("")  # what was wrong before is so no more
                if self.model.to_act and not was_to_act:
                    self.tell("your turn")
            case Event() if self.scrolled:
                self.scroll(1)  # what is being read stays where it is
            case Welcome(room=None) if before and before.you is None:
                self.returning = before.room  # no server keeps a place for one who only watches
            case Room():
                self.returning = ""
            case Lobby():
                self._go_to_lobby(row)
                self._watch_again()
            case Over() if isinstance(self.page, Confirm):
                self.page = None
        if self.model.show is None:
            self.model.clock_ends = None
        self._changed()

    def _see(self, show: Show, had_board: bool) -> None:
        """Adjust to the table as it is now."""
        left, actions = show.deadline, show.view.actions
        self.model.clock_ends = None if left is None else self.clock() + left
        if not had_board or self.cursor >= len(show.view.board.names):
            self.cursor = cells.middle(self.model)
        if self.asking is not None and self.asking.action not in actions:
            self.asking = None
        if isinstance(self.page, Choice) and not set(self.page.actions) <= set(actions):
            self.page = None

    def _chosen_row(self) -> str:
        """What the lobby's cursor is on."""
        rows = self.lobby_rows()
        return rows[self.chosen] if self.chosen < len(rows) else ""

    def _go_to_lobby(self, chosen: str) -> None:
        """Adjust to a list that may have changed: the cursor stays on what it was on."""
        rows = self.lobby_rows()
        self.chosen = rows.index(chosen) if chosen in rows else max(0, min(self.chosen, len(rows) - 1))
        self.asking = None
        if isinstance(self.page, Confirm | Choice):
            self.page = None

    def _watch_again(self) -> None:
        """Go back to the room that was watched when the line broke."""
        again = Watch(commands.NO_ID, self.returning) if self.returning else None
        if again and not self.is_asking(again):
            self.grant(Ask(again))

    def answered(self, request: Request, reply: Push) -> None:
        """A request has its answer."""
        request = replace(request, id=commands.NO_ID)
        typed = self._typed.pop(request, "")
        if isinstance(reply, Error):
            self.returning = ""
            self.refuse(self.model.named(harmless(reply.text)), typed)
            leafing.stay(self, request)
        elif isinstance(reply, History | Replay | Standings):
            leafing.answered(self, request, reply, typed)
        elif isinstance(request, Create | Join | Watch | Leave):
            self.model.unlisted = isinstance(request, Create) and request.private
            self.model.log.clear()  # what is told from here on belongs to another place
        self._changed()

    def unanswered(self, request: Request) -> None:
        """A request was lost with the line."""
        request = replace(request, id=commands.NO_ID)
        self.refuse(LOST, self._typed.pop(request, ""))
        leafing.stay(self, request)
        self._changed()

    def is_asking(self, request: Request) -> bool:
        """True while the same request waits for its answer."""
        return request in self._typed

    def refuse(self, why: str, typed: str) -> None:
        """Say why something can't be done, and give the line back that wished for it."""
        self.model.say(why, bad=True)
        if typed:
            self.given_back = typed
            self.tell("given back")
