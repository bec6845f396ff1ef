"""A saved game: what is one can be read, and what is none is told why."""

import json

import pytest

from gridgames_protocol.messages import LINE_MAX, Reveal
from gridgames_protocol.saved_game import FORMAT, SHAPES, BadRecord, opened, read

ONE = {"what": "treasure of 1", "value": "2,3", "nonce": "0" * 32}
TWO = {"what": "treasure of 2", "value": "5,5", "nonce": "1" * 32}
RECORD = {
    "format": FORMAT,
    "game": "grid-hunt",
    "you": 1,
    "players": ["Ada", None],
    "winner": 1,
    "reason": "treasure",
    "text": "Player 1 wins.",
    "moves": [[1, "HIDE 2 3"], [2, "HIDE 5 5"]],
    "told": ["Distance: 5"],
    "commits": {"treasure of 1": "ab" * 32},
    "reveal": [ONE, TWO],
}


def saved(**changes):
    """A game as it is saved, with some of it changed."""
    return json.dumps(RECORD | changes)


def refused(text):
    """Why a file is no saved game."""
    with pytest.raises(BadRecord) as caught:
        opened(read(text))
    return str(caught.value)


def test_a_saved_game_is_read_with_its_secrets():
    assert read(saved()) == RECORD
    assert opened(RECORD) == [Reveal(**ONE), Reveal(**TWO)]


@pytest.mark.parametrize("you", [1, 2, None])
def test_a_player_or_somebody_who_looked_on_has_saved_it(you):
    assert read(saved(you=you))["you"] == you


def test_what_a_later_version_adds_is_let_be():
    assert read(saved(weather="rain"))["weather"] == "rain"


@pytest.mark.parametrize(
    "text",
    ["", "{", FORMAT, saved()[:200], "[" * 100_000, '"\\ud800"', '{"format": "\\ud800"}', "\ufeff{}"],
    ids=lambda text: text[:20],
)
def test_what_is_no_json_is_no_record(text):
    assert refused(text) == "it is not JSON, or not all of it is there"


@pytest.mark.parametrize("other", [7, [], None, {}, {"format": "gridgames game 2"}, {"format": [FORMAT]}])
def test_other_json_is_no_record(other):
    assert refused(json.dumps(other)) == "it is not a game that was saved with /save"


@pytest.mark.parametrize("key", SHAPES)
def test_a_record_with_something_else_in_a_place_is_none(key):
    rest = {name: value for name, value in RECORD.items() if name != key}
    assert refused(json.dumps(rest)) == f"its '{key}' is missing or wrong"
    for wrong in (None, 7, "x", [], {}):
        if type(wrong) is not type(RECORD[key]):
            assert refused(saved(**{key: wrong})) == f"its '{key}' is missing or wrong"


@pytest.mark.parametrize("you", [0, 3, "1", [1], {}])
def test_a_record_of_a_seat_that_is_none_is_none(you):
    assert refused(saved(you=you)) == "its 'you' is wrong"


@pytest.mark.parametrize(
    "move", [None, "MOVE 3", [], [1], [3, "MOVE 3"], ["1", "MOVE 3"], [[1], "MOVE 3"], [1, 3], [1, "MOVE 3", 2]]
)
def test_a_record_with_a_move_that_is_none_is_none(move):
    assert refused(saved(moves=[move])) == "one of its moves is wrong"


def test_a_record_with_an_endless_move_is_none():
    assert read(saved(moves=[[1, "x" * LINE_MAX]]))
    assert refused(saved(moves=[[1, "x" * (LINE_MAX + 1)]])) == "one of its moves is too long"


def test_a_record_with_a_seal_that_is_none_is_none():
    assert refused(saved(commits={"treasure of 1": 5})) == "one of its seals is wrong"


@pytest.mark.parametrize(
    "secret",
    [
        None,
        7,
        "treasure",
        ["treasure"],
        {},
        {"what": "treasure of 2"},
        TWO | {"value": 4},
        TWO | {"what": ["treasure"]},
        TWO | {"nonce": "0" * 31},
    ],
)
def test_a_record_with_a_secret_that_is_none_is_none(secret):
    assert refused(saved(reveal=[ONE, secret])) == "one of its opened secrets is wrong"


def test_a_record_that_opens_a_secret_twice_is_none():
    assert refused(saved(reveal=[ONE, TWO, TWO | {"value": "1,1"}])) == "it opens a secret twice"
