"""A room: two seats, the watchers, and one game after the other."""

from collections.abc import Mapping
from dataclasses import dataclass, replace

from gridgames_protocol.messages import Error, Event, Ok, Play
from gridgames_protocol.safe_text import harmless
from gridgames_server.core.audience import READERS, Table
from gridgames_server.core.limits import (
    ROOM_CHATS,
    ROOM_CHATS_PER_SECOND,
    ROOM_DESERTED,
    ROOM_IDLE,
    WAITING_DESERTED,
    WATCHERS_MAX,
)
from gridgames_server.core.players import Player
from gridgames_server.core.rate_limit import TokenBucket
from gridgames_server.core.room_events import (
    ChatSaid,
    Counts,
    DrawOffered,
    GameOver,
    GameStarted,
    GameStopped,
    LinePlayed,
    RematchAsked,
    RoomEvent,
    SeatLeft,
    SeatTaken,
)
from gridgames_server.errors import Refusal
from gridgames_server.games.game import NO_ONE, Chance, Outcome
from gridgames_server.games.match import Match
from gridgames_server.games.seats import SEATS, Reader, other, player

NOBODY: Mapping[int, Player] = {}


class OldEdition(Exception):
    """A stored game was begun under another edition of the rules."""


@dataclass(slots=True, eq=False)
class Room(Table):
    """The actions in a room. A method checks an action and makes an event; `apply` changes the room by the event."""

    # Who is here ------------------------------------------------------------------------------------------------------

    def check_free_seat(self) -> None:
        """Raise a Refusal if no seat is free."""
        if not self.is_open:
            raise Refusal("room_full", "No seat is free there. You can watch instead.", "room")

    def check_watcher_space(self) -> None:
        """Raise a Refusal if there are too many watchers."""
        if len(self.audience.watchers) >= WATCHERS_MAX:
            raise Refusal("room_full", f"{WATCHERS_MAX} people are watching already. Try again later.", "room")

    def sit(self, guest: Player, seat: int, now: float) -> None:
        """Give a player a seat."""
        self.append_event(SeatTaken(*self.next_event(now), seat, guest.number), {guest.number: guest})

    def join(self, guest: Player, seed: bytes, now: float) -> None:
        """Give a player the second seat, and start the game."""
        self.sit(guest, 2, now)
        seats = {"host": 1, "guest": 2, "random": 1 + Chance(seed).below(2, "first")}
        self.start(seed, seats[self.first], now)

    def watch(self, guest: Player, now: float) -> None:
        self.audience.watchers.append(guest)
        guest.room, guest.seat = self, None
        self.tell_room(but=guest)
        self.catch_up(guest, now)

    def leave(self, guest: Player, now: float) -> None:
        """Take a player out of the room. If a game is being played, they resign it."""
        if guest.seat is None:
            self.audience.watchers.remove(guest)
            guest.room = None
        else:
            seat = guest.seat
            self.append_event(SeatLeft(*self.next_event(now), seat))
            if self.state == "playing":
                self.end(make_resignation(seat), now)
                return
        self.tell_room()

    def mark_away(self, guest: Player, now: float) -> None:
        """Keep the seat of a player whose connection has ended."""
        assert guest.seat
        self.away[guest.seat] = now
        self.audience.announce(f"{player(guest.seat)} is away, and can return.", guest.seat)
        self.tell_room()

    def come_back(self, guest: Player, now: float) -> None:
        """Let a player who has connected again continue in their seat."""
        assert guest.seat
        was_away = self.away.pop(guest.seat, None) is not None
        self.catch_up(guest, now)
        if was_away:
            self.absent -= {guest.seat}
            self.audience.announce(f"{player(guest.seat)} is back.", guest.seat)
            self.tell_room(but=guest)
            if self.state == "playing":
                self.show(other(guest.seat), now)  # the win can't be claimed any more

    # A game -----------------------------------------------------------------------------------------------------------

    def start(self, seed: bytes, first: int, now: float) -> None:
        """Start the next game of this room."""
        before = Counts(self.games, self.moves, self.rev, self.score)
        self.append_event(GameStarted(*self.next_event(now), first, self.game.card.edition, seed, before))

    def play(self, seat: int, play: Play, now: float) -> None:
        """Play a line, or raise a Refusal."""
        match = self.current_match()
        if play.rev not in (None, self.rev) and seat in match.to_act() and match.view(seat).phase == "play":
            text = "The table has moved on since you typed that. Look again, then type."
            if play.rev is not None and play.rev > self.rev:
                text = f"No view had the `rev` {play.rev} yet. Send that of the view that you answer."
            raise Refusal("stale", text, "rev")
        self.append_event(LinePlayed(*self.next_event(now), seat, play.line, play.id))

    def ask_rematch(self, seat: int, seed: bytes, now: float) -> None:
        """Ask for a new game: a rematch, or during a game to start afresh. It starts when both have asked."""
        match = self.current_match()
        if self.audience.seats[other(seat)] is None:
            raise Refusal("not_now", f"{player(other(seat))} has left. Leave, and open a new room.")
        self.append_event(RematchAsked(*self.next_event(now), seat))
        rival = self.audience.seats[other(seat)]
        if rival and rival.bot:
            self.append_event(RematchAsked(*self.next_event(now), other(seat)))
        if self.rematch_seats != set(SEATS):
            return
        first = other(match.first) if match.outcome else match.first
        if not match.outcome:
            self.end(Outcome(None, "afresh", "Both players start afresh."), now, counts=False)
        self.start(seed, first, now)

    def offer_draw(self, seat: int, now: float) -> None:
        """Offer a draw, or accept the other's offer."""
        self.running_match()
        if self.audience.seats[other(seat)] is None:
            raise Refusal("not_now", f"{player(other(seat))} has left.")
        if seat in self.draw_seats:
            raise Refusal("not_now", "You have offered a draw already. A move of yours takes the offer back.")
        self.append_event(DrawOffered(*self.next_event(now), seat))
        if self.draw_seats == set(SEATS):
            self.end(Outcome(None, "agreed", "Both players agree to a draw."), now)

    def resign(self, seat: int, now: float) -> None:
        """End the game with a win for the other seat."""
        self.running_match()
        self.end(make_resignation(seat), now)

    def claim(self, seat: int, now: float) -> None:
        """Claim the win that the view offers."""
        match, rival = self.running_match(), player(other(seat))
        claimed = match.claim(seat)
        if claimed:
            self.end(claimed, now)
        elif self.is_absent(other(seat), now):
            text = f"{player(seat)} claims the win: {rival} has been away too long."
            self.end(Outcome(seat, "absence", text), now)
        else:
            raise Refusal("not_now", "There is nothing to claim.")

    def end(self, outcome: Outcome, now: float, counts: bool = True) -> None:
        """End the game for a reason outside its rules."""
        self.running_match()
        ending = (outcome.winner, outcome.reason, outcome.text)
        self.append_event(GameStopped(*self.next_event(now), *ending, counts))

    def chat(self, guest: Player, text: str, now: float) -> None:
        """Send a chat message to everybody in the room."""
        spoken = " ".join(filter(None, map(harmless, text.split())))
        if not spoken:
            raise Refusal("bad_request", "There is nothing to read in that.", "text")
        if self.quiet and guest.seat is None:
            raise Refusal("not_now", "Only the two players chat in this room.")
        self._charge_chat(guest.seat, now)
        self.append_event(ChatSaid(*self.next_event(now), guest.seat, guest.name, spoken))

    def _charge_chat(self, reader: Reader, now: float) -> None:
        """Raise a Refusal if there is too much chat. Each seat has its own allowance, the watchers share one."""
        if reader not in self.chats:
            self.chats[reader] = TokenBucket(ROOM_CHATS_PER_SECOND, ROOM_CHATS, now)
        if not self.chats[reader].try_spend(1, now):
            raise Refusal("too_fast", "There is too much chat in this room. Wait a moment, then go on.")

    # What happens -----------------------------------------------------------------------------------------------------

    def next_event(self, now: float) -> tuple[int, int, float]:
        """Return the first three fields of the next event: room, number, time."""
        return self.number, self.events + 1, now

    def append_event(self, event: RoomEvent, players: Mapping[int, Player] = NOBODY) -> None:
        """Append an event to the effects, then apply it: its own effects come after it."""
        self.audience.out.append(event)
        try:
            self.apply(event, players)
        except BaseException:
            self.audience.out.clear()
            raise

    def apply(self, event: RoomEvent, players: Mapping[int, Player]) -> None:
        """Change the room by a new or stored event, and tell everybody. A refused line changes nothing."""
        match event:
            case LinePlayed():
                self._apply_line(event)
            case SeatTaken(seat=seat, player=number):
                self._apply_seat_taken(seat, players[number])
            case SeatLeft(seat=seat):
                self._apply_seat_left(seat)
            case GameStarted():
                self._apply_start(event)
            case GameStopped():
                self._apply_stop(event)
            case RematchAsked(seat=seat):
                self._apply_rematch_asked(seat)
            case DrawOffered(seat=seat):
                self._apply_draw_offered(seat, event.at)
            case ChatSaid(seat=seat, name=name, text=text):
                self.audience.send_event(Event(text, "chat", seat, name))
        self.events = event.number
        self.last_event_at = event.at

    def _apply_seat_taken(self, seat: int, guest: Player) -> None:
        self.audience.seats[seat] = guest
        guest.room, guest.seat = self, seat
        if seat == 2:
            self.audience.announce("Player 2 has joined.", 2)

    def _apply_seat_left(self, seat: int) -> None:
        holder = self.audience.seats[seat]
        assert holder
        self.audience.seats[seat] = holder.room = holder.seat = None
        self.audience.announce(f"{player(seat)} has left.", seat)

    def _apply_start(self, event: GameStarted) -> None:
        if event.edition != self.game.card.edition:
            raise OldEdition
        if event.before:
            self.games, self.moves, self.rev, self.score = event.before
        self.match = Match(self.game, event.seed, event.first, assist=self.assist)
        self.pair = tuple(holder for holder in self.audience.seats.values() if holder)
        self.games += 1
        self.game_number = self.analysis = None
        self.rematch_seats = self.draw_seats = NO_ONE
        self.turn_since = event.at
        self.tell_room()
        if self.clock is not None:
            self.audience.announce(f"Each turn has {self.clock} seconds; who runs out of time loses.")
        welcome, *rest = self.match.announce_start()
        welcome = replace(welcome, event=replace(welcome.event, begins=self.games))
        self.show_all(event.at, (welcome, *rest))

    def _apply_line(self, event: LinePlayed) -> None:
        """Play a line. Its player is sent the reply first, then everybody the result."""
        match = self.current_match()
        played = match.play(event.seat, event.line)
        self.moves += 1
        if played.begins_turn:
            self.turn_since = event.at
        if match.outcome:
            self.count_result(match.outcome)
        foul = played.foul
        takes_back = event.seat in self.draw_seats and foul is None and not match.outcome
        if takes_back:
            self.draw_seats -= {event.seat}
        reply = Error(foul.code, foul.text, event.play, foul.field) if foul else Ok(event.play)
        self.show_all(event.at, played.announcements, {event.seat: reply})
        if match.outcome:
            self.send_ending()
        elif takes_back:
            self.tell_room()

    def _apply_stop(self, event: GameStopped) -> None:
        outcome = Outcome(event.winner, event.reason, event.text)
        self.running_match().stop(outcome)
        if event.counts:
            self.count_result(outcome)
        self.show_all(event.at)
        self.send_ending()

    def _apply_rematch_asked(self, seat: int) -> None:
        self.rematch_seats |= {seat}
        if self.rematch_seats != set(SEATS):
            what = "for another game" if self.current_match().outcome else "to give this game up and start afresh"
            self.audience.announce(f"{player(seat)} asks {what}.", seat)
            self.tell_room()

    def _apply_draw_offered(self, seat: int, now: float) -> None:
        self.draw_seats |= {seat}
        if self.draw_seats != set(SEATS):
            self.audience.announce(f"{player(seat)} offers a draw.", seat)
            self.tell_room()
            self.ask_bots(now, ("draw",))

    def count_result(self, outcome: Outcome) -> None:
        """Add a result to the room's score, and record the game for the history."""
        self.game_number = self.next_game()
        self.audience.out.append(self.record_game(outcome))
        self.rematch_seats = self.draw_seats = NO_ONE
        wins = [*self.score]
        wins[outcome.winner - 1 if outcome.winner else 2] += 1
        self.score = (wins[0], wins[1], wins[2])

    def record_game(self, outcome: Outcome) -> GameOver:
        """Return the record of the finished game."""
        match, (one, two) = self.current_match(), self.pair
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
            variant=self.variant,
            game_number=self.game_number,
        )

    # Time -------------------------------------------------------------------------------------------------------------

    def is_calm(self, now: float) -> bool:
        """True if nothing in this room depends on the time now. Most rooms are calm, and the hub skips them."""
        return self.clock is None and not self.away and now - self.last_event_at <= ROOM_IDLE and not self.is_deserted

    def tick(self, now: float) -> None:
        """End the game if a turn's time is over, and announce players who have been away too long."""
        if self.match is None or self.match.outcome:
            return
        if self.clock is not None and now >= self.turn_since + self.clock:
            self.time_out(self.match.to_act(), now)
            return
        for seat in SEATS:
            if seat not in self.absent and self.is_absent(seat, now):
                self.absent |= {seat}
                who, rival = player(seat), player(other(seat))
                self.audience.announce(
                    f"{who} has been away for a minute of their own turn; {rival} may claim the win."
                )
                self.show(other(seat), now)

    def time_out(self, late: frozenset[int], now: float) -> None:
        """End the game: the seat that was to act loses. If both were to act, nobody wins."""
        if len(late) == 1:
            (seat,) = late
            text = f"{player(seat)} has run out of time. {player(other(seat))} wins."
            self.end(Outcome(other(seat), "clock", text), now)
        else:
            self.end(Outcome(None, "clock", "Both players have run out of time."), now)

    def show_clock(self, now: float) -> None:
        """Send everybody the turn's clock again, after the server's clock stood still and theirs did not."""
        if self.clock is not None and self.state == "playing":
            for reader in READERS:
                self.show(reader, now)

    def find_expiry(self, now: float) -> str | None:
        """Return the reason to close the room, or None."""
        if now - self.last_event_at > max(ROOM_IDLE, self.clock or 0):  # a turn may be longer than ROOM_IDLE
            return f"Nobody has done anything here for {int(now - self.last_event_at) // 3600} hours."
        holders = [seat for seat, holder in self.audience.seats.items() if holder and not holder.bot]
        is_left = self.state == "over" and None in self.audience.seats.values()  # no rematch is possible
        patience = WAITING_DESERTED if self.match is None or is_left else ROOM_DESERTED
        if all(seat in self.away and now - self.away[seat] > patience for seat in holders):
            return f"Nobody has been here for {patience // 60} minutes."
        return None


def make_resignation(seat: int) -> Outcome:
    """Return the outcome if a seat resigns."""
    return Outcome(other(seat), "resigned", f"{player(seat)} has resigned. {player(other(seat))} wins.")
