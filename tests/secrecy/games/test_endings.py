"""The end shows everything to everybody: the secrets that the twins look for are there to be seen."""

from collections.abc import Callable, Iterable, Mapping
from hashlib import sha256
from itertools import islice
from typing import Any

import pytest

from gridgames_protocol.messages import Over
from gridgames_server.games.game import Game
from gridgames_server.games.match import Match, make_closing
from gridgames_server.games.narration import Announcement
from gridgames_server.games.seats import SEATS
from tests.secrecy.games.game_twins import EVERY_GAME, HISTORIES, READERS
from tests.secrecy.games.histories import Attempt, History, history
from tests.secrecy.games.phrases import CELLS, letter

ENDED = 8  # histories of each game: they end in few ways


def of_both(what: str, values: tuple[object, object]) -> dict[str, str]:
    """A secret that both seats have, by the names under which it was sealed."""
    return {what.format(seat): str(value) for seat, value in zip(SEATS, values, strict=True) if value is not None}


def tokens(state: Mapping[str, Any]) -> dict[str, str]:
    """The tokens under the names of their latest movements; a view shows no earlier ones."""
    pairs = zip(SEATS, state["movements"], state["tokens"], strict=True)
    return {f"token of {seat}, move {number}": str(at) for seat, number, at in pairs if number and at is not None}


def values(state: Mapping[str, Any]) -> dict[str, str]:
    """The values of all cells in reading order."""
    return {"values": "".join(str(state["values"].get(f"{letter(row)}{col}", "?")) for row, col in CELLS)}


SHOWN: Mapping[str, Callable[[Mapping[str, Any]], dict[str, str]]] = {
    "treasure-hunt-duel": lambda state: {"treasure": state["treasure"]} if state["treasure"] else {},
    "grid-hunt": lambda state: of_both("treasure of {}", state["treasures"]),
    "grid-conquest": values,
    "quantum-duel": tokens,
    "secret-paths": lambda state: of_both("goal of {}", state["goals"]),
    "pebbles": lambda state: of_both("pebbles of {}", state["hands"]),
}


def latest(match: Match) -> dict[str, str]:
    """The secrets as they stood last: of a token's movements the last one alone."""
    found = {secret.what.partition(",")[0]: (secret.what, secret.value) for secret in match.list_reveals()}
    return dict(found.values())


def play(match: Match, attempts: Iterable[Attempt]) -> list[Announcement]:
    """Play the lines that were accepted; what is told of them."""
    return [
        announcement
        for seat, line, verdict in attempts
        if verdict != "refused"
        for announcement in match.play(seat, line).announcements
    ]


def ended(game: Game[Any]) -> list[History]:
    """Some histories that came to their end."""
    found = (past for number in range(HISTORIES) if (past := history(game, number)).ending)
    return list(islice(found, ENDED))


@pytest.mark.parametrize("game", EVERY_GAME, ids=lambda game: game.card.slug)
def test_the_last_line_shows_every_secret_to_everybody(game: Game[Any]) -> None:
    pasts = ended(game)
    assert len(pasts) == ENDED
    hidden = 0
    for past in pasts:
        match = past.match()
        play(match, past.attempts)
        hidden += SHOWN[past.slug](match.view(None).state) != latest(match)
        play(match, [past.ending])
        for reader in READERS:
            assert SHOWN[past.slug](match.view(reader).state) == latest(match)
    assert hidden >= ENDED // 2  # in Grid Conquest everybody may have seen every value before


@pytest.mark.parametrize("game", EVERY_GAME, ids=lambda game: game.card.slug)
def test_the_closing_opens_every_commitment(game: Game[Any]) -> None:
    for past in ended(game):
        match = past.match()
        told = [*match.announce_start(), *play(match, (*past.attempts, past.ending))]
        sealed = [announcement.event.commit for announcement in told if announcement.event.commit]
        *_, over = make_closing(match)
        assert isinstance(over, Over)
        assert [(commit.what, commit.hash) for commit in sealed] == [
            (opened.what, sha256(f"{opened.nonce}:{opened.what}={opened.value}".encode()).hexdigest())
            for opened in over.reveal
        ]
