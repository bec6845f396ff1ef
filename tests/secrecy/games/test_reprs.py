"""What a log or a traceback would print of a game tells no secret."""

import re
from dataclasses import replace
from itertools import islice
from random import Random
from typing import Any

import pytest

from gridgames_server.errors import Refusal
from gridgames_server.games.game import Game
from gridgames_server.games.match import Match
from gridgames_server.games.seats import Reader
from tests.secrecy.games.game_twins import EVERY_GAME, READERS, typed_instead
from tests.secrecy.games.histories import history
from tests.secrecy.games.other_worlds import RECAST
from tests.secrecy.games.reader_streams import masked

HISTORIES = 60  # of each game: a repr does not depend on much


def printed(match: Match, seat: int, line: str, reader: Reader) -> list[str]:
    """Plays a line; the match, its state, the step, what the reader is told and an own refusal, as they print."""
    found: list[object] = []
    try:
        if seat in match.to_act():
            step = match.game.play(match.state, seat, line)
            found += [step.state, replace(step, announcements=())]
        found += [
            masked(announcement)
            for announcement in match.play(seat, line).announcements
            if reader in announcement.readers
        ]
    except Refusal as refusal:
        found += [refusal, *refusal.args] if seat == reader else []
    return [re.sub("0x[0-9a-f]+", "0x", repr(thing)) for thing in (match, match.state, *found)]


@pytest.mark.parametrize("game", EVERY_GAME, ids=lambda game: game.card.slug)
def test_what_is_printed_is_the_same_in_every_world(game: Game[Any]) -> None:
    for number in range(HISTORIES):
        past, reader = history(game, number), READERS[number % len(READERS)]
        for world in islice(RECAST[past.slug](past, reader, Random(number)), 2):
            one, two = past.match(), past.match(world.draws)
            typed = typed_instead(past, reader, world)
            for attempt, (seat, instead) in zip(past.attempts, typed, strict=False):
                if instead is not None:
                    assert printed(one, seat, attempt.line, reader) == printed(two, seat, instead, reader)


@pytest.mark.parametrize("game", EVERY_GAME, ids=lambda game: game.card.slug)
def test_no_nonce_and_no_seed_is_printed(game: Game[Any]) -> None:
    match = Match(game, b"a seed that is easily recognised", 1)
    told = "".join(map(repr, (match, match.state, match.announce_start())))
    assert "recognised" not in told
    assert not any(secret.nonce in told for secret in match.list_reveals())
