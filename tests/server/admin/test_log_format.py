"""Logging never waits: lines that nobody reads are dropped and counted."""

import logging
import os

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
