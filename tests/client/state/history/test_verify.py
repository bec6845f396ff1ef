"""A saved game, checked without a server: every secret in it is held against its seal."""

import json
import os
import subprocess

import pytest

from gridgames_client.__main__ import main
from gridgames_client.state.history.saved_game import write_saved_game
from gridgames_client.state.history.verify import verify_saved_game
from gridgames_protocol.saved_game import RECORD_MAX
from tests.client.game_scripts import STORIES, story
from tests.client.pseudo_terminal import PROGRAMS
from tests.client.seated_controllers import Scenario
from tests.wire import environment


def saved(slug="grid-hunt", **changes):
    """A game as /save writes it, with some of it changed."""
    return json.dumps(json.loads(write_saved_game(story(slug, "end").controllers[1].model)) | changes)


RECORD = json.loads(saved())
ONE, TWO = RECORD["reveal"]
SEAL_ONE, SEAL_TWO = (seal[:12] for seal in RECORD["commits"].values())
HEADING = "grid-hunt, Ada and Bo: Player 1 wins: Player 2's treasure was at (5,5)."
FITS_ONE = f"treasure of 1: sealed as {SEAL_ONE}, opened as 2,3: fits."
FITS_TWO = f"treasure of 2: sealed as {SEAL_TWO}, opened as 5,5: fits."


def test_a_game_in_which_nothing_was_changed_fits_secret_by_secret():
    assert verify_saved_game(saved()) == ([HEADING, FITS_ONE, FITS_TWO, "Both sealed secrets fit."], True)


@pytest.mark.parametrize("slug", STORIES)
def test_a_saved_game_of_every_kind_fits(slug):
    assert verify_saved_game(saved(slug))[1]


def test_a_secret_that_was_changed_is_named():
    assert verify_saved_game(saved(reveal=[ONE, TWO | {"value": "1,1"}])) == (
        [
            HEADING,
            FITS_ONE,
            f"treasure of 2: sealed as {SEAL_TWO}, opened as 1,1: does NOT fit.",
            "NOT what was sealed: 1 of 2 secrets.",
        ],
        False,
    )


def test_a_secret_that_was_never_opened_is_named():
    lines, fits = verify_saved_game(saved(reveal=[ONE]))
    assert not fits
    assert f"treasure of 2: sealed as {SEAL_TWO}, and never opened." in lines


def test_a_secret_without_a_seal_does_not_pass():
    lines, fits = verify_saved_game(saved(commits={"treasure of 1": RECORD["commits"]["treasure of 1"]}))
    assert not fits
    assert lines[1:] == [
        FITS_ONE,
        "treasure of 2: opened as 5,5, without a seal.",
        "treasure of 2 was opened, but you were never shown its seal.",
        "This game does not fit together. Do not trust its server.",
    ]


def test_a_game_that_ended_before_anything_was_sealed_holds_nothing_to_check():
    scenario = Scenario("grid-hunt")
    scenario.stops(2, "resigned", "Player 1 has resigned. Player 2 wins.")
    lines, fits = verify_saved_game(write_saved_game(scenario.controllers[1].model))
    assert (lines[-1], fits) == ("No secret was sealed in this game.", True)


# The program ----------------------------------------------------------------------------------------------------------


def outcome(capfd, *arguments):
    """The exit code, and what was said where."""
    with pytest.raises(SystemExit) as ended:
        main(["verify", *map(str, arguments)])
    return ended.value.code, *capfd.readouterr()


def test_every_secret_fits_with_exit_code_0_and_one_that_does_not_with_1(tmp_path, capfd):
    good, bad = tmp_path / "good.json", tmp_path / "bad.json"
    good.write_text(saved())
    bad.write_text(saved(reveal=[ONE, TWO | {"value": "1,1"}]))
    assert outcome(capfd, good) == (0, f"{HEADING}\n{FITS_ONE}\n{FITS_TWO}\nBoth sealed secrets fit.\n", "")
    code, said, wrong = outcome(capfd, bad)
    assert (code, wrong) == (1, "")
    assert said.endswith("NOT what was sealed: 1 of 2 secrets.\n")


def unreadable(folder):
    """Files that can't be checked, and why."""
    (folder / "cut.json").write_text(saved()[:200])
    (folder / "binary").write_bytes(b"\xff\xfe\x00")
    (folder / "large").write_bytes(b" " * (RECORD_MAX + 1))
    return {
        "cut.json": "it is not JSON, or not all of it is there",
        "binary": "it is not text",
        "large": "it is too large for a saved game",
        "missing": "no such file or directory",
        "": "is a directory",
    }


def test_a_file_that_can_not_be_checked_is_one_sentence_and_exit_code_2(tmp_path, capfd):
    for name, why in unreadable(tmp_path).items():
        path = tmp_path / name
        assert outcome(capfd, path) == (2, "", f"gridgames-client: {path} can't be checked: {why}\n")


@pytest.mark.parametrize("arguments", [[], ["one", "two"], ["--quick", "one"]])
def test_wrong_usage_has_exit_code_2(capfd, arguments):
    code, said, wrong = outcome(capfd, *arguments)
    assert (code, said) == (2, "")
    assert wrong.endswith("; see gridgames-client verify --help\n")


def test_a_seal_that_is_missing_has_exit_code_1(tmp_path, capfd):
    file = tmp_path / "game.json"
    file.write_text(saved(commits={}))
    code, said, wrong = outcome(capfd, file)
    assert (code, wrong) == (1, "")
    assert "treasure of 1 was opened, but you were never shown its seal.\n" in said


def test_the_help_tells_the_exit_codes(capfd):
    code, said, _ = outcome(capfd, "--help")
    assert code == 0
    told = " ".join(said.split())
    assert "Exit code: 0 every secret fits, 1 one does not or its seal is missing, 2 the file can't be checked." in told


def test_nothing_in_a_file_can_do_anything_to_a_terminal(tmp_path, capfd):
    file = tmp_path / "game.json"
    file.write_text(saved(players=["\x1b[2J", "\u202e"], text="\x9b31m\nBoth sealed secrets fit."))
    _, said, _ = outcome(capfd, file)
    assert said.splitlines() == [
        "grid-hunt, [2J and : 31mBoth sealed secrets fit.",
        FITS_ONE,
        FITS_TWO,
        "Both sealed secrets fit.",
    ]


def test_one_who_stops_reading_gets_the_exit_code_and_no_complaint(tmp_path):
    file = tmp_path / "game.json"
    file.write_text(saved())
    read, write = os.pipe()
    os.close(read)
    with open(write, "wb") as closed:
        ended = subprocess.run(
            [PROGRAMS / "gridgames-client", "verify", file], stdout=closed, stderr=subprocess.PIPE, timeout=20
        )
    assert (ended.returncode, ended.stderr) == (0, b"")


def test_a_name_that_the_output_can_not_show_is_printed_with_question_marks(tmp_path):
    file = tmp_path / "game.json"
    file.write_text(saved(players=["Łucja", "Bo"]))
    ended = subprocess.run(
        [PROGRAMS / "gridgames-client", "verify", file], capture_output=True, env=environment(PYTHONIOENCODING="cp1252")
    )
    assert (ended.returncode, ended.stderr) == (0, b"")
    assert ended.stdout.decode("cp1252").startswith("grid-hunt, ?ucja and Bo: ")
