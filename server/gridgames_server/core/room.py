"""A room: two seats, whoever watches, and one game after the other between them."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from math import ceil
from typing import Any

from gridgames_protocol import messages
from gridgames_protocol.messages import Error, Event, First, Ok, Play, Push, RoomState, SeatHolder, Show
from gridgames_protocol.text import harmless
from gridgames_server.audience import READERS, Audience, heard
from gridgames_server.deeds import Deed, GameOver, What
from gridgames_server.effects import Think
from gridgames_server.games import tell
from gridgames_server.games.game import IN_ORDER, Chance, Game, Outcome, Refusal
from gridgames_server.games.tell import SEATS, Reader, Telling, other, player
from gridgames_server.limits import ABSENCE, ROOM_DESERTED, ROOM_IDLE, WATCHERS_MAX
from gridgames_server.match import Match, closing
from gridgames_server.session import Player

NO_REPLIES: Mapping[Reader, Push] = {}


@dataclass(slots=True, eq=False)
class Room:
    """Everything that happens in one room, and when."""

    code: str = field(repr=False)
    number: int  # what the log calls it: a private room's code is nobody's business
    game: Game[Any]
    first: First
    private: bool
    clock: int | None
    assist: bool
    address: str  # of whoever opened it
    here: Audience
    touched: float  # when somebody last did something here
    match: Match | None = None
    rev: int = 0
    games: int = 0
    moves: int = 0
    score: tuple[int, int, int] = (0, 0, 0)  # wins of 1, wins of 2, draws
    wishes: set[int] = field(default_factory=set)  # seats that have asked for another game
    turn_since: float = 0.0
    away: dict[int, float] = field(default_factory=dict)  # seats without a connection, since when
    absent: set[int] = field(default_factory=set)  # seats whose long absence has been told
    pair: tuple[Player, ...] = ()  # who sat down to the game on the table
    deeds: int = 0  # done here so far

    # Who is here ------------------------------------------------------------------------------------------------------

    @property
    def state(self) -> RoomState:
        """Waiting for a second player, playing, or over."""
        if self.match is None:
            return "waiting"
        return "over" if self.match.outcome else "playing"

    @property
    def is_open(self) -> bool:
        """True while a second player may join."""
        return self.match is None and self.here.seats[2] is None

    @property
    def is_deserted(self) -> bool:
        """True if nobody sits here but a bot."""
        one, two = self.here.seats.values()
        return (one is None or one.bot is not None) and (two is None or two.bot is not None)

    @property
    def host(self) -> str:
        """The name that the lobby shows."""
        return next((holder.name for holder in self.here.seats.values() if holder), "nobody")

    def check_seat(self) -> None:
        """Refuse a second player if there is one."""
        if not self.is_open:
            raise Refusal("room_full", "No seat is free there. You can watch instead.")

    def check_stand(self) -> None:
        """Refuse one watcher too many."""
        if len(self.here.watchers) >= WATCHERS_MAX:
            raise Refusal("room_full", f"{WATCHERS_MAX} people are watching already. Try again later.")

    def sit(self, guest: Player, seat: int, now: float) -> None:
        """Give a player a seat."""
        self.did("sit", now, seat, id=guest.number)
        self.here.seats[seat] = guest
        guest.room, guest.seat = self, seat
        if seat == 2:
            self.here.announce("Player 2 has joined.", 2)

    def join(self, guest: Player, seed: bytes, now: float) -> None:
        """Take the second seat; the game starts."""
        self.sit(guest, 2, now)
        seats = {"host": 1, "guest": 2, "random": 1 + Chance(seed).below(2, "first")}
        self.start(seed, seats[self.first], now)

    def watch(self, guest: Player, now: float) -> None:
        """Look on."""
        self.here.watchers.append(guest)
        guest.room, guest.seat = self, None
        self.tell_room(but=guest)
        self.catch_up(guest, now)

    def leave(self, guest: Player, now: float) -> None:
        """Go back to the lobby; leaving a running game resigns it."""
        if guest.seat is None:
            self.here.watchers.remove(guest)
            guest.room = None
        else:
            seat = guest.seat
            self.vacate(seat, now)
            if self.state == "playing":
                self.end(resignation(seat), now)
                return
        self.tell_room()

    def vacate(self, seat: int, now: float) -> None:
        """Empty a seat."""
        self.did("left", now, seat)
        holder = self.here.seats[seat]
        assert holder
        self.here.seats[seat] = holder.room = holder.seat = None
        self.here.announce(f"{player(seat)} has left.", seat)

    def lost(self, guest: Player, now: float) -> None:
        """A seated player's connection broke: the seat is held."""
        assert guest.seat
        self.away[guest.seat] = now
        self.here.announce(f"{player(guest.seat)} is away, and can return.", guest.seat)
        self.tell_room()

    def back(self, guest: Player, now: float) -> None:
        """A seated player has come back."""
        assert guest.seat
        was_away = self.away.pop(guest.seat, None) is not None
        self.catch_up(guest, now)
        if was_away:
            self.absent.discard(guest.seat)
            self.here.announce(f"{player(guest.seat)} is back.", guest.seat)
            self.tell_room(but=guest)
            if self.state == "playing":
                self.show(other(guest.seat), now)  # what could be claimed can't be any more

    def catch_up(self, guest: Player, now: float) -> None:
        """Tell one who has just come in all that they may know."""
        assert guest.session is not None, "nobody comes in without a connection"
        told: list[Push] = [self.described(guest.seat)]
        told += [replace(event, past=True) for event in self.here.latest(guest.seat)]
        if self.match:
            told.append(self.shown(guest.seat, now))
            told += closing(self.match) if self.match.outcome else ()
        self.here.send([guest.session], tuple(told))

    # A game -----------------------------------------------------------------------------------------------------------

    def start(self, seed: bytes, first: int, now: float) -> None:
        """Begin the next game of this room."""
        self.did("start", now, first, str(self.game.card.edition), secret=seed)
        self.match = Match(self.game, seed, first, assist=self.assist)
        self.pair = tuple(holder for holder in self.here.seats.values() if holder)
        self.games += 1
        self.wishes.clear()
        self.turn_since = now
        self.here.forget_seals()
        self.tell_room()
        if self.clock is not None:
            self.here.announce(f"Each turn has {self.clock} seconds; who runs out of time loses.")
        self.show_all(now, self.match.opening)

    def play(self, seat: int, play: Play, now: float) -> bool:
        """Play a line, and tell everybody what it led to, its player first that it was taken; True if the game ends."""
        match = self.on_table()
        if play.rev not in (None, self.rev) and seat in match.to_act() and match.view(seat).phase == "play":
            raise Refusal("stale", "The table has moved on since you typed that. Look again, then type.")
        played = match.play(seat, play.line)
        told, foul = played.told, played.foul
        self.did("line", now, seat, play.line, play.id)
        self.moves += 1
        if tell.begins_turn(told):
            self.turn_since = now
        ending = match.outcome
        if ending:
            self.count(ending)
        self.show_all(now, told, {seat: Error(foul.code, foul.text, play.id) if foul else Ok(play.id)})
        if ending:
            self.say_over()
        return ending is not None

    def again(self, seat: int, seed: bytes, now: float) -> None:
        """Ask for a rematch, or in the middle of a game to start afresh; it happens when both have asked."""
        match = self.on_table()
        if self.here.seats[other(seat)] is None:
            raise Refusal("not_now", f"{player(other(seat))} has left. Leave, and open a new room.")
        self.wish(seat, now)
        rival = self.here.seats[other(seat)]
        if rival and rival.bot:
            self.wish(other(seat), now)
        if self.wishes != set(SEATS):
            return
        first = other(match.first) if match.outcome else match.first
        if not match.outcome:
            self.end(Outcome(None, "afresh", "Both players start afresh."), now, counts=False)
        self.start(seed, first, now)

    def wish(self, seat: int, now: float) -> None:
        """Let everybody know who wants another game."""
        self.did("wish", now, seat)
        self.wishes.add(seat)
        if self.wishes != set(SEATS):
            wish = "for another game" if self.on_table().outcome else "to give this game up and start afresh"
            self.here.announce(f"{player(seat)} asks {wish}.", seat)

    def resign(self, seat: int, now: float) -> None:
        """Give the game to the other."""
        self.underway()
        self.end(resignation(seat), now)

    def claim(self, seat: int, now: float) -> None:
        """Take the win that the view offers."""
        match, rival = self.underway(), player(other(seat))
        if match.view(seat).claimable:
            text = f"{player(seat)} claims the win: {rival} has forfeited it."
            self.end(Outcome(seat, "forfeit", text), now)
        elif self.is_absent(other(seat), now):
            text = f"{player(seat)} claims the win: {rival} has been away too long."
            self.end(Outcome(seat, "absence", text), now)
        else:
            raise Refusal("not_now", "There is nothing to claim.")

    def end(self, outcome: Outcome, now: float, counts: bool = True) -> None:
        """End the game from outside its rules, and open everything."""
        match = self.underway()
        self.did("end", now, outcome.winner, f"{outcome.reason}\n{outcome.text}", int(counts))
        match.stop(outcome)
        if counts:
            self.count(outcome)
        self.show_all(now)
        self.say_over()

    def count(self, outcome: Outcome) -> None:
        """Add a result to the room's score, and to everybody's history."""
        self.here.out.append(self.finished(outcome))
        self.wishes.clear()
        wins = [*self.score]
        wins[outcome.winner - 1 if outcome.winner else 2] += 1
        self.score = (wins[0], wins[1], wins[2])

    def underway(self) -> Match:
        """The game that is being played."""
        match = self.on_table()
        if match.outcome:
            raise Refusal("not_now", "The game is over.")
        return match

    def on_table(self) -> Match:
        """The game that is on the table, over or not."""
        if self.match is None:
            raise Refusal("not_now", "The game has not begun: the second player is still missing.")
        return self.match

    # What is kept -----------------------------------------------------------------------------------------------------

    def did(
        self,
        what: What,
        now: float,
        seat: int | None = None,
        text: str = "",
        id: int | None = None,
        secret: bytes = b"",
    ) -> None:
        """Keep what is done here, before anybody is told of it."""
        self.deeds += 1
        self.touched = now
        self.here.out.append(Deed(self.number, self.deeds, now, what, seat, text, id, secret))

    def finished(self, outcome: Outcome) -> GameOver:
        """The game that is over, whole."""
        match, (one, two) = self.on_table(), self.pair
        return GameOver(
            room=self.number,
            number=self.games,
            game=self.game.card.slug,
            edition=self.game.card.edition,
            seed=match.seed,
            first=match.first,
            players=(one.number, two.number),
            names=(one.name, two.name),
            lines=tuple((line.seat, line.text) for line in match.lines),
            winner=outcome.winner,
            reason=outcome.reason,
            text=outcome.text,
        )

    # Time -------------------------------------------------------------------------------------------------------------

    def is_absent(self, seat: int, now: float) -> bool:
        """True if a seat has been away for long enough of its own turn."""
        if seat not in self.away or self.match is None or seat not in self.match.to_act():
            return False
        return now - max(self.away[seat], self.turn_since) >= ABSENCE

    def seconds_left(self, now: float) -> int | None:
        """What the clock shows."""
        if self.clock is None or self.state != "playing":
            return None
        return max(0, ceil(self.turn_since + self.clock - now))

    def is_calm(self, now: float) -> bool:
        """True if no time can run out here: most rooms, most of the time, need no more than this look at them."""
        return self.clock is None and not self.away and now - self.touched <= ROOM_IDLE and not self.is_deserted

    def tick(self, now: float) -> None:
        """See whether somebody has run out of time, or has been away too long."""
        if self.match is None or self.match.outcome:
            return
        if self.clock is not None and now >= self.turn_since + self.clock:
            self.time_out(self.match.to_act(), now)
            return
        for seat in SEATS:
            if seat not in self.absent and self.is_absent(seat, now):
                self.absent.add(seat)
                who, rival = player(seat), player(other(seat))
                self.here.announce(f"{who} has been away for a minute of their own turn; {rival} may claim the win.")
                self.show(other(seat), now)

    def time_out(self, late: frozenset[int], now: float) -> None:
        """Those who were to act lose; if both were, nobody wins."""
        if len(late) == 1:
            (seat,) = late
            text = f"{player(seat)} has run out of time. {player(other(seat))} wins."
            self.end(Outcome(other(seat), "clock", text), now)
        else:
            self.end(Outcome(None, "clock", "Both players have run out of time."), now)

    def hold(self, seconds: float, now: float) -> None:
        """Let the clocks stand still for a while that nobody could play in; what they show is shown again."""
        idle_since = self.touched
        self.did("hold", now, text=seconds.hex())
        self.touched = idle_since + seconds
        self.turn_since = min(now, self.turn_since + seconds)  # one that began after all that has its time, and no more
        if self.clock is not None and self.state == "playing":
            for reader in READERS:
                self.show(reader, now)

    def forgive(self, seconds: float) -> None:
        """Let nobody have been away for a while in which nobody could come back; no disk knows who is."""
        for seat in self.away:
            self.away[seat] += seconds

    def expired(self, now: float) -> str | None:
        """Why the room should be closed, if it should."""
        if now - self.touched > max(ROOM_IDLE, self.clock or 0):  # a long turn is not over before its clock is
            return f"Nobody has done anything here for {int(now - self.touched) // 3600} hours."
        holders = [seat for seat, holder in self.here.seats.items() if holder and not holder.bot]
        if all(seat in self.away and now - self.away[seat] > ROOM_DESERTED for seat in holders):
            return f"Nobody has been here for {ROOM_DESERTED // 60} minutes."
        return None

    # What is said -----------------------------------------------------------------------------------------------------

    def chat(self, guest: Player, text: str, now: float) -> None:
        """Say something to everybody in the room."""
        spoken = " ".join(filter(None, map(harmless, text.split())))
        if not spoken:
            raise Refusal("bad_request", "There is nothing to read in that.")
        self.say(guest.seat, guest.name, spoken, now)

    def say(self, seat: int | None, name: str, text: str, now: float) -> None:
        """Let everybody read what somebody has said."""
        self.did("chat", now, seat, f"{name}\n{text}")
        self.here.spread(Event(text, "chat", seat, name))

    def tell_room(self, but: Player | None = None) -> None:
        """Tell everybody who is here how the room stands."""
        for reader in READERS:
            sessions = [session for session in self.here.sessions_of(reader) if but is None or session != but.session]
            if sessions:
                self.here.send(sessions, (self.described(reader),))

    def show_all(self, now: float, told: tuple[Telling, ...] = (), replies: Mapping[Reader, Push] = NO_REPLIES) -> None:
        """Tell everybody what has happened, and show them the table after it."""
        self.rev += 1
        self.here.note(told)
        for reader in READERS:
            sessions = self.here.sessions_of(reader)
            if sessions:
                reply = (replies[reader],) if reader in replies else ()
                self.here.send(sessions, (*reply, *heard(told, reader), self.shown(reader, now)))
        self.think(now)

    def think(self, now: float) -> None:
        """Let a bot that is to act look at the table."""
        for seat, holder in self.here.seats.items():
            if holder and holder.bot and self.match and seat in self.match.to_act():
                slug, shown = self.game.card.slug, self.shown(seat, now)
                self.here.out.append(Think(self.number, slug, seat, holder.bot, shown))

    def show(self, reader: Reader, now: float) -> None:
        """Show the table again to a seat or to the watchers."""
        sessions = self.here.sessions_of(reader)
        if sessions:
            self.here.send(sessions, (self.shown(reader, now),))

    def say_over(self) -> None:
        """Tell everybody the result, and open every secret."""
        assert self.match
        self.tell_room()
        sessions = self.here.all_sessions()
        if sessions:  # nobody is there while a room is brought back: how it was decided need not be worked out
            self.here.send(sessions, closing(self.match))

    def shown(self, reader: Reader, now: float) -> Show:
        """The table as a reader may see it."""
        assert self.match
        view = self.match.view(reader)
        if self.away and reader and self.is_absent(other(reader), now):
            view = replace(view, claimable=True)
        return Show(self.code, self.rev, IN_ORDER[self.match.to_act()], reader, view, self.seconds_left(now))

    def described(self, reader: Reader) -> messages.Room:
        """The room as a reader may see it."""
        return messages.Room(
            room=self.code,
            game=self.game.card.slug,
            title=self.game.card.title,
            state=self.state,
            seats=(self.holder(1), self.holder(2)),
            you=reader,
            watchers=len(self.here.watchers),
            first=self.first,
            clock=self.clock,
            score=self.score,
            number=self.games,
            assist=self.assist,
        )

    def holder(self, seat: int) -> SeatHolder | None:
        """Who sits there, as everybody may know."""
        holder = self.here.seats[seat]
        return SeatHolder(holder.name, seat not in self.away, holder.bot) if holder else None


def resignation(seat: int) -> Outcome:
    """The end that a seat makes by giving up."""
    return Outcome(other(seat), "resigned", f"{player(seat)} has resigned. {player(other(seat))} wins.")
