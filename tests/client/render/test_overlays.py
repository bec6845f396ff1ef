"""The pages that open over a screen: what is in them, how they fit, how far they scroll."""

import pytest

from gridgames_client.render import overlays
from gridgames_client.render.drawing.text_layout import ASCII, LINES, TILES, find_target, plain, say, width
from gridgames_client.render.screen import draw_screen
from gridgames_client.state.actions.action_table import ACTIONS
from gridgames_client.state.actions.find_action import list_help
from gridgames_client.state.commands import TextPage
from gridgames_client.state.controllers import board_controller, lobby_controller
from gridgames_client.state.controllers.controller import Controller
from gridgames_client.state.dialogs import NewRoom
from tests.client.game_scripts import story
from tests.client.seated_controllers import CARDS, Scenario, in_lobby


def text(controller: Controller, columns: int = 76) -> list[str]:
    """The lines of the page that is open."""
    return [plain(line) for line in overlays.draw_page(controller, ASCII, columns)[1]]


# Prose ----------------------------------------------------------------------------------------------------------------

RULES = """\
First paragraph, which
goes on.

  SCAN 3 3   asks how far
             it is.
  DIG 5 5    digs there.

Last one."""


def test_paragraphs_are_joined_and_examples_hang_beside_their_explanation():
    assert [plain(line).rstrip() for line in overlays.wrap_prose(RULES, 39)] == [
        "First paragraph, which goes on.",
        "",
        "  SCAN 3 3   asks how far it is.",
        "  DIG 5 5    digs there.",
        "",
        "Last one.",
    ]


def test_where_it_is_narrow_examples_stand_before_their_explanation():
    assert [plain(line) for line in overlays.wrap_prose(RULES, 20)] == [
        "First paragraph,",
        "which goes on.",
        "",
        "SCAN 3 3 asks how",
        "  far it is.",
        "DIG 5 5 digs there.",
        "",
        "Last one.",
    ]


@pytest.mark.parametrize("columns", [15, 35, 55, 75])
@pytest.mark.parametrize("card", CARDS, ids=lambda card: card.slug)
def test_the_rules_of_every_game_fit_and_lose_no_word(card, columns):
    lines = overlays.wrap_prose(card.rules, columns)
    assert max(map(width, lines)) <= columns
    assert " ".join(plain(line) for line in lines).split() == card.rules.split()


# What is in them ------------------------------------------------------------------------------------------------------


def test_help_fits_on_a_standard_screen_without_scrolling():
    for controller in (in_lobby().controller, Scenario("grid-hunt").controllers[1]):
        controller.run(TextPage("help"))
        assert len(text(controller, overlays.measure_text(80))) <= 24 - 2 - 2


def test_on_a_small_screen_help_begins_with_what_the_table_leaves_out():
    controller = story("grid-hunt", "middle").controllers[1]
    controller.run(TextPage("help"))
    lines = text(controller, overlays.measure_text(40))
    assert lines[0] == "Goal: Dig up Bo's treasure first."
    assert any(line.startswith("Scan: steps to their") for line in lines)
    assert any(line.startswith("YOUR FIELD") for line in lines)


def test_help_is_about_the_place_where_one_is():
    lobby, table = in_lobby().controller, Scenario("grid-hunt").controllers[1]
    lobby.run(TextPage("help"))
    table.run(TextPage("help"))
    assert any("join" in line for line in text(lobby))
    assert any("F4" in line for line in text(table))


@pytest.mark.parametrize("columns", [15, 35, 75])
def test_help_names_every_action_with_a_help_text(columns):
    for controller, where in ((in_lobby().controller, "lobby"), (Scenario("grid-hunt").controllers[1], "room")):
        controller.run(TextPage("help"))
        words = " ".join(text(controller, columns)).split()
        for keys, meaning in list_help(where):
            for word in f"{keys} {meaning}".split():
                assert word in words or f"{word}:" in words


def test_help_tells_of_every_word_that_can_be_typed():
    assert [action.name for action in ACTIONS if action.typed and not action.help] == []


def test_rules_of_a_game_that_is_not_there_say_so():
    controller = in_lobby().controller
    controller.run(TextPage("rules", "chess"))
    assert text(controller) == ["There is no such game."]


def test_the_moves_name_their_players_and_are_followed_by_what_was_sealed():
    controller = story("secret-paths", "end").controllers[1]
    controller.submit("/moves")
    assert [line.split() for line in text(controller)] == [
        ["After", "each", "move:", "Goals", "that", "steps", "left", "open"],
        [],
        ["Ada", "Bo"],
        ["Ada", "goal", "5", "2"],
        ["Bo", "goal", "1", "4", "5", "5"],
        ["1", "Ada", "move", "to", "4,2", "5", "5"],
        ["1", "Bo", "move", "to", "3,3", "5", "5"],
        ["2", "Ada", "move", "to", "2,4", "5", "5"],
        ["2", "Bo", "move", "to", "1,4", "goal"],
        [],
        ["Fouls", "Ada", "--", "--", "--", "0", "of", "3"],
        ["Fouls", "Bo", "--", "--", "--", "0", "of", "3"],
        [],
        ["What", "was", "sealed"],
        ["goal", "of", "1:", "5,2"],
        ["goal", "of", "2:", "1,4"],
    ]


def test_before_the_end_the_page_of_moves_shows_the_seals_alone():
    controller = Scenario("grid-hunt").controllers[1]
    controller.run(TextPage("moves"))
    assert text(controller)[0].startswith("Each secret is sealed")


def test_a_choice_shows_what_each_action_does_and_every_line_of_it_can_be_clicked():
    controller = Scenario("treasure-hunt-duel").controllers[1]
    board_controller.act(controller)
    title, lines = overlays.draw_page(controller, ASCII, 50)
    assert title == "What at 3C?"
    assert [(plain(line), line[0].target) for line in lines] == [
        ("> q  Query 3C: steps to the treasure by row and", ("row", 0)),
        ("     column, for you alone", ("row", 0)),
        ("  g  Guess 3C: whether the treasure is there; if", ("row", 1)),
        ("     not, you lose your next turn", ("row", 1)),
    ]


def test_the_dialogue_marks_the_row_and_what_can_be_changed_in_it():
    controller = in_lobby().controller
    lobby_controller.open_new_room(controller)
    lobby_controller.edit_room(controller, rows=1)
    assert [line.rstrip() for line in text(controller) if line.strip()] == [
        "  Game       Treasure Hunt Duel",
        "> Against  < a friend >",
        "  Begins     chance decides",
        "  Clock      none",
        "  Listed     in the lobby",
        "  Assist     off",
        "  Hints      [ ] for both of you",
        "A friend joins your room. The computer",
        "plays at once, on three levels.",
    ]


@pytest.mark.parametrize("columns", [40, 60, 80])
def test_the_dialogue_explains_every_row(columns):
    controller = in_lobby().controller
    lobby_controller.open_new_room(controller, "secret-paths")
    assert isinstance(controller.page, NewRoom)
    about = set()
    for _ in controller.page.rows:
        lines = text(controller, overlays.measure_text(columns))
        about.add(" ".join(line.strip() for line in lines[len(controller.page.rows) :]).strip())
        lobby_controller.edit_room(controller, rows=1)
    assert len(about) == len(controller.page.rows)
    assert all(words.endswith(".") for words in about), "each is told to its end"


def test_the_dialogue_says_what_a_tick_and_other_rules_mean():
    controller = in_lobby().controller
    lobby_controller.open_new_room(controller, "secret-paths")
    lobby_controller.edit_room(controller, rows=-1, turns=1)
    lines = " ".join(" ".join(text(controller)).split())
    assert "> Rules < burning >" in lines
    assert "A cell can be entered only twice in a game" in lines
    lobby_controller.edit_room(controller, rows=-1, turns=1)
    lines = " ".join(" ".join(text(controller)).split())
    assert "> Hints < [x] for both of you >" in lines
    assert "/hint tells the best line and why." in lines


@pytest.mark.parametrize("columns", [40, 60, 80])
def test_the_dialogue_keeps_its_width_whatever_is_chosen(columns):
    controller = in_lobby().controller
    lobby_controller.open_new_room(controller)
    widths = set()
    for _ in range(8):
        for _ in range(8):
            lobby_controller.edit_room(controller, turns=1)
            widths.add(max(map(len, text(controller, overlays.measure_text(columns)))))
        lobby_controller.edit_room(controller, turns=1, rows=1)
    assert len(widths) == 1


def test_without_a_page_there_is_nothing():
    assert overlays.draw_page(in_lobby().controller, ASCII, 76) == ("", [])


# Over the screen ------------------------------------------------------------------------------------------------------


def test_a_frame_has_a_title_and_says_what_is_below():
    assert [
        plain(line) for line in overlays.draw_frame("Help", [say("one"), say("two")], LINES, 20, "3 more, PgDn")
    ] == [
        "┌─ Help ───────────────┐",
        "│ one                  │",
        "│ two                  │",
        "└─ 3 more, PgDn ───────┘",
    ]


def test_a_title_that_is_too_long_is_cut():
    lines = overlays.draw_frame("A title that goes on and on", [], ASCII, 10, "")
    assert [plain(line) for line in lines] == ["+- A title~ -+", "+------------+"]


def screen(controller: Controller, columns: int, rows: int) -> list[str]:
    under = [say("x" * columns) for _ in range(rows)]
    return [plain(line) for line in overlays.lay_page(under, controller, ASCII, columns)]


@pytest.mark.parametrize(("columns", "rows"), [(40, 14), (60, 18), (80, 22), (120, 38)])
@pytest.mark.parametrize("cell", range(25))
@pytest.mark.parametrize("question", ["choice", "confirm"])
def test_a_question_leaves_the_chosen_cell_and_the_rows_below_the_board_free(question, cell, columns, rows):
    controller = Scenario("treasure-hunt-duel").controllers[1]
    controller.cursor = cell
    under = draw_screen(controller, "", TILES, columns, rows, 0.0)
    if question == "choice":
        board_controller.act(controller)
    else:
        controller.submit("/resign")
    shown = draw_screen(controller, "", TILES, columns, rows, 0.0)
    for x, y in find_target(under, ("cell", cell)):
        assert plain(shown[y])[x] == plain(under[y])[x]
    foot = 2 if rows < 18 else 4
    assert [plain(line).rstrip() for line in shown[-foot:]] == [plain(line).rstrip() for line in under[-foot:]]


def test_a_small_choice_tells_all_of_the_chosen_action_and_marks_what_is_cut():
    scenario = Scenario("quantum-duel")
    scenario.types(1, "MOVE 1", "OBSERVE 5")
    scenario.types(2, "MOVE 2", "OBSERVE 7")
    controller = scenario.controllers[1]
    controller.model.masked = False
    controller.cursor = 0
    board_controller.act(controller)
    shown = "\n".join(plain(line) for line in draw_screen(controller, "", TILES, 40, 14, 0.0))
    words = " ".join(shown.replace("│", " ").split())
    assert "Move 1: one step, or none; the other learns only that you moved s Stay: keeps" in words
    assert f"jumps anywhere, once{TILES.more}" in words


@pytest.mark.parametrize(("columns", "rows"), [(40, 14), (60, 18), (80, 22), (120, 38)])
def test_a_question_covers_the_pane_or_whole_rows_and_leaves_no_letters_beside_it(columns, rows):
    controller = Scenario("treasure-hunt-duel").controllers[1]
    board_controller.act(controller)
    shown = [plain(line).rstrip() for line in draw_screen(controller, "", TILES, columns, rows, 0.0)]
    top = next(line for line in shown if "What at 3C?" in line)
    assert top.endswith("┐")
    pane = columns >= 60
    assert top.startswith("┌") is not pane


def test_a_page_to_read_stands_alone():
    controller = in_lobby().controller
    controller.submit("rules grid-hunt")
    assert "x" not in "".join(screen(controller, 80, 40)).replace("next", "")


def test_a_page_is_scrolled_no_further_than_its_end():
    controller = in_lobby().controller
    controller.submit("rules quantum")
    lines = len(text(controller, overlays.measure_text(60)))
    assert overlays.find_last_top(lines, 12) == lines - 10
    assert overlays.find_last_top(5, 12) == 0
    controller.page_top = 10_000
    assert screen(controller, 60, 12)[-2].strip("| ").endswith(text(controller, overlays.measure_text(60))[-1][-20:])
    assert "more" not in screen(controller, 60, 12)[-1]
    controller.page_top = 0
    assert f"{lines - 10} more, PgDn" in screen(controller, 60, 12)[-1]
