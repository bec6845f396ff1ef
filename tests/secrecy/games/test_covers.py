"""A board whose secrets are covered tells nothing of them to one who looks over the player's shoulder."""

from itertools import islice
from random import Random
from typing import Any

import pytest

from gridgames_protocol.views import Board
from gridgames_server.games.game import Game
from gridgames_server.games.grid_hunt import GridHunt
from gridgames_server.games.quantum_duel import QuantumDuel
from gridgames_server.games.quest import Quest
from gridgames_server.games.secret_paths import SecretPaths
from gridgames_server.games.tell import other
from tests.server.secrecy.histories import history
from tests.server.secrecy.recast import RECAST
from tests.server.secrecy.streams import stream
from tests.server.secrecy.twins import typed_instead
from tests.sixth_game import Pebbles

HISTORIES = 240  # of each game, half of them with assist
WORLDS = 3  # of each history


def covered(board: Board) -> list[tuple[str, str]]:
    """What a board shows while the secrets of its reader are covered."""
    looks = {name: (text, kind) for name, text, kind in board.masks}
    cells = zip(board.names, board.texts, board.kinds, strict=True)
    return [looks.get(name, (text, kind)) for name, text, kind in cells]


def find_difference(game: Game[Any]) -> int | None:
    """The first history in which a covered board depends on what its reader alone knows."""
    for number in range(HISTORIES):
        past, seat = history(game, number), 1 + number % 2
        worlds = RECAST[past.slug](past, other(seat), Random(number))  # others than the seat's own can't be told apart
        for world in islice(worlds, WORLDS):
            one, two = past.match(), past.match(world.draws)
            truth = stream(one, seat, [attempt[:2] for attempt in past.attempts])
            instead = stream(two, seat, typed_instead(past, other(seat), world))
            for _ in zip(truth, instead, strict=False):
                if covered(one.view(seat).board) != covered(two.view(seat).board):
                    return number
    return None


@pytest.mark.parametrize("game", [GridHunt(), QuantumDuel(), SecretPaths(), Pebbles()], ids=lambda game: game.card.slug)
def test_a_covered_board_is_the_same_whatever_the_own_secret_is(game):
    assert find_difference(game) is None


class ShadesByTheOwnToken(QuantumDuel):
    def quest(self, state: Any, seat: int) -> Quest:
        quest = super().quest(state, seat)
        return Quest(quest.among, quest.left)


def test_a_shade_that_tells_where_the_own_token_is_would_be_found():
    assert find_difference(ShadesByTheOwnToken()) is not None
