"""Planted bugs around the wires: whose seat it is, what is shown to whom, how long things take, how much waits."""

from itertools import count
from typing import Any

from gridgames_server.core.audience import Audience, Table
from gridgames_server.core.effects import Hangup
from gridgames_server.core.hub import Hub
from gridgames_server.core.room import Room
from gridgames_server.core.room_events import GameOver
from gridgames_server.core.rooms import Rooms
from gridgames_server.core.state import State
from gridgames_server.games.grid_hunt import GridHunt
from gridgames_server.games.seats import SEATS, other
from gridgames_server.net import service
from gridgames_server.net.connection import Connection
from gridgames_server.net.output_queue import OutputQueue
from gridgames_server.net.service import Service
from gridgames_server.net.steady_clock import SteadyClock
from gridgames_server.storage import restore
from tests.simulation.planted import Bug, after, entering
from tests.simulation.simulated_host import Host

BUGS: list[Bug] = []
bug = entering(BUGS)


# Seats and connections ------------------------------------------------------------------------------------------------


@bug("an old connection keeps the seat that a new one took", State, "take_over", "one seat", "replies", "secrets")
def stale_connection(right: Any) -> Any:
    return lambda state, player, now: []


@bug("the end of an old connection ends the new one", State, "take_over", "one seat")
def old_end_counts(right: Any) -> Any:
    def replaced(state: State, player: Any, now: float) -> Any:
        return [Hangup(player.session or 0)]

    return replaced


@bug("nobody is away after a restart", restore, "seat_players", "one seat")
def nobody_away(right: Any) -> Any:
    def seat_players(hub: Hub, room: Room, now: float) -> Any:
        effects = right(hub, room, now)
        room.away.clear()
        return effects

    return seat_players


@bug("a bot does not think on after a restart", restore, "seat_players", "end")
def idle_bot(right: Any) -> Any:
    return lambda *given: [effect for effect in right(*given) if not isinstance(effect, service.AskBot)]


@bug("a bot that gets no thread never moves", Service, "_think", "end", "shell")
def idle_without_thread(right: Any) -> Any:
    return lambda server, question: None if server.loop.weather.no_files else right(server, question)


# What is shown --------------------------------------------------------------------------------------------------------


def _skip(room: Room, *given: object) -> None:
    room.rev += 1


def _stay(room: Room, *given: object) -> None:
    room.rev -= room.rev > 3


bug("a revision is skipped", Table, "show_all", "revisions", "replay")(after(_skip))
bug("a revision is used twice", Table, "show_all", "revisions", "commit")(after(_stay))


@bug("one seat is shown the other's table", Table, "view_for", "secrets", "revisions", "replay")
def crossed_views(right: Any) -> Any:
    return lambda room, reader, now: right(room, other(reader) if reader in SEATS else reader, now)


@bug("a line is told as it was typed", Table, "show_all", "secrets")
def echo(right: Any) -> Any:
    def show_all(room: Room, now: float, *told: Any) -> None:
        assert room.match
        if told and room.match.lines:
            room.audience.announce(f"It was: {room.match.lines[-1].text}")
        right(room, now, *told)

    return show_all


@bug("a game's seed is told", Room, "start", "secrets")
def told_seed(right: Any) -> Any:
    def start(room: Room, seed: bytes, first: int, now: float) -> None:
        right(room, seed, first, now)
        room.audience.announce(f"Good luck, and {seed.hex()}")

    return start


@bug("the lobby lists private rooms", Rooms, "list_rooms", "secrets")
def listed_secrets(right: Any) -> Any:
    def list_rooms(rooms: Rooms, *given: Any) -> Any:
        private = [room for room in rooms.by_code.values() if room.private]
        for room in private:
            room.private = False
        found = right(rooms, *given)
        for room in private:
            room.private = True
        return found

    return list_rooms


@bug("words of one connection change their order", OutputQueue, "take", "replies", "revisions", "place", "secrets")
def shuffled(right: Any) -> Any:
    def take(queue: OutputQueue) -> Any:
        queue._chunks.reverse()
        return right(queue)

    return take


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


@bug("clocks run while the host sleeps", SteadyClock, "__call__", "clocks", "one seat", "end")
def counts_sleep(right: Any) -> Any:
    def read(clock: SteadyClock) -> float:
        clock.latest = clock._read()
        return clock.latest

    return read


@bug("one is absent as soon as the wire breaks", Table, "is_absent", "clocks")
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


@bug("a reader who does not read is not cut", Connection, "abort", "bounds")
def endless_output(right: Any) -> Any:
    return lambda connection: None


@bug("a game counts twice", Room, "count_result", "order", "replay", "commit")
def counts_twice(right: Any) -> Any:
    def counted(room: Room, outcome: Any) -> None:
        right(room, outcome)
        if any(holder and holder.session for holder in room.audience.seats.values()):
            room.audience.out.append(next(e for e in room.audience.out[::-1] if isinstance(e, GameOver)))
            wins = room.score
            room.score = (wins[0] + 1, wins[1], wins[2])

    return counted
