"""The writer: what is kept is kept in order, in groups, together or not at all, and told when it is done."""

import threading

import pytest

from gridgames_protocol.messages import AskHistory, AskReplay, AskStandings
from gridgames_server.deeds import Deed, GameOver, PlayerNamed, RoomClosed, RoomOpened
from gridgames_server.history import Found
from gridgames_server.journal import GROUP_MAX, Journal, tell_all
from gridgames_server.store import ROWS_MAX
from tests.server.kept import Shelved, copied, kept_in, saved

ROOM = RoomOpened(1, "ABC234", "grid-hunt", "host", False, None, "10.0.0.1")
ADA = PlayerNamed(1, "Ada", "ada", b"a" * 32)


def deed(number, text=""):
    return Deed(1, number, 1_000.0 + number, "sit", 1, text, 1)


@pytest.fixture
def path(tmp_path):
    return tmp_path / "store"


class Busy(Journal):
    """A journal whose disk is slow: each commit waits until the test lets it go."""

    def __init__(self, path):
        self.log, self.last = [], ""
        super().__init__(path, lambda call: call(), self.log.append)
        self.load()
        self.begun, self.go = threading.Semaphore(0), threading.Semaphore(0)
        self.store.set_trace_callback(self.traced)
        self.start()

    def traced(self, statement):
        again, self.last = statement == self.last, statement  # a trigger's work is told under the statement's name
        alone = statement.startswith("INSERT INTO deeds") and not self.store.in_transaction and not again
        if statement == "COMMIT" or alone:
            self.begun.release()
            assert self.go.acquire(timeout=20)
            self.log.append("commit")

    def puts(self, name, *records):
        self.keep(list(records), lambda: self.log.append(name), lambda: self.log.append(f"not {name}"))


def test_what_comes_in_during_a_commit_makes_up_the_next_one(path):
    journal = Busy(path)
    journal.puts("first", ADA, ROOM, deed(1))
    assert journal.begun.acquire(timeout=20)
    for number in range(2, 12):
        journal.puts(number, deed(number))
    journal.go.release(2)
    assert journal.begun.acquire(timeout=20)
    journal.close()
    assert journal.log == ["commit", "first", "commit", *range(2, 12)]
    assert [one.number for one in kept_in(path).rooms[0].deeds] == list(range(1, 12))


def test_what_is_decided_does_not_wait_for_what_is_asked(path):
    journal = Busy(path)
    journal.puts("first", ADA, ROOM, deed(1))
    assert journal.begun.acquire(timeout=20)
    journal.puts("second", deed(2))
    journal.look(AskStandings(1), 1, lambda found: journal.log.append("standings"))
    journal.puts("third", deed(3))
    journal.go.release(3)
    journal.close()
    assert journal.log == ["commit", "first", "commit", "second", "standings", "commit", "third"]


def test_standings_are_worked_out_once_between_two_games(path):
    journal = Busy(path)
    journal.go.release(10)
    game = GameOver(1, 1, "grid-hunt", 1, b"", 1, (1, 2), ("Ada", "Bob"), (), 1, "dig", "Player 1 wins.")
    seen, done = [], threading.Event()
    journal.puts("players", ADA, ROOM, deed(1), game)
    journal.look(AskStandings(1), 1, seen.append)
    journal.look(AskStandings(2), 2, seen.append)
    journal.puts("game", game)
    journal.look(AskStandings(3), 1, seen.append)
    journal.look(AskHistory(4), 1, lambda found: done.set())
    assert done.wait(20)
    journal.close()
    assert seen[0] is seen[1]
    assert [found.rows[0] for found in seen] == [("Ada", 1, 1, 0), ("Ada", 1, 1, 0), ("Ada", 2, 2, 0)]


def test_a_bug_in_one_answer_keeps_nobody_from_theirs():
    heard = []
    with pytest.raises(ZeroDivisionError):
        tell_all([lambda: heard.append(1), lambda: 1 // 0, lambda: heard.append(3)])
    assert heard == [1, 3]


def test_a_closed_room_leaves_nothing_behind(path):
    journal = Busy(path)
    journal.go.release(10)
    journal.puts("opened", ADA, ROOM, deed(1))
    journal.puts("closed", RoomClosed(1))
    journal.close()
    assert journal.links == {}


def test_a_group_has_its_limit(path):
    journal = Busy(path)
    journal.puts("first", ADA, ROOM, deed(1))
    assert journal.begun.acquire(timeout=20)
    for number in range(2, GROUP_MAX + 12):
        journal.puts(number, deed(number))
    journal.go.release(3)
    journal.close()
    assert [place for place, what in enumerate(journal.log) if what == "commit"] == [0, 2, GROUP_MAX + 3]
    assert [what for what in journal.log[2:] if what != "commit"] == list(range(2, GROUP_MAX + 12))


def test_nothing_is_said_to_be_kept_before_the_commit_is_done(path):
    journal = Busy(path)
    journal.puts("first", ADA)
    assert journal.begun.acquire(timeout=20)
    assert journal.log == []
    journal.go.release()
    journal.close()
    assert journal.log == ["commit", "first"]


def test_what_waits_when_it_is_closed_is_written(path):
    journal = Busy(path)
    journal.go.release(10)
    for number in range(1, 6):
        journal.puts(number, PlayerNamed(number, str(number), str(number), bytes([number]) * 32))
    journal.close()
    assert [what for what in journal.log if what != "commit"] == [1, 2, 3, 4, 5]
    assert len(kept_in(path).players) == 5


def test_the_records_of_one_decision_are_kept_together_or_not_at_all(path, tmp_path):
    journal = Busy(path)
    journal.puts("first", ADA, ROOM, deed(1))
    assert journal.begun.acquire(timeout=20)
    killed = copied(path, tmp_path / "killed")
    journal.go.release()
    journal.close()
    assert kept_in(killed) == saved([])
    assert kept_in(path) == saved([ADA, ROOM, deed(1)])


def test_what_was_put_in_before_the_disk_was_known_to_be_full_is_refused_even_if_there_is_space_by_then(path):
    journal = Busy(path)
    (pages,) = journal.store.execute("PRAGMA page_count").fetchone()
    journal.store.execute(f"PRAGMA max_page_count={pages}")
    going, waits, done = threading.Event(), threading.Event(), threading.Event()

    def until_more_waits(statement):
        if statement == "BEGIN IMMEDIATE":
            going.set()
            assert waits.wait(20)

    def there_is_space():
        journal.log.append("not first")
        journal.store.set_trace_callback(None)
        journal.store.execute("PRAGMA max_page_count=1000000")

    journal.store.set_trace_callback(until_more_waits)
    journal.keep([ADA, ROOM, deed(1, text="x" * 10_000)], journal.log.append, there_is_space)
    assert going.wait(20)
    journal.puts("second", PlayerNamed(2, "Bob", "bob", b"b" * 32))
    waits.set()
    journal.keep([PlayerNamed(3, "Cat", "cat", b"c" * 32)], journal.log.append, done.set)
    assert done.wait(20)
    assert journal.log == ["not first", "not second"]
    assert journal.reload() == saved([])
    journal.puts("fourth", ADA)
    journal.close()
    assert journal.log[2:] == ["fourth"]
    assert kept_in(path) == saved([ADA])


def test_a_bug_in_a_record_stops_the_writer_and_says_so(path):
    journal = Busy(path)
    journal.puts("twice", ADA, ROOM, deed(1), deed(1))
    journal.writer.join(20)
    (error,) = journal.log
    assert str(error) == "UNIQUE constraint failed: deeds.room, deeds.number"
    journal.close()
    assert kept_in(path) == saved([])


def test_damage_among_old_games_disturbs_nobody_who_plays_a_new_one(path):
    journal = Shelved(path)
    game = GameOver(1, 1, "grid-hunt", 1, b"", 1, (1, 2), ("Ada", "Bob"), (), 1, "dig", "Player 1 wins.")
    journal.keep([ADA, ROOM, deed(1), game], lambda: None, lambda: None)
    (page,) = journal.store.execute("SELECT rootpage FROM sqlite_schema WHERE name = 'games'").fetchone()
    journal.close()
    with path.open("r+b") as file:
        file.seek((page - 1) * 4_096)
        file.write(b"\xff" * 4_096)
    journal = Shelved(path)
    found, told = [], threading.Event()
    for question in (AskHistory(1), AskReplay(2, 1, 0, 0), AskStandings(3)):
        journal.look(question, 1, found.append)
    journal.look(AskHistory(4), 1, lambda _: told.set())
    assert told.wait(20)
    assert found == [Found()] * 3
    journal.keep([deed(2)], lambda: None, lambda: None)
    journal.close()
    assert kept_in(path) == saved([ADA, ROOM, deed(1), deed(2)])


@pytest.mark.parametrize("count", [1, 2, 3, 64, 65, ROWS_MAX, ROWS_MAX + 1, 2 * ROWS_MAX + 3])
def test_any_number_of_deeds_is_kept_each_with_its_link_and_the_room_with_the_last(path, count):
    journal = Shelved(path)
    journal.keep([ADA, ROOM], lambda: None, lambda: None)
    journal.keep([deed(number) for number in range(1, count + 1)], lambda: None, lambda: None)
    (last,) = journal.store.execute("SELECT link FROM links").fetchone()
    assert journal.links == {1: last}
    journal.close()
    assert kept_in(path) == saved([ADA, ROOM, *(deed(number) for number in range(1, count + 1))])
