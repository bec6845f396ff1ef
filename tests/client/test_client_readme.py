"""The client's page names modules and tests that exist."""

import re
from pathlib import Path

TOP = Path(__file__).parents[2]
PAGE = (TOP / "client/README.md").read_text("utf-8")
FOLDERS = ("state", "render", "net", "terminal")
MODULES = re.findall(rf"`((?:{'|'.join(FOLDERS)})(?:\.\w+)+)`", PAGE)


def test_every_module_that_the_page_names_exists():
    assert len(set(MODULES)) > 20
    missing = [
        name for name in set(MODULES) if not (TOP / f"client/gridgames_client/{name.replace('.', '/')}.py").exists()
    ]
    assert missing == []


def test_every_test_and_every_protocol_module_that_the_page_names_exists():
    for path in re.findall(r"`(tests/[\w/.]+)`", PAGE):
        assert (TOP / path).exists(), path
    for module in re.findall(r"`gridgames_protocol\.(\w+)`", PAGE):
        assert (TOP / f"protocol/gridgames_protocol/{module}.py").exists(), module


def test_every_name_in_code_that_the_page_names_exists():
    source = "".join(path.read_text("utf-8") for path in (TOP / "client/gridgames_client").rglob("*.py"))
    for owner, name in re.findall(r"`([A-Z]\w+)\.(\w+)`", PAGE):
        assert re.search(rf"class {owner}\b", source), owner
        assert re.search(rf"(def {name}\b|    {name}: )", source), name


def test_every_folder_is_on_the_page():
    for folder in FOLDERS:
        assert f"| `{folder}` |" in PAGE
