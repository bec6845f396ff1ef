"""Time in a room: the clock of a turn, and the host's sleep."""

import pytest

from gridgames_protocol.messages import Again, Chat, Claim, Join, Play, Resign
from gridgames_server.core.limits import ABSENCE, CLOCK_GAP, HELLO_WITHIN, ROOM_IDLE, SILENCE
from tests.server.hub_harness import HubHarness, ended, play, word

# The clock


def test_the_clock_runs_for_one_turn_and_running_out_loses():
    server = HubHarness()
    ada, bob = server.table("grid-conquest", clock=30)
    assert ada.sees.deadline == 30
    server.passes(29)
    assert ada.types("C3") == ["ok"]
    assert bob.sees.deadline == 30, "a new turn has a new clock"
    server.passes(29)
    assert bob.where.state == "playing"
    server.passes(1)
    over = ended(ada)
    assert (over.winner, over.reason, over.text) == (1, "clock", "Player 2 has run out of time. Player 1 wins.")
    assert ada.where.score == (1, 0, 0)
    assert (bob.sees.deadline, bob.sees.view.phase) == (None, "over")


@pytest.mark.parametrize("clock", [30, None])
def test_a_game_with_a_clock_says_first_what_the_clock_means(clock):
    server = HubHarness()
    ada, bob = server.enter("Ada"), server.enter("Bob")
    bob.says(Join, ada.opens("grid-conquest", clock=clock))
    rule = ["Each turn has 30 seconds; who runs out of time loses."] if clock else []
    assert bob.hears()[:-3] == ["Player 2 has joined.", *rule]


def test_the_clock_shows_what_is_left():
    server = HubHarness()
    ada, bob = server.table("grid-conquest", clock=30)
    server.passes(12.5)
    bob.drops()
    assert bob.comes_back().sees.deadline == 18
    assert ada.sees.deadline == 18, "the other is shown the table anew"


def test_without_a_clock_nobody_runs_out_of_time():
    server = HubHarness()
    ada, _ = server.table("grid-conquest")
    server.passes(3600)
    assert ada.types("C3") == ["ok"]


def test_a_refused_line_does_not_stop_the_clock():
    server = HubHarness()
    ada, bob = server.table("grid-conquest", clock=30)
    server.passes(20)
    assert ada.types("Z9") == ["illegal"]
    assert ada.says(Chat, "hm").re
    server.passes(10)
    assert ended(bob).reason == "clock"


def test_both_who_are_late_in_a_setup_draw():
    server = HubHarness()
    ada, _ = server.table("grid-hunt", clock=30)
    server.passes(30)
    over = ended(ada)
    assert (over.winner, over.reason, over.text) == (None, "clock", "Both players have run out of time.")
    assert ada.where.score == (0, 0, 1)


@pytest.mark.parametrize(("seat", "winner"), [(0, 1), (1, 2)])
def test_who_alone_is_late_in_a_setup_loses(seat, winner):
    server = HubHarness()
    seats = server.table("grid-hunt", clock=30)
    server.passes(20)
    seats[seat].types("HIDE 2 3")
    assert seats[seat].sees.deadline == 10, "it is one clock for the setup"
    server.passes(10)
    assert ended(seats[0]).winner == winner


def test_the_first_turn_after_a_setup_has_a_clock_of_its_own():
    server = HubHarness()
    ada, bob = server.table("secret-paths", clock=30)
    server.passes(20)
    play(ada, bob, lines=((2, "GOAL 4"), (1, "GOAL 2")))
    assert ada.sees.deadline == 30


def test_both_lines_of_a_turn_of_quantum_duel_share_one_clock():
    server = HubHarness()
    ada, bob = server.table("quantum-duel", clock=30)
    server.passes(20)
    ada.types("MOVE 3")
    assert ada.sees.deadline == bob.sees.deadline == 10
    server.passes(9)
    ada.types("OBSERVE 5")
    assert bob.sees.deadline == 30
    server.passes(20)
    bob.types("MOVE 6")
    server.passes(10)
    assert (ended(ada).winner, ada.where.score) == (1, (1, 0, 0))


def test_a_turn_after_a_skipped_one_has_a_clock_of_its_own():
    server = HubHarness()
    ada, bob = server.table("treasure-hunt-duel", clock=30)
    (secret,) = server.room(ada.where.room).match.list_reveals()
    ada.types("GUESS 1A" if secret.value != "1A" else "GUESS 2B")
    server.passes(20)
    bob.types("QUERY 3C")
    assert "Player 1 loses this turn." in bob.hears()
    assert (bob.sees.turn, bob.sees.deadline) == ((2,), 30)
    server.passes(29)
    assert bob.types("QUERY 4C") == ["ok"]
    assert ada.sees.turn == (1,)


def test_a_foul_does_not_give_more_time():
    server = HubHarness()
    ada, bob = server.table("secret-paths", clock=30)
    play(ada, bob, lines=((2, "GOAL 4"), (1, "GOAL 2")))
    server.passes(20)
    ada.types("MOVE 5 5")
    assert ada.sees.deadline == 10
    server.passes(10)
    assert ended(bob).winner == 2


def test_a_new_game_has_a_new_clock():
    server = HubHarness()
    ada, bob = server.table("grid-conquest", clock=30)
    server.passes(20)
    ada.says(Resign)
    server.passes(100)
    ada.says(Again)
    bob.says(Again)
    assert (bob.sees.turn, bob.sees.deadline) == ((2,), 30)


def test_the_clock_runs_for_one_who_is_away_too():
    server = HubHarness()
    ada, bob = server.table("grid-conquest", clock=30)
    ada.drops()
    server.passes(30)
    assert ended(bob).reason == "clock"


# The host sleeps


def test_no_clock_runs_while_the_host_sleeps():
    server = HubHarness()
    ada, bob = server.table("grid-conquest", clock=30)
    server.passes(10)
    server.sleeps(3600)
    assert [(word(message), message.deadline) for message in bob.reads()] == [("view", 19)], "a second counts"
    server.passes(18)
    assert bob.reads() == []
    assert ada.types("C3") == ["ok"]
    server.sleeps(3600)
    server.passes(28)
    assert bob.where.state == "playing"
    server.passes(1)
    assert ended(ada).reason == "clock"


def test_a_short_gap_is_time_like_any_other():
    server = HubHarness()
    _, bob = server.table("grid-conquest", clock=20)
    for _ in range(4):
        server.sleeps(CLOCK_GAP)
    assert ended(bob).reason == "clock"


def test_the_first_line_after_the_sleep_gets_no_more_than_its_clock():
    server = HubHarness()
    ada, bob = server.table("grid-conquest", clock=30)
    server.passes(20)
    server.now += 3600
    assert ada.types("C3") == ["ok"]
    assert bob.sees.deadline == 30
    server.passes(30)
    assert ended(ada).reason == "clock"


def test_absence_does_not_grow_while_the_host_sleeps_even_if_a_claim_comes_first():
    server = HubHarness()
    ada, bob = server.table("grid-conquest")
    ada.types("C3")
    bob.drops()
    server.passes(10)
    server.now += 3600
    assert word(ada.says(Claim)) == "not_now"
    server.passes(ABSENCE - 12)
    assert word(ada.says(Claim)) == "not_now"
    server.passes(1)
    assert word(ada.says(Claim)) == "ok"


def test_nobody_is_taken_for_dead_because_the_host_slept():
    server = HubHarness()
    ada, bob = server.table("grid-conquest")
    new = server.connects()
    server.sleeps(10 * SILENCE)
    assert not any(guest.closed for guest in (ada, bob, new))
    ada.awake = False
    server.passes(SILENCE + 1)
    assert ada.closed


def test_no_room_expires_while_the_host_sleeps():
    server = HubHarness()
    ada, bob = server.table("grid-conquest")
    ada.drops()
    bob.drops()
    server.sleeps(2 * ROOM_IDLE)
    assert ada.comes_back().welcome.room


# What begins right after the sleep begins then, and not as much later as the host slept.


def test_a_turn_that_begins_right_after_the_sleep():
    server = HubHarness()
    ada, bob = server.table("grid-conquest", clock=30)
    server.now += 3600
    server.does(server.hub.bytes_received(ada.id, 0, [Play(900, "C3")], server.now))
    assert bob.sees.deadline == 30
    server.passes(30)
    assert ended(ada).winner == 1


def test_a_silence_that_begins_right_after_the_sleep():
    server = HubHarness()
    ada = server.enter("Ada")
    ada.awake = False
    server.now += 3600
    server.does(server.hub.bytes_received(ada.id, 1, (), server.now))
    server.passes(SILENCE + 1)
    assert ada.closed


def test_a_connection_that_is_made_right_after_the_sleep():
    server = HubHarness()
    server.now += 3600
    guest = server.connects()
    server.passes(HELLO_WITHIN + 1)
    assert guest.closed


def test_an_absence_that_begins_right_after_the_sleep():
    server = HubHarness()
    ada, bob = server.table("grid-conquest")
    ada.types("C3")
    server.now += 3600
    bob.drops()
    server.passes(ABSENCE)
    assert word(ada.says(Claim)) == "ok"
