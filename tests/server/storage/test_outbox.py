"""The outbox: nothing overtakes a record that is being written, and nothing leaves before its record is kept."""

import pytest

from gridgames_protocol.messages import Event, Lobby, Ok
from gridgames_server.core.effects import LogLine, Send
from gridgames_server.core.room_events import LinePlayed
from gridgames_server.storage.outbox import NoStorage, Outbox


class SlowDisk:
    """Keeps records when the test says so."""

    def __init__(self):
        self.asked = []  # the lines of each batch, and what to call when they are kept

    def save(self, records, kept):
        self.asked.append(([record.line for record in records], kept))

    def keeps(self, number):
        self.asked[number][1]()


def record(line):
    return LinePlayed(room=1, number=1, at=0.0, seat=1, line=line, play=1)


def said(number):
    return Send(number, (Event("hm", "system"),))


def nod(number, room=None):
    return Send(number, (Ok(1, room),))


@pytest.fixture
def disk():
    return SlowDisk()


@pytest.fixture
def done():
    return []


@pytest.fixture
def outbox(disk, done):
    return Outbox(disk, done.extend)


def test_what_needs_no_record_is_done_at_once(outbox, done, disk):
    outbox.put([said(1), LogLine("x")])
    assert done == [said(1), LogLine("x")]
    assert disk.asked == []


def test_what_follows_from_a_record_waits_until_it_is_kept(outbox, done, disk):
    outbox.put([record("C3"), said(1), said(2)])
    assert done == []
    assert disk.asked[0][0] == ["C3"]
    disk.keeps(0)
    assert done == [record("C3"), said(1), said(2)]


def test_what_is_decided_later_does_not_overtake(outbox, done, disk):
    outbox.put([record("C3"), said(1)])
    outbox.put([said(2)])
    outbox.put([LogLine("x")])
    assert done == []
    disk.keeps(0)
    assert done == [record("C3"), said(1), said(2), LogLine("x")]


def test_records_may_be_kept_in_any_order_and_are_told_in_theirs(outbox, done, disk):
    outbox.put([record("C3"), said(1)])
    outbox.put([said(2)])
    outbox.put([record("D4"), said(3)])
    outbox.put([said(4)])
    disk.keeps(1)
    assert done == []
    disk.keeps(0)
    assert done == [record("C3"), said(1), said(2), record("D4"), said(3), said(4)]


def test_what_waits_for_the_second_record_does_not_leave_with_the_first(outbox, done, disk):
    outbox.put([record("C3"), said(1)])
    outbox.put([record("D4"), said(2)])
    disk.keeps(0)
    assert done == [record("C3"), said(1)]
    disk.keeps(1)
    assert done[2:] == [record("D4"), said(2)]


def test_several_records_of_one_decision_are_kept_together(outbox, disk):
    outbox.put([record("C3"), said(1), record("D4"), said(2)])
    assert disk.asked[0][0] == ["C3", "D4"]
    assert len(disk.asked) == 1


def test_once_all_is_kept_nothing_waits_any_more(outbox, done, disk):
    outbox.put([record("C3")])
    disk.keeps(0)
    outbox.put([said(9)])
    assert done[-1] == said(9)
    assert not outbox.waiting


def test_a_ping_is_answered_while_the_disk_is_busy_with_others(outbox, done, disk):
    outbox.put([record("C3"), nod(1), said(2)])
    outbox.put([nod(3)])
    assert done == [nod(3)]
    disk.keeps(0)
    assert done == [nod(3), record("C3"), nod(1), said(2)]


def test_a_nod_does_not_overtake_what_the_same_connection_waits_for(outbox, done, disk):
    outbox.put([record("C3"), nod(1), said(2)])
    outbox.put([nod(1)])
    outbox.put([nod(2)])
    assert done == []
    disk.keeps(0)
    assert done == [record("C3"), nod(1), said(2), nod(1), nod(2)]


@pytest.mark.parametrize(
    "effects",
    [[nod(3, "ABC234")], [nod(3), said(3)], [nod(3), said(4)], [Send(3, (Lobby((), 1, 0),))], [nod(3), LogLine("x")]],
)
def test_only_a_bare_nod_goes_ahead(outbox, done, effects):
    outbox.put([record("C3"), nod(1)])
    outbox.put(effects)
    assert done == []


def test_what_a_turn_of_the_loop_decides_is_kept_together(disk, done):
    turns = []
    outbox = Outbox(disk, done.extend, turns.append)
    outbox.put([record("C3"), said(1)])
    outbox.put([record("D4"), said(2)])
    outbox.put([said(3)])
    assert (len(turns), disk.asked, outbox.waiting_effects) == (1, [], 5)
    turns.pop()()
    outbox.put([record("E5"), said(4)])
    outbox.put([said(5)])
    assert [lines for lines, *_ in disk.asked] == [["C3", "D4"]]
    disk.keeps(0)
    assert done == [record("C3"), said(1), record("D4"), said(2), said(3)]
    turns.pop()()
    disk.keeps(1)
    assert done[5:] == [record("E5"), said(4), said(5)]
    assert (turns, outbox.waiting_effects) == ([], 0)


def test_a_bug_behind_one_decision_keeps_nobody_from_theirs(disk):
    done, turns = [], []

    def perform(effects):
        if said(1) in effects:
            raise ZeroDivisionError
        done.extend(effects)

    outbox = Outbox(disk, perform, turns.append)
    outbox.put([record("C3"), said(1)])
    outbox.put([said(2)])
    turns.pop()()
    with pytest.raises(ZeroDivisionError):
        disk.keeps(0)
    assert (done, outbox.waiting_effects) == ([said(2)], 0)


def test_memory_keeps_nothing_and_says_so_at_once(done):
    outbox = Outbox(NoStorage(), done.extend)
    outbox.put([record("C3"), said(1)])
    outbox.put([said(2)])
    assert done == [record("C3"), said(1), said(2)]


def test_what_is_decided_while_things_are_done_comes_after_them(disk):
    done = []

    def perform(effects):
        done.extend(effects)
        if said(1) in effects:
            outbox.put([said(3)])

    outbox = Outbox(disk, perform)
    outbox.put([record("C3"), said(1)])
    outbox.put([said(2)])
    disk.keeps(0)
    assert done == [record("C3"), said(1), said(2), said(3)]
