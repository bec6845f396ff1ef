"""How a board looks: in each size, with cursor, marks, news and covers."""

from dataclasses import replace
from itertools import product

import pytest

from gridgames_client.render import board
from gridgames_client.render.board import Overlay
from gridgames_client.render.drawing.text_layout import ASCII, LINES, plain, width
from gridgames_protocol.views import Board, Frame


def grid(rows: str = "12", cols: str = "AB", texts: str = "", masks: tuple[tuple[str, str, str], ...] = ()) -> Board:
    """A board whose cells show the words of a text, `.` for nothing."""
    names = tuple(row + col for row, col in product(rows, cols))
    shown = tuple("" if word == "." else word for word in texts.split()) or ("",) * len(names)
    return Board(Frame(tuple(rows), tuple(cols), names), shown, ("known",) * len(names), masks)


def fit_board(table: Board, size: int, rows: int, pencil: Overlay) -> list[str]:
    return [plain(line) for line in board.fit_board(table, pencil, ASCII, size, rows)]


def test_a_board_has_labels_and_rules():
    assert [plain(line) for line in board.draw(grid(texts="4 . P1 Q12"), Overlay(), LINES, compact=False)] == [
        "     A     B  ",
        "  ┌─────┬─────┐",
        "1 │  4  │     │",
        "  ├─────┼─────┤",
        "2 │  P1 │ Q12 │",
        "  └─────┴─────┘",
    ]


def test_a_compact_board_has_a_line_for_each_row():
    assert [plain(line) for line in board.draw(grid(texts="4 . P1 Q12"), Overlay(cursor=1), ASCII, compact=True)] == [
        "     A     B  ",
        "1 |  4  |[   ]|",
        "2 |  P1 | Q12 |",
    ]


def test_the_cursor_stands_around_a_cell_and_a_mark_behind_it():
    pencil = Overlay(cursor=0, marks={"1A": "?", "1B": "!"})
    assert plain(board.draw(grid(texts="4 P1 . ."), pencil, ASCII, compact=True)[1]) == "1 |[ 4 ?|  P1!|"


def test_a_board_shrinks_with_its_space():
    table = grid(texts="4 P1 . Q12")
    pencil = Overlay(cursor=3, marks={"1A": "?"})
    assert fit_board(table, 15, 6, pencil)[1] == "  +-----+-----+"
    assert fit_board(table, 15, 5, pencil) == ["     A     B  ", "1 |  4 ?|  P1 |", "2 |     |[Q12]|"]
    assert fit_board(table, 11, 5, pencil) == ["    A   B ", "1 | 4?|P1 |", "2 |   |Q12|"]
    assert fit_board(table, 8, 5, pencil) == ["   A  B ", "1  4?P1 ", "2    Q12"]


def test_what_is_too_large_is_seen_around_the_cursor():
    table = grid("ABCDEFGHIJ", "0123456789")
    assert fit_board(table, 12, 4, Overlay(cursor=55)) == [" ~ 4  5  6 ~", "E          ", "F    [ ]   ", "G          "]
    assert fit_board(table, 12, 4, Overlay(cursor=0)) == ["   0  1  2 ~", "A [ ]      ", "B          ", "C          "]
    assert fit_board(table, 12, 4, Overlay(cursor=99)) == [" ~ 7  8  9 ", "H          ", "I          ", "J       [ ]"]


@pytest.mark.parametrize(("rows", "cols"), [(1, 7), (5, 5), (20, 20), (15, 26), (26, 15)])
def test_a_board_fits_any_space(rows, cols):
    letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
    table = grid(letters[:rows], letters[:cols])
    for size, height, cursor in product((8, 20, 33, 47, 80, 160), (2, 3, 8, 24, 60), (0, rows * cols - 1)):
        lines = board.fit_board(table, Overlay(cursor=cursor), LINES, size, height)
        assert len(lines) <= height
        assert max(map(width, lines)) <= size
        targets = [fragment.target for line in lines for fragment in line if fragment.target]
        assert ("cell", cursor) in targets, "the cursor is in sight"


def test_wide_labels_keep_the_columns_straight():
    table = Board(Frame(("漢", "a"), ("漢字", "eightcol"), ("1", "2", "3", "4")), ("漢", "", "", ""), ("known",) * 4)
    assert [plain(line) for line in board.draw(table, Overlay(), ASCII, compact=True)] == [
        "     漢字 eight",
        "漢 |  漢 |     |",
        " a |     |     |",
    ]


def test_a_covered_secret_looks_as_if_it_were_not_there():
    table = grid(texts="4G G . .", masks=(("1A", "4", "hint"), ("1B", "", "empty")))
    covered = board.draw(table, Overlay(masked=True), ASCII, compact=True)
    plainly = board.draw(
        replace(table, texts=("4", "", "", ""), kinds=("hint", "empty", "known", "known"), masks=()),
        Overlay(),
        ASCII,
        True,
    )
    assert covered == plainly
    assert "4G" in plain(board.draw(table, Overlay(masked=False), ASCII, compact=True)[1])


def test_what_has_changed_is_news_unless_it_is_covered():
    before, now = grid(texts="4 . . ."), grid(texts="4 P1 G .", masks=(("2A", "", "known"),))
    assert board.find_changes(before, now, masked=True) == {1}
    assert board.find_changes(before, now, masked=False) == {1, 2}
    assert board.find_changes(None, now, masked=False) == frozenset()
    assert board.find_changes(grid("1", "AB"), now, masked=False) == frozenset()


def test_a_cell_has_its_roles_and_says_what_a_click_on_it_means():
    pencil = Overlay(cursor=0, lit="1A", news=frozenset({0}))
    fragments = board.draw(grid(texts="4 . . ."), pencil, ASCII, compact=True)[1]
    assert fragments[2].style == "class:cell.known class:news class:lit class:cursor"
    assert [fragment.target for fragment in fragments if fragment.target] == [("cell", 0), ("cell", 1)]


def test_a_board_can_be_told_in_words():
    table = Board(Frame(("1",), ("A", "B"), ("1A", "1B")), ("x", ""), ("ruled_out", "empty"), (("1A", "", "empty"),))
    assert board.describe_board(table, masked=False) == ["1A: x, ruled out."]
    assert board.describe_board(table, masked=True) == ["The board is empty."]
