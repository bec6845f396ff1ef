"""Draws tiles without colours: lines in the gaps, and signs in place of colours."""

from gridgames_client.render.board import Overlay
from gridgames_client.render.drawing.canvas import Canvas
from gridgames_client.render.drawing.text_layout import Glyphs, clip, columns
from gridgames_client.render.tiles.cells import Tile, list_trail, resolve
from gridgames_client.render.tiles.geometry import Geometry
from gridgames_client.render.tiles.paint import list_roles
from gridgames_protocol.safe_text import harmless
from gridgames_protocol.views import Board

CURSOR, LAST = "#", "="  # the lines around the cursor, and under the last move
MAYBE, DANGER = "?", "!"


def draw_lines(board: Board, overlay: Overlay, glyphs: Glyphs, geometry: Geometry, ground: str = "page") -> Canvas:
    """A board on a canvas of its own, with a line in every gap."""
    canvas = Canvas(geometry.width, geometry.height, ground)
    draw_grid(canvas, glyphs, geometry)
    tiles = resolve(board, overlay)
    for index, tile in enumerate(tiles):
        write_cell(canvas, board, overlay, glyphs, geometry, index, tile)
    indices = {name: index for index, name in enumerate(board.names)}
    for _, start, end in list_trail(board, overlay):
        draw_step(canvas, geometry, indices[start], indices[end])
    for _, index in overlay.last:
        x, y = geometry.place(index)
        canvas.write(x, y + geometry.pitch.high - 1, LAST * geometry.pitch.tile, "strong", "bold")
    if overlay.cursor is not None:
        draw_cursor(canvas, geometry, overlay.cursor)
    write_labels(canvas, board, geometry)
    for index in range(len(tiles)):
        x, y = geometry.place(index)
        canvas.mark(
            x, y, geometry.pitch.tile, geometry.pitch.high - 1, ("cell", index), list_roles(overlay, board, index)
        )
    return canvas


def draw_grid(canvas: Canvas, glyphs: Glyphs, geometry: Geometry) -> None:
    """The lines in the gaps."""
    wide, high = geometry.pitch
    for row in range(geometry.rows + 1):
        left, joint, right = glyphs.corners if row == 0 else glyphs.feet if row == geometry.rows else glyphs.joints
        cells = joint.join([glyphs.across * geometry.pitch.tile] * geometry.cols)
        y = geometry.labelled - 1 + row * high
        canvas.write(geometry.gutter - 1, y, left + cells + right, "quiet")
        for below in range(1, high if row < geometry.rows else 0):
            for col in range(geometry.cols + 1):
                canvas.write(geometry.gutter - 1 + col * wide, y + below, glyphs.down, "quiet")


def write_labels(canvas: Canvas, board: Board, geometry: Geometry) -> None:
    """The labels of the columns in the topmost line, over the cursor's frame, and those of the rows."""
    for number, label in enumerate(board.cols if geometry.labelled else ()):
        text = f" {clip(label, geometry.pitch.tile - 2)} "
        x, _ = geometry.place(number)
        canvas.write(x + (geometry.pitch.tile - columns(text)) // 2, 0, text, "strong", "bold")
    for number, label in enumerate(board.rows):
        _, y = geometry.middle(number * geometry.cols)
        canvas.write(geometry.gutter - 1 - columns(label), y, label, "strong", "bold")


def write_cell(
    canvas: Canvas, board: Board, overlay: Overlay, glyphs: Glyphs, geometry: Geometry, index: int, tile: Tile
) -> None:
    """Write a cell: its text in the middle, its corner, the pencil mark, its name under the cursor."""
    x, y = geometry.place(index)
    wide, high = geometry.pitch.tile, geometry.pitch.high - 1
    _, row = geometry.middle(index)
    name = harmless(board.names[index])
    possible = tile.ground in ("possible", "maybe") or tile.edge
    for line in range(high):
        filling = glyphs.shade * wide if tile.dotted else " " * wide
        canvas.write(x, y + line, filling, tile.ink, "", tile.ground)
    sign = MAYBE if possible else DANGER if tile.danger else glyphs.legal if tile.legal else ""
    beside = f" {sign}" if (tile.edge or tile.danger) and wide >= 5 else ""
    text = clip(tile.text + beside if tile.text else sign, wide)
    canvas.write(x + (wide - columns(text) + 1) // 2, row, text, tile.ink, "bold", tile.ground)
    if tile.corner and high > 1:
        canvas.write(x, y, clip(tile.corner, wide), tile.ink, "", tile.ground)
    if index == overlay.cursor and high > 1 and columns(name) + columns(tile.corner) < wide:
        canvas.write(x + wide - columns(name), y, name, tile.ink, "", tile.ground)
    if mark := overlay.marks.get(board.names[index], ""):
        canvas.write(x + wide - 1, y + high - 1, mark, tile.ink, "bold", tile.ground)


def draw_step(canvas: Canvas, geometry: Geometry, start: int, end: int) -> None:
    """A sign in the gap between two neighbours that a path joins."""
    (row1, col1), (row2, col2) = (divmod(index, geometry.cols) for index in (start, end))
    if max(abs(row1 - row2), abs(col1 - col2)) != 1:
        return
    x, y = geometry.place(max(row1, row2) * geometry.cols + max(col1, col2))
    if row1 == row2:
        canvas.write(x - 1, y + (geometry.pitch.high - 1) // 2, "=", "strong", "bold")
    elif col1 == col2:
        canvas.write(x + geometry.pitch.tile // 2, y - 1, '"', "strong", "bold")
    else:
        canvas.write(x - 1, y - 1, "\\" if (row1 < row2) == (col1 < col2) else "/", "strong", "bold")


def draw_cursor(canvas: Canvas, geometry: Geometry, index: int) -> None:
    """A frame around a cell."""
    x, y = geometry.place(index)
    wide, high = geometry.pitch
    for line in (y - 1, y + high - 1):
        canvas.write(x - 1, line, CURSOR * (wide + 1), "strong", "bold")
    for line in range(y, y + high - 1):
        canvas.write(x - 1, line, CURSOR, "strong", "bold")
        canvas.write(x - 1 + wide, line, CURSOR, "strong", "bold")
