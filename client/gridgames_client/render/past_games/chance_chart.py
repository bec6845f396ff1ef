"""Draws the analysis of a finished game: both players' chances over the moves, the marks, accuracy and luck."""

from collections.abc import Callable, Sequence
from typing import NamedTuple

from gridgames_client.render.drawing.canvas import Canvas
from gridgames_client.render.drawing.text_layout import Glyphs, Line, blank, pad, say, spread, wrap
from gridgames_client.render.drawing.text_layout import columns as columns_of
from gridgames_protocol.messages import AnalysedMove, Analysis
from gridgames_protocol.views import Turning

AXIS = 4  # columns before the curves
WIDEST = 6  # columns of one move
LABEL = 10  # columns of a label in the table of rates
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
    moves: Sequence[JudgedMove], winner: int | None, glyphs: Glyphs, wide: int, high: int, here: int | None = None
) -> list[Line]:
    """The curves of both chances, and each player's marks below. The move `here` has a sign in gold."""
    if not moves or not any(move.chance is not None or move.mark for move in moves):
        return []
    size = min(wide - AXIS, WIDEST * len(moves))
    if size < 1:
        return []
    starts = [AXIS + place * size // len(moves) for place in range(len(moves) + 1)]
    has_chances = any(move.chance is not None for move in moves)
    lines = [say("CHANCE TO WIN, MOVE BY MOVE" if has_chances else "HOW IT WAS PLAYED", "class:heading")]
    if has_chances:
        draw = draw_curves if glyphs.filled else write_curves
        lines += draw(follow_chances(moves, winner), starts, high)
    return [*lines, *(draw_marks(moves, seat, starts, here) for seat in (1, 2))]


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
    """The curves in half rows, in the seats' colours."""
    canvas = Canvas(starts[-1], high, "panel")
    low = 2 * high - 1
    canvas.fill(AXIS, low // 2, starts[-1] - AXIS, 1, "track")
    for row, text in ((0, "100"), (high // 2, " 50"), (high - 1, "  0")):
        canvas.write(0, row, text, "quiet")
    for seat, curve in curves.items():
        before: int | None = None
        for place, chance in enumerate(curve):
            if chance is None:
                continue
            level = low - round(chance * low / 1_000)
            left, right = starts[place], max(starts[place] + 1, starts[place + 1])
            canvas.fill(left, level, right - left, 1, f"seat{seat}_ink")
            if before is not None and before != level:
                canvas.fill(left, min(before, level), 1, abs(before - level) + 1, f"seat{seat}_ink")
            before = level
    return canvas.lines()


def write_curves(curves: dict[int, list[int | None]], starts: Sequence[int], high: int) -> list[Line]:
    """The curves as the seats' numbers; a star where both are."""
    rows = [[" "] * starts[-1] for _ in range(high)]
    for row, text in ((0, "100"), (high // 2, " 50"), (high - 1, "  0")):
        rows[row][:AXIS] = f"{text} "
    for seat, curve in curves.items():
        for place, chance in enumerate(curve):
            if chance is None or starts[place] >= starts[-1]:
                continue
            level = high - 1 - round(chance * (high - 1) / 1_000)
            rows[level][starts[place]] = str(seat) if rows[level][starts[place]] == " " else "*"
    return [say("".join(row), "class:text") for row in rows]


def draw_marks(moves: Sequence[JudgedMove], seat: int, starts: Sequence[int], here: int | None) -> Line:
    """A seat's number, and its marks below its moves. The move `here` has its mark or a sign in gold."""
    text = [f" {seat}  "[place] if place < AXIS else " " for place in range(starts[-1] + len(SEVERITY[0]))]
    for mark in SEVERITY:
        for place, move in enumerate(moves):
            at = starts[place]
            if move.seat == seat and move.mark == mark and not "".join(text[at - 1 : at + len(mark) + 1]).strip():
                text[at : at + len(mark)] = mark
    style, joined = f"class:seat{seat}", "".join(text)
    if here is None or not 0 <= here < len(moves) or moves[here].seat != seat:
        return say(joined[: starts[-1]].rstrip(), style)
    sign, at = moves[here].mark or HERE, starts[here]
    after = joined[at + len(sign) :].rstrip()
    return [*say(joined[:at], style), *say(sign, "class:gold"), *say(after, style)]


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
    """What the answers gave or took, in percent of a win."""
    return "-" if luck is None else f"{round(luck / 10):+d} %"


def draw_brief_rates(analysis: Analysis, named: Named, wide: int) -> list[Line]:
    """Both accuracies in one line and both lucks in the next. Seats' numbers stand for names that are too long."""
    rows = (("Accuracy", format_rate, analysis.accuracy), ("Luck", format_luck, analysis.luck))
    lines: list[Line] = []
    for label, tell, rates in rows:
        known = [(seat, tell(rate)) for seat, rate in enumerate(rates, 1) if rate is not None]
        full = f"{label}: " + ", ".join(f"{named(f'Player {seat}')} {rate}" for seat, rate in known)
        brief = f"{label}: " + ", ".join(f"P{seat} {rate}" for seat, rate in known)
        lines += [say(full if columns_of(full) <= wide else brief, "class:quiet")] if known else []
    return lines


def draw_rival(analysis: Analysis, wide: int) -> list[Line]:
    """The opponent that the chances assume."""
    return wrap(f"Chances are those against {analysis.rival}.", wide, "class:quiet")


def draw_turning(turning: Turning | None, named: Named, wide: int) -> list[Line]:
    """The move that decided the game."""
    if turning is None:
        return []
    head = spread(say("TURNING POINT", "class:heading"), say(f"move {turning.move + 1}", "class:gold"), wide)
    return [head, *wrap(named(turning.text), wide, "class:text")]
