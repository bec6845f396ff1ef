"""Plain mode, for pipes, scripts, screen readers and simple terminals. One fact a line, no escape sequences."""

import asyncio
from collections import deque
from collections.abc import Callable

from gridgames_client.render import board, overlays
from gridgames_client.render.board import Overlay
from gridgames_client.render.drawing.text_layout import ASCII, plain
from gridgames_client.render.past_games import history_screen, replay_screen, review
from gridgames_client.state.cell_input import CellPrompt
from gridgames_client.state.commands import Confirm, TextPage
from gridgames_client.state.controllers import replay_controller
from gridgames_client.state.controllers.controller import Controller
from gridgames_client.state.controllers.notifications import Connected, Guided, Lost, Notification, Received, Replied
from gridgames_client.state.history.replay import PastGames, Replaying
from gridgames_client.state.lobby_list import find_browser_address
from gridgames_client.state.model import Model
from gridgames_client.terminal.plain.sentences import (
    describe_room,
    list_checks,
    list_help,
    list_moves,
    list_owned_cells,
    name_form,
    tell_analysis,
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
    Room,
    Show,
    Standings,
    Welcome,
)
from gridgames_protocol.safe_text import harmless
from gridgames_protocol.views import Board, View

PAGE_COLUMNS = 78
UNWRAPPED = 10_000  # columns of a line that is never wrapped
TOLD_MAX = 100  # printed events that are kept, to skip those that the server sends again (the last 50)
YES, NO = {"y", "yes"}, {"n", "no"}
HIDDEN = "What you type now is not shown. /mask shows it."


class Plain:
    """The plain front end of one player."""

    def __init__(
        self, controller: Controller, write: Callable[[str], None], echo: Callable[[bool], bool] = lambda shown: False
    ) -> None:
        self.controller, self.write, self.echo = controller, write, echo
        controller.notify = self.on_notification
        self.welcomed, self.ended = asyncio.Event(), asyncio.Event()
        self.can_type = asyncio.Event()  # set while typed lines are accepted; for --wait
        self.rooms: dict[str, str] = {}  # the printed line of each room in the lobby
        self.has_printed_lobby = False  # the lobby has been printed
        self.has_printed_games = False  # the games have been printed
        self.has_printed_turn = False  # the player's turn has been printed
        self.printed_game: tuple[str, int] | None = None  # the room and game whose players have been printed
        self.printed_waiting_room: str | None = None  # the room whose waiting has been printed
        self.printed_view: View | None = None  # the printed view
        self.printed_events: deque[str] = deque(maxlen=TOLD_MAX)
        self.repeated_events: list[Event] = []  # events that the server has sent again, not compared yet
        self.printed_question = ""  # the printed question
        self.replay_game: PastGame | None = None  # the game whose replay is open
        self.printed_step: Replay | None = None  # its printed step

    @property
    def model(self) -> Model:
        return self.controller.model

    def say(self, text: str) -> None:
        """Print one fact."""
        if not self.ended.is_set():
            try:
                self.write(harmless(text))
            except OSError:  # the output is closed
                self.ended.set()

    # What is typed ----------------------------------------------------------------------------------------------------

    def take_line(self, text: str) -> None:
        """Take a line of input."""
        look = self.model.masked, self.controller.boards_as_words
        if isinstance(self.controller.page, Confirm):
            self.confirm(text.strip().lower())
        elif text.strip() or isinstance(self.controller.page, Replaying):
            self.controller.submit(text)
        self.say_notice()
        if look != (self.model.masked, self.controller.boards_as_words) or text.lower().startswith("/board"):
            if isinstance(self.controller.page, Replaying):
                self.printed_step = None
            elif self.model.show:
                self.print_boards(self.model.show)
        self.print_question()

    def confirm(self, answer: str) -> None:
        """Take the answer to a question: yes or no."""
        if answer in YES | NO:
            self.controller.cell_prompt = None
            self.controller.confirm(answer in YES)
        else:
            self.say("Type y or n.")

    def say_notice(self) -> None:
        """Print the client's message, if there is one."""
        if self.model.notice:
            self.say(self.model.notice)
            self.model.say("")

    def print_question(self) -> None:
        """Print the open question once. The echo is off if the answer is a secret."""
        hidden = self.model.may_type_secret and self.model.masked
        if self.echo(not hidden) and hidden:
            self.say(HIDDEN)
        if self.replay_game and not isinstance(self.controller.page, Replaying):
            self.replay_game = None
            self.say("The replay is closed.")
        question = ""
        if isinstance(self.controller.page, Confirm):
            question = f"{self.controller.page.question} (y/n)"
        elif isinstance(self.controller.page, TextPage | PastGames):
            self.print_page()
        elif isinstance(self.controller.page, Replaying):
            self.print_step(self.controller.page)
        elif self.controller.cell_prompt is not None:
            question = self.controller.cell_prompt.question
        if question and question != self.printed_question:
            self.say(question)
        self.printed_question = question

    def print_page(self) -> None:
        """Print a page that was asked for."""
        match self.controller.page:
            case TextPage("help"):
                text = list_help(self.model.room is not None)
            case TextPage("rules", game):
                card = self.model.card(game or "")
                told = [plain(line) for line in overlays.wrap_prose(card.rules, UNWRAPPED)] if card else []
                text = [f"{card.title}:" if card else "There is no such game.", *told]
            case TextPage("moves"):
                text = list_moves(self.model)
            case TextPage("standings", game):
                text = history_screen.tell_standings(self.model, game)
            case PastGames(chosen):
                text = history_screen.tell_games(self.controller, chosen)
            case _:
                title, lines = overlays.draw_page(self.controller, ASCII, PAGE_COLUMNS)
                text = [f"{title}:", *map(plain, lines)]
        self.controller.page = None
        for line in text:
            if line.strip():
                self.say(line)

    def print_step(self, page: Replaying) -> None:
        """Print a step of a replay once. The first time, also print the players and what can be typed."""
        if self.replay_game != page.game:
            self.replay_game, self.printed_step = page.game, None
            self.say(replay_screen.tell_game(page))
            self.say(replay_controller.WORDS)
        if self.printed_step is not page.shown:
            self.printed_step = page.shown
            for line in replay_screen.tell_replay(self.controller, page):
                self.say(line)

    # What happens on the line -----------------------------------------------------------------------------------------

    def on_notification(self, what: Notification) -> None:
        """Take a notification of the controller."""
        match what:
            case "quit":
                self.ended.set()
            case "change":
                self.update_can_type()
            case "your turn" if isinstance(self.controller.page, Replaying):
                self.controller.page = None  # the next typed line should go to the game
                self.print_question()
            case Connected(before, "reconnecting", why) if before != "reconnecting":
                self.say(f"{why} Reconnecting.")
            case Received(message):
                self.take_message(message)
            case Replied(request, reply):
                if isinstance(request, Play) and isinstance(reply, Ok):
                    self.has_printed_turn = False  # a turn after this one is a new turn
                self.take_reply(reply)
            case Guided(sentences):
                for sentence in sentences:
                    self.say(sentence)
                self.model.say("")
            case Lost():
                self.say_notice()

    def update_can_type(self) -> None:
        """Update `can_type`."""
        model = self.model
        waits = model.room is not None and not model.to_act and model.ending is None and self.controller.page is None
        self.can_type.clear() if waits else self.can_type.set()

    def take_message(self, message: Push) -> None:
        """Print a message of the server."""
        if isinstance(message, Event) and message.past:
            self.repeated_events.append(message)
            return
        match message:
            case Welcome():
                self.print_welcome(message)
            case Lobby():
                self.print_missed_events()
                self.print_lobby(message)
            case Room():
                self.print_room(message)
            case Event():
                self.print_missed_events()
                self.print_event(message)
            case Show():
                self.print_missed_events()
                if self.printed_view != message.view:
                    self.printed_view = message.view
                    self.print_turn(message)
            case Over():
                self.print_ending(message)
            case Analysis() if (ending := self.model.ending) is not None:
                for sentence in tell_analysis(message, ending.moves):
                    self.say(sentence)
        self.print_question()

    def take_reply(self, reply: Push) -> None:
        """Print the answer to a request. A refusal is printed in the server's words."""
        if isinstance(reply, Error):
            self.say(reply.text)
            self.model.say("")
            self.print_prompt()
        if isinstance(reply, Error | Hint | History | Replay | Standings):
            self.say_notice()
            self.print_question()

    def print_welcome(self, welcome: Welcome) -> None:
        """Print that the client is connected, or connected again."""
        if self.welcomed.is_set():
            self.say(f"Connected again as {welcome.name}.")
        else:
            self.say(f"Connected to {welcome.server} as {welcome.name}.")
        self.welcomed.set()
        self.printed_game = self.printed_waiting_room = self.printed_view = None
        self.has_printed_lobby = self.has_printed_turn = False
        self.printed_question = ""
        if welcome.room:
            self.say(f"You are back in room {welcome.room}.")

    def print_missed_events(self) -> None:
        """Print the events of the time without a connection. Events that were printed before are skipped."""
        past, self.repeated_events = self.repeated_events, []
        words, known = [event.text for event in past], list(self.printed_events)
        shared = range(min(len(known), len(words)), 0, -1)
        for event in past[next((size for size in shared if known[-size:] == words[:size]), 0) :]:
            self.print_event(event)

    # In the lobby -----------------------------------------------------------------------------------------------------

    def print_lobby(self, lobby: Lobby) -> None:
        """Print what has changed in the lobby."""
        self.printed_game = self.printed_waiting_room = None
        if not self.has_printed_lobby:
            self.has_printed_lobby = True
            alone = "create GAME bot=easy to play the computer, " if self.model.owns_server else ""
            self.say(f"You are in the lobby. Type {alone}create and a game, join or watch and a code, help, or quit.")
        if not self.has_printed_games:
            self.has_printed_games = True
            for card in self.model.cards:
                self.say(f"Game {card.slug}: {card.summary}.")
        now = {room.room: describe_room(room) for room in lobby.rooms}
        for code, text in now.items():
            if self.rooms.get(code) != text:
                self.say(f"Room {code}: {text}.")
        for code in self.rooms.keys() - now.keys():
            self.say(f"Room {code} is closed.")
        self.rooms = now

    def print_room(self, room: Room) -> None:
        """Print how the second player can join, or who plays when both are there."""
        self.has_printed_lobby = False
        if room.state == "waiting":
            if self.printed_waiting_room != room.room:
                self.printed_waiting_room = room.room
                self.say(f"Room {room.room}. Waiting for a second player.")
                self.say(f"The second player types: {self.model.join_command}")
                self.say(f"Then: join {room.room}")
                if page := find_browser_address(self.model):
                    self.say(f"Without the client, first open in a browser: {page}")
                if self.model.made_private_room:
                    self.say("The room is private: the lobby does not list it.")
                self.say_assist(room)
        elif self.printed_game != (room.room, room.number):
            self.printed_game = (room.room, room.number)
            for seat, holder in enumerate(room.seats, start=1):
                if holder:
                    who = " (you)" if room.you == seat else f" (a program: {holder.agent})" if holder.agent else ""
                    self.say(f"Player {seat} is {holder.name}{who}.")
            self.say_assist(room)
            if room.you is None:
                self.say("You are watching.")
                self.say("You see what everybody sees. Secrets are shown when the game is over.")

    def say_assist(self, room: Room) -> None:
        """Print whether the room has assist or hints."""
        if room.assist:
            self.say("Assist is on: each player's board shades what that player can rule out.")
        if room.hints:
            self.say("Hints are on: each player may type /hint.")

    # At the table -----------------------------------------------------------------------------------------------------

    def print_event(self, event: Event) -> None:
        """Print an event in the game's words."""
        self.printed_events.append(event.text)
        if event.kind == "chat":
            seat = f"Player {event.seat}" if event.seat else "watching"
            self.say(f"{event.name or 'somebody'} ({seat}): {event.text}")
        elif event.commit is None:
            self.say(event.text)

    def print_turn(self, show: Show) -> None:
        """Print the board and the prompt, if it is the player's turn or the player watches."""
        if self.model.to_act or show.you is None or show.view.phase == "over":
            self.print_boards(show)
        if show.view.claimable:
            self.say("You may claim the win: /claim")
        if not self.model.to_act:
            self.has_printed_turn = False
        elif not self.has_printed_turn:
            self.has_printed_turn = True
            self.say(f"Your turn: {'; '.join(name_form(action) for action in self.model.actions)}.")
            if show.deadline is not None:
                self.say(f"You have {show.deadline} seconds.")
            self.print_prompt()

    def print_boards(self, show: Show) -> None:
        """Print the board, as a picture or as words, and the facts beside it."""
        masked = self.model.masked
        self.print_board(show.view.board, show.view.board.title)
        for second in show.view.boards:
            self.print_board(second.board, second.title)
        for sentence in () if self.controller.boards_as_words else list_owned_cells(show):
            self.say(sentence)
        for label, value in show.view.facts:
            covered = masked and label in show.view.private
            self.say(f"{label}: {'covered, /mask shows it' if covered else value}")

    def print_board(self, drawn: Board, title: str) -> None:
        """Print one board under its title, if it has one."""
        if title:
            self.say(f"{title}:")
        masked = self.model.masked
        if self.controller.boards_as_words:
            lines = board.describe_board(drawn, masked)
        else:
            lines = [plain(line).rstrip() for line in board.draw(drawn, Overlay(masked=masked), ASCII, compact=True)]
        for line in lines:
            self.say(line)

    def print_prompt(self) -> None:
        """Print the prompt and the menu. If the setup has only one action, ask for its cell."""
        show = self.model.show
        if show is None or not self.model.to_act:
            return
        self.say(show.view.prompt)
        keyed = [action for action in self.model.actions if action.key]
        for action in keyed:
            self.say(f"{action.key}. {action.help}")
        if keyed:
            self.say(f"Enter your choice ({' or '.join(str(action.key) for action in keyed)}):")
        elif show.view.phase == "setup" and len(self.model.actions) == 1 and self.model.actions[0].cells:
            self.controller.cell_prompt = CellPrompt(self.model.actions[0], show.view.board)
            self.printed_question = ""

    def print_ending(self, over: Over) -> None:
        """Print the result, the openings, and what can be typed next."""
        ending = self.model.ending
        assert ending
        self.say(over.text)
        for sentence in list_checks(ending):
            self.say(sentence)
        for line in review.describe_review(over.review) if over.review else []:
            self.say(line)
        if self.model.room:
            one, two, draws = self.model.room.score
            self.say(f"Score: {one}-{two}{f', {draws} drawn' if draws else ''}.")
        self.say("Type /again for a rematch, or /leave for the lobby.")
