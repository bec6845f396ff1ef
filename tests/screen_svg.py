"""Screens as SVG. Blocks and lines are drawn as shapes, so that a picture looks the same with every font."""

from collections.abc import Iterator
from functools import lru_cache
from html import escape
from typing import NamedTuple

from prompt_toolkit.output import ColorDepth

from gridgames_client.render.drawing.text_layout import Line
from gridgames_client.terminal.style import Theme, choose_palette, make_style
from gridgames_protocol.safe_text import columns

WIDE, HIGH, MARGIN, SIZE = 9, 18, 12, 15  # pixels of a column and a row, around the screen, of the letters
BASE = 14  # pixels from a row's top to the letters' feet
SIXTEEN = {
    "ansiblack": "#000000", "ansired": "#cd0000", "ansigreen": "#00cd00", "ansiyellow": "#cdcd00",
    "ansiblue": "#0000ee", "ansimagenta": "#cd00cd", "ansicyan": "#00cdcd", "ansigray": "#e5e5e5",
    "ansibrightblack": "#7f7f7f", "ansibrightred": "#ff0000", "ansibrightgreen": "#00ff00",
    "ansibrightyellow": "#ffff00", "ansibrightblue": "#5c5cff", "ansibrightmagenta": "#ff00ff",
    "ansibrightcyan": "#00ffff", "ansiwhite": "#ffffff",
}  # fmt: skip
# The quarters of a cell that a block fills: 1 and 2 above, 4 and 8 below.
QUARTERS = {"▘": 1, "▝": 2, "▀": 3, "▖": 4, "▌": 5, "▞": 6, "▛": 7, "▗": 8, "▚": 9, "▐": 10, "▜": 11, "▄": 12,
            "▙": 13, "▟": 14, "█": 15}  # fmt: skip
LOWER, LEFT = "▁▂▃▄▅▆▇█", "▏▎▍▌▋▊▉█"
# How thick a line leaves the middle of a cell: right, up, left, down.
STROKES = {
    "─": "1010", "│": "0101", "┌": "1001", "┐": "0011", "└": "1100", "┘": "0110", "├": "1101", "┤": "0111",
    "┬": "1011", "┴": "1110", "┼": "1111", "━": "2020", "┃": "0202", "┏": "2002", "┓": "0022", "┗": "2200",
    "┛": "0220", "┣": "2202", "┫": "0222", "┳": "2022", "┻": "2220", "╋": "2222", "╺": "2000", "╹": "0200",
    "╸": "0020", "╻": "0002",
}  # fmt: skip


class Look(NamedTuple):
    """How letters look: their colour, the ground's, and whether they are bold."""

    ink: str
    ground: str
    bold: bool


class Screen(NamedTuple):
    """A screen's lines, and the colours that they are drawn in."""

    lines: list[Line]
    columns: int
    theme: Theme = "dark"
    depth: ColorDepth = ColorDepth.DEPTH_24_BIT


@lru_cache(maxsize=2_048)
def look(style: str, theme: Theme, depth: ColorDepth) -> Look:
    """The look of a fragment's style."""
    attrs = make_style(theme, depth).get_attrs_for_style_str(f"class:page {style}")
    own = ("#000000", "#ffffff") if theme.endswith("light") else ("#e5e5e5", "#000000")  # the terminal's own colours
    ink, ground = _hex(attrs.color or "", own[0]), _hex(attrs.bgcolor or "", own[1])
    if attrs.reverse:
        ink, ground = ground, ink
    return Look(ink, ground, bool(attrs.bold))


def _hex(colour: str, default: str) -> str:
    if not colour or colour == "default":
        return default
    return SIXTEEN.get(colour, f"#{colour}" if not colour.startswith("#") else colour)


def page_colour(screen: Screen) -> str:
    """The colour behind everything."""
    return choose_palette(screen.theme, screen.depth)["page"] or look("", screen.theme, screen.depth).ground


def characters(screen: Screen, line: Line) -> Iterator[tuple[int, str, Look]]:
    """Each character of a line with its column."""
    x = 0
    for fragment in line:
        how = look(fragment.style, screen.theme, screen.depth)
        for char in fragment.text:
            yield x, char, how
            x += columns(char)


def draw(screen: Screen) -> str:
    """The inside of a picture of a screen."""
    grounds, blocks, words = [], [], []
    page = page_colour(screen)
    for row, line in enumerate(screen.lines):
        found = list(characters(screen, line))
        grounds += _grounds(found, row, page)
        blocks += [shape for x, char, how in found for shape in _shapes(char, x * WIDE, row * HIGH, how.ink)]
        words += _words(found, row)
    return f'<g shape-rendering="crispEdges">{"".join(_merge(grounds + blocks))}</g>\n{"".join(words)}\n'


Rect = tuple[float, float, float, float, str]


def _grounds(found: list[tuple[int, str, Look]], row: int, page: str) -> list[Rect]:
    """The coloured grounds of a line."""
    return [
        (x * WIDE, row * HIGH, columns(char) * WIDE, HIGH, how.ground) for x, char, how in found if how.ground != page
    ]


def _merge(rects: list[Rect]) -> list[str]:
    """Rectangles side by side as one, which makes a picture smaller by far."""
    joined: list[Rect] = []
    for x, y, wide, high, colour in rects:
        before = joined[-1] if joined else (0, -1, 0, 0, "")
        if (before[0] + before[2], *before[1::2], before[4]) == (x, y, high, colour):
            joined[-1] = (before[0], y, before[2] + wide, high, colour)
        else:
            joined.append((x, y, wide, high, colour))
    return [f'<rect x="{x:g}" y="{y:g}" width="{w:g}" height="{h:g}" fill="{c}"/>' for x, y, w, h, c in joined]


def _shapes(char: str, x: int, y: int, ink: str) -> list[Rect]:
    """A block or a line as rectangles; nothing for a letter."""
    half_wide, half_high = WIDE / 2, HIGH / 2
    if char in QUARTERS:
        part = QUARTERS[char]
        if part == 15:
            return [(x, y, WIDE, HIGH, ink)]
        if part in (3, 12):
            return [(x, y + (half_high if part == 12 else 0), WIDE, half_high, ink)]
        return [
            (x + bit % 2 * half_wide, y + bit // 2 * half_high, half_wide, half_high, ink)
            for bit in range(4)
            if part >> bit & 1
        ]
    if char in LOWER:
        high = HIGH * (LOWER.index(char) + 1) / 8
        return [(x, y + HIGH - high, WIDE, high, ink)]
    if char in LEFT:
        return [(x, y, WIDE * (LEFT.index(char) + 1) / 8, HIGH, ink)]
    if char in STROKES:
        return _strokes(STROKES[char], x, y, ink)
    return []


def _strokes(thick: str, x: int, y: int, ink: str) -> list[Rect]:
    right, up, left, down = (int(part) for part in thick)
    middle_x, middle_y = x + WIDE // 2, y + HIGH // 2
    found: list[Rect] = []
    if left:
        found.append((x, middle_y - left // 2, WIDE // 2 + 1, left, ink))
    if right:
        found.append((middle_x, middle_y - right // 2, WIDE - WIDE // 2, right, ink))
    if up:
        found.append((middle_x - up // 2, y, up, HIGH // 2, ink))
    if down:
        found.append((middle_x - down // 2, middle_y - down // 2, down, HIGH - HIGH // 2 + down // 2, ink))
    return found


def is_shape(char: str) -> bool:
    """True for a character that is drawn, not written."""
    return char in QUARTERS or char in LOWER or char in LEFT or char in STROKES


def _words(found: list[tuple[int, str, Look]], row: int) -> list[str]:
    """The letters of a line, in runs that look alike."""
    runs: list[tuple[int, str, Look]] = []
    for x, char, how in found:
        if is_shape(char):
            char = " "
        if runs and runs[-1][2] == how and runs[-1][0] + columns(runs[-1][1]) == x:
            before = runs.pop()
            runs.append((before[0], before[1] + char, how))
        else:
            runs.append((x, char, how))
    return [text for run in runs for text in _texts(*run, row)]


def _texts(x: int, text: str, how: Look, row: int) -> Iterator[str]:
    """A run of letters; every word apart, so that its columns stay straight in any font."""
    column = x
    for word in text.split(" "):
        if word:
            bold = ' font-weight="bold"' if how.bold else ""
            yield (
                f'<text x="{column * WIDE}" y="{row * HIGH + BASE}" textLength="{columns(word) * WIDE}"'
                f' fill="{how.ink}"{bold}>{escape(word)}</text>'
            )
        column += columns(word) + 1


def picture(screen: Screen, title: str) -> str:
    """A screen as SVG."""
    return _wrap(screen, title, draw(screen))


def movie(screens: list[Screen], title: str, seconds: float) -> str:
    """Screens of one size, one after the other for so many seconds each, again and again."""
    share = 100 / len(screens)
    rules = (
        f".f{{visibility:hidden;animation:f {seconds * len(screens):g}s steps(1) infinite}}"
        f"@keyframes f{{0%{{visibility:visible}}{share:.4g}%{{visibility:hidden}}}}"
    )
    frames = "".join(
        f'<g class="f" style="animation-delay:{number * seconds:g}s">\n{draw(screen)}</g>\n'
        for number, screen in enumerate(screens)
    )
    return _wrap(screens[0], title, f"<style>{rules}</style>\n{frames}")


def _wrap(screen: Screen, title: str, inside: str) -> str:
    """What stands around the drawing of a screen."""
    width, height = screen.columns * WIDE + 2 * MARGIN, len(screen.lines) * HIGH + 2 * MARGIN
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" height="{height}"'
        f' font-family="DejaVu Sans Mono, Menlo, Consolas, monospace" font-size="{SIZE}" xml:space="preserve">\n'
        f"<title>{escape(title)}</title>\n"
        f'<rect width="{width}" height="{height}" rx="8" fill="{page_colour(screen)}"/>\n'
        f'<g transform="translate({MARGIN},{MARGIN})">\n{inside}</g>\n</svg>\n'
    )
