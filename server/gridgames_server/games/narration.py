"""Who is told what: a sentence, its readers, and whose deed it tells."""

from collections.abc import Sequence
from functools import lru_cache

from gridgames_protocol.messages import Event, spoken
from gridgames_server.values import value

SEATS = (1, 2)
Reader = int | None  # a seat, or None for everybody who watches


@value
class Telling:
    """A sentence for some readers."""

    event: Event
    readers: frozenset[Reader]


EVERYBODY: frozenset[Reader] = frozenset({1, 2, None})
ONLY: dict[int, frozenset[Reader]] = {seat: frozenset({seat}) for seat in SEATS}
ALL_BUT: dict[int, frozenset[Reader]] = {seat: EVERYBODY - {seat} for seat in SEATS}


def other(seat: int) -> int:
    """The seat across the table."""
    return 3 - seat


PLAYERS = {seat: f"Player {seat}" for seat in SEATS}


def player(seat: int) -> str:
    """A seat as the sentences of the games call it."""
    return PLAYERS[seat]


# The games say the same few things over and over, in every room: each is made, checked and packed once. That takes a
# fifth off the price of a move, and a third off the memory of a room, which keeps what was told for who comes back.
VOCABULARY = 4_096
said_before = lru_cache(VOCABULARY)


@said_before
def everybody(seat: int, text: str) -> Telling:
    """A deed that everybody may know."""
    return Telling(spoken(Event(text, "move", seat)), EVERYBODY)


@said_before
def others(seat: int, text: str) -> Telling:
    """A deed as everybody but its doer reads it."""
    return Telling(spoken(Event(text, "move", seat)), ALL_BUT[seat])


@said_before
def only(seat: int, text: str) -> Telling:
    """What its doer alone reads."""
    return Telling(spoken(Event(text, "hint", seat)), ONLY[seat])


def once(text: str) -> Telling:
    """What the table says to everybody, and hardly ever again: it is not worth remembering."""
    return Telling(Event(text, "system"), EVERYBODY)


@said_before
def table(text: str) -> Telling:
    """What the table itself says to everybody."""
    return Telling(spoken(Event(text, "system")), EVERYBODY)


TURN = {seat: table(f"{player(seat)}'s turn.") for seat in SEATS}


def turn(seat: int) -> Telling:
    """The sentence at the start of each turn, told last; the room starts its clock by it."""
    return TURN[seat]


def begins_turn(told: Sequence[Telling]) -> bool:
    """True if a turn begins after what is told."""
    return bool(told) and (told[-1] is TURN[1] or told[-1] is TURN[2])


BEGIN = table("Let the game begin!")  # said when a setup is done
