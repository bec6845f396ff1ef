"""The same game as plain lines: for pipes, scripts, screen readers and dumb terminals. One fact a line, no escapes."""

import asyncio
import contextlib
import os
import sys
import threading
from collections.abc import Callable

from gridgames_client import board, pages
from gridgames_client.board import Pencil
from gridgames_client.cells import Asking
from gridgames_client.commands import Confirm, Turn
from gridgames_client.desk import Desk, Happening
from gridgames_client.model import Line, Model
from gridgames_client.paint import ASCII, plain
from gridgames_protocol.messages import Error, Event, Lobby, Over, Push, Request, Room, Show, Welcome
from gridgames_protocol.text import harmless

YES = {"y", "yes"}


class Plain:
    """Reads lines, prints facts."""

    def __init__(self, desk: Desk, write: Callable[[str], None]) -> None:
        self.desk, self.write = desk, write
        desk.tell = self.happened
        self.welcomed, self.ended = asyncio.Event(), asyncio.Event()
        self.rooms: dict[str, str] = {}  # what has been said of each room
        self.waiting = False
        self.question = ""  # what was asked last

    @property
    def model(self) -> Model:
        return self.desk.model

    def say(self, text: str) -> None:
        """Print one fact."""
        self.write(harmless(text))

    # What is typed ----------------------------------------------------------------------------------------------------

    def typed(self, text: str) -> None:
        """Take a line of input."""
        if isinstance(self.desk.page, Confirm):
            self.desk.confirm(text.strip().lower() in YES)
        elif text.strip():
            self.desk.submit(text)
        if self.model.notice:
            self.say(self.model.notice)
            self.model.say("")
        self.ask_on()

    def ask_on(self) -> None:
        """Print the question that is open now, once."""
        question = ""
        if isinstance(self.desk.page, Confirm):
            question = f"{self.desk.page.question} (y/n)"
        elif isinstance(self.desk.page, Turn):
            self.read_out()
        elif self.desk.asking is not None:
            question = self.desk.asking.question
        if question and question != self.question:
            self.say(question)
        self.question = question

    def read_out(self) -> None:
        """Print a page that was asked for."""
        title, lines = pages.page(self.desk, ASCII, 78)
        self.desk.page = None
        self.say(f"{title}:")
        for line in lines:
            if plain(line).strip():
                self.say(plain(line))

    # What happens -----------------------------------------------------------------------------------------------------

    def happened(self, what: Happening) -> None:
        """The desk has done something."""
        if what == "quit":
            self.ended.set()

    def line_is(self, line: Line, why: str) -> None:
        """The line has come up or gone down."""
        if line == "reconnecting":
            self.say(f"{why} Reconnecting.")
        elif self.model.line == "reconnecting":
            self.say("Connected again.")
        self.desk.line_is(line, why)

    def heard(self, message: Push) -> None:
        """The server has said something."""
        before = self.model.show
        self.desk.heard(message)
        if self.ended.is_set():
            return  # the player has left and is only waiting for the goodbye
        match message:
            case Welcome():
                self.rooms.clear()
                self.welcomed.set()
                self.say(f"Connected to {message.server} as {message.name}.")
            case Lobby():
                self.lobby(message)
            case Room():
                self.room(message)
            case Event():
                self.event(message)
            case Show():
                if before is None or before.view != message.view:
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

    def unanswered(self, request: Request) -> None:
        """A request was lost with the line."""
        self.desk.unanswered(request)
        self.say(self.model.notice)
        self.model.say("")

    def lobby(self, lobby: Lobby) -> None:
        """Say what is new in the lobby."""
        if not self.rooms:
            self.say("You are in the lobby. Type create and a game, join or watch and a code, help, or quit.")
            for card in self.model.cards:
                self.say(f"Game {card.slug}: {card.summary}.")
        now = {room.room: f"{room.title}, {room.host}, {'open' if room.open else room.state}" for room in lobby.rooms}
        for code, text in now.items():
            if self.rooms.get(code) != text:
                self.say(f"Room {code}: {text}.")
        for code in self.rooms:
            if code and code not in now:
                self.say(f"Room {code} is closed.")
        self.rooms = {"": "seen", **now}

    def room(self, room: Room) -> None:
        """Say what to do while the second player is missing."""
        self.rooms.clear()
        if room.state == "waiting" and not self.waiting:
            self.say(f"Room {room.room}. Waiting for a second player.")
            self.say(f"On the other machine, type: gridgames-client {self.model.address}")
            self.say(f"Then: join {room.room}")
        self.waiting = room.state == "waiting"

    def event(self, event: Event) -> None:
        """Say what has happened, in the game's own words."""
        if event.kind == "chat":
            seat = f"Player {event.seat}" if event.seat else "watching"
            self.say(f"{event.name or 'somebody'} ({seat}): {event.text}")
        elif event.commit is None:
            self.say(event.text)

    def table(self, show: Show) -> None:
        """Show the board and what is asked for, to one who is to act or looks on."""
        if self.model.to_act or show.you is None or show.view.phase == "over":
            self.show_board()
        if show.view.claimable:
            self.say("You may claim the win: /claim")
        self.offer()

    def show_board(self) -> None:
        """Print the board, as a picture or as words, and the facts beside it."""
        show = self.model.show
        if show is None:
            return
        if self.desk.words:
            lines = board.in_words(show.view.board, self.model.masked)
        else:
            lines = [
                plain(line).rstrip()
                for line in board.draw(show.view.board, Pencil(masked=self.model.masked), ASCII, compact=True)
            ]
        for line in lines:
            self.say(line)
        for label, value in show.view.facts:
            covered = self.model.masked and label in show.view.private
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
        if ending.verdict.broken:
            self.say(f"WARNING: not what was sealed: {', '.join(ending.verdict.broken)}. The server changed a secret.")
        else:
            self.say(f"All {ending.verdict.fitting} commitments verified.")
        self.say("Type again for a rematch, or /leave for the lobby.")


def read_lines(loop: asyncio.AbstractEventLoop, typed: Callable[[str | None], None]) -> None:
    """Pass on what is typed, line by line, and None at its end, from a thread that nobody has to wait for."""

    def reading() -> None:
        held = b""
        # Not through sys.stdin: a thread that is stopped inside its lock would take the interpreter's end with it.
        while chunk := os.read(0, 65_536):
            *lines, held = (held + chunk).split(b"\n")
            for line in lines:
                loop.call_soon_threadsafe(typed, line.decode("utf-8", "replace"))
        if held:
            loop.call_soon_threadsafe(typed, held.decode("utf-8", "replace"))
        loop.call_soon_threadsafe(typed, None)

    def guarded() -> None:
        with contextlib.suppress(RuntimeError, OSError):  # the loop is closed: nobody listens any more
            reading()

    threading.Thread(target=guarded, daemon=True).start()


def write_line(text: str) -> None:
    """Print a line at once, whatever it is piped into."""
    encoding = sys.stdout.encoding or "ascii"
    sys.stdout.write(text.encode(encoding, "replace").decode(encoding) + "\n")
    sys.stdout.flush()
