"""Planted bugs around the disk: told too early, kept wrongly or not at all, lost when it is full."""

from collections.abc import Callable
from dataclasses import replace
from itertools import count
from typing import Any

from gridgames_protocol.messages import Event, Lobby, Show, Welcome
from gridgames_server.core.effects import Send
from gridgames_server.core.hub import Hub
from gridgames_server.core.room import Room
from gridgames_server.core.room_events import DrawOffered, LinePlayed, Record, RoomClosed, RoomEvent
from gridgames_server.core.state import Session, State
from gridgames_server.games import match
from gridgames_server.games.game import Chance
from gridgames_server.storage import compaction, finished_games, restore, writer
from gridgames_server.storage.outbox import Outbox
from gridgames_server.storage.query_thread import Queries
from gridgames_server.storage.store import FIRST_LINK, Row, Start
from gridgames_server.storage.writer import Writer
from tests.simulation.planted import Bug, entering
from tests.simulation.simulated_disk import Disk, SideFile

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
                    said = tuple(message for message in effect.messages if isinstance(message, kinds))
                    hasty += [Send(effect.session, said)] if said else []
                    slow = tuple(message for message in effect.messages if message not in said)
                    rest += [Send(effect.session, slow)] if slow else []
                else:
                    rest.append(effect)
            outbox.perform(hasty)
            right(outbox, rest)

        return put

    return plant


bug("the lobby is told before the commit", Outbox, "put", "commit", "place")(overtaking(Lobby))
bug("events and chat are told before the commit", Outbox, "put", "commit", "place")(overtaking(Event))
bug("tables are shown before the commit", Outbox, "put", "commit")(overtaking(Show))
bug("a newcomer is welcomed before the commit", Outbox, "put", "commit", "replies")(overtaking(Welcome))


@bug("what needs no record overtakes what waits for one", Outbox, "_is_bare_ok", "replies", "commit", "acknowledged")
def all_overtake(right: Any) -> Any:
    return lambda outbox, effects: True


@bug(
    "what a turn has decided leaves in another order",
    Outbox,
    "_on_committed",
    "acknowledged",
    "replies",
    "commit",
    "place",
)
def no_order(right: Any) -> Any:
    def kept(outbox: Outbox, batch: Any) -> None:
        batch.effect_lists.reverse()
        right(outbox, batch)

    return kept


@bug("the writer says that it has kept what it has not", Writer, "_save", "acknowledged", "commit", "replay")
def lying_writer(right: Any) -> Any:
    def save(writer: Writer, group: list[Any]) -> None:
        right(writer, group[:1])
        for entry in group[1:]:
            writer.call(entry.on_saved)

    return save


# What is on disk ------------------------------------------------------------------------------------------------------


@bug("a line is acknowledged and not kept", Room, "append_event", "acknowledged", "order", "replay", "commit")
def forgotten_lines(right: Any) -> Any:
    def append_event(room: Room, event: RoomEvent, *given: Any) -> None:
        if isinstance(event, LinePlayed):
            room.apply(event, {})
        else:
            right(room, event, *given)

    return append_event


@bug("an offer of a draw is not kept", Room, "append_event", "order", "replay", "commit")
def forgotten_offers(right: Any) -> Any:
    def append_event(room: Room, event: RoomEvent, *given: Any) -> None:
        if isinstance(event, DrawOffered):
            room.apply(event, {})
        else:
            right(room, event, *given)

    return append_event


@bug("an event is kept twice", Room, "append_event", "order")
def kept_twice(right: Any) -> Any:
    def append_event(room: Room, event: RoomEvent, *given: Any) -> None:
        right(room, event, *given)
        if isinstance(event, LinePlayed):
            room.audience.out.append(event)

    return append_event


@bug("what is kept of a line is another line", Room, "append_event", "acknowledged", "replay", "commit", "order")
def kept_wrongly(right: Any) -> Any:
    def append_event(room: Room, event: RoomEvent, *given: Any) -> None:
        right(room, event, *given)
        if isinstance(event, LinePlayed):
            out = room.audience.out
            out[out.index(event)] = replace(event, line=event.line.lower() + " ")

    return append_event


@bug("a play that comes again is played again", Session, "was_played", "once", "acknowledged")
def no_id_check(right: Any) -> Any:
    return lambda session, play: False


@bug("the last play is forgotten at a restart", restore, "restore", "coming back", "replay")
def forgotten_ids(right: Any) -> Any:
    def forgetful(hub: Hub, saved: Any, now: float) -> Any:
        players = tuple(player._replace(last_play=None) for player in saved.players)
        return right(hub, replace(saved, players=players), now)

    return forgetful


@bug("the numbers of finished games begin again at a restart", restore, "restore", "order")
def numbers_begin_again(right: Any) -> Any:
    return lambda hub, saved, now: right(hub, replace(saved, last_game=0), now)


@bug("chance is drawn anew when a game is played again", Chance, "digest", "replay", "commit")
def drawn_anew(right: Any) -> Any:
    draws = count()
    return lambda chance, label: right(chance, f"{label}{next(draws)}")


@bug("a room is closed, and the disk does not know", State, "close", "replay", "end")
def closed_in_secret(right: Any) -> Any:
    def close(state: State, room: Room, why: str) -> Any:
        return [effect for effect in right(state, room, why) if not isinstance(effect, RoomClosed)]

    return close


# A full disk ----------------------------------------------------------------------------------------------------------


@bug("what did not fit on the disk is said to be kept", Writer, "_save", "acknowledged", "commit", "replay", "order")
def kept_nowhere(right: Any) -> Any:
    def save(writer: Writer, group: list[Any]) -> None:
        right(writer, group)
        lost, writer.unsaved = writer.unsaved, []
        for entry in lost:
            writer.call(entry.on_saved)

    return save


@bug("what did not fit on the disk is forgotten", Writer, "_save", "end", "order", "replay", "replies", "bounds")
def forgotten_group(right: Any) -> Any:
    def save(writer: Writer, group: list[Any]) -> None:
        right(writer, group)
        writer.unsaved = []

    return save


@bug("nobody finds out that the disk has space again", Writer, "retry_full_disk", "end", "bounds")
def full_for_ever(right: Any) -> Any:
    return lambda writer: None


# Finished games -------------------------------------------------------------------------------------------------------


@bug("questions about finished games end with one that fails", Queries, "_answer_next", "end")
def dead_reader(right: Any) -> Any:
    def answer_next(reader: Any) -> None:
        reader.is_failing |= reader.world.weather.no_files
        if not reader.is_failing:
            right(reader)

    return answer_next


@bug("the check knows no draw by agreement", match, "OUTSIDE_REASONS", "check")
def forgotten_reason(right: Any) -> Any:
    return {reason: right[reason] for reason in right if reason != "agreed"}


@bug("the variant of a finished game is not kept", finished_games, "join_variant", "check")
def forgotten_variant(right: Any) -> Any:
    return lambda game, variant: game


# The rows of the log --------------------------------------------------------------------------------------------------

LOST = ("replay", "order", "coming back", "commit", "end", "one seat", "side file", "acknowledged", "shell", "place")
SOME = 20  # rows from one bad row to the next


def spoiling_some_rows(spoil: Callable[[Any], Any]) -> Callable[[Any], Any]:
    """Every twentieth row is written otherwise, or not at all."""

    def plant(right: Any) -> Any:
        def append(store: Any, table: str, row: Row) -> None:
            written = spoil(row) if table == "log" and row.seq % SOME == 0 else row
            if written:
                right(store, table, written)

        return append

    return plant


bug("a row is torn", writer, "append_row", *LOST)(
    spoiling_some_rows(lambda row: row._replace(records=row.records[:-2]))
)
bug("a row in the middle is lost", writer, "append_row", *LOST)(spoiling_some_rows(lambda row: None))


@bug("the chain of the rows is broken", writer, "make_row", *LOST)
def broken_chain(right: Any) -> Any:
    return lambda before, seq, *rest: right(before if seq % SOME else FIRST_LINK, seq, *rest)


@bug("the side file runs ahead of the log", Disk, "_commit", "side file")
def side_file_ahead(right: Any) -> Any:
    def commit(writer: Writer, records: list[Any]) -> None:
        if records:
            writer.store.last_write.write(writer.seq + 1, b"")
        right(writer, records)

    return commit


@bug("the side file is not written", SideFile, "write", "side file")
def side_file_behind(right: Any) -> Any:
    return lambda *given: None


@bug("compaction moves the start of the log before the base is written", compaction, "compact", *LOST)
def hasty_start(right: Any) -> Any:
    def compact(store: Any, ledger: Any) -> Any:
        first = compaction.read_start(store).last + 1
        rows = list(compaction.make_base_rows(ledger, first))
        compaction.write_start(store, Start(ledger.seq, ledger.link, first, first + len(rows) - 1))
        yield
        for row in rows:
            compaction.append_row(store, "base", row)
        yield

    return compact


@bug("compaction drops an event that is needed", compaction, "select_needed", *LOST)
def dropped_event(right: Any) -> Any:
    return lambda room: right(room)[:-1]
