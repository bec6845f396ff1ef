"""Who is told what: a sentence, its readers, and whose deed it tells."""

from typing import Literal, NamedTuple

from gridgames_protocol.messages import Commit

SEATS = (1, 2)
Reader = int | None  # a seat, or None for everybody who watches


class Telling(NamedTuple):
    """A sentence for some readers; `seat` is the one whose deed it tells."""

    text: str
    kind: Literal["move", "hint", "system"]
    readers: frozenset[Reader]
    seat: int | None = None
    commit: Commit | None = None  # only the match makes these


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


def everybody(seat: int, text: str) -> Telling:
    """A deed that everybody may know."""
    return Telling(text, "move", EVERYBODY, seat)


def others(seat: int, text: str) -> Telling:
    """A deed as everybody but its doer reads it."""
    return Telling(text, "move", ALL_BUT[seat], seat)


def only(seat: int, text: str) -> Telling:
    """What its doer alone reads."""
    return Telling(text, "hint", ONLY[seat], seat)


def table(text: str) -> Telling:
    """What the table itself says to everybody."""
    return Telling(text, "system", EVERYBODY)


TURN = {seat: table(f"{player(seat)}'s turn.") for seat in SEATS}


def turn(seat: int) -> Telling:
    """The sentence at the start of each turn; the room starts its clock by it."""
    return TURN[seat]


BEGIN = table("Let the game begin!")  # said when a setup is done
