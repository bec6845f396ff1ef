"""The server's monitor: how late the loop is, how the store is, and a line a minute when something is new."""

import asyncio
import contextlib
import json
import logging
import os
import signal
import socket
import subprocess
import sys
import time
from contextlib import contextmanager

import pytest

from gridgames_protocol.version import VERSION
from gridgames_server.admin.health import RecentMaximum
from gridgames_server.admin.log_format import JsonFormatter
from gridgames_server.admin.monitor import MEASURE_EVERY, TELL_EVERY, Monitor, measure_store
from gridgames_server.admin.systemd import notify, read_watchdog_interval
from gridgames_server.core.hub import Hub, ServerConfig
from gridgames_server.storage.writer import Writer
from tests.server.stored_games import fail
from tests.wire import PROGRAM, environment, program, run


@contextmanager
def beating(storage=None, each_beat=lambda: None):
    """A monitor that beats only when a test says so."""
    monitor = Monitor(Hub(ServerConfig(()), os.urandom, 0.0), storage, "1.2.3", each_beat)
    monitor.start()
    try:
        yield monitor
    finally:
        monitor.stop()


# The loop's lag -------------------------------------------------------------------------------------------------------


def test_the_worst_of_the_last_minutes_is_remembered_and_then_forgotten():
    worst = RecentMaximum(0.0)
    worst.add(3.0, 10.0)
    worst.add(1.0, 20.0)
    assert worst() == 3.0
    worst.add(2.0, 61.0)
    assert worst() == 3.0, "it was in the minute before"
    worst.add(0.5, 122.0)
    assert worst() == 2.0
    worst.add(0.0, 183.0)
    assert worst() == 0.5


def test_a_beat_that_comes_late_is_lag():
    async def scenario():
        with beating() as monitor:
            assert monitor.make_health().lag == 0
            monitor.due -= 1.25  # it should have come so much earlier
            monitor.beat()
            assert 200 <= monitor.make_health().lag < 5_000

    run(scenario())


def test_every_beat_is_told_and_the_next_one_follows_by_itself():
    async def scenario():
        each_beat = asyncio.Event()
        with beating(each_beat=each_beat.set) as monitor:
            await each_beat.wait()
            assert monitor.timer.when() > asyncio.get_running_loop().time() - 5

    run(scenario())


# The store ------------------------------------------------------------------------------------------------------------


def test_the_store_tells_its_size_what_is_free_and_when_it_was_written(tmp_path):
    path = tmp_path / "server.sqlite"

    async def scenario():
        storage = Writer(path, asyncio.get_running_loop().call_soon_threadsafe, fail)
        try:
            with beating(storage) as monitor:
                health = monitor.make_health().store
                assert health.size == measure_store(path)[0] >= path.stat().st_size > 0
                assert health.free > 0
                monitor.started_at -= 100
                for file in tmp_path.iterdir():
                    os.utime(file, (time.time() - 7,) * 2)
                assert 7 <= monitor.make_health().store.age < 60
                monitor.started_at += 100
                assert monitor.make_health().store.age < 7, "nothing is older than the server"
                (tmp_path / "server.sqlite-shm").write_bytes(b"x" * 100_000)
                monitor.measured_at -= MEASURE_EVERY
                monitor.beat()
                assert monitor.make_health().store.size >= 100_000
        finally:
            storage.close()

    run(scenario())


def test_a_store_that_is_gone_has_no_size(tmp_path):
    size, free = measure_store(tmp_path / "nothing.sqlite")
    assert size == 0
    assert free > 0


def test_a_disk_that_can_not_be_measured_does_not_stop_the_monitor(tmp_path):
    folder = tmp_path / "store"
    folder.mkdir()

    async def scenario():
        storage = Writer(folder / "server.sqlite", asyncio.get_running_loop().call_soon_threadsafe, fail)
        try:
            with beating(storage) as monitor:
                size, due = monitor.make_health().store.size, monitor.due
                folder.rename(tmp_path / "elsewhere")
                with pytest.raises(OSError, match="No such file"):
                    measure_store(storage.path)
                monitor.measured_at -= MEASURE_EVERY
                monitor.due = due - 100
                monitor.beat()
                assert monitor.due >= due, "the next beat is set"
                assert monitor.make_health().store.size == size, "as it was when it was last seen"
                assert Monitor(monitor.hub, storage, "1.2.3", fail).make_health().store.size == 0
        finally:
            storage.close()

    run(scenario())


def test_whatever_a_beat_meets_the_next_one_follows():
    async def scenario():
        def struck():
            raise KeyError("a bug")

        with beating(each_beat=struck) as monitor:
            monitor.due = 0.0
            with pytest.raises(KeyError):
                monitor.beat()
            assert monitor.due > 0.0

    run(scenario())


# The log --------------------------------------------------------------------------------------------------------------


def test_a_minute_in_which_something_has_changed_is_a_line_and_an_idle_one_is_none(caplog):
    caplog.set_level(logging.INFO)

    async def scenario():
        with beating() as monitor:
            for moves in (0, 5, 5, 6):
                monitor.hub.state.moves = moves
                monitor.logged_at -= TELL_EVERY
                monitor.beat()
                monitor.beat()

    run(scenario())
    lines = [line.rpartition(", lag")[0] for line in caplog.messages]
    assert lines == ["players 0, rooms 0, games 0, moves 5", "players 0, rooms 0, games 0, moves 6"]
    assert caplog.records[0].facts["moves"] == 5


def test_a_json_line_says_when_how_bad_and_what():
    record = logging.LogRecord("gridgames", logging.WARNING, "", 0, "session %d", (7,), None)
    record.created, record.facts = 0.25, {"players": 3}
    line = JsonFormatter().format(record)
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
    line = JsonFormatter().format(record)
    assert "canary" not in line
    assert json.loads(line)["where"].startswith("ValueError at test_monitor.py:")


@pytest.mark.parametrize(("flags", "variables"), [(["--log-json"], {}), ([], {"GRIDGAMES_LOG_JSON": "yes"})])
def test_the_real_program_logs_json_if_it_is_told_to(flags, variables):
    async def scenario():
        async with program(*flags, **variables) as server:
            await server.guest("Ada")
            assert await server.ends(signal.SIGTERM) == 0
        place = f"127.0.0.1:{server.port}"
        announced = json.loads(server.announced)
        assert (announced["addresses"], announced["browser"]) == ([place], [f"http://{place}"])
        lines = [json.loads(line) for line in server.text.splitlines()]
        assert (lines[0]["version"], lines[0]["addresses"], lines[0]["store"]) == (VERSION, [place], None)
        assert "session 1 connected from 127.0.0.1" in [line["text"] for line in lines]
        assert {line["level"] for line in lines} == {"info"}

    run(scenario())


def test_warnings_and_mistakes_are_json_too_behind_the_first_line(tmp_path):
    password = tmp_path / "password"
    password.write_text("sesame")
    password.chmod(0o644)

    async def scenario():
        async with program("--log-json", "--store", "games.sqlite", "--password-file", str(password)) as server:
            assert await server.ends(signal.SIGTERM) == 0
        first, *others = [json.loads(line) for line in server.text.splitlines()]
        assert (first["text"], first["store"]) == (f"gridgames {VERSION} is starting", "games.sqlite")
        assert [line["level"] for line in others[:2]] == ["warning", "warning"]

    with contextlib.chdir(tmp_path):
        run(scenario())
    flags = ["--log-json", "--no-store", "--password-file", "/nowhere"]
    ended = subprocess.run([PROGRAM, *flags], capture_output=True, text=True, env=environment())
    (line,) = ended.stderr.splitlines()
    assert (ended.returncode, json.loads(line)["level"]) == (4, "critical")
    assert json.loads(line)["text"] == "can't read the password file /nowhere: No such file or directory"


# The service manager --------------------------------------------------------------------------------------------------


@contextmanager
def manager(path, monkeypatch=None):
    """What listens to services."""
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as listener:
        listener.bind(path)
        listener.settimeout(10)
        if monkeypatch:
            monkeypatch.setenv("NOTIFY_SOCKET", path if path[0] != "\0" else "@" + path[1:])
        yield listener


def test_words_reach_the_service_manager_by_a_file_or_an_abstract_name(tmp_path, monkeypatch):
    for path in (str(tmp_path / "notify"), f"\0gridgames-test-{os.getpid()}"):
        with manager(path, monkeypatch) as listener:
            notify("READY=1", "STATUS=listening")
            assert listener.recv(1_000) == b"READY=1\nSTATUS=listening"


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
    assert read_watchdog_interval() == every


def test_the_real_program_says_that_it_is_ready_alive_and_stopping(tmp_path):
    path = str(tmp_path / "notify")

    async def scenario():
        with manager(path) as listener:

            async def heard():
                return await asyncio.to_thread(listener.recv, 1_000)

            async with program(NOTIFY_SOCKET=path, WATCHDOG_USEC="1000000") as server:
                assert await heard() == b"READY=1"
                assert await heard() == b"WATCHDOG=1"
                server.process.send_signal(signal.SIGTERM)
                while (word := await heard()) == b"WATCHDOG=1":
                    pass
                assert word == b"STOPPING=1"
                assert await server.ends() == 0

    run(scenario())
