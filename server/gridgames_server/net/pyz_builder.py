"""Builds `gridgames.pyz`: client, server and their packages in one file for Python 3.11 or newer."""

import io
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import zipfile

PACKAGES = ("gridgames_protocol", "gridgames_client", "gridgames_server", "prompt_toolkit", "wcwidth", "msgpack")
FILES = {".py", ".typed", ".json", ".txt"}  # no compiled modules: they run on one system only
START = """\
import sys

if sys.argv[1:2] == ["server"]:
    del sys.argv[1]
    from gridgames_server.__main__ import main
else:
    from gridgames_client.__main__ import main
main()
"""


def build_pyz() -> bytes:
    """Return the archive of the installed packages. The same files give the same bytes.

    A server that runs from an archive returns that archive.
    """
    spec = find_spec("gridgames_protocol")
    running_from = getattr(spec and spec.loader, "archive", None)
    if running_from:
        return Path(running_from).read_bytes()
    import zipfile  # only a server that hands out the archive needs these two
    from importlib import metadata

    written = io.BytesIO()
    written.write(b"#!/usr/bin/env python3\n")
    with zipfile.ZipFile(written, "a", zipfile.ZIP_DEFLATED) as archive:
        _add(archive, "__main__.py", START.encode())
        for package in PACKAGES:
            _add_package(archive, package)
        # prompt_toolkit reads its own version from its metadata
        version = metadata.version("prompt_toolkit")
        about = f"Metadata-Version: 2.1\nName: prompt_toolkit\nVersion: {version}\n"
        _add(archive, f"prompt_toolkit-{version}.dist-info/METADATA", about.encode())
    return written.getvalue()


def _add_package(archive: "zipfile.ZipFile", package: str) -> None:
    spec = find_spec(package)
    assert spec
    assert spec.submodule_search_locations
    folder = Path(next(iter(spec.submodule_search_locations)))
    for path in sorted(folder.rglob("*")):
        if path.suffix in FILES and path.is_file() and "__pycache__" not in path.parts:
            _add(archive, f"{package}/{path.relative_to(folder).as_posix()}", path.read_bytes())


def _add(archive: "zipfile.ZipFile", name: str, content: bytes) -> None:
    import zipfile

    archive.writestr(zipfile.ZipInfo(name), content, zipfile.ZIP_DEFLATED)  # the date is always 1980
