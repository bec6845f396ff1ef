"""Chance that falls as it is told: what the server draws, and what each game is dealt."""

import hashlib
from collections.abc import Mapping
from itertools import count
from typing import Any

from gridgames_protocol.views import Card, View
from gridgames_server.games.game import Chance, Game, Step
from gridgames_server.games.seats import Reader
from tests.secrecy.games.histories import RiggedChance

BUG = "crash"  # a line that brings a bug to light


class Luck:
    """Bytes that look random and are the same in every world; the last ones are known."""

    def __init__(self) -> None:
        self.last = b""
        self.drawn = count()

    def __call__(self, size: int) -> bytes:
        self.last = hashlib.sha512(b"%d" % next(self.drawn)).digest()[:size]
        return self.last


class Dealer:
    """A game that is dealt as it is told, and that has a bug. It is itself in everything else."""

    def __init__(self, game: Game[Any]) -> None:
        self.game = game
        self.draws: Mapping[str, int] = {}  # of the next deal
        self.dealt: dict[bytes, Mapping[str, int]] = {}  # by seed: what is played again is dealt the same again

    @property
    def card(self) -> Card:
        return self.game.card

    def start(self, chance: Chance, first: int) -> Step[Any]:
        draws = self.dealt.setdefault(chance.seed, self.draws)
        return self.game.start(RiggedChance(chance.seed, draws), first)

    def to_act(self, state: Any) -> frozenset[int]:
        return self.game.to_act(state)

    def play(self, state: Any, seat: int, line: str) -> Step[Any]:
        if line == BUG:
            raise RuntimeError(state)
        return self.game.play(state, seat, line)

    def view(self, state: Any, reader: Reader) -> View:
        return self.game.view(state, reader)

    def __getattr__(self, name: str) -> Any:
        return getattr(self.game, name)
