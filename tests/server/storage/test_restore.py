"""Coming back: a new server goes on where the old one ended, and what it can't bring back it says so."""

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
from gridgames_server.deeds import Deed, Lived, RoomOpened
from gridgames_server.limits import ABSENCE, CLOCK_GAP, LIVED_EVERY, ROOM_DESERTED, ROOM_IDLE
from tests.server.house import MIDDLES, play, word
from tests.server.kept import KeptHouse, Shelf, Shelved, standing


@pytest.fixture
def house():
    return KeptHouse(Shelf())


# Who is who


def test_a_token_is_known_and_the_seat_is_theirs(house):
    ada, bob = house.table("grid-hunt")
    house = house.again()
    back = house.back(bob)
    assert (back.welcome.room, back.where.you, back.welcome.token) == (bob.where.room, 2, bob.welcome.token)
    assert [holder.online for holder in back.where.seats] == [False, True]
    assert house.back(ada).where.you == 1


def test_one_who_was_in_the_lobby_is_there_again(house):
    eve = house.enter("Eve")
    back = house.again().back(eve)
    assert (back.welcome.room, back.welcome.name) == (None, "Eve")
    assert back.reads(Lobby)


def test_the_names_of_those_who_hold_a_seat_are_taken_and_other_names_are_free(house):
    house.table("grid-hunt")
    house.enter("Eve")
    house = house.again()
    assert house.connects().says(Hello, 1, "ADA").code == "name_taken"
    assert house.enter("Eve").welcome.name == "Eve"


def test_a_code_leads_to_the_same_room_and_a_new_room_gets_a_new_number(house):
    ada = house.enter("Ada")
    code = ada.opens("grid-conquest", clock=60)
    house = house.again()
    bob = house.enter("Bob")
    assert bob.says(Join, code).room == code
    assert (bob.where.clock, bob.where.seats[0].name) == (60, "Ada")
    house.enter("Cat").opens("grid-hunt")
    assert [room.number for room in house.hub.rooms.by_code.values()] == [1, 2]


def test_a_private_room_stays_private(house):
    ada = house.enter("Ada")
    code = ada.opens("grid-hunt", private=True)
    house.enter("Cat").opens("grid-hunt")
    house = house.again()
    eve = house.enter("Eve")
    (listing,) = eve.reads(Lobby)
    assert [row.host for row in listing.rooms] == ["Cat"]
    assert isinstance(eve.says(Watch, code), Ok)


def test_new_players_do_not_get_the_numbers_of_old_ones(house):
    ada, _ = house.table("grid-hunt")
    house = house.again()
    house.enter("Eve").opens("grid-hunt")
    house = house.again()
    assert [house.back(ada).where.seats[seat].name for seat in (0, 1)] == ["Ada", "Bob"]


# What was done stays done


def test_a_seat_that_was_left_stays_left(house):
    ada, bob = house.table("grid-conquest")
    bob.says(Leave)
    house = house.again()
    ada, bob = house.back(ada), house.back(bob)
    assert (bob.welcome.room, ada.where.seats[1], ada.where.state) == (None, None, "over")
    assert word(ada.says(Again)) == "not_now"
    assert word(bob.says(Join, ada.where.room)) == "room_full"
    ada.says(Leave)
    assert house.again().hub.rooms.by_code == {}


def test_a_room_that_is_over_comes_back_with_its_result(house):
    ada, bob, wes = house.table("secret-paths", "Ada", "Bob", "Wes")
    play(ada, bob, lines=MIDDLES["secret-paths"])
    bob.says(Resign)
    (before,) = ada.reads(Over)
    house = house.again()
    for guest in (ada, bob, wes):
        back = house.back(guest)
        if guest is wes:
            back.says(Watch, ada.where.room)
        assert (back.reads(Over), back.where.score, back.where.state) == ([before], (1, 0, 0), "over")


def test_wishes_score_and_chat_are_as_they_were(house):
    ada, bob, wes = house.table("grid-conquest", "Ada", "Bob", "Wes")
    ada.says(Resign)
    wes.says(Chat, "what a night")
    bob.says(Again)
    house = house.again()
    ada, bob = house.back(ada), house.back(bob)
    events = ada.reads(Event)
    assert Event("what a night", "chat", None, "Wes", past=True) in events
    assert Event("Player 2 asks for another game.", "system", 2, past=True) in events
    ada.says(Again)
    assert (ada.where.state, ada.where.number, ada.where.score, ada.sees.turn) == ("playing", 2, (0, 1, 0), (2,))


def test_a_second_restart_finds_the_same(house):
    ada, bob = house.table("quantum-duel", clock=600)
    play(ada, bob, lines=MIDDLES["quantum-duel"])
    once = house.again()
    twice = once.again()
    assert standing(twice.room(ada.where.room)) == standing(once.room(ada.where.room))
    assert standing(once.room(ada.where.room)) == standing(house.room(ada.where.room))
    ada, bob = twice.all_back(ada, bob)
    assert bob.types("OBSERVE 3") == ["ok"]


def test_nothing_is_written_by_coming_back(house):
    ada, bob = house.table("grid-hunt")
    before = len(house.keeper.records)
    house = house.again()
    house.all_back(ada, bob)
    assert house.keeper.records[before:] == []


# Exactly once


def test_the_same_play_again_after_a_restart_is_acknowledged_and_not_done_again(house):
    ada, bob = house.table("grid-conquest")
    assert word(ada.says(Play, "C3", id=70)) == "ok"
    house = house.again()
    ada, bob = house.all_back(ada, bob)
    assert ada.welcome.last_play == 70
    assert word(ada.says(Play, "C3", id=70)) == "ok"
    assert (bob.reads(), len(house.lines())) == ([], 0)
    assert word(ada.says(Play, "C4", id=69)) == "bad_request"
    assert word(bob.says(Play, "C4", id=1)) == "ok"


def test_a_foul_that_was_kept_is_not_counted_twice(house):
    ada, bob = house.table("secret-paths")
    play(ada, bob, lines=((1, "GOAL 2"), (2, "GOAL 4")))
    assert word(ada.says(Play, "MOVE 5 5", id=70)) == "illegal"
    house = house.again()
    ada, bob = house.all_back(ada, bob)
    rev = bob.sees.rev
    assert (ada.welcome.last_play, word(ada.says(Play, "MOVE 5 5", id=70))) == (70, "ok")
    assert (bob.reads(), bob.sees.rev) == ([], rev)


def test_the_last_play_is_known_after_its_room_is_closed_and_nobody_can_play_it_again_elsewhere(tmp_path):
    house = KeptHouse(Shelved(tmp_path / "store"))
    ada, bob = house.table("grid-conquest")
    assert word(ada.says(Play, "C3", id=70)) == "ok"
    ada.says(Leave)
    bob.says(Leave)
    house = house.again()
    ada, bob = house.back(ada), house.back(bob)
    assert (ada.welcome.last_play, bob.welcome.last_play) == (70, None)
    bob.says(Join, ada.opens("grid-conquest", first="host"))
    assert (word(ada.says(Play, "C3", id=70)), ada.sees.rev) == ("ok", 1)
    assert word(ada.says(Play, "C3", id=71)) == "ok"
    house.keeper.close()


# Time


def test_clocks_stand_still_while_the_server_is_down(house):
    ada, bob = house.table("grid-conquest", clock=30)
    ada.types("C3")
    house.passes(4)
    ada.says(Chat, "hm")
    house = house.again()  # however long that takes
    assert house.back(bob).sees.deadline == 26
    house.passes(25)
    assert house.room(ada.where.room).state == "playing"
    house.passes(1)
    assert house.room(ada.where.room).match.outcome.reason == "clock"


def test_a_turn_in_which_nobody_does_anything_does_not_begin_again_with_a_restart(house):
    ada, _ = house.table("grid-conquest", clock=600)
    house.passes(500)
    house = house.again()
    assert 100 <= house.back(ada).sees.deadline <= 100 + LIVED_EVERY


def test_the_time_is_noted_only_while_a_clock_runs(house):
    ada, bob = house.table("grid-conquest")
    house.passes(60)
    assert house.of(Lived) == []
    ada.says(Resign)
    ada.says(Leave)
    bob.says(Leave)
    ada.opens("grid-hunt", clock=60)
    house.passes(30)
    assert house.of(Lived) == [], "the clock of a room that waits does not run"
    bob.says(Join, ada.where.room)
    house.passes(35)
    assert [note.at - house.now for note in house.of(Lived)] == [-34, -24, -14, -4]


def test_the_hosts_sleep_is_remembered(house):
    ada, bob = house.table("grid-conquest", clock=30)
    house.passes(10)
    rev = ada.sees.rev
    house.sleeps(3600)
    assert (ada.sees.deadline, ada.sees.rev) == (20, rev)
    bob.says(Chat, "are you there?")
    house = house.again()
    ada, bob = house.all_back(ada, bob)
    assert (ada.sees.deadline, ada.sees.rev, bob.sees.rev) == (20, rev, rev)
    assert ada.types("C3") == ["ok"]


def test_the_absence_of_both_is_counted_from_the_restart(house):
    _, bob = house.table("grid-conquest")
    house.passes(ABSENCE)
    house = house.again()
    bob = house.back(bob)
    house.passes(ABSENCE - 1)
    assert word(bob.says(Claim)) == "not_now"
    house.passes(1)
    assert "Player 1 has been away for a minute of their own turn; Player 2 may claim the win." in bob.hears()
    assert (bob.sees.view.claimable, word(bob.says(Claim))) == (True, "ok")


def test_a_room_to_which_nobody_comes_back_is_closed_and_forgotten(house):
    ada, _ = house.table("grid-conquest")
    house = house.again()
    house.passes(ROOM_DESERTED)
    assert list(house.hub.rooms.by_code) == [ada.where.room]
    house.passes(CLOCK_GAP)
    assert house.again().hub.rooms.by_code == {}
    assert house.back(ada).hears() == ["Nobody has been here for 30 minutes. The room is closed."]


def test_how_long_a_room_has_been_idle_is_known(house):
    ada, bob = house.table("grid-conquest")
    house.passes(ROOM_IDLE - 60)
    house.enter("Eve").opens("grid-hunt")
    house = house.again()
    ada, bob = house.all_back(ada, bob)
    house.passes(60)
    assert ada.where.room in house.hub.rooms.by_code
    house.passes(CLOCK_GAP)
    assert "Nobody has done anything here for 6 hours. The room is closed." in bob.hears()


# What is written


def test_restoring_is_silent(house):
    house.table("grid-hunt")
    house = house.again()
    assert (house.effects, house.hub.out) == ([], [])


def test_the_deeds_of_a_room_are_numbered_on(house):
    ada, bob = house.table("grid-conquest")
    ada.types("C3")
    house = house.again()
    ada, bob = house.all_back(ada, bob)
    bob.types("D4")
    deeds = [record for record in house.keeper.records if isinstance(record, Deed)]
    assert [deed.number for deed in deeds] == list(range(1, len(deeds) + 1))
    assert [record.room for record in house.keeper.records if isinstance(record, RoomOpened)] == [1]
