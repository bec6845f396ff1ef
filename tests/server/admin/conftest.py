"""Stores for the tests of a host's commands."""

import shutil

import pytest

from tests.server.hub_harness import MIDDLES, play
from tests.server.stored_games import BY_SLUG, Archive, over, played_out, resigned


@pytest.fixture(scope="module")
def original(tmp_path_factory):
    """A store with an open room in the middle of a game, a finished game of each kind, and one that was resigned."""
    path = tmp_path_factory.mktemp("store") / "server.sqlite"
    server = Archive(path)
    play(*server.table("grid-hunt"), lines=MIDDLES["grid-hunt"])
    matches = [played_out(game, bytes(32), 1) for game in BY_SLUG.values()]
    server.keeps(*(over(match, number) for number, match in enumerate(matches, start=1)), resigned(6))
    server.closes()
    return path


@pytest.fixture
def store(original, tmp_path):
    """A store to be used as one likes."""
    return shutil.copy(original, tmp_path / "server.sqlite")
