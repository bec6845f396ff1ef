"""Tiles: their sizes, what each of them shows, and what stands in the gaps."""

from itertools import product

import pytest

from gridgames_client.render.board import Overlay
from gridgames_client.render.drawing.text_layout import ASCII, LINES, TILES, plain
from gridgames_client.render.game_screen import GLOW, draw_table, is_glowing, plan_screen
from gridgames_client.render.table.moves import group_rounds
from gridgames_client.render.tiles import shapes
from gridgames_client.render.tiles.cells import number_steps, resolve
from gridgames_client.render.tiles.geometry import PITCHES, Pitch, measure
from gridgames_client.render.tiles.lines import draw_lines
from gridgames_client.render.tiles.paint import paint
from gridgames_protocol.views import Board, Frame
from tests.client.game_scripts import full_swing, story
from tests.client.screen_scenes import Scene, draw_scene
from tests.client.seated_controllers import Scenario


def field(rows: int = 5, cols: int = 5, **layers: object) -> Board:
    """An empty board."""
    names = tuple(f"{row},{col}" for row, col in product(range(1, rows + 1), range(1, cols + 1)))
    labels = tuple(str(number) for number in range(1, max(rows, cols) + 1))
    frame = Frame(labels[:rows], labels[:cols], names)
    looks: dict[str, object] = {"texts": ("",) * len(names), "kinds": ("hidden",) * len(names)}
    return Board(frame, **(looks | layers))


def grounds(board: Board, overlay: Overlay, pitch: Pitch) -> list[list[str]]:
    """The ground of every place of a painted board."""
    return [[cell.ground for cell in row] for row in paint(board, overlay, TILES, measure(board, pitch)).rows]


# Sizes ----------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("columns", "rows", "pitch", "head", "least"),
    [
        (40, 16, (6, 2), 1, 0),
        (60, 20, (6, 2), 2, 26),
        (80, 24, (8, 3), 2, 35),
        (100, 30, (10, 4), 3, 35),
        (120, 40, (14, 6), 3, 35),
        (200, 60, (20, 10), 3, 60),
    ],
)
def test_a_board_of_five_by_five_is_as_large_as_the_terminal_allows(columns, rows, pitch, head, least):
    parts = plan_screen(field(), None, columns, rows - 2)
    assert parts.geometry
    assert parts.geometry.pitch == pitch
    assert (parts.head, parts.pane >= least) == (head, True)


def test_tiles_have_a_middle_and_gaps_of_half_a_row():
    assert all(pitch.tile % 2 for pitch in PITCHES)
    assert [pitch.halves for pitch in PITCHES] == [2 * pitch.high - 1 for pitch in PITCHES[:-1]] + [2]


def test_all_figures_are_rectangles_and_the_largest_come_first():
    for figures in shapes.FIGURES.values():
        assert all(len({len(row) for row in figure}) == 1 for figure in figures)
        assert [len(figure) for figure in figures] == sorted((len(figure) for figure in figures), reverse=True)


# What a tile shows ----------------------------------------------------------------------------------------------------


def test_colour_goes_by_seat_and_not_by_mine_and_theirs():
    board = field(1, 3, kinds=("mine", "theirs", "hint"), texts=("3", "4", "2"), corners=("", "", "P1"))
    assert [tile.ground for tile in resolve(board, Overlay(you=2))] == ["seat2", "seat1", "seat1"]


def test_a_miss_wears_the_colour_of_the_seat_that_made_it():
    board = field(1, 3, kinds=("miss",) * 3, texts=("x", "4x", "P1x"), corners=("P1", "P2", "P2"))
    for reader in (1, 2):
        assert [tile.ink for tile in resolve(board, Overlay(you=reader))] == ["seat1_ink", "seat2_ink", "seat2_ink"]


def test_gold_is_bright_when_few_cells_are_left():
    few, many = (field(possible=field().names[:count]) for count in (6, 7))
    assert {tile.ground for tile in resolve(few, Overlay())} == {"possible", "hidden"}
    assert {tile.ground for tile in resolve(many, Overlay())} == {"maybe", "hidden"}


def test_a_marked_cell_that_is_possible_has_a_golden_edge():
    board = field(1, 3, kinds=("theirs", "hidden", "hidden"), texts=("P2", "", ""), possible=("1,1",))
    assert [tile.edge for tile in resolve(board, Overlay())] == [True, False, False]


def test_legal_cells_are_marked_only_where_that_says_something():
    legal = frozenset(field().names)
    assert not any(tile.legal for tile in resolve(field(), Overlay(legal=legal)))
    marked = resolve(field(), Overlay(legal=legal - {"1,1"}))
    assert [tile.legal for tile in marked[:2]] == [False, True]


def test_the_steps_of_a_path_have_the_numbers_of_their_rounds():
    steps = tuple((1 + step % 2, f"1,{step + 1}", f"1,{step + 2}") for step in range(12))
    board = field(1, 13, trail=steps, corners=("",) * 12 + ("39",))
    assert [(tile.ground, tile.text) for tile in resolve(board, Overlay())[1:3]] == [("seat1", "14"), ("seat2", "15")]
    strange = field(1, 2, trail=((1, "1,1", "1,2"),), corners=("", "²"))
    assert number_steps(1, None) == [""]
    entries_left = field(1, 13, trail=steps, corners=("",) * 12 + ("1",))
    assert [tile.text for tile in resolve(entries_left, Overlay())[1:3]] == ["", ""]
    begun = field(1, 13, trail=steps[:3], corners=("", "", "", "1", *("",) * 9))
    assert [tile.text for tile in resolve(begun, Overlay())[1:4]] == ["1", "1", "2"]
    assert resolve(strange, Overlay())
    assert number_steps(4, 0) == ["1", "1", "2", "2"]
    assert number_steps(3, 1) == ["1", "2", "2"]
    assert number_steps(2, None) == ["", ""]


def test_the_numbers_on_the_tiles_are_those_of_the_table_of_moves():
    view = full_swing("secret-paths").model.show.view
    tiles = dict(zip(view.board.names, resolve(view.board, Overlay(masked=False)), strict=True))
    played = group_rounds(view.moves)
    for number, moves in enumerate(played[:-1], start=1):
        for _, cell, _, _ in moves.values():
            assert tiles[cell].text == str(number)
    assert tiles["2,5"].corner == str(len(played)), "under the Seeker"


def test_covered_layers_are_not_drawn():
    layers = {"possible": ("1,1",), "trail": ((1, "1,1", "1,2"),), "zones": ((1, ("1,3",)),), "heat": (0, 0, 3, 0)}
    bare = resolve(field(1, 4), Overlay())
    covered = field(1, 4, private=("possible", "trail", "zones", "heat"), **layers)
    assert resolve(covered, Overlay(masked=True)) == bare
    assert resolve(covered, Overlay(masked=False)) != bare


def test_an_own_secret_in_the_others_zone_has_the_zones_ground():
    looks = {"kinds": ("goal", "hidden", "goal"), "texts": ("T", "", "T"), "masks": (("1,1", "", "hidden"),)}
    board = field(1, 3, zones=((2, ("1,1", "1,2", "1,3")),), private=("zones",), **looks)
    shown = resolve(board, Overlay(masked=False))
    assert [(tile.ground, tile.figure) for tile in shown] == [("seat2_dim", "gem"), ("seat2_dim", ""), ("goal", "gem")]
    assert shown[0].figure_ink == "gem"
    assert resolve(board, Overlay(masked=False, you=2))[0].ground == "goal", "the own zone is no danger"
    covered = resolve(board, Overlay(masked=True))
    assert covered[0] == covered[1]
    lines = draw_lines(board, Overlay(masked=False), ASCII, measure(board, Pitch(8, 3))).lines()
    assert plain(lines[2]).split() == ["1|", "T", "!", "|", "!", "|", "T", "|"]


def test_a_figure_leaves_its_cells_number_in_the_corner():
    board = field(1, 2, kinds=("goal", "goal"), texts=("0T", "G1"), corners=("P1", ""))
    for pitch in (Pitch(14, 6), Pitch(20, 10)):
        top = plain(paint(board, Overlay(), TILES, measure(board, pitch)).lines()[1])
        assert top.split() == ["P1", "0"]
    small = [plain(line) for line in paint(board, Overlay(), TILES, measure(board, Pitch(8, 3))).lines()]
    assert (small[1].split()[:1], small[2].split()[:2]) == (["P1"], ["1", "0T"]), "no space for both"


# What stands in the gaps ----------------------------------------------------------------------------------------------


def test_the_cursor_is_a_frame_in_the_gaps():
    rows = grounds(field(), Overlay(cursor=12), Pitch(8, 3))
    x, y = measure(field(), Pitch(8, 3)).place(12)
    assert [rows[y + line][x - 1] for line in range(3)] == ["cursor"] * 3
    assert [rows[y + line][x + 7] for line in range(3)] == ["cursor"] * 3
    assert rows[y + 2][x : x + 7] == ["cursor"] * 7
    assert rows[y - 1][x : x + 7] == ["cursor"] * 7


def test_the_last_move_is_the_lower_side_of_its_tile_in_the_movers_colour():
    rows = grounds(field(), Overlay(last=((2, 6),)), Pitch(8, 3))
    x, y = measure(field(), Pitch(8, 3)).place(6)
    assert rows[y + 2][x : x + 7] == ["seat2_ink"] * 7
    assert [rows[y + line][x + 7] for line in range(-1, 4)].count("seat2_ink") == 1, (
        "its corners, none of its neighbours'"
    )
    assert rows[y + 2][x + 7] == "seat2_ink"


def test_without_colour_lines_say_the_same():
    board = field(2, 2, kinds=("hidden", "ruled_out", "hidden", "hidden"), possible=("2,1",))
    lines = draw_lines(board, Overlay(cursor=2, last=((1, 1),)), ASCII, measure(board, Pitch(8, 3))).lines()
    assert [plain(line) for line in lines] == [
        "  +-- 1 --+-- 2 --+",
        "  |       |.......|",
        " 1|       |.......|",
        "  #########=======+",
        "  #    2,1#       |",
        " 2#   ?   #       |",
        "  #########-------+",
    ]


# The last move lights up ----------------------------------------------------------------------------------------------


def test_the_last_move_lights_up_for_a_moment():
    scenario = Scenario("grid-conquest")
    watcher = scenario.controllers[2]
    watcher.animated = True
    scenario.types(1, "C3")
    assert is_glowing(watcher, scenario.time.now)
    assert "ground.glow" in styles(watcher, scenario.time.now)
    assert "ground.glow" not in styles(watcher, scenario.time.now, typed="cla"), "not while somebody types"
    assert "ground.glow" not in styles(watcher, scenario.time.now + GLOW + 0.01)
    watcher.animated = False
    assert "ground.glow" not in styles(watcher, scenario.time.now)


def styles(controller, now: float, typed: str = "") -> str:
    lines = draw_table(controller, typed, TILES, 80, 22, now)
    return " ".join(fragment.style for line in lines for fragment in line)


@pytest.mark.parametrize("slug", ["treasure-hunt-duel", "grid-hunt", "grid-conquest", "quantum-duel", "secret-paths"])
def test_a_table_uses_most_of_a_large_terminal(slug):
    lines = draw_table(full_swing(slug), "", TILES, 120, 38, 0.0)
    painted = [text for line in lines for style, text, _ in line if "ground." in style and "ground.page" not in style]
    written = [text.replace(" ", "") for line in lines for style, text, _ in line if "ground.page" in style]
    assert sum(map(len, painted + written)) > 0.65 * 120 * 38


def test_ruled_out_cells_have_a_sign_of_their_own():
    board = field(1, 1, kinds=("ruled_out",))
    for glyphs, sign in ((TILES, "∙"), (LINES, "░"), (ASCII, ".")):
        draw = paint if glyphs.filled else draw_lines
        lines = draw(board, Overlay(), glyphs, measure(board, Pitch(8, 3))).lines()
        assert any(sign in plain(line) for line in lines)


# Labels ---------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("pitch", [Pitch(6, 2), Pitch(8, 3), Pitch(14, 6)])
def test_the_cursors_frame_leaves_the_labels_readable(pitch):
    board = field()
    geometry = measure(board, pitch)
    rows = [plain(line) for line in paint(board, Overlay(cursor=0), TILES, geometry).lines()]
    assert "▄ 1 ▄" in rows[0]
    _, y = geometry.middle(0)
    assert rows[y].startswith(" 1▐")
    written = [plain(line) for line in draw_lines(board, Overlay(cursor=0), ASCII, geometry).lines()]
    assert "# 1 #" in written[0]


# The board under the first one ----------------------------------------------------------------------------------------


def test_at_the_end_each_path_has_its_seats_colour():
    lines = draw_scene(Scene("", story("quantum-duel", "end").controllers[1]), 80, 24)
    inks = {
        part
        for line in lines
        for fragment in line
        if set(fragment.text) & set("┃┏┓┗┛━")
        for part in fragment.style.split()
        if part.startswith("class:ink.")
    }
    assert {"class:ink.seat1_ink", "class:ink.seat2_ink"} <= inks


def test_the_columns_of_the_looks_reach_down_to_the_legend_from_the_first_look():
    controller = story("quantum-duel", "middle").controllers[1]
    for columns, rows in ((80, 24), (120, 40)):
        lines = draw_scene(Scene("", controller), columns, rows)
        legend = next(row for row, line in enumerate(lines) if "you looked" in plain(line))
        painted = [row for row, line in enumerate(lines) if any("track" in style for style, _, _ in line[:3])]
        assert painted
        assert legend - painted[-1] <= 4


def test_on_small_tiles_a_look_is_a_whole_word_and_its_row_says_whose_it_is():
    lines = [plain(line) for line in draw_scene(Scene("", story("quantum-duel", "middle").controllers[1]), 60, 20)]
    looks = [line[:32].split() for line in lines if line.startswith((" P1", " P2"))]
    assert looks == [["P2", "no"], ["P1", "no"]]
