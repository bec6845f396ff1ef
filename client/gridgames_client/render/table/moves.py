"""The moves of a game in two columns, as in a chess record: who, what, what came of it."""

from gridgames_client.render.drawing.text_layout import Fragment, Glyphs, Line, blank, fit, pad, say
from gridgames_client.render.drawing.widgets import fit_name
from gridgames_client.state.model import Model
from gridgames_protocol.views import MoveEntry

MOVES_MAX = 24  # moves in a view
SKIPPED = "-"  # in the place of a turn that was skipped
NUMBER = 7  # columns before the first seat's moves
RESULTS = {"none": "class:quiet", "hint": "class:hint", "miss": "class:bad", "good": "class:good"}

Round = dict[int, MoveEntry]


def group_rounds(moves: tuple[MoveEntry, ...]) -> list[Round]:
    """The moves in rounds. In a round, the first seat's move stands before the second seat's."""
    rounds: list[Round] = []
    for move in moves:
        if needs_round(rounds, move[0]):
            rounds.append({})
        rounds[-1][move[0]] = move
    return rounds


def needs_round(rounds: list[Round], seat: int) -> bool:
    """True if the next move of a seat begins a round."""
    return not rounds or seat == 1 or seat in rounds[-1]


def draw_moves(model: Model, glyphs: Glyphs, wide: int, rows: int) -> list[Line]:
    """The last rounds under the players' names, and a sign where the next move will stand."""
    assert model.show
    if rows < 2:
        return []
    moves, turn = model.show.view.moves, model.show.turn
    rounds = group_rounds(moves)
    if turn and not model.ending and needs_round(rounds, turn[0]) and (rows > 2 or not rounds):
        rounds.append({})
    half = max(1, (wide - NUMBER) // 2)
    heads = [*say(fit("MOVES", NUMBER, ""), "class:heading")]
    heads += pad(say(f"1 {fit_name(model, 1, half - 3)}", "class:seat1"), half)
    heads += say(f"2 {fit_name(model, 2, half - 2)}", "class:seat2")
    first = max(0, len(rounds) - rows + 1)
    lines = [heads]
    for number, played in enumerate(rounds[first:], start=first):
        line = say(name_round(number, moves).ljust(NUMBER), "class:quiet")
        for seat in (1, 2):
            move = played.get(seat)
            cell = _draw_move(model, move) if move else _draw_absent(model, rounds, number, seat, glyphs)
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
    return [*text, blank(1), *say(move[2], RESULTS[move[3]])]


def _draw_absent(model: Model, rounds: list[Round], place: int, seat: int, glyphs: Glyphs) -> Line:
    """What stands for a move that was not made: who moves next, who did not begin, or a skipped turn."""
    assert model.show
    newest = place == len(rounds) - 1
    if newest and seat in model.show.turn[:1] and not model.ending:
        return [Fragment("class:clock", glyphs.pointer)]
    if seat == 2 and newest:
        return []
    return say(glyphs.dot if place == 0 and seat == 1 else SKIPPED, "class:quiet")
