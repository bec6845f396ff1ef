"""How strong the computer players are: a round robin of the levels and a random legal player, as a table.

`python -m tests.bench.strength [--games N] [--hard-random N] [--game SLUG] [--pair A B] [--workers N] [--json]`, from
the project's root. Seats and the first move alternate, so that four games in a row hold every combination. The same
games are played every time, however many processes share them: each game has its seeds from its number.
"""

import argparse
import json
import math
import multiprocessing
import os
import sys
from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, field
from hashlib import sha256
from itertools import combinations
from time import process_time
from typing import Any

from gridgames_protocol.messages import Level, Show
from gridgames_server.bots import BOTS
from gridgames_server.bots.policy import Policy, list_legal_lines, pick
from gridgames_server.games import GAMES
from gridgames_server.games.game import Chance, Game
from gridgames_server.games.match import Match

NAMES = ("hard", "medium", "easy", "random")
PAIRS = tuple(combinations(NAMES, 2))
HARD_RANDOM = ("hard", "random")
Z = 1.959964  # standard deviations on each side of 95 %
STINT = 200  # games that a process plays at a time

Player = Callable[[Show, Chance], str]


@dataclass(slots=True)
class Pace:
    """How long a player's moves took, in milliseconds."""

    moves: int = 0
    total: float = 0.0
    longest: float = 0.0

    def add(self, milliseconds: float) -> None:
        self.moves += 1
        self.total += milliseconds
        self.longest = max(self.longest, milliseconds)

    def join(self, more: "Pace") -> None:
        self.moves, self.total = self.moves + more.moves, self.total + more.total
        self.longest = max(self.longest, more.longest)

    @property
    def mean(self) -> float:
        return self.total / self.moves if self.moves else 0.0


@dataclass(slots=True)
class Pairing:
    """Two players at one game, and how it went for the one named first."""

    game: Game[Any]
    pair: tuple[str, str]
    won: int = 0
    drawn: int = 0
    lost: int = 0
    paces: tuple[Pace, Pace] = field(default_factory=lambda: (Pace(), Pace()))

    @property
    def games(self) -> int:
        return self.won + self.drawn + self.lost

    @property
    def share(self) -> float:
        """Of the points, a draw being half a point for each."""
        return (self.won + self.drawn / 2) / self.games

    def count(self, winner: int | None, seat: int) -> None:
        """Count a game in which the player named first had that seat."""
        self.won += winner == seat
        self.drawn += winner is None
        self.lost += winner not in (seat, None)

    def join(self, more: "Pairing") -> None:
        """Add games of the same two."""
        self.won, self.drawn, self.lost = self.won + more.won, self.drawn + more.drawn, self.lost + more.lost
        for pace, other in zip(self.paces, more.paces, strict=True):
            pace.join(other)


def wilson(share: float, games: int) -> tuple[float, float]:
    """The 95 % interval of Wilson around a share of the points."""
    middle = (share + Z * Z / (2 * games)) / (1 + Z * Z / games)
    reach = Z * math.sqrt(share * (1 - share) / games + Z * Z / (4 * games * games)) / (1 + Z * Z / games)
    return min(share, max(0.0, middle - reach)), max(share, min(1.0, middle + reach))  # against rounding


def at_random(show: Show, chance: Chance) -> str:
    """The random player: any legal line, each as likely as the others."""
    return pick(chance, list_legal_lines(show), f"line {show.rev}")


def levelled(policy: Policy, level: Level) -> Player:
    """A bot that plays at one level."""
    return lambda show, chance: policy(show, level, chance)


def players(slug: str) -> dict[str, Player]:
    """Everybody who can play a game."""
    policy = BOTS[slug]
    levels: tuple[Level, ...] = ("hard", "medium", "easy")
    return {**{level: levelled(policy, level) for level in levels}, "random": at_random}


def secret(*parts: object) -> bytes:
    """The seed of a game or of a player in it."""
    return sha256("/".join(map(str, parts)).encode()).digest()


def play(game: Game[Any], seats: Sequence[Player], first: int, number: int, paces: Sequence[Pace]) -> int | None:
    """One game to its end; who won, or None."""
    slug = game.card.slug
    match = Match(game, secret(slug, number), first)
    chances = [Chance(secret(slug, number, seat)) for seat in (1, 2)]
    while to_act := match.to_act():
        seat = min(to_act)
        show = Show("ABCDEF", match.line_count, tuple(sorted(to_act)), seat, match.view(seat))
        began = process_time()
        line = seats[seat - 1](show, chances[seat - 1])
        paces[seat - 1].add((process_time() - began) * 1_000)
        match.play(seat, line)
    assert match.outcome
    return match.outcome.winner


def seating(number: int) -> tuple[int, int]:
    """The seat of the player named first, and the seat that moves first: all four combinations in turn."""
    return 1 + number % 2, 1 + number // 2 % 2


def meet(game: Game[Any], pair: tuple[str, str], numbers: range) -> Pairing:
    """Let two players meet in some games, seats and first move alternating."""
    everybody, pairing = players(game.card.slug), Pairing(game, pair)
    one, two = (everybody[name] for name in pair)
    pace_one, pace_two = pairing.paces
    for number in numbers:
        seat, first = seating(number)
        seats, paces = ((one, two), (pace_one, pace_two)) if seat == 1 else ((two, one), (pace_two, pace_one))
        pairing.count(play(game, seats, first, number, paces), seat)
    return pairing


@dataclass(frozen=True, slots=True)
class Stint:
    """Some games of a pair, for one process to play."""

    game: Game[Any]
    pair: tuple[str, str]
    numbers: range

    def play(self) -> Pairing:
        return meet(self.game, self.pair, self.numbers)


def stints(game: Game[Any], pair: tuple[str, str], games: int) -> list[Stint]:
    """The games of a pair, in parts."""
    return [Stint(game, pair, range(at, min(at + STINT, games))) for at in range(0, games, STINT)]


def played(parts: Sequence[Stint], workers: int) -> list[Pairing]:
    """Every pair at every game, from parts that several processes play at once."""
    if workers == 1:
        return joined(map(Stint.play, parts))
    with ProcessPoolExecutor(workers, multiprocessing.get_context("spawn")) as pool:
        return joined(pool.map(Stint.play, parts))


def joined(parts: Iterable[Pairing]) -> list[Pairing]:
    """One pairing for the same two at the same game."""
    found: dict[tuple[str, tuple[str, str]], Pairing] = {}
    for part in parts:
        found.setdefault((part.game.card.slug, part.pair), Pairing(part.game, part.pair)).join(part)
    return list(found.values())


def row(cells: Iterable[str]) -> str:
    return f"| {' | '.join(cells)} |"


def table(pairings: Sequence[Pairing]) -> str:
    """Markdown: a row for each game, and for each pair the share of the points of the one named first."""
    pairs = list(dict.fromkeys(pairing.pair for pairing in pairings))
    titles = list(dict.fromkeys(pairing.game.card.title for pairing in pairings))
    found = {(pairing.game.card.title, pairing.pair): pairing for pairing in pairings}
    lines = [row(["game", *(" against ".join(pair) for pair in pairs)]), row(["---"] * (1 + len(pairs)))]
    lines += [row([title, *(percent(found[title, pair]) for pair in pairs)]) for title in titles]
    return "\n".join(lines)


def percent(pairing: Pairing) -> str:
    low, high = wilson(pairing.share, pairing.games)
    return f"{pairing.share:.1%} ({low:.1%} to {high:.1%})".replace("%", " %")


def paces_table(pairings: Sequence[Pairing]) -> str:
    """Markdown: milliseconds a move for each game and level, mean and longest."""
    lines = [row(["game", "player", "mean ms a move", "longest ms"]), row(["---"] * 4)]
    merged: dict[tuple[str, str], Pace] = {}
    for pairing in pairings:
        for player, pace in zip(pairing.pair, pairing.paces, strict=True):
            merged.setdefault((pairing.game.card.title, player), Pace()).join(pace)
    lines += [row([*who, f"{pace.mean:.2f}", f"{pace.longest:.1f}"]) for who, pace in merged.items()]
    return "\n".join(lines)


def as_json(pairings: Sequence[Pairing]) -> str:
    """The same for programs."""
    rows = [
        {
            "game": pairing.game.card.slug,
            "pair": pairing.pair,
            "won": pairing.won,
            "drawn": pairing.drawn,
            "lost": pairing.lost,
            "share": pairing.share,
            "interval": wilson(pairing.share, pairing.games),
            "milliseconds": [{"mean": pace.mean, "longest": pace.longest} for pace in pairing.paces],
        }
        for pairing in pairings
    ]
    return json.dumps(rows, indent=2)


def arguments(typed: Sequence[str]) -> argparse.Namespace:
    """What was typed behind the program's name."""
    slugs = [game.card.slug for game in GAMES if game.card.slug in BOTS]
    parser = argparse.ArgumentParser(prog="tests.bench.strength", description="Let the computer players meet.")
    parser.add_argument("--games", type=int, default=1_000, help="for each pair and game (default %(default)s)")
    parser.add_argument("--hard-random", type=int, metavar="N", help="for hard against random, if others than --games")
    parser.add_argument("--game", choices=slugs, help="this game alone")
    parser.add_argument("--pair", nargs=2, choices=NAMES, help="these two alone")
    parser.add_argument("--workers", type=int, default=os.cpu_count(), help="processes (default %(default)s)")
    parser.add_argument("--json", action="store_true", help="for programs instead of a table")
    return parser.parse_args(typed)


def told(sizes: dict[tuple[str, str], int]) -> str:
    """How many games each pair played."""
    return f"Games: {', '.join(f'{one} against {two} {games:,}' for (one, two), games in sizes.items())}."


def main(typed: Sequence[str]) -> None:
    """Play, and print what came of it."""
    options = arguments(typed)
    chosen = [game for game in GAMES if game.card.slug in BOTS and options.game in (None, game.card.slug)]
    pairs = [tuple(options.pair)] if options.pair else PAIRS
    sizes = {pair: (options.hard_random or options.games) if pair == HARD_RANDOM else options.games for pair in pairs}
    parts = [part for game in chosen for pair in pairs for part in stints(game, pair, sizes[pair])]
    pairings = played(parts, options.workers)
    if options.json:
        print(as_json(pairings))
        return
    print("Share of the points of the player named first, with 95 % intervals.", told(sizes), sep="\n", end="\n\n")
    print(table(pairings), paces_table(pairings), sep="\n\n")


if __name__ == "__main__":
    main(sys.argv[1:])
