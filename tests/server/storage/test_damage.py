"""A damaged store: whatever a disk has done to it, no wrong state is ever served.

A store of a few games is taken as a kill leaves it, damaged in one place, and opened. Then it is refused in one
sentence, or every room that it serves is as it was: after all of its deeds, or, where the log of the latest writes was
torn, after some of the first of them. Rooms that are neither are set aside.
"""

import sqlite3
from contextlib import closing
from dataclasses import dataclass, field, replace
from math import inf, nextafter
from pathlib import Path
from random import Random

import pytest

from gridgames_protocol.messages import Again, Chat, Leave, Resign
from gridgames_server.deeds import Deed, RoomOpened, SavedRoom
from gridgames_server.store import StoreError
from tests.server.house import MIDDLES, play
from tests.server.kept import KeptHouse, Luck, Shelf, Shelved, copied, kept_in, standing, told

TORN, FLIPPED, IN_LOG = 400, 500, 200  # how many times each kind of damage is tried


@dataclass
class Evening:
    """A store, and what is true about it."""

    path: Path  # as it was left by a kill: the file and the log of the latest writes
    whole: Path  # as it was left by a clean end: one file
    saved: dict[tuple[int, int], SavedRoom]  # each room after so many of its deeds
    truth: dict[tuple[int, int], object]  # how it stood then
    rooms: dict[int, int]  # how many deeds each room had that was open at the end
    players: dict[int, tuple[str, bytes]]
    times: set[float]  # at which anything was done
    looked: set[tuple[int, int]] = field(default_factory=set)


def seen(house: KeptHouse, number: int) -> object:
    """A room as everybody would be shown it, and as it is from within, but for the ids of plays."""
    room = next(room for room in house.hub.rooms.by_code.values() if room.number == number)
    shown = []
    for reader in (1, 2, None):
        holder = room.here.seats[reader] if reader else None
        guest = Onlooker(reader) if holder is None else holder
        guest.session = 1
        shown.append(told(house.hub, room, guest, 0.0))
        guest.session = None
    names = {seat: holder and holder.name for seat, holder in room.here.seats.items()}
    return standing(room) | {"seats": names}, shown


class Onlooker:
    """Somebody who looks at what a seat, or everybody, is shown."""

    def __init__(self, seat):
        self.seat, self.session = seat, 1


@pytest.fixture(scope="module")
def evening(tmp_path_factory):
    folder = tmp_path_factory.mktemp("evening")
    journal = Shelved(folder / "store")
    house = KeptHouse(journal)
    tables = {}
    for game, lines in MIDDLES.items():
        tables[game] = house.table(game, f"a {game}"[:16], f"b {game}"[:16], clock=600)
        play(*tables[game], lines=lines)
        house.now += 1.0
    journal.store.execute("PRAGMA wal_checkpoint(FULL)")
    for ada, bob in tables.values():
        ada.says(Chat, "good night")
        bob.says(Resign)
        bob.says(Again)
    for guest in tables["grid-hunt"]:
        guest.says(Leave)
    killed = copied(journal.path, folder / "killed")
    kept = journal.load()
    journal.close()
    saved = {}
    for opened in house.of(RoomOpened):
        own = tuple(deed for deed in house.of(Deed) if deed.room == opened.room)
        saved |= {(opened.room, size): SavedRoom(opened, own[:size]) for size in range(1, len(own) + 1)}
    begin = {at: KeptHouse(Shelf(), replace(kept, rooms=(room,))) for at, room in saved.items()}
    return Evening(
        killed,
        journal.path,
        saved,
        {at: seen(begin[at], at[0]) for at in saved},
        {room.opened.room: len(room.deeds) for room in kept.rooms},
        {one.player: (one.name, one.token_hash) for one in kept.players},
        {0.0, *(deed.at for deed in house.of(Deed))},
    )


def one_sentence(why: str) -> str:
    """Why a file is refused; nothing that was said by the players is quoted."""
    assert "\n" not in why
    assert "good night" not in why
    return why


def served(path: Path, evening: Evening) -> dict[int, int] | str:
    """After how many of its deeds each room is served, or why the file is refused; a wrong state is an error."""
    try:
        kept = kept_in(path)
    except StoreError as refused:
        return one_sentence(str(refused))
    house = KeptHouse(Shelf(), kept, Luck())
    for player in kept.players:
        assert evening.players[player.player] == (player.name, player.token_hash), "nobody is somebody else"
    assert kept.now in evening.times, "no clock has jumped"
    for room in kept.rooms:
        assert evening.saved[room.opened.room, len(room.deeds)] == room, "a room's first deeds, and no other"
    sizes = {room.number: room.deeds for room in house.hub.rooms.by_code.values()}
    for number, size in sizes.items() - evening.looked:  # the same deeds lead to the same state
        assert seen(house, number) == evening.truth[number, size]
        evening.looked.add((number, size))
    return sizes


def test_an_undamaged_store_serves_everything(evening, tmp_path):
    assert served(copied(evening.path, tmp_path / "killed"), evening) == evening.rooms
    assert served(copied(evening.whole, tmp_path / "ended"), evening) == evening.rooms
    assert len(evening.rooms) == 4


# Torn


def test_a_torn_log_serves_what_was_kept_before_the_tear(evening, tmp_path):
    choose, before = Random(1), dict.fromkeys((number for number, _ in evening.saved), 0)
    size = log_of(evening.path).stat().st_size
    for cut in sorted([*choose.sample(range(size), TORN - 2), 0, size]):
        path = copied(evening.path, tmp_path / str(cut))
        with log_of(path).open("r+b") as log:
            log.truncate(cut)
        found = served(path, evening)
        assert isinstance(found, dict), "what is whole is served"
        assert all(found.get(number, before[number]) >= before[number] for number in before), "never less for more"
        before |= found
    assert found == evening.rooms


def log_of(path):
    return path.with_name(path.name + "-wal")


def test_a_flipped_bit_in_the_log_serves_what_was_kept_before_it(evening, tmp_path):
    choose, sizes = Random(2), []
    for number in range(IN_LOG):
        path = copied(evening.path, tmp_path / str(number))
        flip(log_of(path), choose)
        sizes.append(served(path, evening))
    assert all(isinstance(found, dict) for found in sizes)
    assert len({tuple(found.items()) for found in sizes}) > 10


# Rotten


def flip(file: Path, choose: Random) -> None:
    """Turn one bit over."""
    content = bytearray(file.read_bytes())
    content[choose.randrange(len(content))] ^= 1 << choose.randrange(8)
    file.write_bytes(content)


def test_a_flipped_bit_in_the_file_never_leads_to_a_wrong_state(evening, tmp_path):
    choose, everything = Random(3), evening.rooms
    refused = aside = 0
    for number in range(FLIPPED):
        path = tmp_path / str(number)
        path.write_bytes(evening.whole.read_bytes())
        flip(path, choose)
        found = served(path, evening)
        if isinstance(found, str):
            refused += 1
        else:
            assert found.items() <= everything.items(), "all of a room's deeds, or the room is set aside"
            aside += found != everything
    assert refused > 0
    assert aside > 20


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


HARMLESS = {("players", "seen"), ("rooms", "aside"), ("meta", "one")}


def cells(path):
    """Every column of every row that a server starts from: its table, its key, and what it holds."""
    keys = {"players": ["player"], "rooms": ["room"], "deeds": ["room", "number"], "meta": ["one"]}
    with closing(sqlite3.connect(path)) as store:
        for table, key in keys.items():
            rows = store.execute(f"SELECT * FROM {table}")
            names = [column[0] for column in rows.description]
            for row in rows.fetchall():
                at = {name: row[names.index(name)] for name in key}
                for name, value in zip(names, row, strict=True):
                    if (table, name) not in HARMLESS:
                        yield table, at, name, value


def test_a_change_in_any_column_of_any_row_never_leads_to_a_wrong_state(evening, tmp_path):
    everything = evening.rooms
    path, choose = tmp_path / "store", Random(4)
    for table, at, name, value in list(cells(evening.whole)):
        if changed(value) is None or (table == "deeds" and choose.random() < 0.6):  # there are many deeds
            continue
        path.write_bytes(evening.whole.read_bytes())
        where = " AND ".join(f"{key} = {own}" for key, own in at.items())
        with closing(sqlite3.connect(path, isolation_level=None)) as store:
            try:
                store.execute(f"UPDATE {table} SET {name} = ? WHERE {where}", (changed(value),))
            except sqlite3.IntegrityError:
                continue  # that row is there already
        found = served(path, evening)
        assert isinstance(found, dict)
        assert found.items() <= everything.items()
        if table in ("rooms", "deeds"):
            assert len(found) < len(everything), (table, at, name)


def test_a_room_that_lost_its_last_deeds_is_set_aside(evening, tmp_path):
    everything = evening.rooms
    for number, size in everything.items():
        path = tmp_path / str(number)
        path.write_bytes(evening.whole.read_bytes())
        with closing(sqlite3.connect(path, isolation_level=None)) as store:
            store.execute("DELETE FROM deeds WHERE room = ? AND number = ?", (number, size))
        assert served(path, evening) == {other: size for other, size in everything.items() if other != number}
