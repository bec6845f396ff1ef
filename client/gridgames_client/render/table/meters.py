"""Draws the meters: numbers that say who is ahead, as bars and pips."""

from gridgames_client.render.drawing.text_layout import Fragment, Glyphs, Line, blank, fit, say
from gridgames_client.render.drawing.text_layout import columns as columns_of
from gridgames_client.render.drawing.widgets import insert_short_names, name_seat
from gridgames_client.state.model import Model
from gridgames_protocol.safe_text import harmless
from gridgames_protocol.views import Meter

PIPS_MAX = 5  # up to this number, a meter is drawn in pips
LABEL_MAX = 14
EIGHTHS = "▏▎▍▌▋▊▉"


def draw_meters(model: Model, glyphs: Glyphs, wide: int, tall: bool = False) -> list[Line]:
    """The view's meters, a line for each; two scores towards one number may be taller."""
    assert model.show
    view = model.show.view
    private = view.private if model.masked and not model.ending else ()
    labels = [choose_label(model, meter) for meter in view.meters]
    texts = [harmless(meter[4]) for meter in view.meters]
    label_wide = min(LABEL_MAX, max(map(columns_of, labels), default=0))
    text_wide = max(map(columns_of, texts), default=0)
    lines: list[Line] = []
    for meter, label, words in zip(view.meters, labels, texts, strict=True):
        style = f"class:seat{meter[1]}" if meter[1] else "class:strong"
        name = [Fragment(style, fit(label, label_wide, glyphs.more)), blank(1)]
        if meter[0] in private:
            lines.append([*name, *say("covered", "class:quiet")])
        elif meter[3] <= PIPS_MAX and label_wide + 3 * meter[3] + columns_of(words) + 2 <= wide:
            lines.append([*name, *draw_pips(meter, glyphs), blank(1), *say(words, "class:text")])
        else:
            space = max(4, wide - label_wide - text_wide - 2)
            text = [blank(1), *say(" " * (text_wide - columns_of(words)) + words, "class:strong")]
            lines.append([*name, *draw_bar(meter, glyphs, space), *text])
            if tall and meter[0].startswith("Player "):
                lines += [[blank(label_wide + 1), *draw_bar(meter, glyphs, space)], []]
    return lines[:-1] if lines and not lines[-1] else lines


def choose_label(model: Model, meter: Meter) -> str:
    """A meter's label, with the players' names or numbers if both seats have the same label."""
    assert model.show
    label = harmless(insert_short_names(model, meter[0]))
    seats = [other[1] for other in model.show.view.meters if other[0] == meter[0] and other[1]]
    if not meter[1] or len(seats) < 2:
        return label
    if all(columns_of(f"{label} {name_seat(model, seat)}") <= LABEL_MAX for seat in seats):
        return f"{label} {name_seat(model, meter[1])}"
    return f"{label} P{meter[1]}"


def draw_pips(meter: Meter, glyphs: Glyphs) -> Line:
    """A small number as filled and empty squares."""
    _, seat, value, most, _ = meter
    colour = f"seat{seat}_ink" if seat else "gold"
    line: Line = []
    for number in range(most):
        full = number < value
        if glyphs.filled:
            line.append(Fragment(f"class:ground.{colour if full else 'track'}", "  "))
            line.append(Fragment("", " "))
        else:
            line.append(Fragment("class:strong", ("##" if full else "--") + " "))
    return line[:-1]


def draw_bar(meter: Meter, glyphs: Glyphs, size: int) -> Line:
    """A number as a bar. A full bar is its maximum."""
    _, seat, value, most, _ = meter
    colour = f"seat{seat}" if seat else "gold"
    eighths = round(size * 8 * min(1.0, value / max(1, most)))
    full, rest = divmod(eighths, 8)
    if not glyphs.filled:
        whole = min(size, full + (rest > 3))
        return [Fragment("class:strong", "#" * whole), Fragment("class:quiet", "." * (size - whole))]
    line = [Fragment(f"class:ground.{colour}", " " * full)]
    if rest:
        line.append(Fragment(f"class:ink.{colour} class:ground.track", EIGHTHS[rest - 1]))
    return [*line, Fragment("class:ground.track", " " * (size - full - bool(rest)))]
