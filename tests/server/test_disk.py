"""The disk under a real service: full, slow, or broken."""

import asyncio
import logging
import resource
import signal
import sqlite3
import threading
from contextlib import asynccontextmanager

import pytest

from gridgames_protocol.messages import (
    Again,
    Bye,
    Chat,
    Create,
    Error,
    Hello,
    Join,
    Ok,
    Ping,
    Play,
    Show,
    Watch,
)
from gridgames_server.journal import Journal
from gridgames_server.limits import BEHIND_MAX, READ_SIZE, SILENCE
from gridgames_server.restore import CANNOT_SAVE
from tests.server.kept import KeptHouse, Luck, Shelf, copied, kept_in, standing
from tests.server.tables import sit_down
from tests.wire import program, run, serving, until

SPACE = 2**30  # pages: as many as there may be
TABLES = ("players", "rooms", "deeds")


class Small(Journal):
    """A journal on a disk that can be made full: every new row then needs a page more, and there is none."""

    def fill(self) -> None:
        self.store.execute("CREATE TABLE IF NOT EXISTS ballast (block BLOB)")
        for table in TABLES:
            self.store.execute(
                f"CREATE TEMP TRIGGER heavy_{table} AFTER INSERT ON main.{table}"
                " BEGIN INSERT INTO ballast VALUES (zeroblob(10000)); END"
            )
        (pages,) = self.store.execute("PRAGMA page_count").fetchone()
        self.store.execute(f"PRAGMA max_page_count={pages}")

    def clear(self) -> None:
        """There is space again."""
        for table in TABLES:
            self.store.execute(f"DROP TRIGGER heavy_{table}")
        self.store.execute(f"PRAGMA max_page_count={SPACE}")


@asynccontextmanager
async def kept(path, kind=Small, **options):
    """A service with a journal; nothing may go wrong with it."""
    wrong = []
    journal = kind(path, asyncio.get_running_loop().call_soon_threadsafe, wrong.append)
    journal.load()
    journal.start()
    async with serving(keeper=journal, **options) as house:
        house.journal = journal
        yield house
    journal.close()
    assert wrong == []


@pytest.fixture
def path(tmp_path):
    return tmp_path / "store"


def live(house):
    """Every room as the running server has it."""
    return {room.number: standing(room) for room in house.service.hub.rooms.by_code.values()}


def on_disk(path):
    """Every room as a new server would have it."""
    house = KeptHouse(Shelf(), kept_in(path), Luck())
    return {room.number: standing(room) for room in house.hub.rooms.by_code.values()}


# Full


def test_a_play_that_can_not_be_saved_is_refused_and_changes_nothing(path):
    async def evening():
        async with kept(path) as house:
            table = await sit_down(house, "grid-conquest")
            wes = await house.guest("Wes")
            await wes.says(Watch, room=table.room)
            await wes.sees(Show)
            ada, bob = table.seats.values()
            house.journal.fill()
            views = [guest.table for guest in (ada, bob, wes)]
            before = live(house)
            reply = await ada.says(Play, line="C3")
            assert (reply.code, reply.text) == ("not_now", CANNOT_SAVE)
            for guest, view in zip((ada, bob, wes), views, strict=True):
                assert await guest.sees(Show) == view, "everybody is shown the table as it is on disk"
            assert live(house) == before
            house.journal.clear()
            assert isinstance(await ada.says(Play, line="C3", id=ada.last_id), Ok), "the same play, tried again"
            shown = [await guest.sees(Show, lambda show: show.turn == (2,)) for guest in (ada, bob, wes)]
            assert {show.rev for show in shown} == {views[0].rev + 1}
            await bob.types("D4")
            after = live(house)
        assert on_disk(path) == after
        lines = [deed.text for deed in kept_in(path).rooms[0].deeds if deed.what == "line"]
        assert lines == ["C3", "D4"]

    run(evening())


def test_nothing_else_is_done_while_the_disk_is_full_and_everything_afterwards(path):
    async def evening():
        async with kept(path) as house:
            table = await sit_down(house, "grid-conquest")
            cat, dan, eve = [await house.guest(name) for name in ("Cat", "Dan", "Eve")]
            code = (await cat.says(Create, game="grid-hunt")).room
            house.journal.fill()
            before = live(house)
            new = await house.connection()
            wishes = [
                (new, Hello, {"protocol": 1, "name": "New"}),
                (eve, Create, {"game": "grid-hunt"}),
                (dan, Join, {"room": code}),
                (cat, Chat, {"text": "is anybody coming? " * 10}),
                (table.seats[2], Again, {}),
            ]
            for guest, wish, given in wishes:
                reply = await guest.says(wish, **given)
                assert (reply.code, reply.text) == ("not_now", CANNOT_SAVE), wish
                assert live(house) == before
            assert await new.reader.read() == b"", "one who is not known can't stay"
            assert isinstance(await eve.says(Ping), Ok)
            house.journal.clear()
            await house.guest("New")
            for guest, wish, given in wishes[1:]:
                assert isinstance(await guest.says(wish, **given), Ok), wish
            after = live(house)
            assert set(after) == {1, 2, 4}, "a number is not given twice"
        assert on_disk(path) == after

    run(evening())


def test_one_who_comes_back_under_the_old_name_needs_no_space(path):
    async def evening():
        async with kept(path) as house:
            table = await sit_down(house, "grid-conquest")
            house.journal.fill()
            table.seats[2].cut()
            back, welcome = await house.returns(table.seats[2])
            assert (welcome.room, (await back.sees(Show)).you) == (table.room, 2)

    run(evening())


def test_many_lines_in_flight_are_all_taken_back(path):
    async def evening():
        async with kept(path) as house:
            tables = [await sit_down(house, "grid-conquest", (f"a {n}", f"b {n}")) for n in range(5)]
            house.journal.fill()
            before = live(house)
            views = {guest: guest.table for table in tables for guest in table.seats.values()}
            for table in tables:  # one group: the loop does not go round in between
                table.seats[1].calls(Play, line="C3")
                table.seats[2].calls(Chat, text="y" * 300)
                table.seats[1].calls(Chat, text="z" * 300)
            for table in tables:
                replies = [await answer(table.seats[1]), await answer(table.seats[2]), await answer(table.seats[1])]
                assert [reply.code for reply in replies] == ["not_now"] * 3
            for guest, view in views.items():
                await guest.says(Ping)
                assert guest.table == view
            assert live(house) == before
            house.journal.clear()
            for table in tables:
                await table.types(1, "C3")
            after = live(house)
        assert on_disk(path) == after
        for room in kept_in(path).rooms:
            assert [deed.text for deed in room.deeds if deed.what == "line"] == ["C3"]

    run(evening())


async def answer(guest):
    """The next reply."""
    while getattr(message := await guest.hears(), "re", None) is None:
        pass
    return message


def test_a_full_disk_disturbs_nobody_who_wants_nothing_of_it(path, caplog):
    async def evening():
        async with kept(path) as house:
            table, other = await sit_down(house, "grid-conquest"), await sit_down(house, "grid-hunt", ("Cat", "Dan"))
            house.journal.fill()
            for guest in other.seats.values():
                await guest.says(Ping)
                guest.heard.clear()
            assert isinstance(await table.seats[1].says(Play, line="C3"), Error)
            for guest in other.seats.values():
                await guest.says(Ping)
                assert [type(message) for message in guest.heard] == [Ok]
            await until(lambda: not house.service.outbox.waiting)

    with caplog.at_level(logging.ERROR, logger="gridgames"):
        run(evening())
    assert caplog.messages == ["the disk is full: nothing can be saved"]


# Slow


class Stuck(Journal):
    """A journal whose disk hangs when it is told to."""

    def __init__(self, *given):
        super().__init__(*given)
        self.free = threading.Event()
        self.free.set()
        self.hanging = threading.Event()

    def _commit(self, records):
        if not self.free.is_set():
            self.hanging.set()
            assert self.free.wait(20)
        super()._commit(records)


def test_pings_are_answered_while_a_commit_hangs_and_nothing_is_told_before_it_is_done(path):
    async def evening():
        async with kept(path, Stuck) as house:
            table = await sit_down(house, "grid-conquest")
            wes, eve = await house.guest("Wes"), await house.guest("Eve")
            await wes.says(Watch, room=table.room)
            await wes.sees(Show)
            house.journal.free.clear()
            play = table.seats[1].calls(Play, line="C3")
            await until(house.journal.hanging.is_set)
            rev = wes.table.rev
            waiting = [guest.calls(Ping) for guest in (*table.seats.values(), wes)]
            assert isinstance(await eve.says(Ping), Ok)
            assert (wes.table.rev, table.seats[1].last_id) == (rev, waiting[0])
            house.journal.free.set()
            assert (await answer(table.seats[1])).re == play, "what was said first is answered first"
            assert (await answer(table.seats[1])).re == waiting[0]
            for guest, ping in zip((table.seats[2], wes), waiting[1:], strict=True):
                assert (await answer(guest)).re == ping
                assert guest.table.rev == rev + 1, "the view was on its way before"

    run(evening())


def test_wishes_pile_up_behind_a_hanging_disk_only_so_far_and_all_are_granted_in_the_end(path):
    async def evening():
        async with kept(path, Stuck) as house:
            ada = await house.guest("Ada")
            await ada.says(Create, game="grid-hunt")
            house.journal.free.clear()
            wishes = [ada.calls(Chat, text="Is anybody there?") for _ in range(3 * BEHIND_MAX)]
            outbox = house.service.outbox
            (wire,) = house.service.connections.values()
            await until(lambda: not wire.transport.is_reading())
            assert BEHIND_MAX < outbox.behind <= BEHIND_MAX + READ_SIZE / len("Is anybody there?")
            await house.later(SILENCE + 5)
            assert wire.is_open, "it is not she who is silent"
            house.journal.free.set()
            granted = [await answer(ada) for _ in wishes[:BEHIND_MAX]]
            await until(lambda: not outbox.behind)
            await house.later(1)
            granted += [await answer(ada) for _ in wishes[BEHIND_MAX:]]
            assert [ok.re for ok in granted] == wishes

    run(evening())


def test_clocks_and_silence_are_looked_after_while_a_commit_hangs(path):
    async def evening():
        async with kept(path, Stuck) as house:
            table = await sit_down(house, "grid-conquest")
            house.journal.free.clear()
            table.seats[1].calls(Play, line="C3")
            await until(house.journal.hanging.is_set)
            eve = await house.connection()
            await house.later(11)
            assert house.service.hub.sessions.keys() == {1, 2}, "one who said no hello is out"
            house.journal.free.set()
            assert isinstance((await eve.last_words())[-1], Bye)

    run(evening())


# Broken


class Failing(Journal):
    """A journal whose disk can't be written any more."""

    def _commit(self, records):
        error = sqlite3.OperationalError("disk I/O error")
        error.sqlite_errorcode = sqlite3.SQLITE_IOERR
        raise error


def test_an_error_of_the_disk_is_the_end_and_nothing_is_acknowledged(path):
    async def evening():
        wrong, loop = [], asyncio.get_running_loop()
        journal = Failing(path, loop.call_soon_threadsafe, wrong.append)
        journal.start()
        async with serving(keeper=journal) as house:
            ada = await house.connection()
            ada.calls(Hello, protocol=1, name="Ada")
            await until(lambda: wrong)
            assert str(wrong[0]) == "disk I/O error"
            await until(lambda: not journal.writer.is_alive())
            assert ada.heard == []
            ada.cut()
            house.service.outbox.waiting.clear()
        journal.close()

    run(evening())


def test_the_program_ends_when_the_disk_fails_and_a_new_one_has_all_that_was_acknowledged(path):
    async def evening():
        async with program("--store", str(path)) as house:
            table = await sit_down(house, "grid-conquest")
            await table.types(1, "C3")
            grown = path.with_name("store-wal").stat().st_size
            # The system lets no file of the process grow: writing fails, but not for want of space.
            resource.prlimit(house.process.pid, resource.RLIMIT_FSIZE, (grown, grown))
            table.seats[2].calls(Play, line="D4")
            assert await house.ends() == 6
            assert await table.seats[1].reader.read() == b"", "nobody was told of it"
        assert "the store can't be written: disk I/O error" in house.text
        assert "Traceback" not in house.text
        async with program("--store", str(path)) as house:
            bob, welcome = await house.returns(table.seats[2])
            assert (welcome.last_play, (await bob.sees(Show)).turn) == (None, (2,))
            await bob.types("D4")
            ada, welcome = await house.returns(table.seats[1])
            assert (welcome.room, (await ada.sees(Show)).turn) == (table.room, (1,))
            assert await house.ends(signal.SIGTERM) == 0

    run(evening())


def test_a_copy_that_was_taken_while_the_disk_was_full_is_whole(path, tmp_path):
    async def evening():
        async with kept(path) as house:
            table = await sit_down(house, "grid-conquest")
            await table.types(1, "C3")
            house.journal.fill()
            assert isinstance(await table.seats[2].says(Play, line="D4"), Error)
            before = live(house)
            assert on_disk(copied(path, tmp_path / "killed")) == before

    run(evening())
