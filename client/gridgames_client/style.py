"""Roles and their colours. Colour is never the only sign: everything that it tells is also told by a letter or mark."""

from prompt_toolkit.styles import Style

# Only the terminal's own sixteen colours, which its owner has chosen to be readable, light or dark.
STYLE = Style.from_dict(
    {
        "title": "bold",
        "heading": "bold",
        "quiet": "ansibrightblack",
        "rule": "ansibrightblack",
        "grid": "ansibrightblack",
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
        "hint": "ansigreen",
        "system": "ansibrightblack",
        "move": "",
        "chat": "ansicyan",
        "fact": "",
        "action": "ansicyan",
        "ghost": "ansibrightblack",
        "page": "",
        "page.title": "bold",
        "cursor": "reverse",
        "lit": "underline bold",
        "cell.hint": "bold ansigreen",
        "cell.known": "bold",
        "cell.mine": "bold ansiblue",
        "cell.theirs": "bold ansimagenta",
        "cell.both": "bold ansiyellow",
        "cell.token": "bold ansicyan",
        "cell.goal": "bold ansiyellow",
        "cell.miss": "ansired",
        "cell.ruled_out": "ansibrightblack",
    }
)
