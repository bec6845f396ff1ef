"""Plain mode, for pipes, scripts, screen readers and simple terminals. One fact a line, no escape sequences."""

import asyncio
from collections import deque
from collections.abc import Callable, Sequence

from gridgames_client.render.drawing.text_layout import plain, wrap
from gridgames_client.render.past_games import replay_screen
from gridgames_client.state.actions.game_actions import list_usable
from gridgames_client.state.cell_input import CellPrompt
from gridgames_client.state.commands import Confirm, TextPage
from gridgames_client.state.controllers import replay_controller
from gridgames_client.state.controllers.controller import COVERED_REFUSAL, Controller
from gridgames_client.state.controllers.notifications import Connected, Guided, Lost, Notification, Received, Replied
from gridgames_client.state.history.replay import PastGames, Replaying
from gridgames_client.state.model import Model
from gridgames_client.terminal.plain.board_lines import COVERED, BoardLines
from gridgames_client.terminal.plain.lobby_lines import LobbyLines
from gridgames_client.terminal.plain.pages import list_page_lines
from gridgames_client.terminal.plain.questions import ask_choice, find_question, list_keyed
from gridgames_client.terminal.plain.sentences import (
    KEPT,
    is_own_absence,
    list_missed_events,
    name_form,
    name_owner,
    tell_analysis,
    tell_ending,
    tell_players,
    tell_waiting,
)
from gridgames_protocol.messages import (
    Analysis,
    Error,
    Event,
    Hint,
    History,
    Lobby,
    Ok,
    Over,
    PastGame,
    Play,
    Push,
    Replay,
    Request,
    Room,
    Show,
    Standings,
    Welcome,
)
from gridgames_protocol.safe_text import harmless
from gridgames_protocol.views import View

TOLD_MAX = 100  # printed events that are kept, to skip those that the server sends again (the last 50)
YES, NO = {"y", "yes"}, {"n", "no"}
BOARD = {"board", "/board"}  # tells the board again, in words or as a picture
HIDDEN = "What you type now is not shown. /mask shows it."


class Plain:
    """The plain front end of one player."""

    def __init__(
        self,
        controller: Controller,
        write: Callable[[str], None],
        echo: Callable[[bool], bool] = lambda shown: False,
        later: Callable[[Callable[[], None]], object] = lambda call: call(),
    ) -> None:
        self.controller, self.write, self.echo = controller, write, echo
        self.later = later  # calls a function when all messages that have arrived are taken
        self.remember_words: Callable[[bool], None] = lambda as_words: None  # stores the player's choice
        self.ring: Callable[[], None] = lambda: None  # the bell of a terminal
        self.is_interrupted = False  # by Ctrl-C
        # Of the terminal; 0 if unknown. Chat is wrapped and indented here: no row of it looks like the server's words.
        self.count_columns: Callable[[], int] = lambda: 0
        self.goodbye_in_game = KEPT  # empty if a running game can't be resumed
        controller.notify = self.on_notification
        self.welcomed, self.ended = asyncio.Event(), asyncio.Event()
        self.can_type = asyncio.Event()  # set while typed lines are accepted; for --wait
        self.lobby, self.boards = LobbyLines(), BoardLines()
        self.has_printed_turn = False  # the player's turn has been printed
        self.printed_game: tuple[str, int] | None = None  # the room and game whose players have been printed
        self.printed_waiting_room: str | None = None  # the room whose waiting has been printed
        self.printed_view: View | None = None  # the printed view
        self.printed_events: deque[str] = deque(maxlen=TOLD_MAX)
        self.repeated_events: list[Event] = []  # events that the server has sent again, not compared yet
        self.lessons: list[str] = []  # explanations that have not been printed
        self.last_line = self.last_question = ""  # the last printed line and question
        self.is_settling = False  # `settle` is going to be called
        self.awaits_view = False  # a move or a yes was sent, and what came of it has not arrived
        self.comes_back = False  # the player has come back to a room whose view has not been printed
        self.replay_game: PastGame | None = None  # the game whose replay is open
        self.printed_step: Replay | None = None  # its printed step

    @property
    def model(self) -> Model:
        return self.controller.model

    @property
    def hides_typing(self) -> bool:
        """True while what is typed is not shown."""
        return self.model.may_type_secret and self.model.masked

    def say(self, text: str) -> None:
        """Print one fact."""
        if not self.ended.is_set():
            try:
                self.write(harmless(text))
            except OSError:  # the output is closed
                self.ended.set()
        self.last_line = text

    def say_all(self, sentences: Sequence[str]) -> None:
        """Print several facts."""
        for sentence in sentences:
            self.say(sentence)

    # What is typed ----------------------------------------------------------------------------------------------------

    def take_line(self, text: str) -> None:
        """Take a line of input."""
        if self.is_settling:
            self.settle()
        looked = self.model.masked, self.controller.boards_as_words
        if isinstance(self.controller.page, Confirm):
            self.confirm(text.strip().lower())
        elif text.strip().lower() in BOARD and self.model.show and not self.replay_game:
            self.say_all(self.tell_boards(whole=True))
        elif text.strip() or isinstance(self.controller.page, Replaying):
            self.controller.submit(text)
        self.say_notice()
        if looked != (self.model.masked, self.controller.boards_as_words):
            self.change_look(looked[1])
        self.settle()

    def change_look(self, had_words: bool) -> None:
        """Print the board again, covered or not, in words or as a picture."""
        as_words = self.controller.boards_as_words
        if had_words != as_words:
            self.remember_words(as_words)
            self.say("Boards are told in words." if as_words else "Boards are drawn.")
        self.printed_step = None
        if not self.replay_game:
            self.say_all(self.tell_boards(whole=True))

    def confirm(self, answer: str) -> None:
        """Take the answer to a question: yes or no."""
        if answer in YES:
            self.awaits_view = True
            self.controller.confirm(True)
        elif answer in NO:
            self.controller.confirm(False)
            self.say("Nothing was done.")
        else:
            self.say(f"Type y or n. {find_question(self.controller)}")

    def say_notice(self) -> None:
        """Print the client's message, if there is one."""
        if self.model.notice:
            self.say(self.model.notice)
            self.model.say("")

    # What is open -----------------------------------------------------------------------------------------------------

    def settle_later(self) -> None:
        """Print what is open when all messages that have arrived are printed."""
        if not self.is_settling:
            self.is_settling = True
            self.later(self.settle)

    def settle(self) -> None:
        """Print the open page, then the open question if it is not the last line already."""
        self.is_settling = False
        if not self.awaits_view:
            self.print_lessons()
        self.switch_echo()
        if self.replay_game and not isinstance(self.controller.page, Replaying):
            self.replay_game = None
            self.say("The replay is closed.")
        if isinstance(self.controller.page, TextPage | PastGames):
            self.print_page()
        elif isinstance(self.controller.page, Replaying):
            self.print_step(self.controller.page)
        self.ask_again()

    def ask_again(self) -> None:
        """Print the open question if it is not the last line already."""
        question = "" if self.awaits_view else find_question(self.controller)
        is_new = self.controller.page is not None or self.controller.cell_prompt is not None
        if self.last_line == self.last_question and not is_new:
            return  # it has just been answered
        if not self.last_line.endswith(question):
            self.say(question)
        self.last_question = self.last_line if question else ""

    def switch_echo(self) -> None:
        """Switch the echo off while the typed line may be a secret."""
        if self.echo(not self.hides_typing) and self.hides_typing:
            self.say(HIDDEN)

    def print_lessons(self) -> None:
        """Print the explanations for a new player."""
        self.say_all(self.lessons)
        self.lessons = []

    def print_page(self) -> None:
        """Print a page that was asked for."""
        lines, self.controller.page = list_page_lines(self.controller), None
        self.say_all([line for line in lines if line.strip()])

    def print_step(self, page: Replaying) -> None:
        """Print a step of a replay once. The first time, also print the players and what can be typed."""
        if self.replay_game != page.game:
            self.replay_game, self.printed_step = page.game, None
            self.say(replay_screen.tell_game(page))
            self.say(replay_controller.WORDS)
        if self.printed_step is not page.shown:
            self.printed_step = page.shown
            self.say_all(replay_screen.tell_replay(self.controller, page))

    # What happens on the line -----------------------------------------------------------------------------------------

    def on_notification(self, what: Notification) -> None:
        """Take a notification of the controller."""
        match what:
            case "quit":
                self.end()
            case "change":
                self.update_can_type()
            case "your turn":
                self.tell_turn()
            case Connected(before, "reconnecting", why) if before != "reconnecting":
                self.say(f"{why} Reconnecting.")
            case Received(message):
                self.take_message(message)
            case Replied(request, reply):
                self.take_reply(request, reply)
            case Guided(sentences):
                self.lessons += sentences
                self.model.say("")
            case Lost():
                self.awaits_view = False
                self.say_notice()

    def tell_turn(self) -> None:
        """Ring, and close a replay: the next typed line should go to the game."""
        if self.model.bell:
            self.ring()
        if isinstance(self.controller.page, Replaying):
            self.controller.page = None
            self.settle_later()

    def update_can_type(self) -> None:
        """Update `can_type`."""
        model = self.model
        waits = model.room is not None and not model.to_act and model.ending is None and self.controller.page is None
        self.can_type.clear() if waits else self.can_type.set()

    def end(self, goodbye: str = "") -> None:
        """Say that a running game is kept, or else goodbye, and end."""
        last_words = (self.model.in_game and self.goodbye_in_game) or goodbye
        if last_words:
            self.say(last_words)
        self.ended.set()

    def take_message(self, message: Push) -> None:
        """Print a message of the server."""
        if isinstance(message, Event) and is_own_absence(message, self.model):
            return
        if isinstance(message, Event) and message.past:
            self.repeated_events.append(message)
            return
        if isinstance(message, Lobby | Show | Over):
            self.awaits_view = False
        match message:
            case Welcome():
                self.print_welcome(message)
            case Lobby():
                self.print_missed_events()
                self.printed_game = self.printed_waiting_room = None
                self.say_all(self.lobby.tell(self.model, message))
            case Room():
                self.print_room(message)
            case Event():
                self.print_missed_events()
                self.print_event(message)
            case Show():
                self.print_missed_events()
                self.print_lessons()
                if self.printed_view != message.view:
                    self.printed_view = message.view
                    self.print_turn(message)
            case Over():
                self.say_all(tell_ending(self.model, message))
            case Analysis() if self.model.ending is not None:
                self.say_all(tell_analysis(message, self.model))
        self.settle_later()

    def take_reply(self, request: Request, reply: Push) -> None:
        """Print the answer to a request. A refusal is printed in the server's words, unless they tell a secret."""
        if isinstance(request, Play) and isinstance(reply, Ok):
            self.awaits_view = True
            self.has_printed_turn = False  # a turn after this one is a new turn
        if isinstance(reply, Error):
            self.awaits_view = False
            self.say(COVERED_REFUSAL.format("/mask") if self.controller.covers_refusal(request, reply) else reply.text)
            self.model.say("")
            self.print_prompt()
        if isinstance(reply, Error | Hint | History | Replay | Standings):
            self.say_notice()
        self.settle_later()

    def print_welcome(self, welcome: Welcome) -> None:
        """Print that the client is connected, or connected again."""
        if self.welcomed.is_set():
            self.say(f"Connected again as {welcome.name}.")
        else:
            self.say(f"Connected to {welcome.server} as {welcome.name}.")
        self.welcomed.set()
        self.printed_game = self.printed_waiting_room = self.printed_view = None
        self.lobby.has_said_where = self.has_printed_turn = self.awaits_view = False
        self.comes_back = welcome.room is not None
        if welcome.room:
            self.say(f"You are back in room {welcome.room}.")

    def print_missed_events(self) -> None:
        """Print the events of the time without a connection. Events that were printed before are skipped."""
        past, self.repeated_events = self.repeated_events, []
        for event in list_missed_events(past, list(self.printed_events)):
            self.print_event(event)

    # In a room --------------------------------------------------------------------------------------------------------

    def print_room(self, room: Room) -> None:
        """Print how the second player can join, or who plays when both are there."""
        self.lobby.has_said_where = False
        if room.state == "waiting":
            if self.printed_waiting_room != room.room:
                self.printed_waiting_room = room.room
                self.say_all(tell_waiting(self.model, room))
        elif self.printed_game != (room.room, room.number):
            self.printed_game = (room.room, room.number)
            self.boards = BoardLines()
            self.say_all(tell_players(room))

    # At the table -----------------------------------------------------------------------------------------------------

    def print_event(self, event: Event) -> None:
        """Print an event in the game's words."""
        if event.commit is not None:
            return
        self.printed_events.append(event.text)
        if event.kind == "chat":
            seat = f"Player {event.seat}" if event.seat else "watching"
            said = f"{event.name or 'somebody'} ({seat}): {event.text}"
            columns = self.count_columns()
            self.say_all([plain(line) for line in wrap(said, columns - 1, "", "  ")] if columns else [said])
        else:
            self.say(f"The answer is {COVERED}." if event.private and self.model.covers else event.text)

    def print_turn(self, show: Show) -> None:
        """Print the board and the prompt, if it is the player's turn or the player watches or has come back."""
        comes_back, self.comes_back = self.comes_back, False
        if self.model.to_act or show.you is None or show.view.phase == "over" or comes_back:
            self.say_all(self.tell_boards())
        if show.view.claimable:
            self.say(f"You may claim {self.model.claim}: /claim")
        if not self.model.to_act:
            self.has_printed_turn = False
            for seat in show.turn if comes_back else ():
                self.say(f"It is {name_owner(self.model, seat)} turn.")
        elif not self.has_printed_turn:
            self.has_printed_turn = True
            self.say(f"Your turn: {'; '.join(name_form(action) for action in list_usable(self.model))}.")
            if show.deadline is not None:
                self.say(f"You have {show.deadline} seconds.")
            self.switch_echo()
            self.print_prompt()

    def tell_boards(self, whole: bool = False) -> list[str]:
        """The boards, as pictures or in words, and the facts beside them."""
        show = self.model.show
        return self.boards.tell(self.model, show, self.controller.boards_as_words, whole) if show else []

    def print_prompt(self) -> None:
        """Print the prompt and the menu. If the setup has only one action, ask for its cell."""
        show = self.model.show
        if show is None or not self.model.to_act:
            return
        self.say(show.view.prompt)
        keyed = list_keyed(self.model)
        for action in keyed:
            self.say(f"{action.key}. {action.help}")
        if keyed:
            self.say(ask_choice(keyed))
        elif show.view.phase == "setup" and len(self.model.actions) == 1 and self.model.actions[0].cells:
            self.controller.cell_prompt = CellPrompt(self.model.actions[0], show.view.board)
