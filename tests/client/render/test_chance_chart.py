"""The chart of an analysis: both chances over the moves, marks, accuracy, luck, the deciding move."""

from dataclasses import replace

import pytest

from gridgames_client.render.drawing.text_layout import ASCII, TILES, plain
from gridgames_client.render.past_games.chance_chart import (
    JudgedMove,
    draw_chart,
    draw_marks,
    draw_rates,
    follow_chances,
    join_moves,
)
from tests.client.finished_games import analysis
from tests.client.game_scripts import story
from tests.client.screen_scenes import Scene, analysed, draw_scene

MOVES = [JudgedMove(1, 500, ""), JudgedMove(2, 400, "?"), JudgedMove(1, 900, ""), JudgedMove(2, 100, "??")]


def drawn(slug: str, columns: int, rows: int) -> str:
    return "\n".join(plain(line) for line in draw_scene(analysed(slug), columns, rows))


def test_a_chance_stays_until_the_players_next_move_and_ends_with_the_result():
    assert follow_chances(MOVES, winner=1) == {1: [500, 500, 900, 1_000], 2: [None, 400, 400, 0]}
    assert follow_chances(MOVES, winner=None) == {1: [500, 500, 900, 900], 2: [None, 400, 400, 100]}


def test_marks_stand_below_their_moves_in_the_row_of_their_player():
    starts = [4, 8, 12, 16, 20]
    assert plain(draw_marks(MOVES, 1, starts, None)) == " 1"
    assert plain(draw_marks(MOVES, 2, starts, None)) == " 2      ?       ??"


def test_the_move_that_is_shown_has_a_sign_in_gold():
    starts = [4, 8, 12, 16, 20]
    assert plain(draw_marks(MOVES, 1, starts, 2)) == " 1          ^"
    assert ("class:gold", "??") in [(part.style, part.text) for part in draw_marks(MOVES, 2, starts, 3)]


def test_of_marks_that_would_touch_the_more_severe_one_is_written():
    moves = [JudgedMove(1, 500, "?!"), JudgedMove(1, 100, "??"), JudgedMove(1, 100, "")]
    assert plain(draw_marks(moves, 1, [4, 5, 6, 7], None)) == " 1   ??"


def test_without_colours_the_curves_are_written_as_the_seats_numbers():
    lines = [plain(line) for line in draw_chart(MOVES, 1, ASCII, 24, 3)]
    assert lines[1:4] == ["100           1    1    ", " 50 1    *    2         ", "  0                2    "]


@pytest.mark.parametrize("count", [1, 7, 40, 200, 1_000])
@pytest.mark.parametrize("glyphs", [TILES, ASCII])
def test_a_chart_of_any_number_of_moves_fits_its_pane(count, glyphs):
    moves = join_moves([1 + number % 2 for number in range(count)], analysis([1] * count).moves)
    for line in draw_chart(moves, 2, glyphs, 42, 6, count - 1):
        assert len(plain(line)) <= 42


def test_a_game_without_chances_has_its_marks_alone():
    lines = [plain(line) for line in draw_chart([JudgedMove(1, None, "?"), JudgedMove(2, None, "")], 2, TILES, 30, 6)]
    assert lines == ["HOW IT WAS PLAYED", " 1  ?", " 2"]


def test_without_a_mover_for_each_move_there_is_no_chart():
    assert join_moves([1, 2], analysis([1, 2, 1]).moves) == []
    assert draw_chart([], 1, TILES, 40, 6) == []


def test_rates_stand_below_the_players_names():
    lines = [plain(line).split() for line in draw_rates(analysis([1, 2, 1]), str, 42)]
    assert lines == [
        ["Player", "1", "Player", "2"],
        ["accuracy", "61", "%", "55", "%"],
        ["luck", "+28", "%", "-53", "%"],
    ]


@pytest.mark.parametrize("slug", ["treasure-hunt-duel", "grid-hunt", "grid-conquest", "quantum-duel", "secret-paths"])
def test_the_end_tells_what_decided_the_game_and_both_accuracies(slug):
    small, large = drawn(slug, 80, 24), drawn(slug, 120, 40)
    for text in (small, large):
        assert "played SCAN 3,3" in " ".join(text.split())
        assert "61 %" in text
        assert "55 %" in text
    assert "CHANCE TO WIN" in large
    assert "luck" in large.lower()


def test_at_the_end_both_boards_of_a_game_are_in_sight():
    for size in ((80, 24), (120, 40), (200, 60)):
        assert "YOUR FIELD" in drawn("grid-hunt", *size)


def test_an_old_servers_analysis_names_no_movers_and_the_moves_do():
    scenario = story("grid-conquest", "end")
    scenario.says(replace(analysis([1, 2, 1, 2, 1, 2, 1]), seats=()))
    text = "\n".join(plain(line) for line in draw_scene(Scene("", scenario.controllers[1]), 120, 40))
    assert "CHANCE TO WIN" in text
