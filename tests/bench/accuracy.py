"""The accuracy that the analysis gives each level, and what an analysis costs, as tables.

`python -m tests.bench.accuracy [--games N] [--from N] [--game SLUG]`, from the project's root. Each level, and a player
of random legal lines, plays against hard. A mean has its 95 % interval. The numbers of the games give their seeds:
the scale was chosen on other games than the default ones.
"""

import argparse
import sys
from collections.abc import Sequence
from dataclasses import dataclass, field
from math import sqrt
from time import process_time
from typing import Any

from gridgames_server.analysis.analyse import NO_CHANCES, GameRecord, analyse
from gridgames_server.bots import BOTS
from gridgames_server.games import GAMES
from gridgames_server.games.game import Game
from tests.bench.exploit.play import play
from tests.bench.strength import NAMES, Z, players, seating, secret

FRESH = 100_000  # the number of the first game
MEASURED = tuple(game for game in GAMES if game.card.slug in BOTS)


@dataclass(slots=True)
class Ratings:
    """The accuracies of one player, and the seconds of CPU that each analysis took."""

    found: list[int] = field(default_factory=list)
    seconds: list[float] = field(default_factory=list)

    @property
    def mean(self) -> float:
        return sum(self.found) / len(self.found)

    def __str__(self) -> str:
        spread = sum((one - self.mean) ** 2 for one in self.found) / len(self.found)
        return f"{self.mean:.1f} (± {Z * sqrt(spread / len(self.found)):.1f})"


def rate_player(game: Game[Any], name: str, numbers: range) -> Ratings:
    """Let a player play against hard, and analyse each game."""
    ratings, slug = Ratings(), game.card.slug
    player = players(slug)[name]

    for number in numbers:
        played = play(game, player, "hard", number)
        seat, first = seating(number)
        record = GameRecord(slug, secret("exploit", slug, number), first, played.lines, played.winner)
        began = process_time()
        analysis = analyse(record)
        ratings.seconds.append(process_time() - began)
        accuracy = analysis.accuracy[seat - 1] if analysis else None
        if accuracy is not None:
            ratings.found.append(accuracy)
    return ratings


def main(typed: Sequence[str]) -> None:
    """Play, analyse, and print a row for each game."""
    parser = argparse.ArgumentParser(prog="tests.bench.accuracy", description="Rate the levels by the analysis.")
    parser.add_argument("--games", type=int, default=400, help="for each game and player (default %(default)s)")
    parser.add_argument("--from", type=int, default=FRESH, dest="start", help="first game (default %(default)s)")
    parser.add_argument("--game", choices=[game.card.slug for game in MEASURED], help="this game alone")
    options = parser.parse_args(typed)
    print(f"| game | {' | '.join(NAMES)} | ms an analysis | longest |", "| --- " * 7 + "|", sep="\n", flush=True)
    for game in MEASURED:
        if options.game in (None, game.card.slug) and (options.game or game.card.slug not in NO_CHANCES):
            rated = [rate_player(game, name, range(options.start, options.start + options.games)) for name in NAMES]
            seconds = [second for ratings in rated for second in ratings.seconds]
            times = f"{1_000 * sum(seconds) / len(seconds):.0f} | {1_000 * max(seconds):.0f}"
            print(f"| {game.card.title} | {' | '.join(map(str, rated))} | {times} |", flush=True)


if __name__ == "__main__":
    main(sys.argv[1:])
