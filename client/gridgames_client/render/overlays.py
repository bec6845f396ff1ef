"""The pages that open over a screen: help, rules, moves, a question, a choice, the making of a room."""

from gridgames_client import archive, review
from gridgames_client.commands import Confirm, Turn
from gridgames_client.desk import Desk
from gridgames_client.dialogues import CLOCKS, FIRSTS, LEVELS, Choice, NewRoom
from gridgames_client.model import Model
from gridgames_client.paint import (
    Fragment,
    Glyphs,
    Line,
    blank,
    cut,
    filled,
    indented,
    padded,
    plain,
    say,
    width,
    wrapped,
)
from gridgames_client.paint import columns as columns_of
from gridgames_protocol.text import harmless

PAGE_COLUMNS = 76  # a line that is longer is hard to read
EXAMPLE = 13  # columns of a text that its examples take
UNLISTED = "no: only its code leads there"
DECORATED = 15  # columns that a row of the new room has around its value
ASSIST = {True: "shades what you can rule out", False: "off", None: "not in this game"}

LOBBY_HELP = """\
Games of secrets for two. Open a room for a game and tell your friend its code, or join one.

  arrows     choose a game or a room; Enter, or a click, opens or joins it.
  n          makes a new room: game, opponent, who begins, clock, assist.
  w          watches the chosen room.
  Tab or /   begins a typed line; Tab completes it, and Enter does it:

  create     and a game makes a room; options: bot=easy, medium or hard; first=host; clock=60; private; assist.
  join       and a code takes the second seat there; watch looks on.
  rules      and a game tells how it is played.
  history    lists your finished games; replay and a number shows one again.
  standings  tells who has won how many; with a game behind it, of that game.
  quit       ends the program; so do Ctrl-Q and Ctrl-D.

At the table F1 tells more."""

TABLE_HELP = """\
  arrows     move on the board; Enter or Space acts there; so does a click.
  a letter   begins a typed line, as the game says it: QUERY 2B, C5, move to 4,2. Right arrow takes what is suggested, \
Tab completes, Ctrl-P brings earlier lines.
  Esc        goes to the board: h j k l move too, m marks, Tab goes back.
  F3         talks: /chat or /c, and what you want to say.
  F4         shows or covers your own secrets: /mask.
  F5         marks a cell with your pencil: only you see it.
  F6, F7     ask for a rematch: /again; go back to the lobby: /leave.
  F8         shows the moves when the game is over; /save FILE keeps it.
  F9         gives the mouse to the terminal, to select text, or takes it.
  PgUp PgDn  scroll the log. Ctrl-C asks before it ends the program, Ctrl-Q and Ctrl-D do not; Ctrl-L draws anew.
  /resign    gives up; /claim takes a win that is offered; /bell is on or off; /board words writes the board out, \
/board draws it.
  /history   lists your games; /replay N shows one again; /standings.

Your secrets stay covered until F4: the other may sit beside you. Every secret is sealed when it comes to exist and \
checked at the end. That proves that nothing was changed, not that the server's host has not looked."""


def page(desk: Desk, glyphs: Glyphs, columns: int) -> tuple[str, list[Line]]:
    """The title and the lines of the page that is open."""
    match desk.page:
        case Turn("help"):
            return "Help", prose(TABLE_HELP if desk.model.room else LOBBY_HELP, columns)
        case Turn("rules", game):
            card = desk.model.card(game or "")
            return (card.title, prose(card.rules, columns)) if card else ("Rules", [say("There is no such game.")])
        case Turn("standings", game):
            return archive.standings_title(desk.model, game), archive.standings(desk.model, glyphs, columns)
        case Turn("moves"):
            return "Moves", moves(desk, glyphs, columns)
        case Confirm(question):
            return "Are you sure?", [*wrapped(question, columns), [], say("y  yes      n  no", "class:action")]
        case Choice(actions, cell):
            rows = [f"{desk.page.line(number)}  {action.help}" for number, action in enumerate(actions)]
            return f"What at {cell}?", options(rows, desk.chosen, glyphs, columns, numbered=True)
        case NewRoom():
            return "New room", new_room(desk, desk.page, glyphs, columns)
        case _:
            return "", []


# Prose ----------------------------------------------------------------------------------------------------------------


def prose(text: str, columns: int) -> list[Line]:
    """A text in lines that fit; what is indented in it is an example with its explanation beside it."""
    blocks: list[str] = []
    for line in text.split("\n"):
        starts = not line.strip() or (line.startswith("  ") and not line.startswith("   "))
        if starts or not blocks or not blocks[-1]:
            blocks.append(line.rstrip())
        else:
            blocks[-1] += " " + line.strip()
    return [line for block in blocks for line in hanging(block, columns)]


def hanging(block: str, columns: int) -> list[Line]:
    """A paragraph, or an example with its explanation beside it."""
    if not block.startswith(" "):
        return wrapped(block, columns)
    sample, _, meaning = block.strip().partition("  ")
    if columns < 3 * EXAMPLE or columns_of(sample) > EXAMPLE - 3:
        return wrapped(f"{sample} {meaning.strip()}", columns, "", "  ")
    first, *rest = wrapped(meaning.strip(), columns - EXAMPLE)
    return [[Fragment("class:action", f"  {filled(sample, EXAMPLE - 2, '')}"), *first], *indented(rest, EXAMPLE)]


# Lists ----------------------------------------------------------------------------------------------------------------


def moves(desk: Desk, glyphs: Glyphs, columns: int) -> list[Line]:
    """Every move of the game that is over, and every secret of it."""
    model = desk.model
    if model.ending is None:
        return []
    name = min(columns // 2, max(columns_of(model.seat_name(seat)) for seat in (1, 2)))
    typed = [
        say(f"{number:>4}  {filled(model.seat_name(seat), name, glyphs.more)}  {line}")
        for number, (seat, line) in enumerate(model.ending.moves, start=1)
    ]
    lines = with_review(model, typed, glyphs, columns)
    secrets = [wrapped(f"{secret.what}: {secret.value}", columns, "class:quiet") for secret in model.ending.reveals]
    return [*lines, [], say("What was sealed", "class:heading"), *(line for lines in secrets for line in lines)]


def with_review(model: Model, typed: list[Line], glyphs: Glyphs, columns: int) -> list[Line]:
    """The moves with how it stood after each of them, where there is space beside."""
    found = model.ending.over.review if model.ending else None
    left = max(map(width, typed), default=0) + 2
    if found is None or not typed or left + review.COLUMN * len(found.rows) > columns:
        return typed
    wide = review.column(found, model.named, columns - left)
    heads = [blank(left), *say(review.heads(found, model.named, glyphs, wide), "class:label")]
    rows = [
        [*padded(line, left), *review.beside_move(found, number, glyphs, wide)]
        for number, line in enumerate(typed, start=1)
    ]
    return [*review.titled(found, columns), heads, *rows]


def new_room(desk: Desk, room: NewRoom, glyphs: Glyphs, columns: int) -> list[Line]:
    """The rows of the dialogue that makes a room."""
    card = desk.model.card(room.games[room.game])
    clock = CLOCKS[room.clock]
    first = {"random": "chance decides", "host": "you", "guest": "the other"}[FIRSTS[room.first]]
    level = LEVELS[room.level]
    values = {
        "Game": card.title if card else room.games[room.game],
        "Against": f"the computer, {level}" if level else "a friend",
        "Begins": first,
        "Clock": f"{clock} seconds a turn" if clock else "none",
        "Listed": UNLISTED if room.private else "in the lobby",
        "Assist": ASSIST[room.assisted],
    }
    rows = [
        f"{label:<8} {f'< {value} >' if number == room.row else f'  {value}'}"
        for number, (label, value) in enumerate(values.items())
    ]
    first_line, *others = options(rows, room.row, glyphs, columns)
    # The widest value that could be chosen gives the box its size, which then stays.
    widest = max(map(columns_of, [UNLISTED, *(card.title for card in desk.model.cards)]))
    return [padded(first_line, min(columns, widest + DECORATED)), *others]


def options(rows: list[str], chosen: int, glyphs: Glyphs, columns: int, numbered: bool = False) -> list[Line]:
    """Rows of which one can be chosen, by a number where they have one."""
    lines: list[Line] = []
    for number, row in enumerate(rows):
        here = number == chosen
        label = f"{glyphs.pointer if here else ' '} {f'{number + 1}  ' if numbered else ''}"
        style = "class:chosen" if here else ""
        for line in wrapped(label + row, columns, style, " " * (len(label) + 2)):
            lines.append([Fragment(style, plain(line), ("row", number))])
    return lines


# Over the screen ------------------------------------------------------------------------------------------------------


def over(lines: list[Line], desk: Desk, glyphs: Glyphs, columns: int) -> list[Line]:
    """The screen with the open page above it: a question low, where it covers no board, anything else in the middle."""
    title, inside = page(desk, glyphs, text_columns(columns))
    height = min(len(inside), len(lines) - 2)
    top = min(desk.page_top, last_top(len(inside), len(lines)))
    left_out = len(inside) - top - height
    size = min(columns - 4, max([*map(width, inside), columns_of(title) + 2]) + 1)
    box = framed(title, inside[top : top + height], glyphs, size, f"{left_out} more, PgDn" if left_out else "")
    x = (columns - size - 4) // 2
    if isinstance(desk.page, Turn):
        lines = [[]] * len(lines)  # one reads better with nothing behind it
    lines = [[fragment._replace(target=None) for fragment in line] for line in lines]  # out of reach under a page
    low = isinstance(desk.page, Confirm | Choice)
    y = len(lines) - len(box) if low else (len(lines) - len(box)) // 2
    covered = [[blank(x), *line] for line in box]
    return [*lines[:y], *covered, *lines[y + len(box) :]]


def text_columns(columns: int) -> int:
    """The columns of a page's text on a screen."""
    return max(1, min(PAGE_COLUMNS, columns - 5))


def last_top(lines: int, rows: int) -> int:
    """How far a page of so many lines can be scrolled on a screen of so many rows."""
    return max(0, lines - max(1, rows - 2))


def framed(title: str, lines: list[Line], glyphs: Glyphs, size: int, below: str) -> list[Line]:
    """Lines in a frame, its title above, and whether there is more below."""
    title, below = (f" {cut(harmless(text), size - 2, glyphs.more)} " if text else "" for text in (title, below))
    bar = Fragment("class:rule", glyphs.down)
    top = [Fragment("class:rule", glyphs.corners[0] + glyphs.across), Fragment("class:heading", title)]
    bottom = [Fragment("class:rule", glyphs.feet[0] + glyphs.across), Fragment("class:quiet", below)]
    return [
        [*top, Fragment("class:rule", glyphs.across * (size + 1 - columns_of(title)) + glyphs.corners[2])],
        *([bar, Fragment("", " "), *padded(line, size), Fragment("", " "), bar] for line in lines),
        [*bottom, Fragment("class:rule", glyphs.across * (size + 1 - columns_of(below)) + glyphs.feet[2])],
    ]
