"""Sentences about a game, and their readers."""

from functools import lru_cache

from gridgames_protocol.codec import keep_line
from gridgames_protocol.messages import Event
from gridgames_server.games.seats import SEATS, Reader, player
from gridgames_server.values import value


@value
class Announcement:
    """A sentence and its readers."""

    event: Event
    readers: frozenset[Reader]


EVERYBODY: frozenset[Reader] = frozenset({1, 2, None})
ONLY: dict[int, frozenset[Reader]] = {seat: frozenset({seat}) for seat in SEATS}
ALL_BUT: dict[int, frozenset[Reader]] = {seat: EVERYBODY - {seat} for seat in SEATS}

# Games repeat the same sentences. Each is built, checked and packed once: that saves a fifth of a move's cost, and a
# third of a room's memory, because a room keeps its sentences for players who reconnect.
cache_sentence = lru_cache(4_096)


@cache_sentence
def tell_everybody(seat: int, text: str) -> Announcement:
    """Tell all readers what a seat did."""
    return Announcement(keep_line(Event(text, "move", seat)), EVERYBODY)


@cache_sentence
def tell_others(seat: int, text: str) -> Announcement:
    """Tell all readers but the seat itself what it did."""
    return Announcement(keep_line(Event(text, "move", seat)), ALL_BUT[seat])


@cache_sentence
def tell_mover(seat: int, text: str) -> Announcement:
    """Tell a seat what it did itself."""
    return Announcement(keep_line(Event(text, "move", seat)), ONLY[seat])


@cache_sentence
def tell_only(seat: int, text: str) -> Announcement:
    """Tell one seat something that nobody else may read."""
    return Announcement(keep_line(Event(text, "hint", seat)), ONLY[seat])


@cache_sentence
def tell_secret(seat: int, text: str) -> Announcement:
    """Tell one seat an answer that nobody else may know. The client covers it with the seat's secrets."""
    return Announcement(keep_line(Event(text, "hint", seat, private=True)), ONLY[seat])


@cache_sentence
def announce(text: str) -> Announcement:
    """Tell all readers something that is no seat's action."""
    return Announcement(keep_line(Event(text, "system")), EVERYBODY)


@cache_sentence
def add_line(seat: int, text: str, readers: frozenset[Reader], line: str) -> Announcement:
    """Return a sentence about what a seat did, with the line that it typed."""
    return Announcement(keep_line(Event(text, "move", seat, line=line)), readers)


def attach_line(announcements: tuple[Announcement, ...], line: str) -> tuple[Announcement, ...]:
    """Attach the typed line to each reader's first sentence about the move."""
    attached, have_read = list(announcements), frozenset[Reader]()
    for place, announcement in enumerate(announcements):
        event, readers = announcement.event, announcement.readers
        if event.kind == "move" and event.seat is not None and have_read.isdisjoint(readers):
            attached[place] = add_line(event.seat, event.text, readers, line)
            have_read |= readers
    return tuple(attached)


def announce_once(text: str) -> Announcement:
    """Like `announce`, but not cached, for sentences that are rarely repeated."""
    return Announcement(Event(text, "system"), EVERYBODY)


TURN = {seat: announce(f"{player(seat)}'s turn.") for seat in SEATS}
BEGIN = announce("Let the game begin!")  # after a setup
