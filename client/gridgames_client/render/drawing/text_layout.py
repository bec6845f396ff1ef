"""Styled text: fragments, lines of them, and the little arithmetic of columns that drawing needs."""

from dataclasses import dataclass
from functools import lru_cache
from typing import NamedTuple

from gridgames_protocol import text as foreign
from gridgames_protocol.text import harmless

Target = tuple[str, int]  # what a click means: ("cell", 7), ("row", 2), ("key", 0)


class Fragment(NamedTuple):
    """A piece of text in one style; a click on it may mean something."""

    style: str
    text: str
    target: Target | None = None


Line = list[Fragment]


@dataclass(frozen=True, slots=True)
class Glyphs:
    """The characters that boards and screens are drawn with, each one column wide."""

    across: str
    down: str
    corners: tuple[str, str, str]  # of a board's top edge, left to right
    joints: tuple[str, str, str]
    feet: tuple[str, str, str]
    cursor: tuple[str, str]
    pointer: str
    turn: str
    dot: str
    star: str
    block: str
    more: str
    shade: str  # fills a cell that is ruled out
    bars: str  # from the lowest to the highest; none where there are no such signs


LINES = Glyphs(
    "─", "│", ("┌", "┬", "┐"), ("├", "┼", "┤"), ("└", "┴", "┘"), ("▐", "▌"), "▸", "▶", "·", "★", "█", "…",
    shade="░", bars="▁▂▃▄▅▆▇█",
)  # fmt: skip
ASCII = Glyphs(
    "-", "|", ("+", "+", "+"), ("+", "+", "+"), ("+", "+", "+"), ("[", "]"), ">", ">", "-", "*", "#", "~",
    shade=".", bars="",
)  # fmt: skip


@lru_cache(maxsize=4_096)  # the same words are measured at every drawing
def columns(text: str) -> int:
    """How many columns a text takes."""
    return foreign.columns(text)


def width(line: Line) -> int:
    """How many columns a line takes."""
    return sum(columns(fragment.text) for fragment in line)


def plain(line: Line) -> str:
    """A line without its styles."""
    return "".join(fragment.text for fragment in line)


def say(text: str, style: str = "") -> Line:
    """Text, in one style, with nothing in it that could do more than stand there."""
    return [Fragment(style, harmless(text))]


def blank(size: int) -> Fragment:
    """So many empty columns."""
    return Fragment("", " " * size)


def indented(lines: list[Line], by: int) -> list[Line]:
    """Lines that begin so many columns further right."""
    return [[blank(by), *line] for line in lines]


def clipped(text: str, size: int) -> str:
    """As much of the text as fits in so many columns."""
    if columns(text) <= size:
        return text
    taken = 0
    for place, char in enumerate(text):
        taken += columns(char)
        if taken > size:
            return text[:place]
    return text


def cut(text: str, size: int, more: str) -> str:
    """The text, or as much of it as fits in so many columns with a sign that there is more."""
    return text if columns(text) <= size else clipped(clipped(text, size - columns(more)) + more, size)


def filled(text: str, size: int, more: str) -> str:
    """Foreign text in exactly so many columns."""
    text = cut(harmless(text), size, more)
    return text + " " * (size - columns(text))


def cut_line(line: Line, size: int) -> Line:
    """A line that takes no more than so many columns."""
    kept: Line = []
    for fragment in line:
        taken = columns(fragment.text)
        if taken > size:
            return [*kept, fragment._replace(text=clipped(fragment.text, size))] if size > 0 else kept
        kept.append(fragment)
        size -= taken
    return kept


def padded(line: Line, size: int) -> Line:
    """A line that takes exactly so many columns."""
    line = cut_line(line, size)
    return [*line, blank(size - width(line))]


def spread(left: Line, right: Line, size: int) -> Line:
    """One thing at the left edge and one at the right; the right one stays away where both have no room."""
    gap = size - width(left) - width(right)
    return cut_line(left, size) if gap < 1 else [*left, blank(gap), *right]


def beside(left: list[Line], right: list[Line], size: int) -> list[Line]:
    """Two columns of lines, the left one so many columns wide."""
    height = max(len(left), len(right))
    left, right = left + [[]] * (height - len(left)), right + [[]] * (height - len(right))
    return [[*padded(one, size), *two] for one, two in zip(left, right, strict=True)]


def tall(lines: list[Line], rows: int, more: str = "") -> list[Line]:
    """Exactly so many lines; where some are left out, the last one says so."""
    if len(lines) > rows and more and rows > 0:
        return [*lines[: rows - 1], say(more, "class:quiet")]
    return lines[:rows] + [[]] * (rows - len(lines))


def wrapped(text: str, size: int, style: str = "", indent: str = "") -> list[Line]:
    """Text in lines of at most so many columns, broken between words; later lines are indented."""
    text = harmless(text)
    words = text.lstrip(" ")
    lead, indent = (space if len(space) < size // 2 else "" for space in (text[: len(text) - len(words)], indent))
    lines, current = [], lead
    for word in words.split(" "):
        joined = f"{current} {word}" if current.strip() else current + word
        if columns(joined) > size and current.strip():
            lines.append(current)
            joined = indent + word
        while columns(joined) > size and (head := clipped(joined, size)).strip():
            lines.append(head)  # a word wider than the line is broken where it must be
            joined = indent + joined[len(head) :]
        current = joined
    return [[Fragment(style, clipped(line, size))] for line in [*lines, current]]
