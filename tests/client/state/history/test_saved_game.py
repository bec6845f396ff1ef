"""A finished game as a text record, with all that is needed to check it."""

import json

import pytest

from gridgames_client.state.history.saved_game import write_saved_game
from gridgames_protocol.commitments import Verdict, check
from gridgames_protocol.saved_game import FORMAT, opened, read
from tests.client.game_scripts import STORIES, story
from tests.client.seated_controllers import Scenario


def test_a_record_tells_who_played_what_and_how_it_ended():
    record = json.loads(write_saved_game(story("grid-hunt", "end").controllers[1].model))
    assert (record["format"], record["game"], record["players"]) == (FORMAT, "grid-hunt", ["Ada", "Bo"])
    assert (record["winner"], record["reason"]) == (1, "treasure")
    assert record["moves"][0] == [1, "HIDE 2 3"]
    assert record["text"].startswith("Player 1 wins")


@pytest.mark.parametrize("slug", STORIES)
def test_a_record_can_be_checked_without_a_server(slug):
    record = read(write_saved_game(story(slug, "end").controllers[2].model))
    reveals = opened(record)
    assert check(record["commits"], reveals) == Verdict(len(reveals), ())


def test_a_record_is_plain_ascii_whatever_is_in_it():
    scenario = Scenario("grid-hunt", names=("漢字\u202e\x9b", "Bo"))
    scenario.stops(2, "resigned", "Player 1\x7f has resigned\x9b2J. \u202ePlayer 2 wins.")
    text = write_saved_game(scenario.controllers[1].model)
    assert text.isascii()
    assert text.replace("\n", "").isprintable()
    assert json.loads(text)["players"] == ["漢字", "Bo"]


def test_the_name_of_one_who_has_left_is_kept():
    scenario = story("grid-hunt", "end")
    scenario.tell_room(seats=(scenario.room.seats[0], None))
    assert json.loads(write_saved_game(scenario.controllers[1].model))["players"] == ["Ada", "Bo"]
