"""A typed line is applied exactly once: ids, revisions, and the fouls that are refused and yet recorded."""

import pytest

from gridgames_protocol.messages import Error, Join, Leave, Ok, Over, Play, Resign, Watch
from tests.server.hub_harness import HubHarness, ended, play, word

# Ids


def test_the_same_id_again_is_ok_and_has_no_second_effect():
    server = HubHarness()
    ada, bob = server.table("grid-conquest")
    assert word(ada.says(Play, "C3", id=100)) == "ok"
    server.read_by_all()
    assert ada.says(Play, "C3", id=100) == Ok(100)
    assert len(ada.reads()) == 1
    assert bob.reads() == []
    assert len(server.lines()) == 1


def test_the_same_id_is_ok_whatever_else_the_request_says():
    server = HubHarness()
    ada, _ = server.table("grid-conquest")
    ada.says(Play, "C3", id=100)
    assert word(ada.says(Play, "nonsense", 0, id=100)) == "ok"
    assert len(server.lines()) == 1


def test_a_lower_id_is_a_bad_request():
    server = HubHarness()
    ada, bob = server.table("grid-conquest")
    play(ada, bob, lines=((1, "C3"), (2, "D4")))
    last = server.lines()[0].play
    text = f"The ids of plays increase: the next one is above {last}."
    assert ada.says(Play, "D3", id=last - 1) == Error("bad_request", text, last - 1, "id")
    assert len(server.lines()) == 2


def test_the_id_of_a_refused_line_may_be_used_again():
    server = HubHarness()
    ada, _ = server.table("grid-conquest")
    assert word(ada.says(Play, "Z9", id=100)) == "illegal"
    assert word(ada.says(Play, "C3", id=100)) == "ok"
    assert server.lines()[0].line == "C3"


def test_each_player_counts_for_themselves():
    server = HubHarness()
    ada, bob = server.table("grid-conquest")
    assert word(ada.says(Play, "C3", id=500)) == "ok"
    assert word(bob.says(Play, "D4", id=400)) == "ok"


def test_ids_go_on_across_connections():
    server = HubHarness()
    ada, _ = server.table("grid-conquest")
    ada.says(Play, "C3", id=100)
    ada.drops()
    ada = ada.comes_back()
    assert ada.welcome.last_play == 100
    assert word(ada.says(Play, "C3", id=100)) == "ok"
    assert word(ada.says(Play, "C3", id=99)) == "bad_request"
    assert len(server.lines()) == 1


def test_ids_go_on_across_games_and_rooms():
    server = HubHarness()
    ada, bob = server.table("grid-conquest")
    ada.says(Play, "C3", id=100)
    ada.says(Leave)
    assert word(ada.says(Play, "C3", id=100)) == "ok", "from the lobby too: the check of ids comes first"
    assert word(ada.says(Play, "C3", id=99)) == "bad_request"
    assert word(ada.says(Play, "C3", id=101)) == "not_in_room"
    bob.says(Leave)
    code = ada.opens("grid-conquest", first="host")
    bob.says(Join, code)
    assert word(ada.says(Play, "C3", id=99)) == "bad_request"
    assert word(ada.says(Play, "C3", id=102)) == "ok"


def test_the_check_of_ids_comes_before_the_phase_for_one_who_watches():
    server = HubHarness()
    ada, bob = server.table("grid-conquest")
    ada.says(Play, "C3", id=100)
    ada.says(Leave)
    ada.says(Watch, bob.where.room)
    assert word(ada.says(Play, "C3", id=99)) == "bad_request"
    assert word(ada.says(Play, "C3", id=100)) == "ok"
    assert word(ada.says(Play, "C3", id=101)) == "not_seated"


def test_who_never_played_has_no_last_play():
    server = HubHarness()
    ada, bob = server.table("grid-conquest")
    ada.types("C3")
    bob.types("Z9")
    bob.drops()
    assert bob.comes_back().welcome.last_play is None


# Revisions


def test_a_line_for_the_table_as_it_is_is_taken():
    ada, _ = HubHarness().table("grid-conquest")
    assert word(ada.says(Play, "C3", ada.sees.rev)) == "ok"


@pytest.mark.parametrize("off", [-1, 1])
def test_a_line_for_a_table_that_has_moved_on_is_stale(off):
    server = HubHarness()
    ada, bob = server.table("grid-conquest")
    ada.types("C3")
    server.read_by_all()
    assert word(bob.says(Play, "D4", bob.sees.rev + off)) == "stale"
    assert (len(server.lines()), ada.reads()) == (1, [])
    assert bob.types("D4") == ["ok"], "without a revision nothing is asked"


def test_out_of_turn_comes_before_stale():
    _, bob = HubHarness().table("grid-conquest")
    assert word(bob.says(Play, "D4", 0)) == "not_your_turn"


def test_stale_is_not_asked_in_a_setup():
    ada, bob = HubHarness().table("grid-hunt")
    rev = bob.sees.rev
    assert word(ada.says(Play, "HIDE 2 3", rev)) == "ok"
    assert bob.sees.rev > rev
    assert word(bob.says(Play, "HIDE 5 5", rev)) == "ok"
    assert word(ada.says(Play, "SCAN 3 3", rev)) == "stale", "the setup is over"


def test_the_second_line_of_a_turn_needs_the_view_after_the_first():
    ada, _ = HubHarness().table("quantum-duel")
    rev = ada.sees.rev
    ada.says(Play, "MOVE 3", rev)
    assert word(ada.says(Play, "OBSERVE 5", rev)) == "stale"
    assert word(ada.says(Play, "OBSERVE 5", rev + 1)) == "ok"


# Fouls of Secret Paths


def on_the_path(server, *names):
    """A game of Secret Paths after its setup; seat 1 moves."""
    seats = server.table("secret-paths", *names)
    play(*seats, lines=((1, "GOAL 2"), (2, "GOAL 4")))
    server.read_by_all()
    return seats


@pytest.mark.parametrize("line", ["MOVE 5 5", "MOVE 3 3", "move to 9,9", "MOVE 0 3"])
def test_a_foul_is_refused_and_yet_recorded_told_and_shown(line):
    server = HubHarness()
    ada, bob, wes = on_the_path(server, "Ada", "Bob", "Wes")
    rev = ada.sees.rev
    assert word(ada.says(Play, line, id=100)) == "illegal"
    assert server.lines()[-1].line == line
    assert ada.words() == ["illegal", "event", "view"]
    for reader in (bob, wes):
        assert reader.hears() == ["Player 1 made an illegal move, number 1."]
    assert ada.sees.rev == bob.sees.rev == wes.sees.rev == rev + 1
    assert ada.sees.turn == (1,), "the mover moves again"


def test_a_foul_counts_as_last_play_and_is_applied_once():
    server = HubHarness()
    ada, bob = on_the_path(server)
    ada.says(Play, "MOVE 5 5", id=100)
    assert word(ada.says(Play, "MOVE 5 5", id=100)) == "ok"
    assert bob.hears() == ["Player 1 made an illegal move, number 1."]
    ada.drops()
    assert ada.comes_back().welcome.last_play == 100


def test_a_foul_is_not_among_the_moves():
    server = HubHarness()
    ada, bob = on_the_path(server)
    assert ada.types("MOVE 5 5", "MOVE 4 2") == ["illegal", "ok"]
    bob.says(Resign)
    assert ended(ada).moves == ((1, "GOAL 2"), (2, "GOAL 4"), (1, "MOVE 4 2"))


def test_a_foul_makes_an_older_view_stale():
    server = HubHarness()
    ada, _ = on_the_path(server)
    rev = ada.sees.rev
    ada.says(Play, "MOVE 5 5", rev)
    assert word(ada.says(Play, "MOVE 4 2", rev)) == "stale"


@pytest.mark.parametrize("line", ["MOVE", "hop 4 2", "MOVE x y", "GOAL 5 2"])
def test_a_typing_error_or_a_line_of_another_phase_is_no_foul(line):
    server = HubHarness()
    ada, bob = on_the_path(server)
    assert ada.types(line)[0] in ("syntax", "illegal")
    assert len(server.lines()) == 2
    assert bob.reads() == []


def test_no_line_of_the_setup_is_a_foul():
    server = HubHarness()
    ada, bob = server.table("secret-paths")
    assert ada.types("MOVE 5 5", "GOAL 1 2", "GOAL 9 9") == ["illegal"] * 3
    assert server.lines() == []
    assert bob.reads() == []


def test_an_accepted_line_is_kept_as_it_was_typed_but_for_surplus_spaces():
    server = HubHarness()
    ada, bob = server.table("grid-hunt")
    ada.types("  hide   (2,3) ")
    bob.says(Resign)
    (over,) = ada.reads(Over)
    assert over.moves == ((1, "hide (2,3)"),)
