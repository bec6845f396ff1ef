"""The log lines about sessions. A session that only asks for the status is not logged: it is a health check."""

import logging

from gridgames_protocol.errors import WireError
from gridgames_protocol.messages import AskStatus, Request

log = logging.getLogger("gridgames")


class SessionLog:
    """Logs a session from its first request or event on."""

    def __init__(self) -> None:
        self._unlogged: dict[int, str] = {}  # session -> address

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
        if address is not None:
            log.info("session %d connected from %s", id, address)

    def log_event(self, id: int, text: str) -> None:
        """Log an event of a session."""
        self.log_start(id)
        log.info("session %d %s", id, text)

    def log_line(self, text: str, id: int | None) -> None:
        """Log a line, after the start of the session that it is about."""
        if id is not None:
            self.log_start(id)
        log.info(text)

    def note_closed(self, id: int) -> None:
        """Log the end of a session if its start was logged."""
        if self._unlogged.pop(id, None) is None:
            log.info("session %d has ended", id)
