"""The bot of the specification plays every game to its end, against the computer and against itself."""

import re
import subprocess
import sys

import pytest

from gridgames_server.games import GAMES
from tests.protocol.specification import blocks, section
from tests.protocol.started_server import started_server

each_game = pytest.mark.parametrize("slug", [game.card.slug for game in GAMES])


@pytest.fixture(scope="module")
def server():
    with started_server() as address:
        yield address


@pytest.fixture
def bot(tmp_path):
    (source,) = blocks("python", section("## A bot of your own"))
    path = tmp_path / "bot.py"
    path.write_text(source, encoding="utf-8")
    return path


def test_the_bot_is_short_and_needs_nothing_but_msgpack(bot):
    source = bot.read_text(encoding="utf-8")
    assert len(source.splitlines()) <= 60
    imported = set(re.findall(r"^import (\w+)$", source, re.MULTILINE))
    assert imported - {"msgpack"} <= sys.stdlib_module_names


@each_game
def test_the_bot_plays_a_game_to_its_end(server, bot, slug, long):
    for _ in range(20 if long else 1):
        done = subprocess.run([sys.executable, bot, *server, slug], capture_output=True, text=True, check=False)
        assert (done.returncode, done.stderr) == (0, "")
        assert done.stdout.endswith("\n")
        assert "Player" in done.stdout


def test_the_bot_says_why_it_gets_no_table(server, bot):
    done = subprocess.run([sys.executable, bot, *server, "chess"], capture_output=True, text=True, check=False)
    assert done.returncode == 1
    assert done.stderr.startswith("There is no such game")
