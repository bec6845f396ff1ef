"""What the player sees now. `apply` is how the server changes it; nothing else that arrives does."""

import re
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Literal

from gridgames_protocol import fairness
from gridgames_protocol.messages import (
    Bye,
    Error,
    Event,
    History,
    Lobby,
    Ok,
    Opening,
    Over,
    PastGame,
    Push,
    Replay,
    Reveal,
    Room,
    Show,
    Standings,
    Status,
    Welcome,
)
from gridgames_protocol.text import harmless
from gridgames_protocol.views import Action, Board, Card

AGAIN = re.compile(r"Player [12] asks for another game\.")
TURN = re.compile(r"Player [12]'s turn\.")  # what the view says already, and better
LOG_MAX = 500  # lines that can be scrolled back to
MARKS = ("", "?", "!", "*")  # what a pencil mark goes through

Line = Literal["connecting", "connected", "reconnecting", "ended"]


@dataclass(slots=True)
class Ending:
    """A game that is over: its result, every move and opening, and whether they hold."""

    over: Over
    moves: tuple[tuple[int, str], ...]
    reveals: tuple[Reveal, ...]
    verdict: fairness.Verdict


@dataclass(slots=True)
class Model:
    """Everything that is on the screen, or could be."""

    address: str  # as it was typed, for the other machine to type
    home: bool = False  # the server is this player's own, and ends with the program
    tls: bool = False
    line: Line = "connecting"
    trouble: str = ""  # why the line is down
    name: str = ""
    server: str = ""
    cards: tuple[Card, ...] = ()
    lobby: Lobby | None = None
    room: Room | None = None
    names: dict[int, str] = field(default_factory=dict)  # of the seats of the room, kept when somebody leaves
    unlisted: bool = False  # the room was made by this player, to be found by its code alone
    show: Show | None = None
    ending: Ending | None = None
    log: deque[Event] = field(default_factory=lambda: deque(maxlen=LOG_MAX))
    settled: Board | None = None  # as it was when the player's last turn ended: what differs from it is news
    commits: dict[str, str] = field(default_factory=dict)
    marks: dict[str, str] = field(default_factory=dict)  # pencil marks by cell
    notice: str = ""  # the latest word of this client's own: why a wish was refused, what was saved
    notice_bad: bool = False
    clock_ends: float | None = None  # when the turn's time is up, on this machine's clock
    masked: bool = True  # own secrets are covered
    secret_verbs: set[str] = field(default_factory=set)  # of this game, as far as they have been offered
    bell: bool = True
    past: tuple[PastGame, ...] = ()  # the player's finished games, as far as they were asked for
    past_more: bool = False  # there are older ones
    standings: Standings | None = None
    _moves: list[tuple[int, str]] = field(default_factory=list)
    _reveals: list[Reveal] = field(default_factory=list)

    @property
    def way_here(self) -> str:
        """What a friend types to come to the same server."""
        return f"gridgames-client {self.address}" + (" --tls" if self.tls else "")

    # What arrives -----------------------------------------------------------------------------------------------------

    def apply(self, message: Push) -> None:
        """Take in what the server says."""
        match message:
            case Welcome():
                self._welcome(message)
            case Lobby():
                self._go_to_lobby(message)
            case Room():
                self._enter(message)
            case Show():
                self._see(message)
            case Event():
                self._hear(message)
            case Opening():
                self._open(message)
            case Over():
                self._open(message)
                self._end(message)
            case Bye():
                self.trouble = harmless(message.text)
            case Ok() | Error() | Status() | History() | Replay() | Standings():
                pass  # replies: whoever asked deals with them

    def _welcome(self, welcome: Welcome) -> None:
        self.name, self.server, self.cards = welcome.name, welcome.server, welcome.games
        self.line, self.trouble = "connected", ""
        self.log.clear()  # whoever is in a room is told its last events again
        self._moves.clear()
        self._reveals.clear()
        if welcome.room is None:
            self.room = self.show = self.ending = None

    def _go_to_lobby(self, lobby: Lobby) -> None:
        while self.room and len(self.log) > 1:
            self.log.popleft()  # only the last thing that was said says why the room is left
        self.lobby = lobby
        self.room = self.show = self.ending = None

    def _enter(self, room: Room) -> None:
        before = self.room
        self.room = room
        if before is None or before.room != room.room:
            self.show = None
            self.names.clear()
        self.names |= {seat: harmless(holder.name) for seat, holder in enumerate(room.seats, 1) if holder}
        if before is None or (before.room, before.number) != (room.room, room.number):
            self.ending = None
            self.commits.clear()
            self.marks.clear()
            self._moves.clear()
            self._reveals.clear()
            self.settled = None
            self.secret_verbs.clear()
            self.masked = True
            self.say("")

    def _see(self, show: Show) -> None:
        was_to_act, before = self.to_act, self.board
        self.show = show
        self.secret_verbs |= {action.verb for action in show.view.actions if action.secret}
        if show.you is None:
            self.settled = before  # one who watches has no turn: the last change is the news
        elif self.settled is None or (was_to_act and not self.to_act):
            self.settled = show.view.board

    def _hear(self, event: Event) -> None:
        if event.kind != "system" or not TURN.fullmatch(event.text):
            self.log.append(event)
        if event.commit:
            self.commits.setdefault(event.commit.what, event.commit.hash)  # the first one binds

    def _open(self, part: Opening | Over) -> None:
        self._moves += part.moves
        self._reveals += part.reveal

    def _end(self, over: Over) -> None:
        verdict = fairness.check(self.commits, self._reveals)
        self.ending = Ending(over, tuple(self._moves), tuple(self._reveals), verdict)
        self._moves.clear()
        self._reveals.clear()

    # What can be told from it -----------------------------------------------------------------------------------------

    @property
    def board(self) -> Board | None:
        """The board on the table."""
        return self.show.view.board if self.show else None

    @property
    def actions(self) -> tuple[Action, ...]:
        """What may be typed now."""
        return self.show.view.actions if self.show else ()

    @property
    def to_act(self) -> bool:
        """True if it is for this player to do something."""
        return self.show is not None and self.show.you in self.show.turn and self.show.you is not None

    @property
    def types_secret(self) -> bool:
        """True while what is typed may tell the player's own secret."""
        return any(action.secret for action in self.actions)

    def is_secret(self, text: str) -> bool:
        """True if a typed line tells the player's own secret, or looks like it: one may type ahead of one's turn."""
        word = text.strip().upper().partition(" ")[0]
        if not word or word.startswith("/"):
            return False
        return self.types_secret or any(verb.startswith(word) for verb in self.secret_verbs)

    @property
    def covers(self) -> bool:
        """True if there is something of the player's own that is, or could be, covered."""
        return self.show is not None and bool(self.show.view.board.masks or self.show.view.private or self.types_secret)

    @property
    def claimable(self) -> bool:
        """True if the win is there to be claimed."""
        return self.show is not None and self.show.view.claimable

    @property
    def in_game(self) -> bool:
        """True at the table of a running game: leaving it would resign."""
        return self.room is not None and self.room.state == "playing" and self.room.you is not None

    @property
    def deserted(self) -> bool:
        """True if somebody has left the table: nobody is there for another game."""
        return self.room is not None and None in self.room.seats

    @property
    def wants_again(self) -> int | None:
        """The seat that has asked for another game since this one began; None if neither has."""
        for event in reversed(self.log):
            if event.kind == "system" and event.text.startswith("Welcome to "):
                break
            if event.kind == "system" and AGAIN.fullmatch(event.text):
                return event.seat
        return None

    def seat_name(self, seat: int) -> str:
        """Who sits there, with the seat's number, which no name can imitate."""
        return f"{self.names[seat]} [{seat}]" if self.room and seat in self.names else f"Player {seat}"

    def named(self, text: str) -> str:
        """A sentence of the game with the players' names in it."""
        return called(text, self.seat_name)

    def look_back(self, history: History, older: bool) -> None:
        """Take in a page of the player's finished games: the newest, or older ones than those that are known."""
        self.past, self.past_more = (self.past if older else ()) + history.games, history.more

    def card(self, slug: str) -> Card | None:
        """The game with a slug."""
        return next((card for card in self.cards if card.slug == slug), None)

    def say(self, text: str, bad: bool = False) -> None:
        """Put a word of the client's own above the input line."""
        self.notice, self.notice_bad = text, bad

    def mark(self, cell: str) -> None:
        """Go on to the next pencil mark on a cell."""
        now = self.marks.get(cell, "")
        self.marks[cell] = MARKS[(MARKS.index(now) + 1) % len(MARKS)]


def called(text: str, name_of: Callable[[int], str]) -> str:
    """A sentence of a game with the players called as somebody calls them."""
    # In one go: somebody may be called Player 2.
    return re.sub(r"\bPlayer ([12])\b", lambda found: name_of(int(found[1])), text)
