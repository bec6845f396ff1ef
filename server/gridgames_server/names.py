"""Players' names: what one may be made of, and when two are the same."""

import re
import unicodedata

from gridgames_protocol.messages import NAME_COLUMNS, NAME_MAX
from gridgames_protocol.text import columns, is_harmless
from gridgames_server.games.game import Refusal

_SIGNS = frozenset(" -_.")
_MARKS_MAX = 4  # in a row, as some scripts need; more would climb over the lines above
_SEAT = re.compile(r"player ?[0-9]+")


def checked(name: str) -> str:
    """The name as it will be shown, or the refusal that says what is wrong with it."""
    shown = " ".join(filter(None, unicodedata.normalize("NFC", name).split(" ")))
    if not (1 <= columns(shown) <= NAME_COLUMNS and len(shown) <= NAME_MAX):
        raise Refusal("name", f"A name has 1 to {NAME_COLUMNS} columns. Choose a shorter one, or any at all.")
    if not is_harmless(shown) or not all(map(_is_usual, shown)):
        raise Refusal("name", "A name is made of letters, digits, spaces and - _ . only. Choose another.")
    if not columns(shown[0]) or _most_marks(shown) > _MARKS_MAX:
        raise Refusal("name", "A name starts with a letter or digit and does not pile up accents. Choose another.")
    if _SEAT.fullmatch(key(shown)):
        raise Refusal("name", "That is what the games call a seat. Choose another name.")
    return shown


def key(name: str) -> str:
    """What two names share that nobody should have to tell apart."""
    return unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", name).casefold())


def _is_usual(char: str) -> bool:
    category = unicodedata.category(char)
    return char in _SIGNS or category[0] in "LM" or category == "Nd"


def _most_marks(text: str) -> int:
    """The longest run of characters that are all drawn into the one before them."""
    most = run = 0
    for char in text:
        run = 0 if columns(char) else run + 1
        most = max(most, run)
    return most
