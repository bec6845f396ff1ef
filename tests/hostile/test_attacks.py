"""Beside every attack of the measurements a game goes on, and the server has nothing to complain about."""

import pytest

from tests.bench.attackers import ATTACKS
from tests.bench.attacks import measure

SECONDS = 1.0


@pytest.mark.parametrize("attack", ATTACKS)
def test_a_game_goes_on_beside_an_attack(attack):
    found = measure(attack, SECONDS, rounds=1)
    print(found.row(SECONDS))
    assert found.actions > 0
    assert len(found.beside) > 1
