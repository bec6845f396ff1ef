"""Styled text: how wide it is, how it is cut, filled and broken."""

from random import Random

import pytest
from prompt_toolkit.utils import get_cwidth

from gridgames_client.render.drawing import text_layout
from gridgames_client.render.drawing.text_layout import ASCII, LINES, Fragment, plain, wrap
from gridgames_protocol.safe_text import columns


def test_every_glyph_takes_one_column():
    for glyphs in (LINES, ASCII):
        for name in glyphs.__slots__:
            value = getattr(glyphs, name)
            if name == "filled":
                continue
            assert [get_cwidth(glyph) for glyph in value] == [1] * len(value), name


def test_a_line_is_as_wide_as_its_characters():
    assert text_layout.width([Fragment("", "漢字"), Fragment("class:bad", "ab")]) == 6


def test_what_is_said_can_only_stand_there():
    assert text_layout.say("a\x1b[31mb\n\u202ec") == [Fragment("", "a[31mbc")]


@pytest.mark.parametrize(
    ("text", "size", "kept"),
    [
        ("abc", 3, "abc"),
        ("abcd", 3, "ab…"),
        ("漢字", 4, "漢字"),
        ("漢字漢", 4, "漢…"),
        ("漢字漢", 5, "漢字…"),
        ("abc", 0, ""),
    ],
)
def test_a_text_that_is_cut_says_so(text, size, kept):
    assert text_layout.cut(text, size, "…") == kept


@pytest.mark.parametrize(
    ("text", "size", "kept"), [("ab", 4, "ab  "), ("漢字", 3, "漢…"), ("漢", 4, "漢  "), ("a\tb", 2, "ab")]
)
def test_a_field_of_a_list_is_filled(text, size, kept):
    assert text_layout.fit(text, size, "…") == kept


def test_half_of_a_wide_character_is_left_out():
    assert text_layout.clip_line([Fragment("", "a"), Fragment("x", "漢字")], 4) == [
        Fragment("", "a"),
        Fragment("x", "漢"),
    ]
    assert plain(text_layout.pad([Fragment("", "a"), Fragment("x", "漢字")], 4)) == "a漢 "


def test_two_things_stand_at_the_edges_or_the_left_one_alone():
    left, right = text_layout.say("left"), text_layout.say("right")
    assert plain(text_layout.spread(left, right, 12)) == "left   right"
    assert plain(text_layout.spread(left, right, 9)) == "left"


def test_two_columns_stand_side_by_side():
    lines = text_layout.put_beside([text_layout.say("a")], [text_layout.say("b"), text_layout.say("c")], 3)
    assert [plain(line) for line in lines] == ["a  b", "   c"]


def test_a_block_is_made_as_tall_as_it_should_be_and_says_what_is_missing():
    lines = [text_layout.say(letter) for letter in "abc"]
    assert [plain(line) for line in text_layout.fit_rows(lines, 4)] == ["a", "b", "c", ""]
    assert [plain(line) for line in text_layout.fit_rows(lines, 2, "more")] == ["a", "more"]


@pytest.mark.parametrize(
    ("text", "size", "lines"),
    [
        ("one two three", 8, ["one two", "  three"]),
        ("one two three", 99, ["one two three"]),
        ("  one two", 6, ["  one", "  two"]),
        ("abcdefghij", 6, ["abcdef", "  ghij"]),
        ("a abcdefghij", 6, ["a", "  abcd", "  efgh", "  ij"]),
        ("漢字漢字", 7, ["漢字漢", "  字"]),
        ("漢字漢字", 5, ["漢字", "漢字"]),
        ("two  spaces", 99, ["two  spaces"]),
        ("it was 86 %.", 9, ["it was", "  86 %."]),
        ("", 5, [""]),
    ],
)
def test_text_is_broken_between_words_and_later_lines_are_indented(text, size, lines):
    assert [plain(line) for line in wrap(text, size, "", "  ")] == lines


@pytest.mark.parametrize("seed", range(20))
def test_no_broken_line_is_too_wide_and_nothing_is_lost(seed):
    lot = Random(seed)
    text = "".join(lot.choice("ab 漢\u0301\x1b é") for _ in range(200))
    for size in (2, 3, 7, 20, 80):
        lines = [plain(line) for line in wrap(text, size, "", "  ")]
        assert max(map(columns, lines)) <= size
        assert "".join("".join(lines).split()) == "".join(text.replace("\x1b", "").split())


@pytest.mark.parametrize(
    ("size", "rows", "lines"),
    [
        (99, 2, ["Ada  has claimed D1"]),
        (12, 2, ["Ada  has ", "claimed D1"]),
        (12, 1, ["Ada  has cl>"]),
        (8, 2, ["Ada  ", "has cla>"]),
    ],
)
def test_a_styled_line_is_broken_between_words_and_says_if_it_is_cut(size, rows, lines):
    line = [Fragment("class:chip", "Ada"), Fragment("", "  "), Fragment("class:strong", "has claimed D1")]
    assert [plain(found) for found in text_layout.break_line(line, size, rows, ">")] == lines
