"""Parts that several screens share: the head, the log, the prompt, and the client's messages."""

from gridgames_client.render.drawing.text_layout import (
    Fragment,
    Glyphs,
    Line,
    blank,
    clip,
    cut,
    indent,
    say,
    spread,
    width,
    wrap,
)
from gridgames_client.render.drawing.text_layout import columns as columns_of
from gridgames_client.state.controllers.controller import Controller
from gridgames_client.state.model import Model
from gridgames_client.state.player_names import replace_players
from gridgames_protocol.messages import Event
from gridgames_protocol.safe_text import harmless

MARGIN = 2
NAME_MAX = 16  # columns of a name
WHAT_NOW = "What now? /again for a rematch, /leave for the lobby, /save FILE to keep it."
ALONE = "What now? /leave for the lobby, /save FILE to keep it."
WORDS_MAX = 5  # lines that a refusal may take


def draw_title(left: str, right: str, glyphs: Glyphs, columns: int) -> Line:
    """A title on the left and a status on the right. The title leaves space for a broken connection's status."""
    end = say(f"{right} ", "class:quiet")
    size = columns if right == "connected" else columns - width(end) - 1
    title = cut(harmless(f" {left}"), max(size, columns // 3), glyphs.more)
    return spread(say(title, "class:title"), end, columns)


def draw_rule(glyphs: Glyphs, columns: int) -> Line:
    """A line across the screen."""
    return [blank(1), Fragment("class:rule", glyphs.across * (columns - 2))]


def draw_prompt_rows(controller: Controller, columns: int) -> list[Line]:
    """The lines above the input: the client's message and the prompt."""
    model, words = controller.model, draw_notice(controller.model, columns)
    asked = wrap(choose_prompt(model), columns - 2, "class:prompt" if model.to_act else "class:quiet")
    asked = asked[: 1 if words else 2] if choose_prompt(model) else []
    return [*words, *indent(asked, 1)]


def draw_notice(model: Model, columns: int) -> list[Line]:
    """The client's message, if there is one. A broken connection comes first."""
    lines: list[Line] = []
    if model.connection == "reconnecting":
        kept = "your move is sent again if it was lost." if model.unanswered_play else "your text stays."
        lines += wrap(f"{model.why_disconnected} Reconnecting; {kept}", columns - 2, "class:bad")
    if model.notice:
        lines += wrap(model.notice, columns - 2, "class:bad" if model.notice_is_error else "class:good")
    return indent(lines[:WORDS_MAX], 1)


def choose_prompt(model: Model) -> str:
    """The question or instruction for the player."""
    if model.ending:
        return prompt_after_game(model)
    return model.insert_names(model.show.view.prompt) if model.show else ""


def prompt_after_game(model: Model) -> str:
    """The prompt after a game."""
    if model.room is None or model.room.you is None:
        return "/leave goes back to the lobby."
    if model.has_empty_seat:
        return ALONE
    if model.rematch_seat is None:
        return WHAT_NOW
    if model.rematch_seat == model.room.you:
        return f"Waiting for {model.seat_name(3 - model.room.you)} to agree."
    return f"{model.seat_name(model.rematch_seat)} wants another game: F6."


def draw_chip(name: str, seat: int, glyphs: Glyphs, dim: bool = False, numbered: bool = True) -> Fragment:
    """A player's name and the seat's number on the seat's colour. Without a name, the seat stands for it."""
    numbered &= name != f"Player {seat}"
    text = (f"{seat} {name}" if seat == 1 else f"{name} {seat}") if numbered else name
    if not glyphs.filled:
        return Fragment("class:turn", f"[{harmless(text)}]")
    return Fragment(f"class:chip{seat}{'.dim' if dim else ''}", f" {harmless(text)} ")


def draw_key(key: str, glyphs: Glyphs, chosen: bool = False) -> Fragment:
    """A key of the keyboard. The chosen one is highlighted."""
    if not glyphs.filled:
        return Fragment("class:turn", f"[{key}]")
    return Fragment("class:chosen" if chosen else "class:key", f" {key} ")


def name_seat(model: Model, seat: int, longest: int = 10) -> str:
    """A player's bare name, for places that show the seat by other means."""
    return clip(model.names.get(seat, f"Player {seat}"), longest)


def fit_name(model: Model, seat: int, size: int) -> str:
    """A player's name for a narrow column: `Bot (medium)`, or else `Bot medium`, or else `medium`."""
    name = name_seat(model, seat, NAME_MAX)
    bare = name.replace("(", "").replace(")", "")
    shorter = (name, bare, bare.split()[-1]) if name.endswith(")") and bare.strip() else (name,)
    return next((text for text in shorter if columns_of(text) <= size), clip(name, size))


def insert_short_names(model: Model, text: str) -> str:
    """A sentence of the game with the players' bare names in it."""
    return replace_players(text, lambda seat: name_seat(model, seat, NAME_MAX))


def draw_log(
    controller: Controller, glyphs: Glyphs, columns: int, rows: int, talk: bool = False, top: bool = False
) -> list[Line]:
    """The last events in exactly a number of lines, or earlier ones when scrolled. `talk` leaves out the moves."""
    if rows <= 0:
        return []
    model = controller.model
    events = [event for event in model.shown_log if is_in_log(event, talk) and not is_said_elsewhere(model, event)]
    below = min(controller.log_offset, max(0, len(events) - 1))
    newer = [say(f"{glyphs.more} {below} newer, PgDn", "class:quiet")] if below else []
    space = rows - len(newer)
    lines: list[Line] = []
    for event in reversed(events[: len(events) - below]):
        if len(lines) >= space:
            break
        lines = draw_event(model, event, glyphs, columns) + lines
    lines = [*lines[max(0, len(lines) - space) :], *newer][-rows:]
    rest: list[Line] = [[]] * (rows - len(lines))
    return [*lines, *rest] if top else [*rest, *lines]


def is_in_log(event: Event, talk: bool = False) -> bool:
    """True if an event belongs into the players' log. Seals have a page of their own."""
    return event.commit is None and not (talk and event.kind in ("move", "hint"))


def is_said_elsewhere(model: Model, event: Event) -> bool:
    """True for an explanation that is above the input line now, and for what only the other player is asked."""
    other = f"Player {3 - model.show.you}, " if model.show and model.show.you else "\n"
    return event.kind == "system" and (event.text in model.notice or event.text.startswith(other))


def draw_speaker(model: Model, event: Event, columns: int) -> Fragment:
    """The speaker of a chat line in one row. No name, and no sentence of the server, begins like it: `Ada [1]:`"""
    style, mark = (f"class:seat{event.seat}", f" [{event.seat}]:") if event.seat else ("class:quiet", " (watching):")
    name = name_seat(model, event.seat, NAME_MAX) if event.seat else harmless(event.name or "somebody")
    return Fragment(style, clip(clip(name, max(1, columns - len(mark))) + mark, columns))


def draw_event(model: Model, event: Event, glyphs: Glyphs, columns: int) -> list[Line]:
    """An event as a sentence. Chat has its speaker in front, and its later rows are indented."""
    if event.kind == "chat":
        who = draw_speaker(model, event, columns)
        size = columns_of(who.text)
        first, *rest = wrap(f"{'x' * size} {event.text}", columns, "class:chat", "  ")  # a name is not broken
        return [[who, Fragment("class:chat", first[0].text[size:])], *rest]
    style = {"hint": "class:hint", "system": "class:system"}.get(event.kind, "class:move")
    return wrap(model.insert_names(event.text), columns, style, "  ")
