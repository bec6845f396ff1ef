"""What a game is: the interface that every game fulfils, and the few values that pass through it.

A game is a bundle of pure functions over a frozen state of its own. It never sees a clock, a name or a connection:
it is given chance, seats and typed lines, and says what each reader may know.
"""

import hmac
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from itertools import count
from typing import Generic, Protocol, TypeVar

from gridgames_protocol.messages import ErrorCode
from gridgames_protocol.views import Card, CellKind, Review, View
from gridgames_server.games.quest import Moment, Quest
from gridgames_server.games.tell import SEATS, Reader, Telling, player
from gridgames_server.values import value


@dataclass(frozen=True, slots=True)
class Chance:
    """Draws from a match's secret seed.

    Each draw has a label, and depends on the seed and its label alone: neither the order of draws nor the version of
    Python, whose own shuffles may change, can make a replay go another way.
    """

    seed: bytes = field(repr=False)

    def digest(self, label: str) -> bytes:
        """32 bytes that nobody can tell without the seed."""
        return hmac.digest(self.seed, label.encode(), "sha256")

    def below(self, bound: int, label: str) -> int:
        """A number from 0 to bound - 1, each as likely as the others."""
        fair = 2**64 - 2**64 % bound
        for attempt in count():
            number = int.from_bytes(self.digest(f"{label}/{attempt}")[:8], "big")
            if number < fair:
                break
        return number % bound


@dataclass(frozen=True, slots=True)
class Dealt(Chance):
    """Chance as it is known to have fallen."""

    drawn: Mapping[str, int] = field(default_factory=dict, repr=False)

    def below(self, bound: int, label: str) -> int:
        """What was drawn."""
        number = self.drawn[label]
        if not 0 <= number < bound:
            raise ValueError(label)
        return number


@dataclass(frozen=True, slots=True)
class Outcome:
    """How a game ended: who won (None: nobody), apart from why, and the sentence that tells it."""

    winner: int | None
    reason: str
    text: str


class Refusal(Exception):
    """A wish that is not granted, and why. A game refuses what is unreadable (`syntax`) or forbidden (`illegal`)."""

    def __init__(self, code: ErrorCode, text: str) -> None:
        super().__init__(code, text)
        self.code, self.text = code, text

    def __str__(self) -> str:
        return self.text


def syntax(text: str) -> Refusal:
    """The refusal of a line that can't be read."""
    return Refusal("syntax", text)


def illegal(text: str) -> Refusal:
    """The refusal of a line that is understood and not allowed."""
    return Refusal("illegal", text)


class Ended(Protocol):
    """What every state shares: it knows whether the game is over. The match sets it when a player gives up."""

    @property
    def outcome(self) -> Outcome | None: ...


T = TypeVar("T")
State = TypeVar("State", bound=Ended)


@value
class Step(Generic[State]):
    """What a line does: a new state, what is told of it, the secrets that it made, and the refusal of a foul."""

    state: State
    tellings: tuple[Telling, ...] = ()
    sealed: Mapping[str, str] | None = None
    foul: Refusal | None = None  # answered like a refusal, and yet it has changed the state

    def __repr__(self) -> str:
        return f"Step(foul={self.foul!r})"  # all else may be a secret


class Game(Protocol[State]):
    """Seven functions and a card. The state is a frozen dataclass without `repr`, with an `outcome` of its own."""

    @property
    def card(self) -> Card: ...

    def start(self, chance: Chance, first: int) -> Step[State]:
        """Set the table; `first` moves first once there are turns."""
        ...

    def to_act(self, state: State) -> frozenset[int]:
        """The seats that may type a line now: one, or both during a setup, or none when it is over."""
        ...

    def play(self, state: State, seat: int, line: str) -> Step[State]:
        """Play the line of a seat that is to act, or raise a Refusal."""
        ...

    def view(self, state: State, reader: Reader) -> View:
        """What a reader may see. Before the end it must not depend on anything else."""
        ...

    def quest(self, state: State, seat: int) -> Quest:
        """Where what a seat looks for may be, by all that it was told and nothing else; NOTHING if there is nothing."""
        ...

    def review(self, moments: Sequence[Moment[State]]) -> Review | None:
        """How a game that is over was decided, from how it stood after its moves; None if there is nothing to see."""
        ...

    def draws(self, secrets: Mapping[str, str]) -> Mapping[str, int]:
        """What chance has drawn, by label, if these are the secrets that were opened: a saved game is checked by it."""
        ...


def replace(state: State, /, **changes: object) -> State:
    """A state with some fields set anew; every move needs one, and the standard library's takes five times as long."""
    fields = {**state.__dict__, **changes}  # made anew: a dict that shares its keys is slower to copy and to read
    if len(fields) != len(state.__dict__):
        raise AttributeError(f"a state with none of the fields {', '.join(changes)}")
    made = object.__new__(type(state))
    object.__setattr__(made, "__dict__", fields)
    return made


ALONE = {seat: frozenset({seat}) for seat in SEATS}  # the seats to act, when there is one


def without(names: tuple[T, ...], name: T) -> tuple[T, ...]:
    """All but one of them."""
    place = names.index(name)
    return (*names[:place], *names[place + 1 :])


def with_seat(pair: tuple[T, T], seat: int, value: T) -> tuple[T, T]:
    """A pair of what seat 1 and seat 2 have, with one seat's part set anew."""
    return (value, pair[1]) if seat == 1 else (pair[0], value)


_VERB = re.compile(r"\s*([A-Za-z]{2,})?\s*(.*?)\s*", re.ASCII | re.DOTALL)


def verb_and_rest(line: str) -> tuple[str, str]:
    """A line's leading word in capitals ("" if it has none of two letters or more), and what follows it."""
    found = _VERB.fullmatch(line)
    assert found  # every part of the pattern may be empty
    return (found[1] or "").upper(), found[2].upper()


NO_ONE: frozenset[int] = frozenset()
IN_ORDER = {seats: tuple(sorted(seats)) for seats in (NO_ONE, ALONE[1], ALONE[2], ALONE[1] | ALONE[2])}
WAITING = {seats: "Waiting for " + " and ".join(map(player, in_order)) + "." for seats, in_order in IN_ORDER.items()}


# For what is shown to all readers alike: the table is drawn for one after the other, so the last few are enough.
alike = lru_cache(8)


def prompt_of(state: Ended, to_act: frozenset[int], reader: Reader, ask: str) -> str:
    """What stands before the input line: the question for a seat that is to act, the news for everybody else."""
    if state.outcome:
        return state.outcome.text
    return ask if reader in to_act else WAITING[to_act]


def may_know(state: Ended, reader: Reader, seat: int) -> bool:
    """True if a reader may know a seat's own secret: their own, and at the end everybody's."""
    return state.outcome is not None or seat == reader


# How each reader's board marks what belongs to a seat; watchers see the table from seat 1.
OWNED: dict[Reader, dict[int, CellKind]] = {
    1: {1: "mine", 2: "theirs"},
    2: {1: "theirs", 2: "mine"},
    None: {1: "mine", 2: "theirs"},
}
MARKS = {seat: f"P{seat}" for seat in SEATS}  # the same as text, alike for all
