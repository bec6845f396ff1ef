"""Starting without an address, on real terminals: servers of the network to choose from, and this machine."""

import asyncio
from contextlib import asynccontextmanager

import pytest

from gridgames_client.servers import HERE
from gridgames_protocol.discovery import encode_answer
from tests.client.child import child
from tests.client.terminal import terminal
from tests.client.test_search import answer, pretending
from tests.wire import LOCAL, program, run

CERT, KEY = "tests/server/localhost.cert.pem", "tests/server/localhost.key.pem"


def lost(state, *flags, search, **variables):
    """Somebody at a terminal who gives no address."""
    arguments = ("gridgames-client", "--name", "Ada", *flags)
    return terminal(*arguments, XDG_STATE_HOME=str(state), GRIDGAMES_SEARCH=search, **variables)


def at(*houses):
    return ",".join(f"{LOCAL}:{house.port}" for house in houses)


@asynccontextmanager
async def locked(tmp_path, *flags):
    """A server with a password."""
    file = tmp_path / "password"
    file.write_text("sesame\n")
    async with program("--name", "cellar", "--password-file", str(file), *flags) as house:
        yield house


# On the full screen ---------------------------------------------------------------------------------------------------


def test_a_server_that_is_found_is_two_keys_away(tmp_path):
    async def evening():
        async with (
            program("--name", "attic") as one,
            program("--name", "cellar") as two,
            lost(tmp_path, search=at(one, two)) as ada,
        ):
            await ada.shows("on your network", "attic", "cellar", f"{LOCAL}:{one.port}", HERE)
            ada.press("down", "enter")
            await ada.shows("Open a room", f"cellar · {LOCAL}:{two.port}")
            ada.press("ctrl-d")
            assert await ada.ends() == 0
            assert ada.is_restored()
            assert ada.screen.strange == []

    run(evening())


def test_a_newcomer_plays_the_computer_two_keys_later_whether_there_are_servers_or_not(tmp_path):
    async def evening():
        async with program() as house, lost(tmp_path / "one", search=at(house)) as ada:
            await ada.shows(HERE)
            ada.press("h")
            await ada.shows("New room", "the computer")
            ada.press("enter")
            await ada.shows("Ada [1]", "Bot (easy) [2]")
        async with lost(tmp_path / "two", search="none") as ada:
            await ada.shows("Play the computer, or open a room")
            ada.press("n", "enter")
            await ada.shows("Ada [1]", "Bot (easy) [2]")

    run(evening())


def test_a_password_is_asked_for_and_not_shown_and_one_can_go_back(tmp_path):
    async def evening():
        async with locked(tmp_path) as house, lost(tmp_path, search=at(house)) as ada:
            await ada.shows("cellar", "password")
            ada.press("enter")
            await ada.shows("Password:")
            ada.press("escape")
            await ada.shows_no_more("Password:")
            ada.press("1")
            await ada.shows("Password:")
            ada.enters("sesame")
            await ada.shows("Open a room", "cellar")
            assert b"sesame" not in ada.raw

    run(evening())


def test_a_server_with_tls_is_played_on_with_tls_and_its_certificate_is_remembered(tmp_path):
    async def evening():
        async with program("--tls-cert", CERT, "--tls-key", KEY) as house, lost(tmp_path, search=at(house)) as ada:
            await ada.shows("TLS")
            ada.press("enter")
            await ada.shows("Open a room")
            assert list(tmp_path.glob("gridgames/certificates/*"))

    run(evening())


def test_a_forged_answer_does_not_make_a_server_with_tls_one_without(tmp_path):
    heard = []

    async def listening(reader, writer):
        heard.append(await reader.read())
        writer.close()

    async def evening():
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
            assert f"gridgames-client: {LOCAL}:{port} has used TLS before, and now a search says" in said
            assert f"If its host really has stopped using TLS, delete {certificate}." in said
        assert heard == [], "neither a token nor a password has gone out"

    run(evening())


@pytest.mark.parametrize("key", ["escape", "ctrl-c"])
def test_one_who_wants_none_of_them_is_let_go(tmp_path, key):
    async def evening():
        async with program() as house, lost(tmp_path, search=at(house)) as ada:
            await ada.shows(HERE)
            ada.press(key)
            assert await ada.ends() == 0
            assert ada.is_restored()

    run(evening())


def test_a_row_can_be_clicked_and_the_list_drawn_in_ascii(tmp_path):
    async def evening():
        async with program() as house, lost(tmp_path, "--ascii", search=at(house)) as ada:
            await ada.shows(HERE)
            assert ada.text().isascii()
            row = next(y for y, line in enumerate(ada.text().split("\n"), 1) if str(house.port) in line)
            ada.types(f"\x1b[<0;10;{row}M\x1b[<0;10;{row}m")
            await ada.shows("Open a room", str(house.port))

    run(evening())


# In plain lines -------------------------------------------------------------------------------------------------------


def test_in_plain_lines_a_number_is_typed(tmp_path):
    async def evening():
        async with program("--name", "attic") as house, lost(tmp_path, "--plain", search=at(house)) as ada:
            await ada.shows(f"1. attic, {LOCAL}:{house.port}: 0 players, 0 open", f"2. {HERE}", "Type a number")
            ada.enters("1")
            await ada.shows("Connected to attic as Ada.")
            ada.enters("create grid-hunt")
            await ada.shows("Then: join ")

    run(evening())


def test_in_plain_lines_a_password_is_not_shown(tmp_path):
    async def evening():
        async with locked(tmp_path) as house, lost(tmp_path, "--plain", search=at(house)) as ada:
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

    run(evening())


@pytest.mark.parametrize("flags", [(), ("--plain",)], ids=["full screen", "plain lines"])
def test_who_comes_without_a_password_is_asked_for_it_until_it_is_right(tmp_path, flags):
    async def evening():
        async with (
            locked(tmp_path) as house,
            terminal("gridgames-client", at(house), "--name", "Ada", *flags, XDG_STATE_HOME=str(tmp_path)) as ada,
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

    run(evening())


@pytest.mark.parametrize("flags", [(), ("--plain",)], ids=["full screen", "plain lines"])
def test_who_does_not_know_the_password_is_not_asked_for_ever(tmp_path, flags):
    async def evening():
        async with (
            locked(tmp_path) as house,
            terminal("gridgames-client", at(house), *flags, XDG_STATE_HOME=str(tmp_path)) as ada,
        ):
            for asked in range(1, 4):
                await ada.until(lambda asked=asked: ada.text().count("Password:") == asked, "the question")
                ada.enters("open")
            assert await ada.ends() == 1
            assert "That password is wrong. Use --password-file" in ada.text()
            assert ada.is_restored()

    run(evening())


def test_a_script_is_told_of_servers_and_plays_on_its_own(tmp_path):
    async def evening():
        async with (
            program("--name", "attic") as house,
            child("--name", "Ada", state=tmp_path, GRIDGAMES_SEARCH=at(house)) as ada,
        ):
            ada.types("create grid-hunt")
            told = await ada.reads("On your network: ")
            assert told == f"On your network: attic, {LOCAL}:{house.port}: 0 players, 0 open."
            invited = await ada.reads("The second player types: ")
            assert str(house.port) not in invited

    run(evening())


# Where no server can be started ---------------------------------------------------------------------------------------


def test_where_no_server_can_be_started_one_that_was_found_will_do(tmp_path):
    broken = tmp_path / "gridgames_server"
    broken.mkdir()
    (broken / "__init__.py").touch()
    (broken / "__main__.py").write_text("raise SystemExit('gridgames-server: no luck')")

    async def evening():
        async with program("--name", "attic") as house:
            async with lost(tmp_path, search=at(house), PYTHONPATH=str(tmp_path)) as ada:
                await ada.shows("attic")
                ada.press("enter")
                await ada.shows("Open a room", str(house.port))
            async with lost(tmp_path, search=at(house), PYTHONPATH=str(tmp_path)) as ada:
                await ada.shows("attic")
                ada.press("h")
                assert await ada.ends() == 1
                await ada.shows("No server could be started on this machine.", "no luck")

    run(evening())


def test_a_search_does_not_make_one_who_finds_nobody_wait(tmp_path):
    async def evening():
        now = asyncio.get_running_loop().time
        took = {}
        for search in ("none", f"{LOCAL}:9"):
            began = now()
            async with child("--name", "Ada", state=tmp_path / search, GRIDGAMES_SEARCH=search) as ada:
                await ada.reads("You are in the lobby.")
            took[search] = now() - began
        assert took[f"{LOCAL}:9"] < took["none"] + 1.0, took

    run(evening())
