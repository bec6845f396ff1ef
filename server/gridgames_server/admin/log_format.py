"""The log's form: a line for people, or a JSON object a line for programs."""

import json
import logging
import sys
from datetime import UTC, datetime

from gridgames_server.service import where


class Json(logging.Formatter):
    """One JSON object a line: when, how bad, what, and the numbers behind it where there are some."""

    def format(self, record: logging.LogRecord) -> str:
        """The line of a record; of an error only its place, since its words might quote a secret."""
        at = datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds")
        line = {"time": at, "level": record.levelname.lower(), "text": record.getMessage()}
        if record.exc_info and record.exc_info[1]:
            line["where"] = where(record.exc_info[1])
        return json.dumps(line | getattr(record, "facts", {}))


def start(level: str, as_json: bool) -> None:
    """Log to stderr from now on."""
    logging.basicConfig(level=level.upper(), stream=sys.stderr, format="%(asctime)s %(levelname)s %(message)s")
    if as_json:
        for written in logging.getLogger().handlers:
            written.setFormatter(Json())
