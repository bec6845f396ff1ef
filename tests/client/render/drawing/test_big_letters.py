"""A room's code in large letters."""

from gridgames_client.letters import LETTERS, large
from gridgames_client.paint import ASCII, LINES, plain
from gridgames_server.lobby import CODE_LETTERS


def test_every_letter_of_a_code_has_a_large_form_of_its_own():
    assert set(LETTERS) == set(CODE_LETTERS)
    assert len(set(LETTERS.values())) == len(LETTERS)
    assert all(len(shape) == 5 and set(shape) <= set("01234567") for shape in LETTERS.values())


def test_a_code_can_be_read_across_a_room():
    assert [plain(line) for line in large("TX7", ASCII)] == [
        "###  # #  ###",
        " #   # #    #",
        " #    #    # ",
        " #   # #   # ",
        " #   # #   # ",
    ]


def test_what_has_no_large_form_is_left_out():
    assert [plain(line) for line in large("T\x1b1漢", LINES)] == ["███", " █ ", " █ ", " █ ", " █ "]
