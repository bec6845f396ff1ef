"""The twin scenarios find every leak that is planted in the server, so that they would find a real one."""

from collections.abc import Callable

import pytest

from tests.secrecy.games.game_leaks import LEAKS as LEAKS_OF_GAMES
from tests.secrecy.server.server_leaks import LEAKS, Patch
from tests.secrecy.server.server_twins import BY_SLUG, Leak, examine_all


@pytest.mark.parametrize(("slug", "plant"), LEAKS.values(), ids=LEAKS)
def test_the_twins_find(slug: str, plant: Callable[[Patch], None], monkeypatch: Patch) -> None:
    plant(monkeypatch)
    with pytest.raises(Leak):
        examine_all(BY_SLUG[slug])


def test_enough_leaks_are_planted_in_the_server_and_with_those_in_the_games() -> None:
    assert len(LEAKS) >= 10
    assert len(LEAKS) + len(LEAKS_OF_GAMES) >= 25
