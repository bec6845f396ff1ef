"""Draws the review as a chart: bars over the moves if they fit, or else numbers on shades of gold."""

from collections.abc import Callable
from math import log

from gridgames_client.render.drawing.canvas import join_style
from gridgames_client.render.drawing.text_layout import Fragment, Glyphs, Line, blank, cut, fit, pad, say, wrap
from gridgames_client.render.drawing.text_layout import columns as columns_of
from gridgames_client.render.past_games.review import draw_numbers, spread
from gridgames_protocol.safe_text import harmless
from gridgames_protocol.views import Review, ReviewRow

HIGH = 3  # rows of bars
LABEL_MAX = 10
WIDEST = 5  # columns of one point
SHADES = ("field", "maybe_old2", "maybe", "possible")
INKS = ("field_text", "maybe_text", "maybe_text", "possible_text")

Named = Callable[[str], str]


def draw_review(review: Review, named: Named, glyphs: Glyphs, wide: int, large: bool) -> list[Line]:
    """The rows of a review under their title."""
    lines = wrap(review.title.upper(), wide, "class:heading")
    labels = [cut(harmless(named(row.label)), LABEL_MAX, glyphs.more) for row in review.rows]
    label = max(map(columns_of, labels), default=0) + 3
    figure = max((len(str(value)) for row in review.rows for value in row.numbers), default=1) + 1
    whole = all(len(row.numbers) * figure <= wide - label for row in review.rows)
    for number, (row, name) in enumerate(zip(review.rows, labels, strict=True), start=1):
        if not row.numbers:
            continue
        chip = Fragment(f"class:chip{number}" if number < 3 and glyphs.filled else "class:strong", f" {name} ")
        head = [chip, blank(label - columns_of(chip.text))]
        if not large and not whole:
            style = f"class:seat{number}" if number < 3 else "class:bars"
            lines.append([*head, *draw_numbers(row, glyphs, wide - label, style)])
            continue
        count = max(1, (wide - label) // figure)
        values = list(spread(row.numbers, count))
        size = min(WIDEST, (wide - label) // len(values)) if large else figure
        if large and glyphs.filled:
            lines += draw_bars(row, values, head, label, size)
        lines.append(
            draw_figures(row, values, [blank(label)] if large and glyphs.filled else head, size, glyphs, large)
        )
        if large and row.note:
            lines += [[blank(label), *line] for line in wrap(named(row.note), wide - label, "class:quiet")]
        lines += [[]] if large else []
    return lines[:-1] if large else lines


def shade(row: ReviewRow, value: int) -> int:
    """The brightness of a value. Values that count down are brighter when they are smaller."""
    falls = row.numbers[0] > row.numbers[-1]
    share = 1 - log(max(1, value)) / log(max(2, row.most)) if falls else value / max(1, row.most)
    return min(3, max(0, int(share * 4)))


def draw_bars(row: ReviewRow, values: list[int], head: Line, label: int, size: int) -> list[Line]:
    """The values as bars, the head in the lowest row."""
    falls = row.numbers[0] > row.numbers[-1]
    lines = []
    for level in range(HIGH - 1, -1, -1):
        line: Line = list(head) if level == 0 else [blank(label)]
        for value in values:
            part = log(value + 1) / log(row.most + 1) if falls else value / max(1, row.most)
            eighths = max(1, round(part * HIGH * 8)) - level * 8 if value else 0
            sign = "█" if eighths >= 8 else "▁▂▃▄▅▆▇"[eighths - 1] if eighths > 0 else " "
            colour = ("known5", "maybe_old2", "maybe", "possible")[shade(row, value)]
            line += [Fragment(join_style(colour, "panel"), sign * (size - 1)), blank(1)]
        lines.append(line)
    return lines


def draw_figures(row: ReviewRow, values: list[int], head: Line, size: int, glyphs: Glyphs, plain: bool) -> Line:
    """The values as numbers: plain under bars, or else on their shades."""
    line = list(head)
    for value in values:
        text = str(value)
        if not glyphs.filled:
            line += say(text.rjust(size), "class:text")
        elif plain:
            line += pad([blank((size - 1 - len(text)) // 2), *say(text, "class:strong")], size)
        else:
            at = shade(row, value)
            line.append(Fragment(join_style(INKS[at], SHADES[at]), fit(text.rjust(size - 1), size, "")))
    return line
