"""Draws tiles filled with colour. The gaps between them show the cursor, the last move and the path."""

from functools import lru_cache
from string import digits

from gridgames_client.render.board import Overlay
from gridgames_client.render.drawing.canvas import Canvas, Cell
from gridgames_client.render.drawing.text_layout import Glyphs, clip, columns
from gridgames_client.render.tiles import shapes
from gridgames_client.render.tiles.cells import Tile, list_trail, resolve
from gridgames_client.render.tiles.geometry import Geometry, Pitch
from gridgames_protocol.safe_text import harmless
from gridgames_protocol.views import Board

NAMED = 3  # rows of a pitch that has space for a name in the cursor's tile
DOTTED = 5  # half rows that a digit leaves a corner's text
FIGURED = 5  # half rows of the smallest tile with a figure


def paint(board: Board, overlay: Overlay, glyphs: Glyphs, geometry: Geometry, ground: str = "page") -> Canvas:
    """A board on a canvas of its own."""
    canvas = Canvas(geometry.width, geometry.height, ground)
    tiles = resolve(board, overlay)
    paint_labels(canvas, board, overlay, geometry)
    for index, tile in enumerate(tiles):
        name, mark = board.names[index], overlay.marks.get(board.names[index], "")
        roles = list_roles(overlay, board, index)
        shown = harmless(name) if index == overlay.cursor else ""
        rows = make_tile(_glowing(tile, index, overlay), geometry.pitch, glyphs, shown, mark, index, roles, ground)
        canvas.paste(*geometry.place(index), rows)
    for seat, start, end in list_trail(board, overlay):
        paint_bridge(canvas, geometry, board.names.index(start), board.names.index(end), f"seat{seat}_ink")
    for seat, index in overlay.last:
        paint_last(canvas, geometry, index, f"seat{seat}_ink")
    for index in overlay.won:
        paint_frame(canvas, geometry, index, set(), "cursor")
    if overlay.cursor is not None:
        paint_frame(canvas, geometry, overlay.cursor, {index for _, index in overlay.last}, "cursor")
    framed = overlay.won if overlay.cursor is None else {overlay.cursor, *overlay.won}
    for index in framed:
        clear_labels(canvas, board, geometry, index, "cursor")
    return canvas


@lru_cache(maxsize=1_024)  # most tiles do not change between key presses; this saves 3/4 of a drawing
def make_tile(
    tile: Tile, pitch: Pitch, glyphs: Glyphs, name: str, mark: str, index: int, roles: str, ground: str
) -> tuple[tuple[Cell, ...], ...]:
    """The cells of one tile with the half row below it: its figure or text, the cursor's name, the pencil mark."""
    canvas = Canvas(pitch.tile, pitch.high, ground)
    paint_tile(canvas, pitch, tile)
    write_tile(canvas, pitch, glyphs, tile, name, mark)
    canvas.mark(0, 0, pitch.tile, pitch.high, ("cell", index), roles)
    return tuple(map(tuple, canvas.rows))


def _glowing(tile: Tile, index: int, overlay: Overlay) -> Tile:
    """The tile in its highlight colour, while it is highlighted."""
    if index not in overlay.glow:
        return tile
    return tile._replace(ground="glow", ink="glow_text", split=False, edge=False, figure_ink="")


def list_roles(overlay: Overlay, board: Board, index: int) -> str:
    """What the client adds to a cell."""
    named = {
        "news": index in overlay.news or any(index == cell for _, cell in overlay.last),
        "lit": board.names[index] == overlay.lit,
        "cursor": index == overlay.cursor,
    }
    return " ".join(role for role, holds in named.items() if holds)


# What is painted in half rows -----------------------------------------------------------------------------------------


def paint_tile(canvas: Canvas, pitch: Pitch, tile: Tile) -> None:
    """Fill a tile, and paint its figure if there is space for one."""
    wide, high = pitch.tile, pitch.halves
    canvas.fill(0, 0, wide, high, tile.ground)
    if tile.split:
        canvas.fill(wide // 2 + 1, 0, wide // 2, high, "seat2")
    if tile.edge:
        canvas.fill(0, 0, 1, high, "possible")
    found = choose_shape(tile, wide, high)
    if found:
        shape, scale = found
        left = (wide - len(shape[0]) * scale) // 2
        top = (high - len(shape) * scale + 1) // 2
        ink = tile.figure_ink or tile.ink
        lighter = "gem_light" if tile.figure == "gem" else ink
        canvas.stamp(left, top, shape, {"#": ink, "o": lighter}, scale)


def choose_shape(tile: Tile, wide: int, high: int) -> tuple[shapes.Shape, int] | None:
    """The shape for a tile of a size, and its scale; None if the tile has only text."""
    figure = tile.figure or ("square" if tile.legal and not tile.text and high > 3 else "")
    if figure:
        found = _fitting(shapes.FIGURES[figure], wide, high, figure)
        return None if found and find_number(tile) and _reaches_corner(found, wide, high) else found
    if not tile.text or high < DOTTED + 2:
        return None
    fonts = [(font, scale) for scale in (2, 1) for font in (shapes.LARGE, shapes.SMALL)]
    for font, scale in fonts:
        shape = shapes.spell(tile.text, font)
        if shape and len(shape[0]) * scale <= wide - 2 and len(shape) * scale <= high - 2:
            return shape, scale
    return None


def _fitting(figures: tuple[shapes.Shape, ...], wide: int, high: int, figure: str) -> tuple[shapes.Shape, int] | None:
    """The largest figure that fits. Squares are small, and a cross leaves space for the corner's text."""
    if figure == "square":
        return (figures[0] if high > 14 else figures[1] if high > 6 else figures[2]), 1
    margin = 6 if figure == "cross" and high > DOTTED else 2 if figure == "cross" or high > DOTTED else 0
    beside = max(margin, 2) if figure == "gem" else margin
    for shape in figures:
        if len(shape) <= high - margin and len(shape[0]) <= wide - beside and high >= FIGURED:
            return shape, 1
    return None


def paint_bridge(canvas: Canvas, geometry: Geometry, start: int, end: int, colour: str) -> None:
    """Join two neighbouring tiles over the gap between them."""
    (row1, col1), (row2, col2) = (divmod(index, geometry.cols) for index in (start, end))
    if max(abs(row1 - row2), abs(col1 - col2)) != 1:
        return
    x, y = geometry.place(max(row1, row2) * geometry.cols + max(col1, col2))
    wide, high = geometry.pitch
    if row1 == row2:
        middle = 2 * y + geometry.pitch.halves // 2
        canvas.fill(x - 1, middle - high // 4, 1, 1 + 2 * (high // 4), colour)
    elif col1 == col2:
        thick = 1 + 2 * (wide // 8)
        canvas.fill(x + geometry.pitch.tile // 2 - thick // 2, 2 * y - 1, thick, 1, colour)
    else:
        falls = (row1 < row2) == (col1 < col2)
        for step in (-1, 0, 1):
            canvas.dot(x - 1 + (step if falls else -step), 2 * y - 1 + step, colour)


def paint_last(canvas: Canvas, geometry: Geometry, index: int, colour: str) -> None:
    """Mark the last move: the lower side and the lower corners of its tile, in the mover's colour."""
    x, y = geometry.place(index)
    wide, high = geometry.pitch.tile, geometry.pitch.halves
    if geometry.pitch.high == 1:
        canvas.fill(x + wide, 2 * y, 1, 2, colour)
        return
    canvas.fill(x - 1, 2 * y + high, wide + 2, 1, colour)
    arm = max(1, high // 3)  # without it, the tile below could be meant
    for side in (x - 1, x + wide):
        canvas.fill(side, 2 * y + high - arm, 1, arm, colour)


def paint_frame(canvas: Canvas, geometry: Geometry, index: int, last: set[int], colour: str) -> None:
    """Draw a frame in the gaps around a tile. The sign of the last move stays in the middle of its lower side."""
    x, y = geometry.place(index)
    wide, high = geometry.pitch.tile, geometry.pitch.halves
    if geometry.pitch.high == 1:
        canvas.fill(x - 1, 2 * y, 1, 2, colour)
        canvas.fill(x + wide, 2 * y, 1, 2, colour)
        return
    third = wide // 3 if index in last else 0
    canvas.fill(x - 1, 2 * y - 1, wide + 2, 1, colour)
    canvas.fill(x - 1, 2 * y, 1, high + 1, colour)
    canvas.fill(x + wide, 2 * y, 1, high + 1, colour)
    canvas.fill(x, 2 * y + high, third or wide, 1, colour)
    if third:
        canvas.fill(x + wide - third, 2 * y + high, third, 1, colour)


def clear_labels(canvas: Canvas, board: Board, geometry: Geometry, index: int, colour: str) -> None:
    """Open a frame above a column's label, and make it thinner beside a row's label, so that both can be read."""
    row, col = divmod(index, geometry.cols)
    x, y = geometry.place(index)
    if geometry.pitch.high == 1:
        return
    if row == 0 and geometry.labelled:
        text = clip(board.cols[col], geometry.pitch.tile)
        left = x + (geometry.pitch.tile - columns(text)) // 2
        for column in (left - 1, left + columns(text)):
            canvas.fill(column, 2 * y - 1, 1, 1, canvas.ground)
    if col == 0 and board.rows[row]:
        canvas.write(x - 1, geometry.middle(index)[1], "▐", colour, "", canvas.ground)


# What is written ------------------------------------------------------------------------------------------------------


def paint_labels(canvas: Canvas, board: Board, overlay: Overlay, geometry: Geometry) -> None:
    """Write the labels of the rows and columns. The cursor's labels are bright."""
    row, col = divmod(overlay.cursor, geometry.cols) if overlay.cursor is not None else (-1, -1)
    for number, label in enumerate(board.cols):
        x, _ = geometry.place(number)
        text = clip(label, geometry.pitch.tile)
        x += (geometry.pitch.tile - columns(text)) // 2
        if geometry.labelled:
            canvas.write(x, 0, text, "strong" if number == col else "quiet", "bold" if number == col else "")
    for number, label in enumerate(board.rows):
        x, y = geometry.middle(number * geometry.cols)
        here = number == row and len(board.rows) > 1
        canvas.write(
            geometry.gutter - 1 - columns(label), y, label, "strong" if here else "quiet", "bold" if here else ""
        )


def write_tile(canvas: Canvas, pitch: Pitch, glyphs: Glyphs, tile: Tile, name: str, mark: str) -> None:
    """Write a tile: its text if it has no figure, its corner, the pencil mark, its name under the cursor."""
    wide, high = pitch.tile, pitch.high
    row = (high - 1) // 2
    found = choose_shape(tile, wide, pitch.halves)
    text = "" if found else tile.text or (glyphs.out if tile.dotted and not tile.legal else "")
    if text:
        text = clip(text, wide)
        canvas.write((wide - columns(text) + 1) // 2, row, text, tile.ink, "" if tile.dotted else "bold")
    elif tile.legal and not found:
        canvas.write(wide // 2, row, glyphs.legal, tile.ink)
    taken = found is not None and _reaches_corner(found, wide, pitch.halves)
    corner = join_corner(tile, found is not None)
    if corner and high >= NAMED and not taken:
        canvas.write(1, 0, clip(corner, wide - 1), tile.ink)
    if name and high >= NAMED and columns(name) + columns(corner) + 2 + bool(corner) <= wide and not taken:
        canvas.write(wide - 1 - columns(name), 0, name, tile.ink)
    if tile.legal and tile.text and high >= NAMED:
        canvas.write(1, high - 2, glyphs.legal, tile.ink)
    if mark:
        canvas.write(wide - 1, 0 if high < NAMED else high - 2, mark, tile.ink, "bold")


def join_corner(tile: Tile, has_shape: bool) -> str:
    """The corner's text, and the number that a figure takes the place of: `P1 0` beside the gem of `0T`."""
    return " ".join(part for part in (tile.corner, find_number(tile) if has_shape else "") if part)


def find_number(tile: Tile) -> str:
    """The number before the letter that a tile's figure stands for; empty if there is none."""
    return tile.text[: len(tile.text) - len(tile.text.lstrip(digits))] if tile.figure else ""


def _reaches_corner(found: tuple[shapes.Shape, int], wide: int, high: int) -> bool:
    """True if the figure covers the place of the corner's text."""
    shape, scale = found
    top, left = (high - len(shape) * scale + 1) // 2, (wide - len(shape[0]) * scale) // 2
    return top < 2 and left < 4
