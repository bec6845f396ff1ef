"""Whatever is written on any screen can be read, in every theme and on every kind of terminal.

The pairs of ink and ground are those of the screens that are drawn, so that none can be forgotten.
"""

from functools import cache

import pytest
from prompt_toolkit.output import ColorDepth

from tests.client.contrast import LEAST, contrast
from tests.client.game_scripts import SWINGS, full_swing
from tests.client.screen_pages import PAGES
from tests.client.screen_scenes import LARGE, SIZES, Scene, draw_scene
from tests.screen_svg import is_shape, look

KINDS = [(theme, depth) for theme in ("dark", "light", "high-contrast") for depth in ("24", "8")] + [
    ("16", "4"),
    ("16-light", "4"),
]
DEPTHS = {"24": ColorDepth.DEPTH_24_BIT, "8": ColorDepth.DEPTH_8_BIT, "4": ColorDepth.DEPTH_4_BIT}


@cache
def written_styles() -> frozenset[str]:
    """The styles in which something is written on any screen."""
    scenes = {f"{page.name} {scene.name}": scene for page in PAGES for scene in page.scenes()}
    scenes |= {slug: Scene(slug, full_swing(slug), on_board=True) for slug in SWINGS}
    found = set()
    for scene in scenes.values():
        for size in (*SIZES, *LARGE):
            for line in draw_scene(scene, *size):
                found |= {style for style, text, _ in line if any(not is_shape(char) for char in text.replace(" ", ""))}
    return frozenset(found)


@pytest.mark.parametrize(("theme", "depth"), KINDS)
def test_everything_that_is_drawn_can_be_read(theme, depth):
    ratios = {}
    for style in written_styles():
        how = look(style, theme, DEPTHS[depth])
        ratios[style] = round(contrast(how.ink, how.ground), 2)
    assert len(ratios) > 60
    assert {style: ratio for style, ratio in ratios.items() if ratio < LEAST} == {}
