"""One's own finished games in pages, and how questions about them are answered."""

import asyncio
from dataclasses import replace

import pytest

from gridgames_protocol.messages import (
    Again,
    AskHistory,
    AskReplay,
    AskStandings,
    History,
    Leave,
    Ping,
    Resign,
    Watch,
)
from gridgames_server.core.effects import RunQuery
from gridgames_server.core.limits import ROOM_DESERTED
from gridgames_server.storage.history_answers import PAGE, Query
from gridgames_server.storage.writer import Writer
from tests.server.hub_harness import MIDDLES, HubHarness, play, word
from tests.server.stored_games import Archive, fail, resigned
from tests.server.tcp_tables import sit_down
from tests.wire import run, serving

STRANGER = "There is no such game in your history."


@pytest.fixture
def server(tmp_path):
    """A server with a store."""
    server = Archive(tmp_path / "server.sqlite")
    yield server
    server.closes()


def results(guest):
    """Who won a guest's games and why, the newest first."""
    return [(game.winner, game.reason) for game in guest.says(AskHistory).games]


# One's own games ------------------------------------------------------------------------------------------------------


def test_a_finished_game_is_in_the_history_of_its_two_players_only(server):
    ada, bob, cid = server.table("quantum-duel", "Ada", "Bob", "Cid")
    play(ada, bob, lines=((1, "MOVE 3"), (1, "OBSERVE 5"), (2, "MOVE 5"), (2, "OBSERVE 3")))
    (hers,), (his,) = ada.says(AskHistory).games, bob.says(AskHistory).games
    assert (hers.number, hers.game, hers.title) == (1, "quantum-duel", "Quantum Duel")
    assert (hers.names, hers.winner, hers.reason, hers.lines) == (("Ada", "Bob"), 2, "capture", 4)
    assert hers.ended > 1_700_000_000, "seconds since 1970, whatever the hub's own time is"
    assert (hers.you, his) == (1, replace(hers, you=2))
    assert cid.says(AskHistory).games == ()


def test_the_newest_game_comes_first(server):
    ada, bob = server.table("grid-hunt")
    ada.says(Resign)
    ada.says(Again), bob.says(Again)
    bob.says(Resign)
    assert results(ada) == results(bob) == [(1, "resigned"), (2, "resigned")]
    assert [game.number for game in ada.says(AskHistory).games] == [2, 1]


def test_a_game_that_is_being_played_is_no_history(server):
    ada, bob = server.table("grid-hunt")
    play(ada, bob, lines=MIDDLES["grid-hunt"])
    assert ada.says(AskHistory).games == ()
    assert word(ada.says(AskReplay, 1, 0, 0)) == "not_now"


def test_who_leaves_a_game_has_lost_it_in_both_histories(server):
    ada, bob = server.table("secret-paths")
    bob.says(Leave)
    assert results(ada) == results(bob) == [(1, "resigned")]


def test_a_game_that_nobody_won_is_a_draw(server):
    ada, bob = server.table("grid-hunt", clock=5)
    server.passes(6)
    assert results(ada) == results(bob) == [(None, "clock")]
    assert [row.drawn for row in ada.says(AskStandings).rows] == [1, 1]


def test_a_game_that_was_given_up_to_start_afresh_is_not_kept(server):
    ada, bob = server.table("grid-hunt")
    play(ada, bob, lines=MIDDLES["grid-hunt"])
    ada.says(Again), bob.says(Again)
    assert (ada.says(AskHistory).games, ada.says(AskStandings).rows) == ((), ())
    bob.says(Resign)
    assert results(ada) == [(1, "resigned")]


def test_a_game_whose_room_was_closed_is_not_kept(server):
    ada, bob = server.table("grid-hunt")
    ada.drops(), bob.drops()
    server.passes(ROOM_DESERTED + 10)
    assert ada.comes_back().says(AskHistory).games == ()


def test_fouls_are_lines_of_the_game(server):
    ada, bob = server.table("secret-paths")
    play(ada, bob, lines=MIDDLES["secret-paths"])
    assert bob.types("MOVE 4 2", "MOVE 9 9") == ["illegal", "illegal"]
    ada.says(Resign)
    (game,) = ada.says(AskHistory).games
    assert game.lines == len(MIDDLES["secret-paths"]) + 2


def test_others_see_nothing_of_a_game(server):
    server.table("grid-hunt")[0].says(Resign)
    cid, dan = server.table("quantum-duel", "Cid", "Dan")
    dan.says(Resign)
    (game,) = cid.says(AskHistory).games
    assert game.names == ("Cid", "Dan")
    for number in (1, 7):  # one that is Ada's and Bob's, one that is not there
        assert cid.says(AskReplay, number, 0, 0).text == STRANGER


def test_one_may_ask_from_everywhere_once_one_has_said_who_one_is(server):
    ada, bob = server.table("grid-hunt")
    cid, dan, new = server.enter("Cid"), server.enter("Dan"), server.connects()
    cid.says(Watch, ada.where.room)
    for guest in (ada, bob, cid, dan):
        assert [word(guest.says(*asked)) for asked in ([AskHistory], [AskStandings])] == ["history", "standings"]
        assert word(guest.says(AskReplay, 1, 0, 1)) == "not_now"
    for asked in ([AskHistory], [AskReplay, 1, 0, 1], [AskStandings]):
        assert word(new.says(*asked)) == "hello_first"


def test_a_history_goes_with_the_token_and_not_with_the_name(server):
    ada, _ = server.table("grid-hunt")
    ada.says(Resign)
    ada.says(Leave)
    ada.drops()
    assert server.enter("Ada").says(AskHistory).games == ()
    back = ada.comes_back("Countess")
    assert results(back) == [(2, "resigned")]
    assert back.says(AskHistory).games[0].names == ("Ada", "Bob"), "as they were called then"


def test_a_server_without_a_store_has_no_history():
    ada, _ = HubHarness().table("grid-hunt")
    ada.says(Resign)
    assert (ada.says(AskHistory).games, ada.says(AskHistory).more) == ((), False)
    assert ada.says(AskStandings, "grid-hunt").rows == ()
    assert ada.says(AskReplay, 1, 0, 0).text == STRANGER


# Pages ----------------------------------------------------------------------------------------------------------------


def pages(guest):
    """All that a guest gets who turns the page as long as there are more."""
    turned = [guest.says(AskHistory)]
    while turned[-1].more:
        turned.append(guest.says(AskHistory, before=turned[-1].games[-1].number))
    return [[game.number for game in page.games] for page in turned]


@pytest.mark.parametrize(("games", "sizes"), [(PAGE, [PAGE]), (PAGE + 1, [PAGE, 1]), (2 * PAGE + 5, [PAGE, PAGE, 5])])
def test_a_long_history_comes_in_pages(server, games, sizes):
    ada = server.enter("Ada")
    server.keeps(*(resigned(number, players=(1, 9)) for number in range(games)))
    turned = pages(ada)
    assert [len(page) for page in turned] == sizes
    numbers = [number for page in turned for number in page]
    assert numbers == list(range(games, 0, -1)), "the newest first, none twice, none left out"


def test_only_older_games_than_the_one_named_are_told(server):
    ada = server.enter("Ada")
    server.keeps(*(resigned(number, players=(9, 1)) for number in range(5)))
    assert [game.number for game in ada.says(AskHistory, before=4).games] == [3, 2, 1]
    assert ada.says(AskHistory, before=1).games == ()
    assert len(ada.says(AskHistory, before=2**53 - 1).games) == 5


def test_other_peoples_games_in_between_take_no_place_on_a_page(server):
    ada = server.enter("Ada")
    server.keeps(*(resigned(number, players=(1, 8) if number % 2 else (7, 8)) for number in range(2 * PAGE)))
    assert pages(ada) == [list(range(2 * PAGE, 0, -2))]


# Over a real connection -----------------------------------------------------------------------------------------------


def test_questions_are_answered_over_the_wire_while_games_go_on(tmp_path):
    async def scenario():
        storage = Writer(tmp_path / "server.sqlite", asyncio.get_running_loop().call_soon_threadsafe, fail)
        storage.start()
        async with serving(storage=storage) as server:
            table = await sit_down(server, "quantum-duel")
            ada, bob = table.seats[1], table.seats[2]
            await ada.says(Resign)
            (game,) = (await bob.says(AskHistory)).games
            assert (game.winner, game.reason, game.names) == (2, "resigned", ("Ada", "Bob"))
            questions = [ada.calls(AskReplay, game=1, step=0, eyes=0), ada.calls(Ping), ada.calls(AskStandings)]
            heard = {}
            while len(heard) < len(questions):
                message = await ada.hears()
                heard[getattr(message, "re", None)] = word(message)
                heard.pop(None, None)
            assert heard == dict(zip(questions, ["replay", "ok", "too_fast"], strict=True))
            assert word(await ada.says(AskStandings)) == "standings"
        storage.close()

    run(scenario())


def test_who_is_gone_before_the_answer_comes_disturbs_nobody(tmp_path):
    async def scenario():
        storage = Writer(tmp_path / "server.sqlite", asyncio.get_running_loop().call_soon_threadsafe, fail)
        async with serving(storage=storage) as server:
            storage.start()
            ada, bob = await server.guest("Ada"), await server.guest("Bob")
            for _ in range(5):
                ada.calls(AskHistory)
            await ada.writer.drain()
            ada.cut()
            assert isinstance(await bob.says(AskHistory), History)
        storage.close()

    run(scenario())


# Others wait for nobody who looks back


def test_a_question_that_nobody_waits_for_any_more_is_dropped(server):
    ada = server.enter("Ada")
    found = []
    server.storage.run_query(Query(AskHistory(1), 1, lambda _: "dropped", found.append, lambda: False))
    server.storage.run_query(Query(AskHistory(2), 1, lambda _: "wanted", found.append))
    server.calls.get()()
    assert found == ["wanted"]
    assert word(ada.says(AskStandings)) == "standings"


def test_one_question_at_a_time(server):
    ada = server.enter("Ada")
    first = AskHistory(next(server.ids))
    effects = server.hub.bytes_received(ada.id, 0, [first], server.now)
    assert [type(effect) for effect in effects] == [RunQuery]
    assert word(ada.says(AskStandings)) == "too_fast"
    server.does(effects)
    assert word(ada.says(AskStandings)) == "standings"
