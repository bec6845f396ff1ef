"""A room: its options, one game after the other, leaving, and claiming a forfeit."""

import pytest

from gridgames_protocol.messages import Again, Chat, Claim, Join, Leave, Resign, Room, Watch
from tests.server.hub_harness import HubHarness, ended, play, word

# Options


def test_a_room_is_described_as_it_was_asked_for():
    server = HubHarness()
    ada = server.enter("Ada")
    code = ada.opens("secret-paths", first="guest", clock=90)
    assert (ada.where.room, ada.where.game, ada.where.title) == (code, "secret-paths", "Secret Paths")
    assert (ada.where.first, ada.where.clock, ada.where.you) == ("guest", 90, 1)
    assert (ada.where.state, ada.where.score, ada.where.number) == ("waiting", (0, 0, 0), 0)
    ((host, free),) = [room.seats for room in ada.reads(Room)]
    assert (host.name, host.online, host.bot, free) == ("Ada", True, None, None)
    bob = server.enter("Bob")
    bob.says(Join, code)
    assert (bob.where.state, bob.where.number, bob.where.you) == ("playing", 1, 2)
    assert [seat.name for seat in bob.where.seats] == ["Ada", "Bob"]


def test_by_default_a_room_is_public_without_a_clock_and_first_is_random():
    server = HubHarness(rate=0)
    ada, bob = server.enter("Ada"), server.enter("Bob")
    firsts = set()
    for _ in range(20):
        bob.says(Join, ada.opens("grid-conquest"))
        assert (bob.where.first, bob.where.clock, bob.sees.deadline) == ("random", None, None)
        firsts |= set(bob.sees.turn)
        ada.says(Leave)
        bob.says(Leave)
    assert firsts == {1, 2}


@pytest.mark.parametrize(("first", "seat"), [("host", 1), ("guest", 2)])
def test_who_moves_first_is_as_asked_for(first, seat):
    ada, _ = HubHarness().table("grid-conquest", first=first)
    assert ada.sees.turn == (seat,)


# One game after the other


def test_a_rematch_begins_when_both_have_asked_and_swaps_who_moves_first():
    server = HubHarness()
    ada, bob = server.table("grid-conquest")
    assert ada.sees.turn == (1,)
    ada.says(Resign)
    server.read_by_all()
    bob.says(Again)
    assert ada.hears() == ["Player 2 asks for another game."]
    ada.says(Again)
    assert bob.hears()[1:3] == ["Welcome to Grid Conquest!", "Sealed: values."]
    assert (bob.where.state, bob.where.number, bob.sees.turn) == ("playing", 2, (2,))
    bob.says(Resign)
    bob.says(Again)
    ada.says(Again)
    assert (ada.where.number, ada.sees.turn) == (3, (1,))


def test_starting_afresh_keeps_who_moves_first_and_opens_the_old_secrets():
    server = HubHarness()
    ada, bob = server.table("grid-conquest")
    ada.types("C3")
    server.read_by_all()
    ada.says(Again)
    assert bob.hears() == ["Player 1 asks to give this game up and start afresh."]
    bob.says(Again)
    over = ended(ada)
    assert (over.winner, over.reason, [secret.what for secret in over.reveal]) == (None, "afresh", ["values"])
    assert (ada.where.number, ada.where.score, ada.sees.turn) == (2, (0, 0, 0), (1,))
    assert ada.sees.view.state["owners"] == {}
    ada.says(Again)
    assert ada.where.number == 2, "for another both ask again"


def test_to_ask_twice_is_not_to_be_two():
    server = HubHarness()
    ada, bob = server.table("grid-conquest")
    ada.says(Again)
    ada.says(Again)
    assert ada.where.number == 1
    bob.says(Resign)
    ada.reads()
    bob.says(Again)
    assert ada.where.number == 1, "what was asked during the game is not asked for after it"


def test_games_have_different_seeds():
    server = HubHarness()
    ada, bob = server.table("grid-conquest")
    ada.says(Resign)
    values = [ended(ada).reveal[0].value]
    for guest in (ada, bob):
        guest.says(Again)
    bob.says(Resign)
    values.append(ended(ada).reveal[0].value)
    assert values[0] != values[1]


def test_the_score_counts_wins_of_each_seat_and_draws():
    server = HubHarness()
    ada, bob = server.table("grid-hunt", clock=30)
    scores = []
    for loser in (ada, bob, ada, None):
        if loser:
            loser.says(Resign)
        else:
            server.passes(31)
        scores.append(ada.where.score)
        ada.says(Again)
        bob.says(Again)
    assert scores == [(0, 1, 0), (1, 1, 0), (1, 2, 0), (1, 2, 1)]
    assert ada.where.score == bob.where.score == (1, 2, 1)
    assert ada.where.number == 5


def test_a_win_by_the_rules_counts_like_any_other():
    server = HubHarness()
    ada, bob = server.table("grid-hunt")
    play(ada, bob, lines=((1, "HIDE 2 3"), (2, "HIDE 5 5"), (1, "DIG 5 5")))
    over = ended(bob)
    assert (over.winner, over.reason) == (1, "treasure")
    assert bob.where.score == (1, 0, 0)
    assert bob.where.state == "over"


def test_resigning_shows_everything_to_everybody():
    server = HubHarness()
    ada, bob, wes = server.table("grid-hunt", "Ada", "Bob", "Wes")
    ada.types("HIDE 2 3")
    server.read_by_all()
    bob.says(Resign)
    for guest in (ada, bob, wes):
        assert guest.sees.view.state["treasures"] == ("2,3", None)
        over = ended(guest)
        assert (over.winner, over.reason) == (1, "resigned")
        assert over.text == "Player 2 has resigned. Player 1 wins."
        assert [(secret.what, secret.value) for secret in over.reveal] == [("treasure of 1", "2,3")]


# Leaving


def test_leaving_a_room_that_waits_closes_it():
    server = HubHarness()
    ada, wes = server.enter("Ada"), server.enter("Wes")
    code = ada.opens("grid-hunt")
    wes.says(Watch, code)
    server.read_by_all()
    ada.says(Leave)
    assert ada.words() == ["ok", "lobby"]
    told = wes.reads()
    assert [word(message) for message in told] == ["event", "room", "event", "lobby"]
    assert told[2].text == "All players have left, so the room is closed."
    assert word(wes.says(Join, code)) == "no_such_room"


def test_leaving_a_running_game_resigns_it():
    server = HubHarness()
    ada, bob = server.table("grid-conquest")
    bob.says(Leave)
    assert bob.words() == ["ok", "lobby"]
    told = ada.reads()
    assert [word(message) for message in told] == ["event", "view", "room", "over"]
    assert told[0].text == "Player 2 has left."
    assert (told[-1].winner, told[-1].reason) == (1, "resigned")
    assert ada.where.seats[1] is None
    assert ada.where.score == (1, 0, 0)


@pytest.mark.parametrize("seat", [0, 1])
def test_a_seat_left_after_the_end_is_not_filled_again(seat):
    server = HubHarness()
    seats = server.table("grid-conquest")
    leaver, stayer = seats[seat], seats[1 - seat]
    seats[1].says(Resign)
    server.read_by_all()
    leaver.says(Leave)
    assert stayer.words() == ["event", "room"], "the game was over already"
    assert stayer.where.score == (1, 0, 0)
    assert word(server.enter("Cat").says(Join, stayer.where.room)) == "room_full"
    assert word(stayer.says(Again)) == "not_now"
    assert word(server.enter("Dan").says(Watch, stayer.where.room)) == "ok"


def test_a_request_for_a_rematch_leaves_with_the_one_who_made_it():
    server = HubHarness()
    ada, bob = server.table("grid-conquest")
    bob.says(Resign)
    bob.says(Again)
    bob.says(Leave)
    assert word(ada.says(Again)) == "not_now"
    assert ada.where.number == 1


def test_when_both_have_left_the_room_closes_and_watchers_go_to_the_lobby():
    server = HubHarness()
    ada, bob, wes = server.table("grid-conquest", "Ada", "Bob", "Wes")
    code = ada.where.room
    ada.says(Leave)
    server.read_by_all()
    bob.says(Leave)
    told = wes.reads()
    assert [word(message) for message in told] == ["event", "room", "event", "lobby"]
    assert told[2].text == "All players have left, so the room is closed."
    assert told[3].rooms == ()
    assert word(wes.says(Watch, code)) == "no_such_room"
    assert word(wes.says(Chat, "hello?")) == "not_in_room"


def test_the_one_who_leaves_last_does_not_see_the_dead_room():
    server = HubHarness()
    ada = server.enter("Ada")
    ada.opens("grid-conquest")
    server.passes(1)
    ada.reads()
    ada.says(Leave)
    _, lobby = ada.reads()
    assert lobby.rooms == ()


def test_who_watches_comes_and_goes_without_a_word():
    server = HubHarness()
    ada, _, wes = server.table("grid-conquest", "Ada", "Bob", "Wes")
    wes.says(Leave)
    assert wes.words() == ["ok", "lobby"]
    assert ada.words() == ["room"]
    assert (ada.where.watchers, ada.where.state) == (0, "playing")


def test_one_who_has_left_hears_no_more_of_the_room():
    server = HubHarness()
    ada, bob, wes = server.table("grid-conquest", "Ada", "Bob", "Wes")
    wes.says(Leave)
    server.passes(1)
    wes.reads()
    ada.types("C3")
    bob.says(Chat, "nice")
    assert wes.reads() == []


# Claiming a forfeit


def test_after_the_third_foul_the_other_may_claim_the_win_at_once():
    server = HubHarness()
    ada, bob, wes = server.table("secret-paths", "Ada", "Bob", "Wes")
    play(ada, bob, lines=((1, "GOAL 2"), (2, "GOAL 4")))
    assert ada.types("MOVE 5 5", "MOVE 3 3") == ["illegal"] * 2
    assert word(bob.says(Claim)) == "not_now"
    assert not bob.sees.view.claimable
    ada.types("MOVE 9 9")
    assert [guest.sees.view.claimable for guest in (ada, bob, wes)] == [False, True, False]
    assert word(ada.says(Claim)) == "not_now"
    bob.says(Claim)
    over = ended(ada)
    assert (over.winner, over.reason) == (2, "forfeit")
    assert over.text == "Player 2 claims the win: Player 1 has forfeited it."


def test_a_forfeit_may_be_claimed_later_and_need_not_be():
    server = HubHarness()
    ada, bob = server.table("secret-paths")
    play(ada, bob, lines=((1, "GOAL 2"), (2, "GOAL 4")))
    ada.types("MOVE 5 5", "MOVE 5 5", "MOVE 5 5")
    play(ada, bob, lines=((1, "MOVE 4 4"), (2, "MOVE 3 3"), (1, "MOVE 4 3")))
    assert bob.sees.view.claimable
    assert word(bob.says(Claim)) == "ok"
    assert bob.where.score == (0, 1, 0)
