"""Draws a step of a replay: the board, how well the move was played, and the chart of the chances."""

from gridgames_client.render import board
from gridgames_client.render.board import Overlay
from gridgames_client.render.drawing import widgets
from gridgames_client.render.drawing.text_layout import (
    ASCII,
    Fragment,
    Glyphs,
    Line,
    blank,
    fit_rows,
    indent,
    plain,
    put_beside,
    say,
    spread,
    width,
    wrap,
)
from gridgames_client.render.drawing.widgets import MARGIN, draw_chip
from gridgames_client.render.game_screen import Plan, draw_under, plan_screen
from gridgames_client.render.past_games import replay_chart, review
from gridgames_client.render.past_games.history_screen import draw_foot
from gridgames_client.render.past_games.review_chart import draw_review
from gridgames_client.render.table.legend import draw_legend, list_entries
from gridgames_client.render.table.pane import put_on_panel
from gridgames_client.render.tiles import geometry as geometries
from gridgames_client.render.tiles.lines import draw_lines
from gridgames_client.render.tiles.paint import paint
from gridgames_client.render.tiles.second_board import paint_second
from gridgames_client.state.controllers.controller import Controller
from gridgames_client.state.history.replay import OPEN, Replaying, describe_outcome
from gridgames_protocol.views import SecondBoard

PANE_MIN = 34  # columns of a pane beside the board; as many as a game has at 80 columns
SIDE_MIN = 26  # columns that facts beside a board need
OTHER_MIN = 8  # rows that a second board needs
PLACE, BELOW = 3, 5  # lines below a board: the step, and the facts
HIGH = 12  # rows from which the players have a line
FOOT = 2  # lines for the client's message


def draw_replay(controller: Controller, page: Replaying, glyphs: Glyphs, columns: int, rows: int) -> list[Line]:
    """The lines of the screen. The board's place depends only on the sizes."""
    parts = plan_screen(page.shown.view.board, find_second(page, "under"), columns, rows)
    if parts.pane < PANE_MIN or controller.boards_as_words or parts.geometry is None:
        return draw_narrow(controller, page, glyphs, columns, rows)
    left = indent(draw_tiles(page, glyphs, parts), parts.left)
    wide = parts.left + parts.geometry.width + 1
    large = parts.head == 3
    first, second = draw_pane(page, glyphs, parts, large)
    above, below = draw_legend_rows(page, glyphs, parts, columns)
    left = [*fit_rows(left, parts.middle), *[above] * (parts.tall - parts.middle)]
    middle = put_beside(left, put_on_panel(first, parts.pane, parts.tall), wide)
    if parts.talk:
        middle = put_beside(middle, put_on_panel(second, parts.talk, parts.tall), wide + parts.pane + 1)
    foot = draw_foot(controller.model, columns)[-FOOT:]
    foot = [[]] * (FOOT - len(foot)) + foot
    return [*draw_head(controller, page, glyphs, columns, large), *middle, below, *foot]


def draw_legend_rows(page: Replaying, glyphs: Glyphs, parts: Plan, columns: int) -> list[Line]:
    """The row right below the board, which the pane makes short, and the row below that one."""
    assert parts.geometry
    view, overlay = page.shown.view, make_overlay(page)
    entries = list_entries(view.legend, view.board, overlay) if view.legend else []
    sizes, pitch = (parts.geometry.width, columns - parts.left), parts.geometry.pitch
    rows = draw_legend(entries, view.board, overlay, page.insert_short_names, glyphs, sizes, pitch)
    return indent(rows, parts.left)


def find_second(page: Replaying, place: str) -> SecondBoard | None:
    """The second board that stands in the pane; None if the game has none."""
    return next((board for board in page.shown.view.boards if board.place == place), None)


# With a pane ----------------------------------------------------------------------------------------------------------


def draw_head(controller: Controller, page: Replaying, glyphs: Glyphs, columns: int, large: bool) -> list[Line]:
    """Both players and their results, the game, and a rule that shows how far the replay is."""
    game, step = page.game, page.shown.step
    words = [describe_outcome(game, seat) for seat in (1, 2)]
    words[game.you - 1] = f"you {words[game.you - 1]}" if game.winner else "you drew"
    ends = [say(text, "class:turn") for text in words]
    chips = [draw_chip(game.names[seat - 1], seat, glyphs, dim=game.winner != seat) for seat in (1, 2)]
    title = [*say(game.title, "class:title"), *say(f"   game {game.number}", "class:quiet")]
    when = say(f"{controller.format_time(game.ended)} ", "class:quiet")
    left, right = [blank(1), chips[0], blank(1), *ends[0]], [*ends[1], blank(1), chips[1], blank(1)]
    size = columns - 2
    heavy = round(size * step / max(1, page.shown.steps))
    seat = page.shown.line[0] if page.shown.line else None
    rule = [
        blank(1),
        Fragment(f"class:seat{seat}" if seat else "class:rule", glyphs.heavy * heavy),
        Fragment("class:rule", glyphs.across * (size - heavy)),
    ]
    if large:
        return [spread([blank(1), *title], when, columns), spread(left, right, columns), rule]
    gap = columns - width(left) - width(right) - width(title)
    if gap >= 4:
        left = [*left, blank(gap // 2), *title]
    return [spread(left, right, columns), rule]


def draw_tiles(page: Replaying, glyphs: Glyphs, parts: Plan) -> list[Line]:
    """The board in tiles, and the board under it. Nothing is covered, since the game is over."""
    assert parts.geometry
    table, under = page.shown.view.board, find_second(page, "under")
    overlay = make_overlay(page)
    draw = paint if glyphs.filled and parts.geometry.pitch.high > 1 else draw_lines
    lines = draw(table, overlay, glyphs, parts.geometry).lines()
    if under is not None:
        lines += draw_under(table, under, overlay, glyphs, parts.geometry, parts.middle - parts.geometry.height)
    return drop_targets(lines)


def make_overlay(page: Replaying) -> Overlay:
    """What a replay adds to a board: the last move, or the cells that have changed."""
    table = page.shown.view.board
    last = tuple((seat, table.names.index(cell)) for seat, number, cell in page.shown.view.last if number == 0)
    news = board.find_changes(page.before, table, masked=False) if not last else frozenset[int]()
    return Overlay(masked=False, news=news, last=last, you=page.shown.eyes or 1)


def drop_targets(lines: list[Line]) -> list[Line]:
    """Lines in which nothing can be clicked."""
    return [[fragment._replace(target=None) for fragment in line] for line in lines]


def draw_pane(page: Replaying, glyphs: Glyphs, parts: Plan, large: bool) -> tuple[list[Line], list[Line]]:
    """The pane beside the board: the blocks that fit. The rest goes into a second pane if there is one."""
    wide = parts.pane - 2 * MARGIN
    blocks = [draw_step_block(page, glyphs, wide), draw_ending(page, glyphs, wide)]
    blocks += [replay_chart.draw_chances(page, glyphs, wide, large)]
    blocks += [draw_counts(page, glyphs, wide, large), draw_facts(page, wide)]
    other = [draw_other_board(page, glyphs, wide, parts.tall // 2, large)]
    if not parts.talk:
        step, ending, chances, counts, facts = blocks
        above = stack([step, ending, chances, *other, counts], parts.tall)
        space = parts.tall - len(above) - 1
        return [*above, [], *facts[:space]] if space > 0 else above, []
    return stack(blocks, parts.tall), stack(other, parts.tall)


def stack(blocks: list[list[Line]], rows: int) -> list[Line]:
    """Blocks below each other, with an empty line before each. A block that does not fit is left out."""
    lines: list[Line] = []
    for block in blocks:
        if block and len(lines) + 1 + len(block) <= rows:
            lines += [[], *block]
    return lines


def draw_step_block(page: Replaying, glyphs: Glyphs, wide: int) -> list[Line]:
    """The step, its line, how well it was played, and whose view it is."""
    step, eyes = [draw_step_number(page)], say(tell_eyes(page), "class:quiet")
    apart = width(step) + width(eyes) + 1 > wide
    lines: list[Line] = [step, eyes] if apart else [spread(step, eyes, wide)]
    line = page.shown.line
    if line is None:
        return [*lines, say("The start.", "class:strong")]
    name = draw_chip(page.game.names[line[0] - 1], line[0], glyphs, numbered=not glyphs.filled)
    lines.append([name, blank(1), *say(line[1], "class:strong")])
    return lines + replay_chart.draw_judgement(page, wide)


def draw_step_number(page: Replaying) -> Fragment:
    """The number of the step. The terminal's cursor stands there."""
    return Fragment("class:heading", tell_place(page), ("step", 0))


def draw_ending(page: Replaying, glyphs: Glyphs, wide: int) -> list[Line]:
    """How the game ended, at its last step."""
    if page.shown.step < page.shown.steps:
        return []
    return wrap(f"{glyphs.star} {page.insert_short_names(page.shown.text)}", wide, "class:gold", "  ")


def draw_counts(page: Replaying, glyphs: Glyphs, wide: int, large: bool) -> list[Line]:
    """The review of the game, at its last step."""
    found = page.shown.review
    return draw_review(found, page.insert_short_names, glyphs, wide, large) if found and found.after else []


def draw_facts(page: Replaying, wide: int) -> list[Line]:
    """The facts of the view, the player's own secrets first."""
    view = page.shown.view
    ordered = sorted(view.facts, key=lambda fact: fact[0] not in view.private)
    facts = [f"{page.insert_short_names(label)}: {page.insert_short_names(value)}" for label, value in ordered]
    return [line for fact in facts for line in wrap(fact, wide, "class:fact", "  ")]


def draw_other_board(page: Replaying, glyphs: Glyphs, wide: int, rows: int, large: bool) -> list[Line]:
    """The second board, if it fits."""
    second = find_second(page, "beside")
    if second is None or rows < OTHER_MIN:
        return []
    overlay = Overlay(masked=False, you=page.shown.eyes or 1)
    title = page.insert_short_names(second.title)
    return paint_second(second.board, overlay, title, glyphs, wide, rows, large)


# Without a pane -------------------------------------------------------------------------------------------------------


def draw_narrow(controller: Controller, page: Replaying, glyphs: Glyphs, columns: int, rows: int) -> list[Line]:
    """The screen without a pane: the facts stand beside the board or below it."""
    name = f"Game {page.game.number} {glyphs.dot} {page.game.title}"
    top = [widgets.draw_title(name, controller.format_time(page.game.ended), glyphs, columns)]
    if rows >= HIGH:
        top += [*draw_players(page, columns), widgets.draw_rule(glyphs, columns)]
    foot = draw_foot(controller.model, columns)
    space = max(1, rows - len(top))
    high = max(2, space - FOOT)
    size = columns - 2 * MARGIN
    left = indent(draw_step(controller, page, glyphs, size, high), MARGIN)
    left_width = max(map(width, left)) + 2 * MARGIN
    if columns - left_width > SIDE_MIN:
        size = columns - left_width - 1
        middle = put_beside(left, draw_story(page, glyphs, size, space), left_width)
    else:
        whole = min(
            1 + len(page.shown.view.board.rows), space - PLACE
        )  # there is no cursor to scroll by, so all of it must fit
        left = indent(draw_step(controller, page, glyphs, columns - 2 * MARGIN, max(2, whole, high - BELOW)), MARGIN)
        middle = [*left, *indent(draw_story(page, glyphs, columns - 2 * MARGIN, space - len(left)), MARGIN)]
    return [*top, *fit_rows(middle, max(1, space - len(foot))), *foot]


def draw_players(page: Replaying, columns: int) -> list[Line]:
    """Both players and their results, in one line or in two."""
    one, two = (
        [
            Fragment(f"class:seat{seat}", f"   {page.seat_name(seat)}"),
            Fragment("class:turn", f"  {'you: ' if seat == page.game.you else ''}{describe_outcome(page.game, seat)}"),
        ]
        for seat in (1, 2)
    )
    if width(one) + width(two) + 2 > columns:
        return [one, two]
    return [spread(one, [*two, *say(" ")], columns)]


def draw_step(controller: Controller, page: Replaying, glyphs: Glyphs, size: int, rows: int) -> list[Line]:
    """The board as text. Nothing is covered, since the game is over."""
    table = page.shown.view.board
    if controller.boards_as_words:
        words = wrap(" ".join(board.describe_board(table, masked=False)), size if size < 2 * SIDE_MIN else size // 2)
        return fit_rows(words, min(len(words), rows), glyphs.more)
    overlay = make_overlay(page)
    found = geometries.choose(table, size, rows)
    if found is None or found.pitch.high == 1:
        lines = board.fit_board(table, overlay, glyphs, size, rows)
    else:
        draw = paint if glyphs.filled else draw_lines
        lines = draw(table, overlay, glyphs, found).lines()
    return drop_targets(lines)


def draw_story(page: Replaying, glyphs: Glyphs, size: int, rows: int) -> list[Line]:
    """The step, its line, whose view it is, and the facts; without empty lines where space is short."""
    here: list[Line] = [[Fragment("class:heading", tell_place(page), ("step", 0))]]
    here += wrap(tell_line(page), size, "class:action", "  ") + wrap(tell_eyes(page), size, "class:quiet", "  ")
    here += replay_chart.draw_judgement(page, size)
    end = wrap(f"{glyphs.star} {page.insert_names(page.shown.text)}", size, "class:result", "  ")
    end = end if page.shown.step >= page.shown.steps else []
    facts = [f"{page.insert_names(label)}: {page.insert_names(value)}" for label, value in page.shown.view.facts]
    known = draw_facts(page, size)
    decided = review.draw_rows(page.shown.review, page.insert_names, glyphs, size) if page.shown.review else []
    for blocks in ((here, end, decided, known), (here, end, known)):
        lines = [line for block in blocks if block for line in [[], *block]][1:]
        if len(lines) <= rows:
            break
    else:
        lines = [*here, *end, *wrap("; ".join(facts), size, "class:fact", "  ")]
    return fit_rows(lines, max(0, min(rows, len(lines))), glyphs.more)


def tell_place(page: Replaying) -> str:
    """The number of the step."""
    return f"Step {page.shown.step} of {page.shown.steps}"


def tell_line(page: Replaying) -> str:
    """The line that led to a step."""
    line = page.shown.line
    return f"{page.seat_name(line[0])}: {line[1]}" if line else "The start."


def tell_eyes(page: Replaying) -> str:
    """Whose view it is."""
    if page.shown.eyes == OPEN:
        return "Everything is open."
    return "As you saw it." if page.shown.eyes == page.game.you else f"As {page.seat_name(page.shown.eyes)} saw it."


# In sentences ---------------------------------------------------------------------------------------------------------


def tell_game(page: Replaying) -> str:
    """The game and its players."""
    one, two = (f"{name} as Player {seat}" for seat, name in enumerate(page.game.names, start=1))
    return f"Game {page.game.number}, {page.game.title}: {one}, {two}. You were Player {page.game.you}."


def tell_replay(controller: Controller, page: Replaying) -> list[str]:
    """A step of a replay, a sentence for each fact."""
    shown, table = page.shown, page.shown.view.board
    line = f"Player {shown.line[0]} typed {shown.line[1]}" if shown.line else "the start"
    eyes = "everything is open" if shown.eyes == OPEN else f"as Player {shown.eyes} saw it"
    if controller.boards_as_words:
        drawing = board.describe_board(table, masked=False)
    else:
        drawing = [plain(line).rstrip() for line in board.draw(table, Overlay(masked=False), ASCII, compact=True)]
    ends = [shown.text] if shown.step >= shown.steps else []
    return [
        f"{tell_place(page)}: {line}, {eyes}.",
        *drawing,
        *(f"{label}: {value}" for label, value in shown.view.facts),
        *ends,
    ]
