"""The commands that start this client and its server, installed or from one file (a zip archive that holds both)."""

import os
import sys
from pathlib import Path


def find_archive() -> Path | None:
    """The archive that this program runs from; None if it is installed."""
    for parent in Path(__file__).parents:
        if parent.is_file():  # no module lies below a file, unless the file is an archive
            return parent.resolve()
    return None


def server_command() -> list[str]:
    """The command that starts a server with the same code as this client."""
    archive = find_archive()
    if archive is not None:
        return [sys.executable, "-P", str(archive), "server"]
    return [sys.executable, "-P", "-m", "gridgames_server"]  # -P: a module in the current folder is not taken


def client_command(started_as: str) -> str:
    """The command that a friend at a second terminal types to start the same client. `started_as` is `sys.argv[0]`."""
    if find_archive() is not None:
        return f"{'py' if sys.platform == 'win32' else 'python3'} {_quote(started_as)}"
    program = Path(started_as)
    if program.name == "__main__.py":
        return f"{_quote(sys.executable)} -m gridgames_client"
    on_path = (Path(folder) / program.name for folder in os.get_exec_path())
    found = next((file for file in on_path if file.exists()), None)
    if found is not None and program.exists() and program.samefile(found):
        return program.name
    return _quote(started_as)


def _quote(path: str) -> str:
    return f'"{path}"' if " " in path else path
