"""Draws the page of moves of a finished game: each line with its round, its answer and the review's numbers."""

from functools import partial

from gridgames_client.render.drawing.text_layout import Fragment, Glyphs, Line, blank, fit, pad, say, width, wrap
from gridgames_client.render.drawing.text_layout import columns as columns_of
from gridgames_client.render.drawing.widgets import insert_short_names, name_seat
from gridgames_client.render.past_games import review
from gridgames_client.render.table.meters import draw_meters
from gridgames_client.render.table.moves import RESULTS
from gridgames_client.render.table.rounds import find_entries, number_lines
from gridgames_client.state.model import Model
from gridgames_protocol.safe_text import harmless
from gridgames_protocol.views import MoveEntry

NAME = 16  # columns of the longest name
NUMBER = 4


def draw_moves_page(model: Model, glyphs: Glyphs, columns: int) -> list[Line]:
    """The moves, the meters at the end, and the secrets of a finished game."""
    assert model.ending
    lines = add_review(model, list_lines(model, glyphs, columns), glyphs, columns)
    meters = draw_meters(model, glyphs, min(columns, 2 * NAME + NUMBER)) if model.show else []
    lines += [[], *meters] if meters else []
    secrets = [wrap(f"{secret.what}: {secret.value}", columns, "class:quiet") for secret in model.ending.reveals]
    return [*lines, [], say("What was sealed", "class:heading"), *(line for lines in secrets for line in lines)]


def list_lines(model: Model, glyphs: Glyphs, columns: int) -> list[Line]:
    """A row for each line: its round, who typed it, the line, and what came of it."""
    assert model.ending
    typed, moves = model.ending.moves, model.show.view.moves if model.show else ()
    name = min(columns // 2, max(columns_of(name_seat(model, seat, NAME)) for seat in (1, 2)))
    entries = [moves[place] if place is not None else None for place in find_entries(typed, moves)]
    texts = [spell_line(line, entry) for (_, line), entry in zip(typed, entries, strict=True)]
    wide = max(map(columns_of, texts), default=0) + 2
    rows: list[Line] = []
    for (seat, _), number, text, entry in zip(typed, number_lines(typed, moves), texts, entries, strict=True):
        row = say(f"{number or '':>{NUMBER}}  ", "class:quiet")
        row += [Fragment(f"class:seat{seat}", fit(name_seat(model, seat, NAME), name, glyphs.more)), blank(2)]
        result = say(entry[2], RESULTS[entry[3]]) if entry else []
        rows.append([*row, *pad(say(text, "class:text"), wide), *result])
    return rows


def spell_line(line: str, entry: MoveEntry | None) -> str:
    """A line as the table of moves has it, with its verb; words in small letters, cells in capitals."""
    line = harmless(line)
    if entry and entry[1][:1].isalpha() and " " in entry[1]:
        return entry[1]
    return lower_words(line)


def lower_words(line: str) -> str:
    """A typed line with its words in small letters and its cells in capitals."""
    return " ".join(word.lower() if word.isalpha() and len(word) > 1 else word.upper() for word in line.split())


def add_review(model: Model, typed: list[Line], glyphs: Glyphs, columns: int) -> list[Line]:
    """The moves, each with the review's numbers after it if they fit."""
    found = model.ending.over.review if model.ending else None
    left = max(map(width, typed), default=0) + 2
    if found is None or not typed or left + review.COLUMN * len(found.rows) > columns:
        return typed
    named = partial(insert_short_names, model)
    wide = review.measure_column(found, named, columns - left)
    heads = [blank(left), *say(review.draw_heads(found, named, glyphs, wide), "class:label")]
    rows = [
        [*pad(line, left), *review.draw_beside_move(found, number, glyphs, wide)]
        for number, line in enumerate(typed, start=1)
    ]
    return [*review.title_numbers(found, columns), heads, *rows]
