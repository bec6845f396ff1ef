"""The games of the server. A new game is a file in this folder and an entry here."""

from collections.abc import Mapping
from typing import Any

from gridgames_server.games.game import Game
from gridgames_server.games.grid_conquest import GridConquest
from gridgames_server.games.grid_hunt import GridHunt
from gridgames_server.games.quantum_duel import QuantumDuel
from gridgames_server.games.secret_paths import SecretPaths
from gridgames_server.games.treasure_hunt_duel import TreasureHuntDuel

SECRET_PATHS = SecretPaths()
GAMES: tuple[Game[Any], ...] = (TreasureHuntDuel(), GridHunt(), GridConquest(), QuantumDuel(), SECRET_PATHS)

# The variants of a game, by its slug and the variant's name. A variant is a game object of its own with the same card.
VARIANTS: Mapping[tuple[str, str], Game[Any]] = {(SECRET_PATHS.card.slug, "burning"): SecretPaths(burning=True)}


def find_variant(game: Game[Any], variant: str | None) -> Game[Any] | None:
    """Return the variant of a game, the game itself for None, or None if it has no such variant."""
    return game if variant is None else VARIANTS.get((game.card.slug, variant))
