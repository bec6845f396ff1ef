"""The pane beside a board: nothing in it is cut, and nothing in it moves when the turn passes."""

from dataclasses import replace

import pytest

from gridgames_client.render.drawing.text_layout import TILES, plain, width
from gridgames_client.render.game_screen import plan_screen
from gridgames_client.render.table import end, legend, meters, moves, pane
from gridgames_client.render.tiles.geometry import PITCHES
from gridgames_client.state.controllers.controller import Controller
from tests.client.game_scripts import STORIES, story, type_lines
from tests.client.screen_pages import KINDS
from tests.client.screen_scenes import Scene, draw_scene
from tests.client.seated_controllers import Scenario

SIZES = [(60, 20), (80, 24), (100, 30), (120, 40)]
SCENES = {f"{kind}: {scene.name}": scene for kind in (*STORIES, "table", "assist") for scene in KINDS[kind]()}


def screen(controller: Controller, columns: int, rows: int) -> list[str]:
    return [plain(line) for line in draw_scene(Scene("", controller), columns, rows)]


def places(lines: list[str], *words: str) -> dict[str, list[int]]:
    """The rows in which words stand."""
    return {word: [number for number, line in enumerate(lines) if word in line] for word in words}


@pytest.mark.parametrize(("columns", "rows"), SIZES)
def test_no_line_of_a_pane_is_wider_than_the_pane(columns, rows):
    for name, scene in SCENES.items():
        controller = scene.controller
        if controller.model.show is None or controller.page:
            continue
        view = controller.model.show.view
        parts = plan_screen(view.board, view.find_board("under"), columns, rows - 2)
        wide, large = parts.pane - 2 * pane.MARGIN, parts.head == 3
        if controller.model.ending:
            lines = end.draw_end(controller, TILES, parts.pane, parts.tall, large)
        else:
            lines = pane.draw_pane(controller, scene.typed, TILES, parts.pane, parts.tall, large)
        assert [plain(line) for line in lines if width(line) > wide + pane.MARGIN] == [], name
        assert [plain(line) for line in lines if plain(line).rstrip()[wide:]] == [], name


@pytest.mark.parametrize(("columns", "rows"), SIZES)
@pytest.mark.parametrize("slug", [slug for slug in STORIES if slug != "pebbles"])
def test_nothing_in_the_pane_moves_when_the_turn_passes(slug, columns, rows):
    words = ("Asked", "Scans", "Fouls", "of 15", "not used", "YOUR FIELD", "Your own secrets")
    scenario = story(slug, "middle")
    seats = scenario.controllers[1], scenario.controllers[2]
    before = [places(screen(seat, columns, rows), *words) for seat in seats]
    for seat, controller in enumerate(seats, start=1):
        if controller.model.to_act:
            scenario.types(seat, controller.model.show.view.actions[0].lines()[-1])
            break
    assert [places(screen(seat, columns, rows), *words) for seat in seats] == before
    assert any(before[0].values())


@pytest.mark.parametrize(("columns", "rows"), SIZES[1:])
@pytest.mark.parametrize("slug", [slug for slug in STORIES if slug != "pebbles"])
def test_nothing_in_the_pane_moves_when_another_action_or_cell_is_chosen(slug, columns, rows):
    words = ("Asked", "Scans", "Fouls", "of 15", "not used", "MOVES", "YOUR FIELD", "Your own secrets")
    for moment in ("start", "middle"):
        controllers = story(slug, moment).controllers
        for controller in (controllers[1], controllers[2]):
            seen = []
            for cursor in range(len(controller.model.show.view.board.names)):
                controller.cursor = cursor
                for typed in ("", *(action.verb for action in controller.model.actions)):
                    lines = draw_scene(Scene("", controller, typed), columns, rows)
                    seen.append(places([plain(line) for line in lines], *words))
            assert all(found == seen[0] for found in seen)


def test_the_pane_highlights_what_enter_would_choose():
    scenario = story("quantum-duel", "middle")
    scenario.types(1, "OBSERVE 7")
    controller = scenario.controllers[2]
    controller.model.masked = False
    chosen = {}
    for controller.cursor in (5, 0):
        parts = [part for line in draw_scene(Scene("", controller), 80, 24) for part in line]
        chosen[controller.cursor] = [part.text.strip() for part in parts if part.style == "class:chosen"]
    assert chosen == {5: ["m"], 0: ["s"]}, "STAY costs nothing; a tunnel is never chosen by itself"


def test_every_meter_is_in_sight_at_60_columns():
    for slug, words in (("grid-hunt", ("Scans Ada", "Scans Bo")), ("secret-paths", ("Fouls Ada", "Fouls Bo"))):
        moment = "start" if slug == "grid-hunt" else "middle"
        text = "\n".join(screen(story(slug, moment).controllers[2], 60, 20))
        assert all(word in text for word in words)


def test_a_long_meter_leaves_its_bar_out_before_its_number():
    model = story("treasure-hunt-duel", "middle").controllers[1].model
    assert model.show
    long = ("Treasure in", None, 25, 25, "25 of 25")
    model.show = replace(model.show, view=replace(model.show.view, meters=(long,)))
    assert [plain(line) for line in meters.draw_meters(model, TILES, 22)] == ["Treasure in 25 of 25"]


def test_a_meter_names_its_owner_or_the_seat_if_the_name_is_too_long():
    for name, label in (("Bo", "Fouls Bo"), ("Bot (medium)", "Fouls Bot (medium)"), ("W" * 16, "Fouls P2")):
        scenario = type_lines(Scenario("secret-paths", names=("Ada", name)), "1 GOAL 5 2|2 GOAL 1 4")
        drawn = [plain(line) for line in meters.draw_meters(scenario.controllers[1].model, TILES, 42)]
        assert drawn[1].startswith(label)
        narrow = [plain(line) for line in meters.draw_meters(scenario.controllers[1].model, TILES, 22)]
        assert all(len(line) <= 22 for line in narrow)


def test_two_meters_below_each_other_do_not_touch():
    model = story("secret-paths", "middle").controllers[1].model
    for wide in (22, 42):
        drawn = ["".join(part.text for part in line) for line in meters.draw_meters(model, TILES, wide)]
        assert all("▄" in line and "█" not in line for line in drawn)


def test_only_a_full_meter_fills_its_bar_and_only_an_empty_one_has_none():
    for value, full in ((0, 0), (1, 1), (99, 9), (100, 10)):
        first, _ = meters.draw_bar(("Score", 1, value, 100, ""), TILES, 10)
        assert len(first.text) == full


# Moves ----------------------------------------------------------------------------------------------------------------


def played(*moves_made: str, turn: tuple[int, ...] = (), rows: int = 9) -> list[str]:
    """The table of moves. Each move is a seat and a text."""
    model = story("treasure-hunt-duel", "middle").controllers[1].model
    assert model.show
    entries = tuple((int(move[0]), move[2:], "", "none") for move in moves_made)
    model.show = replace(model.show, turn=turn, view=replace(model.show.view, moves=entries))
    return [" ".join(plain(line).split()) for line in moves.draw_moves(model, TILES, 40, rows)[1:]]


def test_a_long_name_above_the_moves_loses_its_brackets_before_it_is_cut():
    model = Scenario("treasure-hunt-duel", names=("Ada", "Bot (medium)")).controllers[1].model
    heads = {wide: plain(moves.draw_moves(model, TILES, wide, 5)[0]).split("2 ")[1].rstrip() for wide in (40, 32, 26)}
    assert heads == {40: "Bot (medium)", 32: "Bot medium", 26: "medium"}


def test_moves_stand_in_rounds_and_who_began_stands_first():
    assert played("1 A", "2 B", "1 C", turn=(2,)) == ["1 A B", "2 C ▸"]
    assert played("1 A", "2 B", turn=(1,)) == ["1 A B", "2 ▸"]
    assert played(turn=(2,)) == ["1 ▸"]
    assert played("2 A", "1 B", "2 C", turn=(1,)) == ["1 A B", "2 C ▸"]


def test_a_skipped_turn_is_a_dash():
    assert played("1 A", "2 B", "2 C", "1 D", turn=(2,)) == ["1 A B", "2 - C", "3 D ▸"]
    assert played("1 A", "1 B", turn=(2,)) == ["1 A -", "2 B ▸"]
    assert played("1 A", "2 B", turn=(2,)) == ["1 A B", "2 - ▸"]


def test_a_short_table_shows_the_last_moves_and_no_empty_row():
    assert played("1 A", "2 B", turn=(1,), rows=2) == ["1 A B"]


def test_rounds_have_no_numbers_where_a_view_may_have_left_out_the_first_ones():
    assert played(*["1 A", "2 B"] * 12, rows=3) == ["A B", "A B"]


# The legend -----------------------------------------------------------------------------------------------------------


def legend_of(controller: Controller, columns: int, rows: int) -> str:
    return " ".join(" ".join(line.split()) for line in screen(controller, columns, rows)[-6:-2])


def test_a_legend_that_is_too_long_for_a_row_has_two():
    for columns, rows in ((60, 20), (80, 24)):
        for slug in ("treasure-hunt-duel", "grid-hunt", "quantum-duel"):
            text = legend_of(story(slug, "middle", assist=True).controllers[1], columns, rows)
            assert "may be here" in text
            assert "cannot be" in text


def test_the_sample_of_a_possible_cell_has_the_colour_of_the_cells():
    for moment, ground in (("start", "ground.maybe"), ("middle", "ground.possible")):
        controller = story("treasure-hunt-duel", moment, assist=True).controllers[1]
        controller.toggle_mask()
        lines = draw_scene(Scene("", controller), 80, 24)[-6:-2]
        fragments = [fragment for line in lines for fragment in line]
        at = next(place for place, fragment in enumerate(fragments) if "may be here" in fragment.text)
        assert ground in fragments[at - 2].style


def test_the_legend_explains_the_last_move_and_the_cells_that_can_be_chosen():
    assert "last move" in legend_of(story("treasure-hunt-duel", "middle").controllers[1], 80, 24)
    assert "last move" not in legend_of(story("treasure-hunt-duel", "start").controllers[1], 80, 24)
    scenario = type_lines(Scenario("quantum-duel"), "1 MOVE 4|1 OBSERVE 2|2 MOVE 6|2 OBSERVE 3")
    assert "can be chosen" not in legend_of(scenario.controllers[1], 80, 24), "the token's neighbours are covered"
    scenario.controllers[1].toggle_mask()
    assert "can be chosen" in legend_of(scenario.controllers[1], 80, 24)


def test_on_small_tiles_a_sample_is_the_letter_of_the_board():
    controller = story("grid-hunt", "middle").controllers[2]
    view = controller.model.show.view if controller.model.show else None
    assert view
    overlay = pane_overlay(controller)
    for pitch, sign in ((PITCHES[-1], " x"), (PITCHES[0], " ╳")):
        assert plain(legend.draw_sample("miss", 2, view.board, overlay, TILES, pitch)).rstrip() == sign


def pane_overlay(controller: Controller) -> legend.Overlay:
    return legend.Overlay(masked=controller.model.masked, you=2)
