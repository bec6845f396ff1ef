"""The value of each line for the seat that may type it, from that seat's view only.

The bots value lines as chances to win against a reference rival. Secret Paths is a draw with perfect play: there the
value of a line is a half, minus the danger after it.
"""

from collections.abc import Callable, Mapping

from gridgames_protocol.messages import Show
from gridgames_server.bots import STRATEGIES
from gridgames_server.bots.grid_conquest import value_lines as value_conquest
from gridgames_server.bots.grid_hunt import value_lines as value_hunt
from gridgames_server.bots.quantum_duel import look_at_own_token
from gridgames_server.bots.quantum_duel import value_lines as value_duel
from gridgames_server.bots.secret_paths import measure_dangers, move_line, read_view
from gridgames_server.bots.secret_paths import value_moves as value_burning
from gridgames_server.bots.treasure_hunt_duel import value_lines as value_treasure

EVEN = 0.5
MIXED = 0.05  # a line that the hard bot plays with at least this probability is never a mistake

RIVALS = {  # the rival that the values assume, as players read it
    "treasure-hunt-duel": "a rival who plays by the book",
    "grid-hunt": "a rival who mostly searches well",
    "grid-conquest": "a rival who mostly looks ahead",
    "quantum-duel": "a rival who mixes moves and looks by a table",
    "secret-paths": "a rival who takes a goal within reach",
}


def value_paths(show: Show) -> dict[str, float]:
    """Value steps: 1 onto the own goal, else a half minus half the chance that the rival can reach their goal."""
    if show.view.phase == "setup":
        return {}
    path = read_view(show)
    if path.entries_left is not None:
        return value_burning(path)
    return {
        move_line(cell): 1.0 if cell == path.goal else EVEN * (1 - danger)
        for cell, danger in measure_dangers(path).items()
    }


VALUES: Mapping[str, Callable[[Show], Mapping[str, float]]] = {
    "treasure-hunt-duel": value_treasure,
    "grid-hunt": value_hunt,
    "grid-conquest": value_conquest,
    "quantum-duel": value_duel,
    "secret-paths": value_paths,
}


# Lines that the hard bot's table has now and then, though they can't find anything.
POINTLESS: Mapping[str, Callable[[Show], str]] = {"quantum-duel": look_at_own_token}


def value_lines(slug: str, show: Show) -> Mapping[str, float]:
    """Return the value of each line that may be typed. It is empty where lines have no values, as in a setup.

    Of lines that do the same, the one that a player would type comes first.
    """
    return VALUES[slug](show) if show.view.actions else {}


def list_hard_lines(slug: str, show: Show) -> frozenset[str]:
    """Return the lines that the hard bot may play. None is a mistake: its value leaves out what a line hides."""
    chances = STRATEGIES[slug](show, "hard")
    lines = frozenset(line for line, chance in chances.items() if chance >= MIXED)
    return lines - {POINTLESS[slug](show)} if slug in POINTLESS else lines
