"""Turns the player's input into requests, and the server's messages into changes of the model.

The connection calls `on_message`, `on_reply`, `on_lost` and `on_connection`. The controller calls `notify` of the front
end (full screen or plain lines), which then reads `model`, `page` and `cell_prompt`.
"""

from collections.abc import Callable
from dataclasses import dataclass, field, replace

from gridgames_client.state import cell_input, commands
from gridgames_client.state.actions import find_action
from gridgames_client.state.actions.game_actions import find_typed_verb
from gridgames_client.state.actions.user_action import UserAction
from gridgames_client.state.cell_input import CellPrompt
from gridgames_client.state.commands import (
    Ask,
    ChooseCell,
    Command,
    Confirm,
    Invalid,
    OpenReplay,
    Press,
    Quit,
    Save,
    Say,
    TextPage,
    Toggle,
    Tutorial,
)
from gridgames_client.state.controllers import board_controller, lobby_controller, replay_controller, view_controller
from gridgames_client.state.controllers.key_press import press
from gridgames_client.state.controllers.notifications import (
    Connected,
    FrontEndAction,
    Guided,
    Lost,
    Notification,
    Received,
    Replied,
)
from gridgames_client.state.dialogs import Choice
from gridgames_client.state.guide import SKIP, Guide
from gridgames_client.state.history.replay import PastGames, Replaying
from gridgames_client.state.history.saved_game import write_saved_game
from gridgames_client.state.lobby_list import list_rows
from gridgames_client.state.model import ConnectionState, Model
from gridgames_client.state.pages import Page
from gridgames_protocol.messages import (
    AskAnalysis,
    ByeRequest,
    Create,
    Error,
    Event,
    Leave,
    Lobby,
    Over,
    PastGame,
    Play,
    Push,
    Request,
    Room,
    Show,
    Watch,
    Welcome,
)
from gridgames_protocol.safe_text import harmless

LOST = "That was not sent: the connection is down. Try again when it is back."
QUIT = "Leave the program? The game waits for you: your seat is kept for a while."
QUIT_HOME = "Leave the program? The game waits for you; the server here ends until you come back."
COVERED_REFUSAL = "That is not possible now. {} shows your secrets, and then why."


@dataclass(slots=True)
class Controller:
    """The controller of one player."""

    model: Model
    ask: Callable[[Request], None]
    notify: Callable[[Notification], None]
    save: Callable[[str, str], str]  # path, text -> the message to show
    clock: Callable[[], float]
    format_time: Callable[[int], str] = str  # formats a time in seconds since 1970
    page: Page | None = None
    page_top: int = 0  # the first visible line of the page
    cell_prompt: CellPrompt | None = None
    last_moves: tuple[tuple[int, int, str], ...] = ()  # of the last view
    moved_at: float | None = None  # when `last_moves` changed
    animated: bool = False  # new moves are highlighted for a moment
    cursor: int = 0  # the cell, in reading order
    chosen_row: int = 0  # the row of the lobby, or of a choice
    has_tiles: bool = False  # the lobby draws the games as tiles side by side; set by the full screen
    hides_second: bool = False  # the screen has no space for the second board; set by the full screen
    shows_second: bool = False  # the second board is drawn in the place of the first
    line_to_restore: str = ""  # a typed line that was refused or lost; the front end puts it back into the input line
    boards_as_words: bool = False  # boards as words
    on_board: bool = False  # keys act on the board or a list; set by the full screen
    typed: str = ""  # the text in the input line; set by the full screen
    vi: bool = False  # the letters h j k l move
    confirms_secrets: bool = False  # choosing a secret needs a second Enter
    opens_new_room: bool = False  # open the dialogue for a new room in the first lobby
    guide: Guide = field(default_factory=Guide)
    remember_guide: Callable[[str], None] = lambda game: None  # stores that the player has been guided through a game
    remember_game: Callable[[str], None] = lambda game: None  # stores which game was played last
    remember_assist: Callable[[bool], None] = lambda assist: None  # stores the player's choice
    remember_cover: Callable[[bool], None] = lambda masked: None  # stores the player's choice
    log_offset: int = 0  # events of the log below the visible ones
    room_to_watch_again: str = ""  # the room to watch again after a lost connection
    replay_requests: dict[Request, OpenReplay | PastGame] = field(default_factory=dict)  # what each request is for
    line_to_confirm: str = ""  # a line that sets a secret and waits for a second Enter
    _unanswered: dict[Request, str] = field(default_factory=dict)  # the typed lines of unanswered requests

    # Typed lines and commands -----------------------------------------------------------------------------------------

    def submit(self, text: str) -> bool:
        """Take a typed line. False if it should stay in the input line for correction."""
        self.model.say("")
        self.log_offset = 0
        if replay_controller.take_line(self, text):
            return self.notify_change()
        if self.cell_prompt is not None and text.strip():
            done = self._answer(self.cell_prompt, text)
            if done is not None:
                return done
        command = find_action.read_line(self.model, text)
        line = command.request.line if isinstance(command, Ask) and isinstance(command.request, Play) else ""
        if line and board_controller.needs_second_enter(self, line):
            self.notify_change()
            return False
        if command == Invalid(commands.LOBBY_HELP) and isinstance(self.page, Replaying):
            command = Invalid(replay_controller.WORDS)
        return self.run(command, text)

    def _answer(self, asking: CellPrompt, text: str) -> bool | None:
        """Answer the menu's question. None if the line is no answer."""
        if find_action.is_command(self.model, text):
            return None  # the question stays open
        answer = asking.answer(text)
        if answer is None and len(text.strip()) <= 2:
            return self.run(Invalid(f"{harmless(text.strip())} is none of them. {asking.question}"))
        self.cell_prompt = answer if isinstance(answer, CellPrompt) else None
        if isinstance(answer, str):
            return self.run(commands.play_line(self.model, answer), answer)
        return None if answer is None else self.notify_change()

    def run(self, command: Command, text: str = "") -> bool:
        """Run a command. False if the typed line should stay for correction."""
        match command:
            case Ask(request):
                if isinstance(request, Create) and request.bot and request.game not in self.guide.known_games:
                    card = self.model.card(request.game)
                    request = replace(request, assist=request.assist or bool(card and card.guide and card.assist))
                self.send(request, text)
            case OpenReplay():
                replay_controller.find_replay(self, command, text)
            case Confirm() | TextPage():
                self.open(command)
            case ChooseCell(action):
                board = self.model.board
                assert board
                self.cell_prompt = CellPrompt(action, board)
            case Toggle(setting):
                self._toggle(setting)
            case Press(step, by):
                press(self, step, by)
            case Tutorial(game):
                self.guide = Guide(self.guide.known_games - {game})
                self.run(Ask(Create(commands.NO_ID, game, "host", "easy")), text)
            case Say(words):
                self.model.say(words)
            case Save(path):
                self.model.say(self.save(path, write_saved_game(self.model)))
            case Quit():
                self.quit()
            case Invalid(words):
                self.model.say(words, bad=True)
                self.notify_change()
                return False
        return self.notify_change()

    def send(self, request: Request, text: str = "") -> None:
        """Send a request. `text` is the typed line."""
        self._unanswered[request] = text
        self.model.unanswered_play = self.model.unanswered_play or isinstance(request, Play)
        self.ask(request)

    def do(self, action: UserAction) -> None:
        """Do what a key or a click means."""
        if action.name == "chat":
            self.notify(FrontEndAction("chat"))
        else:
            self.run(action.run(self.model, ""))

    def is_room_chosen(self) -> bool:
        """True if the lobby's cursor is on a room."""
        return lobby_controller.find_chosen_room(self) is not None

    # The cursor and the log -------------------------------------------------------------------------------------------

    def is_verb_typed(self) -> bool:
        """True if only the beginning of a verb is typed. Enter then acts at the cursor."""
        return find_typed_verb(self.model, self.typed) is not None

    def scroll(self, by: int) -> None:
        """Scroll the log."""
        self.log_offset = min(max(0, self.log_offset + by), max(0, len(self.model.log) - 1))
        self.notify_change()

    def pick_row(self, by: int) -> None:
        """Move the cursor in the lobby's list, or among several actions."""
        rows = len(self.page.actions) if isinstance(self.page, Choice) else len(list_rows(self.model))
        if rows:
            self.chosen_row = min(max(self.chosen_row + by, 0), rows - 1)
            self.notify_change()

    # Pages and settings -----------------------------------------------------------------------------------------------

    def open(self, page: Page) -> None:
        """Open a page."""
        self.page, self.page_top = page, 0

    def confirm(self, yes: bool) -> None:
        """Answer the open question."""
        page, self.page = self.page, None
        if isinstance(page, Confirm) and yes:
            if page.request is None:
                self.notify("quit")
            else:
                self.send(page.request)
        self.notify_change()

    def close_page(self) -> None:
        """Close the page. A replay that was chosen from the list goes back to the list."""
        if isinstance(self.page, PastGames | Replaying):
            self.model.say("")
        self.page = replay_controller.find_page_below(self)
        self.cell_prompt = None
        self.notify_change()

    def quit(self) -> None:
        """Leave the program. In a running game the player is asked first; the same key again is the answer."""
        is_asked = isinstance(self.page, Confirm) and self.page.request is None
        if self.model.in_game and not is_asked:
            self.open(Confirm(QUIT_HOME if self.model.owns_server else QUIT, None))
            self.notify_change()
        else:
            self.notify("quit")

    def say_goodbye(self) -> None:
        """Tell the server that the player leaves. A running game keeps the seat."""
        if self.model.room is not None and not self.model.in_game:
            self.ask(Leave(commands.NO_ID))
        self.ask(ByeRequest(commands.NO_ID))

    def toggle_mask(self) -> None:
        """Cover or show the player's own secrets."""
        self._toggle("mask")
        self.notify_change()

    def _toggle(self, setting: commands.Setting) -> None:
        match setting:
            case "mask":
                self.model.masked = not self.model.masked
                if self.model.masked:  # the cursor and an open choice may point at a secret
                    self.cursor = cell_input.find_middle(self.model)
                    self.page = None if isinstance(self.page, Choice) else self.page
                if not self.model.against_computer:
                    self.model.shows_secrets = not self.model.masked
                    self.remember_cover(self.model.masked)
                hint = "" if self.model.masked else self.model.covered_hint
                self.model.say(hint or "Your secrets are " + ("covered." if self.model.masked else "shown."))
            case "bell":
                self.model.bell = not self.model.bell
                self.model.say("The bell is " + ("on." if self.model.bell else "off."))
            case "words" | "board":
                self.boards_as_words = setting == "words"

    def tell_of_server(self, name: str, address: str) -> None:
        """Tell the player of a server that has appeared."""
        self.model.elsewhere = harmless(name)
        self.on_message(Event(f"{self.model.elsewhere} ({address}) is on your network now: /go goes there.", "system"))

    def notify_change(self) -> bool:
        """Tell the front end to draw again. Returns True, for `return self.notify_change()`."""
        self.notify("change")
        return True

    # The connection ---------------------------------------------------------------------------------------------------

    def on_connection(self, state: ConnectionState, why: str) -> None:
        """Take a new state of the connection."""
        before, self.model.connection, self.model.why_disconnected = self.model.connection, state, why
        if state == "connected" and self.model.notice == LOST:
            self.model.say("")
        self.notify(Connected(before, state, why))
        self.notify_change()

    def on_message(self, message: Push) -> None:
        """Take a message that answers no request."""
        was_to_act, shown = self.model.to_act, self.model.show
        row = lobby_controller.find_chosen_row(self)
        is_new = self.model.lobby is None
        before, last_game = self.model.room, self.model.last_game
        self.model.apply(message, self.clock())
        match message:
            case Show():
                view_controller.take_view(self, message, shown)
                if self.model.to_act != was_to_act:
                    self.model.drop_notice()  # it is out of date
                if self.model.to_act and not was_to_act:
                    self.notify("your turn")
            case Event():
                view_controller.take_event(self, message)
            case Welcome(room=None) if before and before.you is None:
                self.room_to_watch_again = before.room  # the server keeps no place for watchers
            case Room():
                self.room_to_watch_again = ""
                view_controller.take_room(self, message, before)
                if self.model.last_game != last_game:
                    self.remember_game(self.model.last_game)
            case Lobby():
                view_controller.take_lobby(self, row, is_new)
                self._watch_again()
                if self.opens_new_room:
                    self.opens_new_room = False
                    lobby_controller.open_new_room(self)
            case Over() if isinstance(self.page, Confirm):
                self.page = None
        self._guide(message)
        self.notify(Received(message))
        self.notify_change()

    def _watch_again(self) -> None:
        """Watch the room again that was watched when the connection broke."""
        again = Watch(commands.NO_ID, self.room_to_watch_again) if self.room_to_watch_again else None
        if again and not self.is_asking(again):
            self.run(Ask(again))

    def _guide(self, message: Push, request: Request | None = None) -> None:
        """Show the explanations of this moment to a new player."""
        lesson = self.guide.take_message(self.model, message, request)
        if lesson and isinstance(message, Over):
            self.model.log.append(Event(lesson, "system"))  # no lesson stands after the end
            self.notify(Guided((lesson,)))
        elif lesson:
            self.notify(Guided((f"Lesson {self.guide.number}: {lesson}", SKIP)[: 2 if self.guide.number == 1 else 1]))
        if isinstance(message, Over) and self.guide.game:
            self.remember_guide(self.guide.skip())

    def on_reply(self, request: Request, reply: Push) -> None:
        """Take the server's answer to a request."""
        request = replace(request, id=commands.NO_ID)
        typed = self._take_typed(request)
        if isinstance(reply, Error) and isinstance(request, AskAnalysis):
            replay_controller.ask_wanted_step(self)  # the player has not asked for the analysis
        elif isinstance(reply, Error):
            self.room_to_watch_again = ""
            self.refuse(self._say_refusal(request, reply), typed)
            replay_controller.drop_request(self, request)
        else:
            self.model.apply(reply, self.clock(), request)
            self._guide(reply, request)
            if isinstance(request, Play) and not typed and self.model.is_secret(request.line):
                self.cursor = cell_input.find_middle(self.model)  # it has chosen the secret, and must not point at it
        if isinstance(reply, replay_controller.Answer):
            replay_controller.take_reply(self, request, reply, typed)
        self.notify(Replied(request, reply))
        self.notify_change()

    def _say_refusal(self, request: Request, error: Error) -> str:
        """Why a request was refused."""
        is_covered = self.covers_refusal(request, error)
        return COVERED_REFUSAL.format("*") if is_covered else self.model.insert_names(harmless(error.text))

    def covers_refusal(self, request: Request, error: Error) -> bool:
        """True if the reason must not be told, since it depends on a covered secret."""
        covered = self.model.masked and self.model.show is not None and self.model.show.view.phase == "play"
        return covered and isinstance(request, Play) and error.code == "illegal" and self.model.is_secret(request.line)

    def on_lost(self, request: Request) -> None:
        """Take a request that was lost with the connection."""
        request = replace(request, id=commands.NO_ID)
        if isinstance(request, Play):
            self.model.forget_line()
        self.refuse(LOST, self._take_typed(request))
        replay_controller.drop_request(self, request)
        self.notify(Lost(request))
        self.notify_change()

    def _take_typed(self, request: Request) -> str:
        """The typed line of a request that is not waited for any more."""
        typed = self._unanswered.pop(request, "")
        self.model.unanswered_play = any(isinstance(other, Play) for other in self._unanswered)
        return typed

    def is_asking(self, request: Request) -> bool:
        """True while the same request is unanswered."""
        return request in self._unanswered

    def refuse(self, why: str, typed: str) -> None:
        """Say why something is not possible, and put the typed line back."""
        self.model.say(why, bad=True)
        if typed:
            self.line_to_restore = typed
            self.notify("restore line")
