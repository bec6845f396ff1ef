"""What stands below the board: the own answer beside the other's move, requests, messages, a lesson without a pane."""

import pytest

from gridgames_client.render.drawing.text_layout import TILES, plain
from gridgames_client.render.screen import draw_screen
from gridgames_client.state.controllers import board_controller
from gridgames_client.state.controllers.controller import Controller
from gridgames_client.state.guide import Guide
from gridgames_protocol.messages import Event
from tests.client.game_scripts import story
from tests.client.seated_controllers import Scenario

SIZES = [(40, 16), (60, 20), (80, 24), (120, 40)]
LESSON = "The number is the steps to the treasure, along rows and columns. Only you know it."


def text(controller: Controller, columns: int, rows: int) -> str:
    return "\n".join(plain(line) for line in draw_screen(controller, "", TILES, columns, rows - 2, 0.0))


# Answers --------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("columns", "rows"), SIZES)
def test_the_own_answer_stays_beside_the_others_move_until_the_next_own_action(columns, rows):
    scenario = Scenario("treasure-hunt-duel", draws={"treasure": 18})
    scenario.controllers[1].toggle_mask()
    scenario.types(1, "QUERY 3C")
    scenario.types(2, "QUERY 1A")
    shown = text(scenario.controllers[1], columns, rows)
    news = next(line for line in shown.splitlines() if "Distance: 2" in line)
    assert news.index("Distance: 2") < news.index("queried 1A")
    scenario.types(1, "QUERY 3D")
    assert "queried 1A" not in text(scenario.controllers[1], columns, rows)


@pytest.mark.parametrize(("columns", "rows"), SIZES)
def test_the_own_answer_is_gone_when_the_other_has_moved_twice(columns, rows):
    scenario = Scenario("treasure-hunt-duel", draws={"treasure": 18})
    scenario.types(1, "GUESS 1A")
    scenario.types(2, "QUERY 1B", "QUERY 1C")
    shown = text(scenario.controllers[1], columns, rows)
    assert "queried 1C." in shown
    assert "Incorrect guess" not in shown
    assert "queried 1B" not in "\n".join(shown.splitlines()[-3:])


@pytest.mark.parametrize(
    ("slug", "typed", "row"),
    [
        ("treasure-hunt-duel", [(1, "QUERY 3C"), (2, "QUERY 3D")], "Distance: 2   Bo  queried 3D."),
        ("treasure-hunt-duel", [(1, "QUERY 3C"), (2, "GUESS 1A")], " Bo  guessed 1A. Incorrect guess."),
        ("grid-hunt", [(1, "HIDE 1 1"), (2, "HIDE 5 5"), (1, "SCAN 3 3"), (2, "SCAN 2 2")], " Bo  scanned (2,2)."),
        ("grid-hunt", [(1, "HIDE 1 1"), (2, "HIDE 5 5"), (1, "SCAN 3 3"), (2, "DIG 2 2")], " Bo  dug at (2,2)."),
        (
            "quantum-duel",
            [(1, "MOVE 1"), (1, "OBSERVE 5"), (2, "MOVE 3"), (2, "OBSERVE 7")],
            " Bo  observed position 7.",
        ),
    ],
)
def test_one_row_of_news_tells_the_others_move_in_whole_sentences(slug, typed, row):
    scenario = Scenario(slug, draws={"treasure": 18} if slug == "treasure-hunt-duel" else None)
    scenario.controllers[1].model.masked = slug != "treasure-hunt-duel"
    for seat, line in typed:
        scenario.types(seat, line)
    assert f" {row}" in [line.rstrip() for line in text(scenario.controllers[1], 40, 16).splitlines()[-3:]]


@pytest.mark.parametrize(("columns", "rows"), SIZES)
@pytest.mark.parametrize("seat", [1, 2, None])
def test_both_players_are_told_why_a_game_has_ended(seat, columns, rows):
    scenario = Scenario("quantum-duel")
    scenario.types(1, "MOVE 1", "OBSERVE 5")
    scenario.types(2, "MOVE 2", "OBSERVE 7")
    scenario.types(1, "MOVE 2", "OBSERVE 6")
    shown = " ".join(text(scenario.controllers[seat], columns, rows).split())
    assert "Ada had moved onto Bo's token. This counts before the look." in shown
    assert "secrets fit" in shown


def test_what_a_look_has_told_stays_too():
    scenario = Scenario("quantum-duel")
    scenario.types(1, "MOVE 1", "OBSERVE 5")
    scenario.types(2, "MOVE 2")
    assert "Bo's token is not at position 5." in text(scenario.controllers[1], 60, 20)


def test_a_watcher_is_told_the_last_move_alone():
    scenario = story("grid-conquest", "middle")
    scenario.types(1, "CLAIM E5")
    assert "A1" not in text(scenario.controllers[None], 80, 24).splitlines()[-1]


@pytest.mark.parametrize(("columns", "rows"), SIZES)
def test_the_newest_words_of_the_chat_are_in_sight_beside_long_answers(columns, rows):
    scenario = story("grid-conquest", "middle")
    scenario.says(Event("Well played!", "chat", 2, "Bo"))
    assert "Well played!" in "\n".join(text(scenario.controllers[1], columns, rows).splitlines()[-4:])


@pytest.mark.parametrize(("columns", "rows"), [(20, 5), *SIZES])
def test_two_long_sentences_of_a_server_are_cut_to_the_row(columns, rows):
    scenario = Scenario("treasure-hunt-duel")
    for begins in ("Player 2 ", "Then the player "):
        scenario.controllers[1].on_message(Event(begins + "does much and " * 60, "move", 2))
    assert "does" in text(scenario.controllers[1], columns, rows)


# Requests -------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("columns", "rows"), SIZES)
def test_both_see_that_one_wants_another_game_as_long_as_it_is_so(columns, rows):
    scenario = story("grid-hunt", "end")
    scenario.tell_room(again=(1,))
    scenario.says(Event("Wim watches.", "system"))
    assert "Waiting for Bo." in text(scenario.controllers[1], columns, rows)
    assert "Ada wants another game: F6 agrees." in text(scenario.controllers[2], columns, rows)
    scenario.tell_room(again=())
    assert "Waiting for" not in text(scenario.controllers[1], columns, rows)


@pytest.mark.parametrize(("columns", "rows"), SIZES)
def test_both_see_that_one_offers_a_draw(columns, rows):
    scenario = story("grid-hunt", "middle")
    scenario.tell_room(draw=(2,))
    assert "Bo offers a draw: /draw takes it." in text(scenario.controllers[1], columns, rows)
    assert "You offered a draw. Waiting for Ada." in text(scenario.controllers[2], columns, rows)
    assert "draw" not in text(scenario.controllers[None], columns, rows)


def test_nobody_waits_for_one_who_has_left():
    scenario = story("grid-hunt", "end")
    scenario.tell_room(again=(1,), seats=(scenario.room.seats[0], None))
    assert "Waiting for" not in text(scenario.controllers[1], 80, 24)


# Messages -------------------------------------------------------------------------------------------------------------


def test_a_newer_event_replaces_an_error_and_an_own_one_does_not():
    scenario = story("grid-hunt", "end")
    controller = scenario.controllers[1]
    board_controller.act(controller)
    assert controller.model.notice.startswith("The game is over.")
    controller.on_message(Event("An own one.", "move", 1))
    assert controller.model.notice.startswith("The game is over.")
    controller.on_message(Event("Bo asks for another game.", "system"))
    assert controller.model.notice == ""


def test_a_refused_foul_still_tells_why_although_everybody_hears_of_it():
    scenario = story("secret-paths", "middle")
    controller = scenario.controllers[2]
    controller.submit("MOVE 1 1")
    controller.confirm(True)
    assert controller.model.notice_is_error
    assert controller.model.notice


# The lesson -----------------------------------------------------------------------------------------------------------


def with_lesson(lesson: str = LESSON) -> Controller:
    controller = Scenario("treasure-hunt-duel").controllers[1]
    controller.guide = Guide(game="treasure-hunt-duel", lesson=lesson, number=2)
    return controller


@pytest.mark.parametrize(("columns", "rows"), [(60, 20), (80, 24), (100, 30), (120, 40)])
def test_the_whole_lesson_stands_in_the_pane_and_tells_how_to_end_them(columns, rows):
    shown = text(with_lesson("word " * 30 + "last."), columns, rows)
    assert "LESSON 2" in shown
    assert "ype skip" in shown
    assert "last." in shown
    assert "Query 3C" in shown


@pytest.mark.parametrize(("columns", "rows"), [(60, 20), (80, 24), (100, 30), (120, 40)])
def test_a_lesson_leaves_every_action_in_sight(columns, rows):
    scenario = Scenario("quantum-duel")
    scenario.types(1, "MOVE 4", "OBSERVE 5")
    scenario.types(2, "MOVE 2", "OBSERVE 7")
    scenario.controllers[1].guide = Guide(game="quantum-duel", lesson="word " * 20, number=2)
    shown = text(scenario.controllers[1], columns, rows)
    assert [verb for verb in ("Move ?", "Stay", "Tunnel ?") if verb not in shown] == []


def test_without_a_pane_the_lesson_takes_the_news_row_and_the_help_tells_all_of_it():
    controller = with_lesson()
    shown = text(controller, 40, 16)
    assert "Lesson 2: The number is" in shown
    assert "? tells all" in shown
    controller.submit("/help")
    assert "Only you know it." in " ".join(text(controller, 40, 16).replace("│", " ").split())


def test_a_lesson_does_not_hide_a_message():
    controller = with_lesson()
    controller.model.say("That is off the grid.", bad=True)
    assert "That is off the grid." in text(controller, 40, 16)


# What is covered ------------------------------------------------------------------------------------------------------


def says_covered(controller: Controller, columns: int, rows: int) -> bool:
    shown = text(controller, columns, rows)
    return "own secrets are" in shown or "* shows what is yours" in shown or "* shows it" in shown


@pytest.mark.parametrize("slug", ["grid-hunt", "secret-paths"])
@pytest.mark.parametrize(("columns", "rows"), [(60, 20), (80, 24), (120, 40)])
def test_that_something_is_covered_is_said_only_where_something_is(columns, rows, slug):
    assert not says_covered(Scenario(slug).controllers[1], columns, rows), "nothing is hidden yet"
    for controller in (story(slug, "middle").controllers[seat] for seat in (1, 2)):
        assert says_covered(controller, columns, rows)
        controller.toggle_mask()
        assert not says_covered(controller, columns, rows)
