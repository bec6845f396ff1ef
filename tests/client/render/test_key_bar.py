"""The bar at the bottom: the keys that work now, the most useful first."""

import pytest

from gridgames_client.render.drawing.text_layout import plain, width
from gridgames_client.render.key_bar import draw_bar
from gridgames_client.state.actions.find_action import find, list_bar
from gridgames_client.state.controllers import board_controller, lobby_controller
from gridgames_client.state.controllers.controller import Controller
from gridgames_protocol.messages import Event
from tests.client.finished_games import at_shelf, finished
from tests.client.game_scripts import story
from tests.client.screen_scenes import ROOMS, waiting
from tests.client.seated_controllers import Scenario, in_lobby, listed


def keys(controller: Controller, on_board: bool = False) -> str:
    """The bar on a standard screen."""
    controller.on_board = on_board
    return " ".join(plain(draw_bar(controller, 80)).split())


def with_line(controller: Controller, line: str) -> Controller:
    controller.submit(line)
    return controller


def on_room() -> Controller:
    return in_lobby(*ROOMS).controller


def at_the_shelf(line: str) -> Controller:
    return with_line(at_shelf(in_lobby(), finished(3, "grid-hunt")).controller, line)


def looking_back() -> Controller:
    controller = in_lobby(*ROOMS).controller
    controller.pick_row(99)
    return controller


@pytest.mark.parametrize(
    ("controller", "on_board", "shown"),
    [
        (in_lobby().controller, True, "Enter choose arrows move + new room Tab type ? help Ctrl-Q quit"),
        (on_room(), True, "Enter choose arrows move + new room F5 watch Tab type ? help Ctrl-Q quit"),
        (looking_back(), True, "Enter choose arrows move + new room Tab type ? help Ctrl-Q quit"),
        (in_lobby().controller, False, "Tab complete Esc list ? help Ctrl-Q quit"),
        (waiting(), False, "F7 close the room ? help F2 rules ' talk Ctrl-Q quit"),
        (Scenario("grid-conquest").controllers[1], False,
         "Enter act arrows move ? help F7 leave F2 rules ' talk . mark"),
        (Scenario("grid-conquest").controllers[1], True,
         "Enter act arrows move ? help F7 leave F2 rules ' talk . mark Tab type"),
        (Scenario("grid-hunt").controllers[1], False, "? help F7 leave * show F2 rules ' talk . mark"),
        (Scenario("grid-conquest").controllers[2], False, "? help F7 leave F2 rules ' talk . mark Esc board"),
        (Scenario("grid-conquest").controllers[None], False, "F7 lobby ? help F2 rules ' talk"),
        (story("grid-hunt", "end").controllers[1], False,
         "F6 rematch F7 lobby F8 moves ? help F2 rules ' talk Ctrl-Q quit"),
        (story("grid-hunt", "end").controllers[None], False, "F7 lobby F8 moves ? help F2 rules ' talk Ctrl-Q quit"),
        (with_line(Scenario("grid-hunt").controllers[1], "/help"), True, "Esc back arrows PgUp PgDn scroll"),
        (with_line(Scenario("grid-hunt").controllers[1], "/resign"), True, "y yes n no"),
        (at_the_shelf("history"), True, "Enter replay arrows move Esc back Tab type"),
        (at_the_shelf("history"), False, "Tab complete Esc keys"),
        (with_line(at_shelf(in_lobby()).controller, "history"), True, "Esc back"),
        (at_the_shelf("replay 3"), True, "right next left back Esc close * other eyes Home End first, last Tab type"),
        (at_the_shelf("replay 3"), False, "Tab complete Esc keys"),
        (at_the_shelf("standings"), True, "Esc back left right other games arrows PgUp PgDn scroll"),
    ],
)  # fmt: skip
def test_the_keys_that_work_now_are_shown(controller, on_board, shown):
    assert keys(controller, on_board) == shown


def test_own_secrets_that_are_shown_can_be_covered():
    controller = Scenario("grid-hunt").controllers[1]
    controller.toggle_mask()
    assert "* cover" in keys(controller)


def test_a_win_that_can_be_claimed_comes_first():
    scenario = Scenario("grid-hunt")
    scenario.show(claimable=True)
    assert keys(scenario.controllers[1]).startswith("/claim the win")


def test_a_choice_and_a_dialogue_have_keys_of_their_own():
    table, lobby = Scenario("treasure-hunt-duel").controllers[1], in_lobby(listed()).controller
    board_controller.act(table)
    lobby_controller.open_new_room(lobby)
    assert keys(table) == "Enter choose arrows move Esc back"
    assert keys(lobby) == "Enter open the room arrows choose and change Esc back"


@pytest.mark.parametrize("columns", range(10, 100, 7))
def test_what_does_not_fit_is_left_out_from_the_end_and_help_last_of_all(columns):
    controller = Scenario("grid-hunt").controllers[1]
    line = draw_bar(controller, columns)
    assert width(line) <= columns
    shown = [fragment.target[1] for fragment in line][::2]
    keys, help_key = list_bar(controller), find("help")
    assert help_key in [keys[number] for number in shown]
    others = [number for number in shown if keys[number] is not help_key]
    assert others == [number for number in range(len(keys)) if keys[number] is not help_key][: len(others)]


def test_nobody_is_offered_a_rematch_with_one_who_has_left():
    scenario = story("grid-hunt", "end")
    scenario.tell_room(seats=(scenario.room.seats[0], None))
    assert "F6" not in keys(scenario.controllers[1])


@pytest.mark.parametrize("columns", [60, 80, 120])
def test_how_to_leave_a_game_and_to_show_secrets_is_in_the_bar_at_every_usual_size(columns):
    bar = plain(draw_bar(Scenario("grid-hunt").controllers[1], columns, spaced=True))
    assert "F7  leave" in bar
    assert "*  show" in bar


def test_tab_is_offered_while_there_is_something_to_complete():
    controller = Scenario("grid-hunt").controllers[1]
    assert "Tab complete" not in keys(controller)
    controller.typed = "hide 5"
    assert "Tab complete" in keys(controller)


def test_a_log_that_is_scrolled_back_names_the_way_to_the_newest_events():
    controller = Scenario("quantum-duel").controllers[2]
    controller.model.log.append(Event("One more.", "system"))
    controller.scroll(1)
    assert "Esc newest" in keys(controller)
