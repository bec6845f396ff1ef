"""Draws the head of a game's screen: both players, whose turn it is, the game, and the clock as a rule."""

from gridgames_client.render.drawing.text_layout import (
    Fragment,
    Glyphs,
    Line,
    blank,
    clip,
    clip_line,
    drop,
    say,
    spread,
    width,
)
from gridgames_client.render.drawing.text_layout import columns as columns_of
from gridgames_client.render.drawing.widgets import draw_chip
from gridgames_client.state.model import Model
from gridgames_protocol.safe_text import harmless

NAME_MIN = 6  # columns that a name keeps


def draw_head(model: Model, glyphs: Glyphs, columns: int, rows: int, now: float) -> list[Line]:
    """The head in one, two or three rows."""
    if rows == 1:
        return [draw_seats(model, glyphs, columns, now, draw_brief(model))]
    rule = draw_clock(model, glyphs, columns, now)
    if rows == 2:
        return [draw_seats(model, glyphs, columns, now, draw_title(model, glyphs)), rule]
    return [draw_room(model, glyphs, columns), draw_seats(model, glyphs, columns, now, describe_score(model)), rule]


def draw_room(model: Model, glyphs: Glyphs, columns: int) -> Line:
    """The game, the room, and the state of the connection."""
    room = model.room
    assert room
    facts = [f"room {room.room}", f"game {room.number}"]
    facts += ["assist"] * room.assist + ["hints"] * room.hints + [f"{room.watchers} watching"] * bool(room.watchers)
    left = [blank(1), *say(room.title, "class:title"), *say("".join(f"   {fact}" for fact in facts), "class:quiet")]
    return spread(left, say(f"{model.connection} ", "class:quiet"), columns)


def describe_score(model: Model) -> Line:
    """The score of the games in this room."""
    assert model.room
    one, two, drawn = model.room.score
    return say(f"games {one}-{two}" + (f", {drawn} drawn" if drawn else ""), "class:quiet")


def draw_title(model: Model, glyphs: Glyphs) -> Line:
    """The game, and the score of the games in this room."""
    assert model.room
    return [*say(model.room.title, "class:title"), blank(2), *describe_score(model)]


def draw_brief(model: Model) -> Line:
    """What the smallest screens have no other place for: that something is covered, or the scores during a game."""
    assert model.show
    if is_covered(model):
        return say("covered", "class:quiet")
    scores = [str(meter[2]) for meter in model.show.view.meters if meter[0].startswith("Player ")]
    return say("-".join(scores), "class:strong") if scores and not model.ending else []


def is_covered(model: Model) -> bool:
    """True if something of the view is covered now."""
    assert model.show
    view = model.show.view
    return bool(view.board.masks or view.private) and model.covers


def draw_seats(model: Model, glyphs: Glyphs, columns: int, now: float, middle: Line) -> Line:
    """Both players at the edges, and a line between them if it fits."""
    longest = max(NAME_MIN, columns // 4 - 4)
    while True:
        left, right = (draw_seat(model, glyphs, number, now, longest) for number in (1, 2))
        if width(left) + width(right) + 4 <= columns or longest <= NAME_MIN:
            break
        longest -= 1
    if width(left) + width(right) + 4 > columns:
        return clip_line(draw_player_to_move(model, left, right), columns)
    for words in (middle, middle[:1], []):
        gap = columns - 2 - width(left) - width(right) - width(words)
        start = min(max(3, (columns - width(words)) // 2 - 1 - width(left)), gap - 3)
        if gap >= 6:
            return [blank(1), *left, blank(start), *words, blank(gap - start), *right, blank(1)]
    return [blank(1), *left, blank(columns - 2 - width(left) - width(right)), *right, blank(1)]


def draw_player_to_move(model: Model, left: Line, right: Line) -> Line:
    """The player to move, where both do not fit."""
    assert model.show
    you, turn = model.show.you, model.show.turn
    acting = you if you in turn or not turn else turn[0]
    line = right[::-1] if acting == 2 else left
    return [blank(1), *line]


def draw_seat(model: Model, glyphs: Glyphs, seat: int, now: float, longest: int) -> Line:
    """A player: the chip, the state and the clock. The second seat is mirrored."""
    assert model.show
    to_act = seat in model.show.turn
    won = model.ending is not None and model.ending.over.winner == seat
    name = clip(model.names.get(seat, f"Player {seat}"), longest)
    line = [draw_chip(name, seat, glyphs, dim=not (to_act or won))]
    words = describe_state(model, seat)
    left = format_clock(model, seat, now)
    if to_act:
        line += [blank(1), Fragment(f"class:seat{seat}", glyphs.turn[seat - 1])]
    if words:
        line += [blank(1), *say(words, "class:turn" if to_act or won else "class:quiet")]
    if left:
        line += [blank(1), *say(left, "class:clock")]
    return line if seat == 1 else line[::-1]


def describe_state(model: Model, seat: int) -> str:
    """The state of a player, in a word or two."""
    assert model.room
    assert model.show
    holder, you = model.room.seats[seat - 1], seat == model.show.you
    if model.ending:
        winner = model.ending.over.winner
        return "draw" if winner is None else "won" if winner == seat else "lost"
    if holder is None:
        return "has left"
    if not holder.online:
        return "away"
    if seat in model.show.turn:
        return "your turn" if you else "to move"
    return "a program" if holder.agent else ""


def format_clock(model: Model, seat: int, now: float) -> str:
    """The time left for the player to move."""
    if model.clock_ends is None or model.show is None or seat not in model.show.turn:
        return ""
    left = max(0, int(model.clock_ends - now + 0.99))
    return f"{left // 60}:{left % 60:02d}"


def draw_clock(model: Model, glyphs: Glyphs, columns: int, now: float) -> Line:
    """A rule in the colour of the player to move. Its length is the time left."""
    assert model.show
    size, share = columns - 2, 1.0
    if model.clock_ends is not None and model.room and model.room.clock:
        share = min(1.0, max(0.0, (model.clock_ends - now) / model.room.clock))
    turn = model.show.turn
    seat = model.ending.over.winner if model.ending else turn[0] if len(turn) == 1 else None
    heavy = round(size * share) if seat else 0
    style = f"class:seat{seat}" if seat else "class:rule"
    return [
        blank(1),
        Fragment(style, glyphs.heavy * heavy),
        Fragment("class:rule", glyphs.across * (size - heavy)),
    ]


def put_title(rule: Line, title: str, at: int) -> Line:
    """The rule with a board's title in it."""
    text = f" {harmless(title)} "
    before = clip_line(rule, at)
    after = drop(rule, at + columns_of(text))
    return [*before, *say(text, "class:title"), *after]
