"""Draws the analysis in a replay: the judgement of the step's move, and the chart with a sign below that move."""

from gridgames_client.render.drawing.text_layout import Glyphs, Line, say, wrap
from gridgames_client.render.past_games import chance_chart
from gridgames_client.state.history.replay import Replaying

RATES, RATES_SMALL = 4, 2  # rows of both players' rates
HIGH, SMALL_HIGH = 7, 3  # rows of the curves
WORDS = {"?!": "not the best", "?": "a mistake", "??": "a blunder"}


def draw_judgement(page: Replaying, wide: int) -> list[Line]:
    """How well the move of this step was played, and what was better."""
    found = page.find_judgement(page.shown.step)
    if found is None or (found[0] is None and found[3] == "none"):
        return []
    chance, best, line, mark = found
    if mark == "none":
        return [say(f"Well played: a {percent(chance)} chance to win.", "class:good")]
    words = f"{mark} This was {WORDS[mark]}."
    words += f" {line.capitalize()} was better" if line else ""
    words += f": {percent(best)} instead of {percent(chance)}." if chance is not None and line else "." * bool(line)
    return wrap(words, wide, "class:bad", "  ")


def percent(chance: int | None) -> str:
    """A chance of a thousand as a percentage."""
    return f"{round((chance or 0) / 10)} %"


def draw_chances(page: Replaying, glyphs: Glyphs, wide: int, large: bool) -> list[Line]:
    """The curves of both chances, with a sign below the move that led to this step, and both accuracies."""
    if page.analysis is None:
        return []
    moves = chance_chart.join_moves(page.analysis.seats, page.analysis.moves)
    here = page.shown.step - 1 if page.find_judgement(page.shown.step) else None
    rates = chance_chart.draw_brief_rates(page.analysis, page.insert_short_names, wide, RATES if large else RATES_SMALL)
    steps, high = range(1, len(moves) + 1), HIGH if large else SMALL_HIGH
    chart = chance_chart.draw_chart(moves, steps, page.game.winner, page.insert_short_names, glyphs, wide, high, here)
    return [*chart, *rates] if chart else []
