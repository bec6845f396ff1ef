"""The same game as plain lines: for pipes, scripts, screen readers and dumb terminals. One fact a line, no escapes."""

import asyncio
from collections import deque
from collections.abc import Callable

from gridgames_client import archive, board, leafing, pages, review
from gridgames_client.board import Pencil
from gridgames_client.cells import Asking
from gridgames_client.commands import Confirm, Turn
from gridgames_client.desk import Desk, Happening
from gridgames_client.model import Line, Model
from gridgames_client.paint import ASCII, plain
from gridgames_client.past import PastGames, Replaying
from gridgames_protocol.messages import (
    Error,
    Event,
    History,
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
    Welcome,
)
from gridgames_protocol.text import harmless
from gridgames_protocol.views import View

PAGE_COLUMNS = 78
TOLD_MAX = 100  # events by which one who comes back knows what is new; the server tells the last 50 again
YES, NO = {"y", "yes"}, {"n", "no"}
HIDDEN = "What you type now is not shown. /mask shows it."
HELP = """\
In the lobby, type one of these:
create GAME, with bot=easy, bot=medium, bot=hard, first=host, first=guest, clock=60, private or assist behind it
join CODE, watch CODE, rules GAME, help, quit
history lists your finished games, replay NUMBER shows one again, standings or standings GAME tells who has won most
At the table, type a line as the game asks for it, or the number of a choice, or one of these:
/chat TEXT, /again, /resign, /claim, /rules, /leave, /help, /quit
/board shows the board, /board words tells it in words, /mask shows or covers your own secrets
/moves and /save FILE, when the game is over; /history, /replay NUMBER, /standings at any time"""


class Plain:
    """Reads lines, prints facts."""

    def __init__(
        self, desk: Desk, write: Callable[[str], None], echo: Callable[[bool], bool] = lambda shown: False
    ) -> None:
        self.desk, self.write, self.echo = desk, write, echo
        desk.tell = self.happened
        self.welcomed, self.ended = asyncio.Event(), asyncio.Event()
        self.rooms: dict[str, str] | None = None  # what has been said of each room in the lobby
        self.table_said: tuple[str, int] | None = None  # the room and game whose players have been named
        self.waiting_in: str | None = None  # the room that has been said to wait for a second player
        self.shown: View | None = None  # what has been said of the table
        self.told: deque[str] = deque(maxlen=TOLD_MAX)
        self.past: list[Event] = []  # told again by the server, and not sorted out yet
        self.question = ""  # what was asked last
        self.replaying: PastGame | None = None  # the game of which a replay has been opened
        self.replayed: Replay | None = None  # the step of it that has been said

    @property
    def model(self) -> Model:
        return self.desk.model

    def say(self, text: str) -> None:
        """Print one fact."""
        if not self.ended.is_set():
            try:
                self.write(harmless(text))
            except OSError:  # nobody reads any more
                self.ended.set()

    # What is typed ----------------------------------------------------------------------------------------------------

    def typed(self, text: str) -> None:
        """Take a line of input."""
        look = self.model.masked, self.desk.words
        if isinstance(self.desk.page, Confirm):
            self.confirm(text.strip().lower())
        elif text.strip() or isinstance(self.desk.page, Replaying):
            self.desk.submit(text)
        self.say_notice()
        if look != (self.model.masked, self.desk.words) or text.lower().startswith("/board"):
            if isinstance(self.desk.page, Replaying):
                self.replayed = None
            elif self.model.show:
                self.show_board(self.model.show)
        self.ask_on()

    def confirm(self, answer: str) -> None:
        """Take the answer to a question, which is one of two words."""
        if answer in YES | NO:
            self.desk.confirm(answer in YES)
        else:
            self.say("Type y or n.")

    def say_notice(self) -> None:
        """Print the client's own word, if there is one."""
        if self.model.notice:
            self.say(self.model.notice)
            self.model.say("")

    def ask_on(self) -> None:
        """Print the question that is open now, once; what answers it is not shown if it is a secret."""
        hidden = self.model.types_secret and self.model.masked
        if self.echo(not hidden) and hidden:
            self.say(HIDDEN)
        if self.replaying and not isinstance(self.desk.page, Replaying):
            self.replaying = None
            self.say("The replay is closed.")
        question = ""
        if isinstance(self.desk.page, Confirm):
            question = f"{self.desk.page.question} (y/n)"
        elif isinstance(self.desk.page, Turn | PastGames):
            self.read_out()
        elif isinstance(self.desk.page, Replaying):
            self.tell_step(self.desk.page)
        elif self.desk.asking is not None:
            question = self.desk.asking.question
        if question and question != self.question:
            self.say(question)
        self.question = question

    def read_out(self) -> None:
        """Print a page that was asked for."""
        match self.desk.page:
            case Turn("help"):
                text = HELP.split("\n")
            case Turn("standings", game):
                text = archive.standings_told(self.model, game)
            case PastGames(chosen):
                text = archive.games_told(self.desk, chosen)
            case _:
                title, lines = pages.page(self.desk, ASCII, PAGE_COLUMNS)
                text = [f"{title}:", *map(plain, lines)]
        self.desk.page = None
        for line in text:
            if line.strip():
                self.say(line)

    def tell_step(self, page: Replaying) -> None:
        """Print a step of a replay, once; when it is opened, also whose game it is and what can be typed."""
        if self.replaying != page.game:
            self.replaying, self.replayed = page.game, None
            self.say(archive.game_told(page))
            self.say(leafing.WORDS)
        if self.replayed is not page.shown:
            self.replayed = page.shown
            for line in archive.replay_told(self.desk, page):
                self.say(line)

    # What happens on the line -----------------------------------------------------------------------------------------

    def happened(self, what: Happening) -> None:
        """The desk has done something."""
        if what == "quit":
            self.ended.set()
        elif what == "your turn" and isinstance(self.desk.page, Replaying):
            self.desk.page = None  # what is typed now should be the game's
            self.ask_on()

    def line_is(self, line: Line, why: str) -> None:
        """The line has come up or gone down."""
        if line == "reconnecting" and self.model.line != line:
            self.say(f"{why} Reconnecting.")
        self.desk.line_is(line, why)

    def heard(self, message: Push) -> None:
        """The server has said something."""
        if isinstance(message, Event) and message.past:
            self.desk.heard(message)
            self.past.append(message)
            return
        self.desk.heard(message)
        match message:
            case Welcome():
                self.welcome(message)
            case Lobby():
                self.catch_up()
                self.lobby(message)
            case Room():
                self.room(message)
            case Event():
                self.catch_up()
                self.event(message)
            case Show():
                self.catch_up()
                if self.shown != message.view:
                    self.shown = message.view
                    self.table(message)
            case Over():
                self.over(message)
        self.ask_on()

    def answered(self, request: Request, reply: Push) -> None:
        """A request has its answer; what was refused is said as the server put it."""
        self.desk.answered(request, reply)
        if isinstance(reply, Error):
            self.say(reply.text)
            self.model.say("")
            self.offer()
        if isinstance(reply, Error | History | Replay | Standings):
            self.say_notice()
            self.ask_on()

    def unanswered(self, request: Request) -> None:
        """A request was lost with the line."""
        self.desk.unanswered(request)
        self.say_notice()

    def welcome(self, welcome: Welcome) -> None:
        """Say that the way in is found, or found again."""
        if self.welcomed.is_set():
            self.say(f"Connected again as {welcome.name}.")
        else:
            self.say(f"Connected to {welcome.server} as {welcome.name}.")
        self.welcomed.set()
        self.rooms = self.table_said = self.waiting_in = self.shown = None
        self.question = ""
        if welcome.room:
            self.say(f"You are back in room {welcome.room}.")

    def catch_up(self) -> None:
        """Say what has happened while the line was down, and not again what was said before."""
        past, self.past = self.past, []
        words, known = [event.text for event in past], list(self.told)
        shared = range(min(len(known), len(words)), 0, -1)
        for event in past[next((size for size in shared if known[-size:] == words[:size]), 0) :]:
            self.event(event)

    # In the lobby -----------------------------------------------------------------------------------------------------

    def lobby(self, lobby: Lobby) -> None:
        """Say what is new in the lobby."""
        self.table_said = self.waiting_in = None
        if self.rooms is None:
            self.rooms = {}
            alone = "create GAME bot=easy to play the computer, " if self.model.home else ""
            self.say(f"You are in the lobby. Type {alone}create and a game, join or watch and a code, help, or quit.")
            for card in self.model.cards:
                self.say(f"Game {card.slug}: {card.summary}.")
        now = {room.room: listed(room) for room in lobby.rooms}
        for code, text in now.items():
            if self.rooms.get(code) != text:
                self.say(f"Room {code}: {text}.")
        for code in self.rooms.keys() - now.keys():
            self.say(f"Room {code} is closed.")
        self.rooms = now

    def room(self, room: Room) -> None:
        """Say what to do while the second player is missing, and who plays when both are there."""
        self.rooms = None
        if room.state == "waiting":
            if self.waiting_in != room.room:
                self.waiting_in = room.room
                self.say(f"Room {room.room}. Waiting for a second player.")
                self.say(f"The second player types: {self.model.way_here}")
                self.say(f"Then: join {room.room}")
                if self.model.unlisted:
                    self.say("The room is private: the lobby does not list it.")
                self.say_assist(room)
        elif self.table_said != (room.room, room.number):
            self.table_said = (room.room, room.number)
            for seat, holder in enumerate(room.seats, start=1):
                if holder:
                    self.say(f"Player {seat} is {holder.name}{' (you)' if room.you == seat else ''}.")
            self.say_assist(room)
            if room.you is None:
                self.say("You are watching.")

    def say_assist(self, room: Room) -> None:
        """Say that the room helps both, if it does."""
        if room.assist:
            self.say("Assist is on: each player's board shades what that player can rule out.")

    # At the table -----------------------------------------------------------------------------------------------------

    def event(self, event: Event) -> None:
        """Say what has happened, in the game's own words."""
        self.told.append(event.text)
        if event.kind == "chat":
            seat = f"Player {event.seat}" if event.seat else "watching"
            self.say(f"{event.name or 'somebody'} ({seat}): {event.text}")
        elif event.commit is None:
            self.say(event.text)

    def table(self, show: Show) -> None:
        """Show the board and what is asked for, to one who is to act or looks on."""
        if self.model.to_act or show.you is None or show.view.phase == "over":
            self.show_board(show)
        if show.view.claimable:
            self.say("You may claim the win: /claim")
        if self.model.to_act and show.deadline is not None:
            self.say(f"You have {show.deadline} seconds.")
        self.offer()

    def show_board(self, show: Show) -> None:
        """Print the board, as a picture or as words, and the facts beside it."""
        masked, drawn = self.model.masked, show.view.board
        if self.desk.words:
            lines = board.in_words(drawn, masked)
        else:
            lines = [plain(line).rstrip() for line in board.draw(drawn, Pencil(masked=masked), ASCII, compact=True)]
        for line in lines:
            self.say(line)
        for label, value in show.view.facts:
            covered = masked and label in show.view.private
            self.say(f"{label}: {'covered, /mask shows it' if covered else value}")

    def offer(self) -> None:
        """Print the prompt; where there is a menu, print it; where only a cell is missing, ask for it."""
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
            self.desk.asking = Asking(self.model.actions[0], show.view.board)
            self.question = ""

    def over(self, over: Over) -> None:
        """Say how it ended, open everything, and what now."""
        ending = self.model.ending
        assert ending
        self.say(over.text)
        for secret in ending.reveals:
            self.say(f"Opened: {secret.what} was {secret.value}.")
        verdict = ending.verdict
        if verdict.broken:
            self.say(f"WARNING: not what was sealed: {', '.join(verdict.broken)}. The server changed a secret.")
        elif verdict.fitting:
            count = "The commitment is" if verdict.fitting == 1 else f"All {verdict.fitting} commitments"
            self.say(f"{count} verified.")
        if verdict.unseen:
            what = "more" if verdict.fitting or verdict.broken else "commitments"
            self.say(f"{verdict.unseen} {what} made before you came can't be checked.")
        for line in review.in_words(over.review) if over.review else []:
            self.say(line)
        if self.model.room:
            one, two, draws = self.model.room.score
            self.say(f"Score: {one}-{two}{f', {draws} drawn' if draws else ''}.")
        self.say("Type /again for a rematch, or /leave for the lobby.")


def listed(room: LobbyRoom) -> str:
    """A room of the lobby in words."""
    return f"{room.title}, {room.host}, {'open' if room.open else room.state}{', assist' if room.assist else ''}"
