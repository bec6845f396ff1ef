"""Parts that several screens share: the head, the log, what is asked for, and the words of the client's own."""

from gridgames_client.desk import Desk
from gridgames_client.model import Model
from gridgames_client.paint import Fragment, Glyphs, Line, blank, cut, indented, say, spread, width, wrapped
from gridgames_protocol.messages import Event
from gridgames_protocol.text import harmless

MARGIN = 2
WHAT_NOW = "What now? /again for a rematch, /leave for the lobby, /save FILE to keep it."
ALONE = "What now? /leave for the lobby, /save FILE to keep it."
WORDS_MAX = 5  # lines that a refusal may take


def head(left: str, right: str, glyphs: Glyphs, columns: int) -> Line:
    """What this is, and how it stands; a line that is down is told before anything else."""
    end = say(f"{right} ", "class:quiet")
    size = columns if right == "connected" else columns - width(end) - 1
    title = cut(harmless(f" {left}"), max(size, columns // 3), glyphs.more)
    return spread(say(title, "class:title"), end, columns)


def rule(glyphs: Glyphs, columns: int) -> Line:
    """A line across the screen."""
    return [blank(1), Fragment("class:rule", glyphs.across * (columns - 2))]


def foot(desk: Desk, columns: int) -> list[Line]:
    """The lines above the input: the client's own word, and what is asked for now."""
    model, words = desk.model, own_word(desk.model, columns)
    asked = wrapped(prompt(model), columns - 2, "class:prompt" if model.to_act else "class:quiet")
    asked = asked[: 1 if words else 2] if prompt(model) else []
    return [*words, *indented(asked, 1)]


def own_word(model: Model, columns: int) -> list[Line]:
    """The client's own word, if it has one; that the line is down comes before anything else."""
    lines: list[Line] = []
    if model.line == "reconnecting":
        lines += wrapped(f"{model.trouble} Reconnecting; your line stays.", columns - 2, "class:bad")
    if model.notice:
        lines += wrapped(model.notice, columns - 2, "class:bad" if model.notice_bad else "class:good")
    return indented(lines[:WORDS_MAX], 1)


def prompt(model: Model) -> str:
    """What is asked for now."""
    if model.ending:
        return what_now(model)
    return model.named(model.show.view.prompt) if model.show else ""


def what_now(model: Model) -> str:
    """What can be done after a game."""
    if model.room is None or model.room.you is None:
        return "/leave goes back to the lobby."
    if model.deserted:
        return ALONE
    if model.wants_again is None:
        return WHAT_NOW
    if model.wants_again == model.room.you:
        return f"Waiting for {model.seat_name(3 - model.room.you)} to agree."
    return f"{model.seat_name(model.wants_again)} wants another game: F6."


def log(desk: Desk, glyphs: Glyphs, columns: int, rows: int) -> list[Line]:
    """What happened last, in exactly so many lines; earlier things when scrolled back."""
    if rows <= 0:
        return []
    events = list(desk.model.log)
    below = min(desk.scrolled, max(0, len(events) - 1))
    newer = [say(f"  {glyphs.more} {below} newer, PgDn", "class:quiet")] if below else []
    space = rows - len(newer)
    lines: list[Line] = []
    for event in reversed(events[: len(events) - below]):
        if len(lines) >= space:
            break
        lines = told(desk.model, event, columns) + lines
    lines = [*lines[max(0, len(lines) - space) :], *newer][-rows:]
    return [[]] * (rows - len(lines)) + lines


def told(model: Model, event: Event, columns: int) -> list[Line]:
    """An event as a sentence; chat can't look like anything else."""
    if event.kind == "chat":
        who = model.seat_name(event.seat) if event.seat else f"{harmless(event.name or 'somebody')} (watching)"
        text, style = f"{who}: {event.text}", "class:chat"
    elif event.commit:
        text, style = f"{event.text.removesuffix('.')} ({event.commit.hash[:12]}).", "class:quiet"
    else:
        text = model.named(event.text)
        style = {"hint": "class:hint", "system": "class:system"}.get(event.kind, "class:move")
    return indented(wrapped(text, columns - 2 * MARGIN, style, "  "), MARGIN)
