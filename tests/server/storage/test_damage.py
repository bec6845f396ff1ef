"""A damaged store: whatever a disk has done to it, no wrong state is ever served.

A store of a few games is taken as a kill leaves it, damaged in one place, and opened. Then it is refused in one
sentence, or every room that it serves is as it was: after all of its events, or, where the log of the latest writes was
torn, after some of the first of them. Rooms that are neither are set aside. Whatever is lost is logged.
"""

import logging
import sqlite3
from contextlib import closing
from dataclasses import dataclass, field, replace
from itertools import pairwise
from math import inf, nextafter
from pathlib import Path
from random import Random

import pytest

from gridgames_protocol.messages import Again, Chat, Leave, Resign
from gridgames_server.core.room_events import GameOver, GameStarted, Record, RoomEvent, RoomOpened, SavedRoom
from gridgames_server.storage.compaction import compact
from gridgames_server.storage.log_reader import read_log
from gridgames_server.storage.store import StoreError, connect, side_path, write_copy
from gridgames_server.storage.writer import WENT_BACK, Writer
from tests.server.hub_harness import MIDDLES, play
from tests.server.stored_hub import Luck, Shelf, Shelved, StoredHub, copied, kept_in, standing, told

TORN, FLIPPED, IN_LOG, CELLS = 20, 24, 20, 24  # how many times each kind of damage is tried
LONG = 30  # times as many with --long: more than 2,000 files


@pytest.fixture
def many(long):
    """How many times as much is tried."""
    return LONG if long else 1


@dataclass
class Scenario:
    """A store, and what is true about it."""

    path: Path  # as it was left by a kill: the file and the log of the latest writes
    whole: Path  # as it was left by a clean end: one file
    compacted: Path  # after compaction
    saved: dict[tuple[int, int], SavedRoom]  # each room after so many of its events
    truth: dict[tuple[int, int], object]  # how it stood then
    rooms: dict[int, int]  # how many events each room had that was open at the end
    players: dict[int, tuple[str, bytes]]
    times: set[float]  # at which anything was done
    looked: set[tuple[int, int]] = field(default_factory=set)
    warnings: list[str] = field(default_factory=list)  # about the store that was opened last


def seen(server: StoredHub, number: int) -> object:
    """A room as everybody would be shown it, and as it is from within, but for the ids of plays."""
    room = next(room for room in server.hub.rooms.by_code.values() if room.number == number)
    shown = []
    for reader in (1, 2, None):
        holder = room.audience.seats[reader] if reader else None
        guest = Onlooker(reader) if holder is None else holder
        guest.session = 1
        shown.append(told(server.hub, room, guest, 0.0))
        guest.session = None
    names = {seat: holder and holder.name for seat, holder in room.audience.seats.items()}
    return standing(room) | {"seats": names}, shown


class Onlooker:
    """Somebody who looks at what a seat, or everybody, is shown."""

    def __init__(self, seat):
        self.seat, self.session, self.wants_state = seat, 1, True


class Warnings(logging.Handler):
    """Collects what the server warns of."""

    def __init__(self, found):
        super().__init__(logging.WARNING)
        self.found = found

    def emit(self, record):
        self.found.append(record.getMessage())


@pytest.fixture(scope="module")
def scenario(tmp_path_factory):
    scenario = play_scenario(tmp_path_factory)
    listener = Warnings(scenario.warnings)
    logging.getLogger("gridgames").addHandler(listener)
    yield scenario
    logging.getLogger("gridgames").removeHandler(listener)


def play_scenario(tmp_path_factory):
    folder = tmp_path_factory.mktemp("scenario")
    storage = Shelved(folder / "store")
    server = StoredHub(storage)
    tables = {}
    for game, lines in MIDDLES.items():
        tables[game] = server.table(game, f"a {game}"[:16], f"b {game}"[:16], clock=600)
        play(*tables[game], lines=lines)
        server.now += 1.0
    storage.store.execute("PRAGMA wal_checkpoint(FULL)")
    for ada, bob in tables.values():
        ada.says(Chat, "good night")
        bob.says(Resign)
        bob.says(Again)
    for guest in tables["grid-hunt"]:
        guest.says(Leave)
    killed = copied(storage.path, folder / "killed")
    kept = storage.saved()
    storage.close()
    saved = each_room_after_each_event(server)
    begin = {at: StoredHub(Shelf(), replace(kept, rooms=(room,))) for at, room in saved.items()}
    compacted = folder / "compacted"
    compacted.write_bytes(storage.path.read_bytes())
    with closing(connect(compacted)) as store:
        for _ in compact(store, read_log(store)):
            pass
    side_path(compacted, "last").write_bytes(side_path(storage.path, "last").read_bytes())
    return Scenario(
        killed,
        storage.path,
        compacted,
        saved,
        {at: seen(begin[at], at[0]) for at in saved},
        {room.opened.room: len(room.events) for room in kept.rooms},
        {one.player: (one.name, one.token_hash) for one in kept.players},
        {0.0, *(event.at for event in server.of(RoomEvent))},
    )


def each_room_after_each_event(server: StoredHub) -> dict[tuple[int, int], SavedRoom]:
    """Every room as it was saved after so many of its events."""
    latest, found = {}, {}
    for record in server.of(Record):
        if isinstance(record, RoomOpened):
            latest[record.room] = SavedRoom(record, ())
        elif isinstance(record, GameOver):
            latest[record.room] = replace(latest[record.room], game_number=record.game_number)
        elif isinstance(record, RoomEvent):
            was = latest[record.room]
            number = None if isinstance(record, GameStarted) else was.game_number
            latest[record.room] = SavedRoom(was.opened, (*was.events, record), number)
        found |= {(number, len(room.events)): room for number, room in latest.items()}
    return {at: room for at, room in found.items() if room.events}


def one_sentence(why: str) -> str:
    """Why a file is refused; nothing that was said by the players is quoted."""
    assert "\n" not in why
    assert "good night" not in why
    return why


def served(path: Path, scenario: Scenario) -> dict[int, int] | str:
    """After how many of its events each room is served, or why the file is refused; a wrong state is an error."""
    scenario.warnings.clear()
    try:
        kept = kept_in(path)
    except StoreError as refused:
        return one_sentence(str(refused))
    server = StoredHub(Shelf(), replace(kept, notice=""), Luck())
    for player in kept.players:
        assert scenario.players[player.player] == (player.name, player.token_hash), "nobody is somebody else"
    assert kept.now in scenario.times, "no clock has jumped"
    for room in kept.rooms:
        assert scenario.saved[room.opened.room, len(room.events)] == room, "a room's first events, and no other"
    sizes = {room.number: room.events for room in server.hub.rooms.by_code.values()}
    for number, size in sizes.items() - scenario.looked:  # the same events lead to the same state
        assert seen(server, number) == scenario.truth[number, size]
        scenario.looked.add((number, size))
    return sizes


def test_an_undamaged_store_serves_everything(scenario, tmp_path):
    assert served(copied(scenario.path, tmp_path / "killed"), scenario) == scenario.rooms
    assert served(copied(scenario.whole, tmp_path / "ended"), scenario) == scenario.rooms
    assert len(scenario.rooms) == 4


# Torn


def test_a_torn_log_serves_what_was_kept_before_the_tear(scenario, tmp_path, many):
    choose, before = Random(1), dict.fromkeys((number for number, _ in scenario.saved), 0)
    size = log_of(scenario.path).stat().st_size
    for cut in sorted([*choose.sample(range(size), many * TORN - 2), 0, size]):
        path = copied(scenario.path, tmp_path / str(cut))
        with log_of(path).open("r+b") as log:
            log.truncate(cut)
        found = served(path, scenario)
        assert isinstance(found, dict), "what is whole is served"
        assert bool(scenario.warnings) == (found != scenario.rooms), "and what is lost is told"
        assert all(found.get(number, before[number]) >= before[number] for number in before), "never less for more"
        before |= found
    assert found == scenario.rooms


def log_of(path):
    return path.with_name(path.name + "-wal")


def test_a_flipped_bit_in_the_log_serves_what_was_kept_before_it(scenario, tmp_path, many):
    choose, sizes = Random(2), []
    for number in range(many * IN_LOG):
        path = copied(scenario.path, tmp_path / str(number))
        flip(log_of(path), choose)
        sizes.append(served(path, scenario))
        assert bool(scenario.warnings) == (sizes[-1] != scenario.rooms)
    assert all(isinstance(found, dict) for found in sizes)
    assert len({tuple(found.items()) for found in sizes}) > 5


# Rotten


def flip(file: Path, choose: Random) -> None:
    """Turn one bit over."""
    content = bytearray(file.read_bytes())
    content[choose.randrange(len(content))] ^= 1 << choose.randrange(8)
    file.write_bytes(content)


@pytest.mark.parametrize("kind", ["whole", "compacted"])
def test_a_flipped_bit_in_the_file_never_leads_to_a_wrong_state(scenario, tmp_path, many, kind):
    choose, everything = Random(3), scenario.rooms
    refused = aside = 0
    for number in range(many * FLIPPED):
        path = copied(getattr(scenario, kind), tmp_path / str(number))
        flip(path, choose)
        found = served(path, scenario)
        if isinstance(found, str):
            refused += 1
        else:
            assert found == everything or scenario.warnings, "nothing is lost in silence"
            aside += found != everything
    assert refused >= many // LONG
    assert aside >= many


# Any column of any row


def changed(value):
    """Another value that looks like one."""
    match value:
        case int():
            return value ^ 1
        case float():
            return nextafter(value, inf)
        case str():
            return chr(ord(value[0]) ^ 1) + value[1:] if value else "x"
        case bytes():
            return bytes([value[0] ^ 1]) + value[1:] if value else b"x"
    return None


def cells(path):
    """Every column of every row that a server starts from: its table, its key, and what it holds."""
    with closing(sqlite3.connect(path)) as store:
        for table, key in {"log": "seq", "base": "seq", "starts": "copy"}.items():
            rows = store.execute(f"SELECT * FROM {table}")
            names = [column[0] for column in rows.description]
            for row in rows.fetchall():
                for name, value in zip(names, row, strict=True):
                    yield table, f"{key} = {row[0]}", name, value


@pytest.mark.parametrize("kind", ["whole", "compacted"])
def test_a_change_in_any_column_of_any_row_never_leads_to_a_wrong_state(scenario, tmp_path, many, kind):
    everything = scenario.rooms
    original, path, found_out = getattr(scenario, kind), tmp_path / "store", 0
    found = list(cells(original))
    for table, where, name, value in Random(4).sample(found, min(len(found), many * CELLS)):
        path.write_bytes(original.read_bytes())
        with closing(sqlite3.connect(path, isolation_level=None)) as store:
            (rooms,) = store.execute(
                f"SELECT {'1' if table == 'starts' else 'rooms'} FROM {table} WHERE {where}"
            ).fetchone()
            try:
                store.execute(f"UPDATE {table} SET {name} = ? WHERE {where}", (changed(value),))
            except sqlite3.IntegrityError:
                continue  # that row is there already
        found = served(path, scenario)
        assert isinstance(found, dict)
        assert found.items() <= everything.items()
        if table != "starts" and set(map(int, filter(None, rooms.split(",")))) & everything.keys():
            assert len(found) < len(everything), (table, where, name)
            found_out += 1
    assert found_out > 1


@pytest.mark.parametrize("copies", [(1,), (2,)])
def test_the_start_of_the_log_may_be_damaged_once(scenario, tmp_path, copies):
    path = tmp_path / "store"
    path.write_bytes(scenario.compacted.read_bytes())
    with closing(sqlite3.connect(path, isolation_level=None)) as store:
        store.execute(f"DELETE FROM starts WHERE copy IN ({copies[0]})")
    assert served(path, scenario) == scenario.rooms


def test_two_rows_that_are_swapped_are_both_found_out(scenario, tmp_path):
    path = tmp_path / "store"
    with closing(sqlite3.connect(scenario.whole)) as store:
        rows = store.execute("SELECT seq, rooms FROM log WHERE rooms <> '' AND rooms NOT LIKE '%,%'").fetchall()
    for (one, room), (other, another) in pairwise(rows):
        path.write_bytes(scenario.whole.read_bytes())
        with closing(sqlite3.connect(path, isolation_level=None)) as store:
            for before, after in ((one, -1), (other, one), (-1, other)):
                store.execute("UPDATE log SET seq = ? WHERE seq = ?", (after, before))
        found = served(path, scenario)
        assert found.items() <= scenario.rooms.items()
        assert not found.keys() & {int(room), int(another)}


def test_a_row_that_is_lost_in_the_middle_costs_no_room_that_was_played_in_later(scenario, tmp_path):
    path = tmp_path / "store"
    with closing(sqlite3.connect(scenario.whole)) as store:
        rows = store.execute("SELECT seq, rooms FROM log WHERE rooms <> ''").fetchall()
    for lost, (seq, named) in enumerate(rows[:-1]):
        path.write_bytes(scenario.whole.read_bytes())
        with closing(sqlite3.connect(path, isolation_level=None)) as store:
            store.execute("DELETE FROM log WHERE seq = ?", (seq,))
        found = served(path, scenario)
        later = {int(room) for _, rooms in rows[lost + 1 :] for room in rooms.split(",")}
        assert found.items() <= scenario.rooms.items()
        assert found.keys() >= (later & scenario.rooms.keys()) - {int(room) for room in named.split(",")}
        assert not found.keys() & {int(room) for room in named.split(",")}


def test_a_log_that_has_lost_its_end_is_noticed(scenario, tmp_path, caplog):
    path = copied(scenario.path, tmp_path / "killed")
    with log_of(path).open("r+b") as log:
        log.truncate(2_000)
    kept = kept_in(path)
    assert kept.notice == WENT_BACK
    assert [message.partition(" writes")[0] for message in caplog.messages][-1].startswith(
        "the store has lost the last "
    )
    server = StoredHub(Shelf(), kept, Luck())
    for room in server.hub.rooms.by_code.values():
        assert room.audience.latest[None][-1].text == WENT_BACK


def test_a_log_that_goes_further_than_the_note_of_its_end_is_nothing_to_worry_about(scenario, tmp_path, caplog):
    path = copied(scenario.path, tmp_path / "killed")
    side_path(path, "last").write_bytes(b"")
    assert kept_in(path).notice == ""
    assert caplog.messages == []


def test_a_backup_that_lacks_later_writes_is_taken_only_by_a_host_who_gives_them_up(tmp_path):
    storage = Shelved(tmp_path / "store")
    server = StoredHub(storage)
    ada, bob = server.table("grid-conquest")
    assert write_copy(storage.store, str(tmp_path / "backup")) == ""
    play(ada, bob, lines=MIDDLES["grid-conquest"])
    written = storage.seq
    storage.close()
    path = storage.path
    path.write_bytes((tmp_path / "backup").read_bytes())
    with pytest.raises(StoreError) as refused:
        kept_in(path)
    lost = len(MIDDLES["grid-conquest"])
    assert str(refused.value) == (
        f"the store {path} is a backup, and {lost} later writes are not in it. "
        f"To lose them, start once with --give-up {lost}"
    )
    storage = Writer(path, print, print, give_up=lost)
    assert storage.load().notice == WENT_BACK
    storage.start()
    storage.close()
    assert (kept_in(path).notice, storage.seq) == ("", written - lost)


def test_a_backup_in_a_place_of_its_own_is_a_store_like_any_other(scenario, tmp_path):
    with closing(connect(copied(scenario.path, tmp_path / "killed"))) as store:
        assert write_copy(store, str(tmp_path / "backup")) == ""
    assert served(tmp_path / "backup", scenario) == scenario.rooms
