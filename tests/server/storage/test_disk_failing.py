"""A slow or broken disk under a real service."""

import asyncio
import resource
import signal
import sqlite3
import subprocess

import pytest

from gridgames_protocol.messages import (
    Bye,
    Chat,
    Create,
    Hello,
    Ok,
    Ping,
    Play,
    Show,
    Watch,
)
from gridgames_server.core.limits import SILENCE
from gridgames_server.net import service
from gridgames_server.storage.writer import Writer
from tests.client.pseudo_terminal import PROGRAMS
from tests.server.storage.poor_disks import Stuck, answer, kept
from tests.server.tcp_tables import sit_down
from tests.wire import environment, program, run, serving, until


@pytest.fixture
def path(tmp_path):
    return tmp_path / "store"


# Slow


def test_pings_are_answered_during_a_slow_commit_and_nothing_else_is(path):
    async def scenario():
        async with kept(path, Stuck) as server:
            table = await sit_down(server, "grid-conquest")
            wes, eve = await server.guest("Wes"), await server.guest("Eve")
            await wes.says(Watch, room=table.room)
            await wes.sees(Show)
            server.storage.free.clear()
            play = table.seats[1].calls(Play, line="C3")
            await until(server.storage.hanging.is_set)
            rev = wes.table.rev
            waiting = [guest.calls(Ping) for guest in (*table.seats.values(), wes)]
            assert isinstance(await eve.says(Ping), Ok)
            assert (wes.table.rev, table.seats[1].last_id) == (rev, waiting[0])
            server.storage.free.set()
            assert (await answer(table.seats[1])).re == play, "what was said first is answered first"
            assert (await answer(table.seats[1])).re == waiting[0]
            for guest, ping in zip((table.seats[2], wes), waiting[1:], strict=True):
                assert (await answer(guest)).re == ping
                assert guest.table.rev == rev + 1, "the view was on its way before"

    run(scenario())


def test_requests_pile_up_behind_a_hanging_disk_only_so_far(path, monkeypatch):
    monkeypatch.setattr(service, "BEHIND_MAX", 20)

    async def scenario():
        async with kept(path, Stuck) as server:
            ada = await server.guest("Ada")
            await ada.says(Create, game="grid-hunt")
            server.storage.free.clear()
            requests = [ada.calls(Chat, text="Is anybody there?") for _ in range(10)]
            outbox = server.service.outbox
            (wire,) = server.service.connections.values()
            await until(lambda: not wire.transport.is_reading())
            waiting = outbox.waiting_effects
            assert waiting > 20
            requests += [ada.calls(Chat, text="Is anybody there?") for _ in range(20)]
            await ada.writer.drain()
            await server.later(SILENCE + 5)
            assert wire.is_open, "it is not she who is silent"
            assert outbox.waiting_effects <= waiting + 2, "what she says is not read"
            server.storage.free.set()
            granted = [await answer(ada) for _ in requests[:10]]
            await until(lambda: not outbox.waiting_effects)
            await server.later(1)
            granted += [await answer(ada) for _ in requests[10:]]
            assert [ok.re for ok in granted] == requests

    run(scenario())


def test_clocks_and_silence_are_looked_after_while_a_commit_hangs(path):
    async def scenario():
        async with kept(path, Stuck) as server:
            table = await sit_down(server, "grid-conquest")
            server.storage.free.clear()
            table.seats[1].calls(Play, line="C3")
            await until(server.storage.hanging.is_set)
            eve = await server.connection()
            await server.later(11)
            assert server.service.hub.sessions.keys() == {1, 2}, "one who said no hello is out"
            server.storage.free.set()
            assert isinstance((await eve.last_words())[-1], Bye)

    run(scenario())


# Broken


class Failing(Writer):
    """A store whose disk can't be written any more."""

    def _commit(self, records):
        error = sqlite3.OperationalError("disk I/O error")
        error.sqlite_errorcode = sqlite3.SQLITE_IOERR
        raise error


def test_an_error_of_the_disk_is_the_end_and_nothing_is_acknowledged(path):
    async def scenario():
        wrong, loop = [], asyncio.get_running_loop()
        storage = Failing(path, loop.call_soon_threadsafe, wrong.append)
        storage.start()
        async with serving(storage=storage) as server:
            ada = await server.connection()
            ada.calls(Hello, protocol=1, name="Ada")
            await until(lambda: wrong)
            assert str(wrong[0]) == "disk I/O error"
            await until(lambda: not storage.thread.is_alive())
            assert ada.heard == []
            ada.cut()
            server.service.outbox.waiting.clear()
        storage.close()

    run(scenario())


def test_the_program_ends_when_the_disk_fails_and_no_acknowledged_line_is_lost(path):
    async def scenario():
        async with program("--store", str(path)) as server:
            table = await sit_down(server, "grid-conquest")
            await table.types(1, "C3")
            grown = path.with_name("store-wal").stat().st_size
            # The system lets no file of the process grow: writing fails, but not for want of space.
            resource.prlimit(server.process.pid, resource.RLIMIT_FSIZE, (grown, grown))
            table.seats[2].calls(Play, line="D4")
            assert await server.ends() == 6
            assert await table.seats[1].reader.read() == b"", "nobody was told of it"
        assert "the store can't be written: disk I/O error" in server.text
        assert "Traceback" not in server.text
        async with program("--store", str(path)) as server:
            bob, welcome = await server.returns(table.seats[2])
            assert (welcome.last_play, (await bob.sees(Show)).turn) == (None, (2,))
            await bob.types("D4")
            ada, welcome = await server.returns(table.seats[1])
            assert (welcome.room, (await ada.sees(Show)).turn) == (table.room, (1,))
            assert await server.ends(signal.SIGTERM) == 0

    run(scenario())


def test_a_store_that_is_moved_away_ends_the_program_and_loses_nothing(path):
    async def scenario():
        async with program("--store", str(path)) as server:
            table = await sit_down(server, "grid-conquest")
            await table.types(1, "C3")
            moved = path.rename(path.with_name("moved"))
            table.seats[2].calls(Play, line="D4")
            assert await server.ends() == 6
            assert await table.seats[1].reader.read() == b"", "nobody was told of it"
        assert f"the store {path} was moved or deleted while the server used it: put it back" in server.text
        command = [PROGRAMS / "gridgames-server", "--port", "0", "--store", path]
        ended = await asyncio.to_thread(subprocess.run, command, capture_output=True, text=True, env=environment())
        assert ended.returncode == 5
        assert f"the store {path} is gone, and its -wal file is not" in ended.stderr
        moved.rename(path)
        async with program("--store", str(path)) as server:
            bob, welcome = await server.returns(table.seats[2])
            assert (welcome.last_play, (await bob.sees(Show)).turn) == (None, (2,))
            assert await server.ends(signal.SIGTERM) == 0

    run(scenario())
