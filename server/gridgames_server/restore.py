"""Coming back: a hub made of what was kept, by doing every deed of every open room again."""

from collections.abc import Mapping

from gridgames_protocol.messages import Error, Ok, Play, Status, Welcome
from gridgames_server.deeds import Deed, RoomAside, RoomClosed, RoomOpened, Saved, SavedRoom
from gridgames_server.effects import Effect, Hangup, Note, Send, Trouble
from gridgames_server.games.game import Outcome
from gridgames_server.hub import Hub
from gridgames_server.room import Room
from gridgames_server.session import Player

OLD_EDITION = "Your game was begun under older rules, and the server has been updated: its room is closed. Sorry."
DAMAGED = "What the server kept of your room is damaged, so the room is closed. Sorry."
CANNOT_SAVE = "The server can't save anything right now, so this was not done. Tell its host, and try again."


class OldEdition(Exception):
    """A game that was begun under other rules than today's."""


def restore(hub: Hub, saved: Saved, now: float) -> list[Effect]:
    """Fill a new hub; what comes out are notes, and which rooms could not be brought back.

    The new hub's time goes on where the old one's ended, so that clocks have stood still in between.
    """
    known: dict[int, Player] = {}
    for number, name, key, token_hash, last_play in saved.players:
        player = known[number] = Player(name, key, token_hash, last_play=last_play, last_seen=now, number=number)
        hub.players.by_token[token_hash] = player
    hub.players.next_number, hub.rooms.opened = saved.next_player, saved.next_room - 1
    effects: list[Effect] = []
    for room in saved.rooms:
        effects += reopen(hub, room, known, now)
    for room in saved.broken:
        effects += set_aside(room, known, DAMAGED)
    return effects


def reopen(hub: Hub, saved: SavedRoom, known: Mapping[int, Player], now: float) -> list[Effect]:
    """Bring a room back as it was."""
    if all(game.card.slug != saved.opened.game for game in hub.house.games):
        return set_aside(saved, known, OLD_EDITION)
    room = hub.rooms.furnish(saved.opened, hub.out, now)
    try:
        for deed in saved.deeds:
            redo(room, deed, known)
    except Exception as bug:
        del hub.rooms.by_code[room.code]
        for player in room.here.everybody():
            player.room = player.seat = None
        return set_aside(saved, known, OLD_EDITION if isinstance(bug, OldEdition) else DAMAGED)
    finally:
        hub.out.clear()  # all of it was said before
    for seat, holder in room.here.seats.items():
        if holder is not None:
            hub.players.by_name[holder.key] = holder
            if holder.session is None:
                room.away[seat] = now
    return []


def set_aside(saved: SavedRoom, known: Mapping[int, Player], why: str) -> list[Effect]:
    """Leave a room out, and let its players know when they come."""
    for deed in saved.deeds:
        if deed.what == "sit" and deed.id in known:
            known[deed.id or 0].missed = why
    return [RoomAside(saved.opened.room, why), Note(f"room {saved.opened.room} is set aside")]


def redo(room: Room, deed: Deed, players: Mapping[int, Player]) -> None:
    """Do again what was done in a room."""
    match deed.what, deed.seat:
        case "sit", int(seat):
            room.sit(players[deed.id or 0], seat, deed.at)
        case "left", int(seat):
            room.vacate(seat, deed.at)
        case "start", int(first):
            if deed.text != str(room.game.card.edition):
                raise OldEdition
            room.start(deed.secret, first, deed.at)
        case "line", int(seat):
            room.tell_played(room.play(seat, Play(deed.id or 1, deed.text), deed.at), deed.at)
        case "wish", int(seat):
            room.wish(seat, deed.at)
        case "end", winner:
            reason, _, text = deed.text.partition("\n")
            room.end(Outcome(winner, reason, text), deed.at, bool(deed.id))
        case "chat", seat:
            name, _, text = deed.text.partition("\n")
            room.say(seat, name, text, deed.at)


# When something could not be kept -------------------------------------------------------------------------------------


def touched(effects: list[Effect]) -> set[int]:
    """The rooms that these effects have changed."""
    return {effect.room for effect in effects if isinstance(effect, Deed | RoomOpened | RoomClosed)}


def undo(hub: Hub, effects: list[Effect], saved: Saved, now: float) -> list[Effect]:
    """Take back what could not be kept: every room that it touched becomes what is on disk, and its people see it."""
    answers = [answer for effect in effects for answer in _regret(effect)]
    _undo_players(hub, saved)
    known = {player.number: player for player in hub.players.by_token.values()}
    on_disk = {room.opened.room: room for room in saved.rooms}
    for number in sorted(touched(effects)):
        answers += _undo_room(hub, number, on_disk.get(number), known, now)
    for session in hub.sessions.values():
        player = session.player
        if player is not None and player.room is None:
            hub.enter_lobby(player)
        elif player is not None and player.room is not None and player.room.number in on_disk:
            player.room.catch_up(player, now)
    return answers + hub.decided(now)


def _regret(effect: Effect) -> list[Effect]:
    """What is said instead of something that can't be said any more."""
    match effect:
        case Send(session, Welcome(re)):  # who is not known must not go on as if they were
            return [Send(session, Error("not_now", CANNOT_SAVE, re)), Hangup(session)]
        case Send(session, Ok(re) | Error(re=int(re)) | Status(re)):
            return [Send(session, Error("not_now", CANNOT_SAVE, re))]
        case Hangup() | Note() | Trouble():
            return [effect]
        case _:
            return []


def _undo_players(hub: Hub, saved: Saved) -> None:
    """Forget who was never kept, and the plays that were not."""
    kept = {player.player: player for player in saved.players}
    for player in list(hub.players.by_token.values()):
        if player.number in kept:
            player.last_play = kept[player.number].last_play
            continue
        del hub.players.by_token[player.token_hash]
        hub.players.release_name(player)
        if player.session in hub.sessions:
            hub.sessions[player.session].player = None


def _undo_room(hub: Hub, number: int, saved: SavedRoom | None, known: Mapping[int, Player], now: float) -> list[Effect]:
    """Put a room back to what is on disk, with whoever is in it; one that was never kept is gone."""
    was = next((room for room in hub.rooms.by_code.values() if room.number == number), None)
    watchers = was.here.watchers if was else []
    if was is not None:
        del hub.rooms.by_code[was.code]
        for player in was.here.everybody():
            player.room = player.seat = None
    if saved is None:
        return []
    effects = reopen(hub, saved, known, now)
    room = hub.rooms.by_code.get(saved.opened.code)
    if room is not None and was is not None:
        room.rev = max(room.rev, was.rev)  # a view never goes back
        room.here.watchers += watchers
        for guest in watchers:
            guest.room = room
    return effects
