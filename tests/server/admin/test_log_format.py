"""Logging never waits: lines that nobody reads are dropped and counted."""

import io
import logging
import os
import threading

from gridgames_server.admin.log_format import WAITING_MAX, NonBlockingHandler

LINES = 5_000
LONG = "x" * 1_000


def test_lines_that_nobody_reads_are_dropped_and_counted():
    ours, theirs = os.pipe()
    with open(theirs, "w") as stream:
        handler = NonBlockingHandler(stream)
        log = logging.getLogger("gridgames")
        log.addHandler(handler)
        try:
            for _ in range(LINES):
                log.error(LONG)  # far more than a pipe holds
            with open(ours) as reader:
                read = [reader.readline() for _ in range(WAITING_MAX)]
                assert read == [f"{LONG}\n"] * WAITING_MAX
                while "were dropped" not in (line := reader.readline()):
                    assert line == f"{LONG}\n"
                assert 0 < int(line.split()[0]) < LINES
                handler.flush()
        finally:
            log.removeHandler(handler)


def test_a_stream_that_can_not_be_written_once_gets_the_later_lines():
    class Stream(io.StringIO):
        def __init__(self):
            super().__init__()
            self.failed, self.written = threading.Event(), threading.Event()

        def write(self, text):
            if not self.failed.is_set():
                self.failed.set()
                raise MemoryError
            super().write(text)
            self.written.set()

    stream = Stream()
    handler = NonBlockingHandler(stream)
    handler.emit(logging.makeLogRecord({"msg": "one"}))
    assert stream.failed.wait(20)
    handler.emit(logging.makeLogRecord({"msg": "two"}))
    assert stream.written.wait(20)
    handler.flush()
    assert stream.getvalue() == "two\n"
