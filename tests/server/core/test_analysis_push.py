"""Analyses: of a game that has just ended for everybody in its room, and of an old one for its players."""

import pytest

from gridgames_protocol.messages import Again, Analysis, AskAnalysis, AskStatus, OfferDraw, Resign, Watch
from gridgames_server.analysis.analyse import find_analysis
from gridgames_server.core.effects import Analyse
from gridgames_server.core.hub import Hub, ServerConfig
from gridgames_server.core.limits import Limits
from gridgames_server.games import GAMES
from gridgames_server.net.thread_work import analyse_record
from tests.server.hub_harness import Entropy, HubHarness
from tests.server.stored_games import Archive, play_out


def let_it_analyse(server: HubHarness) -> None:
    """Set up a server that analyses finished games."""
    server.hub = Hub(ServerConfig(GAMES, limits=Limits(rate=0), has_analysis=True), Entropy(), server.now)


@pytest.fixture
def server():
    server = HubHarness()
    let_it_analyse(server)
    return server


def test_everybody_in_the_room_is_sent_the_analysis_of_a_game_that_ended(server):
    ada, bob, eve = server.table("treasure-hunt-duel", "Ada", "Bob", "Eve")
    play_out(ada, bob)
    server.read_by_all()
    (asked,) = server.of(Analyse)
    found = analyse_record(asked.over)
    server.does(server.hub.analysis_done(asked.over, found, server.now))
    for guest in (ada, bob, eve):
        assert guest.reads(Analysis) == [found]
    assert len(found.moves) == len(server.lines())


def test_who_comes_later_to_a_finished_game_is_sent_its_analysis_too(server):
    ada, bob = server.table("treasure-hunt-duel")
    bob.drops()
    ada.says(Resign)
    (asked,) = server.of(Analyse)
    found = analyse_record(asked.over)
    server.does(server.hub.analysis_done(asked.over, found, server.now))
    back, eve = bob.comes_back(), server.enter("Eve")
    eve.says(Watch, ada.where.room)
    assert back.reads(Analysis) == eve.reads(Analysis) == [found]
    for guest in (ada, back):
        guest.says(Again)
    assert server.room(ada.where.room).analysis is None


def test_an_analysis_that_comes_after_the_next_game_has_begun_is_sent_to_nobody(server):
    ada, bob = server.table("treasure-hunt-duel")
    ada.says(Resign)
    for guest in (ada, bob):
        guest.says(Again)
    (asked,) = server.of(Analyse)
    assert server.hub.analysis_done(asked.over, analyse_record(asked.over), server.now) == []


def test_a_game_that_was_given_up_for_another_is_not_analysed(server):
    ada, bob = server.table("treasure-hunt-duel")
    for guest in (ada, bob):
        guest.says(Again)
    assert server.of(Analyse) == []


def test_a_game_of_a_variant_has_no_analysis(server):
    ada, bob = server.table("secret-paths", variant="burning")
    for guest in (ada, bob):
        guest.says(OfferDraw)
    (asked,) = server.of(Analyse)
    assert analyse_record(asked.over) is None
    assert server.hub.analysis_done(asked.over, None, server.now) == []


def test_a_server_without_analysis_says_so():
    ada, _ = HubHarness().table("treasure-hunt-duel")
    assert not ada.says(AskStatus).features.analysis
    assert ada.says(AskAnalysis, 1).text == "This server does not offer that."


def test_players_ask_for_the_analysis_of_their_old_games_and_nobody_elses(tmp_path):
    server = Archive(tmp_path / "server.sqlite")
    let_it_analyse(server)
    ada, bob = server.table("grid-hunt")
    play_out(ada, bob)
    eve = server.enter("Eve")
    assert ada.says(AskStatus).features.analysis
    found = ada.says(AskAnalysis, 1)
    assert (type(found), found.number) == (Analysis, 1)
    assert len(found.moves) == len(server.lines())
    assert ada.says(AskAnalysis, 2).text == eve.says(AskAnalysis, 1).text == "There is no such game in your history."
    server.closes()


def test_a_game_is_analysed_once_for_its_room_and_for_all_who_ask_later(tmp_path):
    find_analysis.cache_clear()
    server = Archive(tmp_path / "server.sqlite")
    let_it_analyse(server)
    ada, bob = server.table("grid-hunt")
    play_out(ada, bob)
    (asked,) = server.of(Analyse)
    at_the_end = analyse_record(asked.over)
    assert {guest.says(AskAnalysis, 1).moves for guest in (ada, bob, ada)} == {at_the_end.moves}
    assert find_analysis.cache_info().misses == 1
    server.closes()
