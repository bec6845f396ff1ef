"""The table: both players, the board, what is known beside it, the log, and what is asked for."""

from gridgames_client import board, cells, parts, review
from gridgames_client.board import Pencil
from gridgames_client.desk import Desk
from gridgames_client.model import Model
from gridgames_client.paint import (
    Fragment,
    Glyphs,
    Line,
    beside,
    cut_line,
    indented,
    say,
    spread,
    tall,
    width,
    wrapped,
)
from gridgames_client.paint import columns as columns_of
from gridgames_client.parts import MARGIN

SIDE_MIN = 26  # columns in which facts can be read beside a board
FLAT = 6  # lines of a board below which there is more space than beside it
LOG_MIN = 4  # lines of the log that a large board leaves
STATES = 18  # columns that "your turn" and a clock take behind a name
HIGH, LOW = 16, 9  # rows from which a rule, and the game's name, are worth their line


def table(desk: Desk, typed: str, glyphs: Glyphs, columns: int, rows: int, now: float) -> list[Line]:
    """The game on so many rows. The board's place depends on the screen alone: nothing that is said moves it."""
    top = head(desk.model, glyphs, columns, rows, now)
    rows -= len(top)
    left = drawn(desk, typed, glyphs, columns - MARGIN, rows - 1)  # one line at least is for what is asked
    foot = parts.foot(desk, columns)[: max(1, rows - len(left))]
    flat = len(left) <= FLAT and rows > 3 * LOG_MIN
    middle = with_side(desk, glyphs, left, columns, rows - len(foot), flat)
    log = parts.log(desk, glyphs, columns, rows - len(foot) - len(middle))
    return [*top, *middle, *log, *foot]


# The players ----------------------------------------------------------------------------------------------------------


def head(model: Model, glyphs: Glyphs, columns: int, rows: int, now: float) -> list[Line]:
    """The game, the room, the score; both players, and whose turn it is."""
    one, two = (seat(model, glyphs, number, now) for number in (1, 2))
    names = sum(columns_of(model.seat_name(number)) for number in (1, 2))
    if rows < LOW:
        return [cut_line(one_turn(model, one, two), columns)]
    seats = [spread(one, [*two, *say(" ")], columns)]
    if names + 2 * STATES > columns:
        seats = [cut_line(one, columns), cut_line(two, columns)]
    lines = [name_line(model, glyphs, columns), *seats]
    return [*lines, parts.rule(glyphs, columns)] if rows >= HIGH else lines


def one_turn(model: Model, one: Line, two: Line) -> Line:
    """Whose turn it is, where there is no space for more: one's own name can be left out."""
    assert model.show
    you, turn = model.show.you, model.show.turn
    acting = you if you in turn or not turn else turn[0]
    line = two if acting == 2 else one
    return [line[0]._replace(text=line[0].text[:3]), *line[1:]] if acting == you else line


def name_line(model: Model, glyphs: Glyphs, columns: int) -> Line:
    """The game, the room, and how the games in it went."""
    room = model.room
    assert room
    score = f"score {room.score[0]}-{room.score[1]}" + (f", {room.score[2]} drawn" if room.score[2] else "")
    score += ", assist" if room.assist else ""
    name = f"{room.title} {glyphs.dot} {room.room}"
    longer = f"{name} {glyphs.dot} game {room.number}, {score}"
    watched = f"{room.watchers} watching {glyphs.dot} " if room.watchers else ""
    right = watched + model.line
    fits = columns_of(longer) + columns_of(right) + 3 <= columns
    return parts.head(longer if fits else name, right if fits else model.line, glyphs, columns)


def seat(model: Model, glyphs: Glyphs, number: int, now: float) -> Line:
    """A player: mark, name, and how it stands with them."""
    assert model.show
    to_act = number in model.show.turn
    mark = glyphs.turn if to_act else " "
    stands = standing(model, number)
    line = [Fragment(f"class:seat{number}", f" {mark} {model.seat_name(number)}")]
    line.append(Fragment("class:turn", f"  {stands}" if stands else ""))
    if to_act and model.clock_ends is not None:
        left = max(0, int(model.clock_ends - now + 0.99))
        line.append(Fragment("class:clock", f"  {left // 60}:{left % 60:02d}"))
    return line


def standing(model: Model, number: int) -> str:
    """How it stands with a player, in a word or two."""
    assert model.room
    assert model.show
    holder = model.room.seats[number - 1]
    you = model.room.you == number
    if model.ending:
        winner = model.ending.over.winner
        result = "draw" if winner is None else "won" if winner == number else "lost"
        return f"{result}, has left" if holder is None else f"you: {result}" if you else result
    if holder is None:
        return "has left"
    if not holder.online:
        return "away"
    if number in model.show.turn:
        return "your turn" if you else "to move"
    return "you" if you else ""


# The board and what is beside it --------------------------------------------------------------------------------------


def drawn(desk: Desk, typed: str, glyphs: Glyphs, size: int, rows: int) -> list[Line]:
    """The board as it is seen from this side of the table; a large one spares some rows for the log."""
    model, table = desk.model, desk.model.board
    assert table
    assert model.room
    rows = max(2, rows - (LOG_MIN if rows >= 3 * LOG_MIN else LOG_MIN // 2 if rows >= 2 * LOG_MIN else 0))
    if desk.words:
        words = wrapped(" ".join(board.in_words(table, model.masked)), size if size < 2 * SIDE_MIN else size // 2)
        return tall(words, min(len(words), rows), glyphs.more)
    pencil = Pencil(
        cursor=desk.cursor if model.room.you and not model.ending else None,
        lit=cells.named(model, typed) if typed else None,
        marks=model.marks,
        masked=model.masked,
        news=frozenset() if model.ending else board.changed(model.settled, table, model.masked),
    )
    return board.fitted(table, pencil, glyphs, size, rows)


def with_side(desk: Desk, glyphs: Glyphs, left: list[Line], columns: int, rows: int, flat: bool) -> list[Line]:
    """The board with what is known beside it, or below a flat one and where there is no space beside."""
    board_width = max(map(width, left))
    left_width = board_width + 4 * MARGIN
    if columns - left_width > SIDE_MIN and not flat:
        right = side(desk, glyphs, columns - left_width - 1, max(len(left), rows - LOG_MIN))
        return beside(indented(left, 2 * MARGIN), right, left_width)
    left = indented(left, 2 * MARGIN if columns - left_width > 0 else 1)
    left += [[]] if rows - len(left) > 2 * LOG_MIN else []  # a line to breathe
    space = rows - len(left)
    if not desk.model.ending or space >= 3 * LOG_MIN:  # how it ended comes first where it is tight
        space -= LOG_MIN // 2
    below = side(desk, glyphs, columns - 2 * MARGIN, max(0, space))
    below += [[]] if rows - len(left) - len(below) > LOG_MIN else []
    return [*left, *indented(below, MARGIN)]


def side(desk: Desk, glyphs: Glyphs, size: int, rows: int) -> list[Line]:
    """What is known, and what can be typed, or how it ended. Facts give way where it is tight."""
    model = desk.model
    result = ending(model, glyphs, size) if model.ending else []
    if model.claimable:
        result += wrapped("You may claim the win: /claim", size, "class:good")
    typing = can_type(desk, size)
    if len(typing) > rows - len(result):
        typing = [say("; ".join(line for line, _ in examples(desk)), "class:action")]
    space = max(0, rows - len(result) - len(typing) - (1 if typing else 0) - (1 if result else 0))
    told = reviewed(model, glyphs, size, space)
    space = max(0, space - len(told) - 1) if told else space
    known = facts(model, size)
    if len(known) > space:
        known = wrapped("; ".join(known_facts(model)), size, "class:fact", "  ")
    known = tall(known, min(len(known), space), glyphs.more) if space > 1 else known[:space]
    blocks = [block for block in (result, told, known, typing) if block]
    return [line for number, block in enumerate(blocks) for line in ([[], *block] if number else block)][:rows]


def facts(model: Model, size: int) -> list[Line]:
    """What is known, a line for each fact."""
    return [line for fact in known_facts(model) for line in wrapped(fact, size, "class:fact", "  ")]


def known_facts(model: Model) -> list[str]:
    """What is known; the player's own secrets only while they are uncovered."""
    assert model.show
    view = model.show.view
    private = view.private if model.masked and not model.ending else ()
    return [
        f"{model.named(label)}: {'covered (F4 shows it)' if label in private else model.named(value)}"
        for label, value in view.facts
    ]


def can_type(desk: Desk, size: int) -> list[Line]:
    """What can be typed now, and what it does."""
    lines = [say("You can type", "class:heading")] if desk.model.actions else []
    for line, does in examples(desk):
        lines += wrapped(f"{line}  {does}", size, "class:action", "  ")
    return lines


def examples(desk: Desk) -> list[tuple[str, str]]:
    """A line for each action, with the cell under the cursor where it may be named, and what it does."""
    here = desk.model.board.names[desk.cursor] if desk.model.board else ""
    lines = []
    for action in desk.model.actions:
        cell = here if here in (action.cells or ()) else (action.cells or ("",))[0]
        key = f"{action.key} or " if action.key else ""
        lines.append((key + action.form.replace("{cell}", cell).strip(), action.help))
    return lines


def ending(model: Model, glyphs: Glyphs, size: int) -> list[Line]:
    """Who won and why, and whether the secrets held; first of all if they did not."""
    assert model.ending
    result = wrapped(f"{glyphs.star} {model.named(model.ending.over.text)}", size, "class:result", "  ")
    if model.ending.verdict.broken:
        return [*verdict(model, size), *result]
    return [*result, *verdict(model, size)]


def reviewed(model: Model, glyphs: Glyphs, size: int, rows: int) -> list[Line]:
    """How the game was decided, as much of it as there is space for."""
    found = model.ending.over.review if model.ending else None
    if found is None or not found.after:
        return []
    whole, short = (review.picture(found, model.named, glyphs, size, noted) for noted in (True, False))
    return whole if len(whole) <= rows else short if len(short) <= rows else []


def verdict(model: Model, size: int) -> list[Line]:
    """Whether every secret was what it had been sealed as."""
    assert model.ending
    found = model.ending.verdict
    if found.broken:
        text = f"WARNING: not what was sealed: {', '.join(found.broken)}. Do not trust this server."
        return wrapped(text, size, "class:bad")
    count = "The commitment is" if found.fitting == 1 else f"All {found.fitting} commitments are"
    lines = wrapped(f"{count} verified.", size, "class:good") if found.fitting else []
    if found.unseen:
        what = "more" if found.fitting else "commitments"
        lines += wrapped(f"{found.unseen} {what} made before you came can't be checked.", size, "class:quiet")
    return lines
