"""The thread that runs queries about finished games. It has its own connection, so moves never wait for a query."""

import queue
import sqlite3
import threading
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

from gridgames_server.core.effects import HistoryQuery
from gridgames_server.storage.finished_games import run_query
from gridgames_server.storage.history_answers import QueryResult
from gridgames_server.storage.store import connect_reader


class Query(NamedTuple):
    """A query and the callback for its result."""

    question: HistoryQuery
    player: int
    answer: Callable[[QueryResult], object]
    is_wanted: Callable[[], bool]  # False if the player has left


class Queries:
    """Runs one query after the other."""

    def __init__(self, path: Path, call: Callable[[Callable[[], object]], object]) -> None:
        self.path = path
        self.call = call  # runs a function on the loop's thread
        self.waiting: queue.SimpleQueue[Query | None] = queue.SimpleQueue()
        self.thread = threading.Thread(target=self._answer_all, name="queries", daemon=True)

    def ask(self, query: Query) -> None:
        """Run a query, then call its `answer` with the result."""
        if not self.thread.is_alive():
            self.thread.start()
        self.waiting.put(query)

    def close(self) -> None:
        """Drop waiting queries, and close the connection."""
        if self.thread.is_alive():
            self.waiting.put(None)
            self.thread.join()

    def _answer_all(self) -> None:
        reader = connect_reader(self.path)
        try:
            while (query := self.waiting.get()) is not None:
                if query.is_wanted():
                    self._answer(reader, query)
        finally:
            reader.close()

    def _answer(self, reader: sqlite3.Connection, query: Query) -> None:
        try:
            found = run_query(reader, query.question, query.player)
        except (sqlite3.Error, UnicodeDecodeError):  # damage in old games must not stop new ones
            found = QueryResult()
        self.call(lambda: query.answer(found))
