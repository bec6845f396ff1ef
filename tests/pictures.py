"""Screens as pictures: `python -m tests.pictures` writes those that the README shows."""

from collections.abc import Iterator
from html import escape
from itertools import groupby
from pathlib import Path
from typing import NamedTuple

from gridgames_client.paint import Line
from gridgames_client.style import ROLES
from gridgames_protocol.text import columns
from gridgames_server.games import GAMES
from tests.client.evening import in_lobby
from tests.client.scenes import ROOMS, STANDARD, Scene, drawn
from tests.client.stories import story

FOLDER = Path(__file__).parent / "client" / "pictures"
WIDE, HIGH, MARGIN, SIZE = 9, 19, 14, 15  # pixels of a column and a row, around the screen, of the letters
GROUND, INK, FAINT = "#1d2021", "#ebdbb2", "#8a8271"
COLOURS = {
    "ansired": "#fb4934",
    "ansigreen": "#b8bb26",
    "ansiyellow": "#fabd2f",
    "ansiblue": "#83a598",
    "ansimagenta": "#d3869b",
    "ansicyan": "#8ec07c",
}


TITLES = {game.card.slug: game.card.title for game in GAMES}


class Look(NamedTuple):
    """How letters look: their colour, the ground's, and what else is done to them."""

    ink: str = INK
    ground: str | None = None
    bold: bool = False
    underline: bool = False


def look(style: str) -> Look:
    """The look of a fragment's roles, in their order."""
    words = [word for role in style.split() for word in ROLES[role.removeprefix("class:")].split()]
    ink = next((COLOURS[word] for word in reversed(words) if word in COLOURS), FAINT if "dim" in words else INK)
    turned = "reverse" in words
    return Look(GROUND if turned else ink, ink if turned else None, "bold" in words, "underline" in words)


def pieces(line: Line) -> Iterator[tuple[int, str, Look]]:
    """The pieces of a line that look alike, each with its column."""
    column = 0
    for how, fragments in groupby(line, lambda fragment: look(fragment.style)):
        text = "".join(fragment.text for fragment in fragments)
        yield column, text, how
        column += columns(text)


def shapes(line: Line, row: int) -> Iterator[str]:
    """The shapes of one line."""
    for column, text, how in pieces(line):
        x, y, width = MARGIN + column * WIDE, MARGIN + row * HIGH, columns(text) * WIDE
        if how.ground:
            yield f'<rect x="{x}" y="{y}" width="{width}" height="{HIGH}" fill="{how.ground}"/>'
        words = text.strip()
        if not words:
            continue
        x += (len(text) - len(text.lstrip())) * WIDE
        # The width is told, so that a reader's font, whichever it is, keeps the columns straight.
        attributes = f'x="{x}" y="{y + 14}" textLength="{columns(words) * WIDE}" fill="{how.ink}"'
        attributes += ' font-weight="bold"' if how.bold else ""
        attributes += ' text-decoration="underline"' if how.underline else ""
        yield f"<text {attributes}>{escape(words)}</text>"


def picture(scene: Scene) -> str:
    """A scene as SVG."""
    lines = drawn(scene, *STANDARD)
    width, height = STANDARD[0] * WIDE + 2 * MARGIN, STANDARD[1] * HIGH + 2 * MARGIN
    body = "\n".join(shape for row, line in enumerate(lines) for shape in shapes(line, row))
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" height="{height}"'
        f' font-family="monospace" font-size="{SIZE}" xml:space="preserve">\n'
        f"<title>{escape(scene.name)}</title>\n"
        f'<rect width="{width}" height="{height}" rx="8" fill="{GROUND}"/>\n{body}\n</svg>\n'
    )


def scenes() -> dict[str, Scene]:
    """The scenes that are shown, by the names of their files."""
    lobby = in_lobby(*ROOMS).desk
    lobby.pick_row(5)
    return {
        "lobby": Scene("The lobby", lobby, on_board=True),
        "end": Scene("The end of a game", story("grid-hunt", "end").desks[1]),
        **{slug: Scene(title, story(slug, "middle").desks[2]) for slug, title in TITLES.items()},
    }


def pictures() -> dict[Path, str]:
    """Every picture, by its file."""
    return {FOLDER / f"{name}.svg": picture(scene) for name, scene in scenes().items()}


def write() -> None:
    """Write every picture."""
    FOLDER.mkdir(exist_ok=True)
    for file, text in pictures().items():
        file.write_text(text, encoding="utf-8", newline="\n")


if __name__ == "__main__":
    write()
