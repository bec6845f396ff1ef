"""The command `check`: it finds whatever is wrong with a store."""

import sqlite3
import subprocess
from contextlib import closing

import pytest

from gridgames_server.admin import subcommands
from gridgames_server.storage.finished_games import GAME
from gridgames_server.storage.packing import make_seal
from gridgames_server.storage.side_files import LastWrite
from gridgames_server.storage.store import PAGE_SIZE, StoreError, connect, side_path
from tests.server.admin.host_store import SOUND, does, kept_games, mode
from tests.wire import PROGRAM, environment


def harm(path, *commands):
    """Change a store behind its server's back."""
    opened = sqlite3.connect(path)
    for sql in commands:
        assert opened.execute(sql).rowcount, "something was harmed"
    opened.commit()
    opened.close()


def seal(path):
    """Seal every finished game anew, as a server would that had written it so."""
    opened = sqlite3.connect(path)
    for number, *row in opened.execute(f"SELECT game_number, {GAME} FROM games").fetchall():
        opened.execute("UPDATE games SET seal = ? WHERE game_number = ?", (make_seal("game", *row), number))
    opened.commit()
    opened.close()


def test_a_sound_store_is_sound_and_stays_as_it_is(store, capsys):
    games = kept_games(store)
    assert does(capsys, "check", store) == does(capsys, "check", store) == SOUND
    assert (kept_games(store), mode(store)) == (games, "0o600")


CHANGED = "row {} of the log is damaged: rooms 1 may be affected"
UNREADABLE = "row {} of the log is damaged: any room may be affected"
GONE = "room 1 can't be restored"
LAST = "(SELECT max(seq) FROM log WHERE rooms = '1')"


@pytest.mark.parametrize(
    ("sql", "faults"),
    [
        ("UPDATE log SET records = zeroblob(20) WHERE seq = 5", [CHANGED.format(5), GONE]),
        ("UPDATE log SET at = at + 1 WHERE seq = 5", [UNREADABLE.format(5), GONE]),
        ("UPDATE log SET rooms = '2' WHERE seq = 5", [UNREADABLE.format(5), GONE]),
        ("UPDATE log SET link = zeroblob(20) WHERE seq = 5", [UNREADABLE.format(5), GONE]),
        ("DELETE FROM log WHERE seq = 5", ["1 rows before row 6 of the log are missing", GONE]),
        ("UPDATE log SET records = zeroblob(20) WHERE seq = 3", [CHANGED.format(3), GONE]),
    ],
)
def test_a_room_that_was_changed_is_found(store, capsys, sql, faults):
    harm(store, sql)
    assert does(capsys, "check", store) == (1, "\n".join(faults))


@pytest.mark.parametrize(
    ("sql", "fault"),
    [
        ("UPDATE games SET lines = '[[1,' WHERE game_number = 4", "game 4 can't be replayed"),
        ("UPDATE games SET lines = '[]' WHERE game_number = 4", "game 4 has another result by the rules"),
        ("UPDATE games SET winner = 3 - winner WHERE game_number = 4", "game 4 has another result by the rules"),
        ("UPDATE games SET winner = NULL WHERE game_number = 4", "game 4 has another result by the rules"),
        ("UPDATE games SET reason = 'resigned' WHERE game_number = 4", "game 4 has another result by the rules"),
        ("UPDATE games SET reason = 'agreed' WHERE game_number = 4", "game 4 has another result by the rules"),
        ("UPDATE games SET reason = 'treasure' WHERE game_number = 6", "game 6 has another result by the rules"),
        ("UPDATE games SET reason = 'forfeit' WHERE game_number = 6", "game 6 has another result by the rules"),
        ("UPDATE games SET reason = 'length' WHERE game_number = 6", "game 6 has another result by the rules"),
        ("UPDATE games SET first = 3 - first WHERE game_number = 1", "game 1 can't be replayed"),
    ],
)
def test_check_finds_a_changed_game_by_its_seal_and_a_wrong_one_by_the_rules(store, capsys, sql, fault):
    harm(store, sql)
    number = int(sql[-1])
    assert does(capsys, "check", store) == (1, f"game {number} is damaged")
    assert number not in [game.number for game in kept_games(store)]
    seal(store)
    assert does(capsys, "check", store) == (1, fault)


def test_everything_that_is_wrong_is_said_at_once(store, capsys):
    harm(store, "UPDATE games SET lines = '' WHERE game_number < 3", "UPDATE log SET records = x'00' WHERE seq = 5")
    code, said = does(capsys, "check", store)
    assert (code, said.splitlines()) == (
        1,
        [CHANGED.format(5), GONE, "game 1 is damaged", "game 2 is damaged"],
    )


def test_a_game_of_older_rules_is_taken_as_it_is(store, capsys):
    harm(
        store,
        "UPDATE games SET edition = 0, winner = 3 - winner",
        "UPDATE games SET game = 'chess' WHERE game_number = 2",
    )
    seal(store)
    assert does(capsys, "check", store) == SOUND


def test_a_page_that_the_disk_has_lost_is_found(store, capsys):
    bytes_kept = bytearray(store.read_bytes())
    at = bytes_kept.index(b"QUERY")  # in the lines of a finished game
    page = at - at % PAGE_SIZE
    bytes_kept[page : page + PAGE_SIZE] = b"\xff" * PAGE_SIZE
    store.write_bytes(bytes_kept)
    code, said = does(capsys, "check", store)
    assert code == 1
    assert said.startswith(("the store is damaged: ", "SQLite says: "))


@pytest.mark.parametrize(
    ("sql", "fault"),
    [
        ("PRAGMA user_version = 99", "the store {} was made by a newer gridgames: update this one"),
        ("PRAGMA application_id = 7", "{} is some other program's file"),
        ("DROP TABLE log", "the store is damaged: no such table: log"),
    ],
)
def test_what_is_no_store_of_this_program_is_not_taken_for_one(store, capsys, sql, fault):
    opened = sqlite3.connect(store)
    opened.execute(sql)
    opened.close()
    assert does(capsys, "check", store) == (1, fault.format(store))


def test_what_is_no_store_at_all_is_said_so(tmp_path, capsys):
    missing, letter = tmp_path / "missing.sqlite", tmp_path / "letter.txt"
    letter.write_text("dear Bob, " * 1_000)
    assert does(capsys, "check", missing) == (1, f"there is no store at {missing}")
    assert not missing.exists()
    code, said = does(capsys, "check", letter)
    assert (code, said.partition(" (")[0]) == (1, f"the store {letter} is damaged")
    assert does(capsys, "check", tmp_path) == (1, f"can't use the store {tmp_path}: Is a directory")


def test_an_empty_database_of_another_program_is_not_made_a_store(tmp_path, capsys):
    path, backup = tmp_path / "empty.sqlite", tmp_path / "backup.sqlite"
    with closing(sqlite3.connect(path, isolation_level=None)) as other:
        other.execute("PRAGMA user_version = 3")
    before = path.read_bytes()
    assert does(capsys, "check", path) == (1, f"{path} is some other program's file")
    assert does(capsys, "backup", backup, "--store", path) == (1, f"{path} is some other program's file")
    assert (path.read_bytes(), list(tmp_path.iterdir())) == (before, [path])


def test_a_store_that_can_only_be_read_can_be_checked(store, capsys):
    store.chmod(0o400)
    store.parent.chmod(0o500)
    try:
        before = store.read_bytes()
        assert does(capsys, "check", store) == SOUND
        assert (store.read_bytes(), list(store.parent.iterdir())) == (before, [store])
    finally:
        store.parent.chmod(0o700)


def test_writes_that_are_lost_at_the_end_are_found(store, capsys):
    with closing(LastWrite(side_path(store, "last"))) as note:
        note.write(1_000, bytes(20))
    code, said = does(capsys, "check", store)
    assert (code, said.splitlines()[0][:9], said.splitlines()[0][-16:]) == (1, "the last ", " writes are lost")


READ_ONLY = 'mount --bind "$1" "$1" && mount -o remount,bind,ro "$1" && shift && exec "$@"'


def test_a_store_in_a_read_only_place_is_checked(tmp_path, capsys):
    """The place is a read-only mount where there can be one, else a folder that can't be written."""
    store = tmp_path / "backup" / "games.sqlite"
    store.parent.mkdir()
    with closing(connect(store)):
        pass  # leaves the lock's file beside it
    assert side_path(store, "lock").exists()
    inside = ["unshare", "-m", "sh", "-c", READ_ONLY, "sh", str(store.parent)]
    if subprocess.run([*inside, "true"], capture_output=True).returncode:
        with capsys.disabled():
            print("\nnothing can be mounted here: the folder is only made read-only")
        inside = []
        store.parent.chmod(0o500)
    said = subprocess.run([*inside, PROGRAM, "check", str(store)], capture_output=True, text=True, env=environment())
    store.parent.chmod(0o700)
    assert (said.returncode, said.stdout) == (0, "All rooms and games are undamaged.\n"), said.stderr


def test_a_store_that_a_server_uses_is_not_checked(tmp_path):
    with closing(connect(tmp_path / "games.sqlite")), pytest.raises(StoreError, match="another server is using it"):
        subcommands.check_store(tmp_path / "games.sqlite")
