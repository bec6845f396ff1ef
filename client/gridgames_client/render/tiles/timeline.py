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


def paint_timeline(
    board: Board, overlay: Overlay, glyphs: Glyphs, geometry: Geometry, rows: int, token: int | None = None
) -> Canvas:
    """The rows that fit, with the reader's own path as a wire from the token down."""
    canvas = Canvas(geometry.width, rows)
    shown = min(len(board.rows), rows // geometry.pitch.high)
    tiles = resolve(board, overlay, walked=False)[: shown * geometry.cols]
    for index, tile in enumerate(tiles):
        x, y = geometry.place(index)
        age = index // geometry.cols
        canvas.fill(x, 2 * y, geometry.pitch.tile, geometry.pitch.halves, fade(tile, age, shown))
    for number in range(shown):
        label = clip(board.rows[number], geometry.gutter - 1)
        canvas.write(geometry.gutter - 1 - columns(label), number * geometry.pitch.high, label, "quiet")
    paint_wire(canvas, board, overlay, glyphs, geometry, shown, token)
    for index, tile in enumerate(tiles):
        write_moment(canvas, geometry, index, tile)
    return canvas


def fade(tile: Tile, age: int, shown: int) -> str:
    """The ground of a tile, darker with its age."""
    ground = "maybe" if tile.ground == "possible" else tile.ground
    if ground not in FADING:
        return ground
    return f"{ground}_old{min(FADES - 1, age * FADES // max(shown, 1))}"


def write_moment(canvas: Canvas, geometry: Geometry, index: int, tile: Tile) -> None:
    """Write who looked at a tile and what they saw."""
    x, y = geometry.place(index)
    margin = 1 if geometry.pitch.tile >= 7 else 0
    if tile.corner:
        canvas.write(x + margin, y, tile.corner, tile.ink, "bold")
    text = clip(tile.text, geometry.pitch.tile - columns(tile.corner))
    if text and tile.corner:
        canvas.write(x + geometry.pitch.tile - margin - columns(text), y, text, tile.ink)
    elif text:
        canvas.write(x + (geometry.pitch.tile - columns(text) + 1) // 2, y, text, tile.ink, "bold")


def paint_wire(
    canvas: Canvas,
    board: Board,
    overlay: Overlay,
    glyphs: Glyphs,
    geometry: Geometry,
    shown: int,
    token: int | None = None,
) -> None:
    """Draw the trail as a wire from row to row. It begins at the token above."""
    turns: dict[tuple[int, int], int] = {}
    steps = list_trail(board, overlay)
    indices = {name: index for index, name in enumerate(board.names)}
    seat = steps[0][0] if steps else 1
    for _, start, end in steps:
        new, old = sorted((indices[start], indices[end]))
        _join(turns, geometry.middle(new), geometry.middle(old))
        if new < geometry.cols:
            x, y = geometry.middle(new)
            top = geometry.middle(token)[0] if token is not None else x
            _join(turns, (top, y), (x, y))
            turns[top, y] = turns.get((top, y), 0) | UP
    for (x, y), turn in turns.items():
        if y < shown * geometry.pitch.high:
            cell = canvas.rows[y][x] if canvas.is_inside(x, y) else None
            ground = cell.ink if cell and cell.char == "▀" else None
            canvas.write(x, y, glyphs.wire[turn - 1], f"seat{seat}_ink", "", ground)


def _join(turns: dict[tuple[int, int], int], new: tuple[int, int], old: tuple[int, int]) -> None:
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
