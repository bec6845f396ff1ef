"""Functions that are too slow for the event loop and run in threads. They catch and report their own bugs."""

import logging
from concurrent.futures import ThreadPoolExecutor
from threading import Barrier
from typing import Any

from gridgames_protocol.messages import Analysis, Error, Push
from gridgames_server.analysis.analyse import GameRecord, find_analysis
from gridgames_server.analysis.hints import accepts_draw, advise
from gridgames_server.bots import BOTS
from gridgames_server.core.effects import AskBot, HistoryQuery, Thought
from gridgames_server.core.room_events import GameOver
from gridgames_server.errors import locate
from gridgames_server.games.game import Chance, Game
from gridgames_server.storage.history_answers import QueryResult, build_answer

log = logging.getLogger("gridgames")


def start_threads(pool: ThreadPoolExecutor, count: int) -> None:
    """Start the threads of a pool now: later the system may have none to give. Raise RuntimeError if it has none."""
    started = Barrier(count + 1)
    try:
        for _ in range(count):
            pool.submit(started.wait)
    except RuntimeError:
        started.abort()  # a thread that waited for one that can't be started would never end
        raise
    started.wait()


def think(question: AskBot, seed: bytes) -> Thought:
    """Return the computer's answer, or the exception that it has raised."""
    try:
        match question.wants:
            case "move":
                return BOTS[question.game](question.show, question.level, Chance(seed))
            case "draw":
                return accepts_draw(question.game, question.show, question.lines)
            case "hint":
                return advise(question.game, question.show)
    except Exception as bug:
        return bug


def analyse_record(over: GameOver) -> Analysis | None:
    """Return the analysis of a finished game, or None if it has none. A bug is logged, and gives None too."""
    try:
        return find_analysis(GameRecord(over.game, over.seed, over.first, over.lines, over.winner, over.variant))
    except Exception as bug:
        log.error("bug in an analysis: %s", locate(bug))
        return None


def answer_query(question: HistoryQuery, player: int, games: tuple[Game[Any], ...], found: QueryResult) -> Push:
    """Return the answer to a query about finished games. A bug becomes an error message for the player."""
    try:
        return build_answer(question, found, player, games)
    except Exception as bug:
        log.error("bug in the history: %s", locate(bug))
        return Error("internal", "Something went wrong on the server while it looked that up.", question.id)
