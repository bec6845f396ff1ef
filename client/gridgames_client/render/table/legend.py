"""Draws the legend: each sign as it looks on the board now, and what it means."""

from collections.abc import Callable, Sequence
from functools import partial

from gridgames_client.render.board import Overlay, show_cell
from gridgames_client.render.drawing.text_layout import Fragment, Glyphs, Line, blank, fit, say, width
from gridgames_client.render.drawing.widgets import insert_short_names
from gridgames_client.render.tiles.cells import choose_gold, find_legal
from gridgames_client.render.tiles.geometry import Pitch
from gridgames_client.render.tiles.paint import FIGURED
from gridgames_client.state.model import Model
from gridgames_protocol.views import Board, LegendEntry

GAP = 2  # columns between two entries
SIZE = 4  # columns of a sample
FIGURES = ("token", "goal", "miss")  # signs that are figures on large tiles, and letters on small ones
# The sample of a sign: its text, its ink, its ground. `N` stands for the seat.
SAMPLES = {
    "hint": (" 2  ", "seatN_text", "seatN"),
    "mine": (" PN ", "seatN_text", "seatN"),
    "theirs": (" PN ", "seatN_text", "seatN"),
    "both": (" P12", "seatN_text", "seatN"),
    "trail": (" 3  ", "seatN_text", "seatN"),
    "token": ("▗██▖", "seatN_ink", "token"),
    "miss": (" ╳  ", "seatN_ink", "out"),
    "zone": ("    ", "seatN_dim_text", "seatN_dim"),
    "last": ("▄▄▄▄", "seatN_ink", "page"),
    "goal": ("▝██▘", "gem", "goal"),
    "possible": ("    ", "possible_text", "possible"),
    "ruled_out": (" ∙  ", "out_text", "out"),
    "legal": (" ▪  ", "legal_text", "legal"),
    "known": (" 4  ", "known_text", "known4"),
    "hidden": ("    ", "hidden_text", "hidden"),
    "empty": ("    ", "hidden_text", "hidden"),
}
SIGNS = {
    "hint": "2", "mine": "PN", "theirs": "PN", "both": "P12", "trail": "N", "token": "Q", "miss": "x", "zone": "!",
    "last": "===", "goal": "G", "possible": "?", "ruled_out": "...", "legal": "o", "known": "4", "hidden": "",
    "empty": "",
}  # fmt: skip


def list_entries(entries: Sequence[LegendEntry], board: Board, overlay: Overlay) -> list[LegendEntry]:
    """The entries of the game, and what the client adds: the last move and the cells that can be chosen."""
    found, named = list(entries), {mark for mark, _, _ in entries}
    if overlay.last and "last" not in named:
        found.append(("last", overlay.last[-1][0], "last move"))
    if "legal" not in named and find_legal(board, overlay):
        found.append(("legal", None, "can be chosen"))
    return found


def draw_game_legend(model: Model, overlay: Overlay, glyphs: Glyphs, sizes: Sequence[int], pitch: Pitch) -> list[Line]:
    """The legend of the game's board, in rows of some sizes."""
    assert model.show
    view = model.show.view
    entries = list_entries(view.legend, view.board, overlay) if view.legend else []
    return draw_legend(entries, view.board, overlay, partial(insert_short_names, model), glyphs, sizes, pitch)


def draw_legend(
    entries: Sequence[LegendEntry],
    board: Board,
    overlay: Overlay,
    named: Callable[[str], str],
    glyphs: Glyphs,
    sizes: Sequence[int],
    pitch: Pitch,
) -> list[Line]:
    """The entries that fit, the first ones first. Where not all fit, the samples and the gaps are shorter."""
    drawn = [
        [*draw_sample(mark, seat, board, overlay, glyphs, pitch), blank(1), *say(named(text), "class:quiet")]
        for mark, seat, text in entries
    ]
    rows, left = fill_rows(drawn, sizes, GAP)
    return fill_rows([shorten_sample(entry) for entry in drawn], sizes, 1)[0] if left else rows


def fill_rows(drawn: list[Line], sizes: Sequence[int], gap: int) -> tuple[list[Line], int]:
    """The entries in rows, and how many do not fit. The last row is used alone if it has space for all."""
    alone = sum(width(entry) + gap for entry in drawn) + 1 - gap <= sizes[-1]
    rows: list[Line] = []
    for number, size in enumerate(sizes, start=1):
        line: Line = [blank(1)]
        while drawn and width(line) + width(drawn[0]) <= size and (number == len(sizes) or not alone):
            line += [*drawn[0], blank(gap)]
            drawn = drawn[1:]
        rows.append(line if len(line) > 1 else [])
    return rows, len(drawn)


def shorten_sample(entry: Line) -> Line:
    """An entry without the blanks at the end of its sample."""
    sample, *rest = entry
    text = sample.text.rstrip()
    return [sample._replace(text=f"{text} " if text else "  ") if sample.text.endswith(" ") else sample, *rest]


def draw_sample(mark: str, seat: int | None, board: Board, overlay: Overlay, glyphs: Glyphs, pitch: Pitch) -> Line:
    """A sign as it looks on the board."""
    owner = str(seat or (3 - overlay.you if mark == "theirs" else overlay.you))
    letters = find_letters(mark, board, overlay)
    if not glyphs.filled:
        return say(letters or SIGNS[mark].replace("N", owner) or "( )", "class:strong")
    text, ink, ground = (part.replace("N", owner) for part in SAMPLES[mark])
    if letters and pitch.halves < FIGURED:
        text = fit(f" {letters}", SIZE, "")
    if mark == "possible":
        ground = choose_gold(board, overlay)
        ink = f"{ground}_text"
    return [Fragment(f"class:ink.{ink} class:ground.{ground}", text)]


def find_letters(mark: str, board: Board, overlay: Overlay) -> str:
    """The text of the first cell with a figure; empty if there is none in sight."""
    looks = (show_cell(board, index, overlay.masked) for index in range(len(board.names)))
    return next((text for text, kind in looks if kind == mark and mark in FIGURES), "")
