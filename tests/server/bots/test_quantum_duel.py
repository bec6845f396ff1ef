"""The computer at Quantum Duel: where it moves, what it looks at, when it tunnels."""

from gridgames_server.bots.policy import legal_lines
from gridgames_server.bots.quantum_duel import quantum_duel, seen
from gridgames_server.games.quantum_duel import LINE, QuantumDuel
from tests.server.bots.chair import MOODS, each_level, might_type, shown
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
    belief = seen(shown(table.match, seat)).belief
    assert belief
    return dict(zip(LINE.names, belief.everywhere(), strict=True))


def test_hard_does_not_start_at_an_end_because_few_rivals_break_there():
    lines = might_type(duel().match, 1)
    assert len(lines) > 2
    assert lines <= {"MOVE 2", "MOVE 3", "MOVE 4", "MOVE 5", "MOVE 6"}


@each_level
def test_no_level_tunnels_onto_the_line_where_a_move_may_go_anywhere(level):
    for table, seat in ((duel(), 1), (duel("4 1"), 2)):
        assert all(line.startswith("MOVE") for line in might_type(table.match, seat, level))


def test_hard_starts_where_the_rival_has_just_looked_because_they_may_not_look_there_again_at_once():
    assert [might_type(duel(f"4 {name}").match, 2) for name in LINE.names] == [{f"MOVE {name}"} for name in LINE.names]


def test_while_the_rival_is_off_the_line_hard_looks_anywhere_at_itself_too():
    table = duel()
    table.types(1, "MOVE 4")
    assert might_type(table.match, 1) == EVERYWHERE


def test_where_one_has_just_looked_the_rival_is_less_likely_than_farther_on():
    belief = weights(duel("4 1", "1 2", "4 6", "1 3", "4 7", "1 5"), 1)
    assert belief["7"] < belief["6"] < belief["2"]


def test_the_rival_is_not_where_the_own_token_stands():
    assert weights(duel("4 1", "6 2"), 1)["4"] == 0
    table = duel("4 1", "6 2")
    table.types(1, "MOVE 5")
    assert weights(table, 1)["5"] == 0


def test_a_tunnel_may_have_brought_the_rival_anywhere():
    assert min(weight for name, weight in weights(duel("4 1", "6 2", "4 3", "6 7"), 1).items() if name != "4") > 0.05


def test_hard_stays_while_a_step_could_break_its_token():
    assert might_type(duel("4 1", "6 3").match, 1) == {"MOVE 4"}


def test_hard_steps_to_where_a_thinking_rival_has_just_looked_because_they_are_not_there():
    assert might_type(duel("4 1", "6 7", "4 2", "6 1", "4 5", "6 3", "4 7", "6 5").match, 1) == {"MOVE 5"}


def test_a_rival_who_looks_again_where_nothing_was_is_a_rambler_and_may_be_there():
    assert might_type(duel("4 1", "6 7", "4 2", "6 5", "4 5", "6 3", "4 7", "6 5").match, 1) == {"MOVE 4"}


def test_hard_tunnels_to_such_a_place_when_it_is_too_far_for_a_step():
    assert might_type(duel("4 1", "6 5", "4 2", "6 3", "4 3", "6 7", "4 1", "6 1").match, 1) == {"TUNNEL 1"}


def test_without_its_tunnel_hard_stays_instead():
    table = Table(QuantumDuel())
    table.types(1, "TUNNEL 4", "OBSERVE 1")
    for seat, to, at in ((2, 6, 5), (1, 4, 2), (2, 6, 3), (1, 4, 3), (2, 6, 7), (1, 4, 1), (2, 6, 1)):
        table.types(seat, f"MOVE {to}", f"OBSERVE {at}")
    assert might_type(table.match, 1) == {"MOVE 4"}


def test_hard_looks_neither_where_it_looked_before_nor_at_itself():
    table = duel("4 1", "6 2", "4 3", "6 7", "4 5", "7 2")
    table.types(1, "MOVE 4")
    assert not might_type(table.match, 1) & {"OBSERVE 3", "OBSERVE 4", "OBSERVE 5"}


def test_medium_mostly_stays_and_looks_at_the_likeliest_position():
    table = duel("4 1", "6 2", "4 3", "6 7", "4 5", "7 2")
    movements = [quantum_duel(shown(table.match, 1), "medium", mood) for mood in MOODS]
    assert set(movements) == {"STAY", "MOVE 3", "MOVE 5"}
    assert movements.count("STAY") > len(MOODS) / 3
    table.types(1, "STAY")
    belief = weights(table, 1)
    looks = [quantum_duel(shown(table.match, 1), "medium", mood) for mood in MOODS]
    assert max(looks, key=looks.count) == f"OBSERVE {max(belief, key=belief.__getitem__)}"
    assert len(set(looks)) > 1  # it has lapses


def test_easy_never_stays_and_looks_anywhere():
    table = duel("4 1", "6 2")
    assert might_type(table.match, 1, "easy") == {"MOVE 3", "MOVE 5"}
    table.types(1, "MOVE 5")
    assert might_type(table.match, 1, "easy") == EVERYWHERE - {"OBSERVE 1"}


@each_level
def test_a_game_longer_than_what_is_shown_of_it_is_played_on(level):
    rounds = [turn for look in "1231231231" for turn in (f"4 {look}", f"7 {look}")]
    table = duel(*rounds)
    assert len(table.sees(1).state["observations"]) < len(rounds)
    assert might_type(table.match, 1, level) <= set(legal_lines(shown(table.match, 1)))


@each_level
def test_where_the_rival_is_changes_nothing(level):
    here, there = duel("4 1", "6 2", "4 3", "7 5"), duel("4 1", "2 2", "4 3", "1 5")
    assert shown(here.match, 1) == shown(there.match, 1)
    for movement in (None, "MOVE 5"):
        if movement:
            here.types(1, movement)
            there.types(1, movement)
        assert might_type(here.match, 1, level) == might_type(there.match, 1, level)
