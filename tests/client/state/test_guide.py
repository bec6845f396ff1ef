"""The first game against the computer explains itself, once."""

from dataclasses import replace

from gridgames_protocol.messages import Create, SeatHolder
from gridgames_protocol.views import Card
from tests.client.seated_controllers import CARDS, Scenario, in_lobby

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


def first_game(known: set[str] | None = None) -> tuple[Scenario, list[str]]:
    """A game against the computer, and the games that are remembered as known."""
    scenario, remembered = Scenario("grid-hunt"), []
    controller = scenario.controllers[1]
    controller.model.cards = guided_cards()
    controller.guide.known_games = known or set()
    controller.remember_guide = remembered.append
    scenario.tell_room(number=2, seats=(scenario.room.seats[0], SeatHolder("easy", True, "easy")))
    return scenario, remembered


def told(scenario: Scenario) -> list[str]:
    sentences = {sentence for _, sentence in GUIDE}
    return [event.text for event in scenario.controllers[1].model.log if event.text in sentences]


def test_each_sentence_is_told_once_at_its_moment():
    scenario, remembered = first_game()
    assert told(scenario) == ["Each player hides a treasure."]
    assert scenario.controllers[1].model.notice == "Each player hides a treasure. Type skip to be told no more."
    scenario.show()
    assert told(scenario) == ["Each player hides a treasure."], "it stays until the treasure is hidden"
    scenario.types(1, "HIDE 2 3")
    scenario.types(2, "HIDE 5 5")
    scenario.types(1, "SCAN 3 3")
    scenario.types(2, "SCAN 1 1")
    scenario.types(1, "DIG 5 5")
    assert told(scenario) == [
        "Each player hides a treasure.", "Only you know it.", "Now find theirs.", "The board shows what is left.",
        "That is the distance.", "The other thinks.", "You know it all.",
    ]  # fmt: skip
    assert remembered == ["grid-hunt"]


def test_skip_ends_it_and_is_remembered():
    scenario, remembered = first_game()
    scenario.controllers[1].submit("skip")
    scenario.show()
    assert (told(scenario), remembered) == (["Each player hides a treasure."], ["grid-hunt"])


def test_one_who_knows_the_game_or_plays_a_person_is_told_nothing():
    assert told(first_game({"grid-hunt"})[0]) == []
    scenario = Scenario("grid-hunt")
    scenario.controllers[1].model.cards = guided_cards()
    scenario.tell_room(number=2)
    assert told(scenario) == []


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
