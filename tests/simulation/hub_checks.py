"""The server from within, after every step: who sits where, what waits, and whether it is what the disk has."""

from typing import TYPE_CHECKING

from gridgames_protocol.framing import SERVER_LINE_MAX
from gridgames_server.core.hub import Hub
from gridgames_server.core.limits import OUTPUT_CAP, STUCK_OUTPUT, TICK
from gridgames_server.core.room import Room
from gridgames_server.net.service import Service
from tests.server.stored_hub import standing
from tests.simulation.invariants import breach

if TYPE_CHECKING:
    from tests.simulation.world import World

TIMERS_MAX = 100  # a tick, a few words of the disk, and moves of bots
WAITING_MAX = 10_000  # effects behind a slow disk: at 8,000 nobody is listened to
EVERY = 32  # checks between two looks at what takes longer


def check_hub(world: "World") -> None:
    """Everything that must hold between two steps."""
    host, witness = world.host, world.witness
    hub, service = host.hub, host.service
    moment = (host.lives, service.clock.latest, host.disk.is_disk_full, witness.records, service.outbox.waiting_effects)
    if moment == world.checked:
        return  # only clients have done something
    world.checked = moment
    check_seats(hub, service)
    if not service.outbox.waiting:
        check_rooms(world)
        check_places(world)
    witness.clocks.looks()
    world.checks += 1
    if world.checks % EVERY == 0:
        check_bounds(world)
        host.forgets()


def check_seats(hub: Hub, service: Service) -> None:
    """Players and their connections belong together, each to one."""
    by_name = hub.players.by_name
    for id, session in hub.sessions.items():
        connection, player = service.connections.get(id), session.player
        if connection is None or not (connection.is_open or connection.transport.snapped):  # cut off, or about to be
            raise breach("one seat", f"session {id} has no open connection")
        if player is None:
            continue
        if player.session != id:
            raise breach("one seat", f"player {player.number} is on session {player.session} and on {id}")
        if by_name.get(player.key) is not player:
            raise breach("one seat", f"the name of player {player.number} is somebody else's")
    for room in hub.rooms.by_code.values():
        check_seats_of(room, hub)


def check_seats_of(room: Room, hub: Hub) -> None:
    for seat, holder in room.audience.seats.items():
        if holder is None or holder.bot:
            continue
        if holder.room is not room or holder.seat != seat:
            raise breach("one seat", f"player {holder.number} has seat {seat} of room {room.number}, and does not know")
        if (holder.session is None) != (seat in room.away):
            raise breach("one seat", f"player {holder.number} is away, or not, and room {room.number} does not know")
        if holder.session is not None and holder.session not in hub.sessions:
            raise breach("one seat", f"player {holder.number} is on a session that is gone")
    for guest in room.audience.watchers:
        if guest.room is not room or guest.session not in hub.sessions:
            raise breach("one seat", f"player {guest.number} watches room {room.number} no more, and it does not know")


def check_places(world: "World") -> None:
    """Who has been told everything knows where they are."""
    for id, session in world.host.hub.sessions.items():
        connection, player = world.host.service.connections[id], session.player
        if player is None or connection._output or not connection.is_open:
            continue
        place = world.witness.wires[connection.transport.number].place
        if (place and place["room"]) != (player.room and player.room.code):
            where = f"in room {player.room.number}" if player.room else "in the lobby"
            raise breach("place", f"player {player.number} is {where}, and was told something else")


def check_rooms(world: "World") -> None:
    """Nothing waits for the disk: every room is what the disk has."""
    live, witness = world.host.hub.rooms.by_code, world.witness
    kept = witness.shadow.rooms
    if len(live) != len(kept):
        raise breach("replay", f"there are {len(live)} rooms, and {len(kept)} on disk")
    thorough = world.checks % EVERY == 0
    for room in live.values():
        shadow = kept.get(room.number)
        if shadow is None or room.events != shadow.events or room.rev != shadow.rev:
            raise breach("replay", f"room {room.number} is not the one that is on disk")
        if thorough or room.number in witness.touched:
            check_room(room, shadow)
    witness.touched.clear()


def check_room(room: Room, shadow: Room) -> None:
    live, kept = standing(room), standing(shadow)
    different = [part for part in live if live[part] != kept[part]]
    if different:
        what = f"the {' and '.join(different)} of room {room.number} ({room.game.card.slug})"
        raise breach("replay", f"{what} are not what is on disk")


def check_bounds(world: "World") -> None:
    """Nothing grows without end."""
    host = world.host
    if len(host.loop.timers) > TIMERS_MAX:
        raise breach("bounds", f"{len(host.loop.timers)} timers are set")
    if host.service.outbox.waiting_effects > WAITING_MAX or len(host.disk.waiting.waiting) > WAITING_MAX:
        raise breach("bounds", "more waits for the disk than may ever have been asked")
    for wire in host.wires:
        if wire.server_knows or wire.stuck_since is None:
            continue
        if wire.connection.unsent > OUTPUT_CAP + SERVER_LINE_MAX:
            raise breach("bounds", f"{wire.connection.unsent} bytes wait for a reader")
        stuck = world.clock.awake(wire.stuck_since, world.clock.now)
        if stuck > STUCK_OUTPUT + 5 * TICK:
            raise breach("bounds", f"a reader has taken nothing for {stuck:.0f} seconds")
