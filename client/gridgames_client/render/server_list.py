"""Draws the list of servers: a row for each, the last row for this machine."""

from collections.abc import Sequence
from typing import NamedTuple

from gridgames_client.render.drawing import widgets
from gridgames_client.render.drawing.text_layout import (
    Fragment,
    Glyphs,
    Line,
    clip_line,
    cut,
    fit,
    fit_rows,
    indent,
    say,
    wrap,
)
from gridgames_protocol.safe_text import harmless

NAME, PLACE = 18, 21  # columns of the list where there is space
WORDY = 60  # columns from which a row has space for the facts


class ServerRow(NamedTuple):
    """What is drawn of a server."""

    name: str
    place: str
    facts: str
    answers: bool = True


def draw_servers(
    servers: Sequence[ServerRow], here: str, chosen: int, notice: str, glyphs: Glyphs, columns: int, rows: int
) -> list[Line]:
    """The list on a screen of this size; `here` is the text of the last row."""
    top = [
        widgets.draw_title(f"gridgames {glyphs.dot} on your network", "", glyphs, columns),
        widgets.draw_rule(glyphs, columns),
    ]
    lines = [say("  Servers", "class:heading")]
    for number, server in enumerate(servers):
        style = "" if server.answers else "class:quiet"
        lines.append(_draw_row(describe_row(server, columns, glyphs), number, chosen, glyphs, columns, style))
    lines += [[], say("  This machine", "class:heading")]
    lines.append(_draw_row(here, len(servers), chosen, glyphs, columns))
    foot = indent(wrap(notice, columns - 2, "class:bad"), 1) if notice else []
    space = max(1, rows - len(top) - len(foot))
    return [clip_line(line, columns) for line in [*top, *_clip_around(chosen, lines, space), *foot]]


def describe_row(server: ServerRow, columns: int, glyphs: Glyphs) -> str:
    """A server in one line."""
    if columns < WORDY:
        return f"{server.name} {glyphs.dot} {server.place if server.answers else server.facts}"
    return f"{fit(server.name, NAME, glyphs.more)} {fit(server.place, PLACE, glyphs.more)} {server.facts}"


def _draw_row(text: str, number: int, chosen: int, glyphs: Glyphs, columns: int, style: str = "") -> Line:
    here = number == chosen
    words = cut(harmless(f"  {glyphs.pointer if here else ' '} {text}"), columns - 1, glyphs.more)
    return [Fragment("class:chosen" if here else style, words, ("row", number))]


def _clip_around(chosen: int, lines: list[Line], space: int) -> list[Line]:
    """The lines around the chosen row that fit."""
    here = next(y for y, line in enumerate(lines) if line and line[-1].target == ("row", chosen))
    top = min(max(0, here - space + 1), max(0, len(lines) - space))
    return fit_rows(lines[top:], space)
