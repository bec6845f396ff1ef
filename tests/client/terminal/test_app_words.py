"""The real program on a pipe: every word can be typed on every screen, and every entry of the bar can be clicked."""

import pytest

from gridgames_client.render.drawing.text_layout import plain
from gridgames_client.render.key_bar import draw_entry
from gridgames_client.state.actions.action_table import ACTIONS
from gridgames_client.state.actions.find_action import find, list_bar
from gridgames_client.state.controllers import board_controller, lobby_controller
from gridgames_protocol.messages import Join, Watch
from tests.client.finished_games import at_shelf, finished
from tests.client.game_scripts import story
from tests.client.piped_app import playing
from tests.client.screen_scenes import waiting
from tests.client.seated_controllers import Scenario, in_lobby, listed
from tests.wire import run, until

ROOMS = listed("K7QX2M"), listed("9FWT4C")
GAMES = finished(3, "grid-hunt"), finished(5, "quantum-duel", "Cy")


def after(controller, line):
    controller.submit(line)
    return controller


def shelf(line=""):
    seat = at_shelf(in_lobby(*ROOMS), *GAMES)
    return after(seat.controller, line) if line else seat.controller


def choosing():
    controller = Scenario("treasure-hunt-duel").controllers[1]
    board_controller.act(controller)
    return controller


def making_room():
    controller = in_lobby(*ROOMS).controller
    lobby_controller.open_new_room(controller)
    return controller


def at_home_beside_another():
    controller = in_lobby().controller
    controller.tell_of_server("attic", "10.0.0.9:4743")
    return controller


SCREENS = {
    "the lobby, alone": lambda: in_lobby().controller,
    "the lobby, told of another server": at_home_beside_another,
    "the lobby, on an open room": shelf,
    "the list of finished games": lambda: shelf("history"),
    "a replay": lambda: shelf("replay 3 2"),
    "the standings": lambda: shelf("standings"),
    "the rules": lambda: shelf("rules grid-hunt"),
    "the help": lambda: shelf("help"),
    "a waiting room": waiting,
    "the table": lambda: Scenario("grid-hunt").controllers[1],
    "the table, out of turn": lambda: Scenario("grid-conquest").controllers[2],
    "the table, watching": lambda: Scenario("grid-conquest").controllers[None],
    "the end of a game": lambda: story("grid-hunt", "end").controllers[1],
    "a choice among actions": choosing,
}
DIALOGUES = {
    "a question": lambda: after(Scenario("grid-hunt").controllers[1], "/resign"),
    "a new room": making_room,
}


def listen(controller):
    """The requests that a player sends from now on."""
    sent, ask = [], controller.ask

    def note(request):
        sent.append(request)
        ask(request)

    controller.ask = note
    return sent


@pytest.mark.parametrize("screen", [*SCREENS, "a new room"])
def test_a_letter_or_a_digit_is_no_key_on_any_screen_so_that_every_word_can_be_typed(screen):
    controller = (SCREENS | DIALOGUES)[screen]()
    controller.on_board = True
    keys = [key for action in ACTIONS if action.possible(controller) for key in action.keys]
    assert keys
    assert [key for key in keys if len(key) == 1 and key.isalnum()] == []


def test_a_letter_closes_a_text_and_begins_a_line():
    async def scenario():
        seat = at_shelf(in_lobby(*ROOMS), *GAMES)
        async with playing(seat.controller) as player:
            await player.enters("standings")
            await player.sees("Esc back")
            await player.enters("watch 9FWT4C")
            assert seat.asked[-1] == Watch(1, "9FWT4C")

    run(scenario())


def test_who_types_the_code_of_a_room_watches_that_room():
    async def scenario():
        seat = in_lobby(*ROOMS)
        async with playing(seat.controller) as player:
            assert "▸ K7QX2M" in player.text()
            await player.enters("watch 9FWT4C")
            await player.enters("join 9FWT4C")
            assert seat.asked == [Watch(1, "9FWT4C"), Join(1, "9FWT4C")]

    run(scenario())


def test_who_types_the_name_of_a_game_makes_a_room_for_that_game():
    async def scenario():
        seat = in_lobby(*ROOMS)
        async with playing(seat.controller) as player:
            await player.enters("new quantum-duel")
            assert [request.game for request in seat.asked] == ["quantum-duel"]

    run(scenario())


def test_who_types_a_line_at_a_choice_plays_that_line():
    async def scenario():
        game = Scenario("treasure-hunt-duel")
        async with playing(game.controllers[1]) as player:
            await player.presses("enter")
            await player.sees("What at 3C?")
            await player.enters("guess 5e")
            assert [request.line for request in game.seats[1].asked] == ["guess 5e"]

    run(scenario())


def test_with_the_keys_of_vi_a_slash_begins_a_word():
    async def scenario():
        seat = in_lobby(*ROOMS)
        seat.controller.vi = True
        async with playing(seat.controller) as player:
            await player.presses("j", "k", "j")
            assert "▸ 9FWT4C" in player.text()
            await player.enters("/join K7QX2M")
            assert seat.asked == [Join(1, "K7QX2M")]

    run(scenario())


async def show(player, typing):
    """Draw a screen where a line has been typed."""
    player.app.focus_board()
    await player.types(typing)
    await player.draws()


async def click(controller, typing, name):
    """What can be seen and was asked before and after a click on an entry of the bar."""
    sent = listen(controller)
    rows = 5 if name == "scroll on" else 24  # there is something to scroll
    async with playing(controller, columns=200, rows=rows) as player:
        await show(player, typing)
        before, pressed = (player.text(), player.typed, player.focus, 0), player.pressed
        entry = plain(draw_entry(controller, 0, find(name), player.app.glyphs.filled)).rstrip()
        bar = player.text().splitlines()[rows - 1]  # the same words may stand above it
        await player.clicks_at(bar.index(entry) + len(entry) // 2, rows - 1, drawn=False)
        await until(lambda: player.pressed >= pressed + 2 or player.running.done())
        if player.app.application.is_done or not player.app.application.is_running:
            return before, None
        await player.draws()
        if name == "complete":  # it looks for completions in the background
            await until(lambda: (player.text(), player.typed) != before[:2])
        return before, (player.text(), player.typed, player.focus, len(sent))


def list_entries():
    """Every entry of a bar, with the first screen that shows it and what is typed there."""
    screens = [("", make) for make in (SCREENS | DIALOGUES).values()]
    screens += [("st", shelf), ("q", lambda: Scenario("treasure-hunt-duel").controllers[1])]
    found = {}
    for typing, make in screens:
        controller = make()
        controller.on_board, controller.typed = not typing, typing
        for action in list_bar(controller):
            found.setdefault(action.name, (make, typing))
    return found


ENTRIES = list_entries()


@pytest.mark.parametrize("name", ENTRIES)
def test_every_entry_of_the_bar_does_something_when_it_is_clicked(name):
    async def scenario():
        make, typing = ENTRIES[name]
        before, after = await click(make(), typing, name)
        assert after != before

    run(scenario())
