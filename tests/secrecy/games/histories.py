"""Random histories: who typed what, good lines and bad ones, until the game ended or they stopped."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from random import Random
from typing import Any, Literal, NamedTuple

from gridgames_protocol.views import Card, Review, View
from gridgames_server.errors import Refusal
from gridgames_server.games.game import Chance, Game, Outcome, Step
from gridgames_server.games.match import Match
from gridgames_server.games.possibilities import Moment, Possibilities
from gridgames_server.games.seats import SEATS, Reader, other
from gridgames_server.values import value
from tests.secrecy.games.phrases import NONSENSE, PHRASES, SETUP_VERBS, Utterance, draws

LENGTHS = (1, 1, 2, 2, 3, 3, 4, 5, 6, 8, 12, 30)  # moves: first steps often, and now and then more than a view keeps
REFUSED_KEPT = 0.5  # of the refused lines that are tried; two good lines on one bad one, about
FOULS_KEPT = 0.2  # of those that would be kept as refused lines: a game has far more fouls to try than moves
NONSENSE_SHARE, UNFIT_SHARE = 0.2, 0.15  # of all tries
OUT_OF_TURN_SHARE = 0.1  # of the tries whose refusal is kept
TRIES = 30  # for the next line to be played; a patient history has nothing left but lines that end it

ALL_LINES = {slug: tuple(phrases) for slug, phrases in PHRASES.items()}
SETUP_LINES = {
    slug: tuple(line for line, move in phrases.items() if move.verb in SETUP_VERBS) for slug, phrases in PHRASES.items()
}
PLAY_LINES = {
    slug: tuple(line for line, move in phrases.items() if move.verb not in SETUP_VERBS)
    for slug, phrases in PHRASES.items()
}


class Attempt(NamedTuple):
    """A line somebody typed, and what became of it."""

    seat: int
    line: str
    verdict: Literal["played", "foul", "refused"]


@dataclass(frozen=True)
class History:
    """What the server drew and what was typed, up to the line that ended it, if any; that line stands apart."""

    game: Game[Any]
    number: int
    first: int
    draws: Mapping[str, int]
    attempts: tuple[Attempt, ...]
    ending: Attempt | None = None
    assist: bool = False

    @property
    def slug(self) -> str:
        return self.game.card.slug

    def match(self, drawn: Mapping[str, int] | None = None) -> Match:
        """The match before its first line, in this world or in one where the server drew something else."""
        game = Rigged(self.game, self.draws if drawn is None else drawn)
        return Match(game, seed_of(self.number), self.first, assist=self.assist)

    @cached_property
    def moves(self) -> list[tuple[int, int, Utterance]]:
        """The lines that were played: index, seat, meaning."""
        return [
            (index, attempt.seat, PHRASES[self.slug][attempt.line])
            for index, attempt in enumerate(self.attempts)
            if attempt.verdict == "played"
        ]


@value
class RiggedChance(Chance):
    """Chance that falls as it is told."""

    told: Mapping[str, int] = field(default_factory=dict, repr=False)

    def below(self, bound: int, label: str) -> int:
        return self.told[label] if label in self.told else Chance.below(self, bound, label)


@dataclass(frozen=True, slots=True, repr=False)
class Rigged:
    """A game that starts with rigged chance and is itself in everything else."""

    game: Game[Any]
    draws: Mapping[str, int]

    @property
    def card(self) -> Card:
        return self.game.card

    def start(self, chance: Chance, first: int) -> Step[Any]:
        return self.game.start(RiggedChance(chance.seed, self.draws), first)

    def to_act(self, state: Any) -> frozenset[int]:
        return self.game.to_act(state)

    def play(self, state: Any, seat: int, line: str) -> Step[Any]:
        return self.game.play(state, seat, line)

    def view(self, state: Any, reader: Reader) -> View:
        return self.game.view(state, reader)

    def claim(self, state: Any, seat: int) -> Outcome | None:
        return self.game.claim(state, seat)

    def possibilities(self, state: Any, seat: int) -> Possibilities:
        return self.game.possibilities(state, seat)

    def review(self, moments: Sequence[Moment[Any]]) -> Review | None:
        return self.game.review(moments)


def seed_of(number: int) -> bytes:
    """A match's secret seed; it decides the nonces, since the draws are rigged."""
    return number.to_bytes(32, "big")


def recorded(
    game: Game[Any], first: int, typed: Iterable[tuple[int, str]], drawn: Mapping[str, int] | None = None
) -> History:
    """The history that these lines make."""
    past = History(game, 0, first, drawn or {}, ())
    match = past.match()
    return replace(past, attempts=tuple(judged(match, seat, line) for seat, line in typed))


def judged(match: Match, seat: int, line: str) -> Attempt:
    """A line that is typed, with what became of it."""
    try:
        return Attempt(seat, line, "foul" if match.play(seat, line).foul else "played")
    except Refusal:
        return Attempt(seat, line, "refused")


def history(game: Game[Any], number: int) -> History:
    """The history with this number: the same for the same game and number, whatever else was played."""
    chance = Random(f"{game.card.slug}/{number}")
    assist = number // 3 % 2 == 1  # three in a row are for the three readers
    blank = History(game, number, chance.choice(SEATS), draws(game.card.slug, chance), (), assist=assist)
    match, attempts = blank.match(), []
    length, patient = chance.choice(LENGTHS), chance.random() < 0.5
    tries = 0
    while len(match.moves()) < length and tries < TRIES:
        known = match.line_count
        attempt = tried(match, chance, patient)
        if match.outcome:
            return replace(blank, attempts=tuple(attempts), ending=attempt)
        attempts += [attempt] if attempt else []
        tries = tries + 1 if match.line_count == known else 0
    return replace(blank, attempts=tuple(attempts))


def tried(match: Match, chance: Random, patient: bool) -> Attempt | None:
    """One more line, played if it can be; None where it is thrown away."""
    seat = chance.choice(sorted(match.to_act()))
    kept = chance.random() < REFUSED_KEPT
    if kept and chance.random() < OUT_OF_TURN_SHARE:
        seat = other(seat)
    foul_kept = kept and chance.random() < FOULS_KEPT
    line = chance.choice(lines_to_try(match, chance))
    try:
        if seat in match.to_act() and unwanted(match.game.play(match.state, seat, line), foul_kept, patient):
            return None
    except Refusal:
        if not kept:
            return None
    return judged(match, seat, line)


def lines_to_try(match: Match, chance: Random) -> tuple[str, ...]:
    """Nonsense, or lines of the game, mostly such as fit the moment."""
    slug, kind = match.game.card.slug, chance.random()
    if kind < NONSENSE_SHARE:
        return NONSENSE
    if kind < NONSENSE_SHARE + UNFIT_SHARE:
        return ALL_LINES[slug]
    return (match.line_count < 2 and SETUP_LINES[slug]) or PLAY_LINES[slug]


def unwanted(step: Step[Any], foul_kept: bool, patient: bool) -> bool:
    """True for a foul too many, and for the end of a history that should go on."""
    return bool((step.foul and not foul_kept) or (step.state.outcome and patient))
