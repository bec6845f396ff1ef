"""What each level loses a line, by the bots' own values, and how many of its moves no person makes, as tables.

`python -m tests.bench.losses [--games N]`, from the project's root. A line's loss is the value of the best line less
its own, in points of a hundred. Each level plays against hard. Setups are not counted in losses, nor turns with one
line alone.
"""

import argparse
import sys
from collections.abc import Sequence
from typing import Any, get_args

from gridgames_protocol.messages import Level, Show
from gridgames_server.bots import STRATEGIES, VALUES
from gridgames_server.bots.policy import draw
from gridgames_server.games import GAMES
from gridgames_server.games.game import Chance, Game
from tests.bench.exploit.play import Share, play
from tests.bench.odd_moves import IS_ODD

LEVELS: tuple[Level, ...] = get_args(Level)


def expected_loss(slug: str, show: Show, level: Level) -> float | None:
    """What a level loses on average with its next line; None where there is nothing to choose."""
    values = VALUES[slug](show)
    if len(values) < 2:
        return None
    best = max(values.values())
    return sum(chance * (best - values.get(line, 0.0)) for line, chance in STRATEGIES[slug](show, level).items())


def mean_loss(game: Game[Any], level: Level, games: int) -> float:
    """The mean over all lines of a level in some games against hard."""
    losses: list[float] = []
    slug = game.card.slug

    def measured(show: Show, chance: Chance) -> str:
        loss = expected_loss(slug, show, level)
        if loss is not None:
            losses.append(loss)
        return draw(chance, STRATEGIES[slug](show, level), f"line {show.rev}")

    for number in range(games):
        play(game, measured, "hard", number)
    return sum(losses) / len(losses)


def odd_share(game: Game[Any], level: Level, games: int) -> Share:
    """The share of a level's moves that no person makes, in some games against hard."""
    odd: list[bool] = []
    slug = game.card.slug

    def counted(show: Show, chance: Chance) -> str:
        line = draw(chance, STRATEGIES[slug](show, level), f"line {show.rev}")
        odd.append(IS_ODD[slug](show, line))
        return line

    for number in range(games):
        play(game, counted, "hard", number)
    return Share(sum(odd), len(odd))


def main(typed: Sequence[str]) -> None:
    """Play, and print a row for each game in each of the tables."""
    parser = argparse.ArgumentParser(prog="tests.bench.losses", description="Measure what each level loses a line.")
    parser.add_argument("--games", type=int, default=100, help="for each game and level (default %(default)s)")
    games = parser.parse_args(typed).games
    for title, cell in (
        ("points lost a line", lambda game, level: f"{100 * mean_loss(game, level, games):.1f}"),
        ("moves that no person makes", lambda game, level: str(odd_share(game, level, games))),
    ):
        print(f"| {title} | {' | '.join(LEVELS)} |", "| --- | --- | --- | --- |", sep="\n", flush=True)
        for game in (game for game in GAMES if game.card.slug in STRATEGIES):
            print(f"| {game.card.title} | {' | '.join(cell(game, level) for level in LEVELS)} |", flush=True)
        print()


if __name__ == "__main__":
    main(sys.argv[1:])
