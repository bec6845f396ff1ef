"""Roles and their colours. Colour is never the only sign: what it tells is also told by a letter, a mark or a shape.

A palette gives every colour a value for true colour, for 256 colours and for the terminal's own sixteen. A style has
three kinds of classes: `ink.X` writes in a colour, `ground.X` is a colour behind, any other one is a role of text.
"""

from collections.abc import Mapping
from functools import lru_cache
from itertools import chain
from typing import Literal

from prompt_toolkit.output import ColorDepth
from prompt_toolkit.styles import Style

Theme = Literal["dark", "light", "high-contrast", "16", "16-light"]
Palette = Mapping[str, str]

DARK: dict[str, str] = {
    "page": "#0f121a", "panel": "#171c27", "field": "#222a39", "rule": "#333d50", "track": "#222a39",
    "text": "#dfe5ef", "quiet": "#93a0b5", "strong": "#ffffff", "field_text": "#ffffff", "field_quiet": "#a3afc3",
    "hidden": "#2c3547", "hidden_text": "#aab6ca", "legal": "#43536d", "legal_text": "#ffffff",
    "possible": "#ecb93a", "possible_text": "#2a1e00", "maybe": "#8a6818", "maybe_text": "#ffffff",
    "out": "#181d28", "out_text": "#8490a5", "known1": "#38445b", "known5": "#5d7094", "known_text": "#ffffff",
    "seat1": "#1f63b0", "seat1_text": "#ffffff", "seat1_dim": "#1b3558", "seat1_dim_text": "#b4d5fb",
    "seat1_ink": "#7fb9ff",
    "seat2": "#ad3560", "seat2_text": "#ffffff", "seat2_dim": "#4b2236", "seat2_dim_text": "#fbbdd0",
    "seat2_ink": "#ff93b3",
    "goal": "#3b3110", "gem": "#ffd257", "gem_light": "#fff1c2", "gold": "#ffd257", "gold_text": "#221a00",
    "gold_ink": "#ffd257", "token": "#2c3547", "seat1_faded": "#1b3558", "seat2_faded": "#4b2236",
    "cursor": "#fff6d6", "cursor_text": "#0f121a", "glow": "#fff1c2", "glow_text": "#0f121a", "dusk": "#3b3219",
    "good": "#7fd69a", "bad": "#ff8f7a", "calm": "#93a0b5",
}  # fmt: skip
LIGHT: dict[str, str] = {
    "page": "#faf7f0", "panel": "#f0ebdf", "field": "#e2dbc9", "rule": "#c9bfa8", "track": "#ddd4bf",
    "text": "#2b2a27", "quiet": "#665f52", "strong": "#000000", "field_text": "#000000", "field_quiet": "#5a5447",
    "hidden": "#d3cbb9", "hidden_text": "#4a463d", "legal": "#bfe0c8", "legal_text": "#123d1f",
    "possible": "#ffc93c", "possible_text": "#3d2c00", "maybe": "#ffe299", "maybe_text": "#3d2c00",
    "out": "#f1ece1", "out_text": "#6d6657", "known1": "#cfc6b2", "known5": "#a89b7d", "known_text": "#14110a",
    "seat1": "#1f63b0", "seat1_text": "#ffffff", "seat1_dim": "#c9dff5", "seat1_dim_text": "#123f73",
    "seat1_ink": "#17549a",
    "seat2": "#a82f5a", "seat2_text": "#ffffff", "seat2_dim": "#f6d2de", "seat2_dim_text": "#77193a",
    "seat2_ink": "#9a2750",
    "goal": "#fff0b8", "gem": "#8f5c00", "gem_light": "#6b4400", "gold": "#8a6200", "gold_text": "#ffffff",
    "gold_ink": "#8a6200", "token": "#d3cbb9", "seat1_faded": "#5b6b80", "seat2_faded": "#805b69",
    "cursor": "#111111", "cursor_text": "#faf7f0", "glow": "#3d2c00", "glow_text": "#fff0b8", "dusk": "#fbeec6",
    "good": "#1c6b37", "bad": "#a92a15", "calm": "#665f52",
}  # fmt: skip
CONTRAST: dict[str, str] = DARK | {
    "page": "#000000", "panel": "#000000", "field": "#1c1c1c", "rule": "#808080", "track": "#303030",
    "text": "#ffffff", "quiet": "#d0d0d0", "field_quiet": "#e0e0e0", "hidden": "#303030", "hidden_text": "#ffffff",
    "legal": "#005f00", "possible": "#ffd700", "possible_text": "#000000", "maybe": "#6b4e00", "out": "#000000",
    "out_text": "#c0c0c0", "known1": "#2b3a55", "known5": "#44567a", "seat1": "#0050c8", "seat1_dim": "#001f5c",
    "seat1_dim_text": "#d7e8ff", "seat1_ink": "#9fd0ff", "seat2": "#a8004f", "seat2_dim": "#4d0026",
    "seat2_dim_text": "#ffd9e6", "seat2_ink": "#ffb0c8", "goal": "#000000", "gem": "#ffd700", "gold": "#ffd700",
    "gold_text": "#000000", "gold_ink": "#ffd700", "token": "#303030", "seat1_faded": "#001f5c",
    "seat2_faded": "#4d0026", "cursor": "#ffffff", "cursor_text": "#000000", "good": "#8cff9f", "bad": "#ff9c8a",
    "calm": "#d0d0d0",
}  # fmt: skip
# The nearest of the 256 colours is not always the best one beside its neighbours.
BY_HAND = {
    "dark": {
        "seat1_dim": 17, "seat2": 125, "seat2_dim": 52, "goal": 58, "quiet": 247, "hidden_text": 250,
        "field_quiet": 250, "out_text": 246, "known1": 238, "possible": 214, "page": 233, "panel": 234, "out": 234,
        "field": 236, "track": 236, "hidden": 237, "legal": 240, "maybe": 94, "known5": 60,
    },
}  # fmt: skip
# Only pairs of the sixteen colours that are readable in any colour scheme. The background stays the terminal's.
SIXTEEN: dict[str, str] = {
    "page": "", "panel": "", "field": "ansigray", "rule": "ansibrightblack", "track": "ansibrightblack",
    "text": "", "quiet": "", "strong": "", "field_text": "ansiblack", "field_quiet": "ansiblack",
    "hidden": "ansibrightblack", "hidden_text": "ansiblack", "legal": "ansigreen", "legal_text": "ansiblack",
    "possible": "ansiyellow", "possible_text": "ansiblack", "maybe": "ansiyellow", "maybe_text": "ansiblack",
    "out": "ansiblack", "out_text": "ansigray", "known1": "ansicyan", "known5": "ansicyan", "known_text": "ansiblack",
    "seat1": "ansiblue", "seat1_text": "ansiwhite", "seat1_dim": "ansiblue", "seat1_dim_text": "ansiwhite",
    "seat1_ink": "ansibrightcyan",
    "seat2": "ansimagenta", "seat2_text": "ansiwhite", "seat2_dim": "ansimagenta", "seat2_dim_text": "ansiwhite",
    "seat2_ink": "ansibrightmagenta",
    "goal": "ansiblack", "gem": "ansibrightyellow", "gem_light": "ansiwhite", "gold": "ansibrightyellow",
    "gold_text": "ansiblack", "cursor": "ansiwhite", "cursor_text": "ansiblack", "glow": "ansiwhite",
    "glow_text": "ansiblack", "dusk": "ansiyellow", "good": "ansibrightgreen", "bad": "ansibrightred",
    "gold_ink": "ansibrightyellow", "token": "ansiblack", "seat1_faded": "ansiblue", "seat2_faded": "ansimagenta",
    "calm": "ansigray",
}  # fmt: skip
SIXTEEN_LIGHT: dict[str, str] = SIXTEEN | {
    "track": "ansigray", "hidden": "ansigray", "seat1_ink": "ansiblue", "seat2_ink": "ansimagenta", "gold_ink": "",
    "gold": "ansiyellow", "cursor": "ansiblack", "cursor_text": "ansiwhite", "glow": "ansiblack",
    "glow_text": "ansiwhite", "good": "", "bad": "ansired", "out": "ansiwhite", "out_text": "ansiblack",
    "token": "ansiwhite", "calm": "ansiblack",
}  # fmt: skip

# Text by its role: ink and attributes.
TEXT: dict[str, str] = {
    "title": "strong bold", "heading": "quiet bold", "quiet": "quiet", "rule": "rule", "grid": "quiet",
    "label": "quiet", "code": "gold_ink bold", "does": "quiet", "seat1": "seat1_ink bold", "seat2": "seat2_ink bold",
    "turn": "strong bold", "clock": "gold_ink bold", "prompt": "strong bold", "bad": "bad bold", "good": "good",
    "result": "strong bold", "hint": "gold_ink bold", "system": "quiet", "move": "text", "chat": "text", "fact": "text",
    "action": "strong bold", "bars": "gold_ink", "strong": "strong bold", "text": "text", "gold": "gold_ink bold",
    "calm": "calm bold", "auto-suggestion": "field_quiet",
}  # fmt: skip
# Text with a background: ink, ground and attributes.
BLOCKS: dict[str, str] = {
    "page": "text page", "field": "field_text field", "tip": "field_quiet field", "key": "field_text field bold",
    "chosen": "cursor_text cursor bold", "chip1": "seat1_text seat1 bold",
    "chip2": "seat2_text seat2 bold", "chip1.dim": "seat1_dim_text seat1_dim bold",
    "chip2.dim": "seat2_dim_text seat2_dim bold",
}  # fmt: skip
# Attributes of a board's cells without colours.
MARKS = {"bold": "bold", "news": "", "lit": "", "cursor": ""}
LIGHT_GROUNDS = ("7", "15")  # white among the sixteen colours
STEPS = (0.35, 0.5, 0.7, 0.9)  # how far a colour has faded, by its age


def mix(one: str, two: str, share: float) -> str:
    """A colour between two others."""
    pairs = ((int(one[at : at + 2], 16), int(two[at : at + 2], 16)) for at in (1, 3, 5))
    return "#" + "".join(f"{round(a + (b - a) * share):02x}" for a, b in pairs)


def add_mixed_colours(palette: Palette) -> dict[str, str]:
    """A palette with the mixed colours added."""
    found = dict(palette)
    mixed = palette["known1"].startswith("#")
    for heat in (2, 3, 4):
        ends = palette["known1"], palette["known5"]
        found[f"known{heat}"] = mix(*ends, (heat - 1) / 4) if mixed else ends[1]
    for name, end in (("maybe", "dusk"), ("seat1", "seat1_faded"), ("seat2", "seat2_faded")):
        for age, share in enumerate(STEPS):
            found[f"{name}_old{age}"] = mix(palette[name], palette[end], share * 0.7) if mixed else palette[name]
    return found


LEVELS = (0, 95, 135, 175, 215, 255)


def find_rgb(number: int) -> str:
    """The RGB value of one of the 256 colours; 16 and above."""
    return "#" + "".join(f"{part:02x}" for part in rgb_of_256(number))


def rgb_of_256(number: int) -> tuple[int, int, int]:
    """The red, green and blue of one of the 256 colours; 16 and above."""
    if number >= 232:
        grey = 8 + (number - 232) * 10
        return grey, grey, grey
    cube = number - 16
    return LEVELS[cube // 36], LEVELS[cube // 6 % 6], LEVELS[cube % 6]


@lru_cache(maxsize=512)
def find_nearest_256(colour: str) -> int:
    """The nearest of the 256 colours, as the eye sees it."""
    red, green, blue = (int(colour[at : at + 2], 16) for at in (1, 3, 5))

    def distance(number: int) -> float:
        r, g, b = rgb_of_256(number)
        mean = (red + r) / 2
        return (2 + mean / 256) * (red - r) ** 2 + 4 * (green - g) ** 2 + (2 + (255 - mean) / 256) * (blue - b) ** 2

    # For each red, the nearest green and the nearest blue make the nearest colour of the cube.
    cube = range(16 + 6 * nearest_level(green) + nearest_level(blue), 232, 36)
    greys = range(232, 256)
    return min(chain(cube, greys), key=distance)


def nearest_level(part: int) -> int:
    """The place of the nearest level."""
    return min(range(len(LEVELS)), key=lambda place: abs(LEVELS[place] - part))


PALETTES: dict[Theme, Palette] = {
    "dark": DARK,
    "light": LIGHT,
    "high-contrast": CONTRAST,
    "16": SIXTEEN,
    "16-light": SIXTEEN_LIGHT,
}


def choose_palette(theme: Theme, depth: ColorDepth) -> dict[str, str]:
    """The palette of a theme at a colour depth."""
    if depth is ColorDepth.DEPTH_4_BIT or theme.startswith("16"):
        return add_mixed_colours(SIXTEEN_LIGHT if theme.endswith("light") else SIXTEEN)
    found = add_mixed_colours(PALETTES[theme])
    if depth is ColorDepth.DEPTH_8_BIT:
        chosen = BY_HAND.get(theme, {})
        return {name: find_rgb(chosen.get(name, find_nearest_256(colour))) for name, colour in found.items()}
    return found


def choose_depth(environ: Mapping[str, str]) -> ColorDepth | None:
    """True colour if the terminal announces it; None leaves the choice to prompt_toolkit."""
    decided = environ.get("NO_COLOR") or environ.get("PROMPT_TOOLKIT_COLOR_DEPTH")
    return None if decided or environ.get("COLORTERM") not in ("truecolor", "24bit") else ColorDepth.DEPTH_24_BIT


def choose_theme(setting: str, environ: Mapping[str, str], page: str = "") -> Theme:
    """The theme that a player has set; else one that fits the terminal's page, as far as the terminal tells.

    The page is a colour such as #ffffff, or empty where the terminal has not answered.
    """
    if setting in PALETTES and setting != "16":
        return setting
    ground = environ.get("COLORFGBG", "").rpartition(";")[2]
    light = is_light(page) if page else ground in LIGHT_GROUNDS
    if setting == "16":
        return "16-light" if light else "16"
    return "light" if light else "dark"


def is_light(colour: str) -> bool:
    """True if dark text has more contrast on a colour than light text."""
    red, green, blue = (int(colour[at : at + 2], 16) for at in (1, 3, 5))
    return 0.299 * red + 0.587 * green + 0.114 * blue > 140


@lru_cache(maxsize=16)
def make_style(theme: Theme = "dark", depth: ColorDepth = ColorDepth.DEPTH_24_BIT) -> Style:
    """The style of the whole program."""
    return Style.from_dict(make_roles(choose_palette(theme, depth)))


def make_roles(palette: Palette) -> dict[str, str]:
    """The style of every class in a palette."""
    inks = {name: colour for name, colour in palette.items() if colour}
    # On the cursor: the page's colour can't be used as ink.
    inks = {"page": palette["out"], "panel": palette["out"]} | inks
    found = {f"ink.{name}": f"fg:{colour}" for name, colour in inks.items()}
    found |= {f"ground.{name}": f"bg:{colour}" for name, colour in palette.items() if colour}
    found |= {role: _spell_style(words.split(), palette) for role, words in TEXT.items()}
    found |= {role: _block_style(words.split(), palette) for role, words in BLOCKS.items()}
    return found | MARKS


def _spell_style(words: list[str], palette: Palette) -> str:
    ink, *rest = words
    return " ".join([f"fg:{palette[ink]}"] * bool(palette[ink]) + rest)


def _block_style(words: list[str], palette: Palette) -> str:
    ink, ground, *rest = words
    colours = [f"fg:{palette[ink]}"] * bool(palette[ink]) + [f"bg:{palette[ground]}"] * bool(palette[ground])
    return " ".join(colours + rest)
