"""The analysis of a finished game: values, marks, accuracy, luck, the deciding move."""

import re

import pytest

from gridgames_protocol.views import Turning
from gridgames_server.analysis.analyse import MOVES_MAX, UNTOLD, GameRecord, analyse, judge, make_show
from gridgames_server.analysis.line_values import value_lines
from gridgames_server.bots import BOTS
from gridgames_server.bots.policy import pick
from gridgames_server.games import GAMES
from gridgames_server.games.game import Chance
from gridgames_server.games.match import Match
from gridgames_server.games.treasure_hunt_duel import GRID as TREASURE_GRID
from gridgames_server.games.treasure_hunt_duel import TreasureHuntDuel
from tests.server.games.playouts import playout

each_game = pytest.mark.parametrize("game", GAMES, ids=lambda game: game.card.slug)
LINES_MAX = 120


def seed_with_treasure(name: str) -> bytes:
    """A seed by which the treasure lies there."""
    game, wanted = TreasureHuntDuel(), TREASURE_GRID.cells[name]
    seeds = (number.to_bytes(32, "big") for number in range(10_000))
    return next(seed for seed in seeds if game.start(Chance(seed), 1).state.treasure == wanted)


def hunt(treasure: str, *lines: str, winner: int | None) -> GameRecord:
    """A finished Treasure Hunt Duel, each line `1> QUERY 2B`."""
    typed = tuple((int(line[0]), line[3:]) for line in lines)
    return GameRecord("treasure-hunt-duel", seed_with_treasure(treasure), 1, typed, winner)


def play_out(game, number: int, levels: dict[int, str]) -> GameRecord:
    """A game between two of the computer's players; `random` types any legal line."""
    match = Match(game, number.to_bytes(32, "big"), 1 + number % 2)
    while not match.outcome and match.line_count < LINES_MAX:
        seat = min(match.to_act())
        show, chance = make_show(match, seat), Chance(b"%d/%d" % (number, seat))
        legal = [line for action in show.view.actions for line in action.lines()]
        if levels[seat] == "random":
            line = pick(chance, legal, f"line {show.rev}")
        else:
            line = BOTS[game.card.slug](show, levels[seat], chance)
        match.play(seat, line)
    lines = tuple((line.seat, line.text) for line in match.lines)
    return GameRecord(game.card.slug, match.seed, match.first, lines, match.outcome and match.outcome.winner)


@pytest.mark.parametrize(
    ("loss", "mark"),
    [(0, "none"), (0.049, "none"), (0.05, "?!"), (0.09, "?!"), (0.1, "?"), (0.14, "?"), (0.15, "??"), (1, "??")],
)
def test_a_mark_stands_at_a_loss_of_5_10_and_15_points(loss, mark):
    assert judge(loss) == mark


def test_querying_with_few_cells_left_while_the_rival_knows_is_a_blunder():
    lines = ("1> QUERY 1A", "2> QUERY 5A", "1> QUERY 5E", "2> QUERY 1E", "1> QUERY 3C")
    record = hunt("2D", *lines, "2> GUESS 2D", winner=2)
    found = analyse(record)
    chance, best, best_line, mark = found.moves[4]
    assert (chance, mark) == (0, "??")
    assert best >= 200
    assert best_line.startswith("GUESS ")
    assert found.moves[found.turning.move][3] == "??"


def test_a_scan_while_the_rival_has_one_cell_left_is_a_blunder():
    lines = [(1, "HIDE 3 3"), (2, "HIDE 2 2"), (1, "SCAN 1 1"), (2, "SCAN 1 1"), (1, "DIG 5 5"), (2, "SCAN 1 5")]
    lines += [(1, "SCAN 3 5"), (2, "DIG 3 3")]
    found = analyse(GameRecord("grid-hunt", bytes(32), 1, tuple(lines), 2))
    assert found.moves[6][3] == "??"
    assert found.moves[6][2].startswith("DIG ")


def test_a_wasted_dig_while_the_rival_has_one_cell_left_loses_nearly_everything():
    lines = [(1, "HIDE 1 1"), (2, "HIDE 4 5"), (1, "SCAN 5 5"), (2, "SCAN 1 1"), (1, "SCAN 5 4")]
    found = analyse(GameRecord("grid-hunt", bytes(32), 1, (*lines, (2, "SCAN 5 5"), (1, "DIG 5 5")), 2))
    chance, best, best_line, mark = found.moves[-1]
    assert (best, best_line, mark) == (1000, "DIG 4,5", "??")
    assert chance < 100
    text = "Player 1 played DIG 5,5, worth a 5 % chance to win. DIG 4,5 was worth 100 %."
    assert found.turning == Turning(6, text, round=3)


def test_no_luck_is_told_of_a_game_that_ended_otherwise_than_by_its_lines():
    lines = ("1> QUERY 1A", "2> QUERY 5A")
    assert analyse(hunt("2D", *lines, winner=2)).luck == (None, None), "lost on time, or resigned"
    assert analyse(hunt("2D", *lines, winner=None)).luck == (None, None), "drawn by agreement"
    bad, good = analyse(hunt("2D", *lines, "1> QUERY 3C", "2> GUESS 2D", winner=2)).luck
    assert bad < 0 < good


@pytest.mark.parametrize("wasted", ["QUERY 3C", "GUESS 1B"])
def test_a_player_who_is_certain_and_does_not_guess_loses_to_a_rival_who_may_know(wasted):
    lines = ("1> QUERY 2D", "2> QUERY 5A", "1> QUERY 1A", "2> QUERY 1E", f"1> {wasted}")
    found = analyse(hunt("2D", *lines, winner=2))
    assert found.moves[4] == (0, 1000, "GUESS 2D", "??")


def test_the_first_look_of_a_duel_is_even_wherever_it_goes():
    record = GameRecord("quantum-duel", bytes(32), 1, ((1, "MOVE 3"), (1, "OBSERVE 3"), (2, "MOVE 5")), None)
    assert [move[:2] + move[3:] for move in analyse(record).moves[:2]] == [(500, 500, "none")] * 2


def test_a_look_at_the_own_token_is_not_excused_by_the_bots_table():
    placed = ((1, "MOVE 4"), (1, "OBSERVE 1"), (2, "MOVE 4"))
    own, other = (
        analyse(GameRecord("quantum-duel", bytes(32), 1, (*placed, (2, f"OBSERVE {at}")), 1)) for at in (4, 3)
    )
    assert own.moves[3][0] < own.moves[3][1]
    assert own.accuracy[1] < other.accuracy[1] == 100


@each_game
def test_every_line_that_may_be_typed_has_a_value_in_a_turn(game):
    for number in range(3):
        for match, _ in playout(game, number, lines=30):
            for seat in match.to_act() if match.view(1).phase == "play" else ():
                values = value_lines(game.card.slug, make_show(match, seat))
                assert values.keys() == {line for action in match.view(seat).actions for line in action.lines()}
                assert all(0 <= chance <= 1 for chance in values.values())


def test_lines_are_known_however_they_were_typed():
    one = hunt("2D", "1> QUERY 1A", "2> QUERY 5A", "1> GUESS 2D", winner=1)
    two = hunt("2D", "1> query a1", "2>   query  (5,a)", "1> guess 2 d", winner=1)
    assert analyse(one) == analyse(two)


def test_a_setup_is_not_valued_and_a_foul_is_no_move():
    lines = ((1, "GOAL 1"), (2, "GOAL 1"), (1, "MOVE 1 1"), (1, "MOVE 2 3"), (2, "MOVE 1 2"))
    found = analyse(GameRecord("secret-paths", bytes(32), 1, lines, None))
    assert len(found.moves) == 4
    assert found.moves[:2] == (UNTOLD, UNTOLD)
    assert found.moves[2] == (None, None, found.moves[2][2], "??"), "beside the rival's row"
    assert found.luck == (None, None)


def test_passing_up_the_own_goal_is_a_blunder():
    lines = ((1, "GOAL 3"), (2, "GOAL 3"), (1, "MOVE 4 3"), (2, "MOVE 4 4"), (1, "MOVE 4 3"))
    found = analyse(GameRecord("secret-paths", bytes(32), 1, lines, None))
    assert found.moves[4] == (None, None, "MOVE 5,3", "??")


def test_a_game_without_values_is_not_analysed():
    assert analyse(GameRecord("pebbles", bytes(32), 1, (), None)) is None


def test_a_very_long_game_is_valued_up_to_a_bound():
    lines = [(1, "GOAL 1"), (2, "GOAL 1")]
    for _ in range(MOVES_MAX):
        lines += [(1, "MOVE 3 4"), (2, "MOVE 3 3")]
    found = analyse(GameRecord("secret-paths", bytes(32), 1, tuple(lines), None))
    assert len(found.moves) == len(lines)
    assert set(found.moves[MOVES_MAX:]) == {UNTOLD}


@each_game
def test_every_game_is_analysed_and_the_numbers_make_sense(game):
    for number in range(4):
        record = play_out(game, number, {1: "medium", 2: "easy"})
        found = analyse(record)
        assert analyse(record) == found
        assert found.turning is None or re.match(r"Player [12] played [A-Z]+\b", found.turning.text)
        for chance, best, line, mark in found.moves:
            assert (chance is None) == (best is None)
            assert chance is None or chance <= best
            assert line or (best is None and mark == "none")
        assert all(accuracy is None or 0 <= accuracy <= 100 for accuracy in found.accuracy)


@pytest.mark.parametrize("slug", ["treasure-hunt-duel", "grid-hunt", "grid-conquest", "quantum-duel"])
def test_luck_is_at_most_a_whole_win_and_the_other_has_as_little(slug):
    game = next(game for game in GAMES if game.card.slug == slug)
    for number in range(8):
        one, two = analyse(play_out(game, number, {1: "random", 2: "easy"})).luck
        assert one is None or two is None or one + two in (-1, 0, 1)
        assert all(luck is None or abs(luck) <= 1000 for luck in (one, two))


@pytest.mark.parametrize("slug", ["treasure-hunt-duel", "grid-hunt", "grid-conquest"])
def test_accuracy_tells_the_levels_apart(slug):
    game = next(game for game in GAMES if game.card.slug == slug)
    means = []
    for level in ("hard", "medium", "easy", "random"):
        found = [analyse(play_out(game, number, {1: level, 2: "hard"})).accuracy[0] for number in range(40)]
        rated = [accuracy for accuracy in found if accuracy is not None]
        means.append(sum(rated) / len(rated))
    assert means == sorted(means, reverse=True), means
