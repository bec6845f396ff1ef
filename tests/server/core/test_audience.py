"""Who is in a room: everybody is told what is theirs to know, and told it again when they come back."""

import pytest

from gridgames_protocol.codec import encode
from gridgames_protocol.messages import Commit, Event, Ok, Show
from gridgames_server.core.audience import READERS, Audience, events_for
from gridgames_server.core.effects import Send
from gridgames_server.core.limits import ROOM_LOG
from gridgames_server.core.players import Player
from gridgames_server.games import GAMES, narration
from gridgames_server.games.match import Match
from gridgames_server.games.narration import EVERYBODY, Announcement

COMMIT = Commit("treasure", "0" * 64)
SHOW = Show("ABC234", 1, (1,), 1, Match(GAMES[0], b"seed", 1).view(1))


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


ANNOUNCEMENTS = [
    (narration.announce("Player 1's turn."), [1, 2, 8, 9], ("system", None)),
    (narration.tell_everybody(1, "Player 1 queried 2B."), [1, 2, 8, 9], ("move", 1)),
    (narration.tell_only(1, "Distance: 4"), [1], ("hint", 1)),
    (narration.tell_only(2, "Distance: 4"), [2], ("hint", 2)),
    (narration.tell_others(1, "Player 1 has chosen."), [2, 8, 9], ("move", 1)),
    (narration.tell_others(2, "Player 2 has chosen."), [1, 8, 9], ("move", 2)),
]


@pytest.mark.parametrize(("announcement", "sessions", "how"), ANNOUNCEMENTS)
def test_an_announcement_reaches_its_readers_and_nobody_else_now_and_later(here, announcement, sessions, how):
    here.add_to_logs([announcement])
    hearing = [reader for reader in READERS if events_for([announcement], reader)]
    assert [session for reader in hearing for session in here.sessions_of(reader)] == sessions
    event = announcement.event
    assert (event.kind, event.seat, event.name, event.past) == (*how, None, None)
    for reader in READERS:
        assert here.latest[reader] == ([event] if reader in announcement.readers else [])


def test_who_has_no_connection_is_sent_nothing_but_it_is_kept_for_them(here):
    here.seats[2].session = None
    here.announce("Player 2 is away, and can return.", 2)
    assert told(here) == [1, 8, 9]
    assert here.latest[2] == [Event("Player 2 is away, and can return.", "system", 2)]


def test_an_empty_seat_is_sent_nothing(here):
    here.seats[2] = None
    here.announce("Player 2 has left.", 2)
    assert told(here) == [1, 8, 9]


def test_what_goes_to_many_is_one_and_the_same_message(here):
    here.announce("hello")
    assert len({id(message) for effect in here.out for message in effect.messages}) == 1


def test_each_reader_has_a_log_of_their_own_length(here):
    for number in range(ROOM_LOG):
        here.announce(f"public {number}")
    here.add_to_logs([narration.tell_only(1, "secret")] * 10)
    assert [event.text for event in here.latest[2]] == [f"public {number}" for number in range(ROOM_LOG)]
    assert [event.text for event in here.latest[1]][:2] == ["public 10", "public 11"]
    assert {len(here.latest[reader]) for reader in READERS} == {ROOM_LOG}


def test_the_log_is_bounded_and_private_events_remove_none_of_the_others(here):
    for number in range(ROOM_LOG):
        here.announce(f"public {number}")
    for number in range(500):
        here.add_to_logs([narration.tell_only(1, f"secret {number}"), narration.tell_only(1, "again")])
    assert [event.text for event in here.latest[2]] == [f"public {number}" for number in range(ROOM_LOG)]
    assert here.latest[None] == here.latest[2]
    assert [event.text for event in here.latest[1]][-2:] == ["secret 499", "again"]
    assert len(here.latest[1]) == ROOM_LOG


def test_what_is_kept_is_no_more_than_what_is_told_again(here):
    for number in range(500):
        here.announce(f"public {number}")
        assert all(len(here.latest[reader]) <= ROOM_LOG for reader in READERS)
    assert [event.text for event in here.latest[1]] == [f"public {number}" for number in range(500 - ROOM_LOG, 500)]


def test_seals_are_not_in_the_log(here):
    sealed = Event("Sealed: treasure.", "system", commit=COMMIT)
    here.add_to_logs([Announcement(sealed, EVERYBODY), narration.announce("public")])
    for reader in READERS:
        assert [event.text for event in here.latest[reader]] == ["public"]
        assert here.past_log(reader).kept_line == encode(Event("public", "system", past=True))


def test_all_watchers_share_the_bytes_of_their_log_until_it_grows(here):
    here.announce("one")
    past = here.past_log(None)
    assert here.past_log(None) is past, "a hundred watchers who do not read take no more than one"
    here.announce("two")
    lines = [encode(Event(text, "system", past=True)) for text in ("one", "two")]
    assert here.past_log(None).kept_line == b"".join(lines)


def test_views_go_without_their_state_to_those_who_asked_for_that(here):
    show = SHOW
    here.seats[2].wants_state = False
    here.send_views([here.seats[1], here.seats[2]], (Ok(1), show))
    one, two = here.out
    assert one.messages == (Ok(1), show)
    assert two.messages[0] == Ok(1)
    assert b"state" in encode(one.messages[1])
    assert b"state" not in encode(two.messages[1])


def test_a_message_may_go_to_some_alone(here):
    here.send([2], (Ok(1),))
    assert here.out == [Send(2, (Ok(1),))]


def test_no_repr_shows_what_was_said(here):
    here.add_to_logs([narration.tell_only(1, "Distance: 4")])
    assert "Distance" not in repr(here)
