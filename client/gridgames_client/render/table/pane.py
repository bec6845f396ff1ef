"""Draws the pane beside a board: the goal, the actions, the meters, the moves, the chat."""

from gridgames_client.render.drawing.text_layout import Glyphs, Line, blank, pad, say, wrap
from gridgames_client.render.drawing.widgets import draw_log, insert_short_names
from gridgames_client.render.table import action_list, meters, moves
from gridgames_client.render.table.lesson import draw_lesson
from gridgames_client.render.tiles.second_board import draw_second
from gridgames_client.state.controllers.controller import Controller
from gridgames_client.state.model import Model

MARGIN = 2
MOVES_MAX = 9  # rows of moves, to leave space for the chat
WATCHING = "You watch: you see what both players may know, and no secret."


def put_on_panel(lines: list[Line], size: int, rows: int) -> list[Line]:
    """Lines with a background and a margin, in exactly a number of columns and rows."""
    lines = lines[:rows] + [[]] * (rows - len(lines))
    return [
        [
            fragment._replace(style=fragment.style if "ground." in fragment.style or "chip" in fragment.style
                              or "key" in fragment.style or "chosen" in fragment.style
                              else f"{fragment.style} class:ground.panel".strip())
            for fragment in pad([blank(MARGIN), *line], size)
        ]
        for line in lines
    ]  # fmt: skip


def draw_pane(
    controller: Controller, typed: str, glyphs: Glyphs, size: int, rows: int, large: bool, talk: bool = True
) -> list[Line]:
    """The pane of a running game. The chat may have a second pane."""
    model = controller.model
    assert model.show
    view, wide = model.show.view, size - 2 * MARGIN
    lines: list[Line] = [[]]
    if controller.log_offset:
        return [*lines, *draw_log(controller, glyphs, wide, rows - 1)]
    second = next((board for board in view.boards if board.place == "beside"), None)
    tight = second is not None and not large
    lines += draw_task(controller, typed, glyphs, wide, rows - 2, large, tight)
    lines += [[]]
    covered = draw_covered(model, wide)
    lines += [*covered, []] if covered and not tight else []  # a second board has it in its heading
    if second is None or large:
        shown = meters.draw_meters(model, glyphs, wide, tall=large)
        lines += [*shown, []] if shown else []
    if second is not None:
        lines += draw_second(model, second, glyphs, wide, rows - len(lines), large)
        return (
            [*lines, [], *draw_records(controller, glyphs, wide, rows - len(lines) - 2, large, talk)]
            if large
            else lines
        )
    return [*lines, *draw_records(controller, glyphs, wide, rows - len(lines), large, talk)]


def draw_task(
    controller: Controller, typed: str, glyphs: Glyphs, wide: int, rows: int, large: bool, tight: bool
) -> list[Line]:
    """The lesson, the goal and the actions. The actions come first if the space is short, then the lesson."""
    model = controller.model
    assert model.show
    goal = model.show.view.goal
    lesson = draw_lesson(controller, wide)
    lines: list[Line] = [say("GOAL", "class:heading")] if goal and large else []
    lines += wrap(insert_short_names(model, goal), wide, "class:strong") if goal else []
    lines += [[]] if goal and not tight else []
    actions = action_list.draw_actions(controller, typed, glyphs, wide, large, tight)
    if lesson and len(lesson) + len(lines) + len(actions) > rows:
        lines = []
    if lesson and len(lesson) + len(actions) > rows:
        actions = action_list.draw_actions(controller, typed, glyphs, wide, large, tight=True)
    return [*lesson, *lines, *actions]


def draw_covered(model: Model, wide: int) -> list[Line]:
    """That something of the view is covered, and how to show it."""
    assert model.show
    view = model.show.view
    if not (view.board.masks or view.private) or not model.masked or model.ending:
        return []
    return wrap("Your own secrets are covered: * shows them.", wide, "class:quiet")


def draw_records(controller: Controller, glyphs: Glyphs, wide: int, rows: int, large: bool, talk: bool) -> list[Line]:
    """The moves and the chat; the log alone while it is scrolled back."""
    model = controller.model
    assert model.show
    if rows <= 1:
        return []
    if not model.show.view.moves:
        facts = draw_facts(model, wide)
        facts = [*facts[: rows // 2], []] if facts else []
        return [*facts, *draw_log(controller, glyphs, wide, rows - len(facts), top=True)]
    some = large and talk
    played = moves.draw_moves(model, glyphs, wide, min(rows, MOVES_MAX + 1) if some else rows)
    if not some or rows - len(played) < 4:
        return played
    said = draw_log(controller, glyphs, wide, rows - len(played) - 2, talk=True, top=True)
    return [*played, [], say("TALK", "class:heading"), *said] if any(said) else played


def draw_facts(model: Model, wide: int) -> list[Line]:
    """The facts of the view, for a game without meters."""
    assert model.show
    view = model.show.view
    if view.meters:
        return []
    private = view.private if model.masked and not model.ending else ()
    lines: list[Line] = []
    for label, value in view.facts:
        words = "covered (* shows it)" if label in private else insert_short_names(model, value)
        lines += wrap(f"{insert_short_names(model, label)}: {words}", wide, "class:fact", "  ")
    return lines
