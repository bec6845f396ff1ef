"""Draws the meters: numbers that say who is ahead, as bars and pips."""

from gridgames_client.render.drawing.canvas import join_style
from gridgames_client.render.drawing.text_layout import Fragment, Glyphs, Line, blank, fit, say
from gridgames_client.render.drawing.text_layout import columns as columns_of
from gridgames_client.render.drawing.widgets import insert_short_names, name_seat
from gridgames_client.state.model import Model
from gridgames_protocol.safe_text import harmless
from gridgames_protocol.views import Meter

PIPS_MAX = 5  # up to this number, a meter is drawn in pips
LABEL_MAX = 18
NAME_MAX = 16
BAR_MIN = 3  # columns of the shortest bar
LOW = "▄"  # a meter is half a row high, so that two below each other do not touch


def draw_meters(model: Model, glyphs: Glyphs, wide: int, tall: bool = False) -> list[Line]:
    """The view's meters, a line for each; two scores towards one number may be taller."""
    assert model.show
    view = model.show.view
    private = view.private if model.covers else ()
    texts = [harmless(meter[4]) for meter in view.meters]
    text_wide = max(map(columns_of, texts), default=0)
    longest = min(LABEL_MAX, wide - text_wide - 1)
    labels = [choose_label(model, meter, longest) for meter in view.meters]
    label_wide = min(longest, max(map(columns_of, labels), default=0))
    lines: list[Line] = []
    for meter, label, words in zip(view.meters, labels, texts, strict=True):
        style = f"class:seat{meter[1]}" if meter[1] else "class:strong"
        name = [Fragment(style, fit(label, label_wide, glyphs.more)), blank(1)]
        space = wide - label_wide - text_wide - 2
        if meter[0] in private:
            lines.append([*name, *say("covered", "class:quiet")])
            continue
        if 0 < meter[3] <= PIPS_MAX and 3 * meter[3] - 1 <= space:
            lines.append([*name, *draw_pips(meter, glyphs), blank(1), *say(words, "class:text")])
            continue
        text = say(words.rjust(text_wide), "class:strong")
        twice = tall and meter[0].startswith("Player ")
        drawn = draw_bar(meter, glyphs, space, twice) if space >= BAR_MIN else []
        lines.append([*name, *drawn, blank(1), *text] if drawn else [*name, *text])
        if drawn and twice:
            lines += [[blank(label_wide + 1), *drawn], []]
    return lines[:-1] if lines and not lines[-1] else lines


def choose_label(model: Model, meter: Meter, longest: int) -> str:
    """A meter's label with its owner's name; the seat's number if both names do not fit."""
    assert model.show
    label = harmless(insert_short_names(model, meter[0]))
    if not meter[1] or meter[0].startswith("Player "):
        return label
    owners = [other[1] for other in model.show.view.meters if other[0] == meter[0] and other[1]]
    if all(columns_of(f"{label} {name_seat(model, seat, NAME_MAX)}") <= longest for seat in owners):
        return f"{label} {name_seat(model, meter[1], NAME_MAX)}"
    return f"{label} P{meter[1]}"


def draw_pips(meter: Meter, glyphs: Glyphs) -> Line:
    """A small number as filled and empty squares."""
    _, seat, value, most, _ = meter
    colour = f"seat{seat}_ink" if seat else "gold"
    line: Line = []
    for number in range(most):
        full = number < value
        style = join_style(colour if full else "track", "panel") if glyphs.filled else "class:strong"
        line += [Fragment(style, LOW * 2 if glyphs.filled else "##" if full else "--"), blank(1)]
    return line[:-1]


def draw_bar(meter: Meter, glyphs: Glyphs, size: int, tall: bool = False) -> Line:
    """A number as a bar. Only the maximum fills it, and only 0 leaves it empty."""
    _, seat, value, most, _ = meter
    colour = f"seat{seat}" if seat else "gold"
    full = round(size * min(1.0, value / max(1, most)))
    full = min(size - (value < most), max(full, value > 0))
    if not glyphs.filled:
        return [Fragment("class:strong", "#" * full), Fragment("class:quiet", "." * (size - full))]
    if tall:
        return [
            Fragment(f"class:ground.{colour}", " " * full),
            Fragment("class:ground.track", " " * (size - full)),
        ]
    return [
        Fragment(join_style(colour, "panel"), LOW * full),
        Fragment(join_style("track", "panel"), LOW * (size - full)),
    ]
