"""Whole-server leaks, each as one careless change would bring it in. A test plants one, and the twins must find it.

They are planted from here, for the time of a test, around functions of the real server; the server knows none of them.
"""

import logging
import zlib
from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import wraps
from typing import Any

import pytest

from gridgames_protocol.messages import AskStatus, Event, Opening, Ping, Play
from gridgames_server import lobby, restore, service
from gridgames_server.audience import Audience
from gridgames_server.connection import Connection
from gridgames_server.deeds import Deed
from gridgames_server.effects import Note, Send
from gridgames_server.games.game import Outcome, Refusal
from gridgames_server.games.tell import EVERYBODY, Telling, other, player
from gridgames_server.grants import GRANT
from gridgames_server.hub import Hub
from gridgames_server.room import Room
from gridgames_server.service import Service

Patch = pytest.MonkeyPatch
LATER = 0.05  # seconds


def odd(room: Room) -> bool:
    """Something about a table's secrets that nobody should be able to tell."""
    secrets = room.match.secrets if room.match and not room.match.outcome else ()
    return sum(ord(letter) for secret in secrets for letter in secret.value) % 2 == 1


def around(patch: Patch, owner: Any, name: str, instead: Callable[..., Any]) -> None:
    """Put a function in the place of another, which it is given first."""
    true = getattr(owner, name)
    patch.setattr(owner, name, wraps(true)(lambda *given, **more: instead(true, *given, **more)))


def granting(patch: Patch, kind: type, instead: Callable[..., Any]) -> None:
    """Put a function in the place of the one that grants a kind of request."""
    true = GRANT[kind]
    patch.setitem(GRANT, kind, lambda *given: instead(true, *given))


def after_a_line(patch: Patch, deed: Callable[[Room, Play, int, float], None]) -> None:
    """Do something whenever a line was played, before anybody is told of it."""

    def done(true: Any, room: Room, what: str, now: float, *given: Any, **more: Any) -> None:
        true(room, what, now, *given, **more)
        if what == "line":
            seat, line, id = given
            deed(room, Play(id, line), seat, now)

    around(patch, Room, "did", done)


def refusing(patch: Patch, name: str, deed: Callable[[Room, Refusal, tuple[Any, ...]], Refusal]) -> None:
    """Refuse otherwise whatever a function of the room refuses."""

    def tried(true: Any, room: Room, *given: Any) -> Any:
        try:
            return true(room, *given)
        except Refusal as refusal:
            raise deed(room, refusal, given) from None

    around(patch, Room, name, tried)


# What is said ---------------------------------------------------------------------------------------------------------


def echo(patch: Patch) -> None:
    after_a_line(patch, lambda room, play, seat, _: room.here.announce(f"{player(seat)} typed: {play.line.strip()}"))


def length_of_the_line(patch: Patch) -> None:
    after_a_line(patch, lambda room, play, *_: room.here.announce("." * (1 + len(play.line))))


def refused_claim(patch: Patch) -> None:
    refusing(patch, "claim", lambda room, said, _: Refusal(said.code, said.text + " Not yet." * odd(room)))


def full_room(patch: Patch) -> None:
    refusing(patch, "check_seat", lambda room, said, _: Refusal("not_now" if odd(room) else said.code, said.text))


def slip_of_the_tongue(patch: Patch) -> None:
    def said(true: Any, room: Room, seat: int | None, name: str, text: str, now: float) -> None:
        true(room, seat, name, text + "!" * odd(room), now)

    around(patch, Room, "say", said)


def watchers_see_through_a_seats_eyes(patch: Patch) -> None:
    def shown(true: Any, room: Room, reader: int | None, now: float) -> Any:
        return replace(true(room, reader or 1, now), you=reader)

    around(patch, Room, "shown", shown)


def score_before_the_end(patch: Patch) -> None:
    def described(true: Any, room: Room, reader: int | None) -> Any:
        one, two, drawn = room.score
        return replace(true(room, reader), score=(one + odd(room), two, drawn))

    around(patch, Room, "described", described)


def revision_of_a_refused_line(patch: Patch) -> None:
    def refused(room: Room, said: Refusal, given: Any) -> Refusal:
        room.rev += 1
        return said

    refusing(patch, "play", refused)


# To those who come back -----------------------------------------------------------------------------------------------


def the_others_log(patch: Patch) -> None:
    around(patch, Audience, "latest", lambda true, here, reader: true(here, reader and other(reader)))


def hints_in_every_log(patch: Patch) -> None:
    def noted(true: Any, here: Audience, told: Any, *most: int) -> None:
        true(here, [Telling(telling.event, EVERYBODY) for telling in told], *most)

    around(patch, Audience, "note", noted)


def secrets_for_one_who_comes_back(patch: Patch) -> None:
    def caught_up(true: Any, room: Room, guest: Any, now: float) -> None:
        true(room, guest, now)
        if room.match:
            room.here.send([guest.session], (Opening((), tuple(room.match.secrets)),))

    around(patch, Room, "catch_up", caught_up)


def one_log_after_a_restart(patch: Patch) -> None:
    def reopened(true: Any, hub: Hub, saved: Any, known: Any, now: float) -> Any:
        effects = true(hub, saved, known, now)
        for room in hub.rooms.by_code.values():
            room.here.log = [
                Telling(told.event, told.readers - {1} | ({1} if 2 in told.readers else set()))
                for told in room.here.log
            ]
        return effects

    around(patch, restore, "reopen", reopened)


def lost_lines(patch: Patch) -> None:
    def undone(true: Any, hub: Hub, effects: Any, saved: Any, now: float) -> Any:
        lines = [effect.text for effect in effects if isinstance(effect, Deed) and effect.what == "line"]
        lost = [Send(id, (Event(f"Lost: {line}", "system"),)) for line in lines for id in hub.sessions]
        return [*true(hub, effects, saved, now), *lost]

    around(patch, service, "undo", undone)


# To those outside -----------------------------------------------------------------------------------------------------


def row_of_the_lobby(patch: Patch) -> None:
    around(patch, lobby, "_row", lambda true, room: replace(true(room), watchers=len(room.here.watchers) + odd(room)))


def news_of_a_line(patch: Patch) -> None:
    def played(true: Any, hub: Hub, session: Any, request: Play, now: float) -> None:
        true(hub, session, request, now)
        hub.rooms.changed |= odd(session.player.room)

    granting(patch, Play, played)


def news_of_a_ping(patch: Patch) -> None:
    def pinged(true: Any, hub: Hub, *given: Any) -> None:
        true(hub, *given)
        hub.rooms.changed = True

    granting(patch, Ping, pinged)


def status_counts_tries(patch: Patch) -> None:
    def played(true: Any, hub: Hub, *given: Any) -> None:
        hub.moves += 1
        true(hub, *given)

    granting(patch, Play, played)


def status_counts_questions(patch: Patch) -> None:
    def asked(true: Any, hub: Hub, *given: Any) -> None:
        true(hub, *given)
        hub.moves += 1

    granting(patch, AskStatus, asked)


def history_before_the_end(patch: Patch) -> None:
    goes_on = Outcome(None, "closed", "It goes on.")
    after_a_line(patch, lambda room, *_: room.here.out.append(room.finished(goes_on)))


def number_of_a_trouble(patch: Patch) -> None:
    def noted(true: Any, hub: Hub, bug: Exception) -> str:
        number = true(hub, bug)
        secret = [room.match.secrets for room in hub.rooms.by_code.values() if room.match]
        return f"{zlib.crc32(repr(secret).encode()) ^ int(number, 16):08x}"

    around(patch, Hub, "_note_trouble", noted)


def words_in_the_log(patch: Patch) -> None:
    def played(true: Any, hub: Hub, session: Any, request: Play, now: float) -> None:
        hub.out.append(Note(f"session {session.id} plays {request.line.strip()}"))
        true(hub, session, request, now)

    granting(patch, Play, played)


def refused_words_in_the_log(patch: Patch) -> None:
    def refused(room: Room, said: Refusal, given: Any) -> Refusal:
        logging.getLogger("gridgames").info("refused: %s", given[1].line)
        return said

    refusing(patch, "play", refused)


# When and how it leaves -----------------------------------------------------------------------------------------------


def later_view(patch: Patch) -> None:
    def performed(true: Any, wires: Service, effects: list[Any]) -> None:
        if any(map(odd, wires.hub.rooms.by_code.values())):
            wires.loop.call_later(LATER, true, wires, effects)
        else:
            true(wires, effects)

    around(patch, Service, "_perform", performed)


def clock_by_the_line(patch: Patch) -> None:
    def shown(true: Any, room: Room, *given: Any) -> None:
        if room.match and room.match.lines:
            room.turn_since += len(room.match.lines[-1].text) / 8
        true(room, *given)

    around(patch, Room, "show_all", shown)


def clock_by_the_last_question(patch: Patch) -> None:
    def looked(true: Any, hub: Hub, now: float) -> None:
        hub.ticked = hub.latest
        true(hub, now)

    around(patch, Hub, "_look_at_clock", looked)


def who_is_written_to_first(patch: Patch) -> None:
    def written(true: Any, wires: Service) -> None:
        if any(map(odd, wires.hub.rooms.by_code.values())):
            wires._unwritten.reverse()
        true(wires)

    around(patch, Service, "_write_all", written)


def two_writes_for_one(patch: Patch) -> None:
    def said(true: Any, connection: Connection, lines: bytes) -> None:
        true(connection, lines)
        if any(map(odd, connection.service.hub.rooms.by_code.values())):
            connection.flush()

    around(patch, Connection, "say", said)


LEAKS: Mapping[str, tuple[str, Callable[[Patch], None]]] = {
    "an echo of what the other typed": ("grid-hunt", echo),
    "an event as long as the other's line": ("secret-paths", length_of_the_line),
    "the text of a refused claim": ("grid-hunt", refused_claim),
    "the code of a refused seat": ("grid-conquest", full_room),
    "a slip of the tongue in a chat": ("treasure-hunt-duel", slip_of_the_tongue),
    "a watcher who sees what a seat sees": ("quantum-duel", watchers_see_through_a_seats_eyes),
    "a score before the end": ("grid-conquest", score_before_the_end),
    "a revision for a refused line": ("quantum-duel", revision_of_a_refused_line),
    "the other's log for one who comes back": ("treasure-hunt-duel", the_others_log),
    "the other's hints in one's log": ("treasure-hunt-duel", hints_in_every_log),
    "the secrets for one who comes back": ("secret-paths", secrets_for_one_who_comes_back),
    "one log for both after a restart": ("treasure-hunt-duel", one_log_after_a_restart),
    "a line that was lost on a full disk": ("grid-hunt", lost_lines),
    "a row of the lobby": ("treasure-hunt-duel", row_of_the_lobby),
    "news for the lobby after a line": ("quantum-duel", news_of_a_line),
    "news for the lobby after the other's ping": ("grid-conquest", news_of_a_ping),
    "a status that counts what was refused": ("secret-paths", status_counts_tries),
    "a status that counts questions": ("grid-hunt", status_counts_questions),
    "a history before the end": ("grid-hunt", history_before_the_end),
    "the number of a trouble": ("quantum-duel", number_of_a_trouble),
    "the words of a line in the log": ("grid-hunt", words_in_the_log),
    "the words of a refused line in the log": ("secret-paths", refused_words_in_the_log),
    "a view that comes later": ("treasure-hunt-duel", later_view),
    "a clock that depends on a line's length": ("grid-hunt", clock_by_the_line),
    "a clock that was held from the last question on": ("secret-paths", clock_by_the_last_question),
    "who is written to first": ("secret-paths", who_is_written_to_first),
    "two writes in place of one": ("grid-conquest", two_writes_for_one),
}
