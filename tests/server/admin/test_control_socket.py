"""The host's commands to a running server, through the real programs and the socket between them."""

import asyncio
import hashlib
import json
import os
import signal
import stat

import pytest

from gridgames_protocol.messages import Bye, Create, Error, Event, Ok, Over, Ping
from gridgames_server.admin import subcommands
from gridgames_server.admin.commands import NOT_KEPT
from gridgames_server.admin.control_socket import ask_server, default_socket, listen, make_command_table, remove_escapes
from gridgames_server.errors import SEE_LOG
from gridgames_server.net.pyz_builder import build_pyz
from gridgames_server.storage.store import StoreError
from tests.server.storage.poor_disks import Small, Stuck, found_space, kept
from tests.server.tcp_tables import sit_down
from tests.wire import LOCAL, PROGRAM, environment, program, run, until


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

    async def scenario():
        async with program("--store", str(store), "--name", "attic") as server:
            table = await sit_down(server, "grid-hunt")
            await table.types(1, "HIDE 2 3")
            at = {"GRIDGAMES_STORE": str(store)}

            code, said = await command("status", **at)
            facts = dict(line.split(": ") for line in said.splitlines())
            assert (code, facts["server"], facts["players"], facts["moves"]) == (0, "attic", "2", "1")
            assert facts["store size"].endswith(" MB")
            assert facts["store free"].endswith((" MB", " GB"))
            assert facts["store age"].endswith(" s")
            code, said = await command("status", "--json", **at)
            assert (code, json.loads(said)["server"], json.loads(said)["disk_full"]) == (0, "attic", False)

            assert await command("players", **at) == (
                0,
                "Ada  127.0.0.1  room 1, seat 1\nBob  127.0.0.1  room 1, seat 2",
            )
            row = f"room 1  {table.room}  grid-hunt  playing  Ada and Bob  1 moves, 0 watching"
            assert await command("rooms", "--store", store) == (0, row)

            assert await command("say", "Pizza", "is here.", **at) == (0, "Sent to everybody.")
            for guest in table.seats.values():
                await guest.sees(Event, lambda event: event.text == "The host says: Pizza is here.")

            assert await command("kick", "eve", **at) == (1, "Nobody here has that name.")
            assert await command("kick", "ada", **at) == (0, "Kicked.")
            assert (await table.seats[1].last_words())[-1].code == "kicked"
            assert "Pizza" not in server.text

    run(scenario())


def test_a_draining_server_ends_by_itself_when_the_last_game_is_over(tmp_path):
    store = tmp_path / "server.sqlite"

    async def scenario():
        async with program("--store", str(store)) as server:
            table = await sit_down(server, "quantum-duel")
            cyd = await server.guest("Cyd")
            code, said = await command("drain", "--store", store)
            assert (code, said) == (0, "No new game begins. The server stops when the last game is over.")
            refused = await cyd.says(Create, game="grid-hunt")
            assert isinstance(refused, Error)
            assert refused.code == "shutting_down"
            await table.end()
            assert (await cyd.sees(Bye)).code == "shutting_down"
            for guest in server.guests:
                guest.cut()
            assert await server.ends() == 0
        assert not default_socket(store).exists()

    run(scenario())
    assert subcommands.check_store(store) == []


def test_a_server_without_a_store_listens_to_its_host_where_it_is_told_to(tmp_path):
    path = tmp_path / "host.sock"

    async def scenario():
        async with program("--socket", str(path)) as server:
            assert stat.S_IMODE(os.stat(path).st_mode) == 0o600
            await server.guest("Ada")
            assert await command("players", "--socket", path) == (0, "Ada  127.0.0.1  lobby")
            assert await command("players", GRIDGAMES_SOCKET=str(path)) == (0, "Ada  127.0.0.1  lobby")
            refused = await command("backup", "--socket", path, tmp_path / "copy.sqlite")
            assert refused == (1, "there is no store: games are in memory only")
            assert await server.ends(signal.SIGTERM) == 0
        assert not path.exists()

    run(scenario())


def test_a_server_that_was_killed_leaves_a_socket_that_the_next_one_takes_over(tmp_path):
    path = tmp_path / "host.sock"

    async def scenario():
        async with program("--socket", str(path)) as server:
            await server.ends(signal.SIGKILL)
        assert await command("players", "--socket", path) == (1, f"no server answers at {path}")
        async with program("--socket", str(path)):
            assert await command("players", "--socket", path) == (0, "")

    run(scenario())


def test_two_servers_do_not_share_a_socket(tmp_path):
    path = tmp_path / "host.sock"

    async def scenario():
        async with program("--socket", str(path)):
            second = await command("--host", "127.0.0.1", "--port", "0", "--no-store", "--socket", path)
            assert second == (5, f"gridgames-server: can't listen at {path}: Address already in use")
            assert await command("rooms", "--socket", path) == (0, "")

    run(scenario())


def far(folder):
    """A store in a folder so deep that no socket can lie beside it."""
    deep = folder / ("x" * 60) / ("y" * 60)
    deep.mkdir(parents=True)
    return deep / "server.sqlite"


def test_a_store_too_deep_in_the_folders_for_a_socket_is_served_all_the_same(tmp_path):
    store = far(tmp_path)

    async def scenario():
        async with program("--store", str(store)) as server:
            await server.guest("Ada")
            assert await server.ends(signal.SIGTERM) == 0
        why = f"the host's commands can't be received: can't listen at {default_socket(store)}: AF_UNIX path too long"
        assert server.text.count(why) == 1

    run(scenario())
    assert subcommands.backup(store, str(tmp_path / "copy.sqlite")) == ""


def test_a_socket_that_the_host_has_asked_for_is_there_or_the_server_does_not_start(tmp_path):
    async def scenario():
        path = default_socket(far(tmp_path))
        refused = await command("--host", "127.0.0.1", "--port", "0", "--no-store", "--socket", path)
        assert refused == (5, f"gridgames-server: can't listen at {path}: AF_UNIX path too long")

    run(scenario())


def test_where_no_server_runs_the_host_is_told_so(tmp_path):
    async def scenario():
        store = tmp_path / "server.sqlite"
        for words in (["status"], ["players"], ["rooms"], ["say", "hello"], ["kick", "Ada"], ["drain"]):
            code, said = await command(*words, "--store", store)
            assert (code, said.partition(". ")[0]) == (1, f"no server answers at {default_socket(store)}")

    run(scenario())


def test_a_host_whose_server_has_no_store_is_told_how_to_reach_it(tmp_path):
    async def scenario():
        async with program():
            code, said = await command("status", XDG_STATE_HOME=str(tmp_path))
            assert code == 1
            assert "A server with --no-store is reached if it and this command are given the same --socket FILE" in said

    run(scenario())


def test_the_status_names_the_address_for_browsers_and_the_checksum_of_the_file(tmp_path):
    path = tmp_path / "host.sock"

    async def scenario():
        async with program("--socket", str(path)) as server:
            _, said = await command("status", "--json", "--socket", path)
            facts = json.loads(said)
            assert facts["browser"] == [f"http://{LOCAL}:{server.port}"]
            assert facts["sha256"] == hashlib.sha256(build_pyz()).hexdigest()
            _, said = await command("status", "--socket", path)
            assert f"sha256: {facts['sha256']} (of gridgames.pyz)" in said.splitlines()
            assert f"browser: http://{LOCAL}:{server.port}" in said.splitlines()
            assert await server.ends(signal.SIGTERM) == 0
        assert f"the SHA-256 of gridgames.pyz is {facts['sha256']}\n" in server.text
        async with program("--socket", str(path), "--no-handout"):
            assert (
                not {"browser", "sha256"} & json.loads((await command("status", "--json", "--socket", path))[1]).keys()
            )

    run(scenario())


def test_a_host_drains_within_some_minutes(tmp_path):
    path = tmp_path / "host.sock"

    async def scenario():
        async with program("--socket", str(path)) as server:
            table = await sit_down(server, "grid-hunt")
            code, said = await command("drain", "--within", 30, "--socket", path)
            assert (code, said) == (
                0,
                "No new game begins. The server stops when the last game is over, in 30 minutes at the latest.",
            )
            await table.seats[1].sees(Event, lambda event: "in 30 minutes at the latest" in event.text)
            assert (await command("drain", "--within", 1, "--socket", path))[1].endswith("in 1 minute at the latest.")
            assert await command("drain", "--within", 0, "--socket", path) == (1, "Give the minutes: drain --within 30")
            assert await command("undrain", "--socket", path) == (0, "New games can begin.")

    run(scenario())


@pytest.mark.parametrize("words", [["say"], ["kick"], ["players", "Ada"], ["drain", "now"]])
def test_a_command_with_too_few_or_too_many_words_is_told_how_it_goes(words, capsys):
    with pytest.raises(SystemExit) as caught:
        subcommands.main(words, "nowhere.sqlite")
    assert caught.value.code == 2
    assert "usage: gridgames-server" in capsys.readouterr().err


# Behind the disk ------------------------------------------------------------------------------------------------------


def test_the_host_hears_that_somebody_is_gone_once_that_is_on_disk(tmp_path):
    path = tmp_path / "host.sock"

    async def scenario():
        async with (
            kept(tmp_path / "store", Stuck) as server,
            listen(path, make_command_table(server.service, server.storage)),
        ):
            table = await sit_down(server, "grid-hunt")
            server.storage.free.clear()
            kick, say = (asyncio.create_task(ask_server(path, words)) for words in ("kick Ada", "say Goodbye."))
            await until(server.storage.hanging.is_set)
            for _ in range(3):
                assert await ask_server(path, "players") == (0, "Bob\t127.0.0.1\troom 1, seat 2"), "ahead of the disk"
            assert (kick.done(), say.done()) == (False, False)
            server.storage.free.set()
            assert await kick == (0, "Kicked.")
            assert await say == (0, "Sent to everybody.")
            assert (await table.seats[2].sees(Over)).reason == "resigned"

    run(scenario())


def test_what_can_not_be_kept_is_not_done_and_the_host_hears_so(tmp_path):
    path = tmp_path / "host.sock"

    async def scenario():
        async with (
            kept(tmp_path / "store", Small) as server,
            listen(path, make_command_table(server.service, server.storage)),
        ):
            table = await sit_down(server, "grid-hunt")
            server.storage.fill()
            await table.play(1)
            for command in ("kick Ada", "ban 60 Ada"):
                assert await ask_server(path, command) == (1, NOT_KEPT)
            assert server.storage.is_disk_full
            server.storage.clear()
            await found_space(server)
            assert isinstance(await table.seats[1].says(Ping), Ok)
            assert await ask_server(path, "kick Ada") == (0, "Kicked.")

    run(scenario())


# The socket -----------------------------------------------------------------------------------------------------------


async def shout(rest):
    return rest.upper()


def test_one_who_hangs_up_or_says_nonsense_disturbs_nobody(tmp_path):
    path = tmp_path / "host.sock"

    async def scenario():
        async with listen(path, {"shout": shout}):
            for words in (b"", b"\xff\xfe", b"shout", b"x" * 100_000):
                _, writer = await asyncio.open_unix_connection(path)
                writer.write(words)
                writer.close()
            assert await ask_server(path, "shout two words") == (0, "TWO WORDS")
            assert await ask_server(path, "whisper") == (1, "unknown command")

    run(scenario())


def test_what_is_no_socket_is_not_swept_away(tmp_path):
    path = tmp_path / "letters.txt"
    path.write_text("dear Bob")

    async def scenario():
        with pytest.raises(StoreError, match="Address already in use"):
            async with listen(path, {}):
                raise AssertionError("nobody can listen there")

    run(scenario())
    assert path.read_text() == "dear Bob"


def test_one_who_answers_nothing_is_no_server(tmp_path):
    path = tmp_path / "host.sock"

    async def scenario():
        async def silent(reader, writer):
            await reader.read()
            writer.close()

        async with await asyncio.start_unix_server(silent, path):
            assert await ask_server(path, "status") == (1, "the server did not answer")

    run(scenario())


def test_escapes_of_a_foreign_socket_are_not_printed():
    assert remove_escapes("players: 1\n\x1b[2Jname\taddress\x07\x9b") == "players: 1\n?[2Jname\taddress??"


def test_a_bug_in_a_command_is_told_to_the_host_who_can_ask_again(tmp_path, caplog):
    async def struck(rest):
        raise KeyError(rest)

    async def fine(rest):
        return "fine"

    async def scenario():
        async with listen(tmp_path / "sock", {"bad": struck, "good": fine}):
            assert await ask_server(tmp_path / "sock", "bad secret") == (1, SEE_LOG)
            assert await ask_server(tmp_path / "sock", "good") == (0, "fine")

    run(scenario())
    assert [line.partition(" at ")[0] for line in caplog.messages] == ["bug in a command of the host: KeyError"]
