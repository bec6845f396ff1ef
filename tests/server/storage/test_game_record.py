"""A finished game as a record: the same that `/save` writes, in parts, for those who played it."""

import pytest

from gridgames_protocol import commitments, saved_game
from gridgames_protocol.messages import RECORD_PART, AskRecord, Resign
from gridgames_server.admin import verify_saved
from gridgames_server.games import GAMES
from gridgames_server.games.match import make_closing
from tests.server.hub_harness import word
from tests.server.stored_games import BY_SLUG, Archive, play_out

STRANGER = "There is no such game in your history."


@pytest.fixture
def server(tmp_path):
    """A server with a store."""
    server = Archive(tmp_path / "server.sqlite")
    yield server
    server.closes()


every_game = pytest.mark.parametrize("slug", BY_SLUG)


def record_of(guest, number=1):
    """The whole text of a record, put together from its parts."""
    text, size = "", 1
    while len(text) < size:
        part = guest.says(AskRecord, number, len(text))
        assert (part.at, part.game) == (len(text), number)
        text, size = text + part.text, part.size
    return text


@every_game
def test_a_record_passes_every_check_of_a_saved_game(server, slug):
    ada, bob = server.table(slug)
    room = server.room(ada.where.room)
    play_out(ada, bob, fouls=slug == "secret-paths")
    over = make_closing(room.match)[-1]
    text = record_of(ada)
    record = saved_game.read(text)
    assert [tuple(move) for move in record["moves"]] == list(over.moves)
    assert (record["winner"], record["reason"], record["players"]) == (over.winner, over.reason, ["Ada", "Bob"])
    verdict = commitments.check(record["commits"], saved_game.opened(record))
    assert verdict == (len(over.reveal), ())
    assert verify_saved.check_saved_game(text, GAMES) == []


def test_each_player_has_a_record_of_their_own(server):
    ada, bob = server.table("treasure-hunt-duel")
    play_out(ada, bob)
    hers, his = (saved_game.read(record_of(guest)) for guest in (ada, bob))
    assert (hers["you"], his["you"]) == (1, 2)
    assert hers["told"] != his["told"], "each was told distances of their own"


def test_a_game_that_was_resigned_has_a_record(server):
    ada, _ = server.table("grid-hunt")
    ada.says(Resign)
    assert saved_game.read(record_of(ada))["reason"] == "resigned"


def test_a_long_record_comes_in_parts(server):
    ada, bob = server.table("grid-hunt")
    play_out(ada, bob)
    text = record_of(ada)
    assert ada.says(AskRecord, 1, 10).text == text[10 : 10 + RECORD_PART]
    assert ada.says(AskRecord, 1, len(text)).text == ""


def test_nobody_else_gets_a_record(server):
    ada, _, cid = server.table("grid-hunt", "Ada", "Bob", "Cid")
    ada.says(Resign)
    assert cid.says(AskRecord, 1).text == STRANGER
    assert word(cid.says(AskRecord, 2)) == "not_now"
