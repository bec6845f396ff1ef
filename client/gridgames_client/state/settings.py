"""The player's settings: the settings file and the defaults."""

import re
from dataclasses import dataclass, fields
from typing import Any, Literal, get_args

Theme = Literal["auto", "dark", "light", "high-contrast", "16"]
Keys = Literal["arrows", "vi"]
Covers = Literal["auto", "always", "never"]


class BadSettings(Exception):
    """A settings file is not valid. The message says why, and in which line."""


@dataclass(frozen=True, slots=True)
class Settings:
    """The entries of the settings file with their defaults. Flags and environment variables win over the file."""

    name: str = ""
    theme: Theme = "auto"
    colors: bool = True
    keys: Keys = "arrows"
    bell: bool = True
    notify: bool = True
    mouse: bool = True
    covers: Covers = "auto"
    plain: bool = False
    words: bool = False
    ascii: bool = False
    animation: bool = True


CHOICES: dict[str, tuple[str, ...]] = {"theme": get_args(Theme), "keys": get_args(Keys), "covers": get_args(Covers)}
HELP = {
    "name": "your name; empty: the name that you had on that server, or your user name",
    "theme": "auto (the terminal's background decides), dark, light, high-contrast, or 16 (the terminal's own colours)",
    "colors": "false draws without colours",
    "keys": "arrows, or vi: h j k l move too, and a slash begins a word: /join",
    "bell": "false: silent when it is your turn",
    "notify": "false: no notification when it is your turn and the window is not in focus",
    "mouse": "false: the mouse selects text, and clicks do nothing",
    "covers": "auto (covered against people, until you show them once), always, or never",
    "plain": "true: plain lines instead of the full screen",
    "words": "true: describe boards in words",
    "ascii": "true: draw with plain ASCII characters",
    "animation": "false: draw without animation",
}


def read_settings(text: str) -> Settings:
    import tomllib  # takes 3 ms, and most players have no such file

    try:
        entries = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        found = re.search(r"at line (\d+)", str(error))
        line = found[1] if found else text.rstrip().count("\n") + 1
        raise BadSettings(f"line {line} is not written as the file's format (TOML) wants it: name = value") from None
    for key, value in entries.items():
        wrong = find_fault(key, value)
        if wrong:
            raise BadSettings(f"line {find_line(text, key)}: {wrong}")
    return Settings(**entries)


def find_fault(key: str, value: Any) -> str:
    """What is wrong with an entry; empty if it is valid."""
    known = {field.name: field.default for field in fields(Settings)}
    if key not in known:
        return f"there is no setting {key!r}; the settings are: {', '.join(known)}"
    if isinstance(known[key], bool):
        return "" if isinstance(value, bool) else f"{key} is true or false"
    if key in CHOICES:
        return "" if value in CHOICES[key] else f"{key} is one of: {', '.join(CHOICES[key])}"
    fits = isinstance(value, str) and len(value) <= 64 and (value.isprintable() or not value)
    return "" if fits else f"{key} is a text of at most 16 characters"


def find_line(text: str, key: str) -> int:
    """The number of an entry's line."""
    for number, line in enumerate(text.split("\n"), start=1):
        if re.match(rf"\s*\[?\s*[\"']?{re.escape(key)}\b", line):
            return number
    return 1


def write_default_settings() -> str:
    """A settings file with all defaults, and a comment for each entry."""
    lines = ["# Settings of gridgames-client. Everything here is as it is without this file."]
    for field in fields(Settings):
        value = str(field.default).lower() if isinstance(field.default, bool) else f'"{field.default}"'
        lines += ["", f"# {HELP[field.name]}", f"{field.name} = {value}"]
    return "\n".join(lines)
