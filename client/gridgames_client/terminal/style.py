"""Roles and their colours. Colour is never the only sign: everything that it tells is also told by a letter or mark."""

from prompt_toolkit.styles import Attrs, Style

# Fainter than the rest on a light ground as on a dark one; older versions of prompt_toolkit know no such thing.
QUIET = "dim" if "dim" in Attrs._fields else "ansibrightblack"

# Only the terminal's own sixteen colours, which its owner has chosen to be readable, light or dark.
ROLES = {
    "title": "bold",
    "heading": "bold",
    "quiet": QUIET,
    "rule": QUIET,
    "grid": QUIET,
    "label": "bold",
    "code": "bold ansicyan",
    "key": "reverse",
    "does": "",
    "chosen": "reverse",
    "seat1": "bold ansiblue",
    "seat2": "bold ansimagenta",
    "turn": "bold",
    "clock": "bold ansiyellow",
    "prompt": "bold",
    "bad": "bold ansired",
    "good": "ansigreen",
    "result": "bold",
    "hint": "bold ansigreen",
    "system": QUIET,
    "move": "",
    "chat": "ansicyan",
    "fact": "",
    "action": "ansicyan",
    "auto-suggestion": QUIET,
    "bars": "ansigreen",
    "news": "underline",
    "lit": "reverse",
    "cursor": "reverse",
    "cell.empty": "",
    "cell.hidden": "",
    "cell.hint": "bold ansigreen",
    "cell.known": "bold",
    "cell.mine": "bold ansiblue",
    "cell.theirs": "bold ansimagenta",
    "cell.both": "bold ansiyellow",
    "cell.token": "bold ansicyan",
    "cell.goal": "bold ansiyellow",
    "cell.miss": "ansired",
    "cell.ruled_out": QUIET,
}
STYLE = Style.from_dict(ROLES)
