"""Names and tokens, kept for each server in files that only their owner can read.

A file is locked while a client uses it. A second client of the same user finds the first file locked and takes the next
one, and so is another player; after both have ended, each file brings its player back.
"""

import contextlib
import json
import os
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import IO

SLOTS = 64  # clients of one user at one server


def state_folder() -> Path:
    """Where this user's programs keep what they have to remember."""
    if sys.platform == "win32":
        base = os.environ.get("LOCALAPPDATA") or Path.home() / "AppData" / "Local"
    else:
        base = os.environ.get("XDG_STATE_HOME") or Path.home() / ".local" / "state"
    return Path(base) / "gridgames"


@dataclass(slots=True)
class Identity:
    """Who this client is at one server."""

    name: str | None = None
    token: str | None = None
    slot: int = 0
    file: IO[str] | None = None  # None: nothing is remembered

    def keep(self, name: str, token: str | None) -> None:
        """Remember who the server says we are."""
        self.name, self.token = name, token
        if self.file is not None:
            self.file.seek(0)
            self.file.truncate()
            json.dump({"name": name, "token": token}, self.file)
            self.file.flush()

    def close(self) -> None:
        """Let another client have this identity."""
        if self.file is not None:
            self.file.close()
            self.file = None


def take(server: str, folder: Path | None = None) -> Identity:
    """The first identity at a server that no other client is using."""
    folder = (folder or state_folder()) / "players"
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        for slot in range(SLOTS):
            file = open_private(folder / f"{_as_file_name(server)}.{slot}.json")
            if _lock(file):
                return _read(file, slot)
            file.close()
    except OSError:
        pass  # nothing can be kept here: play without being remembered
    return Identity()


def pinned(server: str, fingerprint: str, folder: Path | None = None) -> str:
    """The certificate that a server showed the first time; from then on it must be the same."""
    folder = (folder or state_folder()) / "certificates"
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    with open_private(folder / f"{_as_file_name(server)}.txt") as file:
        known = file.read().strip()
        if not known:
            file.write(fingerprint + "\n")
        return known or fingerprint


def open_private(path: Path) -> IO[str]:
    """A file to read and write that nobody else can read, whatever the umask."""
    return os.fdopen(os.open(path, os.O_RDWR | os.O_CREAT, 0o600), "r+", encoding="utf-8")


def _as_file_name(server: str) -> str:
    return "".join(char if char.isalnum() or char in ".-" else "_" for char in server)


def _read(file: IO[str], slot: int) -> Identity:
    with contextlib.suppress(ValueError):
        kept = json.load(file)
        if isinstance(kept, dict) and isinstance(kept.get("name"), str) and isinstance(kept.get("token"), str):
            return Identity(kept["name"], kept["token"], slot, file)
    return Identity(slot=slot, file=file)


def _lock(file: IO[str]) -> bool:
    """Lock a file until it is closed; False if another client has it."""
    try:
        if sys.platform == "win32":
            import msvcrt

            msvcrt.locking(file.fileno(), msvcrt.LK_NBLCK, 1)
        else:
            import fcntl

            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        return False
    return True
