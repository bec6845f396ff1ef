"""Backups: of a running server, and of a store that no server uses."""

import asyncio
import os
import signal
import sqlite3
import subprocess
import sys
from contextlib import closing

import pytest

from gridgames_protocol.messages import AskHistory, Over, Resign, Show
from gridgames_server.admin import control_socket, subcommands
from gridgames_server.admin.control_socket import default_socket
from gridgames_server.core.hub import Hub, ServerConfig
from gridgames_server.errors import SEE_LOG
from gridgames_server.games import GAMES
from gridgames_server.net.service import Service
from gridgames_server.storage import store as store_module
from gridgames_server.storage import writer
from gridgames_server.storage.store import StoreError, connect, write_copy
from gridgames_server.storage.writer import Writer
from tests.server.admin.host_store import SOUND, does, kept_games, mode
from tests.server.stored_games import fail
from tests.server.tcp_tables import sit_down
from tests.wire import PROGRAM, environment, program, run


async def command(*arguments, where):
    """What the real program says to a host's command that is typed in a folder, and its exit code."""
    pipe = asyncio.subprocess.PIPE
    process = await asyncio.create_subprocess_exec(
        PROGRAM, *map(str, arguments), stdout=pipe, stderr=pipe, env=environment(), cwd=where
    )
    out, err = await process.communicate()
    return process.returncode, out.decode() or err.decode()


def test_a_running_server_is_backed_up_and_the_backup_plays_on(tmp_path):
    path, backup = tmp_path / "server.sqlite", tmp_path / "backup.sqlite"

    async def scenario():
        async with program("--store", str(path)) as server:
            table = await sit_down(server, "quantum-duel")
            await table.types(1, "MOVE 3")
            await table.types(1, "OBSERVE 5")
            kept = table.shown
            copied = await command("backup", "--store", path, backup.name, where=tmp_path)
            assert copied == (0, f"Backed up to {backup.name}.\n"), "where the host is, and not where the server is"
            assert {mode(found) for found in tmp_path.iterdir() if found.suffix != ".sock"} == {"0o600"}
            assert mode(default_socket(path)) == "0o600"
            await table.types(2, "MOVE 6")
            size = backup.stat().st_size
            refused = await command("backup", "--store", path, backup.name, where=tmp_path)
            assert (refused, backup.stat().st_size) == ((1, f"{backup} exists already\n"), size)
            await server.ends(signal.SIGKILL)
        async with program("--store", str(backup)) as server:
            ada, bob = [await server.connection(last_id=100) for _ in range(2)]
            for back, guest in ((ada, table.seats[1]), (bob, table.seats[2])):
                welcome = await back.hello("again", token=guest.token)
                assert welcome.room == table.room
            assert (await ada.sees(Show)).view == kept.view
            assert (await bob.sees(Show)).turn == (2,)
            await bob.types("MOVE 5")
            await bob.types("OBSERVE 3")
            assert (await ada.sees(Over)).reason == "capture"
            assert [game.lines for game in (await ada.says(AskHistory)).games] == [4]

    run(scenario())


def test_a_server_that_was_killed_leaves_a_store_that_can_be_backed_up(tmp_path, capsys):
    path, backup = tmp_path / "server.sqlite", tmp_path / "backup.sqlite"

    async def scenario():
        async with program("--store", str(path)) as server:
            table = await sit_down(server, "grid-hunt")
            await table.play_to_the_middle("grid-hunt")
            await table.seats[1].says(Resign)
            await server.ends(signal.SIGKILL)

    run(scenario())
    assert default_socket(path).exists(), "nobody listens there any more"
    assert does(capsys, "backup", backup, "--store", path) == (0, f"Backed up to {backup}.")
    assert does(capsys, "check", backup) == SOUND
    assert [game.reason for game in kept_games(backup)] == ["resigned"]


def test_a_store_that_no_server_uses_is_backed_up(store, tmp_path, capsys):
    backup = tmp_path / "backup.sqlite"
    assert does(capsys, "backup", backup, "--store", store) == (0, f"Backed up to {backup}.")
    assert mode(backup) == "0o600"
    assert does(capsys, "check", backup) == SOUND
    assert kept_games(backup) == kept_games(store)


def test_a_backup_is_for_its_host_alone_whatever_the_umask(store, tmp_path, capsys):
    was = os.umask(0)
    try:
        does(capsys, "backup", tmp_path / "backup.sqlite", "--store", store)
    finally:
        os.umask(was)
    assert mode(tmp_path / "backup.sqlite") == "0o600"


def test_a_backup_never_writes_over_a_file(store, tmp_path, capsys):
    there = tmp_path / "letters.txt"
    there.write_text("dear Bob")
    assert does(capsys, "backup", there, "--store", store) == (1, f"{there} exists already")
    assert there.read_text() == "dear Bob"


def test_a_backup_of_nothing_makes_nothing(tmp_path, capsys):
    missing, backup = tmp_path / "server.sqlite", tmp_path / "backup.sqlite"
    assert does(capsys, "backup", backup, "--store", missing) == (1, f"there is no store at {missing}")
    assert list(tmp_path.iterdir()) == []


def test_a_backup_to_a_folder_that_is_not_there_says_so(store, tmp_path, capsys):
    backup = tmp_path / "attic" / "backup.sqlite"
    refused = does(capsys, "backup", backup, "--store", store)
    assert refused == (1, f"can't write {backup}: No such file or directory")


def test_half_a_backup_is_not_left_behind(store, tmp_path):
    opened = connect(store)
    opened.close()  # so that nothing can be read from it
    backup = tmp_path / "backup.sqlite"
    assert write_copy(opened, str(backup)).startswith(f"can't write {backup}: ")
    assert list(tmp_path.glob("backup*")) == []


def test_a_backup_never_replaces_a_file_that_appears_while_it_is_written(store, tmp_path, monkeypatch):
    monkeypatch.setattr(store_module, "COPY_STEP", 1)
    backup = tmp_path / "backup.sqlite"

    def rest():
        backup.write_text("dear Bob")
        return False

    text = f"can't write {backup}: a file of that name has appeared meanwhile"
    with closing(connect(store)) as opened:
        assert write_copy(opened, str(backup), rest) == text
    assert backup.read_text() == "dear Bob"
    assert list(tmp_path.glob("backup*")) == [backup]


DIES = """
import os, sqlite3, sys
from gridgames_server.storage.store import write_copy
write_copy(sqlite3.connect(sys.argv[1]), sys.argv[2], lambda: os.path.getsize(sys.argv[2] + "-part") and os._exit(9))
"""


def test_a_backup_that_is_cut_off_has_no_name_and_is_never_taken_for_a_store(store, tmp_path, capsys):
    with closing(sqlite3.connect(store, isolation_level=None)) as opened:  # more than SQLite holds in memory
        opened.executemany(
            "INSERT INTO quarantine VALUES (?, '', randomblob(9000))", [(room,) for room in range(1_000)]
        )
    backup, part = tmp_path / "backup.sqlite", tmp_path / "backup.sqlite-part"
    assert subprocess.run([sys.executable, "-c", DIES, store, backup]).returncode == 9
    assert sorted(tmp_path.glob("backup*")) == [part, tmp_path / "backup.sqlite-part-journal"]
    before = part.read_bytes()
    for _ in range(2):
        why = f"the store {part} was cut off while it was written: restore a backup, or move it away"
        with pytest.raises(StoreError) as refused:
            connect(part)
        assert (str(refused.value), does(capsys, "check", part)) == (why, (1, why))
    assert part.read_bytes() == before
    assert does(capsys, "backup", backup, "--store", store) == (
        1,
        f"{part} exists already: a backup writes it, or was cut off. Delete it, or choose another name",
    )
    part.unlink()
    assert does(capsys, "backup", backup, "--store", store)[0] == 0
    assert does(capsys, "check", backup) == SOUND


def test_a_backup_of_a_store_that_is_given_by_a_link_is_one_of_the_store(store, tmp_path, capsys):
    link, backup = tmp_path / "link.sqlite", tmp_path / "backup.sqlite"
    link.symlink_to(store)
    assert does(capsys, "backup", backup, "--store", link)[0] == 0
    assert kept_games(backup) == kept_games(store)
    (tmp_path / "nowhere").symlink_to(tmp_path / "not there")
    assert does(capsys, "backup", tmp_path / "nowhere", "--store", link) == (
        1,
        f"{tmp_path / 'nowhere'} exists already",
    )


def test_the_store_is_found_where_the_server_finds_it(store, tmp_path, capsys, monkeypatch):
    one, two, three = (tmp_path / name for name in "123")
    assert does(capsys, "backup", one, default=store)[0] == 0
    monkeypatch.setenv("GRIDGAMES_STORE", str(store))
    assert does(capsys, "backup", two)[0] == 0
    monkeypatch.setenv("GRIDGAMES_STORE", str(tmp_path / "elsewhere.sqlite"))
    assert does(capsys, "backup", three, "--store", store)[0] == 0


# The way to the running server ----------------------------------------------------------------------------------------


def listening(path, story):
    """Run a story beside a service that listens to its host."""

    async def scenario():
        storage = Writer(path, asyncio.get_running_loop().call_soon_threadsafe, fail)
        storage.start()
        try:
            service = Service(Hub(ServerConfig(GAMES), os.urandom, 0.0), storage)
            async with control_socket.listen(default_socket(path), control_socket.make_command_table(service, storage)):
                await story()
        finally:
            storage.close()

    run(scenario())


@pytest.mark.parametrize("name", [" spaced out ", "two\nlines", "na\xefve"])
def test_a_backup_may_have_any_name(store, tmp_path, name):
    backup = tmp_path / name

    async def story():
        assert await asyncio.to_thread(subcommands.backup, store, str(backup)) == ""

    listening(store, story)
    assert subcommands.check_store(backup) == []


@pytest.mark.parametrize("name", [os.fsdecode(b"\xff\xfe"), "x" * 300], ids=["not UTF-8", "too long"])
def test_a_name_that_can_not_be_written_is_refused_and_the_server_goes_on(store, tmp_path, name):
    wrong, right = tmp_path / name, tmp_path / "backup.sqlite"

    async def story():
        refused = await asyncio.to_thread(subcommands.backup, store, str(wrong))
        shown = str(wrong).encode("ascii", "replace").decode()
        assert refused.startswith(f"can't write {shown}: ")
        assert await asyncio.to_thread(subcommands.backup, store, str(right)) == ""

    listening(store, story)
    assert right in tmp_path.iterdir()
    assert wrong not in tmp_path.iterdir()


def answering(store, answer, story):
    """Run a story beside something that listens where a store's server would, and answers like this."""

    async def scenario():
        async def serve(reader, writer):
            await reader.read()
            await answer(writer)
            writer.close()

        async with await asyncio.start_unix_server(serve, default_socket(store)):
            await story()

    run(scenario())


def test_a_backup_that_the_server_has_put_into_a_folder_of_its_own_is_not_called_one(store, tmp_path):
    backup = tmp_path / "backup.sqlite"

    async def elsewhere(writer):
        writer.write(b"0")  # it went well, in a file system that is not ours

    async def story():
        assert await asyncio.to_thread(subcommands.backup, store, str(backup)) == (
            f"the server has written {backup}, but in its own file system, which is not this one. "
            "Let it write beside its store, and move the file from there"
        )
        backup.write_text("an older one")
        assert await asyncio.to_thread(subcommands.backup, store, str(backup)) == f"{backup} exists already"

    answering(store, elsewhere, story)


def test_a_server_that_does_not_answer_is_not_passed_by(store, tmp_path, monkeypatch):
    monkeypatch.setattr(control_socket, "ASK_WITHIN", 0.05)
    backup, given_up = tmp_path / "backup.sqlite", asyncio.Event()

    async def silent(writer):
        await given_up.wait()

    async def story():
        why = await asyncio.to_thread(subcommands.backup, store, str(backup))
        assert why == f"the server at {default_socket(store)} does not answer"
        given_up.set()

    answering(store, silent, story)
    assert not backup.exists()


def test_what_is_no_command_is_answered_so(store):
    async def story():
        for words in ("", "backup", "backup ", "dig 3 3", "\n"):
            assert await control_socket.ask_server(default_socket(store), words) == (1, "unknown command")

    listening(store, story)


def test_a_path_that_is_too_long_to_listen_at_is_said_in_a_sentence(tmp_path):
    path = tmp_path / ("x" * 100) / "server.sqlite"

    async def story():
        fail("nobody can listen there")

    with pytest.raises(StoreError) as caught:
        listening(path, story)
    assert str(caught.value) == f"can't listen at {default_socket(path)}: AF_UNIX path too long"


def test_a_bug_in_a_backup_is_told_to_the_host_who_waits_for_it(store, tmp_path, monkeypatch, caplog):
    def struck(*given):
        raise MemoryError

    async def story():
        monkeypatch.setattr(writer, "write_copy", struck)
        assert await asyncio.to_thread(subcommands.backup, store, str(tmp_path / "one")) == SEE_LOG
        monkeypatch.undo()
        assert await asyncio.to_thread(subcommands.backup, store, str(tmp_path / "two")) == ""

    listening(store, story)
    assert [line.partition(" at ")[0] for line in caplog.messages] == ["bug in a backup: MemoryError"]
