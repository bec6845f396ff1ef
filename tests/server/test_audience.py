"""Who is in a room: everybody is told what is theirs to know, and told it again when they come back."""

import pytest

from gridgames_protocol.messages import Commit, Event, Ok
from gridgames_server.audience import READERS, Audience
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


@pytest.mark.parametrize(("reader", "names"), [(1, ["Ada"]), (2, ["Bob"]), (None, ["Wes", "Zoe"])])
def test_each_reader_is_a_seat_or_all_who_watch(here, reader, names):
    assert [player.name for player in here.readers_of(reader)] == names


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
    hearing = [reader for reader in READERS if here.heard([telling], reader)]
    assert [guest.session for reader in hearing for guest in here.readers_of(reader)] == sessions
    event = telling.event
    assert (event.kind, event.seat, event.name, event.past) == (*how, None, None)
    for reader in READERS:
        assert list(here.log[reader]) == ([event] if reader in telling.readers else [])


def test_who_has_no_connection_is_sent_nothing_but_it_is_kept_for_them(here):
    here.seats[2].session = None
    here.announce("Player 2 is away, and can return.", 2)
    assert told(here) == [1, 8, 9]
    assert list(here.log[2]) == [Event("Player 2 is away, and can return.", "system", 2)]


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
    for _ in range(10):
        for reader in READERS:
            here.heard([tell.only(1, "secret")], reader)
    assert [event.text for event in here.log[2]] == [f"public {number}" for number in range(ROOM_LOG)]
    assert [event.text for event in here.log[1]][:2] == ["public 10", "public 11"]
    assert {len(log) for log in here.log.values()} == {ROOM_LOG}


def test_a_message_may_go_to_some_alone(here):
    here.send([here.seats[2]], Ok(1))
    assert here.out == [Send(2, (Ok(1),))]


def test_no_repr_shows_what_was_said(here):
    here.heard([tell.only(1, "Distance: 4")], 1)
    assert "Distance" not in repr(here)
