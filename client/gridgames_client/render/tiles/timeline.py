"""Draws the board under the first one. Each row is a moment: the newest is on top, older ones fade."""

from gridgames_client.render.board import Overlay
from gridgames_client.render.drawing.canvas import Canvas
from gridgames_client.render.drawing.text_layout import Glyphs, clip, columns
from gridgames_client.render.tiles.cells import Tile, list_trail, resolve
from gridgames_client.render.tiles.geometry import Geometry
from gridgames_protocol.views import Board

RIGHT, UP, LEFT, DOWN = 1, 2, 4, 8
FADES = 4  # shades from new to old
FADING = ("maybe", "possible", "seat1", "seat2")

Wire = dict[tuple[int, int], int]  # by column and row, the sides to which it leads


def paint_timeline(
    board: Board, overlay: Overlay, glyphs: Glyphs, geometry: Geometry, rows: int, tokens: dict[int, int]
) -> Canvas:
    """The rows that fit, with each path in sight as a wire from its seat's token down."""
    canvas = Canvas(geometry.width, rows)
    fitting = rows // geometry.pitch.high
    shown = min(len(board.rows), fitting)
    tiles = resolve(board, overlay, walked=False)[: shown * geometry.cols]
    for index, tile in enumerate(tiles):
        x, y = geometry.place(index)
        age = index // geometry.cols
        canvas.fill(x, 2 * y, geometry.pitch.tile, geometry.pitch.halves, fade(tile, age, shown))
    for index in range(len(tiles), fitting * geometry.cols if glyphs.filled else 0):  # moments to come
        x, y = geometry.place(index)
        canvas.fill(x, 2 * y, geometry.pitch.tile, geometry.pitch.halves, "track")
    for number in range(shown):
        label = clip(board.rows[number], geometry.gutter - 1)
        x = max(1, geometry.gutter - 1 - columns(label))  # a column is free at the edge of the screen
        canvas.write(x, number * geometry.pitch.high, label, "quiet")
    wires = [find_wire(board, overlay, geometry, seat, tokens.get(seat)) for seat in (1, 2)]
    paint_wires(canvas, wires, glyphs, shown * geometry.pitch.high)
    for index, tile in enumerate(tiles):
        write_moment(canvas, geometry, index, tile, board.rows[index // geometry.cols])
    return canvas


def fade(tile: Tile, age: int, shown: int) -> str:
    """The ground of a tile, darker with its age."""
    ground = "maybe" if tile.ground == "possible" else tile.ground
    if ground not in FADING:
        return ground
    return f"{ground}_old{min(FADES - 1, age * FADES // max(shown, 1))}"


def write_moment(canvas: Canvas, geometry: Geometry, index: int, tile: Tile, label: str) -> None:
    """Write who looked at a tile and what they saw. In a small tile, the label of the row says who."""
    x, y = geometry.place(index)
    margin = 1 if geometry.pitch.tile >= 7 else 0
    apart = columns(tile.corner) + columns(tile.text) < geometry.pitch.tile or tile.corner != label
    text = clip(tile.text, geometry.pitch.tile - columns(tile.corner) if apart else geometry.pitch.tile)
    if tile.corner and (apart or not text):
        canvas.write(x + margin, y, tile.corner, tile.ink, "bold")
    if text and tile.corner and apart:
        canvas.write(x + geometry.pitch.tile - margin - columns(text), y, text, tile.ink)
    elif text:
        canvas.write(x + (geometry.pitch.tile - columns(text) + 1) // 2, y, text, tile.ink, "bold")


def find_wire(board: Board, overlay: Overlay, geometry: Geometry, seat: int, token: int | None) -> Wire:
    """A seat's trail as a wire from row to row. It begins at the token above."""
    turns: Wire = {}
    indices = {name: index for index, name in enumerate(board.names)}
    for _, start, end in (step for step in list_trail(board, overlay) if step[0] == seat):
        new, old = sorted((indices[start], indices[end]))
        _join(turns, geometry.middle(new), geometry.middle(old))
        if new < geometry.cols:
            x, y = geometry.middle(new)
            top = geometry.middle(token)[0] if token is not None else x
            _join(turns, (top, y), (x, y))
            turns[top, y] = turns.get((top, y), 0) | UP
    return turns


def paint_wires(canvas: Canvas, wires: list[Wire], glyphs: Glyphs, rows: int) -> None:
    """Draw each seat's wire in the seat's colour. Where both are, it is bright."""
    one, two = wires
    for x, y in one | two:
        if y < rows and canvas.is_inside(x, y):
            turn = one.get((x, y), 0) | two.get((x, y), 0)
            ink = "strong" if (x, y) in one and (x, y) in two else "seat1_ink" if (x, y) in one else "seat2_ink"
            cell = canvas.rows[y][x]
            canvas.write(x, y, glyphs.wire[turn - 1], ink, "", cell.ink if cell.char == "▀" else None)


def _join(turns: Wire, new: tuple[int, int], old: tuple[int, int]) -> None:
    """Lead the wire along the newer row, then down to the older one."""
    (x1, y1), (x2, y2) = new, old

    def lead(x: int, y: int, towards: int) -> None:
        turns[x, y] = turns.get((x, y), 0) | towards

    if x1 != x2:
        ahead, back = (RIGHT, LEFT) if x1 < x2 else (LEFT, RIGHT)
        lead(x1, y1, ahead)
        for x in range(min(x1, x2) + 1, max(x1, x2)):
            lead(x, y1, LEFT | RIGHT)
        lead(x2, y1, back)
    if y1 < y2:
        lead(x2, y1, DOWN)
        for y in range(y1 + 1, y2):
            lead(x2, y, UP | DOWN)
        lead(x2, y2, UP)
