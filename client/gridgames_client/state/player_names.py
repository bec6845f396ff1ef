"""Puts the players' names into sentences of the games."""

import re
from collections.abc import Callable


def replace_players(text: str, name_of: Callable[[int], str]) -> str:
    """Replace `Player 1` and `Player 2` by names, in one pass: a player may be called Player 2."""
    return re.sub(r"\bPlayer ([12])\b", lambda found: name_of(int(found[1])), text)
