"""Secret Paths, line by line."""

import pytest

from gridgames_server.games import VARIANTS
from gridgames_server.games.game import Outcome, replace
from gridgames_server.games.secret_paths import SecretPaths
from tests.server.games.dialogue import Table
from tests.server.games.playouts import playout

CHOOSE_5 = "Choose your goal first: GOAL 5 and a column, for example GOAL 5 2."
CHOOSE_1 = "Choose your goal first: GOAL 1 and a column, for example GOAL 1 2."
THREE = ("After three", "the other may claim the win")
MOVE_ON = "Move the Seeker to a cell beside it, for example 'move to 3,2'."


def paths(one: str = "2", two: str = "4", first: int = 1) -> Table:
    """A table whose goals are chosen, by their columns."""
    table = Table(SecretPaths(), first)
    table.types(1, f"GOAL {one}")
    table.types(2, f"GOAL {two}")
    return table


def test_the_example_of_the_rules():
    Table(SecretPaths()).goes("""
        12w Welcome to Secret Paths!
        12w Player 1, choose your Goal Cell (row 5, any column 1-5):
        12w Player 2, choose your Goal Cell (row 1, any column 1-5):
        1> GOAL 5 2
        12w Sealed: goal of 1.
        1.. Goal Cell selected.
        .2w Player 1 has chosen a Goal Cell.
        2> GOAL 1 4
        12w Sealed: goal of 2.
        .2. Goal Cell selected.
        1.w Player 2 has chosen a Goal Cell.
        12w Let the game begin!
        12w The Seeker starts at (3,3).
        12w Player 1's turn.
        1> move to 4,2
        12w Seeker moved to (4,2).
        12w Player 2's turn.
        2> move to 3,3
        12w Seeker moved to (3,3).
        12w Player 1's turn.
        1> move to 2,4
        12w Seeker moved to (2,4).
        12w Player 2's turn.
        2> move to 1,4
        12w Seeker moved to (1,4).
        end 2 goal: Player 2 has moved the Seeker to their Goal Cell and wins the game!
    """)


def test_an_illegal_move_is_counted_for_everybody_and_redone():
    paths().goes("""
        1> move to 1,1
        1! illegal: (1,1) is not beside the Seeker at (3,3).
           Move the Seeker to a cell beside it, for example 'move to 3,2'.
           That was illegal move 1; after the third, Player 2 may claim the win.
        12w Player 1 made an illegal move, number 1.
        1> move to 3,3
        1! illegal: The Seeker stands at (3,3) and may not stay.
           Move the Seeker to a cell beside it, for example 'move to 3,2'.
           That was illegal move 2; after the third, Player 2 may claim the win.
        12w Player 1 made an illegal move, number 2.
        1> move to 6,3
        1! illegal: That is off the grid: rows are 1 to 5, columns 1 to 5.
           Move the Seeker to a cell beside it, for example 'move to 3,2'.
           That was illegal move 3; Player 2 may claim the win.
        12w Player 1 made an illegal move, number 3.
        12w Player 2 may claim the win.
        1> move to 2,2
        12w Seeker moved to (2,2).
        12w Player 2's turn.
    """)


def test_after_the_third_foul_the_other_alone_may_claim_now_or_later():
    table = paths()
    for number in (1, 2):
        table.types(1, "MOVE 5 5")
        assert [table.sees(reader).claimable for reader in (1, 2, None)] == [False, False, False]
        assert table.sees(2).state["fouls"] == (number, 0)
    table.types(1, "MOVE 5 5")
    assert [table.sees(reader).claimable for reader in (1, 2, None)] == [False, True, False]
    table.types(1, "MOVE 4 4")
    table.types(2, "MOVE 3 4")
    assert [table.sees(reader).claimable for reader in (1, 2, None)] == [False, True, False]


def test_after_the_end_there_is_nothing_to_claim():
    table = paths(one="4")
    table.types(1, "MOVE 5 5", "MOVE 5 5", "MOVE 5 5", "MOVE 4 4")
    table.types(2, "MOVE 4 3")
    table.types(1, "MOVE 5 4")
    assert table.match.outcome.winner == 1
    assert [table.sees(reader).claimable for reader in (1, 2, None)] == [False, False, False]


def test_both_may_have_fouled_three_times_and_each_may_claim():
    table = paths()
    table.types(1, "MOVE 5 5", "MOVE 5 5", "MOVE 5 5", "MOVE 3 4")
    table.types(2, "MOVE 5 5", "MOVE 5 5", "MOVE 5 5")
    assert table.reads(None) == ["Player 2 made an illegal move, number 3.", "Player 1 may claim the win."]
    assert [table.sees(reader).claimable for reader in (1, 2, None)] == [True, True, False]


def test_a_fourth_foul_is_counted_too():
    table = paths()
    table.types(1, *["MOVE 5 5"] * 4)
    assert table.reads(2) == ["Player 1 made an illegal move, number 4.", "Player 2 may claim the win."]
    assert table.sees(None).facts[2:] == (("Illegal moves", "Player 1: 4, Player 2: 0"), THREE)


@pytest.mark.parametrize(
    "line", ["MOVE 3 3", "MOVE 1 3", "MOVE 5 5", "MOVE 0 0", "MOVE 6 3", "move to (3,-1)", "move 99"]
)
def test_staying_going_too_far_and_leaving_the_grid_are_fouls(line):
    table = paths()
    foul = table.match.play(1, line).foul
    assert foul.code == "illegal"
    assert table.sees(1).state["fouls"] == (1, 0)
    assert table.match.to_act() == {1}
    assert table.sees(None).state["seeker"] == "3,3"
    assert table.match.lines[-1].foul
    assert table.match.moves() == ((1, "GOAL 2"), (2, "GOAL 4"))


def test_a_foul_tells_the_table_that_it_was_made_and_not_where():
    table = paths()
    table.types(1, "MOVE 5 5")
    assert table.reads(2) == table.reads(None) == ["Player 1 made an illegal move, number 1."]
    assert table.marks(2) == {"1,4": ("G", "goal"), "3,3": ("S", "token")}


@pytest.mark.parametrize("line", ["", "MOVE", "move to", "move 3", "moove 4 2", "4,2", "MOVE here", "to 4,2", "claim"])
def test_typing_errors_are_no_fouls(line):
    table = paths()
    assert table.refuses(1, line)[0] == "syntax"
    assert table.sees(1).state["fouls"] == (0, 0)


def test_a_line_out_of_turn_is_no_foul():
    table = paths()
    assert table.refuses(2, "MOVE 5 5") == ("not_your_turn", "It is Player 1's turn.")
    assert table.sees(1).state["fouls"] == (0, 0)


def test_a_goal_chosen_too_late_is_refused_and_no_foul():
    table = paths()
    assert table.refuses(1, "GOAL 3") == ("illegal", f"The goals are chosen. {MOVE_ON}")
    assert table.sees(1).state["fouls"] == (0, 0)


@pytest.mark.parametrize("line", ["MOVE 4 2", "MOVE 3 3", "MOVE 5 5", "MOVE 9 9"])
def test_before_the_goals_are_chosen_a_move_is_refused_and_no_foul(line):
    table = Table(SecretPaths())
    assert table.refuses(1, line)[0] == "illegal"
    assert table.refuses(1, "MOVE 4 2") == ("illegal", CHOOSE_5)
    assert table.refuses(2, "MOVE 4 2") == ("illegal", CHOOSE_1)
    assert table.sees(1).state["fouls"] == (0, 0)


@pytest.mark.parametrize("line", ["GOAL 5 2", "GOAL 2", "goal (5,2)", "goal 52", " Goal  5 , 2 ", "GOAL2"])
def test_a_goal_is_a_cell_or_a_column_alone(line):
    table = Table(SecretPaths())
    table.types(1, line)
    assert table.sees(1).state["goals"] == ("5,2", None)
    assert table.reads(1) == ["Sealed: goal of 1.", "Goal Cell selected."]


def test_a_column_alone_means_the_own_row():
    table = paths(one="3", two="3")
    assert table.sees(1).state["goals"] == ("5,3", None)
    assert table.sees(2).state["goals"] == (None, "1,3")


@pytest.mark.parametrize(
    ("seat", "line", "row"), [(1, "GOAL 1 2", 5), (1, "GOAL 4 2", 5), (2, "GOAL 5 2", 1), (2, "GOAL 33", 1)]
)
def test_a_goal_lies_in_the_own_row(seat, line, row):
    said = f"Your goal must be in row {row}, for example GOAL {row} 2."
    assert Table(SecretPaths()).refuses(seat, line) == ("illegal", said)


def test_a_goal_must_be_readable_and_on_the_grid():
    table = Table(SecretPaths())
    off = ("illegal", "That is off the grid: rows are 1 to 5, columns 1 to 5.")
    assert table.refuses(1, "GOAL 6") == table.refuses(1, "GOAL 0") == table.refuses(1, "GOAL 5 6") == off
    assert table.refuses(1, "GOAL") == ("syntax", "That names no place on the board. One is written like 1,3.")
    assert table.refuses(1, "hello") == ("syntax", f"That was not understood. {CHOOSE_5}")
    assert table.refuses(2, "") == ("syntax", f"That was not understood. {CHOOSE_1}")


def test_a_goal_may_not_be_changed():
    table = Table(SecretPaths())
    table.types(2, "GOAL 4")
    assert table.refuses(2, "GOAL 3") == ("not_your_turn", "You are done; Player 1 is still choosing.")


def test_who_chooses_last_does_not_change_who_moves_first():
    for seats in ((1, 2), (2, 1)):
        table = Table(SecretPaths(), first=2)
        for seat in seats:
            table.types(seat, "GOAL 3")
        assert table.match.to_act() == {2}
        assert table.reads(None)[-3:] == ["Let the game begin!", "The Seeker starts at (3,3).", "Player 2's turn."]


def test_landing_on_the_others_goal_does_nothing():
    table = paths(one="2", two="4")
    table.types(1, "MOVE 2 4")
    table.types(2, "MOVE 2 5")
    table.goes("""
        1> MOVE 1 4
        12w Seeker moved to (1,4).
        12w Player 2's turn.
    """)
    assert table.match.outcome is None
    assert table.marks(1) == {"1,4": ("S", "token"), "5,2": ("G", "goal")}
    assert table.marks(2) == {"1,4": ("SG", "token")}
    assert table.sees(2).board.masks == (("1,4", "S", "token"),)
    assert table.marks(None) == {"1,4": ("S", "token")}


def test_who_was_moved_onto_their_goal_must_leave_it_to_win_there():
    table = paths(two="4")
    table.types(1, "MOVE 2 4")
    table.types(2, "MOVE 2 5")
    table.types(1, "MOVE 1 4")
    assert table.match.play(2, "MOVE 1 4").foul
    table.types(2, "MOVE 1 5")
    table.types(1, "MOVE 2 5")
    table.types(2, "MOVE 1 4")
    assert table.match.outcome.winner == 2


def test_seat_1_wins_in_the_bottom_row():
    table = paths(one="2", first=2)
    table.types(2, "MOVE 4 2")
    table.goes("""
        1> MOVE 5 2
        12w Seeker moved to (5,2).
        end 1 goal: Player 1 has moved the Seeker to their Goal Cell and wins the game!
    """)


def test_until_the_end_each_sees_their_own_goal_and_then_both():
    table = paths(one="2", two="4")
    assert table.marks(1) == {"3,3": ("S", "token"), "5,2": ("G", "goal")}
    assert table.marks(2) == {"3,3": ("S", "token"), "1,4": ("G", "goal")}
    assert table.marks(None) == {"3,3": ("S", "token")}
    assert table.sees(1).board.masks == (("5,2", "", "empty"),)
    assert [table.sees(reader).state["goals"] for reader in (1, 2, None)] == [
        ("5,2", None),
        (None, "1,4"),
        (None, None),
    ]
    table.types(1, "MOVE 2 4")
    table.types(2, "MOVE 1 4")
    for reader in (1, 2, None):
        assert table.marks(reader) == {"1,4": ("SG2", "token"), "5,2": ("G1", "goal")}
        assert table.sees(reader).state["goals"] == ("5,2", "1,4")


def test_the_seeker_may_go_to_its_up_to_eight_neighbours():
    table = paths()
    assert table.allows(1) == {"MOVE": ("2,2", "2,3", "2,4", "3,2", "3,4", "4,2", "4,3", "4,4")}
    table.types(1, "MOVE 4 4")
    table.types(2, "MOVE 5 5")
    assert table.allows(1) == {"MOVE": ("4,4", "4,5", "5,4")}


def test_the_latest_dozen_of_the_seekers_cells_stand_beside_the_board():
    table = paths()
    seeker, trail, fouls = ("Seeker", "(3,3)"), ("Trail", "(3,3)"), ("Illegal moves", "Player 1: 0, Player 2: 0")
    assert table.sees(None).facts == (seeker, trail, fouls, THREE)
    for _ in range(10):
        table.types(1, "MOVE 3 4")
        table.types(2, "MOVE 3 3")
    assert table.sees(1).state["trail"] == ("3,4", "3,3") * 6
    assert table.sees(1).facts[1] == ("Trail", " ".join(["(3,4)", "(3,3)"] * 6))


@pytest.mark.parametrize(
    "line", ["move to 4,2", "MOVE 4 2", "move (4,2)", "Move To ( 4 , 2 )", "move 42", "MOVE  TO  4 2"]
)
def test_a_move_may_be_typed_in_many_ways(line):
    table = paths()
    table.types(1, line)
    assert table.reads(2) == ["Seeker moved to (4,2).", "Player 2's turn."]


def test_the_prompt_asks_for_the_goal_and_then_for_a_move():
    table = Table(SecretPaths())
    assert [table.sees(reader).prompt for reader in (1, 2, None)] == [
        "Player 1, choose your Goal Cell (row 5, any column 1-5):",
        "Player 2, choose your Goal Cell (row 1, any column 1-5):",
        "Waiting for Player 1 and Player 2.",
    ]
    table = paths()
    assert table.sees(1).prompt == "Enter your move, for example 'move to 3,2':"
    assert table.sees(2).prompt == table.sees(None).prompt == "Waiting for Player 1."


@pytest.mark.parametrize(("first", "row"), [(1, 5), (2, 1)])
def test_the_prompts_example_is_legal_and_never_lets_the_other_win_at_once(first, row):
    for to in ("2,2", "2,4", "4,2", "4,4", "3,4"):
        table = paths(first=first)
        table.types(first, f"MOVE {to}")
        example = table.sees(3 - first).prompt.split("'")[1]
        assert table.match.play(3 - first, example).foul is None
        assert abs(int(table.sees(None).state["seeker"][0]) - row) > 1


# A repeated position


def go_round(table: Table, moves: int) -> None:
    """Both move the Seeker to and fro between the middle and its neighbour."""
    for number in range(moves):
        table.types(1 + number % 2, "MOVE 3 4" if number % 2 == 0 else "MOVE 3 3")


def test_a_position_that_came_three_times_can_be_claimed_as_a_draw_from_move_30_on():
    table = paths()
    go_round(table, 29)
    assert not any(table.sees(seat).claimable for seat in (1, 2))
    table.types(2, "MOVE 3 3")
    offers = [(view.claimable, view.claim) for view in map(table.match.view, (1, 2, None))]
    assert offers == [(True, "a draw"), (False, ""), (False, "")]
    assert table.sees(1).prompt == "Enter your move, for example 'move to 3,2', or claim a draw (/claim):"
    text = "Player 1 claims a draw: the Seeker has come to (3,3) again and again."
    assert table.match.claim(1) == Outcome(None, "repetition", text)
    assert table.match.claim(2) is None


def test_a_new_position_can_not_be_claimed():
    table = paths()
    go_round(table, 30)
    table.types(1, "MOVE 4 4")
    assert table.match.claim(2) is None
    assert table.sees(2).state["repeated"] == 1


def test_three_fouls_are_worth_more_than_a_draw():
    table = paths()
    go_round(table, 30)
    table.types(1, "MOVE 3 4")
    table.types(2, "MOVE 1 1", "MOVE 1 1", "MOVE 1 1", "MOVE 3 3")
    assert (table.match.claim(1).winner, table.match.view(1).claim) == (1, "the win")


# The variant `burning`


def burning(one: str = "2", two: str = "4") -> Table:
    table = Table(VARIANTS["secret-paths", "burning"], 1)
    table.types(1, f"GOAL {one}")
    table.types(2, f"GOAL {two}")
    return table


def test_a_cell_can_be_entered_twice_and_the_start_counts():
    table = burning()
    table.types(1, "MOVE 3 4")
    table.types(2, "MOVE 3 3")
    table.types(1, "MOVE 3 4")
    assert "3,3" not in table.allows(2)["MOVE"]
    refused = table.refuses(2, "MOVE 3 3")
    assert refused == ("illegal", "(3,3) is burnt: it was entered 2 times. " + MOVE_ON.replace("3,2", "2,3"))
    assert table.sees(2).state["fouls"] == (0, 0)
    assert (table.corners(None)["3,3"], table.corners(None)["3,4"], table.corners(None)["1,1"]) == ("0", "0", "2")


def test_who_can_not_move_loses():
    table = burning("5", "5")
    ring = ("2 2", "1 1", "1 2", "1 1", "1 2", "2 1", "2 2", "2 1")
    for number, cell in enumerate(ring):
        table.types(1 + number % 2, f"MOVE {cell}")
    table.match.state = replace(table.match.state, entered=tuple(2 if at != 0 else 1 for at in range(25)))
    table.types(1, "MOVE 1 1")
    assert (table.match.outcome.winner, table.match.outcome.reason) == (1, "stuck")
    assert table.match.outcome.text == "Player 2 can't move the Seeker. Player 1 wins."


def test_every_game_of_the_variant_ends_within_fifty_moves():
    for number in range(20):
        *_, (match, _) = playout(VARIANTS["secret-paths", "burning"], number)
        assert match.outcome
        assert match.state.move_count <= 49


def test_the_default_rules_burn_nothing():
    table = paths()
    go_round(table, 40)
    assert "3,4" in table.allows(1)["MOVE"]
    assert table.sees(1).state["entered"] is None
