"""Hints: the best line and why, in a game against the computer. The computer thinks about them in another thread."""

from gridgames_protocol.messages import AskHint, AskHistory, Create, Error, Hint, Join, Leave, Ok, Ping, Play
from gridgames_server.analysis.analyse import make_show
from gridgames_server.analysis.hints import accepts_draw
from gridgames_server.bots import BOTS
from gridgames_server.core.effects import AskBot
from gridgames_server.core.hub import COSTS, Hub, ServerConfig
from gridgames_server.core.limits import COST_LOOK, HINTS_PER_ADDRESS, THOUGHT_LOST, THOUGHTS_PER_ADDRESS, Limits
from gridgames_server.games import GAMES
from gridgames_server.games.secret_paths import SecretPaths
from gridgames_server.net.thread_work import think
from tests.server.games.dialogue import Table
from tests.server.hub_harness import Entropy, Guest, HubHarness
from tests.server.stored_hub import Shelf, StoredHub

FOUND = ("QUERY 2B", "It is the best one.")


def advised(**limits: int) -> HubHarness:
    """A server that gives hints."""
    server = HubHarness()
    config = ServerConfig(GAMES, limits=Limits(**limits), bots=frozenset(BOTS), has_hints=True)
    server.hub = Hub(config, Entropy(), server.now)
    return server


def at_table(game: str = "treasure-hunt-duel", **limits: int) -> Guest:
    """Somebody who is to move in a game against the computer."""
    ada = advised(**limits).enter("Ada")
    ada.says(Create, game, first="host", bot="hard")
    return ada


def thought_over(guest: Guest) -> AskBot:
    """The guest asks for a hint; what the computer is asked."""
    before = len(guest.server.of(AskBot))
    guest.asks(AskHint)
    (question,) = guest.server.of(AskBot)[before:]
    assert question.wants == "hint"
    return question


def hinted(guest: Guest) -> Hint:
    """The guest asks for a hint, and the computer gives it."""
    question = thought_over(guest)
    guest.server.answers(question, think(question, bytes(32)))
    hint = guest.reads(Hint)[-1]
    assert isinstance(hint, Hint)
    return hint


def test_a_hint_against_the_computer_is_a_legal_line_with_its_reason():
    ada = at_table()
    hint = hinted(ada)
    assert "25 cells fit" in hint.why
    assert not isinstance(ada.says(Play, hint.line), Error)


def test_between_two_people_nobody_is_advised():
    ada, _ = advised().table("treasure-hunt-duel")
    refused = ada.says(AskHint)
    assert refused.text == "Hints are for games against the computer, and for rooms created with hints."


def test_in_a_room_with_hints_whoever_is_to_act_is_advised():
    ada, bob = advised().table("treasure-hunt-duel", hints=True)
    assert ada.where.hints
    assert bob.where.hints
    assert isinstance(hinted(ada), Hint)
    assert bob.says(AskHint).code == "not_your_turn"


def test_a_room_has_its_hints_after_a_restart():
    server = StoredHub(Shelf())
    ada, bob = server.table("treasure-hunt-duel", hints=True)
    ada, bob = server.again().all_back(ada, bob)
    assert ada.where.hints
    assert bob.where.hints


def test_who_is_not_to_act_is_not_advised():
    ada = advised().enter("Ada")
    ada.says(Create, "treasure-hunt-duel", first="guest", bot="hard")
    assert ada.says(AskHint).code == "not_your_turn"


def test_a_server_without_advice_says_so():
    ada = HubHarness().enter("Ada")
    ada.says(Create, "treasure-hunt-duel", first="host", bot="hard")
    assert ada.says(AskHint).text == "This server does not offer that."


# The computer thinks, and everybody else goes on ----------------------------------------------------------------------


def test_the_computer_thinks_of_what_the_seat_sees_and_later_requests_come_first():
    ada = at_table()
    question = thought_over(ada)
    assert question.show == ada.sees
    assert isinstance(ada.says(Ping), Ok)
    ada.server.answers(question, FOUND)
    assert ada.reads(Hint) == [Hint(question.re, *FOUND)]


def test_a_player_asks_one_question_at_a_time():
    ada = at_table()
    question = thought_over(ada)
    assert ada.says(AskHint).code == "too_fast"
    assert ada.says(AskHistory).code == "too_fast"
    ada.server.answers(question, FOUND)
    assert not isinstance(ada.says(AskHistory), Error)


def test_a_hint_is_kept_until_the_game_goes_on():
    ada = at_table("secret-paths")
    first = hinted(ada)
    again = ada.says(AskHint)
    assert (again.line, again.why) == (first.line, first.why)
    ada.types("GOAL 2")
    ada.server.answers(next(one for one in ada.server.of(AskBot)[::-1] if one.wants == "move"), "GOAL 3")
    assert hinted(ada).line.startswith("MOVE")


def test_each_seat_has_its_own_hint():
    ada, bob = advised().table("secret-paths", hints=True)
    hinted(ada)
    assert thought_over(bob).seat == 2


def test_a_hint_costs_as_much_as_a_question_about_old_games():
    assert COSTS[AskHint] == COST_LOOK


def test_a_hint_about_a_game_that_has_moved_on_is_stale():
    ada = at_table()
    question = thought_over(ada)
    ada.types("QUERY 2B")
    ada.reads()
    ada.server.answers(question, FOUND)
    (refused,) = ada.reads()
    assert (refused.code, refused.re) == ("stale", question.re)


def test_a_hint_for_a_setup_is_good_until_the_own_line():
    ada = at_table("grid-hunt")
    bot, question = ada.server.of(AskBot)[-1], thought_over(ada)
    ada.server.answers(bot, "HIDE 5 5")
    ada.reads()
    ada.server.answers(question, FOUND)
    assert ada.reads() == [Hint(question.re, *FOUND)]


def test_who_has_left_the_room_meanwhile_is_answered_too():
    ada = at_table()
    question = thought_over(ada)
    ada.says(Leave)
    ada.reads()
    ada.server.answers(question, FOUND)
    assert [(refused.code, refused.re) for refused in ada.reads(Error)] == [("stale", question.re)]


def test_who_is_gone_is_sent_nothing_and_may_ask_again_on_coming_back():
    ada = at_table()
    question = thought_over(ada)
    ada.drops()
    back = ada.comes_back()
    back.reads()
    again = back.asks(AskHint)
    back.server.answers(question, FOUND)
    assert back.reads() == []
    (second,) = [one for one in back.server.of(AskBot) if one.session == back.id]
    back.server.answers(second, FOUND)
    assert back.reads() == [Hint(again, *FOUND)]


def test_a_hint_that_fails_is_reported_once_to_the_one_who_asked_and_to_the_log():
    ada = at_table()
    question = thought_over(ada)
    ada.reads()
    ada.server.answers(question, KeyError("4D"))
    (refused,) = ada.reads()
    assert (refused.code, refused.re) == ("internal", question.re)
    assert [trouble.id in refused.text for trouble in ada.server.troubles()] == [True]
    assert ada.types("QUERY 2B") == ["ok"]


def test_a_hint_that_never_comes_is_given_up_after_a_minute_and_answered_once():
    ada = at_table()
    ada.server.computer_is_quick = False
    question = thought_over(ada)
    ada.reads()
    ada.server.passes(THOUGHT_LOST + 1)
    (refused,) = ada.reads()
    assert (refused.code, refused.re) == ("internal", question.re)
    ada.server.answers(question, FOUND)
    assert ada.reads() == []
    assert isinstance(ada.says(AskHint), Hint), "it was kept all the same"


def test_a_waiting_hint_is_answered_when_its_room_closes():
    server = advised()
    server.computer_is_quick = False
    ada, bob = server.table("grid-hunt", hints=True)
    thought_over(ada)
    waiting = bob.asks(AskHint)
    ada.says(Leave)
    bob.says(Leave)
    bob.reads()
    server.ticks()
    assert [(refused.code, refused.re) for refused in bob.reads(Error)] == [("stale", waiting)]


def test_too_many_hints_of_one_address_are_refused_and_those_of_others_are_not():
    server = advised(rate=0)
    server.computer_is_quick = False
    for number in range(HINTS_PER_ADDRESS // 2 + 1):
        code = (ada := server.enter(f"Ada {number}")).opens("grid-hunt", hints=True)
        (bob := server.enter(f"Bob {number}")).says(Join, code)
        ada.asks(AskHint)
        refused = bob.asks(AskHint)
    assert [error.code for error in bob.reads(Error) if error.re == refused] == ["too_fast"]
    assert len(server.of(AskBot)) == THOUGHTS_PER_ADDRESS
    cid = server.enter("Cid", "10.0.0.7")
    cid.says(Create, "treasure-hunt-duel", first="host", bot="hard")
    assert thought_over(cid)


# Draws ----------------------------------------------------------------------------------------------------------------


def go_to_and_fro(goal: int, *last: str) -> Table:
    """Secret Paths after 32 moves between two cells, and some more; seat 1's goal is in a column."""
    table = Table(SecretPaths(), 1)
    table.types(1, f"GOAL {goal}")
    table.types(2, "GOAL 1")
    for number, cell in enumerate((*["3,4", "3,3"] * 16, *last)):
        table.types(1 + number % 2, f"MOVE {cell}")
    return table


def test_a_bot_accepts_a_draw_after_30_moves_if_its_chances_are_even():
    start = Table(SecretPaths(), 1)
    assert not accepts_draw("secret-paths", make_show(start.match, 1), 29), "too early"
    assert accepts_draw("secret-paths", make_show(go_to_and_fro(1).match, 1), 30)


def test_a_bot_that_can_win_at_once_accepts_no_draw():
    table = go_to_and_fro(3, "4,3", "4,4")
    assert not accepts_draw("secret-paths", make_show(table.match, 1), 34)
