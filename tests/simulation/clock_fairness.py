"""Whether clocks are fair: the world's own account of the time in which somebody could play."""

from typing import TYPE_CHECKING

from gridgames_server.core.limits import ABSENCE
from gridgames_server.core.room_events import GameStopped, RoomEvent
from gridgames_server.games.seats import other
from tests.simulation.invariants import breach
from tests.simulation.shadow_hub import Shadow

if TYPE_CHECKING:
    from tests.simulation.world import World

GRAIN = 1e-3  # of adding up seconds
LATE = 7.0  # between two ticks, with a pause of the host that is too short to be held


class ClockWatcher:
    """Knows when turns began and when players were last seen, in the world's time."""

    def __init__(self, world: "World", shadow: Shadow) -> None:
        self.world, self.shadow = world, shadow
        self.seen: dict[int, float] = {}  # players, and when they were last connected
        self.offsets: list[tuple[float, float]] = []  # from which server's time on, the world's time less the server's
        self.late: dict[int, float] = {}  # rooms whose clock has run out, and since when nothing was in the way

    def begins(self) -> None:
        """A life of the server begins."""
        self.offsets.clear()

    def world_time(self, at: float) -> float:
        """The world's time at a time of this life's server."""
        clock = self.world.host.service.clock
        offset = self.world.host.began + clock.left_out
        if not self.offsets or self.offsets[-1][1] != offset:
            self.offsets.append((clock.latest, offset))
        return at + next((offset for since, offset in reversed(self.offsets) if since <= at), self.offsets[0][1])

    def sees(self, event: RoomEvent) -> None:
        """An event is kept: if it ends a game for want of time, the time had passed."""
        room, told = self.shadow.rooms[event.room], self.shadow.told[event.room]
        at = self.world_time(event.at)
        if room.turn_since == event.at:
            told.turn_at = at
        if not isinstance(event, GameStopped):
            return
        reason = event.reason
        if reason == "clock":
            had = self.world.clock.counted(told.turn_at, at)
            if had < (room.clock or 0) - GRAIN:
                raise breach("clocks", f"{room.clock} s ran out in {had:.3f} s that could be played in")
        if reason == "absence" and event.winner:
            rival = room.audience.seats[other(event.winner)]
            away = self.world.clock.counted(self.seen.get(rival.number if rival else 0, 0.0), at)
            if away < ABSENCE - GRAIN:
                raise breach("clocks", f"a win is claimed from one who was away for {away:.3f} s")

    def looks(self) -> None:
        """Note who is connected, and find a clock that has run out and nobody minds."""
        host, now = self.world.host, self.world.clock.now
        for session in host.hub.sessions.values():
            if session.player:
                self.seen[session.player.number] = now
        hub = host.hub
        time = host.service.clock.latest
        self.world_time(time)
        for room in hub.rooms.by_code.values():
            if not room.clock or room.state != "playing" or time - room.turn_since <= room.clock:
                self.late.pop(room.number, None)
            elif host.service.outbox.waiting or host.disk.is_disk_full:  # the end waits for the disk
                self.late[room.number] = now
            elif self.world.clock.playable(self.late.setdefault(room.number, now), now) > LATE:
                raise breach("clocks", f"{room.clock} s have run out, and the game goes on")
