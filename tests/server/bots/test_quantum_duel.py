"""The computer at Quantum Duel: where it moves, what it looks at, when it tunnels."""

import pytest

from gridgames_server.bots.policy import list_legal_lines
from gridgames_server.bots.quantum_duel import read_view, value_lines
from gridgames_server.games.quantum_duel import LINE, QuantumDuel
from tests.server.bots.bot_seat import chances, each_level, might_type, shown
from tests.server.games.dialogue import Table

EVERYWHERE = {f"OBSERVE {name}" for name in LINE.names}


def duel(*turns: str) -> Table:
    """A table after some turns from seat 1 on, each a movement and an observation: "4 1" moves to 4 and looks at 1."""
    table = Table(QuantumDuel())
    for number, turn in enumerate(turns):
        to, at = turn.split()
        table.types(1 + number % 2, f"MOVE {to}", f"OBSERVE {at}")
    return table


def weights(table: Table, seat: int) -> dict[str, float]:
    """How likely the bot in a seat holds each position of the rival."""
    belief = read_view(shown(table.match, seat)).belief
    assert belief
    return dict(zip(LINE.names, belief, strict=True))


def test_hard_starts_anywhere_wherever_the_rival_has_looked():
    starts = [chances(duel().match, 1), *(chances(duel(f"4 {name}").match, 2) for name in LINE.names)]
    assert all(start == starts[0] for start in starts)
    assert len(starts[0]) == len(LINE)
    assert max(starts[0].values()) < 0.2


@each_level
def test_no_level_tunnels_onto_the_line_where_a_move_may_go_anywhere(level):
    for table, seat in ((duel(), 1), (duel("4 1"), 2)):
        assert all(line.startswith("MOVE") for line in chances(table.match, seat, level))


def test_hard_mostly_stays_and_never_tunnels():
    likely = chances(duel("4 1", "6 3").match, 1)
    assert likely["STAY"] > 0.5
    assert likely.keys() <= {"STAY", "MOVE 3", "MOVE 5"}


def test_hard_may_look_at_nearly_every_position():
    table = duel("4 1", "6 2")
    table.types(1, "MOVE 4")
    likely = chances(table.match, 1)
    assert likely.keys() >= EVERYWHERE - {"OBSERVE 1", "OBSERVE 4"}
    assert max(likely.values()) < 0.4


def test_the_table_is_the_same_from_both_ends_of_the_line():
    here, there = chances(duel("2 1", "6 3").match, 1), chances(duel("6 7", "2 5").match, 1)
    assert here["STAY"] == there["STAY"]
    assert here.get("MOVE 3") == there.get("MOVE 5")


def test_where_one_has_just_looked_the_rival_is_not():
    table = duel("4 1", "6 2")
    table.types(1, "MOVE 4", "OBSERVE 7")
    assert weights(table, 1)["7"] == 0


def test_the_rival_is_not_where_the_own_token_stands():
    assert weights(duel("4 1", "6 2"), 1)["4"] == 0
    table = duel("4 1", "6 2")
    table.types(1, "MOVE 5")
    assert weights(table, 1)["5"] == 0


def test_a_tunnel_may_have_brought_the_rival_anywhere():
    belief = weights(duel("4 1", "6 2", "4 3", "6 7"), 1)
    assert min(weight for name, weight in belief.items() if name != "4") > 0.01


def test_a_step_that_may_collide_is_worth_less_than_staying():
    values = value_lines(shown(duel("4 1", "6 3").match, 1))
    assert values["STAY"] > values["MOVE 5"] + 0.05


def test_medium_and_easy_like_to_move():
    match = duel("4 1", "6 3").match
    stays = [chances(match, 1, level).get("STAY", 0.0) for level in ("hard", "medium", "easy")]
    assert stays[0] > 0.5 > stays[1]
    assert stays[2] < 0.2


@pytest.mark.parametrize("level", ["medium", "easy"])
def test_nobody_looks_at_the_own_position(level):
    table = duel("4 1", "6 3")
    table.types(1, "STAY")
    assert "OBSERVE 4" not in chances(table.match, 1, level)


@each_level
def test_a_game_longer_than_what_is_shown_of_it_is_played_on(level):
    rounds = [turn for look in "1231231231" for turn in (f"4 {look}", f"7 {look}")]
    table = duel(*rounds)
    assert len(table.sees(1).state["observations"]) < len(rounds)
    assert might_type(table.match, 1, level) <= set(list_legal_lines(shown(table.match, 1)))


@each_level
def test_where_the_rival_is_changes_nothing(level):
    here, there = duel("4 1", "6 2", "4 3", "7 5"), duel("4 1", "2 2", "4 3", "1 5")
    assert shown(here.match, 1) == shown(there.match, 1)
    for movement in (None, "MOVE 5"):
        if movement:
            here.types(1, movement)
            there.types(1, movement)
        assert might_type(here.match, 1, level) == might_type(there.match, 1, level)
