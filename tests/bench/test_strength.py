"""The bench of the computer players: it plays, counts, and prints what it counted. How strong they are is not asked."""

import json

import pytest

from gridgames_server.bots import BOTS
from gridgames_server.games import GAMES
from gridgames_server.games.grid_hunt import GridHunt
from tests.bench.strength import (
    PAIRS,
    STINT,
    Pace,
    Pairing,
    at_random,
    main,
    meet,
    percent,
    play,
    played,
    seating,
    stints,
    wilson,
)

HUNT = GridHunt()


def test_every_pair_of_the_four_players_meets_once():
    assert PAIRS == (
        ("hard", "medium"),
        ("hard", "easy"),
        ("hard", "random"),
        ("medium", "easy"),
        ("medium", "random"),
        ("easy", "random"),
    )


@pytest.mark.parametrize("game", [game for game in GAMES if game.card.slug in BOTS], ids=lambda game: game.card.slug)
def test_a_few_games_of_each_game_are_played_to_their_end(game):
    pairing = meet(game, ("hard", "random"), range(4))
    assert pairing.games == 4
    assert all(pace.moves for pace in pairing.paces)


def test_four_games_hold_every_combination_of_seat_and_first_move():
    assert [seating(number) for number in range(5)] == [(1, 1), (2, 1), (1, 2), (2, 2), (1, 1)]


def test_the_same_number_gives_the_same_game():
    one, two = ([play(HUNT, (at_random, at_random), 1, number, (Pace(), Pace())) for number in range(6)] for _ in "12")
    assert one == two
    assert {*one} == {1, 2}


def test_a_win_is_counted_for_the_player_whatever_the_seat():
    pairing = Pairing(HUNT, ("hard", "easy"))
    for winner, seat in ((1, 1), (2, 2), (2, 1)):
        pairing.count(winner, seat)
    assert (pairing.won, pairing.drawn, pairing.lost) == (2, 0, 1)


def test_a_draw_is_half_a_point():
    pairing = Pairing(HUNT, ("hard", "easy"))
    for winner in (1, 2, None, None):
        pairing.count(winner, seat=2)
    assert (pairing.won, pairing.drawn, pairing.lost, pairing.share) == (1, 2, 1, 0.5)


@pytest.mark.parametrize(
    ("share", "games", "low", "high"),
    [(0.5, 100, 0.4038, 0.5962), (0.96, 4_000, 0.9535, 0.9656), (1.0, 10, 0.7225, 1.0), (0.0, 10, 0.0, 0.2775)],
)
def test_the_interval_is_that_of_wilson(share, games, low, high):
    assert wilson(share, games) == (pytest.approx(low, abs=1e-4), pytest.approx(high, abs=1e-4))


def test_a_cell_of_the_table_says_the_share_and_its_interval():
    assert percent(Pairing(HUNT, ("hard", "easy"), won=50, lost=50)) == "50.0 % (40.4 % to 59.6 %)"


def test_the_table_is_markdown_with_a_column_for_each_pair(capsys):
    main(["--game", "grid-hunt", "--games", "4", "--workers", "1"])
    lines = capsys.readouterr().out.splitlines()
    head = next(number for number, line in enumerate(lines) if line.startswith("| game | hard against medium |"))
    assert lines[head + 1] == "| --- | --- | --- | --- | --- | --- | --- |"
    assert lines[head + 2].startswith("| Grid Hunt | ")
    assert lines[head].count("|") == lines[head + 2].count("|") == 8


def test_hard_against_random_may_play_more_games_than_the_others(capsys):
    main(["--game", "grid-hunt", "--games", "4", "--hard-random", "8", "--workers", "1", "--json"])
    games = {tuple(row["pair"]): row["won"] + row["drawn"] + row["lost"] for row in json.loads(capsys.readouterr().out)}
    assert games == {pair: 8 if pair == ("hard", "random") else 4 for pair in PAIRS}


def test_several_processes_share_the_games_that_one_would_play():
    parts = stints(HUNT, ("easy", "random"), STINT + 4)
    assert [len(part.numbers) for part in parts] == [STINT, 4]
    (alone,), (together,) = played(parts, workers=1), played(parts, workers=2)
    assert (alone.won, alone.drawn, alone.lost) == (together.won, together.drawn, together.lost)
    assert alone.games == STINT + 4


def test_for_programs_it_prints_json(capsys):
    main(["--game", "grid-hunt", "--games", "4", "--workers", "1", "--pair", "easy", "random", "--json"])
    (row,) = json.loads(capsys.readouterr().out)
    assert (row["game"], row["pair"]) == ("grid-hunt", ["easy", "random"])
    assert row["won"] + row["drawn"] + row["lost"] == 4
    assert row["interval"][0] <= row["share"] <= row["interval"][1]
