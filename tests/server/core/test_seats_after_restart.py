"""Who sits where, when rooms are brought back: one who has left a table is not taken from where they sit now."""

import pytest

from gridgames_protocol.messages import Chat, Join, Leave, Watch
from tests.server.kept import KeptHouse, Shelf, standing


@pytest.fixture
def house():
    return KeptHouse(Shelf())


def refuses(house, guest, kind, *given):
    """Somebody asks for something, and there is no space to keep it."""
    house.keeper.slow = True
    house.does(house.hub.receive(guest.id, kind(next(house.ids), *given), house.now))
    house.keeper.refuses()
    house.keeper.slow = False


def bob_changes_tables(house, older_table_first):
    """Bob leaves Cat's table and sits down at Ada's."""
    ada, bob, cat = (house.enter(name) for name in ("Ada", "Bob", "Cat"))
    hosts = (ada, cat) if older_table_first else (cat, ada)
    codes = {host: host.opens("grid-conquest", first="host") for host in hosts}
    bob.says(Join, codes[cat])
    bob.says(Leave)
    bob.says(Join, codes[ada])
    return ada, bob, cat


def plays_on(ada, bob):
    assert bob.where.you == 2
    assert ada.types("C3") == ["ok"]
    assert bob.types("D4") == ["ok"]


@pytest.mark.parametrize("older_table_first", [True, False])
def test_after_a_restart_one_who_changed_tables_sits_at_the_last_one(house, older_table_first):
    guests = bob_changes_tables(house, older_table_first)
    before = [standing(room) for room in house.hub.rooms.by_code.values()]
    house = house.again()
    assert [standing(room) for room in house.hub.rooms.by_code.values()] == before
    ada, bob, _ = house.all_back(*guests)
    assert bob.welcome.room == ada.welcome.room
    plays_on(ada, bob)


@pytest.mark.parametrize("older_table_first", [True, False])
def test_when_a_table_is_put_back_those_who_left_it_stay_where_they_are(house, older_table_first):
    ada, bob, cat = bob_changes_tables(house, older_table_first)
    refuses(house, cat, Chat, "come back!")
    plays_on(ada, bob)


def test_when_a_table_is_put_back_one_who_left_it_and_watches_another_goes_on_watching(house):
    _, bob, cat = bob_changes_tables(house, True)
    bob.says(Leave)
    dan, eve = house.enter("Dan"), house.enter("Eve")
    code = dan.opens("grid-conquest", first="host")
    eve.says(Join, code)
    bob.says(Watch, code)
    refuses(house, cat, Chat, "come back!")
    dan.types("C3")
    assert bob.sees.rev == dan.sees.rev
    bob.says(Leave)
    assert dan.where.watchers == 0
