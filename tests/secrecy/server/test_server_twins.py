"""Nobody who can't know a difference can see one, on a wire or in the log, at any moment of a scenario."""

from typing import Any

import pytest

from gridgames_server.games import GAMES
from gridgames_server.games.game import Game
from tests.secrecy.server.server_twins import TWINS, examine_all
from tests.sixth_game import Pebbles

LONG = 30_000  # twins of each game
SOME = 45

every_game = pytest.mark.parametrize("game", GAMES, ids=lambda game: game.card.slug)
every_assisted_game = pytest.mark.parametrize(
    "game", [game for game in GAMES if game.card.assist], ids=lambda game: game.card.slug
)


@every_game
def test_twin_scenarios_are_the_same_to_all_who_cannot_tell_them_apart(game: Game[Any], long: bool) -> None:
    examine_all(game, LONG if long else TWINS)


def test_twin_scenarios_of_a_strangers_game_are_the_same_too() -> None:
    examine_all(Pebbles(), SOME)


@every_assisted_game
def test_an_assist_tells_nothing_but_what_its_own_seat_can_work_out(game: Game[Any]) -> None:
    examine_all(game, SOME, {"assist": True})


@every_game
def test_a_clock_and_a_closed_door_tell_nothing(game: Game[Any]) -> None:
    examine_all(game, SOME, {"private": True, "clock": 3_600})
