"""Places: how many connections, rooms and watchers there may be, and when one that is silent loses its own."""

from gridgames_protocol.messages import Bye, Create, Farewell, Leave, Watch
from gridgames_server.limits import HELLO_WITHIN, SILENCE, WATCHERS_MAX
from tests.server.house import House, word

# Full


def test_a_full_server_says_so():
    house = House(max_players=2)
    ada, _ = house.enter("Ada"), house.connects()
    late = house.connects()
    assert late.reads() == [Bye("server_full", "This server is full. Try again later.")]
    assert late.closed
    ada.says(Farewell)
    assert not house.connects().closed


def test_one_address_cannot_fill_the_server():
    house = House(max_per_address=2)
    for _ in range(2):
        house.connects("10.0.0.1")
    late = house.connects("10.0.0.1")
    assert late.words() == ["server_full"]
    assert late.closed
    assert not house.connects("10.0.0.2").closed


def test_one_who_is_turned_away_is_not_counted():
    house = House(max_players=1)
    ada = house.enter("Ada")
    for _ in range(5):
        house.connects()
    assert list(house.hub.sessions) == [ada.id]
    ada.drops()
    assert not house.connects().closed


def test_there_are_only_so_many_rooms():
    house = House(max_rooms=1)
    ada, bob = house.enter("Ada"), house.enter("Bob", "10.0.0.2")
    ada.opens("grid-hunt")
    reply = bob.says(Create, "grid-hunt")
    assert (reply.code, reply.text) == (
        "server_full",
        "There are as many rooms as this server holds. Join one, or try later.",
    )
    ada.says(Leave)
    assert word(bob.says(Create, "grid-hunt")) == "ok"


def test_one_address_has_only_so_many_rooms():
    house = House(max_rooms_per_address=1)
    ada, bob, cat = house.enter("Ada"), house.enter("Bob"), house.enter("Cat", "10.0.0.2")
    ada.opens("grid-hunt")
    assert word(bob.says(Create, "grid-hunt")) == "server_full"
    assert word(cat.says(Create, "grid-hunt")) == "ok"


def test_a_room_has_only_so_many_watchers():
    house = House(max_per_address=100)
    *_, last = house.table("grid-hunt", *(f"guest {number}" for number in range(2 + WATCHERS_MAX)))
    late = house.enter("Late")
    assert last.where.watchers == WATCHERS_MAX
    assert word(late.says(Watch, last.where.room)) == "room_full"
    last.says(Leave)
    assert word(late.says(Watch, last.where.room)) == "ok"


# Silent


def test_hello_is_due_within_ten_seconds():
    house = House()
    new, ada = house.connects(), house.enter("Ada")
    house.passes(HELLO_WITHIN)
    assert not new.closed
    house.passes(1)
    assert new.closed
    assert new.reads() == [Bye("hello_first", "There was no hello within 10 seconds.")]
    assert not ada.closed


def test_one_who_is_silent_is_taken_for_dead_and_the_seat_is_held():
    house = House()
    ada, bob = house.table("grid-hunt")
    bob.awake = False
    house.passes(SILENCE)
    assert not bob.closed
    house.passes(1)
    assert bob.closed
    assert bob.reads() == [Bye("silent", "Nothing was heard for 25 seconds. Connect again.")]
    assert ada.hears() == ["Player 2 is away, and can return."]
    assert bob.comes_back().where.you == 2


def test_any_byte_is_a_sign_of_life():
    house = House()
    ada = house.enter("Ada")
    ada.awake = False
    for _ in range(4):
        house.passes(SILENCE - 1)
        house.does(house.hub.heard(ada.id, 1, house.now))
    assert not ada.closed


def test_the_shell_may_end_a_connection():
    house = House()
    ada, bob = house.table("grid-hunt")
    house.does(house.hub.expel(ada.id, "slow", "A line must be complete within 10 seconds.", house.now))
    assert ada.reads() == [Bye("slow", "A line must be complete within 10 seconds.")]
    assert ada.closed
    assert bob.hears() == ["Player 1 is away, and can return."]


# The end


def test_a_server_that_stops_tells_everybody():
    house = House()
    everybody = (*house.table("grid-hunt", "Ada", "Bob", "Wes"), house.enter("Eve"), house.connects())
    house.stops()
    for guest in everybody:
        assert guest.closed
        assert guest.reads()[-1] == Bye("shutting_down", "The server is stopping. Try again in a while.")
