"""Foreign text made harmless, tried with every character there is."""

import sys
import unicodedata

import pytest

from gridgames_protocol.safe_text import BLANK, columns, harmless, is_harmless

EVERY = "".join(map(chr, range(sys.maxunicode + 1)))
# What Python calls printable, spaces of all widths included, and what fonts do draw.
FINE = "".join(c for c in EVERY if (c.isprintable() or unicodedata.category(c) == "Zs") and c not in BLANK)


def test_every_character_alone():
    assert "".join(char for char in EVERY if is_harmless(char)) == FINE
    assert "".join(map(harmless, EVERY)) == FINE


def test_every_character_after_a_letter():
    assert "".join(char for char in EVERY if is_harmless("a" + char)) == FINE
    assert harmless("a" + "a".join(EVERY)).replace("a", "") == FINE.replace("a", "")


HARMFUL = [
    ("\x1b[31mred\x1b[0m", "[31mred[0m"),  # an escape sequence
    ("\x9b31mred", "31mred"),  # the same in one byte of C1
    ("ding\x07", "ding"),
    ("two\nlines\r", "twolines"),
    ("tab\tbed", "tabbed"),
    ("nul\x00", "nul"),
    ("del\x7f", "del"),
    ("abc\u202edef\u202c", "abcdef"),  # right to left
    ("\u2066abc\u2069", "abc"),
    ("an\u200bn", "ann"),  # a space of no width
    ("an\u200dn", "ann"),
    ("\ufeffann", "ann"),
    ("an\u00adn", "ann"),
    ("ann\u2028", "ann"),
    ("ann\u2029", "ann"),
    ("\ue000ann", "ann"),  # private
    ("\ud800ann", "ann"),  # half of a pair
    ("\U000e0041ann", "ann"),  # a tag
    ("ann\u3164", "ann"),  # a filler
    ("ann\u034f", "ann"),
    ("ann\ufe0f", "ann"),  # a variation selector
    ("ann\U000e0100", "ann"),
    ("ann\u180b", "ann"),
]


@pytest.mark.parametrize(("text", "left"), HARMFUL)
def test_what_could_do_more_than_stand_in_its_place_is_taken_out(text, left):
    assert not is_harmless(text)
    assert harmless(text) == left
    assert is_harmless(left)


@pytest.mark.parametrize(
    "text", ["", "ann", "a b-c_d.e", "Zoë", "Zoe\u0308", "王小明", "हिन्दी", "한글", "😀", "a\u00a0b"]
)
def test_names_of_the_world_stay_as_they_are(text):
    assert is_harmless(text)
    assert harmless(text) == text


@pytest.mark.parametrize(
    ("text", "width"),
    [
        ("", 0),
        ("ann", 3),
        ("Zoë", 3),
        ("Zoe\u0308", 3),  # the dots as a mark of their own
        ("e\u20dd", 1),  # a ring around it
        ("王小明", 6),
        ("ｆｕｌｌ", 8),
        ("ﾊﾝ", 2),  # half width
        ("한글", 4),
        ("\u1112\u1161\u11ab", 2),  # one syllable in three letters
        ("कि", 1),  # a letter and its vowel sign
        ("ไทย", 3),
        ("สี่", 1),
        ("שלום", 4),
        ("😀", 2),
        ("●", 1),
        ("é\u0301\u0301", 1),
    ],
)
def test_a_text_takes_so_many_columns(text, width):
    assert columns(text) == width


def test_no_character_takes_more_than_two_columns():
    assert set(map(columns, FINE)) == {0, 1, 2}


def test_columns_add_up():
    for char in FINE[::7]:
        assert columns("a" + char + "王") == 1 + columns(char) + 2, hex(ord(char))
