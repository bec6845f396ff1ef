"""The real program on a pipe: the mouse, sizes, bell and title, the log, and how often it draws."""

import asyncio
import signal

from gridgames_client.render.drawing.text_layout import TILES
from gridgames_client.state.controllers import lobby_controller
from gridgames_client.terminal.app import REDRAW, App
from gridgames_protocol.messages import Again, Create, Event, Join, Lobby
from tests.client.game_scripts import story
from tests.client.piped_app import Screen, playing
from tests.client.seated_controllers import Scenario, in_lobby, listed, room_of
from tests.wire import run

# The mouse ------------------------------------------------------------------------------------------------------------


def test_a_click_on_a_cell_acts_there():
    async def scenario():
        game = Scenario("grid-conquest")
        async with playing(game.controllers[1]) as player:
            await player.clicks_cell("E5")
            assert [request.line for request in game.seats[1].asked] == ["CLAIM E5"]
            assert game.controllers[1].cursor == 24

    run(scenario())


def test_a_click_chooses_one_of_several_actions():
    async def scenario():
        game = Scenario("treasure-hunt-duel")
        async with playing(game.controllers[1]) as player:
            await player.clicks_cell("1A")
            await player.clicks("g  Guess 1A")
            assert [request.line for request in game.seats[1].asked] == ["GUESS 1A"]

    run(scenario())


def test_what_lies_under_a_page_is_out_of_reach():
    async def scenario():
        game = Scenario("treasure-hunt-duel")
        async with playing(game.controllers[1]) as player:
            place = player.cell("1A")
            await player.presses("enter")
            await player.clicks_at(*place)
            assert game.seats[1].asked == []
            assert game.controllers[1].cursor == 12
        seat = in_lobby(listed())
        async with playing(seat.controller) as player:
            await player.presses("+")
            await player.clicks("Standings")
            assert "< Treasure Hunt Duel >" in player.text()

    run(scenario())


def test_up_and_down_leave_the_tiles_of_the_lobby():
    async def scenario():
        seat = in_lobby(listed())
        async with playing(seat.controller) as player:
            player.app.glyphs = TILES
            await player.draws()
            rows = []
            for key in ("down", "right", "right", "down", "down", "up", "up", "up", "up"):
                await player.presses(key)
                rows.append(lobby_controller.find_chosen_row(seat.controller).name)
        first, second, third = (card.slug for card in seat.controller.model.cards[:3])
        assert rows == [first, second, third, "standings", "standings", second, "K7QX2M", "now", "now"]

    run(scenario())


def test_in_a_list_of_games_down_goes_to_the_next_game():
    async def scenario():
        seat = in_lobby(listed())
        async with playing(seat.controller, 40, 16) as player:
            await player.presses("down", "down")
            assert lobby_controller.find_chosen_row(seat.controller).name == seat.controller.model.cards[1].slug

    run(scenario())


def test_clicks_in_the_lobby_choose_and_make_rooms():
    async def scenario():
        seat = in_lobby(listed())
        async with playing(seat.controller) as player:
            await player.clicks("K7QX2M")
            await player.clicks("Quantum Duel")
            await player.clicks("chance decides")
            await player.clicks("open the room")
            assert seat.asked == [Join(1, "K7QX2M"), Create(1, "quantum-duel", "host")]

    run(scenario())


def test_a_click_on_the_bar_does_what_its_key_does():
    async def scenario():
        game = story("grid-hunt", "end")
        seat = game.seats[1]
        async with playing(seat.controller) as player:
            for words, seen in (("F8 moves", "─ Moves ─"), ("? help", "─ Help ─"), ("F2 rules", "─ Grid Hunt ─")):
                await player.clicks(words)
                assert seen in player.text()
                await player.clicks("Esc back")
                assert seen not in player.text()
            await player.clicks("F6 rematch")
            assert seat.asked[-1] == Again(1)
            await player.clicks("' talk")
            assert player.typed == "/chat "

    run(scenario())


def test_the_bar_of_a_running_game_can_be_clicked_too():
    async def scenario():
        game = Scenario("secret-paths")
        async with playing(game.controllers[1]) as player:
            await player.clicks("* show  F2")
            assert "Your secrets are shown." in player.text()
            await player.types("2")
            await player.clicks("Enter act")
            assert game.seats[1].asked == [], "hiding is confirmed first"
            await player.clicks("Enter act")
            assert [request.line for request in game.seats[1].asked] == ["GOAL 2"]
            await player.clicks(". mark")
            assert game.controllers[1].model.marks == {"5,3": "?"}
            await player.clicks("Esc board")
            assert player.focus == "board"
            await player.clicks("Tab type")
            assert player.focus == "input"

    run(scenario())


def test_the_rest_of_the_bar_in_the_lobby_and_of_a_question():
    async def scenario():
        seat = in_lobby(listed())
        async with playing(seat.controller) as player:
            await player.clicks("+ new room")
            assert "New room" in player.text()
            await player.clicks("Esc back")
            await player.clicks("F5 watch")
            await player.clicks("Enter choose")
            assert [type(request).__name__ for request in seat.asked] == ["Watch", "Join"]
        game = story("grid-hunt", "middle")
        game.show(claimable=True)
        async with playing(game.controllers[1]) as player:
            await player.clicks("/claim the win")
            await player.enters("/resign")
            await player.clicks("y yes")
            assert [type(request).__name__ for request in game.seats[1].asked[-2:]] == ["Claim", "Resign"]

    run(scenario())


def test_quit_on_the_bar_ends_the_program():
    async def scenario():
        async with playing(in_lobby().controller) as player:
            await player.clicks("Ctrl-Q quit", drawn=False)
            await player.ended()

    run(scenario())


def test_the_wheel_scrolls_the_log_or_a_page():
    async def scenario():
        async with playing(story("quantum-duel", "end").controllers[1], rows=16) as player:
            await player.turns_wheel(down=False)
            assert "1 newer" in player.text()
            await player.turns_wheel(down=True)
            assert "newer" not in player.text()
            await player.presses("f2")
            await player.turns_wheel(down=True)
            assert player.controller.page_top == 1

    run(scenario())


# Sizes ----------------------------------------------------------------------------------------------------------------


def test_it_follows_the_size_of_the_terminal_and_keeps_what_is_typed():
    async def scenario():
        async with playing(story("treasure-hunt-duel", "middle").controllers[2]) as player:
            await player.types("QUERY 4")
            for columns, rows in ((40, 16), (20, 8), (120, 40), (10, 3), (5, 2), (80, 24)):
                player.screen.columns, player.screen.rows = columns, rows
                await player.draws()
                assert player.typed == "QUERY 4"
            assert "your turn ◂ [Bo 2]" in player.text()
            assert player.lines()[-2] == " > QUERY 4"

    run(scenario())


def test_a_page_that_was_scrolled_stays_in_sight_when_the_terminal_grows():
    async def scenario():
        async with playing(story("grid-hunt", "start").controllers[1], 40, 12) as player:
            await player.presses("f2", *["pagedown"] * 5)
            player.screen.columns, player.screen.rows = 100, 50
            await player.draws()
            assert "Both players hide a treasure" in player.text()

    run(scenario())


# Bell and title -------------------------------------------------------------------------------------------------------


def test_ones_turn_rings_and_shows_in_the_windows_title():
    async def scenario():
        game = Scenario("treasure-hunt-duel")
        async with playing(game.controllers[2]) as player:
            assert (player.screen.bells, player.screen.titles) == (0, ["gridgames"])
            game.types(1, "QUERY 2B")
            assert (player.screen.bells, player.screen.titles[-1]) == (1, "gridgames: your turn")
            await player.enters("QUERY 5A")
            assert player.screen.titles[-1] == "gridgames"
            await player.enters("/bell")
            assert "The bell is off." in player.text()
            game.types(1, "QUERY 3C")
            assert (player.screen.bells, player.screen.titles[-1]) == (1, "gridgames: your turn")

    run(scenario())


# How often it draws ---------------------------------------------------------------------------------------------------


def test_a_flood_of_news_is_drawn_twenty_times_a_second_at_most():
    async def scenario():
        game = Scenario("grid-hunt")
        async with playing(game.controllers[1], patient=True) as player:
            loop = asyncio.get_running_loop()
            before, began, said = player.drawings, loop.time(), 0
            while loop.time() < began + 0.5:
                game.controllers[1].on_message(Event(f"News {said}.", "chat", 2, "Bo"))
                said += 1
                await asyncio.sleep(0)
            assert said > 50
            assert player.drawings - before <= 0.5 / REDRAW + 2
            await player.sees(f"News {said - 1}.")

    run(scenario())


def test_when_nothing_happens_nothing_is_drawn_but_a_clock():
    async def scenario():
        still, timed = Scenario("grid-conquest"), Scenario("grid-conquest", clock=60)
        async with (
            playing(still.controllers[1], patient=True) as one,
            playing(timed.controllers[1], patient=True) as two,
        ):
            before = one.drawings
            still.time.now = timed.time.now = 101.0
            await two.sees("your turn 0:59")
            assert one.drawings == before

    run(scenario())


# The end --------------------------------------------------------------------------------------------------------------


def test_a_signal_ends_the_program_as_a_player_does():
    async def scenario():
        for name in (signal.SIGTERM, signal.SIGHUP):
            async with playing(in_lobby().controller) as player:
                signal.raise_signal(name)
                await player.ended()
                assert player.running.exception() is None

    run(scenario())


def test_after_its_end_the_program_can_still_be_told_things():
    async def scenario():
        seat = in_lobby()
        async with playing(seat.controller) as player:
            player.pipe.send_text("\x04")
            await player.ended()
            seat.controller.on_message(Lobby((), 9, 0))
            seat.controller.quit()

    run(scenario())


def test_it_can_do_without_colour_and_with_ascii_alone():
    seat = in_lobby()
    app = App(seat.controller, ascii=True, color=False, output=Screen(80, 24))
    assert app.application.color_depth.name == "DEPTH_1_BIT"
    assert app.glyphs.across == "-"
    assert App(seat.controller, output=Screen(80, 24)).glyphs.across == "─"


# The log --------------------------------------------------------------------------------------------------------------


def test_a_scrolled_log_goes_back_to_the_newest_with_escape_and_with_every_action():
    async def scenario():
        controller = story("quantum-duel", "middle").controllers[1]
        async with playing(controller) as player:
            for key in ("escape", "left", "enter"):
                await player.presses("pageup")
                assert controller.log_offset
                await player.presses(key)
                assert controller.log_offset == 0, key

    run(scenario())


def test_a_rematch_begins_with_an_empty_line_and_a_line_in_the_log():
    async def scenario():
        game = story("grid-hunt", "end")
        controller = game.controllers[1]
        async with playing(controller) as player:
            await player.types("hide 5")
            game.tell_room(number=2, state="playing")
            assert player.typed == ""
            controller.on_message(Event("Welcome to Grid Hunt!", "system", begins=2))
            assert [event.text for event in controller.model.log][-2:] == [
                "Game 2 of this room",
                "Welcome to Grid Hunt!",
            ]

    run(scenario())


def test_who_types_while_the_second_player_joins_keeps_the_line():
    async def scenario():
        seat, game = in_lobby(), Scenario("grid-hunt")
        seat.controller.on_message(room_of("grid-hunt", "waiting", ("Ada", None), number=0))
        async with playing(seat.controller) as player:
            await player.types("/chat hel")
            seat.controller.on_message(room_of("grid-hunt"))
            seat.controller.on_message(game.shown(1))
            await player.sees("your turn")
            assert player.typed == "/chat hel"

    run(scenario())


# The second board -----------------------------------------------------------------------------------------------------


def test_tab_shows_the_second_board_where_there_is_no_space_beside_the_first():
    async def scenario():
        game = story("grid-hunt", "middle")
        game.controllers[1].model.masked = False
        async with playing(game.controllers[1], 40, 16) as player:
            first = player.lines()
            assert "T" not in "".join(first[1:12])
            await player.presses("tab")
            assert "T" in "".join(player.lines()[1:12])
            assert "YOUR FIELD  Tab: Bo's field" in player.text()
            await player.presses("tab")
            assert player.lines()[:12] == first[:12]
            await player.presses("tab", "right")
            assert "T" not in "".join(player.lines()[1:12]), "the cursor is on the first board"

    run(scenario())


def test_where_both_boards_are_drawn_tab_does_not_switch():
    async def scenario():
        controller = story("grid-hunt", "middle").controllers[1]
        async with playing(controller, 80, 24) as player:
            await player.presses("tab")
            assert not controller.shows_second

    run(scenario())
