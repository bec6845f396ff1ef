"""The screens: a desk in, styled lines out. Nothing here is remembered, and nothing is asked of a terminal."""

from gridgames_client import archive, pages
from gridgames_client.desk import Desk
from gridgames_client.lobby import lobby, waiting
from gridgames_client.paint import Glyphs, Line, cut_line, tall
from gridgames_client.past import PastGames, Replaying
from gridgames_client.table import table


def screen(desk: Desk, typed: str, glyphs: Glyphs, columns: int, rows: int, now: float) -> list[Line]:
    """The whole screen above the input line, exactly so many lines of at most so many columns."""
    leafing = isinstance(desk.page, PastGames | Replaying)
    if isinstance(desk.page, PastGames):
        lines = archive.shelf(desk, desk.page, glyphs, columns, rows)
    elif isinstance(desk.page, Replaying):
        lines = archive.replay(desk, desk.page, glyphs, columns, rows)
    elif desk.model.room is None:
        lines = lobby(desk, glyphs, columns, rows)
    elif desk.model.show is None:
        lines = waiting(desk, glyphs, columns, rows)
    else:
        lines = table(desk, typed, glyphs, columns, rows, now)
    lines = tall([cut_line(line, columns) for line in lines], rows)
    return pages.over(lines, desk, glyphs, columns) if desk.page and not leafing else lines
