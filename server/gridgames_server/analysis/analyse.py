"""Analyses a finished game: the chances after each move and after the best one, accuracy, luck, the deciding move."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from math import exp
from typing import Any

from gridgames_protocol.messages import AnalysedMove, Analysis, Judgement, Show
from gridgames_protocol.views import Turning
from gridgames_server.analysis.line_values import RIVALS, VALUES, list_hard_lines, value_lines
from gridgames_server.games import GAMES, VARIANTS
from gridgames_server.games.game import IN_ORDER, Game
from gridgames_server.games.match import Match
from gridgames_server.games.seats import other, player

MOVES_MAX = 200  # only so many moves are valued, to limit the time; a usual game has 40
# Analyses that are kept. Players see that of their finished game, and often ask for it again from their history. A
# usual one takes some kilobytes with its game, one of 4,000 lines half a megabyte.
ANALYSES_KEPT = 64
THOUSAND = 1_000
MARKS: tuple[tuple[float, Judgement], ...] = ((0.15, "??"), (0.10, "?"), (0.05, "?!"))  # at a loss of so much
# The mean loss of a move at which accuracy has fallen to 37. In Quantum Duel most moves lose little.
FORGIVING = {
    "treasure-hunt-duel": 0.07,
    "grid-hunt": 0.16,
    "grid-conquest": 0.08,
    "quantum-duel": 0.05,
    "secret-paths": 0.25,
}
UNTOLD: AnalysedMove = (None, None, "", "none")
NO_CHANCES = frozenset({"secret-paths"})  # a draw with perfect play: only the marks are sent


@dataclass(frozen=True, slots=True)
class GameRecord:
    """A finished game: what a replay needs, and the winner."""

    slug: str
    seed: bytes = field(repr=False)
    first: int
    lines: tuple[tuple[int, str], ...] = field(repr=False)  # accepted ones, fouls included
    winner: int | None
    variant: str | None = None


@dataclass(frozen=True, slots=True)
class JudgedMove:
    """A move, its value for its mover, and the best line with its value."""

    move: int  # its place among the moves
    round: int
    seat: int
    line: str
    value: float
    best: float
    best_line: str
    loss: float  # 0 for a line that the hard bot may play


def analyse(record: GameRecord) -> Analysis | None:
    """Analyse a game, or return None if its lines have no values. It is slow: some milliseconds a move."""
    game = find_game(record.slug, record.variant)
    if game is None or record.variant is not None or record.slug not in VALUES:  # variants have no values
        return None
    match = Match(game, record.seed, record.first)
    judged = list(judge_moves(match, record))
    count = sum(not line.foul for line in match.lines)
    moves = [UNTOLD] * min(count, THOUSAND)
    for one in judged:
        moves[one.move] = describe_move(one, with_chances=record.slug not in NO_CHANCES)
    is_decided = match.outcome is not None  # by its lines: who resigns or runs out of time has no bad luck
    return Analysis(
        moves=tuple(moves),
        accuracy=(rate_accuracy(record.slug, judged, 1), rate_accuracy(record.slug, judged, 2)),
        luck=(measure_luck(record, judged, 1), measure_luck(record, judged, 2)) if is_decided else (None, None),
        rival=RIVALS[record.slug],
        turning=find_turning(record, judged),
        seats=tuple(line.seat for line in match.lines if not line.foul)[: len(moves)],
    )


find_analysis = lru_cache(ANALYSES_KEPT)(analyse)


def find_game(slug: str, variant: str | None) -> Game[Any] | None:
    """Return the game with this slug, in a variant if one is named."""
    if variant is not None:
        return VARIANTS.get((slug, variant))
    return next((game for game in GAMES if game.card.slug == slug), None)


def judge_moves(match: Match, record: GameRecord) -> Iterator[JudgedMove]:
    """Replay the game, and value each move by its mover's view before it."""
    made = 0
    for seat, text in record.lines:
        show = make_show(match, seat)
        values = value_lines(record.slug, show) if made < MOVES_MAX else {}
        mixed = list_hard_lines(record.slug, show) if len(values) > 1 else frozenset()
        before, played_in = match.state, match.round
        foul = match.play(seat, text).foul
        if foul:
            continue
        if len(values) > 1:
            line = name_line(match, before, seat, text, values)
            best_line = max(values, key=values.__getitem__)
            loss = 0.0 if line in mixed else values[best_line] - values[line]
            yield JudgedMove(made, played_in, seat, line, values[line], values[best_line], best_line, loss)
        made += 1


def make_show(match: Match, seat: int) -> Show:
    """Return a seat's view now."""
    return Show("", match.line_count, IN_ORDER[match.to_act()], seat, match.view(seat))


def name_line(match: Match, before: Any, seat: int, text: str, lines: Iterable[str]) -> str:
    """Return the line of the list that has the same effect as the typed one: a cell can be written in several ways."""
    typed = " ".join(text.upper().split())
    if typed in set(lines):
        return typed
    return next(line for line in lines if match.game.play(before, seat, line).state == match.state)


def judge(loss: float) -> Judgement:
    """Return the mark for a loss."""
    return next((mark for least, mark in MARKS if loss >= least), "none")


def describe_move(one: JudgedMove, with_chances: bool) -> AnalysedMove:
    """Return a move as it is sent."""
    mark = judge(one.loss)
    if not with_chances:
        return (None, None, one.best_line if mark != "none" else "", mark)
    return (count_thousandths(one.value), count_thousandths(one.best), one.best_line, mark)


def count_thousandths(chance: float) -> int:
    return round(THOUSAND * min(1.0, max(0.0, chance)))


def rate_accuracy(slug: str, judged: Sequence[JudgedMove], seat: int) -> int | None:
    """Return a seat's accuracy from 0 to 100, by the mean loss of its moves, or None without moves."""
    losses = [one.loss for one in judged if one.seat == seat]
    if not losses:
        return None
    return round(100 * exp(-sum(losses) / len(losses) / FORGIVING[slug]))


def measure_luck(record: GameRecord, judged: Sequence[JudgedMove], seat: int) -> int | None:
    """Return a seat's luck in thousandths of a win, from -1000 to 1000: the result, minus what the moves explain.

    One seat's luck is the other's bad luck.
    """
    played = {one.seat for one in judged}
    if seat not in played or record.slug in NO_CHANCES:
        return None
    result = 0.5 if record.winner is None else float(record.winner == seat)
    expected = expect_result(judged, seat)
    if other(seat) in played:
        expected = (expected + 1 - expect_result(judged, other(seat))) / 2
    return round(THOUSAND * (result - expected))


def expect_result(judged: Sequence[JudgedMove], seat: int) -> float:
    """Return the chance that a seat had at its first move, less what its moves lost, plus what the other's lost."""
    chance = next(one.best for one in judged if one.seat == seat)
    chance += sum(one.loss if one.seat != seat else -one.loss for one in judged)
    return min(1.0, max(0.0, chance))


def find_turning(record: GameRecord, judged: Sequence[JudgedMove]) -> Turning | None:
    """Return the move that decided the game, which is the loser's worst one, or None if no move lost much."""
    if record.winner is None:
        return None
    own = [one for one in judged if one.seat == other(record.winner)]
    worst = max(own, key=lambda one: one.loss, default=None)
    if worst is None or judge(worst.loss) == "none":
        return None
    return Turning(worst.move, describe_turning(record.slug, worst), worst.round)


def describe_turning(slug: str, worst: JudgedMove) -> str:
    """Return a sentence about the deciding move."""
    who = player(worst.seat)
    if slug in NO_CHANCES:
        return f"{who} played {worst.line}, which let the other win; {worst.best_line} was safe."
    value, best = round(100 * worst.value), round(100 * worst.best)
    # "Worth": the values come from what the player knew before the answer, which may have been a lucky one.
    return f"{who} played {worst.line}, worth a {value} % chance to win. {worst.best_line} was worth {best} %."
