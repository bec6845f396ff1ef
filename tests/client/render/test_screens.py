"""Every screen, kept as text beside the tests: what changes in one is reviewed as a diff, and read as a player would.

The sizes that nothing overflows are drawn by lot, others for each scene; the corners are always among them.
"""

from difflib import unified_diff
from pathlib import Path
from random import Random

import pytest
from prompt_toolkit.utils import get_cwidth

from gridgames_client.paint import ASCII, Line, plain
from gridgames_protocol.text import columns as columns_of
from tests.client.scenes import PAGES, SIZES, Page, Scene, drawn

STORED = Path(__file__).parent / "screens"


def written(page: Page) -> str:
    """A page of screens as text."""
    parts = []
    for scene in page.scenes():
        lines = [plain(line).rstrip() for line in drawn(scene, page.columns, page.rows, page.glyphs)]
        parts.append("\n".join([f"== {scene.name} ".ljust(page.columns, "="), *lines]))
    return "\n".join(parts) + "\n"


each_page = pytest.mark.parametrize("page", PAGES, ids=lambda page: page.file)


@each_page
def test_a_screen_looks_as_it_is_kept(page, rewrite):
    now, file = written(page), STORED / page.file
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
        assert misfits(drawn(scene, page.columns, page.rows, page.glyphs), page.columns, page.rows) == [], scene.name


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
        assert misfits(drawn(ALL_SCENES[name], columns, rows), columns, rows) == [], f"{columns}x{rows}"


@pytest.mark.parametrize("size", SIZES)
def test_with_ascii_alone_a_screen_is_ascii_but_for_names(size):
    fine = set(map(chr, range(32, 127))) | set("漢字編集者")
    for name, scene in ALL_SCENES.items():
        for line in drawn(scene, *size, ASCII):
            assert set(plain(line)) <= fine, name


def shows_turn(scene: Scene, columns: int, rows: int) -> bool:
    """True if the screen says whose turn it is, or how it ended."""
    text = "\n".join(plain(line) for line in drawn(scene, columns, rows))
    signs = ("your turn", "to move", "away", "won", "lost", "draw")
    return any(sign in text for sign in signs)


@pytest.mark.parametrize("columns", [40, 60, 80, 120])
@pytest.mark.parametrize("rows", [12, 16, 24, 40])
def test_a_table_always_says_whose_turn_it_is_or_how_it_ended(columns, rows):
    tables = {name: scene for name, scene in ALL_SCENES.items() if scene.desk.model.show and not scene.desk.page}
    assert [name for name, scene in tables.items() if not shows_turn(scene, columns, rows)] == []


@pytest.mark.parametrize(("columns", "rows"), [(80, 24), (60, 20), (40, 16)])
def test_the_board_never_moves_whatever_is_said(columns, rows):
    scene = ALL_SCENES["treasure-hunt-duel: middle, seat 2"]

    def place() -> list[int]:
        lines = [plain(line) for line in drawn(scene, columns, rows)]
        return [number for number, line in enumerate(lines) if line.lstrip().startswith(("1 │", "5 │"))]

    before = place()
    assert len(before) == 2
    scene.desk.model.say("This is refused for a reason that takes many words to tell. " * 4, bad=True)
    assert place() == before
    scene.desk.scroll(2)
    assert place() == before
    scene.desk.model.say("")
