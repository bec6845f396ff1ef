"""The store's file: whom it belongs to, who may read it, why it may be refused, and what is read out of it."""

import asyncio
import os
import sqlite3
import stat
import sys
from pathlib import Path

import msgpack
import pytest

from gridgames_server.admin.control_socket import default_socket
from gridgames_server.admin.monitor import measure_store
from gridgames_server.core.room_events import (
    ChatSaid,
    GameOver,
    GameStarted,
    Heartbeat,
    LinePlayed,
    PlayerForgotten,
    PlayerNamed,
    RoomClosed,
    RoomOpened,
    SeatTaken,
)
from gridgames_server.storage import store
from gridgames_server.storage.side_files import _check, side_path
from gridgames_server.storage.store import (
    APPLICATION_ID,
    FIRST_LINK,
    PAGE_SIZE,
    SCHEMA,
    StoreError,
    append_row,
    connect,
    make_row,
    open_copy,
)
from gridgames_server.storage.writer import Writer
from tests.server.stored_hub import Shelved, copied, kept_in, saved
from tests.wire import PROGRAM, environment, program, run

ROOM = RoomOpened(1, "ABC234", "grid-hunt", "host", False, None, "10.0.0.1")
ADA = PlayerNamed(1, "Ada", "ada", b"a" * 32)


def event(number, room=1):
    return SeatTaken(room, number, 1_000.0 + number, 1, 1)


@pytest.fixture
def path(tmp_path):
    return tmp_path / "store" / "server.sqlite"


@pytest.fixture
def storage(path):
    storage = Shelved(path)
    yield storage
    storage.close()


def keep(storage, *records):
    storage.save(list(records), lambda: None)


# The file


def test_every_table_is_strict(storage):
    tables = storage.store.execute("SELECT name, strict FROM pragma_table_list WHERE schema = 'main'").fetchall()
    strict = {name: strict for name, strict in tables if not name.startswith("sqlite_")}
    assert strict == dict.fromkeys(("log", "base", "starts", "quarantine", "notes", "games", "standings"), 1)


def test_every_commit_is_on_disk(storage):
    wanted = {
        "journal_mode": "wal",
        "synchronous": 2,  # FULL
        "auto_vacuum": 2,  # INCREMENTAL
        "page_size": PAGE_SIZE,
        "application_id": APPLICATION_ID,
        "user_version": SCHEMA,
    }
    assert {name: storage.store.execute(f"PRAGMA {name}").fetchone()[0] for name in wanted} == wanted


def modes(folder):
    return {file.name: stat.S_IMODE(file.stat().st_mode) for file in [folder, *folder.iterdir()]}


@pytest.mark.parametrize("umask", [0o000, 0o022, 0o077])
def test_nobody_else_can_read_it_whatever_the_umask(path, umask):
    before = os.umask(umask)
    try:
        storage = Shelved(path)
        keep(storage, ADA)
        files = ["server.sqlite", *(f"server.sqlite-{what}" for what in ("wal", "shm", "lock", "last", "reserve"))]
        assert modes(path.parent) == {"store": 0o700, **dict.fromkeys(files, 0o600)}
        storage.close()
    finally:
        os.umask(before)


def test_a_file_that_others_could_read_is_made_private(path):
    storage = Shelved(path)
    keep(storage, ADA)
    killed = copied(path, path.parent.parent / "killed")
    storage.close()
    for file in killed.parent.iterdir():
        file.chmod(0o644)
    connect(killed).close()
    assert kept_in(killed) == saved([ADA])
    assert stat.S_IMODE(killed.stat().st_mode) == 0o600
    killed.parent.joinpath("server.sqlite-wal").touch(0o644)
    opened = connect(killed)
    assert {mode for name, mode in modes(killed.parent).items() if name != "killed"} == {0o600}
    opened.close()


def test_it_can_be_opened_again_and_again(path):
    for number in range(1, 4):
        storage = Shelved(path)
        keep(storage, PlayerNamed(number, f"guest {number}", f"guest {number}", bytes([number]) * 32))
        storage.close()
    assert [player.name for player in kept_in(path).players] == ["guest 1", "guest 2", "guest 3"]


# What can't be used


def refused(path):
    with pytest.raises(StoreError) as caught:
        connect(path)
    sentence = str(caught.value)
    assert str(path) in sentence
    assert "\n" not in sentence
    return sentence.replace(str(path), "FILE")


def test_a_store_that_is_in_use_is_refused(path, storage):
    assert refused(path) == "can't use the store FILE: another server is using it"
    keep(storage, ADA)


@pytest.mark.parametrize(
    ("version", "why"),
    [
        (SCHEMA + 1, "the store FILE was made by a newer gridgames: update this one"),
        (SCHEMA - 1, "the store FILE was made by a gridgames that was never released: move it away"),
    ],
)
def test_a_store_of_another_version_is_refused_and_left_alone(path, version, why):
    connect(path).close()
    with sqlite3.connect(path) as other:
        other.execute(f"PRAGMA user_version={version}")
    other.close()
    assert refused(path) == why
    untouched(path)


def test_a_store_with_records_of_a_newer_gridgames_is_refused(path):
    opened = connect(path)
    append_row(opened, "log", make_row(FIRST_LINK, 1, 0, "", msgpack.packb([("future", 1)])))
    opened.close()
    with pytest.raises(StoreError) as why:
        kept_in(path)
    assert str(why.value) == f"the store {path} was made by a newer gridgames: update this one"


def test_another_programs_database_is_refused_and_left_alone(path):
    path.parent.mkdir()
    with sqlite3.connect(path) as other:
        other.execute("CREATE TABLE recipes (name TEXT)")
    other.close()
    path.chmod(0o644)
    assert refused(path) == "FILE is some other program's file"
    untouched(path)
    assert stat.S_IMODE(path.stat().st_mode) == 0o644


def untouched(path):
    before = {file: file.read_bytes() for file in path.parent.iterdir() if not file.name.endswith("-lock")}
    refused(path)
    assert {file: file.read_bytes() for file in path.parent.iterdir()} == before


def test_a_file_that_is_no_database_is_refused_and_left_alone(path):
    path.parent.mkdir()
    path.write_bytes(b"Dear diary, today we played. " * 1_000)
    assert refused(path) == ("the store FILE is damaged (file is not a database): restore a backup, or move it away")
    untouched(path)


def test_a_store_that_lost_its_middle_is_refused(path):
    storage = Shelved(path)
    keep(storage, ADA, ROOM, event(1))
    storage.close()
    whole = path.read_bytes()
    path.write_bytes(whole[:4_096] + bytes(len(whole) - 4_096))
    with pytest.raises(StoreError, match="is damaged"):
        kept_in(path)


def test_an_empty_file_is_a_new_store(path):
    path.parent.mkdir()
    path.touch()
    assert kept_in(path).players == ()


def test_a_new_store_has_its_name_when_it_is_whole(path, monkeypatch):
    class Killed(BaseException):
        """The server is killed here."""

    def kill(part, path):
        assert (part.stat().st_size > 0, path.stat().st_size) == (True, 0)
        raise Killed

    with monkeypatch.context() as patch:
        patch.setattr(store, "give_name", kill)
        with pytest.raises(Killed):
            connect(path)
    connect(path).close()
    assert [file.name for file in path.parent.iterdir() if "part" in file.name] == []


def test_an_empty_store_that_lacks_writes_needs_a_host_who_gives_them_up(path):
    storage = Shelved(path)
    keep(storage, ADA)
    keep(storage, ROOM, event(1))
    storage.close()
    for leave in (path.unlink, lambda: path.write_bytes(b"")):
        leave()
        with pytest.raises(StoreError) as why:
            kept_in(path)
        assert str(why.value) == (
            f"the store {path} is empty, and 2 writes are not in it. To lose them, start once with --give-up 2"
        )
    storage = Writer(path, print, print, give_up=2)
    assert storage.load().players == ()
    storage.close()


def test_to_give_up_writes_of_an_empty_store_that_lacks_none_is_refused(path):
    storage = Writer(path, print, print, give_up=5)
    with pytest.raises(StoreError) as why:
        storage.load()
    assert str(why.value) == f"the store {path} is empty and lacks no writes: start without --give-up"
    storage.close()


@pytest.mark.parametrize("note", ["many", "", "1 2 3", "-1 zz"])
def test_a_note_of_the_last_write_that_holds_no_number_is_no_note(path, note):
    storage = Shelved(path)
    keep(storage, ADA)
    storage.close()
    side_path(path, "last").write_bytes(note.encode() + b" " + _check(note.encode()))
    assert kept_in(path) == saved([ADA])


@pytest.mark.parametrize(
    ("place", "why"),
    [
        ("file/server.sqlite", "Not a directory"),
        ("folder", "Is a directory"),
        ("file/a/b", "Not a directory"),
        ("x" * 300, "File name too long"),
        ("loop", "Too many levels of symbolic links"),
        ("pipe", "it is not a file"),
        ("device", "it is not a file"),
    ],
)
def test_a_place_where_nothing_can_be_written_is_refused(tmp_path, place, why):
    (tmp_path / "file").touch()
    (tmp_path / "folder").mkdir()
    (tmp_path / "loop").symlink_to("loop")
    os.mkfifo(tmp_path / "pipe")
    if place == "device":
        tmp_path, place = Path("/dev"), "zero"
    assert refused(tmp_path / place) == f"can't use the store FILE: {why}"


# By another name


def test_a_store_that_is_in_use_is_refused_by_every_other_way_to_it(path, storage, tmp_path, monkeypatch):
    (tmp_path / "link.sqlite").symlink_to(path)
    (tmp_path / "folder").symlink_to(path.parent)
    monkeypatch.chdir(tmp_path)
    for way in ("link.sqlite", "folder/server.sqlite", "store/../folder/server.sqlite", tmp_path / "link.sqlite"):
        for use in (connect, lambda way: open_copy(way).__enter__()):
            with pytest.raises(StoreError) as why:
                use(Path(way))
            assert str(why.value) == f"can't use the store {path}: another server is using it"
    keep(storage, ADA)


@pytest.mark.parametrize("moved", [("",), ("", "-wal", "-shm"), ("", "-wal", "-shm", "-last"), ("-lock",)], ids=len)
def test_a_store_that_is_renamed_or_loses_its_lock_while_it_is_in_use_is_refused_too(path, storage, moved):
    keep(storage, ADA)
    new = path.with_name("new.sqlite")
    for what in moved:
        path.with_name(path.name + what).rename(f"{new}{what}")
    there = new if new.exists() else path
    if sys.platform != "linux":
        print("only Linux can lock an open file")
        return
    for use in (connect, lambda way: open_copy(way).__enter__()):
        with pytest.raises(StoreError) as why:
            use(there)
        assert str(why.value) == f"can't use the store {there}: another server is using it"


def test_a_server_that_is_given_a_link_leaves_what_one_leaves_that_is_given_the_file(path, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    Path("link.sqlite").symlink_to(path)
    storage = Shelved(Path("link.sqlite"))
    keep(storage, ADA)
    sides = {f"server.sqlite-{what}" for what in ("wal", "shm", "lock", "last", "reserve")}
    assert {file.name for file in path.parent.iterdir()} == {"server.sqlite", *sides}
    assert measure_store(storage.path)[0] > path.stat().st_size, "its -wal is found"
    storage.close()
    assert {file.name for file in tmp_path.iterdir()} == {"link.sqlite", "store"}
    assert Path("link.sqlite").is_symlink()
    assert kept_in(path) == kept_in(Path("link.sqlite")) == saved([ADA])
    assert default_socket(Path("link.sqlite")) == default_socket(path)


def test_a_store_with_a_second_name_is_refused(path, tmp_path):
    storage = Shelved(path)
    keep(storage, ADA)
    os.link(path, tmp_path / "other.sqlite")
    keep(storage, PlayerNamed(2, "Bob", "bob", b"b" * 32))
    storage.close()
    why = "can't use the store FILE: it has a second name (a hard link). Use a copy instead of a link"
    assert refused(path) == refused(tmp_path / "other.sqlite") == why
    with pytest.raises(StoreError), open_copy(tmp_path / "other.sqlite"):
        pass
    assert {file.name for file in tmp_path.iterdir()} == {"other.sqlite", "store"}
    (tmp_path / "other.sqlite").unlink()
    assert len(kept_in(path).players) == 2


def test_the_program_says_in_one_sentence_why_it_can_not_use_a_store(path, tmp_path):
    (tmp_path / "text").write_text("Dear diary\n" * 1_000)
    (tmp_path / "link").symlink_to(path)

    async def scenario():
        sentences = []
        async with program("--store", str(path)) as server:
            ada = await server.guest("Ada")
            for file in (
                path,
                tmp_path / "link",
                tmp_path / "text",
                tmp_path,
                tmp_path / ("x" * 300),
                tmp_path / "hard link",
            ):
                if file.name == "hard link":
                    os.link(path, file)
                other = await asyncio.create_subprocess_exec(
                    *(PROGRAM, "--host", "127.0.0.1", "--port", "0", "--store", str(file)),
                    stderr=asyncio.subprocess.PIPE,
                    env=environment(),
                )
                _, said = await other.communicate()
                assert other.returncode == 5
                sentences.append(said.decode().replace(str(file.resolve()), "FILE"))
            assert (await server.returns(ada))[1].name
        assert sentences == [
            "gridgames-server: can't use the store FILE: another server is using it\n",
            "gridgames-server: can't use the store FILE: another server is using it\n",
            "gridgames-server: the store FILE is damaged (file is not a database): restore a backup, or move it away\n",
            "gridgames-server: can't use the store FILE: Is a directory\n",
            "gridgames-server: can't use the store FILE: File name too long\n",
            "gridgames-server: can't use the store FILE: it has a second name (a hard link). "
            "Use a copy instead of a link\n",
        ]

    run(scenario())


# What comes out


def test_what_is_kept_comes_out_as_it_went_in(storage):
    records = [
        ADA,
        PlayerNamed(2, "Bøb ☃", "bøb ☃", b"b" * 32),
        ROOM,
        SeatTaken(1, 1, 1_000.1, 1, 1),
        RoomOpened(2, "XYZ789", "secret-paths", "random", True, 86_400, "::1"),
        SeatTaken(2, 1, 1_000.2, 1, 2),
        ChatSaid(2, 2, 1_000.3, None, "Bøb ☃", "hello \x00 there"),
        GameStarted(2, 3, 1_000.4, 2, 1, b"\x00\xff" * 16),
        LinePlayed(2, 4, 1_000.5, 1, "GOAL 2", 2**31),
        Heartbeat(1_234.5),
    ]
    keep(storage, *records)
    assert storage.saved() == saved(records)


def test_a_closed_room_is_forgotten_and_its_number_is_not_given_again(storage):
    keep(storage, ADA, ROOM, event(1), RoomOpened(2, "XYZ789", "grid-hunt", "host", False, None, ""), event(1, room=2))
    keep(storage, RoomClosed(1))
    assert ([room.opened.room for room in storage.saved().rooms], storage.saved().next_room) == ([2], 3)


def test_nobody_gets_the_number_of_one_whose_games_are_remembered(storage):
    bob = PlayerNamed(2, "Bob", "bob", b"b" * 32)
    game = GameOver(1, 1, "grid-hunt", 1, b"", 1, (1, 2), ("Ada", "Bob"), (), 1, "dig", "Player 1 wins.")
    keep(storage, ADA, bob, ROOM, event(1), game, PlayerForgotten(2))
    assert storage.saved().next_player == 3


def test_a_player_is_kept_under_the_name_of_now(storage):
    keep(storage, ADA, PlayerNamed(1, "Adele", "adele", ADA.token_hash))
    assert [(player.player, player.name, player.key) for player in storage.saved().players] == [(1, "Adele", "adele")]
