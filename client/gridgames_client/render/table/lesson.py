"""Draws the lesson of a guided first game. It has a place of its own, and stands there until the player acts."""

from gridgames_client.render.drawing.text_layout import Glyphs, Line, cut, say, spread, width, wrap
from gridgames_client.state.controllers.controller import Controller
from gridgames_client.state.guide import SKIP

BRIEF = (SKIP, "type skip to end them", "or type skip")  # the longest that fits is shown
MORE = "? tells all"  # where a lesson does not fit


def draw_lesson(controller: Controller, wide: int) -> list[Line]:
    """The lesson in a pane, under its heading; nothing if there is none."""
    guide = controller.guide
    if not guide.lesson:
        return []
    left = say(f"LESSON {guide.number}", "class:gold")
    right = next((text for text in BRIEF if width(left) + len(text) < wide), "")
    heading = spread(left, say(right, "class:quiet"), wide)
    return [heading, *wrap(guide.lesson, wide, "class:strong"), []]


def draw_lesson_rows(controller: Controller, glyphs: Glyphs, columns: int, rows: int) -> list[Line]:
    """The lesson in rows of a screen without a pane."""
    guide = controller.guide
    if not guide.lesson:
        return []
    lines = wrap(f"Lesson {guide.number}: {guide.lesson}", columns, "class:gold")
    if len(lines) <= rows:
        return lines
    last = cut(lines[rows - 1][0].text, columns - len(MORE) - 1, glyphs.more)
    return [*lines[: rows - 1], [*say(last, "class:gold"), *say(f" {MORE}", "class:quiet")]]
