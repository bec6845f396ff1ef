"""What the computer advises, and why."""

from random import Random

import pytest

from gridgames_protocol.safe_text import is_harmless
from gridgames_server.analysis.analyse import GameRecord, analyse, make_show
from gridgames_server.analysis.hints import suggest
from gridgames_server.games import GAMES
from gridgames_server.games.match import Match, replay
from gridgames_server.games.quantum_duel import QuantumDuel
from tests.server.games.playouts import legal, playout, seed
from tests.sixth_game import Pebbles

each_game = pytest.mark.parametrize("game", GAMES, ids=lambda game: game.card.slug)


@each_game
def test_a_hint_is_a_legal_line_with_one_sentence_why(game):
    for number in range(4):
        for match, _ in playout(game, number, lines=30):
            for seat in match.to_act():
                hint = suggest(game.card.slug, make_show(match, seat))
                legal = [line for action in match.view(seat).actions for line in action.lines()]
                assert hint.line in legal
                assert is_harmless(hint.why)
                assert hint.why.endswith(".")
                assert len(hint.why) <= 120


@each_game
def test_a_line_that_was_advised_is_never_marked_in_the_analysis(game):
    for number in range(6):
        match, choose = Match(game, seed(number), 1 + number % 2), Random(number)
        advised = []
        while match.to_act() and match.line_count < 40:
            seat = choose.choice(sorted(match.to_act()))
            line = suggest(game.card.slug, make_show(match, seat)).line
            if choose.random() < 0.5:
                line = choose.choice(legal(match, seat))
            else:
                advised.append(match.line_count)
            match.play(seat, line)
        lines = tuple((line.seat, line.text) for line in match.lines)
        found = analyse(GameRecord(game.card.slug, match.seed, match.first, lines, 1))
        assert {found.moves[move][3] for move in advised} == {"none"}


def test_a_hint_to_stay_says_stay_and_not_to_move_where_the_token_is():
    lines = ((1, "OBSERVE 4"), (2, "MOVE 6"), (2, "OBSERVE 3"))
    hints = {}
    for at in "12457":
        match = replay(QuantumDuel(), bytes(32), 1, [(1, f"MOVE {at}"), *lines])
        hints[at] = suggest("quantum-duel", make_show(match, 1)).line
    assert "STAY" in hints.values()
    assert not any(line == f"MOVE {at}" for at, line in hints.items())


def test_nobody_is_advised_who_has_nothing_to_type_or_whose_game_has_no_values():
    for match, _ in playout(GAMES[0], 1, lines=3):
        for seat in {1, 2} - match.to_act():
            assert suggest("treasure-hunt-duel", make_show(match, seat)) is None
    for match, _ in playout(Pebbles(), 1, lines=3):
        assert suggest("pebbles", make_show(match, 1)) is None


def test_a_hint_says_how_many_cells_fit():
    *_, (match, _) = playout(GAMES[0], 1, lines=2)
    (seat,) = match.to_act()
    assert "cells fit" in suggest("treasure-hunt-duel", make_show(match, seat)).why
