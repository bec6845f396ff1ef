"""The other worlds are neither too few nor too many: counted by hand for short games."""

from random import Random

import pytest

from gridgames_server.games.grid_conquest import GridConquest
from gridgames_server.games.grid_hunt import GridHunt
from gridgames_server.games.quantum_duel import QuantumDuel
from gridgames_server.games.seats import Reader
from gridgames_server.games.secret_paths import SecretPaths
from gridgames_server.games.treasure_hunt_duel import TreasureHuntDuel
from tests.secrecy.games.game_twins import typed_instead
from tests.secrecy.games.histories import History, recorded
from tests.secrecy.games.other_worlds import RECAST, World, walks
from tests.secrecy.games.phrases import draws
from tests.sixth_game import Pebbles

EVERY_READER = (1, 2, None)


def worlds(past: History, reader: Reader) -> list[World]:
    """The worlds that last through the whole history."""
    assert all(attempt.verdict == "played" for attempt in past.attempts)
    found = RECAST[past.slug](past, reader, Random(0))
    return [world for world in found if world.until == len(past.attempts)]


def count(past: History) -> list[int]:
    """How many other worlds there are for seat 1, seat 2 and a watcher."""
    return [len(worlds(past, reader)) for reader in EVERY_READER]


def test_a_distance_leaves_its_circle_to_the_one_who_asked() -> None:
    lines = [(1, "QUERY 3C"), (2, "GUESS 2B")]
    treasure = {"treasure": 18}
    assert count(recorded(TreasureHuntDuel(), 1, lines[:0], treasure)) == [24, 24, 24]
    assert count(recorded(TreasureHuntDuel(), 1, lines[:1], treasure)) == [7, 24, 24]
    assert count(recorded(TreasureHuntDuel(), 1, lines, treasure)) == [6, 23, 23]


def test_a_rigged_treasure_is_the_one_that_is_sealed() -> None:
    past = recorded(TreasureHuntDuel(), 1, [], {"treasure": 18})
    assert [secret.value for secret in past.match().list_reveals()] == ["4D"]
    assert [secret.value for secret in past.match({"treasure": 0}).list_reveals()] == ["1A"]


def test_a_scan_leaves_corners_and_a_miss_one_cell_less() -> None:
    lines = [(1, "HIDE 2 3"), (2, "HIDE 5 5"), (1, "scan (3,3)"), (2, "DIG 22"), (1, "DIG 11")]
    assert count(recorded(GridHunt(), 1, lines[:1])) == [0, 24, 24]
    assert count(recorded(GridHunt(), 1, lines[:2])) == [24, 24, 624]
    assert count(recorded(GridHunt(), 1, lines[:3])) == [3, 24, 624]
    assert count(recorded(GridHunt(), 1, lines)) == [2, 23, 575]


@pytest.mark.parametrize("reader", EVERY_READER)
def test_a_claim_leaves_the_values_that_it_does_not_touch(reader: Reader) -> None:
    dealt = draws("grid-conquest", Random(0))
    found = worlds(recorded(GridConquest(), 1, [(1, "C3")], dealt), reader)
    changed = [[label for label in dealt if dealt[label] != world.draws[label]] for world in found]
    assert sum(len(labels) == 1 for labels in changed) >= 16 * 4
    assert any(len(labels) > 1 for labels in changed)
    assert {label[-2:] for labels in changed for label in labels} == {
        *("A1", "A2", "A3", "A4", "A5", "B1", "B5", "C1", "C5", "D1", "D5", "E1", "E2", "E3", "E4", "E5")
    }


def test_rigged_values_are_the_ones_that_are_sealed() -> None:
    past = recorded(GridConquest(), 1, [], draws("grid-conquest", Random(0)))
    (values,) = past.match().list_reveals()
    assert values.value == "".join(str(value + 1) for value in past.draws.values())


def test_a_look_leaves_the_walks_that_it_did_not_meet() -> None:
    lines = [
        *((1, "MOVE 3"), (1, "OBSERVE 5"), (2, "MOVE 5"), (2, "OBSERVE 1")),
        *((1, "STAY"), (1, "OBSERVE 6"), (2, "STAY")),
    ]
    past = recorded(QuantumDuel(), 1, lines)

    def ways(reader: Reader) -> list[int]:
        return [len(list(walks(past, reader, Random(0), until))) for until in range(len(lines) + 1)]

    # Seat 2 may have put its token anywhere, by MOVE or TUNNEL; on 3 too, until its look brings no collision to light.
    assert ways(1) == [0, 0, 0, 13, 11, 11, 9, 70]
    assert ways(None)[:5] == [0, 13, 13, 14 * 14 - 1, 4 * 36 - 1]


def test_a_landing_that_does_not_win_rules_out_the_movers_goal_there() -> None:
    lines = [
        *((1, "GOAL 5 2"), (2, "GOAL 1 4")),
        *((1, "MOVE 4 2"), (2, "MOVE 4 1"), (1, "MOVE 5 1"), (2, "MOVE 5 2")),
    ]
    assert count(recorded(SecretPaths(), 1, lines[:1])) == [0, 4, 4]
    assert count(recorded(SecretPaths(), 1, lines[:4])) == [4, 4, 24]
    assert count(recorded(SecretPaths(), 1, lines)) == [4, 3, 19]


def test_a_wrong_guess_rules_out_a_sum() -> None:
    lines = [(1, "HOLD 1"), (2, "HOLD 2"), (1, "GUESS 5"), (2, "GUESS 4")]
    assert count(recorded(Pebbles(), 1, lines[:2])) == [2, 2, 8]
    assert count(recorded(Pebbles(), 1, lines[:3])) == [2, 1, 6]
    assert count(recorded(Pebbles(), 1, lines)) == [1, 0, 3]


def test_a_line_that_others_typed_in_vain_is_left_out() -> None:
    past = recorded(GridHunt(), 1, [(1, "HIDE 2 3"), (1, "HIDE 2 3"), (2, "xyzzy"), (2, "HIDE 1 1")])
    assert [attempt.verdict for attempt in past.attempts] == ["played", "refused", "refused", "played"]
    world = World({}, {0: "HIDE 4 4"}, 4)
    assert list(typed_instead(past, 2, world)) == [(1, "HIDE 4 4"), (1, None), (2, "xyzzy"), (2, "HIDE 1 1")]
