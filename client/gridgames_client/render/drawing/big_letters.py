"""Words in large letters, to be read across a room."""

from gridgames_client.render.drawing.canvas import Canvas
from gridgames_client.render.drawing.text_layout import Fragment, Glyphs, Line, say
from gridgames_client.render.tiles.shapes import SMALL, spell

# Letters of a headline, as wide as each needs to be.
HEADLINE = {
    "A": ("####", "#..#", "####", "#..#", "#..#"),
    "D": ("###.", "#..#", "#..#", "#..#", "###."),
    "L": ("#..", "#..", "#..", "#..", "###"),
    "N": ("#..#", "##.#", "#.##", "#..#", "#..#"),
    "O": ("####", "#..#", "#..#", "#..#", "####"),
    "R": ("####", "#..#", "###.", "#.#.", "#..#"),
    "S": ("####", "#...", "####", "...#", "####"),
    "T": ("###", ".#.", ".#.", ".#.", ".#."),
    "U": ("#..#", "#..#", "#..#", "#..#", "####"),
    "W": ("#...#", "#...#", "#.#.#", "#.#.#", "#####"),
    "Y": ("#.#", "#.#", ".#.", ".#.", ".#."),
}


def draw_large_code(code: str, glyphs: Glyphs, style: str = "class:code") -> list[Line]:
    """A room's code in letters of three columns and five rows. Characters without a large form are left out."""
    shapes = [SMALL[letter] for letter in code if letter in SMALL]
    rows = ["  ".join(shape[row] for shape in shapes) for row in range(5)]
    return [[Fragment(style, row.replace(".", " ").replace("#", glyphs.block))] for row in rows]


def spell_large(text: str, glyphs: Glyphs, wide: int, double: bool = False, colour: str = "gold") -> list[Line]:
    """A few words in the largest letters that fit, or else in plain text."""
    words = text.split(" ")
    shapes = [spell(word, SMALL | HEADLINE) for word in words]
    if not glyphs.filled or None in shapes:
        return [say(text, f"class:{colour}")]
    joined = ["..".join(rows) for rows in zip(*(shape for shape in shapes if shape), strict=True)]
    scale = 2 if double and 2 * len(joined[0]) <= wide else 1
    if len(joined[0]) > wide:
        return [say(text, f"class:{colour}")]
    canvas = Canvas(wide, (len(joined) * scale + 1) // 2, "panel")
    canvas.stamp(0, 0, tuple(joined), {"#": colour}, scale)
    return canvas.lines()
