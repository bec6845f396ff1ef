"""Every screen, kept as text beside the tests: what changes in one is reviewed as a diff, and read as a player would.

The sizes that nothing overflows are drawn by lot, others for each scene; the corners are always among them.
"""

from difflib import unified_diff
from itertools import groupby
from pathlib import Path
from random import Random
from string import ascii_letters

import pytest
from prompt_toolkit.output import ColorDepth
from prompt_toolkit.utils import get_cwidth

from gridgames_client.render.drawing.text_layout import ASCII, LINES, Line, plain
from gridgames_client.terminal.style import Theme
from gridgames_protocol.safe_text import columns as columns_of
from tests.client.screen_pages import PAGES, Page
from tests.client.screen_scenes import SIZES, Scene, draw_scene
from tests.screen_svg import look

LETTERS = ascii_letters + "".join(map(chr, range(0xC0, 0x180)))  # for roles; a number counts how often
STORED = Path(__file__).parent / "screens"


def map_roles(lines: list[Line], letters: dict[str, str], theme: Theme | None = None) -> list[str]:
    """A letter for the style of every place, with a number for a run of places. A new style gets the next letter."""
    rows = []
    for line in lines:
        row = ""
        for role, text, _ in line:
            style = describe_colours(role, theme) if theme else role
            row += letters.setdefault(style, LETTERS[len(letters) - 1]) * columns_of(text)
        rows.append("".join(count_run(letter, len(list(run))) for letter, run in groupby(row.rstrip("."))))
    return rows


def describe_colours(role: str, theme: Theme) -> str:
    """The colours of a role in a theme."""
    depth = ColorDepth.DEPTH_4_BIT if theme == "16" else ColorDepth.DEPTH_24_BIT
    found = look(role, theme, depth)
    return f"{found.ink} on {found.ground}{' bold' if found.bold else ''}"


def count_run(letter: str, size: int) -> str:
    """Letters that are all the same, as short as can be."""
    return letter * size if size < 4 else f"{letter}{size}"


def fold(rows: list[str]) -> list[str]:
    """Rows, with a count in the place of rows that say the same again."""
    found: list[str] = []
    for row, group in groupby(rows):
        again = len(list(group)) - 1
        found += [row, f"(and {again} more)"] if again > 1 else [row] * (again + 1)
    return found


def write_page(page: Page) -> str:
    """A page of screens as text."""
    parts: list[str] = []
    letters = {describe_colours("", page.theme) if page.theme else "": "."}
    for scene in page.scenes():
        drawn = draw_scene(scene, page.columns, page.rows, page.glyphs)
        parts += [f"== {scene.name} ".ljust(page.columns, "="), *fold([plain(line).rstrip() for line in drawn])]
        parts += (
            ["-- roles ".ljust(page.columns, "-"), *fold(map_roles(drawn, letters, page.theme))] if page.roles else []
        )
    named = [f"{letter} {style.replace('class:', '')}" for style, letter in letters.items() if style]
    return "\n".join([*parts, *(["== what the letters stand for", *named] if page.roles else [])]) + "\n"


each_page = pytest.mark.parametrize("page", PAGES, ids=lambda page: page.file)


@each_page
def test_a_screen_looks_as_it_is_kept(page, rewrite):
    now, file = write_page(page), STORED / page.file
    if rewrite:
        STORED.mkdir(exist_ok=True)
        file.write_text(now, encoding="utf-8", newline="\n")
    if not file.exists():
        pytest.fail(f"{page.file} is not there: run pytest with --rewrite, and read it.", pytrace=False)
    stored = file.read_text(encoding="utf-8")
    if stored != now:
        difference = unified_diff(stored.splitlines(), now.splitlines(), "as kept", "as it is now", lineterm="")
        pytest.fail("\n".join(difference), pytrace=False)


def test_every_kept_screen_is_one_that_is_drawn():
    assert {file.name for file in STORED.iterdir()} == {page.file for page in PAGES}


def misfits(lines: list[Line], columns: int, rows: int) -> list[str]:
    """What does not fit a terminal of this size."""
    texts = [plain(line) for line in lines]
    wrong = [f"{len(texts)} lines instead of {rows}"] if len(texts) != rows else []
    return wrong + [text for text in texts if max(columns_of(text), get_cwidth(text)) > columns or "\n" in text]


@each_page
def test_a_screen_fills_its_terminal_and_no_more(page):
    for scene in page.scenes():
        assert misfits(draw_scene(scene, page.columns, page.rows, page.glyphs), page.columns, page.rows) == [], (
            scene.name
        )


ALL_SCENES = {f"{page.name}: {scene.name}": scene for page in PAGES for scene in page.scenes()}
CORNERS = [(20, 8), (200, 8), (20, 60), (200, 60)]


def sizes(name: str) -> list[tuple[int, int]]:
    """Sizes of a terminal from 20x8 to 200x60."""
    lot = Random(name)
    return (
        CORNERS
        + [(lot.randint(20, 200), lot.randint(8, 60)) for _ in range(12)]
        + [(lot.randint(20, 90), lot.randint(8, 26)) for _ in range(12)]
    )


@pytest.mark.parametrize("name", ALL_SCENES)
def test_nothing_overflows_at_any_size(name):
    for columns, rows in sizes(name):
        assert misfits(draw_scene(ALL_SCENES[name], columns, rows), columns, rows) == [], f"{columns}x{rows}"


@pytest.mark.parametrize("columns", [1, 2, 3, 4, 7])
@pytest.mark.parametrize("rows", [3, 8, 24])
def test_nothing_overflows_where_no_game_can_be_played(columns, rows):
    for name, scene in ALL_SCENES.items():
        assert misfits(draw_scene(scene, columns, rows), columns, rows) == [], name


@pytest.mark.parametrize("size", SIZES)
def test_with_ascii_alone_a_screen_is_ascii_but_for_names(size):
    fine = set(map(chr, range(32, 127))) | set("漢字編集者")
    for name, scene in ALL_SCENES.items():
        for line in draw_scene(scene, *size, ASCII):
            assert set(plain(line)) <= fine, name


def shows_turn(scene: Scene, columns: int, rows: int) -> bool:
    """True if the screen says whose turn it is, or how it ended."""
    text = "\n".join(plain(line) for line in draw_scene(scene, columns, rows))
    signs = ("your turn", "to move", "away", "won", "lost", "draw")
    return any(sign in text for sign in signs)


@pytest.mark.parametrize("columns", [40, 60, 80, 120])
@pytest.mark.parametrize("rows", [12, 16, 24, 40])
def test_a_table_always_says_whose_turn_it_is_or_how_it_ended(columns, rows):
    tables = {
        name: scene for name, scene in ALL_SCENES.items() if scene.controller.model.show and not scene.controller.page
    }
    assert [name for name, scene in tables.items() if not shows_turn(scene, columns, rows)] == []


@pytest.mark.parametrize(("columns", "rows"), [(80, 24), (60, 20), (40, 16)])
def test_the_board_never_moves_whatever_is_said(columns, rows):
    scene = ALL_SCENES["treasure-hunt-duel: middle, seat 2"]

    def place() -> list[int]:
        lines = [plain(line) for line in draw_scene(scene, columns, rows, LINES)]
        return [number for number, line in enumerate(lines) if line.lstrip().startswith(("1│", "5│"))]

    before = place()
    assert len(before) == 2
    scene.controller.model.say("This is refused for a reason that takes many words to tell. " * 4, bad=True)
    assert place() == before
    scene.controller.scroll(2)
    assert place() == before
    scene.controller.model.say("")
