"""The pages that open over a screen: what is in them, how they fit, how far they scroll."""

import pytest

from gridgames_client import pages
from gridgames_client.commands import Turn
from gridgames_client.desk import Desk
from gridgames_client.paint import ASCII, LINES, plain, say, width
from tests.client.evening import CARDS, Evening, in_lobby
from tests.client.stories import story


def text(desk: Desk, columns: int = 76) -> list[str]:
    """The lines of the page that is open."""
    return [plain(line) for line in pages.page(desk, ASCII, columns)[1]]


# Prose ----------------------------------------------------------------------------------------------------------------

RULES = """\
First paragraph, which
goes on.

  SCAN 3 3   asks how far
             it is.
  DIG 5 5    digs there.

Last one."""


def test_paragraphs_are_joined_and_examples_hang_beside_their_explanation():
    assert [plain(line).rstrip() for line in pages.prose(RULES, 39)] == [
        "First paragraph, which goes on.",
        "",
        "  SCAN 3 3   asks how far it is.",
        "  DIG 5 5    digs there.",
        "",
        "Last one.",
    ]


def test_where_it_is_narrow_examples_stand_before_their_explanation():
    assert [plain(line) for line in pages.prose(RULES, 20)] == [
        "First paragraph,",
        "which goes on.",
        "",
        "SCAN 3 3 asks how",
        "  far it is.",
        "DIG 5 5 digs there.",
        "",
        "Last one.",
    ]


@pytest.mark.parametrize("columns", [15, 35, 55, 75])
@pytest.mark.parametrize("card", CARDS, ids=lambda card: card.slug)
def test_the_rules_of_every_game_fit_and_lose_no_word(card, columns):
    lines = pages.prose(card.rules, columns)
    assert max(map(width, lines)) <= columns
    assert " ".join(plain(line) for line in lines).split() == card.rules.split()


# What is in them ------------------------------------------------------------------------------------------------------


def test_help_fits_on_a_standard_screen_without_scrolling():
    for desk in (in_lobby().desk, Evening("grid-hunt").desks[1]):
        desk.grant(Turn("help"))
        assert len(text(desk, pages.text_columns(80))) <= 24 - 2 - 2


def test_help_is_about_the_place_where_one_is():
    lobby, table = in_lobby().desk, Evening("grid-hunt").desks[1]
    lobby.grant(Turn("help"))
    table.grant(Turn("help"))
    assert any("join" in line for line in text(lobby))
    assert any("F4" in line for line in text(table))


def test_rules_of_a_game_that_is_not_there_say_so():
    desk = in_lobby().desk
    desk.grant(Turn("rules", "chess"))
    assert text(desk) == ["There is no such game."]


def test_the_moves_name_their_players_and_are_followed_by_what_was_sealed():
    desk = story("secret-paths", "end").desks[1]
    desk.submit("/moves")
    assert [line.split() for line in text(desk)] == [
        ["After", "each", "move:", "Where", "the", "other's", "goal", "could", "be"],
        [],
        ["Ada", "[1]", "Bo", "[2]"],
        ["1", "Ada", "[1]", "GOAL", "5", "2"],
        ["2", "Bo", "[2]", "GOAL", "1", "4", "5", "5"],
        ["3", "Ada", "[1]", "move", "to", "4,2", "5", "5"],
        ["4", "Bo", "[2]", "move", "to", "3,3", "5", "5"],
        ["5", "Ada", "[1]", "move", "to", "2,4", "5", "5"],
        ["6", "Bo", "[2]", "move", "to", "1,4"],
        [],
        ["What", "was", "sealed"],
        ["goal", "of", "1:", "5,2"],
        ["goal", "of", "2:", "1,4"],
    ]


def test_the_moves_of_a_game_that_is_not_over_are_none():
    desk = Evening("grid-hunt").desks[1]
    desk.grant(Turn("moves"))
    assert text(desk) == []


def test_a_choice_shows_what_each_action_does_and_every_line_of_it_can_be_clicked():
    desk = Evening("treasure-hunt-duel").desks[1]
    desk.act()
    title, lines = pages.page(desk, ASCII, 50)
    assert title == "What at 3C?"
    assert [(plain(line), line[0].target) for line in lines] == [
        ("> 1  QUERY 3C  ask how far the treasure is from a", ("row", 0)),
        ("       cell", ("row", 0)),
        ("  2  GUESS 3C  say where the treasure is; a wrong", ("row", 1)),
        ("       guess costs your next turn", ("row", 1)),
    ]


def test_the_dialogue_marks_the_row_and_what_can_be_changed_in_it():
    desk = in_lobby().desk
    desk.new_room()
    desk.edit_room(rows=1)
    assert [line.rstrip() for line in text(desk)] == [
        "  Game       Treasure Hunt Duel",
        "> Against  < a friend >",
        "  Begins     chance decides",
        "  Clock      none",
        "  Listed     in the lobby",
        "  Assist     off",
    ]


@pytest.mark.parametrize("columns", [40, 60, 80])
def test_the_dialogue_keeps_its_width_whatever_is_chosen(columns):
    desk = in_lobby().desk
    desk.new_room()
    widths = set()
    for _ in range(6):
        for _ in range(6):
            desk.edit_room(turns=1)
            widths.add(max(map(len, text(desk, pages.text_columns(columns)))))
        desk.edit_room(turns=1, rows=1)
    assert len(widths) == 1


def test_without_a_page_there_is_nothing():
    assert pages.page(in_lobby().desk, ASCII, 76) == ("", [])


# Over the screen ------------------------------------------------------------------------------------------------------


def test_a_frame_has_a_title_and_says_what_is_below():
    assert [plain(line) for line in pages.framed("Help", [say("one"), say("two")], LINES, 20, "3 more, PgDn")] == [
        "┌─ Help ───────────────┐",
        "│ one                  │",
        "│ two                  │",
        "└─ 3 more, PgDn ───────┘",
    ]


def test_a_title_that_is_too_long_is_cut():
    lines = pages.framed("A title that goes on and on", [], ASCII, 10, "")
    assert [plain(line) for line in lines] == ["+- A title~ -+", "+------------+"]


def screen(desk: Desk, columns: int, rows: int) -> list[str]:
    under = [say("x" * columns) for _ in range(rows)]
    return [plain(line) for line in pages.over(under, desk, ASCII, columns)]


def test_a_question_is_asked_low_and_the_board_stays_in_sight():
    desk = Evening("grid-hunt").desks[1]
    desk.submit("/resign")
    lines = screen(desk, 60, 20)
    assert lines[:15] == ["x" * 60] * 15
    assert "Are you sure?" in lines[15]
    assert lines[19].strip().startswith("+---")


def test_a_page_to_read_stands_alone():
    desk = in_lobby().desk
    desk.submit("rules grid-hunt")
    assert "x" not in "".join(screen(desk, 80, 40)).replace("next", "")


def test_a_page_is_scrolled_no_further_than_its_end():
    desk = in_lobby().desk
    desk.submit("rules quantum")
    lines = len(text(desk, pages.text_columns(60)))
    assert pages.last_top(lines, 12) == lines - 10
    assert pages.last_top(5, 12) == 0
    desk.page_top = 10_000
    assert screen(desk, 60, 12)[-2].strip("| ").endswith(text(desk, pages.text_columns(60))[-1][-20:])
    assert "more" not in screen(desk, 60, 12)[-1]
    desk.page_top = 0
    assert f"{lines - 10} more, PgDn" in screen(desk, 60, 12)[-1]
