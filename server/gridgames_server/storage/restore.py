"""Coming back: a hub made of what was kept, by doing every deed of every open room again."""

from collections import defaultdict
from collections.abc import Mapping

from gridgames_protocol.messages import Error, History, Ok, Play, Push, Replay, Standings, Status, Welcome
from gridgames_server.deeds import Deed, RoomAside, RoomClosed, RoomOpened, Saved, SavedRoom
from gridgames_server.effects import Effect, Hangup, Look, Note, Send, Tell, Think, Trouble
from gridgames_server.games.game import Outcome
from gridgames_server.hub import Hub
from gridgames_server.room import Room
from gridgames_server.session import BOT_NUMBERS, Player, bot_player

OLD_EDITION = "Your game was begun under older rules, and the server has been updated: its room is closed. Sorry."
DAMAGED = "What the server kept of your room is damaged, so the room is closed. Sorry."
CANNOT_SAVE = "The server can't save anything right now, so this was not done. Tell its host, and try again."
NOT_KEPT = "The disk is full: nothing can be saved, so this was not done."


class OldEdition(Exception):
    """A game that was begun under other rules than today's."""


def restore(hub: Hub, saved: Saved, now: float) -> list[Effect]:
    """Fill a new hub; what comes out are notes, and which rooms could not be brought back.

    The new hub's time goes on where the old one's ended, so that clocks have stood still in between.
    """
    known: dict[int, Player] = {}
    for number, name, key, token_hash, last_play in saved.players:
        player = known[number] = Player(
            name, key, token_hash, last_play=last_play, last_seen=now, number=number, kept_as=name
        )
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
    places = [(player, player.room, player.seat, player.session) for player in _sitters(saved, known)]
    for player, *_ in places:
        player.session = None  # nobody is to be shown again what they have seen
    try:
        for deed in saved.deeds:
            redo(room, deed, known)
    except Exception as bug:
        del hub.rooms.by_code[room.code]
        return set_aside(saved, known, OLD_EDITION if isinstance(bug, OldEdition) else DAMAGED)
    finally:
        hub.out.clear()  # all of it was said before
        for player, was_in, seat, session in places:  # who has left here may sit elsewhere by now
            player.room, player.seat, player.session = was_in, seat, session
    for seat, holder in room.here.seats.items():
        if holder is not None and not holder.bot:
            holder.room, holder.seat = room, seat
            hub.players.by_name[holder.key] = holder
            if holder.session is None:
                room.away[seat] = now
    room.think(now)
    thoughts, hub.out[:] = hub.out[:], []
    return thoughts


def _sitters(saved: SavedRoom, known: Mapping[int, Player]) -> list[Player]:
    """All who ever had a seat in a room."""
    numbers = [deed.id or 0 for deed in saved.deeds if deed.what == "sit"]
    return [known[number] for number in numbers if number in known]


def set_aside(saved: SavedRoom, known: Mapping[int, Player], why: str) -> list[Effect]:
    """Leave a room out, and let its players know when they come."""
    holders = {deed.seat: deed.id or 0 for deed in saved.deeds if deed.what in ("sit", "left")}
    for holder in holders.values():
        if holder in known:
            known[holder].missed = why
    return [RoomAside(saved.opened.room, why), Note(f"room {saved.opened.room} is set aside")]


def seated(number: int, players: Mapping[int, Player]) -> Player:
    """The player with a number; a bot is made anew."""
    levels = {number: level for level, number in BOT_NUMBERS.items()}
    return bot_player(levels[number]) if number in levels else players[number]


def redo(room: Room, deed: Deed, players: Mapping[int, Player]) -> None:
    """Do again what was done in a room."""
    match deed.what, deed.seat:
        case "sit", int(seat):
            room.sit(seated(deed.id or 0, players), seat, deed.at)
        case "left", int(seat):
            room.vacate(seat, deed.at)
        case "start", int(first):
            if deed.text != str(room.game.card.edition):
                raise OldEdition
            room.start(deed.secret, first, deed.at)
        case "line", int(seat):
            room.play(seat, Play(deed.id or 1, deed.text), deed.at)
        case "wish", int(seat):
            room.wish(seat, deed.at)
        case "end", winner:
            reason, _, text = deed.text.partition("\n")
            room.end(Outcome(winner, reason, text), deed.at, bool(deed.id))
        case "chat", seat:
            name, _, text = deed.text.partition("\n")
            room.say(seat, name, text, deed.at)
        case "hold", _:
            room.hold(float.fromhex(deed.text), deed.at)


# When something could not be kept -------------------------------------------------------------------------------------


def touched(effects: list[Effect]) -> set[int]:
    """The rooms that these effects have changed."""
    return {effect.room for effect in effects if isinstance(effect, Deed | RoomOpened | RoomClosed)}


def undo(hub: Hub, effects: list[Effect], saved: Saved, now: float) -> list[Effect]:
    """Take back what could not be kept: every room that it touched becomes what is on disk, and its people see it."""
    _undo_players(hub, saved)
    answers = [answer for effect in effects for answer in _regret(hub, effect)]
    known = {player.number: player for player in hub.players.by_token.values()}
    rooms = touched(effects)
    answers += _undo_rooms(hub, rooms, saved, known, now)
    # A bot thinks anew where its table was put back; elsewhere it goes on.
    answers += [effect for effect in effects if isinstance(effect, Think) and effect.room not in rooms]
    for leaving in [answer.session for answer in answers if isinstance(answer, Hangup)]:
        answers += hub.gone(leaving, now)
    hub.owed += _held(effects)  # only now: these answers wait for no disk
    unheard = {effect.session for effect in effects if isinstance(effect, Send)}
    for session in hub.sessions.values():
        player = session.player
        if player is None or session.id not in unheard:
            continue
        if player.room is None:
            hub.enter_lobby(player)
        else:
            player.room.catch_up(player, now)
    return answers + hub.decided(now)


def _regret(hub: Hub, effect: Effect) -> list[Effect]:
    """What is said instead of something that can't be said any more."""
    match effect:
        case Send(session, said):
            return [regret for message in said for regret in _take_back(hub, session, message)]
        case Tell(tell):
            return [Tell(tell, NOT_KEPT)]
        case Hangup() | Note() | Trouble() | Look():
            return [effect]
        case _:
            return []


def _take_back(hub: Hub, session: int, message: Push) -> list[Effect]:
    """What is said instead of one message."""
    match message:
        case Ok(re) if _is_kept(hub, session, re):
            return [Send(session, (message,))]
        case Welcome(re):  # who is not known must not go on as if they were
            return [Send(session, (Error("not_now", CANNOT_SAVE, re),)), Hangup(session)]
        case Ok(re) | Error(re=int(re)) | Status(re):
            return [Send(session, (Error("not_now", CANNOT_SAVE, re),))]
        case History() | Replay() | Standings():
            return [Send(session, (message,))]
        case _:
            return []


def _is_kept(hub: Hub, id: int, play: int) -> bool:
    """True for a play that is on disk and came again."""
    session = hub.sessions.get(id)
    return session is not None and session.player is not None and session.player.last_play == play


def _held(effects: list[Effect]) -> float:
    """For how long clocks were to be held: every room's alike, as far as the room was there."""
    held: defaultdict[int, float] = defaultdict(float)
    for effect in effects:
        if isinstance(effect, Deed) and effect.what == "hold":
            held[effect.room] += float.fromhex(effect.text)
    return max(held.values(), default=0.0)


def _undo_players(hub: Hub, saved: Saved) -> None:
    """Forget who was never kept, and the plays and names that were not."""
    kept = {player.player: player for player in saved.players}
    for player in list(hub.players.by_token.values()):
        as_kept = kept.get(player.number)
        if as_kept is None:
            del hub.players.by_token[player.token_hash]
            if player.room and player.seat is None:  # a seat's room is put back anyway
                player.room.here.watchers.remove(player)
                player.room = None
            if player.session in hub.sessions:
                hub.sessions[player.session].player = None
        if as_kept is None or as_kept.key != player.key:
            hub.players.release_name(player)
        if as_kept is not None:
            player.last_play, player.name, player.key = as_kept.last_play, as_kept.name, as_kept.key
            player.kept_as = as_kept.name


def _undo_rooms(hub: Hub, numbers: set[int], saved: Saved, known: Mapping[int, Player], now: float) -> list[Effect]:
    """Put rooms back to what is on disk, with whoever is in them; those that were never kept are gone."""
    were = {room.number: room for room in hub.rooms.by_code.values() if room.number in numbers}
    for was in were.values():
        del hub.rooms.by_code[was.code]
        for player in was.here.everybody():
            player.room = player.seat = None
    effects: list[Effect] = []
    for kept in saved.rooms:
        if kept.opened.room in numbers:
            effects += reopen(hub, kept, known, now)
    for room in hub.rooms.by_code.values():
        if room.number in were:
            _take_over(room, were[room.number])
        room.here.watchers[:] = [guest for guest in room.here.watchers if guest.room is room]
    return effects


def _take_over(room: Room, was: Room) -> None:
    """Let a room that was put back have what no disk knows: who watches, and since when a seat is empty."""
    for seat in room.away.keys() & was.away.keys():
        room.away[seat] = was.away[seat]
    room.absent |= was.absent & room.away.keys()
    for guest in was.here.watchers:
        if guest.room is None:
            room.here.watchers.append(guest)
            guest.room = room
