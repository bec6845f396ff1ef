"""The log lines about sessions."""

import logging
from collections import Counter

import pytest

from gridgames_protocol.messages import AskStatus, Ping
from gridgames_server.net.session_log import SessionLog


@pytest.fixture
def log(caplog):
    caplog.set_level(logging.INFO)
    return caplog


def allowing(count):
    """May log so many sessions of each address."""
    spent = Counter()

    def may_log(address):
        spent[address] += 1
        return spent[address] <= count

    return may_log


def visit(sessions, id, address):
    sessions.note_opened(id, address)
    sessions.note_request(id, Ping(1))
    sessions.log_event(id, "does not read, closed")
    sessions.log_line(f"session {id} was refused: password", id)
    sessions.note_closed(id)


def test_a_session_is_logged_from_its_first_request_to_its_end(log):
    visit(SessionLog(allowing(1)), 7, "10.0.0.1")
    assert log.messages == [
        "session 7 connected from 10.0.0.1",
        "session 7 does not read, closed",
        "session 7 was refused: password",
        "session 7 has ended",
    ]


def test_a_session_that_asks_for_the_status_alone_is_not_logged(log):
    sessions = SessionLog(allowing(1))
    sessions.note_opened(7, "10.0.0.1")
    sessions.note_request(7, AskStatus(1))
    sessions.note_closed(7)
    assert log.messages == []


def test_a_flood_from_one_address_is_summed_up_and_others_are_logged(log):
    sessions = SessionLog(allowing(2))
    for id in range(100):
        visit(sessions, id, "10.0.0.1")
    visit(sessions, 100, "10.0.0.2")
    assert len(log.messages) == 3 * 4
    assert log.messages[-1] == "session 100 has ended"
    sessions.sum_up()
    sessions.sum_up()
    assert log.messages[12:] == ["98 more sessions came from 10.0.0.1, too many to log each"]
