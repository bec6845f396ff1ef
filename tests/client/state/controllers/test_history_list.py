"""At the list of finished games: choosing one, older ones, and the way back."""

import pytest

from gridgames_client.state.commands import TextPage
from gridgames_client.state.controllers import lobby_controller
from gridgames_client.state.controllers.replay_controller import (
    choose_game,
    pick_game,
    step,
)
from gridgames_client.state.history.replay import PastGames, Replaying
from gridgames_protocol.messages import AskAnalysis, AskHistory, AskReplay, Error
from gridgames_server.storage.history_answers import FinishedGame
from tests.client.finished_games import Shelf, at_shelf
from tests.client.seated_controllers import in_lobby
from tests.client.state.controllers.test_replay_controller import HUNT, at, replaying, shelf


def many(count: int) -> list[FinishedGame]:
    return [HUNT._replace(number=number) for number in range(1, count + 1)]


def test_the_list_shows_ones_games_the_newest_first():
    seat = shelf()
    assert seat.controller.submit("/history")
    assert seat.controller.page == PastGames(0)
    assert [game.number for game in seat.controller.model.past_games] == [8, 5, 3]


def test_one_who_has_finished_no_game_sees_an_empty_list():
    seat = at_shelf(in_lobby())
    seat.controller.submit("history")
    assert (seat.controller.page, seat.controller.model.past_games) == (PastGames(0), ())
    choose_game(seat.controller)
    pick_game(seat.controller, 1)
    assert seat.asked == [AskHistory(1)]


def test_the_lobby_has_rows_for_the_list_and_for_the_standings():
    seat = shelf()
    seat.controller.pick_row(99)
    lobby_controller.choose_row(seat.controller)
    assert seat.controller.page == TextPage("standings")
    seat.controller.close_page()
    seat.controller.pick_row(-1)
    lobby_controller.choose_row(seat.controller)
    assert seat.controller.page == PastGames(0)


def test_the_chosen_game_is_seen_again_from_ones_own_seat():
    seat = shelf()
    seat.controller.submit("history")
    pick_game(seat.controller, -1)
    choose_game(seat.controller)
    assert seat.asked[-2:] == [AskReplay(1, 8, 0, 2), AskAnalysis(1, 8)]
    assert at(seat.controller) == (0, 2)


def test_a_number_typed_at_the_list_is_that_games():
    seat = shelf()
    seat.controller.submit("history")
    assert seat.controller.submit("5")
    assert seat.asked[-2:] == [AskReplay(1, 5, 0, 1), AskAnalysis(1, 5)]


def test_closing_a_replay_goes_back_to_its_row_and_closing_the_list_to_the_lobby():
    seat = shelf()
    seat.controller.submit("history")
    pick_game(seat.controller, 2)
    choose_game(seat.controller)
    seat.controller.close_page()
    assert seat.controller.page == PastGames(2)
    seat.controller.close_page()
    assert seat.controller.page is None


def test_a_replay_that_was_not_chosen_from_the_list_goes_back_to_where_one_was():
    seat = shelf()
    replaying(seat)
    seat.controller.submit("close")
    assert seat.controller.page is None


def test_below_the_end_of_the_list_older_games_are_asked_for():
    seat = shelf(*many(45))
    seat.controller.submit("history")
    pick_game(seat.controller, 19)
    assert seat.asked == [AskHistory(1)]
    pick_game(seat.controller, 1)
    assert seat.asked[-1] == AskHistory(1, 26)
    assert (seat.controller.page, len(seat.controller.model.past_games)) == (PastGames(20), 40)
    seat.controller.submit("/history more")
    assert (seat.controller.page, len(seat.controller.model.past_games)) == (PastGames(40), 45)
    pick_game(seat.controller, 99)
    assert len(seat.asked) == 3, "there are no more"
    assert not seat.controller.submit("/history more")
    assert seat.controller.model.notice == "There are no older ones."


def test_a_key_that_is_held_down_asks_for_older_games_once():
    seat = shelf(*many(45))
    seat.controller.submit("history")
    seat.controller.ask = seat.asked.append
    for _ in range(5):
        pick_game(seat.controller, 30)
    assert seat.asked == [AskHistory(1), AskHistory(1, 26)]


def test_older_games_that_come_when_the_list_is_closed_do_not_open_it_again():
    seat = shelf(*many(45))
    seat.controller.submit("history")
    seat.controller.ask = seat.asked.append
    pick_game(seat.controller, 30)
    seat.controller.close_page()
    seat.controller.on_reply(AskHistory(7, 26), Shelf(*many(45)).answers(AskHistory(7, 26)))
    assert seat.controller.page is None
    assert len(seat.controller.model.past_games) == 40


def test_asking_for_the_list_again_begins_it_anew():
    seat = shelf(*many(45))
    for line in ("history", "history more", "history"):
        seat.controller.submit(line)
    assert (seat.controller.page, len(seat.controller.model.past_games)) == (PastGames(0), 20)


@pytest.mark.parametrize("answer", ["the analysis", "an error"])
def test_a_step_that_is_wanted_before_the_analysis_has_come_is_asked_for_after_it(answer):
    seat, question = shelf(), AskAnalysis(1, 3)
    seat.controller.ask = seat.asked.append
    seat.controller.submit("history")
    seat.controller.on_reply(AskHistory(1), Shelf(HUNT).answers(AskHistory(1)))
    choose_game(seat.controller)
    seat.controller.on_reply(AskReplay(1, 3, 0, 1), Shelf(HUNT).answers(AskReplay(1, 3, 0, 1)))
    step(seat.controller, 1)
    assert seat.asked[-1] == question, "the server answers one question at a time"
    reply = Shelf(HUNT).answers(question) if answer == "the analysis" else Error("not_now", "There is none.", 1)
    seat.controller.on_reply(question, reply)
    assert seat.asked[-1] == AskReplay(1, 3, 1, 1)


def test_a_wanted_step_is_given_up_when_the_connection_breaks_before_the_analysis():
    seat = shelf()
    seat.controller.ask = lambda request: None
    seat.controller.submit("history")
    seat.controller.on_reply(AskHistory(1), Shelf(HUNT).answers(AskHistory(1)))
    choose_game(seat.controller)
    seat.controller.on_reply(AskReplay(1, 3, 0, 1), Shelf(HUNT).answers(AskReplay(1, 3, 0, 1)))
    step(seat.controller, 1)
    seat.controller.on_lost(AskAnalysis(1, 3))
    assert isinstance(seat.controller.page, Replaying)
    assert not seat.controller.page.waits
