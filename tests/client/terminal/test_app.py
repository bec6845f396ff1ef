"""The real program on a pipe: every key, and where the keys go."""

import asyncio

import pytest

from gridgames_protocol.messages import Again, Event, Join, Leave, Lobby, Watch
from tests.client.game_scripts import story
from tests.client.piped_app import playing
from tests.client.seated_controllers import Scenario, in_lobby, listed, room_of
from tests.wire import run

# In the lobby ---------------------------------------------------------------------------------------------------------


def test_arrows_choose_a_room_and_enter_joins_it():
    async def scenario():
        seat = in_lobby(listed("K7QX2M"), listed("9FWT4C", state="playing"))
        async with playing(seat.controller) as player:
            assert player.focus == "board"
            assert "▸ K7QX2M" in player.text()
            await player.presses("enter", "down", "enter", "up", "f5")
            assert seat.asked == [Join(1, "K7QX2M"), Watch(1, "9FWT4C"), Watch(1, "K7QX2M")]

    run(scenario())


def test_plus_makes_a_room_with_options():
    async def scenario():
        seat = in_lobby()
        async with playing(seat.controller) as player:
            await player.presses("down", "down", "+")
            assert "< Grid Hunt >" in player.text()
            await player.presses("right", "down", "down", "right", "tab", " ", "up", "left")
            assert [line.split("│")[1].strip(" ▸") for line in player.lines() if "│" in line][:7] == [
                "Game       Grid Conquest",
                "Against    a friend",
                "Begins   < chance decides >",
                "Clock      30 seconds a turn",
                "Listed     in the lobby",
                "Assist     not in this game",
                "Hints      [ ] for both of you",
            ]
            await player.presses("enter")
            assert [(request.game, request.first, request.clock) for request in seat.asked] == [
                ("grid-conquest", "random", 30)
            ]

    run(scenario())


def test_a_letter_slash_and_tab_begin_a_line_and_escape_goes_back_to_the_list():
    async def scenario():
        seat = in_lobby(listed())
        async with playing(seat.controller) as player:
            await player.enters("/join K7QX2M")
            assert (seat.asked, player.typed) == ([Join(1, "K7QX2M")], "")
            await player.presses("escape", "tab", "n")
            assert (player.typed, player.focus) == ("n", "input")
            await player.presses("escape")
            assert player.focus == "board"
            await player.presses("down")
            assert seat.controller.chosen_row == 2

    run(scenario())


def test_with_an_empty_line_the_arrows_still_move_in_the_list():
    async def scenario():
        seat = in_lobby(listed())
        async with playing(seat.controller) as player:
            await player.presses("tab", "up", "down", "enter")
            assert seat.asked == [Join(1, "K7QX2M")]

    run(scenario())


# On the board ---------------------------------------------------------------------------------------------------------


def test_arrows_move_and_enter_and_space_act():
    async def scenario():
        game = Scenario("grid-conquest")
        async with playing(game.controllers[1]) as player:
            await player.presses("up", "left", "enter")
            await player.sees("You have claimed cell B2")
            game.types(2, "E5")
            await player.presses("down", "right", "space")
            assert [request.line for request in game.seats[1].asked] == ["CLAIM B2", "CLAIM C3"]

    run(scenario())


def test_after_escape_keys_move_and_mark_and_tab_goes_back():
    async def scenario():
        game = Scenario("grid-conquest")
        async with playing(game.controllers[1]) as player:
            assert player.focus == "input"
            await player.presses("escape", "up", "up", "left", "right", "right", "down", ".")
            assert player.focus == "board"
            assert game.controllers[1].model.marks == {"B4": "?"}
            await player.presses("tab")
            assert player.focus == "input"
            await player.presses("escape")
            await player.presses("C")
            assert (player.typed, player.focus) == ("C", "input")

    run(scenario())


def test_the_terminals_cursor_is_on_the_cell_for_braille_displays():
    async def scenario():
        async with playing(Scenario("grid-conquest").controllers[1]) as player:
            await player.presses("escape", "up", "right")
            assert player.cursor() == player.cell("B4")
            await player.presses("tab")
            assert player.cursor() == (3, 22)
        async with playing(in_lobby(listed()).controller) as player:
            await player.presses("down")
            assert player.cursor()[1] == player.place("Treasure Hunt Duel")[1]
            await player.presses("f6", "down")
            assert player.cursor()[1] == player.place("Against")[1]

    run(scenario())


def test_a_choice_is_made_by_arrows_or_by_a_letter_and_enter():
    async def scenario():
        game = Scenario("treasure-hunt-duel")
        async with playing(game.controllers[1]) as player:
            await player.presses("enter", "down", "up", "enter")
            game.types(2, "QUERY 1A")
            await player.presses("up", "enter", "g")
            assert player.lines()[-2] == " > guess 2c"
            await player.presses("enter")
            assert [request.line for request in game.seats[1].asked] == ["QUERY 3C", "GUESS 2C"]
            assert player.focus == "input"

    run(scenario())


def test_who_types_a_cell_while_there_is_a_choice_types_a_line_and_chooses_nothing():
    async def scenario():
        game = Scenario("treasure-hunt-duel")
        async with playing(game.controllers[1]) as player:
            await player.presses("enter")
            await player.sees("What at 3C?")
            await player.presses(" ")
            assert "What at 3C?" in player.text()
            await player.types("2b")
            assert game.seats[1].asked == []
            assert (player.typed, player.focus) == ("2b", "input")
            assert "What at 3C?" not in player.text()

    run(scenario())


# Function keys --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("key", "title"), [("f1", "─ Help ─"), ("?", "─ Help ─"), ("f2", "─ Grid Hunt ─")])
def test_pages_open_and_close_and_the_focus_is_where_it_was(key, title):
    async def scenario():
        async with playing(Scenario("grid-hunt").controllers[1]) as player:
            for close in ("escape", "enter", "c-c"):
                await player.presses(key)
                assert title in player.text()
                assert player.focus == "board"
                await player.presses(close)
                assert title not in player.text()
                assert player.focus == "input"
            await player.presses("escape", key, "escape")
            assert player.focus == "board"

    run(scenario())


def test_f3_begins_a_message_and_keeps_what_was_typed():
    async def scenario():
        game = Scenario("grid-hunt")
        async with playing(game.controllers[1]) as player:
            await player.presses("f3")
            await player.enters("hello")
            assert game.controllers[2].model.log[-1].text == "hello"
            await player.presses("escape", "f3", "f3")
            await player.types("oh")
            await player.presses("f3")
            assert player.typed == "/chat oh"

    run(scenario())


def test_f5_marks_f6_asks_for_a_rematch_f7_leaves_f8_shows_the_moves():
    async def scenario():
        game = story("grid-hunt", "end")
        seat = game.seats[1]
        async with playing(seat.controller) as player:
            await player.presses("f5", "f6", "f8")
            assert seat.controller.model.marks == {"3,3": "?"}
            assert "─ Moves ─" in player.text()
            await player.presses("escape", "f7")
            assert seat.asked[-2:] == [Again(1), Leave(1)]

    run(scenario())


def test_f7_asks_in_the_middle_of_a_game():
    async def scenario():
        game = story("grid-hunt", "middle")
        async with playing(game.controllers[1]) as player:
            for answer in ("n", "y"):
                await player.presses("f7")
                assert "Leave this game?" in player.text()
                await player.presses(answer)
                assert "Leave this game?" not in player.text()
            assert game.seats[1].asked[-1] == Leave(1)
            assert game.seats[1].asked.count(Leave(1)) == 1

    run(scenario())


def test_f9_gives_the_mouse_to_the_terminal_and_takes_it_back():
    async def scenario():
        async with playing(Scenario("grid-hunt").controllers[1]) as player:
            assert player.screen.mouse
            await player.presses("f9")
            assert not player.screen.mouse
            assert "select text" in player.text()
            await player.presses("f9")
            assert player.screen.mouse

    run(scenario())


def test_page_up_and_down_scroll_the_log_and_a_page():
    async def scenario():
        game = Scenario("grid-hunt")
        for number in range(40):
            game.says(Event(f"Line {number}.", "chat", 1, "Ada"))
        async with playing(game.controllers[1]) as player:
            await player.presses("pageup", "pageup")
            assert "Line 31." in player.text()
            assert "8 newer" in player.text()
            await player.presses("pagedown", "pagedown", "pagedown")
            assert "Line 39." in player.text()
        async with playing(story("quantum-duel", "start").controllers[1], rows=12) as player:
            await player.presses("f2")
            first = player.lines()[1]
            await player.presses("down", "down", "pagedown")
            assert player.controller.page_top == 12
            await player.presses("pagedown", " ", "pagedown", "pagedown")
            assert "more, PgDn" not in player.text()
            assert player.controller.page_top > 0
            await player.presses("up", "up", *["pageup"] * 4)
            assert player.lines()[1] == first

    run(scenario())


# Leaving --------------------------------------------------------------------------------------------------------------


def test_control_c_asks_in_the_middle_of_a_game_and_a_yes_ends_the_program():
    async def scenario():
        game = story("grid-hunt", "middle")
        async with playing(game.controllers[1]) as player:
            await player.presses("c-c")
            assert "Leave the program?" in player.text()
            await player.presses("c-c")
            assert "Leave the program?" not in player.text()
            await player.presses("c-c")
            player.pipe.send_text("y")
            await player.ended()

    run(scenario())


@pytest.mark.parametrize("key", ["\x04", "\x11", "\x03"])
def test_control_d_q_and_c_end_the_program_in_the_lobby(key):
    async def scenario():
        async with playing(in_lobby().controller) as player:
            player.pipe.send_text(key)
            await player.ended()
            assert player.screen.titles[-1] == ""

    run(scenario())


def test_control_d_leaves_a_game_without_a_question():
    async def scenario():
        async with playing(story("grid-hunt", "middle").controllers[1]) as player:
            await player.presses("f1")
            player.pipe.send_text("\x04")
            await player.ended()

    run(scenario())


def test_control_q_asks_in_the_middle_of_a_game_and_the_second_time_it_leaves():
    async def scenario():
        async with playing(Scenario("grid-hunt").controllers[1]) as player:
            await player.presses("c-q")
            assert "waits for you" in player.text()
            await player.presses("escape")
            assert "waits for you" not in player.text()
            await player.presses("c-q")
            player.pipe.send_text("\x11")
            await player.ended()

    run(scenario())


def test_control_l_draws_everything_anew():
    async def scenario():
        async with playing(in_lobby().controller) as player:
            before = player.screen.erased
            await player.presses("c-l")
            assert player.screen.erased == before + 1
            assert "Play now" in player.text()

    run(scenario())


def test_escape_is_quick():
    async def scenario():
        async with playing(Scenario("grid-hunt").controllers[1], patient=True) as player:
            await player.presses("f1")
            began = asyncio.get_running_loop().time()
            await player.presses("escape")
            assert "─ Help ─" not in player.text()
            assert asyncio.get_running_loop().time() - began < 0.4

    run(scenario())


# Where the keys go ----------------------------------------------------------------------------------------------------


def test_the_focus_follows_from_the_lobby_to_the_table_and_back():
    async def scenario():
        seat, game = in_lobby(), Scenario("grid-hunt")
        async with playing(seat.controller) as player:
            seat.controller.on_message(room_of("grid-hunt", "waiting", ("Ada", None), number=0))
            await player.sees("Waiting for a second player.")
            assert player.focus == "input"
            seat.controller.on_message(room_of("grid-hunt"))
            seat.controller.on_message(game.shown(1))
            await player.sees("your turn")
            assert player.focus == "input"
            await player.types("HIDE")
            await player.presses("f1")
            seat.controller.on_message(Lobby((), 1, 0))
            await player.presses("escape")
            assert (player.typed, player.focus) == ("", "board")
            assert "Play now" in player.text()

    run(scenario())


def test_a_page_that_closes_by_itself_gives_the_focus_back():
    async def scenario():
        game = Scenario("treasure-hunt-duel")
        async with playing(game.controllers[1]) as player:
            await player.presses("enter")
            assert player.focus == "board"
            game.table.types(1, "QUERY 2B")
            game.show()
            await player.sees("to move")
            assert player.focus == "input"

    run(scenario())
