"""The computer at Grid Hunt: where it hides, when it scans, when it digs."""

from random import Random

import pytest

from gridgames_server.bots import grid_hunt
from gridgames_server.bots.grid_hunt import CELLS, DEEP, DISTANCE, FEW, Hunt
from gridgames_server.games.grid_hunt import GRID, GridHunt
from tests.server.bots.bot_seat import chances, each_level, might_type, shown
from tests.server.counted_calls import count_calls
from tests.server.games.dialogue import Table


def hunt(one: str, two: str, *lines: tuple[int, str]) -> Table:
    """A table where both have hidden their treasures, and typed some lines."""
    table = Table(GridHunt())
    table.types(1, f"HIDE {one}")
    table.types(2, f"HIDE {two}")
    for seat, line in lines:
        table.types(seat, line)
    return table


def verbs(lines: set[str]) -> set[str]:
    return {line.split()[0] for line in lines}


def test_hard_hides_mostly_where_scans_tell_least():
    likely = chances(Table(GridHunt()).match, 1)
    assert len(likely) == len(CELLS)
    assert sum(likely[f"HIDE {GRID.names[cell]}"] for cell in DEEP) > 0.9


def test_no_two_corners_tell_more_than_a_third_of_the_deep_cells_by_one_scan():
    for corner in (0, 4, 20, 24):
        assert sorted(DISTANCE[corner][cell] for cell in DEEP) == [2, 2, 2, 4, 4, 4, 6, 6, 6]


def test_hard_scans_a_corner_first_because_that_has_the_most_answers():
    assert might_type(hunt("3,3", "2,3").match, 1) == {"SCAN 1,1", "SCAN 1,5", "SCAN 5,1", "SCAN 5,5"}


def test_hard_scans_again_while_there_is_time_and_then_digs_the_only_cell():
    table = hunt("3,3", "3,2", (1, "SCAN 1,1"), (2, "SCAN 1,1"))
    assert might_type(table.match, 1) == {"SCAN 1,4", "SCAN 1,5", "SCAN 4,1", "SCAN 5,1"}
    table.types(1, "SCAN 1,5")
    table.types(2, "SCAN 2,2")
    assert might_type(table.match, 1) == {"DIG 3,2"}


def test_hard_digs_for_one_of_two_because_a_scan_would_not_be_sooner():
    table = hunt("3,3", "1,2", (1, "SCAN 1,1"), (2, "SCAN 1,1"))
    assert might_type(table.match, 1) == {"DIG 1,2", "DIG 2,1"}


def test_hard_digs_for_one_of_five_when_the_rival_knows_but_rarely_in_a_corner():
    table = hunt("3,3", "2,4", (1, "SCAN 1,1"), (2, "SCAN 1,1"), (1, "SCAN 1,5"))
    likely = chances(table.match, 2)
    assert likely.keys() == {"DIG 1,5", "DIG 2,4", "DIG 3,3", "DIG 4,2", "DIG 5,1"}
    assert likely["DIG 1,5"] < likely["DIG 2,4"] / 10


def found_by_the_second_turn(cell: int) -> float:
    """How likely hard, moving second, digs up a treasure on its second turn when the rival scans well."""
    found = 0.0
    for scanned, chance in chances(hunt("1,1", GRID.names[cell], (1, "SCAN 1,1")).match, 2).items():
        table = hunt(GRID.names[cell], "3,3", (1, "SCAN 1,1"), (2, scanned), (1, "SCAN 1,5"))
        found += chance * chances(table.match, 2).get(f"DIG {GRID.names[cell]}", 0.0)
    return found


def test_as_second_hard_finds_every_cell_about_as_often_by_the_second_turn():
    assert min(map(found_by_the_second_turn, CELLS)) > 0.3


def test_hard_scans_on_when_the_rival_has_scanned_badly():
    table = hunt("3,3", "2,4", (1, "SCAN 3,3"), (2, "SCAN 1,1"), (1, "SCAN 3,3"))
    assert verbs(might_type(table.match, 2)) == {"SCAN"}


def test_a_dig_that_missed_is_not_made_again():
    table = hunt("3,3", "1,2", (1, "SCAN 1,1"), (2, "SCAN 1,1"), (1, "DIG 2,1"), (2, "SCAN 1,5"))
    assert might_type(table.match, 1) == might_type(table.match, 1, "medium") == {"DIG 1,2"}


def test_without_scans_all_levels_dig():
    scans = tuple((seat, "SCAN 3,3") for seat in (1, 2, 1, 2, 1, 2))
    table = hunt("3,3", "1,2", *scans)
    fit = {f"DIG {GRID.names[cell]}" for cell in CELLS if DISTANCE[12][cell] == 3}
    assert might_type(table.match, 1) <= fit
    assert might_type(table.match, 1, "medium") <= fit
    assert might_type(table.match, 1, "easy") <= fit


@pytest.mark.parametrize("level", ["medium", "easy"])
def test_nobody_digs_blindly_or_scans_for_what_is_known(level):
    assert verbs({*chances(hunt("3,3", "2,3").match, 1, level)}) == {"SCAN"}
    table = hunt("3,3", "1,2", (1, "SCAN 1,1"), (2, "SCAN 1,1"), (1, "DIG 2,1"), (2, "SCAN 1,5"))
    assert chances(table.match, 1, level) == {"DIG 1,2": 1.0}


def test_easy_makes_worse_scans_than_medium():
    start = hunt("3,3", "2,3").match
    assert chances(start, 1, "easy")["SCAN 3,3"] > chances(start, 1, "medium")["SCAN 3,3"] > 0


@each_level
def test_where_the_rival_has_hidden_changes_nothing_if_the_scans_say_the_same(level):
    lines = ((1, "SCAN 1,1"), (2, "SCAN 1,1"), (1, "DIG 5,5"), (2, "DIG 1,1"))
    here, there = hunt("3,3", "2,4", *lines), hunt("3,3", "5,1", *lines)
    assert shown(here.match, 1) == shown(there.match, 1)
    assert might_type(here.match, 1, level) == might_type(there.match, 1, level)


# What lines are worth


def value_any_line(hunt: Hunt) -> dict[str, float]:
    """The chance to find the treasure in time with any line, each as if it found and ruled out what it may."""
    cells, race = hunt.possible_cells(), grid_hunt.Race(grid_hunt.estimate_turns(hunt))

    def go_on(part: tuple[int, ...], scans: int) -> float:
        return race.value_best(part, 1, scans) if len(part) <= FEW else race.estimate(len(part), 1, scans)

    worth = {f"DIG {GRID.names[cell]}": go_on(cells, hunt.scans) for cell in CELLS if cell not in cells}
    if hunt.scans:
        for cell in CELLS:
            parts = grid_hunt.group_by_answer(cell, cells)
            worth[f"SCAN {GRID.names[cell]}"] = sum(go_on(part, hunt.scans - 1) for part in parts)
    return {line: gain / len(cells) for line, gain in worth.items()}


@pytest.mark.parametrize("number", range(12))
def test_every_line_has_a_value_the_useful_ones_first(number):
    chance, table = Random(number), hunt("3,3", "2,4")
    while not table.match.outcome and table.match.line_count < 30:
        (seat,) = table.match.to_act()
        shows = shown(table.match, seat)
        useful = grid_hunt.value_searches(grid_hunt.read_view(shows))
        rest = value_any_line(grid_hunt.read_view(shows))
        values = grid_hunt.value_lines(shows)
        assert list(values) == [*useful, *(line for line in rest if line not in useful)]
        assert values == rest | useful
        table.types(seat, chance.choice([line for action in shows.view.actions for line in action.lines()]))


def test_the_values_of_an_opening_are_no_long_thought():
    shows = shown(hunt("3,3", "2,4").match, 1)
    assert count_calls(lambda: grid_hunt.value_lines(shows)) < 5_000
