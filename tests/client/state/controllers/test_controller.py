"""The player's controller: typed lines, pages and questions, and what the connection brings."""

from dataclasses import replace

import pytest

from gridgames_client.state import cell_names, commands
from gridgames_client.state.commands import Confirm, TextPage
from gridgames_client.state.controllers import board_controller
from gridgames_client.state.controllers.controller import LOST, QUIT, Controller
from gridgames_protocol.messages import (
    Again,
    ByeRequest,
    Chat,
    Error,
    Event,
    Leave,
    Lobby,
    Play,
    Resign,
)
from tests.client.game_scripts import story
from tests.client.screen_scenes import waiting
from tests.client.seated_controllers import CODE, Scenario, in_lobby, lines, room_of, welcome

# What is typed --------------------------------------------------------------------------------------------------------


def test_a_line_of_the_game_goes_out_with_the_table_that_it_was_typed_at():
    scenario = Scenario("treasure-hunt-duel")
    scenario.types(1, "query 2b")
    assert scenario.seats[1].asked == [Play(1, "query 2b", 1)]


def test_a_line_that_is_refused_is_given_back_with_the_reason():
    scenario = Scenario("treasure-hunt-duel")
    seat = scenario.seats[1]
    assert seat.controller.submit("QUERY 9Z"), "it is done with until it is answered"
    assert seat.controller.line_to_restore == "QUERY 9Z"
    assert "restore line" in seat.happened
    assert (seat.controller.model.notice, seat.controller.model.notice_is_error) == (
        "That is off the grid: rows are 1 to 5, columns A to E.",
        True,
    )
    scenario.types(1, "QUERY 2B")
    assert seat.controller.model.notice == ""


def test_a_refusal_names_the_players():
    scenario = Scenario("treasure-hunt-duel")
    scenario.controllers[2].submit("QUERY 2B")
    assert scenario.controllers[2].model.notice == "It is Ada [1]'s turn."


def test_a_line_that_means_no_command_stays():
    seat = in_lobby()
    assert not seat.controller.submit("dance")
    assert seat.controller.model.notice == commands.LOBBY_HELP
    assert seat.asked == []


def test_each_of_several_lines_under_way_is_given_back_for_itself():
    seat = in_lobby()
    seat.controller.on_message(room_of("grid-hunt"))
    seat.controller.submit("/chat one")
    seat.controller.submit("/chat two")
    one, two = seat.asked
    seat.controller.on_reply(replace(one, id=7), Error("too_fast", "Slowly.", 7))
    assert seat.controller.line_to_restore == "/chat one"
    seat.controller.on_reply(replace(two, id=8), Error("too_fast", "Slowly.", 8))
    assert seat.controller.line_to_restore == "/chat two"


def test_a_line_that_the_connection_swallowed_is_given_back():
    seat = in_lobby()
    seat.controller.ask = seat.controller.on_lost
    seat.controller.submit("create grid-hunt")
    assert (seat.controller.line_to_restore, seat.controller.model.notice) == ("create grid-hunt", LOST)


def test_the_menu_asks_for_row_and_column_and_plays_the_whole_line():
    scenario = story("grid-hunt", "middle")
    controller = scenario.controllers[1]
    scenario.types(1, "2")
    assert controller.cell_prompt
    assert controller.cell_prompt.question == "Row (1-5):"
    scenario.types(1, "5")
    assert controller.cell_prompt.question == "Column (1-5):"
    scenario.types(1, "4")
    assert controller.cell_prompt is None
    assert lines(scenario.seats[1])[-1] == "DIG 5,4"


def test_a_wrong_answer_to_the_menu_is_asked_again():
    scenario = story("grid-hunt", "middle")
    controller = scenario.controllers[1]
    scenario.types(1, "2")
    assert not controller.submit("9")
    assert controller.model.notice == "9 is none of them. Row (1-5):"
    assert controller.cell_prompt


def test_the_menus_question_can_be_passed_over():
    scenario = story("grid-hunt", "middle")
    scenario.types(1, "2", "DIG 1 1")
    assert scenario.controllers[1].cell_prompt is None


@pytest.mark.parametrize("line", ["/chat wait", "/help"])
def test_a_command_of_the_room_leaves_the_menus_question_open(line):
    scenario = story("grid-hunt", "middle")
    scenario.types(1, "2", line)
    assert scenario.controllers[1].cell_prompt.question == "Row (1-5):"


def test_an_answer_that_is_refused_is_given_back_as_the_whole_line():
    scenario = story("grid-hunt", "middle")
    scenario.types(1, "1", "1")
    for seat, line in ((1, "SCAN 1 1"), (2, "DIG 1 2")):  # the last scan is used; this client has not heard of it yet
        scenario.table.match.play(seat, line)
    scenario.controllers[1].submit("1")
    assert scenario.controllers[1].line_to_restore == "SCAN 1,1"
    assert "scan" in scenario.controllers[1].model.notice.lower()


def test_the_menus_question_ends_with_the_turn():
    scenario = story("grid-hunt", "middle")
    scenario.types(1, "2")
    scenario.controllers[1].on_message(replace(scenario.shown(2), you=1))
    assert scenario.controllers[1].cell_prompt is None


# Pages and questions --------------------------------------------------------------------------------------------------


def test_giving_up_is_asked_about():
    scenario = Scenario("grid-hunt")
    controller = scenario.controllers[1]
    for answer, asked in ((False, []), (True, [Resign(1)])):
        controller.submit("/resign")
        assert controller.page == Confirm(commands.RESIGN, Resign(1))
        controller.confirm(answer)
        assert (controller.page, scenario.seats[1].asked) == (None, asked)


FAR = "That is not one step: an illegal move. After three, the other may claim the win. Play it all the same?"


@pytest.mark.parametrize("line", ["", "MOVE 5 5", "move to (5,5)", "5,5"])
def test_a_typed_far_move_and_enter_on_a_far_cell_ask_the_same(line):
    scenario = story("secret-paths", "middle")
    controller, seat = scenario.controllers[2], scenario.seats[2]
    for answer in (False, True):
        if line:
            assert controller.submit(line)
        else:
            controller.cursor = 24
            board_controller.act(controller)
        assert isinstance(controller.page, Confirm)
        assert controller.page.question == FAR
        assert len(lines(seat)) == 1, "the goal"
        controller.confirm(answer)
    played = lines(seat)[1:]
    assert [cell_names.parse_cell(controller.model.board, line.lower().strip("movet ")) for line in played] == ["5,5"]


def test_a_step_and_a_line_that_names_no_cell_are_played_without_a_question():
    scenario = story("secret-paths", "middle")
    for line in ("MOVE 3 3", "MOVE nowhere"):
        scenario.controllers[2].submit(line)
        assert scenario.controllers[2].page is None
    assert lines(scenario.seats[2])[1:] == ["MOVE 3 3", "MOVE nowhere"]


def test_the_question_about_a_far_move_is_taken_back_when_the_table_changes():
    scenario = story("secret-paths", "middle")
    controller = scenario.controllers[2]
    controller.submit("MOVE 5 5")
    show = controller.model.show
    controller.on_message(show)
    assert isinstance(controller.page, Confirm), "the same view"
    controller.on_message(replace(show, rev=show.rev + 1))
    assert controller.page is None


def test_leaving_the_program_is_asked_about_in_the_middle_of_a_game_only():
    scenario = story("grid-hunt", "middle")
    seat = scenario.seats[1]
    seat.controller.submit("/quit")
    assert seat.controller.page == Confirm(QUIT, None)
    seat.controller.confirm(True)
    assert "quit" in seat.happened
    for other in (in_lobby(), story("grid-hunt", "end").seats[1]):
        other.controller.quit()
        assert "quit" in other.happened


def test_a_question_about_a_game_that_ends_is_taken_back():
    scenario = story("grid-hunt", "middle")
    scenario.controllers[2].submit("/resign")
    scenario.types(1, "DIG 5 5")
    assert scenario.controllers[2].page is None


def test_a_page_to_read_stays_when_the_game_ends():
    scenario = story("grid-hunt", "middle")
    scenario.controllers[2].submit("/help")
    scenario.types(1, "DIG 5 5")
    assert scenario.controllers[2].page == TextPage("help")


def test_a_page_opens_at_its_top_and_closes():
    controller = Scenario("grid-hunt").controllers[1]
    controller.page_top = 5
    controller.submit("/rules")
    assert (controller.page, controller.page_top) == (TextPage("rules", "grid-hunt"), 0)
    controller.close_page()
    assert controller.page is None


def test_switches_say_what_they_are_now():
    controller = Scenario("grid-hunt").controllers[1]
    said = []
    for line in ("/mask", "/mask", "/bell", "/bell"):
        controller.submit(line)
        said.append(controller.model.notice)
    assert said == ["Your secrets are shown.", "Your secrets are covered.", "The bell is off.", "The bell is on."]
    controller.submit("/board words")
    assert controller.boards_as_words
    controller.submit("/board")
    assert not controller.boards_as_words


def test_a_game_that_is_over_is_saved():
    seat = story("grid-hunt", "end").seats[1]
    seat.controller.submit("/save game.json")
    assert list(seat.saved) == ["game.json"]
    assert seat.controller.model.notice == "Saved to game.json."


def test_a_player_who_goes_leaves_the_room_unless_a_game_is_running():
    for controller, asked in (
        (in_lobby(), [ByeRequest(1)]),
        (story("grid-hunt", "middle").seats[1], [ByeRequest(1)]),
        (story("grid-hunt", "end").seats[1], [Leave(1), ByeRequest(1)]),
    ):
        before = len(controller.asked)
        controller.controller.say_goodbye()
        assert controller.asked[before:] == asked


# What comes over the line ---------------------------------------------------------------------------------------------


def test_ones_turn_is_told_once():
    scenario = Scenario("grid-hunt")
    told = scenario.seats[1].happened
    assert told.count("your turn") == 1
    scenario.types(1, "HIDE 2 3")
    scenario.types(2, "HIDE 5 5")
    assert told.count("your turn") == 2
    scenario.show()
    scenario.controllers[1].on_message(welcome(room=CODE))
    scenario.show()
    assert told.count("your turn") == 2, "coming back is no news"
    assert "your turn" not in scenario.seats[None].happened


def test_the_clock_runs_on_this_machine_and_ends_with_the_room():
    scenario = Scenario("grid-conquest", clock=60)
    controller = scenario.controllers[1]
    assert controller.model.clock_ends == scenario.time.now + 60
    controller.on_message(Lobby((), 1, 0))
    assert controller.model.clock_ends is None


def test_the_line_goes_down_and_comes_back():
    controller = in_lobby().controller
    controller.on_connection("reconnecting", "It broke.")
    assert (controller.model.connection, controller.model.why_disconnected) == ("reconnecting", "It broke.")
    controller.on_connection("connected", "")
    assert (controller.model.connection, controller.model.why_disconnected) == ("connected", "")


def test_a_smaller_board_takes_the_cursor_in():
    scenario = Scenario("grid-hunt")
    controller = scenario.controllers[1]
    board_controller.move_cursor(controller, 9, 9)
    controller.on_message(Scenario("quantum-duel").shown(1))
    assert controller.cursor == 3


def test_a_request_that_was_not_typed_gives_nothing_back():
    seat = in_lobby()
    seat.controller.on_reply(Again(5), Error("not_now", "Not now.", 5))
    assert (seat.controller.line_to_restore, seat.controller.model.notice) == ("", "Not now.")


def test_chat_goes_to_everybody():
    scenario = Scenario("grid-hunt")
    scenario.types(2, "/chat getting warm?")
    assert scenario.seats[2].asked == [Chat(1, "getting warm?")]
    for controller in scenario.controllers.values():
        assert controller.model.log[-1] == Event("getting warm?", "chat", 2, "Bo")


def test_an_empty_line_in_a_waiting_room_says_what_to_do():
    controller: Controller = waiting()
    assert not controller.submit("")
    assert controller.model.notice_is_error
