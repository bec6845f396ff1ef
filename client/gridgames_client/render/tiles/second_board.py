"""Draws the second board of a game: smaller than the first, in the pane beside it."""

from gridgames_client.render.board import Overlay
from gridgames_client.render.drawing.text_layout import Glyphs, Line, say, spread, width
from gridgames_client.render.drawing.widgets import insert_short_names
from gridgames_client.render.tiles import geometry as geometries
from gridgames_client.render.tiles.lines import draw_lines
from gridgames_client.render.tiles.paint import paint
from gridgames_client.state.model import Model
from gridgames_protocol.views import Board, SecondBoard

LARGE = 53  # columns of a pane from which its tiles may be large
COVERED = ("* shows what is yours", "* shows it")  # the second for a narrow pane
OUTSET = 2  # columns of the pane's margin that the board may use


def make_overlay(model: Model, second: SecondBoard) -> Overlay:
    """What the client adds to the second board: the last move."""
    assert model.show
    names = second.board.names
    last = tuple((seat, names.index(cell)) for seat, number, cell in model.show.view.last if number == 1)
    return Overlay(masked=model.covers, you=model.show.you or 1, last=last)


def draw_second(model: Model, second: SecondBoard, glyphs: Glyphs, wide: int, rows: int, large: bool) -> list[Line]:
    """The second board of the game under way, under its title."""
    overlay = make_overlay(model, second)
    title = insert_short_names(model, second.title or second.board.title)
    lines = paint_second(second.board, overlay, title, glyphs, wide, rows, large)
    if overlay.masked and second.board.masks and lines:
        words = next((words for words in COVERED if width(lines[0]) + len(words) < wide), "")
        lines[0] = spread(lines[0], say(words, "class:quiet"), wide)
    return lines


def paint_second(
    board: Board, overlay: Overlay, title: str, glyphs: Glyphs, wide: int, rows: int, large: bool
) -> list[Line]:
    """A board under its title, as large as it fits; only the title if no size fits."""
    pitches = geometries.SIDE_PITCHES[0 if wide >= LARGE else 1 :] if large else geometries.SIDE_PITCHES[2:]
    sizes = [geometries.measure(board, pitch, labelled) for pitch in pitches for labelled in (True, False)]
    fitting = [size for size in sizes if size.width <= wide + OUTSET and size.height + 1 <= rows]
    head = [say(title.upper(), "class:heading")]
    if not fitting:
        return head if rows > 0 else []
    found = fitting[0]
    draw = paint if glyphs.filled or found.pitch.high == 1 else draw_lines
    lines = draw(board, overlay, glyphs, found, "panel").lines()
    return [*head, *([fragment._replace(target=None) for fragment in line] for line in lines)]
