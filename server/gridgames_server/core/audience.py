"""The readers of a room (two seats and the watchers), and what each of them is sent."""

from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import dataclass, field, replace
from math import ceil
from typing import Any

from gridgames_protocol import messages
from gridgames_protocol.codec import Lines
from gridgames_protocol.messages import Analysis, Event, First, Push, RoomState, SeatHolder, Show
from gridgames_server.core.effects import AskBot, Effect, Send, Wants
from gridgames_server.core.limits import ABSENCE, LOBBY_AGENT, ROOM_LOG
from gridgames_server.core.players import Player
from gridgames_server.core.rate_limit import TokenBucket
from gridgames_server.errors import Refusal
from gridgames_server.games.game import IN_ORDER, NO_ONE, Game
from gridgames_server.games.match import THE_WIN, Match, make_closing
from gridgames_server.games.narration import EVERYBODY, Announcement
from gridgames_server.games.seats import Reader, other

NO_REPLIES: Mapping[Reader, Push] = {}
READERS: tuple[Reader, ...] = (1, 2, None)


@dataclass(slots=True, eq=False)
class Audience:
    """The two seats and the watchers of a room. Messages to them are collected in `out`, in order."""

    out: list[Effect] = field(default_factory=list, repr=False)
    seats: dict[int, Player | None] = field(default_factory=lambda: {1: None, 2: None})
    watchers: list[Player] = field(default_factory=list)
    # One log for each reader, of at most ROOM_LOG events, without seals. Its length must not depend on events that only
    # others may read. Lists: an empty deque takes 760 bytes, and three of them a tenth of a room.
    latest: dict[Reader, list[Event]] = field(default_factory=lambda: {reader: [] for reader in READERS}, repr=False)
    _past_for_watchers: Lines | None = field(default=None, repr=False)  # their log, as it was last packed

    def everybody(self) -> list[Player]:
        """Return all seated players and watchers, connected or not."""
        return [*filter(None, self.seats.values()), *self.watchers]

    def connected(self, reader: Reader) -> list[Player]:
        """Return a seat's player, or the watchers, without those who have no connection."""
        if reader is None:
            return [guest for guest in self.watchers if guest.session is not None]
        holder = self.seats[reader]
        return [] if holder is None or holder.session is None else [holder]

    def sessions_of(self, reader: Reader) -> list[int]:
        """Return the session of a seat's player, or those of the watchers."""
        return [guest.session for guest in self.connected(reader) if guest.session is not None]

    def all_sessions(self) -> list[int]:
        """Return the sessions of everybody in the room."""
        return [session for reader in READERS for session in self.sessions_of(reader)]

    def send(self, sessions: Iterable[int], said: tuple[Push, ...]) -> None:
        """Send the same messages to some sessions."""
        for session in sessions:
            self.out.append(Send(session, said))

    def send_views(self, players: Iterable[Player], said: tuple[Push, ...]) -> None:
        """Send messages that hold views. Players who said so in `hello` get the views without `state`."""
        without: tuple[Push, ...] = ()
        for guest in players:
            assert guest.session is not None
            if guest.wants_state:
                self.out.append(Send(guest.session, said))
            else:
                without = without or tuple(map(_without_state, said))
                self.out.append(Send(guest.session, without))

    def announce(self, text: str, seat: int | None = None) -> None:
        """Send a sentence about the room to everybody."""
        self.send_event(Event(text, "system", seat))

    def send_event(self, event: Event) -> None:
        """Send an event to everybody, and add it to every log."""
        self.add_to_logs((Announcement(event, EVERYBODY),))
        self.send(self.all_sessions(), (event,))

    def add_to_logs(self, announcements: Collection[Announcement]) -> None:
        """Add announcements to the logs of their readers, but no seals: the match can make them again."""
        for reader, latest in self.latest.items():
            latest += [told.event for told in announcements if reader in told.readers and told.event.commit is None]
            if len(latest) > ROOM_LOG:
                del latest[:-ROOM_LOG]
        self._past_for_watchers = None

    def past_log(self, reader: Reader) -> Lines:
        """Return a reader's log, marked as past. All watchers share the bytes: hundreds of them may not read."""
        past = self._past_for_watchers if reader is None else None
        if past is None:
            past = Lines([replace(event, past=True) for event in self.latest[reader]])
        if reader is None:
            self._past_for_watchers = past
        return past


def _without_state(message: Push) -> Push:
    if type(message) is not Show:
        return message
    return Show(message.room, message.rev, message.turn, message.you, message.view.without_state(), message.deadline)


def events_for(announcements: Iterable[Announcement], reader: Reader) -> list[Event]:
    """Return the events of the announcements that a reader may read."""
    return [announcement.event for announcement in announcements if reader in announcement.readers]


@dataclass(slots=True, eq=False)
class Table:
    """The state of a room. The methods here only read it and send it; `Room` changes it."""

    code: str = field(repr=False)
    number: int  # identifies the room in the log, which must not hold a private room's code
    game: Game[Any]
    first: First
    private: bool
    clock: int | None
    assist: bool
    address: str  # of the player who opened it
    last_event_at: float
    quiet: bool = False  # only the seats chat
    hints: bool = False  # both players may ask for hints
    variant: str | None = None
    next_game: Callable[[], int | None] = lambda: None  # returns the number for a game that has just ended
    game_number: int | None = None  # of the finished game, in the history
    audience: Audience = field(default_factory=Audience)
    match: Match | None = None
    analysis: Analysis | None = field(default=None, repr=False)  # of the finished game
    rev: int = 0
    games: int = 0
    moves: int = 0
    score: tuple[int, int, int] = (0, 0, 0)  # wins of 1, wins of 2, draws
    rematch_seats: frozenset[int] = NO_ONE  # seats that have asked for another game
    draw_seats: frozenset[int] = NO_ONE  # seats that have offered a draw
    turn_since: float = 0.0
    away: dict[int, float] = field(default_factory=dict)  # seat without a connection -> since when
    absent: frozenset[int] = NO_ONE  # seats whose long absence has been announced
    pair: tuple[Player, ...] = ()  # the players of the current game
    events: int = 0  # number of events so far
    chats: dict[Reader, TokenBucket] = field(default_factory=dict, repr=False)
    hinted: dict[int, tuple[int, str, str]] = field(default_factory=dict, repr=False)  # seat -> rev, line and reason

    def take_effects(self) -> list[Effect]:
        """Return the collected effects, and clear the list."""
        effects = self.audience.out[:]
        self.audience.out.clear()
        return effects

    @property
    def state(self) -> RoomState:
        """Waiting for a second player, playing, or over."""
        if self.match is None:
            return "waiting"
        return "over" if self.match.outcome else "playing"

    @property
    def is_open(self) -> bool:
        """True while a second player may join."""
        return self.match is None and self.audience.seats[2] is None

    @property
    def is_offered(self) -> bool:
        """True if the lobby shows the room as open: a second player may join, and the first is connected."""
        return self.is_open and 1 not in self.away

    @property
    def is_deserted(self) -> bool:
        """True if no person has a seat."""
        one, two = self.audience.seats.values()
        return (one is None or one.bot is not None) and (two is None or two.bot is not None)

    @property
    def host(self) -> str:
        """The player's name that the lobby shows."""
        return next((holder.name for holder in self.audience.seats.values() if holder), "nobody")

    @property
    def host_agent(self) -> str | None:
        """The host's program as the lobby shows it: short and in ASCII, so that the longest list fits in a line."""
        agent = next((holder.agent for holder in self.audience.seats.values() if holder), None)
        if agent is None or not agent.isascii():
            return agent and "a program"
        return agent[:LOBBY_AGENT]

    def running_match(self) -> Match:
        """Return the current game. Raise a Refusal if it is over."""
        match = self.current_match()
        if match.outcome:
            raise Refusal("not_now", "The game is over.")
        return match

    def current_match(self) -> Match:
        """Return the current game, over or not. Raise a Refusal if none has begun."""
        if self.match is None:
            raise Refusal("not_now", "The game has not begun: the second player is still missing.")
        return self.match

    def is_absent(self, seat: int, now: float) -> bool:
        """True if a seat has been away for ABSENCE seconds of its own turn."""
        if seat not in self.away or self.match is None or seat not in self.match.to_act():
            return False
        return now - max(self.away[seat], self.turn_since) >= ABSENCE

    def seconds_left(self, now: float) -> int | None:
        """Return the seconds that are left of the turn, or None without a clock."""
        if self.clock is None or self.state != "playing":
            return None
        return max(0, ceil(self.turn_since + self.clock - now))

    # What is shown and told -------------------------------------------------------------------------------------------

    def view_for(self, reader: Reader, now: float) -> Show:
        """Return the view of the game for a reader."""
        assert self.match
        view = self.match.view(reader)
        if self.away and reader and self.is_absent(other(reader), now):
            view = replace(view, claimable=True, claim=THE_WIN)
        return Show(self.code, self.rev, IN_ORDER[self.match.to_act()], reader, view, self.seconds_left(now))

    def is_current(self, shown: Show) -> bool:
        """True if a hint about this view still helps. In a setup both may act, and the other's line changes nothing."""
        if shown.rev == self.rev or self.match is None or shown.you not in self.match.to_act():
            return shown.rev == self.rev
        return shown.view.phase == self.match.view(shown.you).phase == "setup"

    def describe(self, reader: Reader) -> messages.Room:
        """Return the description of the room for a reader."""
        return messages.Room(
            room=self.code,
            game=self.game.card.slug,
            title=self.game.card.title,
            state=self.state,
            seats=(self.describe_holder(1), self.describe_holder(2)),
            you=reader,
            watchers=len(self.audience.watchers),
            first=self.first,
            clock=self.clock,
            score=self.score,
            number=self.games,
            assist=self.assist,
            again=tuple(sorted(self.rematch_seats)),
            draw=tuple(sorted(self.draw_seats)),
            variant=self.variant,
            quiet=self.quiet,
            hints=self.hints,
        )

    def describe_holder(self, seat: int) -> SeatHolder | None:
        """Return the public facts about a seat's player."""
        holder = self.audience.seats[seat]
        return SeatHolder(holder.name, seat not in self.away, holder.bot, holder.agent) if holder else None

    def tell_room(self, but: Player | None = None) -> None:
        """Send everybody their description of the room."""
        for reader in READERS:
            sessions = [
                session for session in self.audience.sessions_of(reader) if but is None or session != but.session
            ]
            if sessions:
                self.audience.send(sessions, (self.describe(reader),))

    def show(self, reader: Reader, now: float) -> None:
        """Send a reader the view of the game again."""
        if players := self.audience.connected(reader):
            self.audience.send_views(players, (self.view_for(reader, now),))

    def show_all(
        self, now: float, told: tuple[Announcement, ...] = (), replies: Mapping[Reader, Push] = NO_REPLIES
    ) -> None:
        """Send everybody their announcements and the new view."""
        self.rev += 1
        self.audience.add_to_logs(told)
        for reader in READERS:
            if players := self.audience.connected(reader):
                reply = (replies[reader],) if reader in replies else ()
                self.audience.send_views(players, (*reply, *events_for(told, reader), self.view_for(reader, now)))
        self.ask_bots(now)

    def ask_bots(self, now: float, wanted: Iterable[Wants] = ("move", "draw")) -> None:
        """Ask the bots that are to act for their lines, and those that were offered a draw for an answer."""
        for seat, holder in self.audience.seats.items():
            if holder and holder.bot and self.match:
                asked = {"move": seat in self.match.to_act(), "draw": other(seat) in self.draw_seats}
                about = (self.number, self.game.card.slug, seat, holder.bot)
                for wants in wanted:
                    if asked[wants]:
                        view, lines = self.view_for(seat, now), self.match.line_count
                        self.audience.out.append(AskBot(*about, view, self.address, wants, lines=lines))

    def send_ending(self) -> None:
        """Send everybody the result and every secret."""
        assert self.match
        self.tell_room()
        sessions = self.audience.all_sessions()
        if sessions:  # nobody is connected while a room is restored: skip the work
            self.audience.send(sessions, make_closing(self.match, self.game_number))

    @property
    def told_again(self) -> int:
        """The number of seals and moves that a player who enters is sent."""
        match = self.match
        return match.secret_count + (match.line_count if match.outcome else 0) if match else 0

    def catch_up(self, guest: Player, now: float) -> None:
        """Send a player who enters or comes back the room, its latest events and the view."""
        assert guest.session is not None, "nobody comes in without a connection"
        self.audience.send([guest.session], (self.describe(guest.seat),))
        seals = [self.match.past_seals()] if self.match else []
        for past in (*seals, self.audience.past_log(guest.seat)):
            if past.kept_line:
                self.audience.out.append(Send(guest.session, (past,)))
        if self.match:
            said: list[Push] = [self.view_for(guest.seat, now)]
            said += make_closing(self.match, self.game_number) if self.match.outcome else ()
            said += [self.analysis] if self.analysis else []
            self.audience.send_views([guest], tuple(said))
