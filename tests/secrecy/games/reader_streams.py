"""What one reader is sent, byte for byte, line by line."""

import re
from collections.abc import Iterable, Iterator
from dataclasses import replace

from gridgames_protocol.codec import encode
from gridgames_protocol.messages import Error, Ok, Show
from gridgames_server.errors import Refusal
from gridgames_server.games.match import Match
from gridgames_server.games.narration import Announcement
from gridgames_server.games.seats import Reader

Sent = tuple[bytes, ...]  # what one typed line made the server send to the reader, in order

HASH = re.compile(r"[0-9a-f]{64}", re.ASCII)
MASKED = "0" * 64


def stream(match: Match, reader: Reader, typed: Iterable[tuple[int, str | None]]) -> Iterator[Sent]:
    """What the reader is sent at the opening, and for each line that is typed; None is a moment without a line."""
    yield (*heard(match.announce_start(), reader), shown(match, reader))
    for number, (seat, line) in enumerate(typed, 1):
        yield () if line is None else answered(match, reader, number, seat, line)


def answered(match: Match, reader: Reader, number: int, seat: int, line: str) -> Sent:
    """What a line makes the server send to the reader: the reply to an own line, the events, the view."""
    try:
        played = match.play(seat, line)
    except Refusal as refusal:
        return (refused(refusal, number),) if seat == reader else ()
    reply: Sent = ()
    if seat == reader:
        reply = (refused(played.foul, number) if played.foul else encode(Ok(number)),)
    return (*reply, *heard(played.announcements, reader), shown(match, reader))


def refused(refusal: Refusal, number: int) -> bytes:
    """The error that answers a refused line."""
    return encode(Error(refusal.code, refusal.text, number))


def heard(told: Iterable[Announcement], reader: Reader) -> Sent:
    """The events that reach the reader."""
    return tuple(encode(masked(announcement).event) for announcement in told if reader in announcement.readers)


def shown(match: Match, reader: Reader) -> bytes:
    """The view as it is sent, with its actions, and with all that a room adds to it."""
    turn = tuple(sorted(match.to_act()))
    return encode(Show("TWIN", match.line_count, turn, reader, match.view(reader)))


def masked(announcement: Announcement) -> Announcement:
    """An announcement without its commitment's hash, which hides the secret behind a nonce of 128 bits."""
    seal = announcement.event.commit
    if seal is None or not HASH.fullmatch(seal.hash):
        return announcement
    return replace(announcement, event=replace(announcement.event, commit=replace(seal, hash=MASKED)))
