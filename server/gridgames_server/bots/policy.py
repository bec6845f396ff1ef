"""The interface of a bot: a function from a seat's view to a typed line."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from math import exp
from typing import Protocol, TypeVar

from gridgames_protocol.messages import Level, Show
from gridgames_server.games.game import Chance

T = TypeVar("T")
Chances = Mapping[str, float]  # the probability of each line; their sum is 1

FINE = 1 << 48  # steps of a draw between 0 and 1


class Policy(Protocol):
    """Chooses a legal line for a seat from that seat's view. It gets only what a client gets."""

    def __call__(self, show: Show, level: Level, chance: Chance) -> str: ...


@dataclass(frozen=True, slots=True)
class MixedPolicy:
    """The policy that draws a line by the probabilities of a strategy."""

    chances: Callable[[Show, Level], Chances]

    def __call__(self, show: Show, level: Level, chance: Chance) -> str:
        return draw(chance, self.chances(show, level), f"line {show.rev}")


def draw(chance: Chance, chances: Chances, label: str) -> str:
    """Return one of the lines, drawn by their probabilities."""
    left = chance.below(FINE, label) / FINE * sum(chances.values())
    for line, likely in chances.items():
        left -= likely
        if left < 0:
            return line
    return max(chances, key=chances.__getitem__)  # the sum was rounded


def make_even(lines: Sequence[str]) -> Chances:
    """Return the same probability for each line."""
    return {line: 1 / len(lines) for line in lines}


def choose_best(values: Mapping[str, float], margin: float = 1e-9) -> Chances:
    """Return the same probability for each of the lines with the highest value."""
    least = max(values.values()) - margin
    return make_even([line for line, value in values.items() if value >= least])


def softmax(values: Mapping[str, float], warmth: float) -> Chances:
    """Return probabilities that fall by a factor of e for each loss of `warmth` against the best line."""
    highest = max(values.values())
    weights = {line: exp((value - highest) / warmth) for line, value in values.items()}
    total = sum(weights.values())
    return {line: weight / total for line, weight in weights.items()}


def pick(chance: Chance, among: Sequence[T], label: str) -> T:
    """Return one of several items. All are equally likely."""
    return among[chance.below(len(among), label)]


def list_legal_lines(show: Show) -> list[str]:
    """Return every line that may be typed now."""
    return [line for action in show.view.actions for line in action.lines()]
