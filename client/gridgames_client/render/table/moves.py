"""The moves of a game in two columns, as in a chess record: who, what, what came of it."""

from gridgames_client.render.drawing.text_layout import Fragment, Glyphs, Line, blank, fit, pad, say
from gridgames_client.render.drawing.widgets import name_seat
from gridgames_client.state.model import Model
from gridgames_protocol.views import MoveEntry

NUMBER = 7  # columns before the first seat's moves
RESULTS = {"none": "class:quiet", "hint": "class:hint", "miss": "class:bad", "good": "class:good"}

Round = dict[int, MoveEntry]


def group_rounds(moves: tuple[MoveEntry, ...]) -> list[Round]:
    """The moves in rounds. A new round begins if the seat has moved in the last one, or the first seat follows."""
    rounds: list[Round] = []
    first = moves[0][0] if moves else 1
    for move in moves:
        if not rounds or move[0] in rounds[-1] or (move[0] == first and rounds[-1]):
            rounds.append({})
        rounds[-1][move[0]] = move
    return rounds


def draw_moves(model: Model, glyphs: Glyphs, wide: int, rows: int) -> list[Line]:
    """The last rounds under the players' names, and a sign where the next move will stand."""
    assert model.show
    if rows < 2:
        return []
    moves, turn = model.show.view.moves, model.show.turn
    rounds = group_rounds(moves)
    if turn and not model.ending and (not rounds or turn[0] in rounds[-1] or len(rounds[-1]) == 2):
        rounds.append({})
    half = max(1, (wide - NUMBER) // 2)
    heads = [*say(fit("MOVES", NUMBER, ""), "class:heading")]
    heads += pad(say(f"1 {name_seat(model, 1)}", "class:seat1"), half)
    heads += say(f"2 {name_seat(model, 2)}", "class:seat2")
    shown = rounds[-(rows - 1) :]
    lines = [heads]
    for number, played in enumerate(shown, start=len(rounds) - len(shown) + 1):
        line = say(f"{number:>3}".ljust(NUMBER), "class:quiet")
        for seat in (1, 2):
            line += pad(_cell(model, played, seat, glyphs), half)
        lines.append(line)
    return lines


def _cell(model: Model, played: Round, seat: int, glyphs: Glyphs) -> Line:
    assert model.show
    move = played.get(seat)
    if move is None:
        waits = seat in model.show.turn and not model.ending
        return [Fragment("class:clock", glyphs.pointer)] if waits else []
    newest = move is model.show.view.moves[-1]
    text = say(move[1], "class:strong" if newest else "class:text")
    return [*text, blank(1), *say(move[2], RESULTS[move[3]])]
