"""The lobby on large screens: play now, the rooms and players, and the games with a picture of each."""

from gridgames_client.render.board import choose_range
from gridgames_client.render.drawing import widgets
from gridgames_client.render.drawing.canvas import Canvas
from gridgames_client.render.drawing.text_layout import (
    Fragment,
    Glyphs,
    Line,
    blank,
    clip,
    clip_line,
    cut,
    fit,
    fit_rows,
    put_beside,
    say,
    spread,
    width,
    wrap,
)
from gridgames_client.render.drawing.text_layout import columns as columns_of
from gridgames_client.state.controllers import lobby_controller
from gridgames_client.state.controllers.controller import Controller
from gridgames_client.state.lobby_list import describe_play_now, find_room, list_rooms, list_rows
from gridgames_client.state.model import Model
from gridgames_protocol.messages import LobbyRoom
from gridgames_protocol.safe_text import harmless
from gridgames_protocol.views import Card

COLUMNS, ROWS = 78, 20  # the smallest screen for the cards
GAP, MARGIN = 2, 1
PICTURE = 5  # rows of a picture
WIDE_MAX, TILE_MAX = 38, 6  # columns of the largest card and of the largest tile in it
HERE = 24  # columns of the list of players
LOOK_BACK = {"history": "Your finished games", "standings": "Standings"}
# The colours of a picture's letters.
COLOURS = {
    ".": "field", "h": "hidden", "p": "possible", "1": "seat1", "2": "seat2", "g": "gem", "k": "known5",
    "z": "seat1_dim", "x": "legal", "m": "maybe", "d": "maybe_old2", "t": "seat1_ink", "T": "cursor",
}  # fmt: skip


def fits(model: Model, glyphs: Glyphs, columns: int, rows: int) -> bool:
    """True if the screen is large enough for the pictures, and can show them."""
    pictured = bool(model.cards) and all(card.picture for card in model.cards)
    space = len(model.cards) * (14 + GAP) - GAP + 2 * MARGIN <= columns
    return glyphs.filled and model.lobby is not None and pictured and space and columns >= COLUMNS and rows >= ROWS


def draw_lobby(controller: Controller, glyphs: Glyphs, columns: int, rows: int) -> list[Line]:
    """The whole screen above the input line."""
    model = controller.model
    large = columns >= 118 and rows >= 36
    top = [draw_head(model, columns), widgets.draw_rule(glyphs, columns), []]
    cards = draw_cards(controller, columns, large)
    foot = [*widgets.draw_notice(model, columns)]
    if model.log and not foot:
        foot = widgets.draw_log(controller, glyphs, columns - 2, min(2, len(model.log)))
        foot = [[blank(1), *line] for line in foot]
    # Without the head, its rule, "play now", the looks back and the summary; on a large screen without empty lines too.
    space = rows - len(cards) - len(foot) - (8 if large else 5)
    middle = [
        draw_play_now(controller, glyphs, columns),
        [],
        *draw_rooms_and_players(controller, glyphs, columns, space),
        [],
    ]
    below = [*cards, draw_look_back(controller, glyphs)]
    if not large:
        below.append([blank(MARGIN), *say(find_summary(controller), "class:quiet")])
    lines, space = [*top, *middle], rows - len(foot) - len(below)
    spare: list[Line] = [[]] * ((space - len(lines)) // 3)
    while len(lines) > space and [] in lines:
        lines.remove([])  # rather an empty line than the last one
    return [*fit_rows([*lines, *spare, *below], rows - len(foot)), *foot]


def draw_head(model: Model, columns: int) -> Line:
    """The server, and the number of players."""
    name = harmless(model.server) if model.server not in ("", "gridgames") else ""
    left = [blank(1), *say("gridgames", "class:gold"), *say(f"   {name}   " if name else "   ", "class:quiet")]
    left += say(model.address, "class:quiet")
    here = f"{model.lobby.players} here  " if model.lobby else ""
    if model.connection != "connected":
        here = f"{model.connection}  "
    chip = Fragment("class:chip1", f" {harmless(model.name)} ")
    return spread(clip_line(left, columns - 20), [*say(here, "class:quiet"), chip, blank(1)], columns)


def draw_play_now(controller: Controller, glyphs: Glyphs, columns: int) -> Line:
    """The first row: play now, with a waiting player or with the computer."""
    model = controller.model
    here = controller.chosen_row == 0
    pointer, style = (glyphs.pointer, "class:chosen") if here else (" ", "class:key")
    button = Fragment(style, f" {pointer} Play now ", ("row", 0))
    words = cut(harmless(describe_play_now(model)), columns - width([button]) - 5, glyphs.more)
    return [blank(MARGIN), button, blank(1), Fragment("class:strong", words, ("row", 0))]


def draw_rooms_and_players(controller: Controller, glyphs: Glyphs, columns: int, rows: int) -> list[Line]:
    """The rooms on the left, the players on the right."""
    model = controller.model
    assert model.lobby
    right = [say("HERE NOW", "class:heading"), *draw_players(model, glyphs, rows - 1)]
    left = [[blank(MARGIN), *say("ROOMS", "class:heading")]]
    left += draw_rooms(controller, glyphs, columns - HERE - 2, rows - 1)
    return fit_rows(put_beside(left, right, columns - HERE), max(2, min(rows, max(len(left), len(right)))))


def draw_rooms(controller: Controller, glyphs: Glyphs, size: int, rows: int) -> list[Line]:
    """The rooms that fit, with the chosen one among them."""
    model = controller.model
    assert model.lobby
    listed = [(number, row.name) for number, row in enumerate(list_rows(model)) if row.kind == "room"]
    if not listed:
        words = "Nobody waits yet. Open a room: a friend finds it here."
        if model.owns_server:
            words = f"Nobody waits yet. A friend at a second terminal types: {model.join_command}"
        return [[blank(MARGIN), *line] for line in wrap(words, size - 2, "class:quiet")][: max(1, rows)]
    at = next((place for place, (number, _) in enumerate(listed) if number == controller.chosen_row), 0)
    more = model.lobby.more > 0 or len(listed) > rows
    shown = choose_range(at, len(listed), max(1, rows - more))
    lines = [draw_room(controller, *listed[place], glyphs, size) for place in shown]
    left_out = len(listed) - len(shown) + model.lobby.more
    return [*lines, [blank(MARGIN), *say(f"{glyphs.more} {left_out} more", "class:quiet")]] if left_out else lines


def draw_room(controller: Controller, number: int, code: str, glyphs: Glyphs, size: int) -> Line:
    """A room: its code, its game, its host, its clock, and what Enter does."""
    room = find_room(controller.model, code)
    assert room
    here = controller.chosen_row == number
    style = "class:chosen" if here else "class:strong" if room.open else "class:quiet"
    text = f" {glyphs.pointer if here else ' '}{fit(room.room, 8, '')}{fit(room.title, 19, glyphs.more)}"
    text += f"{fit(room.host, 9, glyphs.more)} {list_facts(room)}"
    return [Fragment(style, fit(text, size, glyphs.more), ("row", number))]


def list_facts(room: LobbyRoom) -> str:
    """The options of a room."""
    facts = ["join" if room.open else f"watch, {room.state}"]
    facts += ["a program"] if room.agent else []
    facts += [f"{room.clock} s"] if room.clock else []
    facts += ["assist"] * room.assist + ([harmless(room.variant)] if room.variant else [])
    return ", ".join(facts)


def draw_players(model: Model, glyphs: Glyphs, rows: int) -> list[Line]:
    """The players by name, and what those in rooms do."""
    assert model.lobby
    hosts = {harmless(room.host): "waits" if room.open else room.state for room in list_rooms(model)}
    names = dict.fromkeys(harmless(name) for name in model.lobby.names) | hosts
    styles = {"waits": "class:gold"}
    lines = [
        [Fragment("class:key", f" {clip(name, 12)} "), *say(f" {does or ''}", styles.get(does or "", "class:quiet"))]
        for name, does in names.items()
        if name != model.name
    ]
    if len(lines) > rows > 0:
        return [*lines[: rows - 1], say(f"and {len(lines) - rows + 1} more", "class:quiet")]
    return lines or [say("only you", "class:quiet")]


def find_summary(controller: Controller) -> str:
    """The summary of the chosen game."""
    row = lobby_controller.find_chosen_row(controller)
    room = find_room(controller.model, row.name) if row and row.kind == "room" else None
    card = controller.model.card(room.game if room else row.name if row else "")
    return card.summary if card else ""


def draw_look_back(controller: Controller, glyphs: Glyphs) -> Line:
    """The rows for finished games and standings, side by side."""
    line: Line = [blank(MARGIN)]
    for number, row in enumerate(list_rows(controller.model)):
        if row.kind == "look back":
            style = "class:chosen" if controller.chosen_row == number else "class:key"
            line += [Fragment(style, f" {LOOK_BACK.get(row.name, row.name)} ", ("row", number)), blank(GAP)]
    return line


# The games ------------------------------------------------------------------------------------------------------------


def draw_cards(controller: Controller, columns: int, large: bool) -> list[Line]:
    """The games side by side, a frame around the chosen one."""
    model = controller.model
    numbers = {row.name: number for number, row in enumerate(list_rows(model)) if row.kind == "game"}
    count = len(model.cards)
    wide = min(WIDE_MAX if large else 14, (columns - 2 * MARGIN + GAP) // count - GAP)
    tile = min(wide // PICTURE, TILE_MAX) // 2 * 2 if large else 2  # half rows, as many as columns
    words = max(len(wrap(card.summary, wide - 2)) for card in model.cards) + 3 if large else 3
    high = PICTURE * tile // 2 + words + 1 + large
    canvas = Canvas(columns, high + 1)
    left = (columns - count * (wide + GAP) + GAP) // 2
    for place, card in enumerate(model.cards):
        x = left + place * (wide + GAP)
        number = numbers[card.slug]
        draw_card(canvas, x, 1, card, wide, high - 1, tile if large else 0)
        if controller.chosen_row == number:
            draw_frame(canvas, x, 2, wide, 2 * high - 2)
        canvas.mark(x, 1, wide, high - 1, ("row", number))
    return canvas.lines()


def draw_card(canvas: Canvas, x: int, y: int, card: Card, wide: int, high: int, tile: int) -> None:
    """A game: its picture, its title, and what it is about. On a small card (no `tile`) only the first two."""
    canvas.fill(x, 2 * y, wide, 2 * high, "panel")
    draw_picture(canvas, x, 2 * y + (2 if tile else 1), card, wide, tile)
    lines = [(text, "strong", "bold") for text in break_title(card.title, wide - 2)[:2]]
    if tile:
        lines += [(line[0].text, "quiet", "") for line in wrap(card.summary, wide - 2)]
    top = y + PICTURE * tile // 2 + 2 if tile else y + high - len(lines)
    for line, (text, ink, roles) in enumerate(lines):
        canvas.write(x + (wide - columns_of(text)) // 2, top + line, text, ink, roles)


def draw_picture(canvas: Canvas, x: int, top: int, card: Card, wide: int, tile: int) -> None:
    """A game's picture from a half row on. Large tiles have gaps between them."""
    cells = max(map(len, card.picture))
    size = max(1, min(tile or 2, wide // cells))
    start = x + (wide - cells * size + bool(tile)) // 2
    for row, letters in enumerate(card.picture):
        for column, letter in enumerate(letters):
            at = top + row * (tile or 2)
            colour = COLOURS.get(letter, "hidden")
            canvas.fill(start + column * size, at, size - bool(tile), tile - 1 if tile else 2, colour)


def break_title(title: str, size: int) -> list[str]:
    """A title in lines that fit a card."""
    return [clip(line[0].text, size) for line in wrap(title, size)]


def draw_frame(canvas: Canvas, x: int, top: int, wide: int, high: int) -> None:
    """A bright frame around a card, half a row and a column wide."""
    canvas.fill(x - 1, top - 1, wide + 2, 1, "cursor")
    canvas.fill(x - 1, top + high, wide + 2, 1, "cursor")
    canvas.fill(x - 1, top, 1, high, "cursor")
    canvas.fill(x + wide, top, 1, high, "cursor")
