"""The computer at Grid Conquest: points now, against what a claim opens for the other."""

from gridgames_server.games.grid_conquest import GRID, GridConquest
from tests.server.bots.bot_seat import chances, each_level, might_type, shown
from tests.server.games.dialogue import Table


def conquest(board: str, *claims: str, first: int = 1) -> Table:
    """A table with these values, row by row, where both have claimed cells in turn."""
    values = "".join(board.split())
    draws = {f"value of {name}": int(value) - 1 for name, value in zip(GRID.names, values, strict=True)}
    table = Table(GridConquest(), first, draws)
    for number, cell in enumerate(claims):
        table.types(1 + (number + first - 1) % 2, cell)
    return table


def test_hard_opens_in_a_corner_because_that_shows_least():
    assert might_type(conquest("33333 " * 5).match, 1) == {"CLAIM A1", "CLAIM A5", "CLAIM E1", "CLAIM E5"}


def test_hard_takes_what_wins():
    table = conquest("55555 55553 13333 33333 33355", "A1", "E5", "A2", "E4")
    assert table.sees(1).state["scores"] == (10, 10)
    assert might_type(table.match, 1) == {"CLAIM A3", "CLAIM B1", "CLAIM B2", "CLAIM B3"}


def test_of_two_fours_hard_takes_the_one_that_opens_less():
    table = conquest("14333 34333 33333 33333 33333", "A1")
    assert might_type(table.match, 2) == {"CLAIM A2"}  # it touches two hidden cells, and B2 five


def test_of_two_fives_hard_takes_the_one_that_opens_more():
    table = conquest("15333 35333 33333 33333 33333", "A1")
    assert might_type(table.match, 2) == {"CLAIM B2"}


def test_hard_takes_a_three_that_opens_less_than_a_four_when_the_rival_needs_a_five():
    table = conquest("25251 21124 33514 22134 31551", "E5", "E4", "E3", "D5", "C5")
    assert table.sees(2).state["scores"] == (10, 9)
    assert table.sees(2).state["values"]["B5"] == 4
    assert might_type(table.match, 2) == {"CLAIM D4"}


def test_hard_tries_a_hidden_cell_when_the_rival_would_win_at_once_otherwise():
    table = conquest("15532 12214 43215 35232 15121", "A1", "A2", "A3", "A5", "B5", "C5")
    assert table.sees(1).state["scores"] == (10, 12)
    # Threes are in sight, and the rival wins with one of them. A five wins now, and may be in any hidden cell.
    assert not {line.removeprefix("CLAIM ") for line in might_type(table.match, 1)} & {*table.sees(1).state["values"]}


@each_level
def test_every_level_takes_a_win_in_sight(level):
    table = conquest("55555 55553 13333 33333 33355", "A1", "E5", "A2", "E4")
    assert chances(table.match, 1, level).keys() == {"CLAIM A3", "CLAIM B1", "CLAIM B2", "CLAIM B3"}


def test_easy_claims_worse_cells_than_medium():
    table = conquest("15333 35333 33333 33333 33333", "A1")
    assert chances(table.match, 2, "easy")["CLAIM B1"] > chances(table.match, 2, "medium")["CLAIM B1"] > 0


@each_level
def test_values_that_are_hidden_change_nothing(level):
    here, there = conquest("15333 55333 33333 33333 33333", "A1"), conquest("15111 55222 44444 55555 12345", "A1")
    assert shown(here.match, 2) == shown(there.match, 2)
    assert might_type(here.match, 2, level) == might_type(there.match, 2, level)
