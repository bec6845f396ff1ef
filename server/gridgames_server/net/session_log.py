"""The log lines about sessions. A session that only asks for the status is not logged: it is a health check."""

import logging
from collections import Counter
from collections.abc import Callable

from gridgames_protocol.errors import WireError
from gridgames_protocol.messages import AskStatus, Request

log = logging.getLogger("gridgames")


class SessionLog:
    """Logs a session from its first request or event on, unless too many come from its address."""

    def __init__(self, may_log: Callable[[str], bool]) -> None:
        self._may_log = may_log  # charges an address for a session
        self._unlogged: dict[int, str] = {}  # session -> address
        self._left_out: set[int] = set()  # open sessions
        self._left_out_by: Counter[str] = Counter()  # sessions of each address since the last line about them

    def note_opened(self, id: int, address: str) -> None:
        """Remember a new session. Nothing is logged yet."""
        self._unlogged[id] = address

    def note_request(self, id: int, request: Request | WireError) -> None:
        """Log the start of a session at its first line other than a status request."""
        if id in self._unlogged and type(request) is not AskStatus:
            self.log_start(id)

    def log_start(self, id: int) -> None:
        """Log the start of a session, once."""
        address = self._unlogged.pop(id, None)
        if address is None:
            return
        if self._may_log(address):
            log.info("session %d connected from %s", id, address)
        else:
            self._left_out.add(id)
            self._left_out_by[address] += 1

    def log_event(self, id: int, text: str) -> None:
        """Log an event of a session."""
        self.log_line(f"session {id} {text}", id)

    def log_line(self, text: str, id: int | None) -> None:
        """Log a line, after the start of the session that it is about."""
        if id is not None:
            self.log_start(id)
        if id not in self._left_out:
            log.info(text)

    def note_closed(self, id: int) -> None:
        """Log the end of a session if its start was logged."""
        if id in self._left_out:
            self._left_out.remove(id)
        elif self._unlogged.pop(id, None) is None:
            log.info("session %d has ended", id)

    def sum_up(self) -> None:
        """Log how many sessions were left out."""
        for address, count in self._left_out_by.items():
            log.warning("%d more sessions came from %s, too many to log each", count, address)
        self._left_out_by.clear()
