"""The host's commands on a running hub: views of its state, and actions."""

import json
from collections.abc import Callable, Mapping
from dataclasses import asdict
from typing import Any

from gridgames_protocol.discovery import Answer
from gridgames_protocol.messages import CHAT_MAX, PROTOCOL, Event
from gridgames_protocol.safe_text import harmless
from gridgames_server.admin.health import Health
from gridgames_server.core.effects import Effect, LogLine, Send
from gridgames_server.core.hub import Hub
from gridgames_server.core.limits import BAN_AFTER_KICK
from gridgames_server.core.names import make_name_key
from gridgames_server.core.players import Player
from gridgames_server.core.room import Room
from gridgames_server.errors import Refusal

Facts = Mapping[str, Any]

NO_HEALTH = Health()
NOTHING: Facts = {}
KICKED = "The host of the server has asked you to leave."
NOT_KEPT = "The disk is full: nothing can be saved, so this was not done."
UNDRAINED = "The server goes on after all. New games can begin."
DRAINING = "The server will stop when the games that are being played are over. No new game begins."
LATEST = " It stops in {} at the latest."
MINUTES_MAX = 10_000


# Views ----------------------------------------------------------------------------------------------------------------


def describe_for_search(hub: Hub, nonce: str, instance: str, port: int, tls: bool, version: str) -> Answer | None:
    """Return the answer to a client that searches for servers, or None while the server drains."""
    if hub.state.draining:
        return None
    open_rooms = sum(room.is_open and not room.private for room in hub.rooms.by_code.values())
    locked = hub.config.password is not None
    return Answer(
        nonce, instance, hub.config.name, port, hub.state.online, open_rooms, locked, tls, version[:32], PROTOCOL
    )


def collect_facts(hub: Hub, now: float, health: Health = NO_HEALTH, more: Facts = NOTHING) -> Facts:
    """Return the state of the server as numbers, texts and booleans. Public facts come first."""
    facts = asdict(hub.state.status(1, now))
    for field in ("re", "features"):
        del facts[field]
    facts["version"] = facts["version"] or health.version
    facts |= {"draining": hub.state.draining, "lag": health.lag}
    if store := health.store:
        facts |= {"store age": store.age, "store size": store.size, "store free": store.free}
        facts["disk full"] = store.is_full
    return {what: fact for what, fact in {**facts, **more}.items() if fact is not None}


def format_status(hub: Hub, now: float, health: Health = NO_HEALTH, more: Facts = NOTHING) -> list[str]:
    """Return the state of the server for people, a line for each fact."""
    facts = collect_facts(hub, now, health, more)
    return [f"{what}: {FORMATS.get(what, format_fact)(fact)}" for what, fact in facts.items()]


def format_status_json(hub: Hub, now: float, health: Health = NO_HEALTH, more: Facts = NOTHING) -> str:
    """Return the state of the server for programs: one JSON object. Times are in seconds, the lag in milliseconds."""
    facts = collect_facts(hub, now, health, more)
    return json.dumps({what.replace(" ", "_"): fact for what, fact in facts.items()})


def format_time(seconds: int) -> str:
    """Return a number of seconds with its two largest units."""
    minutes, hours, days = seconds // 60, seconds // 3_600, seconds // 86_400
    if days:
        return f"{days} d {hours % 24} h"
    if hours:
        return f"{hours} h {minutes % 60} min"
    return f"{minutes} min" if minutes else f"{seconds} s"


def format_size(size: int) -> str:
    """Return a number of bytes in MB or GB."""
    return f"{size / 1e9:.1f} GB" if size >= 1e9 else f"{size / 1e6:.1f} MB"


def format_fact(fact: Any) -> str:
    """Return a fact as text."""
    return {True: "yes", False: "no"}[fact] if isinstance(fact, bool) else str(fact)


FORMATS: dict[str, Callable[[Any], str]] = {
    "uptime": format_time,
    "lag": lambda lag: f"{lag} ms",
    "store age": format_time,
    "store size": format_size,
    "store free": format_size,
    "browser": " or ".join,
    "sha256": lambda sha256: f"{sha256} (of gridgames.pyz)",
}


def list_players(hub: Hub) -> list[str]:
    """Return a line for everybody who is connected or has a seat: name, address, place. It may be ahead of the disk."""
    known = sorted(hub.players.by_name.values(), key=lambda player: player.key)
    return [_format_player(hub, player) for player in known]


def _format_player(hub: Hub, player: Player) -> str:
    session = hub.sessions.get(player.session or 0)
    address = session.address if session else "away"
    if player.room is None:
        return f"{player.name}\t{address}\tlobby"
    place = f"seat {player.seat}" if player.seat else "watching"
    return f"{player.name}\t{address}\troom {player.room.number}, {place}"


def list_rooms(hub: Hub) -> list[str]:
    """Return a line for every room: number, game, state, players. It may be ahead of the disk.

    The code of a private room is not shown.
    """
    return [_format_room(room) for room in sorted(hub.rooms.by_code.values(), key=lambda room: room.number)]


def _format_room(room: Room) -> str:
    code = "private" if room.private else room.code
    seats = " and ".join(holder.name for holder in room.audience.seats.values() if holder) or "nobody"
    counts = f"{room.moves} moves, {len(room.audience.watchers)} watching"
    return f"room {room.number}\t{code}\t{room.game.card.slug}\t{room.state}\t{seats}\t{counts}"


# Actions --------------------------------------------------------------------------------------------------------------


def say(hub: Hub, text: str, now: float) -> list[Effect]:
    """Send a text to everybody."""
    text = harmless(text).strip()
    if not 1 <= len(text) <= CHAT_MAX:
        raise Refusal("bad_request", f"The text must have 1 to {CHAT_MAX} characters.")
    return _send_to_all(hub, f"The host says: {text}")


def kick(hub: Hub, name: str, now: float) -> list[Effect]:
    """Disconnect a player and free their seat."""
    check_can_save(hub)
    player = hub.players.by_name.get(make_name_key(name.strip()))
    if player is None:
        raise Refusal("name", "Nobody here has that name.")
    hub.state.ban_player(player, now + BAN_AFTER_KICK)
    return _send_away(hub, player, now) + hub.show_lobby(now)


def _send_away(hub: Hub, player: Player, now: float) -> list[Effect]:
    """Free a player's seat and name, and disconnect them."""
    session = player.session
    effects = hub.state.take_out(player, now) if player.room is not None else []
    if session is not None:
        return effects + hub.expel(session, "kicked", KICKED, now)
    hub.players.release_name(player)
    return effects


def check_can_save(hub: Hub) -> None:
    """Refuse a command that frees seats while the disk is full."""
    if not hub.state.can_save():
        raise Refusal("not_now", NOT_KEPT)


def ban(hub: Hub, rest: str, now: float) -> list[Effect]:
    """Ban a name or an address for some minutes, and disconnect everybody with it. `rest` is "MINUTES NAME"."""
    check_can_save(hub)
    minutes, _, who = rest.strip().partition(" ")
    if not (_is_minutes(minutes) and who.strip()):
        raise Refusal("bad_request", "Give the minutes and the name or address: ban 60 Eve")
    who, until = who.strip(), now + 60 * int(minutes)
    named = hub.players.by_name.get(make_name_key(who))
    for banned in (who, make_name_key(who)):
        hub.state.ban(banned, until)
    effects: list[Effect] = []
    if named:
        hub.state.ban_player(named, until)
        effects += _send_away(hub, named, now)
    for session in [session for session in hub.sessions.values() if session.address == who]:
        effects += (
            _send_away(hub, session.player, now) if session.player else hub.expel(session.id, "kicked", KICKED, now)
        )
    return effects + hub.show_lobby(now)


def _is_minutes(text: str) -> bool:
    return text.isascii() and text.isdecimal() and 1 <= int(text[:9]) <= MINUTES_MAX


def tell_minutes(number: str) -> str:
    """Return "1 minute", "2 minutes", and so on."""
    return f"{number} minute{'' if int(number) == 1 else 's'}"


def drain(hub: Hub, rest: str, now: float) -> list[Effect]:
    """Allow no new games, and tell everybody. `rest` is "", or "--within MINUTES": the server stops by then."""
    flag, _, minutes = rest.strip().partition(" ")
    if rest.strip() and not (flag == "--within" and _is_minutes(minutes)):
        raise Refusal("bad_request", "Give the minutes: drain --within 30")
    stop_at = now + 60 * int(minutes) if minutes else None
    if hub.state.draining and hub.state.stop_at == stop_at:
        return []
    hub.state.draining, hub.state.stop_at = True, stop_at
    latest = LATEST.format(tell_minutes(minutes)) if minutes else ""
    return [LogLine(f"draining: no new games.{latest}"), *_send_to_all(hub, DRAINING + latest)]


def undrain(hub: Hub, now: float) -> list[Effect]:
    """Allow new games again, and tell everybody."""
    if hub.state.draining:
        hub.state.draining, hub.state.stop_at = False, None
        return [LogLine("no longer draining"), *_send_to_all(hub, UNDRAINED)]
    return []


def is_drained(hub: Hub, now: float) -> bool:
    """True if the hub drains, and no game is being played or its time is up."""
    if not hub.state.draining:
        return False
    is_late = hub.state.stop_at is not None and now >= hub.state.stop_at
    return is_late or all(room.state != "playing" for room in hub.rooms.by_code.values())


def _send_to_all(hub: Hub, text: str) -> list[Effect]:
    return [Send(session.id, (Event(text, "system"),)) for session in hub.sessions.values() if session.player]
