"""A room's code in large letters."""

from gridgames_client.render.drawing.big_letters import draw_large_code
from gridgames_client.render.drawing.text_layout import ASCII, LINES, plain
from gridgames_client.render.tiles.shapes import SMALL
from gridgames_server.core.rooms import CODE_LETTERS


def test_every_letter_of_a_code_has_a_large_form_of_its_own():
    shapes = {letter: SMALL[letter] for letter in CODE_LETTERS}
    assert len(set(shapes.values())) == len(CODE_LETTERS)
    assert all(len(shape) == 5 and {len(row) for row in shape} == {3} for shape in shapes.values())


def test_a_code_can_be_read_across_a_room():
    assert [plain(line) for line in draw_large_code("TX7", ASCII)] == [
        "###  # #  ###",
        " #   # #    #",
        " #    #    # ",
        " #   # #   # ",
        " #   # #   # ",
    ]


def test_what_has_no_large_form_is_left_out():
    assert [plain(line) for line in draw_large_code("T\x1b~漢", LINES)] == ["███", " █ ", " █ ", " █ ", " █ "]
