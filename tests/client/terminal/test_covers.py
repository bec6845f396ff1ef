"""While own secrets are covered the screen is the same for every own secret."""

from dataclasses import replace

import pytest

from gridgames_client.render.drawing.text_layout import ASCII, LINES, TILES, Line, plain
from gridgames_client.render.key_bar import draw_bar
from gridgames_client.render.screen import draw_screen
from gridgames_client.state import completion
from gridgames_client.state.controllers import board_controller
from gridgames_client.state.controllers.controller import Controller
from gridgames_client.state.dialogs import Choice
from gridgames_client.terminal.layout import STARS
from gridgames_client.terminal.plain.plain_app import Plain
from gridgames_protocol.messages import AskHint, Hint, SeatHolder
from tests.client.piped_app import playing
from tests.client.seated_controllers import CODE, Scenario, make_seat, welcome
from tests.client.seated_controllers import lines as asked_lines
from tests.wire import run

Draws = dict[str, int]


def typed(*secrets: str) -> list[tuple[Draws, list[tuple[int, str]]]]:
    """Worlds in which seat 1 types other secrets first."""
    return [({}, [(1, secret)]) for secret in secrets]


# For each game: worlds that differ in what seat 1 alone knows, by chance or by its first line, and the lines after it.
TWINS: dict[str, tuple[list[tuple[Draws, list[tuple[int, str]]]], list[tuple[int, str]]]] = {
    "treasure-hunt-duel": (
        [({"treasure": cell}, []) for cell in (18, 2, 24)],
        [
            (1, "QUERY 2B"),
            (2, "QUERY 5A"),
            (1, "GUESS 2B"),
            (2, "GUESS 3A"),
            (1, "QUERY 1E"),
            (2, "QUERY 4C"),
            (1, "QUERY 3A"),
        ],
    ),
    "grid-hunt": (
        typed("HIDE 1 1", "HIDE 2 3", "HIDE 5 5"),
        [(2, "HIDE 4 4"), (1, "SCAN 3 3"), (2, "SCAN 3 1"), (1, "DIG 1 2")],
    ),
    "secret-paths": (typed("GOAL 1", "GOAL 3", "GOAL 5"), [(2, "GOAL 1 4"), (1, "MOVE 2 2"), (2, "MOVE 3 3")]),
    "quantum-duel": (
        typed("MOVE 1", "MOVE 4", "MOVE 7", "TUNNEL 4"),
        [(1, "OBSERVE 5"), (2, "MOVE 2"), (2, "OBSERVE 3"), (1, "STAY"), (1, "OBSERVE 6")],
    ),
}
SIZES = [(40, 16), (80, 24), (120, 40), (200, 60)]


def look(controller: Controller, typed: str = "") -> list[list[Line]]:
    """Everything that can be seen."""
    return [
        [*draw_screen(controller, typed, glyphs, columns, rows, 0.0), draw_bar(controller, columns)]
        for columns, rows in SIZES
        for glyphs in (TILES, LINES, ASCII)
    ]


def watch(slug: str, draws: Draws, lines: list[tuple[int, str]], assist: bool, guided: bool) -> list[object]:
    """What the player sees step by step, and what is offered."""
    scenario = Scenario(slug, draws=draws or None, assist=assist)
    controller, seen = scenario.controllers[1], []
    if guided:
        controller.guide.known_games = set()
        scenario.tell_room(number=2)
        scenario.show()
    for seat, line in lines:
        scenario.types(seat, line)
        assert controller.model.masked
        seen.append((look(controller), controller.cursor, controller.model.notice))
        for typed in ("", "M", "MOVE", "OB", "S"):
            seen.append(
                [
                    completion.list_candidates(controller.model, typed),
                    completion.suggest_rest(controller.model, typed, "4"),
                ]
            )
        if controller.model.may_type_secret:
            board_controller.act(controller)
            seen.append((look(controller), controller.model.notice))
            controller.close_page()
            controller.model.say("")
    return seen


@pytest.mark.parametrize("guided", [False, True])
@pytest.mark.parametrize("assist", [False, True])
@pytest.mark.parametrize("slug", TWINS)
def test_the_screen_is_the_same_for_every_own_secret(slug, assist, guided):
    worlds, lines = TWINS[slug]
    first, *others = (watch(slug, draws, [*begun, *lines], assist, guided) for draws, begun in worlds)
    for other in others:
        assert other == first


CHOICES = ["grid-hunt", "secret-paths", "quantum-duel"]


@pytest.mark.parametrize("slug", CHOICES)
def test_neither_arrows_nor_clicks_tell_a_covered_secret_that_is_chosen(slug):
    seen = []
    for cell, steps in enumerate(([], [(0, 1)], [(0, -1), (0, -1)], [(1, 0), (0, 1)])):
        scenario = Scenario(slug)
        controller = scenario.controllers[1]
        for rows, cols in steps:
            board_controller.move_cursor(controller, rows, cols)
            assert controller.model.notice == board_controller.UNSEEN
        board_controller.mark(controller)
        board_controller.act_at(controller, cell)
        assert controller.model.notice == board_controller.UNSEEN
        assert controller.page is None
        assert asked_lines(scenario.seats[1]) == []
        seen.append((look(controller), controller.cursor, controller.model.marks))
    assert all(each == seen[0] for each in seen)


@pytest.mark.parametrize("slug", CHOICES)
def test_the_cursor_is_no_trace_of_a_secret_that_was_chosen_in_the_open(slug):
    seen = []
    for steps in ([], [(0, 1)], [(0, -1), (0, -1)]):
        scenario = Scenario(slug)
        controller = scenario.controllers[1]
        controller.toggle_mask()
        for rows, cols in steps:
            board_controller.move_cursor(controller, rows, cols)
        if slug == "quantum-duel":
            board_controller.act(controller)
            assert isinstance(controller.page, Choice)
        controller.toggle_mask()
        assert controller.page is None
        seen.append([look(controller)])
        scenario.types(1, TWINS[slug][0][0][1][0][1])
        seen[-1].append(look(controller))
    assert all(each == seen[0] for each in seen)


def test_an_action_without_a_cell_is_chosen_by_its_letter_unseen():
    scenario = Scenario("quantum-duel")
    scenario.types(1, "MOVE 4", "OBSERVE 5")
    scenario.types(2, "MOVE 2", "OBSERVE 7")
    controller = scenario.controllers[1]
    controller.typed = "s"
    board_controller.act(controller)
    assert asked_lines(scenario.seats[1])[-1] == "STAY"


def test_the_cursor_is_shown_for_what_everybody_may_see():
    scenario = Scenario("quantum-duel")
    controller = scenario.controllers[1]
    assert controller.model.chooses_unseen
    scenario.types(1, "MOVE 4")
    assert not controller.model.chooses_unseen
    before = look(controller)
    board_controller.move_cursor(controller, 0, 1)
    assert all(one != two for one, two in zip(before, look(controller), strict=True))
    board_controller.act(controller)
    assert asked_lines(scenario.seats[1])[-1] == "OBSERVE 5"


@pytest.mark.parametrize("slug", CHOICES)
def test_the_screen_says_how_to_choose_unseen(slug):
    controller = Scenario(slug).controllers[1]
    assert all("ype " in " ".join(plain(line) for line in lines) for lines in look(controller))
    shown = "\n".join(plain(line) for line in look(controller)[3])
    assert "it shows as" in shown
    assert f"{controller.model.actions[0].verb.capitalize()} ?" in shown


def come_back(scenario: Scenario) -> Controller:
    """The first player's client after a restart."""
    controller = make_seat(scenario.time).controller
    controller.on_connection("connected", "")
    controller.on_message(welcome(room=CODE))
    controller.on_message(replace(scenario.room, you=1))
    controller.on_message(scenario.shown(1))
    return controller


@pytest.mark.parametrize("assist", [False, True])
def test_who_comes_back_is_shown_the_same_whether_the_tunnel_is_used_or_not(assist):
    seen = []
    for line in ("MOVE 4", "TUNNEL 4"):
        scenario = Scenario("quantum-duel", assist=assist)
        scenario.types(1, line, "OBSERVE 5")
        scenario.types(2, "MOVE 2", "OBSERVE 7")
        controller = come_back(scenario)
        printed: list[str] = []
        Plain(controller, printed.append).print_turn(scenario.shown(1))
        seen.append((look(controller), completion.list_candidates(controller.model, ""), printed))
        assert [action.verb for action in controller.model.actions] == ["MOVE", "STAY", "TUNNEL"]
        assert "Your turn: MOVE CELL; STAY; TUNNEL CELL." in printed
    assert seen[0] == seen[1]


def test_a_used_tunnel_is_not_offered_while_secrets_are_shown():
    scenario = Scenario("quantum-duel")
    scenario.types(1, "TUNNEL 4", "OBSERVE 5")
    scenario.types(2, "MOVE 2", "OBSERVE 7")
    controller = scenario.controllers[1]
    controller.toggle_mask()
    assert not any("unnel 4" in plain(line) for lines in look(controller) for line in lines)
    assert not any("TUNNEL" in line for line in completion.list_candidates(controller.model, ""))
    printed: list[str] = []
    Plain(controller, printed.append).print_turn(scenario.shown(1))
    assert "Your turn: MOVE CELL; STAY." in printed


def test_who_comes_back_types_ahead_unseen():
    scenario = Scenario("quantum-duel")
    scenario.types(1, "MOVE 4", "OBSERVE 5")
    model = come_back(scenario).model
    assert not model.to_act
    assert completion.is_covered(model, "MOVE 3")
    assert completion.is_covered(model, "m")
    assert not completion.is_covered(model, "/chat move 3")
    scenario.types(2, "MOVE 2", "OBSERVE 7")
    scenario.types(1, "STAY")
    model = come_back(scenario).model
    assert [action.verb for action in model.actions] == ["OBSERVE"]
    assert completion.is_covered(model, "MOVE 3")
    assert not completion.is_covered(model, "OBSERVE 3")
    assert not completion.is_covered(model, "3")


def test_why_a_secret_move_is_refused_is_not_told_while_covered():
    seen = []
    for place in ("MOVE 1", "MOVE 4"):
        scenario = Scenario("quantum-duel")
        scenario.types(1, place, "OBSERVE 5")
        scenario.types(2, "MOVE 2", "OBSERVE 7")
        scenario.controllers[1].submit("MOVE 7")
        seen.append((scenario.controllers[1].model.notice, look(scenario.controllers[1])))
    assert seen[0] == seen[1]
    assert seen[0][0] == "That is not possible now. * shows your secrets, and then why."


def test_a_private_answer_is_covered_where_it_is_told_and_shown_with_the_secrets():
    scenario = Scenario("treasure-hunt-duel", draws={"treasure": 18})
    scenario.types(1, "QUERY 3C")
    controller = scenario.controllers[1]
    for lines in look(controller):
        shown = "\n".join(map(plain, lines))
        assert ("covered" in shown, "Distance" in shown) == (True, False)
    controller.toggle_mask()
    controller.model.say("")
    assert all("Distance: 2" in "\n".join(map(plain, lines)) for lines in look(controller))


@pytest.mark.parametrize("keys", [(), ("tab",), ("left",)], ids=["typed", "completed", "edited"])
def test_the_line_that_is_typed_unseen_looks_the_same_whatever_it_is(keys):
    async def screen_of(line):
        scenario = Scenario("quantum-duel")
        for seat, begun in ((1, "MOVE 4"), (1, "OBSERVE 5"), (2, "MOVE 2"), (2, "OBSERVE 3")):
            scenario.types(seat, begun)
        async with playing(scenario.controllers[1]) as player:
            await player.types(line)
            await player.presses(*keys)
            drawn = player.app.application.renderer.last_rendered_screen
            return player.lines(), list(drawn.cursor_positions.values())

    async def scenario():
        first, *others = [await screen_of(line) for line in ("stay", "move 5", "tunnel 7", "t", "s")]
        assert STARS in "".join(first[0])
        assert others == [first] * 4

    run(scenario())


def test_pencil_marks_are_covered_with_the_answers_that_they_were_made_of():
    scenario = Scenario("treasure-hunt-duel", draws={"treasure": 18})
    scenario.types(1, "QUERY 3C")
    controller = scenario.controllers[1]
    covered = look(controller)
    controller.toggle_mask()
    controller.cursor = 0
    board_controller.mark(controller)
    assert "Marked 1A with ?" in controller.model.notice
    shown = look(controller)
    controller.toggle_mask()
    controller.model.say("")
    assert look(controller) == covered
    board_controller.mark(controller)
    assert controller.model.notice == "Your pencil marks are covered too. F4 shows your secrets and the marks."
    controller.toggle_mask()
    controller.cursor = 0
    controller.model.say("Marked 1A with ?, for you alone. Press again for the next sign, or none.")
    assert look(controller) == shown


def test_a_hint_is_covered_until_secrets_are_shown():
    scenario = Scenario("quantum-duel")
    controller, hint = scenario.controllers[1], Hint(1, "TUNNEL 6", "It is far away.")
    controller.on_reply(AskHint(1), hint)
    assert controller.model.notice == "The hint is covered until you show your secrets."
    controller.toggle_mask()
    assert controller.model.notice == "TUNNEL 6: It is far away."
    controller.toggle_mask()
    assert controller.model.notice == "Your secrets are covered."
    controller.on_reply(AskHint(2), hint)
    scenario.types(1, "MOVE 2")
    controller.toggle_mask()
    assert controller.model.notice == "Your secrets are shown.", "the hint was for the line before"


def test_a_hint_is_shown_in_a_game_without_secrets():
    scenario = Scenario("grid-conquest")
    controller = scenario.controllers[1]
    assert controller.model.masked
    controller.on_reply(AskHint(1), Hint(1, "CLAIM C3", "It is worth most."))
    assert controller.model.notice == "CLAIM C3: It is worth most."


def test_against_the_computer_own_secrets_are_shown():
    scenario = Scenario("grid-hunt")
    bot = (scenario.room.seats[0], SeatHolder("easy", True, "easy"))
    scenario.tell_room(number=2, seats=bot)
    assert not scenario.controllers[1].model.masked


def test_who_has_shown_secrets_once_is_not_asked_again():
    scenario, remembered = Scenario("grid-hunt"), []
    scenario.controllers[1].remember_cover = remembered.append
    scenario.controllers[1].toggle_mask()
    assert remembered == [False]
    scenario.tell_room(number=2)
    assert not scenario.controllers[1].model.masked
    scenario.controllers[1].toggle_mask()
    scenario.tell_room(number=3)
    assert (remembered, scenario.controllers[1].model.masked) == ([False, True], True)
