"""One row of the action table."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal

from gridgames_client.state.actions.situation import Situation, Test, allows_key
from gridgames_client.state.commands import Command, Press, Step
from gridgames_client.state.model import Model

Where = Literal["", "lobby", "room", "both"]
Label = str | Callable[[Situation], str]

LINES_A_PAGE = 10  # lines by which PgUp and PgDn scroll
KEY_NAMES = {"escape": "Esc", "enter": "Enter", "tab": "Tab", "pageup": "PgUp", "pagedown": "PgDn", " ": "Space"}
ARROWS = {"up": (-1, 0), "down": (1, 0), "left": (0, -1), "right": (0, 1)}


@dataclass(frozen=True, slots=True)
class UserAction:
    """One thing that the player can do in the program."""

    name: str
    run: Callable[[Model, str], Command]  # makes the command from the model and the typed argument
    possible: Test
    keys: tuple[str, ...] = ()
    label: Label = ""  # in the bar; empty: not in the bar
    shown: str = ""  # the name of the keys in the bar and the help, if not that of the first key
    help: str = ""  # for the help page
    typed: Where = ""  # where the name can be typed as a word
    also: tuple[str, ...] = ()  # synonyms of the name
    argument: str = ""  # of the typed word, for the help page
    place: Where = "both"  # the help page that lists it, if it has no typed word

    def is_in_help(self, where: Where) -> bool:
        """True if the help page of a place lists it."""
        return bool(self.help) and (self.typed or self.place) in (where, "both")

    def name_word(self, slash: str) -> str:
        """The word to type, with its argument; empty if there is none."""
        return f"{slash}{self.name} {self.argument}".rstrip() if self.typed else ""

    def name_keys(self) -> str:
        """The keys for the help page. Letters are left out if another key does the same."""
        if self.shown:
            return self.shown
        return " ".join(map(name_key, [key for key in self.keys if not key.isalpha() or len(key) > 1] or self.keys))

    def label_now(self, now: Situation) -> str:
        """The label in the bar; empty if it is not shown."""
        return self.label if isinstance(self.label, str) else self.label(now)

    def key_now(self, now: Situation) -> str:
        """The key for the bar: the first one that works now, or else the typed word."""
        if self.shown:
            return self.shown
        works = [key for key in self.keys if allows_key(key, now)]
        return name_key(works[0]) if works else f"/{self.name}"


def name_key(key: str) -> str:
    """A key as it is printed on keyboards."""
    if key in KEY_NAMES:
        return KEY_NAMES[key]
    if key.startswith("c-"):
        return f"Ctrl-{key[2:].upper()}"
    return key.upper() if key.startswith("f") and key[1:].isdecimal() else key


def press(step: Step, by: int = 0) -> Callable[[Model, str], Command]:
    """A command that runs a step of the client."""
    return lambda model, rest: Press(step, by)


def on_keys(label: str) -> Label:
    """A label that is shown only while keys act on the board or a list."""
    return lambda now: label if now.on_board else ""
