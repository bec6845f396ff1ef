"""The server's README is true: the modules, names and folders in it exist."""

import re
from pathlib import Path

TOP = Path(__file__).parents[2]
SERVER = TOP / "server" / "gridgames_server"
PAGE = (TOP / "server" / "README.md").read_text("utf-8")
QUOTED = re.findall(r"`([^`\n]+)`", PAGE)
PATHS = [word for word in QUOTED if re.fullmatch(r"[\w/]+(\.py|/)", word)]


def test_every_file_and_folder_in_it_exists():
    assert len(PATHS) > 40
    assert [path for path in PATHS if not ((SERVER / path).exists() or (TOP / path).exists())] == []


def test_every_folder_of_the_server_is_in_it():
    folders = {path.parent.name + "/" for path in SERVER.glob("*/__init__.py")}
    assert folders <= set(PATHS)


def test_every_name_in_it_is_in_the_code():
    code = "".join(path.read_text("utf-8") for path in SERVER.rglob("*.py"))
    names = [word for word in QUOTED if re.fullmatch(r"[A-Z]\w+(\.\w+)?|[a-z]+_[a-z_]+", word)]
    names.remove("gridgames_server")
    assert {"LinePlayed", "Room.apply", "Hub.bytes_received", "RECORDS"} <= set(names)
    missing = [name for name in names for part in name.split(".") if not re.search(rf"\b{part}\b", code)]
    assert [name for name in missing if name not in ("C3",)] == []
