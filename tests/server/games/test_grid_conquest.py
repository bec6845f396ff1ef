"""Grid Conquest, line by line."""

import pytest

from gridgames_server.games.grid_conquest import GRID, GridConquest
from tests.server.games.dialogue import Table

EXAMPLE = "53152 24251 43453 11523 12214"  # the rules leave D1 and E1 open
ONES = "11111 11111 11111 11111 11111"


def conquest(values: str, first: int = 1) -> Table:
    """A table with these values, row by row."""
    cells = zip(GRID.names, values.replace(" ", ""), strict=True)
    return Table(GridConquest(), first, {f"value of {name}": int(value) - 1 for name, value in cells})


def printed(table: Table, reader: int | None = None) -> list[str]:
    """The board as the original prints it."""
    board = table.sees(reader).board
    texts = [owner or text for owner, text in zip(board.corners or board.texts, board.texts, strict=True)]
    return ["".join(f"[{text or ' '}]" for text in texts[row : row + 5]) for row in range(0, 25, 5)]


def claims_all(table: Table, names: tuple[str, ...]) -> None:
    """The seats claim these cells in turn."""
    for name in names:
        (seat,) = table.match.to_act()
        table.types(seat, name)


def test_the_example_of_the_rules():
    conquest(EXAMPLE).goes("""
        12w Welcome to Grid Conquest!
        12w Sealed: values.
        12w Player 1's turn.
        1> C3
        1.. You have claimed cell C3 with a value of 4.
        .2w Player 1 has claimed cell C3 with a value of 4.
        1.. Your new score is 4.
        .2w Player 1's new score is 4.
        12w Revealed: B2 4, B3 2, B4 5, C2 3, C4 5, D2 1, D3 5, D4 2.
        12w Player 2's turn.
        2> D4
        .2. You have claimed cell D4 with a value of 2.
        1.w Player 2 has claimed cell D4 with a value of 2.
        .2. Your new score is 2.
        1.w Player 2's new score is 2.
        12w Revealed: C5 3, D5 3, E3 2, E4 1, E5 4.
        12w Player 1's turn.
        1> D3
        1.. You have claimed cell D3 with a value of 5.
        .2w Player 1 has claimed cell D3 with a value of 5.
        1.. Your new score is 9.
        .2w Player 1's new score is 9.
        12w Revealed: E2 2.
        12w Player 2's turn.
        2> A1
        .2. You have claimed cell A1 with a value of 5.
        1.w Player 2 has claimed cell A1 with a value of 5.
        .2. Your new score is 7.
        1.w Player 2's new score is 7.
        12w Revealed: A2 3, B1 2.
        12w Player 1's turn.
        1> B2
        1.. You have claimed cell B2 with a value of 4.
        .2w Player 1 has claimed cell B2 with a value of 4.
        1.. Your new score is 13.
        .2w Player 1's new score is 13.
        12w Revealed: A3 1, C1 4.
        12w Player 2's turn.
        2> B4
        .2. You have claimed cell B4 with a value of 5.
        1.w Player 2 has claimed cell B4 with a value of 5.
        .2. Your new score is 12.
        1.w Player 2's new score is 12.
        12w Revealed: A4 5, A5 2, B5 1.
        12w Player 1's turn.
        1> C5
        1.. You have claimed cell C5 with a value of 3.
        .2w Player 1 has claimed cell C5 with a value of 3.
        1.. Your new score is 16.
        .2w Player 1's new score is 16.
        1.. Congratulations! You have reached 16 points and won the game!
        .2w Player 1 has reached 16 points and won the game!
        end 1 points: Player 1 wins with 16 points (16 to 12).
    """)


def test_the_boards_of_the_example():
    table = conquest(EXAMPLE)
    assert printed(table) == ["[ ][ ][ ][ ][ ]"] * 5
    claims_all(table, ("C3",))
    assert printed(table) == [
        "[ ][ ][ ][ ][ ]",
        "[ ][4][2][5][ ]",
        "[ ][3][P1][5][ ]",
        "[ ][1][5][2][ ]",
        "[ ][ ][ ][ ][ ]",
    ]
    claims_all(table, ("D4", "D3", "A1", "B2", "B4"))
    assert printed(table) == printed(table, 1) == printed(table, 2)
    assert printed(table) == [
        "[P2][3][1][5][2]",
        "[2][P1][2][P2][1]",
        "[4][3][P1][5][3]",
        "[ ][1][P1][P2][3]",
        "[ ][2][2][1][4]",
    ]
    claims_all(table, ("C5",))
    assert printed(table)[2:] == ["[4][3][P1][5][P1]", "[1][1][P1][P2][3]", "[1][2][2][1][4]"]


def test_the_scores_stand_beside_the_board_after_every_turn():
    table = conquest(EXAMPLE)
    scores = []
    for name in ("C3", "D4", "D3", "A1", "B2", "B4", "C5"):
        claims_all(table, (name,))
        scores.append(table.sees(None).state["scores"])
    assert scores == [(4, 0), (4, 2), (9, 2), (9, 7), (13, 7), (13, 12), (16, 12)]
    assert table.sees(2).facts == (
        ("Player 1's score", "16"),
        ("Player 2's score", "12"),
        ("Wins at", "15 points"),
        ("Unclaimed", "18 of 25"),
    )


def test_15_points_win_as_well_as_more():
    table = conquest("55555 11111 11111 11111 11111")
    claims_all(table, ("A1", "B1", "A2", "B2"))
    table.goes("""
        1> A3
        1.. You have claimed cell A3 with a value of 5.
        .2w Player 1 has claimed cell A3 with a value of 5.
        1.. Your new score is 15.
        .2w Player 1's new score is 15.
        12w Revealed: A4 5, B4 1.
        1.. Congratulations! You have reached 15 points and won the game!
        .2w Player 1 has reached 15 points and won the game!
        end 1 points: Player 1 wins with 15 points (15 to 2).
    """)


def test_14_points_do_not_win():
    table = conquest("55411 11111 11111 11111 11111")
    claims_all(table, ("A1", "B1", "A2", "B2", "A3"))
    assert table.sees(None).state["scores"] == (14, 2)
    assert table.match.outcome is None


@pytest.mark.parametrize(("first", "tally"), [(1, "13 to 12"), (2, "12 to 13")])
def test_when_all_cells_are_claimed_the_higher_score_wins(first, tally):
    table = conquest(ONES, first)
    claims_all(table, GRID.names[:-1])
    loser = 3 - first
    assert table.reads(None) == [
        f"Player {loser} has claimed cell E4 with a value of 1.",
        f"Player {loser}'s new score is 12.",
        f"Player {first}'s turn.",
    ]
    claims_all(table, ("E5",))
    assert table.reads(first) == ["You have claimed cell E5 with a value of 1.", "Your new score is 13."]
    ended = table.match.outcome
    assert (ended.winner, ended.reason) == (first, "points")
    assert ended.text == f"All cells are claimed; Player {first} wins with the higher score ({tally})."


def test_when_all_cells_are_claimed_and_the_scores_are_equal_it_is_a_draw():
    table = conquest("12111 11111 11111 11111 11111")
    claims_all(table, GRID.names)
    ended = table.match.outcome
    assert (ended.winner, ended.reason) == (None, "draw")
    assert ended.text == "All cells are claimed and the scores are equal (13 to 13): a draw."
    assert table.match.to_act() == frozenset()
    assert table.sees(1).prompt == ended.text


def test_the_last_cell_may_still_win_by_points():
    table = conquest("11111 11111 11111 11111 11113")
    claims_all(table, GRID.names)
    assert table.reads(1)[-1] == "Congratulations! You have reached 15 points and won the game!"
    assert table.match.outcome.text == "Player 1 wins with 15 points (15 to 12)."


def test_a_claimed_cell_may_not_be_claimed_again():
    table = conquest(ONES)
    table.types(1, "C3")
    assert table.refuses(2, "C3") == ("illegal", "Cell C3 was claimed by Player 1. 24 are left, for example A1.")
    table.types(2, "A1")
    assert table.refuses(1, "claim 3c") == ("illegal", "Cell C3 was claimed by you. 23 are left, for example A2.")
    assert "C3" not in table.allows(1)["CLAIM"]


def test_a_hidden_cell_may_be_claimed_as_well_as_a_revealed_one():
    table = conquest(EXAMPLE)
    table.types(1, "C3")
    assert "A1" not in table.sees(2).state["values"]
    assert table.sees(2).state["values"]["B2"] == 4
    assert {"A1", "B2"} < set(table.allows(2)["CLAIM"])


def test_what_a_claim_shows_is_shown_to_everybody_once():
    table = conquest(ONES)
    table.types(1, "A1")
    assert table.reads(1)[-2] == "Revealed: A2 1, B1 1, B2 1."
    table.types(2, "A2")
    assert table.reads(1)[-2] == "Revealed: A3 1, B3 1."
    table.types(1, "B1")
    assert table.reads(1)[-2] == "Revealed: C1 1, C2 1."
    table.types(2, "B2")
    assert table.reads(1)[-2] == "Revealed: C3 1."
    table.types(1, "A3")
    table.types(2, "C2")
    table.types(1, "B3")
    table.types(2, "C1")
    assert not any(sentence.startswith("Revealed") for sentence in table.reads(1))


def test_a_board_marks_the_own_claims_and_the_others():
    table = conquest(ONES)
    table.types(1, "A1")
    table.types(2, "E5")
    assert [table.marks(reader)["A1"] for reader in (1, 2, None)] == [("1", "mine"), ("1", "theirs"), ("1", "mine")]
    assert [table.marks(reader)["E5"] for reader in (1, 2, None)] == [("1", "theirs"), ("1", "mine"), ("1", "theirs")]
    assert [table.corners(reader) for reader in (1, 2, None)] == [{"A1": "P1", "E5": "P2"}] * 3
    assert table.marks(1)["A2"] == ("1", "known")
    assert table.sees(1).state["owners"] == {"A1": 1, "E5": 2}


def test_at_the_end_every_value_is_shown():
    table = conquest(EXAMPLE)
    claims_all(table, ("C3", "D4", "D3", "A1", "B2", "B4", "C5"))
    values = table.sees(None).state["values"]
    assert "".join(str(values[name]) for name in GRID.names) == EXAMPLE.replace(" ", "")
    assert table.sees(None).board.kinds.count("hidden") == 0


@pytest.mark.parametrize("line", ["C3", "c3", "3C", "CLAIM C3", "claim 3 c", " Claim ( C , 3 ) ", "33", "3,3", "3 3"])
def test_a_claim_may_be_typed_in_many_ways(line):
    table = conquest(ONES)
    table.types(1, line)
    assert table.reads(1)[0] == "You have claimed cell C3 with a value of 1."


@pytest.mark.parametrize("line", ["", "CLAIM", "hello", "TAKE C3", "C", "CLAIM CLAIM C3", "QUERY C3"])
def test_a_line_without_a_cell_is_told_how_one_is_written(line):
    table = conquest(ONES)
    assert table.refuses(1, line) == ("syntax", "That names no place on the board. One is written like A3.")


@pytest.mark.parametrize("line", ["F1", "claim A6", "0,0"])
def test_a_cell_off_the_grid_is_refused(line):
    said = "That is off the grid: rows are A to E, columns 1 to 5."
    assert conquest(ONES).refuses(1, line) == ("illegal", said)


def test_the_prompt_asks_for_the_cell():
    table = conquest(ONES)
    assert table.sees(1).prompt == "Player 1, enter the cell you wish to claim:"
    assert table.sees(2).prompt == table.sees(None).prompt == "Waiting for Player 1."
