"""The first game explains itself, once."""

from collections.abc import Callable
from dataclasses import replace

import pytest

from gridgames_client.state.controllers.notifications import Guided
from gridgames_client.state.guide import Guide
from gridgames_client.state.model import Model
from gridgames_protocol.messages import Create, Lobby, SeatHolder, Show
from gridgames_protocol.views import Card
from tests.client.seated_controllers import CARDS, CODE, Scenario, in_lobby, welcome

GUIDE = (
    ("start", "Each player hides a treasure."),
    ("turn", "Now find theirs."),
    ("HIDE", "Only you know it."),
    ("wait", "The other thinks."),
    ("SCAN", "The board shows what is left."),
    ("hint", "That is the distance."),
    ("over", "You know it all."),
)


def guided_cards() -> tuple[Card, ...]:
    return tuple(replace(card, guide=GUIDE) if card.slug == "grid-hunt" else card for card in CARDS)


def first_game(
    known: set[str] | None = None, notify: Callable[[object], None] = lambda what: None
) -> tuple[Scenario, list[str]]:
    """A game against the computer, and the games that are remembered as known."""
    scenario, remembered = Scenario("grid-hunt"), []
    controller = scenario.controllers[1]
    controller.model.cards = guided_cards()
    controller.guide.known_games = known or set()
    controller.remember_guide, controller.notify = remembered.append, notify
    scenario.tell_room(number=2, seats=(scenario.room.seats[0], SeatHolder("easy", True, "easy")))
    return scenario, remembered


def lesson(scenario: Scenario) -> str:
    return scenario.controllers[1].guide.lesson


def test_each_lesson_is_told_once_at_its_moment_and_stands_until_the_next_action():
    scenario, remembered = first_game()
    assert lesson(scenario) == "Each player hides a treasure."
    scenario.show()
    assert lesson(scenario) == "Each player hides a treasure.", "it stays until the treasure is hidden"
    scenario.types(1, "HIDE 2 3")
    assert lesson(scenario) == "Only you know it."
    scenario.types(2, "HIDE 5 5")
    assert lesson(scenario) == "Only you know it.", "another moment does not replace it"
    scenario.types(1, "SCAN 3 3")
    assert lesson(scenario) == "That is the distance."
    scenario.types(2, "SCAN 1 1")
    assert lesson(scenario) == "That is the distance.", "the other's move does not replace it"
    scenario.types(1, "SCAN 1 1")
    assert lesson(scenario) == "The board shows what is left."
    scenario.types(2, "SCAN 3 3")
    scenario.types(1, "SCAN 5 1")
    assert lesson(scenario) == "The other thinks."
    scenario.types(2, "SCAN 5 1")
    scenario.types(1, "DIG 1 1")
    assert lesson(scenario) == "", "no lesson is left for this moment"
    scenario.types(2, "DIG 1 1")
    assert lesson(scenario) == "Now find theirs.", "it belongs to the own turn"
    assert scenario.controllers[1].guide.number == 6
    scenario.types(1, "DIG 5 5")
    assert lesson(scenario) == "", "no lesson stands at the end"
    assert scenario.controllers[1].model.log[-1].text == "You know it all."
    assert remembered == ["grid-hunt"]


def test_lessons_do_not_start_again_after_a_restart_of_the_client():
    scenario, remembered = first_game()
    scenario.types(1, "HIDE 2 3")
    controller = scenario.controllers[1]
    controller.guide = Guide()  # as in a new client
    controller.model = Model(controller.model.address)
    controller.on_message(replace(welcome(room=CODE), games=guided_cards()))
    scenario.tell_room()
    scenario.show()
    scenario.types(2, "HIDE 5 5")
    assert lesson(scenario) == ""
    assert remembered == []
    scenario.tell_room(number=3)
    assert lesson(scenario) == "Each player hides a treasure."


def test_the_first_lesson_tells_how_to_end_them():
    seen: list[object] = []
    scenario, _ = first_game(notify=seen.append)
    assert Guided(("Lesson 1: Each player hides a treasure.", "Type skip to end the lessons.")) in seen
    scenario.types(1, "HIDE 2 3")
    assert Guided(("Lesson 2: Only you know it.",)) in seen


@pytest.mark.parametrize(
    ("possible", "told"),
    [
        (("1,1",), "One is left."),
        (("1,1", "1,2"), "Few are left."),
        (("1,1", "1,2", "1,3", "1,4"), "Few are left."),
    ],
)
def test_few_cells_or_one_are_spoken_of_on_the_own_turn(possible, told):
    scenario, _ = first_game()
    guide, model = scenario.controllers[1].guide, scenario.controllers[1].model
    guide.lesson, guide._left = "", {"few": ["Few are left."], "one": ["One is left."], "wait": ["Wait."]}
    view = replace(scenario.shown(1).view, phase="play")
    view = replace(view, board=replace(view.board, possible=possible))
    for turn, found in (((2,), ""), ((1,), told)):
        model.apply(Show(CODE, 9, turn, 1, view))
        assert guide.take_message(model, model.show) == found


def test_few_is_not_told_with_one_cell_left():
    scenario, _ = first_game()
    guide, model = scenario.controllers[1].guide, scenario.controllers[1].model
    guide.lesson, guide._left = "", {"few": ["Few are left."]}
    view = replace(scenario.shown(1).view, phase="play")
    view = replace(view, board=replace(view.board, possible=("1,1",)))
    model.apply(Show(CODE, 9, (1,), 1, view))
    assert guide.take_message(model, model.show) == ""


def test_skip_ends_it_and_is_remembered():
    scenario, remembered = first_game()
    scenario.controllers[1].submit("skip")
    assert lesson(scenario) == ""
    scenario.types(1, "HIDE 2 3")
    assert (lesson(scenario), remembered) == ("", ["grid-hunt"])
    scenario.controllers[1].submit("skip")
    assert remembered == ["grid-hunt"]


def test_the_lessons_of_one_game_do_not_appear_in_another():
    scenario, _ = first_game()
    controller = scenario.controllers[1]
    controller.guide.known_games = {"grid-conquest"}
    controller.on_message(Lobby((), 1, 0))
    assert lesson(scenario) == ""
    other = Scenario("grid-conquest")
    controller.on_message(replace(other.room, room="AAAAAA", seats=scenario.room.seats))
    controller.on_message(replace(other.shown(1), room="AAAAAA"))
    assert lesson(scenario) == ""


def test_who_left_a_guided_game_begins_the_next_one_with_the_first_lesson():
    scenario, _ = first_game()
    scenario.types(1, "HIDE 2 3")
    scenario.controllers[1].on_message(Lobby((), 1, 0))
    scenario.tell_room(room="AAAAAA")
    assert (lesson(scenario), scenario.controllers[1].guide.number) == ("Each player hides a treasure.", 1)


def test_a_first_game_against_a_person_has_the_lessons_too():
    scenario = Scenario("grid-hunt")
    scenario.controllers[1].model.cards, scenario.controllers[1].guide.known_games = guided_cards(), set()
    scenario.tell_room(number=2)
    assert lesson(scenario) == "Each player hides a treasure."


def test_one_who_knows_the_game_or_watches_is_told_nothing():
    assert lesson(first_game({"grid-hunt"})[0]) == ""
    watched = Scenario("grid-hunt")
    watched.controllers[None].model.cards = guided_cards()
    watched.tell_room(number=2, seats=(watched.room.seats[0], SeatHolder("easy", True, "easy")))
    assert watched.controllers[None].guide.lesson == ""


def test_a_first_game_against_the_computer_has_assist_and_tutorial_brings_it_back():
    seat = in_lobby()
    seat.controller.model.cards, seat.controller.guide.known_games = guided_cards(), set()
    seat.controller.submit("create grid-hunt bot=hard")
    seat.controller.guide.known_games = {"grid-hunt"}
    seat.controller.submit("create grid-hunt bot=hard")
    seat.controller.submit("tutorial grid-hunt")
    assert seat.asked == [
        Create(1, "grid-hunt", bot="hard", assist=True),
        Create(1, "grid-hunt", bot="hard"),
        Create(1, "grid-hunt", "host", "easy", assist=True),
    ]
