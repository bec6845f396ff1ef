"""Removes dangerous characters from foreign text, and counts the columns that a text takes on a screen."""

import unicodedata

# Control, format, surrogate, private and unassigned characters, line and paragraph separators. They can move the
# cursor, change the reading direction or hide text, or may do so in a later version of Unicode.
HARMFUL = frozenset({"Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"})
# Letters and marks that fonts draw as nothing. Fillers make two names look the same. Variation selectors do that too,
# or make a character wider than its columns.
SELECTORS = (*range(0x180B, 0x180E), 0x180F, *range(0xFE00, 0xFE10), *range(0xE0100, 0xE01F0))
BLANK = frozenset("\u115f\u1160\u3164\uffa0\u2800\u034f\u17b4\u17b5") | frozenset(map(chr, SELECTORS))
# Vowels and finals of Hangul. A terminal draws them into the syllable of the letter before them.
INNER_JAMO = frozenset(map(chr, (*range(0x1160, 0x1200), *range(0xD7B0, 0xD7FC))))


def is_harmless(text: str) -> bool:
    """True if the text has only visible characters that stay in their own columns."""
    if text.isascii():
        return text.isprintable()
    return not any(unicodedata.category(char) in HARMFUL or char in BLANK for char in text)


def harmless(text: str) -> str:
    """Return the text without dangerous characters."""
    if text.isascii() and text.isprintable():
        return text
    return "".join(char for char in text if unicodedata.category(char) not in HARMFUL and char not in BLANK)


def columns(text: str) -> int:
    """Return how many columns of a terminal the text takes."""
    if text.isascii():
        return len(text)
    return sum(map(_width, text))


def _width(char: str) -> int:
    if unicodedata.category(char) in ("Mn", "Mc", "Me") or char in INNER_JAMO:
        return 0
    return 2 if unicodedata.east_asian_width(char) in ("W", "F") else 1
