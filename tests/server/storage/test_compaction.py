"""Compaction: what is open stays as it was, what is over goes, and it may be cut short at any point."""

import sqlite3
import threading
from contextlib import closing

import pytest

from gridgames_protocol.messages import Again, Chat, Leave, Resign
from gridgames_server.core.limits import ROOM_LOG
from gridgames_server.core.room_events import ChatSaid, PlayerNamed, RoomClosed, RoomOpened, SeatTaken
from gridgames_server.storage import writer
from gridgames_server.storage.compaction import compact
from gridgames_server.storage.log_reader import read_log
from gridgames_server.storage.store import connect
from tests.server.hub_harness import MIDDLES, play
from tests.server.stored_hub import Shelved, StoredHub, copied, kept_in, standing

ADA = PlayerNamed(1, "Ada", "ada", b"a" * 32)
ROOM = RoomOpened(1, "ABC234", "grid-hunt", "host", False, None, "10.0.0.1")


def compact_all(path):
    with closing(connect(path)) as store:
        for _ in compact(store, read_log(store)):
            pass


def play_scenario(path):
    """A table of each game, in the middle of the third game after two that were resigned; one table has been left."""
    server = StoredHub(Shelved(path))
    tables = {game: server.table(game, f"a {game}"[:16], f"b {game}"[:16]) for game in MIDDLES}
    for game, (ada, bob) in tables.items():
        play(ada, bob, lines=MIDDLES[game])
        for _ in range(2):
            ada.says(Resign)
            ada.says(Again), bob.says(Again)
        ada.says(Chat, "what a night")
        play(ada, bob, lines=MIDDLES[game])
        server.now += 1.0
    for guest in tables["grid-hunt"]:
        guest.says(Leave)
    return server, tables


def live(server):
    return {room.number: standing(room) for room in server.hub.rooms.by_code.values()}


def test_rooms_are_what_they_were_and_go_on(tmp_path):
    server, tables = play_scenario(tmp_path / "store")
    before = live(server)
    server.storage.close()
    compact_all(server.storage.path)
    storage = Shelved(server.storage.path)
    server = StoredHub(storage, storage.begin, server.luck)
    assert live(server) == before
    lengths = {len(room.events) for room in storage.begin.rooms}
    assert lengths <= set(range(8)), "two seats, one chat, the start of the game on the table and its lines"
    ada, bob = server.all_back(*tables["grid-conquest"])
    score = sum(ada.where.score)
    ada.says(Resign)
    assert (sum(ada.where.score), bob.where.number) == (score + 1, 3)
    storage.close()


def test_of_what_was_said_only_as_much_is_kept_as_is_told_again(tmp_path):
    server = StoredHub(Shelved(tmp_path / "store"))
    ada, bob = server.table("grid-conquest")
    for number in range(3 * ROOM_LOG):
        server.now += 30.0  # nobody talks too fast
        ada.says(Chat, f"chat {number}")
    before = live(server), server.would_read(bob)
    server.storage.close()
    compact_all(server.storage.path)
    storage = Shelved(server.storage.path)
    assert sum(isinstance(event, ChatSaid) for event in storage.begin.rooms[0].events) == ROOM_LOG
    server = StoredHub(storage, storage.begin, server.luck)
    ada, bob = server.all_back(ada, bob)
    assert live(server) == before[0]
    assert server.would_read(bob)[3:] == before[1][5:], "but for the two who are back"
    storage.close()


def test_a_closed_room_leaves_nothing_behind(tmp_path):
    storage = Shelved(tmp_path / "store")
    keep(storage, ADA, ROOM, SeatTaken(1, 1, 1_000.0, 1, 1), ChatSaid(1, 2, 1_001.0, 1, "Ada", "rosebud"))
    keep(storage, RoomClosed(1))
    storage.close()
    compact_all(storage.path)
    with closing(sqlite3.connect(storage.path)) as store:
        assert store.execute("SELECT count(*) FROM log").fetchone() == (0,)
        assert store.execute("SELECT group_concat(rooms, '') FROM base").fetchone() == ("",)
    assert (kept_in(storage.path).next_room, [player.name for player in kept_in(storage.path).players]) == (2, ["Ada"])


def keep(storage, *records):
    storage.save(list(records), lambda: None)


class Cut(Exception):
    """The server is killed here."""


def test_it_may_be_cut_short_before_every_statement(tmp_path):
    server, _ = play_scenario(tmp_path / "store")
    server.storage.close()
    truth, statements = kept_in(server.storage.path), []
    with closing(connect(copied(server.storage.path, tmp_path / "counted"))) as store:
        ledger = read_log(store)
        store.set_trace_callback(statements.append)
        for _ in compact(store, ledger):
            pass
    assert len(statements) > 20
    for cut in range(len(statements)):
        path, left = copied(server.storage.path, tmp_path / str(cut)), iter(range(cut))

        def kill(statement, path=path, left=left, cut=cut):
            if next(left, None) is None and not path.with_name("killed").exists():
                copied(path, path.with_name("killed"))

        with closing(connect(path)) as store:
            ledger = read_log(store)
            store.set_trace_callback(kill)
            for _ in compact(store, ledger):
                pass
            store.set_trace_callback(None)
        killed = kept_in(path.with_name("killed") / path.name)
        assert rooms_of(killed) in (rooms_of(truth), rooms_of(kept_in(path))), statements[cut]
        assert (killed.players, killed.now, killed.broken) == (truth.players, truth.now, ())
        compact_all(path.with_name("killed") / path.name)
        assert rooms_of(kept_in(path.with_name("killed") / path.name)) == rooms_of(kept_in(path)), "and tried again"


def rooms_of(snapshot):
    return {room.opened: room.events for room in snapshot.rooms}


def test_while_the_server_runs_it_goes_on_between_commits(tmp_path, monkeypatch):
    monkeypatch.setattr(writer, "COMPACT_AT", 5_000)
    storage = Shelved(tmp_path / "store")
    keep(storage, ADA, ROOM, SeatTaken(1, 1, 1_000.0, 1, 1))
    begun, done = threading.Event(), threading.Event()
    steps = storage._compact

    def watched(*given):
        begun.set()
        steps(*given)
        if not storage.is_compacting:
            done.set()

    monkeypatch.setattr(storage, "_compact", watched)
    number = 1
    while not done.is_set():
        number += 1
        keep(storage, ChatSaid(1, number, 1_000.0 + number, 1, "Ada", "x" * 200))
    assert begun.is_set()
    assert storage.log_size < 5_000 + 2 * storage.base_size
    keep(storage, ChatSaid(1, number + 1, 5_000.0, 1, "Ada", "the end"))
    storage.close()
    (room,) = kept_in(storage.path).rooms
    assert room.events[-1] == ChatSaid(1, number + 1, 5_000.0, 1, "Ada", "the end")
    assert [event.number for event in room.events][-10:] == list(range(number - 8, number + 2))


def no_descriptors(path):
    raise sqlite3.OperationalError("unable to open database file")


def no_threads(self):
    raise RuntimeError("can't start new thread")


def no_space(self):
    error = sqlite3.OperationalError("database or disk is full")
    error.sqlite_errorcode = sqlite3.SQLITE_FULL
    raise error


@pytest.mark.parametrize(
    ("place", "name", "fail"),
    [
        (writer, "connect_reader", no_descriptors),
        (threading.Thread, "start", no_threads),
        (Shelved, "_archive", no_space),
    ],
)
def test_one_that_fails_is_tried_again_when_the_log_has_grown(tmp_path, monkeypatch, place, name, fail):
    monkeypatch.setattr(writer, "COMPACT_AT", 5_000)
    monkeypatch.setattr(writer, "TIDY_AT", 2_000)
    storage, failed, compacted = Shelved(tmp_path / "store"), threading.Event(), threading.Event()
    keep(storage, ADA, ROOM, SeatTaken(1, 1, 1_000.0, 1, 1))
    real, settle = getattr(place, name), storage._set_base_size

    def fail_once(*given):
        if failed.is_set():
            return real(*given)
        failed.set()
        return fail(*given)

    monkeypatch.setattr(place, name, fail_once)
    monkeypatch.setattr(storage, "_set_base_size", lambda: (settle(), compacted.set()))
    number = 1
    while not compacted.is_set():
        number += 1
        keep(storage, ChatSaid(1, number, 1_000.0 + number, 1, "Ada", "x" * 200))
        assert number < 5_000, "the log grows for ever"
    assert failed.is_set()
    assert storage.log_size < 5_000 + 2 * storage.base_size
    storage.close()
    assert kept_in(storage.path).rooms[0].events[-1].number == number


def test_a_store_is_closed_when_nothing_reads_it_any_more(tmp_path, monkeypatch):
    monkeypatch.setattr(writer, "COMPACT_AT", 1_000)
    storage, begun = Shelved(tmp_path / "store"), threading.Event()
    read = writer.read_whole_log

    def read_late(*given):
        begun.set()
        storage.thread.join(20)
        return read(*given)

    monkeypatch.setattr(writer, "read_whole_log", read_late)
    keep(storage, ADA, ROOM, SeatTaken(1, 1, 1_000.0, 1, 1), ChatSaid(1, 2, 1_002.0, 1, "Ada", "x" * 2_000))
    assert begun.wait(20)
    storage.close()
    assert "compaction" not in {thread.name for thread in threading.enumerate()}


def test_the_file_does_not_grow_with_what_is_over(tmp_path):
    storage, sizes = Shelved(tmp_path / "store"), []
    keep(storage, ADA, ROOM, SeatTaken(1, 1, 1_000.0, 1, 1))
    number = 1
    for _ in range(4):
        for _ in range(1_000):
            number += 1
            keep(storage, ChatSaid(1, number, 1_000.0 + number, 1, "Ada", "x" * 300))
        storage.close()
        compact_all(storage.path)
        sizes.append(storage.path.stat().st_size)
        storage = Shelved(storage.path)
    storage.close()
    assert max(sizes) < 400_000, "a thousand chats take more"
