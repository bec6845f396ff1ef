"""The lobby: games to open a room for, rooms to join or watch; and a room that waits for its second player."""

from gridgames_client.render import lobby_cards
from gridgames_client.render.board import choose_range
from gridgames_client.render.drawing import widgets
from gridgames_client.render.drawing.big_letters import draw_large_code, spell_large
from gridgames_client.render.drawing.text_layout import (
    Fragment,
    Glyphs,
    Line,
    cut,
    fit,
    fit_rows,
    indent,
    say,
    wrap,
)
from gridgames_client.render.drawing.text_layout import columns as columns_of
from gridgames_client.render.table.pane import put_on_panel
from gridgames_client.state.controllers.controller import Controller
from gridgames_client.state.lobby_list import (
    LobbyRow,
    describe_play_now,
    find_browser_address,
    find_room,
    is_local,
    list_rows,
)
from gridgames_client.state.model import Model
from gridgames_protocol.messages import LobbyRoom, Room
from gridgames_protocol.safe_text import harmless

TITLE, HOST, CODE, STATE = 20, 17, 8, 21  # columns of a list where there is space
WORDY = 60  # columns from which a row has space for more
ROW = 5  # columns around the text of a row
LARGE_COLUMNS, LARGE_ROWS = 42, 17  # the smallest screen for a code in large letters
CARD_COLUMNS, CARD_ROWS = 60, 22  # the smallest screen for an invitation in a panel
CARD_MAX = 76  # columns of that panel
DOUBLE = 100  # columns from which the code is drawn twice as large
MARGIN = 2
MARGIN_OF_ROWS = 5  # columns before a row of the list, and one after it
WORDS = {"history": "Your finished games", "standings": "Standings"}  # of the rows that look back
HEADINGS = {"play": "Play", "room": "Join or watch", "game": "Open a room", "look back": "Look back"}
FIRST = {"random": "Chance decides who begins", "host": "Who opened the room begins", "guest": "Who joins begins"}


def draw_lobby(controller: Controller, glyphs: Glyphs, columns: int, rows: int) -> list[Line]:
    """Games to open a room for, and rooms to join or watch."""
    model = controller.model
    if lobby_cards.fits(model, glyphs, columns, rows):
        return lobby_cards.draw_lobby(controller, glyphs, columns, rows)
    named = model.server not in ("", "gridgames") and columns >= WORDY
    place = f"{model.server} {glyphs.dot} {model.address}" if named else model.address
    right: str = model.connection
    if model.lobby and model.connection == "connected":
        right = f"{model.name} {glyphs.dot} {model.lobby.players} online"
    top = [
        widgets.draw_title(f"gridgames {glyphs.dot} {place}", right, glyphs, columns),
        widgets.draw_rule(glyphs, columns),
    ]
    foot = widgets.draw_prompt_rows(controller, columns) or draw_summary(controller, columns)
    if model.log:
        foot = [*widgets.draw_log(controller, glyphs, columns, min(3, len(model.log))), *foot]
    space = max(1, rows - len(top) - len(foot))
    return [*top, *fit_rows(show_part(controller, glyphs, draw_list(controller, glyphs, columns), space), space), *foot]


def draw_summary(controller: Controller, columns: int) -> list[Line]:
    """What the chosen game is about, where the list has no space for it."""
    words = lobby_cards.find_summary(controller)
    beside = ROW + TITLE + 2 + columns_of(words) <= columns
    return indent(wrap(words, columns - 2, "class:quiet"), 1) if words and not beside else []


def draw_list(controller: Controller, glyphs: Glyphs, columns: int) -> list[Line]:
    """Everything that can be chosen, under its headings."""
    model = controller.model
    if model.lobby is None:
        return indent(wrap(f"One moment: {model.address} is being asked.", columns - 4, "class:quiet"), 2)
    lines: list[Line] = []
    heading = ""
    for number, row in enumerate(list_rows(model)):
        if HEADINGS[row.kind] != heading:
            heading = HEADINGS[row.kind]
            lines += [*([[]] if lines else []), say(f"  {heading}", "class:heading")]
        lines.append(draw_row(controller, glyphs, number, describe_row(model, row, glyphs, columns), columns))
        if row.kind == "play" and not model.lobby.rooms:
            words = "Nobody waits here yet. A friend finds you when you open a room."
            if model.owns_server:
                words = f"Nobody waits here yet. A friend at a second terminal types: {model.join_command}"
            lines += indent(wrap(words, columns - 6, "class:quiet"), 4)
    if model.lobby.more:
        lines.append(say(f"    and {model.lobby.more} more rooms that are not listed", "class:quiet"))
    return lines


def describe_row(model: Model, row: LobbyRow, glyphs: Glyphs, columns: int) -> str:
    """The text of a row of the lobby."""
    room, card = find_room(model, row.name), model.card(row.name)
    if row.kind == "play":
        words = f"Play now: {describe_play_now(model)}"
        return words if columns_of(words) <= columns - MARGIN_OF_ROWS else words.partition(" against ")[0]
    if row.kind == "room" and room:
        return describe_room(room, columns - 4, glyphs.more)
    if row.kind == "game" and card:
        words = f"{fit(card.title, TITLE, glyphs.more)}  {card.summary}"
        return words if columns_of(words) <= columns - ROW else card.title
    return WORDS[row.name]


def show_part(controller: Controller, glyphs: Glyphs, lines: list[Line], space: int) -> list[Line]:
    """The part of the list around the chosen row that fits."""
    if len(lines) <= space:
        return lines
    here = next((y for y, line in enumerate(lines) if line and line[-1].target == ("row", controller.chosen_row)), 0)
    shown = choose_range(here, len(lines), space)
    part = lines[shown.start : shown.stop]
    if shown.start and space > 2:
        part[0] = say(f"    {glyphs.more} {shown.start} lines above", "class:quiet")
    if shown.stop < len(lines) and space > 2:
        part[-1] = say(f"    {glyphs.more} {len(lines) - shown.stop + 1} lines below", "class:quiet")
    return part


def describe_room(room: LobbyRoom, size: int, more: str) -> str:
    """A room in a number of columns: its code, its game, its host, and whether it is open."""
    state: str = "open" if room.open else room.state
    state += ", a program" if room.agent else ""
    state += ", assist" if room.assist else ""
    if room.watchers and size >= WORDY:
        state += f", {room.watchers} watching"
    left = size - CODE - 1
    title, host = min(TITLE, left * 2 // 5), min(HOST, left * 3 // 10)
    text = fit(room.room, CODE, more)
    text += f"{fit(room.title, title, more)} {fit(room.host, host, more)} " if left > TITLE else ""
    return text + state


def draw_row(controller: Controller, glyphs: Glyphs, number: int, text: str, columns: int) -> Line:
    """A row of the list, marked if the cursor is on it."""
    here = controller.chosen_row == number
    pointer = glyphs.pointer if here else " "
    words = cut(harmless(f"  {pointer} {text}"), columns - 1, glyphs.more)
    return [Fragment("class:chosen" if here else "", words, ("row", number))]


# A room with one player -----------------------------------------------------------------------------------------------


def draw_waiting(controller: Controller, glyphs: Glyphs, columns: int, rows: int) -> list[Line]:
    """A room that waits for its second player: what to type on the other machine."""
    model, room = controller.model, controller.model.room
    assert room
    top = [
        widgets.draw_title(f"{room.title} {glyphs.dot} {room.room}", model.connection, glyphs, columns),
        widgets.draw_rule(glyphs, columns),
    ]
    foot = widgets.draw_prompt_rows(controller, columns)
    space = rows - len(top) - len(foot)
    if columns >= CARD_COLUMNS and rows >= CARD_ROWS:
        return [*top, *draw_invitation(controller, room, glyphs, columns, space), *foot]
    words = list_invitation(controller, room, columns)
    if len(words) > space:
        words = [*words[:1], say(f"  join {room.room}", "class:code")]
    if columns >= LARGE_COLUMNS and rows >= LARGE_ROWS:
        words += [
            [],
            *indent(draw_large_code(room.room, glyphs), 6),
            [],
            *describe_options(room, columns, model.made_private_room),
        ]
        words = [[], *words]
    words += name_page(model, columns, space - len(words))
    return [
        *top,
        *fit_rows(words, min(len(words), space)),
        *widgets.draw_log(controller, glyphs, columns, space - len(words)),
        *foot,
    ]


def draw_invitation(controller: Controller, room: Room, glyphs: Glyphs, columns: int, rows: int) -> list[Line]:
    """The invitation in the middle of a large screen: the code in large letters, what to type, what will be played."""
    wide = min(CARD_MAX, columns - 4)
    inside = wide - 2 * MARGIN
    card = controller.model.card(room.game)
    code = spell_large(room.room, glyphs, inside, double=columns >= DOUBLE)
    lines = [[], *list_invitation(controller, room, inside), [], *indent(code, 2), []]
    lines += describe_options(room, inside, controller.model.made_private_room)
    lines += (
        [[], *indent(wrap(f"{card.summary[:1].upper()}{card.summary[1:]}.", inside - 4, "class:text"), 2)]
        if card
        else []
    )
    lines += name_page(controller.model, inside, rows - len(lines) - 2)
    lines += [[]]
    x, y = (columns - wide) // 2, max(0, (rows - len(lines)) // 3)
    shown = [[], *indent(put_on_panel(lines, wide, len(lines)), x)]
    said = widgets.draw_log(controller, glyphs, inside, max(0, rows - y - len(shown) - 1), talk=True, top=True)
    return fit_rows([*([[]] * y), *shown, [], *indent(said, x + MARGIN)], rows)


def list_invitation(controller: Controller, room: Room, columns: int) -> list[Line]:
    """What to type, and where."""
    where = "In another terminal of this machine" if is_local(controller.model) else "On the other machine"
    lines = [say("  Waiting for someone." if columns < 32 else "  Waiting for a second player.", "class:heading"), []]
    lines += indent(wrap(f"{where}, type:", columns - 4), 2)
    lines += indent(wrap(controller.model.join_command, columns - 6, "class:code"), 4)
    return [*lines, say("  and there:"), say(f"    join {room.room}", "class:code")]


def name_page(model: Model, columns: int, rows: int) -> list[Line]:
    """Where a friend gets the client, if the server offers it and there is space for that."""
    page = find_browser_address(model)
    words = indent(wrap("Without the client, first open in a browser:", columns - 4), 2)
    words += indent(wrap(page, columns - 6, "class:code"), 4)
    return words if page and len(words) <= rows else []


def describe_options(room: Room, columns: int, unlisted: bool) -> list[Line]:
    """How the room was made."""
    clock = f"{room.clock} seconds a turn" if room.clock else "no clock"
    more = ("; assist is on" if room.assist else "") + ("; hints are on" if room.hints else "")
    more += "; private: only the code leads here" if unlisted else ""
    return indent(wrap(f"{FIRST[room.first]}; {clock}{more}.", columns - 4, "class:quiet"), 2)
