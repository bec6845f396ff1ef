"""Draws the list of finished games and the standings."""

from gridgames_client.render.board import choose_range
from gridgames_client.render.drawing import widgets
from gridgames_client.render.drawing.text_layout import (
    Fragment,
    Glyphs,
    Line,
    cut,
    fit,
    fit_rows,
    indent,
    say,
    wrap,
)
from gridgames_client.render.drawing.text_layout import columns as columns_of
from gridgames_client.state.controllers.controller import Controller
from gridgames_client.state.history.replay import (
    PastGames,
    describe_outcome,
    describe_result,
    find_opponent,
)
from gridgames_client.state.model import Model
from gridgames_protocol.messages import PastGame
from gridgames_protocol.safe_text import harmless

NONE_YET = "No finished games yet."
WHY_NONE = "A game that you play to its end is listed here, unless the server keeps none."
NO_STANDINGS = "Games that are played to their ends are counted here, unless the server keeps none."
ALIGNED = 60  # columns from which a list is a table
GAP = 2  # blanks between two columns of a table
HEADS = ("No.", "Game", "Against", "Result", "When")


# The list -------------------------------------------------------------------------------------------------------------


def draw_past_games(controller: Controller, page: PastGames, glyphs: Glyphs, columns: int, rows: int) -> list[Line]:
    """The player's finished games on a whole screen, the newest first."""
    model = controller.model
    top = [
        widgets.draw_title("Your finished games", model.connection, glyphs, columns),
        widgets.draw_rule(glyphs, columns),
    ]
    foot = draw_foot(model, columns)
    space = max(1, rows - len(top) - len(foot))
    if not model.past_games:
        words = [*wrap(NONE_YET, columns - 4), [], *wrap(WHY_NONE, columns - 4, "class:quiet")]
        return [*top, *fit_rows(indent(words, 2), space), *foot]
    heads, *texts = align_games(controller, glyphs, columns - 5)
    lines = [draw_row(text, number == page.row, number, glyphs) for number, text in enumerate(texts)]
    head = [say(f"   {heads}", "class:heading")] if columns >= ALIGNED and space > 2 else []
    return [*top, *head, *fit_rows(show_part(model, page, glyphs, lines, space - len(head)), space - len(head)), *foot]


def align_games(controller: Controller, glyphs: Glyphs, size: int) -> list[str]:
    """The heads of the list and its rows, in columns that are as wide as what is in them."""
    games = controller.model.past_games
    if size + 5 < ALIGNED:
        lines = [
            f"{game.number} {game.title}, {describe_outcome(game, game.you)} against {find_opponent(game)}"
            for game in games
        ]
        return ["", *(cut(harmless(line), size, glyphs.more) for line in lines)]
    rows = [HEADS, *(list_cells(controller, game, describe_result(game)) for game in games)]
    if sum(measure_widths(rows)) > size:
        rows = [HEADS, *(list_cells(controller, game, describe_outcome(game, game.you)) for game in games)]
    sizes = measure_widths(rows)
    for place in (2, 1):  # where space is short, cut the name, then the title
        sizes[place] = max(min(sizes[place], 8), sizes[place] - max(0, sum(sizes) - size))
    lines = [
        "".join(fit(text, wide - GAP, glyphs.more) + " " * GAP for text, wide in zip(row, sizes, strict=True))
        for row in rows
    ]
    return [cut(line.rstrip(), size, glyphs.more) for line in lines]


def list_cells(controller: Controller, game: PastGame, outcome: str) -> tuple[str, ...]:
    """The texts of a game's row."""
    return str(game.number), game.title, find_opponent(game), outcome, controller.format_time(game.ended)


def measure_widths(rows: list[tuple[str, ...]]) -> list[int]:
    """The width of each column of a table, with the gap after it."""
    return [max(columns_of(harmless(row[place])) for row in rows) + GAP for place in range(len(HEADS))]


def draw_row(text: str, here: bool, number: int, glyphs: Glyphs) -> Line:
    """A row of the list, marked if it is chosen."""
    return [Fragment("class:chosen" if here else "", f" {glyphs.pointer if here else ' '} {text}", ("row", number))]


def show_part(model: Model, page: PastGames, glyphs: Glyphs, lines: list[Line], space: int) -> list[Line]:
    """The part of the list around the chosen row that fits, and a line if there are older games."""
    if model.has_older_games:
        lines = [*lines, say(f"   {glyphs.more} older ones, further down", "class:quiet")]
    if len(lines) <= space:
        return lines
    shown = choose_range(page.row, len(lines), space)
    return lines[shown.start : shown.stop]


def draw_foot(model: Model, columns: int) -> list[Line]:
    """The lines above the input: the client's message, and that it is the player's turn."""
    waits = [say(" Your turn at the table: press Esc.", "class:prompt")] if model.to_act else []
    return [*widgets.draw_notice(model, columns), *waits]


# Standings ------------------------------------------------------------------------------------------------------------

COUNTS = ("Played", "Won", "Drawn", "Lost")


def title_standings(model: Model, game: str | None) -> str:
    """The title of the standings."""
    card = model.card(game or "")
    return f"Standings: {card.title if card else game or 'all games'}"


def draw_standings(model: Model, glyphs: Glyphs, columns: int) -> list[Line]:
    """The table of games played, won, drawn and lost. Most wins come first."""
    rows = model.standings.rows if model.standings else ()
    if not rows:
        return [*wrap(NONE_YET, columns), [], *wrap(NO_STANDINGS, columns, "class:quiet")]
    counts = [(row.played, row.won, row.drawn, row.lost) for row in rows]
    widths = [max(len(head), *(len(str(count[place])) for count in counts)) + 2 for place, head in enumerate(COUNTS)]
    name = max(4, min(max(columns_of(row.name) for row in rows), columns - sum(widths)))
    lines = [
        say(" " * name + "".join(f"{head:>{size}}" for head, size in zip(COUNTS, widths, strict=True)), "class:heading")
    ]
    for row, count in zip(rows, counts, strict=True):
        numbers = "".join(f"{number:>{size}}" for number, size in zip(count, widths, strict=True))
        lines.append(say(fit(row.name, name, glyphs.more) + numbers))
    return lines


# In sentences ---------------------------------------------------------------------------------------------------------


def tell_games(controller: Controller, first: int) -> list[str]:
    """The list from one of its games on, a sentence for each game."""
    model = controller.model
    if not model.past_games:
        return [NONE_YET, WHY_NONE]
    rows = [list_cells(controller, game, describe_result(game)) for game in model.past_games[first:]]
    told = [f"Game {number}: {title} against {other}, {result}, {when}." for number, title, other, result, when in rows]
    more = " Type history more for older ones." if model.has_older_games else ""
    return [*told, f"Type replay and a number to see one again.{more}"]


def tell_standings(model: Model, game: str | None) -> list[str]:
    """The standings, a sentence for each player."""
    rows = model.standings.rows if model.standings else ()
    told = [f"{row.name}: played {row.played}, won {row.won}, drawn {row.drawn}, lost {row.lost}." for row in rows]
    return [f"{title_standings(model, game)}.", *(told or [NONE_YET, NO_STANDINGS])]
