"""How people play: by which policy, how carefully, and how they type what is secret."""

from dataclasses import dataclass

NONSENSE = ("", "hello?", "QUERY", "MOVE 99 99", "HIDE A", "\x1b[2J", "C3 C3", "é", "resign!")


@dataclass(frozen=True)
class Character:
    """How somebody plays."""

    level: str | None  # of the policy that they follow; None: any line that may be typed
    repeats: float = 0.05  # Enter is hit twice
    errs: float = 0.05  # types nonsense, or out of turn
    chats: float = 0.03
    resigns: float = 0.01
    watches: float = 0.1


CHARACTERS = (
    Character("easy"),
    Character("medium"),
    Character("easy", repeats=0.4),
    Character("medium", errs=0.4),
    Character("easy", resigns=0.1, watches=0.3),
    Character(None, chats=0.2),
)


def disguised(line: str) -> str:
    """The line with its verb in a way that no text of ours has: mOvE 3."""
    verb, _, rest = line.partition(" ")
    return "".join(char.upper() if n % 2 else char.lower() for n, char in enumerate(verb)) + " " + rest
