"""The chart of an analysis: both chances over the moves, marks, accuracy, luck, the deciding move."""

import re
from dataclasses import replace

import pytest

from gridgames_client.render.drawing.text_layout import ASCII, TILES, plain
from gridgames_client.render.past_games.chance_chart import (
    JudgedMove,
    draw_brief_rates,
    draw_chart,
    draw_curves,
    draw_marks,
    draw_numbers,
    draw_rates,
    explain_analysis,
    follow_chances,
    format_luck,
    join_moves,
)
from gridgames_client.render.table.end import choose_colour, choose_headline, name_turning
from gridgames_protocol.views import Turning
from tests.client.finished_games import analysis
from tests.client.game_scripts import STORIES, story, type_lines
from tests.client.screen_scenes import Scene, analysed, draw_scene
from tests.client.seated_controllers import Scenario

MOVES = [JudgedMove(1, 500, ""), JudgedMove(2, 400, "?"), JudgedMove(1, 900, ""), JudgedMove(2, 100, "??")]


def names(text: str) -> str:
    return text.replace("Player 1", "Ada").replace("Player 2", "Bo")


def drawn(slug: str, columns: int, rows: int) -> str:
    return "\n".join(plain(line) for line in draw_scene(analysed(slug), columns, rows))


def test_a_chance_stays_until_the_players_next_move_and_ends_with_the_result():
    assert follow_chances(MOVES, winner=1) == {1: [500, 500, 900, 1_000], 2: [None, 400, 400, 0]}
    assert follow_chances(MOVES, winner=None) == {1: [500, 500, 900, 900], 2: [None, 400, 400, 100]}


def test_marks_stand_below_their_moves_in_the_row_of_their_player():
    starts = [4, 8, 12, 16, 20]
    assert plain(draw_marks(MOVES, 1, "Ada", starts, None)).rstrip() == "Ada"
    assert plain(draw_marks(MOVES, 2, "Bo", starts, None)) == "Bo      ?       ??"


def test_the_move_that_is_shown_has_a_sign_in_gold():
    starts = [4, 8, 12, 16, 20]
    assert plain(draw_marks(MOVES, 1, "Ada", starts, 2)) == "Ada         ^"
    assert ("class:gold", "??") in [(part.style, part.text) for part in draw_marks(MOVES, 2, "Bo", starts, 3)]


def test_of_marks_that_would_touch_the_more_severe_one_is_written():
    moves = [JudgedMove(1, 500, "?!"), JudgedMove(1, 100, "??"), JudgedMove(1, 100, "")]
    assert plain(draw_marks(moves, 1, "Ada", [4, 5, 6, 7], None)) == "Ada  ??"


def test_numbers_stand_where_their_moves_begin_and_never_touch():
    assert [plain(line) for line in draw_numbers([None, 1, 1, 2], [4, 8, 12, 16, 20])] == ["        1       2"]
    assert [plain(line) for line in draw_numbers([9, 10, 11], [4, 5, 6, 7])] == ["    9"]
    assert draw_numbers([None, None], [4, 6, 8]) == []


def test_without_colours_the_curves_are_written_as_the_seats_numbers():
    lines = [plain(line) for line in draw_chart(MOVES, [1, 1, 2, 2], 1, names, ASCII, 24, 3)]
    assert lines[1:5] == [
        "100           1    1    ",
        " 50 1    *    2         ",
        "  0                2    ",
        "    1         2",
    ]
    assert lines[5].startswith("Ada")
    assert lines[6].startswith("Bo ")


def test_a_chance_of_50_is_level_with_its_number_and_so_are_0_and_100():
    for high in (3, 7):
        curves = {1: [1_000, 500, 0], 2: [None, None, None]}
        rows = draw_curves(curves, [4, 8, 12, 16], high)
        drawn = [[fragment.text for fragment in row if "seat1_ink" in fragment.style] for row in rows]
        for row, number, at in ((0, "100", 4), (high // 2, " 50", 8), (high - 1, "  0", 12)):
            assert plain(rows[row]).startswith(number)
            assert "▀" in plain(rows[row])[at : at + 4]
            assert any("▀" in text for text in drawn[row])


@pytest.mark.parametrize("count", [1, 7, 40, 200, 1_000])
@pytest.mark.parametrize("glyphs", [TILES, ASCII])
def test_a_chart_of_any_number_of_moves_fits_its_pane(count, glyphs):
    moves = join_moves([1 + number % 2 for number in range(count)], analysis([1] * count).moves)
    for line in draw_chart(moves, range(count), 2, names, glyphs, 42, 7, count - 1):
        assert len(plain(line)) <= 42


def test_a_game_without_chances_has_no_chart_and_no_words_about_chances():
    assert draw_chart([JudgedMove(1, None, "?"), JudgedMove(2, None, "")], [1, 1], 2, names, TILES, 30, 7) == []
    found = replace(analysis([1, 2]), moves=((None, None, "", "?"), (None, None, "", "none")))
    text = " ".join(plain(line) for line in explain_analysis(found, 40))
    assert "?? 15" not in text, "no mark is drawn"
    assert "Chances" not in text


def test_without_a_mover_for_each_move_there_is_no_chart():
    assert join_moves([1, 2], analysis([1, 2, 1]).moves) == []
    assert draw_chart([], [], 1, names, TILES, 40, 7) == []


def test_rates_stand_below_the_players_names():
    lines = [plain(line).split() for line in draw_rates(analysis([1, 2, 1]), str, 42)]
    assert lines == [
        ["Player", "1", "Player", "2"],
        ["accuracy", "61", "%", "55", "%"],
        ["luck", "good", "very", "bad"],
    ]


def test_luck_is_told_in_words_since_it_can_be_more_than_a_win():
    told = {luck: format_luck(luck) for luck in (-2_500, -499, 99, 100, 500, None)}
    assert told == {-2_500: "very bad", -499: "bad", 99: "even", 100: "good", 500: "very good", None: "-"}


def test_rates_in_sentences_have_names_and_are_wrapped():
    lines = [plain(line) for line in draw_brief_rates(analysis([1, 2, 1]), names, 22)]
    assert lines == ["Accuracy: Ada 61 %, Bo", "  55 %", "Luck: Ada good, Bo", "  very bad"]


@pytest.mark.parametrize("slug", ["treasure-hunt-duel", "grid-hunt", "grid-conquest", "quantum-duel", "secret-paths"])
def test_the_end_tells_what_decided_the_game_and_both_accuracies(slug):
    small, large = drawn(slug, 80, 24), drawn(slug, 120, 40)
    for text in (small, large):
        assert "played SCAN 3,3" in " ".join(text.split())
        assert "61 %" in text
        assert "55 %" in text
    assert "luck" in large.lower()
    assert re.search("round [12]", large)
    assert "move 3" not in small + large


def test_a_small_end_explains_accuracy_where_no_review_needs_the_row():
    explained = {slug: "only best moves" in drawn(slug, 80, 24) for slug in STORIES if slug != "pebbles"}
    assert [slug for slug, is_explained in explained.items() if not is_explained] == [
        "treasure-hunt-duel",
        "secret-paths",
    ]
    assert "TREASURE COULD BE" in drawn("treasure-hunt-duel", 80, 24)


def test_the_deciding_moves_player_is_named_once_and_never_cut():
    scenario = type_lines(Scenario("grid-hunt", names=("Ada", "Bot (medium)")), "|".join(STORIES["grid-hunt"][1:]))
    scenario.says(analysis([1, 2, 1, 2, 1, 2, 1]))
    model = scenario.controllers[1].model
    by_text = {"Player 2 played DIG 1,1.": "round 1", "It was over.": "round 1, Bot (medium)"}
    for text, where in by_text.items():
        assert name_turning(model, Turning(3, text)) == where


def test_a_chart_has_at_least_five_rows_or_is_left_out():
    assert "CHANCE TO WIN" not in drawn("grid-hunt", 120, 40)
    for slug, columns, rows in (("grid-hunt", 120, 46), ("treasure-hunt-duel", 120, 40), ("secret-paths", 100, 34)):
        lines = drawn(slug, columns, rows).splitlines()
        levels = [next(row for row, line in enumerate(lines) if level in line) for level in ("100 ", " 50 ", "   0 ")]
        assert levels[2] - levels[0] >= 4


def test_where_both_curves_are_both_colours_are_seen():
    rows = draw_curves({1: [500, 500], 2: [500, 900]}, [4, 12, 20], 7)
    inks = [fragment.style for fragment in rows[3] for _ in fragment.text][4:12]
    assert [1 if "seat1_ink" in ink else 2 if "seat2_ink" in ink else 0 for ink in inks] == [1, 2] * 4


@pytest.mark.parametrize("slug", ["treasure-hunt-duel", "grid-conquest", "quantum-duel", "secret-paths"])
def test_a_large_end_explains_the_marks_accuracy_and_luck(slug):
    text = " ".join(line[75:] for line in drawn(slug, 120, 40).splitlines())
    text = " ".join(text.split())
    assert "?! gave away 5 points of a hundred, ? 10, ?? 15." in text
    assert "Accuracy: 100 % is the best line on every move." in text


def test_the_words_of_the_end_are_the_same_at_all_sizes_and_only_a_win_is_gold():
    story_of = story("treasure-hunt-duel", "end")
    models = {seat: story_of.controllers[seat].model for seat in (1, 2, None)}
    assert {seat: choose_headline(model) for seat, model in models.items()} == {
        1: "YOU WON",
        2: "YOU LOST",
        None: "ADA WON",
    }
    assert {seat: choose_colour(model) for seat, model in models.items()} == {1: "gold", 2: "calm", None: "gold"}


def test_without_colours_the_accuracies_stand_below_the_second_board():
    text = "\n".join(plain(line) for line in draw_scene(analysed("grid-hunt"), 80, 24, ASCII))
    assert "YOUR FIELD" in text
    assert "Accuracy: Ada 61 %, Bo 55 %" in text


def test_at_the_end_both_boards_of_a_game_are_in_sight():
    for size in ((80, 24), (120, 40), (200, 60)):
        lines = drawn("grid-hunt", *size).splitlines()
        title = next(row for row, line in enumerate(lines) if "YOUR FIELD" in line)
        assert lines[title + 1].split()[-5:] == ["1", "2", "3", "4", "5"], "with its columns' labels"


def test_an_old_servers_analysis_names_no_movers_and_the_moves_do():
    scenario = story("grid-conquest", "end")
    scenario.says(replace(analysis([1, 2, 1, 2, 1, 2, 1]), seats=()))
    text = "\n".join(plain(line) for line in draw_scene(Scene("", scenario.controllers[1]), 120, 40))
    assert "CHANCE TO WIN" in text
