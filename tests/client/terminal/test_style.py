"""The palettes: what is written can be read, in every theme and on every kind of terminal."""

import pytest
from prompt_toolkit.output import ColorDepth

from gridgames_client.terminal.style import (
    BLOCKS,
    TEXT,
    choose_depth,
    choose_palette,
    choose_theme,
    find_nearest_256,
    find_rgb,
    make_style,
)
from tests.client.contrast import LEAST, contrast
from tests.screen_svg import SIXTEEN

DEPTHS = (ColorDepth.DEPTH_24_BIT, ColorDepth.DEPTH_8_BIT)
THEMES = ("dark", "light", "high-contrast")
# What is written on which ground, beside the pairs of text and blocks.
PAIRS = {
    "hidden_text": ["hidden"],
    "legal_text": ["legal"],
    "possible_text": ["possible"],
    "maybe_text": ["maybe", "maybe_old0", "maybe_old1", "maybe_old2", "maybe_old3"],
    "out_text": ["out"],
    "known_text": ["known1", "known2", "known3", "known4", "known5"],
    "seat1_text": ["seat1", "seat1_old0", "seat1_old1", "seat1_old2", "seat1_old3"],
    "seat2_text": ["seat2", "seat2_old0", "seat2_old1", "seat2_old2", "seat2_old3"],
    "seat1_dim_text": ["seat1_dim"],
    "seat2_dim_text": ["seat2_dim"],
    "seat1_ink": ["page", "panel", "out", "token"],
    "seat2_ink": ["page", "panel", "out", "token"],
    "gem": ["goal"],
    "gem_light": ["goal"],
    "gold_text": ["gold"],
    "cursor_text": ["cursor"],
    "glow_text": ["glow"],
    "cursor": ["page"],
    "field_text": ["field"],
}


def pairs() -> list[tuple[str, str]]:
    """Every ink with every ground that it is written on."""
    found = [(ink, ground) for ink, grounds in PAIRS.items() for ground in grounds]
    quiet = {"rule", "field_quiet"}  # a line is no text; a suggestion stands on the input line
    found += [(words.split()[0], ground) for words in TEXT.values() for ground in ("page", "panel")]
    found += [(words.split()[0], words.split()[1]) for words in BLOCKS.values()]
    return sorted({pair for pair in found if pair[0] not in quiet} | {("field_quiet", "field")})


@pytest.mark.parametrize("depth", DEPTHS)
@pytest.mark.parametrize("theme", THEMES)
def test_everything_that_is_written_can_be_read(theme, depth):
    palette = choose_palette(theme, depth)
    ratios = {f"{ink} on {ground}": round(contrast(palette[ink], palette[ground]), 2) for ink, ground in pairs()}
    assert {pair: ratio for pair, ratio in ratios.items() if ratio < LEAST} == {}


@pytest.mark.parametrize(
    ("theme", "ink_of_page", "page"), [("16", "#e5e5e5", "#000000"), ("16-light", "#000000", "#ffffff")]
)
def test_of_the_sixteen_colours_all_can_be_read_on_a_dark_or_a_light_page(theme, ink_of_page, page):
    palette = choose_palette(theme, ColorDepth.DEPTH_4_BIT)
    ratios = {
        f"{ink} on {ground}": contrast(SIXTEEN.get(palette[ink], ink_of_page), SIXTEEN.get(palette[ground], page))
        for ink, ground in pairs()
    }
    assert {pair: round(ratio, 2) for pair, ratio in ratios.items() if ratio < LEAST} == {}


def test_the_page_stays_the_terminals_own_in_sixteen_colours():
    palette = choose_palette("16", ColorDepth.DEPTH_4_BIT)
    assert [palette[name] for name in ("page", "panel", "text")] == [""] * 3
    assert choose_palette("dark", ColorDepth.DEPTH_4_BIT) == palette


def test_every_theme_knows_every_colour():
    known = {frozenset(choose_palette(theme, ColorDepth.DEPTH_24_BIT)) for theme in (*THEMES, "16", "16-light")}
    assert len(known) == 1


def test_the_two_seats_have_colours_of_their_own():
    for theme in THEMES:
        attrs = [make_style(theme).get_attrs_for_style_str(f"class:chip{seat}") for seat in (1, 2)]
        assert attrs[0].bgcolor != attrs[1].bgcolor


@pytest.mark.parametrize(
    ("setting", "environ", "theme"),
    [
        ("auto", {}, "dark"),
        ("auto", {"COLORFGBG": "15;0"}, "dark"),
        ("auto", {"COLORFGBG": "0;15"}, "light"),
        ("auto", {"COLORFGBG": "0;default;7"}, "light"),
        ("dark", {"COLORFGBG": "0;15"}, "dark"),
        ("high-contrast", {}, "high-contrast"),
        ("16", {}, "16"),
        ("16", {"COLORFGBG": "0;15"}, "16-light"),
    ],
)
def test_a_theme_is_chosen_by_the_player_or_by_the_terminals_page(setting, environ, theme):
    assert choose_theme(setting, environ) == theme


def test_what_the_terminal_answers_counts_more_than_its_environment():
    assert choose_theme("auto", {"COLORFGBG": "15;0"}, "#fdf6e3") == "light"
    assert choose_theme("auto", {"COLORFGBG": "0;15"}, "#002b36") == "dark"
    assert choose_theme("16", {}, "#ffffff") == "16-light"
    assert choose_theme("dark", {}, "#ffffff") == "dark"


@pytest.mark.parametrize(
    ("environ", "depth"),
    [
        ({}, None),
        ({"COLORTERM": "truecolor"}, ColorDepth.DEPTH_24_BIT),
        ({"COLORTERM": "24bit"}, ColorDepth.DEPTH_24_BIT),
        ({"COLORTERM": "truecolor", "NO_COLOR": "1"}, None),
        ({"COLORTERM": "truecolor", "PROMPT_TOOLKIT_COLOR_DEPTH": "DEPTH_4_BIT"}, None),
    ],
)
def test_true_colour_is_used_where_the_terminal_says_so(environ, depth):
    assert choose_depth(environ) == depth


def test_the_nearest_of_the_256_colours_is_nearer_than_every_other():
    for colour in (f"#{number * 99_991 % 2**24:06x}" for number in range(200)):
        red, green, blue = split_rgb(colour)
        distances = {}
        for number in range(16, 256):
            r, g, b = split_rgb(find_rgb(number))
            mean = (red + r) / 2
            distances[number] = (
                (2 + mean / 256) * (red - r) ** 2 + 4 * (green - g) ** 2 + (2 + (255 - mean) / 256) * (blue - b) ** 2
            )
        assert distances[find_nearest_256(colour)] == min(distances.values())


def split_rgb(colour):
    return tuple(int(colour[at : at + 2], 16) for at in (1, 3, 5))
