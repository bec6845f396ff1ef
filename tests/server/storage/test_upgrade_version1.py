"""A store of version 1 is converted when a server starts on it, and loses nothing that was sound."""

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from gridgames_protocol.messages import AskHistory, AskStandings
from gridgames_server.admin import subcommands
from gridgames_server.core.room_events import ChatSaid, LinePlayed
from gridgames_server.storage.finished_games import run_query
from gridgames_server.storage.store import SCHEMA
from tests.server.hub_harness import MIDDLES
from tests.server.stored_hub import Shelved, StoredHub, kept_in

DUMP = Path(__file__).with_name("version1.sql")  # rooms 1 to 5 with a game each; one event of room 2 has been changed


@pytest.fixture
def path(tmp_path):
    path = tmp_path / "server.sqlite"
    with closing(sqlite3.connect(path)) as store:
        store.executescript(DUMP.read_text())
        store.execute("PRAGMA journal_mode=WAL")
    return path


def test_open_rooms_go_on_and_a_damaged_one_is_left_out(path, caplog):
    storage = Shelved(path)
    rooms = {room.opened.room: room for room in storage.begin.rooms}
    assert list(rooms) == [1, 3, 4, 5]
    assert "room 2 is damaged and is left out" in caplog.messages
    for number, room in rooms.items():
        lines = tuple((event.seat, event.line) for event in room.events if isinstance(event, LinePlayed))
        assert lines == MIDDLES[room.opened.game], number
    assert [event.text for event in rooms[3].events if isinstance(event, ChatSaid)] == ["what a night"]
    server = StoredHub(storage, storage.begin)
    assert [room.state for room in server.hub.rooms.by_code.values()] == ["playing", "playing", "over", "playing"]
    assert [room.games for room in server.hub.rooms.by_code.values()] == [1, 2, 1, 1]
    assert (storage.begin.next_player, storage.begin.next_room) == (13, 7)
    storage.close()


def test_players_finished_games_and_standings_are_there(path):
    storage = Shelved(path)
    assert len(storage.begin.players) == 12
    assert {player.last_play is not None for player in storage.begin.players} == {True, False}
    games = run_query(storage.store, AskHistory(1), 5).games
    assert [(game.game, game.winner, game.reason) for game in games] == [("grid-conquest", 1, "resigned")]
    rows = run_query(storage.store, AskStandings(1), 5).rows
    assert sum(played for _, played, _, _ in rows) == 6
    assert rows[0][1:] == (1, 1, 0)
    storage.close()


def test_it_is_converted_once_and_is_a_sound_store_then(path):
    before = kept_in(path)
    with closing(sqlite3.connect(path)) as store:
        assert store.execute("PRAGMA user_version").fetchone() == (SCHEMA,)
        assert store.execute("SELECT room, why FROM quarantine").fetchall() == [(2, "damaged")]
    assert kept_in(path).rooms == before.rooms
    assert subcommands.check_store(path) == []


def test_nothing_has_happened_if_it_is_cut_short(path, monkeypatch):
    from gridgames_server.storage import upgrade_version1

    def fail(*_):
        raise sqlite3.OperationalError("database or disk is full")

    with monkeypatch.context() as patch:
        patch.setattr(upgrade_version1, "write_start", fail)
        with pytest.raises(Exception, match="disk is full"):
            kept_in(path)
    assert len(kept_in(path).rooms) == 4
