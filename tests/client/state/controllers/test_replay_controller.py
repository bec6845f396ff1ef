"""At the controller before finished games: a game step by step, standings, and every refusal."""

from dataclasses import replace

import pytest

from gridgames_client.state.commands import TextPage
from gridgames_client.state.controllers.controller import LOST, Controller
from gridgames_client.state.controllers.replay_controller import (
    FIRST,
    LAST,
    WORDS,
    choose_game,
    pick_game,
    show_next_eyes,
    show_next_standings,
    step,
    step_to,
)
from gridgames_client.state.history.replay import PastGames, Replaying
from gridgames_protocol.messages import AskAnalysis, AskHistory, AskReplay, AskStandings, Error, History, Play, Replay
from gridgames_server.storage.history_answers import FinishedGame
from tests.client.finished_games import Shelf, at_shelf, finished, past
from tests.client.game_scripts import story
from tests.client.seated_controllers import Scenario, Seat, in_lobby

HUNT, DUEL, PATHS = finished(3, "grid-hunt"), finished(5, "quantum-duel", "Cy"), finished(8, "secret-paths", seat=2)


def shelf(*games: FinishedGame) -> Seat:
    """Somebody in the lobby who has played these."""
    return at_shelf(in_lobby(), *(games or (HUNT, DUEL, PATHS)))


def replaying(seat: Seat, line: str = "replay 3") -> Replaying:
    """The replay that a line opens."""
    seat.controller.submit(line)
    assert isinstance(seat.controller.page, Replaying)
    return seat.controller.page


def at(controller: Controller) -> tuple[int, int]:
    """The step and the eyes that are shown."""
    assert isinstance(controller.page, Replaying)
    return controller.page.shown.step, controller.page.shown.eyes


# A game that is named -------------------------------------------------------------------------------------------------


def test_a_game_that_was_never_listed_is_looked_up_first_to_know_the_seat():
    seat = shelf()
    replaying(seat, "/replay 8")
    assert seat.asked == [AskHistory(1, 9), AskReplay(1, 8, 0, 2), AskAnalysis(1, 8)]
    assert seat.controller.model.past_games == (), "looking up is not listing"


def test_a_game_can_be_entered_at_a_step():
    seat = shelf()
    assert replaying(seat, "replay 3 4").shown.line == (2, "SCAN 1 1")
    assert replaying(seat, "replay 3 4000").shown.step == 7


@pytest.mark.parametrize("number", [1, 4, 9])
def test_a_game_that_is_not_among_ones_own_is_refused_and_the_line_stays(number):
    seat = shelf()
    seat.controller.submit(f"replay {number}")
    assert seat.controller.page is None
    assert (seat.controller.model.notice, seat.controller.model.notice_is_error) == (
        f"There is no game {number} among yours. Type /history to see which there are.",
        True,
    )
    assert seat.controller.line_to_restore == f"replay {number}"


def test_a_game_of_older_rules_is_refused_over_the_list_that_stays():
    seat = shelf(finished(3, "grid-hunt", edition=7))
    seat.controller.submit("history")
    choose_game(seat.controller)
    assert seat.controller.page == PastGames(0)
    assert seat.controller.model.notice.startswith("That game was played by older rules")
    seat.controller.submit("replay 3")
    assert seat.controller.line_to_restore == "replay 3"


def test_a_question_that_was_lost_with_the_line_gives_the_line_back():
    seat = shelf()
    seat.controller.ask = seat.controller.on_lost
    for line in ("history", "replay 3", "standings"):
        seat.controller.submit(line)
        assert (seat.controller.model.notice, seat.controller.page) == (LOST, None)
        assert seat.controller.line_to_restore == line


# Step by step ---------------------------------------------------------------------------------------------------------


def test_one_steps_through_a_game_with_keys():
    seat = shelf()
    replaying(seat)
    for action, place in (
        (lambda: step(seat.controller, 1), (1, 1)),
        (lambda: step(seat.controller, 1), (2, 1)),
        (lambda: show_next_eyes(seat.controller), (2, 2)),
        (lambda: show_next_eyes(seat.controller), (2, 0)),
        (lambda: step_to(seat.controller, end=True), (7, 0)),
        (lambda: step(seat.controller, -1), (6, 0)),
        (lambda: step_to(seat.controller, end=False), (0, 0)),
    ):
        action()
        assert at(seat.controller) == place


def test_one_steps_through_a_game_with_typed_lines():
    seat = shelf()
    replaying(seat)
    for line, place in (("next", (1, 1)), ("theirs", (1, 2)), ("5", (5, 2)), ("open", (5, 0)), ("", (6, 0))):
        assert seat.controller.submit(line)
        assert at(seat.controller) == place


def test_a_line_that_means_nothing_in_a_replay_is_told_what_does():
    seat = shelf()
    replaying(seat)
    assert not seat.controller.submit("dance")
    assert (seat.controller.model.notice, seat.controller.model.notice_is_error) == (WORDS, True)
    assert isinstance(seat.controller.page, Replaying)


def test_steps_that_were_seen_are_not_asked_for_again():
    seat = shelf()
    replaying(seat)
    step(seat.controller, 1)
    asked = len(seat.asked)
    for by in (-1, 1, -1):
        step(seat.controller, by)
    assert len(seat.asked) == asked


def test_at_either_end_it_is_said_that_there_is_no_more():
    seat = shelf()
    replaying(seat)
    step(seat.controller, -1)
    assert (seat.controller.model.notice, seat.controller.model.notice_is_error) == (FIRST, False)
    show_next_eyes(seat.controller)
    assert seat.controller.model.notice == "", "other eyes are no step"
    seat.controller.submit("last")
    assert seat.controller.model.notice == ""
    seat.controller.submit("next")
    assert seat.controller.model.notice == LAST
    seat.controller.close_page()
    assert seat.controller.model.notice == ""


def test_while_a_step_is_asked_for_only_the_latest_one_is_remembered():
    seat = shelf()
    page = replaying(seat)
    seat.controller.ask = seat.asked.append
    before = len(seat.asked)
    for _ in range(5):
        step(seat.controller, 1)
    assert seat.asked[before:] == [AskReplay(1, 3, 1, 1)]
    answers = Shelf(HUNT).answers
    seat.controller.on_reply(AskReplay(7, 3, 1, 1), answers(AskReplay(7, 3, 1, 1)))
    assert seat.asked[before:] == [AskReplay(1, 3, 1, 1), AskReplay(1, 3, 5, 1)]
    assert at(seat.controller) == (0, 1)
    seat.controller.on_reply(AskReplay(8, 3, 5, 1), answers(AskReplay(8, 3, 5, 1)))
    assert at(seat.controller) == (5, 1)
    assert page.game == past(HUNT)


@pytest.mark.parametrize("refused", [True, False])
def test_a_step_that_can_not_be_had_is_waited_for_no_longer(refused):
    seat = shelf()
    replaying(seat)
    seat.controller.ask = seat.asked.append
    step(seat.controller, 1)
    if refused:
        seat.controller.on_reply(AskReplay(7, 3, 1, 1), Error("too_fast", "Slowly.", 7))
    else:
        seat.controller.on_lost(AskReplay(7, 3, 1, 1))
    assert isinstance(seat.controller.page, Replaying)
    assert not seat.controller.page.waits
    assert seat.controller.model.notice == ("Slowly." if refused else LOST)
    step(seat.controller, 1)
    assert seat.asked[-2:] == [AskReplay(1, 3, 1, 1)] * 2


def test_a_step_that_comes_after_the_replay_was_closed_opens_nothing():
    seat = shelf()
    replaying(seat)
    seat.controller.ask = seat.asked.append
    step(seat.controller, 1)
    seat.controller.close_page()
    seat.controller.on_reply(AskReplay(7, 3, 1, 1), Shelf(HUNT).answers(AskReplay(7, 3, 1, 1)))
    assert seat.controller.page is None


def test_without_a_replay_its_keys_do_nothing():
    seat = shelf()
    for action in (step, pick_game, show_next_standings):
        action(seat.controller, 1)
    show_next_eyes(seat.controller)
    step_to(seat.controller, end=True)
    choose_game(seat.controller)
    assert (seat.asked, seat.controller.page) == ([], None)


# At the table ---------------------------------------------------------------------------------------------------------


def test_in_a_replay_lines_of_the_game_at_the_table_are_still_played():
    scenario = Scenario("grid-conquest")
    seat = scenario.seats[1]
    replaying(at_shelf(seat, HUNT), "/replay 3")
    scenario.types(1, "C3")
    assert [request for request in seat.asked if isinstance(request, Play)] == [Play(1, "C3", 1)]
    assert isinstance(seat.controller.page, Replaying)


def test_in_a_replay_a_command_of_the_room_is_one():
    seat = at_shelf(story("grid-hunt", "end").seats[1], DUEL)
    replaying(seat, "/replay 5")
    seat.controller.submit("/moves")
    assert seat.controller.page == TextPage("moves")


def test_a_list_of_another_place_stays_when_the_table_changes():
    scenario = Scenario("grid-hunt")
    at_shelf(scenario.seats[2], HUNT)
    scenario.controllers[2].submit("/history")
    scenario.types(1, "HIDE 2 3")
    assert scenario.controllers[2].page == PastGames(0)


# Standings ------------------------------------------------------------------------------------------------------------


def test_standings_are_those_of_all_games_or_of_one():
    seat = shelf()
    for line, game in (("standings", None), ("/standings quantum", "quantum-duel")):
        seat.controller.submit(line)
        assert seat.controller.page == TextPage("standings", game)
        assert seat.controller.model.standings
        assert (seat.asked[-1], seat.controller.model.standings.game) == (AskStandings(1, game), game)


def test_from_standings_one_goes_on_to_those_of_the_other_games():
    seat = shelf()
    seat.controller.submit("standings")
    show_next_standings(seat.controller, -1)
    assert seat.controller.page == TextPage("standings", "secret-paths")
    show_next_standings(seat.controller, 1)
    show_next_standings(seat.controller, 1)
    assert seat.controller.page == TextPage("standings", "treasure-hunt-duel")


# What a server may answer ---------------------------------------------------------------------------------------------


def test_an_answer_of_another_kind_changes_nothing():
    seat = shelf()
    seat.controller.submit("history")
    page = seat.controller.page
    reply = Shelf(HUNT).answers(AskReplay(9, 3, 1, 1))
    assert isinstance(reply, Replay)
    seat.controller.on_reply(AskHistory(9), reply)
    seat.controller.on_reply(AskReplay(9, 3, 1, 1), History(9, (), False))
    seat.controller.on_reply(AskStandings(9), replace(reply, re=9))
    assert seat.controller.page == page
