"""A commitment tells nothing of its secret: that is why the twins may overlook its hash, and nothing but its hash."""

import hashlib
import re
from collections.abc import Iterator
from itertools import islice
from random import Random
from typing import Any

import pytest

from gridgames_protocol.messages import Commit
from gridgames_server.games.game import Game
from gridgames_server.games.match import Match
from gridgames_server.games.quantum_duel import QuantumDuel
from tests.secrecy.games.game_twins import EVERY_GAME, READERS, typed_instead
from tests.secrecy.games.histories import History, Rigged, history
from tests.secrecy.games.other_worlds import RECAST
from tests.secrecy.games.reader_streams import stream

HISTORIES = 60  # of each game

every_game = pytest.mark.parametrize("game", EVERY_GAME, ids=lambda game: game.card.slug)


def commits(match: Match, past: History) -> Iterator[Commit]:
    """Plays a history; everything that is sealed on the way."""
    told = list(match.announce_start())
    for seat, line, verdict in past.attempts:
        told += match.play(seat, line).announcements if verdict != "refused" else ()
    return (announcement.event.commit for announcement in told if announcement.event.commit)


@every_game
def test_a_hash_is_64_lower_case_hex_digits_that_bind_the_value(game: Game[Any]) -> None:
    for number in range(HISTORIES):
        past = history(game, number)
        match = past.match()
        sealed = list(commits(match, past))
        assert len(sealed) == len(match.list_reveals())
        for commit, secret in zip(sealed, match.list_reveals(), strict=True):
            assert re.fullmatch("[0-9a-f]{64}", commit.hash)
            assert re.fullmatch("[0-9a-f]{32}", secret.nonce)
            text = f"{secret.nonce}:{secret.what}={secret.value}"
            assert (commit.what, commit.hash) == (secret.what, hashlib.sha256(text.encode()).hexdigest())


@every_game
def test_a_nonce_depends_on_the_seed_and_the_name_and_never_on_the_value(game: Game[Any]) -> None:
    others = 0
    for number in range(HISTORIES):
        past, reader = history(game, number), READERS[number % len(READERS)]
        for world in islice(RECAST[past.slug](past, reader, Random(number)), 1):
            truth, other = past.match(), past.match(world.draws)
            list(stream(truth, reader, [attempt[:2] for attempt in past.attempts[: world.until]]))
            list(stream(other, reader, typed_instead(past, reader, world)))
            assert [(s.what, s.nonce) for s in truth.list_reveals()] == [
                (s.what, s.nonce) for s in other.list_reveals()
            ]
            others += [s.value for s in truth.list_reveals()] != [s.value for s in other.list_reveals()]
    assert others > HISTORIES // 3


@every_game
def test_equal_secrets_of_two_games_have_different_seals(game: Game[Any]) -> None:
    past = next(past for number in range(HISTORIES) if len((past := history(game, number)).moves) >= 4)
    one, two = (Match(Rigged(game, past.draws), seed * 32, past.first) for seed in (b"1", b"2"))
    hashes = [{commit.hash for commit in commits(match, past)} for match in (one, two)]
    assert [secret.value for secret in one.list_reveals()] == [secret.value for secret in two.list_reveals()]
    assert not hashes[0] & hashes[1]
    assert not {secret.nonce for secret in one.list_reveals()} & {secret.nonce for secret in two.list_reveals()}


def test_a_token_that_stays_has_a_new_seal_each_time() -> None:
    match = Match(QuantumDuel(), bytes(32), 1)
    for seat, line in [(1, "MOVE 3"), (1, "OBSERVE 1"), (2, "MOVE 7"), (2, "OBSERVE 1"), (1, "STAY")]:
        match.play(seat, line)
    first, _, third = match.list_reveals()
    assert first.value == third.value == "3"
    assert first.nonce != third.nonce


@every_game
@pytest.mark.parametrize("reader", READERS)
def test_no_nonce_and_no_seed_is_sent_before_the_end(game: Game[Any], reader: int | None) -> None:
    for number in range(HISTORIES):
        past = history(game, number)
        seed = hashlib.sha256(bytes([number])).digest()
        match = Match(Rigged(game, past.draws), seed, past.first)
        sent = b"".join(b"".join(some) for some in stream(match, reader, [attempt[:2] for attempt in past.attempts]))
        for secret in (seed.hex(), *(secret.nonce for secret in match.list_reveals())):
            assert secret.encode() not in sent
            assert bytes.fromhex(secret) not in sent
