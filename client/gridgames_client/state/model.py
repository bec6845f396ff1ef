"""What the client knows. Only `Model.apply` changes it by messages of the server."""

import re
from collections import deque
from dataclasses import dataclass, field, replace
from typing import Literal

from gridgames_client.state.cell_names import parse_choice
from gridgames_client.state.history.ending import Ending
from gridgames_client.state.phrase import make_phrase
from gridgames_client.state.player_names import replace_players
from gridgames_protocol import commitments
from gridgames_protocol.honesty import find_contradictions
from gridgames_protocol.messages import (
    Analysis,
    AskHistory,
    Bye,
    Commit,
    Create,
    Error,
    Event,
    Hint,
    History,
    Join,
    Leave,
    Lobby,
    Ok,
    Opening,
    Over,
    PastGame,
    Play,
    Push,
    RecordPart,
    Replay,
    Request,
    Reveal,
    Room,
    Show,
    Standings,
    Status,
    Watch,
    Welcome,
)
from gridgames_protocol.safe_text import harmless
from gridgames_protocol.views import Action, Board, Card

TURN = re.compile(r"Player [12]'s turn\.")  # not logged: the view shows whose turn it is
PAST_MAX = 5_000  # finished games that are listed
LOG_MAX = 500  # log lines
MOVES_MAX = 20_000  # moves, seals or openings of one game; real games have far fewer
DOUBTS_MAX = 20  # warnings
TOO_MUCH = "The server sends {} without end. This client leaves."
WARNING = "WARNING: "
COVERED_ANSWER = "The answer is covered: * shows it."
COVERED_HINT = "The hint is covered until you show your secrets."

ConnectionState = Literal["connecting", "connected", "reconnecting"]


class TooMuch(Exception):
    """The server sends more than any game needs. The message says of what."""


@dataclass(slots=True)
class Model:
    """What the client knows of the server, the lobby, the room and the game."""

    address: str  # as the player typed it
    command: str = "gridgames-client"  # what a friend types to start the same client
    friend_types: str = ""  # the whole command, where a friend does not need the client
    owns_server: bool = False  # the server was started by this client, and ends with it
    tls: bool = False
    elsewhere: str = ""  # another server on the network, to which the player may go
    goes_elsewhere: bool = False  # the player leaves for it
    handout: bool = False  # browsers get the client from the server
    connection: ConnectionState = "connecting"
    why_disconnected: str = ""  # why there is no connection
    name: str = ""
    server: str = ""
    cards: tuple[Card, ...] = ()
    lobby: Lobby | None = None
    room: Room | None = None
    names: dict[int, str] = field(default_factory=dict)  # by seat; kept when a player leaves
    made_private_room: bool = False  # this player has made a private room
    show: Show | None = None
    ending: Ending | None = None
    log: deque[Event] = field(default_factory=lambda: deque(maxlen=LOG_MAX))
    hints: deque[str] = field(default_factory=lambda: deque(maxlen=LOG_MAX))  # private answers of this game
    last_turn_board: Board | None = None  # the board when the player's last turn ended; the screen marks what differs
    commits: dict[str, str] = field(default_factory=dict)
    own_lines: list[str] = field(default_factory=list)  # this player's accepted lines of this game
    secret_cells: dict[str, str] = field(default_factory=dict)  # the cells of own secrets, by the secret's name
    lines_complete: bool = False  # `own_lines` holds every own line of this game
    contradictions: list[str] = field(default_factory=list)  # warnings: where the server contradicts itself
    marks: dict[str, str] = field(default_factory=dict)  # pencil marks by cell
    notice: str = ""  # the client's message above the input line
    notice_is_error: bool = False
    covered_hint: str = ""  # the answer to `hint`, while it is covered
    clock_ends: float | None = None  # the end of the turn's time, by this machine's clock
    unanswered_play: bool = False  # a line was sent, and the server has not answered yet
    last_game: str = ""  # the game that the player has played last
    wants_assist: bool = True  # against the computer, as the player has chosen last
    masked: bool = True  # own secrets are covered
    secret_verbs: set[str] = field(default_factory=set)  # all that this game has offered so far
    always_covers: bool = False  # cover own secrets even against the computer
    shows_secrets: bool = False  # start with own secrets shown
    bell: bool = True
    past_games: tuple[PastGame, ...] = ()  # the finished games that are listed
    has_older_games: bool = False  # the server has older ones
    standings: Standings | None = None
    _came_back: bool = False  # reconnected into a room whose game may have begun before
    _moves: list[tuple[int, str]] = field(default_factory=list)
    _reveals: list[Reveal] = field(default_factory=list)

    @property
    def join_command(self) -> str:
        """What a friend types to come to the same server."""
        return self.friend_types or f"{self.command} {self.address}" + (" --tls" if self.tls else "")

    # Messages of the server -------------------------------------------------------------------------------------------

    def apply(self, message: Push, now: float = 0.0, request: Request | None = None) -> None:
        """Take in a message. `request` is what a reply answers."""
        match message:
            case Welcome():
                self._welcome(message)
            case Lobby():
                self._go_to_lobby(message)
            case Room():
                self._enter(message)
            case Show():
                self._see(message)
                self.clock_ends = None if message.deadline is None else now + message.deadline
            case Event():
                self._hear(message)
            case Opening():
                self._open(message)
            case Over():
                self._open(message)
                self._end(message)
            case Bye():
                self.why_disconnected = harmless(message.text)
            case Ok():
                self._accept(request)
            case History():
                self._list_games(message, request.before if isinstance(request, AskHistory) else None)
            case Standings():
                self.standings = message
            case Analysis() if self.ending is not None and message.re is None:
                self.ending.analysis = message
            case Hint():
                hint = f"{harmless(message.line)}: {harmless(message.why)}"
                is_covered = self.masked and self.involves_secret  # else nothing would uncover it
                self.covered_hint = hint if is_covered else ""
                self.say(COVERED_HINT if is_covered else hint)
            case Error() | Status() | Replay() | Analysis() | RecordPart():
                pass  # whoever asked shows them
        if self.show is None:
            self.clock_ends = None

    def _list_games(self, history: History, before: int | None) -> None:
        """List the newest finished games, or add the games older than `before`."""
        if before is None:
            self.past_games, self.has_older_games = history.games, history.more
        elif self.past_games and self.past_games[-1].number == before:
            self.past_games, self.has_older_games = (self.past_games + history.games)[:PAST_MAX], history.more

    def _accept(self, request: Request | None) -> None:
        """Take in that the server has accepted a request."""
        match request:
            case Create() | Join() | Watch() | Leave():
                self.made_private_room = isinstance(request, Create) and request.private
                self.log.clear()  # later events belong to another room
                if isinstance(request, Leave):  # the lobby may arrive later
                    self.room = self.show = self.ending = None
                    self.say("")
            case Play() if self._came_back:
                self.forget_line()  # accepted before the connection was lost: it may have been a foul, which is no move
            case Play(line=line) if self.show is not None:
                self._keep_line(line)

    def _keep_line(self, line: str) -> None:
        """Keep an accepted own line, and the cell of the secret that it sets."""
        assert self.show
        if len(self.own_lines) >= MOVES_MAX:
            raise TooMuch(TOO_MUCH.format("answers to moves"))
        self.own_lines.append(line)
        verb, view = line.strip().upper().partition(" ")[0], self.show.view
        for action in view.actions:
            cell = parse_choice(view.board, action, line) if action.secret and action.verb == verb else None
            if view.seals and cell is not None:
                self.secret_cells[view.seals] = cell

    def forget_line(self) -> None:
        """Note that a line was lost: the server may have accepted it, so `own_lines` may not be complete."""
        self.lines_complete = False

    def _welcome(self, welcome: Welcome) -> None:
        self.name, self.server, self.cards = welcome.name, welcome.server, welcome.games
        self.connection, self.why_disconnected = "connected", ""
        self.handout = welcome.features is not None and welcome.features.handout
        self.log.clear()  # the server sends a room's last events again
        self.hints.clear()
        self._moves.clear()
        self._reveals.clear()
        self._came_back = welcome.room is not None
        if welcome.room is None:
            self.room = self.show = self.ending = None

    def _go_to_lobby(self, lobby: Lobby) -> None:
        while self.room and len(self.log) > 1:
            self.log.popleft()  # keep the last event: it says why the room is left
        self.lobby = lobby
        self.room = self.show = self.ending = None

    def _enter(self, room: Room) -> None:
        before = self.room
        self.room, self.lobby = room, None  # the lobby is out of date
        if before is None or before.room != room.room:
            self.show = None
            self.names.clear()
        self.last_game = room.game if room.you and room.state == "playing" else self.last_game
        self.names |= {seat: harmless(holder.name) for seat, holder in enumerate(room.seats, 1) if holder}
        if before is None or (before.room, before.number) != (room.room, room.number):
            self.contradictions.clear()
            self.own_lines.clear()
            self.secret_cells.clear()
            self.lines_complete = not self._came_back
            self.ending = None
            self.commits.clear()
            self.hints.clear()
            self.marks.clear()
            self._moves.clear()
            self._reveals.clear()
            self.last_turn_board = None
            self.secret_verbs.clear()
            self.masked = self.always_covers or not (self.shows_secrets or self.against_computer)
            self.say("")
        if before and before.room == room.room and room.number < before.number:
            self._warn(f"This room went back from game {before.number} to game {room.number}.")
        self._came_back = False

    def _see(self, show: Show) -> None:
        was_to_act, before = self.to_act, self.board
        self.show, self.covered_hint = show, ""
        self.secret_verbs |= {action.verb for action in show.view.actions if action.secret}
        if show.you is None:
            self.last_turn_board = before  # a watcher has no turn: mark the last change
        elif self.last_turn_board is None or (was_to_act and not self.to_act):
            self.last_turn_board = show.view.board

    def _hear(self, event: Event) -> None:
        if event.commit is None and (event.kind != "system" or not TURN.fullmatch(event.text)):
            if event.begins is not None and event.begins > 1:
                self.log.append(Event(f"Game {event.begins} of this room", "system"))
            self.log.append(event)
        if event.begins is not None:
            self.hints.clear()
        if event.kind == "hint":
            self.hints.append(event.text)
        if event.commit:
            self._seal(event.commit)

    def _seal(self, commit: Commit) -> None:
        """Keep a seal. A second seal of the same secret is a contradiction."""
        if len(self.commits) >= MOVES_MAX:
            raise TooMuch(TOO_MUCH.format("seals"))
        if self.commits.setdefault(commit.what, commit.hash) != commit.hash:
            self._warn(f"{commit.what} was sealed twice, with two different seals.")

    def _warn(self, sentence: str) -> None:
        """Warn that the server contradicts itself or what this client knows."""
        if sentence not in self.contradictions and len(self.contradictions) < DOUBTS_MAX:
            self.contradictions.append(sentence)
            self.say(f"{WARNING}{sentence} Do not trust this server.", bad=True)
            self.log.append(Event(self.notice, "system"))

    def _open(self, part: Opening | Over) -> None:
        self._moves += part.moves
        self._reveals += part.reveal
        if max(len(self._moves), len(self._reveals)) > MOVES_MAX:
            raise TooMuch(TOO_MUCH.format("moves and openings"))

    def _end(self, over: Over) -> None:
        verdict = commitments.check(self.commits, self._reveals)
        you = self.room.you if self.room else None
        found = find_contradictions(
            you, self.own_lines, self.secret_cells, self.lines_complete, self._moves, self.commits, self._reveals
        )
        for sentence in found:
            self._warn(sentence)
        self.ending = Ending(
            over, tuple(self._moves), tuple(self._reveals), verdict, contradictions=tuple(self.contradictions)
        )
        self._moves.clear()
        self._reveals.clear()

    # Questions to the model -------------------------------------------------------------------------------------------

    @property
    def board(self) -> Board | None:
        return self.show.view.board if self.show else None

    @property
    def covers(self) -> bool:
        """True while the reader's own secrets are covered. At the end of a game everything is open."""
        return self.masked and self.ending is None

    @property
    def shown_log(self) -> list[Event]:
        """The log as it may be shown now: answers for this player alone are covered with the own secrets."""
        return [replace(event, text=COVERED_ANSWER) if event.private and self.covers else event for event in self.log]

    @property
    def actions(self) -> tuple[Action, ...]:
        """The actions of the view. While own secrets are covered, they do not depend on own secrets."""
        if self.show is None:
            return ()
        if not self.masked or self.show.view.phase != "play":
            return self.show.view.actions
        names = self.show.view.board.names
        return tuple(
            replace(action, cells=names) if action.cells is not None and (action.secret or action.private) else action
            for action in self.show.view.actions
        )

    @property
    def to_act(self) -> bool:
        """True if it is this player's turn."""
        return self.show is not None and self.show.you in self.show.turn and self.show.you is not None

    @property
    def may_type_secret(self) -> bool:
        """True while a typed line may set an own secret."""
        return any(action.secret for action in self.actions)

    @property
    def chooses_unseen(self) -> bool:
        """True while a covered secret may be chosen. The cursor is hidden then: it would show the cell."""
        return self.masked and self.may_type_secret

    @property
    def shown_marks(self) -> dict[str, str]:
        """The pencil marks as they may be shown now: they hold what the player has made of covered answers."""
        return {} if self.covers and self.involves_secret else self.marks

    def is_secret(self, text: str) -> bool:
        """True if a typed line sets an own secret, or will in a later turn: players may type ahead."""
        word = text.strip().upper().partition(" ")[0]
        if not word or word.startswith("/"):
            return False
        if self.may_type_secret or any(verb.startswith(word) for verb in self.secret_verbs):
            return True
        # One who has come back may not have seen the secret verbs yet: then a word is public only if it is offered.
        unknown = not self.lines_complete and word.isalpha() and self.involves_secret
        return unknown and not any(action.verb.startswith(word) for action in self.actions)

    @property
    def involves_secret(self) -> bool:
        """True if the view shows or asks for an own secret."""
        view = self.show.view if self.show else None
        return view is not None and bool(view.board.masks or view.private or self.may_type_secret)

    @property
    def chooses_secrets(self) -> bool:
        """True during the setup, while players choose their secrets."""
        return self.show is not None and self.show.view.phase == "setup" and self.may_type_secret

    @property
    def against_computer(self) -> bool:
        """True if one of the players is the computer."""
        return self.room is not None and any(holder is not None and holder.bot for holder in self.room.seats)

    @property
    def can_ask_hint(self) -> bool:
        """True against the computer, and in rooms that allow hints."""
        return self.against_computer or (self.room is not None and self.room.hints)

    @property
    def claim(self) -> str:
        """What this player may claim, in words; empty if nothing."""
        return (self.show.view.claim or "the win") if self.show and self.show.view.claimable else ""

    @property
    def in_game(self) -> bool:
        """True for a player of a running game. Leaving it resigns."""
        return self.room is not None and self.room.state == "playing" and self.room.you is not None

    @property
    def has_empty_seat(self) -> bool:
        """True if a player has left the room, so that no rematch is possible."""
        return self.room is not None and None in self.room.seats

    @property
    def rematch_seat(self) -> int | None:
        """The seat that has asked for another game; None if neither has."""
        return self.room.again[0] if self.room and self.room.again else None

    def seat_name(self, seat: int) -> str:
        """The player's name and the seat's number. No name can contain the brackets."""
        return f"{self.names[seat]} [{seat}]" if self.room and seat in self.names else f"Player {seat}"

    def insert_names(self, text: str) -> str:
        """Replace `Player 1` and `Player 2` in a sentence of the game by the players' names."""
        return replace_players(text, self.seat_name)

    @property
    def phrase(self) -> str:
        """Four words made from what both players were shown: the seals, and the moves once they are public."""
        return make_phrase(self.commits.items(), self.ending.moves if self.ending else ())

    def card(self, slug: str) -> Card | None:
        """The game with a slug."""
        return next((card for card in self.cards if card.slug == slug), None)

    def say(self, text: str, bad: bool = False) -> None:
        """Show a message of the client above the input line."""
        self.notice, self.notice_is_error = text, bad

    def drop_notice(self) -> None:
        """Drop the message because something newer matters. A warning about the server stays."""
        if not self.notice.startswith(WARNING):
            self.say("")
