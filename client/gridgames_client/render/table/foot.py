"""Draws what stands below a board: the last events, the last chat line."""

import re
from itertools import chain

from gridgames_client.render.drawing.text_layout import (
    Glyphs,
    Line,
    blank,
    break_line,
    clip_line,
    cut,
    indent,
    plain,
    say,
    width,
    wrap,
)
from gridgames_client.render.drawing.text_layout import columns as columns_of
from gridgames_client.render.drawing.widgets import (
    draw_chip,
    draw_notice,
    draw_speaker,
    insert_short_names,
    is_in_log,
    name_seat,
)
from gridgames_client.render.table.lesson import draw_lesson_rows
from gridgames_client.state.controllers.controller import Controller
from gridgames_client.state.model import Model
from gridgames_protocol.messages import Event
from gridgames_protocol.safe_text import harmless

GAP = 2  # columns between two sentences
SPEAKER_MAX = 28  # columns: a name of 16, and ` (watching):`


def draw_news(controller: Controller, glyphs: Glyphs, columns: int, rows: int, paned: bool) -> list[Line]:
    """The client's message, a lesson that has no pane, or the last events, in a number of rows.

    What a player has asked the other for stands above them. In a single row it replaces them, but not a message.
    """
    asked, said = draw_request(controller.model, columns), draw_notice(controller.model, columns)[:rows]
    if asked and rows == 1 and not said:
        return [asked]
    space = rows - bool(asked)
    if not said and not paned:
        said = indent(draw_lesson_rows(controller, glyphs, columns - 2, space), 1)
    lines = said or draw_events(controller, glyphs, columns, space)
    lines = [asked, *lines] if asked and len(lines) < rows else lines
    return [[]] * (rows - len(lines)) + lines


def draw_request(model: Model, columns: int) -> Line:
    """That a player waits for the other's answer: to another game, or to a draw. Nothing for watchers."""
    you = model.room.you if model.room else None
    if model.room is None or you is None or model.has_empty_seat:
        return []
    other = name_seat(model, 3 - you, 16)
    asked: tuple[str, ...] = ()
    if you in model.room.again:
        asked = (f"You asked for another game. Waiting for {other}.", f"Another game? Waiting for {other}.")
    elif model.room.again:
        asked = (f"{other} wants another game: F6 agrees.", "Another game? F6 agrees.")
    elif you in model.room.draw:
        asked = (f"You offered a draw. Waiting for {other}.", f"A draw? Waiting for {other}.")
    elif model.room.draw:
        asked = (f"{other} offers a draw: /draw takes it.", "A draw? /draw takes it.")
    fitting = next((text for text in asked if columns_of(text) <= columns - 2), asked[-1] if asked else "")
    return [blank(1), *say(fitting, "class:gold")] if fitting else []


def draw_events(controller: Controller, glyphs: Glyphs, columns: int, rows: int) -> list[Line]:
    """The last events, and the last chat line beside or above them, in at most a number of rows."""
    model = controller.model
    told = [event for event in model.shown_log if is_in_log(event)]
    below = min(controller.log_offset, max(0, len(told) - 1))
    told = told[: len(told) - below]
    said = next((event for event in reversed(told) if event.kind == "chat"), None)
    right = draw_last_words(model, said, glyphs) if said else []
    right = say(f"{glyphs.more} {below} newer", "class:quiet") if below else right
    moved = [event for event in list_events_of_game(told) if event.kind != "chat"]
    is_newest = said is not None and told[-1] is said
    lines = draw_last_moves(model, moved, glyphs, columns - 2, max(1, rows - is_newest))
    last = lines[-1] if lines else []
    space = columns - 2 - width(last) - width(right)
    if right and space >= 2:
        last = [*last, blank(space), *right]
    elif right and len(lines) < rows:
        lines.insert(0, [blank(max(0, columns - 2 - width(right))), *right])
    elif right and rows == 1 and is_newest:
        last = right
    return [clip_line([blank(1), *line], columns) for line in [*lines[:-1], last]]


def list_events_of_game(events: list[Event]) -> list[Event]:
    """The events since the last game began: a rematch does not show the moves of the game before."""
    begun = max((place for place, event in enumerate(events) if event.begins is not None), default=0)
    return events[begun:]


def group_moves(events: list[Event]) -> list[list[Event]]:
    """The events by move: those of one seat, and what everybody was told after them. That ends the move."""
    groups: list[list[Event]] = []
    for event in events:
        continues = groups and groups[-1][0].seat == event.seat and groups[-1][-1].kind != "system"
        if event.kind != "system" and not continues:
            groups.append([event])
        elif groups:
            groups[-1].append(event)
    return groups


def draw_last_moves(model: Model, events: list[Event], glyphs: Glyphs, columns: int, rows: int) -> list[Line]:
    """The last move. If it is the other player's, the own one before it stays, since its answer is still needed."""
    groups, you = group_moves(events), model.show.you if model.show else None
    if not groups:
        other = f"Player {3 - you}, " if you else "\n"
        told = [event.text for event in events if not event.text.startswith(other)]
        return wrap(insert_short_names(model, told[-1]), columns, "class:system")[:rows] if told else []
    last = groups[-1]
    own = groups[-2] if len(groups) > 1 and groups[-2][0].seat == you != last[0].seat and not model.ending else []
    theirs = fit_whole(model, last, glyphs, columns) if rows == 1 else draw_move(model, last, glyphs, columns)
    if not any(event.kind in ("hint", "system") for event in own):  # it has told nothing
        return break_line(theirs, columns, rows if model.ending else min(rows, 2), glyphs.more)
    if rows == 1:
        line = [*say(insert_short_names(model, find_result(own).text), "class:hint"), blank(GAP), *theirs]
        return [line if width(line) <= columns else theirs]
    line = [*draw_move(model, own, glyphs, 0), blank(GAP), *draw_move(model, last, glyphs, columns // 2)]
    if width(line) <= columns:
        return [line]
    theirs = fit_whole(model, last, glyphs, columns * (rows - 1))
    return [fit_move(model, own, glyphs, columns), *break_line(theirs, columns, rows - 1, glyphs.more)]


def fit_whole(model: Model, group: list[Event], glyphs: Glyphs, columns: int) -> Line:
    """A move in one row, in whole sentences: all of it, the first sentences of its last deed, or its last sentence."""
    spoken = [event for event in group if event.kind != "system"] or group
    deeds = [at for at, event in enumerate(spoken) if event.text.startswith(f"Player {event.seat} ")]
    deed = spoken[deeds[-1] if deeds else 0 :]
    sentences = re.split(r"(?<=[.!?]) ", " ".join(event.text for event in deed))
    move, beginnings = draw_move(model, group, glyphs, columns), range(len(sentences), 0, -1)
    shorter = (draw_deed(model, deed[0], " ".join(sentences[:count]), glyphs) for count in beginnings)
    lines = chain([move], shorter, [draw_deed(model, spoken[-1], spoken[-1].text, glyphs)])
    whole = next((line for line in lines if width(line) <= columns), None)
    return whole or break_line(move, columns, 1, glyphs.more)[0]


def fit_move(model: Model, group: list[Event], glyphs: Glyphs, columns: int) -> Line:
    """A move in so many columns. If it does not fit, only its result."""
    line = draw_move(model, group, glyphs, columns)
    return line if width(line) <= columns else draw_move(model, [find_result(group)], glyphs, columns)


def find_result(group: list[Event]) -> Event:
    """What a move has told: the last answer to its player, or else its last sentence."""
    return next((event for event in reversed(group) if event.kind == "hint"), group[-1])


def draw_move(model: Model, group: list[Event], glyphs: Glyphs, columns: int) -> Line:
    """A move with its player's chip: its last two sentences, and what everybody was told after them.

    The last part is left out if it does not fit, unless it is the only answer to the reader's own move or tells why the
    game has ended.
    """
    run = [event for event in group if event.kind != "system"][-2:] or group
    words, after = " ".join(event.text for event in run), group[-1]
    line = draw_deed(model, run[-1], words, glyphs)
    if after.kind == "system" and after.text not in words:
        more = [blank(GAP), *say(insert_short_names(model, after.text), "class:system")]
        answers = run[-1].kind != "hint" and model.show is not None and run[-1].seat == model.show.you
        line += more if answers or model.ending or width(line) + width(more) <= columns else []
    return line


def draw_deed(model: Model, event: Event, words: str, glyphs: Glyphs) -> Line:
    """Words about an event, or a part of its text, with its player's chip."""
    line: Line = []
    if event.seat and not words.startswith("You "):  # a chip would mix the persons
        line += [draw_chip(name_seat(model, event.seat, 16), event.seat, glyphs, numbered=not glyphs.filled), blank(1)]
    style = "class:hint" if event.kind == "hint" else "class:strong"
    return [*line, *say(insert_short_names(model, words.removeprefix(f"Player {event.seat} ")), style)]


def fill_with_reason(model: Model, lines: list[Line], columns: int) -> list[Line]:
    """The lines of a board, and in the empty rows below it what everybody was told after the last move of a game."""
    groups = group_moves([event for event in list_events_of_game(model.shown_log) if event.kind != "chat"])
    told = groups[-1][-1] if groups else None
    if told is None or told.kind != "system":
        return lines
    return fill_rows(lines, indent(wrap(insert_short_names(model, told.text), columns - 2, "class:system"), 1))


def fill_rows(lines: list[Line], last: list[Line]) -> list[Line]:
    """The lines of a board, and others in the empty rows below it if they fit there."""
    is_free = not any(plain(line).strip() for line in lines[-len(last) :])
    return [*lines[: -len(last)], *last] if is_free else lines


def draw_last_words(model: Model, event: Event, glyphs: Glyphs) -> Line:
    """The last chat line."""
    who = draw_speaker(model, event, SPEAKER_MAX)
    return [who, blank(1), *say(cut(harmless(event.text), 30, glyphs.more), "class:chat")]
