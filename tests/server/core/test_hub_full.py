"""Places: how many connections, rooms and watchers there may be, and when one that is silent loses its own."""

from gridgames_protocol.messages import Bye, ByeRequest, Create, Leave, Watch
from gridgames_server.core.limits import HELLO_WITHIN, SILENCE, WATCHERS_MAX
from tests.server.hub_harness import HubHarness, word

# Full


def test_a_full_server_says_so():
    server = HubHarness(max_players=2)
    ada, _ = server.enter("Ada"), server.connects()
    late = server.connects()
    assert late.reads() == [Bye("server_full", "This server is full. Try again later.")]
    assert late.closed
    ada.says(ByeRequest)
    assert not server.connects().closed


def test_one_address_cannot_fill_the_server():
    server = HubHarness(max_per_address=2)
    for _ in range(2):
        server.connects("10.0.0.1")
    late = server.connects("10.0.0.1")
    assert late.words() == ["server_full"]
    assert late.closed
    assert not server.connects("10.0.0.2").closed


def test_one_who_is_turned_away_is_not_counted():
    server = HubHarness(max_players=1)
    ada = server.enter("Ada")
    for _ in range(5):
        server.connects()
    assert list(server.hub.sessions) == [ada.id]
    ada.drops()
    assert not server.connects().closed


def test_there_are_only_so_many_rooms():
    server = HubHarness(max_rooms=1)
    ada, bob = server.enter("Ada"), server.enter("Bob", "10.0.0.2")
    ada.opens("grid-hunt")
    reply = bob.says(Create, "grid-hunt")
    assert (reply.code, reply.text) == (
        "server_full",
        "There are as many rooms as this server holds. Join one, or try later.",
    )
    ada.says(Leave)
    assert word(bob.says(Create, "grid-hunt")) == "ok"


def test_one_address_has_only_so_many_rooms():
    server = HubHarness(max_rooms_per_address=1)
    ada, bob, cat = server.enter("Ada"), server.enter("Bob"), server.enter("Cat", "10.0.0.2")
    ada.opens("grid-hunt")
    assert word(bob.says(Create, "grid-hunt")) == "server_full"
    assert word(cat.says(Create, "grid-hunt")) == "ok"


def test_a_room_has_only_so_many_watchers():
    server = HubHarness(max_per_address=100)
    *_, last = server.table("grid-hunt", *(f"guest {number}" for number in range(2 + WATCHERS_MAX)))
    late = server.enter("Late")
    assert last.where.watchers == WATCHERS_MAX
    assert word(late.says(Watch, last.where.room)) == "room_full"
    last.says(Leave)
    assert word(late.says(Watch, last.where.room)) == "ok"


# Silent


def test_hello_is_due_within_ten_seconds():
    server = HubHarness()
    new, ada = server.connects(), server.enter("Ada")
    server.passes(HELLO_WITHIN)
    assert not new.closed
    server.passes(1)
    assert new.closed
    assert new.reads() == [Bye("hello_first", "There was no hello within 10 seconds.")]
    assert not ada.closed


def test_one_who_is_silent_is_taken_for_dead_and_the_seat_is_held():
    server = HubHarness()
    ada, bob = server.table("grid-hunt")
    bob.awake = False
    server.passes(SILENCE)
    assert not bob.closed
    server.passes(1)
    assert bob.closed
    assert bob.reads() == [Bye("silent", "Nothing was heard for 25 seconds. Connect again.")]
    assert ada.hears() == ["Player 2 is away, and can return."]
    assert bob.comes_back().where.you == 2


def test_any_byte_is_a_sign_of_life():
    server = HubHarness()
    ada = server.enter("Ada")
    ada.awake = False
    for _ in range(4):
        server.passes(SILENCE - 1)
        server.does(server.hub.bytes_received(ada.id, 1, (), server.now))
    assert not ada.closed


def test_the_shell_may_end_a_connection():
    server = HubHarness()
    ada, bob = server.table("grid-hunt")
    server.does(server.hub.expel(ada.id, "slow", "A line must be complete within 10 seconds.", server.now))
    assert ada.reads() == [Bye("slow", "A line must be complete within 10 seconds.")]
    assert ada.closed
    assert bob.hears() == ["Player 1 is away, and can return."]


# The end


def test_a_server_that_stops_tells_everybody():
    server = HubHarness()
    everybody = (*server.table("grid-hunt", "Ada", "Bob", "Wes"), server.enter("Eve"), server.connects())
    server.stops()
    for guest in everybody:
        assert guest.closed
        assert guest.reads()[-1] == Bye("shutting_down", "The server is stopping. Try again in a while.")
