"""Stores a name and a token for each server, in files that only their owner can read.

A file is locked while a client uses it. A second client of the same user finds the first file locked and takes the next
one: it is another player. At the next start each file brings its player back.
"""

import contextlib
import json
import re
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import IO

from gridgames_client.net.address import OtherCertificate, Refused, explain_other_certificate
from gridgames_client.net.private_files import lock, open_private, private_folder, state_folder
from gridgames_protocol.safe_text import is_harmless

SLOTS = 64  # players of one user at one server
FILE_MAX = 1_000  # bytes; a name and a token take less
FINGERPRINT = re.compile("[0-9a-f]{64}")

first_shown: dict[str, str] = {}  # by server: its first certificate holds to the end of this process, stored or not


@dataclass(slots=True)
class Identity:
    """The name and the token of this client at one server."""

    name: str | None = None
    token: str | None = field(default=None, repr=False)
    file: IO[bytes] | None = None  # None: nothing is stored

    def store(self, name: str, token: str) -> None:
        """Store the name and the token that the server has given."""
        self.name, self.token = name, token
        if self.file is not None:
            with contextlib.suppress(OSError):  # a full disk must not end a game
                # One write, then truncate: if the client is killed in between, the first line is still complete.
                self.file.seek(0)
                self.file.write(json.dumps({"name": name, "token": token}).encode() + b"\n")
                self.file.truncate()

    def close(self) -> None:
        """Release the file, so that another client can take this identity."""
        if self.file is not None:
            self.file.close()
            self.file = None


def take_identity(server: str, name: str | None = None, folder: Path | None = None) -> Identity:
    """Take the first identity that no other client uses; with a name, the one of that name, or else a new one."""
    spare = Identity()
    with contextlib.suppress(OSError):  # nothing can be stored: play without
        place = private_folder("players", folder)
        for slot in range(SLOTS):
            path = place / f"{_as_file_name(server)}.{slot}.json"
            is_last = not path.exists()
            found = _read_locked(path)
            if found and (name is None or _same(found.name, name)):
                spare.close()
                return found
            if found and found.name is None and spare.file is None:
                spare = found
            elif found:
                found.close()
            if is_last:
                break
    return spare


def store_certificate(server: str, fingerprint: str, folder: Path | None = None) -> Path | None:
    """Store a server's first certificate. If another one is stored, return its file."""
    with contextlib.suppress(OSError):
        private_folder("certificates", folder)
        path = _certificate_file(server, folder)
        with open_private(path) as file:
            known = _read_fingerprint(file.read(FILE_MAX))
            if known is None:
                file.seek(0)
                file.write(fingerprint.encode() + b"\n")
                file.truncate()
        return path if known not in (None, fingerprint) else None
    return None


def trust_first_certificate(server: str, tell: Callable[[str], None], fingerprint: str) -> Path | None:
    """Store and tell a server's first certificate. For another one, return the file of the stored one.

    Raises OtherCertificate if no file holds the first one, but this process has seen it.
    """
    other = find_other_certificate(server, fingerprint)
    if other is not None:
        return other
    if first_shown.setdefault(server, fingerprint) != fingerprint:
        raise OtherCertificate(explain_other_certificate(server, fingerprint, "start again"))
    if _read_certificate(server) is None:
        other = store_certificate(server, fingerprint)
        is_kept = _read_certificate(server) == fingerprint
        kept = "is remembered from now on" if is_kept else "can't be remembered on this machine"
        tell(f"The server's certificate {kept}. Ask its host whether it is {fingerprint}")
    return other


def refuse_dropped_tls(server: str, words: str = "Start again with --tls.") -> None:
    """Refuse to connect without TLS to a server that used TLS before: a hello holds the token and the password."""
    file = find_known_certificate(server)
    if file is not None:
        raise Refused(f"{server} has used TLS before. {words} If its host really has stopped using TLS, delete {file}.")


def find_other_certificate(server: str, fingerprint: str, folder: Path | None = None) -> Path | None:
    """The file of a server's stored certificate, if it is another one. Nothing is written."""
    stored = _read_certificate(server, folder)
    return _certificate_file(server, folder) if stored not in (None, fingerprint) else None


def find_known_certificate(server: str, folder: Path | None = None) -> Path | None:
    """The file for a server's certificate, which a full disk may have left empty; None if there is none."""
    with contextlib.suppress(OSError):
        path = _certificate_file(server, folder)
        return path if path.exists() else None
    return None


def _read_certificate(server: str, folder: Path | None = None) -> str | None:
    """A server's stored certificate; None if there is none."""
    with contextlib.suppress(OSError):
        return _read_fingerprint(_certificate_file(server, folder).read_bytes())
    return None


def _read_fingerprint(content: bytes) -> str | None:
    """The fingerprint in a file; None if the file is empty or holds something else."""
    text = content.decode("ascii", "replace").strip()
    return text if FINGERPRINT.fullmatch(text) else None


def _certificate_file(server: str, folder: Path | None) -> Path:
    return (folder or state_folder()) / "certificates" / f"{_as_file_name(server)}.txt"


def _as_file_name(server: str) -> str:
    return "".join(char if char.isalnum() or char in ".-" else "_" for char in server)


def _same(kept: str | None, wanted: str) -> bool:
    return kept is not None and kept.casefold() == wanted.casefold()


def _read_locked(path: Path) -> Identity | None:
    """Lock and read a file; None if another client uses it or it can't be opened."""
    try:
        file = open_private(path)
    except OSError:
        return None
    try:
        lock(file)
        name, token = _read(file.read(FILE_MAX))
    except OSError:
        file.close()
        return None
    return Identity(name, token, file)


def _read(content: bytes) -> tuple[str, str] | tuple[None, None]:
    """The name and the token in a file's first line; None for both if the line is not valid."""
    try:
        kept = json.loads(content.partition(b"\n")[0])
        name, token = kept["name"], kept["token"]
    except (ValueError, TypeError, LookupError, RecursionError):
        return None, None
    usable = isinstance(name, str) and isinstance(token, str) and token.isascii()
    if usable and 1 <= len(name) <= 64 and is_harmless(name) and 1 <= len(token) <= 128:
        return name, token
    return None, None
