"""The log: lines for people, or one JSON object per line for programs. Logging never waits for its reader."""

import json
import logging
import sys
import threading
from collections import deque
from datetime import UTC, datetime
from typing import TextIO

from gridgames_server.errors import locate

WAITING_MAX = 1_000  # lines; more are dropped and counted
END_WITHIN = 1.0  # seconds to write the last lines when the program ends


class JsonFormatter(logging.Formatter):
    """One JSON object per line: time, level, text, and the counts in the text as fields."""

    def format(self, record: logging.LogRecord) -> str:
        """Return the line. Of an exception only the place is logged: its message may quote a secret."""
        at = datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds")
        line = {"time": at, "level": record.levelname.lower(), "text": record.getMessage()}
        if record.exc_info and record.exc_info[1]:
            line["where"] = locate(record.exc_info[1])
        return json.dumps(line | getattr(record, "facts", {}))


def logs_json() -> bool:
    """True if the log is written as JSON."""
    return any(isinstance(handler.formatter, JsonFormatter) for handler in logging.getLogger().handlers)


def make_json_line(text: str, **facts: object) -> str:
    """Return a line like those of the log, for stdout."""
    record = logging.LogRecord("gridgames", logging.INFO, "", 0, text, (), None)
    record.facts = facts
    return JsonFormatter().format(record)


class NonBlockingHandler(logging.Handler):
    """Writes lines in its own thread. If nobody reads them (a paused terminal, a full pipe), lines are dropped."""

    def __init__(self, stream: TextIO) -> None:
        super().__init__()
        self._stream = stream
        self._waiting: deque[str] = deque()
        self._dropped = 0
        self._is_held = False
        self._more = threading.Condition()
        self._idle = threading.Event()
        self._idle.set()
        self._thread = threading.Thread(target=self._write_all, name="log", daemon=True)
        self._thread.start()

    def emit(self, record: logging.LogRecord) -> None:
        line = self.format(record)
        with self._more:
            if len(self._waiting) >= WAITING_MAX:
                self._dropped += 1
                return
            self._idle.clear()
            self._waiting.append(line)
            self._more.notify()

    def hold(self) -> None:
        """Keep all lines until `write_held`."""
        self._is_held = True

    def write_held(self, first: str | None = None) -> None:
        """Write the lines that were kept, after one that comes first."""
        with self._more:
            if self._is_held:
                self._is_held = False
                self._waiting.extendleft([first] if first else [])
                self._idle.clear()
                self._more.notify()

    def flush(self) -> None:
        """Wait up to END_WITHIN seconds until everything is written. Called at the end of the program."""
        self.write_held()
        self._idle.wait(END_WITHIN)

    def _write_all(self) -> None:
        while True:
            with self._more:
                while not self._waiting or self._is_held:
                    self._idle.set()
                    self._more.wait()
                lines, dropped = "".join(f"{line}\n" for line in self._waiting), self._dropped
                self._waiting.clear()
                self._dropped = 0
            try:
                self._stream.write(lines)
                self._stream.flush()
            except Exception:  # nobody reads, or the stream is closed or missing
                continue
            if dropped:
                logging.getLogger("gridgames").warning("%d lines of the log were dropped: nobody read them", dropped)


def start_logging(level: str, as_json: bool) -> None:
    """Log to stderr from now on."""
    handler = NonBlockingHandler(sys.stderr)
    handler.setFormatter(JsonFormatter() if as_json else logging.Formatter("%(asctime)s %(levelname)s %(message)s"))
    if as_json:
        handler.hold()  # until the first line is known
    logging.basicConfig(level=level.upper(), handlers=[handler])


def write_first_json_line(version: str, addresses: list[str], store: str | None) -> None:
    """Write the first line of a log in JSON: what tells one start of the server from another."""
    text = f"gridgames {version} is starting"
    first = make_json_line(text, version=version, addresses=addresses, store=store)
    for handler in logging.getLogger().handlers:
        if isinstance(handler, NonBlockingHandler):
            handler.write_held(first)
