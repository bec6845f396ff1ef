"""Choices that the client remembers for its player, in a file of the state folder."""

import contextlib
import json
import os
from pathlib import Path

from gridgames_client.net.private_files import open_private, private_folder

FILE_MAX = 10_000  # bytes


def read_choices(folder: Path | None = None) -> dict[str, object]:
    """The stored choices by name; empty if the file is missing or can't be read."""
    with contextlib.suppress(OSError, ValueError, RecursionError):
        with open_private(private_folder("habits", folder) / "client.json") as file:
            found = json.loads(file.read(FILE_MAX) or b"{}")
        if isinstance(found, dict):
            return found
    return {}


def store_choice(name: str, value: object, folder: Path | None = None) -> None:
    """Store a choice. If the file can't be written, the choice is lost."""
    choices = read_choices(folder) | {name: value}
    with contextlib.suppress(OSError):
        path = private_folder("habits", folder) / "client.json"
        spare = path.with_suffix(".new")
        with open_private(spare) as file:
            file.truncate(0)
            file.write(json.dumps(choices).encode())
        os.replace(spare, path)
