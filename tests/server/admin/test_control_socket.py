"""The host's commands to a running server, through the real programs and the socket between them."""

import asyncio
import os
import signal
import stat

import pytest

from gridgames_protocol.messages import Bye, Create, Error, Event, Over
from gridgames_server import tools
from gridgames_server.ear import ask_server, commands, listening, socket_of
from gridgames_server.restore import NOT_KEPT
from gridgames_server.store import StoreError
from tests.server.tables import sit_down
from tests.server.test_disk import Small, Stuck, kept
from tests.wire import PROGRAM, environment, program, run, until


async def command(*words, **variables):
    """What a host's command says, and its exit code."""
    pipe = asyncio.subprocess.PIPE
    process = await asyncio.create_subprocess_exec(
        PROGRAM, *map(str, words), stdout=pipe, stderr=pipe, env=environment(**variables)
    )
    out, err = await process.communicate()
    return process.returncode, (out or err).decode().rstrip("\n")


# To a real server -----------------------------------------------------------------------------------------------------


def test_a_host_looks_after_a_running_server(tmp_path):
    store = tmp_path / "server.sqlite"

    async def evening():
        async with program("--store", str(store), "--name", "attic") as house:
            table = await sit_down(house, "grid-hunt")
            await table.types(1, "HIDE 2 3")
            at = {"GRIDGAMES_STORE": str(store)}

            code, said = await command("status", **at)
            facts = dict(line.split(": ") for line in said.splitlines())
            assert (code, facts["server"], facts["players"], facts["moves"]) == (0, "attic", "2", "1")
            assert facts["store size"].endswith(" MB")
            assert facts["store free"].endswith((" MB", " GB"))
            assert facts["store age"].endswith(" s")

            assert await command("players", **at) == (
                0,
                "Ada  127.0.0.1  room 1, seat 1\nBob  127.0.0.1  room 1, seat 2",
            )
            row = f"room 1  {table.room}  grid-hunt  playing  Ada and Bob  1 moves, 0 watching"
            assert await command("rooms", "--store", store) == (0, row)

            assert await command("say", "Pizza", "is here.", **at) == (0, "Said to everybody.")
            for guest in table.seats.values():
                await guest.sees(Event, lambda event: event.text == "The host says: Pizza is here.")

            assert await command("kick", "eve", **at) == (1, "Nobody here has that name.")
            assert await command("kick", "ada", **at) == (0, "Sent away.")
            assert (await table.seats[1].last_words())[-1].code == "kicked"
            assert "Pizza" not in house.text

    run(evening())


def test_a_draining_server_ends_by_itself_when_the_last_game_is_over(tmp_path):
    store = tmp_path / "server.sqlite"

    async def evening():
        async with program("--store", str(store)) as house:
            table = await sit_down(house, "quantum-duel")
            cyd = await house.guest("Cyd")
            code, said = await command("drain", "--store", store)
            assert (code, said) == (0, "No new game begins; the last one ends it.")
            refused = await cyd.says(Create, game="grid-hunt")
            assert isinstance(refused, Error)
            assert refused.code == "shutting_down"
            await table.end()
            assert (await cyd.sees(Bye)).code == "shutting_down"
            for guest in house.guests:
                guest.cut()
            assert await house.ends() == 0
        assert not socket_of(store).exists()

    run(evening())
    assert tools.check_store(store) == []


def test_a_server_without_a_store_listens_to_its_host_where_it_is_told_to(tmp_path):
    path = tmp_path / "host.sock"

    async def evening():
        async with program("--socket", str(path)) as house:
            assert stat.S_IMODE(os.stat(path).st_mode) == 0o600
            await house.guest("Ada")
            assert await command("players", "--socket", path) == (0, "Ada  127.0.0.1  lobby")
            assert await command("players", GRIDGAMES_SOCKET=str(path)) == (0, "Ada  127.0.0.1  lobby")
            refused = await command("backup", "--socket", path, tmp_path / "copy.sqlite")
            assert refused == (1, "there is no store: games are in memory only")
            assert await house.ends(signal.SIGTERM) == 0
        assert not path.exists()

    run(evening())


def test_a_server_that_was_killed_leaves_a_socket_that_the_next_one_takes_over(tmp_path):
    path = tmp_path / "host.sock"

    async def evening():
        async with program("--socket", str(path)) as house:
            await house.ends(signal.SIGKILL)
        assert await command("players", "--socket", path) == (1, f"no server answers at {path}")
        async with program("--socket", str(path)):
            assert await command("players", "--socket", path) == (0, "")

    run(evening())


def test_two_servers_do_not_share_a_socket(tmp_path):
    path = tmp_path / "host.sock"

    async def evening():
        async with program("--socket", str(path)):
            second = await command("--host", "127.0.0.1", "--port", "0", "--no-store", "--socket", path)
            assert second == (5, f"gridgames-server: can't listen at {path}: Address already in use")
            assert await command("rooms", "--socket", path) == (0, "")

    run(evening())


def far(folder):
    """A store in a folder so deep that no socket can lie beside it."""
    deep = folder / ("x" * 60) / ("y" * 60)
    deep.mkdir(parents=True)
    return deep / "server.sqlite"


def test_a_store_too_deep_in_the_folders_for_a_socket_is_served_all_the_same(tmp_path):
    store = far(tmp_path)

    async def evening():
        async with program("--store", str(store)) as house:
            await house.guest("Ada")
            assert await house.ends(signal.SIGTERM) == 0
        why = f"the host's commands can't come in: can't listen at {socket_of(store)}: AF_UNIX path too long"
        assert house.text.count(why) == 1

    run(evening())
    assert tools.backup(store, str(tmp_path / "copy.sqlite")) == ""


def test_a_socket_that_the_host_has_asked_for_is_there_or_the_server_does_not_start(tmp_path):
    async def evening():
        path = socket_of(far(tmp_path))
        refused = await command("--host", "127.0.0.1", "--port", "0", "--no-store", "--socket", path)
        assert refused == (5, f"gridgames-server: can't listen at {path}: AF_UNIX path too long")

    run(evening())


def test_where_no_server_runs_the_host_is_told_so(tmp_path):
    async def evening():
        store = tmp_path / "server.sqlite"
        for words in (["status"], ["players"], ["rooms"], ["say", "hello"], ["kick", "Ada"], ["drain"]):
            assert await command(*words, "--store", store) == (1, f"no server answers at {socket_of(store)}")

    run(evening())


@pytest.mark.parametrize("words", [["say"], ["kick"], ["players", "Ada"], ["drain", "now"]])
def test_a_command_with_too_few_or_too_many_words_is_told_how_it_goes(words, capsys):
    with pytest.raises(SystemExit) as caught:
        tools.main(words, "nowhere.sqlite")
    assert caught.value.code == 2
    assert "usage: gridgames-server" in capsys.readouterr().err


# Behind the disk ------------------------------------------------------------------------------------------------------


def test_the_host_hears_that_somebody_is_gone_once_that_is_on_disk(tmp_path):
    path = tmp_path / "host.sock"

    async def evening():
        async with kept(tmp_path / "store", Stuck) as house, listening(path, commands(house.service, house.journal)):
            table = await sit_down(house, "grid-hunt")
            house.journal.free.clear()
            kick, say = (asyncio.create_task(ask_server(path, words)) for words in ("kick Ada", "say Goodbye."))
            await until(house.journal.hanging.is_set)
            for _ in range(3):
                assert await ask_server(path, "players") == (0, "Bob\t127.0.0.1\troom 1, seat 2"), "ahead of the disk"
            assert (kick.done(), say.done()) == (False, False)
            house.journal.free.set()
            assert await kick == (0, "Sent away.")
            assert await say == (0, "Said to everybody.")
            assert (await table.seats[2].sees(Over)).reason == "resigned"

    run(evening())


def test_what_can_not_be_kept_is_not_done_and_the_host_hears_so(tmp_path):
    path = tmp_path / "host.sock"

    async def evening():
        async with kept(tmp_path / "store", Small) as house, listening(path, commands(house.service, house.journal)):
            table = await sit_down(house, "grid-hunt")
            house.journal.fill()
            assert await ask_server(path, "kick Ada") == (1, NOT_KEPT)
            house.journal.clear()
            back = await house.connection(last_id=100)
            assert (await back.hello("Ada", token=table.seats[1].token)).room == table.room
            assert await ask_server(path, "kick Ada") == (0, "Sent away.")

    run(evening())


# The socket -----------------------------------------------------------------------------------------------------------


async def shout(rest):
    return rest.upper()


def test_one_who_hangs_up_or_says_nonsense_disturbs_nobody(tmp_path):
    path = tmp_path / "host.sock"

    async def evening():
        async with listening(path, {"shout": shout}):
            for words in (b"", b"\xff\xfe", b"shout", b"x" * 100_000):
                _, writer = await asyncio.open_unix_connection(path)
                writer.write(words)
                writer.close()
            assert await ask_server(path, "shout two words") == (0, "TWO WORDS")
            assert await ask_server(path, "whisper") == (1, "that is no command")

    run(evening())


def test_what_is_no_socket_is_not_swept_away(tmp_path):
    path = tmp_path / "letters.txt"
    path.write_text("dear Bob")

    async def evening():
        with pytest.raises(StoreError, match="Address already in use"):
            async with listening(path, {}):
                raise AssertionError("nobody can listen there")

    run(evening())
    assert path.read_text() == "dear Bob"


def test_one_who_answers_nothing_is_no_server(tmp_path):
    path = tmp_path / "host.sock"

    async def evening():
        async def silent(reader, writer):
            await reader.read()
            writer.close()

        async with await asyncio.start_unix_server(silent, path):
            assert await ask_server(path, "status") == (1, "the server has not answered")

    run(evening())
