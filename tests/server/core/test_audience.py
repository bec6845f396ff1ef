"""Who is in a room: everybody is told what is theirs to know, and told it again when they come back."""

import pytest

from gridgames_protocol.messages import Commit, Event, Ok
from gridgames_server.audience import LOG_MAX, LOG_OF_CHAT, READERS, Audience, heard
from gridgames_server.effects import Send
from gridgames_server.games import tell
from gridgames_server.limits import ROOM_LOG
from gridgames_server.session import Player

COMMIT = Commit("treasure", "0" * 64)


def guest(name, session):
    return Player(name, name, b"", session)


@pytest.fixture
def here():
    """Ada and Bob at the table, Wes and Zoe watching; they are the sessions 1, 2, 8 and 9."""
    audience = Audience([])
    audience.seats = {1: guest("Ada", 1), 2: guest("Bob", 2)}
    audience.watchers = [guest("Wes", 8), guest("Zoe", 9)]
    return audience


def told(here):
    """Which sessions were told something, in order."""
    return [effect.session for effect in here.out]


def test_everybody_is_the_seats_and_then_the_watchers(here):
    assert [player.name for player in here.everybody()] == ["Ada", "Bob", "Wes", "Zoe"]
    here.seats[1] = None
    assert [player.name for player in here.everybody()] == ["Bob", "Wes", "Zoe"]


@pytest.mark.parametrize(("reader", "sessions"), [(1, [1]), (2, [2]), (None, [8, 9])])
def test_each_reader_is_a_seat_or_all_who_watch(here, reader, sessions):
    assert here.sessions_of(reader) == sessions


TELLINGS = [
    (tell.table("Player 1's turn."), [1, 2, 8, 9], ("system", None)),
    (tell.everybody(1, "Player 1 queried 2B."), [1, 2, 8, 9], ("move", 1)),
    (tell.only(1, "Distance: 4"), [1], ("hint", 1)),
    (tell.only(2, "Distance: 4"), [2], ("hint", 2)),
    (tell.others(1, "Player 1 has chosen."), [2, 8, 9], ("move", 1)),
    (tell.others(2, "Player 2 has chosen."), [1, 8, 9], ("move", 2)),
]


@pytest.mark.parametrize(("telling", "sessions", "how"), TELLINGS)
def test_a_telling_reaches_its_readers_and_nobody_else_now_and_later(here, telling, sessions, how):
    here.note([telling])
    hearing = [reader for reader in READERS if heard([telling], reader)]
    assert [session for reader in hearing for session in here.sessions_of(reader)] == sessions
    event = telling.event
    assert (event.kind, event.seat, event.name, event.past) == (*how, None, None)
    for reader in READERS:
        assert here.latest(reader) == ([event] if reader in telling.readers else [])


def test_who_has_no_connection_is_sent_nothing_but_it_is_kept_for_them(here):
    here.seats[2].session = None
    here.announce("Player 2 is away, and can return.", 2)
    assert told(here) == [1, 8, 9]
    assert here.latest(2) == [Event("Player 2 is away, and can return.", "system", 2)]


def test_an_empty_seat_is_sent_nothing(here):
    here.seats[2] = None
    here.announce("Player 2 has left.", 2)
    assert told(here) == [1, 8, 9]


def test_what_goes_to_many_is_one_and_the_same_message(here):
    here.announce("hello")
    assert len({id(message) for effect in here.out for message in effect.said}) == 1


def test_each_reader_has_a_log_of_their_own_length(here):
    for number in range(ROOM_LOG):
        here.announce(f"public {number}")
    here.note([tell.only(1, "secret")] * 10)
    assert [event.text for event in here.latest(2)] == [f"public {number}" for number in range(ROOM_LOG)]
    assert [event.text for event in here.latest(1)][:2] == ["public 10", "public 11"]
    assert {len(here.latest(reader)) for reader in READERS} == {ROOM_LOG}


def test_the_log_is_bounded_and_what_only_one_is_told_drives_nothing_of_the_others_out(here):
    for number in range(ROOM_LOG):
        here.announce(f"public {number}")
    for number in range(500):
        here.note([tell.only(1, f"secret {number}"), tell.only(1, "again")])
        assert len(here.log) <= LOG_MAX
    assert [event.text for event in here.latest(2)] == [f"public {number}" for number in range(ROOM_LOG)]
    assert here.latest(None) == here.latest(2)
    assert [event.text for event in here.latest(1)][-2:] == ["secret 499", "again"]
    assert len(here.latest(1)) == ROOM_LOG


def test_a_log_that_all_may_read_is_hardly_longer_than_what_they_are_told_again(here):
    for number in range(500):
        here.announce(f"public {number}")
        assert len(here.log) <= LOG_OF_CHAT
    assert [event.text for event in here.latest(1)] == [f"public {number}" for number in range(500 - ROOM_LOG, 500)]


def test_a_message_may_go_to_some_alone(here):
    here.send([2], (Ok(1),))
    assert here.out == [Send(2, (Ok(1),))]


def test_no_repr_shows_what_was_said(here):
    here.note([tell.only(1, "Distance: 4")])
    assert "Distance" not in repr(here)
