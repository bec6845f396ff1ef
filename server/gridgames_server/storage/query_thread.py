"""The thread that answers queries about finished games. It has its own connection, so the writer never waits."""

import logging
import sqlite3
import threading
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from gridgames_protocol.messages import Error, Push
from gridgames_server.core.fair_queue import FairQueue
from gridgames_server.errors import locate
from gridgames_server.storage.finished_games import run_query
from gridgames_server.storage.history_answers import Query, QueryResult
from gridgames_server.storage.store import connect_reader

# While a query runs in Python, a move waits. So after each query the thread rests REST times as long as the query took:
# usual queries together take at most a tenth of a core. A long analysis does not make the next query wait as long.
REST, REST_MAX = 9, 0.1  # times, seconds

log = logging.getLogger("gridgames")


class Queries:
    """Answers one query after the other. The addresses of those who ask take turns."""

    def __init__(self, path: Path, call: Callable[[Callable[[], object]], object]) -> None:
        self.path = path
        self.call = call  # runs a function on the loop's thread
        self.closed = threading.Event()
        self.waiting: FairQueue[Query] = FairQueue()
        self.lock = threading.Lock()  # two threads put queries into `waiting`, a third takes them
        self.reader: sqlite3.Connection | None = None  # opened by the first query, and again after a failure
        self.is_failing = False  # the last query has failed, which was logged
        self.thread = ThreadPoolExecutor(1, "queries")
        self.thread.submit(int)  # starts the thread: later the system may have none to give

    def ask(self, query: Query) -> None:
        """Answer a query when its turn has come."""
        with self.lock:
            self.waiting.put(query)
        self.thread.submit(self._answer_next)

    def close(self) -> None:
        """Close the connection after the waiting queries. Those of players who have left are skipped."""
        self.closed.set()
        self.thread.shutdown()
        self._close_reader()

    def _answer_next(self) -> None:
        with self.lock:
            query = self.waiting.take()
        if query.is_wanted():
            begun = time.thread_time()
            reply = self._answer(query)
            self.call(lambda: query.send(reply))
            self.closed.wait(min(REST_MAX, (time.thread_time() - begun) * REST))

    def _answer(self, query: Query) -> Push:
        """Return the answer. If the store can't be read now, say so: the next query tries again."""
        try:
            reply = query.build(self._read(query))
        except Exception as error:
            if not self.is_failing:
                log.error("old games can't be read: %s", locate(error))
            self.is_failing = True
            self._close_reader()
            return Error("internal", "The server can't look that up right now. Try again later.", query.question.id)
        self.is_failing = False
        return reply

    def _read(self, query: Query) -> QueryResult:
        if self.reader is None:
            self.reader = connect_reader(self.path)
        try:
            return run_query(self.reader, query.question, query.player)
        except sqlite3.OperationalError:
            raise
        except (sqlite3.Error, UnicodeDecodeError):  # damage in old games must not stop new ones
            return QueryResult()

    def _close_reader(self) -> None:
        if self.reader is not None:
            self.reader.close()
            self.reader = None
