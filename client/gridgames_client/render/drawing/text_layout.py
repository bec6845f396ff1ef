"""Styled text: fragments and lines, and how to measure, cut, pad and wrap them."""

import re
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import NamedTuple

from gridgames_protocol import safe_text as foreign
from gridgames_protocol.safe_text import harmless

Target = tuple[str, int]  # what a click means: ("cell", 7), ("row", 2), ("key", 0)


class Fragment(NamedTuple):
    """A piece of text in one style, with an optional click target."""

    style: str
    text: str
    target: Target | None = None


Line = list[Fragment]


@dataclass(frozen=True, slots=True)
class Glyphs:
    """The characters that boards and screens are drawn with, each one column wide."""

    across: str
    heavy: str  # the part of a rule that shows the clock
    down: str
    corners: tuple[str, str, str]  # of a board's top edge, left to right
    joints: tuple[str, str, str]
    feet: tuple[str, str, str]
    cursor: tuple[str, str]
    pointer: str
    turn: tuple[str, str]  # beside the player to move, on the left and on the right
    dot: str
    star: str
    block: str
    more: str
    shade: str  # fills a cell that is ruled out
    out: str  # stands in a tile that is ruled out
    legal: str
    bars: str  # from the lowest to the highest, lower than a row, so that rows do not touch; empty if there are none
    wire: str  # corners and lines of a wire, see `tiles/timeline.py`
    filled: bool = False  # tiles are filled with colour; else lines stand in the gaps


LINES = Glyphs(
    "─", "━", "│", ("┌", "┬", "┐"), ("├", "┼", "┤"), ("└", "┴", "┘"), ("▐", "▌"), "▸", ("▸", "◂"), "∙", "✓", "█", "›",
    shade="░", out="∙", legal="▪", bars="▁▂▃▄▅▆▇", wire="╺╹┗╸━┛┻╻┏┃┣┓┳┫╋",
)  # fmt: skip
TILES = replace(LINES, filled=True)
ASCII = Glyphs(
    "-", "=", "|", ("+", "+", "+"), ("+", "+", "+"), ("+", "+", "+"), ("[", "]"), ">", (">", "<"), "-", "*", "#", "~",
    shade=".", out=".", legal="o", bars="", wire="-|+--++|+|+++++",
)  # fmt: skip


@lru_cache(maxsize=4_096)  # every drawing measures the same words
def columns(text: str) -> int:
    """The columns of a text."""
    return foreign.columns(text)


def width(line: Line) -> int:
    """The columns of a line."""
    return sum([columns(fragment[1]) for fragment in line])


def plain(line: Line) -> str:
    """A line without its styles."""
    return "".join(fragment.text for fragment in line)


def say(text: str, style: str = "") -> Line:
    """Text in one style, without control characters."""
    return [Fragment(style, harmless(text))]


def find_target(lines: list[Line], target: Target) -> list[tuple[int, int]]:
    """The places of a click target, in reading order."""
    places: list[tuple[int, int]] = []
    for y, line in enumerate(lines):
        x = 0
        for fragment in line:
            size = columns(fragment.text)
            places += [(place, y) for place in range(x, x + size)] if fragment.target == target else []
            x += size
    return places


def find_middle(places: list[tuple[int, int]]) -> tuple[int, int]:
    """The place in the middle of a block of places."""
    rows = sorted({y for _, y in places})
    row = [place for place in places if place[1] == rows[len(rows) // 2]]
    return row[len(row) // 2]


def blank(size: int) -> Fragment:
    """A number of empty columns."""
    return Fragment("", " " * size)


def indent(lines: list[Line], by: int) -> list[Line]:
    """Lines moved right by a number of columns."""
    return [[blank(by), *line] for line in lines]


def clip(text: str, size: int) -> str:
    """The beginning of a text that fits in a number of columns."""
    if columns(text) <= size:
        return text
    taken = 0
    for place, char in enumerate(text):
        taken += columns(char)
        if taken > size:
            return text[:place]
    return text


def cut(text: str, size: int, more: str) -> str:
    """The text, or its beginning with a sign that it was cut."""
    return text if columns(text) <= size else clip(clip(text, size - columns(more)) + more, size)


def fit(text: str, size: int, more: str) -> str:
    """Text of others in exactly a number of columns."""
    text = cut(harmless(text), size, more)
    return text + " " * (size - columns(text))


def clip_line(line: Line, size: int) -> Line:
    """A line cut to a number of columns."""
    if width(line) <= size:
        return line
    kept: Line = []
    for fragment in line:
        taken = columns(fragment.text)
        if taken > size:
            return [*kept, fragment._replace(text=clip(fragment.text, size))] if size > 0 else kept
        kept.append(fragment)
        size -= taken
    return kept


def drop(line: Line, size: int) -> Line:
    """The rest of a line after a number of columns. Half a wide character becomes a space."""
    rest: Line = []
    for fragment in line:
        taken = columns(fragment.text)
        if size <= 0:
            rest.append(fragment)
        elif taken > size:
            head = clip(fragment.text, size)
            tail = fragment.text[len(head) :]
            if columns(head) < size:
                tail = " " * (columns(tail[0]) - 1) + tail[1:]
            rest.append(fragment._replace(text=tail))
        size -= taken
    return rest


def break_line(line: Line, size: int, rows: int, more: str) -> list[Line]:
    """A styled line broken between words into at most so many rows. A sign says that the rest did not fit."""
    found: list[Line] = []
    while width(line) > size and len(found) < rows - 1:
        head = clip(plain(line), size)
        at = columns(head[: head.rfind(" ") + 1]) or columns(head)
        found.append(clip_line(line, at))
        line = drop(line, at)
    if width(line) > size:
        line = [*clip_line(line, size - columns(more)), Fragment("class:quiet", more)]
    return [*found, line]


def pad(line: Line, size: int, style: str = "") -> Line:
    """A line cut or padded to a number of columns."""
    taken = width(line)
    if taken > size:
        line = clip_line(line, size)
        taken = width(line)
    return [*line, Fragment(style, " " * (size - taken))]


def spread(left: Line, right: Line, size: int) -> Line:
    """One line at the left edge and one at the right. The right one is left out if both do not fit."""
    gap = size - width(left) - width(right)
    return clip_line(left, size) if gap < 1 else [*left, blank(gap), *right]


def put_beside(left: list[Line], right: list[Line], size: int) -> list[Line]:
    """Two blocks of lines side by side."""
    height = max(len(left), len(right))
    left, right = left + [[]] * (height - len(left)), right + [[]] * (height - len(right))
    return [[*pad(one, size), *two] for one, two in zip(left, right, strict=True)]


def fit_rows(lines: list[Line], rows: int, more: str = "") -> list[Line]:
    """Exactly a number of lines. If some are left out, the last one says so."""
    if len(lines) > rows and more and rows > 0:
        return [*lines[: rows - 1], say(more, "class:quiet")]
    return lines[:rows] + [[]] * (rows - len(lines))


BREAK = re.compile(" (?!%)")  # where a line may be broken: "86 %" stays together


def wrap(text: str, size: int, style: str = "", hang: str = "") -> list[Line]:
    """Text in lines of at most so many columns, broken between words; later lines are indented."""
    text = harmless(text)
    words = text.lstrip(" ")
    lead, hang = (space if len(space) < size // 2 else "" for space in (text[: len(text) - len(words)], hang))
    lines, current = [], lead
    for word in BREAK.split(words):
        joined = f"{current} {word}" if current.strip() else current + word
        if columns(joined) > size and current.strip():
            lines.append(current)
            joined = hang + word
        while columns(joined) > size and (head := clip(joined, size)).strip():
            lines.append(head)  # a word that is wider than the line is broken
            joined = hang + joined[len(head) :]
        current = joined
    return [[Fragment(style, clip(line, size))] for line in [*lines, current]]
