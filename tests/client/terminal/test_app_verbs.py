"""The real program on a pipe: a verb's letter, a cell, or both, typed as a line."""

import pytest

from tests.client.piped_app import playing
from tests.client.seated_controllers import Scenario, lines
from tests.wire import run


def test_a_letter_and_a_cell_are_a_line():
    async def scenario():
        game = Scenario("treasure-hunt-duel")
        async with playing(game.controllers[1]) as player:
            await player.types("g ")
            assert player.lines()[-2] == " > g 3c"
            await player.types("1d")
            await player.presses("enter")
            assert game.seats[1].asked[-1].line == "GUESS 1d"

    run(scenario())


def test_a_cell_alone_opens_its_menu_where_the_game_wants_a_verb():
    async def scenario():
        game = Scenario("treasure-hunt-duel")
        async with playing(game.controllers[1]) as player:
            await player.enters("e2")
            assert "What at 2E?" in player.text()
            assert player.typed == ""
            assert "not understood" not in player.text()
            await player.presses("enter")
            assert lines(game.seats[1])[-1] == "QUERY 2E"

    run(scenario())


def test_a_cell_alone_is_a_line_where_the_game_takes_it():
    async def scenario():
        game = Scenario("quantum-duel")
        game.types(1, "MOVE 1")
        async with playing(game.controllers[1]) as player:
            await player.enters("2")
            assert player.controller.page is None
            assert not player.controller.model.to_act

    run(scenario())


def test_a_covered_cell_that_is_typed_alone_stays_covered():
    async def scenario():
        game = Scenario("quantum-duel")
        game.types(1, "MOVE 1", "OBSERVE 5")
        game.types(2, "MOVE 2", "OBSERVE 7")
        controller = game.controllers[1]
        async with playing(controller) as player:
            before = controller.cursor
            await player.enters("2")
            assert (controller.page, controller.cursor) == (None, before)
            await player.presses("escape", "*")
            await player.enters("2")
            assert "What at 2?" in player.text()

    run(scenario())


@pytest.mark.parametrize(
    ("slug", "keys", "typed"),
    [
        ("treasure-hunt-duel", "qg", "g"),
        ("treasure-hunt-duel", "qu", "qu"),
        ("treasure-hunt-duel", "q3", "q3"),
        ("treasure-hunt-duel", "q g", "q g"),
        ("quantum-duel", "tm", "m"),
        ("quantum-duel", "st", "st"),
        ("quantum-duel", "tsm", "m"),
    ],
)
def test_a_verbs_letter_replaces_the_letter_of_another(slug, keys, typed):
    async def scenario():
        game = Scenario(slug)
        if slug == "quantum-duel":
            game.types(1, "MOVE 1", "OBSERVE 5")
            game.types(2, "MOVE 2", "OBSERVE 7")
        async with playing(game.controllers[1]) as player:
            await player.presses(*keys)
            assert player.typed == typed

    run(scenario())
