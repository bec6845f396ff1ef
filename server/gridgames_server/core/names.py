"""Players' names: what one may be made of, and which look the same."""

import re
import unicodedata

from gridgames_protocol.messages import NAME_COLUMNS, NAME_MAX
from gridgames_protocol.safe_text import columns, is_harmless
from gridgames_server.errors import Refusal

_SIGNS = frozenset(" -_.")
_LETTERS = frozenset({"Lu", "Ll", "Lt", "Lo"})
_MARKS_MAX = 2  # combining marks in a row; more would be drawn over the line above
# Scripts that a name may mix. Their letters don't look alike, and East Asian names mix them.
_MIXES = (
    frozenset({"LATIN", "CJK", "IDEOGRAPHIC", "HIRAGANA", "KATAKANA"}),
    frozenset({"LATIN", "CJK", "IDEOGRAPHIC", "HANGUL"}),
    frozenset({"LATIN", "CJK", "IDEOGRAPHIC", "BOPOMOFO"}),
)


def check_name(name: str) -> str:
    """Return the name as it will be shown, or raise a Refusal that says what is wrong with it."""
    shown = " ".join(filter(None, unicodedata.normalize("NFC", name).split(" ")))
    if not (1 <= columns(shown) <= NAME_COLUMNS and len(shown) <= NAME_MAX):
        raise _refuse(f"A name has 1 to {NAME_COLUMNS} columns. Choose a shorter one, or any at all.")
    if not is_harmless(shown) or not all(map(_is_usual, shown)):
        raise _refuse("A name is made of letters, digits, spaces and - _ . only. Choose another.")
    if not columns(shown[0]) or _most_marks(shown) > _MARKS_MAX:
        raise _refuse("A name starts with a letter or digit and does not pile up accents. Choose another.")
    scripts = {_script(char) for char in unicodedata.normalize("NFKC", shown) if unicodedata.category(char) in _LETTERS}
    if len(scripts) > 1 and not any(scripts <= mix for mix in _MIXES):
        raise _refuse("A name is written in one script: letters of two can look alike. Choose another.")
    if _is_reserved(shown):
        raise _refuse("That is what the games call a seat, the host or a bot. Choose another name.")
    return shown


def _refuse(text: str) -> Refusal:
    return Refusal("name", text, "name")


def _script(letter: str) -> str:
    """Return the first word of a letter's name in Unicode: LATIN, GREEK, CYRILLIC, CJK …"""
    return unicodedata.name(letter, "?").partition(" ")[0].partition("-")[0]


def _is_usual(char: str) -> bool:
    category = unicodedata.category(char)
    return char in _SIGNS or category[0] in "LM" or category == "Nd"


def _most_marks(text: str) -> int:
    """Return the length of the longest run of combining marks."""
    most = run = 0
    for char in text:
        run = 0 if columns(char) else run + 1
        most = max(most, run)
    return most


# Names that look the same ---------------------------------------------------------------------------------------------

# Letters that look like a Latin one, after casefold: as capitals or as small letters, by which is more alike.
_LOOKS = {
    "a": "аαꭺꓮɑⲁ",
    "b": "вьβᏼᏏꓐⲃ",
    "c": "сϲᏟꓚⲥ",
    "d": "ԁᎠꓓ",
    "e": "еεᎬꓰⲉ",
    "f": "ϝꓝ",
    "g": "ցԍᏀᏻꓖ",
    "h": "нһηհᎻꓧⲏ",
    "i": "іιɩᎥꓲⲓ",
    "j": "јϳյᎫꓙ",
    "k": "кκᏦꓗⲕ",
    "l": "ӏլǀǃᏞꓡꞁ丨ᅵ",
    "m": "мμϻᎷꓟⲙ",
    "n": "пνոꓠⲛ",
    "o": "оοօⲟᎾꓳðᄋ",
    "p": "рρᏢꓑⲣ",
    "q": "ԛզ",
    "r": "гᎡᏒꓣ",
    "s": "ѕտσᏚꓢ",
    "t": "тτᎢꓔⲧꞇ",
    "u": "սꓴ",
    "v": "ѵᏙꓦ",
    "w": "ԝшωᎳꓪ",
    "x": "хχꓫⲭ",
    "y": "уүυᎩꓬⲩ",
    "z": "ζᏃꓜ",
    "2": "ƻƨ",
    "3": "зԅ",
}
_LATIN = {ord(char): latin for latin, chars in _LOOKS.items() for char in chars.casefold()}
# The name of a letter that is a Latin one with something added: LATIN SMALL LETTER O WITH STROKE.
_DRESSED = re.compile(r"LATIN (?:SMALL )?LETTER (?:SMALL CAPITAL |DOTLESS |LONG |SCRIPT )?([A-Z])(?: WITH .*)?")
_ACCENTS = range(0x300, 0x370)  # what is added to Latin, Greek and Cyrillic letters; in other scripts marks are vowels
_DIGITS = str.maketrans("015", "ols")  # digits that look like letters


def make_name_key(name: str) -> str:
    """Return the comparison key: names with equal keys look the same. The key of a key is itself."""
    return _fold(name).replace(" ", "").translate(_DIGITS) or name


def _fold(name: str) -> str:
    """Return a name without case, accents and signs, its look-alike letters as Latin ones. Digits are ASCII."""
    plain = unicodedata.normalize("NFKC", name).casefold()
    plain = "".join(char for char in unicodedata.normalize("NFKD", plain) if ord(char) not in _ACCENTS)
    words = "".join(" " if char in _SIGNS else _fold_char(char) for char in plain.translate(_LATIN)).split()
    return unicodedata.normalize("NFC", " ".join(words))


def _fold_char(char: str) -> str:
    """Return a letter or digit as `_fold` has it. `i` is `l`, since a capital I looks like a small L."""
    if char in "il":
        return "l"
    if char.isascii():
        return char
    if char.isdecimal():
        return str(unicodedata.decimal(char))
    called = unicodedata.name(char, "")
    if called.startswith(("MODIFIER LETTER", "LISU LETTER TONE")):  # they look like commas, colons and accents
        return ""
    dressed = _DRESSED.fullmatch(called)
    return _fold_char(dressed[1].lower()) if dressed else char


# What the games call a seat, the host or a bot. Digits may stand for letters.
_DIGIT_FOR = str.maketrans({"a": "[a4]", "e": "[e3]", "i": "[l1]", "l": "[l1]", "o": "[o0]", "s": "[s5]", "t": "[t7]"})
_THE, _SPEAKER, _SAYS, _SEAT, _NUMBER = (
    f"(?:{'|'.join(words)})".translate(_DIGIT_FOR)
    for words in (
        ("the ?",),
        ("host", "server", "system", "bot", "computer", "warning"),
        ("says",),
        ("player", "seat"),
        ("one", "two"),
    )
)
_RESERVED = re.compile(
    rf"{_THE}?(?:{_SPEAKER}(?:\b|[0-9]|{_SAYS}).*"
    rf"|{_SEAT} ?(?:(?:n[o0r]|number) ?)?(?:[0-9]|(?:l+|{_NUMBER})(?:\b|[0-9])).*)"
)


def _is_reserved(name: str) -> bool:
    """True for a name that reads as a seat, the host or a bot, or begins so: `The host says`, `Player 1.`

    Sentences also begin with "You" and "Nobody".
    """
    folded = _fold(name)
    reads_as_speaker = _RESERVED.fullmatch(folded) or _RESERVED.fullmatch(folded.replace(" ", ""))
    return bool(reads_as_speaker) or make_name_key(name) in ("you", "nobody")
