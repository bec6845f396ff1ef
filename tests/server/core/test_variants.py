"""Variants of a game: a room is created with one, and keeps it."""

import pytest

from gridgames_protocol import saved_game
from gridgames_protocol.messages import AskHistory, AskRecord, AskReplay, AskStandings, Create, Resign
from gridgames_server.admin import verify_saved
from gridgames_server.games import GAMES
from tests.server.hub_harness import HubHarness, play
from tests.server.stored_games import Archive
from tests.server.stored_hub import Shelf, StoredHub

BURNT = ((1, "GOAL 2"), (2, "GOAL 4"), (1, "MOVE 3 4"), (2, "MOVE 3 3"), (1, "MOVE 3 4"))  # the start is entered twice


def test_a_room_is_played_by_the_rules_of_its_variant_and_everybody_sees_which():
    server = HubHarness()
    ada, bob = server.table("secret-paths", variant="burning")
    assert (ada.where.variant, bob.where.variant) == ("burning", "burning")
    (row,) = server.hub.rooms.list_rooms(0).rooms
    assert row.variant == "burning"
    play(ada, bob, lines=BURNT)
    assert bob.types("MOVE 3 3") == ["illegal"]


def test_without_a_variant_nothing_burns():
    ada, bob = HubHarness().table("secret-paths")
    assert ada.where.variant is None
    play(ada, bob, lines=(*BURNT, (2, "MOVE 3 3")))


@pytest.mark.parametrize(
    ("game", "known"), [("secret-paths", "burning"), ("grid-hunt", "none")], ids=["another", "one of none"]
)
def test_an_unknown_variant_is_refused_with_those_that_there_are(game, known):
    refused = HubHarness().enter("Ada").says(Create, game, variant="frozen")
    assert refused.code == "not_now"
    assert refused.text.endswith(f"has no such variant. There are: {known}.")


def test_the_computer_plays_a_variant():
    ada = HubHarness().enter("Ada")
    ada.says(Create, "secret-paths", first="host", bot="hard", variant="burning")
    assert (ada.where.variant, ada.where.state) == ("burning", "playing")


def test_a_room_has_its_variant_after_a_restart():
    server = StoredHub(Shelf())
    ada, bob = server.table("secret-paths", variant="burning")
    play(ada, bob, lines=BURNT)
    ada, bob = server.again().all_back(ada, bob)
    assert ada.where.variant == "burning"
    assert bob.types("MOVE 3 3") == ["illegal"]


def test_a_finished_game_is_listed_replayed_and_checked_by_its_variant(tmp_path):
    server = Archive(tmp_path / "server.sqlite")
    ada, bob = server.table("secret-paths", variant="burning")
    play(ada, bob, lines=BURNT)
    bob.says(Resign)
    (past,) = ada.says(AskHistory).games
    assert (past.game, past.variant) == ("secret-paths", "burning")
    assert "3,3" not in ada.says(AskReplay, past.number, 5, 2).view.state["trail"][-1:]
    assert ada.says(AskReplay, past.number, 5, 2).view.state["entered"] is not None
    assert [row.name for row in ada.says(AskStandings, "secret-paths").rows] == ["Ada", "Bob"]
    text = ada.says(AskRecord, past.number).text
    assert saved_game.read(text)["variant"] == "burning"
    assert verify_saved.check_saved_game(text, GAMES) == []
    server.closes()
