"""Matches of every game, a stranger's sixth one included, that seeded choices play out."""

from collections.abc import Iterator
from random import Random
from typing import Any

import pytest

from gridgames_protocol.codec import encode
from gridgames_protocol.messages import Show
from gridgames_server.games import GAMES, VARIANTS
from gridgames_server.games.game import Game
from gridgames_server.games.match import Match
from gridgames_server.games.narration import Announcement
from gridgames_server.games.seats import Reader
from tests.sixth_game import Pebbles

ALL = (*GAMES, Pebbles())
VARIANT_NAMES = {game: f"{slug}, {variant}" for (slug, variant), game in VARIANTS.items()}
READERS: tuple[Reader, ...] = (1, 2, None)

SEEDS = range(4)
PLAYOUT_LINES = 300  # most random players are done by then
LONG = 400  # lines; every list that a view holds was full long before


def each_game(test: Any) -> Any:
    """Let a test run over every game and every variant."""
    return pytest.mark.parametrize(
        "game", [*ALL, *VARIANT_NAMES], ids=lambda game: VARIANT_NAMES.get(game, game.card.slug)
    )(test)


def seed(number: int) -> bytes:
    return number.to_bytes(32, "big")


def legal(match: Match, seat: int) -> list[str]:
    """Every line that a seat's view allows."""
    return [line for action in match.view(seat).actions for line in action.lines()]


def playout(
    game: Game[Any], number: int, lines: int = PLAYOUT_LINES
) -> Iterator[tuple[Match, tuple[Announcement, ...]]]:
    """A match and what was just told, at its start and after each of the legal lines that seeded choices type."""
    choose, match = Random(number), Match(game, seed(number), first=1 + number % 2)
    yield match, match.announce_start()
    while match.to_act() and match.line_count < lines:
        seat = choose.choice(sorted(match.to_act()))
        yield match, match.play(seat, choose.choice(legal(match, seat))).announcements


def lasts(game: Game[Any], state: Any, seat: int, line: str) -> bool:
    """True if the game goes on after the line, and can go on after the same seat's next line."""
    after = game.play(state, seat, line).state
    if seat not in game.to_act(after):
        return not after.outcome
    following = (line for action in game.view(after, seat).actions for line in action.lines())
    return any(not game.play(after, seat, line).state.outcome for line in following)


def lingering(game: Game[Any], number: int) -> Iterator[Match]:
    """A long match whose players avoid every line that would end it, as far as they can."""
    choose, match = Random(number), Match(game, seed(number), 1)
    while match.to_act() and match.line_count < LONG:
        seat = choose.choice(sorted(match.to_act()))
        tries = choose.sample(legal(match, seat), k=len(legal(match, seat)))
        match.play(seat, next((line for line in tries if lasts(game, match.state, seat, line)), tries[0]))
        yield match


def shown(match: Match, reader: Reader) -> bytes:
    """A reader's view as it goes over the wire."""
    return encode(Show("ABC234", match.line_count, tuple(sorted(match.to_act())), reader, match.view(reader)))


def all_shown(match: Match) -> list[bytes]:
    """Everybody's view as it goes over the wire."""
    return [shown(match, reader) for reader in READERS]
