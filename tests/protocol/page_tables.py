"""The tables of the specification: which record stands under which heading, and how a field's type is written there."""

import re
from pathlib import Path
from typing import Any, get_args

from gridgames_protocol import discovery
from gridgames_protocol.describe import describe_record
from gridgames_protocol.messages import (
    PUSHES,
    REQUESTS,
    ByeCode,
    Card,
    Commit,
    ErrorCode,
    Features,
    LobbyRoom,
    PastGame,
    Reveal,
    SeatHolder,
    Standing,
)
from gridgames_protocol.schema import INTEGER_MAX
from gridgames_protocol.views import Action, Board, CellKind, Mark, Review, ReviewRow, SecondBoard, Turning

PAGE = Path(__file__).parents[2] / "protocol" / "README.md"

REQUESTED, SAID, SEARCH = "## What a client says", "## What a server says", "## Finding a server"
RECORDS: dict[type, tuple[str, str, str]] = {  # heading, what one is called, what several are called
    Card: ("#### A card", "a card", "cards"),
    Features: ("#### What a server can do", "features", "features"),
    LobbyRoom: ("#### A row of the lobby", "a row", "rows"),
    SeatHolder: ("#### A seat", "a seat", "seats"),
    Commit: ("#### A commitment", "a commitment", "commitments"),
    Reveal: ("#### An opening of a secret", "an opening", "openings"),
    PastGame: ("#### A past game", "a past game", "past games"),
    Standing: ("#### A standing", "a standing", "standings"),
    Review: ("#### A review", "a review", "reviews"),
    ReviewRow: ("#### A row of a review", "a row of a review", "rows of a review"),
    Turning: ("#### A turning point", "a turning point", "turning points"),
    Board: ("### The board", "a board", "boards"),
    SecondBoard: ("### A second board", "a second board", "second boards"),
    Action: ("### Actions", "an action", "actions"),
}
CALLED = {cls.__name__: names for cls, (_, *names) in RECORDS.items()}
WORD_LISTS = {  # closed lists that have a table of their own
    get_args(CellKind): ("a cell kind", "cell kinds"),
    get_args(Mark): ("a mark", "marks"),
    get_args(ErrorCode): ("an error code", "error codes"),
    get_args(ByeCode): ("a goodbye code", "goodbye codes"),
}
NUMBERS = {(1, INTEGER_MAX): "id", (0, INTEGER_MAX): "count", (1, 2): "seat"}

LISTED: list[tuple[tuple[str, ...], type]] = [
    *(((REQUESTED, f"### `{word}`"), cls) for word, cls in REQUESTS.items()),
    *(((SAID, f"### `{word}`"), cls) for word, cls in PUSHES.items()),
    *(((heading,), cls) for cls, (heading, *_) in RECORDS.items()),
    ((SEARCH, "### The call"), discovery.Call),
    ((SEARCH, "### The answer"), discovery.Answer),
]


def holds(kind: dict[str, Any], several: bool = False) -> str:
    """How the column `holds` writes a type."""
    written = _written(kind, several)
    if not kind.get("nil"):
        return written
    if kind["kind"] == "tuple":
        return f"the pair {written}, or nil"
    return f"{written}, or nil" if " " in written and kind["kind"] in ("word", "integer") else f"{written} or nil"


def _written(kind: dict[str, Any], several: bool) -> str:
    match kind:
        case {"kind": "integer", "least": least, "most": most}:
            return NUMBERS.get((least, most), f"a whole number {_span(least, most)}")
        case {"kind": "text", "needs": needs}:
            return f"text of {needs}"
        case {"kind": "text", "least": least, "most": most}:
            return f"text of {most}" if least == most else f"text {_span(least, most)}"
        case {"kind": "word", "words": words} if tuple(words) in WORD_LISTS:
            return WORD_LISTS[tuple(words)][several]
        case {"kind": "word", "words": [*others, last]}:
            return ", ".join(f"`{word}`" for word in others) + f" or `{last}`"
        case {"kind": "list", "least": least, "most": most, "of": item}:
            return f"list {_span(least, most)} of {holds(item, several=True)}"
        case {"kind": "tuple", "of": items}:
            return "[" + ", ".join(map(holds, items)) + "]"
        case {"kind": "either", "of": choices}:
            return ", or a ".join(map(holds, choices))
        case {"kind": "record", "record": name}:
            return CALLED[name][several]
        case {"kind": simple}:
            return simple
    raise AssertionError(kind)


def _span(least: int, most: int) -> str:
    return f"{least:,} to {most:,}" if least < 0 else f"{least:,}–{most:,}"


def if_missing(kind: dict[str, Any]) -> str:
    """How the page writes what a missing field stands for."""
    if kind["required"]:
        return "must"
    default = kind["default"]
    if isinstance(default, str):
        return f"`{default}`" if default else '""'
    return {"None": "nil", "False": "false", "True": "true"}.get(str(default), str(default))


def table_of(record: type, meanings: dict[str, str]) -> str:
    """A record's table, with the meanings that stand there already."""
    rows = ["| field | holds | if missing | meaning |", "| --- | --- | --- | --- |"]
    for key, kind in describe_record(record).items():
        meaning = meanings.get(key, "")
        rows.append(f"| `{key}` | {holds(kind)} | {if_missing(kind)} | {meaning}{' ' if meaning else ''}|")
    return "\n".join(rows) + "\n"


def rewrite(page: str) -> str:
    """The page with every record's table as the code has it."""
    for headings, record in LISTED:
        start = 0
        for heading in headings:
            start = page.index(f"\n{heading}\n", start) + 1
        table = re.compile(r"(?:^\|.*\|\n)+", re.MULTILINE).search(page, start)
        assert table
        lines = [line.strip("|").split(" | ", 3) for line in table[0].splitlines()[2:]]
        meanings = {cells[0].strip(" `"): cells[3].strip() if len(cells) > 3 else "" for cells in lines}
        page = page[: table.start()] + table_of(record, meanings) + page[table.end() :]
    return page
