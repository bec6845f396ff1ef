"""Computer players. A new game may have one: a file beside these and an entry here, under the game's slug."""

from gridgames_server.bots.grid_conquest import grid_conquest
from gridgames_server.bots.grid_hunt import grid_hunt
from gridgames_server.bots.policy import Policy
from gridgames_server.bots.quantum_duel import quantum_duel
from gridgames_server.bots.secret_paths import secret_paths
from gridgames_server.bots.treasure_hunt_duel import treasure_hunt_duel

BOTS: dict[str, Policy] = {
    "treasure-hunt-duel": treasure_hunt_duel,
    "grid-hunt": grid_hunt,
    "grid-conquest": grid_conquest,
    "quantum-duel": quantum_duel,
    "secret-paths": secret_paths,
}
