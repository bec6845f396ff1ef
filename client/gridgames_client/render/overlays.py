"""The pages over a screen: help, rules, moves, a question, a choice, a new room."""

from collections.abc import Sequence

from gridgames_client.render.board import Overlay
from gridgames_client.render.drawing.text_layout import (
    Fragment,
    Glyphs,
    Line,
    cut,
    drop,
    find_target,
    fit,
    indent,
    pad,
    plain,
    put_beside,
    say,
    width,
    wrap,
)
from gridgames_client.render.drawing.text_layout import columns as columns_of
from gridgames_client.render.drawing.widgets import insert_short_names
from gridgames_client.render.game_screen import plan_screen
from gridgames_client.render.past_games import history_screen, moves_page
from gridgames_client.render.table.action_list import spell
from gridgames_client.render.table.end import draw_analysis_help
from gridgames_client.render.table.legend import draw_game_legend
from gridgames_client.render.table.lesson import draw_lesson
from gridgames_client.render.table.meters import draw_meters
from gridgames_client.render.tiles.geometry import PITCHES
from gridgames_client.render.tiles.second_board import draw_second
from gridgames_client.state.actions.find_action import list_help
from gridgames_client.state.actions.game_actions import choose_letters, list_usable
from gridgames_client.state.actions.user_action import Where
from gridgames_client.state.commands import Confirm, TextPage
from gridgames_client.state.controllers.controller import Controller
from gridgames_client.state.dialogs import CLOCKS, FIRST_PLAYERS, LEVELS, Choice, NewRoom, RoomRow
from gridgames_client.state.model import Model
from gridgames_protocol.safe_text import harmless
from gridgames_protocol.views import Action

SMALL = 60  # columns; on smaller screens the help shows what the table leaves out
LEGEND_ROWS = 6  # of a legend on a page
SECOND_ROWS = 12  # of a second board on a page
PAGE_COLUMNS = 76  # longer lines are hard to read
EXAMPLE = 13  # columns of the examples in a text
UNLISTED = "no: only its code leads there"
DECORATED = 15  # columns around the value in a row of the new room
GROUNDED = ("ground.", "chip", "class:key", "chosen")  # styles with a background
TICKS = {True: "[x]", False: "[ ]"}
ABOUT: dict[RoomRow, str] = {
    "Against": "A friend joins your room. The computer plays at once, on three levels.",
    "Begins": "Who moves first. In a rematch the other player begins.",
    "Clock": "Who lets a turn's time run out loses. None: think as long as you like.",
    "Listed": "Everybody in the lobby sees a listed room and may join it.",
    "Assist": "Cells that your answers rule out are shaded, for both of you. Off: you keep track yourself.",
    "Hints": "/hint tells the best line and why. Against the computer it always works.",
    "Rules": "The usual rules, or a variant. F2 shows them.",
}
ABOUT_ROWS = 3  # lines below the rows of a new room
ASSIST = {True: "shades what you can rule out", False: "off", None: "not in this game"}

HELP_LABEL = 16  # columns of the keys and the word in a help row
HELP_ROW = 37  # columns of a help row; two stand side by side where both fit

LOBBY_INTRO = """\
Games of secrets for two. Open a room for a game and tell your friend its code, or join one. A click works too.
"""
LOBBY_MORE = """
create takes options: bot=easy, medium or hard; first=host; clock=60; private; assist; hints. \
At the table F1 tells more."""
TABLE_MORE = """\
Or type a line as the game asks for it: QUERY 2B, C5. Tab completes it, Ctrl-P brings an earlier line back. \
A covered secret can only be typed.
Secrets are sealed when they come to exist and checked at the end: that proves that nothing was changed, \
not that the server's host has not looked."""


def draw_page(controller: Controller, glyphs: Glyphs, columns: int) -> tuple[str, list[Line]]:
    """The title and the lines of the open page."""
    match controller.page:
        case TextPage("help"):
            lesson = draw_lesson(controller, columns) if columns < SMALL else []
            more = draw_table_help(controller.model, glyphs, columns)
            return "Help", [*lesson, *more, *draw_help(controller.model, columns)]
        case TextPage("rules", game):
            card = controller.model.card(game or "")
            return (card.title, wrap_prose(card.rules, columns)) if card else ("Rules", [say("There is no such game.")])
        case TextPage("standings", game):
            return history_screen.title_standings(controller.model, game), history_screen.draw_standings(
                controller.model, glyphs, columns
            )
        case TextPage("moves"):
            if controller.model.ending is None:
                return "Seals", draw_seals(controller.model, columns)
            return "Moves", moves_page.draw_moves_page(controller.model, glyphs, columns)
        case TextPage("seals"):
            return "Seals", draw_seals(controller.model, columns)
        case Confirm(question):
            return "Are you sure?", [*wrap(question, columns), [], say("y  yes      n  no", "class:action")]
        case Choice(actions, cell):
            rows = [describe_action(controller.model, action, cell) for action in actions]
            letters = choose_letters(list(actions))
            return f"What at {cell}?", draw_options(rows, controller.chosen_row, glyphs, columns, letters)
        case NewRoom():
            return "New room", draw_new_room(controller, controller.page, glyphs, columns)
        case _:
            return "", []


# Help -----------------------------------------------------------------------------------------------------------------


def draw_help(model: Model, columns: int) -> list[Line]:
    """The help page of this place, from the action table."""
    if model.room is None:
        return [*wrap_prose(LOBBY_INTRO, columns), *draw_help_rows("lobby", columns), *wrap_prose(LOBBY_MORE, columns)]
    more = [line for paragraph in TABLE_MORE.split("\n") for line in wrap(paragraph, columns)]
    return [*draw_help_rows("room", columns), *more]


def draw_help_rows(where: Where, columns: int) -> list[Line]:
    """A row for each action, in two columns where they fit."""
    size = HELP_ROW if columns > 2 * HELP_ROW else columns
    rows = [line for keys, meaning in list_help(where) for line in draw_help_row(keys, meaning, size)]
    if size == columns:
        return rows
    half = (len(rows) + 1) // 2
    return put_beside(rows[:half], rows[half:], columns - HELP_ROW)


def draw_help_row(keys: str, meaning: str, columns: int) -> list[Line]:
    """The keys and the word of an action, and what it does."""
    if columns < 2 * HELP_LABEL:
        return wrap(f"{keys}: {meaning}", columns, "", "  ")
    first, *rest = wrap(meaning, columns - HELP_LABEL)
    return [[Fragment("class:action", fit(keys, HELP_LABEL, "")), *first], *indent(rest, HELP_LABEL)]


def draw_table_help(model: Model, glyphs: Glyphs, columns: int) -> list[Line]:
    """What small screens leave out: the goal, the help of each action, the legend, the meters, a second board."""
    if model.ending:
        return [*explained, []] if (explained := draw_analysis_help(model, columns)) else []
    if model.show is None or columns >= SMALL:
        return []
    view = model.show.view
    lines = wrap(f"Goal: {insert_short_names(model, view.goal)}", columns, "class:strong", "  ") if view.goal else []
    for action in list_usable(model):
        told = insert_short_names(model, action.tells or action.help)
        lines += wrap(f"{action.verb.capitalize()}: {told}", columns, "", "  ")
    covers = Overlay(masked=model.masked, you=model.show.you or 1)
    lines += [row for row in draw_game_legend(model, covers, glyphs, (columns,) * LEGEND_ROWS, PITCHES[-1]) if row]
    lines += draw_meters(model, glyphs, columns)
    second = view.find_board("beside")
    lines += draw_second(model, second, glyphs, columns, SECOND_ROWS, large=False) if second else []
    return [*lines, []] if lines else []


# Prose ----------------------------------------------------------------------------------------------------------------


def wrap_prose(text: str, columns: int) -> list[Line]:
    """A text in lines that fit. An indented line is an example with its explanation."""
    blocks: list[str] = []
    for line in text.split("\n"):
        starts = not line.strip() or (line.startswith("  ") and not line.startswith("   "))
        if starts or not blocks or not blocks[-1]:
            blocks.append(line.rstrip())
        else:
            blocks[-1] += " " + line.strip()
    return [line for block in blocks for line in hang_example(block, columns)]


def hang_example(block: str, columns: int) -> list[Line]:
    """A paragraph, or an example with its explanation beside it."""
    if not block.startswith(" "):
        return wrap(block, columns)
    sample, _, meaning = block.strip().partition("  ")
    if columns < 3 * EXAMPLE or columns_of(sample) > EXAMPLE - 3:
        return wrap(f"{sample} {meaning.strip()}", columns, "", "  ")
    first, *rest = wrap(meaning.strip(), columns - EXAMPLE)
    return [[Fragment("class:action", f"  {fit(sample, EXAMPLE - 2, '')}"), *first], *indent(rest, EXAMPLE)]


# Lists ----------------------------------------------------------------------------------------------------------------


def draw_seals(model: Model, columns: int) -> list[Line]:
    """The seals so far: each secret's name and hash."""
    lines = wrap("Each secret is sealed when it comes to exist, and opened when the game is over.", columns)
    for what, seal in model.commits.items():
        lines += wrap(f"{what}: {seal}", columns, "class:quiet", "  ")
    return lines


def draw_new_room(controller: Controller, room: NewRoom, glyphs: Glyphs, columns: int) -> list[Line]:
    """The rows of the dialogue that makes a room, and a sentence about the row of the cursor if it needs one."""
    cards = controller.model.cards
    rows = [
        f"{label:<8} {f'< {value} >' if number == room.row else f'  {value}'}"
        for number, label in enumerate(room.rows)
        for value in [describe_value(controller.model, room, label)]
    ]
    first_line, *others = draw_options(rows, room.row, glyphs, columns)
    # The widest possible value sets the width, so that the box keeps its size.
    widest = max(map(columns_of, [UNLISTED, *(card.title for card in cards)]))
    size = min(columns, widest + DECORATED)
    about = wrap(explain_row(controller.model, room), size - 2, "class:quiet")
    about += [[]] * (ABOUT_ROWS - len(about))
    return [pad(first_line, size), *others, [], *about[:ABOUT_ROWS]]


def describe_value(model: Model, room: NewRoom, row: RoomRow) -> str:
    """The value of a row of the dialogue, in words."""
    card, clock, level = model.card(room.games[room.game]), CLOCKS[room.clock], LEVELS[room.level]
    match row:
        case "Game":
            return card.title if card else room.games[room.game]
        case "Against":
            return f"the computer, {level}" if level else "a friend"
        case "Begins":
            return {"random": "chance decides", "host": "you", "guest": "the other"}[FIRST_PLAYERS[room.first]]
        case "Clock":
            return f"{clock} seconds a turn" if clock else "none"
        case "Listed":
            return UNLISTED if room.private else "in the lobby"
        case "Assist":
            return ASSIST[room.will_assist]
        case "Hints":
            return f"{TICKS[room.will_hint]} for both of you"
        case "Rules":
            return room.own_variants[room.variant - 1] if room.variant else "the usual ones"


def explain_row(model: Model, room: NewRoom) -> str:
    """A sentence about the row of the cursor."""
    card, row = model.card(room.games[room.game]), room.rows[room.row]
    if row == "Game" and card:
        return f"{card.summary[:1].upper()}{card.summary[1:]}."
    if row == "Rules" and card and room.variant:
        return card.variants[room.variant - 1][1]
    return ABOUT.get(row, "")


def describe_action(model: Model, action: Action, cell: str) -> str:
    """An action at a cell, and what it will tell."""
    words, legal = spell(model, action, cell)
    told = insert_short_names(model, action.tells or action.help) if legal else "not possible here"
    return f"{words}: {told}"


def draw_options(rows: list[str], chosen: int, glyphs: Glyphs, columns: int, letters: Sequence[str] = ()) -> list[Line]:
    """Rows of which one can be chosen, some by a letter."""
    lines: list[Line] = []
    for number, row in enumerate(rows):
        here = number == chosen
        label = f"{glyphs.pointer if here else ' '} {f'{letters[number]}  ' if letters else ''}"
        style = "class:chosen" if here else ""
        for line in wrap(label + row, columns, style, " " * (len(label) if letters else len(label) + 2)):
            lines.append([Fragment(style, plain(line), ("row", number))])
    return lines


# Over the screen ------------------------------------------------------------------------------------------------------


def lay_page(lines: list[Line], controller: Controller, glyphs: Glyphs, columns: int) -> list[Line]:
    """The screen with the open page over it."""
    if isinstance(controller.page, Confirm | Choice) and controller.model.show is not None:
        return lay_question(lines, controller, glyphs, columns)
    title, inside = draw_page(controller, glyphs, measure_text(columns))
    height = min(len(inside), len(lines) - 2)
    top = min(controller.page_top, find_last_top(len(inside), len(lines)))
    left_out = len(inside) - top - height
    size = min(columns - 4, max([*map(width, inside), columns_of(title) + 2]) + 1)
    box = draw_frame(title, inside[top : top + height], glyphs, size, f"{left_out} more, PgDn" if left_out else "")
    if isinstance(controller.page, TextPage):
        lines = [[]] * len(lines)  # a text is easier to read on an empty screen
    return put_box(lines, box, (columns - size - 4) // 2, (len(lines) - len(box)) // 2)


def lay_question(lines: list[Line], controller: Controller, glyphs: Glyphs, columns: int) -> list[Line]:
    """The table with a question over its pane. Without a pane it takes rows that leave the chosen cell free."""
    assert controller.model.show
    view = controller.model.show.view
    under = view.find_board("under")
    parts = plan_screen(view.board, under, columns, len(lines))
    x, size = 0, columns
    if parts.pane and parts.geometry:
        x, size = parts.left + parts.geometry.width + 1, parts.pane
    title, inside = draw_page(controller, glyphs, max(1, size - 5))
    cell = [y for _, y in find_target(lines, ("cell", controller.cursor))] if not x else []
    bottom = parts.head + parts.middle
    above, below = (min(cell) - parts.head, bottom - max(cell) - 1) if cell else (parts.middle, 0)
    shorter = (inside, *(keep_first_lines(inside, whole, glyphs) for whole in (controller.chosen_row, None)))
    inside = next((rows for rows in shorter if len(rows) + 2 <= max(above, below)), shorter[-1])
    if x:
        inside += [[]] * (find_block_end(lines, x, parts.head + len(inside) + 1, bottom) - parts.head - len(inside) - 1)
    box = draw_frame(title, inside[: max(1, bottom - 2)], glyphs, max(1, size - 4), "")
    return put_box(lines, box, x, bottom - len(box) if cell and len(box) <= below else parts.head)


def find_block_end(lines: list[Line], x: int, least: int, bottom: int) -> int:
    """The row at which a box over a pane can end without leaving half a block of the pane's lines below it."""
    is_blank = [not plain(drop(line, x)).strip() for line in lines]
    ends = (y for y in range(least, bottom - 1) if is_blank[y] or is_blank[y + 1])
    return next(ends, max(least, bottom - 1))


def keep_first_lines(lines: list[Line], whole: int | None, glyphs: Glyphs) -> list[Line]:
    """The first line of each row that can be chosen, all lines of one of them, and the lines that belong to none."""
    kept: list[Line] = []
    for line, before, after in zip(lines, [[], *lines], [*lines[1:], []], strict=False):
        target, is_whole = find_row(line), find_row(line) in (None, whole)
        if is_whole or find_row(before) != target:
            is_cut = not is_whole and find_row(after) == target
            kept.append([*line, Fragment("class:quiet", glyphs.more)] if is_cut else line)
    return kept


def find_row(line: Line) -> int | None:
    """The row that can be chosen with a line; None if it belongs to none."""
    target = line[0].target if line else None
    return target[1] if target else None


def put_box(lines: list[Line], box: list[Line], x: int, y: int) -> list[Line]:
    """A screen with a box over it. The screen below can't be clicked."""
    lines = [[fragment._replace(target=None) for fragment in line] for line in lines]
    behind = lines[y : y + len(box)]
    covered = [
        [*pad(line, x), *put_on_panel(row), *drop(line, x + width(row))] for line, row in zip(behind, box, strict=False)
    ]
    return [*lines[:y], *covered, *lines[y + len(box) :]]


def put_on_panel(line: Line) -> Line:
    """A line on the background of panes. Fragments with a background keep it."""
    return [
        fragment
        if any(role in fragment.style for role in GROUNDED)
        else fragment._replace(style=f"{fragment.style} class:ground.panel".strip())
        for fragment in line
    ]


def measure_text(columns: int) -> int:
    """The columns of a page's text on a screen."""
    return max(1, min(PAGE_COLUMNS, columns - 5))


def find_last_top(lines: int, rows: int) -> int:
    """How far a page can be scrolled."""
    return max(0, lines - max(1, rows - 2))


def draw_frame(title: str, lines: list[Line], glyphs: Glyphs, size: int, below: str) -> list[Line]:
    """Lines in a frame with a title, and a sign if there is more below."""
    title, below = (f" {cut(harmless(text), size - 2, glyphs.more)} " if text else "" for text in (title, below))
    bar = Fragment("class:rule", glyphs.down)
    top = [Fragment("class:rule", glyphs.corners[0] + glyphs.across), Fragment("class:heading", title)]
    bottom = [Fragment("class:rule", glyphs.feet[0] + glyphs.across), Fragment("class:quiet", below)]
    return [
        [*top, Fragment("class:rule", glyphs.across * (size + 1 - columns_of(title)) + glyphs.corners[2])],
        *([bar, Fragment("", " "), *pad(line, size), Fragment("", " "), bar] for line in lines),
        [*bottom, Fragment("class:rule", glyphs.across * (size + 1 - columns_of(below)) + glyphs.feet[2])],
    ]
