"""The moves of a game in two columns, as in a chess record: who, what, what came of it."""

from gridgames_client.render.drawing.text_layout import Fragment, Glyphs, Line, blank, fit, pad, say
from gridgames_client.render.drawing.widgets import fit_name
from gridgames_client.state.model import Model
from gridgames_protocol.views import MoveEntry

MOVES_MAX = 24  # moves in a view
SKIPPED = "-"  # in the place of a turn that was skipped
NUMBER = 7  # columns before the first seat's moves
RESULTS = {
    "none": "class:quiet",
    "hint": "class:hint",
    "private": "class:hint",
    "miss": "class:bad",
    "good": "class:good",
}
COVERED = "?"  # in the place of a result that is covered

Round = dict[int, MoveEntry]


def group_rounds(moves: tuple[MoveEntry, ...]) -> list[Round]:
    """The moves in rounds. A round begins with the seat that began the game."""
    rounds: list[Round] = []
    for move in moves:
        if needs_round(rounds, move[0], moves[0][0]):
            rounds.append({})
        rounds[-1][move[0]] = move
    return rounds


def needs_round(rounds: list[Round], seat: int, beginner: int) -> bool:
    """True if the next move of a seat begins a round."""
    return not rounds or seat == beginner or seat in rounds[-1]


def draw_moves(model: Model, glyphs: Glyphs, wide: int, rows: int) -> list[Line]:
    """The last rounds under the players' names, and a sign where the next move will stand."""
    assert model.show
    if rows < 2:
        return []
    moves, turn = model.show.view.moves, model.show.turn
    rounds = group_rounds(moves)
    beginner = moves[0][0] if moves else turn[0] if turn else 1
    order = (beginner, 3 - beginner)
    if turn and not model.ending and needs_round(rounds, turn[0], beginner) and (rows > 2 or not rounds):
        rounds.append({})
    half = max(1, (wide - NUMBER) // 2)
    heads = [*say(fit("MOVES", NUMBER, ""), "class:heading")]
    for seat, space in zip(order, (3, 2), strict=True):
        heads += pad(say(f"{seat} {fit_name(model, seat, half - space)}", f"class:seat{seat}"), half)
    first = max(0, len(rounds) - rows + 1)
    lines = [heads]
    for number, played in enumerate(rounds[first:], start=first):
        line = say(name_round(number, moves).ljust(NUMBER), "class:quiet")
        for seat in order:
            move = played.get(seat)
            waits = number == len(rounds) - 1 and seat in (*model.show.turn[:1], order[1])
            cell = _draw_move(model, move) if move else _draw_absent(model, waits, seat, glyphs)
            line += pad(cell, half)
        lines.append(line)
    return lines


def name_round(place: int, moves: tuple[MoveEntry, ...]) -> str:
    """The number of a round. The numbers of a long game are not known, since a view has its last moves only."""
    return f"{place + 1:>3}" if len(moves) < MOVES_MAX else ""


def _draw_move(model: Model, move: MoveEntry) -> Line:
    assert model.show
    newest = move is model.show.view.moves[-1]
    text = say(move[1], "class:strong" if newest else "class:text")
    result = COVERED if move[3] == "private" and model.covers else move[2]
    return [*text, blank(1), *say(result, RESULTS[move[3]])]


def _draw_absent(model: Model, waits: bool, seat: int, glyphs: Glyphs) -> Line:
    """What stands for a move that was not made: a sign for who moves next, or for a skipped turn."""
    assert model.show
    if not waits:
        return say(SKIPPED, "class:quiet")
    return [Fragment("class:clock", glyphs.pointer)] if seat in model.show.turn[:1] and not model.ending else []
