"""Styled text: fragments, lines of them, and the little arithmetic of columns that drawing needs."""

from dataclasses import dataclass
from typing import NamedTuple

from gridgames_protocol.text import columns, harmless

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


LINES = Glyphs("─", "│", ("┌", "┬", "┐"), ("├", "┼", "┤"), ("└", "┴", "┘"), ("▐", "▌"), "▸", "▶", "·", "★", "█", "…")
ASCII = Glyphs("-", "|", ("+", "+", "+"), ("+", "+", "+"), ("+", "+", "+"), ("[", "]"), ">", ">", "-", "*", "#", "~")


def width(line: Line) -> int:
    """How many columns a line takes."""
    return sum(columns(fragment.text) for fragment in line)


def plain(line: Line) -> str:
    """A line without its styles."""
    return "".join(fragment.text for fragment in line)


def say(text: str, style: str = "") -> Line:
    """Text, in one style, with nothing in it that could do more than stand there."""
    return [Fragment(style, harmless(text))]


def cut(text: str, size: int, more: str = "…") -> str:
    """The text, or as much of it as fits in so many columns."""
    if columns(text) <= size:
        return text
    kept = ""
    for char in text:
        if columns(kept + char) >= size:
            break
        kept += char
    return kept + more if size > 0 else ""


def cut_line(line: Line, size: int) -> Line:
    """A line that takes no more than so many columns."""
    kept: Line = []
    for fragment in line:
        room = size - width(kept)
        if room <= 0:
            break
        text = fragment.text
        while columns(text) > room:
            text = text[:-1]
        kept.append(fragment._replace(text=text))
    return kept


def padded(line: Line, size: int) -> Line:
    """A line that takes exactly so many columns."""
    line = cut_line(line, size)
    return [*line, Fragment("", " " * (size - width(line)))]


def spread(left: Line, right: Line, size: int) -> Line:
    """One thing at the left edge and one at the right."""
    gap = size - width(left) - width(right)
    if gap < 1:
        return cut_line(left, size)
    return [*left, Fragment("", " " * gap), *right]


def beside(left: list[Line], right: list[Line], size: int) -> list[Line]:
    """Two columns of lines, the left one so many columns wide."""
    height = max(len(left), len(right))
    left, right = left + [[]] * (height - len(left)), right + [[]] * (height - len(right))
    return [[*padded(one, size), *two] for one, two in zip(left, right, strict=True)]


def wrapped(text: str, size: int, style: str = "", indent: str = "") -> list[Line]:
    """Text in lines of at most so many columns, broken between words; later lines are indented."""
    lines: list[str] = []
    current = ""
    for word in harmless(text).split(" "):
        while columns(word) > size - len(indent):  # a word wider than the line is broken where it must be
            head = cut(word, size - len(indent), "")
            if current:
                lines.append(current)
            lines.append(head)
            current, word = indent, word[len(head) :]
            if not head:
                break
        candidate = f"{current} {word}" if current.strip() else current + word
        if columns(candidate) > size:
            lines.append(current)
            candidate = indent + word
        current = candidate
    lines.append(current)
    return [[Fragment(style, line)] for line in lines]
