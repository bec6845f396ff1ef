"""The standings: who has won how many games."""

import pytest

from gridgames_protocol.messages import (
    Again,
    AskStandings,
    Join,
    Leave,
    Resign,
    Standing,
)
from gridgames_server.games import GAMES
from gridgames_server.storage.history_answers import TABLE, QueryResult, build_answer
from tests.server.hub_harness import play
from tests.server.stored_games import Archive, resigned


@pytest.fixture
def server(tmp_path):
    """A server with a store."""
    server = Archive(tmp_path / "server.sqlite")
    yield server
    server.closes()


# Standings ------------------------------------------------------------------------------------------------------------


def test_standings_count_wins_draws_and_losses_per_game_and_in_all(server):
    for name in ("Zoe", "Bob", "Cid"):
        server.enter(name)
    zoe, bob, cid = 1, 2, 3
    server.keeps(
        resigned(1, (zoe, bob), winner=1),
        resigned(2, (zoe, bob), winner=None),
        resigned(3, (bob, zoe), winner=2),
        resigned(4, (cid, bob), winner=1, game="quantum-duel"),
        resigned(5, (zoe, cid), winner=2, game="quantum-duel"),
    )
    dan = server.enter("Dan")
    assert dan.says(AskStandings, "grid-hunt").rows == (
        Standing("Zoe", played=3, won=2, drawn=1, lost=0),
        Standing("Bob", played=3, won=0, drawn=1, lost=2),
    )
    assert dan.says(AskStandings, "quantum-duel").rows == (
        Standing("Cid", played=2, won=2, drawn=0, lost=0),
        Standing("Bob", played=1, won=0, drawn=0, lost=1),
        Standing("Zoe", played=1, won=0, drawn=0, lost=1),
    )
    assert dan.says(AskStandings).rows == (  # of two who have won as many, who has played more comes first
        Standing("Zoe", played=4, won=2, drawn=1, lost=1),
        Standing("Cid", played=2, won=2, drawn=0, lost=0),
        Standing("Bob", played=4, won=0, drawn=1, lost=3),
    )
    table = dan.says(AskStandings, "secret-paths")
    assert (table.game, table.rows) == ("secret-paths", ())
    assert dan.says(AskStandings, "tic-tac-toe").code == "no_such_game"


def test_standings_are_those_of_the_games_as_they_were_played(server):
    ada, bob = server.table("quantum-duel")
    play(ada, bob, lines=((1, "MOVE 3"), (1, "OBSERVE 5"), (2, "MOVE 5"), (2, "OBSERVE 3")))
    ada.says(Again), bob.says(Again)
    ada.says(Resign)
    assert ada.says(AskStandings).rows == (Standing("Bob", 2, 2, 0, 0), Standing("Ada", 2, 0, 0, 2))


def test_a_player_who_is_called_otherwise_now_stands_there_once_and_by_the_new_name(server):
    ada, bob = server.table("grid-hunt")
    bob.says(Resign)
    ada.says(Leave)
    ada.drops()
    back = ada.comes_back("Countess")
    assert [(row.name, row.won) for row in bob.says(AskStandings).rows] == [("Countess", 1), ("Bob", 0)]
    code = back.opens("grid-hunt")
    bob.says(Leave)
    bob.says(Join, code)
    bob.says(Resign)
    assert [(row.name, row.won) for row in bob.says(AskStandings).rows] == [("Countess", 2), ("Bob", 0)]


def test_two_players_of_one_name_are_two_rows(server):
    one = server.enter("Ada")
    one.drops()
    server.enter("Ada")
    server.keeps(resigned(players=(1, 2), winner=2))
    assert [(row.name, row.won) for row in server.enter("Bob").says(AskStandings).rows] == [("Ada", 1), ("Ada", 0)]


def test_a_player_whom_the_store_does_not_know_has_the_name_of_then(server):
    server.keeps(resigned(players=(77, 78)))
    assert [row.name for row in server.enter("Cid").says(AskStandings).rows] == ["Ada", "Bob"]


def test_of_very_many_only_the_first_are_told(server):
    pairs = [(2 * number, 2 * number + 1) for number in range(100, 100 + TABLE)]
    server.keeps(*(resigned(players=pair, winner=1) for pair in pairs))
    assert [row.won for row in server.enter("Cid").says(AskStandings).rows] == [1] * TABLE
    found = QueryResult(rows=(("Ada", 3, 1, 1),) * (TABLE + 1))
    assert build_answer(AskStandings(1), found, 1, GAMES).rows == (Standing("Ada", 3, 1, 1, 1),) * TABLE
