"""A room with assist: how it is wished for, where one reads of it, and how a cell looks that is ruled out."""

from dataclasses import replace

import pytest

from gridgames_client.render import board
from gridgames_client.render.board import Overlay
from gridgames_client.render.drawing.text_layout import ASCII, LINES, plain
from gridgames_client.state import commands
from gridgames_client.state.actions import find_action
from gridgames_client.state.commands import NO_ID, Ask, Invalid
from gridgames_protocol.messages import Create
from gridgames_protocol.views import Board, Frame
from tests.client.game_scripts import story
from tests.client.plain_players import plain_player
from tests.client.seated_controllers import in_lobby
from tests.wire import run, serving

TABLE = Board(Frame(("1",), tuple("ABC"), ("1A", "1B", "1C")), ("", "P2", "4"), ("ruled_out", "ruled_out", "hint"))


@pytest.mark.parametrize(
    ("line", "assist"),
    [("create grid-hunt assist", True), ("create grid-hunt assist=on", True), ("create grid-hunt assist=off", False)],
)
def test_assist_is_an_option_of_a_typed_line(line, assist):
    assert find_action.read_line(in_lobby().controller.model, line) == Ask(Create(NO_ID, "grid-hunt", assist=assist))


def test_an_assist_that_is_neither_on_nor_off_is_refused():
    assert find_action.read_line(in_lobby().controller.model, "create grid-hunt assist=perhaps") == Invalid(
        commands.OPTIONS
    )


def drawn(table, pencil, glyphs):
    return plain(board.draw(table, pencil, glyphs, compact=True)[1])


def test_a_cell_that_is_ruled_out_is_shaded_around_what_it_shows():
    assert drawn(TABLE, Overlay(), LINES) == "1 │░░░░░│░░P2░│  4  │"
    assert drawn(TABLE, Overlay(), ASCII) == "1 |.....|..P2.|  4  |"


def test_the_cursor_and_the_pencil_are_seen_on_a_shade():
    assert drawn(TABLE, Overlay(cursor=0, marks={"1B": "?"}), LINES) == "1 │▐░░░▌│░░P2?│  4  │"


def test_in_words_the_cells_without_a_text_are_listed():
    assert board.describe_board(TABLE, masked=True) == ["1B: P2, ruled out.", "1C: 4, hint.", "Ruled out: 1A."]


def test_what_one_can_rule_out_is_no_news():
    before = replace(TABLE, texts=("", "P2", ""), kinds=("hidden", "theirs", "hidden"))
    assert board.find_changes(before, TABLE, masked=True) == {2}


def test_a_shade_that_would_tell_the_own_token_is_seen_only_with_secrets_shown():
    controller = story("quantum-duel", "middle", assist=True).controllers[1]
    looks = [board.show_cell(controller.model.board, index, masked)[1] for masked in (True, False) for index in (3,)]
    assert looks == ["hidden", "ruled_out"]


def test_plain_lines_say_it_in_the_lobby_and_while_one_waits():
    async def scenario():
        async with serving() as server, plain_player(server, "Ada") as ada:
            ada.types("create grid-hunt assist")
            await ada.reads("Assist is on: each player's board shades what that player can rule out.")
            async with plain_player(server, "Bob") as bob:
                assert (await bob.reads_like("Room ")).endswith(": Grid Hunt, Ada, open, assist.")

    run(scenario())


def test_a_game_without_it_says_so_in_the_servers_words():
    async def scenario():
        async with serving() as server, plain_player(server, "Ada") as ada:
            ada.types("create grid-conquest assist")
            await ada.reads("Grid Conquest has nothing to rule out. Create a room without assist.")

    run(scenario())
