"""A room with assist: each board shows what its own reader can rule out, both know it beforehand, and it is kept."""

from random import Random

import pytest

from gridgames_protocol.messages import Again, Create, Join, Lobby, Over, Resign
from gridgames_server.bots import BOTS
from gridgames_server.core.effects import AskBot
from gridgames_server.games import GAMES
from gridgames_server.games.game import Chance
from tests.server.hub_harness import MIDDLES, HubHarness, play, word
from tests.server.stored_hub import Shelf, Shelved, StoredHub

HELPED = [game.card.slug for game in GAMES if game.card.assist]


def ruled_out(guest):
    """The cells that a guest's board shows as ruled out."""
    board = guest.sees.view.board
    return {name for name, kind in zip(board.names, board.kinds, strict=True) if kind == "ruled_out"}


def unhelped(server, guest):
    """The board as the game itself draws it for a guest."""
    match = server.room(guest.where.room).match
    return match.game.view(match.state, guest.where.you).board


# What is shown


def test_each_sees_what_they_can_rule_out_and_a_watcher_sees_nothing():
    server = HubHarness()
    ada, bob, eve = server.table("treasure-hunt-duel", "Ada", "Bob", "Eve", assist=True)
    assert [ruled_out(guest) for guest in (ada, bob, eve)] == [set(), set(), set()]
    server.room(ada.where.room).match.state = server.room(ada.where.room).match.game.start(Chance(b"7"), 1).state
    ada.types("QUERY 3C")
    distance = ada.sees.view.state["hints"]["3C"]
    names = ada.sees.view.board.names
    there = {name for name in names if abs(int(name[0]) - 3) + abs(ord(name[1]) - ord("C")) == distance}
    assert ruled_out(ada) == set(names) - there - {"3C"}, "a cell with an answer of one's own keeps its kind"
    assert (ruled_out(bob), ruled_out(eve)) == (set(), set())
    bob.types("QUERY 1A")
    assert ruled_out(bob)
    assert ruled_out(bob) != ruled_out(ada)
    assert ruled_out(eve) == set()


def test_what_the_other_asked_about_is_shaded_too_and_keeps_its_text():
    server = HubHarness()
    ada, bob = server.table("grid-hunt", assist=True)
    play(ada, bob, lines=((1, "HIDE 1 1"), (2, "HIDE 5 5"), (1, "SCAN 5 5"), (2, "DIG 3 3")))
    assert len(ruled_out(ada)) == 24, "all but where the treasure is"
    board = ada.sees.view.board
    assert board.texts[board.names.index("5,5")] == "0"


def test_a_covered_secret_does_not_stand_out_among_shaded_cells():
    ada, bob = HubHarness().table("quantum-duel", assist=True)
    play(ada, bob, lines=((1, "MOVE 3"), (1, "OBSERVE 1"), (2, "MOVE 7"), (2, "OBSERVE 1")))
    play(ada, bob, lines=((1, "MOVE 4"), (1, "OBSERVE 4")))
    assert ada.sees.view.board.masks == (("3", "", "hidden"), ("4", "x", "ruled_out"))


def test_goals_are_ruled_out_only_where_goals_can_be():
    ada, bob = HubHarness().table("secret-paths", assist=True)
    play(ada, bob, lines=((1, "GOAL 2"), (2, "GOAL 4"), (1, "MOVE 2 2"), (2, "MOVE 1 2"), (1, "MOVE 2 2")))
    assert (ruled_out(ada), ruled_out(bob)) == ({"1,2"}, set())


def test_a_position_that_was_looked_at_may_hold_the_token_again_when_it_has_moved():
    ada, bob = HubHarness().table("quantum-duel", assist=True)
    play(ada, bob, lines=((1, "MOVE 1"), (1, "OBSERVE 7"), (2, "MOVE 5"), (2, "OBSERVE 3"), (1, "STAY")))
    assert ruled_out(ada) == set(), "the own token's place keeps its kind"
    ada.types("OBSERVE 4")
    assert ruled_out(ada) == {"4"}
    bob.types("STAY")
    assert ruled_out(ada) == set()


@pytest.mark.parametrize("slug", HELPED)
def test_without_assist_nothing_is_worked_out_and_boards_are_as_the_game_draws_them(slug, monkeypatch):
    game = next(game for game in GAMES if game.card.slug == slug)
    monkeypatch.setattr(type(game), "possibilities", None)
    server = HubHarness()
    ada, bob, eve = server.table(slug, "Ada", "Bob", "Eve")
    play(ada, bob, lines=MIDDLES[slug])
    for guest in (ada, bob, eve):
        assert guest.sees.view.board == unhelped(server, guest)


def test_when_it_is_over_nothing_is_shaded():
    server = HubHarness()
    ada, bob = server.table("grid-hunt", assist=True)
    play(ada, bob, lines=((1, "HIDE 1 1"), (2, "HIDE 5 5"), (1, "SCAN 5 5"), (2, "SCAN 1 1")))
    assert ruled_out(ada)
    ada.says(Resign)
    assert (ruled_out(ada), ruled_out(bob)) == (set(), set())
    assert ada.sees.view.board == unhelped(server, ada)


# Who knows of it


def test_everybody_knows_of_it_before_they_join():
    server = HubHarness()
    ada, bob = server.enter("Ada"), server.enter("Bob")
    bob.reads()
    code = ada.opens("grid-hunt", assist=True)
    server.passes(1)
    assert ada.where.assist
    assert [row.assist for row in bob.reads(Lobby)[-1].rooms] == [True]
    bob.says(Join, code)
    assert bob.where.assist


def test_a_room_has_none_unless_it_is_asked_for():
    server = HubHarness()
    ada, eve = server.enter("Ada"), server.enter("Eve")
    ada.opens("grid-hunt")
    server.passes(1)
    assert not ada.where.assist
    assert [row.assist for row in eve.reads(Lobby)[-1].rooms] == [False]


def test_a_game_with_nothing_to_rule_out_says_so():
    ada = HubHarness().enter("Ada")
    refusal = ada.says(Create, "grid-conquest", assist=True)
    assert word(refusal) == "not_now"
    assert refusal.text == "Grid Conquest has nothing to rule out. Create a room without assist."
    assert [card.slug for card in ada.welcome.games if not card.assist] == ["grid-conquest"]


def test_a_rematch_has_it_too():
    ada, bob = HubHarness().table("treasure-hunt-duel", assist=True)
    ada.says(Resign)
    ada.says(Again)
    bob.says(Again)
    bob.types("QUERY 1A")
    assert ruled_out(bob)
    assert ada.where.assist


# The computer


@pytest.mark.parametrize("slug", HELPED)
@pytest.mark.parametrize("level", ["easy", "hard"])
def test_the_computer_plays_with_it_to_the_end(slug, level):
    server = HubHarness()
    ada = server.enter("Ada")
    ada.says(Create, slug, bot=level, first="host", assist=True)
    choose, shaded = Random(slug), False
    while not ada.reads(Over):
        if ada.where.you in ada.sees.turn:
            lines = [line for action in ada.sees.view.actions for line in action.lines()]
            assert ada.types(choose.choice(lines)) == ["ok"]
        else:
            about = server.of(AskBot)[-1]
            shaded |= "ruled_out" in about.show.view.board.kinds
            line = BOTS[slug](about.show, level, Chance(choose.randbytes(8)))
            server.answers(about, line)
        server.now += 1
    assert shaded or slug in ("quantum-duel", "secret-paths")  # where it may be that nothing was ruled out


# What is kept


def test_a_restart_keeps_it():
    server = StoredHub(Shelf())
    ada, bob = server.table("treasure-hunt-duel", assist=True)
    play(ada, bob, lines=MIDDLES["treasure-hunt-duel"])
    before = ruled_out(ada), ruled_out(bob)
    server = server.again()
    ada, bob = server.all_back(ada, bob)
    assert (ruled_out(ada), ruled_out(bob)) == before
    assert all(before)
    assert ada.where.assist


def test_it_is_on_disk(tmp_path):
    server = StoredHub(Shelved(tmp_path / "store"))
    for names in (("Ada", "Bob"), ("Cyd", "Dot")):
        server.table("grid-hunt", *names, assist="Ada" in names)
    server = server.again()
    assert {room.host: room.assist for room in server.hub.rooms.by_code.values()} == {"Ada": True, "Cyd": False}
    server.storage.close()


# The review of what happened


def test_the_end_brings_the_review_to_everybody_and_to_one_who_comes_back():
    ada, bob, eve = HubHarness().table("grid-hunt", "Ada", "Bob", "Eve")
    play(ada, bob, lines=((1, "HIDE 1 1"), (2, "HIDE 5 5"), (1, "SCAN 5 5"), (2, "DIG 2 2"), (1, "DIG 5 5")))
    (over,), (seen,), (watched,) = (guest.reads(Over) for guest in (ada, bob, eve))
    assert over.review == seen.review == watched.review
    assert over.review.rows[0].numbers == (25, 1, 1)
    bob.drops()
    (told,) = bob.comes_back().reads(Over)
    assert told.review == over.review


def test_a_restart_works_out_no_review_that_nobody_hears_and_then_the_same():
    server = StoredHub(Shelf())
    ada, bob = server.table("grid-hunt")
    play(ada, bob, lines=MIDDLES["grid-hunt"])
    ada.says(Resign)
    (over,) = ada.reads(Over)
    server = server.again()
    (room,) = server.hub.rooms.by_code.values()
    assert room.match._review == ()
    (told,) = server.back(ada).reads(Over)
    assert told == over
