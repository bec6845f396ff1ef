"""The pictures that the README shows are of the program as it is."""

from xml.etree import ElementTree

from gridgames_client.paint import plain
from tests import pictures
from tests.client.scenes import STANDARD, drawn

SVG = "{http://www.w3.org/2000/svg}"


def test_the_pictures_show_the_screens_as_they_are(rewrite):
    if rewrite:
        pictures.write()
    assert {file.name for file in pictures.FOLDER.iterdir()} == {file.name for file in pictures.pictures()}
    for file, text in pictures.pictures().items():
        assert file.read_text(encoding="utf-8") == text, "run pytest with --rewrite, or python -m tests.pictures"


def test_a_picture_holds_every_word_of_its_screen():
    for name, scene in pictures.scenes().items():
        root = ElementTree.fromstring(pictures.picture(scene))
        shown = "".join(element.text or "" for element in root.iter(f"{SVG}text"))
        screen = "".join(plain(line) for line in drawn(scene, *STANDARD))
        assert "".join(shown.split()) == "".join(screen.split()), name


def test_pictures_are_small():
    assert all(len(text) < 30_000 for text in pictures.pictures().values())


def test_every_role_that_is_drawn_has_a_colour():
    for role in pictures.ROLES:
        assert pictures.look(f"class:{role}").ink.startswith("#")
