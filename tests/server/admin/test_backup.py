"""What a host does besides serving: backups of a running and of a resting store, checks, saved games played again."""

import asyncio
import json
import os
import shutil
import signal
import sqlite3

import pytest

from gridgames_protocol.messages import AskHistory, Over, Resign, Show
from gridgames_server import ear, tools
from gridgames_server.deeds import game_seal
from gridgames_server.ear import socket_of
from gridgames_server.games import GAMES
from gridgames_server.games.game import Outcome
from gridgames_server.hub import House, Hub
from gridgames_server.journal import Journal
from gridgames_server.match import replay
from gridgames_server.service import Service
from gridgames_server.store import GAME, StoreError, connect, copy
from tests.server.archive import BY_SLUG, Archive, fail, over, played_out, resigned
from tests.server.house import MIDDLES, play
from tests.server.tables import sit_down
from tests.server.test_record import duel, saved
from tests.wire import PROGRAM, environment, program, run


@pytest.fixture(scope="module")
def original(tmp_path_factory):
    """A store with an open room in the middle of a game, a finished game of each kind, and one that was resigned."""
    path = tmp_path_factory.mktemp("store") / "server.sqlite"
    house = Archive(path)
    play(*house.table("grid-hunt"), lines=MIDDLES["grid-hunt"])
    matches = [played_out(game, bytes(32), 1) for game in BY_SLUG.values()]
    house.keeps(*(over(match, number) for number, match in enumerate(matches, start=1)), resigned(6))
    house.closes()
    return path


@pytest.fixture
def store(original, tmp_path):
    """A store to be used as one likes."""
    return shutil.copy(original, tmp_path / "server.sqlite")


def does(capsys, *arguments, default="nowhere.sqlite"):
    """A host's command: its exit code, and the one place where it has said something."""
    code = tools.main([str(argument) for argument in arguments], default)
    said = capsys.readouterr()
    assert not (said.err if code == 0 else said.out), "what went well is on stdout, what went wrong on stderr"
    return code, (said.out or said.err).removesuffix("\n")


def mode(path):
    """Who may do what with a file."""
    return oct(path.stat().st_mode & 0o777)


SOUND = (0, "Every room and every game is sound.")


# Backups --------------------------------------------------------------------------------------------------------------


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

    async def evening():
        async with program("--store", str(path)) as house:
            table = await sit_down(house, "quantum-duel")
            await table.types(1, "MOVE 3")
            await table.types(1, "OBSERVE 5")
            kept = table.shown
            copied = await command("backup", "--store", path, backup.name, where=tmp_path)
            assert copied == (0, f"Backed up to {backup.name}.\n"), "where the host is, and not where the server is"
            assert {mode(found) for found in tmp_path.iterdir() if found.suffix != ".sock"} == {"0o600"}
            assert mode(socket_of(path)) == "0o600"
            await table.types(2, "MOVE 6")
            size = backup.stat().st_size
            refused = await command("backup", "--store", path, backup.name, where=tmp_path)
            assert (refused, backup.stat().st_size) == ((1, f"{backup} is there already\n"), size)
            await house.ends(signal.SIGKILL)
        async with program("--store", str(backup)) as house:
            ada, bob = [await house.connection(last_id=100) for _ in range(2)]
            for back, guest in ((ada, table.seats[1]), (bob, table.seats[2])):
                welcome = await back.hello("again", token=guest.token)
                assert welcome.room == table.room
            assert (await ada.sees(Show)).view == kept.view
            assert (await bob.sees(Show)).turn == (2,)
            await bob.types("MOVE 5")
            await bob.types("OBSERVE 3")
            assert (await ada.sees(Over)).reason == "capture"
            assert [game.lines for game in (await ada.says(AskHistory)).games] == [4]

    run(evening())


def test_a_server_that_was_killed_leaves_a_store_that_can_be_backed_up(tmp_path, capsys):
    path, backup = tmp_path / "server.sqlite", tmp_path / "backup.sqlite"

    async def evening():
        async with program("--store", str(path)) as house:
            table = await sit_down(house, "grid-hunt")
            await table.play_to_the_middle("grid-hunt")
            await table.seats[1].says(Resign)
            await house.ends(signal.SIGKILL)

    run(evening())
    assert socket_of(path).exists(), "nobody listens there any more"
    assert does(capsys, "backup", backup, "--store", path) == (0, f"Backed up to {backup}.")
    assert does(capsys, "check", backup) == SOUND
    assert [game.reason for game in kept_games(backup)] == ["resigned"]


def kept_games(path):
    """The finished games in a store."""
    opened = connect(path)
    games = tools.read_games(opened, "1", {})
    opened.close()
    return games


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
    assert does(capsys, "backup", there, "--store", store) == (1, f"{there} is there already")
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
    assert copy(opened, str(backup)).startswith(f"can't write {backup}: ")
    assert not backup.exists()


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

    async def evening():
        journal = Journal(path, asyncio.get_running_loop().call_soon_threadsafe, fail)
        journal.start()
        try:
            service = Service(Hub(House(GAMES), os.urandom, 0.0), journal)
            async with ear.listening(socket_of(path), ear.commands(service, journal)):
                await story()
        finally:
            journal.close()

    run(evening())


@pytest.mark.parametrize("name", [" spaced out ", "two\nlines", "na\xefve"])
def test_a_backup_may_have_any_name(store, tmp_path, name):
    backup = tmp_path / name

    async def story():
        assert await asyncio.to_thread(tools.backup, store, str(backup)) == ""

    listening(store, story)
    assert tools.check_store(backup) == []


@pytest.mark.parametrize("name", [os.fsdecode(b"\xff\xfe"), "x" * 300], ids=["not UTF-8", "too long"])
def test_a_name_that_can_not_be_written_is_refused_and_the_server_goes_on(store, tmp_path, name):
    wrong, right = tmp_path / name, tmp_path / "backup.sqlite"

    async def story():
        assert (await asyncio.to_thread(tools.backup, store, str(wrong))).startswith(f"can't write {wrong}: ")
        assert await asyncio.to_thread(tools.backup, store, str(right)) == ""

    listening(store, story)
    assert right in tmp_path.iterdir()
    assert wrong not in tmp_path.iterdir()


def answering(store, answer, story):
    """Run a story beside something that listens where a store's server would, and answers like this."""

    async def evening():
        async def serve(reader, writer):
            await reader.read()
            await answer(writer)
            writer.close()

        async with await asyncio.start_unix_server(serve, socket_of(store)):
            await story()

    run(evening())


def test_a_backup_that_the_server_has_put_into_a_folder_of_its_own_is_not_called_one(store, tmp_path):
    backup = tmp_path / "backup.sqlite"

    async def elsewhere(writer):
        writer.write(b"0")  # it went well, in a file system that is not ours

    async def story():
        assert await asyncio.to_thread(tools.backup, store, str(backup)) == (
            f"the server has written {backup}, but not in this place: it has folders of its own. "
            "Let it write beside its store, and move the file from there"
        )
        backup.write_text("an older one")
        assert await asyncio.to_thread(tools.backup, store, str(backup)) == f"{backup} is there already"

    answering(store, elsewhere, story)


def test_a_server_that_does_not_answer_is_not_passed_by(store, tmp_path, monkeypatch):
    monkeypatch.setattr(ear, "ASK_WITHIN", 0.05)
    backup, given_up = tmp_path / "backup.sqlite", asyncio.Event()

    async def silent(writer):
        await given_up.wait()

    async def story():
        why = await asyncio.to_thread(tools.backup, store, str(backup))
        assert why == f"the server at {socket_of(store)} does not answer"
        given_up.set()

    answering(store, silent, story)
    assert not backup.exists()


def test_what_is_no_command_is_answered_so(store):
    async def story():
        for words in ("", "backup", "backup ", "dig 3 3", "\n"):
            assert await ear.ask_server(socket_of(store), words) == (1, "that is no command")

    listening(store, story)


def test_a_path_that_is_too_long_to_listen_at_is_said_in_a_sentence(tmp_path):
    path = tmp_path / ("x" * 100) / "server.sqlite"

    async def story():
        fail("nobody can listen there")

    with pytest.raises(StoreError) as caught:
        listening(path, story)
    assert str(caught.value) == f"can't listen at {socket_of(path)}: AF_UNIX path too long"


# Checks ---------------------------------------------------------------------------------------------------------------


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
        opened.execute("UPDATE games SET seal = ? WHERE game_number = ?", (game_seal(*row), number))
    opened.commit()
    opened.close()


def test_a_sound_store_is_sound_and_stays_as_it_is(store, capsys):
    games = kept_games(store)
    assert does(capsys, "check", store) == does(capsys, "check", store) == SOUND
    assert (kept_games(store), mode(store)) == (games, "0o600")


@pytest.mark.parametrize(
    "sql",
    [
        "UPDATE deeds SET text = 'HIDE 4 4' WHERE text = 'HIDE 2 3'",
        "UPDATE deeds SET secret = zeroblob(32) WHERE what = 'start'",
        "DELETE FROM deeds WHERE number = 3",
        "UPDATE rooms SET game = 'quantum-duel'",
        "UPDATE rooms SET game = 'tic-tac-toe'",
    ],
)
def test_a_room_that_was_changed_is_found(store, capsys, sql):
    harm(store, sql)
    assert does(capsys, "check", store) == (1, "room 1 can't be brought back")


@pytest.mark.parametrize(
    ("sql", "fault"),
    [
        ("UPDATE games SET lines = '[[1,' WHERE game_number = 4", "game 4 can't be played again"),
        ("UPDATE games SET lines = '[]' WHERE game_number = 4", "game 4 ended otherwise"),
        ("UPDATE games SET winner = 3 - winner WHERE game_number = 4", "game 4 ended otherwise"),
        ("UPDATE games SET winner = NULL WHERE game_number = 4", "game 4 ended otherwise"),
        ("UPDATE games SET reason = 'resigned' WHERE game_number = 4", "game 4 ended otherwise"),
        ("UPDATE games SET reason = 'treasure' WHERE game_number = 6", "game 6 ended otherwise"),
        ("UPDATE games SET first = 3 - first WHERE game_number = 1", "game 1 can't be played again"),
    ],
)
def test_a_game_that_was_changed_is_found_by_its_seal_and_one_that_was_written_wrongly_by_the_rules(
    store, capsys, sql, fault
):
    harm(store, sql)
    number = int(sql[-1])
    assert does(capsys, "check", store) == (1, f"game {number} is not as it was written")
    assert number not in [game.number for game in kept_games(store)]
    seal(store)
    assert does(capsys, "check", store) == (1, fault)


def test_everything_that_is_wrong_is_said_at_once(store, capsys):
    harm(store, "UPDATE games SET lines = '' WHERE game_number < 3", "UPDATE deeds SET text = 'x' WHERE number = 4")
    code, said = does(capsys, "check", store)
    assert (code, said.splitlines()) == (
        1,
        ["room 1 can't be brought back", "game 1 is not as it was written", "game 2 is not as it was written"],
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
    page = at - at % 4096
    bytes_kept[page : page + 4096] = b"\xff" * 4096
    store.write_bytes(bytes_kept)
    code, said = does(capsys, "check", store)
    assert code == 1
    assert said.startswith(("it is damaged: ", "SQLite says: "))


@pytest.mark.parametrize(
    ("sql", "fault"),
    [
        ("PRAGMA user_version = 99", "the store {} was made by a newer gridgames: update this one"),
        ("PRAGMA application_id = 7", "{} is some other program's file"),
        ("DROP TABLE meta", "it is damaged: no such table: meta"),
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


# Saved games ----------------------------------------------------------------------------------------------------------


def test_a_saved_game_is_played_again(tmp_path, capsys):
    path = tmp_path / "game.json"
    path.write_text(json.dumps(saved(duel())))
    assert does(capsys, "replay", path) == (0, "Every answer was right.")


def test_what_is_wrong_with_a_saved_game_is_said_line_by_line(tmp_path, capsys):
    match = replay(BY_SLUG["treasure-hunt-duel"], bytes(32), 1, MIDDLES["treasure-hunt-duel"])
    match.stop(Outcome(1, "resigned", "Over."))
    path = tmp_path / "game.json"
    path.write_text(json.dumps(saved(match, told=["Distance: 9", "Distance: 9"], reason="treasure")))
    code, said = does(capsys, "replay", path)
    assert code == 1
    assert [fault.partition(":")[0] for fault in said.splitlines()] == [
        "an answer was wrong",
        "by the rules it ended like this",
    ]


@pytest.mark.parametrize(
    ("content", "why"),
    [
        (b"{}", "it is not a game that was saved with /save"),
        (b"", "it is not JSON, or not all of it is there"),
        (b"\xff\xfe", None),
    ],
)
def test_a_file_that_is_no_saved_game_is_said_to_be_none(tmp_path, capsys, content, why):
    path = tmp_path / "game.json"
    path.write_bytes(content)
    assert does(capsys, "replay", path) == (1, why or f"can't read {path}: it is not text")


def test_a_file_that_can_not_be_read_is_said_to_be_so(tmp_path, capsys):
    path = tmp_path / "game.json"
    assert does(capsys, "replay", path) == (1, f"can't read {path}: No such file or directory")
    assert does(capsys, "replay", tmp_path) == (1, f"can't read {tmp_path}: Is a directory")


@pytest.mark.parametrize("arguments", [["backup"], ["check"], ["replay"], ["check", "a", "b"], ["dig", "3,3"]])
def test_a_command_that_is_not_understood_is_told_how_to_be(arguments, capsys):
    with pytest.raises(SystemExit) as caught:
        tools.main(arguments, "nowhere.sqlite")
    assert caught.value.code == 2
    assert "usage: gridgames-server" in capsys.readouterr().err
