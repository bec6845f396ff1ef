"""The pages that open over a screen: help, rules, moves, a question, a choice, the making of a room."""

from gridgames_client.commands import Confirm, Turn
from gridgames_client.desk import CLOCKS, FIRSTS, Choice, Desk, NewRoom
from gridgames_client.paint import Fragment, Glyphs, Line, say, wrapped

EXAMPLE = 13  # columns of a rules text that its examples take

HELP = """\
In the lobby
  arrows, Enter        choose a game or a room; Enter opens, joins or watches
  n                    a new room with options     w   watch the chosen room
  create GAME OPTIONS  first=random|host|guest  clock=SECONDS  private
  join CODE, watch CODE, rules GAME, help, quit

At the table
  arrows, Enter        move on the board, act on the cell; a click acts too
  type a line          as the game says it: QUERY 2B, C5, move to 4,2
  Tab, right arrow     complete a legal line       up, down   earlier lines
  Esc                  to the board: h j k l move, m marks, i goes back
  /chat TEXT (F3)      talk                        /again     rematch (F6)
  /resign  /claim  /leave (F7)  /moves (F8)  /save FILE  /bell  /quit
  F2 rules   F4 show or cover your secrets   F5 mark a cell with the pencil
  F9 mouse on or off: off lets you select text   PgUp PgDn scroll the log

Your secrets stay covered until you press F4: the other player may sit beside
you. Everything random and every secret is sealed when it comes to exist, and
checked at the end: that proves that nothing was changed, not that the host
of the server has not looked."""


def page(desk: Desk, glyphs: Glyphs, columns: int) -> tuple[str, list[Line]]:
    """The title and the lines of the page that is open."""
    match desk.page:
        case Turn("help"):
            return "Help", [say(line) for line in HELP.split("\n")]
        case Turn("rules", game):
            card = desk.model.card(game or "")
            text = card.rules if card else "There is no such game."
            return (card.title if card else "Rules"), [
                part for line in text.split("\n") for part in prose(line, columns)
            ]
        case Turn("moves"):
            return "Moves", moves(desk)
        case Confirm(question):
            return "Are you sure?", [*wrapped(question, columns), [], say("y  yes      n  no", "class:action")]
        case Choice(actions, cell):
            rows = [f"{action.form.replace('{cell}', cell):<14} {action.help}" for action in actions]
            return f"What at {cell}?", options(rows, desk.chosen, glyphs)
        case NewRoom():
            return "New room", new_room(desk, desk.page, glyphs)
        case _:
            return "", []


def prose(text: str, columns: int) -> list[Line]:
    """A rules text in lines that fit; what is indented in it hangs under its first word's example."""
    blocks: list[str] = []
    for line in text.split("\n"):
        continues = line.startswith("   ") or not line.startswith(" ")
        if line and blocks and blocks[-1] and continues:
            blocks[-1] += " " + line.strip()
        else:
            blocks.append(line.rstrip())
    return [line for block in blocks for line in hanging(block, columns)]


def hanging(block: str, columns: int) -> list[Line]:
    """A paragraph, or an example with its explanation beside it."""
    if not block.startswith(" "):
        return wrapped(block, columns) if block else [[]]
    sample, _, meaning = block.strip().partition("  ")
    first, *rest = wrapped(meaning.strip(), columns - EXAMPLE)
    lines: list[Line] = [[Fragment("class:action", f"  {sample:<{EXAMPLE - 2}}"), *first]]
    return lines + [[Fragment("", " " * EXAMPLE), *line] for line in rest]


def moves(desk: Desk) -> list[Line]:
    """Every move of the game that is over, and every secret of it."""
    model = desk.model
    if model.ending is None:
        return []
    lines = [
        say(f"{number:>4}  {model.seat_name(seat):<20} {line}")
        for number, (seat, line) in enumerate(model.ending.moves, start=1)
    ]
    secrets = [say(f"      {secret.what}: {secret.value}", "class:quiet") for secret in model.ending.reveals]
    return [*lines, [], *secrets]


def new_room(desk: Desk, room: NewRoom, glyphs: Glyphs) -> list[Line]:
    """The rows of the dialogue that makes a room."""
    card = desk.model.card(room.games[room.game])
    clock = CLOCKS[room.clock]
    first = {"random": "chance decides", "host": "you", "guest": "the other"}[FIRSTS[room.first]]
    rows = [
        f"Game       {card.title if card else room.games[room.game]}",
        f"Begins     {first}",
        f"Clock      {f'{clock} seconds a turn' if clock else 'none'}",
        f"Private    {'yes: only with its code' if room.private else 'no: listed in the lobby'}",
    ]
    return options(rows, room.row, glyphs)


def options(rows: list[str], chosen: int, glyphs: Glyphs) -> list[Line]:
    """Rows of which one can be chosen."""
    lines: list[Line] = []
    for number, row in enumerate(rows):
        here = number == chosen
        pointer = glyphs.pointer if here else " "
        lines.append([Fragment("class:chosen" if here else "", f"{pointer} {row}", ("row", number))])
    return lines
