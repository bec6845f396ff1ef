"""The screen of a game: both players, the board, the pane beside it, and the last events."""

from typing import NamedTuple

from gridgames_client.render import board as text_board
from gridgames_client.render.board import Overlay
from gridgames_client.render.drawing.text_layout import (
    Glyphs,
    Line,
    blank,
    fit_rows,
    indent,
    put_beside,
    say,
    width,
    wrap,
)
from gridgames_client.render.drawing.widgets import draw_log, insert_short_names
from gridgames_client.render.table import action_list, end, foot, head, legend, pane
from gridgames_client.render.tiles import geometry as geometries
from gridgames_client.render.tiles import second_board
from gridgames_client.render.tiles.cells import find_tokens
from gridgames_client.render.tiles.geometry import Geometry, Pitch
from gridgames_client.render.tiles.lines import draw_lines
from gridgames_client.render.tiles.paint import paint
from gridgames_client.render.tiles.timeline import paint_timeline
from gridgames_client.state import cell_input
from gridgames_client.state.controllers.controller import Controller
from gridgames_client.state.model import Model
from gridgames_protocol.messages import FOUL_REASONS, OUTSIDE_REASONS
from gridgames_protocol.views import Board, SecondBoard

INPUT = 2  # rows of the terminal below: the input line and the bar
PANE_MAX = 60  # columns: a longer line is hard to read
TALK_MIN = 30  # columns that a second pane for the chat needs
GLOW = 0.3  # seconds for which a tile is highlighted
LINE_PITCHES = tuple(Pitch(*size) for size in ((14, 7), (10, 5), (8, 4), (6, 3), (5, 2), (4, 2)))
FOOT = 4  # rows below the board on all but the smallest screens
HISTORY_MIN = 3  # rows that the board under a board of one row needs


class Plan(NamedTuple):
    """The parts of a screen. They depend only on the sizes of the screen and the board."""

    head: int  # rows
    foot: int  # rows below the board
    pane: int  # columns; 0: none
    talk: int  # columns of a second pane; 0: none
    left: int  # columns before the board
    middle: int  # rows of the board
    geometry: Geometry | None

    @property
    def tall(self) -> int:
        """The rows of the pane. It reaches one row below the board if the foot has many."""
        return self.middle + (self.foot == FOOT)


def plan_screen(board: Board, under: SecondBoard | None, columns: int, rows: int) -> Plan:
    """Divide a screen. The board is as large as the pane and the fixed rows allow."""
    terminal = rows + INPUT
    large = columns >= 100 and terminal >= 30
    head_rows = 3 if large else 2 if terminal >= 20 else 1
    least = 35 if columns >= 80 else 26 if columns >= 60 and terminal >= 20 else 0
    flat = under is not None or len(board.rows) == 1
    foot_rows = FOOT if terminal >= 20 else 1 if terminal < 12 else 3 if flat and terminal >= 16 else 2
    middle = max(1, rows - head_rows - foot_rows)
    if flat:  # the tiles of a line keep their size when the first look comes
        found = geometries.choose(board, columns - least, middle - HISTORY_MIN, LINE_PITCHES)
    else:
        found = geometries.choose(board, columns - least, middle)
    if found is None and least:
        found, least = geometries.choose(board, columns, middle), 0
    wide = found.width if found else columns
    space = columns - wide - 1
    pane_wide = min(PANE_MAX, space) if least else 0
    talk = min(PANE_MAX, space - pane_wide - 1) if pane_wide and space - pane_wide > TALK_MIN else 0
    used = wide + 1 + pane_wide + (talk + 1 if talk else 0) if pane_wide else wide
    left = max(0, (columns - used) // 2)
    return Plan(head_rows, foot_rows, pane_wide, talk, left, middle, found)


def draw_table(controller: Controller, typed: str, glyphs: Glyphs, columns: int, rows: int, now: float) -> list[Line]:
    """The lines of the screen. The board's place depends only on the sizes, so that no message moves it."""
    model = controller.model
    assert model.show
    parts = plan_screen(model.show.view.board, model.show.view.find_board("under"), columns, rows)
    top = head.draw_head(model, glyphs, columns, parts.head, now)
    title = find_titles(controller, parts)[0]
    if title and parts.head > 1:
        at = parts.left + (parts.geometry.gutter if parts.geometry else 3) - 1
        top[-1] = head.put_title(top[-1], title.upper(), at)
    overlay = make_overlay(controller, typed, now)
    middle = fit_rows(draw_board(controller, overlay, glyphs, parts, columns), parts.tall)
    above, below = draw_legend_rows(model, overlay, glyphs, parts, columns)
    if parts.foot == FOOT:
        middle[-1] = above
    middle = add_panes(controller, typed, glyphs, parts, middle) if parts.pane else middle
    if model.ending and parts.foot < FOOT:
        middle = foot.fill_with_reason(model, middle, columns)
    elif not parts.pane and not model.ending:
        goal = indent(pane.draw_goal(model, columns - 2, large=False), 1)
        middle = foot.fill_rows(middle, [[], *goal]) if goal else middle
    return [*top, *middle, *draw_foot(controller, typed, glyphs, parts, columns, below)]


def draw_legend_rows(model: Model, overlay: Overlay, glyphs: Glyphs, parts: Plan, columns: int) -> tuple[Line, Line]:
    """The row right below the board, which the pane makes short, and the row below that one."""
    if model.ending:
        return [], end.draw_verdict_row(model, glyphs, columns)
    space = columns - parts.left
    sizes = (parts.geometry.width if parts.pane and parts.geometry else space, space)
    pitch = parts.geometry.pitch if parts.geometry else geometries.PITCHES[-1]
    above, below = legend.draw_game_legend(model, overlay, glyphs, sizes, pitch)
    return [blank(parts.left), *above], [blank(parts.left), *below]


def add_panes(controller: Controller, typed: str, glyphs: Glyphs, parts: Plan, board: list[Line]) -> list[Line]:
    """The board, the pane beside it, and a second pane for the chat if there is space."""
    large = parts.head == 3
    wide = parts.left + (parts.geometry.width if parts.geometry else max(map(width, board))) + 1
    if controller.model.ending and not controller.log_offset:
        lines = end.draw_end(controller, glyphs, parts.pane, parts.tall, large)
    else:
        lines = pane.draw_pane(controller, typed, glyphs, parts.pane, parts.tall, large, not parts.talk)
    found = put_beside(board, pane.put_on_panel(lines, parts.pane, parts.tall), wide)
    if not parts.talk:
        return found
    said = draw_log(controller, glyphs, parts.talk - 2 * pane.MARGIN, parts.tall - 3, talk=True, top=True)
    title = wrap(pane.TALK, parts.talk, "class:heading")
    return put_beside(found, pane.put_on_panel([[], *title, *said], parts.talk, parts.tall), wide + parts.pane + 1)


def draw_foot(controller: Controller, typed: str, glyphs: Glyphs, parts: Plan, columns: int, below: Line) -> list[Line]:
    """The lines below the board."""
    model = controller.model
    paned = bool(parts.pane)
    if parts.foot == FOOT and not paned:
        actions = draw_actions_row(controller, typed, glyphs, columns)
        above, last = foot.draw_news(controller, glyphs, columns, FOOT - 2, paned)
        return [above or below, actions, last]
    if parts.foot == FOOT:
        news = foot.draw_news(controller, glyphs, columns, FOOT - 1, paned)
        if find_second(model) and parts.head < 3:
            news = draw_below_board(controller, typed, glyphs, columns, news)
        return [news[0] or below, *news[1:]]
    if end.is_doubtful(model):
        return fit_rows(indent(end.draw_verdict(model, columns - 2), 1), parts.foot)
    if model.ending and parts.foot > 1 and not model.notice and not controller.log_offset:
        asked = foot.draw_request(model, columns)
        result = end.draw_result_rows(model, glyphs, columns, parts.foot - bool(asked))
        return fit_rows([*result, asked or end.draw_verdict_row(model, glyphs, columns)], parts.foot)
    actions = action_list.draw_row(controller, typed, glyphs, columns) if parts.foot > 1 else []
    if controller.shows_second and find_second(model) and parts.foot > 1:
        actions = draw_titles_row(controller, parts, columns)
    if actions:
        return [*foot.draw_news(controller, glyphs, columns, parts.foot - 1, paned), actions]
    news = foot.draw_news(controller, glyphs, columns, parts.foot, paned)
    empty = [row for row, line in enumerate(news[:-1]) if not line]
    if empty:
        news[empty[-1]] = draw_actions_row(controller, typed, glyphs, columns)
    return news


def find_titles(controller: Controller, parts: Plan) -> tuple[str, str]:
    """The titles of the board that is drawn and of the other one. A pane shows both boards."""
    model = controller.model
    assert model.show
    second = find_second(model)
    titles = [insert_short_names(model, text) for text in (model.show.view.board.title, second.title if second else "")]
    return (titles[1], titles[0]) if second and controller.shows_second and not parts.pane else (titles[0], titles[1])


def draw_titles_row(controller: Controller, parts: Plan, columns: int) -> Line:
    """Which of two boards is drawn, and how to see the other: in the place of the actions, which need the first."""
    shown, other = find_titles(controller, parts)
    line = [blank(1), *say(shown.upper(), "class:heading"), *say(f"  Tab: {other}", "class:quiet")]
    return line if width(line) <= columns else line[:2]


def draw_below_board(controller: Controller, typed: str, glyphs: Glyphs, columns: int, news: list[Line]) -> list[Line]:
    """The news, and what the pane has no space for: what an action tells, or the move that decided the game."""
    if not controller.model.ending:
        return [*news[:-2], news[-2] or action_list.draw_tells(controller, typed), news[-1]]
    turning = end.draw_turning_rows(controller.model, columns, glyphs)
    if controller.model.notice or controller.log_offset or not turning:
        return news
    return [news[0], *turning] if len(turning) == 2 else [news[0], turning[0], news[-1]]


def find_second(model: Model) -> SecondBoard | None:
    """The second board that takes the pane's space."""
    return model.show.view.find_board("beside") if model.show else None


def hides_second(model: Model, columns: int, rows: int) -> bool:
    """True if the view has a second board, and the screen has no pane for it."""
    if model.show is None or find_second(model) is None:
        return False
    return not plan_screen(model.show.view.board, None, columns, rows).pane


def draw_actions_row(controller: Controller, typed: str, glyphs: Glyphs, columns: int) -> Line:
    """The actions in one row; after a game, how it ended."""
    if controller.model.ending:
        return end.draw_result_rows(controller.model, glyphs, columns, 1)[0]
    line = action_list.draw_row(controller, typed, glyphs, columns)
    return line or indent(wrap(action_list.explain_wait(controller.model), 200, "class:quiet"), 1)[0]


# The board ------------------------------------------------------------------------------------------------------------


def draw_board(controller: Controller, overlay: Overlay, glyphs: Glyphs, parts: Plan, columns: int) -> list[Line]:
    """The board with what the client adds, and the board under it."""
    model = controller.model
    assert model.show
    table, second = model.show.view.board, find_second(model)
    if second and controller.shows_second and not parts.pane:
        table, overlay = second.board, second_board.make_overlay(model, second)
    if controller.boards_as_words:
        space = parts.geometry.width if parts.pane and parts.geometry else columns
        words = wrap(" ".join(text_board.describe_board(table, overlay.masked)), min(space - 2, 60))
        return indent(fit_rows(words, min(len(words), parts.middle), glyphs.more), 1)
    found = parts.geometry
    if found is None or (found.pitch.high == 1 and not glyphs.filled):
        return text_board.fit_board(table, overlay, glyphs, columns, parts.middle)
    draw = paint if glyphs.filled else draw_lines
    lines = draw(table, overlay, glyphs, found).lines()
    under = model.show.view.find_board("under")
    if under is not None:
        lines += draw_under(table, under, overlay, glyphs, found, parts.middle - found.height)
    return indent(lines, parts.left)


def draw_under(
    board: Board, under: SecondBoard, overlay: Overlay, glyphs: Glyphs, above: Geometry, rows: int
) -> list[Line]:
    """The board under the first one, column under column."""
    step = 2 if above.pitch.high >= 5 else 1
    found = Geometry(Pitch(above.pitch.wide, step), above.gutter, len(under.board.rows), above.cols, False)
    shown = Overlay(masked=overlay.masked, you=overlay.you)
    tokens = find_tokens(board, overlay)
    return paint_timeline(under.board, shown, glyphs, found, rows, tokens).lines() if rows > 0 else []


def make_overlay(controller: Controller, typed: str, now: float) -> Overlay:
    """What the client adds to the board."""
    model = controller.model
    assert model.room
    assert model.show
    view, over = model.show.view, model.ending is not None
    masked = model.covers
    last = tuple((seat, view.board.names.index(cell)) for seat, number, cell in view.last if number == 0)
    news = frozenset[int]() if over or last else text_board.find_changes(model.last_turn_board, view.board, masked)
    lit = cell_input.find_cell(model, typed) if typed else None
    cursor = controller.cursor if model.room.you and not over and not model.chooses_unseen else None
    action = action_list.find_marked_action(model, typed)
    covered = action is not None and action_list.covers_cells(model, action)
    return Overlay(
        cursor=view.board.names.index(lit) if lit and cursor is not None else cursor,
        lit=lit,
        marks=model.shown_marks,
        masked=masked,
        news=news,
        you=model.show.you or 1,
        legal=frozenset(action.cells or ()) if action and not covered else frozenset(),
        last=last,
        won=frozenset(cell for seat, cell in last if is_winning_move(model, seat)),
        glow=frozenset(cell for _, cell in last) if is_glowing(controller, now) and not typed else frozenset(),
    )


def is_winning_move(model: Model, seat: int) -> bool:
    """True if the last move of a seat has won the game. A game can end otherwise, for example when somebody resigns."""
    over = model.ending.over if model.ending else None
    return over is not None and over.winner == seat and over.reason not in OUTSIDE_REASONS | FOUL_REASONS


def is_glowing(controller: Controller, now: float) -> bool:
    """True while the last move is highlighted."""
    return controller.animated and controller.moved_at is not None and now - controller.moved_at < GLOW
