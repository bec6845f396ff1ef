"""A shelf of finished games, and a controller before it: every question is answered as the server answers it.

seat = at_shelf(in_lobby(), finished(1, "grid-hunt"), finished(2, "quantum-duel"))
seat.controller.submit("replay 2")
assert seat.controller.page.shown.step == 0
"""

import json
from collections.abc import Iterator, Sequence
from dataclasses import replace
from datetime import UTC, datetime

from gridgames_protocol.messages import (
    AnalysedMove,
    Analysis,
    AskAnalysis,
    AskHistory,
    AskReplay,
    AskStandings,
    PastGame,
    Push,
    Replay,
    Request,
)
from gridgames_protocol.views import Turning
from gridgames_server.games import GAMES
from gridgames_server.storage.history_answers import PAGE, FinishedGame, QueryResult, build_answer
from tests.client.game_scripts import story
from tests.client.seated_controllers import Scenario, Seat

ME = 10  # what the store calls the player at the controller
SCENARIO = 1_785_600_000  # seconds since 1970
ROWS = (("Ada", 12, 7, 1), ("編集者編集者編集", 3, 2, 0), ("Bot (hard)", 12, 2, 1))  # name, played, won, drawn


def finished(
    number: int, slug: str, other: str = "Bo", seat: int = 1, edition: int = 1, moment: str = "end"
) -> FinishedGame:
    """A game that is over, as the store has it. Its story is one in which nothing was drawn by lot."""
    return as_kept(number, slug, story(slug, moment), other, seat, edition)


def as_kept(
    number: int, slug: str, scenario: Scenario, other: str = "Bo", seat: int = 1, edition: int = 1
) -> FinishedGame:
    """A scenario's game as the store has it."""
    match = scenario.table.match
    ended = match.outcome
    winner, reason, text = (
        (ended.winner, ended.reason, ended.text) if ended else (1, "resigned", "Player 2 has resigned.")
    )
    players, names = ((ME, 11), ("Ada", other)) if seat == 1 else ((11, ME), (other, "Ada"))
    lines = json.dumps([[line.seat, line.text] for line in match.lines])
    return FinishedGame(
        number, slug, edition, match.seed, 1, players, names, lines, winner, reason, text, SCENARIO + 60 * number
    )


JUDGED: tuple[AnalysedMove, ...] = (
    (816, 816, "DIG 1,1", "none"),
    (460, 512, "DIG 1,2", "none"),
    (205, 600, "DIG 5,5", "??"),
    (500, 640, "SCAN 1,1", "?"),
    (330, 410, "SCAN 2,2", "?!"),
    (None, None, "", "none"),
)


def analysis(seats: Sequence[int]) -> Analysis:
    """An analysis of moves by these seats. No computer player made it, so that none can change it."""
    moves = tuple(JUDGED[number % len(JUDGED)] for number in range(len(seats)))
    turning = (
        Turning(2, "Player 1 played SCAN 3,3: a chance of 20 %. With DIG 5,5 it was 60 %.") if len(moves) > 2 else None
    )
    return Analysis(moves, (61, 55), (282, -531), "a rival of the tests", turning, seats=tuple(seats))


class Shelf:
    """What the server has kept."""

    def __init__(self, *games: FinishedGame, analyses: bool = False) -> None:
        self.games = sorted(games, key=lambda game: -game.number)
        self.analyses = analyses  # by the server's own analysis

    def answers(self, request: Request) -> Push:
        """The answer to a question about finished games."""
        match request:
            case AskHistory(before=before):
                older = tuple(game for game in self.games if before is None or game.number < before)
                return build_answer(request, QueryResult(games=older[: PAGE + 1]), ME, GAMES)
            case AskAnalysis(game=number) if not self.analyses:
                found = next(game for game in self.games if game.number == number)
                return replace(analysis([seat for seat, _ in json.loads(found.lines)]), number=number, re=1)
            case AskReplay(game=number) | AskAnalysis(game=number):
                found = tuple(game for game in self.games if game.number == number)
                return build_answer(request, QueryResult(games=found), ME, GAMES)
            case AskStandings(game=game):
                return build_answer(request, QueryResult(rows=() if game == "secret-paths" else ROWS), ME, GAMES)
        raise AssertionError(request)


def at_shelf(seat: Seat, *games: FinishedGame, analyses: bool = False) -> Seat:
    """The seat, whose questions about finished games are answered at once; other requests go where they went."""
    shelf, elsewhere = Shelf(*games, analyses=analyses), seat.controller.ask

    def ask(request: Request) -> None:
        if isinstance(request, AskHistory | AskReplay | AskStandings | AskAnalysis):
            seat.asked.append(request)
            seat.controller.on_reply(request, shelf.answers(request))
        else:
            elsewhere(request)

    seat.controller.ask, seat.controller.format_time = ask, day
    return seat


def day(seconds: int) -> str:
    """A time as it is written in no time zone of its own."""
    return datetime.fromtimestamp(seconds, UTC).strftime("%Y-%m-%d %H:%M")


def past(kept: FinishedGame) -> PastGame:
    """A game as the list has it."""
    history = Shelf(kept).answers(AskHistory(1))
    return history.games[0]  # type: ignore[union-attr]


def steps(kept: FinishedGame, eyes: int = 1) -> Iterator[tuple[AskReplay, Replay]]:
    """Every step of a game, with the question that it answers."""
    for step in range(len(kept.moves()) + 1):
        question = AskReplay(1, kept.number, step, eyes)
        reply = Shelf(kept).answers(question)
        assert isinstance(reply, Replay)
        yield question, reply
