"""The games in the lobby: each has its picture, its title and what it is about, as far as there is space."""

import pytest

from gridgames_client.render.drawing.text_layout import plain
from gridgames_client.state.lobby_list import list_rows
from gridgames_protocol.messages import Event
from tests.client.screen_scenes import Scene, draw_scene
from tests.client.seated_controllers import in_lobby, listed


def screen(columns: int, rows: int, chosen: str = "") -> list[str]:
    controller = in_lobby().controller
    names = [row.name for row in list_rows(controller.model)]
    if chosen:
        controller.pick_row(names.index(chosen))
    return [plain(line).rstrip() for line in draw_scene(Scene("", controller, on_board=True), columns, rows)]


@pytest.mark.parametrize(("columns", "rows"), [(120, 40), (200, 60)])
def test_a_large_lobby_tells_what_every_game_is_about(columns, rows):
    words = set(" ".join(screen(columns, rows)).split())
    assert {"hunters:", "digs", "fifteen", "unseen", "goals,"} <= words


def test_pictures_grow_with_the_screen():
    def count_tiles(columns: int, rows: int) -> int:
        return sum(line.count("▀") for line in screen(columns, rows))

    assert count_tiles(80, 24) < count_tiles(120, 40) < count_tiles(200, 60)


@pytest.mark.parametrize(("columns", "rows"), [(40, 16), (60, 20), (80, 24)])
def test_a_small_lobby_tells_what_the_chosen_game_is_about_and_cuts_nothing(columns, rows):
    lines = screen(columns, rows, "secret-paths")
    assert "one Seeker, two secret goals, one step at a time" in " ".join(" ".join(lines).split())
    assert not any("›" in line and "Paths" in line for line in lines)


@pytest.mark.parametrize("rows", [22, 23, 24, 30])
@pytest.mark.parametrize("rooms", [0, 1, 9])
@pytest.mark.parametrize("told", [0, 1, 2, 9])
def test_the_last_row_of_the_lobby_is_never_cut(rows, rooms, told):
    controller = in_lobby(*(listed(f"K7QX2{letter}") for letter in "ABCDEFGHJ"[:rooms])).controller
    for number in range(told):
        controller.on_message(Event(f"The host says: {number}", "system"))
    controller.chosen_row = [row.name for row in list_rows(controller.model)].index("grid-hunt")
    screen = "\n".join(plain(line) for line in draw_scene(Scene("", controller, on_board=True), 80, rows))
    assert "Your finished games" in screen
    assert rooms < 2 or f"{rooms - screen.count('join')} more" in screen or screen.count("join") == rooms
    assert "hide yours, find theirs" in screen, "the summary of the chosen game"
    assert screen.count("The host says") == min(told, 2)
