"""Starting without an address, on real terminals: servers of the network to choose from, and this machine."""

import asyncio
import signal
import termios
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import replace

import pytest
from prompt_toolkit.input.defaults import create_pipe_input
from prompt_toolkit.output import DummyOutput

from gridgames_client.net.found_servers import HERE, PickedServer
from gridgames_client.terminal.server_picker import Picker
from gridgames_protocol.discovery import encode_answer
from tests.client.client_process import child
from tests.client.net.test_found_servers import ATTIC, CELLAR
from tests.client.net.test_lan_search import answer, pretending
from tests.client.pseudo_terminal import terminal
from tests.wire import LOCAL, program, run, until

CERT, KEY = "tests/server/localhost.cert.pem", "tests/server/localhost.key.pem"


def lost(state, *flags, search, **variables):
    """Somebody at a terminal who gives no address."""
    arguments = ("gridgames-client", "--name", "Ada", *flags)
    return terminal(*arguments, XDG_STATE_HOME=str(state), GRIDGAMES_SEARCH=search, **variables)


def at(*servers):
    return ",".join(f"{LOCAL}:{server.port}" for server in servers)


@asynccontextmanager
async def locked(tmp_path, *flags):
    """A server with a password."""
    file = tmp_path / "password"
    file.write_text("sesame\n")
    async with program("--name", "cellar", "--password-file", str(file), *flags) as server:
        yield server


# On the full screen ---------------------------------------------------------------------------------------------------


def test_a_server_that_is_found_is_two_keys_away(tmp_path):
    async def scenario():
        async with (
            program("--name", "attic") as one,
            program("--name", "cellar") as two,
            lost(tmp_path, search=at(one, two)) as ada,
        ):
            await ada.shows("on your network", "attic", "cellar", f"{LOCAL}:{one.port}", HERE)
            ada.press("down", "enter")
            await ada.shows("Play now", "cellar", f"{LOCAL}:{two.port}")
            ada.press("ctrl-d")
            assert await ada.ends() == 0
            assert ada.is_restored()
            assert ada.screen.strange == []

    run(scenario())


def test_a_newcomer_plays_the_computer_after_two_keys_with_or_without_servers(tmp_path):
    async def scenario():
        async with program() as server, lost(tmp_path / "one", search=at(server)) as ada:
            await ada.shows(HERE)
            ada.press("h")
            await ada.shows("New room", "the computer")
            ada.press("enter")
            await ada.shows("1 Ada", "Bot (easy) 2")
        async with lost(tmp_path / "two", search="none") as ada:
            await ada.shows("Play now", "against the computer")
            ada.press("+", "enter")
            await ada.shows("1 Ada", "Bot (easy) 2")

    run(scenario())


def test_a_password_is_asked_for_and_not_shown_and_one_can_go_back(tmp_path):
    async def scenario():
        async with locked(tmp_path) as server, lost(tmp_path, search=at(server)) as ada:
            await ada.shows("cellar", "password")
            ada.press("enter")
            await ada.shows("Password:")
            ada.press("escape")
            await ada.shows_no_more("Password:")
            ada.press("1")
            await ada.shows("Password:")
            ada.enters("sesame")
            await ada.shows("Play now", "cellar")
            assert b"sesame" not in ada.raw

    run(scenario())


def test_a_server_with_tls_is_played_on_with_tls_and_its_certificate_is_remembered(tmp_path):
    async def scenario():
        async with program("--tls-cert", CERT, "--tls-key", KEY) as server, lost(tmp_path, search=at(server)) as ada:
            await ada.shows("TLS")
            ada.press("enter")
            await ada.shows("Play now")
            assert list(tmp_path.glob("gridgames/certificates/*"))

    run(scenario())


def test_a_forged_answer_does_not_make_a_server_with_tls_one_without(tmp_path):
    heard = []

    async def listening(reader, writer):
        heard.append(await reader.read())
        writer.close()

    async def scenario():
        trap = await asyncio.start_server(listening, LOCAL, 0)
        port = trap.sockets[0].getsockname()[1]
        certificate = tmp_path / "gridgames" / "certificates" / f"{LOCAL}_{port}.txt"
        certificate.parent.mkdir(parents=True)
        certificate.write_text("ab12\n")
        async with (
            trap,
            pretending(lambda call: [encode_answer(answer(call, port=port, password=True))]) as (_, place),
            lost(tmp_path, search=str(place), GRIDGAMES_PASSWORD="sesame") as ada,
        ):
            await ada.shows("the attic", f"{LOCAL}:{port}")
            ada.press("enter")
            assert await ada.ends() == 1
            said = "".join(ada.text().split("\n"))
            assert f"gridgames-client: {LOCAL}:{port} has used TLS before. The answer to the search" in said
            assert f"If its host really has stopped using TLS, delete {certificate}." in said
        assert heard == [], "neither a token nor a password has gone out"

    run(scenario())


@pytest.mark.parametrize("key", ["escape", "ctrl-c"])
def test_one_who_wants_none_of_them_is_let_go(tmp_path, key):
    async def scenario():
        async with program() as server, lost(tmp_path, search=at(server)) as ada:
            await ada.shows(HERE)
            ada.press(key)
            assert await ada.ends() == 0
            assert ada.is_restored()

    run(scenario())


def test_a_row_can_be_clicked_and_the_list_drawn_in_ascii(tmp_path):
    async def scenario():
        async with program() as server, lost(tmp_path, "--ascii", search=at(server)) as ada:
            await ada.shows(HERE)
            assert ada.text().isascii()
            row = next(y for y, line in enumerate(ada.text().split("\n"), 1) if str(server.port) in line)
            ada.types(f"\x1b[<0;10;{row}M\x1b[<0;10;{row}m")
            await ada.shows("Play now", str(server.port))

    run(scenario())


# In plain lines -------------------------------------------------------------------------------------------------------


def test_in_plain_lines_a_number_is_typed(tmp_path):
    async def scenario():
        async with program("--name", "attic") as server, lost(tmp_path, "--plain", search=at(server)) as ada:
            await ada.shows(f"1. attic, {LOCAL}:{server.port}: 0 players, 0 open", f"2. {HERE}", "Type a number")
            ada.enters("1")
            await ada.shows("Connected to attic as Ada.")
            ada.enters("create grid-hunt")
            await ada.shows("Then: join ")

    run(scenario())


def test_in_plain_lines_a_server_that_appears_can_be_chosen_by_its_number(tmp_path):
    async def scenario():
        async with program() as server:
            later = server.port
        async with (
            program("--name", "attic") as one,
            lost(tmp_path, "--plain", search=f"{at(one)},{LOCAL}:{later}") as ada,
        ):
            await ada.shows(f"1. attic, {LOCAL}:{one.port}", f"2. {HERE}", "Type a number")
            async with program("--port", str(later), "--name", "barn"):
                await ada.shows(f"3. barn, {LOCAL}:{later}: 0 players, 0 open")
                await ada.until(lambda: ada.text().count("Type a number") == 2, "the question again")
                ada.enters("3")
                await ada.shows("Connected to barn as Ada.")

    run(scenario())


def test_in_plain_lines_a_password_is_not_shown(tmp_path):
    async def scenario():
        async with locked(tmp_path) as server, lost(tmp_path, "--plain", search=at(server)) as ada:
            await ada.shows("Type a number")
            ada.enters("1")
            await ada.shows("Password:")
            ada.enters("mustard")
            await ada.shows("That password is wrong.")
            await ada.until(lambda: ada.text().count("Password:") == 2, "the question again")
            ada.enters("sesame")
            await ada.shows("Connected to cellar as Ada.")
            assert b"sesame" not in ada.raw
            assert b"mustard" not in ada.raw

    run(scenario())


@pytest.mark.parametrize("flags", [(), ("--plain",)], ids=["full screen", "plain lines"])
def test_who_comes_without_a_password_is_asked_for_it_until_it_is_right(tmp_path, flags):
    async def scenario():
        async with (
            locked(tmp_path) as server,
            terminal("gridgames-client", at(server), "--name", "Ada", *flags, XDG_STATE_HOME=str(tmp_path)) as ada,
        ):
            await ada.shows("This server wants a password.", "Password:")
            ada.enters("open")
            await ada.shows("That password is wrong.")
            await ada.until(lambda: ada.text().count("Password:") == 2, "the question again")
            ada.enters("sesame")
            await ada.shows("cellar", "Ada")
            ada.enters("/create grid-hunt")
            await ada.shows("join ")
            assert b"sesame" not in ada.raw
            assert b"open\r" not in ada.raw

    run(scenario())


@pytest.mark.parametrize("flags", [(), ("--plain",)], ids=["full screen", "plain lines"])
def test_the_certificate_is_told_before_a_password_is_asked_for(tmp_path, flags):
    async def scenario():
        async with (
            locked(tmp_path, "--tls-cert", CERT, "--tls-key", KEY) as server,
            terminal("gridgames-client", at(server), "--tls", *flags, XDG_STATE_HOME=str(tmp_path)) as ada,
        ):
            await ada.shows("Password:")
            (file,) = tmp_path.glob("gridgames/certificates/*")
            told = ada.text().partition("Password:")[0].replace("\n", "").replace(" ", "")
            assert file.read_text().strip() in told
            ada.enters("sesame")
            await ada.shows("cellar")

    run(scenario())


@pytest.mark.parametrize("flags", [(), ("--plain",)], ids=["full screen", "plain lines"])
def test_who_does_not_know_the_password_is_not_asked_for_ever(tmp_path, flags):
    async def scenario():
        async with (
            locked(tmp_path) as server,
            terminal("gridgames-client", at(server), *flags, XDG_STATE_HOME=str(tmp_path)) as ada,
        ):
            for asked in range(1, 4):
                await ada.until(lambda asked=asked: ada.text().count("Password:") == asked, "the question")
                ada.enters("open")
            assert await ada.ends() == 1
            assert "That password is wrong. Use --password-file" in ada.text()
            assert ada.is_restored()

    run(scenario())


@pytest.mark.parametrize("flags", [(), ("--plain",)], ids=["full screen", "plain lines"])
@pytest.mark.parametrize("by", [signal.SIGTERM, signal.SIGHUP])
def test_a_signal_at_the_question_for_a_password_restores_the_terminal(tmp_path, flags, by):
    async def scenario():
        async with (
            locked(tmp_path) as server,
            terminal("gridgames-client", at(server), "--name", "Ada", *flags, XDG_STATE_HOME=str(tmp_path)) as ada,
        ):
            as_found = termios.tcgetattr(ada.master)
            await ada.shows("Password:")
            ada.enters("open")
            await ada.until(lambda: ada.text().count("Password:") == 2, "the question again")
            assert await ada.ends(by) == 0
            assert ada.is_restored()
            assert termios.tcgetattr(ada.master) == as_found

    run(scenario())


def test_ctrl_c_at_the_question_for_a_password_in_plain_lines_ends_it(tmp_path):
    async def scenario():
        async with (
            locked(tmp_path) as server,
            terminal("gridgames-client", at(server), "--plain", XDG_STATE_HOME=str(tmp_path)) as ada,
        ):
            await ada.shows("Password:")
            ada.press("ctrl-c")
            assert await ada.ends() == 130

    run(scenario())


@pytest.mark.parametrize("typed", [[], ["1"]], ids=["at the list", "at the password"])
def test_a_signal_at_the_list_in_plain_lines_restores_the_terminal(tmp_path, typed):
    async def scenario():
        async with locked(tmp_path) as server, lost(tmp_path, "--plain", search=at(server)) as ada:
            as_found = termios.tcgetattr(ada.master)
            await ada.shows("Type a number")
            for line in typed:
                ada.enters(line)
                await ada.shows("Password:")
            assert await ada.ends(signal.SIGTERM) == 0
            assert termios.tcgetattr(ada.master) == as_found

    run(scenario())


def test_a_script_is_told_of_servers_and_plays_on_its_own(tmp_path):
    async def scenario():
        async with (
            program("--name", "attic") as server,
            child("--name", "Ada", state=tmp_path, GRIDGAMES_SEARCH=at(server)) as ada,
        ):
            ada.types("create grid-hunt")
            told = await ada.reads("On your network: ")
            assert told == f"On your network: attic, {LOCAL}:{server.port}: 0 players, 0 open."
            await ada.reads("You play on a server of your own.")
            invited = await ada.reads("The second player types: ")
            assert str(server.port) not in invited

    run(scenario())


def test_a_bug_behind_the_list_reaches_the_program_and_does_not_stop_at_a_question():
    async def scenario():
        loop, told = asyncio.get_running_loop(), []
        loop.set_exception_handler(lambda loop, context: told.append(context["message"]))
        with create_pipe_input() as pipe:
            picker = Picker((ATTIC,), False, source=pipe, output=DummyOutput())
            picking = asyncio.create_task(picker.run())
            await until(lambda: picker.application.is_running)
            loop.call_exception_handler({"message": "a bug"})
            pipe.send_text("h")
            assert await picking == PickedServer(None)
        assert told == ["a bug"]

    run(scenario())


def test_a_bug_in_what_the_list_follows_ends_the_list():
    async def updates():
        yield (CELLAR,)
        raise RuntimeError("planted")

    async def scenario():
        with create_pipe_input() as pipe:
            picker = Picker((ATTIC,), False, source=pipe, output=DummyOutput(), updates=updates())
            picking = asyncio.create_task(picker.run())
            await until(picking.done)
            with pytest.raises(RuntimeError, match="planted"):
                picking.result()

    run(scenario())


@pytest.mark.parametrize(("key", "picked"), [("2", CELLAR), ("\r", replace(ATTIC, answers=False)), ("h", None)])
def test_the_list_follows_the_servers_and_its_keys_mean_the_same(key, picked):
    async def scenario():
        found = asyncio.Queue()

        async def updates():
            while True:
                yield await found.get()

        with create_pipe_input() as pipe:
            picker = Picker((ATTIC,), True, source=pipe, output=DummyOutput(), updates=updates())
            picking = asyncio.create_task(picker.run())
            found.put_nowait((CELLAR,))
            await until(lambda: len(picker.picking.servers) == 2)
            shown = "".join(text for _, text, *_ in picker.draw()).split("\n")
            assert [line.split("  ")[-1].strip() for line in shown if ":4" in line] == [
                "does not answer now",
                CELLAR.facts,
            ]
            pipe.send_text(key)
            assert await picking == PickedServer(picked)

    run(scenario())


# A server that starts later -------------------------------------------------------------------------------------------


@pytest.mark.parametrize("flags", [(), ("--plain",)], ids=["full screen", "plain lines"])
def test_who_was_there_before_the_server_is_told_of_it_and_goes_there(tmp_path, flags):
    async def scenario():
        async with program() as server:
            port = server.port
        async with lost(tmp_path, *flags, search=f"{LOCAL}:{port}") as ada:
            await ada.shows("computer")
            async with program("--port", str(port), "--name", "attic"):
                await ada.shows(f"attic ({LOCAL}:{port}) is on your network now: /go goes there.")
                ada.enters("go")
                await ada.shows("Connected to attic as Ada." if flags else "gridgames   attic")
                ada.enters("quit") if flags else ada.press("ctrl-d")
                assert await ada.ends() == 0
                assert ada.is_restored()

    run(scenario())


@pytest.mark.parametrize("flags", [(), ("--plain",)], ids=["full screen", "plain lines"])
def test_who_goes_to_a_server_that_has_stopped_comes_back_home(tmp_path, flags):
    async def scenario():
        async with program() as server:
            port = server.port
        async with lost(tmp_path, *flags, search=f"{LOCAL}:{port}") as ada:
            await ada.shows("computer")
            ada.enters("create grid-hunt")
            await ada.shows("Waiting for a second player")
            async with program("--port", str(port), "--name", "attic"):
                await ada.shows(f"attic ({LOCAL}:{port}) is on your network now: /go goes there.")
            ada.enters("/go")
            home = "You are back in room" if flags else "Waiting for a second player"
            await ada.shows(f"Nothing listens at {LOCAL}:{port}. Is gridgames-server running there?", home)
            async with program("--port", str(port), "--name", "attic"):
                ada.enters("/go")
                await ada.shows("Connected to attic as Ada." if flags else "gridgames   attic")
                ada.enters("quit") if flags else ada.press("ctrl-d")
                assert await ada.ends() == 0
                assert ada.is_restored()

    run(scenario())


@pytest.mark.parametrize("flags", [(), ("--plain",)], ids=["full screen", "plain lines"])
def test_who_chooses_a_server_that_has_stopped_comes_back_to_the_list(tmp_path, flags):
    async def scenario():
        async with AsyncExitStack() as until_left:
            async with program("--name", "attic") as server:
                place = at(server)
                ada = await until_left.enter_async_context(lost(tmp_path, *flags, search=place))
                await ada.shows("attic", HERE)
            ada.enters("1") if flags else ada.press("enter")
            await ada.shows(f"Nothing listens at {place}. Is gridgames-server running there?", HERE)
            ada.enters("here") if flags else ada.press("h")
            await ada.shows("lobby" if flags else "New room")

    run(scenario())


# Where no server can be started ---------------------------------------------------------------------------------------


def test_where_no_server_can_be_started_one_that_was_found_will_do(tmp_path):
    broken = tmp_path / "gridgames_server"
    broken.mkdir()
    (broken / "__init__.py").touch()
    (broken / "__main__.py").write_text("raise SystemExit('gridgames-server: no luck')")

    async def scenario():
        async with program("--name", "attic") as server:
            async with lost(tmp_path, search=at(server), PYTHONPATH=str(tmp_path)) as ada:
                await ada.shows("attic")
                ada.press("enter")
                await ada.shows("Play now", str(server.port))
            async with lost(tmp_path, search=at(server), PYTHONPATH=str(tmp_path)) as ada:
                await ada.shows("attic")
                ada.press("h")
                assert await ada.ends() == 1
                await ada.shows("No server could be started on this machine.", "no luck")

    run(scenario())


def test_a_search_does_not_make_one_who_finds_nobody_wait(tmp_path):
    async def scenario():
        now = asyncio.get_running_loop().time
        took = {}
        for search in ("none", f"{LOCAL}:9"):
            began = now()
            async with child("--name", "Ada", state=tmp_path / search, GRIDGAMES_SEARCH=search) as ada:
                await ada.reads("You are in the lobby.")
            took[search] = now() - began
        assert took[f"{LOCAL}:9"] < took["none"] + 1.0, took

    run(scenario())
