"""The twins find every leak that is planted, so that they would find a real one."""

from typing import Any

import pytest

from gridgames_server.games.game import Game
from tests.secrecy.games.game_leaks import LEAKS, OnePebble
from tests.secrecy.games.game_twins import Leak, compare, examine_all
from tests.secrecy.games.histories import recorded
from tests.secrecy.games.other_worlds import World


@pytest.mark.parametrize("game", LEAKS.values(), ids=LEAKS)
def test_the_twins_find_what_leaks_through(game: Game[Any]) -> None:
    with pytest.raises(Leak):
        examine_all(game)


def test_a_leak_says_where_it_is_and_how_to_see_it_again() -> None:
    past = recorded(OnePebble(), 1, [(2, "HOLD 1")])
    with pytest.raises(Leak) as found:
        compare(past, 1, [World({}, {0: "HOLD 3"}, 1)])
    assert str(found.value).splitlines() == [
        "pebbles, history 0: seat 1 can tell two worlds apart at line 1, when seat 2 types 'HOLD 1' (played).",
        "  instead:       line 1: HOLD 3",
        "  in one world:  {'type': 'event', 'text': 'Player 2 holds a pebble.', 'kind': 'move', 'seat': 2}",
        "  in the other:  {'type': 'event', 'text': 'Player 2 holds pebbles.', 'kind': 'move', 'seat': 2}",
        "  they differ in text",
        "  again with:    python -m tests.secrecy.games.game_twins pebbles 0",
    ]
