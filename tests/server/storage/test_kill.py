"""The real program, killed again and again while people play: no acknowledged line is lost, and none is done twice.

Some tables play at once. The program is killed at a line that was just sent or just acknowledged, so that the lines of
the others are anywhere on their way. Everybody comes back with their tokens, sends the line again that was not
acknowledged, under the same id, and plays on.
"""

import asyncio
import signal
from collections import Counter
from contextlib import closing
from pathlib import Path
from random import Random
from typing import NamedTuple

from gridgames_protocol.messages import Again, Create, Join, Ok, Ping, Play, Show
from gridgames_server.core.room_events import GameStarted, LinePlayed
from gridgames_server.storage.finished_games import read_games
from gridgames_server.storage.store import connect
from tests.server.stored_hub import kept_in
from tests.server.tcp_tables import SLUGS
from tests.wire import Guest, Program, program, run

GONE = (asyncio.IncompleteReadError, ConnectionError)
TABLES = 6


class Line(NamedTuple):
    """A line as it was sent."""

    seat: int
    id: int
    text: str


class Scenario:
    """What has happened so far, and when the server of now is killed."""

    def __init__(self) -> None:
        self.choose = Random(4743)
        self.counts: Counter[str] = Counter()
        self.server: Program

    def begins(self, server: Program, lines: int) -> None:
        """A new server will live for about so many lines."""
        self.server = server
        self.deadly = self.choose.choice(("sent", "acknowledged"))
        self.last = self.counts[self.deadly] + self.choose.randint(lines // 2, lines)

    def count(self, what: str) -> None:
        """Something has happened; perhaps the server does not outlive it."""
        self.counts[what] += 1
        if what == self.deadly and self.counts[what] == self.last:
            self.server.process.send_signal(signal.SIGKILL)
            self.counts["kills"] += 1


class Table:
    """Two who play one game after the other in one room, whatever happens to the server."""

    def __init__(self, number: int, scenario: Scenario) -> None:
        self.number, self.scenario = number, scenario
        self.game = SLUGS[number % len(SLUGS)]
        self.choose = Random(number)
        self.room = ""
        self.seats: dict[int, Guest] = {}
        self.acknowledged: list[Line] = []
        self.in_flight: Line | None = None

    async def sits_down(self, server: Program) -> None:
        """Begin, in a new room."""
        for seat in (1, 2):
            self.seats[seat] = await server.guest(f"{self.number} at {seat}")
        self.room = (await self.seats[1].says(Create, game=self.game)).room
        assert isinstance(await self.seats[2].says(Join, room=self.room), Ok)

    async def comes_back(self, server: Program) -> None:
        """Both come to a new server, which knows everything that was acknowledged, and perhaps what was not."""
        for seat, guest in self.seats.items():
            self.seats[seat], welcome = await server.returns(guest)
            known = [line.id for line in self.acknowledged if line.seat == seat][-1:] or [None]
            perhaps = [self.in_flight.id] if self.in_flight and self.in_flight.seat == seat else []
            assert welcome.room == self.room
            assert welcome.last_play in known + perhaps
            self.scenario.counts["done, not acknowledged"] += welcome.last_play in perhaps

    async def plays(self) -> None:
        """Play until the server is gone."""
        try:
            await self.look()
            if self.in_flight:
                await self.sends(self.in_flight)
            while True:
                await self.goes_on()
        except GONE:
            pass

    async def look(self) -> None:
        """Both see what there is to see: it is on its way before the answer to a ping."""
        for guest in self.seats.values():
            await guest.says(Ping)
            guest.heard.clear()
            guest.unseen.clear()

    async def goes_on(self) -> None:
        """Type the next line, or ask for the next game, which begins when both have asked."""
        if not self.shown(1).turn:
            for seat, guest in self.seats.items():
                if not self.shown(seat).turn:  # the other's request may have been kept by the server before
                    assert isinstance(await guest.says(Again), Ok)
                    await self.look()
            self.scenario.counts["games"] += 1
            return
        seat = self.choose.choice(self.shown(1).turn)
        text = self.choose.choice([line for action in self.shown(seat).view.actions for line in action.lines()])
        await self.sends(Line(seat, self.seats[seat].last_id + 1, text))

    def shown(self, seat: int) -> Show:
        """What a seat has seen last."""
        table = self.seats[seat].table
        assert table
        return table

    async def sends(self, line: Line) -> None:
        """Send a line, perhaps for the second time; it is acknowledged."""
        self.in_flight, guest = line, self.seats[line.seat]
        guest.calls(Play, line=line.text, id=line.id)
        self.scenario.count("sent")
        while getattr(reply := await guest.hears(), "re", None) != line.id:
            pass
        assert isinstance(reply, Ok), reply
        self.acknowledged.append(line)
        self.in_flight = None
        self.scenario.count("acknowledged")
        await self.look()


class StoredRoom(NamedTuple):
    """What the store holds of an open room."""

    lines: list[tuple[int, str]]  # of all its games, with their seats
    plays: list[tuple[int, int]]  # the ids of the last of them, with their seats: a finished game has no ids


def read_rooms(path: Path) -> dict[str, StoredRoom]:
    """Return every line that was ever played in each open room."""
    rooms, kept = kept_in(path).rooms, {}
    with closing(connect(path)) as store:
        for room in rooms:
            starts = [event for event in room.events if isinstance(event, GameStarted)]
            over = starts[0].before[0] if starts[0].before else 0  # games of which no event is left
            games = read_games(store, "room = :room ORDER BY number", {"room": room.opened.room})
            lines = [line for game in games[:over] for line in game.moves()]
            events = [event for event in room.events if isinstance(event, LinePlayed)]
            lines += [(event.seat, event.line) for event in events]
            kept[room.opened.code] = StoredRoom(lines, [(event.seat, event.play) for event in events])
    return kept


async def spend(path: Path, kills: int, lines: int) -> Scenario:
    """Play on through so many kills, and until so many lines are acknowledged."""
    scenario = Scenario()
    tables = [Table(number, scenario) for number in range(TABLES)]
    while scenario.counts["kills"] < kills:
        async with program("--store", str(path), "--rate", "0") as server:
            for table in tables:
                await (table.comes_back(server) if table.seats else table.sits_down(server))
            scenario.begins(server, 3 * lines // (2 * kills))
            await asyncio.gather(*(table.plays() for table in tables))
            assert await server.ends() == -signal.SIGKILL
            assert "Traceback" not in server.text
    async with program("--store", str(path), "--rate", "0") as server:
        for table in tables:
            await table.comes_back(server)
        scenario.begins(server, 10**9)
        for table in tables:
            await table.look()
            if table.in_flight:
                await table.sends(table.in_flight)
        assert await server.ends(signal.SIGTERM) == 0
    kept = read_rooms(path)
    for table in tables:
        lines = [(line.seat, line.text) for line in table.acknowledged]
        plays = [(line.seat, line.id) for line in table.acknowledged]
        room = kept[table.room]
        assert room.lines == lines, "every acknowledged line is kept, once, in order, and no other"
        assert room.plays == plays[len(plays) - len(room.plays) :], "each under its own id"
    assert any(kept[table.room].plays for table in tables)
    return scenario


def test_no_acknowledged_line_is_lost_and_none_is_done_twice(tmp_path, long, capsys):
    kills, lines = (110, 10_000) if long else (8, 400)
    scenario = run(spend(tmp_path / "store", kills, lines), within=3_600 if long else 120)
    if long:
        with capsys.disabled():
            print(dict(scenario.counts))
    assert scenario.counts["kills"] == kills
    assert scenario.counts["acknowledged"] >= lines
    assert scenario.counts["sent"] > scenario.counts["acknowledged"], "some were sent again"
