"""Games that are over: one's own lists of them, each again line by line, and who has won how many."""

import asyncio
from dataclasses import replace

import pytest

from gridgames_protocol.messages import (
    Again,
    AskHistory,
    AskReplay,
    AskStandings,
    Error,
    History,
    Join,
    Leave,
    Over,
    Ping,
    Resign,
    Standing,
    Watch,
)
from gridgames_server.effects import Look
from gridgames_server.games import GAMES
from gridgames_server.history import PAGE, TABLE, Found, Kept, answer
from gridgames_server.journal import Journal
from gridgames_server.limits import ROOM_DESERTED
from gridgames_server.match import replay
from tests.server.archive import BY_SLUG, Archive, fail, looks, play_out, resigned
from tests.server.house import MIDDLES, House, play, word
from tests.server.tables import sit_down
from tests.wire import run, serving

STRANGER = "There is no such game in your history."


@pytest.fixture
def house(tmp_path):
    """A house with a store."""
    house = Archive(tmp_path / "server.sqlite")
    yield house
    house.closes()


def results(guest):
    """Who won a guest's games and why, the newest first."""
    return [(game.winner, game.reason) for game in guest.says(AskHistory).games]


# One's own games ------------------------------------------------------------------------------------------------------


def test_a_game_that_is_over_is_in_the_history_of_the_two_who_played_it_and_of_nobody_else(house):
    ada, bob, cid = house.table("quantum-duel", "Ada", "Bob", "Cid")
    play(ada, bob, lines=((1, "MOVE 3"), (1, "OBSERVE 5"), (2, "MOVE 5"), (2, "OBSERVE 3")))
    (hers,), (his,) = ada.says(AskHistory).games, bob.says(AskHistory).games
    assert (hers.number, hers.game, hers.title) == (1, "quantum-duel", "Quantum Duel")
    assert (hers.names, hers.winner, hers.reason, hers.lines) == (("Ada", "Bob"), 2, "capture", 4)
    assert hers.ended > 1_700_000_000, "seconds since 1970, whatever the hub's own time is"
    assert (hers.you, his) == (1, replace(hers, you=2))
    assert cid.says(AskHistory).games == ()


def test_the_newest_game_comes_first(house):
    ada, bob = house.table("grid-hunt")
    ada.says(Resign)
    ada.says(Again), bob.says(Again)
    bob.says(Resign)
    assert results(ada) == results(bob) == [(1, "resigned"), (2, "resigned")]
    assert [game.number for game in ada.says(AskHistory).games] == [2, 1]


def test_a_game_that_is_being_played_is_no_history(house):
    ada, bob = house.table("grid-hunt")
    play(ada, bob, lines=MIDDLES["grid-hunt"])
    assert ada.says(AskHistory).games == ()
    assert word(ada.says(AskReplay, 1, 0, 0)) == "not_now"


def test_who_leaves_a_game_has_lost_it_in_both_histories(house):
    ada, bob = house.table("secret-paths")
    bob.says(Leave)
    assert results(ada) == results(bob) == [(1, "resigned")]


def test_a_game_that_nobody_won_is_a_draw(house):
    ada, bob = house.table("grid-hunt", clock=5)
    house.passes(6)
    assert results(ada) == results(bob) == [(None, "clock")]
    assert [row.drawn for row in ada.says(AskStandings).rows] == [1, 1]


def test_a_game_that_was_given_up_to_start_afresh_is_not_kept(house):
    ada, bob = house.table("grid-hunt")
    play(ada, bob, lines=MIDDLES["grid-hunt"])
    ada.says(Again), bob.says(Again)
    assert (ada.says(AskHistory).games, ada.says(AskStandings).rows) == ((), ())
    bob.says(Resign)
    assert results(ada) == [(1, "resigned")]


def test_a_game_whose_room_was_closed_is_not_kept(house):
    ada, bob = house.table("grid-hunt")
    ada.drops(), bob.drops()
    house.passes(ROOM_DESERTED + 10)
    assert ada.comes_back().says(AskHistory).games == ()


def test_fouls_are_lines_of_the_game(house):
    ada, bob = house.table("secret-paths")
    play(ada, bob, lines=MIDDLES["secret-paths"])
    assert bob.types("MOVE 4 2", "MOVE 9 9") == ["illegal", "illegal"]
    ada.says(Resign)
    (game,) = ada.says(AskHistory).games
    assert game.lines == len(MIDDLES["secret-paths"]) + 2


def test_others_see_nothing_of_a_game(house):
    house.table("grid-hunt")[0].says(Resign)
    cid, dan = house.table("quantum-duel", "Cid", "Dan")
    dan.says(Resign)
    (game,) = cid.says(AskHistory).games
    assert game.names == ("Cid", "Dan")
    for number in (1, 7):  # one that is Ada's and Bob's, one that is not there
        assert cid.says(AskReplay, number, 0, 0).text == STRANGER


def test_one_may_ask_from_everywhere_once_one_has_said_who_one_is(house):
    ada, bob = house.table("grid-hunt")
    cid, dan, new = house.enter("Cid"), house.enter("Dan"), house.connects()
    cid.says(Watch, ada.where.room)
    for guest in (ada, bob, cid, dan):
        assert [word(guest.says(*asked)) for asked in ([AskHistory], [AskStandings])] == ["history", "standings"]
        assert word(guest.says(AskReplay, 1, 0, 1)) == "not_now"
    for asked in ([AskHistory], [AskReplay, 1, 0, 1], [AskStandings]):
        assert word(new.says(*asked)) == "hello_first"


def test_a_history_goes_with_the_token_and_not_with_the_name(house):
    ada, _ = house.table("grid-hunt")
    ada.says(Resign)
    ada.says(Leave)
    ada.drops()
    assert house.enter("Ada").says(AskHistory).games == ()
    back = ada.comes_back("Countess")
    assert results(back) == [(2, "resigned")]
    assert back.says(AskHistory).games[0].names == ("Ada", "Bob"), "as they were called then"


def test_a_server_without_a_store_has_no_history():
    ada, _ = House().table("grid-hunt")
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
def test_a_long_history_comes_in_pages(house, games, sizes):
    ada = house.enter("Ada")
    house.keeps(*(resigned(number, players=(1, 9)) for number in range(games)))
    turned = pages(ada)
    assert [len(page) for page in turned] == sizes
    numbers = [number for page in turned for number in page]
    assert numbers == list(range(games, 0, -1)), "the newest first, none twice, none left out"


def test_only_older_games_than_the_one_named_are_told(house):
    ada = house.enter("Ada")
    house.keeps(*(resigned(number, players=(9, 1)) for number in range(5)))
    assert [game.number for game in ada.says(AskHistory, before=4).games] == [3, 2, 1]
    assert ada.says(AskHistory, before=1).games == ()
    assert len(ada.says(AskHistory, before=2**53 - 1).games) == 5


def test_other_peoples_games_in_between_take_no_place_on_a_page(house):
    ada = house.enter("Ada")
    house.keeps(*(resigned(number, players=(1, 8) if number % 2 else (7, 8)) for number in range(2 * PAGE)))
    assert pages(ada) == [list(range(2 * PAGE, 0, -2))]


# Again, line by line --------------------------------------------------------------------------------------------------

every_game = pytest.mark.parametrize("slug", BY_SLUG)


@every_game
def test_a_replay_shows_a_seat_at_each_step_what_it_saw_then(house, slug):
    ada, bob = house.table(slug)
    scenes = play_out(ada, bob, fouls=slug == "secret-paths")
    last = len(scenes) - 1
    for step, scene in enumerate(scenes):
        shown = [ada.says(AskReplay, 1, step, eyes) for eyes in (1, 2)]
        assert tuple(replay.view for replay in shown) == scene
        assert {(replay.step, replay.steps, replay.names) for replay in shown} == {(step, last, ("Ada", "Bob"))}
    assert scenes[last][0].phase == "over"


@every_game
def test_with_everything_open_a_replay_shows_what_a_watcher_would_see_had_it_ended_there(house, slug):
    ada, bob, cid = house.table(slug, "Ada", "Bob", "Cid")
    table = house.room(ada.where.room)
    scenes = play_out(ada, bob, cid, fouls=slug == "secret-paths")
    lines = [(line.seat, line.text) for line in table.match.lines]
    for step in range(len(scenes) - 1):
        match = replay(table.game, table.match.seed, table.match.first, lines[:step])
        match.stop(table.match.outcome)
        assert bob.says(AskReplay, 1, step, 0).view == match.view(None)
        assert scenes[step][2].phase != "over", "the watcher did not see it so then"
    assert bob.says(AskReplay, 1, len(lines), 0).view == scenes[-1][2]


def test_a_replay_names_the_line_that_led_there_and_how_the_game_ended(house):
    ada, bob = house.table("quantum-duel")
    lines = ((1, "move  3"), (1, "OBSERVE 5"), (2, "MOVE 5"), (2, "OBSERVE 3"))
    play(ada, bob, lines=lines)
    shown = [ada.says(AskReplay, 1, step, 0) for step in range(5)]
    assert [replay.line for replay in shown] == [None, *lines]
    assert {replay.text for replay in shown} == {"Player 2 wins by capturing Player 1's token!"}
    assert [replay.view.state["tokens"] for replay in shown] == [(None, None), (3, None), (3, None), (3, 5), (3, 5)]


def test_a_replay_goes_no_further_than_the_last_line(house):
    ada, bob = house.table("quantum-duel")
    play(ada, bob, lines=((1, "MOVE 3"), (1, "OBSERVE 5"), (2, "MOVE 5"), (2, "OBSERVE 3")))
    for far in (5, 2**53 - 1):
        past = ada.says(AskReplay, 1, far, 1)
        assert replace(past, re=1) == replace(ada.says(AskReplay, 1, 4, 1), re=1)
        assert (past.step, past.line) == (4, (2, "OBSERVE 3"))


def test_the_last_step_of_a_game_that_was_resigned_is_the_table_before_that(house):
    ada, bob, cid = house.table("grid-hunt", "Ada", "Bob", "Cid")
    play(ada, bob, lines=MIDDLES["grid-hunt"])
    before = looks(ada, bob)
    bob.says(Resign)
    shown = [ada.says(AskReplay, 1, 3, eyes) for eyes in (1, 2, 0)]
    assert tuple(replay.view for replay in shown) == (*before, cid.sees.view)
    assert shown[0].text == "Player 2 has resigned. Player 1 wins."
    assert cid.sees.view.state["treasures"] == ("2,3", "5,5")


@pytest.mark.parametrize("eyes", [0, 1, 2])
def test_the_last_step_brings_the_review_and_no_other_does(house, eyes):
    ada, bob = house.table("grid-hunt")
    play(ada, bob, lines=MIDDLES["grid-hunt"])
    bob.says(Resign)
    (over,) = ada.reads(Over)
    shown = [ada.says(AskReplay, 1, step, eyes) for step in range(4)]
    assert [replay.review for replay in shown] == [None, None, None, over.review]
    assert over.review.rows[0].numbers == (25, 4)


def test_both_players_may_look_with_both_eyes(house):
    ada, bob = house.table("grid-hunt")
    play(ada, bob, lines=MIDDLES["grid-hunt"])
    bob.says(Resign)
    for eyes in (0, 1, 2):
        assert ada.says(AskReplay, 1, 2, eyes).view == bob.says(AskReplay, 1, 2, eyes).view
    assert ada.says(AskReplay, 1, 2, 2).view.state["treasures"] == (None, "5,5")


def test_a_replay_leaves_the_game_on_the_table_alone(house):
    ada, bob = house.table("quantum-duel")
    ada.says(Resign)
    ada.says(Again), bob.says(Again)
    was = looks(ada, bob)
    ada.says(AskReplay, 1, 0, 0)
    assert (looks(ada, bob), bob.sees.turn) == (was, (2,))
    assert bob.types("MOVE 3") == ["ok"]


# Games that can't be shown again --------------------------------------------------------------------------------------

KEPT = Kept(
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
    return answer(question, Found((kept,)), player, GAMES)


def test_a_game_is_shown_to_its_two_players_alone():
    for player in (1, 2):
        assert asked(AskReplay(1, 7, 1, 0), player=player).line == (1, "MOVE 3")
    assert asked(AskReplay(1, 7, 1, 0), player=3) == Error("not_now", STRANGER, 1)


def test_a_game_of_an_older_edition_is_listed_but_not_played_by_todays_rules():
    old = KEPT._replace(edition=0)
    refusal = "That game was played by older rules, which this server does not know."
    assert asked(AskReplay(1, 7, 0, 1), old) == Error("not_now", refusal, 1)
    (row,) = asked(AskHistory(1), old).games
    assert (row.title, row.lines, row.ended) == ("Quantum Duel", 2, 1_760_000_000)


def test_a_game_that_the_server_no_longer_has_is_listed_by_its_slug():
    gone = KEPT._replace(game="tic-tac-toe")
    assert word(asked(AskReplay(1, 7, 0, 1), gone)) == "not_now"
    assert asked(AskHistory(1), gone).games[0].title == "tic-tac-toe"


@pytest.mark.parametrize("lines", ["", "7", "[7]", "[[1]]", '[["x", "MOVE 3"]]', '[[2, "MOVE 3"]]', '[[1, "MOVE 9"]]'])
def test_a_game_that_the_disk_has_damaged_is_refused_to_who_asks(lines):
    damaged = KEPT._replace(lines=lines)
    assert asked(AskReplay(1, 7, 1, 1), damaged) == Error("not_now", "What the server kept of that game is damaged.", 1)


def test_a_kept_game_tells_the_log_nothing():
    assert repr(KEPT) == "Kept(7)"
    assert "MOVE" not in repr(Found((KEPT,)))


# Standings ------------------------------------------------------------------------------------------------------------


def test_standings_count_wins_draws_and_losses_per_game_and_in_all(house):
    for name in ("Zoe", "Bob", "Cid"):
        house.enter(name)
    zoe, bob, cid = 1, 2, 3
    house.keeps(
        resigned(1, (zoe, bob), winner=1),
        resigned(2, (zoe, bob), winner=None),
        resigned(3, (bob, zoe), winner=2),
        resigned(4, (cid, bob), winner=1, game="quantum-duel"),
        resigned(5, (zoe, cid), winner=2, game="quantum-duel"),
    )
    dan = house.enter("Dan")
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
    for slug in ("secret-paths", "tic-tac-toe"):
        table = dan.says(AskStandings, slug)
        assert (table.game, table.rows) == (slug, ())


def test_standings_are_those_of_the_games_as_they_were_played(house):
    ada, bob = house.table("quantum-duel")
    play(ada, bob, lines=((1, "MOVE 3"), (1, "OBSERVE 5"), (2, "MOVE 5"), (2, "OBSERVE 3")))
    ada.says(Again), bob.says(Again)
    ada.says(Resign)
    assert ada.says(AskStandings).rows == (Standing("Bob", 2, 2, 0, 0), Standing("Ada", 2, 0, 0, 2))


def test_a_player_who_is_called_otherwise_now_stands_there_once_and_by_the_new_name(house):
    ada, bob = house.table("grid-hunt")
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


def test_two_players_of_one_name_are_two_rows(house):
    one = house.enter("Ada")
    one.drops()
    house.enter("Ada")
    house.keeps(resigned(players=(1, 2), winner=2))
    assert [(row.name, row.won) for row in house.enter("Bob").says(AskStandings).rows] == [("Ada", 1), ("Ada", 0)]


def test_a_player_whom_the_store_does_not_know_has_the_name_of_then(house):
    house.keeps(resigned(players=(77, 78)))
    assert [row.name for row in house.enter("Cid").says(AskStandings).rows] == ["Ada", "Bob"]


def test_of_very_many_only_the_first_are_told(house):
    pairs = [(2 * number, 2 * number + 1) for number in range(100, 100 + TABLE)]
    house.keeps(*(resigned(players=pair, winner=1) for pair in pairs))
    assert [row.won for row in house.enter("Cid").says(AskStandings).rows] == [1] * TABLE
    found = Found(rows=(("Ada", 3, 1, 1),) * (TABLE + 1))
    assert answer(AskStandings(1), found, 1, GAMES).rows == (Standing("Ada", 3, 1, 1, 1),) * TABLE


# Over a real connection -----------------------------------------------------------------------------------------------


def test_questions_are_answered_over_the_wire_while_games_go_on(tmp_path):
    async def evening():
        journal = Journal(tmp_path / "server.sqlite", asyncio.get_running_loop().call_soon_threadsafe, fail)
        journal.start()
        async with serving(keeper=journal) as house:
            table = await sit_down(house, "quantum-duel")
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
        journal.close()

    run(evening())


def test_who_is_gone_before_the_answer_comes_disturbs_nobody(tmp_path):
    async def evening():
        journal = Journal(tmp_path / "server.sqlite", asyncio.get_running_loop().call_soon_threadsafe, fail)
        async with serving(keeper=journal) as house:
            journal.start()
            ada, bob = await house.guest("Ada"), await house.guest("Bob")
            for _ in range(5):
                ada.calls(AskHistory)
            await ada.writer.drain()
            ada.cut()
            assert isinstance(await bob.says(AskHistory), History)
        journal.close()

    run(evening())


# Others wait for nobody who looks back


def test_one_question_at_a_time(house):
    ada = house.enter("Ada")
    first = AskHistory(next(house.ids))
    effects = house.hub.receive(ada.id, first, house.now)
    assert [type(effect) for effect in effects] == [Look]
    assert word(ada.says(AskStandings)) == "too_fast"
    house.does(effects)
    assert word(ada.says(AskStandings)) == "standings"
