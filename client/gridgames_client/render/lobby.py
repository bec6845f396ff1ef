"""The lobby: games to open a room for, rooms to join or watch; and a room that waits for its second player."""

from gridgames_client import parts
from gridgames_client.board import around
from gridgames_client.desk import LOOK_BACK, Desk
from gridgames_client.letters import large
from gridgames_client.paint import Fragment, Glyphs, Line, cut, filled, indented, say, tall, wrapped
from gridgames_protocol.messages import LobbyRoom, Room
from gridgames_protocol.text import harmless

TITLE, HOST, CODE, STATE = 20, 17, 8, 21  # columns of a list where there is space
WORDY = 60  # columns in which a game's summary can be read beside its title
LARGE_COLUMNS, LARGE_ROWS = 42, 17  # of a screen on which a code in large letters has space
LOCAL = ("127.", "localhost", "[::1]")
WORDS = {"history": "Your finished games", "standings": "Standings"}  # of the rows that look back
FIRST = {"random": "Chance decides who begins", "host": "Who opened the room begins", "guest": "Who joins begins"}


def lobby(desk: Desk, glyphs: Glyphs, columns: int, rows: int) -> list[Line]:
    """Games to open a room for, and rooms to join or watch."""
    model = desk.model
    named = model.server not in ("", "gridgames") and columns >= WORDY
    place = f"{model.server} {glyphs.dot} {model.address}" if named else model.address
    right: str = model.line
    if model.lobby and model.line == "connected":
        right = f"{model.name} {glyphs.dot} {model.lobby.players} online"
    top = [parts.head(f"gridgames {glyphs.dot} {place}", right, glyphs, columns), parts.rule(glyphs, columns)]
    foot = parts.foot(desk, columns)
    if model.log:
        foot = [*parts.log(desk, glyphs, columns, min(3, len(model.log))), *foot]
    space = max(1, rows - len(top) - len(foot))
    return [*top, *tall(in_sight(desk, glyphs, listed(desk, glyphs, columns), space), space), *foot]


def listed(desk: Desk, glyphs: Glyphs, columns: int) -> list[Line]:
    """Everything that can be chosen, under its headings."""
    model = desk.model
    if model.lobby is None:
        return indented(wrapped(f"One moment: {model.address} is being asked.", columns - 4, "class:quiet"), 2)
    rooms = model.lobby.rooms
    lines = [say("  Play the computer, or open a room" if model.home else "  Open a room", "class:heading")]
    for number, card in enumerate(model.cards):
        text = f"{filled(card.title, TITLE, glyphs.more)}  {card.summary}" if columns >= WORDY else card.title
        lines.append(chosen(desk, glyphs, number, text, columns))
    lines += [[], say("  Join or watch", "class:heading")]
    for number, room in enumerate(rooms):
        lines.append(
            chosen(desk, glyphs, len(model.cards) + number, room_text(room, columns - 4, glyphs.more), columns)
        )
    if not rooms:
        words = "No rooms yet. Open one, and tell your friend its code."
        if model.home:
            words = f"No rooms yet. A friend at a second terminal types: {model.way_here}"
        lines += indented(wrapped(words, columns - 6, "class:quiet"), 4)
    if model.lobby.more:
        lines.append(say(f"    and {model.lobby.more} more that are not listed", "class:quiet"))
    lines += [[], say("  Look back", "class:heading")]
    for number, row in enumerate(LOOK_BACK, start=len(model.cards) + len(rooms)):
        lines.append(chosen(desk, glyphs, number, WORDS[row], columns))
    return lines


def in_sight(desk: Desk, glyphs: Glyphs, lines: list[Line], space: int) -> list[Line]:
    """The part of the list that there is space for, the chosen row in it."""
    if len(lines) <= space:
        return lines
    here = next((y for y, line in enumerate(lines) if line and line[-1].target == ("row", desk.chosen)), 0)
    shown = around(here, len(lines), space)
    part = lines[shown.start : shown.stop]
    if shown.start and space > 2:
        part[0] = say(f"    {glyphs.more} {shown.start} lines above", "class:quiet")
    if shown.stop < len(lines) and space > 2:
        part[-1] = say(f"    {glyphs.more} {len(lines) - shown.stop + 1} lines below", "class:quiet")
    return part


def room_text(room: LobbyRoom, size: int, more: str) -> str:
    """A room in so many columns: its code, its game, its host, and whether one can join."""
    state: str = "open" if room.open else room.state
    state += ", assist" if room.assist else ""
    if room.watchers and size >= WORDY:
        state += f", {room.watchers} watching"
    left = size - CODE - 1
    title, host = min(TITLE, left * 2 // 5), min(HOST, left * 3 // 10)
    text = filled(room.room, CODE, more)
    text += f"{filled(room.title, title, more)} {filled(room.host, host, more)} " if left > TITLE else ""
    return text + state


def chosen(desk: Desk, glyphs: Glyphs, number: int, text: str, columns: int) -> Line:
    """A row of the list, marked if the cursor is on it."""
    here = desk.chosen == number
    pointer = glyphs.pointer if here else " "
    words = cut(harmless(f"  {pointer} {text}"), columns - 1, glyphs.more)
    return [Fragment("class:chosen" if here else "", words, ("row", number))]


# A room with one player -----------------------------------------------------------------------------------------------


def waiting(desk: Desk, glyphs: Glyphs, columns: int, rows: int) -> list[Line]:
    """A room without a second player: what to type on the other machine, large."""
    model, room = desk.model, desk.model.room
    assert room
    top = [
        parts.head(f"{room.title} {glyphs.dot} {room.room}", model.line, glyphs, columns),
        parts.rule(glyphs, columns),
    ]
    foot = parts.foot(desk, columns)
    space = rows - len(top) - len(foot)
    words = invitation(desk, room, columns)
    if len(words) > space:
        words = [*words[:1], say(f"  join {room.room}", "class:code")]
    if columns >= LARGE_COLUMNS and rows >= LARGE_ROWS:
        words += [[], *indented(large(room.room, glyphs), 6), [], *options(room, columns, model.unlisted)]
        words = [[], *words]
    return [*top, *tall(words, min(len(words), space)), *parts.log(desk, glyphs, columns, space - len(words)), *foot]


def invitation(desk: Desk, room: Room, columns: int) -> list[Line]:
    """What to type, and where."""
    where = "In another terminal of this machine" if desk.model.address.startswith(LOCAL) else "On the other machine"
    lines = [say("  Waiting for someone." if columns < 32 else "  Waiting for a second player.", "class:heading"), []]
    lines += indented(wrapped(f"{where}, type:", columns - 4), 2)
    lines += indented(wrapped(desk.model.way_here, columns - 6, "class:code"), 4)
    return [*lines, say("  and there:"), say(f"    join {room.room}", "class:code")]


def options(room: Room, columns: int, unlisted: bool) -> list[Line]:
    """How the room was made."""
    clock = f"{room.clock} seconds a turn" if room.clock else "no clock"
    more = ("; assist is on" if room.assist else "") + ("; private: only the code leads here" if unlisted else "")
    return indented(wrapped(f"{FIRST[room.first]}; {clock}{more}.", columns - 4, "class:quiet"), 2)
