"""What the player does on the board: the cursor, actions, choices, pencil marks."""

from dataclasses import replace

import pytest

from gridgames_client.state.controllers import board_controller
from gridgames_client.state.dialogs import Choice
from gridgames_protocol.messages import (
    AskHistory,
    Create,
    Event,
    Join,
    Leave,
    Ok,
)
from tests.client.game_scripts import story
from tests.client.seated_controllers import Scenario, in_lobby, lines


def test_the_cursor_starts_in_the_middle_and_stays_on_the_board():
    controller = Scenario("grid-hunt").controllers[1]
    controller.toggle_mask()
    assert controller.cursor == 12
    for rows, cols, cell in ((-9, 0, 2), (0, -9, 0), (9, 9, 24)):
        board_controller.move_cursor(controller, rows, cols)
        assert controller.cursor == cell


@pytest.mark.parametrize(("seat", "cell"), [(1, "5,3"), (2, "1,3")])
def test_the_cursor_starts_where_the_player_can_act(seat, cell):
    controller = Scenario("secret-paths").controllers[seat]
    assert controller.model.board
    assert controller.model.board.names[controller.cursor] == cell


def test_after_the_setup_the_cursor_is_in_the_middle():
    scenario = Scenario("secret-paths")
    scenario.types(1, "GOAL 5,1")
    scenario.types(2, "GOAL 1,1")
    assert scenario.controllers[1].cursor == scenario.controllers[2].cursor == 12


def test_in_a_rematch_the_cursor_starts_where_the_player_can_act():
    scenario = story("secret-paths", "end")
    controller = scenario.controllers[1]
    controller.cursor = 12
    again = Scenario("secret-paths")
    controller.on_message(replace(again.room, number=2))
    controller.on_message(again.shown(1))
    assert controller.model.board
    assert controller.model.board.names[controller.cursor] == "5,3"


def test_acting_where_one_thing_can_be_done_does_it():
    scenario = Scenario("grid-conquest")
    board_controller.act(scenario.controllers[1])
    assert lines(scenario.seats[1]) == ["CLAIM C3"]


def test_acting_where_several_things_can_be_done_asks_which():
    scenario = Scenario("treasure-hunt-duel")
    controller = scenario.controllers[1]
    board_controller.act(controller)
    assert controller.page == Choice(controller.model.actions, "3C")
    controller.pick_row(1)
    assert controller.chosen_row == 1
    board_controller.choose(controller, controller.chosen_row)
    assert lines(scenario.seats[1]) == ["GUESS 3C"]
    assert controller.page is None


def queried_twice() -> Scenario:
    """A game in which seat 1 stands on a cell that was queried."""
    scenario = Scenario("treasure-hunt-duel")
    scenario.types(1, "QUERY 3C")
    scenario.types(2, "QUERY 1A")
    return scenario


def test_the_menu_chooses_no_guess_by_itself_where_nothing_can_be_queried():
    scenario = queried_twice()
    controller = scenario.controllers[1]
    board_controller.act(controller)
    assert isinstance(controller.page, Choice)
    assert [action.verb for action in controller.page.actions] == ["QUERY", "GUESS"]
    assert controller.chosen_row == 0
    board_controller.choose(controller, 0)
    assert controller.model.notice.startswith("Cell 3C has already been queried.")
    assert controller.model.notice_is_error


def test_enter_twice_does_not_spend_the_only_tunnel():
    scenario = Scenario("quantum-duel")
    scenario.types(1, "MOVE 1", "OBSERVE 5")
    scenario.types(2, "MOVE 2", "OBSERVE 7")
    controller = scenario.controllers[1]
    controller.model.masked = False
    controller.cursor = 6
    board_controller.act(controller)
    assert isinstance(controller.page, Choice)
    assert [action.verb for action in controller.page.actions] == ["MOVE", "STAY", "TUNNEL"]
    board_controller.choose(controller, controller.chosen_row)
    assert lines(scenario.seats[1])[-1] == "STAY"


@pytest.mark.parametrize(
    ("slug", "played", "cell", "reason"),
    [
        ("grid-conquest", [(1, "CLAIM C3"), (2, "CLAIM A1")], 12, "C3"),
        ("secret-paths", [], 13, "row 5"),
        ("quantum-duel", [(1, "MOVE 1"), (1, "OBSERVE 5"), (2, "MOVE 2"), (2, "OBSERVE 7"), (1, "STAY")], 4, "5"),
    ],
)
def test_why_an_action_is_not_possible_at_a_cell_is_told_by_the_server(slug, played, cell, reason):
    scenario = Scenario(slug)
    for seat, line in played:
        scenario.types(seat, line)
    controller = scenario.controllers[1]
    controller.model.masked = False
    controller.cursor = cell
    board_controller.act(controller)
    assert reason in controller.model.notice
    assert controller.model.notice_is_error
    assert controller.cursor == cell


def test_a_choice_that_is_not_offered_changes_nothing():
    controller = Scenario("treasure-hunt-duel").controllers[1]
    board_controller.act(controller)
    board_controller.choose(controller, 7)
    assert isinstance(controller.page, Choice)


def test_what_was_not_sent_is_no_longer_said_when_the_connection_is_back():
    controller = in_lobby().controller
    controller.on_connection("reconnecting", "The connection is lost.")
    controller.on_lost(Join(1, "AAAAAA"))
    assert controller.model.notice.startswith("That was not sent")
    controller.on_connection("connected", "")
    assert controller.model.notice == ""


def test_another_notice_stays_when_the_connection_is_back():
    controller = in_lobby().controller
    controller.on_connection("reconnecting", "The connection is lost.")
    controller.submit("/bell")
    controller.on_connection("connected", "")
    assert controller.model.notice == "The bell is off."


@pytest.mark.parametrize("private", [True, False])
def test_a_room_is_known_to_be_private_by_whoever_has_made_it_so(private):
    controller = in_lobby().controller
    controller.on_reply(Create(7, "grid-hunt", private=private), Ok(7))
    assert controller.model.made_private_room is private
    controller.on_reply(Leave(8), Ok(8))
    assert not controller.model.made_private_room


def test_one_who_has_left_types_for_the_lobby_before_the_lobby_arrives():
    scenario = Scenario("treasure-hunt-duel")
    controller = scenario.controllers[1]
    controller.on_reply(Leave(8), Ok(8))
    controller.submit("history")
    assert controller.model.room is None
    assert [request for request in scenario.seats[1].asked if isinstance(request, AskHistory)]


def test_a_choice_ends_with_the_turn():
    scenario = Scenario("treasure-hunt-duel")
    board_controller.act(scenario.controllers[1])
    scenario.table.types(1, "QUERY 2B")
    scenario.show()
    assert scenario.controllers[1].page is None


def test_the_cursor_does_not_go_on_pointing_at_what_was_hidden_there():
    scenario = Scenario("grid-hunt")
    scenario.controllers[1].toggle_mask()
    board_controller.move_cursor(scenario.controllers[1], 2, 2)
    board_controller.act(scenario.controllers[1])
    assert lines(scenario.seats[1]) == ["HIDE 5,5"]
    assert scenario.controllers[1].cursor == 12


@pytest.mark.parametrize(
    ("slug", "moment", "seat", "words"),
    [
        ("secret-paths", "middle", 1, "It is not your turn."),
        ("secret-paths", "middle", None, "You are watching: only the players can act."),
        ("secret-paths", "end", 1, "The game is over. F6 (/again) asks for another, F7 (/leave) goes to the lobby."),
    ],
)
def test_where_nothing_can_be_done_it_is_said_why(slug, moment, seat, words):
    controller = story(slug, moment).controllers[seat]
    controller.cursor = 13
    board_controller.act(controller)
    assert (controller.model.notice, controller.model.notice_is_error) == (words, True)


def test_what_was_wrong_is_forgotten_when_the_turn_changes():
    scenario = Scenario("treasure-hunt-duel")
    board_controller.act(scenario.controllers[2])
    assert scenario.controllers[2].model.notice == "It is not your turn."
    scenario.types(1, "QUERY 2B")
    assert scenario.controllers[2].model.notice == ""


def test_the_pencil_marks_the_cell_under_the_cursor_and_goes_round():
    controller, seen = Scenario("grid-hunt").controllers[1], []
    controller.toggle_mask()
    for _ in range(5):
        board_controller.mark(controller)
        seen.append(controller.model.marks["3,3"])
    assert seen == ["?", "!", "*", "", "?"]
    assert controller.model.notice.startswith("Marked 3,3 with ?, for you alone.")


def test_moving_the_cursor_drops_a_message_but_no_warning_about_the_server():
    controller = Scenario("grid-hunt").controllers[1]
    controller.model.masked = False
    controller.model.say("That is not possible.", bad=True)
    board_controller.move_cursor(controller, 1, 0)
    assert controller.model.notice == ""
    controller.model.say("WARNING: it lies. Do not trust this server.", bad=True)
    board_controller.move_cursor(controller, 1, 0)
    assert controller.model.notice.startswith("WARNING")


@pytest.mark.parametrize(("slug", "line"), [("grid-hunt", "HIDE 3,3"), ("secret-paths", "GOAL 5,3")])
def test_what_cant_be_changed_is_asked_about_in_the_games_own_words(slug, line):
    scenario = Scenario(slug)
    controller = scenario.controllers[1]
    controller.confirms_secrets, controller.model.masked = True, False
    board_controller.act(controller)
    assert controller.model.notice == f"{line}: it can't be changed later. Enter again to confirm."
    assert lines(scenario.seats[1]) == []
    board_controller.act(controller)
    assert lines(scenario.seats[1]) == [line]


def test_without_a_board_the_keys_of_the_board_do_nothing():
    seat = in_lobby()
    board_controller.act(seat.controller)
    board_controller.mark(seat.controller)
    board_controller.move_cursor(seat.controller, 1, 1)
    assert (seat.asked, seat.controller.cursor, seat.controller.model.marks) == ([], 0, {})


def test_the_log_is_scrolled_by_events_and_what_is_being_read_stays():
    controller = story("quantum-duel", "end").controllers[1]
    most = len(controller.model.log) - 1
    controller.scroll(-5)
    assert controller.log_offset == 0
    controller.scroll(most + 50)
    assert controller.log_offset == most
    controller.scroll(-most + 3)
    controller.on_message(Event("One more.", "system"))
    assert controller.log_offset == 4
    controller.submit("/chat hello")
    assert controller.log_offset == 0
