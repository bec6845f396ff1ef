"""How a game was decided, drawn: bars in any width, figures where there are no bars, words in plain mode."""

from dataclasses import replace

import pytest

from gridgames_client.render.drawing.text_layout import ASCII, LINES, Glyphs, plain, width
from gridgames_client.render.past_games import review
from gridgames_protocol.safe_text import is_harmless
from gridgames_protocol.views import Review, ReviewRow
from tests.client.plain_players import plain_player, two_at_a_table
from tests.wire import run, serving

ROW = ReviewRow("Player 1", 25, (25, 25, 5, 3, 1), "Player 1 could have known from move 5.")
OTHER = ReviewRow("Player 2", 25, (0, 25, 25, 4, 4), "Player 2 could not have known: 4 were left.")
REVIEW = Review("Where it could be", (0, 1, 2, 3, 4), (ROW, OTHER))


def named(text: str) -> str:
    return text.replace("Player 1", "Ada [1]").replace("Player 2", "Bo [2]")


def picture(found: Review, size: int = 40, glyphs: Glyphs = LINES, noted: bool = True) -> list[str]:
    return [plain(line) for line in review.draw_rows(found, named, glyphs, size, noted)]


def test_each_row_has_its_name_its_bars_and_its_note():
    assert picture(REVIEW) == [
        "Where it could be",
        "Ada [1]  25 ▇▇▂▁▁ 1",
        "  could have known from move 5.",
        "Bo [2]   25  ▇▇▂▂ 4",
        "  could not have known: 4 were left.",
    ]


def test_notes_can_be_left_out():
    assert picture(REVIEW, noted=False) == ["Where it could be", "Ada [1]  25 ▇▇▂▁▁ 1", "Bo [2]   25  ▇▇▂▂ 4"]


def test_without_signs_for_bars_the_numbers_are_written():
    lines = picture(REVIEW, glyphs=ASCII, noted=False)
    assert lines[1:] == ["Ada [1]  25 25 5 3 1", "Bo [2]   0 25 25 4 4"]


def test_of_too_many_figures_the_last_are_written():
    long = Review("It", tuple(range(40)), (replace(ROW, numbers=tuple(range(25)) + (25,) * 15),))
    assert picture(long, 30, ASCII)[1] == "Ada [1]  ~ 25 25 25 25 25 25"


def test_a_bar_is_there_for_every_number_but_0_and_the_highest_leaves_a_gap_above():
    row = ReviewRow("x", 16, tuple(range(17)), "")
    assert "".join(review.draw_bar(row, number, LINES) for number in row.numbers) == " ▁▁▂▂▃▃▄▄▄▅▅▆▆▇▇▇"


def test_many_numbers_are_drawn_at_some_points_from_the_first_to_the_last():
    assert list(review.spread(range(100), 5)) == [0, 24, 49, 74, 99]
    assert list(review.spread(range(3), 5)) == [0, 1, 2]
    assert list(review.spread(range(9), 1)) == [8]


@pytest.mark.parametrize("glyphs", [LINES, ASCII])
@pytest.mark.parametrize("size", range(12, 60, 7))
def test_nothing_is_wider_than_its_place(glyphs, size):
    wide = Review("A title " * 9, tuple(range(120)), (replace(ROW, label="漢字" * 20, numbers=(25,) * 120),))
    for found in (REVIEW, wide):
        assert all(width(line) <= size for line in review.draw_rows(found, named, glyphs, size))


def test_a_review_of_nothing_is_no_picture():
    empty = Review("Where it could be", (), (replace(ROW, numbers=()),))
    assert review.describe_review(empty) == []
    assert picture(empty)[1:] == ["Ada [1]  ", "  could have known from move 5."]


def test_beside_a_move_stands_how_it_was_after_it():
    assert plain(review.draw_beside_move(REVIEW, 2, LINES)) == "   5 ▂      25 ▇    "
    assert plain(review.draw_beside_move(REVIEW, 2, ASCII)) == "   5        25      "
    assert review.draw_beside_move(REVIEW, 5, LINES) == []
    assert review.draw_heads(REVIEW, named, LINES) == "Ada [1]   Bo [2]    "


def test_a_long_name_has_the_columns_that_it_takes_where_there_is_space():
    def bot(text):
        return text.replace("Player 2", "Bot (medium) [2]")

    assert review.measure_column(REVIEW, named, 40) == review.COLUMN
    assert review.measure_column(REVIEW, bot, 34) == 17
    assert review.draw_heads(REVIEW, bot, LINES, 17) == "Player 1         Bot (medium) [2] "
    assert plain(review.draw_beside_move(REVIEW, 2, LINES, 17)) == "   5 ▂             25 ▇           "
    assert review.measure_column(REVIEW, bot, 33) == review.COLUMN


def test_in_words_it_is_a_sentence_for_each_row_and_its_note():
    assert review.describe_review(REVIEW) == [
        "Review: Where it could be, at the start and after each move.",
        "Player 1: 25, 25, 5, 3, 1.",
        "Player 1 could have known from move 5.",
        "Player 2: 0, 25, 25, 4, 4.",
        "Player 2 could not have known: 4 were left.",
    ]


def test_of_a_long_game_the_words_say_which_points_they_are():
    some = replace(REVIEW, after=(0, 33, 66, 100, 133))
    assert review.describe_review(some)[0] == "Review: Where it could be, after 0, 33, 66, 100, 133 moves."


def test_what_a_server_writes_in_it_can_do_nothing():
    evil = "\x1b[31mred\x07\n"
    found = Review(evil * 2, (0, 1), (ReviewRow(evil, 2, (1, 2), evil),))
    lines = review.draw_rows(found, named, LINES, 30)
    heads = review.draw_heads(found, named, LINES)
    assert all(is_harmless(fragment.text) for line in lines for fragment in line)
    assert is_harmless(heads)


def test_plain_lines_tell_the_numbers_of_a_game_that_is_over():
    async def scenario():
        async with serving() as server, plain_player(server, "Ada") as ada, plain_player(server, "Bob") as bob:
            await two_at_a_table(ada, bob, "grid-hunt first=host assist")
            ada.types("HIDE 1 1")
            await bob.reads("Player 1 has hidden a treasure.")
            bob.types("HIDE 5 5")
            await ada.reads("Let the game begin!")
            ada.types("SCAN 5 4")
            await bob.reads("Player 1 scanned (5,4).", "1 |     |     |     |     |     |")
            bob.types("DIG 2 2")
            await ada.reads("1 |.....|.....|.....|.....|.....|", "5 |.....|.....|     |  1  |     |")
            ada.types("DIG 5 5")
            await bob.reads(
                "Review: Where the other's treasure could be, after 2, 3, 4 moves.",
                "Player 1: 25, 3, 3.",
                "Player 1 could not have known: 3 were left.",
                "Player 2: 25, 25, 24.",
                "Player 2 could not have known: 24 were left.",
            )

    run(scenario())
