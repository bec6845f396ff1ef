"""Draws the end of a game: who won, what decided it, the analysis, and whether every secret fits its seal."""

from functools import partial

from gridgames_client.render.drawing.big_letters import spell_large
from gridgames_client.render.drawing.text_layout import Glyphs, Line, break_line, clip, indent, say, wrap
from gridgames_client.render.drawing.widgets import NAME_MAX, insert_short_names, name_seat
from gridgames_client.render.past_games import chance_chart
from gridgames_client.render.past_games.review_chart import draw_review
from gridgames_client.render.table import moves
from gridgames_client.render.table.rounds import number_lines
from gridgames_client.render.tiles.second_board import draw_second
from gridgames_client.state.controllers.controller import Controller
from gridgames_client.state.model import Model
from gridgames_protocol.views import SecondBoard, Turning

MARGIN = 2
TALL = 45  # rows of a pane that has space for a second board and bars
RATES = 3  # rows kept for the rates below a second board, if it still fits
POINTS = 3  # of a review that is drawn
CURVES = (7, 5)  # rows of the chances over the moves, if they fit; fewer can't be read


def choose_headline(model: Model) -> str:
    """Who won, in a word or two."""
    assert model.ending
    winner = model.ending.over.winner
    you = model.room.you if model.room else None
    if winner is None:
        return "DRAW"
    if you is None:
        return f"{clip(model.names.get(winner, f'Player {winner}'), 8)} WON".upper()
    return "YOU WON" if winner == you else "YOU LOST"


def choose_colour(model: Model) -> str:
    """Gold for a win, a calm colour for a loss or a draw."""
    assert model.ending
    winner, you = model.ending.over.winner, model.room.you if model.room else None
    return "gold" if winner is not None and you in (winner, None) else "calm"


def draw_end(controller: Controller, glyphs: Glyphs, size: int, rows: int, large: bool) -> list[Line]:
    """The pane of a finished game. A block that does not fit is left out."""
    model, wide = controller.model, size - 2 * MARGIN
    assert model.ending
    assert model.show
    lines: list[Line] = [[], *spell_large(choose_headline(model), glyphs, wide, large, choose_colour(model))]
    lines += [[]] * large
    lines += draw_verdict(model, wide) if is_doubtful(model) else []
    lines += wrap(insert_short_names(model, model.ending.over.text), wide, "class:strong")
    second = model.show.view.find_board("beside")
    tight = second is not None and rows <= TALL
    small = tight and not large  # the second board comes first: it was there before the analysis
    if not small:
        lines += [[]]
        lines = add_blocks(lines, [draw_turning_point(model, wide)], rows)
    space = rows - len(lines)
    kept = RATES if tight else len(draw_analysis(model, glyphs, wide, space, large, tight)) + 1
    board = draw_second_block(model, second, glyphs, wide, space, kept, large and not tight) if second else []
    left = space - len(board) - bool(board)
    review = draw_review_rows(model, glyphs, wide, large and not tight)
    choices = [draw_analysis(model, glyphs, wide, left, large, tight, explained) for explained in (True, False)]
    fitting = [choice for choice in choices if len(choice) + 1 + len(review) <= left]
    analysis = [*fitting, *choices][0]  # no explanation takes the rows of the review
    lines = add_blocks(lines, [board, analysis] if small else [analysis, board], rows)
    lines = add_blocks(lines, [draw_explanation(model, wide) if large else [], review], rows)
    space = rows - len(lines) - 1
    return [*lines, *moves.draw_moves(model, glyphs, wide, space)] if space > 2 and model.show.view.moves else lines


def draw_second_block(
    model: Model, second: SecondBoard, glyphs: Glyphs, wide: int, rows: int, kept: int, large: bool
) -> list[Line]:
    """The second board, which leaves some rows free if it still fits; nothing if it does not fit."""
    found = (draw_second(model, second, glyphs, wide, space, large) for space in (rows - kept, rows))
    return next((lines for lines in found if len(lines) > 1), [])


def add_blocks(lines: list[Line], blocks: list[list[Line]], rows: int) -> list[Line]:
    """The lines with those blocks below them that fit."""
    for block in blocks:
        if block and len(lines) + len(block) <= rows:
            lines = [*lines, *block, []]
    return lines


def find_turning(model: Model) -> Turning | None:
    """The move that decided the game: by the analysis, or else in the game's own words."""
    if model.ending is None:
        return None
    analysis, review = model.ending.analysis, model.ending.over.review
    return (analysis.turning if analysis else None) or (review.turning if review else None)


def draw_turning_point(model: Model, wide: int) -> list[Line]:
    """The move that decided the game, under a heading."""
    found = find_turning(model)
    where = name_turning(model, found) if found else ""
    return chance_chart.draw_turning(found, where, partial(insert_short_names, model), wide)


def number_moves(model: Model) -> list[int | None]:
    """The round of each line of the game."""
    assert model.ending
    assert model.show
    return number_lines(model.ending.moves, model.show.view.moves)


def name_turning(model: Model, turning: Turning) -> str:
    """The round of the move that decided the game, if it is known; its player, if the text does not name them."""
    assert model.ending
    if turning.move >= len(model.ending.moves):
        return ""
    number, seat = turning.round or number_moves(model)[turning.move], model.ending.moves[turning.move][0]
    name = "" if f"Player {seat}" in turning.text else name_seat(model, seat, NAME_MAX)
    return ", ".join(part for part in (f"round {number}" if number else "", name) if part)


def draw_turning_rows(model: Model, columns: int, glyphs: Glyphs) -> list[Line]:
    """The move that decided the game in one row, or two; for screens on which a second board takes the pane."""
    found = find_turning(model)
    if found is None:
        return []
    where = name_turning(model, found)
    head = say(f"{where[:1].upper()}{where[1:]}: " if where else "", "class:gold")
    line = [*head, *say(insert_short_names(model, found.text), "class:text")]
    return indent(break_line(line, columns - 2, 2, glyphs.more), 1)


def draw_analysis(
    model: Model, glyphs: Glyphs, wide: int, rows: int, large: bool, tight: bool, explained: bool = False
) -> list[Line]:
    """The analysis, if it has arrived: the chances over the moves if they fit, and the rates.

    A small pane has only the rates.
    """
    assert model.ending
    found, named = model.ending.analysis, partial(insert_short_names, model)
    if found is None:
        return []
    if not large:
        return chance_chart.draw_brief_rates(found, named, wide, rows, explained)
    rates = (chance_chart.draw_brief_rates if tight else chance_chart.draw_rates)(found, named, wide)
    seats = found.seats or tuple(seat for seat, _ in model.ending.moves)
    joined = chance_chart.join_moves(seats, found.moves)
    here, winner = found.turning.move if found.turning else None, model.ending.over.winner
    for high in CURVES:
        chart = chance_chart.draw_chart(joined, number_moves(model), winner, named, glyphs, wide, high, here)
        if len(chart) + len(rates) <= rows:
            return [*chart, *rates]
    return rates


def draw_explanation(model: Model, wide: int) -> list[Line]:
    """What the analysis means, if it has arrived."""
    found = model.ending.analysis if model.ending else None
    return chance_chart.explain_analysis(found, wide) if found else []


def draw_analysis_help(model: Model, wide: int) -> list[Line]:
    """Both players' rates and what the analysis means, for a page."""
    found = model.ending.analysis if model.ending else None
    if found is None:
        return []
    rates = chance_chart.draw_brief_rates(found, partial(insert_short_names, model), wide)
    return [*rates, *chance_chart.explain_analysis(found, wide)]


def draw_review_rows(model: Model, glyphs: Glyphs, wide: int, large: bool) -> list[Line]:
    """The review as a chart, if it has enough points to say something."""
    found = model.ending.over.review if model.ending else None
    if found is None or len(found.after) < POINTS:
        return []
    return draw_review(found, lambda text: insert_short_names(model, text), glyphs, wide, large)


def is_doubtful(model: Model) -> bool:
    """True if a seal does not fit, or the server contradicts itself."""
    return model.ending is not None and bool(model.ending.verdict.broken or model.ending.contradictions)


def draw_verdict(model: Model, wide: int) -> list[Line]:
    """Whether every secret fits its seal, and every move is what was typed."""
    assert model.ending
    found = model.ending.verdict
    if is_doubtful(model):
        sealed = [f"not what was sealed: {', '.join(found.broken)}."] if found.broken else []
        text = f"WARNING: {' '.join([*sealed, *model.ending.contradictions])} Do not trust this server."
        return wrap(text, wide, "class:bad")
    if not found.fitting:  # nothing was sealed
        return []
    return wrap(f"Nothing was changed during the game: {count_fitting(found.fitting)}.", wide, "class:good")


def draw_verdict_row(model: Model, glyphs: Glyphs, columns: int) -> Line:
    """Whether every secret fits its seal, in one row."""
    assert model.ending
    found = model.ending.verdict
    if is_doubtful(model):
        return indent(draw_verdict(model, columns - 2), 1)[0]
    if not found.fitting:
        return []
    lines = draw_verdict(model, columns - 4)
    words = count_fitting(found.fitting)
    brief = say(f"{words[:1].upper()}{words[1:]}.", "class:good")
    return [*say(f" {glyphs.star} ", "class:good"), *(lines[0] if len(lines) == 1 else brief)]


def count_fitting(count: int) -> str:
    """How many secrets fit their seals, in words."""
    words = {1: "the sealed secret fits", 2: "both sealed secrets fit"}
    return words.get(count, f"all {count} sealed secrets fit")


def draw_result_rows(model: Model, glyphs: Glyphs, columns: int, rows: int) -> list[Line]:
    """How it ended, in as many rows as it takes."""
    assert model.ending
    words = say(insert_short_names(model, model.ending.over.text), "class:strong")
    return indent(break_line(words, columns - 2, rows, glyphs.more), 1)
