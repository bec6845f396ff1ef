"""One function for each kind of request. It returns the effects, or raises a Refusal."""

from collections.abc import Callable
from typing import Any

from gridgames_protocol.messages import (
    PROTOCOL,
    Again,
    AskAnalysis,
    AskHint,
    AskHistory,
    AskRecord,
    AskReplay,
    AskStandings,
    AskStatus,
    ByeRequest,
    Chat,
    Claim,
    Create,
    Hello,
    Hint,
    Join,
    Leave,
    OfferDraw,
    Ok,
    Ping,
    Play,
    Push,
    Request,
    Resign,
    Watch,
    Welcome,
)
from gridgames_server.core.effects import AskBot, Effect, HistoryQuery, LogLine, RunQuery, Send
from gridgames_server.core.names import make_name_key
from gridgames_server.core.players import Player, make_bot_player
from gridgames_server.core.room import Room
from gridgames_server.core.room_events import PlayerNamed
from gridgames_server.core.state import Session, State, find_room
from gridgames_server.errors import Refusal
from gridgames_server.games.seats import other


def handle(state: State, session: Session, request: Request, now: float) -> list[Effect]:
    return HANDLERS[type(request)](state, session, request, now)


def _say(session: Session, message: Push) -> list[Effect]:
    return [Send(session.id, (message,))]


# Coming and going -----------------------------------------------------------------------------------------------------


def _hello(state: State, session: Session, hello: Hello, now: float) -> list[Effect]:
    versions = hello.protocol if isinstance(hello.protocol, tuple) else (hello.protocol,)
    if PROTOCOL not in versions:
        theirs = ", ".join(map(str, versions))
        text = f"This server speaks version {PROTOCOL}, you speak {theirs}. Update the older of the two."
        raise Refusal("protocol", text, "protocol")
    _check_bans(state, session, hello, now)
    player, token = state.players.identify(hello, session.address, now)
    effects = state.take_over(player, now) if player.session is not None else []
    state.attach(session, player)
    session.strict = hello.strict
    player.last_seen = now
    player.wants_state, player.agent = hello.state, (hello.agent or "a program") if hello.bot else None
    if player.name != player.saved_name:  # a known name needs no record, so its player can return on a full disk
        player.saved_name = player.name
        effects.append(PlayerNamed(player.number, player.name, player.key, player.token_hash))
    room = find_room(player)
    effects += _say(
        session,
        Welcome(
            re=hello.id,
            protocol=PROTOCOL,
            server=state.config.name,
            name=player.name,
            token=token,
            games=tuple(game.card for game in state.config.games),
            room=room.code if room else None,
            last_play=player.last_play,
            features=state.features(),
        ),
    )
    if room:
        state.limits.try_spend(session.address, "told again", now, room.told_again)
        return effects + state.in_room(room, lambda: room.come_back(player, now))
    return effects + state.enter_lobby(player)


def _check_bans(state: State, session: Session, hello: Hello, now: float) -> None:
    """Raise a Refusal if the address, the name or the token's player is banned."""
    known = state.players.find(hello.token)
    player = (known.key, f"#{known.number}") if known else ()
    if wait := max(state.banned_for(who, now) for who in (session.address, make_name_key(hello.name), *player)):
        raise Refusal("not_now", f"The host has sent you away. Try again in {wait} seconds.")


def _bye(state: State, session: Session, request: ByeRequest, now: float) -> list[Effect]:
    return _say(session, Ok(request.id)) + state.dismiss(session.id, "bye", "Goodbye.", now)


def _status(state: State, session: Session, request: AskStatus, now: float) -> list[Effect]:
    return _say(session, state.status(request.id, now))


def _ping(state: State, session: Session, request: Ping, now: float) -> list[Effect]:
    return _say(session, Ok(request.id))


# Rooms ----------------------------------------------------------------------------------------------------------------


def _create(state: State, session: Session, request: Create, now: float) -> list[Effect]:
    _check_beginning(state, session, now)
    opened, room = state.rooms.open(request, session.address, now)
    room.sit(_player(session), 1, now)
    seated = room.take_effects()
    if request.bot is None:
        room.tell_room()
    else:
        room.join(make_bot_player(request.bot), state.entropy(32), now)
    log = LogLine(f"room {room.number} opened by session {session.id}: {request.game}")
    return [opened, *seated, *_say(session, Ok(request.id, room.code)), *state.take_effects(room), log]


def _join(state: State, session: Session, request: Join, now: float) -> list[Effect]:
    room = _find(state, session, request.room, now)
    room.check_free_seat()
    _check_beginning(state, session, now)
    room.join(_player(session), state.entropy(32), now)
    return _say(session, Ok(request.id, room.code)) + state.take_effects(room)


def _watch(state: State, session: Session, request: Watch, now: float) -> list[Effect]:
    room = _find(state, session, request.room, now)
    room.check_watcher_space()
    if not state.limits.try_spend(session.address, "told again", now, room.told_again):
        raise Refusal("too_fast", "Too much is watched from your address. Wait a moment, then go on.")
    room.watch(_player(session), now)
    return _say(session, Ok(request.id, room.code)) + state.take_effects(room)


def _find(state: State, session: Session, code: str, now: float) -> Room:
    """Return the room with a code. Wrong codes are limited, to make guessing slow."""
    room = state.rooms.find(code)
    if room is None or room.private:  # the code of a public room is in the lobby
        state.guesses.check(state.make_guess_key(session), now)
    if room is None:
        state.guesses.count_wrong_guess(state.make_guess_key(session), now)
        raise Refusal("no_such_room", "There is no room with that code.", "room")
    return room


def _check_beginning(state: State, session: Session, now: float) -> None:
    """Refuse a new game while the server drains, or if the rate limit for games is reached."""
    if state.draining:
        raise Refusal("shutting_down", "The server is about to stop: no new game begins. Try again in a while.")
    if not state.may_spend(session, "games", now):
        raise Refusal("too_fast", "Too many games begin at your address. Wait a moment, then go on.")


def _leave(state: State, session: Session, request: Leave, now: float) -> list[Effect]:
    player = _player(session)
    if player.seat is not None:
        state.check_can_save()
    return _say(session, Ok(request.id)) + state.take_out(player, now) + state.enter_lobby(player)


# A game ---------------------------------------------------------------------------------------------------------------


def _play(state: State, session: Session, request: Play, now: float) -> list[Effect]:
    player, room = _player(session), _room(session)
    room.play(_seat(session), request, now)
    player.last_play = request.id
    state.moves += 1
    # Until the game is over, a move changes nothing in the lobby.
    return state.take_effects(room) if room.state == "over" else room.take_effects()


def _again(state: State, session: Session, request: Again, now: float) -> list[Effect]:
    room = _room(session)
    _check_beginning(state, session, now)
    room.ask_rematch(_seat(session), state.entropy(32), now)
    return _say(session, Ok(request.id)) + state.take_effects(room)


def _draw(state: State, session: Session, request: OfferDraw, now: float) -> list[Effect]:
    room = _room(session)
    room.offer_draw(_seat(session), now)
    return _say(session, Ok(request.id)) + state.take_effects(room)


def _resign(state: State, session: Session, request: Resign, now: float) -> list[Effect]:
    room = _room(session)
    room.resign(_seat(session), now)
    return _say(session, Ok(request.id)) + state.take_effects(room)


def _claim(state: State, session: Session, request: Claim, now: float) -> list[Effect]:
    room = _room(session)
    room.claim(_seat(session), now)
    return _say(session, Ok(request.id)) + state.take_effects(room)


def _hint(state: State, session: Session, request: AskHint, now: float) -> list[Effect]:
    room, seat = _room(session), _seat(session)
    rival, slug = room.audience.seats[other(seat)], room.game.card.slug
    if not state.config.has_hints or slug not in state.config.bots:
        raise Refusal("not_now", "This server does not offer that.")
    if not room.hints and (rival is None or not rival.bot):
        raise Refusal("not_now", "Hints are for games against the computer, and for rooms created with hints.")
    if seat not in room.running_match().to_act():
        raise Refusal("not_your_turn", "There is nothing to advise: it is not your turn.")
    rev, *found = room.hinted.get(seat, (None,))
    if rev == room.rev:
        return _say(session, Hint(request.id, *found))
    state.bot_queue.check_space(session.address)
    session.begin_question(request.id)
    view, asker = room.view_for(seat, now), session.address
    return [AskBot(room.number, slug, seat, "hard", view, asker, "hint", session.id, request.id)]


def _chat(state: State, session: Session, request: Chat, now: float) -> list[Effect]:
    room = _room(session)
    if not state.may_spend(session, "chats", now):
        raise Refusal("too_fast", "There is too much chat from your address. Wait a moment, then go on.")
    room.chat(_player(session), request.text, now)
    return _say(session, Ok(request.id)) + state.take_effects(room)


# Finished games -------------------------------------------------------------------------------------------------------


def _look_up(state: State, session: Session, request: HistoryQuery, now: float) -> list[Effect]:
    if isinstance(request, AskStandings) and request.game is not None:
        state.rooms.check_game(request.game)
    session.begin_question(request.id)
    return [RunQuery(session.id, _player(session).number, request)]


def _analysis(state: State, session: Session, request: AskAnalysis, now: float) -> list[Effect]:
    if not state.config.has_analysis:
        raise Refusal("not_now", "This server does not offer that.")
    return _look_up(state, session, request, now)


HANDLERS: dict[type, Callable[[State, Session, Any, float], list[Effect]]] = {
    Hello: _hello,
    AskStatus: _status,
    Ping: _ping,
    Create: _create,
    Join: _join,
    Watch: _watch,
    Leave: _leave,
    Play: _play,
    Again: _again,
    OfferDraw: _draw,
    Resign: _resign,
    Claim: _claim,
    Chat: _chat,
    ByeRequest: _bye,
    AskHistory: _look_up,
    AskReplay: _look_up,
    AskStandings: _look_up,
    AskHint: _hint,
    AskRecord: _look_up,
    AskAnalysis: _analysis,
}


# `permissions` guarantees that these exist where they are used.


def _player(session: Session) -> Player:
    assert session.player
    return session.player


def _room(session: Session) -> Room:
    room = find_room(_player(session))
    assert room
    return room


def _seat(session: Session) -> int:
    seat = _player(session).seat
    assert seat
    return seat
