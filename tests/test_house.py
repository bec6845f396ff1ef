"""Files and folders stay small enough to be read: at most 400 lines a file, and a dozen modules a folder."""

from pathlib import Path

TOP = Path(__file__).parents[1]
PACKAGES = ("server/gridgames_server", "client/gridgames_client", "protocol/gridgames_protocol")
LINES_MAX, MODULES_MAX = 400, 12
FLAT = {"protocol/gridgames_protocol"}  # what client and server share: one list of modules for people who write clients


def test_no_file_has_more_than_400_lines():
    files = [file for folder in (*PACKAGES, "tests") for file in sorted((TOP / folder).rglob("*.py"))]
    long = {str(file.relative_to(TOP)): len(file.read_text("utf-8").splitlines()) for file in files}
    assert {name: lines for name, lines in long.items() if lines > LINES_MAX} == {}


def test_no_folder_of_the_packages_has_more_than_a_dozen_modules():
    folders = [folder for package in PACKAGES for folder in (TOP / package, *(TOP / package).rglob("*"))]
    modules = {
        str(folder.relative_to(TOP)): len([file for file in folder.glob("*.py") if file.stem != "__init__"])
        for folder in folders
        if folder.is_dir()
    }
    assert {name: count for name, count in modules.items() if count > MODULES_MAX and name not in FLAT} == {}
