"""The thread that answers queries about finished games. It has its own connection, so the writer never waits."""

import queue
import sqlite3
import threading
import time
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

from gridgames_server.storage.finished_games import run_query
from gridgames_server.storage.history_answers import Query, QueryResult
from gridgames_server.storage.store import connect_reader

# While a query runs in Python, a move waits. So after each query the thread rests REST times as long as the query took:
# usual queries together take at most a tenth of a core. A long analysis does not make the next query wait as long.
REST, REST_MAX = 9, 0.1  # times, seconds


class Queries:
    """Answers one query after the other."""

    def __init__(self, path: Path, call: Callable[[Callable[[], object]], object]) -> None:
        self.path = path
        self.call = call  # runs a function on the loop's thread
        self.closed = threading.Event()
        self.waiting: queue.SimpleQueue[Query | None] = queue.SimpleQueue()
        self.thread = threading.Thread(target=self._answer_all, name="queries", daemon=True)
        self.thread.start()

    def ask(self, query: Query) -> None:
        """Answer a query after those before it."""
        self.waiting.put(query)

    def close(self) -> None:
        """Close the connection after the waiting queries. Those of players who have left are skipped."""
        self.closed.set()
        self.waiting.put(None)
        self.thread.join()

    def _answer_all(self) -> None:
        query = self.waiting.get()
        if query is None:
            return
        with closing(connect_reader(self.path)) as reader:
            while query is not None:
                if query.is_wanted():
                    begun = time.thread_time()
                    self._answer(reader, query)
                    self.closed.wait(min(REST_MAX, (time.thread_time() - begun) * REST))
                query = self.waiting.get()

    def _answer(self, reader: sqlite3.Connection, query: Query) -> None:
        try:
            found = run_query(reader, query.question, query.player)
        except (sqlite3.Error, UnicodeDecodeError):  # damage in old games must not stop new ones
            found = QueryResult()
        reply = query.build(found)
        self.call(lambda: query.send(reply))
