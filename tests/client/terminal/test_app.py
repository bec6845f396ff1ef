"""The real program on a pipe: every key, and where the keys go."""

import asyncio

import pytest

from gridgames_protocol.messages import Again, Event, Join, Leave, Lobby, Watch
from tests.client.evening import Evening, in_lobby, listed, room_of
from tests.client.pipe import playing
from tests.client.stories import story
from tests.wire import run

# In the lobby ---------------------------------------------------------------------------------------------------------


def test_arrows_choose_a_room_and_enter_joins_it():
    async def evening():
        seat = in_lobby(listed("K7QX2M"), listed("9FWT4C", state="playing"))
        async with playing(seat.desk) as player:
            assert player.focus == "board"
            await player.presses(*["down"] * 5)
            assert "▸ K7QX2M" in player.text()
            await player.presses("enter", "down", "enter", "up", "w")
            assert seat.asked == [Join(1, "K7QX2M"), Watch(1, "9FWT4C"), Watch(1, "K7QX2M")]

    run(evening())


def test_n_makes_a_room_with_options():
    async def evening():
        seat = in_lobby()
        async with playing(seat.desk) as player:
            await player.presses("down", "n")
            assert "< Grid Hunt >" in player.text()
            await player.presses("right", "down", "down", "l", "j", " ", "k", "left")
            assert [line.strip(" │▸") for line in player.lines() if "│" in line] == [
                "Game       Grid Conquest",
                "Against    a friend",
                "Begins   < chance decides >",
                "Clock      30 seconds a turn",
                "Listed     in the lobby",
                "Assist     not in this game",
            ]
            await player.presses("enter")
            assert [(request.game, request.first, request.clock) for request in seat.asked] == [
                ("grid-conquest", "random", 30)
            ]

    run(evening())


def test_w_watches_a_room_but_begins_a_line_where_no_room_is_chosen():
    async def evening():
        seat = in_lobby(listed())
        async with playing(seat.desk) as player:
            await player.presses("w")
            assert (player.typed, player.focus, seat.asked) == ("w", "input", [])

    run(evening())


def test_a_letter_a_slash_and_tab_begin_a_typed_line_and_escape_goes_back_to_the_list():
    async def evening():
        seat = in_lobby(listed())
        async with playing(seat.desk) as player:
            await player.enters("/join K7QX2M")
            assert (seat.asked, player.typed) == ([Join(1, "K7QX2M")], "")
            await player.presses("escape", "tab", "n")
            assert (player.typed, player.focus) == ("n", "input")
            await player.presses("escape")
            assert player.focus == "board"
            await player.presses("down")
            assert seat.desk.chosen == 1

    run(evening())


def test_with_an_empty_line_the_arrows_still_move_in_the_list():
    async def evening():
        seat = in_lobby(listed())
        async with playing(seat.desk) as player:
            await player.presses("tab", *["down"] * 5, "enter")
            assert seat.asked == [Join(1, "K7QX2M")]

    run(evening())


# On the board ---------------------------------------------------------------------------------------------------------


def test_arrows_move_and_enter_and_space_act():
    async def evening():
        game = Evening("grid-conquest")
        async with playing(game.desks[1]) as player:
            await player.presses("up", "left", "enter")
            await player.sees("You have claimed cell B2")
            game.types(2, "E5")
            await player.presses("down", "right", "space")
            assert [request.line for request in game.seats[1].asked] == ["CLAIM B2", "CLAIM C3"]

    run(evening())


def test_after_escape_hjkl_move_and_m_marks_and_i_and_tab_go_back():
    async def evening():
        game = Evening("grid-conquest")
        async with playing(game.desks[1]) as player:
            assert player.focus == "input"
            await player.presses("escape", "k", "k", "h", "l", "l", "j", "m")
            assert player.focus == "board"
            assert game.desks[1].model.marks == {"B4": "?"}
            for key in ("i", "tab"):
                await player.presses(key)
                assert player.focus == "input"
                await player.presses("escape")
            await player.presses("C")
            assert (player.typed, player.focus) == ("C", "input")

    run(evening())


def test_the_terminals_cursor_stands_on_the_cell_for_those_who_read_with_their_fingers():
    async def evening():
        async with playing(Evening("grid-conquest").desks[1]) as player:
            await player.presses("escape", "up", "right")
            assert player.cursor() == player.cell("B4")
            await player.presses("i")
            assert player.cursor() == (3, 22)
        async with playing(in_lobby(listed()).desk) as player:
            await player.presses("down")
            assert player.cursor()[1] == player.place("Grid Hunt")[1]
            await player.presses("n", "down")
            assert player.cursor()[1] == player.place("Against")[1]

    run(evening())


def test_a_choice_is_made_by_arrows_or_by_number():
    async def evening():
        game = Evening("treasure-hunt-duel")
        async with playing(game.desks[1]) as player:
            await player.presses("enter", "down", "up", "j", "k", "enter")
            game.types(2, "QUERY 1A")
            await player.presses("up", "enter", "2")
            assert [request.line for request in game.seats[1].asked] == ["QUERY 3C", "GUESS 2C"]
            assert player.focus == "input"

    run(evening())


def test_whoever_types_while_there_is_a_choice_types_a_line_and_chooses_nothing():
    async def evening():
        game = Evening("treasure-hunt-duel")
        async with playing(game.desks[1]) as player:
            await player.presses("enter")
            await player.sees("What at 3C?")
            await player.presses(" ")
            assert "What at 3C?" in player.text()
            await player.types("guess 2b")
            assert game.seats[1].asked == []
            assert (player.typed, player.focus) == ("guess 2b", "input")
            assert "What at 3C?" not in player.text()

    run(evening())


# Function keys --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("key", "title"), [("f1", "─ Help ─"), ("?", "─ Help ─"), ("f2", "─ Grid Hunt ─")])
def test_pages_open_and_close_and_the_focus_is_where_it_was(key, title):
    async def evening():
        async with playing(Evening("grid-hunt").desks[1]) as player:
            for close in ("escape", "q", "enter", "c-c"):
                await player.presses(key)
                assert title in player.text()
                assert player.focus == "board"
                await player.presses(close)
                assert title not in player.text()
                assert player.focus == "input"
            await player.presses("escape", key, "escape")
            assert player.focus == "board"

    run(evening())


def test_f3_begins_a_message_and_keeps_what_was_typed():
    async def evening():
        game = Evening("grid-hunt")
        async with playing(game.desks[1]) as player:
            await player.presses("f3")
            await player.enters("hello")
            assert game.desks[2].model.log[-1].text == "hello"
            await player.presses("escape", "f3", "f3")
            await player.types("oh")
            await player.presses("f3")
            assert player.typed == "/chat oh"

    run(evening())


def test_f5_marks_f6_asks_for_a_rematch_f7_leaves_f8_shows_the_moves():
    async def evening():
        game = story("grid-hunt", "end")
        seat = game.seats[1]
        async with playing(seat.desk) as player:
            await player.presses("f5", "f6", "f8")
            assert seat.desk.model.marks == {"3,3": "?"}
            assert "─ Moves ─" in player.text()
            await player.presses("escape", "f7")
            assert seat.asked[-2:] == [Again(1), Leave(1)]

    run(evening())


def test_f7_asks_in_the_middle_of_a_game():
    async def evening():
        game = story("grid-hunt", "middle")
        async with playing(game.desks[1]) as player:
            for answer in ("n", "y"):
                await player.presses("f7")
                assert "Leave this game?" in player.text()
                await player.presses(answer)
                assert "Leave this game?" not in player.text()
            assert game.seats[1].asked[-1] == Leave(1)
            assert game.seats[1].asked.count(Leave(1)) == 1

    run(evening())


def test_f9_gives_the_mouse_to_the_terminal_and_takes_it_back():
    async def evening():
        async with playing(Evening("grid-hunt").desks[1]) as player:
            assert player.screen.mouse
            await player.presses("f9")
            assert not player.screen.mouse
            assert "select text" in player.text()
            await player.presses("f9")
            assert player.screen.mouse

    run(evening())


def test_page_up_and_down_scroll_the_log_and_a_page():
    async def evening():
        game = Evening("grid-hunt")
        for number in range(40):
            game.says(Event(f"Line {number}.", "chat", 1, "Ada"))
        async with playing(game.desks[1]) as player:
            await player.presses("pageup", "pageup")
            assert "Line 31." in player.text()
            assert "8 newer" in player.text()
            await player.presses("pagedown", "pagedown", "pagedown")
            assert "Line 39." in player.text()
        async with playing(story("quantum-duel", "start").desks[1], rows=12) as player:
            await player.presses("f2")
            first = player.lines()[1]
            await player.presses("down", "j", "pagedown")
            assert player.desk.page_top == 12
            await player.presses("pagedown", " ", "pagedown", "pagedown")
            assert "more, PgDn" not in player.text()
            assert player.desk.page_top > 0
            await player.presses("k", "up", *["pageup"] * 4)
            assert player.lines()[1] == first

    run(evening())


# Leaving --------------------------------------------------------------------------------------------------------------


def test_control_c_asks_in_the_middle_of_a_game_and_a_yes_ends_the_program():
    async def evening():
        game = story("grid-hunt", "middle")
        async with playing(game.desks[1]) as player:
            await player.presses("c-c")
            assert "Leave the program?" in player.text()
            await player.presses("c-c")
            assert "Leave the program?" not in player.text()
            await player.presses("c-c")
            player.pipe.send_text("y")
            await player.ended()

    run(evening())


@pytest.mark.parametrize("key", ["\x04", "\x11", "\x03"])
def test_control_d_q_and_c_end_the_program_in_the_lobby(key):
    async def evening():
        async with playing(in_lobby().desk) as player:
            player.pipe.send_text(key)
            await player.ended()
            assert player.screen.titles[-1] == ""

    run(evening())


def test_control_d_leaves_a_game_without_a_question():
    async def evening():
        async with playing(story("grid-hunt", "middle").desks[1]) as player:
            await player.presses("f1")
            player.pipe.send_text("\x04")
            await player.ended()

    run(evening())


def test_control_l_draws_everything_anew():
    async def evening():
        async with playing(in_lobby().desk) as player:
            before = player.screen.erased
            await player.presses("c-l")
            assert player.screen.erased == before + 1
            assert "Open a room" in player.text()

    run(evening())


def test_escape_is_quick():
    async def evening():
        async with playing(Evening("grid-hunt").desks[1], patient=True) as player:
            await player.presses("f1")
            began = asyncio.get_running_loop().time()
            await player.presses("escape")
            assert "─ Help ─" not in player.text()
            assert asyncio.get_running_loop().time() - began < 0.4

    run(evening())


# Where the keys go ----------------------------------------------------------------------------------------------------


def test_the_focus_follows_from_the_lobby_to_the_table_and_back():
    async def evening():
        seat, game = in_lobby(), Evening("grid-hunt")
        async with playing(seat.desk) as player:
            seat.desk.heard(room_of("grid-hunt", "waiting", ("Ada", None), number=0))
            await player.sees("Waiting for a second player.")
            assert player.focus == "input"
            seat.desk.heard(room_of("grid-hunt"))
            seat.desk.heard(game.shown(1))
            await player.sees("your turn")
            assert player.focus == "input"
            await player.types("HIDE")
            await player.presses("f1")
            seat.desk.heard(Lobby((), 1, 0))
            await player.presses("escape")
            assert (player.typed, player.focus) == ("", "board")
            assert "Open a room" in player.text()

    run(evening())


def test_a_page_that_closes_by_itself_gives_the_focus_back():
    async def evening():
        game = Evening("treasure-hunt-duel")
        async with playing(game.desks[1]) as player:
            await player.presses("enter")
            assert player.focus == "board"
            game.table.types(1, "QUERY 2B")
            game.show()
            await player.sees("to move")
            assert player.focus == "input"

    run(evening())
