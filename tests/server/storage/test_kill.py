"""The real program, killed again and again while people play: no acknowledged line is lost, and none is done twice.

Some tables play at once. The program is killed at a line that was just sent or just acknowledged, so that the lines of
the others are anywhere on their way. Everybody comes back with their tokens, sends the line again that was not
acknowledged, under the same id, and plays on.
"""

import asyncio
import signal
from collections import Counter
from pathlib import Path
from random import Random
from typing import NamedTuple

from gridgames_protocol.messages import Again, Create, Join, Ok, Ping, Play, Show
from tests.server.kept import kept_in
from tests.server.tables import SLUGS
from tests.wire import Guest, Program, program, run

GONE = (asyncio.IncompleteReadError, ConnectionError)
TABLES = 6


class Line(NamedTuple):
    """A line as it was sent."""

    seat: int
    id: int
    text: str


class Evening:
    """What has happened so far, and when the server of now is killed."""

    def __init__(self) -> None:
        self.choose = Random(4743)
        self.counts: Counter[str] = Counter()
        self.house: Program

    def begins(self, house: Program, lines: int) -> None:
        """A new server will live for about so many lines."""
        self.house = house
        self.deadly = self.choose.choice(("sent", "acknowledged"))
        self.last = self.counts[self.deadly] + self.choose.randint(lines // 2, lines)

    def count(self, what: str) -> None:
        """Something has happened; perhaps the server does not outlive it."""
        self.counts[what] += 1
        if what == self.deadly and self.counts[what] == self.last:
            self.house.process.send_signal(signal.SIGKILL)
            self.counts["kills"] += 1


class Table:
    """Two who play one game after the other in one room, whatever happens to the server."""

    def __init__(self, number: int, evening: Evening) -> None:
        self.number, self.evening = number, evening
        self.game = SLUGS[number % len(SLUGS)]
        self.choose = Random(number)
        self.room = ""
        self.seats: dict[int, Guest] = {}
        self.acknowledged: list[Line] = []
        self.in_flight: Line | None = None

    async def sits_down(self, house: Program) -> None:
        """Begin, in a new room."""
        for seat in (1, 2):
            self.seats[seat] = await house.guest(f"{self.number} at {seat}")
        self.room = (await self.seats[1].says(Create, game=self.game)).room
        assert isinstance(await self.seats[2].says(Join, room=self.room), Ok)

    async def comes_back(self, house: Program) -> None:
        """Both come to a new server, which knows everything that was acknowledged, and perhaps what was not."""
        for seat, guest in self.seats.items():
            self.seats[seat], welcome = await house.returns(guest)
            known = [line.id for line in self.acknowledged if line.seat == seat][-1:] or [None]
            perhaps = [self.in_flight.id] if self.in_flight and self.in_flight.seat == seat else []
            assert welcome.room == self.room
            assert welcome.last_play in known + perhaps
            self.evening.counts["done, not acknowledged"] += welcome.last_play in perhaps

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
                if not self.shown(seat).turn:  # the other's wish may have been kept by the server before
                    assert isinstance(await guest.says(Again), Ok)
                    await self.look()
            self.evening.counts["games"] += 1
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
        self.evening.count("sent")
        while getattr(reply := await guest.hears(), "re", None) != line.id:
            pass
        assert isinstance(reply, Ok), reply
        self.acknowledged.append(line)
        self.in_flight = None
        self.evening.count("acknowledged")
        await self.look()


async def spend(path: Path, kills: int, lines: int) -> Evening:
    """Play on through so many kills, and until so many lines are acknowledged."""
    evening = Evening()
    tables = [Table(number, evening) for number in range(TABLES)]
    while evening.counts["kills"] < kills:
        async with program("--store", str(path), "--rate", "0") as house:
            for table in tables:
                await (table.comes_back(house) if table.seats else table.sits_down(house))
            evening.begins(house, 3 * lines // (2 * kills))
            await asyncio.gather(*(table.plays() for table in tables))
            assert await house.ends() == -signal.SIGKILL
            assert "Traceback" not in house.text
    async with program("--store", str(path), "--rate", "0") as house:
        for table in tables:
            await table.comes_back(house)
        evening.begins(house, 10**9)
        for table in tables:
            await table.look()
            if table.in_flight:
                await table.sends(table.in_flight)
        assert await house.ends(signal.SIGTERM) == 0
    rooms = {room.opened.code: room.deeds for room in kept_in(path).rooms}
    for table in tables:
        kept = [Line(deed.seat or 0, deed.id or 0, deed.text) for deed in rooms[table.room] if deed.what == "line"]
        assert kept == table.acknowledged, "every acknowledged line is kept, once, in order, and no other"
    return evening


def test_no_acknowledged_line_is_lost_and_none_is_done_twice(tmp_path, long, capsys):
    kills, lines = (110, 10_000) if long else (8, 400)
    evening = run(spend(tmp_path / "store", kills, lines), within=3_600 if long else 120)
    if long:
        with capsys.disabled():
            print(dict(evening.counts))
    assert evening.counts["kills"] == kills
    assert evening.counts["acknowledged"] >= lines
    assert evening.counts["sent"] > evening.counts["acknowledged"], "some were sent again"
