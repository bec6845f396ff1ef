"""A bot's chair at the table: what it is shown there, and the lines that it might type."""

from collections.abc import Iterator
from random import Random
from typing import Any, get_args

import pytest

from gridgames_protocol.codec import decode_push, encode
from gridgames_protocol.messages import Level, Show
from gridgames_server.bots import BOTS, STRATEGIES
from gridgames_server.bots.policy import Chances, list_legal_lines
from gridgames_server.games.game import Chance, Game
from gridgames_server.games.match import Match

LEVELS: tuple[Level, ...] = get_args(Level)
MOODS = tuple(Chance(bytes([number]) * 32) for number in range(40))


def each_level(test: Any) -> Any:
    """Let a test run over every level."""
    return pytest.mark.parametrize("level", LEVELS)(test)


def shown(match: Match, seat: int) -> Show:
    """What a seat is shown, as the room sends it."""
    return Show("ABCDEF", match.line_count, tuple(sorted(match.to_act())), seat, match.view(seat))


def over_the_wire(show: Show) -> Show:
    """What a client makes of the bytes that show it."""
    arrived = decode_push(encode(show).removesuffix(b"\n"))
    assert isinstance(arrived, Show)
    return arrived


def might_type(match: Match, seat: int, level: Level = "hard") -> set[str]:
    """The lines that the bot types in that seat, in any of many moods."""
    policy, show = BOTS[match.game.card.slug], shown(match, seat)
    return {policy(show, level, mood) for mood in MOODS}


def chances(match: Match, seat: int, level: Level = "hard") -> Chances:
    """How likely the bot types each line in that seat."""
    return STRATEGIES[match.game.card.slug](shown(match, seat), level)


def reached(game: Game[Any], numbers: range) -> Iterator[tuple[Show, Match]]:
    """Every turn of some games, as the seat to act is shown it; bots and drawn lines get there together."""
    policy = BOTS[game.card.slug]
    for number in numbers:
        choose, match = Random(number), Match(game, number.to_bytes(32, "big"), 1 + number % 2)
        while to_act := match.to_act():
            seat = choose.choice(sorted(to_act))
            show = shown(match, seat)
            yield show, match
            if choose.random() < number % 4 / 4:
                match.play(seat, policy(show, choose.choice(LEVELS), MOODS[seat]))
            else:
                match.play(seat, choose.choice(list_legal_lines(show)))
