"""Who sits where, when rooms are brought back: one who has left a table is not taken from where they sit now."""

import pytest

from gridgames_protocol.messages import Join, Leave
from tests.server.stored_hub import Shelf, StoredHub, standing


@pytest.fixture
def server():
    return StoredHub(Shelf())


def bob_changes_tables(server, older_table_first):
    """Bob leaves Cat's table and sits down at Ada's."""
    ada, bob, cat = (server.enter(name) for name in ("Ada", "Bob", "Cat"))
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
def test_after_a_restart_one_who_changed_tables_sits_at_the_last_one(server, older_table_first):
    guests = bob_changes_tables(server, older_table_first)
    before = [standing(room) for room in server.hub.rooms.by_code.values()]
    server = server.again()
    assert [standing(room) for room in server.hub.rooms.by_code.values()] == before
    ada, bob, _ = server.all_back(*guests)
    assert bob.welcome.room == ada.welcome.room
    plays_on(ada, bob)
