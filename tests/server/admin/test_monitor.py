"""The server's pulse: how late the loop is, how the store is, and a line a minute when something is new."""

import asyncio
import json
import logging
import os
import signal
import socket
import sys
import time
from contextlib import contextmanager

import pytest

from gridgames_server.hub import House, Hub
from gridgames_server.journal import Journal
from gridgames_server.logs import Json
from gridgames_server.notify import notify, watched_every
from gridgames_server.pulse import MEASURE_EVERY, TELL_EVERY, Pulse, measure
from gridgames_server.vitals import Worst
from tests.server.archive import fail
from tests.wire import program, run


@contextmanager
def beating(journal=None, beaten=lambda: None):
    """A pulse that beats only when a test says so."""
    pulse = Pulse(Hub(House(()), os.urandom, 0.0), journal, "1.2.3", beaten)
    pulse.start()
    try:
        yield pulse
    finally:
        pulse.stop()


# The loop's lag -------------------------------------------------------------------------------------------------------


def test_the_worst_of_the_last_minutes_is_remembered_and_then_forgotten():
    worst = Worst(0.0)
    worst.note(3.0, 10.0)
    worst.note(1.0, 20.0)
    assert worst() == 3.0
    worst.note(2.0, 61.0)
    assert worst() == 3.0, "it was in the minute before"
    worst.note(0.5, 122.0)
    assert worst() == 2.0
    worst.note(0.0, 183.0)
    assert worst() == 0.5


def test_a_beat_that_comes_late_is_lag():
    async def evening():
        with beating() as pulse:
            assert pulse.vitals().lag == 0
            pulse.due -= 1.25  # it should have come so much earlier
            pulse.beat()
            assert 200 <= pulse.vitals().lag < 5_000

    run(evening())


def test_every_beat_is_told_and_the_next_one_follows_by_itself():
    async def evening():
        beaten = asyncio.Event()
        with beating(beaten=beaten.set) as pulse:
            await beaten.wait()
            assert pulse.timer.when() > asyncio.get_running_loop().time() - 5

    run(evening())


# The store ------------------------------------------------------------------------------------------------------------


def test_the_store_tells_its_size_what_is_free_and_when_it_was_written(tmp_path):
    path = tmp_path / "server.sqlite"

    async def evening():
        journal = Journal(path, asyncio.get_running_loop().call_soon_threadsafe, fail)
        try:
            with beating(journal) as pulse:
                health = pulse.vitals().store
                assert health.size == measure(path)[0] >= path.stat().st_size > 0
                assert health.free > 0
                pulse.began -= 100
                for file in tmp_path.iterdir():
                    os.utime(file, (time.time() - 7,) * 2)
                assert 7 <= pulse.vitals().store.age < 60
                pulse.began += 100
                assert pulse.vitals().store.age < 7, "nothing is older than the server"
                (tmp_path / "server.sqlite-shm").write_bytes(b"x" * 100_000)
                pulse.measured -= MEASURE_EVERY
                pulse.beat()
                assert pulse.vitals().store.size >= 100_000
        finally:
            journal.close()

    run(evening())


def test_a_store_that_is_gone_has_no_size(tmp_path):
    size, free = measure(tmp_path / "nothing.sqlite")
    assert size == 0
    assert free > 0


def test_a_disk_that_can_not_be_measured_does_not_stop_the_pulse(tmp_path):
    folder = tmp_path / "store"
    folder.mkdir()

    async def evening():
        journal = Journal(folder / "server.sqlite", asyncio.get_running_loop().call_soon_threadsafe, fail)
        try:
            with beating(journal) as pulse:
                size, due = pulse.vitals().store.size, pulse.due
                folder.rename(tmp_path / "elsewhere")
                with pytest.raises(OSError, match="No such file"):
                    measure(journal.path)
                pulse.measured -= MEASURE_EVERY
                pulse.due = due - 100
                pulse.beat()
                assert pulse.due >= due, "the next beat is set"
                assert pulse.vitals().store.size == size, "as it was when it was last seen"
                assert Pulse(pulse.hub, journal, "1.2.3", fail).vitals().store.size == 0
        finally:
            journal.close()

    run(evening())


def test_whatever_a_beat_meets_the_next_one_follows():
    async def evening():
        def struck():
            raise KeyError("a bug")

        with beating(beaten=struck) as pulse:
            pulse.due = 0.0
            with pytest.raises(KeyError):
                pulse.beat()
            assert pulse.due > 0.0

    run(evening())


# The log --------------------------------------------------------------------------------------------------------------


def test_a_minute_in_which_something_has_changed_is_a_line_and_an_idle_one_is_none(caplog):
    caplog.set_level(logging.INFO)

    async def evening():
        with beating() as pulse:
            for moves in (0, 5, 5, 6):
                pulse.hub.moves = moves
                pulse.told -= TELL_EVERY
                pulse.beat()
                pulse.beat()

    run(evening())
    lines = [line.rpartition(", lag")[0] for line in caplog.messages]
    assert lines == ["players 0, rooms 0, games 0, moves 5", "players 0, rooms 0, games 0, moves 6"]
    assert caplog.records[0].facts["moves"] == 5


def test_a_json_line_says_when_how_bad_and_what():
    record = logging.LogRecord("gridgames", logging.WARNING, "", 0, "session %d", (7,), None)
    record.created, record.facts = 0.25, {"players": 3}
    line = Json().format(record)
    assert json.loads(line) == {
        "time": "1970-01-01T00:00:00.250+00:00",
        "level": "warning",
        "text": "session 7",
        "players": 3,
    }
    assert "\n" not in line


def test_a_json_line_says_where_an_error_struck_and_not_what_it_quotes():
    try:
        raise ValueError("canary")
    except ValueError:
        record = logging.LogRecord("gridgames", logging.ERROR, "", 0, "a bug", (), sys.exc_info())
    line = Json().format(record)
    assert "canary" not in line
    assert json.loads(line)["where"].startswith("ValueError at test_pulse.py:")


@pytest.mark.parametrize(("flags", "variables"), [(["--log-json"], {}), ([], {"GRIDGAMES_LOG_JSON": "yes"})])
def test_the_real_program_logs_json_if_it_is_told_to(flags, variables):
    async def evening():
        async with program(*flags, **variables) as house:
            await house.guest("Ada")
            assert await house.ends(signal.SIGTERM) == 0
        lines = [json.loads(line) for line in house.text.splitlines()]
        assert "session 1 connected from 127.0.0.1" in [line["text"] for line in lines]
        assert {line["level"] for line in lines} == {"info"}

    run(evening())


# The service manager --------------------------------------------------------------------------------------------------


@contextmanager
def manager(path, monkeypatch=None):
    """What listens to services."""
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as ear:
        ear.bind(path)
        ear.settimeout(10)
        if monkeypatch:
            monkeypatch.setenv("NOTIFY_SOCKET", path if path[0] != "\0" else "@" + path[1:])
        yield ear


def test_words_reach_the_service_manager_by_a_file_or_an_abstract_name(tmp_path, monkeypatch):
    for path in (str(tmp_path / "notify"), f"\0gridgames-test-{os.getpid()}"):
        with manager(path, monkeypatch) as ear:
            notify("READY=1", "STATUS=listening")
            assert ear.recv(1_000) == b"READY=1\nSTATUS=listening"


@pytest.mark.parametrize("path", ["", "relative", "/nowhere/at/all", "@nobody"])
def test_where_nobody_listens_nothing_happens(path, monkeypatch):
    monkeypatch.setenv("NOTIFY_SOCKET", path)
    notify("READY=1")


@pytest.mark.parametrize(
    ("wanted", "pid", "every"),
    [
        ("30000000", "", 30.0),
        ("500000", "me", 0.5),
        ("30000000", "1", None),
        ("", "", None),
        ("0", "", None),
        ("x", "", None),
    ],
)
def test_the_watchdog_wants_a_sign_of_life_every_so_often(wanted, pid, every, monkeypatch):
    monkeypatch.setenv("WATCHDOG_USEC", wanted)
    monkeypatch.setenv("WATCHDOG_PID", str(os.getpid()) if pid == "me" else pid)
    assert watched_every() == every


def test_the_real_program_says_that_it_is_ready_alive_and_stopping(tmp_path):
    path = str(tmp_path / "notify")

    async def evening():
        with manager(path) as ear:

            async def heard():
                return await asyncio.to_thread(ear.recv, 1_000)

            async with program(NOTIFY_SOCKET=path, WATCHDOG_USEC="1000000") as house:
                assert await heard() == b"READY=1"
                assert await heard() == b"WATCHDOG=1"
                house.process.send_signal(signal.SIGTERM)
                while (word := await heard()) == b"WATCHDOG=1":
                    pass
                assert word == b"STOPPING=1"
                assert await house.ends() == 0

    run(evening())
