"""A waiting room names the page from which a friend gets the client."""

import pytest

from gridgames_client.render.drawing.text_layout import TILES, plain
from gridgames_client.render.lobby import draw_waiting
from gridgames_client.terminal.plain.plain_app import Plain
from tests.client.screen_scenes import waiting

PAGE = "http://192.168.1.20:4743"


@pytest.mark.parametrize(("columns", "rows"), [(60, 24), (80, 24), (120, 40), (200, 60)])
@pytest.mark.parametrize("handout", [False, True])
def test_the_full_screen_names_it_if_the_server_offers_the_client(columns, rows, handout):
    controller = waiting()
    controller.model.handout = handout
    screen = [plain(line).strip() for line in draw_waiting(controller, TILES, columns, rows)]
    assert len(screen) == rows
    assert any(PAGE in line for line in screen) is handout
    assert any("join K7QX2M" in line for line in screen)


def test_a_small_screen_keeps_the_rest_rather_than_the_page():
    controller = waiting()
    controller.model.handout = True
    screen = [plain(line).strip() for line in draw_waiting(controller, TILES, 40, 16)]
    assert len(screen) == 16
    assert any("join K7QX2M" in line for line in screen)


def test_plain_lines_name_it_too():
    controller, printed = waiting(), []
    controller.model.handout = True
    Plain(controller, printed.append).print_room(controller.model.room)
    assert f"Without the client, first open in a browser: {PAGE}" in printed
