"""Questions about old games: whose is answered next, what happens when the store can't be read, and what is kept."""

import logging
import resource
import threading
from contextlib import closing
from queue import SimpleQueue
from types import SimpleNamespace

import pytest

from gridgames_protocol.messages import AskHistory, Error
from gridgames_server.storage.history_answers import Query
from gridgames_server.storage.query_thread import Queries
from tests.server.stored_hub import Shelved

EVIL, HOME = "10.6.6.6", "192.168.1.20"
WAIT = 20  # seconds after which a test has failed


@pytest.fixture
def path(tmp_path):
    """A store without games."""
    path = tmp_path / "server.sqlite"
    Shelved(path).close()
    return path


class Asked:
    """Questions to a store, and the answers in the order in which they came."""

    def __init__(self, path):
        self.queries = Queries(path, lambda call: call())
        self.answers = SimpleQueue()

    def ask(self, number, address=HOME, build=lambda found: SimpleNamespace(found=found)):
        self.queries.ask(
            Query(AskHistory(number), 1, build, lambda reply: self.answers.put((number, reply)), address=address)
        )

    def next(self):
        return self.answers.get(timeout=WAIT)

    def close(self):
        self.queries.close()


def test_a_question_from_elsewhere_waits_for_one_and_not_for_all_of_a_flood(path):
    with closing(Asked(path)) as asked:
        goes_on = threading.Event()
        asked.ask(1, EVIL, lambda found: goes_on.wait(WAIT))
        for number in range(2, 60):
            asked.ask(number, EVIL)
        asked.ask(99, HOME)
        goes_on.set()
        assert {asked.next()[0] for _ in range(3)} == {1, 2, 99}


def test_questions_are_answered_again_after_descriptors_have_run_out(path, caplog):
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    with closing(Asked(path)) as asked:
        resource.setrlimit(resource.RLIMIT_NOFILE, (0, hard))
        try:
            asked.ask(1)
            asked.ask(2)
            failed = [asked.next(), asked.next()]
        finally:
            resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))
        assert [(reply.code, reply.re) for _, reply in failed] == [("internal", 1), ("internal", 2)]
        asked.ask(3)
        assert not isinstance(asked.next()[1], Error)
    said = [entry.message for entry in caplog.records if entry.levelno == logging.ERROR]
    assert len(said) == 1
    assert said[0].startswith("old games can't be read: OperationalError at ")


def test_an_answer_that_can_not_be_made_ends_no_thread(path):
    with closing(Asked(path)) as asked:
        asked.ask(1, build=lambda found: found.nothing)
        asked.ask(2)
        assert [asked.next()[1].code, asked.next()[0]] == ["internal", 2]


def test_what_waits_when_the_server_ends_is_answered(path):
    asked = Asked(path)
    for number in range(1, 6):
        asked.ask(number)
    asked.close()
    assert [asked.next()[0] for _ in range(5)] == list(range(1, 6))
