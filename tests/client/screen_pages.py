"""The pages on which scenes are kept: which scenes, in which sizes, characters and themes."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from gridgames_client.render.drawing.text_layout import ASCII, LINES, TILES, Glyphs
from gridgames_client.terminal.style import Theme
from tests.client.game_scripts import STORIES
from tests.client.screen_scenes import LARGE, SIZES, STANDARD, Scene, assist, game, lobby, pages, past, rooms, table


@dataclass(frozen=True)
class Page:
    """Scenes that are kept together, in one size."""

    name: str
    scenes: Callable[[], Iterator[Scene]]
    columns: int
    rows: int
    glyphs: Glyphs = TILES
    roles: bool = False  # a map of the roles stands under each screen
    theme: Theme | None = None  # the map shows the colours of a theme instead of the roles

    @property
    def file(self) -> str:
        kind = f".{self.theme}" if self.theme else {ASCII: ".ascii", LINES: ".lines"}.get(self.glyphs, "")
        return f"{self.name}.{self.columns}x{self.rows}{kind}.txt"


KINDS: dict[str, Callable[[], Iterator[Scene]]] = {
    "lobby": lobby,
    "rooms": rooms,
    "pages": pages,
    "table": table,
    "past": past,
    "assist": assist,
    **{slug: lambda slug=slug: game(slug) for slug in STORIES},
}
MAPPED = (*STORIES, "lobby", "rooms", "assist")
PAGES = [
    Page(name, scenes, *size, roles=name in MAPPED and size != SIZES[1])
    for name, scenes in KINDS.items()
    for size in SIZES
]
PAGES += [Page(name, KINDS[name], *size, roles=True) for name in (*STORIES, "lobby", "rooms") for size in LARGE]
PAGES += [Page(name, KINDS[name], *STANDARD, LINES) for name in ("table", "assist")]
PAGES += [Page(name, scenes, *STANDARD, ASCII) for name, scenes in KINDS.items()]
THEMES: tuple[Theme, ...] = ("light", "16")
PAGES += [Page(name, KINDS[name], *STANDARD, roles=True, theme=theme) for name in STORIES for theme in THEMES]
