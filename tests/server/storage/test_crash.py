"""A crash at every point of a scenario: nobody can tell afterwards, except by having had to come back.

What was decided and not kept has never been told to anybody, and has not happened. What was kept has happened, whether
its doer and the others were told or not. Every later message is the same to the last byte.
"""

from functools import cache
from typing import get_args

import pytest

from gridgames_protocol.codec import decode_push
from gridgames_protocol.messages import Hello, Join, Play, Show, Watch
from gridgames_server.core.effects import Send
from gridgames_server.core.room_events import GameOver, PlayerNamed, RoomClosed, RoomEvent, RoomOpened
from tests.server.hub_harness import MIDDLES
from tests.server.scenario_steps import Party, Scenario, begun_from, fields, scenario
from tests.server.stored_hub import Shelf, Shelved, StoredHub, copied, kept_in, saved

SCENARIOS = cache(scenario)
each_game = pytest.mark.parametrize("game", MIDDLES)


def come_back(told: Scenario, steps: int, seen: dict[str, Show | None] | None = None) -> Party:
    """A new server from what the first steps have kept, with everybody back who had come by then."""
    server = begun_from(told.kept(steps), told.luck(steps))
    party = Party(server)
    rooms = server.hub.rooms.by_code.values()
    logs = [(latest, list(latest)) for room in rooms for latest in room.audience.latest.values()]
    for name, view in (seen or {}).items():
        party.guests[name].view = view  # and the guest objects to one that goes back
    for step in told.steps[:steps]:
        guest = party.guests[step.who]
        if isinstance(step.request, Hello):
            name = step.request.name
            guest.says(Hello, 1, name, token=told.tokens[name], id=9_000)
        elif isinstance(step.request, Watch) and step.request.room in server.hub.rooms.by_code:
            guest.says(Watch, step.request.room, id=9_001)
    for log, events in logs:  # so that the news of who is back has pushed nothing out
        log.clear()
        log.extend(events)
    for room in rooms:
        room.audience.add_to_logs(())  # what was packed of the logs is old now
    return party


def go_on(party: Party, told: Scenario, steps: int) -> None:
    """Everything after the first steps happens as if nothing had been."""
    for number, step in list(enumerate(told.steps))[steps:]:
        party.at(number)
        assert party.does(step.who, step.request) == step.said, (number, step.request)
        assert party.would_read() == step.would_read


@each_game
def test_the_scenario_has_every_kind_of_event_in_it(game):
    records = SCENARIOS(game).kept(1_000)
    assert {type(record) for record in records} == {PlayerNamed, RoomOpened, GameOver, RoomClosed, *get_args(RoomEvent)}
    ends = [record.reason for record in records if isinstance(record, GameOver)]
    assert len(ends) == 2, "one by the rules; one that was given up is in nobody's history; one resigned"
    assert ends[1] == "resigned"


@each_game
def test_what_was_not_kept_has_not_happened_and_what_follows_is_the_same(game):
    told = SCENARIOS(game)
    for steps in range(len(told.steps)):
        party = come_back(told, steps)
        go_on(party, told, steps)


@each_game
def test_what_was_kept_has_happened_once_whoever_was_told(game):
    told = SCENARIOS(game)
    for steps in range(1, len(told.steps) + 1):
        party = come_back(told, steps)
        last = told.steps[steps - 1]
        party.at(steps - 1)
        if isinstance(last.request, Play) and last.kept:
            records = len(party.server.storage.records)
            again = party.guests[last.who].says(Play, *list(fields(last.request).values())[1:], id=last.request.id)
            assert again.re == last.request.id
            assert not hasattr(again, "code"), "the same id again is answered with ok"
            assert len(party.server.storage.records) == records, "and has no second effect"
        assert party.would_read() == last.would_read
        assert party.tables() == last.tables
        go_on(party, told, steps)


@each_game
def test_one_who_comes_back_learns_which_of_their_plays_was_the_last(game):
    told = SCENARIOS(game)
    plays = dict.fromkeys(told.tokens)
    for steps, step in enumerate(told.steps, start=1):
        if isinstance(step.request, Play) and step.kept:
            plays[step.who] = step.request.id
        party = come_back(told, steps)
        for name, guest in party.guests.items():
            if guest.welcome:
                assert (guest.welcome.last_play, guest.welcome.token) == (plays[name], told.tokens[name])


@each_game
def test_no_view_goes_back_whatever_had_been_told_before_the_crash(game):
    told = SCENARIOS(game)
    seen = dict.fromkeys(told.tokens)
    for steps, step in enumerate(told.steps, start=1):
        for name, lines in step.said.items():
            shown = [message for line in lines if isinstance(message := decode_push(line[:-1]), Show)]
            seen[name] = shown[-1] if shown else seen[name]
        party = come_back(told, steps, seen)
        for name, guest in party.guests.items():
            if guest.place:
                assert {show.rev for show in guest.reads(Show)} <= {seen[name].rev if seen[name] else 0}


@each_game
def test_nothing_leaves_before_its_record_is_kept(game):
    told = SCENARIOS(game)
    shelf = Shelf()
    party = Party(StoredHub(shelf))
    shelf.slow = True
    for number, step in enumerate(told.steps):
        party.at(number)
        party.server.read_by_all()
        server, guest = party.server, party.guests[step.who]
        server.does(server.hub.bytes_received(guest.id, 0, [step.request], server.now))
        if step.kept:
            assert all(guest.inbox == [] for guest in party.guests.values()), step.request
            shelf.keeps()
        assert shelf.asked == type(shelf.asked)()
        assert any(guest.inbox for guest in party.guests.values())


@each_game
def test_the_store_has_what_was_kept_before_and_after_every_commit(game, tmp_path):
    told = SCENARIOS(game)
    path = tmp_path / "store" / "server.sqlite"
    storage = Shelved(path)
    written = iter(range(1_000))
    copies = []

    def at_commit(statement):
        if statement.startswith("INSERT INTO log"):
            copies.append(copied(path, tmp_path / f"{next(written)}"))

    storage.store.set_trace_callback(at_commit)
    for steps, step in enumerate(told.steps, start=1):
        if step.kept:
            storage.save(list(step.kept), lambda: None)
            (uncommitted,) = copies
            copies.clear()
            before, after = told.kept(steps - 1), told.kept(steps)
            assert kept_in(uncommitted) == saved(before)
            assert kept_in(copied(path, tmp_path / f"{steps} committed")) == saved(after)
    storage.close()
    assert kept_in(path) == saved(told.kept(len(told.steps)))


def test_the_one_who_did_it_may_have_been_told_and_the_other_not():
    server = StoredHub(Shelf())
    ada, bob = server.table("grid-conquest")
    effects = server.hub.bytes_received(ada.id, 0, [Play(50, "C3")], server.now)
    replies = [effect for effect in effects if isinstance(effect, Send) and effect.session == ada.id]
    server.storage.save([effect for effect in effects if isinstance(effect, RoomEvent)], lambda: None)
    ada.is_sent(replies[0].messages[0])
    server = server.again()
    ada, bob = server.all_back(ada, bob)
    assert (ada.welcome.last_play, bob.sees.rev, ada.sees.turn) == (50, 2, (2,))
    assert "Player 1 has claimed cell C3" in "".join(
        str(event) for event in server.room(bob.where.room).audience.latest[2]
    )


def test_a_join_that_was_not_kept_leaves_the_seat_free():
    shelf = Shelf()
    server = StoredHub(shelf)
    ada, bob = server.enter("Ada"), server.enter("Bob")
    code = ada.opens("grid-hunt")
    shelf.slow = True
    server.does(server.hub.bytes_received(bob.id, 0, [Join(90, code)], server.now))
    server = server.again()
    ada, bob = server.back(ada), server.back(bob)
    assert ada.where.state == "waiting"
    assert bob.says(Join, code).room == code
    assert ada.where.state == "playing"
