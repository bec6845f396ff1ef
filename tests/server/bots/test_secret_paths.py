"""The computer at Secret Paths: it wins when it can, stays safe, and lures."""

from dataclasses import replace

import pytest

from gridgames_protocol.messages import Show
from gridgames_server.bots import BOTS
from gridgames_server.bots.policy import list_legal_lines, pick
from gridgames_server.bots.secret_paths import read_view
from gridgames_server.games import VARIANTS
from gridgames_server.games.game import Chance
from gridgames_server.games.match import Match
from gridgames_server.games.secret_paths import GRID, SecretPaths
from tests.server.bots.bot_seat import MOODS, chances, each_level, might_type, shown
from tests.server.games.dialogue import Table


def paths(one: int, two: int, *cells: str, first: int = 1) -> Table:
    """A table where both have chosen their goals' columns, and moved the Seeker in turn."""
    table = Table(SecretPaths(), first)
    table.types(1, f"GOAL {one}")
    table.types(2, f"GOAL {two}")
    for number, cell in enumerate(cells):
        table.types(1 + (number + first - 1) % 2, f"MOVE {cell}")
    return table


def rows(lines: set[str]) -> set[int]:
    return {int(line.removeprefix("MOVE ").partition(",")[0]) for line in lines}


def goals(table: Table, seat: int) -> dict[str, float]:
    """What is left of the belief in each of the rival's goals."""
    return {GRID.names[cell]: weight for cell, weight in read_view(shown(table.match, seat)).rival_goals.items()}


@each_level
@pytest.mark.parametrize("seat", [1, 2])
def test_any_goal_may_be_chosen(level, seat):
    row = {1: 5, 2: 1}[seat]
    assert might_type(Table(SecretPaths()).match, seat, level) == {f"GOAL {row},{column}" for column in range(1, 6)}


def test_hard_takes_the_win_beside_the_seeker():
    assert might_type(paths(3, 2, "4,3", "4,4").match, 1) == {"MOVE 5,3"}
    assert might_type(paths(3, 2, "2,3").match, 2) == {"MOVE 1,2"}


def test_hard_drives_the_seeker_into_its_own_half_where_the_rival_has_nothing_to_win():
    assert rows(might_type(paths(1, 2).match, 1)) <= {3, 4}
    assert rows(might_type(paths(1, 2, first=2).match, 2)) <= {2, 3}


def test_hard_takes_the_seeker_back_from_the_rivals_half():
    assert rows(might_type(paths(1, 2, "3,4", "2,4").match, 1)) == {3}
    assert rows(might_type(paths(1, 2, "4,4").match, 2)) == {3}


def test_a_cell_that_the_rival_entered_or_passed_up_is_hardly_their_goal():
    belief = goals(paths(5, 5, "2,2", "1,2", "2,2", "3,1"), 1)
    assert belief["1,2"] < belief["1,1"] == belief["1,3"] < 0.1


def test_a_goal_that_the_rival_goes_away_from_is_a_little_less_likely():
    belief = goals(paths(5, 5, "3,2", "2,1"), 1)
    assert 0.5 < belief["1,5"] < belief["1,1"] == 1


def test_in_the_rivals_row_hard_leaves_the_seeker_where_the_least_can_happen():
    table = paths(5, 5, "2,2", "1,1")
    # The rival entered 1,1 and passed up 1,2 and 1,3: one of these is beside either cell, and both are beside 2,2.
    assert might_type(table.match, 1) == {"MOVE 2,1", "MOVE 1,2"}


def test_hard_varies_and_bluffs():
    assert len(chances(paths(1, 2).match, 1)) > 2


def test_hard_varies_its_safe_moves_when_the_seeker_goes_to_and_fro():
    circling = paths(1, 2, *["3,4", "3,3"] * 6)
    assert might_type(circling.match, 1) == {f"MOVE {cell}" for cell in ("3,2", "3,4", "4,2", "4,3", "4,4")}


class Wild:
    """A rival who moves anywhere, but takes every win."""

    def __init__(self, number: int) -> None:
        self.chance = Chance(number.to_bytes(32, "big"))

    def types(self, show: Show) -> str:
        lines = list_legal_lines(show)
        home = f"MOVE {show.view.state['goals'][show.you - 1]}"
        return home if home in lines else pick(self.chance, lines, f"line {show.rev}")


@pytest.mark.parametrize("number", range(40))
def test_hard_never_gives_a_win_away(number):
    match, seat, rival = Match(SecretPaths(), bytes(32), 1 + number % 2), 1 + number // 2 % 2, Wild(number)
    while to_act := match.to_act():
        mover = min(to_act)
        show = shown(match, mover)
        match.play(mover, BOTS["secret-paths"](show, "hard", MOODS[number]) if mover == seat else rival.types(show))
    assert match.outcome.winner == seat


@each_level
def test_every_level_takes_a_win(level):
    assert chances(paths(3, 2, "4,3", "4,4").match, 1, level) == {"MOVE 5,3": 1.0}


def test_medium_mostly_avoids_the_rivals_row_and_easy_less():
    match = paths(1, 2, "3,4", "2,4").match
    safe = [
        sum(chance for line, chance in chances(match, 1, level).items() if rows({line}) == {3})
        for level in ("hard", "medium", "easy")
    ]
    assert safe[0] == pytest.approx(1)
    assert 0.95 > safe[1] > safe[2] + 0.1


@each_level
def test_the_rivals_goal_changes_nothing(level):
    here, there = paths(3, 1, "4,4", "3,4"), paths(3, 5, "4,4", "3,4")
    assert shown(here.match, 1) == shown(there.match, 1)
    assert might_type(here.match, 1, level) == might_type(there.match, 1, level)


# The variant `burning`


def burning(one: int, two: int, *cells: str) -> Table:
    """A table of the variant, after some moves."""
    table = Table(VARIANTS["secret-paths", "burning"], 1)
    table.types(1, f"GOAL {one}")
    table.types(2, f"GOAL {two}")
    for number, cell in enumerate(cells):
        table.types(1 + number % 2, f"MOVE {cell}")
    return table


@each_level
def test_in_the_variant_every_level_takes_a_win_unless_its_goal_is_burnt(level):
    assert chances(burning(3, 2, "4,3", "4,4").match, 1, level) == {"MOVE 5,3": 1.0}
    match = burning(3, 2, "4,3", "4,4").match
    match.state = replace(match.state, entered=tuple(2 if GRID.names[at] == "5,3" else 1 for at in range(25)))
    assert "MOVE 5,3" not in chances(match, 1, level)


def test_in_the_variant_hard_leaves_the_rival_stuck_if_it_can():
    match = burning(1, 1, "3,4", "3,5").match
    open_cells = {"2,5": 1, "4,4": 1, "5,5": 1}  # from 2,5 nothing is left, from 4,4 one step for the rival
    match.state = replace(match.state, entered=tuple(2 - open_cells.get(name, 0) for name in GRID.names))
    assert might_type(match, 1) == {"MOVE 2,5"}


def test_hard_beats_a_random_player_at_the_variant():
    won = 0
    for number in range(20):
        match, rival = Match(VARIANTS["secret-paths", "burning"], bytes([number]) * 32, 1), Wild(number)
        while to_act := match.to_act():
            mover = min(to_act)
            show = shown(match, mover)
            match.play(mover, BOTS["secret-paths"](show, "hard", MOODS[number]) if mover == 1 else rival.types(show))
        won += match.outcome.winner == 1
    assert won >= 17
