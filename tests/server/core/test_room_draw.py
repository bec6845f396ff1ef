"""Offers of a draw, in every game."""

import pytest

from gridgames_protocol.messages import Again, Create, OfferDraw, Resign
from gridgames_server.core.effects import AskBot
from tests.server.hub_harness import MIDDLES, HubHarness, ended, play, word
from tests.server.stored_hub import Shelf, StoredHub


@pytest.mark.parametrize("game", MIDDLES)
def test_a_draw_happens_when_both_have_offered(game):
    ada, bob = HubHarness().table(game)
    play(ada, bob, lines=MIDDLES[game])
    ada.reads()
    bob.reads()
    assert word(ada.says(OfferDraw)) == "ok"
    assert bob.hears() == ["Player 1 offers a draw."]
    assert (bob.where.draw, bob.where.state) == ((1,), "playing")
    assert word(bob.says(OfferDraw)) == "ok"
    over = ended(ada)
    assert (over.winner, over.reason, over.text) == (None, "agreed", "Both players agree to a draw.")
    assert (ada.where.score, ada.where.draw) == ((0, 0, 1), ())


def test_a_move_of_the_one_who_offered_takes_the_offer_back():
    ada, bob = HubHarness().table("grid-conquest")
    ada.says(OfferDraw)
    ada.types("C3")
    assert bob.where.draw == ()
    bob.says(OfferDraw)
    assert (ada.where.state, ada.where.draw) == ("playing", (2,))


def test_a_move_of_the_other_leaves_the_offer_and_so_does_a_refused_line():
    ada, bob = HubHarness().table("grid-conquest")
    ada.types("C3")
    ada.says(OfferDraw)
    ada.types("nonsense")
    bob.types("D4")
    assert bob.where.draw == (1,)
    bob.says(OfferDraw)
    assert ended(ada).reason == "agreed"


def test_an_offer_does_not_outlive_its_game():
    ada, bob = HubHarness().table("grid-conquest")
    ada.says(OfferDraw)
    bob.says(Resign)
    assert word(bob.says(OfferDraw)) == "not_now"
    ada.says(Again)
    bob.says(Again)
    bob.says(OfferDraw)
    assert (ada.where.state, ada.where.draw) == ("playing", (2,))


def test_nobody_offers_twice():
    ada, _ = HubHarness().table("grid-conquest")
    ada.says(OfferDraw)
    assert ada.says(OfferDraw).text == "You have offered a draw already. A move of yours takes the offer back."


def offered(server):
    """What the bot was asked about the draw last."""
    return [question for question in server.of(AskBot) if question.wants == "draw"][-1]


def against_bot(server, game="grid-conquest"):
    """Ada, who is to move in a game against the computer."""
    ada = server.enter("Ada")
    ada.says(Create, game, first="host", bot="hard")
    ada.reads()
    return ada


def test_a_bot_is_offered_a_draw_like_anybody_and_accepts_later():
    server = HubHarness()
    ada = against_bot(server)
    assert word(ada.says(OfferDraw)) == "ok"
    assert ada.words() == ["ok", "event", "room"]
    assert (ada.where.state, ada.where.draw) == ("playing", (1,))
    question = offered(server)
    assert (question.seat, question.level, question.show.you) == (2, "hard", 2)
    server.answers(question, True)
    assert (ended(ada).reason, ada.where.score) == ("agreed", (0, 0, 1))


def test_a_bot_counts_the_lines_of_the_game_and_not_of_the_room():
    server = HubHarness()
    ada = against_bot(server)
    ada.types("C3")
    ada.says(OfferDraw)
    assert offered(server).lines == 1
    ada.says(Resign)
    ada.says(Again)
    ada.says(OfferDraw)
    assert (offered(server).lines, ada.where.number) == (0, 2)
    assert offered(server).show.rev > 0


def test_a_bot_that_declines_a_draw_says_nothing():
    server = HubHarness()
    ada = against_bot(server)
    ada.says(OfferDraw)
    ada.reads()
    server.answers(offered(server), False)
    assert ada.reads() == []
    assert ada.where.draw == (1,)


def test_a_bot_does_not_accept_an_offer_that_was_taken_back():
    server = HubHarness()
    ada = against_bot(server)
    ada.says(OfferDraw)
    ada.types("C3")
    server.answers(offered(server), True)
    assert (ada.where.state, ada.where.draw) == ("playing", ())
    assert len([question for question in server.of(AskBot) if question.wants == "draw"]) == 1


def test_a_bot_whose_move_came_first_is_asked_about_the_draw_again():
    server = HubHarness()
    ada = against_bot(server)
    ada.types("C3")
    move = server.of(AskBot)[-1]
    ada.says(OfferDraw)
    server.answers(move, "D4")
    early, late = (question for question in server.of(AskBot) if question.wants == "draw")
    server.answers(early, True)
    assert ada.where.state == "playing"
    server.answers(late, True)
    assert ada.where.state == "over"


def test_a_bot_is_asked_again_after_a_restart_about_an_offer_that_stands():
    server = StoredHub(Shelf())
    ada = against_bot(server)
    ada.says(OfferDraw)
    server = server.again()
    (ada,) = server.all_back(ada)
    assert ada.where.draw == (1,)
    server.answers(offered(server), True)
    assert ended(ada).reason == "agreed"


def test_a_bot_that_stumbles_over_a_draw_closes_its_room_and_no_other():
    server = HubHarness()
    ada = against_bot(server)
    bob, _ = server.table("grid-conquest", "Bob", "Cat")
    ada.says(OfferDraw)
    server.answers(offered(server), KeyError("4D"))
    assert "lobby" in ada.words()
    assert len(server.troubles()) == 1
    assert bob.types("C3") == ["ok"]


def test_who_has_asked_for_another_game_stands_in_the_room():
    ada, bob = HubHarness().table("grid-conquest")
    ada.says(Again)
    assert ada.where.again == bob.where.again == (1,)
    bob.says(Again)
    assert (ada.where.again, ada.where.number) == ((), 2)
