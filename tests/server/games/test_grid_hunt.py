"""Grid Hunt, line by line."""

import pytest

from gridgames_server.games.grid_hunt import GRID, GridHunt
from tests.server.games.dialogue import Table

HIDE_FIRST = "Hide your treasure first: HIDE row column, for example HIDE 2 3."
SCAN_OR_DIG = "The treasures are hidden. Type SCAN or DIG with a row and a column: SCAN 3 3, DIG 5 5."


def hunt(one: str = "2,3", two: str = "5,5", first: int = 1) -> Table:
    """A table whose treasures are hidden."""
    table = Table(GridHunt(), first)
    table.types(1, f"HIDE {one}")
    table.types(2, f"HIDE {two}")
    return table


def test_the_example_of_the_rules():
    Table(GridHunt()).goes("""
        12w Welcome to Grid Hunt!
        12w Player 1, hide your treasure.
        12w Player 2, hide your treasure.
        1> HIDE 2 3
        12w Sealed: treasure of 1.
        12w Player 1 has hidden a treasure.
        2> HIDE 5 5
        12w Sealed: treasure of 2.
        12w Player 2 has hidden a treasure.
        12w Let the game begin!
        12w Player 1's turn.
        1> SCAN 3,3
        12w Player 1 scanned (3,3).
        1.. Scan result: Distance is 4.
        12w Player 2's turn.
        2> SCAN 1,1
        12w Player 2 scanned (1,1).
        .2. Scan result: Distance is 3.
        12w Player 1's turn.
        1> SCAN 4,4
        12w Player 1 scanned (4,4).
        1.. Scan result: Distance is 2.
        12w Player 2's turn.
        2> DIG 2,2
        .2. You dug at (2,2).
        1.w Player 2 dug at (2,2).
        .2. Dig result: No treasure at this location.
        1.w No treasure was there.
        12w Player 1's turn.
        1> DIG 5,5
        1.. You dug at (5,5).
        .2w Player 1 dug at (5,5).
        1.. You found the opponent's treasure and won the game!
        .2w Player 1 found Player 2's treasure and won the game!
        end 1 treasure: Player 1 wins: Player 2's treasure was at (5,5).
    """)


def test_both_may_hide_at_once_and_seat_2_may_be_the_first_to_do_so():
    table = Table(GridHunt(), first=1)
    assert table.match.to_act() == {1, 2}
    table.goes("""
        2> HIDE 1 1
        12w Sealed: treasure of 2.
        12w Player 2 has hidden a treasure.
        1> HIDE 1 2
        12w Sealed: treasure of 1.
        12w Player 1 has hidden a treasure.
        12w Let the game begin!
        12w Player 1's turn.
    """)


def test_who_hides_last_does_not_change_who_moves_first():
    for hiders in ((1, 2), (2, 1)):
        table = Table(GridHunt(), first=2)
        for seat in hiders:
            table.types(seat, "HIDE 3 3")
        assert table.match.to_act() == {2}


def test_a_hidden_treasure_may_not_be_moved():
    table = Table(GridHunt())
    table.types(1, "HIDE 2 3")
    assert table.refuses(1, "HIDE 4 4") == ("not_your_turn", "You are done; Player 2 is still choosing.")
    table.types(2, "HIDE 5 5")
    assert table.refuses(1, "HIDE 4 4") == ("illegal", SCAN_OR_DIG)


def test_nobody_searches_before_both_have_hidden():
    table = Table(GridHunt())
    assert table.refuses(1, "SCAN 3 3") == table.refuses(2, "DIG 3 3") == ("illegal", HIDE_FIRST)
    table.types(1, "HIDE 2 3")
    assert table.refuses(1, "SCAN 3 3") == ("not_your_turn", "You are done; Player 2 is still choosing.")


def test_both_may_hide_in_the_same_cell_and_nothing_tells_so():
    table = hunt("3,3", "3,3")
    assert table.reads(2) == [
        "Sealed: treasure of 2.",
        "Player 2 has hidden a treasure.",
        "Let the game begin!",
        "Player 1's turn.",
    ]
    table.types(1, "DIG 3 3")
    assert table.match.outcome.winner == 1
    for reader in (1, 2, None):
        assert table.marks(reader) == table.second_marks(reader) == {"3,3": ("T", "goal")}


def test_a_player_may_dig_in_the_cell_of_their_own_treasure():
    table = hunt("2,3", "5,5")
    table.types(1, "DIG 2 3")
    assert table.reads(1)[1] == "Dig result: No treasure at this location."


def test_the_fourth_scan_is_refused_and_the_mover_moves_again():
    table = hunt()
    for cell in ("1 1", "1 2", "1 3"):
        table.types(1, f"SCAN {cell}")
        table.types(2, "DIG 1 1")
    assert table.refuses(1, "SCAN 1 4") == (
        "illegal",
        "You have no scans left. Dig with a row and a column, for example DIG 1,1.",
    )
    table.types(1, "DIG 1 1")
    table.types(2, "SCAN 1 1")
    assert table.refuses(1, "SCAN 1 4")[1].endswith("for example DIG 1,2.")
    for line in ("1", "S 1 4"):
        assert table.refuses(1, line)[1].startswith("That was not understood. You have no scans left.")


def test_a_scan_says_how_many_are_left():
    table = hunt()
    for left in (3, 2, 1):
        assert table.sees(1).actions[0].tells == f"steps to their treasure; they learn it too ({left} left)"
        table.types(1, "SCAN 1 1")
        table.types(2, "DIG 1 1")
    assert table.allows(1).keys() == {"DIG"}


def test_a_scan_of_the_same_cell_again_uses_up_another():
    table = hunt()
    for _ in range(3):
        table.types(1, "SCAN 3 3")
        assert table.reads(1)[1] == "Scan result: Distance is 4."
        table.types(2, "DIG 1 1")
    assert table.sees(1).state["scans"] == (0, 3)
    assert table.refuses(1, "SCAN 3 3")[0] == "illegal"


def test_the_menu_shows_the_scans_left_before_the_choice():
    table = hunt()
    shown = []
    for line in ("SCAN 1 1", "SCAN 1 2", "SCAN 1 3", "DIG 1 1"):
        shown.append([(action.key, action.help) for action in table.sees(1).actions])
        table.types(1, line)
        table.types(2, "DIG 1 1")
    assert shown == [
        *([("1", f"Scan ({left} Scans remaining)"), ("2", "Dig")] for left in (3, 2, 1)),
        [("2", "Dig (0 Scans remaining)")],
    ]


def test_with_no_scan_left_only_digging_is_an_action():
    table = hunt()
    assert table.allows(1) == {"SCAN": GRID.names, "DIG": GRID.names}
    for cell in ("1 1", "1 2", "1 3"):
        table.types(1, f"SCAN {cell}")
        table.types(2, "DIG 1 1")
    assert table.allows(1) == {"DIG": GRID.names}


def test_the_same_cell_may_be_dug_again_and_again():
    table = hunt()
    for _ in range(30):
        table.types(1, "DIG 1 1")
        table.types(2, "DIG 1 1")
    assert table.match.outcome is None
    assert table.sees(1).state["dug"] == (("1,1",), ("1,1",))


def test_the_latest_twelve_searches_of_each_stand_beside_the_board():
    table = hunt()
    table.types(1, "SCAN 3 3")
    table.types(2, "DIG 1 2")
    assert table.sees(2).facts == (
        ("Scans left", "Player 1: 2, Player 2: 3"),
        ("Player 1 searched", "scan 3,3"),
        ("Player 2 searched", "dig 1,2"),
        ("Your treasure", "(5,5)"),
    )
    for _ in range(12):
        table.types(1, "DIG 1 1")
        table.types(2, "DIG 1 1")
    assert table.sees(None).facts[1] == ("Player 1 searched", "; ".join(["dig 1,1"] * 12))


def test_a_board_shows_the_own_search_and_the_second_one_the_own_field():
    table = hunt("2,3", "5,5")
    table.types(1, "SCAN 3 3")
    table.types(2, "DIG 3 3")
    table.types(1, "DIG 3 3")
    table.types(2, "SCAN 1 1")
    table.types(1, "DIG 2 3")
    assert table.marks(1) == {"2,3": ("x", "miss"), "3,3": ("4x", "miss")}
    assert table.marks(2) == {"3,3": ("x", "miss"), "1,1": ("3", "hint")}
    assert table.second_marks(1) == {"2,3": ("T", "goal"), "3,3": ("x", "miss"), "1,1": ("3", "theirs")}
    assert table.second_marks(2) == {"5,5": ("T", "goal"), "3,3": ("4x", "miss"), "2,3": ("x", "miss")}
    assert table.sees(1).board.masks == ()
    assert table.sees(1).boards[0].board.masks == (("1,1", "?", "theirs"), ("2,3", "", "hidden"))
    assert table.sees(2).boards[0].board.masks == (("3,3", "?x", "miss"), ("5,5", "", "hidden"))
    assert table.sees(1).state["hints"] == {"3,3": 4}
    assert table.sees(2).state["hints"] == {"1,1": 3}


def test_a_watcher_sees_who_searched_where_and_no_treasure():
    table = hunt("2,3", "5,5")
    table.types(1, "SCAN 3 3")
    table.types(2, "DIG 3 3")
    table.types(1, "DIG 4 4")
    table.types(2, "SCAN 1 1")
    assert table.marks(None) == {"3,3": ("?", "mine"), "4,4": ("x", "miss")}
    assert table.corners(None) == {"3,3": "P1", "4,4": "P1"}
    assert table.second_marks(None) == {"3,3": ("x", "miss"), "1,1": ("?", "theirs")}
    assert table.sees(None).state["treasures"] == (None, None)
    assert table.sees(None).state["hints"] == {}
    assert table.sees(None).board.masks == ()


def test_the_own_field_shows_where_the_other_may_still_look():
    table = hunt("2,3", "5,5")
    (own,) = table.sees(1).boards
    assert (own.title, own.place, table.sees(1).board.title) == ("Your field", "beside", "Player 2's field")
    assert own.board.zones == ((2, GRID.names),)
    table.types(1, "DIG 1 1")
    table.types(2, "SCAN 1 1")
    (own,) = table.sees(1).boards
    assert own.board.zones == ((2, ("1,4", "2,3", "3,2", "4,1")),)
    assert own.board.private == ("zones",)
    assert table.sees(1).last == ((2, 1, "1,1"),)
    assert table.sees(2).last == ((2, 0, "1,1"),)


def test_only_its_mover_reads_the_result_of_a_scan_among_the_moves():
    table = hunt("2,3", "5,5")
    table.types(1, "SCAN 3 3")
    table.types(2, "DIG 1 2")
    dug = (2, "dig 1,2", "no", "miss")
    assert table.sees(1).moves == ((1, "scan 3,3", "4", "hint"), dug)
    assert table.sees(2).moves == table.sees(None).moves == ((1, "scan 3,3", "", "none"), dug)


def test_until_the_end_each_sees_their_own_treasure_and_then_both():
    table = hunt("2,3", "5,5")
    assert table.sees(1).state["treasures"] == ("2,3", None)
    assert table.sees(2).state["treasures"] == (None, "5,5")
    table.types(1, "DIG 5 5")
    for reader in (1, 2, None):
        assert table.sees(reader).state["treasures"] == ("2,3", "5,5")
        theirs, own = ({"2,3": ("T", "goal")}, {"5,5": ("T", "goal")})[:: 1 if reader == 2 else -1]
        assert (table.marks(reader), table.second_marks(reader)) == (theirs, own)


def test_at_the_end_the_answer_of_the_treasures_own_cell_stays():
    table = hunt("2,3", "5,5")
    table.types(1, "SCAN 5 5")
    table.types(2, "DIG 1 1")
    table.types(1, "DIG 5 5")
    assert table.marks(1) == {"5,5": ("0T", "goal")}


def test_the_prompt_asks_for_the_treasure_and_then_for_an_action():
    table = Table(GridHunt())
    assert [table.sees(reader).prompt for reader in (1, 2, None)] == [
        "Player 1, hide your treasure.",
        "Player 2, hide your treasure.",
        "Waiting for Player 1 and Player 2.",
    ]
    table.types(1, "HIDE 1 1")
    assert table.sees(1).prompt == table.sees(None).prompt == "Waiting for Player 2."
    table.types(2, "HIDE 1 1")
    assert table.sees(1).prompt == "Choose an action:"
    assert table.sees(2).prompt == "Waiting for Player 1."


@pytest.mark.parametrize("line", ["", "1", "2", "3 3", "HIDING 3 3", "LOOK 3 3"])
def test_a_line_without_a_verb_is_told_what_can_be_typed(line):
    assert Table(GridHunt()).refuses(1, line) == ("syntax", f"That was not understood. {HIDE_FIRST}")
    assert hunt().refuses(1, line) == ("syntax", f"That was not understood. {SCAN_OR_DIG}")


@pytest.mark.parametrize("verb", ["SCAN", "DIG"])
def test_a_cell_must_be_readable_and_on_the_grid(verb):
    assert hunt().refuses(1, verb) == ("syntax", "That names no place on the board. One is written like 1,3.")
    assert hunt().refuses(1, f"{verb} 0 3") == ("illegal", "That is off the grid: rows are 1 to 5, columns 1 to 5.")


def test_a_hiding_place_off_the_grid_is_refused_and_asked_for_again():
    table = Table(GridHunt())
    assert table.refuses(1, "HIDE 6 1")[0] == "illegal"
    assert table.match.to_act() == {1, 2}
    table.types(1, "hide(5,1)")
    assert table.sees(1).state["treasures"] == ("5,1", None)


def test_a_private_meter_counts_the_cells_in_which_the_other_seeks_the_own_treasure():
    table = hunt("2,3", "5,5")
    assert table.sees(1).meters[2:] == table.sees(2).meters[2:] == (("They suspect", None, 25, 25, "25 of 25"),)
    table.types(1, "DIG 1 1")
    table.types(2, "SCAN 1 1")
    assert table.sees(1).meters[2:] == (("They suspect", None, 4, 25, "4 of 25"),)
    assert table.sees(2).meters[2:] == (("They suspect", None, 24, 25, "24 of 25"),)
    assert table.sees(None).meters[2:] == ()
    assert "They suspect" in table.sees(1).private, "the answer to their scan follows from the own treasure"
    assert "They suspect" not in table.sees(None).private
    table.types(1, "DIG 5 5")
    assert table.sees(1).meters[2:] == (), "at the end everything is open"
