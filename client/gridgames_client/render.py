"""The screens: model and desk in, styled lines out. Nothing here is remembered, and nothing is asked of a terminal."""

from gridgames_client import board, cells
from gridgames_client.board import SMALL_CELL, Pencil
from gridgames_client.commands import Confirm, Turn
from gridgames_client.desk import Choice, Desk, NewRoom
from gridgames_client.letters import large
from gridgames_client.model import Model
from gridgames_client.paint import Fragment, Glyphs, Line, beside, cut_line, say, spread, width, wrapped
from gridgames_protocol.messages import Event, LobbyRoom
from gridgames_protocol.text import harmless

MARGIN = 2
SIDE_MIN = 28  # columns in which facts can be read beside a board
FULL_ROWS = 19  # of the body, in which a board with rules leaves room for the log


def screen(desk: Desk, typed: str, glyphs: Glyphs, columns: int, rows: int, now: float) -> list[Line]:
    """The whole screen above the input line, exactly so many lines of at most so many columns."""
    model = desk.model
    if model.room is None:
        lines = lobby(desk, glyphs, columns, rows)
    elif model.show is None:
        lines = waiting(desk, glyphs, columns, rows)
    else:
        lines = table(desk, typed, glyphs, columns, rows, now)
    lines = [cut_line(line, columns) for line in lines[:rows]]
    return lines + [[]] * (rows - len(lines))


# Parts that several screens share -------------------------------------------------------------------------------------


def head(left: str, right: str, columns: int) -> Line:
    """What this is, and how it stands."""
    return spread(say(f" {left}", "class:title"), say(f"{right} ", "class:quiet"), columns)


def rule(glyphs: Glyphs, columns: int) -> Line:
    """A line across the screen."""
    return [Fragment("class:rule", " " + glyphs.across * (columns - 2))]


def log_lines(model: Model, columns: int) -> list[Line]:
    """What has happened, a line for each thing, or more where it is long."""
    lines: list[Line] = []
    for event in model.log:
        text, style = told(model, event)
        lines += [[Fragment("", " " * MARGIN), *line] for line in wrapped(text, columns - 2 * MARGIN, style, "  ")]
    return lines


def told(model: Model, event: Event) -> tuple[str, str]:
    """An event as a sentence and its style; chat can't look like anything else."""
    if event.kind == "chat":
        who = model.seat_name(event.seat) if event.seat else f"{harmless(event.name or 'somebody')} (watching)"
        return f"{who}: {event.text}", "class:chat"
    if event.commit:
        return f"{event.text[:-1]} ({event.commit.hash[:12]}).", "class:quiet"
    style = {"hint": "class:hint", "system": "class:system"}.get(event.kind, "class:move")
    return model.named(event.text), style


def bottom(desk: Desk, columns: int) -> list[Line]:
    """The lines above the input: the client's own word, and what is asked for now."""
    model = desk.model
    word, style = model.notice, "class:bad" if model.notice_bad else "class:good"
    if model.line == "reconnecting":
        word, style = f"{model.trouble} Reconnecting; what you type stays.", "class:bad"
    lines = [[Fragment("", " "), *line] for line in wrapped(word, columns - 2, style)] if word else []
    prompt = model.named(model.show.view.prompt) if model.show else ""
    return [*lines, say(f" {prompt}", "class:prompt" if model.to_act else "class:quiet")]


def recent(lines: list[Line], rows: int, scrolled: int) -> list[Line]:
    """The last lines that fit, or earlier ones when scrolled back."""
    last = max(len(lines) - scrolled, min(rows, len(lines)))
    return lines[max(0, last - rows) : last]


# The lobby ------------------------------------------------------------------------------------------------------------


def lobby(desk: Desk, glyphs: Glyphs, columns: int, rows: int) -> list[Line]:
    """Games to open a room for, and rooms to join or watch."""
    model = desk.model
    online = f"{harmless(model.name)} {glyphs.dot} {model.lobby.players} online" if model.lobby else model.line
    lines = [head(f"gridgames {glyphs.dot} {model.address}", online, columns), rule(glyphs, columns)]
    lines.append(say("  Open a room", "class:heading"))
    for number, card in enumerate(model.cards):
        lines.append(chosen(desk, glyphs, number, f"{card.title:<20} {card.summary}"))
    lines += [[], say("  Join or watch", "class:heading")]
    foot = [*recent(log_lines(model, columns), 3, desk.scrolled), *bottom(desk, columns)[:-1]]
    listed = model.lobby.rooms if model.lobby else ()
    space = max(1, rows - len(lines) - len(foot) - 1)
    lines += room_lines(desk, glyphs, listed, space)
    lines += [[]] * (rows - len(lines) - len(foot))
    return lines + foot


def room_lines(desk: Desk, glyphs: Glyphs, listed: tuple[LobbyRoom, ...], space: int) -> list[Line]:
    """As many rooms as there is space for, the chosen one among them."""
    model = desk.model
    if not listed:
        return [say("    No rooms yet. Open one, and tell your friend its code.", "class:quiet")]
    first = max(0, desk.chosen - len(model.cards) - space + 2)
    lines = []
    for number, room in list(enumerate(listed))[first : first + space]:
        state = "open" if room.open else f"{room.state}, {room.watchers} watching"
        text = f"{room.room:<8}{room.title:<20} {harmless(room.host):<17} {state}"
        lines.append(chosen(desk, glyphs, len(model.cards) + number, text))
    hidden = len(listed) - len(lines) + (model.lobby.more if model.lobby else 0)
    return [*lines[: space - 1], say(f"    and {hidden} more", "class:quiet")] if hidden else lines


def chosen(desk: Desk, glyphs: Glyphs, number: int, text: str) -> Line:
    """A row of the lobby's list, marked if the cursor is on it."""
    here = desk.chosen == number
    pointer = glyphs.pointer if here else " "
    return [Fragment("class:chosen" if here else "", f"  {pointer} {text}", ("row", number))]


def waiting(desk: Desk, glyphs: Glyphs, columns: int, rows: int) -> list[Line]:
    """A room without a second player: what to type on the other machine, large."""
    model = desk.model
    assert model.room
    lines = [head(f"{model.room.title} {glyphs.dot} {model.room.room}", model.line, columns), rule(glyphs, columns)]
    lines += [[], say("    Waiting for a second player. On the other machine, type:"), []]
    lines += [say(f"      gridgames-client {model.address}", "class:code"), [], say("    and join this room:"), []]
    lines += [[Fragment("", "      "), *line] for line in large(model.room.room, glyphs)]
    lines += [[], say(f"    (join {model.room.room})", "class:quiet"), []]
    foot = [*recent(log_lines(model, columns), 3, desk.scrolled), *bottom(desk, columns)]
    return lines + [[]] * (rows - len(lines) - len(foot)) + foot


# The table ------------------------------------------------------------------------------------------------------------


def table(desk: Desk, typed: str, glyphs: Glyphs, columns: int, rows: int, now: float) -> list[Line]:
    """The game: header, board, what is known beside it, the log, and what is asked for."""
    model = desk.model
    top = [*table_head(model, glyphs, columns, now), rule(glyphs, columns)]
    foot = bottom(desk, columns)
    middle = board_and_side(desk, typed, glyphs, columns, rows - len(top) - len(foot))
    space = rows - len(top) - len(middle) - len(foot)
    log = recent(log_lines(model, columns), max(0, space), desk.scrolled)
    return [*top, *middle, *([[]] * (space - len(log))), *log, *foot]


def table_head(model: Model, glyphs: Glyphs, columns: int, now: float) -> list[Line]:
    """The game, the room, the score; both players, and whose turn it is."""
    room = model.room
    assert room
    score = f"score {room.score[0]}-{room.score[1]}" + (f", {room.score[2]} drawn" if room.score[2] else "")
    name = f"{room.title} {glyphs.dot} {room.room} {glyphs.dot} game {room.number}, {score}"
    watched = f"{room.watchers} watching {glyphs.dot} " if room.watchers else ""
    one, two = (seat_line(model, glyphs, seat, now) for seat in (1, 2))
    return [head(name, watched + model.line, columns), spread(one, [*two, *say(" ")], columns)]


def seat_line(model: Model, glyphs: Glyphs, seat: int, now: float) -> Line:
    """A player: mark, name, and how it stands with them."""
    assert model.room
    assert model.show
    holder = model.room.seats[seat - 1]
    to_act = seat in model.show.turn
    state = "your turn" if to_act and model.room.you == seat else "to move" if to_act else ""
    if model.ending and model.ending.over.winner == seat:
        state = "won"
    if holder is None:
        state = "has left"
    elif not holder.online:
        state = "away, can return"
    mark = glyphs.turn if to_act else " "
    line = [Fragment(f"class:seat{seat}", f" {mark} {model.seat_name(seat)}"), Fragment("class:turn", f"  {state}")]
    if to_act and model.clock_ends is not None:
        left = max(0, int(model.clock_ends - now + 0.99))
        line.append(Fragment("class:clock", f"  {left // 60}:{left % 60:02d}"))
    return line


def board_and_side(desk: Desk, typed: str, glyphs: Glyphs, columns: int, rows: int) -> list[Line]:
    """The board with what is known beside it, or below where there is no space."""
    model = desk.model
    assert model.show
    lit = cells.named(model, typed) if typed else None
    pencil = Pencil(desk.cursor if model.room and model.room.you else None, lit, model.marks, model.masked)
    drawn = board.draw(model.show.view.board, pencil, glyphs, rows < FULL_ROWS - 4)
    if width(drawn[-1]) > columns - MARGIN:
        drawn = board.draw(model.show.view.board, pencil, glyphs, True, SMALL_CELL)
    left: list[Line] = [[Fragment("", " " * 2 * MARGIN), *line] for line in drawn]
    left_width = max(map(width, left)) + 2 * MARGIN
    side_width = columns - left_width - 1
    if side_width >= SIDE_MIN:
        height = max(len(left), min(rows - 3, len(left) + 2))
        side = side_lines(desk, glyphs, side_width)
        return beside(left, side[:height], left_width)
    below = [[Fragment("", " " * MARGIN), *line] for line in side_lines(desk, glyphs, columns - 2 * MARGIN)]
    return [*left, *below[: max(0, rows - len(left) - 2)]]


def side_lines(desk: Desk, glyphs: Glyphs, size: int) -> list[Line]:
    """What is known, what can be typed; at the end how it ended and what now."""
    model = desk.model
    assert model.show
    lines = ending_lines(model, glyphs, size) if model.ending else []
    for label, value in model.show.view.facts:
        covered = model.masked and label in model.show.view.private
        text = "covered (F4 shows it)" if covered else model.named(value)
        lines += wrapped(f"{model.named(label)}: {text}", size, "class:fact", "  ")
    if model.actions:
        lines += [[], say("You can type", "class:heading")]
        for action in model.actions:
            lines += wrapped(f"{example(desk, action.form, action.cells)}  {action.help}", size, "class:action", "  ")
    if model.show.view.claimable:
        lines += [[], *wrapped("You may claim the win: /claim", size, "class:good")]
    return lines


def example(desk: Desk, form: str, legal: tuple[str, ...] | None) -> str:
    """A line that can be typed, with the cell under the cursor if it may be named."""
    board = desk.model.board
    if not legal or board is None:
        return form.replace(" {cell}", "")
    here = board.names[desk.cursor]
    return form.replace("{cell}", here if here in legal else legal[0])


def ending_lines(model: Model, glyphs: Glyphs, size: int) -> list[Line]:
    """Who won and why, whether the secrets held, and what now."""
    assert model.ending
    ending = model.ending
    lines = wrapped(f"{glyphs.star} {model.named(ending.over.text)}", size, "class:result", "  ")
    lines += verdict_lines(model, size)
    lines += [[], *wrapped("/again rematch   /leave lobby", size, "class:action")]
    lines += [*wrapped("/moves all moves   /save FILE", size, "class:action"), []]
    return lines


def verdict_lines(model: Model, size: int) -> list[Line]:
    """Whether every secret was what it had been sealed as."""
    assert model.ending
    verdict = model.ending.verdict
    if verdict.broken:
        names = ", ".join(verdict.broken)
        return wrapped(
            f"WARNING: this does not fit what was sealed: {names}. The server has cheated.", size, "class:bad"
        )
    lines = wrapped(f"All {verdict.fitting} commitments verified.", size, "class:good")
    if verdict.unseen:
        lines += wrapped(f"{verdict.unseen} more were made before you came.", size, "class:quiet")
    return lines


# The bar at the bottom ------------------------------------------------------------------------------------------------


def bar(desk: Desk, on_board: bool) -> list[tuple[str, str, str]]:
    """The keys that work now: key, what it does, and the intent that a click on it has."""
    model = desk.model
    match desk.page:
        case Confirm():
            return [("y", "yes", "yes"), ("n", "no", "close")]
        case NewRoom():
            return [("Enter", "open the room", "enter"), ("arrows", "change", ""), ("Esc", "back", "close")]
        case Choice():
            return [("Enter", "choose", "enter"), ("arrows", "move", ""), ("Esc", "back", "close")]
        case Turn():
            return [("Esc", "back", "close"), ("arrows", "scroll", "")]
    if model.room is None:
        keys = [("Enter", "choose", "enter"), ("arrows", "move", ""), ("n", "new room", "new")]
        return [*keys, ("w", "watch", "watch"), ("F1", "help", "help"), ("Ctrl-Q", "quit", "quit")]
    if model.ending:
        keys = [("F6", "rematch", "again"), ("F7", "lobby", "leave"), ("F8", "moves", "moves")]
    elif model.show is None:
        keys = [("F7", "close the room", "leave")]
    else:
        keys = [("Enter", "act", "enter"), ("arrows", "move", "")]
    keys += [("F1", "help", "help"), ("F2", "rules", "rules"), ("F3", "chat", "chat")]
    if model.show:
        keys += [("F4", "show" if model.masked else "cover", "mask"), ("F5", "mark", "mark")]
        keys.append(("i", "type", "focus") if on_board else ("Esc", "board", "focus"))
    return keys


def bar_line(desk: Desk, on_board: bool, columns: int) -> Line:
    """The bar as a line; what does not fit is left out from the end."""
    line: Line = []
    for number, (key, does, _) in enumerate(bar(desk, on_board)):
        target = ("key", number)
        entry = [Fragment("class:key", f" {key} ", target), Fragment("class:does", f"{does} ", target)]
        if width(line) + width(entry) > columns:
            break
        line += entry
    return line
