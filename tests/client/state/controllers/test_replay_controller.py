"""At the desk before finished games: the list, a game step by step, standings, and every refusal."""

from dataclasses import replace

import pytest

from gridgames_client.commands import Turn
from gridgames_client.desk import LOST, Desk
from gridgames_client.leafing import (
    FIRST,
    LAST,
    WORDS,
    choose_game,
    pick_game,
    step,
    step_to,
    turn_eyes,
    turn_standings,
)
from gridgames_client.past import PastGames, Replaying
from gridgames_protocol.messages import AskHistory, AskReplay, AskStandings, Error, History, Play, Replay
from gridgames_server.history import Kept
from tests.client.evening import Evening, Seat, in_lobby
from tests.client.shelf import Shelf, at_shelf, finished, past
from tests.client.stories import story

HUNT, DUEL, PATHS = finished(3, "grid-hunt"), finished(5, "quantum-duel", "Cy"), finished(8, "secret-paths", seat=2)


def shelf(*games: Kept) -> Seat:
    """Somebody in the lobby who has played these."""
    return at_shelf(in_lobby(), *(games or (HUNT, DUEL, PATHS)))


def many(count: int) -> list[Kept]:
    return [HUNT._replace(number=number) for number in range(1, count + 1)]


def replaying(seat: Seat, line: str = "replay 3") -> Replaying:
    """The replay that a line opens."""
    seat.desk.submit(line)
    assert isinstance(seat.desk.page, Replaying)
    return seat.desk.page


def at(desk: Desk) -> tuple[int, int]:
    """The step and the eyes that are shown."""
    assert isinstance(desk.page, Replaying)
    return desk.page.shown.step, desk.page.shown.eyes


# The list -------------------------------------------------------------------------------------------------------------


def test_the_list_shows_ones_games_the_newest_first():
    seat = shelf()
    assert seat.desk.submit("/history")
    assert seat.desk.page == PastGames(0)
    assert [game.number for game in seat.desk.model.past] == [8, 5, 3]


def test_one_who_has_finished_no_game_sees_an_empty_list():
    seat = at_shelf(in_lobby())
    seat.desk.submit("history")
    assert (seat.desk.page, seat.desk.model.past) == (PastGames(0), ())
    choose_game(seat.desk)
    pick_game(seat.desk, 1)
    assert seat.asked == [AskHistory(1)]


def test_the_lobby_has_rows_for_the_list_and_for_the_standings():
    seat = shelf()
    seat.desk.pick_row(99)
    seat.desk.choose_row()
    assert seat.desk.page == Turn("standings")
    seat.desk.close_page()
    seat.desk.pick_row(-1)
    seat.desk.choose_row()
    assert seat.desk.page == PastGames(0)


def test_the_chosen_game_is_seen_again_from_ones_own_seat():
    seat = shelf()
    seat.desk.submit("history")
    pick_game(seat.desk, -1)
    choose_game(seat.desk)
    assert seat.asked[-1] == AskReplay(1, 8, 0, 2)
    assert at(seat.desk) == (0, 2)


def test_a_number_typed_at_the_list_is_that_games():
    seat = shelf()
    seat.desk.submit("history")
    assert seat.desk.submit("5")
    assert seat.asked[-1] == AskReplay(1, 5, 0, 1)


def test_from_a_replay_one_goes_back_to_its_row_of_the_list_and_from_there_to_where_one_was():
    seat = shelf()
    seat.desk.submit("history")
    pick_game(seat.desk, 2)
    choose_game(seat.desk)
    seat.desk.close_page()
    assert seat.desk.page == PastGames(2)
    seat.desk.close_page()
    assert seat.desk.page is None


def test_a_replay_that_was_not_chosen_from_the_list_goes_back_to_where_one_was():
    seat = shelf()
    replaying(seat)
    seat.desk.submit("close")
    assert seat.desk.page is None


def test_below_the_end_of_the_list_older_games_are_asked_for():
    seat = shelf(*many(45))
    seat.desk.submit("history")
    pick_game(seat.desk, 19)
    assert seat.asked == [AskHistory(1)]
    pick_game(seat.desk, 1)
    assert seat.asked[-1] == AskHistory(1, 26)
    assert (seat.desk.page, len(seat.desk.model.past)) == (PastGames(20), 40)
    seat.desk.submit("/history more")
    assert (seat.desk.page, len(seat.desk.model.past)) == (PastGames(40), 45)
    pick_game(seat.desk, 99)
    assert len(seat.asked) == 3, "there are no more"
    assert not seat.desk.submit("/history more")
    assert seat.desk.model.notice == "There are no older ones."


def test_a_key_that_is_held_down_asks_for_older_games_once():
    seat = shelf(*many(45))
    seat.desk.submit("history")
    seat.desk.ask = seat.asked.append
    for _ in range(5):
        pick_game(seat.desk, 30)
    assert seat.asked == [AskHistory(1), AskHistory(1, 26)]


def test_older_games_that_come_when_the_list_is_closed_do_not_open_it_again():
    seat = shelf(*many(45))
    seat.desk.submit("history")
    seat.desk.ask = seat.asked.append
    pick_game(seat.desk, 30)
    seat.desk.close_page()
    seat.desk.answered(AskHistory(7, 26), Shelf(*many(45)).answers(AskHistory(7, 26)))
    assert seat.desk.page is None
    assert len(seat.desk.model.past) == 40


def test_asking_for_the_list_again_begins_it_anew():
    seat = shelf(*many(45))
    for line in ("history", "history more", "history"):
        seat.desk.submit(line)
    assert (seat.desk.page, len(seat.desk.model.past)) == (PastGames(0), 20)


# A game that is named -------------------------------------------------------------------------------------------------


def test_a_game_that_was_never_listed_is_looked_up_first_since_the_list_knows_the_seat():
    seat = shelf()
    replaying(seat, "/replay 8")
    assert seat.asked == [AskHistory(1, 9), AskReplay(1, 8, 0, 2)]
    assert seat.desk.model.past == (), "looking up is not listing"


def test_a_game_can_be_entered_at_a_step():
    seat = shelf()
    assert replaying(seat, "replay 3 4").shown.line == (2, "SCAN 1 1")
    assert replaying(seat, "replay 3 4000").shown.step == 7


@pytest.mark.parametrize("number", [1, 4, 9])
def test_a_game_that_is_not_among_ones_own_is_refused_and_the_line_stays(number):
    seat = shelf()
    seat.desk.submit(f"replay {number}")
    assert seat.desk.page is None
    assert (seat.desk.model.notice, seat.desk.model.notice_bad) == (
        f"There is no game {number} among yours. Type /history to see which there are.",
        True,
    )
    assert seat.desk.given_back == f"replay {number}"


def test_a_game_of_older_rules_is_refused_over_the_list_that_stays():
    seat = shelf(finished(3, "grid-hunt", edition=7))
    seat.desk.submit("history")
    choose_game(seat.desk)
    assert seat.desk.page == PastGames(0)
    assert seat.desk.model.notice.startswith("That game was played by older rules")
    seat.desk.submit("replay 3")
    assert seat.desk.given_back == "replay 3"


def test_a_question_that_was_lost_with_the_line_gives_the_line_back():
    seat = shelf()
    seat.desk.ask = seat.desk.unanswered
    for line in ("history", "replay 3", "standings"):
        seat.desk.submit(line)
        assert (seat.desk.model.notice, seat.desk.given_back, seat.desk.page) == (LOST, line, None)


# Step by step ---------------------------------------------------------------------------------------------------------


def test_one_steps_through_a_game_with_keys():
    seat = shelf()
    replaying(seat)
    for deed, place in (
        (lambda: step(seat.desk, 1), (1, 1)),
        (lambda: step(seat.desk, 1), (2, 1)),
        (lambda: turn_eyes(seat.desk), (2, 2)),
        (lambda: turn_eyes(seat.desk), (2, 0)),
        (lambda: step_to(seat.desk, end=True), (7, 0)),
        (lambda: step(seat.desk, -1), (6, 0)),
        (lambda: step_to(seat.desk, end=False), (0, 0)),
    ):
        deed()
        assert at(seat.desk) == place


def test_one_steps_through_a_game_with_typed_lines():
    seat = shelf()
    replaying(seat)
    for line, place in (("next", (1, 1)), ("theirs", (1, 2)), ("5", (5, 2)), ("open", (5, 0)), ("", (6, 0))):
        assert seat.desk.submit(line)
        assert at(seat.desk) == place


def test_a_line_that_means_nothing_in_a_replay_is_told_what_does():
    seat = shelf()
    replaying(seat)
    assert not seat.desk.submit("dance")
    assert (seat.desk.model.notice, seat.desk.model.notice_bad) == (WORDS, True)
    assert isinstance(seat.desk.page, Replaying)


def test_steps_that_were_seen_are_not_asked_for_again():
    seat = shelf()
    replaying(seat)
    step(seat.desk, 1)
    asked = len(seat.asked)
    for by in (-1, 1, -1):
        step(seat.desk, by)
    assert len(seat.asked) == asked


def test_at_either_end_it_is_said_that_there_is_no_more():
    seat = shelf()
    replaying(seat)
    step(seat.desk, -1)
    assert (seat.desk.model.notice, seat.desk.model.notice_bad) == (FIRST, False)
    turn_eyes(seat.desk)
    assert seat.desk.model.notice == "", "other eyes are no step"
    seat.desk.submit("last")
    assert seat.desk.model.notice == ""
    seat.desk.submit("next")
    assert seat.desk.model.notice == LAST
    seat.desk.close_page()
    assert seat.desk.model.notice == ""


def test_while_a_step_is_asked_for_only_the_last_wish_is_remembered():
    seat = shelf()
    page = replaying(seat)
    seat.desk.ask = seat.asked.append
    before = len(seat.asked)
    for _ in range(5):
        step(seat.desk, 1)
    assert seat.asked[before:] == [AskReplay(1, 3, 1, 1)]
    answers = Shelf(HUNT).answers
    seat.desk.answered(AskReplay(7, 3, 1, 1), answers(AskReplay(7, 3, 1, 1)))
    assert seat.asked[before:] == [AskReplay(1, 3, 1, 1), AskReplay(1, 3, 5, 1)]
    assert at(seat.desk) == (0, 1)
    seat.desk.answered(AskReplay(8, 3, 5, 1), answers(AskReplay(8, 3, 5, 1)))
    assert at(seat.desk) == (5, 1)
    assert page.game == past(HUNT)


@pytest.mark.parametrize("refused", [True, False])
def test_a_step_that_can_not_be_had_is_waited_for_no_longer(refused):
    seat = shelf()
    replaying(seat)
    seat.desk.ask = seat.asked.append
    step(seat.desk, 1)
    if refused:
        seat.desk.answered(AskReplay(7, 3, 1, 1), Error("too_fast", "Slowly.", 7))
    else:
        seat.desk.unanswered(AskReplay(7, 3, 1, 1))
    assert isinstance(seat.desk.page, Replaying)
    assert not seat.desk.page.waits
    assert seat.desk.model.notice == ("Slowly." if refused else LOST)
    step(seat.desk, 1)
    assert seat.asked[-2:] == [AskReplay(1, 3, 1, 1)] * 2


def test_a_step_that_comes_after_the_replay_was_closed_opens_nothing():
    seat = shelf()
    replaying(seat)
    seat.desk.ask = seat.asked.append
    step(seat.desk, 1)
    seat.desk.close_page()
    seat.desk.answered(AskReplay(7, 3, 1, 1), Shelf(HUNT).answers(AskReplay(7, 3, 1, 1)))
    assert seat.desk.page is None


def test_without_a_replay_its_keys_do_nothing():
    seat = shelf()
    for deed in (step, pick_game, turn_standings):
        deed(seat.desk, 1)
    turn_eyes(seat.desk)
    step_to(seat.desk, end=True)
    choose_game(seat.desk)
    assert (seat.asked, seat.desk.page) == ([], None)


# At the table ---------------------------------------------------------------------------------------------------------


def test_in_a_replay_lines_of_the_game_at_the_table_are_still_played():
    evening = Evening("grid-conquest")
    seat = evening.seats[1]
    replaying(at_shelf(seat, HUNT), "/replay 3")
    evening.types(1, "C3")
    assert [request for request in seat.asked if isinstance(request, Play)] == [Play(1, "C3", 1)]
    assert isinstance(seat.desk.page, Replaying)


def test_in_a_replay_a_command_of_the_room_is_one():
    seat = at_shelf(story("grid-hunt", "end").seats[1], DUEL)
    replaying(seat, "/replay 5")
    seat.desk.submit("/moves")
    assert seat.desk.page == Turn("moves")


def test_a_list_of_another_place_stays_when_the_table_changes():
    evening = Evening("grid-hunt")
    at_shelf(evening.seats[2], HUNT)
    evening.desks[2].submit("/history")
    evening.types(1, "HIDE 2 3")
    assert evening.desks[2].page == PastGames(0)


# Standings ------------------------------------------------------------------------------------------------------------


def test_standings_are_those_of_all_games_or_of_one():
    seat = shelf()
    for line, game in (("standings", None), ("/standings quantum", "quantum-duel")):
        seat.desk.submit(line)
        assert seat.desk.page == Turn("standings", game)
        assert seat.desk.model.standings
        assert (seat.asked[-1], seat.desk.model.standings.game) == (AskStandings(1, game), game)


def test_from_standings_one_goes_on_to_those_of_the_other_games():
    seat = shelf()
    seat.desk.submit("standings")
    turn_standings(seat.desk, -1)
    assert seat.desk.page == Turn("standings", "secret-paths")
    turn_standings(seat.desk, 1)
    turn_standings(seat.desk, 1)
    assert seat.desk.page == Turn("standings", "treasure-hunt-duel")


# What a server may answer ---------------------------------------------------------------------------------------------


def test_an_answer_of_another_kind_changes_nothing():
    seat = shelf()
    seat.desk.submit("history")
    page = seat.desk.page
    reply = Shelf(HUNT).answers(AskReplay(9, 3, 1, 1))
    assert isinstance(reply, Replay)
    seat.desk.answered(AskHistory(9), reply)
    seat.desk.answered(AskReplay(9, 3, 1, 1), History(9, (), False))
    seat.desk.answered(AskStandings(9), replace(reply, re=9))
    assert seat.desk.page == page
