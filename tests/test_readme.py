"""The README is true: its commands are run, its example is played, its tests and pictures are there."""

import asyncio
import re
import shlex
from itertools import product
from pathlib import Path

from gridgames_protocol.messages import Over
from gridgames_server.games import GAMES
from gridgames_server.games.match import Match
from gridgames_server.games.seats import other
from tests.client.client_process import Child, child
from tests.client.pseudo_terminal import PATIENCE, PROGRAMS
from tests.server.hub_harness import HubHarness
from tests.wire import environment, run

TOP = Path(__file__).parents[1]
PAGE = (TOP / "README.md").read_text("utf-8")
PIPE = asyncio.subprocess.PIPE


def block(mark):
    """What stands in the block behind a mark."""
    return re.search(rf"<!-- {mark} -->\n```\w+\n(.*?)```", PAGE, re.DOTALL)[1]


def commands(mark):
    """The commands in the block behind a mark, each as its words."""
    return [shlex.split(line, comments=True) for line in block(mark).splitlines()]


# Commands -------------------------------------------------------------------------------------------------------------


def test_every_command_is_run_here_or_by_what_every_change_must_pass():
    marks = re.findall(r"<!-- (\w+) -->\n```sh", PAGE)
    assert len(marks) == PAGE.count("```sh")
    assert set(marks) == {"play", "tests", "network", "client", "host"}
    every_change = (TOP / ".ci" / "run").read_text("utf-8")
    assert "$(command_behind play)" in every_change
    assert "$(command_behind tests)" in every_change


class Scenario:
    """A folder in which commands of the README are typed."""

    def __init__(self, folder):
        self.folder = folder
        self.settings = {"XDG_STATE_HOME": str(folder), "GRIDGAMES_PORT": "0", "GRIDGAMES_HOST": "127.0.0.1"}

    async def server(self, words):
        """Start a server; the command that it prints for the others, and its process."""
        assert words == [".venv/bin/gridgames-server"]
        process = await asyncio.create_subprocess_exec(
            PROGRAMS / "gridgames-server", stdout=PIPE, stderr=PIPE, env=environment(**self.settings)
        )
        announced = (await process.stdout.readline()).decode()
        return re.search(r"gridgames-client (\S+)", announced)[1], process

    def client(self, words, **here):
        """Start a client."""
        assert words[0] == ".venv/bin/gridgames-client"
        return child(*words[1:], state=self.folder, cwd=self.folder, **here)

    async def host(self, words):
        """Do something as the host; what was said."""
        assert words[0] == ".venv/bin/gridgames-server"
        process = await asyncio.create_subprocess_exec(
            PROGRAMS / "gridgames-server",
            *words[1:],
            stdout=PIPE,
            stderr=PIPE,
            cwd=self.folder,
            env=environment(**self.settings),
        )
        async with asyncio.timeout(PATIENCE):
            said, errors = await process.communicate()
        assert (process.returncode, errors) == (0, b""), errors.decode()
        return said.decode()


async def loses_a_game(ada: Child):
    ada.types("create grid-conquest bot=easy", "/resign", "yes", "/save game.json", "/quit")
    code, errors = await ada.ends()
    assert (code, errors) == (0, ""), errors
    assert any("has resigned" in line for line in ada.printed)


def test_the_commands_for_a_scenario_do_what_they_say(tmp_path):
    async def scenario():
        here = Scenario(tmp_path)
        serve, find, visit = commands("network")
        plain, verify = commands("client")
        status, say, backup, drain, check, replay = commands("host")

        address, server = await here.server(serve)
        assert visit[1] == "192.168.1.20:4743"
        async with here.client([visit[0], address, *visit[2:]]) as ada:
            await loses_a_game(ada)
        async with here.client(verify, stdin=None) as checked:
            assert (await checked.ends())[0] == 0

        assert "players" in await here.host(status)
        async with here.client([*visit[:1], address, "--name", "Bob"]) as bob:
            await bob.reads("Connected to")
            await here.host(say)
            await bob.reads(f"The host says: {say[2]}")
            await bob.ends()
        await here.host(backup)
        await here.host(drain)
        async with asyncio.timeout(PATIENCE):
            await server.communicate()
        assert server.returncode == 0
        await here.host(check)
        assert "right" in await here.host(replay)

        for alone in (find, plain):
            async with here.client(alone) as eve:
                eve.types("/quit")
                assert (await eve.ends())[0] == 0

    run(scenario(), within=120)


# The example ----------------------------------------------------------------------------------------------------------


def the_example():
    """The game in the README."""
    there = {"__name__": "odds_and_evens"}
    exec(compile(block("game"), "README.md", "exec"), there)
    return there["OddsAndEvens"]()


def test_the_example_is_played_in_a_room_like_any_other_game():
    server = HubHarness((*GAMES, the_example()))
    ada, bob = server.table("odds-and-evens")
    assert ada.types("PICK 3") == ["ok"]
    assert bob.types("PICK 6") == ["illegal"]
    assert bob.types("PICK 4") == ["ok"]
    (over,) = bob.reads(Over)
    assert (over.winner, over.text) == (1, "Player 1 wins: 7.")
    assert {secret.what: secret.value for secret in over.reveal} == {"number of 1": "3", "number of 2": "4"}


def test_nobody_sees_in_the_example_what_the_other_has_picked():
    game = the_example()
    for seat in (1, 2):
        views = set()
        for number in "12345":
            match = Match(game, b"seed", 1)
            match.play(seat, f"PICK {number}")
            views.add(repr((match.view(other(seat)), match.view(None))))
        assert len(views) == 1


def test_odd_and_even_win_as_the_example_says():
    for one, two in product("12345", repeat=2):
        match = Match(the_example(), b"seed", 1)
        match.play(1, f"PICK {one}")
        match.play(2, f"PICK {two}")
        assert match.outcome.winner == (1 if (int(one) + int(two)) % 2 else 2)


# Everything else ------------------------------------------------------------------------------------------------------


def test_what_the_page_points_at_is_there():
    pointed = re.findall(r"\]\(([^)#]+)\)", PAGE) + re.findall(
        r"`((?:tests|server|client|protocol|deploy)/[\w/.]*)`", PAGE
    )
    assert len(pointed) > 20
    assert [path for path in pointed if not (TOP / path).exists()] == []


def test_every_game_has_its_paragraph_and_its_picture():
    told = [game.card for game in GAMES if f"**{game.card.title}.**" in PAGE]
    assert len(told) == PAGE.count("\n**") >= 5
    assert [card.slug for card in told if f"tests/client/pictures/{card.slug}.svg" not in PAGE] == []


def test_nothing_on_the_page_waits_to_be_filled_in():
    assert re.findall(r"@[A-Z]+@", PAGE) == []


def test_the_page_has_a_line_for_every_folder_of_the_packages():
    packages = [TOP / part / f"gridgames_{part}" for part in ("protocol", "server", "client")]
    folders = {path.parent.relative_to(TOP).as_posix() for package in packages for path in package.rglob("*.py")}
    named = set(re.findall(r"^\| `((?:protocol|server|client)/[^`]+)` \|", PAGE, re.MULTILINE))
    assert named == folders - {"server/gridgames_server", "client/gridgames_client"}
