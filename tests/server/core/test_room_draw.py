"""Offers of a draw, in every game."""

import pytest

from gridgames_protocol.messages import Again, Create, OfferDraw, Resign
from gridgames_server.bots import BOTS
from gridgames_server.core.hub import Hub, ServerConfig
from gridgames_server.core.limits import Limits
from gridgames_server.games import GAMES
from tests.server.hub_harness import MIDDLES, Entropy, HubHarness, ended, play, word


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


@pytest.mark.parametrize("accepts", [True, False])
def test_a_bot_accepts_a_draw_if_its_policy_says_so(accepts):
    server = HubHarness()
    config = ServerConfig(
        GAMES, limits=Limits(), bots=frozenset(BOTS), accepts_draw=lambda game, level, show: accepts and show.you == 2
    )
    server.hub = Hub(config, Entropy(), server.now)
    ada = server.enter("Ada")
    ada.says(Create, "grid-conquest", first="host", bot="hard")
    ada.says(OfferDraw)
    assert ada.where.state == ("over" if accepts else "playing")


def test_who_has_asked_for_another_game_stands_in_the_room():
    ada, bob = HubHarness().table("grid-conquest")
    ada.says(Again)
    assert ada.where.again == bob.where.again == (1,)
    bob.says(Again)
    assert (ada.where.again, ada.where.number) == ((), 2)
