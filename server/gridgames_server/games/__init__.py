"""The games that can be played: a new one is a file beside these and an entry here."""

from typing import Any

from gridgames_server.games.game import Game
from gridgames_server.games.grid_conquest import GridConquest
from gridgames_server.games.grid_hunt import GridHunt
from gridgames_server.games.quantum_duel import QuantumDuel
from gridgames_server.games.secret_paths import SecretPaths
from gridgames_server.games.treasure_hunt_duel import TreasureHuntDuel

GAMES: tuple[Game[Any], ...] = (TreasureHuntDuel(), GridHunt(), GridConquest(), QuantumDuel(), SecretPaths())
