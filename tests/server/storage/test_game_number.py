"""The number of a finished game: `over` says it, the history takes it, and it is never given twice."""

from dataclasses import replace

import pytest

from gridgames_protocol.messages import Again, AskHistory, AskReplay, Over, Replay, Resign
from gridgames_server.storage.compaction import compact
from gridgames_server.storage.store import KeepLimits, connect_reader
from gridgames_server.storage.writer import Writer, read_whole_log
from tests.server.hub_harness import HubHarness
from tests.server.storage.poor_disks import kept
from tests.server.stored_games import resigned
from tests.server.stored_hub import Shelf, Shelved, StoredHub, kept_in
from tests.server.tcp_tables import sit_down
from tests.wire import run


@pytest.fixture
def path(tmp_path):
    return tmp_path / "store"


def numbers(guest):
    return [over.number for over in guest.reads(Over)]


def test_games_are_numbered_in_the_order_in_which_they_end():
    server = StoredHub(Shelf())
    ada, bob = server.table("grid-conquest")
    cat, dan = server.table("grid-hunt", "Cat", "Dan")
    dan.says(Resign)
    ada.says(Resign)
    assert [numbers(guest) for guest in (cat, dan, ada, bob)] == [[1], [1], [2], [2]]
    for guest in (ada, bob):
        guest.says(Again)
    bob.says(Resign)
    assert numbers(ada) == [3]


def test_a_game_that_both_gave_up_has_no_number():
    server = StoredHub(Shelf())
    ada, bob = server.table("grid-conquest")
    for guest in (ada, bob):
        guest.says(Again)
    assert numbers(ada) == [None]
    ada.says(Resign)
    assert numbers(bob) == [None, 1]


def test_without_a_store_games_have_no_number():
    server = HubHarness()
    ada, _ = server.table("grid-conquest")
    ada.says(Resign)
    assert numbers(ada) == [None]


def test_the_number_is_said_again_and_counting_goes_on_after_a_restart():
    server = StoredHub(Shelf())
    ada, _ = server.table("grid-conquest")
    cat, _ = server.table("grid-hunt", "Cat", "Dan")
    ada.says(Resign)
    server = server.again()
    ada, cat = server.back(ada), server.back(cat)
    assert numbers(ada) == [1]
    cat.says(Resign)
    assert numbers(cat) == [2]


def test_the_number_survives_compaction_and_the_removal_of_all_old_games(path):
    server = StoredHub(Shelved(path))
    ada, _ = server.table("grid-conquest")
    cat, dan = server.table("grid-hunt", "Cat", "Dan")
    for number in (1, 2, 3):
        dan.says(Resign)
        assert numbers(cat) == [number]
        cat.says(Again)
        dan.says(Again)
    ada.says(Resign)
    server.storage.close()
    storage = Writer(path, lambda call: call(), print, KeepLimits(days=1))
    storage.load()
    for _ in compact(storage.store, read_whole_log(storage.store)):
        pass
    storage.store.execute("DELETE FROM games")
    assert storage.store.execute("SELECT count(*) FROM log").fetchone() == (0,)
    storage.close()
    assert kept_in(path).last_game == 4
    server = StoredHub(storage := Shelved(path), storage.begin, server.luck)
    ada, cat = server.back(ada), server.back(cat)
    assert numbers(ada) == [4]
    cat.says(Resign)
    assert numbers(cat) == [5]
    storage.close()


def test_the_archive_takes_each_number_once(path):
    storage = Shelved(path)
    game = replace(resigned(players=(1, 2)), game_number=7)
    storage.save([game], lambda: None)
    storage._archive()
    storage.store.execute("DELETE FROM notes")  # as if the archive did not know how far it had come
    storage.close()
    storage = Shelved(path)
    reader = connect_reader(path)
    assert reader.execute("SELECT game_number FROM games").fetchall() == [(7,)]
    assert reader.execute("SELECT DISTINCT played FROM standings").fetchall() == [(1,)]
    assert storage.begin.last_game == 7
    reader.close()
    storage.close()


def test_the_number_that_over_says_is_what_history_and_replay_take(path):
    async def scenario():
        async with kept(path, Writer) as server:
            table = await sit_down(server, "grid-conquest")
            ada, _ = table.seats.values()
            server.service.hub.rooms.last_game = 41
            await ada.says(Resign)
            assert (await ada.sees(Over)).number == 42
            assert [game.number for game in (await ada.says(AskHistory)).games] == [42]
            assert isinstance(await ada.says(AskReplay, game=42, step=0, eyes=1), Replay)

    run(scenario())
