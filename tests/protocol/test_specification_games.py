"""What the specification says about each game, its secrets and its saved games is what the server does."""

import json
import re
from hashlib import sha256

import pytest

from gridgames_protocol import saved_game
from gridgames_protocol.commitments import commitment
from gridgames_protocol.views import POINTS_MAX
from gridgames_server.games import GAMES
from gridgames_server.games.match import Match
from tests.protocol.page_tables import SAID
from tests.protocol.specification import blocks, codes, numbers, rows, section, tables

each_game = pytest.mark.parametrize("game", GAMES, ids=lambda game: game.card.slug)


def part_about(game):
    return section("## The state of each game", f"### {game.card.title} (`{game.card.slug}`)")


def played(game, number, lines):
    """A match after some lines of this game, each `(seat, line)`."""
    match = Match(game, number.to_bytes(32, "big"), first=1)
    for seat, line in lines:
        match.play(seat, line)
    return match


@each_game
def test_the_state_has_the_keys_of_its_table_for_every_reader(game):
    match = played(game, 0, typed(game))
    for reader in (1, 2, None):
        assert list(match.view(reader).state) == list(rows(part_about(game)))


def typed(game):
    """The lines of the example, as the page types them."""
    lines = [(int(seat), line) for seat, line in re.findall(r"`([12])> ([^`]+)`", part_about(game))]
    assert lines
    return lines


@each_game
def test_the_example_of_a_state_is_what_its_lines_lead_to(game):
    (example,) = map(json.loads, blocks("json", part_about(game)))
    states = (played(game, number, typed(game)).view(1).state for number in range(200))
    assert any(json.loads(json.dumps(state)) == example for state in states), "no treasure leads there"


def walk(game):
    """A match in which seat 1 always types the first legal line and seat 2 the last, for a while or to its end."""
    match = Match(game, bytes(32), first=1)
    yield match
    while match.to_act() and match.line_count < 30:
        seat = min(match.to_act())
        lines = [line for action in match.view(seat).actions for line in action.lines()]
        match.play(seat, lines[0 if seat == 1 else -1])
        yield match


@each_game
def test_every_verb_stands_in_the_part_about_its_game(game):
    forms = {action.form for match in walk(game) for seat in match.to_act() for action in match.view(seat).actions}
    verbs = re.split(r"\bVerbs?: ", part_about(game))[1].split("\n\n")[0]
    assert codes(verbs) == forms


@each_game
def test_every_secret_has_a_row_under_the_name_that_it_is_committed_by(game):
    listed = {row[1].strip("`") for row in next(tables(section("## Fairness"))) if row[0] == game.card.title}
    *_, match = walk(game)
    committed = {re.sub(r"move \d+", "move N", re.sub(r"of \d", "of S", what)) for what, _ in match.secrets}
    assert committed == listed


def test_every_game_has_its_part_in_the_order_of_the_server():
    parts_found = re.findall(r"^### (.+) \(`(.+)`\)$", section("## The state of each game"), re.MULTILINE)
    named = [slug for _, slug in parts_found]
    assert parts_found == [(game.card.title, game.card.slug) for game in GAMES if game.card.slug in named]
    assert len(named) >= 5


def test_a_saved_game_has_the_keys_of_its_table():
    keys, _ = tables(section("## A saved game"))
    listed = {key.strip("`") for key, *_ in keys}
    assert listed == {"format", "you", "winner", *saved_game.SHAPES}
    assert f"`{saved_game.FORMAT}`" in section("## A saved game")


def test_the_hashes_of_the_page_are_those_of_its_secrets():
    _, hashes = tables(section("## A saved game"))
    for row in hashes:
        nonce, what, value, hash = (cell.strip("`") for cell in row)
        assert commitment(what, value, nonce) == hash
    assert len(hashes) >= 3


def test_the_worked_hash_is_that_of_the_worked_secret():
    (example,) = blocks("text", section("## Fairness"))
    worked = dict(re.split(r"\s+", line, maxsplit=1) for line in example.splitlines())
    assert worked["text"] == f"{worked['nonce']}:{worked['what']}={worked['value']}"
    assert worked["hash"] == sha256(worked["text"].encode()).hexdigest()
    assert worked["hash"] in section("## A whole session")


def test_a_long_game_is_reviewed_at_as_many_points_as_the_page_says():
    part = section(SAID, "### `over`", "#### A review")
    assert numbers(rows(part)["after"][0]) == {0, POINTS_MAX, 65_535}
    assert f"A game of more than {POINTS_MAX - 1} moves is shown at some of its points" in part
