"""A finished game again, line by line, and the games that can't be shown again."""

from dataclasses import replace

import pytest

from gridgames_protocol.messages import (
    Again,
    AskAnalysis,
    AskHistory,
    AskRecord,
    AskReplay,
    Card,
    Error,
    Over,
    Resign,
)
from gridgames_server.games import GAMES
from gridgames_server.games.match import replay
from gridgames_server.storage.history_answers import DAMAGED, FinishedGame, QueryResult, build_answer
from tests.server.hub_harness import MIDDLES, play, word
from tests.server.stored_games import BY_SLUG, Archive, looks, play_out

STRANGER = "There is no such game in your history."


@pytest.fixture
def server(tmp_path):
    """A server with a store."""
    server = Archive(tmp_path / "server.sqlite")
    yield server
    server.closes()


# Again, line by line --------------------------------------------------------------------------------------------------

every_game = pytest.mark.parametrize("slug", BY_SLUG)


@every_game
def test_a_replay_shows_a_seat_at_each_step_what_it_saw_then_or_could_rule_out(server, slug):
    ada, bob = server.table(slug, assist=find_card(slug).assist)
    scenes = play_out(ada, bob, fouls=slug == "secret-paths")
    last = len(scenes) - 1
    for step, scene in enumerate(scenes):
        shown = [ada.says(AskReplay, 1, step, eyes) for eyes in (1, 2)]
        assert tuple(replay.view for replay in shown) == scene
        assert {(replay.step, replay.steps, replay.names) for replay in shown} == {(step, last, ("Ada", "Bob"))}
    assert scenes[last][0].phase == "over"


def find_card(slug: str) -> Card:
    return next(game.card for game in GAMES if game.card.slug == slug)


@every_game
def test_an_open_replay_shows_what_a_watcher_sees_if_the_game_ends_there(server, slug):
    ada, bob, cid = server.table(slug, "Ada", "Bob", "Cid")
    table = server.room(ada.where.room)
    scenes = play_out(ada, bob, cid, fouls=slug == "secret-paths")
    lines = [(line.seat, line.text) for line in table.match.lines]
    for step in range(len(scenes) - 1):
        match = replay(table.game, table.match.seed, table.match.first, lines[:step])
        match.stop(table.match.outcome)
        assert bob.says(AskReplay, 1, step, 0).view == match.view(None)
        assert scenes[step][2].phase != "over", "the watcher did not see it so then"
    assert bob.says(AskReplay, 1, len(lines), 0).view == scenes[-1][2]


def test_a_replay_names_the_line_that_led_there_and_how_the_game_ended(server):
    ada, bob = server.table("quantum-duel")
    lines = ((1, "move 3"), (1, "OBSERVE 5"), (2, "MOVE 5"), (2, "OBSERVE 3"))
    play(ada, bob, lines=lines)
    shown = [ada.says(AskReplay, 1, step, 0) for step in range(5)]
    assert [replay.line for replay in shown] == [None, (1, "move 3"), *lines[1:]], "without surplus spaces"
    assert {replay.text for replay in shown} == {"Player 2 wins by capturing Player 1's token!"}
    assert [replay.view.state["tokens"] for replay in shown] == [(None, None), (3, None), (3, None), (3, 5), (3, 5)]


def test_a_replay_goes_no_further_than_the_last_line(server):
    ada, bob = server.table("quantum-duel")
    play(ada, bob, lines=((1, "MOVE 3"), (1, "OBSERVE 5"), (2, "MOVE 5"), (2, "OBSERVE 3")))
    for far in (5, 2**53 - 1):
        past = ada.says(AskReplay, 1, far, 1)
        assert replace(past, re=1) == replace(ada.says(AskReplay, 1, 4, 1), re=1)
        assert (past.step, past.line) == (4, (2, "OBSERVE 3"))


def test_the_last_step_of_a_game_that_was_resigned_is_the_table_before_that(server):
    ada, bob, cid = server.table("grid-hunt", "Ada", "Bob", "Cid", assist=True)
    play(ada, bob, lines=MIDDLES["grid-hunt"])
    before = looks(ada, bob)
    bob.says(Resign)
    shown = [ada.says(AskReplay, 1, 3, eyes) for eyes in (1, 2, 0)]
    assert tuple(replay.view for replay in shown) == (*before, cid.sees.view)
    assert shown[0].text == "Player 2 has resigned. Player 1 wins."
    assert cid.sees.view.state["treasures"] == ("2,3", "5,5")


@pytest.mark.parametrize("eyes", [0, 1, 2])
def test_the_last_step_brings_the_review_and_no_other_does(server, eyes):
    ada, bob = server.table("grid-hunt")
    play(ada, bob, lines=MIDDLES["grid-hunt"])
    bob.says(Resign)
    (over,) = ada.reads(Over)
    shown = [ada.says(AskReplay, 1, step, eyes) for step in range(4)]
    assert [replay.review for replay in shown] == [None, None, None, over.review]
    assert over.review.rows[0].numbers == (25, 4)


def test_both_players_may_look_with_both_eyes(server):
    ada, bob = server.table("grid-hunt")
    play(ada, bob, lines=MIDDLES["grid-hunt"])
    bob.says(Resign)
    for eyes in (0, 1, 2):
        assert ada.says(AskReplay, 1, 2, eyes).view == bob.says(AskReplay, 1, 2, eyes).view
    assert ada.says(AskReplay, 1, 2, 2).view.state["treasures"] == (None, "5,5")


def test_a_replay_leaves_the_game_on_the_table_alone(server):
    ada, bob = server.table("quantum-duel")
    ada.says(Resign)
    ada.says(Again), bob.says(Again)
    was = looks(ada, bob)
    ada.says(AskReplay, 1, 0, 0)
    assert (looks(ada, bob), bob.sees.turn) == (was, (2,))
    assert bob.types("MOVE 3") == ["ok"]


# Games that can't be shown again --------------------------------------------------------------------------------------

KEPT = FinishedGame(
    number=7,
    game="quantum-duel",
    edition=1,
    seed=b"",
    first=1,
    players=(1, 2),
    names=("Ada", "Bob"),
    lines='[[1, "MOVE 3"], [1, "OBSERVE 5"]]',
    winner=1,
    reason="resigned",
    text="Player 2 has resigned. Player 1 wins.",
    ended=1_760_000_000.5,
)


def asked(question, kept=KEPT, player=1):
    """What a player is answered if the store has found this game."""
    return build_answer(question, QueryResult((kept,)), player, GAMES)


def test_a_game_is_shown_to_its_two_players_alone():
    for player in (1, 2):
        assert asked(AskReplay(1, 7, 1, 0), player=player).line == (1, "MOVE 3")
    assert asked(AskReplay(1, 7, 1, 0), player=3) == Error("not_now", STRANGER, 1, "game")


def test_a_game_of_an_older_edition_is_listed_but_not_played_by_todays_rules():
    old = KEPT._replace(edition=0)
    refusal = "That game was played by older rules, which this server does not know."
    assert asked(AskReplay(1, 7, 0, 1), old) == Error("not_now", refusal, 1, "game")
    (row,) = asked(AskHistory(1), old).games
    assert (row.title, row.lines, row.ended) == ("Quantum Duel", 2, 1_760_000_000)


def test_a_game_that_the_server_no_longer_has_is_listed_by_its_slug():
    gone = KEPT._replace(game="tic-tac-toe")
    assert word(asked(AskReplay(1, 7, 0, 1), gone)) == "not_now"
    assert asked(AskHistory(1), gone).games[0].title == "tic-tac-toe"


@pytest.mark.parametrize("lines", ["", "7", "[7]", "[[1]]", '[["x", "MOVE 3"]]', '[[2, "MOVE 3"]]', '[[1, "MOVE 9"]]'])
def test_a_game_that_the_disk_has_damaged_is_refused_to_who_asks(lines):
    damaged = KEPT._replace(lines=lines)
    for question in (AskReplay(1, 7, 1, 1), AskRecord(1, 7), AskAnalysis(1, 7)):
        assert asked(question, damaged) == Error("not_now", DAMAGED, 1, "game")


def test_a_kept_game_tells_the_log_nothing():
    assert repr(KEPT) == "FinishedGame(7)"
    assert "MOVE" not in repr(QueryResult((KEPT,)))
