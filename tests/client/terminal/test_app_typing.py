"""The real program on a pipe: typed lines, what is completed and suggested, what is covered, what comes back."""

import pytest

from gridgames_client.terminal.layout import STARS
from gridgames_protocol.messages import Bye, Error, Join, Ok, Play
from tests.client.game_scripts import story
from tests.client.piped_app import playing
from tests.client.seated_controllers import CODE, Scenario, in_lobby, listed, welcome
from tests.wire import run

# Handing in -----------------------------------------------------------------------------------------------------------


def test_a_line_that_is_accepted_is_gone_and_one_that_is_refused_is_there_again():
    async def scenario():
        game = Scenario("treasure-hunt-duel")
        async with playing(game.controllers[1]) as player:
            await player.enters("QUERY 9Z")
            assert player.typed == "QUERY 9Z"
            assert "That is off the grid" in player.text()
            await player.presses("backspace", "backspace")
            await player.enters("2B")
            assert player.typed == ""
            assert "The answer is covered: * shows it." in player.text()
            await player.presses("f4")
            assert f"2B {player.controller.model.hints[-1][-1]}" in player.text()
            assert "That is off the grid" not in player.text()

    run(scenario())


@pytest.mark.parametrize("late", [False, True], ids=["typing", "after a look at the list"])
def test_who_types_after_a_refusal_types_another_line(late):
    async def scenario():
        async with playing(in_lobby().controller) as player:
            await player.enters("dance")
            if late:
                await player.presses("escape")
            await player.enters("/join AAAAAA")
            assert player.controller.is_asking(Join(1, "AAAAAA"))

    run(scenario())


@pytest.mark.parametrize(
    ("keys", "typed"),
    [
        (("backspace", "e", "r"), "dancer"),
        (("left", "x"), "dancxe"),
        (("end", "r"), "dancer"),
        ((" ", "x"), "dance x"),
        (("x", "y"), "xy"),
    ],
)
def test_a_refused_line_can_be_corrected_and_only_letters_replace_it(keys, typed):
    async def scenario():
        async with playing(in_lobby().controller) as player:
            await player.enters("dance")
            await player.presses(*keys)
            assert player.typed == typed

    run(scenario())


def test_a_line_that_means_no_command_stays():
    async def scenario():
        async with playing(in_lobby().controller) as player:
            await player.enters("dance")
            assert player.typed == "dance"
            assert "Type create and a game" in player.text()

    run(scenario())


def test_what_comes_back_late_does_not_overwrite_a_new_line():
    async def scenario():
        seat = in_lobby()
        async with playing(seat.controller) as player:
            await player.enters("join AAAAAA")
            assert player.typed == ""
            await player.types("create")
            seat.controller.on_reply(Join(4, "AAAAAA"), Error("no_such_room", "There is no such room.", 4))
            await player.sees("There is no such room.")
            assert player.typed == "create"

    run(scenario())


def test_lines_can_be_typed_faster_than_they_are_answered():
    async def scenario():
        seat = in_lobby()
        async with playing(seat.controller) as player:
            await player.types("/join AAAAAA\r/join BBBBBB\r")
            assert seat.asked == [Join(1, "AAAAAA"), Join(1, "BBBBBB")]

    run(scenario())


def test_the_menu_asks_and_the_question_is_not_covered():
    async def scenario():
        game = story("grid-hunt", "middle")
        async with playing(game.controllers[1]) as player:
            await player.enters("2")
            assert player.lines()[-2] == " Row (1-5):"
            await player.enters("5")
            assert player.lines()[-2] == " Column (1-5):"
            await player.presses("escape")
            assert player.lines()[-2] == " >"
            await player.enters("2")
            await player.enters("5")
            await player.enters("5")
            await player.sees("[1 Ada] won")

    run(scenario())


# Completion and suggestion --------------------------------------------------------------------------------------------


def test_tab_completes_legal_lines_and_only_those():
    async def scenario():
        game = story("treasure-hunt-duel", "middle")
        async with playing(game.controllers[2]) as player:
            await player.types("query 2")
            await player.presses("tab")
            await player.sees("QUERY 2E")
            assert "QUERY 2A" in player.text()
            assert "QUERY 2B" not in player.text(), "it has been queried"
            await player.presses("tab")
            assert player.typed == "QUERY 2A"
            await player.presses("tab")
            assert player.typed == "QUERY 2C"
            await player.presses("escape")
            assert "QUERY 2E" not in player.text()
            assert (player.typed, player.focus) == ("query 2", "input")
            await player.presses("tab", "tab", "tab", "enter")
            assert game.seats[2].asked[-1] == Play(1, "QUERY 2C", game.rev - 1)

    run(scenario())


def test_in_the_lobby_rooms_and_games_are_completed():
    async def scenario():
        async with playing(in_lobby(listed("K7QX2M")).controller) as player:
            await player.types("/")
            await player.presses("backspace")
            await player.types("jo")
            await player.presses("tab")
            await player.draws()
            assert player.typed == "join K7QX2M"

    run(scenario())


def test_the_line_for_the_cursors_cell_is_suggested_and_tab_takes_it():
    async def scenario():
        async with playing(Scenario("treasure-hunt-duel").controllers[1]) as player:
            await player.presses("down", "right")
            await player.types("gu")
            assert player.lines()[-2] == " > guess 4d"
            assert player.typed == "gu"
            await player.presses("tab")
            assert player.typed == "guess 4d"

    run(scenario())


def test_what_the_line_shows_is_what_enter_plays_after_the_cursor_has_moved():
    async def scenario():
        game = Scenario("treasure-hunt-duel")
        async with playing(game.controllers[1]) as player:
            await player.presses("up", "up")
            await player.types("g")
            assert player.lines()[-2] == " > guess 1c"
            await player.presses("right")
            assert player.lines()[-2] == " > guess 1d"
            assert "Guess 1D" in player.text()
            assert player.typed == "g"
            await player.presses("enter")
            assert game.seats[1].asked[-1].line == "GUESS 1D"

    run(scenario())


def test_enter_plays_the_half_typed_cell_with_the_rest_that_is_shown():
    async def scenario():
        game = Scenario("treasure-hunt-duel")
        async with playing(game.controllers[1]) as player:
            await player.types("query 3")
            assert player.lines()[-2] == " > query 3c"
            await player.presses("enter")
            assert game.seats[1].asked[-1].line == "query 3c"

    run(scenario())


def test_the_panel_names_the_cell_that_is_typed():
    async def scenario():
        game = Scenario("grid-hunt")
        game.controllers[1].model.masked = False
        async with playing(game.controllers[1]) as player:
            assert "Hide 3,3" in player.text()
            await player.types("hide 5 1")
            assert "Hide 5,1" in player.text()
            assert "Hide 3,3" not in player.text()

    run(scenario())


def test_the_cell_that_is_typed_is_lit_while_it_is_typed():
    async def scenario():
        async with playing(Scenario("treasure-hunt-duel").controllers[1]) as player:
            await player.types("query 1")
            assert "class:lit" not in player.style_at(*player.cell("1A"))
            await player.types("a")
            assert "class:lit" in player.style_at(*player.cell("1A"))

    run(scenario())


# History --------------------------------------------------------------------------------------------------------------


def test_earlier_lines_come_back_and_secrets_do_not():
    async def scenario():
        game = Scenario("grid-hunt")
        async with playing(game.controllers[1]) as player:
            await player.enters("/chat hello")
            await player.enters("HIDE 2 3")
            await player.presses("enter")
            game.types(2, "HIDE 5 5")
            await player.enters("SCAN 3 3")
            await player.presses("c-p")
            assert player.typed == "SCAN 3 3"
            await player.presses("c-p")
            assert player.typed == "/chat hello"
            await player.presses("c-p")
            assert player.typed == "/chat hello"
            await player.presses("c-n", "c-n")
            assert player.typed == ""
            assert player.app.history.get_strings() == ["/chat hello", "SCAN 3 3"]

    run(scenario())


# Secrets --------------------------------------------------------------------------------------------------------------


def test_a_secret_is_covered_while_it_is_typed_and_the_prompt_is_not():
    async def scenario():
        async with playing(Scenario("grid-hunt").controllers[1]) as player:
            await player.types("HIDE 2 3")
            assert player.lines()[-2] == " > ********"
            assert "HIDE 2 3" not in player.text()
            assert "Ada, hide your treasure." in player.text()
            assert "class:lit" not in player.style_at(*player.cell("2,3"))
            await player.presses("tab")
            await player.draws()
            assert player.typed == "HIDE 2 3", "nothing is offered that would tell it"

    run(scenario())


def test_f4_shows_and_covers_what_is_typed_and_what_is_on_the_board():
    async def scenario():
        game = Scenario("grid-hunt")
        async with playing(game.controllers[1]) as player:
            await player.types("HIDE 2 3")
            await player.presses("f4")
            assert player.lines()[-2] == " > HIDE 2 3"
            assert "class:lit" in player.style_at(*player.cell("2,3"))
            await player.presses("f4")
            assert player.lines()[-2] == " > ********"
            await player.presses("enter", "enter")
            await player.sees("has hidden a treasure")
            column, row = player.cell("2,3")
            assert "T" not in player.lines()[row][column - 2 : column + 3]
            await player.presses("f4")
            assert "T" in player.lines()[row][column - 2 : column + 3]

    run(scenario())


def test_a_command_is_not_covered_and_a_secret_typed_ahead_is():
    async def scenario():
        game = Scenario("quantum-duel")
        async with playing(game.controllers[1]) as player:
            await player.types("/chat hi")
            assert player.lines()[-2] == " > /chat hi"
            await player.presses("enter")
            await player.enters("MOVE 4")
            await player.types("OBSERVE 2")
            assert player.lines()[-2] == " > OBSERVE 2"
            await player.presses("enter")
            await player.types("MOVE 5")
            assert player.lines()[-2] == f" > {STARS}"
            await player.presses("enter")
            assert player.typed == "MOVE 5", "it is not their turn"
            assert "MOVE" not in " ".join(player.app.history.get_strings())

    run(scenario())


# The line to the server -----------------------------------------------------------------------------------------------


def test_a_half_typed_line_survives_a_broken_connection():
    async def scenario():
        game = story("treasure-hunt-duel", "middle")
        controller = game.controllers[2]
        async with playing(controller) as player:
            await player.types("QUERY 4")
            controller.on_message(Bye("shutting_down", "The server is stopping."))
            controller.on_connection("reconnecting", "The connection is lost.")
            await player.sees("The connection is lost. Reconnecting; your text stays.")
            await player.types("C")
            controller.on_connection("connected", "")
            controller.on_message(welcome("Bo", CODE))
            controller.on_message(game.controllers[2].model.room)
            game.tell(game.table.match.announce_start())
            controller.on_message(game.shown(2))
            await player.sees("your turn")
            assert (player.typed, player.focus) == ("QUERY 4C", "input")
            assert player.screen.bells == 0, "coming back is no news"
            await player.presses("enter")
            assert game.seats[2].asked[-1].line == "QUERY 4C"

    run(scenario())


@pytest.mark.parametrize("line", ["/chat hello", "QUERY 4D"])
def test_a_line_that_could_not_be_sent_is_there_again(line):
    async def scenario():
        controller = story("treasure-hunt-duel", "middle").controllers[2]
        controller.ask = controller.on_lost
        async with playing(controller) as player:
            await player.enters(line)
            assert player.typed == line
            assert "That was not sent" in player.text()

    run(scenario())


def test_a_play_in_flight_is_not_typed_twice():
    async def scenario():
        game = story("treasure-hunt-duel", "middle")
        controller, sent = game.controllers[2], []
        controller.ask = sent.append
        async with playing(controller) as player:
            await player.enters("QUERY 4D")
            controller.on_connection("reconnecting", "The connection is lost.")
            await player.sees("Reconnecting; your move is sent again if it was lost.")
            controller.on_connection("connected", "")
            controller.on_reply(sent[0], Ok(1))
            await player.draws()
            assert player.typed == ""
            assert len(sent) == 1

    run(scenario())
