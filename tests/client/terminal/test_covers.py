"""While own secrets are covered the screen is the same for every own secret."""

import pytest

from gridgames_client.render.drawing.text_layout import ASCII, LINES, TILES, Line
from gridgames_client.render.key_bar import draw_bar
from gridgames_client.render.screen import draw_screen
from gridgames_client.state import completion
from gridgames_client.state.controllers import board_controller
from gridgames_client.state.controllers.controller import Controller
from gridgames_protocol.messages import SeatHolder
from tests.client.seated_controllers import Scenario

# For each game: what is typed after a secret line of seat 1, and secret lines that nobody else may tell apart.
TWINS = {
    "grid-hunt": (
        ["HIDE 1 1", "HIDE 2 3", "HIDE 5 5"],
        [(2, "HIDE 4 4"), (1, "SCAN 3 3"), (2, "SCAN 3 1"), (1, "DIG 1 2")],
    ),
    "secret-paths": (["GOAL 1", "GOAL 3", "GOAL 5"], [(2, "GOAL 1 4"), (1, "MOVE 2 2"), (2, "MOVE 3 3")]),
    "quantum-duel": (
        ["MOVE 1", "MOVE 4", "MOVE 7", "TUNNEL 4"],
        [(1, "OBSERVE 5"), (2, "MOVE 2"), (2, "OBSERVE 3"), (1, "STAY"), (1, "OBSERVE 6")],
    ),
}
SIZES = [(40, 16), (80, 24), (120, 40), (200, 60)]


def look(controller: Controller, typed: str = "") -> list[list[Line]]:
    """Everything that can be seen."""
    return [
        [*draw_screen(controller, typed, glyphs, columns, rows, 0.0), draw_bar(controller, columns)]
        for columns, rows in SIZES
        for glyphs in (TILES, LINES, ASCII)
    ]


def watch(slug: str, secret: str, lines: list[tuple[int, str]], assist: bool, guided: bool) -> list[object]:
    """What the player sees step by step, and what is offered."""
    scenario = Scenario(slug, assist=assist)
    controller, seen = scenario.controllers[1], []
    if guided:
        controller.guide.known_games = set()
        scenario.tell_room(number=2)
        scenario.show()
    for seat, line in [(1, secret), *lines]:
        scenario.types(seat, line)
        assert controller.model.masked
        seen.append((look(controller), controller.cursor, controller.model.notice))
        for typed in ("", "M", "MOVE", "OB", "S"):
            seen.append(
                [
                    completion.list_candidates(controller.model, typed),
                    completion.suggest_rest(controller.model, typed, "4"),
                ]
            )
        if controller.model.may_type_secret:
            board_controller.act(controller)
            seen.append((look(controller), controller.model.notice))
            controller.close_page()
            controller.model.say("")
    return seen


@pytest.mark.parametrize("guided", [False, True])
@pytest.mark.parametrize("assist", [False, True])
@pytest.mark.parametrize("slug", TWINS)
def test_the_screen_is_the_same_for_every_own_secret(slug, assist, guided):
    secrets, lines = TWINS[slug]
    first, *others = (watch(slug, secret, lines, assist, guided) for secret in secrets)
    for other in others:
        assert other == first


def test_why_a_secret_move_is_refused_is_not_told_while_covered():
    seen = []
    for place in ("MOVE 1", "MOVE 4"):
        scenario = Scenario("quantum-duel")
        scenario.types(1, place, "OBSERVE 5")
        scenario.types(2, "MOVE 2", "OBSERVE 7")
        scenario.controllers[1].submit("MOVE 7")
        seen.append((scenario.controllers[1].model.notice, look(scenario.controllers[1])))
    assert seen[0] == seen[1]
    assert seen[0][0] == "That is not possible now. * shows your secrets, and then why."


def test_against_the_computer_own_secrets_are_shown():
    scenario = Scenario("grid-hunt")
    bot = (scenario.room.seats[0], SeatHolder("easy", True, "easy"))
    scenario.tell_room(number=2, seats=bot)
    assert not scenario.controllers[1].model.masked


def test_who_has_shown_secrets_once_is_not_asked_again():
    scenario, remembered = Scenario("grid-hunt"), []
    scenario.controllers[1].remember_cover = remembered.append
    scenario.controllers[1].toggle_mask()
    assert remembered == [False]
    scenario.tell_room(number=2)
    assert not scenario.controllers[1].model.masked
    scenario.controllers[1].toggle_mask()
    scenario.tell_room(number=3)
    assert (remembered, scenario.controllers[1].model.masked) == ([False, True], True)
