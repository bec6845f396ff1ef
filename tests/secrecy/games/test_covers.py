"""A view whose secrets are covered tells nothing of them to somebody who looks over the player's shoulder."""

from dataclasses import replace
from itertools import islice
from random import Random
from typing import Any

import pytest

from gridgames_protocol.views import Board, View
from gridgames_server.games.game import Game
from gridgames_server.games.grid_hunt import GRID, GridHunt
from gridgames_server.games.match import Match
from gridgames_server.games.possibilities import Possibilities
from gridgames_server.games.quantum_duel import QuantumDuel
from gridgames_server.games.seats import Reader, other
from gridgames_server.games.secret_paths import SecretPaths
from gridgames_server.games.treasure_hunt_duel import TreasureHuntDuel
from tests.secrecy.games.game_twins import typed_instead
from tests.secrecy.games.histories import history
from tests.secrecy.games.other_worlds import RECAST
from tests.secrecy.games.reader_streams import stream
from tests.sixth_game import Pebbles

HISTORIES = 240  # of each game, half of them with assist
WORLDS = 3  # of each history


LAYERS = ("corners", "heat", "possible", "trail", "zones")


def cover_board(board: Board) -> list[object]:
    """What a board shows while the secrets of its reader are covered."""
    looks = {name: (text, kind) for name, text, kind in board.masks}
    cells = zip(board.names, board.texts, board.kinds, strict=True)
    layers = [getattr(board, layer) for layer in LAYERS if layer not in board.private]
    return [board.title, board.private, layers, [looks.get(name, (text, kind)) for name, text, kind in cells]]


def cover(view: View) -> list[object]:
    """Everything that is drawn of a view while the secrets of its reader are covered."""
    boards = [(second.title, second.place, cover_board(second.board)) for second in view.boards]
    lines = [(action.verb, action.help, action.tells, action.cells) for action in view.actions if not action.private]
    meters = [meter for meter in view.meters if meter[0] not in view.private]
    facts = [fact for fact in view.facts if fact[0] not in view.private]
    moves = [move[:2] if move[3] == "private" else move for move in view.moves]
    plain = [view.phase, view.prompt, view.claimable, view.goal, view.legend, moves, view.last, view.private]
    return [cover_board(view.board), boards, lines, meters, facts, plain]


def find_difference(game: Game[Any]) -> int | None:
    """The first history in which a covered view depends on what its reader alone knows."""
    for number in range(HISTORIES):
        past, seat = history(game, number), 1 + number % 2
        # Others than the seat's own can't be told apart. What is nobody's own is known by a seat's answers alone.
        onlooker = None if past.slug == "treasure-hunt-duel" else other(seat)
        worlds = RECAST[past.slug](past, onlooker, Random(number))
        for world in islice(worlds, WORLDS):
            one, two = past.match(), past.match(world.draws)
            truth = stream(one, seat, [attempt[:2] for attempt in past.attempts])
            instead = stream(two, seat, typed_instead(past, other(seat), world))
            for _ in zip(truth, instead, strict=False):
                if cover(one.view(seat)) != cover(two.view(seat)):
                    return number
    return None


COVERED = [TreasureHuntDuel(), GridHunt(), QuantumDuel(), SecretPaths(), Pebbles()]


@pytest.mark.parametrize("game", COVERED, ids=lambda game: game.card.slug)
def test_a_covered_view_is_the_same_whatever_the_own_secret_is(game):
    assert find_difference(game) is None


class ShadesByTheOwnToken(QuantumDuel):
    def possibilities(self, state: Any, seat: int) -> Possibilities:
        found = super().possibilities(state, seat)
        return Possibilities(found.among, found.left)


def test_a_shade_that_tells_where_the_own_token_is_would_be_found():
    assert find_difference(ShadesByTheOwnToken()) is not None


class TrailInSight(QuantumDuel):
    def view(self, state: Any, reader: Reader) -> View:
        view = super().view(state, reader)
        boards = tuple(replace(second, board=replace(second.board, private=())) for second in view.boards)
        return replace(view, boards=boards)


class ZoneInSight(GridHunt):
    def view(self, state: Any, reader: Reader) -> View:
        view = super().view(state, reader)
        boards = tuple(replace(second, board=replace(second.board, private=())) for second in view.boards)
        return replace(view, boards=boards)


class StepsInSight(QuantumDuel):
    def view(self, state: Any, reader: Reader) -> View:
        view = super().view(state, reader)
        return replace(view, actions=tuple(replace(action, private=False) for action in view.actions))


class TunnelInSight(QuantumDuel):
    def view(self, state: Any, reader: Reader) -> View:
        view = super().view(state, reader)
        return replace(view, private=view.private[:1])


class MovesInSight(TreasureHuntDuel):
    def view(self, state: Any, reader: Reader) -> View:
        view = super().view(state, reader)
        moves = tuple((seat, text, result, "hint") for seat, text, result, _ in view.moves)
        return replace(view, moves=moves)


class AnswersInSight(TreasureHuntDuel):
    def view(self, state: Any, reader: Reader) -> View:
        view = super().view(state, reader)
        return replace(view, board=replace(view.board, masks=()))


@pytest.mark.parametrize("game", [TrailInSight(), StepsInSight(), TunnelInSight(), MovesInSight(), AnswersInSight()])
def test_a_layer_a_meter_or_an_action_that_tells_the_own_secret_would_be_found(game):
    assert find_difference(game) is not None


# A hiding place decides what the other is answered, so those who can't be told apart are few: all are compared here.

SEARCH = ("SCAN 1 1", "DIG 2 2", "SCAN 3 3", "SCAN 5 1", "DIG 1 1", "DIG 4 5")


def covered_fields(game: Game[Any], cell: str) -> list[object]:
    """What seat 1 sees, covered, while seat 2 searches for a treasure that lies in a cell."""
    match, views = Match(game, bytes(32), 2), []
    match.play(1, f"HIDE {cell}")
    match.play(2, "HIDE 3 4")
    for line in SEARCH:
        match.play(2, line)
        views.append(cover(match.view(1)))
        match.play(1, "DIG 1 1")
    return views


def hiding_places() -> list[str]:
    dug = {line.split(maxsplit=1)[1].replace(" ", ",") for line in SEARCH if line.startswith("DIG")}
    return [name for name in GRID.names if name not in dug]


def test_the_own_field_is_the_same_covered_wherever_the_treasure_lies():
    fields = [covered_fields(GridHunt(), cell) for cell in hiding_places()]
    assert all(field == fields[0] for field in fields)


def test_a_zone_around_the_own_treasure_would_be_found():
    fields = [covered_fields(ZoneInSight(), cell) for cell in hiding_places()]
    assert any(field != fields[0] for field in fields)
