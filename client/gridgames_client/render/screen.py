"""Draws the current screen: a controller in, styled lines out. It has no state and does no I/O."""

from gridgames_client.render import overlays
from gridgames_client.render.drawing.text_layout import Glyphs, Line, clip_line, fit_rows
from gridgames_client.render.game_screen import draw_table
from gridgames_client.render.lobby import draw_lobby, draw_waiting
from gridgames_client.render.past_games import history_screen, replay_screen
from gridgames_client.state.controllers.controller import Controller
from gridgames_client.state.history.replay import PastGames, Replaying


def draw_screen(controller: Controller, typed: str, glyphs: Glyphs, columns: int, rows: int, now: float) -> list[Line]:
    """The whole screen above the input line, exactly so many lines of at most so many columns."""
    replaying = isinstance(controller.page, PastGames | Replaying)
    if isinstance(controller.page, PastGames):
        lines = history_screen.draw_past_games(controller, controller.page, glyphs, columns, rows)
    elif isinstance(controller.page, Replaying):
        lines = replay_screen.draw_replay(controller, controller.page, glyphs, columns, rows)
    elif controller.model.room is None:
        lines = draw_lobby(controller, glyphs, columns, rows)
    elif controller.model.show is None:
        lines = draw_waiting(controller, glyphs, columns, rows)
    else:
        lines = draw_table(controller, typed, glyphs, columns, rows, now)
    lines = fit_rows([clip_line(line, columns) for line in lines], rows)
    if not controller.page or replaying:
        return lines
    return [clip_line(line, columns) for line in overlays.lay_page(lines, controller, glyphs, columns)]
