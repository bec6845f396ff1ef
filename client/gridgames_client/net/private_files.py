"""Files and folders of this user that nobody else can read, and the lock on a file."""

import os
import sys
from pathlib import Path
from typing import IO


def state_folder() -> Path:
    """The folder in which this user's gridgames programs store files."""
    try:
        if sys.platform == "win32":
            base = os.environ.get("LOCALAPPDATA") or str(Path.home() / "AppData" / "Local")
        else:
            base = os.environ.get("XDG_STATE_HOME", "")
            if not os.path.isabs(base):
                base = str(Path.home() / ".local" / "state")
    except RuntimeError:
        raise FileNotFoundError("this user has no home") from None
    return Path(base) / "gridgames"


def private_folder(name: str, folder: Path | None = None) -> Path:
    """Make a folder that only this user can open, whatever the umask."""
    home = folder or state_folder()
    home.parent.mkdir(parents=True, exist_ok=True)
    for path in (home, home / name):
        path.mkdir(exist_ok=True)
        path.chmod(0o700)
    return home / name


def open_private(path: Path) -> IO[bytes]:
    """Open or make a file to read and write that only this user can read, whatever the umask."""
    file = os.fdopen(os.open(path, os.O_RDWR | os.O_CREAT, 0o600), "r+b", buffering=0)
    try:
        path.chmod(0o600)
    except OSError:
        file.close()
        raise
    return file


def lock(file: IO[bytes]) -> None:
    """Lock a file until it is closed. Raise an OSError if another program has locked it."""
    try:
        import fcntl
    except ImportError:  # Windows
        import msvcrt

        msvcrt.locking(file.fileno(), msvcrt.LK_NBLCK, 1)  # type: ignore[attr-defined,unused-ignore]
    else:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
