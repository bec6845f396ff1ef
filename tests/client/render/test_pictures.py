"""The pictures that the README shows are of the program as it is."""

from xml.etree import ElementTree

from gridgames_client.render.drawing.text_layout import plain
from tests import pictures
from tests.client.screen_scenes import STANDARD, draw_scene
from tests.screen_svg import is_shape

SVG = "{http://www.w3.org/2000/svg}"


def test_the_pictures_show_the_screens_as_they_are(rewrite):
    if rewrite:
        pictures.write()
    assert {file.name for file in pictures.FOLDER.glob("*.svg")} == {file.name for file in pictures.pictures()}
    for file, text in pictures.pictures().items():
        assert file.read_text(encoding="utf-8") == text, "run pytest with --rewrite, or python -m tests.pictures"


def test_a_picture_holds_every_word_of_its_screen():
    for file, text in pictures.pictures().items():
        if file.stem == pictures.FILM:
            continue
        root = ElementTree.fromstring(text)
        shown = "".join(element.text or "" for element in root.iter(f"{SVG}text"))
        screen = "".join(plain(line) for line in draw_scene(pictures.scenes()[file.stem], *STANDARD))
        written = "".join(char for char in screen if not is_shape(char))
        assert "".join(shown.split()) == "".join(written.split()), file.stem


def test_pictures_are_small():
    sizes = {file.stem: len(text) for file, text in pictures.pictures().items()}
    assert sizes.pop(pictures.FILM) < 500_000
    assert max(sizes.values()) < 60_000


def test_the_film_shows_one_screen_at_a_time():
    text = pictures.movie(pictures.film(), "", 2)
    frames = len(pictures.film())
    assert frames > 8
    assert text.count('class="f"') == frames
    assert f"animation:f {2 * frames}s steps(1) infinite" in text
