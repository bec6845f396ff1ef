"""The analysis of a move depends on what its mover knew: it is the same for every secret that fits that."""

from itertools import islice
from random import Random
from typing import Any

import pytest

from gridgames_protocol.messages import AnalysedMove, Show
from gridgames_server.analysis import analyse as analysis
from gridgames_server.analysis.hints import Suggestion, suggest
from gridgames_server.analysis.line_values import VALUES
from gridgames_server.errors import Refusal
from gridgames_server.games import GAMES
from gridgames_server.games.game import Game
from gridgames_server.games.match import Match
from tests.secrecy.games.game_twins import typed_instead
from tests.secrecy.games.histories import history
from tests.secrecy.games.other_worlds import RECAST

HISTORIES = 30  # of each game
WORLDS = 3  # of each history
LINES = 40

each_game = pytest.mark.parametrize("game", GAMES, ids=lambda game: game.card.slug)


Told = AnalysedMove | Suggestion | None


def judge_own_moves(match: Match, seat: int, lines: list[tuple[int, str | None]]) -> list[Told]:
    """How a seat's moves are judged, and what it is advised before each of them."""
    found: list[Told] = []
    slug = match.game.card.slug
    for mover, line in lines:
        if line is None or match.outcome:
            continue
        if mover == seat and seat in match.to_act():
            found.append(suggest(slug, analysis.make_show(match, seat)))
        record = analysis.GameRecord(slug, match.seed, match.first, ((mover, line),), None)
        try:
            judged = list(analysis.judge_moves(match, record))
        except Refusal:
            continue
        found += [analysis.describe_move(one, with_chances=True) for one in judged if one.seat == seat]
    return found


def find_difference(game: Game[Any]) -> int | None:
    """The first history in which a judgement depends on what its mover could not know."""
    for number in range(HISTORIES):
        past, seat = history(game, number), 1 + number % 2
        for world in islice(RECAST[past.slug](past, seat, Random(number)), WORLDS):
            until = min(world.until, LINES)
            truth = [attempt[:2] for attempt in past.attempts[:until]]
            instead = list(typed_instead(past, seat, world))[:until]
            one = judge_own_moves(past.match(), seat, truth)
            two = judge_own_moves(past.match(world.draws), seat, instead)
            if one != two:
                return number
    return None


@each_game
def test_a_move_is_judged_alike_in_every_world_that_its_mover_can_t_tell_apart(game):
    assert find_difference(game) is None


def test_a_judgement_by_the_secret_would_be_found(monkeypatch):
    def value_by_length(show: Show) -> dict[str, float]:
        return {line: PEEK[0] for action in show.view.actions for line in action.lines()}

    class Peeking(type(GAMES[0])):  # type: ignore[misc]
        def view(self, state, reader):
            PEEK[0] = state.treasure / 25
            return super().view(state, reader)

    monkeypatch.setitem(VALUES, "treasure-hunt-duel", value_by_length)
    assert find_difference(Peeking()) is not None


PEEK = [0.0]
