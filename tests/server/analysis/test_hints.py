"""What the computer advises, and why."""

import pytest

from gridgames_protocol.safe_text import is_harmless
from gridgames_server.analysis.analyse import make_show
from gridgames_server.analysis.hints import suggest
from gridgames_server.games import GAMES
from tests.server.games.playouts import playout
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
