"""The writer: what is kept is kept in order, in groups, together or not at all, and told when it is done."""

import threading

import pytest

from gridgames_protocol.messages import AskHistory, AskReplay, AskStandings
from gridgames_server.core.room_events import ChatSaid, GameOver, PlayerNamed, RoomOpened, SeatTaken
from gridgames_server.storage.history_answers import Query
from gridgames_server.storage.store import PAGE_SIZE
from gridgames_server.storage.writer import GROUP_MAX, Writer, call_all
from tests.server.stored_hub import Shelved, copied, kept_in, saved

ROOM = RoomOpened(1, "ABC234", "grid-hunt", "host", False, None, "10.0.0.1")
ADA = PlayerNamed(1, "Ada", "ada", b"a" * 32)


def event(number, text=""):
    if text:
        return ChatSaid(1, number, 1_000.0 + number, 1, "Ada", text)
    return SeatTaken(1, number, 1_000.0 + number, 1, 1)


@pytest.fixture
def path(tmp_path):
    return tmp_path / "store"


class Busy(Writer):
    """A store whose disk is slow: each commit waits until the test lets it go."""

    def __init__(self, path):
        self.log = []
        super().__init__(path, lambda call: call(), self.log.append)
        self.load()
        self.begun, self.go = threading.Semaphore(0), threading.Semaphore(0)
        self.store.set_trace_callback(self.traced)
        self.start()

    def traced(self, statement):
        if statement.startswith("INSERT INTO log"):
            self.begun.release()
            assert self.go.acquire(timeout=20)
            self.log.append("commit")

    def puts(self, name, *records):
        self.save(list(records), lambda: self.log.append(name))

    def keeps(self, *records):
        kept = threading.Event()
        self.save(list(records), kept.set)
        assert kept.wait(20)


def ask(storage, question, send):
    storage.run_query(Query(question, 1, lambda found: found, send))


def test_what_comes_in_during_a_commit_makes_up_the_next_one(path):
    storage = Busy(path)
    storage.puts("first", ADA, ROOM, event(1))
    assert storage.begun.acquire(timeout=20)
    for number in range(2, 12):
        storage.puts(number, event(number))
    storage.go.release(2)
    assert storage.begun.acquire(timeout=20)
    storage.close()
    assert storage.log == ["commit", "first", "commit", *range(2, 12)]
    assert [one.number for one in kept_in(path).rooms[0].events] == list(range(1, 12))


def test_what_is_decided_does_not_wait_for_what_is_asked(path):
    storage = Busy(path)
    storage.puts("first", ADA, ROOM, event(1))
    assert storage.begun.acquire(timeout=20)
    storage.puts("second", event(2))
    asked = threading.Event()
    ask(storage, AskStandings(1), lambda found: asked.set())
    storage.puts("third", event(3))
    assert asked.wait(20), "before the first commit ends"
    storage.go.release(2)
    storage.close()
    assert storage.log == ["commit", "first", "commit", "second", "third"], "and it cuts no group in two"


def test_standings_have_every_game_that_was_kept_before_the_question(path):
    storage = Busy(path)
    storage.go.release(10)
    game = GameOver(1, 1, "grid-hunt", 1, b"", 1, (1, 2), ("Ada", "Bob"), (), 1, "dig", "Player 1 wins.")
    seen, done = [], threading.Event()
    storage.keeps(ADA, ROOM, event(1), game)
    ask(storage, AskStandings(1), seen.append)
    ask(storage, AskStandings(2), seen.append)
    storage.keeps(game)
    ask(storage, AskStandings(3), seen.append)
    ask(storage, AskHistory(4), lambda found: done.set())
    assert done.wait(20)
    storage.close()
    rows = [found.rows[0] for found in seen]
    assert rows == sorted(rows)  # a query may also see what was kept after it was asked
    assert (rows[0][1] >= 1, rows[2]) == (True, ("Ada", 2, 2, 0))


def test_a_bug_in_one_answer_keeps_nobody_from_theirs():
    heard = []
    with pytest.raises(ZeroDivisionError):
        call_all([lambda: heard.append(1), lambda: 1 // 0, lambda: heard.append(3)])
    assert heard == [1, 3]


def test_a_group_has_its_limit(path):
    storage = Busy(path)
    storage.puts("first", ADA, ROOM, event(1))
    assert storage.begun.acquire(timeout=20)
    for number in range(2, GROUP_MAX + 12):
        storage.puts(number, event(number))
    storage.go.release(3)
    storage.close()
    assert [place for place, what in enumerate(storage.log) if what == "commit"] == [0, 2, GROUP_MAX + 3]
    assert [what for what in storage.log[2:] if what != "commit"] == list(range(2, GROUP_MAX + 12))


def test_nothing_is_said_to_be_kept_before_the_commit_is_done(path):
    storage = Busy(path)
    storage.puts("first", ADA)
    assert storage.begun.acquire(timeout=20)
    assert storage.log == []
    storage.go.release()
    storage.close()
    assert storage.log == ["commit", "first"]


def test_what_waits_when_it_is_closed_is_written(path):
    storage = Busy(path)
    storage.go.release(10)
    for number in range(1, 6):
        storage.puts(number, PlayerNamed(number, str(number), str(number), bytes([number]) * 32))
    storage.close()
    assert [what for what in storage.log if what != "commit"] == [1, 2, 3, 4, 5]
    assert len(kept_in(path).players) == 5


def test_the_records_of_one_decision_are_kept_together_or_not_at_all(path, tmp_path):
    storage = Busy(path)
    storage.puts("first", ADA, ROOM, event(1))
    assert storage.begun.acquire(timeout=20)
    killed = copied(path, tmp_path / "killed")
    storage.go.release()
    storage.close()
    assert kept_in(killed) == saved([])
    assert kept_in(path) == saved([ADA, ROOM, event(1)])


def test_a_bug_in_a_record_stops_the_writer_and_says_so(path):
    storage = Busy(path)
    storage.puts("odd", ADA, ROOM, SeatTaken(1, 1, object(), 1, 1))
    storage.thread.join(20)
    (error,) = storage.log
    assert "can not serialize 'object' object" in str(error)
    storage.close()
    assert kept_in(path) == saved([])


@pytest.mark.parametrize("table", ["games", "standings"])
def test_damage_among_old_games_disturbs_nobody_who_plays_a_new_one(path, table):
    standings = (("Ada", 1, 1, 0), ("Bob", 1, 0, 0))
    storage = Shelved(path)
    game = GameOver(1, 1, "grid-hunt", 1, b"", 1, (1, 2), ("Ada", "Bob"), (), 1, "dig", "Player 1 wins.")
    storage.save([ADA, ROOM, event(1), game], lambda: None)
    (page,) = storage.store.execute("SELECT rootpage FROM sqlite_schema WHERE name = ?", (table,)).fetchone()
    storage.close()
    with path.open("r+b") as file:
        file.seek((page - 1) * PAGE_SIZE)
        file.write(b"\xff" * PAGE_SIZE)
    storage = Shelved(path)
    found, told = [], threading.Event()
    for question in (AskHistory(1), AskReplay(2, 1, 0, 0), AskStandings(3)):
        ask(storage, question, found.append)
    ask(storage, AskHistory(4), lambda _: told.set())
    assert told.wait(20)
    known = [len(result.games) for result in found[:2]] + [result.rows for result in found[2:]]
    assert known == ([0, 0, standings] if table == "games" else [1, 1, ()])
    storage.save([event(2), game], lambda: None)
    storage.close()
    assert storage.errors == []
    assert kept_in(path).rooms == saved([ADA, ROOM, event(1), event(2)]).rooms


def test_a_backup_that_runs_when_the_server_stops_is_given_up_and_leaves_no_file(path, tmp_path):
    told = []
    storage = Writer(path, lambda call: call(), print)
    storage.load()
    storage.start()
    storage.store.executemany("INSERT INTO notes VALUES (?,?)", [(str(number), number) for number in range(5_000)])
    storage.backup(str(tmp_path / "copy"), told.append)
    storage.close()
    assert told == [f"can't write {tmp_path / 'copy'}: interrupted"]
    assert not (tmp_path / "copy").exists()


@pytest.mark.parametrize("count", [1, 2, 3, 500, 1_027])
def test_any_number_of_records_is_one_row(path, count):
    storage = Shelved(path)
    storage.save([ADA, ROOM], lambda: None)
    storage.save([event(number) for number in range(1, count + 1)], lambda: None)
    assert storage.store.execute("SELECT seq, rooms FROM log").fetchall() == [(1, "1"), (2, "1")]
    storage.close()
    assert kept_in(path) == saved([ADA, ROOM, *(event(number) for number in range(1, count + 1))])
