"""Planted bugs around the wires: whose seat it is, what is shown to whom, how long things take, how much waits."""

from itertools import count
from typing import Any

from gridgames_server import restore, service
from gridgames_server.audience import Audience
from gridgames_server.connection import Connection
from gridgames_server.deeds import GameOver
from gridgames_server.effects import Hangup
from gridgames_server.games.grid_hunt import GridHunt
from gridgames_server.games.tell import SEATS, other
from gridgames_server.hub import Hub
from gridgames_server.lobby import Rooms
from gridgames_server.room import Room
from gridgames_server.service import Service
from tests.simulation.host import Host
from tests.simulation.planted import Bug, after, entering

BUGS: list[Bug] = []
bug = entering(BUGS)


# Seats and connections ------------------------------------------------------------------------------------------------


@bug("an old connection keeps the seat that a new one took", Hub, "take_over", "one seat", "replies", "secrets")
def stale_connection(right: Any) -> Any:
    return lambda hub, player, now: None


@bug("the end of an old connection ends the new one", Hub, "take_over", "one seat")
def old_end_counts(right: Any) -> Any:
    def replaced(hub: Hub, player: Any, now: float) -> None:
        old = hub.sessions[player.session or 0]
        hub.out.append(Hangup(old.id))

    return replaced


@bug("who has changed tables loses the new seat when the old table is brought back", restore, "_sitters", "one seat")
def lost_seats(right: Any) -> Any:
    return lambda saved, known: []


@bug("nobody is away after a restart", restore, "reopen", "one seat")
def nobody_away(right: Any) -> Any:
    def reopen(hub: Hub, *given: Any) -> Any:
        effects = right(hub, *given)
        for room in hub.rooms.by_code.values():
            room.away.clear()
        return effects

    return reopen


@bug("a bot does not think on after a restart", restore, "reopen", "end")
def idle_bot(right: Any) -> Any:
    return lambda *given: [effect for effect in right(*given) if not isinstance(effect, service.Think)]


# What is shown --------------------------------------------------------------------------------------------------------


def _skip(room: Room, *given: object) -> None:
    room.rev += 1


def _stay(room: Room, *given: object) -> None:
    room.rev -= room.rev > 3


bug("a revision is skipped", Room, "show_all", "revisions", "replay")(after(_skip))
bug("a revision is used twice", Room, "show_all", "revisions", "commit")(after(_stay))


@bug("one seat is shown the other's table", Room, "shown", "secrets", "revisions", "replay")
def crossed_views(right: Any) -> Any:
    return lambda room, reader, now: right(room, other(reader) if reader in SEATS else reader, now)


@bug("a line is told as it was typed", Room, "show_all", "secrets")
def echo(right: Any) -> Any:
    def show_all(room: Room, now: float, *told: Any) -> None:
        assert room.match
        if told and room.match.lines:
            room.here.announce(f"It was: {room.match.lines[-1].text}")
        right(room, now, *told)

    return show_all


@bug("a game's seed is told", Room, "start", "secrets")
def told_seed(right: Any) -> Any:
    def start(room: Room, seed: bytes, first: int, now: float) -> None:
        right(room, seed, first, now)
        room.here.announce(f"Good luck, and {seed.hex()}")

    return start


@bug("the lobby lists private rooms", Rooms, "listing", "secrets")
def listed_secrets(right: Any) -> Any:
    def listing(rooms: Rooms, players: int) -> Any:
        private = [room for room in rooms.by_code.values() if room.private]
        for room in private:
            room.private = False
        found = right(rooms, players)
        for room in private:
            room.private = True
        return found

    return listing


@bug("words of one connection change their order", Connection, "_said", "replies", "place", "secrets")
def shuffled(right: Any) -> Any:
    def said(connection: Connection) -> Any:
        connection.waiting.reverse()
        return right(connection)

    return said


@bug("a game stumbles over its own state", GridHunt, "play", "shell")
def stumbling(right: Any) -> Any:
    turns = count()
    return lambda *given: right(*given) if next(turns) % 20 else given[99]


@bug("a message is made that can't be sent", Audience, "announce", "shell")
def unsendable(right: Any) -> Any:
    return lambda audience, text, seat=None: right(audience, text + "\ud800", seat)


# Time and space -------------------------------------------------------------------------------------------------------


@bug("clocks run while there is no server", Host, "time_begins", "clocks")
def counts_downtime(right: Any) -> Any:
    def begins(host: Host, saved: float) -> float:
        began: float = right(host, saved)
        down = host.world.clock.gaps[-1] if host.lives else (0.0, 0.0)
        return began - (down[1] - down[0])

    return begins


@bug("clocks run while the host sleeps", Hub, "_look_at_clock", "clocks", "one seat", "end")
def counts_sleep(right: Any) -> Any:
    def look(hub: Hub, now: float) -> None:
        hub.latest = now

    return look


@bug("one is absent as soon as the wire breaks", Room, "is_absent", "clocks")
def absent_at_once(right: Any) -> Any:
    def is_absent(room: Room, seat: int, now: float) -> bool:
        return seat in room.away and room.match is not None and seat in room.match.to_act()

    return is_absent


@bug("every tick sets more timers than it needs", Service, "_tick_in", "bounds")
def piled_timers(right: Any) -> Any:
    def tick_in(server: Service, seconds: float) -> None:
        for more in range(5):
            server.loop.call_later(seconds + 600 + more, server.tick)
        right(server, seconds)

    return tick_in


@bug("a reader who does not read is not cut", Connection, "cut", "bounds")
def endless_output(right: Any) -> Any:
    return lambda connection: None


@bug("a game counts twice", Room, "count", "replay", "commit")
def counts_twice(right: Any) -> Any:
    def counted(room: Room, outcome: Any) -> None:
        right(room, outcome)
        if any(holder and holder.session for holder in room.here.seats.values()):
            room.here.out.append(next(e for e in room.here.out[::-1] if isinstance(e, GameOver)))
            wins = room.score
            room.score = (wins[0] + 1, wins[1], wins[2])

    return counted
