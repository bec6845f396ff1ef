"""The command `replay`, and commands that are not understood."""

import json

import pytest

from gridgames_server.admin import subcommands
from gridgames_server.games.game import Outcome
from gridgames_server.games.match import replay
from tests.server.admin.host_store import does
from tests.server.admin.test_verify_saved import duel, saved
from tests.server.hub_harness import MIDDLES
from tests.server.stored_games import BY_SLUG


def test_a_saved_game_is_played_again(tmp_path, capsys):
    path = tmp_path / "game.json"
    path.write_text(json.dumps(saved(duel())))
    assert does(capsys, "replay", path) == (0, "All answers in this game are right.")


def test_what_is_wrong_with_a_saved_game_is_said_line_by_line(tmp_path, capsys):
    match = replay(BY_SLUG["treasure-hunt-duel"], bytes(32), 1, MIDDLES["treasure-hunt-duel"])
    match.stop(Outcome(1, "resigned", "Over."))
    path = tmp_path / "game.json"
    path.write_text(json.dumps(saved(match, told=["Distance: 9", "Distance: 9"], reason="treasure")))
    code, said = does(capsys, "replay", path)
    assert code == 1
    assert [fault.partition(":")[0] for fault in said.splitlines()] == [
        "an answer was wrong",
        "by the rules the result is",
    ]


@pytest.mark.parametrize(
    ("content", "why"),
    [
        (b"{}", "it is not a game that was saved with /save"),
        (b"", "it is not JSON, or not all of it is there"),
        (b"\xff\xfe", None),
    ],
)
def test_a_file_that_is_no_saved_game_is_said_to_be_none(tmp_path, capsys, content, why):
    path = tmp_path / "game.json"
    path.write_bytes(content)
    assert does(capsys, "replay", path) == (1, why or f"can't read {path}: it is not text")


def test_a_file_that_can_not_be_read_is_said_to_be_so(tmp_path, capsys):
    path = tmp_path / "game.json"
    assert does(capsys, "replay", path) == (1, f"can't read {path}: No such file or directory")
    assert does(capsys, "replay", tmp_path) == (1, f"can't read {tmp_path}: Is a directory")
    assert does(capsys, "replay", "/dev/zero") == (1, "it is too large for a saved game")


@pytest.mark.parametrize("arguments", [["backup"], ["check"], ["replay"], ["check", "a", "b"], ["dig", "3,3"]])
def test_a_command_that_is_not_understood_is_told_how_to_be(arguments, capsys):
    with pytest.raises(SystemExit) as caught:
        subcommands.main(arguments, "nowhere.sqlite")
    assert caught.value.code == 2
    assert "usage: gridgames-server" in capsys.readouterr().err
