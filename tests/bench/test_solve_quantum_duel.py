"""The table of Quantum Duel: how it is solved and written, tried on short lines."""

import pytest

from gridgames_server.bots.quantum_duel import LETTERS, POSITIONS, read_row
from gridgames_server.bots.quantum_table import PLACEMENTS, ROWS
from tests.bench import solve_quantum_duel as solver


def test_a_line_of_three_is_solved_the_same_every_time():
    here, there = (solver.module(solver.solve(size=3, rounds=12), 3) for _ in range(2))
    assert here == there


def test_the_solution_of_a_line_of_three_is_the_same_from_both_ends():
    table = solver.solve(size=3, rounds=12)
    for (at, *looks), moves in table.moves.items():
        mirrored = tuple(place if place == 3 else 2 - place for place in (at, *looks))
        assert moves == pytest.approx(table.moves[mirrored][::-1])


def test_the_solution_beats_a_random_rival_more_often_than_even_play_does():
    outline = solver.Outline(3)
    solved, even = (
        chance_against_random(outline, table) for table in (solver.solve(3, 40), solver.even_table(outline))
    )
    assert solved > even + 0.1


def chance_against_random(outline: solver.Outline, table: solver.Table) -> float:
    """The chance to win when moving first."""
    meeting = solver.Meeting(outline)
    for _ in range(30):
        meeting.value(table, solver.random_table(outline))
    return meeting.mine[0]


def test_chances_are_written_as_letters_in_proportion():
    assert solver.letters([0.0, 0.25, 0.5]) == "0Uz"


def test_the_stored_table_has_a_row_for_all_that_a_player_remembers():
    assert len(PLACEMENTS) == 7
    assert len(ROWS) == 4 * 8 * 8
    assert {len(line) for line in ROWS} == {8 * 10}
    assert set("".join(ROWS)) <= set(LETTERS) == set(solver.LETTERS)


def test_no_row_of_the_table_names_an_illegal_line():
    for at in POSITIONS:
        for look in POSITIONS:
            moves, looks = read_row(at, look, (look + 1) % 7, (look + 3) % 7)
            assert looks[look] == 0
            assert all(abs(to - at) <= 1 for to, chance in enumerate(moves) if chance)
