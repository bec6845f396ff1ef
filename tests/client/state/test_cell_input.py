"""Cells as the player names them: by the menu's questions, by a half-typed line, under the cursor."""

import pytest

from gridgames_client.state import cell_input
from gridgames_client.state.cell_input import CellPrompt
from gridgames_protocol.views import Action, Board, Frame
from tests.client.game_scripts import story
from tests.client.seated_controllers import Scenario

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
    assert cell_input.find_cell(Scenario(slug).controllers[1].model, text) == cell


def test_move_to_names_a_cell_too():
    assert cell_input.find_cell(story("secret-paths", "middle").controllers[2].model, "move to 3,1") == "3,1"


def test_without_a_board_no_cell_is_named():
    scenario = Scenario("grid-hunt")
    scenario.controllers[1].model.show = None
    assert cell_input.find_cell(scenario.controllers[1].model, "HIDE 2 3") is None


@pytest.mark.parametrize(
    ("text", "cell"), [("1,12", "1,12"), ("11,2", "11,2"), ("112", None), ("12", "1,2"), ("2,1", "2,1")]
)
def test_on_a_large_board_two_numbers_are_kept_apart(text, cell):
    assert cell_input.parse_cell(BIG, text) == cell


def asking(slug: str, seat: int = 1) -> CellPrompt:
    """The menu's question for the first action of a game."""
    model = Scenario(slug).controllers[seat].model
    assert model.board
    return CellPrompt(model.actions[0], model.board)


def test_the_menu_asks_for_a_row_and_a_column():
    first = asking("grid-hunt")
    assert first.question == "Row (1-5):"
    second = first.answer(" 2 ")
    assert isinstance(second, CellPrompt)
    assert second.question == "Column (1-5):"
    assert second.answer("3") == "HIDE 2,3"


def test_letters_are_taken_as_they_come():
    first = asking("treasure-hunt-duel")
    second = first.answer("4")
    assert isinstance(second, CellPrompt)
    assert second.question == "Column (A-E):"
    assert second.answer("d") == "QUERY 4D"


def test_where_only_one_row_is_possible_only_the_column_is_asked_for():
    assert [asking("secret-paths", seat).answer("2") for seat in (1, 2)] == ["GOAL 5,2", "GOAL 1,2"]
    assert asking("secret-paths").question == "Column (1-5):"


def test_on_a_line_a_position_is_asked_for():
    assert asking("quantum-duel").question == "Position (1-7):"
    assert asking("quantum-duel").answer("7") == "MOVE 7"


def test_a_whole_cell_answers_both_questions():
    assert asking("grid-hunt").answer("(2,3)") == "HIDE 2,3"


@pytest.mark.parametrize("text", ["9", "A", "", "DIG 3 3", "/help", "2 9"])
def test_what_is_no_answer_is_left_to_others(text):
    assert asking("grid-hunt").answer(text) is None


def test_an_action_that_can_be_done_nowhere_asks_all_the_same():
    model = Scenario("grid-hunt").controllers[1].model
    assert model.board
    assert CellPrompt(Action("SCAN", "SCAN {cell}", "scan", ()), model.board).question == "Row (1-5):"


@pytest.mark.parametrize(
    ("slug", "typed", "cell"),
    [
        ("treasure-hunt-duel", "", "3C"),
        ("treasure-hunt-duel", "g", "3C"),
        ("treasure-hunt-duel", "g 1d", "1D"),
        ("grid-hunt", "hide 5 1", "5,1"),
        ("secret-paths", "goal 2", "5,2"),
        ("grid-conquest", "c 5", "C5"),
    ],
)
def test_the_frame_is_at_the_typed_cell_or_else_at_the_cursor(slug, typed, cell):
    model = Scenario(slug).controllers[1].model
    assert cell_input.find_shown_cell(model, 12, typed) == ("" if model.chooses_unseen else cell)
    model.masked = False
    assert cell_input.find_shown_cell(model, 12, typed) == cell
