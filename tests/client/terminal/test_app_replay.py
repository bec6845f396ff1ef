"""The real program on a pipe, before finished games: every key, and where the keys go."""

from gridgames_client.state.commands import TextPage
from gridgames_client.state.history.replay import PastGames, Replaying
from gridgames_protocol.messages import AskAnalysis, AskHistory, AskReplay
from tests.client.finished_games import at_shelf, finished
from tests.client.piped_app import playing
from tests.client.seated_controllers import Scenario, in_lobby, listed
from tests.wire import run

GAMES = (finished(3, "grid-hunt"), finished(5, "quantum-duel", "Cy"), finished(8, "secret-paths", seat=2))


def shelf():
    return at_shelf(in_lobby(listed()), *GAMES)


def replayed(controller):
    """The step and the eyes that are shown."""
    assert isinstance(controller.page, Replaying)
    return controller.page.here


def test_the_lobby_leads_to_the_list_and_to_a_replay_and_escape_goes_back():
    async def scenario():
        seat = shelf()
        async with playing(seat.controller) as player:
            await player.presses(*["down"] * 6, "enter")
            assert "Your finished games" in player.lines()[0]
            await player.presses("down", "down", "up", "enter")
            await player.sees("Quantum Duel   game 5")
            await player.presses("escape")
            assert (seat.controller.page, player.focus) == (PastGames(1), "board")
            await player.presses("escape")
            assert (seat.controller.page, player.focus) == (None, "board")
            assert "▸ Your finished games" in player.text()

    run(scenario())


def test_keys_step_through_a_replay():
    async def scenario():
        seat = shelf()
        async with playing(seat.controller) as player:
            await player.enters("replay 3")
            for key, here in (
                ("right", (1, 1)), (" ", (2, 1)), ("enter", (3, 1)), ("left", (2, 1)), ("*", (2, 2)), ("end", (7, 2)),
                ("f4", (7, 0)), ("home", (0, 0)),
            ):  # fmt: skip
                await player.presses(key)
                assert replayed(seat.controller) == here, key
            assert "Step 0 of 7" in player.text()
            await player.enters("close")
            assert seat.controller.page is None

    run(scenario())


def test_a_digit_or_tab_begins_a_line_in_a_replay_and_enter_gives_the_keys_back():
    async def scenario():
        seat = shelf()
        async with playing(seat.controller) as player:
            await player.enters("replay 3")
            await player.presses("6")
            assert (player.typed, player.focus) == ("6", "input")
            await player.presses("enter")
            assert (replayed(seat.controller), player.typed, player.focus) == ((6, 1), "", "board")
            await player.presses("tab")
            await player.enters("open")
            assert replayed(seat.controller) == (6, 0)

    run(scenario())


def test_escape_leaves_the_typed_line_first_and_then_the_replay():
    async def scenario():
        seat = shelf()
        async with playing(seat.controller) as player:
            await player.enters("replay 3")
            await player.presses("4", "escape")
            assert (player.focus, player.typed) == ("board", "")
            assert isinstance(seat.controller.page, Replaying)
            await player.presses("escape")
            assert seat.controller.page is None

    run(scenario())


def test_a_number_that_is_none_is_refused_over_the_list_and_stays_to_be_corrected():
    async def scenario():
        seat = shelf()
        async with playing(seat.controller) as player:
            await player.enters("history")
            await player.presses("7", "enter")
            await player.sees("There is no game 7 among yours.")
            assert (seat.controller.page, player.typed, player.focus) == (PastGames(0), "7", "input")

    run(scenario())


def test_further_down_than_the_list_goes_older_games_come():
    async def scenario():
        seat = at_shelf(in_lobby(), *(GAMES[0]._replace(number=number) for number in range(1, 31)))
        async with playing(seat.controller) as player:
            await player.enters("history")
            await player.presses("pagedown", "pagedown")
            assert seat.asked == [AskHistory(1), AskHistory(1, 11)]
            await player.presses("pagedown")
            assert "▸ 1 " in player.text()
            await player.presses("pageup")
            assert "▸ 11 " in player.text()

    run(scenario())


def test_a_click_chooses_a_game_and_the_bar_and_the_wheel_step_through_it():
    async def scenario():
        seat = shelf()
        async with playing(seat.controller) as player:
            await player.enters("history")
            await player.clicks("Grid Hunt")
            assert seat.asked[-2] == AskReplay(1, 3, 0, 1)
            await player.clicks("right next")
            await player.clicks("Step 1")
            assert replayed(seat.controller) == (2, 1)
            await player.clicks("left back")
            await player.clicks("* other eyes")
            assert replayed(seat.controller) == (1, 2)
            await player.turns_wheel(down=True)
            assert replayed(seat.controller) == (2, 2)
            await player.clicks("Esc close")
            assert seat.controller.page == PastGames(2)
            await player.turns_wheel(down=False)
            assert seat.controller.page == PastGames(1)

    run(scenario())


def test_nothing_on_the_board_of_a_replay_can_be_clicked():
    async def scenario():
        game = Scenario("grid-conquest")
        seat = at_shelf(game.seats[1], *GAMES)
        async with playing(seat.controller) as player:
            await player.enters("/replay 3 2")
            x, y = player.place("│       │")
            await player.clicks_at(x, y)
            assert isinstance(seat.controller.page, Replaying)
            assert all(isinstance(request, AskHistory | AskReplay | AskAnalysis) for request in seat.asked)

    run(scenario())


def test_the_cursor_stands_on_the_chosen_game_and_on_the_step():
    async def scenario():
        seat = shelf()
        async with playing(seat.controller) as player:
            await player.enters("history")
            await player.presses("down")
            assert player.lines()[player.cursor()[1]].startswith(" ▸ 5")
            await player.presses("enter")
            assert "Step 0 of" in player.lines()[player.cursor()[1]]

    run(scenario())


def test_left_and_right_go_through_the_standings():
    async def scenario():
        seat = shelf()
        async with playing(seat.controller) as player:
            await player.presses(*["down"] * 7, "enter")
            await player.sees("Standings: all games")
            await player.presses("right")
            await player.sees("Standings: Treasure Hunt Duel")
            await player.presses("left", "left")
            await player.sees("Standings: Secret Paths")
            await player.presses("escape")
            assert seat.controller.page is None

    run(scenario())


def test_ctrl_c_closes_a_replay_and_only_then_asks_about_the_game_at_the_table():
    async def scenario():
        game = Scenario("grid-hunt")
        seat = at_shelf(game.seats[1], *GAMES)
        async with playing(seat.controller) as player:
            await player.enters("/replay 3")
            await player.sees("Your turn at the table: press Esc.")
            await player.presses("c-c")
            assert seat.controller.page is None
            await player.presses("c-c")
            await player.sees("Leave the program?")

    run(scenario())


def test_help_can_be_read_from_a_replay():
    async def scenario():
        seat = shelf()
        async with playing(seat.controller) as player:
            await player.enters("replay 3")
            await player.enters("/help")
            assert seat.controller.page == TextPage("help")

    run(scenario())
