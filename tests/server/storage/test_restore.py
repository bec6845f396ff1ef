"""Coming back: a new server goes on where the old one ended, and what it can't bring back it says so."""

from dataclasses import replace

import pytest

from gridgames_protocol.messages import (
    Again,
    Chat,
    Claim,
    Event,
    Hello,
    Join,
    Leave,
    Lobby,
    Ok,
    Over,
    Play,
    Resign,
    Watch,
)
from gridgames_server.core.limits import ABSENCE, CLOCK_GAP, HEARTBEAT_EVERY, ROOM_DESERTED, ROOM_IDLE
from gridgames_server.core.room_events import Heartbeat, PlayerNamed, RoomEvent, RoomOpened
from tests.server.hub_harness import MIDDLES, play, word
from tests.server.stored_hub import Shelf, Shelved, StoredHub, standing


@pytest.fixture
def server():
    return StoredHub(Shelf())


# Who is who


def test_a_token_is_known_and_the_seat_is_theirs(server):
    ada, bob = server.table("grid-hunt")
    server = server.again()
    back = server.back(bob)
    assert (back.welcome.room, back.where.you, back.welcome.token) == (bob.where.room, 2, bob.welcome.token)
    assert [holder.online for holder in back.where.seats] == [False, True]
    assert server.back(ada).where.you == 1


def test_one_who_was_in_the_lobby_is_there_again(server):
    eve = server.enter("Eve")
    back = server.again().back(eve)
    assert (back.welcome.room, back.welcome.name) == (None, "Eve")
    assert back.reads(Lobby)


def test_names_are_compared_as_this_version_does_it_whatever_an_older_one_stored(server):
    ada, _ = server.table("grid-hunt", "Bill 2", "Bob")
    records = server.storage.records
    (number,) = (number for number, one in enumerate(records) if isinstance(one, PlayerNamed) and one.name == "Bill 2")
    records[number] = replace(records[number], key="bill 2")
    server = server.again()
    stranger = server.connects()
    assert stranger.says(Hello, 1, "Bill 2").code == "name_taken"
    assert server.back(ada).welcome.name == "Bill 2"


def test_the_names_of_those_who_hold_a_seat_are_taken_and_other_names_are_free(server):
    server.table("grid-hunt")
    server.enter("Eve")
    server = server.again()
    assert server.connects().says(Hello, 1, "ADA").code == "name_taken"
    assert server.enter("Eve").welcome.name == "Eve"


def test_a_code_leads_to_the_same_room_and_a_new_room_gets_a_new_number(server):
    ada = server.enter("Ada")
    code = ada.opens("grid-conquest", clock=60)
    server = server.again()
    bob = server.enter("Bob")
    assert bob.says(Join, code).room == code
    assert (bob.where.clock, bob.where.seats[0].name) == (60, "Ada")
    server.enter("Cat").opens("grid-hunt")
    assert [room.number for room in server.hub.rooms.by_code.values()] == [1, 2]


def test_a_private_room_stays_private(server):
    ada = server.enter("Ada")
    code = ada.opens("grid-hunt", private=True)
    server.enter("Cat").opens("grid-hunt")
    server = server.again()
    eve = server.enter("Eve")
    (listing,) = eve.reads(Lobby)
    assert [row.host for row in listing.rooms] == ["Cat"]
    assert isinstance(eve.says(Watch, code), Ok)


def test_new_players_do_not_get_the_numbers_of_old_ones(server):
    ada, _ = server.table("grid-hunt")
    server = server.again()
    server.enter("Eve").opens("grid-hunt")
    server = server.again()
    assert [server.back(ada).where.seats[seat].name for seat in (0, 1)] == ["Ada", "Bob"]


# What was done stays done


def test_a_seat_that_was_left_stays_left(server):
    ada, bob = server.table("grid-conquest")
    bob.says(Leave)
    server = server.again()
    ada, bob = server.back(ada), server.back(bob)
    assert (bob.welcome.room, ada.where.seats[1], ada.where.state) == (None, None, "over")
    assert word(ada.says(Again)) == "not_now"
    assert word(bob.says(Join, ada.where.room)) == "room_full"
    ada.says(Leave)
    assert server.again().hub.rooms.by_code == {}


def test_a_room_that_is_over_comes_back_with_its_result(server):
    ada, bob, wes = server.table("secret-paths", "Ada", "Bob", "Wes")
    play(ada, bob, lines=MIDDLES["secret-paths"])
    bob.says(Resign)
    (before,) = ada.reads(Over)
    server = server.again()
    for guest in (ada, bob, wes):
        back = server.back(guest)
        if guest is wes:
            back.says(Watch, ada.where.room)
        assert (back.reads(Over), back.where.score, back.where.state) == ([before], (1, 0, 0), "over")


def test_rematch_requests_score_and_chat_are_as_they_were(server):
    ada, bob, wes = server.table("grid-conquest", "Ada", "Bob", "Wes")
    ada.says(Resign)
    wes.says(Chat, "what a night")
    bob.says(Again)
    server = server.again()
    ada, bob = server.back(ada), server.back(bob)
    events = ada.reads(Event)
    assert Event("what a night", "chat", None, "Wes", past=True) in events
    assert Event("Player 2 asks for another game.", "system", 2, past=True) in events
    ada.says(Again)
    assert (ada.where.state, ada.where.number, ada.where.score, ada.sees.turn) == ("playing", 2, (0, 1, 0), (2,))


def test_a_second_restart_finds_the_same(server):
    ada, bob = server.table("quantum-duel", clock=600)
    play(ada, bob, lines=MIDDLES["quantum-duel"])
    once = server.again()
    twice = once.again()
    assert standing(twice.room(ada.where.room)) == standing(once.room(ada.where.room))
    assert standing(once.room(ada.where.room)) == standing(server.room(ada.where.room))
    ada, bob = twice.all_back(ada, bob)
    assert bob.types("OBSERVE 3") == ["ok"]


def test_nothing_is_written_by_coming_back(server):
    ada, bob = server.table("grid-hunt")
    before = len(server.storage.records)
    server = server.again()
    server.all_back(ada, bob)
    assert server.storage.records[before:] == []


# Exactly once


def test_the_same_play_again_after_a_restart_is_acknowledged_and_not_done_again(server):
    ada, bob = server.table("grid-conquest")
    assert word(ada.says(Play, "C3", id=70)) == "ok"
    server = server.again()
    ada, bob = server.all_back(ada, bob)
    assert ada.welcome.last_play == 70
    assert word(ada.says(Play, "C3", id=70)) == "ok"
    assert (bob.reads(), len(server.lines())) == ([], 0)
    assert word(ada.says(Play, "C4", id=69)) == "bad_request"
    assert word(bob.says(Play, "C4", id=1)) == "ok"


def test_a_foul_that_was_kept_is_not_counted_twice(server):
    ada, bob = server.table("secret-paths")
    play(ada, bob, lines=((1, "GOAL 2"), (2, "GOAL 4")))
    assert word(ada.says(Play, "MOVE 5 5", id=70)) == "illegal"
    server = server.again()
    ada, bob = server.all_back(ada, bob)
    rev = bob.sees.rev
    assert (ada.welcome.last_play, word(ada.says(Play, "MOVE 5 5", id=70))) == (70, "ok")
    assert (bob.reads(), bob.sees.rev) == ([], rev)


def test_the_last_play_is_known_and_not_repeated_after_its_room_is_closed(tmp_path):
    server = StoredHub(Shelved(tmp_path / "store"))
    ada, bob = server.table("grid-conquest")
    assert word(ada.says(Play, "C3", id=70)) == "ok"
    ada.says(Leave)
    bob.says(Leave)
    server = server.again()
    ada, bob = server.back(ada), server.back(bob)
    assert (ada.welcome.last_play, bob.welcome.last_play) == (70, None)
    bob.says(Join, ada.opens("grid-conquest", first="host"))
    assert (word(ada.says(Play, "C3", id=70)), ada.sees.rev) == ("ok", 1)
    assert word(ada.says(Play, "C3", id=71)) == "ok"
    server.storage.close()


# Time


def test_clocks_stand_still_while_the_server_is_down(server):
    ada, bob = server.table("grid-conquest", clock=30)
    ada.types("C3")
    server.passes(4)
    ada.says(Chat, "hm")
    server = server.again()  # however long that takes
    assert server.back(bob).sees.deadline == 26
    server.passes(25)
    assert server.room(ada.where.room).state == "playing"
    server.passes(1)
    assert server.room(ada.where.room).match.outcome.reason == "clock"


def test_a_turn_in_which_nobody_does_anything_does_not_begin_again_with_a_restart(server):
    ada, _ = server.table("grid-conquest", clock=600)
    server.passes(500)
    server = server.again()
    assert 100 <= server.back(ada).sees.deadline <= 100 + HEARTBEAT_EVERY


def test_the_time_is_noted_only_while_a_clock_runs(server):
    ada, bob = server.table("grid-conquest")
    server.passes(60)
    assert server.of(Heartbeat) == []
    ada.says(Resign)
    ada.says(Leave)
    bob.says(Leave)
    ada.opens("grid-hunt", clock=60)
    server.passes(30)
    assert server.of(Heartbeat) == [], "the clock of a room that waits does not run"
    bob.says(Join, ada.where.room)
    server.passes(35)
    assert [note.at - server.now for note in server.of(Heartbeat)] == [-34, -24, -14, -4]


def test_the_hosts_sleep_is_remembered(server):
    ada, bob = server.table("grid-conquest", clock=30)
    server.passes(10)
    rev = ada.sees.rev
    server.sleeps(3600)
    assert (ada.sees.deadline, ada.sees.rev) == (19, rev)
    bob.says(Chat, "are you there?")
    server = server.again()
    ada, bob = server.all_back(ada, bob)
    assert (ada.sees.deadline, ada.sees.rev, bob.sees.rev) == (19, rev, rev)
    assert ada.types("C3") == ["ok"]


def test_the_absence_of_both_is_counted_from_the_restart(server):
    _, bob = server.table("grid-conquest")
    server.passes(ABSENCE)
    server = server.again()
    bob = server.back(bob)
    server.passes(ABSENCE - 1)
    assert word(bob.says(Claim)) == "not_now"
    server.passes(1)
    assert "Player 1 has been away for a minute of their own turn; Player 2 may claim the win." in bob.hears()
    assert (bob.sees.view.claimable, word(bob.says(Claim))) == (True, "ok")


def test_a_room_to_which_nobody_comes_back_is_closed_and_forgotten(server):
    ada, _ = server.table("grid-conquest")
    server = server.again()
    server.passes(ROOM_DESERTED)
    assert list(server.hub.rooms.by_code) == [ada.where.room]
    server.passes(CLOCK_GAP)
    assert server.again().hub.rooms.by_code == {}
    assert server.back(ada).hears() == ["Nobody has been here for 30 minutes. The room is closed."]


def test_how_long_a_room_has_been_idle_is_known(server):
    ada, bob = server.table("grid-conquest")
    server.passes(ROOM_IDLE - 60)
    server.enter("Eve").opens("grid-hunt")
    server = server.again()
    ada, bob = server.all_back(ada, bob)
    server.passes(60)
    assert ada.where.room in server.hub.rooms.by_code
    server.passes(CLOCK_GAP)
    assert "Nobody has done anything here for 6 hours. The room is closed." in bob.hears()


# What is written


def test_restoring_is_silent(server):
    server.table("grid-hunt")
    server = server.again()
    assert server.effects == []


def test_the_events_of_a_room_are_numbered_on(server):
    ada, bob = server.table("grid-conquest")
    ada.types("C3")
    server = server.again()
    ada, bob = server.all_back(ada, bob)
    bob.types("D4")
    events = [record for record in server.storage.records if isinstance(record, RoomEvent)]
    assert [event.number for event in events] == list(range(1, len(events) + 1))
    assert [record.room for record in server.storage.records if isinstance(record, RoomOpened)] == [1]
