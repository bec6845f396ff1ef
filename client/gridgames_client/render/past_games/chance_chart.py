"""Draws the analysis of a finished game: both players' chances over the moves, the marks, accuracy and luck."""

from collections.abc import Callable, Sequence
from typing import NamedTuple

from gridgames_client.render.drawing.canvas import Canvas
from gridgames_client.render.drawing.text_layout import (
    Glyphs,
    Line,
    blank,
    clip,
    clip_line,
    pad,
    say,
    spread,
    width,
    wrap,
)
from gridgames_client.render.drawing.text_layout import columns as columns_of
from gridgames_protocol.messages import AnalysedMove, Analysis
from gridgames_protocol.safe_text import harmless
from gridgames_protocol.views import Turning

NAME_MAX = 12  # columns of a name before the curves
NUMBERS = 3  # columns of the numbers before the curves
WIDEST = 6  # columns of one move
LABEL = 10  # columns of a label in the table of rates
BRIEF = 6  # rows of rates in sentences
EVEN, STRONG = 10, 50  # points of a hundred: less is no luck, more is much
WHAT_MARKS_MEAN = "?! gave away 5 points of a hundred, ? 10, ?? 15."
WHAT_ACCURACY_IS = "Accuracy: 100 % is the best line on every move."
WHAT_LUCK_IS = "Luck: what the moves do not explain."
WHAT_ACCURACY_MEANS = "  (100 %: only best moves)"
HERE = "^"  # below the move that is shown, if it has no mark
SEVERITY = ("??", "?", "?!")  # where marks would touch, the more severe one is written

Named = Callable[[str], str]


class JudgedMove(NamedTuple):
    """A move of the chart: its mover, its chance in thousandths if it has one, and its mark."""

    seat: int
    chance: int | None
    mark: str


def join_moves(seats: Sequence[int], moves: Sequence[AnalysedMove]) -> list[JudgedMove]:
    """The analysed moves with their movers. Without a mover for each, there is no chart."""
    if len(seats) != len(moves):
        return []
    return [
        JudgedMove(seat, move[0], "" if move[3] == "none" else move[3]) for seat, move in zip(seats, moves, strict=True)
    ]


def draw_chart(
    moves: Sequence[JudgedMove],
    numbers: Sequence[int | None],
    winner: int | None,
    named: Named,
    glyphs: Glyphs,
    wide: int,
    high: int,
    here: int | None = None,
) -> list[Line]:
    """The curves of both chances, the moves' numbers, and each player's marks. The move `here` has a sign in gold.

    The number of rows is odd, so that a chance of 50 is in the middle of one. Without chances there is no chart.
    """
    if not any(move.chance is not None for move in moves):
        return []
    names = [clip(harmless(named(f"Player {seat}")), NAME_MAX) for seat in (1, 2)]
    axis = max(NUMBERS, *map(columns_of, names)) + 1
    size = min(wide - axis, WIDEST * len(moves))
    if size < 1:
        return []
    starts = [axis + place * size // len(moves) for place in range(len(moves) + 1)]
    draw = draw_curves if glyphs.filled else write_curves
    lines = [say("CHANCE TO WIN, MOVE BY MOVE", "class:heading")]
    lines += draw(follow_chances(moves, winner), starts, high)
    lines += draw_numbers(numbers, starts)
    return [*lines, *(draw_marks(moves, seat, names[seat - 1], starts, here) for seat in (1, 2))]


def follow_chances(moves: Sequence[JudgedMove], winner: int | None) -> dict[int, list[int | None]]:
    """Each seat's chance after every move: that of its own last move, and at the end the result."""
    curves: dict[int, list[int | None]] = {}
    for seat in (1, 2):
        known: int | None = None
        curve: list[int | None] = []
        for move in moves:
            if move.seat == seat and move.chance is not None:
                known = move.chance
            curve.append(known)
        if winner is not None and known is not None:
            curve[-1] = 1_000 if winner == seat else 0
        curves[seat] = curve
    return curves


def draw_curves(curves: dict[int, list[int | None]], starts: Sequence[int], high: int) -> list[Line]:
    """The curves in half rows, in the seats' colours. Where both are, the colours take turns."""
    axis, end = starts[0], starts[-1]
    canvas = Canvas(end, high, "panel")
    low = 2 * high - 2
    canvas.fill(axis, low // 2, end - axis, 1, "track")
    for row, text in list_levels(high):
        canvas.write(axis - 1 - len(text), row, text, "quiet")
    one, two = (trace_curve(curves[seat], starts, low) for seat in (1, 2))
    for x, y in one | two:
        both = (x, y) in one and (x, y) in two
        seat = 1 + (x + y) % 2 if both else 1 if (x, y) in one else 2
        canvas.dot(x, y, f"seat{seat}_ink")
    return canvas.lines()


def trace_curve(curve: Sequence[int | None], starts: Sequence[int], low: int) -> set[tuple[int, int]]:
    """The columns and half rows of a curve: a level for each move, and the steps between the levels."""
    found: set[tuple[int, int]] = set()
    before: int | None = None
    for place, chance in enumerate(curve):
        if chance is None:
            continue
        level = low - round(chance * low / 1_000)
        left, right = starts[place], max(starts[place] + 1, starts[place + 1])
        found |= {(x, level) for x in range(left, right)}
        if before is not None:
            found |= {(left, y) for y in range(min(before, level), max(before, level) + 1)}
        before = level
    return found


def list_levels(high: int) -> tuple[tuple[int, str], ...]:
    """The rows of the chart that have a number."""
    return (0, "100"), (high // 2, "50"), (high - 1, "0")


def write_curves(curves: dict[int, list[int | None]], starts: Sequence[int], high: int) -> list[Line]:
    """The curves as the seats' numbers; a star where both are."""
    axis, end = starts[0], starts[-1]
    rows = [[" "] * end for _ in range(high)]
    for row, text in list_levels(high):
        rows[row][axis - 1 - len(text) : axis - 1] = text
    for seat, curve in curves.items():
        for place, chance in enumerate(curve):
            if chance is None or starts[place] >= end:
                continue
            level = high - 1 - round(chance * (high - 1) / 1_000)
            rows[level][starts[place]] = str(seat) if rows[level][starts[place]] == " " else "*"
    return [say("".join(row), "class:text") for row in rows]


def draw_numbers(numbers: Sequence[int | None], starts: Sequence[int]) -> list[Line]:
    """The moves' numbers below the curves, each where it begins, as far as there is space between them."""
    text = [" "] * starts[-1]
    free = starts[0]
    before: int | None = None
    for number, at in zip(numbers, starts, strict=False):
        written = str(number)
        if number is not None and number != before and at >= free and at + len(written) <= starts[-1]:
            text[at : at + len(written)] = written
            free = at + len(written) + 1
        before = number
    return [say("".join(text).rstrip(), "class:quiet")] if "".join(text).strip() else []


def draw_marks(moves: Sequence[JudgedMove], seat: int, name: str, starts: Sequence[int], here: int | None) -> Line:
    """A player's name, and the marks below their moves. The move `here` has its mark or a sign in gold."""
    axis = starts[0]
    text = [" "] * (starts[-1] - axis + len(SEVERITY[0]))
    places = [start - axis for start in starts]
    for mark in SEVERITY:
        for place, move in enumerate(moves):
            at = places[place]
            around = "".join(text[max(0, at - 1) : at + len(mark) + 1])
            if move.seat == seat and move.mark == mark and not around.strip():
                text[at : at + len(mark)] = mark
    style, joined = f"class:seat{seat}", "".join(text)
    head = pad(say(name, style), axis)
    if here is None or not 0 <= here < len(moves) or moves[here].seat != seat:
        return [*head, *say(joined[: places[-1]].rstrip(), style)]
    sign, at = moves[here].mark or HERE, places[here]
    after = joined[at + len(sign) :].rstrip()
    return [*head, *say(joined[:at], style), *say(sign, "class:gold"), *say(after, style)]


def draw_rates(analysis: Analysis, named: Named, wide: int) -> list[Line]:
    """Each player's accuracy and luck, under the players' names."""
    if not any(rate is not None for rate in analysis.accuracy):
        return []
    half = (wide - LABEL) // 2
    names = [say(named(f"Player {seat}")[: half - 1], f"class:seat{seat}") for seat in (1, 2)]
    lines = [[blank(LABEL), *pad(names[0], half), *names[1]]]
    lines.append(draw_rate_row("accuracy", [format_rate(rate) for rate in analysis.accuracy], half))
    if any(luck is not None for luck in analysis.luck):
        lines.append(draw_rate_row("luck", [format_luck(luck) for luck in analysis.luck], half))
    return lines


def draw_rate_row(label: str, texts: list[str], half: int) -> Line:
    """A row of the table of rates."""
    return [
        *pad(say(label, "class:quiet"), LABEL),
        *pad(say(texts[0], "class:strong"), half),
        *say(texts[1], "class:strong"),
    ]


def format_rate(rate: int | None) -> str:
    """An accuracy in words."""
    return "-" if rate is None else f"{rate} %"


def format_luck(luck: int | None) -> str:
    """Luck in words."""
    if luck is None:
        return "-"
    points = abs(luck) / 10
    side = "good" if luck > 0 else "bad"
    return "even" if points < EVEN else side if points < STRONG else f"very {side}"


def draw_brief_rates(
    analysis: Analysis, named: Named, wide: int, rows: int = BRIEF, explained: bool = False
) -> list[Line]:
    """Both accuracies in a sentence and both lucks in the next, if the rows are enough for both.

    Between them may stand what an accuracy means, if there is still a row.
    """
    accuracy = wrap_rates("Accuracy", analysis.accuracy, format_rate, named, wide)
    luck = wrap_rates("Luck", analysis.luck, format_luck, named, wide)
    meaning = wrap(WHAT_ACCURACY_MEANS, wide, "class:quiet", "  ") if explained and accuracy else []
    for lines in ([*accuracy, *meaning, *luck], [*accuracy, *luck]):
        if len(lines) <= rows:
            return lines
    return accuracy if len(accuracy) <= rows else []


def wrap_rates(
    label: str, rates: Sequence[int | None], tell: Callable[[int | None], str], named: Named, wide: int
) -> list[Line]:
    """Both players' rates in a sentence; nothing if none is known."""
    known = [f"{named(f'Player {seat}')} {tell(rate)}" for seat, rate in enumerate(rates, 1) if rate is not None]
    return wrap(f"{label}: {', '.join(known)}", wide, "class:quiet", "  ") if known else []


def explain_analysis(analysis: Analysis, wide: int) -> list[Line]:
    """What the marks, accuracy and luck mean, and the opponent that the chances assume."""
    has_chances = any(move[0] is not None for move in analysis.moves)  # without them no marks are drawn
    words = [WHAT_MARKS_MEAN] if has_chances and any(move[3] != "none" for move in analysis.moves) else []
    words += [WHAT_ACCURACY_IS] if any(rate is not None for rate in analysis.accuracy) else []
    words += [WHAT_LUCK_IS] if any(luck is not None for luck in analysis.luck) else []
    if has_chances:
        words.append(f"Chances assume {analysis.rival} and what the player knew.")
    return wrap(" ".join(words), wide, "class:quiet") if words else []


def draw_turning(turning: Turning | None, where: str, named: Named, wide: int) -> list[Line]:
    """The move that decided the game, and where it stands in the table of moves."""
    if turning is None:
        return []
    head, place = say("TURNING POINT", "class:heading"), say(where, "class:gold")
    apart = width(head) + width(place) + 1 > wide
    heads = [head, clip_line(place, wide)] if apart else [spread(head, place, wide)]
    return [*heads, *wrap(named(turning.text), wide, "class:text")]
