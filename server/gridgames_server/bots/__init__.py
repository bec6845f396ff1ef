"""Computer players. A game may have one: a file in this folder and an entry here, under the game's slug.

A strategy gives each line a probability at a level. A policy draws a line by these. `VALUES` gives each line a value.
"""

from collections.abc import Callable

from gridgames_protocol.messages import Level, Show
from gridgames_server.bots import grid_conquest, grid_hunt, quantum_duel, secret_paths, treasure_hunt_duel
from gridgames_server.bots.policy import Chances, MixedPolicy, Policy

STRATEGIES: dict[str, Callable[[Show, Level], Chances]] = {
    "treasure-hunt-duel": treasure_hunt_duel.treasure_hunt_duel,
    "grid-hunt": grid_hunt.grid_hunt,
    "grid-conquest": grid_conquest.grid_conquest,
    "quantum-duel": quantum_duel.quantum_duel,
    "secret-paths": secret_paths.secret_paths,
}
BOTS: dict[str, Policy] = {slug: MixedPolicy(strategy) for slug, strategy in STRATEGIES.items()}
VALUES: dict[str, Callable[[Show], dict[str, float]]] = {
    "treasure-hunt-duel": treasure_hunt_duel.value_lines,
    "grid-hunt": grid_hunt.value_lines,
    "grid-conquest": grid_conquest.value_lines,
    "quantum-duel": quantum_duel.value_lines,
    "secret-paths": secret_paths.value_lines,
}
