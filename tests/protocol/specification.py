"""The specification as the tests read it: its parts, tables and examples, and its session played on a real hub."""

import re
from collections.abc import Iterator
from functools import cache
from hashlib import sha256
from pathlib import Path
from typing import Any

import msgpack

from gridgames_protocol.codec import decode_request, encode
from gridgames_protocol.framing import unstuff
from gridgames_server.bots import BOTS
from gridgames_server.core.effects import Send
from gridgames_server.core.hub import Hub, ServerConfig
from gridgames_server.games import GAMES
from tests.protocol.vectors import pack

README = (Path(__file__).parents[2] / "protocol" / "README.md").read_text(encoding="utf-8")


@cache
def section(*headings: str) -> str:
    """What stands under a heading, under another one in turn: up to the next one that is as high."""
    text = README
    for heading in headings:
        marks = heading.split(" ")[0]
        assert text.count(f"\n{heading}\n") == 1, f"one place has the heading {heading}"
        text = re.split(rf"\n#{{1,{len(marks)}}} ", text.split(f"\n{heading}\n")[1])[0]
    return text


def tables(text: str) -> Iterator[list[list[str]]]:
    """The tables of a part of the page as their cells, without the heads."""
    for block in re.findall(r"(?:^\|.*\|\n)+", text, re.MULTILINE):
        rows = [[cell.strip() for cell in line.strip("|").split(" | ")] for line in block.splitlines()]
        yield rows[2:]


def rows(text: str) -> dict[str, list[str]]:
    """The rows of a part's first table by their first cells."""
    first = next(tables(text))
    return {re.sub(r"^`([^`]+)`$", r"\1", row[0]): row[1:] for row in first}


def codes(row: str) -> set[str]:
    """The words that a cell marks as code."""
    return set(re.findall(r"`([^`]+)`", row))


def blocks(language: str, text: str = README) -> list[str]:
    """The fenced blocks of a language."""
    return re.findall(rf"^```{language}\n(.*?)^```$", text, re.MULTILINE | re.DOTALL)


def numbers(text: str) -> set[int]:
    """The numbers in a text, with or without commas at the thousands."""
    return {int(found) for found in re.findall(r"\d+", re.sub(r"(?<=\d),(?=\d{3})", "", text))}


class Table:
    """A hub, the two clients of the session, and the page's words for what chance decides."""

    def __init__(self) -> None:
        self.said = 0
        self.hub = Hub(ServerConfig(GAMES, bots=frozenset(BOTS)), self.draw, now=0.0)
        self.names = {1: "ann", 2: "ben"}
        self.meant: dict[str, str] = {}
        for session in self.names:
            self.hub.connect(session, f"192.0.2.{session}", 0.0)

    def draw(self, size: int) -> bytes:
        self.said += 1
        return sha256(self.said.to_bytes(4, "big")).digest()[:size]

    def say(self, name: str, request: dict) -> Iterator[dict]:
        """Send a client's request; yield what Ann is sent."""
        request = {key: self.meant.get(value, value) for key, value in request.items()}
        (session,) = (session for session, known in self.names.items() if known == name)
        for effect in self.hub.bytes_received(session, 0, [decode_request(pack(request)[:-1])], 0.0):
            if isinstance(effect, Send) and self.names[effect.session] == "ann":
                yield from (msgpack.unpackb(unstuff(encode(message)[:-1])) for message in effect.messages)

    def fits(self, shown: Any, heard: Any, key: str = "") -> bool:
        """True if the page shows what was heard: word for word, but for what is left out or decided by chance."""
        if shown == "...":
            return True
        if key in ("token", "room", "hash", "nonce") and shown and heard:
            return self.meant.setdefault(shown, heard) == heard
        if isinstance(shown, dict) and isinstance(heard, dict):
            return list(shown) == list(heard) and all(self.fits(shown[key], heard[key], key) for key in shown)
        if isinstance(shown, list) and isinstance(heard, list):
            return len(shown) == len(heard) and all(map(self.fits, shown, heard))
        return bool(shown == heard)
