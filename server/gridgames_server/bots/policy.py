"""What a bot is: a function from what a player's client is shown to a line that it types."""

from collections.abc import Sequence
from typing import Protocol, TypeVar

from gridgames_protocol.messages import Level, Show
from gridgames_server.games.game import Chance

T = TypeVar("T")


class Policy(Protocol):
    """Chooses a legal line for the seat that is shown the table. It is handed nothing that a client is not handed."""

    def __call__(self, show: Show, level: Level, chance: Chance) -> str: ...


def pick(chance: Chance, among: Sequence[T], label: str) -> T:
    """One of several, each as likely as the others."""
    return among[chance.below(len(among), label)]


def happens(chance: Chance, percent: int, label: str) -> bool:
    """True in so many cases of a hundred."""
    return chance.below(100, label) < percent


def legal_lines(show: Show) -> list[str]:
    """Every line that may be typed now."""
    return [line for action in show.view.actions for line in action.lines()]
