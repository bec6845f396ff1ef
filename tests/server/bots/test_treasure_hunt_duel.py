"""The computer at Treasure Hunt Duel: where it asks, and when it guesses."""

import pytest

from gridgames_server.games.treasure_hunt_duel import GRID, TreasureHuntDuel
from tests.server.bots.bot_seat import chances, each_level, might_type, shown
from tests.server.games.dialogue import Table


def hunt(treasure: str, first: int = 1) -> Table:
    """A table whose treasure lies where the test wants it."""
    return Table(TreasureHuntDuel(), first, {"treasure": GRID.names.index(treasure)})


def test_hard_asks_in_a_corner_first_because_that_has_the_most_answers():
    assert might_type(hunt("3C").match, 1) == {"QUERY 1A", "QUERY 1E", "QUERY 5A", "QUERY 5E"}


def test_hard_asks_in_a_neighbouring_corner_next_because_both_tell_the_cell():
    table = hunt("3C")
    table.types(1, "QUERY 1A")
    table.types(2, "QUERY 3B")
    assert might_type(table.match, 1) == {"QUERY 1E", "QUERY 5A"}


def test_hard_takes_the_corner_that_the_rival_has_left():
    table = hunt("3C")
    table.types(1, "QUERY 1A")
    table.types(2, "QUERY 5A")
    assert might_type(table.match, 1) == {"QUERY 1E"}


def test_hard_guesses_the_only_cell_that_fits():
    table = hunt("4D")
    for seat, line in ((1, "QUERY 1A"), (2, "QUERY 3B"), (1, "QUERY 1E"), (2, "QUERY 2D")):
        table.types(seat, line)
    assert might_type(table.match, 1) == {"GUESS 4D"}


def test_hard_asks_with_two_cells_left_while_the_rival_can_hardly_know():
    table = hunt("1B")
    table.types(1, "QUERY 1A")
    table.types(2, "QUERY 3C")
    assert {line.split()[0] for line in might_type(table.match, 1)} == {"QUERY"}


def test_hard_guesses_one_of_five_when_the_rival_must_know():
    table = hunt("3C")
    for seat, line in ((1, "QUERY 1A"), (2, "QUERY 5E"), (1, "QUERY 1E")):
        table.types(seat, line)
    assert might_type(table.match, 2) == {"GUESS 1E", "GUESS 2D", "GUESS 3C", "GUESS 4B", "GUESS 5A"}


def test_hard_asks_on_when_the_rival_who_must_know_owes_a_turn():
    table = hunt("3C")
    for seat, line in ((1, "QUERY 1A"), (2, "QUERY 5E"), (1, "QUERY 1E"), (2, "QUERY 2B"), (1, "GUESS 1C")):
        table.types(seat, line)
    assert {line.split()[0] for line in might_type(table.match, 2)} == {"QUERY"}


def test_a_cell_that_anybody_guessed_wrongly_is_not_guessed_again():
    table = hunt("2A")
    for seat, line in ((1, "QUERY 1A"), (2, "GUESS 1B")):
        table.types(seat, line)
    assert might_type(table.match, 1) == {"GUESS 2A"}


def test_as_second_hard_guesses_on_the_second_turn_after_any_query():
    table = hunt("3C")
    for seat, line in ((1, "QUERY 1A"), (2, "QUERY 5A"), (1, "QUERY 1B")):
        table.types(seat, line)
    likely = chances(table.match, 2)
    assert {line.split()[0] for line in likely} == {"GUESS"}
    assert len({*likely.values()}) == 1


def test_the_second_query_of_hard_does_not_tell_what_it_heard():
    seen = []
    for treasure in ("2A", "3A", "3C", "5D"):
        table = hunt(treasure)
        table.types(1, "QUERY 1A")
        table.types(2, "QUERY 5E")
        seen.append(chances(table.match, 1))
    assert seen == [{"QUERY 1E": 0.5, "QUERY 5A": 0.5}] * 4


def test_when_all_is_asked_every_level_guesses_a_cell_that_fits():
    table = hunt("3C")
    for number, name in enumerate(GRID.names):
        table.types(1 + number % 2, f"QUERY {name}")
    assert might_type(table.match, 2, "medium") == might_type(table.match, 2) == {"GUESS 3C"}
    assert {line.split()[0] for line in might_type(table.match, 2, "easy")} == {"GUESS"}


@pytest.mark.parametrize("level", ["medium", "easy"])
def test_nobody_guesses_blindly_or_asks_what_is_known(level):
    assert {line.split()[0] for line in chances(hunt("3C").match, 1, level)} == {"QUERY"}
    table = hunt("4D")
    for seat, line in ((1, "QUERY 1A"), (2, "QUERY 3B"), (1, "QUERY 1E"), (2, "QUERY 2D")):
        table.types(seat, line)
    assert chances(table.match, 1, level) == {"GUESS 4D": 1.0}


def test_easy_asks_worse_questions_than_medium():
    start = hunt("3C").match
    assert chances(start, 1, "easy")["QUERY 3C"] > chances(start, 1, "medium")["QUERY 3C"] > 0


@each_level
def test_where_the_treasure_lies_changes_nothing_as_long_as_the_hints_are_the_same(level):
    here, there = hunt("2D"), hunt("4B")
    for table in (here, there):
        for seat, line in ((1, "QUERY 1A"), (2, "QUERY 3C"), (1, "QUERY 3D"), (2, "GUESS 5A")):
            table.types(seat, line)
    assert shown(here.match, 2) == shown(there.match, 2)
    assert might_type(here.match, 2, level) == might_type(there.match, 2, level)
