"""A full disk under a real service."""

import asyncio
import logging
from pathlib import Path

import pytest

from gridgames_protocol.messages import (
    Again,
    Chat,
    Create,
    Error,
    Hello,
    Join,
    Ok,
    Ping,
    Play,
    Show,
    Welcome,
)
from gridgames_server.core.room_events import LinePlayed
from gridgames_server.core.state import CANNOT_SAVE
from gridgames_server.storage.side_files import RESERVE, Reserve
from tests.server.storage.poor_disks import Small, answer, found_space, kept, live, on_disk
from tests.server.stored_hub import copied, kept_in
from tests.server.tcp_tables import sit_down
from tests.wire import run, until


@pytest.fixture
def path(tmp_path):
    return tmp_path / "store"


def test_when_the_disk_fills_up_pending_plays_are_kept_and_the_next_is_refused(path):
    async def scenario():
        async with kept(path) as server:
            table = await sit_down(server, "grid-conquest")
            ada, bob = table.seats.values()
            server.storage.fill()
            await table.types(1, "C3")
            before, view = live(server), bob.table
            reply = await bob.says(Play, line="D4")
            assert (reply.code, reply.text) == ("not_now", CANNOT_SAVE)
            await ada.says(Ping)
            assert (ada.table.rev, bob.table, live(server)) == (view.rev, view, before)
            await server.later(5)
            assert server.storage.is_disk_full
            server.storage.clear()
            await found_space(server)
            assert isinstance(await bob.says(Play, line="D4", id=bob.last_id), Ok), "the same play, tried again"
            await table.see(view.rev + 1)
            await table.types(1, "A1")
            after = live(server)
        assert on_disk(path) == after
        lines = [event.line for event in kept_in(path).rooms[0].events if isinstance(event, LinePlayed)]
        assert lines == ["C3", "D4", "A1"]

    run(scenario())


def test_nothing_else_is_done_while_the_disk_is_full_and_everything_afterwards(path):
    async def scenario():
        async with kept(path) as server:
            table = await sit_down(server, "grid-conquest")
            cat, dan, eve = [await server.guest(name) for name in ("Cat", "Dan", "Eve")]
            code = (await cat.says(Create, game="grid-hunt")).room
            server.storage.fill()
            await table.types(1, "C3")
            before = live(server)
            new = await server.connection()
            requests = [
                (new, Hello, {"protocol": 1, "name": "New"}),
                (eve, Create, {"game": "grid-hunt"}),
                (dan, Join, {"room": code}),
                (cat, Chat, {"text": "is anybody coming?"}),
                (table.seats[2], Again, {}),
            ]
            for guest, request, given in requests:
                reply = await guest.says(request, **given)
                assert (reply.code, reply.text) == ("not_now", CANNOT_SAVE), request
                assert live(server) == before
            assert isinstance(await eve.says(Ping), Ok)
            server.storage.clear()
            await found_space(server)
            for guest, request, given in requests:
                assert isinstance(await guest.says(request, **given), Ok | Welcome), request
            after = live(server)
            assert set(after) == {1, 2, 3}
        assert on_disk(path) == after

    run(scenario())


def test_one_who_comes_back_under_the_old_name_needs_no_space(path):
    async def scenario():
        async with kept(path) as server:
            table = await sit_down(server, "grid-conquest")
            server.storage.fill()
            await table.types(1, "C3")
            table.seats[2].cut()
            back, welcome = await server.returns(table.seats[2])
            assert (welcome.room, (await back.sees(Show)).you) == (table.room, 2)

    run(scenario())


def test_lines_that_do_not_even_fit_into_the_reserve_wait_until_there_is_space(path):
    async def scenario():
        async with kept(path) as server:
            tables = [await sit_down(server, "grid-conquest", (f"a {n}", f"b {n}")) for n in range(5)]
            server.storage.fill(reserve_helps=False)
            before = on_disk(copied(path, path.with_name("before")))
            views = {guest: guest.table for table in tables for guest in table.seats.values()}
            for table in tables:  # one group: the loop does not go round in between
                table.seats[1].calls(Play, line="C3")
                table.seats[2].calls(Chat, text="y" * 300)
                table.seats[1].calls(Chat, text="z" * 300)
            await until(lambda: server.storage.is_disk_full)
            eve = await server.connection()
            eve.calls(Hello, protocol=1, name="Eve")
            await server.later(5)
            assert {guest: guest.table for guest in views} == views
            assert on_disk(copied(path, path.with_name("during"))) == before
            server.storage.clear()
            await found_space(server)
            for table in tables:
                replies = [await answer(table.seats[1]), await answer(table.seats[2]), await answer(table.seats[1])]
                assert [type(reply) for reply in replies] == [Ok] * 3
            assert (await answer(eve)).code == "not_now"
            after = live(server)
        assert on_disk(path) == after
        for room in kept_in(path).rooms:
            assert [event.line for event in room.events if isinstance(event, LinePlayed)] == ["C3"]

    run(scenario())


def test_a_server_that_stops_before_there_is_space_has_told_nobody_of_what_is_lost(path, caplog):
    async def scenario():
        async with kept(path) as server:
            table = await sit_down(server, "grid-conquest")
            before = live(server)
            server.storage.fill(reserve_helps=False)
            table.seats[1].calls(Play, line="C3")
            await until(lambda: server.storage.is_disk_full)
            heard = len(table.seats[1].heard)
        assert len(table.seats[1].heard) == heard
        assert on_disk(path) == before

    run(scenario())
    assert "1 requests could not be saved; nobody has seen their effects" in caplog.messages


def test_a_bot_moves_when_there_is_space(path):
    async def scenario():
        async with kept(path) as server:
            ada = await server.guest("Ada")
            await ada.says(Create, game="grid-conquest", first="host", bot="easy")
            await ada.sees(Show)
            server.storage.fill()
            await ada.types("C3")
            rev = (await ada.sees(Show, lambda show: show.turn == (2,))).rev
            await asyncio.get_running_loop().shutdown_default_executor()  # the bot has chosen
            await server.later(3)
            assert (await ada.says(Ping), ada.table.rev) == (Ok(ada.last_id), rev)
            server.storage.clear()
            await found_space(server)
            assert (await ada.sees(Show, lambda show: show.turn == (1,))).rev == rev + 1

    run(scenario())


def test_a_server_that_starts_on_a_full_disk_refuses_until_there_is_space(path):
    class Full(Small):
        def start(self):
            self.has_space = False
            self.store.last_write.close()
            self.store.last_write.file = Path("/dev/full").open("r+b", buffering=0)  # noqa: SIM115  (closed with it)
            super().start()

    async def scenario():
        async with kept(path, Full) as server:
            ada = await server.connection()
            assert (await ada.says(Hello, protocol=1, name="Ada")).code == "not_now"
            server.storage.has_space = True
            await found_space(server)
            await ada.hello("Ada")

    run(scenario())


def test_the_reserve_takes_up_space_until_it_is_freed_and_is_made_again(tmp_path):
    reserve = Reserve(tmp_path / "reserve")
    for _ in range(2):
        assert reserve.make()
        assert reserve.path.stat().st_size == RESERVE
        assert reserve.path.stat().st_blocks * 512 >= RESERVE
        assert reserve.path.stat().st_mode & 0o777 == 0o600
        reserve.free()
        assert not reserve.path.exists()
        reserve.path.touch(0o600)  # a crash while it was made
    assert not Reserve(tmp_path / "no such folder" / "reserve").make()


def test_a_full_disk_disturbs_nobody_who_wants_nothing_of_it_and_the_log_says_it(path, caplog):
    async def scenario():
        async with kept(path) as server:
            table, other = await sit_down(server, "grid-conquest"), await sit_down(server, "grid-hunt", ("Cat", "Dan"))
            server.storage.fill()
            for guest in other.seats.values():
                await guest.says(Ping)
                guest.heard.clear()
            await table.types(1, "C3")
            assert isinstance(await table.seats[2].says(Play, line="D4"), Error)
            for guest in other.seats.values():
                await guest.says(Ping)
                assert [type(message) for message in guest.heard] == [Ok]
            await server.later(3)
            server.storage.clear()
            await found_space(server)

    with caplog.at_level(logging.WARNING, logger="gridgames"):
        run(scenario())
    full = "the disk is full: nothing new is accepted until there is space"
    assert caplog.messages == [full, "the disk has space again"]


def test_a_copy_that_was_taken_while_the_disk_was_full_is_whole(path, tmp_path):
    async def scenario():
        async with kept(path) as server:
            table = await sit_down(server, "grid-conquest")
            await table.types(1, "C3")
            server.storage.fill()
            await table.types(2, "D4")
            assert isinstance(await table.seats[1].says(Play, line="A1"), Error)
            before = live(server)
            assert on_disk(copied(path, tmp_path / "killed")) == before

    run(scenario())
