"""Treasure Hunt Duel, line by line."""

import pytest

from gridgames_server.games.treasure_hunt_duel import GRID, TreasureHuntDuel
from tests.server.games.dialogue import Table


def hunt(treasure: str, first: int = 1) -> Table:
    """A table whose treasure lies where the test wants it."""
    return Table(TreasureHuntDuel(), first, {"treasure": GRID.names.index(treasure)})


def test_the_example_of_the_rules():
    hunt("4D").goes("""
        12w Welcome to Treasure Hunt Duel!
        12w Sealed: treasure.
        12w Player 1's turn.
        1> QUERY 2B
        12w Player 1 queried 2B.
        1.. Distance: 4
        12w Player 2's turn.
        2> QUERY 5A
        12w Player 2 queried 5A.
        .2. Distance: 4
        12w Player 1's turn.
        1> QUERY 3C
        12w Player 1 queried 3C.
        1.. Distance: 2
        12w Player 2's turn.
        2> QUERY 4B
        12w Player 2 queried 4B.
        .2. Distance: 2
        12w Player 1's turn.
        1> GUESS 4D
        1.. You guessed 4D.
        .2w Player 1 guessed 4D.
        1.. Correct! You have found the treasure.
        .2w Correct! Player 1 has found the treasure.
        end 1 treasure: Player 1 wins: the treasure was at 4D.
    """)


def test_a_wrong_guess_is_public_and_costs_the_next_turn():
    hunt("4D").goes("""
        12w Welcome to Treasure Hunt Duel!
        12w Sealed: treasure.
        12w Player 1's turn.
        1> GUESS 3E
        1.. You guessed 3E.
        .2w Player 1 guessed 3E.
        1.. Incorrect guess. You will lose your next turn.
        .2w Incorrect guess. Player 1 will lose the next turn.
        12w Player 2's turn.
        2> QUERY 1A
        12w Player 2 queried 1A.
        .2. Distance: 6
        12w Player 1 loses this turn.
        12w Player 2's turn.
        2> QUERY 1B
        12w Player 2 queried 1B.
        .2. Distance: 5
        12w Player 1's turn.
        1> GUESS 4D
        1.. You guessed 4D.
        .2w Player 1 guessed 4D.
        1.. Correct! You have found the treasure.
        .2w Correct! Player 1 has found the treasure.
        end 1 treasure: Player 1 wins: the treasure was at 4D.
    """)


def test_when_both_owe_a_turn_each_is_skipped_in_turn():
    table = hunt("4D", first=2)
    table.goes("""
        2> GUESS 1A
        .2. You guessed 1A.
        1.w Player 2 guessed 1A.
        .2. Incorrect guess. You will lose your next turn.
        1.w Incorrect guess. Player 2 will lose the next turn.
        12w Player 1's turn.
        1> GUESS 1A
        1.. You guessed 1A.
        .2w Player 1 guessed 1A.
        1.. Incorrect guess. You will lose your next turn.
        .2w Incorrect guess. Player 1 will lose the next turn.
        12w Both players lose this turn; Player 2 moves next.
        12w Player 2's turn.
    """)
    assert ("Owes a turn", "nobody") in table.sees(1).facts
    assert [move[:2] for move in table.sees(None).moves] == [
        *((2, "guess 1A"), (1, "guess 1A")),
        *((2, "skips"), (1, "skips")),
    ]


def test_the_moves_alternate_because_a_skipped_turn_is_one_of_them():
    table = hunt("4D")
    table.types(1, "GUESS 1A")
    table.types(2, "QUERY 1A", "QUERY 1B")
    assert [move[:2] for move in table.sees(2).moves] == [(1, "guess 1A"), (2, "1A"), (1, "skips"), (2, "1B")]


def test_a_meter_for_each_seat_counts_the_cells_that_it_asked_about():
    table = hunt("4D")
    table.types(1, "QUERY 1A")
    table.types(2, "GUESS 1A")
    table.types(1, "QUERY 1B")
    for reader in (1, 2, None):
        assert table.sees(reader).meters == (("Asked", 1, 2, 25, "2 cells"), ("Asked", 2, 0, 25, "0 cells"))


def test_the_table_shows_who_owes_a_turn():
    table = hunt("4D")
    assert ("Owes a turn", "nobody") in table.sees(None).facts
    table.types(1, "GUESS 1A")
    assert all(("Owes a turn", "Player 1") in table.sees(reader).facts for reader in (1, 2, None))
    assert table.sees(2).state["owes"] == (1,)


def test_a_skipped_player_may_not_type_before_their_turn_comes():
    table = hunt("4D")
    table.types(1, "GUESS 1A")
    table.types(2, "QUERY 1A")
    assert table.refuses(1, "GUESS 4D") == ("not_your_turn", "It is Player 2's turn.")


def test_a_player_who_owes_may_guess_wrong_again_and_owe_again():
    table = hunt("4D")
    table.types(1, "GUESS 1A")
    table.types(2, "QUERY 1A", "QUERY 1B")
    table.types(1, "GUESS 1A")
    assert table.reads(1) == [
        "You guessed 1A.",
        "Incorrect guess. You will lose your next turn.",
        "Player 2's turn.",
    ]
    table.types(2, "QUERY 1C")
    assert table.reads(2) == ["Player 2 queried 1C.", "Distance: 4", "Player 1 loses this turn.", "Player 2's turn."]


def test_a_repeated_wrong_guess_stands_on_the_board_once():
    table = hunt("4D")
    for _ in range(3):
        table.types(1, "GUESS 1A")
        table.types(2, "GUESS 1A")
    assert table.marks(None) == {"1A": ("x", "miss")}
    assert table.sees(1).state["guessed"] == ("1A",)


def test_querying_the_treasures_own_cell_says_0_and_does_not_win():
    table = hunt("4D")
    table.types(1, "QUERY 4D")
    assert table.reads(1) == ["Player 1 queried 4D.", "Distance: 0", "Player 2's turn."]
    assert table.match.outcome is None
    table.types(2, "GUESS 4D")
    assert table.match.outcome.winner == 2


@pytest.mark.parametrize("seat", [1, 2])
def test_a_cell_queried_by_either_player_is_not_queried_again(seat):
    table = hunt("4D", first=seat)
    other = 3 - seat
    table.types(seat, "QUERY 2B")
    said = (
        "Cell 2B has already been queried. Please select a different cell. "
        f"Player {seat} asked about it; 24 cells are left, for example 1A."
    )
    assert table.refuses(other, "QUERY B2") == ("illegal", said)
    table.types(other, "QUERY 1A")
    own = said.replace(f"Player {seat}", "You").replace("24", "23").replace("1A", "1B")
    assert table.refuses(seat, "query (2,b)") == ("illegal", own)
    table.types(seat, "QUERY 1B")


def test_when_all_cells_are_queried_only_guesses_remain():
    table = hunt("4D")
    for number, name in enumerate(GRID.names):
        assert table.allows(1 + number % 2) == {"QUERY": GRID.names[number:], "GUESS": GRID.names}
        if number == 24:
            assert table.refuses(1, "QUERY 1A")[1].endswith("You asked about it; only 5E is left.")
        table.types(1 + number % 2, f"QUERY {name}")
    assert table.allows(2) == {"GUESS": GRID.names}
    assert table.refuses(2, "QUERY 5E") == (
        "illegal",
        "Cell 5E has already been queried. Please select a different cell. "
        "Player 1 asked about it; no cell is left, so guess.",
    )
    table.types(2, "GUESS 4D")
    assert table.match.outcome.winner == 2


@pytest.mark.parametrize("reader", [1, 2, None])
def test_a_wrong_guess_bears_the_mark_of_the_seat_that_made_it(reader):
    table = hunt("4D")
    table.types(1, "QUERY 2B")
    table.types(2, "GUESS 5A")
    table.types(1, "QUERY 5A")
    table.types(1, "GUESS 1A")
    table.types(2, "GUESS 2B")
    board = table.sees(reader).board
    marks = {name: board.corners[board.names.index(name)] for name in ("1A", "2B", "5A")}
    assert marks == {"1A": "P1", "2B": "P2", "5A": "P2"}


def test_a_board_shows_the_own_distances_and_that_the_other_asked():
    table = hunt("4D")
    table.types(1, "QUERY 2B")
    table.types(2, "GUESS 5A")
    table.types(1, "QUERY 5A")
    assert table.marks(1) == {"2B": ("4", "hint"), "5A": ("4x", "miss")}
    assert table.marks(2) == {"2B": ("P1", "theirs"), "5A": ("P1x", "miss")}
    assert table.marks(None) == {"2B": ("P1", "mine"), "5A": ("P1x", "miss")}
    assert table.sees(1).state["hints"] == {"2B": 4, "5A": 4}
    assert table.sees(2).state["hints"] == table.sees(None).state["hints"] == {}
    assert table.sees(1).facts == (("Queried", "2 of 25"), ("Owes a turn", "nobody"), ("Your hints", "2B 4, 5A 4"))
    assert table.sees(None).facts == (("Queried", "2 of 25"), ("Owes a turn", "nobody"))
    assert table.sees(2).facts == (*table.sees(None).facts, ("Your hints", "none yet"))


def test_the_latest_twelve_own_hints_stand_beside_the_board():
    table = hunt("1A")
    for mine, theirs in zip(GRID.names[0:24:2], GRID.names[1:24:2], strict=True):
        table.types(1, f"QUERY {mine}")
        table.types(2, f"QUERY {theirs}")
    table.types(1, "QUERY 5E")
    assert len(table.sees(1).state["hints"]) == 13
    label, hints = table.sees(1).facts[-1]
    assert (label, len(hints.split(", "))) == ("Your hints", 12)
    assert hints.startswith("1C 2, ")
    assert hints.endswith(", 5E 8")


def test_at_the_end_everybody_sees_the_treasure_and_all_distances():
    table = hunt("4D")
    table.types(1, "QUERY 2B")
    table.types(2, "GUESS 4D")
    for reader in (1, 2, None):
        assert table.marks(reader) == {"2B": ("4", "hint"), "4D": ("T", "goal")}
        assert table.corners(reader) == {"2B": "P1"}
        assert table.sees(reader).moves == ((1, "2B", "4", "hint"), (2, "guess 4D", "yes", "good"))
    assert {table.sees(reader).state["treasure"] for reader in (1, 2, None)} == {"4D"}


def test_at_the_end_the_answer_of_the_treasures_own_cell_stays():
    table = hunt("4D")
    table.types(1, "QUERY 4D")
    table.types(2, "GUESS 4D")
    assert (table.marks(1), table.corners(1)) == ({"4D": ("0T", "goal")}, {"4D": "P1"})


def test_before_the_end_nobody_sees_the_treasure():
    table = hunt("4D")
    table.types(1, "QUERY 4D")
    assert [table.sees(reader).state["treasure"] for reader in (1, 2, None)] == [None, None, None]
    assert "goal" not in table.sees(1).board.kinds


@pytest.mark.parametrize("line", ["", "2B", "LOOK 2B", "QUERYING 2B", "GUESSES", "?", "claim"])
def test_a_line_without_a_verb_is_told_what_can_be_typed(line):
    assert hunt("4D").refuses(1, line) == (
        "syntax",
        "That was not understood. Type QUERY or GUESS and a cell: QUERY 2B asks for its distance, GUESS 4D may win.",
    )


@pytest.mark.parametrize("verb", ["QUERY", "GUESS"])
def test_a_cell_must_be_readable_and_on_the_grid(verb):
    table = hunt("4D")
    assert table.refuses(1, verb) == ("syntax", "That names no place on the board. One is written like 1C.")
    assert table.refuses(1, f"{verb} 6A") == (
        "illegal",
        "That is off the grid: rows are 1 to 5, columns A to E.",
    )


@pytest.mark.parametrize("line", ["QUERY 2B", "query b2", "  Query  ( 2 , b ) ", "QUERY 22", "query 2 2", "query2b"])
def test_a_query_may_be_typed_in_many_ways(line):
    table = hunt("4D")
    table.types(1, line)
    assert table.reads(1) == ["Player 1 queried 2B.", "Distance: 4", "Player 2's turn."]


def test_the_prompt_asks_the_mover_and_names_the_mover_to_the_others():
    table = hunt("4D", first=2)
    assert table.sees(2).prompt == "Player 2, query a cell or guess the treasure's:"
    assert table.sees(1).prompt == table.sees(None).prompt == "Waiting for Player 2."
