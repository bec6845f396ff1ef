"""The interface of a game, and the values that pass through it.

A game is pure functions over a frozen state of its own. It gets random numbers, seats and typed lines, and returns what
each reader may know. It sees no clock, no name and no connection.
"""

import dataclasses
import hmac
import re
from collections.abc import Hashable, Mapping, Sequence
from dataclasses import field
from functools import lru_cache
from itertools import count
from typing import Generic, Protocol, TypeVar

from gridgames_protocol.views import Board, Card, CellKind, MoveEntry, MoveKind, Review, View
from gridgames_server.errors import Refusal
from gridgames_server.games.narration import Announcement
from gridgames_server.games.possibilities import Moment, Possibilities
from gridgames_server.games.seats import SEATS, Reader, other, player
from gridgames_server.values import value


@value
class Chance:
    """Random numbers from a match's secret seed.

    Each number depends only on the seed and its label. So a replay is exact in any order of the draws and with any
    version of Python (`random.shuffle` has changed between versions).
    """

    seed: bytes = field(repr=False)

    def digest(self, label: str) -> bytes:
        """Return 32 bytes that nobody can compute without the seed."""
        return hmac.digest(self.seed, label.encode(), "sha256")

    def below(self, bound: int, label: str) -> int:
        """Return a number from 0 to bound - 1. All are equally likely."""
        fair = 2**64 - 2**64 % bound
        for attempt in count():
            number = int.from_bytes(self.digest(f"{label}/{attempt}")[:8], "big")
            if number < fair:
                break
        return number % bound


@value
class KnownChance(Chance):
    """Chance with known results, to replay a saved game, which has no seed."""

    results: Mapping[str, int] = field(default_factory=dict, repr=False)

    def below(self, bound: int, label: str) -> int:
        """Return the known result."""
        number = self.results[label]
        if not 0 <= number < bound:
            raise ValueError(label)
        return number


@value
class Outcome:
    """The end of a game: the winner (None: nobody), the reason as a word, and a sentence."""

    winner: int | None
    reason: str
    text: str


class AnyState(Protocol):
    """A state of any game. Its outcome is None while the game lasts. The match sets it when a player resigns."""

    @property
    def turn(self) -> int: ...
    @property
    def outcome(self) -> Outcome | None: ...


T = TypeVar("T")
H = TypeVar("H", bound=Hashable)
State = TypeVar("State", bound=AnyState)


@value
class Step(Generic[State]):
    """The result of an accepted line: the new state, and what the readers are told."""

    state: State
    announcements: tuple[Announcement, ...] = ()
    secrets: Mapping[str, str] | None = None  # new secrets by name, without tabs and LFs; the match commits to them
    shown_line: str | None = None  # of a secret line: the part that everybody may read
    turn: int | None = None  # the seat whose turn begins; the match announces it last, and the room starts its clock
    skipped: int = 0  # turns that are skipped before it
    foul: Refusal | None = None  # sent like a refusal, but the state has changed; it ends no game

    def __repr__(self) -> str:
        return f"Step(foul={self.foul!r})"  # everything else may be secret


class Game(Protocol[State]):
    """The interface of a game. Its state is a frozen dataclass without `repr`.

    The methods with a body are right for a game without a setup, claims and random secrets.
    """

    @property
    def card(self) -> Card: ...

    def start(self, chance: Chance, first: int) -> Step[State]:
        """Set up the game. Seat `first` has the first turn, after the setup if there is one."""
        ...

    def to_act(self, state: State) -> frozenset[int]:
        """Return the seats that may type a line now: one, both during a setup, or none at the end."""
        return NO_ONE if state.outcome else ALONE[state.turn]

    def play(self, state: State, seat: int, line: str) -> Step[State]:
        """Play the line of a seat that is to act, or raise a Refusal."""
        ...

    def view(self, state: State, reader: Reader) -> View:
        """Return what a reader may see. Until the end it depends only on what that reader may know."""
        ...

    def claim(self, state: State, seat: int) -> Outcome | None:
        """Return the outcome that a seat may claim now instead of playing, or None."""
        return None

    def possibilities(self, state: State, seat: int) -> Possibilities:
        """Return where a seat's target may be, only by what that seat was told. NOTHING: there is no target."""
        ...

    def review(self, moments: Sequence[Moment[State]]) -> Review | None:
        """Return how a finished game was decided, from its states, or None if there is nothing to show."""
        ...

    def draws(self, secrets: Mapping[str, str]) -> Mapping[str, int]:
        """Return the results of chance by label, from the revealed secrets. A saved game is verified with them."""
        return {}


def replace(state: State, /, **changes: object) -> State:
    """Copy a state with some fields changed. `dataclasses.replace` takes five times as long, in every move."""
    fields = {**state.__dict__, **changes}  # a new dict: one that shares its keys with the class is slower
    if len(fields) != len(state.__dict__):
        raise AttributeError(f"a state with none of the fields {', '.join(changes)}")
    made = object.__new__(type(state))
    object.__setattr__(made, "__dict__", fields)
    return made


Pair = tuple[int | None, int | None]  # of seat 1 and seat 2
ALONE = {seat: frozenset({seat}) for seat in SEATS}  # the seats to act when it is one seat's turn


def without(names: tuple[T, ...], name: T) -> tuple[T, ...]:
    """Return the names without one."""
    place = names.index(name)
    return (*names[:place], *names[place + 1 :])


def with_seat(pair: tuple[T, T], seat: int, value: T) -> tuple[T, T]:
    """Return a pair (seat 1's value, seat 2's value) with one seat's value changed."""
    return (value, pair[1]) if seat == 1 else (pair[0], value)


_VERB = re.compile(r"\s*([A-Za-z]{2,})?\s*(.*?)\s*", re.ASCII | re.DOTALL)


def split_verb(line: str) -> tuple[str, str]:
    """Split a line in capitals into its first word and the rest. One letter is not a word: the word is then ""."""
    found = _VERB.fullmatch(line)
    assert found  # every part of the pattern may be empty
    return (found[1] or "").upper(), found[2].upper()


NO_ONE: frozenset[int] = frozenset()
IN_ORDER = {seats: tuple(sorted(seats)) for seats in (NO_ONE, ALONE[1], ALONE[2], ALONE[1] | ALONE[2])}
WAITING = {seats: "Waiting for " + " and ".join(map(player, in_order)) + "." for seats, in_order in IN_ORDER.items()}


# A cache for what all readers of a room see. Their views are made one after the other, so a few entries are enough.
cache_for_readers = lru_cache(8)


def choose_prompt(state: AnyState, to_act: frozenset[int], reader: Reader, ask: str) -> str:
    """Return the text before the input line: the question for a seat to act, the result, or who is to act."""
    if state.outcome:
        return state.outcome.text
    return ask if reader in to_act else WAITING[to_act]


# Equal parts of many rooms' states are one object, which takes a tenth of the memory off.
NUMERALS = tuple(map(str, range(100)))  # numbers as text


@lru_cache(4_096)
def share(made: H) -> H:
    """Return an equal value that was made before, or this one.

    Only for what everybody may know: how long it takes tells whether there was an equal one.
    """
    return made


MOVES_SHOWN = 24  # in a view

Moves = tuple[MoveEntry, ...]


def add_move(moves: Moves, move: MoveEntry) -> Moves:
    """Append a move that everybody may know to those that a view shows, and drop the oldest."""
    return (*moves[-MOVES_SHOWN + 1 :], share(move))


# The moves of a game with private answers, three times: with all answers, as seat 1 sees them, as seat 2 sees them.
SeenMoves = tuple[Moves, Moves, Moves]
NO_MOVES: SeenMoves = ((), (), ())


def add_answered_move(moves: SeenMoves, move: MoveEntry, kind: MoveKind = "hint") -> SeenMoves:
    """Append a move whose result only its own seat may know. That seat sees it as of a kind."""
    seat, text, result, _ = move
    everything, one, two = (seen[-MOVES_SHOWN + 1 :] for seen in moves)
    hidden, own = share((seat, text, "", "none")), (seat, text, result, kind)
    return (*everything, move), (*one, own if seat == 1 else hidden), (*two, own if seat == 2 else hidden)


def add_public_move(moves: SeenMoves, move: MoveEntry) -> SeenMoves:
    """Append a move whose result everybody may know."""
    everything, one, two = moves
    return add_move(everything, move), add_move(one, move), add_move(two, move)


def choose_moves(state: AnyState, moves: SeenMoves, reader: Reader) -> Moves:
    """Return the moves that a reader may see. Answers are of kind `hint`."""
    if state.outcome:
        return moves[0]
    if reader:
        return moves[reader]
    return tuple([(move[0], move[1], "", "none") if move[3] == "hint" else move for move in moves[0]])


Look = tuple[str, CellKind, str]  # a cell's text, its kind, and the small text in its corner
Mask = tuple[str, str, CellKind]  # a cell's name, and its text and kind while the reader's secrets are covered


def put_cells(
    board: Board, looks: Mapping[int, Look], heat: tuple[int, ...] = (), masks: tuple[Mask, ...] | None = None
) -> Board:
    """Return a board with some cells drawn. `heat` and `masks` replace those of the whole board."""
    texts, kinds, corners = list(board.texts), list(board.kinds), list(board.corners or ("",) * len(board.texts))
    for cell, (text, kind, corner) in looks.items():
        texts[cell], kinds[cell], corners[cell] = text, kind, corner
    layers = (tuple(corners), heat or board.heat, board.possible, board.trail, board.zones, board.private)
    masks = board.masks if masks is None else masks
    return Board(board.frame, tuple(texts), tuple(kinds), masks, board.title, *layers)


def set_title(board: Board, title: str) -> Board:
    """Return the same board with a title."""
    return dataclasses.replace(board, title=title)


def claim_forfeit(seat: int) -> Outcome:
    """Return the win that a seat claims because the other has made too many illegal moves."""
    return Outcome(seat, "forfeit", f"{player(seat)} claims the win: {player(other(seat))} has forfeited it.")


def list_unset(pair: Pair) -> frozenset[int]:
    """Return the seats that have no value yet."""
    if None not in pair:
        return NO_ONE
    return frozenset(seat for seat, value in zip(SEATS, pair, strict=True) if value is None)


def keep_secret(
    state: State, told: tuple[Announcement, ...], secrets: Mapping[str, str], verb: str, begin: tuple[Announcement, ...]
) -> Step[State]:
    """Return the step of a setup in which a seat has chosen its secret. `begin` is not empty if both have."""
    return Step(state, told + begin, secrets, shown_line=verb, turn=state.turn if begin else None)


def name_secret(names: Sequence[str], cells: Pair, state: AnyState, reader: Reader, seat: int) -> str | None:
    """Return the name of a seat's secret cell, or None if the reader may not know it."""
    cell = cells[seat - 1]
    return names[cell] if cell is not None and may_know(state, reader, seat) else None


def may_know(state: AnyState, reader: Reader, seat: int) -> bool:
    """True if a reader may know a seat's secret: it is their own, or the game is over."""
    return state.outcome is not None or seat == reader


# The kind of a cell that belongs to a seat, by reader. Watchers see the board as seat 1 does.
OWNED: dict[Reader, dict[int, CellKind]] = {
    1: {1: "mine", 2: "theirs"},
    2: {1: "theirs", 2: "mine"},
    None: {1: "mine", 2: "theirs"},
}
MARKS = {seat: f"P{seat}" for seat in SEATS}  # the seats as text, the same for all readers
