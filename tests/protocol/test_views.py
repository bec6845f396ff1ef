"""A board, an action, a view or a card that could not be drawn does not come off the wire."""

from dataclasses import replace

import pytest

from gridgames_protocol.rules import InvalidField
from gridgames_protocol.schema import check
from gridgames_protocol.views import CELLS_MAX, Action, Board, Card, Frame, View

CARD = Card("grid-hunt", "Grid Hunt", "Hide and dig.", "Hide a treasure.\nDig.", 1)
FRAME = Frame(("A", "B"), ("1", "2"), ("A1", "A2", "B1", "B2"))
BOARD = Board(FRAME, ("P1", "5", "", "王"), ("mine", "hint", "hidden", "known"))
DIG = Action("DIG", "DIG {cell}", "dig here", ("A1", "B2"), "2")
STAY = Action("STAY", "STAY", "stay where you are")
VIEW = View("play", "Player 1's turn.", BOARD, (("Scans left", "2"),), (DIG, STAY), {"left": (2, 3)})


def board_of(rows, cols, names, texts, kinds):
    """A board with the frame that goes with it."""
    return Board(Frame(rows, cols, names), texts, kinds)


def test_an_action_with_cells_allows_a_line_for_each():
    assert DIG.lines() == ("DIG A1", "DIG B2")


def test_an_action_without_cells_allows_its_form():
    assert STAY.lines() == ("STAY",)


def test_an_action_whose_cells_have_run_out_allows_nothing():
    assert replace(DIG, cells=()).lines() == ()


def test_nothing_is_claimable_masked_private_or_secret_unless_said():
    assert VIEW.claimable is STAY.secret is False
    assert VIEW.private == BOARD.masks == ()


@pytest.mark.parametrize(("rows", "cols"), [(1, 1), (1, 7), (5, 5), (26, 15), (20, 20)])
def test_a_board_has_a_name_a_text_and_a_kind_for_every_cell(rows, cols):
    cells = rows * cols
    lists = (("A1",) * cells, ("",) * cells, ("empty",) * cells)
    assert len(check(board_of(("r",) * rows, ("c",) * cols, *lists)).names) == cells
    for short in range(3):
        uneven = tuple(held + held[:1] if at == short else held for at, held in enumerate(lists))
        with pytest.raises(InvalidField):
            check(board_of(("r",) * rows, ("c",) * cols, *uneven))


@pytest.mark.parametrize("cells", [3, 5])
def test_lists_of_one_length_are_not_enough_where_it_is_not_that_of_the_grid(cells):
    with pytest.raises(InvalidField):
        check(board_of(("A", "B"), ("1", "2"), ("A1",) * cells, ("",) * cells, ("empty",) * cells))


def test_a_board_has_at_most_400_cells():
    assert CELLS_MAX == 400
    with pytest.raises(InvalidField):
        check(board_of(("r",) * 21, ("c",) * 20, ("A1",) * 420, ("",) * 420, ("empty",) * 420))


@pytest.mark.parametrize("text", ["", "abc", "a b", "王", "王1", "Zoe\u0308", "●"])
def test_a_cell_takes_what_is_at_most_three_columns_wide(text):
    assert check(replace(BOARD, texts=(text,) * 4)).texts[0] == text


@pytest.mark.parametrize("text", ["abcd", "王王", "\x1b", "\n", "a\u202eb", "\u200b", "\ufe0f", "\ud800"])
def test_a_cell_refuses_what_is_wider_or_could_do_harm(text):
    with pytest.raises(InvalidField, match=r"`texts` must be .*at most 3 columns"):
        check(replace(BOARD, texts=("", "", "", text)))
    with pytest.raises(InvalidField, match=r"`masks` must be .*at most 3 columns"):
        check(replace(BOARD, masks=(("A1", text, "hidden"),)))


@pytest.mark.parametrize("label", ["nine wide", "王王王王1", "\x1b", "\n", "\u202e"])
def test_a_label_refuses_what_is_wider_or_could_do_harm(label):
    for side in ("rows", "cols"):
        with pytest.raises(InvalidField, match="at most 8 columns"):
            check(replace(FRAME, **{side: ("A", label)}))


def test_marks_that_take_no_column_are_no_way_to_a_text_without_end():
    marked = "e" + "\u0308" * 31
    for side in ("rows", "cols"):
        assert check(replace(FRAME, **{side: ("A", marked)}))
        with pytest.raises(InvalidField, match="at most 8 columns and 32 characters"):
            check(replace(FRAME, **{side: ("A", marked + "\u0308")}))
    assert check(replace(BOARD, texts=("", "", "", marked), masks=(("A1", marked, "hidden"),)))
    for wrong in ({"texts": ("", "", "", marked + "\u0308")}, {"masks": (("A1", marked + "\u0308", "hidden"),)}):
        with pytest.raises(InvalidField, match="at most 3 columns and 32 characters"):
            check(replace(BOARD, **wrong))


UNFIT = [
    (CARD, {"slug": ""}),
    (CARD, {"slug": "g" * 41}),
    (CARD, {"title": ""}),
    (CARD, {"title": "t" * 41}),
    (CARD, {"summary": ""}),
    (CARD, {"summary": "s" * 81}),
    (CARD, {"rules": ""}),
    (CARD, {"rules": "r" * 5_001}),
    (CARD, {"edition": 0}),
    (CARD, {"edition": 1_001}),
    (CARD, {"edition": True}),
    (FRAME, {"rows": ()}),
    (FRAME, {"rows": ["A", "B"]}),
    (FRAME, {"cols": ("1", 2)}),
    (FRAME, {"names": ("A1", "A2", "B1", "")}),
    (FRAME, {"names": ("A1", "A2", "B1", "b" * 9)}),
    (BOARD, {"kinds": ("mine", "hint", "hidden", "red")}),
    (BOARD, {"kinds": ("mine", "hint", "hidden", None)}),
    (BOARD, {"masks": (("A1", ""),)}),
    (BOARD, {"masks": (("A1", "", "red"),)}),
    (BOARD, {"masks": None}),
    (DIG, {"verb": ""}),
    (DIG, {"verb": "V" * 21}),
    (DIG, {"form": ""}),
    (DIG, {"form": "F" * 41}),
    (DIG, {"help": ""}),
    (DIG, {"help": "h" * 121}),
    (DIG, {"cells": ("",)}),
    (DIG, {"cells": ("A1",) * 401}),
    (DIG, {"cells": ["A1"]}),
    (DIG, {"key": ""}),
    (DIG, {"key": "12"}),
    (DIG, {"key": 1}),
    (DIG, {"secret": 1}),
    (VIEW, {"phase": "pause"}),
    (VIEW, {"prompt": "p" * 1_001}),
    (VIEW, {"prompt": None}),
    (VIEW, {"board": None}),
    (VIEW, {"board": {}}),
    (VIEW, {"facts": (("", "2"),)}),
    (VIEW, {"facts": (("Scans left", 2),)}),
    (VIEW, {"facts": (("Scans left", "2", "3"),)}),
    (VIEW, {"facts": (("Scans left", "2"),) * 21}),
    (VIEW, {"actions": (STAY,) * 13}),
    (VIEW, {"actions": ({"verb": "STAY"},)}),
    (VIEW, {"state": None}),
    (VIEW, {"state": ("left", 2)}),
    (VIEW, {"claimable": 0}),
    (VIEW, {"claimable": None}),
    (VIEW, {"private": ("",)}),
    (VIEW, {"private": None}),
]


@pytest.mark.parametrize(("made", "change"), UNFIT)
def test_what_could_not_be_drawn_is_not_taken(made, change):
    (field,) = change
    with pytest.raises(InvalidField) as caught:
        check(replace(made, **change))
    assert caught.value.field == field


def test_a_board_that_is_redrawn_keeps_its_layers():
    board = replace(BOARD, title="Theirs", possible=("A1",), trail=((1, "A1", "A1"),), private=("trail",))
    drawn = board.put(0, "x", "miss").add(0, "y", "miss").add_secret(0, "z", "token")
    assert (drawn.title, drawn.possible, drawn.trail, drawn.private) == ("Theirs", ("A1",), board.trail, ("trail",))
    assert drawn.uncovered().private == ()


def test_a_layer_that_runs_over_the_cells_has_one_entry_for_each():
    cells = len(BOARD.names)
    assert check(replace(BOARD, corners=("P1",) * cells, heat=(5,) * cells))
    for layer in ({"corners": ("P1",) * (cells + 1)}, {"heat": (0,) * (cells + 1)}):
        with pytest.raises(InvalidField, match="for every cell, or for none"):
            check(replace(BOARD, **layer))
    with pytest.raises(InvalidField, match="at most 2 columns"):
        check(replace(BOARD, corners=("abc",) * cells))


@pytest.mark.parametrize(
    "layer",
    [
        {"masks": (("Z9", "", "empty"),)},
        {"possible": ("A1", "Z9")},
        {"trail": ((1, "A1", "Z9"),)},
        {"trail": ((1, "Z9", "A1"),)},
        {"zones": ((1, ("A1",)), (2, ("Z9",)))},
    ],
)
def test_a_layer_names_only_cells_of_its_board(layer):
    with pytest.raises(InvalidField, match="layers that name its own cells"):
        check(replace(BOARD, **layer))


@pytest.mark.parametrize("last", [(1, 0, "Z9"), (1, 1, "A1"), (2, 1, "Z9")])
def test_the_last_cells_are_on_the_boards_that_are_there(last):
    assert check(replace(VIEW, last=((1, 0, "A1"),)))
    with pytest.raises(InvalidField, match="cells of the boards that are there"):
        check(replace(VIEW, last=((1, 0, "A1"), last)))
