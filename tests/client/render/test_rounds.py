"""Every line of a game has the number of its round in the table of moves; the lines of a setup have none."""

import pytest

from gridgames_client.render.table.rounds import ends_with, find_entries, number_lines
from gridgames_protocol.views import MoveEntry
from tests.client.game_scripts import story


def numbers(slug: str) -> list[int | None]:
    model = story(slug, "end").controllers[1].model
    assert model.ending
    assert model.show
    return number_lines(model.ending.moves, model.show.view.moves)


@pytest.mark.parametrize(
    ("slug", "expected"),
    [
        ("treasure-hunt-duel", [1, 1, 2, 2, 3]),
        ("grid-hunt", [None, None, 1, 1, 2, 2, 3]),
        ("grid-conquest", [1, 1, 2, 2, 3, 3, 4]),
        ("quantum-duel", [1, 1, 1, 1, 2, 2, 2, 2]),
        ("secret-paths", [None, None, 1, 1, 2, 2]),
        ("pebbles", [None, None, None, None]),
    ],
)
def test_lines_have_the_numbers_of_the_table_of_moves(slug, expected):
    assert numbers(slug) == expected


def test_a_line_may_be_typed_in_any_way():
    assert ends_with("dig 5 3", "dig 5,3")
    assert ends_with("move to 4,2", "4,2")
    assert ends_with("query 2b", "2B")
    assert not ends_with("QUERY 2B", "3B")


def entry(seat: int, text: str) -> MoveEntry:
    return (seat, text, "", "none")


def test_a_turn_that_is_skipped_leaves_its_place_empty():
    lines = [(1, "GUESS 1A"), (2, "QUERY 2B"), (2, "QUERY 3C"), (1, "QUERY 4D")]
    moves = [entry(1, "guess 1A"), entry(2, "2B"), entry(2, "3C"), entry(1, "4D")]
    assert number_lines(lines, moves) == [1, 1, 2, 3]


def test_a_last_line_without_a_move_is_in_the_round_that_it_began():
    lines = [(1, "MOVE 4"), (1, "OBSERVE 2"), (2, "MOVE 3"), (2, "OBSERVE 3"), (1, "MOVE 3")]
    assert number_lines(lines, [entry(1, "2"), entry(2, "3")]) == [1, 1, 1, 1, 2]


def test_the_numbers_of_a_long_game_are_not_known():
    lines = [(1 + number % 2, f"QUERY {number % 5 + 1}A") for number in range(30)]
    moves = [entry(seat, line[-2:]) for seat, line in lines[-24:]]
    assert set(number_lines(lines, moves)) == {None}
    assert find_entries(lines, moves)[6:] == list(range(24))
