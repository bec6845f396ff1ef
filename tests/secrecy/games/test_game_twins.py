"""No reader can tell apart two worlds that differ only in what that reader may not know."""

from random import Random
from typing import Any

import pytest

from gridgames_server.games.game import Game
from gridgames_server.games.grid_hunt import GridHunt
from gridgames_server.games.seats import SEATS, other
from gridgames_server.games.secret_paths import SecretPaths
from tests.secrecy.games.game_twins import EVERY_GAME, compare, examine_all
from tests.secrecy.games.histories import history, recorded
from tests.secrecy.games.other_worlds import RECAST
from tests.sixth_game import Pebbles

every_game = pytest.mark.parametrize("game", EVERY_GAME, ids=lambda game: game.card.slug)


@every_game
def test_worlds_that_a_reader_cannot_tell_apart_send_the_same_bytes(game: Game[Any]) -> None:
    examine_all(game)


SETUPS = (
    (GridHunt(), "DIG 11", ("HIDE 2 3", "HIDE 2 3")),
    (SecretPaths(), "MOVE 3 2", ("GOAL 5 2", "GOAL 1 4")),
    (Pebbles(), "GUESS 3", ("HOLD 2", "HOLD 2")),
)


@pytest.mark.parametrize("reader", [*SEATS, None])
@pytest.mark.parametrize(("game", "too_early", "choices"), SETUPS, ids=[setup[0].card.slug for setup in SETUPS])
@pytest.mark.parametrize("chooser", SEATS)
def test_a_choice_stays_secret_while_the_other_still_chooses(
    game: Game[Any], too_early: str, choices: tuple[str, str], chooser: int, reader: int | None
) -> None:
    late = other(chooser)
    past = recorded(
        game,
        late,
        [
            (chooser, choices[chooser - 1]),
            (chooser, choices[chooser - 1]),
            (late, "xyzzy"),
            (late, too_early),
            (late, choices[late - 1]),
        ],
    )
    assert [attempt.verdict for attempt in past.attempts] == ["played", "refused", "refused", "refused", "played"]
    compare(past, reader, list(RECAST[past.slug](past, reader, Random(0))))


@every_game
def test_the_histories_are_of_every_kind(game: Game[Any]) -> None:
    pasts = [history(game, number) for number in range(150)]
    verdicts = {(attempt.seat, attempt.verdict) for past in pasts for attempt in past.attempts}
    lengths = {len(past.moves) for past in pasts}
    assert {past.first for past in pasts} == set(SEATS)
    assert {past.assist for past in pasts} == {True, False}
    assert verdicts >= {(seat, verdict) for seat in SEATS for verdict in ("played", "refused")}
    assert min(lengths) <= 2
    assert max(lengths) >= 6  # the longest game of Pebbles has no more
    assert {past.ending is None for past in pasts} == {True, False}
