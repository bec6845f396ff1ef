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
from gridgames_server.core import rooms
from gridgames_server.core.audience import Audience
from gridgames_server.core.effects import LogLine, Send
from gridgames_server.core.handlers import HANDLERS
from gridgames_server.core.hub import Hub
from gridgames_server.core.players import Player
from gridgames_server.core.room import Room
from gridgames_server.core.room_events import LinePlayed
from gridgames_server.core.state import State
from gridgames_server.errors import Refusal
from gridgames_server.games.game import Outcome
from gridgames_server.games.narration import EVERYBODY, Announcement
from gridgames_server.games.seats import other, player
from gridgames_server.net.connection import Connection
from gridgames_server.net.service import Service
from gridgames_server.net.steady_clock import SteadyClock
from gridgames_server.storage import restore

Patch = pytest.MonkeyPatch
LATER = 0.05  # seconds


def odd(room: Room) -> bool:
    """Something about a table's secrets that nobody should be able to tell."""
    secrets = room.match.list_reveals() if room.match and not room.match.outcome else ()
    return sum(ord(letter) for secret in secrets for letter in secret.value) % 2 == 1


def around(patch: Patch, owner: Any, name: str, instead: Callable[..., Any]) -> None:
    """Put a function in the place of another, which it is given first."""
    true = getattr(owner, name)
    patch.setattr(owner, name, wraps(true)(lambda *given, **more: instead(true, *given, **more)))


def granting(patch: Patch, kind: type, instead: Callable[..., Any]) -> None:
    """Put a function in the place of the one that grants a kind of request."""
    true = HANDLERS[kind]
    patch.setitem(HANDLERS, kind, lambda *given: instead(true, *given))


def after_a_line(patch: Patch, leak: Callable[[Room, Play, int, float], None]) -> None:
    """Do something whenever a line was played, before anybody is told of it."""

    def applied(true: Any, room: Room, event: LinePlayed) -> None:
        leak(room, Play(event.play, event.line), event.seat, event.at)
        true(room, event)

    around(patch, Room, "_apply_line", applied)


def refusing(patch: Patch, name: str, leak: Callable[[Room, Refusal, tuple[Any, ...]], Refusal]) -> None:
    """Refuse otherwise whatever a function of the room refuses."""

    def tried(true: Any, room: Room, *given: Any) -> Any:
        try:
            return true(room, *given)
        except Refusal as refusal:
            raise leak(room, refusal, given) from None

    around(patch, Room, name, tried)


# What is said ---------------------------------------------------------------------------------------------------------


def echo(patch: Patch) -> None:
    after_a_line(
        patch, lambda room, play, seat, _: room.audience.announce(f"{player(seat)} typed: {play.line.strip()}")
    )


def length_of_the_line(patch: Patch) -> None:
    after_a_line(patch, lambda room, play, *_: room.audience.announce("." * (1 + len(play.line))))


def refused_claim(patch: Patch) -> None:
    refusing(patch, "claim", lambda room, said, _: Refusal(said.code, said.text + " Not yet." * odd(room)))


def full_room(patch: Patch) -> None:
    refusing(patch, "check_free_seat", lambda room, said, _: Refusal("not_now" if odd(room) else said.code, said.text))


def slip_of_the_tongue(patch: Patch) -> None:
    def said(true: Any, room: Room, guest: Player, text: str, now: float) -> None:
        true(room, guest, text + "!" * odd(room), now)

    around(patch, Room, "chat", said)


def watchers_see_through_a_seats_eyes(patch: Patch) -> None:
    def shown(true: Any, room: Room, reader: int | None, now: float) -> Any:
        return replace(true(room, reader or 1, now), you=reader)

    around(patch, Room, "view_for", shown)


def score_before_the_end(patch: Patch) -> None:
    def described(true: Any, room: Room, reader: int | None) -> Any:
        one, two, drawn = room.score
        return replace(true(room, reader), score=(one + odd(room), two, drawn))

    around(patch, Room, "describe", described)


def revision_of_a_refused_line(patch: Patch) -> None:
    def refused(room: Room, said: Refusal, given: Any) -> Refusal:
        room.rev += 1
        return said

    refusing(patch, "play", refused)


# To those who come back -----------------------------------------------------------------------------------------------


def the_others_log(patch: Patch) -> None:
    around(patch, Audience, "past_log", lambda true, here, reader: true(here, reader and other(reader)))


def hints_in_every_log(patch: Patch) -> None:
    def noted(true: Any, here: Audience, told: Any, *most: int) -> None:
        true(here, [Announcement(announcement.event, EVERYBODY) for announcement in told], *most)

    around(patch, Audience, "add_to_logs", noted)


def secrets_for_one_who_comes_back(patch: Patch) -> None:
    def caught_up(true: Any, room: Room, guest: Any, now: float) -> None:
        true(room, guest, now)
        if room.match:
            room.audience.send([guest.session], (Opening((), tuple(room.match.list_reveals())),))

    around(patch, Room, "catch_up", caught_up)


def one_log_after_a_restart(patch: Patch) -> None:
    def reopened(true: Any, hub: Hub, saved: Any, known: Any, now: float) -> Any:
        effects = true(hub, saved, known, now)
        for room in hub.rooms.by_code.values():
            room.audience.latest[1] = room.audience.latest[2]
        return effects

    around(patch, restore, "reopen", reopened)


def lost_lines(patch: Patch) -> None:
    def answered(true: Any, hub: Hub, session: Any, request: Any, now: float) -> Any:
        effects = true(hub, session, request, now)
        if isinstance(request, Play) and not hub.state.can_save():
            effects += [Send(id, (Event(f"Lost: {request.line}", "system"),)) for id in hub.sessions]
        return effects

    around(patch, Hub, "_answer", answered)


# To those outside -----------------------------------------------------------------------------------------------------


def row_of_the_lobby(patch: Patch) -> None:
    around(
        patch,
        rooms,
        "_make_row",
        lambda true, room: replace(true(room), watchers=len(room.audience.watchers) + odd(room)),
    )


def news_of_a_line(patch: Patch) -> None:
    def played(true: Any, state: State, session: Any, request: Play, now: float) -> Any:
        effects = true(state, session, request, now)
        state.rooms.revision += odd(session.player.room)
        return effects

    granting(patch, Play, played)


def news_of_a_ping(patch: Patch) -> None:
    def pinged(true: Any, state: State, *given: Any) -> Any:
        state.rooms.revision += 1
        return true(state, *given)

    granting(patch, Ping, pinged)


def status_counts_tries(patch: Patch) -> None:
    def played(true: Any, state: State, *given: Any) -> Any:
        state.moves += 1
        return true(state, *given)

    granting(patch, Play, played)


def status_counts_questions(patch: Patch) -> None:
    def asked(true: Any, state: State, *given: Any) -> Any:
        effects = true(state, *given)
        state.moves += 1
        return effects

    granting(patch, AskStatus, asked)


def history_before_the_end(patch: Patch) -> None:
    goes_on = Outcome(None, "closed", "It goes on.")
    after_a_line(patch, lambda room, *_: room.audience.out.append(room.record_game(goes_on)))


def number_of_a_trouble(patch: Patch) -> None:
    def closed(true: Any, state: State, room: Any, bug: Exception) -> Any:
        secret = [room.match.list_reveals() for room in state.rooms.by_code.values() if room.match]
        effects, number = true(state, room, bug)
        return effects, f"{zlib.crc32(repr(secret).encode()) ^ int(number, 16):08x}"

    around(patch, State, "close_broken", closed)


def words_in_the_log(patch: Patch) -> None:
    def played(true: Any, state: State, session: Any, request: Play, now: float) -> Any:
        return [LogLine(f"session {session.id} plays {request.line.strip()}"), *true(state, session, request, now)]

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
            room.turn_since += sum(map(ord, room.match.lines[-1].text)) % 16
        true(room, *given)

    around(patch, Room, "show_all", shown)


def clock_by_the_last_question(patch: Patch) -> None:
    def read(true: Any, clock: SteadyClock) -> float:
        now: float = true(clock)
        clock._ticked = clock._read()
        return now

    around(patch, SteadyClock, "__call__", read)


def who_is_written_to_first(patch: Patch) -> None:
    def written(true: Any, wires: Service) -> None:
        if any(map(odd, wires.hub.rooms.by_code.values())):
            wires._unflushed.reverse()
        true(wires)

    around(patch, Service, "_flush_all", written)


def two_writes_for_one(patch: Patch) -> None:
    def said(true: Any, connection: Connection, lines: bytes) -> None:
        true(connection, lines)
        if any(map(odd, connection._owner.hub.rooms.by_code.values())):
            connection.flush()

    around(patch, Connection, "queue", said)


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
    "a clock that depends on a line": ("grid-hunt", clock_by_the_line),
    "a clock that was held from the last question on": ("secret-paths", clock_by_the_last_question),
    "who is written to first": ("secret-paths", who_is_written_to_first),
    "two writes in place of one": ("grid-conquest", two_writes_for_one),
}
