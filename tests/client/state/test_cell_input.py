"""Cells as the player names them: by the menu's questions, by a half-typed line, under the cursor."""

import pytest

from gridgames_client import cells
from gridgames_client.cells import Asking
from gridgames_protocol.views import Action, Board, Frame
from tests.client.evening import Evening
from tests.client.stories import story

LABELS = tuple(map(str, range(1, 13)))
BIG = Board(Frame(LABELS, LABELS, tuple(f"{r},{c}" for r in LABELS for c in LABELS)), ("",) * 144, ("empty",) * 144)


@pytest.mark.parametrize(
    ("slug", "text", "cell"),
    [
        ("treasure-hunt-duel", "QUERY 2B", "2B"),
        ("treasure-hunt-duel", "query b2", "2B"),
        ("treasure-hunt-duel", "guess (2, b)", "2B"),
        ("treasure-hunt-duel", "QUERY 2", None),
        ("treasure-hunt-duel", "QUERY", None),
        ("grid-conquest", "c3", "C3"),
        ("grid-conquest", "3C", "C3"),
        ("grid-hunt", "HIDE 2 3", "2,3"),
        ("grid-hunt", "hide 23", "2,3"),
        ("grid-hunt", "(2,3)", "2,3"),
        ("grid-hunt", "HIDE 9 9", None),
        ("quantum-duel", "MOVE 5", "5"),
        ("quantum-duel", "5", "5"),
        ("quantum-duel", "MOVE 55", None),
    ],
)
def test_the_cell_that_a_half_typed_line_names_is_found(slug, text, cell):
    assert cells.named(Evening(slug).desks[1].model, text) == cell


def test_move_to_names_a_cell_too():
    assert cells.named(story("secret-paths", "middle").desks[2].model, "move to 3,1") == "3,1"


def test_without_a_board_no_cell_is_named():
    evening = Evening("grid-hunt")
    evening.desks[1].model.show = None
    assert cells.named(evening.desks[1].model, "HIDE 2 3") is None


@pytest.mark.parametrize(
    ("text", "cell"), [("1,12", "1,12"), ("11,2", "11,2"), ("112", None), ("12", "1,2"), ("2,1", "2,1")]
)
def test_on_a_large_board_two_numbers_are_kept_apart(text, cell):
    assert cells.written(BIG, text) == cell


def asking(slug: str, seat: int = 1) -> Asking:
    """The menu's question for the first action of a game."""
    model = Evening(slug).desks[seat].model
    assert model.board
    return Asking(model.actions[0], model.board)


def test_the_menu_asks_for_a_row_and_a_column():
    first = asking("grid-hunt")
    assert first.question == "Row (1-5):"
    second = first.answered(" 2 ")
    assert isinstance(second, Asking)
    assert second.question == "Column (1-5):"
    assert second.answered("3") == "HIDE 2,3"


def test_letters_are_taken_as_they_come():
    first = asking("treasure-hunt-duel")
    second = first.answered("4")
    assert isinstance(second, Asking)
    assert second.question == "Column (A-E):"
    assert second.answered("d") == "QUERY 4D"


def test_where_only_one_row_is_possible_only_the_column_is_asked_for():
    assert [asking("secret-paths", seat).answered("2") for seat in (1, 2)] == ["GOAL 5,2", "GOAL 1,2"]
    assert asking("secret-paths").question == "Column (1-5):"


def test_on_a_line_a_position_is_asked_for():
    assert asking("quantum-duel").question == "Position (1-7):"
    assert asking("quantum-duel").answered("7") == "MOVE 7"


def test_a_whole_cell_answers_both_questions():
    assert asking("grid-hunt").answered("(2,3)") == "HIDE 2,3"


@pytest.mark.parametrize("text", ["9", "A", "", "DIG 3 3", "/help", "2 9"])
def test_what_is_no_answer_is_left_to_others(text):
    assert asking("grid-hunt").answered(text) is None


def test_an_action_that_can_be_done_nowhere_asks_all_the_same():
    model = Evening("grid-hunt").desks[1].model
    assert model.board
    assert Asking(Action("SCAN", "SCAN {cell}", "scan", ()), model.board).question == "Row (1-5):"


def test_the_actions_that_fit_a_cell_are_those_that_may_name_it_and_those_that_need_none():
    evening = story("quantum-duel", "middle")
    evening.types(1, "OBSERVE 7")
    evening.types(2, "STAY", "OBSERVE 1")
    model = evening.desks[1].model
    assert [action.verb for action in cells.fitting(model, "4")] == ["MOVE", "TUNNEL", "STAY"]
    assert [action.verb for action in cells.fitting(model, "1")] == ["TUNNEL", "STAY"]
    assert cells.fitting(evening.desks[2].model, "1") == []
