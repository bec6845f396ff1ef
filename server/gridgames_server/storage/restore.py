"""Fills a new hub from the store: applies every event of every open room again."""

from collections.abc import Mapping

from gridgames_server.core.effects import Effect, LogLine
from gridgames_server.core.hub import Hub
from gridgames_server.core.names import make_name_key
from gridgames_server.core.players import BOT_LEVELS, Player, make_bot_player
from gridgames_server.core.room import OldEdition, Room
from gridgames_server.core.room_events import RoomEvent, RoomQuarantined, SavedRoom, SeatLeft, SeatTaken, Snapshot

OLD_EDITION = "Your game was begun under older rules, and the server has been updated: its room is closed. Sorry."
DAMAGED = "What the server kept of your room is damaged, so the room is closed. Sorry."


def restore(hub: Hub, saved: Snapshot, now: float) -> list[Effect]:
    """Fill a new hub. Return log lines, and a record for each room that could not be restored.

    The new hub's time continues where the old one ended: clocks stand still while no server runs.
    """
    known: dict[int, Player] = {}
    for number, name, _, token_hash, last_play in saved.players:
        key = make_name_key(name)  # not the stored one: an older version may have compared names in another way
        player = known[number] = Player(
            name, key, token_hash, last_play=last_play, last_seen=now, number=number, saved_name=name
        )
        hub.players.by_token[token_hash] = player
    hub.players.next_number, hub.rooms.opened = saved.next_player, saved.next_room - 1
    effects: list[Effect] = []
    for room in saved.rooms:
        effects += reopen(hub, room, known, now)
    if hub.rooms.last_game is not None:
        hub.rooms.last_game = saved.last_game
    for player in known.values():  # a player may have left one room for another
        player.room = player.seat = None
    for open_room in hub.rooms.by_code.values():
        effects += seat_players(hub, open_room, now)
        if saved.notice:
            open_room.audience.announce(saved.notice)
    for room in saved.broken:
        effects += quarantine(room, known, DAMAGED)
    return effects


def reopen(hub: Hub, saved: SavedRoom, known: Mapping[int, Player], now: float) -> list[Effect]:
    """Restore a room, but not yet where its players are."""
    if hub.rooms.find_rules(saved.opened) is None:
        return quarantine(saved, known, OLD_EDITION)
    room = hub.rooms.set_up(saved.opened, now)
    try:
        for event in saved.events:
            apply_stored(room, event, known)
    except Exception as bug:
        del hub.rooms.by_code[room.code]
        return quarantine(saved, known, OLD_EDITION if isinstance(bug, OldEdition) else DAMAGED)
    room.take_effects()  # drop them: they were sent before
    room.game_number = saved.game_number
    return []


def seat_players(hub: Hub, room: Room, now: float) -> list[Effect]:
    """Put the players of a restored room into their seats. They are away until they connect."""
    for seat, holder in room.audience.seats.items():
        if holder is not None and not holder.bot:
            holder.room, holder.seat = room, seat
            hub.players.by_name[holder.key] = holder
            room.away[seat] = now
    room.ask_bots(now)
    hub.rooms.update_row(room)
    return room.take_effects()


def quarantine(saved: SavedRoom, known: Mapping[int, Player], why: str) -> list[Effect]:
    """Leave a room out. Its players are told when they come back."""
    holders: dict[int, int] = {}
    for event in saved.events:
        if isinstance(event, SeatTaken):
            holders[event.seat] = event.player
        elif isinstance(event, SeatLeft):
            holders.pop(event.seat, None)
    for holder in holders.values():
        if holder in known:
            known[holder].closing_notice = why
    return [RoomQuarantined(saved.opened.room, why), LogLine(f"room {saved.opened.room} is in quarantine")]


def apply_stored(room: Room, event: RoomEvent, players: Mapping[int, Player]) -> None:
    """Apply a stored event. A bot player is created again: bots are not stored."""
    if isinstance(event, SeatTaken) and event.player in BOT_LEVELS:
        players = {event.player: make_bot_player(BOT_LEVELS[event.player])}
    room.apply(event, players)
