"""Absence: it counts on the absent player's own turn, everybody sees it, and it ends in a claim or in a return."""

from gridgames_protocol.messages import Claim, Event, Leave, Show, Watch
from gridgames_server.core.limits import ABSENCE, ROOM_DESERTED
from tests.server.hub_harness import HubHarness, ended, word

AWAY = "Player 2 is away, and can return."
LONG_AWAY = "Player 2 has been away for a minute of their own turn; Player 1 may claim the win."


def test_absence_is_claimable_after_a_minute_of_the_absent_players_own_turn():
    server = HubHarness()
    ada, bob, wes = server.table("grid-conquest", "Ada", "Bob", "Wes")
    ada.types("C3")
    server.read_by_all()
    bob.drops()
    assert ada.hears() == wes.hears() == [AWAY]
    server.passes(ABSENCE - 1)
    assert word(ada.says(Claim)) == "not_now"
    ada.reads()
    server.passes(1)
    assert ada.reads(Event, Show) == [Event(LONG_AWAY, "system"), ada.sees]
    assert ada.sees.view.claimable
    wes.says(Leave)
    wes.says(Watch, ada.where.room)
    assert not wes.sees.view.claimable, "it is not for a watcher to claim"
    ada.says(Claim)
    over = ended(wes)
    assert (over.winner, over.reason) == (1, "absence")
    assert over.text == "Player 1 claims the win: Player 2 has been away too long."


def test_absence_counts_only_on_the_absent_players_own_turn():
    server = HubHarness()
    ada, bob = server.table("grid-conquest")
    bob.drops()
    server.passes(10 * ABSENCE)
    assert word(ada.says(Claim)) == "not_now"
    assert not ada.sees.view.claimable
    ada.types("C3")
    server.passes(ABSENCE - 1)
    assert word(ada.says(Claim)) == "not_now"
    server.passes(1)
    assert word(ada.says(Claim)) == "ok"


def test_coming_back_in_time_ends_the_absence():
    server = HubHarness()
    ada, bob = server.table("grid-conquest")
    ada.types("C3")
    bob.drops()
    server.passes(ABSENCE - 1)
    bob = bob.comes_back()
    server.passes(10)
    assert LONG_AWAY not in ada.hears()
    bob.drops()
    server.passes(ABSENCE - 1)
    assert word(ada.says(Claim)) == "not_now", "the next absence counts from its own beginning"


def test_coming_back_late_takes_back_what_could_be_claimed():
    server = HubHarness()
    ada, bob = server.table("grid-conquest")
    ada.types("C3")
    bob.drops()
    server.passes(2 * ABSENCE)
    assert ada.sees.view.claimable
    bob = bob.comes_back()
    assert not ada.sees.view.claimable
    assert word(ada.says(Claim)) == "not_now"
    assert bob.types("D4") == ["ok"]


def test_the_win_need_not_be_claimed():
    server = HubHarness()
    ada, bob = server.table("grid-conquest")
    ada.types("C3")
    bob.drops()
    server.passes(ROOM_DESERTED - 10)
    assert ada.hears().count(LONG_AWAY) == 1, "it is told once"
    assert bob.comes_back().types("D4") == ["ok"]


def test_a_second_long_absence_is_told_again():
    server = HubHarness()
    ada, bob = server.table("grid-conquest")
    ada.types("C3")
    for _ in range(2):
        bob.drops()
        server.passes(ABSENCE)
        assert ada.hears().count(LONG_AWAY) == 1
        bob = bob.comes_back()
    bob.types("D4")
    ada.types("D3")
    bob.drops()
    server.passes(ABSENCE)
    assert ada.hears().count(LONG_AWAY) == 1


def test_absence_in_a_setup_counts_while_the_choice_is_due():
    server = HubHarness()
    ada, bob = server.table("grid-hunt")
    bob.drops()
    ada.types("HIDE 2 3")
    server.passes(ABSENCE)
    assert ada.sees.view.claimable
    ada.says(Claim)
    assert ended(ada).reason == "absence"


def test_who_has_chosen_already_is_not_absent_from_a_setup():
    server = HubHarness()
    ada, bob = server.table("grid-hunt")
    bob.types("HIDE 5 5")
    bob.drops()
    server.passes(2 * ABSENCE)
    assert word(ada.says(Claim)) == "not_now"


def test_one_who_comes_back_sees_that_the_other_has_long_been_away():
    server = HubHarness()
    ada, bob = server.table("grid-conquest")
    ada.types("C3")
    bob.drops()
    ada.drops()
    server.passes(2 * ABSENCE)
    ada = ada.comes_back()
    assert LONG_AWAY in ada.hears()
    assert ada.sees.view.claimable


def test_the_one_who_is_away_is_not_the_one_who_claims():
    server = HubHarness()
    ada, bob = server.table("grid-conquest")
    ada.drops()
    server.passes(2 * ABSENCE)
    ada = ada.comes_back()
    assert word(ada.says(Claim)) == "not_now"
    assert word(bob.says(Claim)) == "not_now"
