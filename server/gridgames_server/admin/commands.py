"""What a host may see of a running hub, and do to it."""

from dataclasses import asdict

from gridgames_protocol.discovery import Answer
from gridgames_protocol.messages import CHAT_MAX, PROTOCOL, Event
from gridgames_protocol.text import harmless
from gridgames_server import names
from gridgames_server.effects import Effect, Note, Send
from gridgames_server.games.game import Refusal
from gridgames_server.hub import Hub
from gridgames_server.room import Room
from gridgames_server.session import Player

KICKED = "The host of the server has asked you to leave."
DRAINING = "The server will stop when the games that are being played are over. No new game begins."


# Looking --------------------------------------------------------------------------------------------------------------


def sign(hub: Hub, nonce: str, instance: str, port: int, tls: bool, version: str) -> Answer | None:
    """What a hub says of itself to somebody who looks for a server; nothing when it is about to stop."""
    if hub.draining:
        return None
    open_rooms = sum(room.is_open and not room.private for room in hub.rooms.by_code.values())
    locked = hub.house.password is not None
    return Answer(nonce, instance, hub.house.name, port, hub.online(), open_rooms, locked, tls, version[:32], PROTOCOL)


def status(hub: Hub, now: float) -> list[str]:
    """How the server is, a line for each fact; what anybody may know comes first."""
    facts, vitals = asdict(hub.status(1, now)), hub.vitals()
    del facts["re"]
    facts["uptime"] = lasting(facts["uptime"])
    facts["draining"] = "yes" if hub.draining else "no"
    facts["lag"] = None if vitals.lag is None else f"{vitals.lag} ms"
    if vitals.store:
        facts["store age"] = lasting(vitals.store.age)
        facts |= {"store size": amount(vitals.store.size), "store free": amount(vitals.store.free)}
    return [f"{what}: {fact}" for what, fact in facts.items() if fact is not None]


def lasting(seconds: int) -> str:
    """A time as people say it."""
    minutes, hours, days = seconds // 60, seconds // 3_600, seconds // 86_400
    if days:
        return f"{days} d {hours % 24} h"
    if hours:
        return f"{hours} h {minutes % 60} min"
    return f"{minutes} min" if minutes else f"{seconds} s"


def amount(size: int) -> str:
    """So many bytes as people say it."""
    return f"{size / 1e9:.1f} GB" if size >= 1e9 else f"{size / 1e6:.1f} MB"


def players(hub: Hub) -> list[str]:
    """Everybody who is connected or holds a seat, a line each: name, address, where. It may be ahead of the disk."""
    known = sorted(hub.players.by_name.values(), key=lambda player: player.key)
    return [_player_line(hub, player) for player in known]


def _player_line(hub: Hub, player: Player) -> str:
    session = hub.sessions.get(player.session or 0)
    address = session.address if session else "away"
    if player.room is None:
        return f"{player.name}\t{address}\tlobby"
    place = f"seat {player.seat}" if player.seat else "watching"
    return f"{player.name}\t{address}\troom {player.room.number}, {place}"


def rooms(hub: Hub) -> list[str]:
    """Every room, a line each: number, game, state, who sits there. It may be ahead of the disk.

    The code of a private room is its players' own.
    """
    return [_room_line(room) for room in sorted(hub.rooms.by_code.values(), key=lambda room: room.number)]


def _room_line(room: Room) -> str:
    code = "private" if room.private else room.code
    seats = " and ".join(holder.name for holder in room.here.seats.values() if holder) or "nobody"
    counts = f"{room.moves} moves, {len(room.here.watchers)} watching"
    return f"room {room.number}\t{code}\t{room.game.card.slug}\t{room.state}\t{seats}\t{counts}"


# Doing ----------------------------------------------------------------------------------------------------------------


def say(hub: Hub, text: str, now: float) -> list[Effect]:
    """Tell everybody something."""
    text = harmless(text).strip()
    if not 1 <= len(text) <= CHAT_MAX:
        raise Refusal("bad_request", f"It must be 1 to {CHAT_MAX} characters.")
    _tell(hub, f"The host says: {text}")
    return hub.decided(now)


def kick(hub: Hub, name: str, now: float) -> list[Effect]:
    """Send a player away; a game that they play is theirs no more."""
    player = hub.players.by_name.get(names.key(name.strip()))
    if player is None:
        raise Refusal("name", "Nobody here has that name.")
    session = player.session
    if player.room is not None:
        hub.take_out(player, now)
    if session is not None:
        return hub.expel(session, "kicked", KICKED, now)
    hub.players.release_name(player)
    return hub.decided(now)


def drain(hub: Hub, now: float) -> list[Effect]:
    """Let no game begin any more, and tell everybody."""
    if not hub.draining:
        hub.draining = True
        hub.out.append(Note("draining: no new games"))
        _tell(hub, DRAINING)
    return hub.decided(now)


def is_drained(hub: Hub) -> bool:
    """True once the last game is over that a draining hub has waited for."""
    return hub.draining and all(room.state != "playing" for room in hub.rooms.by_code.values())


def _tell(hub: Hub, text: str) -> None:
    hub.out += [Send(session.id, (Event(text, "system"),)) for session in hub.sessions.values() if session.player]
