"""The games in the lobby: each has its picture, its title and what it is about, as far as there is space."""

import pytest

from gridgames_client.render.drawing.text_layout import plain
from gridgames_client.state.lobby_list import list_rows
from tests.client.screen_scenes import Scene, draw_scene
from tests.client.seated_controllers import in_lobby


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
