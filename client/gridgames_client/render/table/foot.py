"""Draws what stands below a board: the last events, the last chat line."""

from gridgames_client.render.drawing.text_layout import (
    Fragment,
    Glyphs,
    Line,
    blank,
    break_line,
    clip_line,
    cut,
    indent,
    say,
    width,
)
from gridgames_client.render.drawing.widgets import (
    draw_chip,
    draw_notice,
    draw_speaker,
    insert_short_names,
    is_in_log,
    name_seat,
)
from gridgames_client.state.controllers.controller import Controller
from gridgames_client.state.model import Model
from gridgames_protocol.messages import Event
from gridgames_protocol.safe_text import harmless


def draw_news(controller: Controller, glyphs: Glyphs, columns: int, rows: int) -> list[Line]:
    """The client's message, the last events and the last chat line, in a number of rows."""
    words = draw_notice(controller.model, columns)[:rows]
    if words:
        return [[]] * (rows - len(words)) + words
    model = controller.model
    told = [event for event in model.log if is_in_log(event)]
    below = min(controller.log_offset, max(0, len(told) - 1))
    told = told[: len(told) - below]
    said = next((event for event in reversed(told) if event.kind == "chat"), None)
    right = draw_last_words(model, said, glyphs) if said else []
    right = say(f"{glyphs.more} {below} newer", "class:quiet") if below else right
    moved = [event for event in list_events_of_game(told) if event.kind != "chat"]
    left = draw_last_events(model, moved, glyphs, columns - 4 - width(right))
    is_newest = bool(told) and told[-1] is said
    if width(left) > columns - 2 and not (is_newest and rows == 1):  # an answer or a score must not be cut
        broken = indent(break_line(left, columns - 2, min(rows, 2), glyphs.more), 1)
        above: list[Line] = [[]] * (rows - len(broken))
        if right and above:
            above[-1] = [blank(max(1, columns - 1 - width(right))), *right]
        return [*above, *broken]
    above = [[]] * (rows - 1)
    space = columns - 2 - width(left) - width(right)
    if space < 2 and right and rows > 1:
        above[-1] = [blank(max(1, columns - 1 - width(right))), *right]
        right = []
    elif space < 2 and right and is_newest:
        left, right = right, []
    elif space < 2:
        right = []
    space = max(0, columns - 2 - width(left) - width(right))
    return [*above, clip_line([blank(1), *left, blank(space), *right], columns)]


def list_events_of_game(events: list[Event]) -> list[Event]:
    """The events since the last game began: a rematch does not show the moves of the game before."""
    begun = max((place for place, event in enumerate(events) if event.begins is not None), default=0)
    return events[begun:]


def draw_last_events(model: Model, events: list[Event], glyphs: Glyphs, columns: int) -> Line:
    """The last move with its player's chip, and the events after it that fit."""
    at = max((place for place, event in enumerate(events) if event.kind != "system"), default=None)
    last = events[at] if at is not None else None
    other = f"Player {3 - model.show.you}, " if model.show and model.show.you else "\n"
    after = events[at + 1 :] if at is not None else [event for event in events if not event.text.startswith(other)][-1:]
    move = [event for event in events if event.kind != "system" and last and event.seat == last.seat]
    run = _trailing(events, move)
    lead = f"Player {last.seat} " if last else ""
    words = " ".join(event.text for event in run)
    line: Line = []
    if last and last.seat and not words.startswith("You "):  # a chip would mix the persons
        line += [draw_chip(name_seat(model, last.seat, 16), last.seat, glyphs, numbered=not glyphs.filled), blank(1)]
    style = "class:hint" if last and last.kind == "hint" else "class:strong"
    line += say(insert_short_names(model, words.removeprefix(lead)), style) if words else []
    for event in [event for event in after if event.text not in words][-1:]:
        more = [blank(2 if line else 0), *say(insert_short_names(model, event.text), "class:system")]
        line += more if width(line) + width(more) <= columns else []
    return line


def _trailing(events: list[Event], move: list[Event]) -> list[Event]:
    """The events of the last move, up to the other player's."""
    run: list[Event] = []
    for event in reversed([event for event in events if event.kind != "system"]):
        if event not in move or len(run) == 2:
            break
        run.insert(0, event)
    return run


def draw_last_words(model: Model, event: Event, glyphs: Glyphs) -> Line:
    """The last chat line."""
    who = draw_speaker(model, event, glyphs)
    style = f"class:seat{event.seat}" if event.seat else "class:quiet"
    return [Fragment(style, f"{who}: "), *say(cut(harmless(event.text), 30, glyphs.more), "class:chat")]
