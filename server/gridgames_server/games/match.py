"""One game from its seed to its end: whose turn it is, what each reader is told, what is sealed and later opened.

A match is its game, its seed, who moves first, and the lines that were accepted. Replaying it is playing those lines
again, through the very same code.
"""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field, replace
from typing import Any, TypeVar

from gridgames_protocol.fairness import commitment
from gridgames_protocol.messages import Commit, Event, Opening, Over, Reveal
from gridgames_protocol.views import POINTS_MAX, Review, View
from gridgames_server.games import tell
from gridgames_server.games.game import Chance, Game, Outcome, Refusal, Step, syntax
from gridgames_server.games.quest import Moment, shaded
from gridgames_server.games.tell import Reader, Telling, other, player
from gridgames_server.values import value

T = TypeVar("T")

LINES_MAX = 4_000  # ten times the longest sensible game; two who never end one must not fill the memory
PART_BYTES = 26_000  # of moves, and as much of openings, in one line: together with a review under its limit


@value
class Line:
    """An accepted line as it was typed; a foul counts, but is no move."""

    seat: int
    text: str
    foul: bool


@value
class Played:
    """What an accepted line led to: what is told, in order, and the answer to a foul."""

    told: tuple[Telling, ...]
    foul: Refusal | None


@dataclass(slots=True)
class Match:
    """A game under way. Only `play` and `stop` change it, and a refused line changes nothing."""

    game: Game[Any]
    seed: bytes = field(repr=False)
    first: int
    chance: Chance | None = field(default=None, repr=False)  # None: as the seed says
    assist: bool = field(default=False, repr=False)  # each seat's board shows what that seat can rule out
    state: Any = field(init=False, repr=False)
    lines: list[Line] = field(init=False, repr=False, default_factory=list)
    secrets: list[Reveal] = field(init=False, repr=False, default_factory=list)
    opening: tuple[Telling, ...] = field(init=False, repr=False)
    _review: tuple[Review | None, ...] = field(init=False, repr=False, default=())  # once it is worked out

    def __post_init__(self) -> None:
        step = self._start()
        self.opening = (tell.table(f"Welcome to {self.game.card.title}!"), *self._take(step))

    @property
    def outcome(self) -> Outcome | None:
        """How it ended, or None while it lasts."""
        ended: Outcome | None = self.state.outcome
        return ended

    def to_act(self) -> frozenset[int]:
        """The seats that may type a line now."""
        return self.game.to_act(self.state)

    def view(self, reader: Reader) -> View:
        """What a reader may see now."""
        view = self.game.view(self.state, reader)
        if self.assist and reader and not self.outcome:
            view = replace(view, board=shaded(view.board, self.game.quest(self.state, reader)))
        return view

    def play(self, seat: int, text: str) -> Played:
        """Play a line, or raise the Refusal that says why not."""
        if seat not in self.to_act():
            raise self._not_yours(seat)
        if not (text.isascii() and text.isprintable()):
            raise syntax("Only plain letters, digits and signs can be read here.")
        step = self.game.play(self.state, seat, text)
        told = self._take(step)
        self.lines.append(Line(seat, text, step.foul is not None))
        if len(self.lines) >= LINES_MAX and not self.outcome:
            self.stop(Outcome(None, "length", f"After {LINES_MAX} lines nobody has won: a draw."))
        return Played(told, step.foul)

    def stop(self, outcome: Outcome) -> None:
        """End it from outside the game: somebody resigned, stayed away, or ran out of time."""
        assert not self.outcome, "a game ends once"
        self.state = replace(self.state, outcome=outcome)

    def moves(self) -> tuple[tuple[int, str], ...]:
        """The lines as typed, in order, without fouls."""
        return tuple((line.seat, line.text) for line in self.lines if not line.foul)

    def review(self) -> Review | None:
        """How it was decided. It takes a replay, so it is worked out once."""
        assert self.outcome, "only a game that is over is reviewed"
        if not self._review:
            self._review = (self.game.review(list(self._moments())),)
        return self._review[0]

    def _moments(self) -> Iterator[Moment[Any]]:
        """How it stood after each move, or at points that are evenly spread over a long game."""
        last = len(self.moves())
        points = min(last, POINTS_MAX - 1)
        wanted = {last * point // points for point in range(points + 1)} if points else {0}
        state, made = self._start().state, 0
        yield Moment(0, state)
        for line in self.lines:
            state = self.game.play(state, line.seat, line.text).state
            made += not line.foul
            if made in wanted and not line.foul:
                yield Moment(made, state)

    def _start(self) -> Step[Any]:
        return self.game.start(self.chance or Chance(self.seed), self.first)

    def _take(self, step: Step[Any]) -> tuple[Telling, ...]:
        """Go to a step's state, seal the secrets that it made, and say what is told of it."""
        self.state = step.state
        if not step.sealed:
            return step.tellings
        return (*(self._seal(what, secret) for what, secret in step.sealed.items()), *step.tellings)

    def _seal(self, what: str, secret: str) -> Telling:
        nonce = Chance(self.seed).digest(f"nonce of {what}").hex()[:32]
        self.secrets.append(Reveal(what, secret, nonce))
        seal = Commit(what, commitment(what, secret, nonce))
        return Telling(Event(f"Sealed: {what}.", "system", commit=seal), tell.EVERYBODY)

    def _not_yours(self, seat: int) -> Refusal:
        if self.outcome:
            return Refusal("not_now", "The game is over. Ask for another with again, or leave.")
        if self.view(seat).phase == "setup":
            return Refusal("not_your_turn", f"You are done; {player(other(seat))} is still choosing.")
        return Refusal("not_your_turn", f"It is {player(other(seat))}'s turn.")


def replay(game: Game[Any], seed: bytes, first: int, lines: Iterable[tuple[int, str]]) -> Match:
    """The match that these accepted lines lead to."""
    match = Match(game, seed, first)
    for seat, text in lines:
        match.play(seat, text)
    return match


def closing(match: Match) -> tuple[Opening | Over, ...]:
    """What is sent at the end: the result, every move and every secret, in as many lines as that takes."""
    assert match.outcome, "only a game that is over is opened"
    *more_moves, moves = portions(match.moves(), lambda move: len(move[1]) + 8)
    *more_reveals, reveals = portions(match.secrets, lambda secret: len(secret.what) + len(secret.value) + 64)
    ending = match.outcome
    return (
        *(Opening(some, ()) for some in more_moves),
        *(Opening((), some) for some in more_reveals),
        Over(ending.winner, ending.reason, ending.text, moves, reveals, match.review()),
    )


def portions(items: Iterable[T], cost: Callable[[T], int]) -> list[tuple[T, ...]]:
    """The items in their order, cut into parts that each fit in a line; at least one, perhaps empty."""
    parts: list[list[T]] = [[]]
    size = 0
    for item in items:
        size += cost(item)
        if size > PART_BYTES:
            parts.append([])
            size = cost(item)
        parts[-1].append(item)
    return [tuple(part) for part in parts]
