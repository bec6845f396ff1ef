"""What a client may wish for, and how the hub grants it: a function for each kind of request, or a Refusal."""

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from gridgames_protocol.messages import (
    PROTOCOL,
    Again,
    AskHistory,
    AskReplay,
    AskStandings,
    AskStatus,
    Chat,
    Claim,
    Create,
    Farewell,
    Hello,
    Join,
    Leave,
    Ok,
    Ping,
    Play,
    Resign,
    Watch,
    Welcome,
)
from gridgames_server.deeds import PlayerNamed
from gridgames_server.effects import Look, Note
from gridgames_server.games.game import Refusal
from gridgames_server.history import Question
from gridgames_server.room import Room
from gridgames_server.session import Player, Session, bot_player

if TYPE_CHECKING:
    from gridgames_server.hub import Hub


def _hello(hub: "Hub", session: Session, hello: Hello, now: float) -> None:
    if hello.protocol != PROTOCOL:
        text = f"This server speaks version {PROTOCOL}, you speak {hello.protocol}. Update the older of the two."
        raise Refusal("protocol", text)
    player, token = hub.players.identify(hello, session.address, now)
    if player.session is not None:
        hub.take_over(player, now)
    player.session, session.player, player.last_seen = session.id, player, now
    if player.name != player.kept_as:  # one who only comes back must be let in on a full disk too
        player.kept_as = player.name
        hub.out.append(PlayerNamed(player.number, player.name, player.key, player.token_hash))
    cards = tuple(game.card for game in hub.house.games)
    code = player.room.code if player.room else None
    hub.say(
        session.id,
        Welcome(hello.id, PROTOCOL, hub.house.name, player.name, token, cards, code, player.last_play),
    )
    room = player.room
    if room:
        hub.in_room(room, lambda: room.back(player, now))
    else:
        hub.enter_lobby(player)
    hub.rooms.changed = True


def _status(hub: "Hub", session: Session, request: AskStatus, now: float) -> None:
    hub.say(session.id, hub.status(request.id, now))


def _ping(hub: "Hub", session: Session, request: Ping, now: float) -> None:
    hub.say(session.id, Ok(request.id))


def _farewell(hub: "Hub", session: Session, request: Farewell, now: float) -> None:
    hub.say(session.id, Ok(request.id))
    hub.dismiss(session.id, "bye", "Goodbye.", now)


def _create(hub: "Hub", session: Session, request: Create, now: float) -> None:
    _check_beginning(hub)
    room = hub.rooms.open(request, session.address, hub.out, now)
    room.sit(_player(session), 1, now)
    hub.say(session.id, Ok(request.id, room.code))
    if request.bot is None:
        room.tell_room()
    else:
        room.join(bot_player(request.bot), hub.entropy(32), now)
    hub.out.append(Note(f"room {room.number} opened by session {session.id}: {request.game}"))
    hub.rooms.changed = True


def _join(hub: "Hub", session: Session, request: Join, now: float) -> None:
    room = _find(hub, session, request.room, now)
    room.check_seat()
    _check_beginning(hub)
    hub.say(session.id, Ok(request.id, room.code))
    room.join(_player(session), hub.entropy(32), now)
    hub.rooms.changed = True


def _watch(hub: "Hub", session: Session, request: Watch, now: float) -> None:
    room = _find(hub, session, request.room, now)
    room.check_stand()
    hub.say(session.id, Ok(request.id, room.code))
    room.watch(_player(session), now)
    hub.rooms.changed = True


def _find(hub: "Hub", session: Session, code: str, now: float) -> Room:
    """The room with a code; guessing codes is slow work."""
    room = hub.rooms.find(code)
    if room is None or room.private:  # a code that is listed is no guess
        hub.guesses.check(session.address, now)
    if room is None:
        hub.guesses.wrong(session.address, now)
        raise Refusal("no_such_room", "There is no room with that code.")
    return room


def _check_beginning(hub: "Hub") -> None:
    """Refuse a game that would begin while the server waits for the last one to end."""
    if hub.draining:
        raise Refusal("shutting_down", "The server is about to stop: no new game begins. Try again in a while.")


def _leave(hub: "Hub", session: Session, request: Leave, now: float) -> None:
    hub.say(session.id, Ok(request.id))
    hub.take_out(_player(session), now)
    hub.enter_lobby(_player(session))


def was_played(session: Session, play: Play) -> bool:
    """True if this very play was accepted already; a lower id than that was never meant."""
    last = session.player.last_play if session.player else None
    if last is not None and play.id < last:
        raise Refusal("bad_request", f"The ids of plays increase: the next one is above {last}.")
    return play.id == last


def _play(hub: "Hub", session: Session, request: Play, now: float) -> None:
    player, room = _player(session), _room(session)
    if room.play(_seat(session), request, now):
        hub.rooms.changed = True
    player.last_play = request.id
    hub.moves += 1


def _again(hub: "Hub", session: Session, request: Again, now: float) -> None:
    _check_beginning(hub)
    hub.say(session.id, Ok(request.id))
    _room(session).again(_seat(session), hub.entropy(32), now)
    hub.rooms.changed = True


def _resign(hub: "Hub", session: Session, request: Resign, now: float) -> None:
    hub.say(session.id, Ok(request.id))
    _room(session).resign(_seat(session), now)
    hub.rooms.changed = True


def _claim(hub: "Hub", session: Session, request: Claim, now: float) -> None:
    hub.say(session.id, Ok(request.id))
    _room(session).claim(_seat(session), now)
    hub.rooms.changed = True


def _look_up(hub: "Hub", session: Session, request: Question, now: float) -> None:
    if session.looking:
        raise Refusal("too_fast", "One question at a time: the answer to the last one is on its way.")
    session.looking = True
    hub.out.append(Look(session.id, _player(session).number, request))


def _chat(hub: "Hub", session: Session, request: Chat, now: float) -> None:
    hub.say(session.id, Ok(request.id))
    _room(session).chat(_player(session), request.text, now)


GRANT: dict[type, Callable[["Hub", Session, Any, float], None]] = {
    Hello: _hello,
    AskStatus: _status,
    Ping: _ping,
    Create: _create,
    Join: _join,
    Watch: _watch,
    Leave: _leave,
    Play: _play,
    Again: _again,
    Resign: _resign,
    Claim: _claim,
    Chat: _chat,
    Farewell: _farewell,
    AskHistory: _look_up,
    AskReplay: _look_up,
    AskStandings: _look_up,
}


def _player(session: Session) -> Player:
    assert session.player
    return session.player


def _room(session: Session) -> Room:
    room = _player(session).room
    assert room
    return room


def _seat(session: Session) -> int:
    seat = _player(session).seat
    assert seat
    return seat
