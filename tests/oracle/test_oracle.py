"""Random games, judged twice: the games of the server against the rules written once more, slowly and plainly.

The oracles follow the rules alone, and share no code with the games. Both hear the same lines, legal,
illegal and unreadable; they must agree after each of them on the answer, on what each reader is told and shown, on who
may act, on what is sealed, and on the end.
"""

from collections import Counter

import pytest

from tests.oracle.comparison import ORACLES, Comparison, Disagreement
from tests.oracle.grid_conquest import GridConquest
from tests.oracle.grid_hunt import GridHunt
from tests.oracle.quantum_duel import QuantumDuel
from tests.oracle.secret_paths import BurningPaths, SecretPaths
from tests.oracle.treasure_hunt_duel import TreasureHuntDuel

GAMES, MANY = 2_000, 40_000
REASONS = {
    "treasure-hunt-duel": {"treasure"},
    "grid-hunt": {"treasure"},
    "grid-conquest": {"points", "draw"},
    "quantum-duel": {"capture", "collision"},
    "secret-paths": {"goal"},
    "secret-paths-burning": {"goal", "stuck"},
}


@pytest.mark.parametrize("slug", ORACLES)
def test_a_game_and_the_rules_written_once_more_agree_on_every_line(slug, long):
    answers, ends = Counter(), Counter()
    for seed in range(MANY if long else GAMES):
        comparison = Comparison(slug, seed)
        try:
            ends[comparison.play()] += 1
        except Disagreement as disagreement:
            seat, line = comparison.typed[-1] if comparison.typed else (None, None)
            pytest.fail(f"{disagreement}, after {seat} typed {line!r}: python -m tests.oracle {slug} {seed}")
        answers.update(comparison.answers)
    assert set(answers) == {"ok", "syntax", "illegal", "not theirs"} | (
        {"foul"} if slug.startswith("secret-paths") else set()
    )
    assert {end[1] for end in ends if end} == REASONS[slug]
    assert {end[0] for end in ends if end} >= {1, 2}


# A comparison that finds nothing must be one that would have found something.


class DistanceAcross(TreasureHuntDuel):
    def distance(self, name):
        return max(abs(int(name[0]) - int(self.treasure[0])), abs(ord(name[1]) - ord(self.treasure[1])))


class FourScans(GridHunt):
    def __init__(self, first, dealt):
        super().__init__(first, dealt)
        self.scans = {1: 4, 2: 4}


class SixteenPoints(GridConquest):
    GOAL = 16

    def sees(self, reader):
        return super().sees(reader) | {"goal": 15}


class HarmlessCollisions(QuantumDuel):
    def is_collision(self):
        return False


class EitherGoal(SecretPaths):
    def wins(self, seat, cell):
        return cell in self.goals.values()


class FourFouls(SecretPaths):
    FOULS = 4


class ThreeEntries(BurningPaths):
    ENTRIES = 3


@pytest.mark.parametrize(
    ("slug", "mistaken"),
    [
        ("treasure-hunt-duel", DistanceAcross),
        ("grid-hunt", FourScans),
        ("grid-conquest", SixteenPoints),
        ("quantum-duel", HarmlessCollisions),
        ("secret-paths", EitherGoal),
        ("secret-paths", FourFouls),
        ("secret-paths-burning", ThreeEntries),
    ],
)
def test_a_mistake_in_the_rules_is_found_before_long(slug, mistaken):
    with pytest.raises(Disagreement):
        play_many(slug, mistaken)


def play_many(slug, oracle):
    for seed in range(500):
        Comparison(slug, seed, oracle).play()
