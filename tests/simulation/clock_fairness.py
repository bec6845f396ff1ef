"""Whether clocks are fair: the world's own account of the time in which somebody could play."""

from typing import TYPE_CHECKING

from gridgames_server.deeds import Deed
from gridgames_server.games.tell import other
from gridgames_server.limits import ABSENCE
from tests.simulation.breach import breach
from tests.simulation.shadow import Shadow

if TYPE_CHECKING:
    from tests.simulation.world import World

GRAIN = 1e-3  # of adding up seconds
LATE = 7.0  # between two ticks, with a pause of the host that is too short to be held


class ClockKeeper:
    """Knows when turns began and when players were last seen, in the world's time."""

    def __init__(self, world: "World", shadow: Shadow) -> None:
        self.world, self.shadow = world, shadow
        self.seen: dict[int, float] = {}  # players, and when they were last connected
        self.late: dict[int, float] = {}  # rooms whose clock has run out, and since when nothing was in the way

    def sees(self, deed: Deed) -> None:
        """A deed is kept: if it ends a game for want of time, the time had passed."""
        room, told = self.shadow.rooms[deed.room], self.shadow.told[deed.room]
        at = deed.at + self.world.host.began
        if room.turn_since == deed.at:
            told.turn_at = at
        if deed.what != "end":
            return
        reason = deed.text.partition("\n")[0]
        if reason == "clock":
            had = self.world.clock.playable(told.turn_at, at)
            if had < (room.clock or 0) - GRAIN:
                raise breach("clocks", f"{room.clock} s ran out in {had:.3f} s that could be played in")
        if reason == "absence" and deed.seat:
            rival = room.here.seats[other(deed.seat)]
            away = self.world.clock.playable(self.seen.get(rival.number if rival else 0, 0.0), at)
            if away < ABSENCE - GRAIN:
                raise breach("clocks", f"a win is claimed from one who was away for {away:.3f} s")

    def looks(self) -> None:
        """Note who is connected, and find a clock that has run out and nobody minds."""
        host, now = self.world.host, self.world.clock.now
        for session in host.hub.sessions.values():
            if session.player:
                self.seen[session.player.number] = now
        hub = host.hub
        time = hub.latest - hub.owed  # it may not have looked at the clock since the host woke up
        for room in hub.rooms.by_code.values():
            if not room.clock or room.state != "playing" or time - room.turn_since <= room.clock:
                self.late.pop(room.number, None)
            elif host.service.outbox.waiting:  # the end may wait for the disk, or be taken back
                self.late[room.number] = now
            elif self.world.clock.playable(self.late.setdefault(room.number, now), now) > LATE:
                raise breach("clocks", f"{room.clock} s have run out, and the game goes on")
