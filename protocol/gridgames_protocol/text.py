"""Foreign text made harmless, and how many columns a text takes on a screen."""

import unicodedata

# Control, format, surrogate, private and unassigned characters, line and paragraph separators: what moves a cursor,
# turns the reading direction round, hides, or may one day do so.
HARMFUL = frozenset({"Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"})
# Letters by category that fonts draw as nothing at all: fillers that make two names look the same.
BLANK = frozenset("\u115f\u1160\u3164\uffa0\u2800\u034f\u17b4\u17b5")


def is_harmless(text: str) -> bool:
    """True if the text has no character that could do more than stand in its place."""
    if text.isascii():
        return text.isprintable()
    return not any(unicodedata.category(char) in HARMFUL or char in BLANK for char in text)


def harmless(text: str) -> str:
    """The text without the characters that could do more than stand in their place."""
    if text.isascii() and text.isprintable():
        return text
    return "".join(char for char in text if unicodedata.category(char) not in HARMFUL and char not in BLANK)


def columns(text: str) -> int:
    """How many columns of a terminal the text takes."""
    if text.isascii():
        return len(text)
    return sum(map(_width, text))


def _width(char: str) -> int:
    if unicodedata.category(char) in ("Mn", "Me"):
        return 0
    return 2 if unicodedata.east_asian_width(char) in ("W", "F") else 1
