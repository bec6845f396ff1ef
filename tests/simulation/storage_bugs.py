"""Planted bugs around the disk: told too early, kept wrongly or not at all, not taken back when it is full."""

from collections.abc import Callable
from dataclasses import replace
from itertools import count
from typing import Any

from gridgames_protocol.messages import Event, Lobby, Show, Welcome
from gridgames_server import grants, restore
from gridgames_server.deeds import Deed, Record, RoomClosed
from gridgames_server.effects import Send
from gridgames_server.games.game import Chance
from gridgames_server.hub import Hub
from gridgames_server.journal import Journal
from gridgames_server.outbox import Outbox
from gridgames_server.room import Room
from gridgames_server.service import Service
from tests.simulation.planted import Bug, entering

BUGS: list[Bug] = []
bug = entering(BUGS)


# Before it is on disk -------------------------------------------------------------------------------------------------


@bug("everybody is told before the commit", Outbox, "put", "acknowledged", "commit")
def told_before_commit(right: Any) -> Any:
    def put(outbox: Outbox, effects: list[Any]) -> None:
        outbox.perform([effect for effect in effects if not isinstance(effect, Record)])
        right(outbox, [effect for effect in effects if isinstance(effect, Record)])

    return put


def overtaking(*kinds: type) -> Callable[[Any], Any]:
    """Messages of some kinds do not wait for the disk."""

    def plant(right: Any) -> Any:
        def put(outbox: Outbox, effects: list[Any]) -> None:
            hasty, rest = [], []
            for effect in effects:
                if isinstance(effect, Send):
                    said = tuple(message for message in effect.said if isinstance(message, kinds))
                    hasty.append(Send(effect.session, said))
                    effect = Send(effect.session, tuple(message for message in effect.said if message not in said))
                rest.append(effect)
            outbox.perform(hasty)
            right(outbox, rest)

        return put

    return plant


bug("the lobby is told before the commit", Outbox, "put", "commit", "place")(overtaking(Lobby))
bug("events and chat are told before the commit", Outbox, "put", "commit", "place")(overtaking(Event))
bug("tables are shown before the commit", Outbox, "put", "commit")(overtaking(Show))
bug("a newcomer is welcomed before the commit", Outbox, "put", "commit", "replies")(overtaking(Welcome))


@bug("what needs no record overtakes what waits for one", Outbox, "_tells_nothing", "replies", "commit", "acknowledged")
def all_overtake(right: Any) -> Any:
    return lambda outbox, effects: True


@bug("what a turn has decided leaves in another order", Outbox, "_kept", "acknowledged", "replies", "commit")
def no_order(right: Any) -> Any:
    def kept(outbox: Outbox, batch: Any) -> None:
        batch.decisions.reverse()
        right(outbox, batch)

    return kept


@bug("the journal says that it has kept what it has not", Journal, "_settle", "acknowledged", "commit", "replay")
def lying_journal(right: Any) -> Any:
    def settle(journal: Journal, group: list[Any]) -> Any:
        answers = right(journal, group[:1])
        return answers and [entry.kept for entry in group]

    return settle


# What is on disk ------------------------------------------------------------------------------------------------------


@bug("a line is acknowledged and not kept", Room, "did", "acknowledged", "order", "replay", "commit")
def forgotten_lines(right: Any) -> Any:
    def did(room: Room, what: str, now: float, *given: Any, **more: Any) -> None:
        if what != "line":
            right(room, what, now, *given, **more)

    return did


@bug("what is done is kept twice", Room, "did", "order")
def kept_twice(right: Any) -> Any:
    def did(room: Room, what: str, now: float, *given: Any, **more: Any) -> None:
        right(room, what, now, *given, **more)
        if what == "line":
            room.here.out.append(room.here.out[-1])

    return did


@bug("a play that comes again is played again", grants, "was_played", "once", "acknowledged")
def no_id_check(right: Any) -> Any:
    return lambda session, play: False


@bug("the last play is forgotten at a restart", restore, "restore", "coming back", "replay")
def forgotten_ids(right: Any) -> Any:
    def forgetful(hub: Hub, saved: Any, now: float) -> Any:
        players = tuple(player._replace(last_play=None) for player in saved.players)
        return right(hub, replace(saved, players=players), now)

    return forgetful


@bug("chance is drawn anew when a game is played again", Chance, "digest", "replay", "commit")
def drawn_anew(right: Any) -> Any:
    draws = count()
    return lambda chance, label: right(chance, f"{label}{next(draws)}")


@bug("a room is closed, and the disk does not know", Hub, "_close", "replay", "end")
def closed_in_secret(right: Any) -> Any:
    def close(hub: Hub, room: Room, why: str) -> None:
        right(hub, room, why)
        hub.out[:] = [effect for effect in hub.out if not isinstance(effect, RoomClosed)]

    return close


@bug("a hold of the clocks is not kept", Room, "hold", "replay", "clocks", "order")
def secret_hold(right: Any) -> Any:
    def hold(room: Room, seconds: float, now: float) -> None:
        before = room.deeds
        right(room, seconds, now)
        room.here.out[:] = [e for e in room.here.out if not (isinstance(e, Deed) and e.what == "hold")]
        room.deeds = before

    return hold


# A full disk ----------------------------------------------------------------------------------------------------------


@bug("what could not be kept is not taken back", Service, "_undo", "replay", "order", "place")
def no_undo(right: Any) -> Any:
    def forget(server: Service, effects: list[Any]) -> None:
        server.outbox.keeper.reload()

    return forget


@bug("plays that could not be kept still count", restore, "_undo_players", "replay", "acknowledged", "coming back")
def plays_stay(right: Any) -> Any:
    return lambda hub, saved: None


@bug("the journal takes what rests on what it has refused", Journal, "_next_group", "order", "replay", "acknowledged")
def no_epochs(right: Any) -> Any:
    def next_group(journal: Journal) -> Any:
        journal.oldest = 0
        return right(journal)

    return next_group


@bug("a sleep that could not be kept is forgotten", restore, "_held", "clocks")
def forgotten_sleep(right: Any) -> Any:
    return lambda effects: 0.0
