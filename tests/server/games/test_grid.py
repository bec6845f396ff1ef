"""Cells: names, distances, neighbours, and every way in which a typed line may write one."""

import pytest

from gridgames_server.errors import Refusal
from gridgames_server.games import grid_conquest, grid_hunt, quantum_duel, secret_paths, treasure_hunt_duel
from gridgames_server.games.grid import Grid, OffGrid

HUNT = treasure_hunt_duel.GRID  # rows 1-5, columns A-E
CONQUEST = grid_conquest.GRID  # rows A-E, columns 1-5
NUMBERS = grid_hunt.GRID  # rows 1-5, columns 1-5
LINE = quantum_duel.LINE  # 1-7


def ways(*texts: str) -> list[str]:
    """Some ways to write a cell, each also with brackets and more spaces."""
    return [way for text in texts for way in (text, f"({text})", f" {text}  ", f"( {text} )")]


def test_cells_are_named_row_by_row():
    assert HUNT.names[:6] == ("1A", "1B", "1C", "1D", "1E", "2A")
    assert CONQUEST.names[:6] == ("A1", "A2", "A3", "A4", "A5", "B1")
    assert NUMBERS.names[:6] == ("1,1", "1,2", "1,3", "1,4", "1,5", "2,1")
    assert LINE.names == ("1", "2", "3", "4", "5", "6", "7")
    assert (len(HUNT), len(CONQUEST), len(NUMBERS), len(LINE)) == (25, 25, 25, 7)


def test_secret_paths_names_its_cells_as_grid_hunt_does():
    assert secret_paths.GRID == NUMBERS


@pytest.mark.parametrize("grid", [HUNT, CONQUEST, NUMBERS, LINE])
def test_every_cell_has_one_place_and_its_name_reads_back(grid):
    for cell in range(len(grid)):
        assert grid.cell(*grid.place(cell)) == cell
        assert grid.read(grid.names[cell]) == cell
    assert len(set(grid.names)) == len(grid)


@pytest.mark.parametrize(
    ("a", "b", "steps"), [("2B", "4D", 4), ("5A", "4D", 4), ("3C", "4D", 2), ("4B", "4D", 2), ("4D", "4D", 0)]
)
def test_a_distance_counts_steps_along_rows_and_columns(a, b, steps):
    assert HUNT.distance(HUNT.read(a), HUNT.read(b)) == HUNT.distance(HUNT.read(b), HUNT.read(a)) == steps


def test_the_farthest_corner_is_eight_steps_away():
    assert max(HUNT.distance(0, cell) for cell in range(25)) == HUNT.distance(0, 24) == 8


def near(grid: Grid, name: str) -> tuple[str, ...]:
    return grid.name_cells(grid.neighbours(grid.read(name)))


def test_neighbours_are_the_up_to_eight_cells_around_one():
    assert near(CONQUEST, "C3") == ("B2", "B3", "B4", "C2", "C4", "D2", "D3", "D4")
    assert near(CONQUEST, "A1") == ("A2", "B1", "B2")
    assert near(CONQUEST, "C5") == ("B4", "B5", "C4", "D4", "D5")
    assert near(CONQUEST, "E3") == ("D2", "D3", "D4", "E2", "E4")
    assert (near(LINE, "1"), near(LINE, "4")) == (("2",), ("3", "5"))


@pytest.mark.parametrize("text", ways("2B", "B2", "2 B", "B 2", "2,B", "B , 2", "02B", "2,2", "2 2", "22", "002,2"))
def test_treasure_hunt_duel_reads_row_2_column_b(text):
    assert HUNT.names[HUNT.read(text)] == "2B"


@pytest.mark.parametrize("text", ways("C5", "5C", "C 5", "5 C", "C,5", "5, C", "C05", "3,5", "3 5", "35"))
def test_grid_conquest_reads_row_c_column_5(text):
    assert CONQUEST.names[CONQUEST.read(text)] == "C5"


@pytest.mark.parametrize("text", ways("4,2", "4 2", "42", "4 , 2", "4    2", "4,  2", "04,02"))
def test_grid_hunt_and_secret_paths_read_row_4_column_2(text):
    assert NUMBERS.names[NUMBERS.read(text)] == "4,2"


@pytest.mark.parametrize("text", ways("3", "03", "003"))
def test_quantum_duel_reads_position_3(text):
    assert LINE.names[LINE.read(text)] == "3"


@pytest.mark.parametrize(
    ("grid", "text"),
    [
        *(
            (HUNT, text)
            for text in ("0A", "6A", "2F", "Z2", "2 Z", "9,9", "0 1", "1 6", "99", "-1,2", "2,-1", "22B", "999Z")
        ),
        *((CONQUEST, text) for text in ("F1", "A0", "A6", "6A", "Z9", "0,1", "66", "A -1", "C 100")),
        *((NUMBERS, text) for text in ("0,0", "6,1", "1,6", "66", "06", "(5,6)", "-1 3", "10 10", "3,999")),
    ],
)
def test_a_readable_cell_off_the_grid_is_illegal(grid, text):
    with pytest.raises(OffGrid) as caught:
        grid.read(text)
    assert caught.value.code == "illegal"
    assert caught.value.text == f"That is off the grid: {grid.extent()}."


@pytest.mark.parametrize("text", ["0", "8", "10", "77", "-1", "(9)", "999"])
def test_a_readable_position_off_the_line_is_illegal(text):
    with pytest.raises(OffGrid, match=r"^That is off the grid: positions are 1 to 7\.$"):
        LINE.read(text)


def test_a_grid_says_how_far_it_goes():
    assert HUNT.extent() == "rows are 1 to 5, columns A to E"
    assert CONQUEST.extent() == "rows are A to E, columns 1 to 5"
    assert NUMBERS.extent() == "rows are 1 to 5, columns 1 to 5"
    assert LINE.extent() == "positions are 1 to 7"


NOWHERE = [
    "", "()", "(", ")", "3", "A", "AB", "A B", "A,A", "3,", ",3", "3,,3", "3;3", "3.3", "3-3", "3/3", "3:3",
    "(3,3", "3,3)", "((3,3))", "3,3 3", "3 3 3", "333", "2BB", "B22 1", "1000,1", "1 1000", "+3,3", "3,+3",
    "3,3!", "three", "0x3,3", "3_0,1", "1e0,1", "2B 3C", "?,?", "[3,3]", "--1,2",
]  # fmt: skip


@pytest.mark.parametrize("grid", [HUNT, CONQUEST, NUMBERS])
@pytest.mark.parametrize("text", NOWHERE)
def test_what_is_no_cell_is_unreadable(grid, text):
    assert unreadable(grid, text)


@pytest.mark.parametrize("text", ["", "()", "A", "3A", "A3", "3,3", "3 3", "1,3", "3.", "+3", "1000", "3!", "--3"])
def test_what_is_no_position_is_unreadable(text):
    assert unreadable(LINE, text)


@pytest.mark.parametrize("text", ["3C", "C3", "3,C", "C C"])
def test_letters_name_nothing_on_a_grid_of_numbers(text):
    assert unreadable(NUMBERS, text)


# In turn: other scripts' digits, other forms of digits, letters that look like A to E, signs that look like ours.
LOOK_ALIKES = [
    "٣,٣", "३,३", "３,３", "𝟑,𝟑", "²,²", "③,③", "Ⅲ,Ⅲ", "3,٣", "٣3",
    "2А", "2В", "2С", "2Е", "2Ａ", "2Β", "2ᴀ", "ａ2", "Β,2", "2 Ａ",
    "3，3", "3‚3", "3､3", "（3,3）", "−1,3", "3\u200b,3", "3\u00ad,3", "3\u2028",
]  # fmt: skip


@pytest.mark.parametrize("grid", [HUNT, CONQUEST, NUMBERS])
@pytest.mark.parametrize("text", LOOK_ALIKES)
def test_look_alikes_of_digits_letters_and_signs_are_never_read(grid, text):
    assert unreadable(grid, text)


@pytest.mark.parametrize("text", ["٣", "३", "３", "𝟑", "²", "③", "Ⅲ", "三", "−1", "3\u200b"])
def test_look_alikes_of_positions_are_never_read(text):
    assert unreadable(LINE, text)


@pytest.mark.parametrize(("grid", "example"), [(HUNT, "1C"), (CONQUEST, "A3"), (NUMBERS, "1,3"), (LINE, "4")])
def test_an_unreadable_cell_is_told_how_one_is_written(grid, example):
    assert unreadable(grid, "nowhere") == f"That names no place on the board. One is written like {example}."
    assert grid.names[grid.read(example)] == example


def unreadable(grid: Grid, text: str) -> str:
    """The sentence that refuses a text as unreadable."""
    with pytest.raises(Refusal) as caught:
        grid.read(text)
    assert caught.value.code == "syntax"
    return caught.value.text


def test_a_board_is_written_on_over_behind_and_under_cover():
    begun = NUMBERS.board("hidden").put(0, "4", "hint").add(0, "x", "miss")
    board = begun.add_secret(0, "T", "goal").put(24, "P1", "mine")
    assert begun.put(24, "P1", "mine").add_secret(0, "T", "goal") == board
    assert (board.texts[0], board.kinds[0]) == ("4xT", "goal")
    assert (board.texts[24], board.kinds[24]) == ("P1", "mine")
    assert set(board.texts[1:24]) == {""}
    assert set(board.kinds[1:24]) == {"hidden"}
    assert board.masks == (("1,1", "4x", "miss"),)
    assert (board.rows, board.cols, board.names) == (NUMBERS.rows, NUMBERS.cols, NUMBERS.names)


def test_the_cells_that_fit_some_answers_are_those_at_all_their_distances():
    grid = Grid(tuple("12345"), tuple("ABCDE"), "{row}{col}")
    for answers in ({}, {"3C": 2}, {"1A": 4, "5E": 4}, {"2B": 4, "5A": 4, "3C": 2}):
        wanted = {
            cell
            for cell in range(25)
            if all(grid.distance(cell, grid.cells[name]) == far for name, far in answers.items())
        }
        assert grid.find_fitting(answers) == wanted
