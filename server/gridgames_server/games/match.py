"""One game from its seed to its end: turns, announcements, and commitments to secrets.

A match is defined by its game, its seed, who moves first, and the accepted lines. A replay plays those lines again
through the same code.
"""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field, replace
from typing import Any, TypeVar

from gridgames_protocol.codec import Lines, keep_line
from gridgames_protocol.commitments import commitment
from gridgames_protocol.messages import OUTSIDE_REASONS, Commit, Event, Opening, Over, Reveal
from gridgames_protocol.views import POINTS_MAX, Review, View
from gridgames_server.errors import Refusal, syntax
from gridgames_server.games import narration
from gridgames_server.games.game import Chance, Game, Outcome, Step
from gridgames_server.games.narration import Announcement
from gridgames_server.games.possibilities import Moment, show_possibilities
from gridgames_server.games.seats import SEATS, Reader, other, player
from gridgames_server.values import value

T = TypeVar("T")

Secret = tuple[str, str]  # its name, which is public, and what it is

THE_WIN, A_DRAW = "the win", "a draw"  # what a view says may be claimed
FOUL = "foul"
LINES_MAX = 4_000  # ten times the longest sensible game; an endless game must not fill the memory
REPLAYED_MAX = 200  # lines that the review replays: that takes 3 ms
MOMENTS_MAX = 40  # states of a long game that are kept for its review; each takes up to 6 kB
assert MOMENTS_MAX <= POINTS_MAX
SEALS_TOGETHER = 50  # are packed for readers who come later: that takes 1 ms. Few games have so many seals
PART_BYTES = 26_000  # bytes of moves, and of reveals, in one message: with a review it stays under 65,536


@value
class Line:
    """An accepted line as it was typed. A foul is accepted, but is no move."""

    seat: int
    text: str
    foul: bool


class PackedRows:
    """Rows of short texts, which have no tabs and no LFs. As bytes they take a tenth of the memory of objects."""

    __slots__ = ("_count", "_packed")

    def __init__(self, rows: Iterable[tuple[str, ...]] = ()) -> None:
        self._packed = bytearray()
        self._count = 0
        for row in rows:
            self.append(*row)

    def append(self, *row: str) -> None:
        """Add a row."""
        line = "\t".join(row)
        assert (line.count("\t"), line.count("\n")) == (len(row) - 1, 0), "a tab or an LF would cut a row in two"
        self._packed += (line + "\n").encode()
        self._count += 1

    def __len__(self) -> int:
        return self._count

    def __eq__(self, other: object) -> bool:
        return isinstance(other, PackedRows) and self._packed == other._packed

    def __iter__(self) -> Iterator[list[str]]:
        return (row.split("\t") for row in self._packed.decode().split("\n")[:-1])


@value
class PlayResult:
    """The result of an accepted line."""

    announcements: tuple[Announcement, ...]
    begins_turn: bool
    foul: Refusal | None  # the reply to a foul


@dataclass(slots=True)
class Match:
    """A running or finished game. Only `play` and `stop` change it; a refused line changes nothing."""

    game: Game[Any]
    seed: bytes = field(repr=False)
    first: int
    chance: Chance | None = field(default=None, repr=False)  # None: taken from the seed
    assist: bool = field(default=False, repr=False)  # each seat's board shows what that seat can rule out
    state: Any = field(init=False, repr=False)
    _lines: PackedRows = field(init=False, repr=False, default_factory=PackedRows)  # seat, text, "foul" or ""
    _secrets: PackedRows = field(init=False, repr=False, default_factory=PackedRows)  # name, value
    _past_seals: Lines = field(init=False, repr=False, compare=False, default=Lines())
    _packed_seals: int = field(init=False, repr=False, compare=False, default=0)  # number of seals in those lines
    turns: int = field(init=False, repr=False, default=0)  # that have begun or were skipped
    _moments: "Moments | None" = field(init=False, repr=False, compare=False, default=None)  # of a long game
    _review: tuple[Review | None, ...] = field(init=False, repr=False, default=())  # empty until it is computed
    cached_closing: tuple[Opening | Over, ...] = field(init=False, repr=False, compare=False, default=())

    def __post_init__(self) -> None:
        self._apply(self._start())

    @property
    def outcome(self) -> Outcome | None:
        """The outcome, or None while the game lasts."""
        ended: Outcome | None = self.state.outcome
        return ended

    @property
    def round(self) -> int:
        """The number of the round, as `number_round` counts."""
        return number_round(self.turns)

    @property
    def lines(self) -> list[Line]:
        """The accepted lines."""
        return [Line(int(seat), text, foul == FOUL) for seat, text, foul in self._lines]

    @property
    def line_count(self) -> int:
        """The number of accepted lines."""
        return len(self._lines)

    @property
    def secrets(self) -> list[Secret]:
        """The secrets so far."""
        return [(what, hidden) for what, hidden in self._secrets]

    @property
    def secret_count(self) -> int:
        """The number of secrets so far."""
        return len(self._secrets)

    def to_act(self) -> frozenset[int]:
        """Return the seats that may type a line now."""
        return self.game.to_act(self.state)

    def view(self, reader: Reader) -> View:
        """Return what a reader may see now."""
        view = self.game.view(self.state, reader)
        if self.assist and reader and not self.outcome:
            view = show_possibilities(view, self.game.possibilities(self.state, reader))
        if view.claimable and reader and (claimed := self.claim(reader)):
            view = replace(view, claim=THE_WIN if claimed.winner else A_DRAW)
        return view

    def announce_start(self) -> tuple[Announcement, ...]:
        """Return what everybody is told when the game begins."""
        return (narration.announce(f"Welcome to {self.game.card.title}!"), *self._announce(self._start()))

    def play(self, seat: int, text: str) -> PlayResult:
        """Play a line, or raise a Refusal."""
        if seat not in self.to_act():
            raise self._refuse_turn(seat)
        if not (text.isascii() and text.isprintable()):
            raise syntax("Only plain letters, digits and signs can be read here.")
        text = " ".join(text.split())  # surplus spaces would make the end of a game long
        step = self.game.play(self.state, seat, text)
        hides = step.secrets or step.shown_line is not None
        line, played_in = step.shown_line if hides else text, self.round
        self._apply(step)
        announcements = self._announce(step)
        if line is not None:
            announcements = narration.attach_line(announcements, line)
        self._lines.append(str(seat), text, FOUL if step.foul else "")
        count = self.line_count
        if count == REPLAYED_MAX:
            self._moments = self._collect_moments()
        elif self._moments is not None and step.foul is None:
            self._moments.add(step.state, played_in)
        if count >= LINES_MAX and not self.outcome:
            self.stop(Outcome(None, "length", f"After {LINES_MAX} lines nobody has won: a draw."))
        return PlayResult(announcements, step.turn is not None, step.foul)

    def stop(self, outcome: Outcome) -> None:
        """End the game for a reason outside its rules: a player resigned, stayed away, or ran out of time."""
        assert not self.outcome, "a game ends once"
        self.state = replace(self.state, outcome=outcome)

    def claim(self, seat: int) -> Outcome | None:
        """Return the outcome that a seat may claim by the rules of the game, or None."""
        return self.game.claim(self.state, seat)

    def moves(self) -> tuple[tuple[int, str], ...]:
        """Return the lines as typed, without fouls."""
        return tuple((line.seat, line.text) for line in self.lines if not line.foul)

    def review(self) -> Review | None:
        """Return how the game was decided. It is computed once."""
        assert self.outcome, "only a game that is over is reviewed"
        if not self._review:
            moments, self._moments = self._moments or self._collect_moments(), None
            self._review = (self.game.review(moments.list_moments()),)
        return self._review[0]

    def _collect_moments(self) -> "Moments":
        """Replay the lines so far."""
        step, turns = self._start(), 0
        moments = Moments(step.state)
        for line in self.lines:
            turns = count_turns(turns, step)
            step = self.game.play(step.state, line.seat, line.text)
            if not line.foul:
                moments.add(step.state, number_round(turns))
        return moments

    def _start(self) -> Step[Any]:
        return self.game.start(self.chance or Chance(self.seed), self.first)

    def _apply(self, step: Step[Any]) -> None:
        self.state, self.turns = step.state, count_turns(self.turns, step)
        for secret in (step.secrets or {}).items():
            self._secrets.append(*secret)
        if len(self._secrets) - self._packed_seals >= SEALS_TOGETHER:
            self._pack_seals()

    def _announce(self, step: Step[Any]) -> tuple[Announcement, ...]:
        """Return the announcements of a step: seals first, whose turn it is last."""
        announcements = step.announcements
        if step.turn is not None:
            announcements = (*announcements, narration.TURN[step.turn])
        if not step.secrets:
            return announcements
        sealed = [Announcement(self._seal(secret), narration.EVERYBODY) for secret in step.secrets.items()]
        return (*sealed, *announcements)

    # A secret's nonce comes from the seed, so its seal and its opening can be made again. To keep all seals from the
    # start would take a fifth of a room's memory; to make thousands at once would hold up the loop.

    def list_seals(self) -> list[Event]:
        """Return the seals of all secrets so far."""
        return [self._seal(secret) for secret in self.secrets]

    def past_seals(self) -> Lines:
        """Return the seals of all secrets so far, marked as past, for a reader who comes later."""
        if self._packed_seals < len(self._secrets):
            self._pack_seals()
        return self._past_seals

    def _pack_seals(self) -> None:
        fresh = self.secrets[self._packed_seals :]
        seals = [replace(self._seal(secret), past=True) for secret in fresh]
        self._past_seals = Lines(seals, self._past_seals.kept_line)
        self._packed_seals += len(fresh)

    def list_reveals(self) -> list[Reveal]:
        """Return the openings of all secrets."""
        return [Reveal(what, secret, self._nonce(what)) for what, secret in self.secrets]

    def _seal(self, secret: Secret) -> Event:
        what, hidden = secret
        return Event(f"Sealed: {what}.", "system", commit=Commit(what, commitment(what, hidden, self._nonce(what))))

    def _nonce(self, what: str) -> str:
        return Chance(self.seed).digest(f"nonce of {what}").hex()[:32]

    def _refuse_turn(self, seat: int) -> Refusal:
        if self.outcome:
            return Refusal("not_now", "The game is over. Ask for another with again, or leave.")
        if self.view(seat).phase == "setup":
            return Refusal("not_your_turn", f"You are done; {player(other(seat))} is still choosing.")
        return Refusal("not_your_turn", f"It is {player(other(seat))}'s turn.")


def count_turns(turns: int, step: Step[Any]) -> int:
    """Return how many turns have begun or were skipped after a step, by how many there were before it."""
    return turns if step.turn is None else turns + step.skipped + 1


def number_round(turns: int) -> int:
    """Return the number of the round in which a turn is, from 1. Each seat has one turn in a round."""
    return (turns + 1) // 2


def may_have_ended(match: Match, winner: int | None, reason: str) -> bool:
    """True if a replayed match may have ended so: by its rules, by a claim, or for a reason outside its rules."""
    if match.outcome:
        return (match.outcome.winner, match.outcome.reason) == (winner, reason)
    claims = [claim for seat in SEATS if (claim := match.claim(seat))]
    if reason in OUTSIDE_REASONS:
        return OUTSIDE_REASONS[reason] in (None, winner is not None)
    return (winner, reason) in [(claim.winner, claim.reason) for claim in claims]


class Moments:
    """States of a game at evenly spread moves.

    A long game collects them while it is played, since a replay at its end takes too long. A usual game does not: its
    states would take 40 KiB, four times the rest of the match.
    """

    def __init__(self, start: Any) -> None:
        self._last: Moment[Any] = Moment(0, start, 0)
        self._kept = [self._last]
        self._stride = 1  # moves between two of them

    def add(self, state: Any, played_in: int) -> None:
        """Add the state after a move that was made in a round."""
        self._last = Moment(self._last.after + 1, state, played_in)
        if self._last.after % self._stride == 0:
            self._kept.append(self._last)
        if len(self._kept) == MOMENTS_MAX:
            del self._kept[1::2]
            self._stride *= 2

    def list_moments(self) -> list[Moment[Any]]:
        """Return at most MOMENTS_MAX moments from the start to the last move, all if there are fewer."""
        return self._kept if self._kept[-1] is self._last else [*self._kept, self._last]


def replay(game: Game[Any], seed: bytes, first: int, lines: Iterable[tuple[int, str]]) -> Match:
    """Play accepted lines again."""
    match = Match(game, seed, first)
    for seat, text in lines:
        match.play(seat, text)
    return match


def make_closing(match: Match, number: int | None = None) -> tuple[Opening | Over, ...]:
    """Return the messages at the end: the result, every move and every secret.

    `number` is the game's place in the history. The messages are built and packed once for all readers, and take about
    as much memory as the lines.
    """
    if not match.cached_closing:
        match.cached_closing = tuple(map(keep_line, _build_closing(match, number)))
    return match.cached_closing


def _build_closing(match: Match, number: int | None) -> tuple[Opening | Over, ...]:
    assert match.outcome, "only a game that is over is opened"
    *more_moves, moves = split_into_parts(match.moves(), lambda move: len(move[1]) + 8)
    *more_reveals, reveals = split_into_parts(match.list_reveals(), lambda it: len(it.what) + len(it.value) + 64)
    ending = match.outcome
    return (
        *(Opening(some, ()) for some in more_moves),
        *(Opening((), some) for some in more_reveals),
        Over(ending.winner, ending.reason, ending.text, moves, reveals, match.review(), number),
    )


def split_into_parts(items: Iterable[T], cost: Callable[[T], int]) -> list[tuple[T, ...]]:
    """Cut items, in order, into parts that each fit in a message. There is at least one part, which may be empty."""
    parts: list[list[T]] = [[]]
    size = 0
    for item in items:
        size += cost(item)
        if size > PART_BYTES:
            parts.append([])
            size = cost(item)
        parts[-1].append(item)
    return [tuple(part) for part in parts]
