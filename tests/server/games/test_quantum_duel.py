"""Quantum Duel, line by line."""

import pytest

from gridgames_server.games.quantum_duel import LINE, QuantumDuel
from tests.server.games.dialogue import Table

UNREAD = "That was not understood. "
MOVE_FIRST = "First put your token anywhere on the line, for example MOVE 4."
THEN_LOOK = "You have moved. Now look at a position, for example OBSERVE 1."
NOT_PLACED = "Your token is not on the line yet. Put it somewhere first, for example MOVE 4."


def duel(*turns: tuple[str, str], first: int = 1) -> Table:
    """A table after these turns, each a movement and an observation."""
    table = Table(QuantumDuel(), first)
    for movement, observation in turns:
        (seat,) = table.match.to_act()
        table.types(seat, movement, observation)
    return table


def test_the_example_of_a_capture():
    Table(QuantumDuel()).goes("""
        12w Welcome to Quantum Duel!
        12w Player 1's turn.
        1> MOVE 3
        12w Sealed: token of 1, move 1.
        12w Player 1 has moved.
        1> OBSERVE 5
        12w Player 1 observed position 5.
        12w Player 2's token is not at position 5.
        12w Player 2's turn.
        2> MOVE 5
        12w Sealed: token of 2, move 1.
        12w Player 2 has moved.
        2> OBSERVE 3
        12w Player 2 observed position 3.
        12w Player 1's token is at position 3.
        end 2 capture: Player 2 wins by capturing Player 1's token!
    """)


def test_the_example_of_a_collision():
    duel(("MOVE 4", "OBSERVE 1"), ("MOVE 6", "OBSERVE 1")).goes("""
        1> MOVE 5
        12w Sealed: token of 1, move 2.
        12w Player 1 has moved.
        1> OBSERVE 2
        12w Player 1 observed position 2.
        12w Player 2's token is not at position 2.
        12w Player 2's turn.
        2> MOVE 5
        12w Sealed: token of 2, move 2.
        12w Player 2 has moved.
        2> OBSERVE 7
        12w Player 2 observed position 7.
        12w Player 1's token is not at position 7.
        12w Player 2 had moved onto Player 1's token. This counts before the look.
        end 1 collision: Player 1 wins! Player 2's token destabilized in collision.
    """)


def test_the_original_example_of_a_tunnel_that_is_caught():
    duel(("MOVE 3", "OBSERVE 1"), ("MOVE 6", "OBSERVE 1")).goes("""
        1> TUNNEL 7
        12w Sealed: token of 1, move 2.
        12w Player 1 has moved.
        1> OBSERVE 5
        12w Player 1 observed position 5.
        12w Player 2's token is not at position 5.
        12w Player 2's turn.
        2> MOVE 6
        12w Sealed: token of 2, move 2.
        12w Player 2 has moved.
        2> OBSERVE 7
        12w Player 2 observed position 7.
        12w Player 1's token is at position 7.
        end 2 capture: Player 2 wins by capturing Player 1's token!
    """)


def test_the_original_example_of_a_collision_after_a_first_tunnel():
    Table(QuantumDuel()).goes("""
        12w Welcome to Quantum Duel!
        12w Player 1's turn.
        1> TUNNEL 7
        12w Sealed: token of 1, move 1.
        12w Player 1 has moved.
        1> OBSERVE 5
        12w Player 1 observed position 5.
        12w Player 2's token is not at position 5.
        12w Player 2's turn.
        2> MOVE 7
        12w Sealed: token of 2, move 1.
        12w Player 2 has moved.
        2> OBSERVE 4
        12w Player 2 observed position 4.
        12w Player 1's token is not at position 4.
        12w Player 2 had moved onto Player 1's token. This counts before the look.
        end 1 collision: Player 1 wins! Player 2's token destabilized in collision.
    """)


def test_a_collision_comes_before_a_capture():
    duel(("MOVE 4", "OBSERVE 1")).goes("""
        2> MOVE 4
        12w Sealed: token of 2, move 1.
        12w Player 2 has moved.
        2> OBSERVE 4
        12w Player 2 observed position 4.
        12w Player 1's token is at position 4.
        12w Player 2 had moved onto Player 1's token. This counts before the look.
        end 1 collision: Player 1 wins! Player 2's token destabilized in collision.
    """)


@pytest.mark.parametrize("movement", ["MOVE 4", "TUNNEL 4"])
def test_a_collision_is_not_told_before_the_look(movement):
    table = duel(("MOVE 4", "OBSERVE 1"))
    table.types(2, movement)
    assert table.match.outcome is None
    assert [table.reads(reader) for reader in (1, 2, None)] == [
        ["Sealed: token of 2, move 1.", "Player 2 has moved."]
    ] * 3
    table.types(2, "OBSERVE 1")
    assert table.match.outcome.reason == "collision"


@pytest.mark.parametrize("position", LINE.names)
def test_a_token_off_the_line_is_at_no_position(position):
    table = duel(("MOVE 4", f"OBSERVE {position}"))
    assert table.reads(1)[1] == f"Player 2's token is not at position {position}."
    assert table.match.to_act() == {2}


@pytest.mark.parametrize("movement", ["MOVE 3", "MOVE 4", "STAY", "TUNNEL 1", "TUNNEL 4"])
def test_no_movement_is_told_apart_from_another(movement):
    table = duel(("MOVE 4", "OBSERVE 1"), ("MOVE 7", "OBSERVE 1"))
    table.types(1, movement)
    said = ["Sealed: token of 1, move 2.", "Player 1 has moved."]
    assert [table.reads(reader) for reader in (1, 2, None)] == [said, said, said]


def test_that_a_tunnel_is_used_up_only_its_owner_sees():
    plain, used = duel(("MOVE 4", "OBSERVE 1")), duel(("TUNNEL 4", "OBSERVE 1"))
    assert ("Your tunnel", "not used") in plain.sees(1).facts
    assert ("Your tunnel", "used") in used.sees(1).facts
    assert (plain.sees(1).state["tunnel"], used.sees(1).state["tunnel"]) == (True, False)
    assert plain.sees(2) == used.sees(2)
    assert plain.sees(None) == used.sees(None)
    assert used.sees(1).private == ("Your tunnel", "Tunnel")
    assert used.sees(None).private == ()


@pytest.mark.parametrize("movement", ["MOVE {}", "TUNNEL {}"])
@pytest.mark.parametrize("position", LINE.names)
def test_the_first_movement_puts_the_token_anywhere(movement, position):
    table = Table(QuantumDuel())
    table.types(1, movement.format(position))
    assert table.sees(1).state["tokens"] == (int(position), None)


def test_a_first_movement_by_tunnel_uses_the_tunnel_up():
    table = duel(("TUNNEL 4", "OBSERVE 1"), ("MOVE 7", "OBSERVE 1"))
    assert table.refuses(1, "TUNNEL 1") == (
        "illegal",
        "You have used your tunnel. Your token can go to 3, 4, 5.",
    )
    assert table.allows(1) == {"MOVE": ("3", "4", "5"), "STAY": None, "TUNNEL": ()}


def test_each_player_has_a_tunnel_of_their_own():
    table = duel(("TUNNEL 4", "OBSERVE 1"), ("TUNNEL 7", "OBSERVE 1"))
    assert table.sees(1).state["tunnel"] is table.sees(2).state["tunnel"] is False


@pytest.mark.parametrize(
    ("at", "reach"), [("1", ("1", "2")), ("2", ("1", "2", "3")), ("6", ("5", "6", "7")), ("7", ("6", "7"))]
)
def test_a_move_goes_to_a_neighbour_or_stays(at, reach):
    table = duel((f"MOVE {at}", "OBSERVE 1"), ("TUNNEL 4", "OBSERVE 5"))
    assert table.allows(1) == {"MOVE": reach, "STAY": None, "TUNNEL": LINE.names}
    for position in set(LINE.names) - set(reach):
        assert table.refuses(1, f"MOVE {position}") == (
            "illegal",
            f"That is too far. Your token can go to {', '.join(reach)}, or anywhere with TUNNEL, once.",
        )
    table.types(1, f"MOVE {at}")
    assert table.sees(1).state["tokens"] == (int(at), None)


def test_who_moves_too_far_without_a_tunnel_is_not_pointed_to_it():
    table = duel(("TUNNEL 4", "OBSERVE 1"), ("MOVE 7", "OBSERVE 1"))
    assert table.refuses(1, "MOVE 1") == ("illegal", "That is too far. Your token can go to 3, 4, 5.")


def test_nobody_stays_before_being_placed():
    table = Table(QuantumDuel())
    assert table.refuses(1, "STAY") == ("illegal", NOT_PLACED)
    assert table.allows(1) == {"MOVE": LINE.names, "TUNNEL": LINE.names}
    table.types(1, "MOVE 4", "OBSERVE 1")
    assert table.refuses(2, "STAY") == ("illegal", NOT_PLACED)


def test_staying_leaves_the_token_and_counts_as_a_movement():
    table = duel(("MOVE 4", "OBSERVE 1"), ("MOVE 7", "OBSERVE 1"), ("STAY", "OBSERVE 2"))
    assert table.sees(1).state["tokens"] == (4, None)
    assert table.sees(None).state["movements"] == (2, 1)


def test_nobody_observes_the_position_of_their_own_previous_observation():
    table = duel(("MOVE 4", "OBSERVE 5"), ("MOVE 7", "OBSERVE 5"))
    table.types(1, "STAY")
    assert table.refuses(1, "OBSERVE 5") == (
        "illegal",
        "You observed position 5 on your last turn. Choose another, for example 1.",
    )
    assert table.allows(1) == {"OBSERVE": ("1", "2", "3", "4", "6", "7")}
    table.types(1, "OBSERVE 1")
    table.types(2, "STAY", "OBSERVE 1")
    table.types(1, "STAY")
    assert table.refuses(1, "OBSERVE 1")[1].endswith("for example 2.")
    table.types(1, "OBSERVE 5")


def test_the_others_previous_observation_binds_nobody():
    table = duel(("MOVE 4", "OBSERVE 5"))
    table.types(2, "MOVE 7", "OBSERVE 5")
    assert table.reads(2)[0] == "Player 2 observed position 5."


def test_a_turn_is_a_movement_and_then_an_observation():
    table = Table(QuantumDuel())
    assert table.refuses(1, "OBSERVE 4") == ("illegal", MOVE_FIRST)
    table.types(1, "MOVE 4")
    assert table.match.to_act() == {1}
    for line in ("MOVE 5", "STAY", "TUNNEL 5"):
        assert table.refuses(1, line) == ("illegal", THEN_LOOK)
    assert table.refuses(2, "MOVE 5") == ("not_your_turn", "It is Player 1's turn.")


def test_each_sees_their_own_token_and_watchers_none():
    table = duel(("MOVE 4", "OBSERVE 1"), ("MOVE 7", "OBSERVE 2"))
    assert table.marks(1) == {"1": ("x", "miss"), "2": ("o", "theirs"), "4": ("Q", "token")}
    assert table.marks(2) == {"1": ("o", "theirs"), "2": ("x", "miss"), "7": ("Q", "token")}
    assert table.marks(None) == {"1": ("x", "miss"), "2": ("o", "theirs")}
    assert table.sees(1).board.masks == (("4", "", "hidden"),)
    assert [table.sees(reader).state["tokens"] for reader in (1, 2, None)] == [(4, None), (None, 7), (None, None)]


def test_two_looks_and_the_token_share_a_cell():
    table = duel(("MOVE 4", "OBSERVE 5"), ("MOVE 7", "OBSERVE 5"))
    table.types(1, "MOVE 5")
    assert table.marks(1) == {"5": ("xoQ", "token")}
    assert table.marks(2) == {"5": ("ox", "miss"), "7": ("Q", "token")}
    assert table.sees(1).board.masks == (("5", "xo", "theirs"),)


def test_the_latest_looks_of_both_stand_beside_the_line():
    table = duel(("MOVE 4", "OBSERVE 5"), ("MOVE 7", "OBSERVE 1"), ("STAY", "OBSERVE 2"))
    assert table.sees(None).facts == (("Player 1 observed", "5, 2"), ("Player 2 observed", "1"))
    assert table.sees(None).state["observations"] == ((1, 5), (2, 1), (1, 2))
    assert Table(QuantumDuel()).sees(None).facts == (
        ("Player 1 observed", "nothing yet"),
        ("Player 2 observed", "nothing yet"),
    )


def test_a_view_keeps_the_last_dozen_of_looks():
    table = duel(("MOVE 4", "OBSERVE 1"), ("MOVE 7", "OBSERVE 1"))
    for look in (2, 1) * 10:
        table.types(1, "STAY", f"OBSERVE {look}")
        table.types(2, "STAY", f"OBSERVE {look}")
    assert table.sees(None).state["observations"] == ((1, 2), (2, 2), (1, 1), (2, 1)) * 3
    assert table.sees(1).facts[0] == ("Player 1 observed", "2, 1, 2, 1, 2, 1")


def test_at_the_end_everybody_sees_both_tokens():
    table = duel(("MOVE 4", "OBSERVE 1"), ("MOVE 6", "OBSERVE 4"))
    for reader in (1, 2, None):
        assert table.marks(reader) == {"4": ("Q1", "token"), "6": ("Q2", "token")}
        assert table.sees(reader).state["tokens"] == (4, 6)


def test_after_a_collision_everybody_sees_both_tokens_in_one_place():
    table = duel(("MOVE 5", "OBSERVE 1"), ("MOVE 5", "OBSERVE 7"))
    for reader in (1, 2, None):
        assert table.marks(reader) == {"5": ("Q12", "both")}
        assert table.sees(reader).state["tokens"] == (5, 5)


@pytest.mark.parametrize("line", ["", "3", "m1", "hello", "STAY 3", "STAY HERE", "JUMP 3", "LOOK 3"])
def test_a_line_that_is_no_movement_is_told_what_can_be_typed(line):
    assert Table(QuantumDuel()).refuses(1, line) == ("syntax", UNREAD + MOVE_FIRST)


@pytest.mark.parametrize("line", ["MOVE", "MOVE TO 3", "TUNNEL 3,3", "OBSERVE"])
def test_a_position_must_be_readable(line):
    said = "That names no place on the board. One is written like 4."
    assert Table(QuantumDuel()).refuses(1, line) == ("syntax", said)


def test_what_can_be_typed_is_told_without_the_token_and_the_tunnel():
    table = duel(("MOVE 4", "OBSERVE 1"), ("TUNNEL 7", "OBSERVE 1"))
    said = "First move your token: MOVE and a position beside it, STAY, or TUNNEL and any position, once in the game."
    assert table.refuses(1, "OBSERVE 3")[1] == said
    table.types(1, "STAY")
    assert table.refuses(1, "STAY")[1] == "You have moved. Now look at a position, for example OBSERVE 2."
    table.types(1, "OBSERVE 2")
    assert table.refuses(2, "OBSERVE 3")[1] == said


def test_after_the_movement_an_unknown_word_is_told_to_look():
    table = Table(QuantumDuel())
    table.types(1, "MOVE 3")
    assert table.refuses(1, "LOOK 3") == ("syntax", UNREAD + THEN_LOOK)


@pytest.mark.parametrize("line", ["MOVE 0", "MOVE 8", "TUNNEL 9", "MOVE -1", "MOVE 44"])
def test_a_position_off_the_line_is_refused(line):
    said = "That is off the grid: positions are 1 to 7."
    assert Table(QuantumDuel()).refuses(1, line) == ("illegal", said)


def test_the_prompt_asks_first_for_a_movement_and_then_for_a_look():
    table = Table(QuantumDuel())
    assert table.sees(1).prompt == "Player 1, first move your token in secret:"
    table.types(1, "MOVE 3")
    assert table.sees(1).prompt == "Player 1, now look: observe a position:"
    assert table.sees(2).prompt == table.sees(None).prompt == "Waiting for Player 1."


def tells(table: Table, seat: int) -> dict[str, str]:
    """What each action of a seat will tell."""
    return {action.verb: action.tells for action in table.sees(seat).actions}


def test_a_look_before_the_others_token_is_on_the_line_promises_nothing():
    table = duel(("MOVE 3", "OBSERVE 1"))
    table.types(2, "MOVE 5")
    assert tells(table, 2)["OBSERVE"] == "you win if their token is there, unless you are too"
    early = Table(QuantumDuel())
    early.types(1, "MOVE 3")
    assert tells(early, 1)["OBSERVE"] == "nothing this time, as their token is not on the line yet"


def test_a_tunnel_comes_last_and_says_the_same_in_the_whole_game():
    table = Table(QuantumDuel())
    first = tells(table, 1)
    assert list(first) == ["MOVE", "TUNNEL"]
    assert "this first time" in first["MOVE"]
    assert first["TUNNEL"] == "jumps anywhere, once in the game"
    table = duel(("MOVE 3", "OBSERVE 1"), ("MOVE 5", "OBSERVE 1"))
    assert list(tells(table, 1)) == ["MOVE", "STAY", "TUNNEL"]
    assert tells(table, 1)["TUNNEL"] == first["TUNNEL"]
    assert tells(table, 1)["STAY"] == "keeps your place; the other learns only that your move is done"


def test_the_goal_says_what_wins_and_what_loses():
    table = Table(QuantumDuel())
    assert table.sees(1).goal == "Look where Player 2's token is: you win. Move onto it: you lose."
    assert table.sees(2).goal == "Look where Player 1's token is: you win. Move onto it: you lose."


@pytest.mark.parametrize("placement", ["MOVE 4", "TUNNEL 1"])
def test_who_puts_a_token_on_the_line_second_is_warned_that_this_may_lose(placement):
    table = duel((placement, "OBSERVE 1"))
    assert tells(table, 2)["MOVE"] == "puts it anywhere this first time; if their token is there, you lose"
    assert "you lose" not in tells(Table(QuantumDuel()), 1)["MOVE"], "the first can lose nothing yet"


def test_the_lessons_say_that_nobody_looks_twice_running_at_one_position():
    lessons = dict(QuantumDuel().card.guide)
    assert "may not look twice running" in lessons["OBSERVE"]
    assert "If you began" not in lessons["MOVE"], "the action itself says what the first look finds"
