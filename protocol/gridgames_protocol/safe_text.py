"""Foreign text made harmless, and how many columns a text takes on a screen."""

import unicodedata

# Control, format, surrogate, private and unassigned characters, line and paragraph separators: what moves a cursor,
# turns the reading direction round, hides, or may one day do so.
HARMFUL = frozenset({"Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"})
# Letters and marks by category that fonts draw as nothing at all: fillers that make two names look the same, and the
# variation selectors, which do that too or make a character wider than its columns.
SELECTORS = (*range(0x180B, 0x180E), 0x180F, *range(0xFE00, 0xFE10), *range(0xE0100, 0xE01F0))
BLANK = frozenset("\u115f\u1160\u3164\uffa0\u2800\u034f\u17b4\u17b5") | frozenset(map(chr, SELECTORS))
# Vowels and finals of Hangul: they are drawn into the syllable that the letter before them opens.
INNER_JAMO = frozenset(map(chr, (*range(0x1160, 0x1200), *range(0xD7B0, 0xD7FC))))


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
    if unicodedata.category(char) in ("Mn", "Mc", "Me") or char in INNER_JAMO:
        return 0
    return 2 if unicodedata.east_asian_width(char) in ("W", "F") else 1
