"""Draws the pane beside a board: the goal, the actions, the meters, the moves, the chat."""

from gridgames_client.render.drawing.text_layout import Glyphs, Line, blank, fit_rows, pad, say, wrap
from gridgames_client.render.drawing.widgets import draw_log, insert_short_names
from gridgames_client.render.table import action_list, meters, moves
from gridgames_client.render.table.head import is_covered
from gridgames_client.render.table.lesson import draw_lesson
from gridgames_client.render.tiles.second_board import draw_second
from gridgames_client.state.controllers.controller import Controller
from gridgames_client.state.model import Model

MARGIN = 2
MOVES_MAX = 9  # rows of moves, to leave space for the chat
# Rows kept for the actions, so that nothing below them moves when the turn passes or another action is chosen.
ACTIONS, ACTIONS_NARROW, ACTIONS_TIGHT, ACTIONS_LARGE = 6, 5, 2, 12
NARROW = 30  # columns
TOP = 5  # rows above a second board in a small pane
TALK = "LOG AND TALK"
COVERED = "Your own secrets are covered, in case somebody looks over your shoulder: * shows them."
COVERED_BRIEF = "Your own secrets are covered: * shows them."
UNSEEN = "Your own secrets are covered: type the line, it shows as stars, or * shows them."
UNSEEN_BRIEF = "Your own secrets are covered: type it, or *"
FIRST_UNSEEN = "Type the line: it shows as stars, or * shows the cursor."  # nothing is covered yet


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
    if controller.log_offset:
        return [[], *draw_log(controller, glyphs, wide, rows - 1)]
    second = view.find_board("beside")
    tight = second is not None and not large
    if second is not None and tight:
        task = draw_task(controller, typed, glyphs, wide, TOP, large, tight)
        below = draw_second(model, second, glyphs, wide, rows - max(TOP, sum(map(len, task)) + 1), large)
        space = rows - len(below)
        return [*fit_rows(stack(task, space - 1), space), *below]
    blocks = [*draw_task(controller, typed, glyphs, wide, rows, large, tight), draw_covered(model, wide)]
    blocks.append(meters.draw_meters(model, glyphs, wide, tall=large))
    if second is not None:
        space = rows - len(stack(blocks, rows)) - 1
        blocks.append(draw_second(model, second, glyphs, wide, space, large))
    lines = stack(blocks, rows)
    records = draw_records(controller, glyphs, wide, rows - len(lines) - 1, large, talk)
    return [*lines, [], *records] if records else lines


def stack(blocks: list[list[Line]], rows: int) -> list[Line]:
    """Blocks below each other, an empty line before each. Where space is short, the upper ones have none."""
    blocks = [block for block in blocks if block]
    spare = rows - sum(map(len, blocks))
    lines: list[Line] = []
    for number, block in enumerate(blocks):
        lines += [[]] * (number >= len(blocks) - spare)
        lines += block
    return lines


def draw_goal(model: Model, wide: int, large: bool) -> list[Line]:
    """What the reader wants."""
    assert model.show
    if not model.show.view.goal:
        return []
    head = [say("GOAL", "class:heading")] if large else []
    return [*head, *wrap(insert_short_names(model, model.show.view.goal), wide, "class:strong")]


def draw_task(
    controller: Controller, typed: str, glyphs: Glyphs, wide: int, rows: int, large: bool, tight: bool
) -> list[list[Line]]:
    """The lesson, the goal and the actions. A lesson replaces the goal if the space is short."""
    lesson, goal = draw_lesson(controller, wide), draw_goal(controller.model, wide, large)
    actions = action_list.draw_actions(controller, typed, glyphs, wide, large, tight)
    kept = ACTIONS_TIGHT if tight else ACTIONS_LARGE if large else ACTIONS_NARROW if wide < NARROW else ACTIONS
    if not lesson:
        return [goal, fit_rows(actions, max(kept, len(actions)))]
    if len(lesson) + len(goal) + len(actions) > rows:
        goal = []
    if len(lesson) + len(actions) > rows:
        actions = action_list.draw_actions(controller, typed, glyphs, wide, large, tight=True)
    return [lesson, goal, actions]


def draw_covered(model: Model, wide: int) -> list[Line]:
    """That something of the view is covered, and how to show it."""
    covered, unseen = (COVERED, UNSEEN) if wide >= NARROW else (COVERED_BRIEF, UNSEEN_BRIEF)
    if not is_covered(model):
        return wrap(FIRST_UNSEEN, wide, "class:quiet") if model.chooses_unseen else []
    lines = wrap(covered, wide, "class:quiet")
    # In as many rows, so that nothing below moves.
    return fit_rows(wrap(unseen, wide, "class:quiet"), len(lines)) if model.chooses_unseen else lines


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
    return [*played, [], say(TALK, "class:heading"), *said] if any(said) else played


def draw_facts(model: Model, wide: int) -> list[Line]:
    """The facts of the view, for a game without meters."""
    assert model.show
    view = model.show.view
    if view.meters:
        return []
    private = view.private if model.covers else ()
    lines: list[Line] = []
    for label, value in view.facts:
        words = "covered (* shows it)" if label in private else insert_short_names(model, value)
        lines += wrap(f"{insert_short_names(model, label)}: {words}", wide, "class:fact", "  ")
    return lines
