"""What can't be brought back is quarantined: its players are told, and everybody else plays on."""

from dataclasses import replace

import pytest

from gridgames_protocol.messages import Join, Leave
from gridgames_server.core.effects import LogLine
from gridgames_server.core.room_events import RoomQuarantined
from gridgames_server.games import GAMES
from gridgames_server.storage.restore import DAMAGED, OLD_EDITION, restore
from tests.server.hub_harness import MIDDLES, Cracked, play, word
from tests.server.stored_hub import Luck, Shelf, StoredHub


@pytest.fixture
def server():
    return StoredHub(Shelf())


def upgraded(slug):
    """The games of a newer server, in which one has other rules."""
    games = []
    for game in GAMES:
        games.append(Cracked(game))
        if game.card.slug == slug:
            games[-1].card = replace(game.card, edition=game.card.edition + 1)
    return tuple(games)


def two_tables(server):
    first = server.table("grid-hunt", "Ada", "Bob")
    second = server.table("grid-conquest", "Cat", "Dan")
    return first, second


def test_a_game_of_older_rules_is_quarantined_and_its_players_are_told(server):
    (ada, bob), (cat, dan) = two_tables(server)
    server = server.again(games=upgraded("grid-hunt"))
    assert server.of(RoomQuarantined) == [RoomQuarantined(1, OLD_EDITION)]
    assert server.notes() == ["room 1 is in quarantine"]
    for guest in (ada, bob):
        back = server.back(guest)
        assert (back.welcome.room, back.hears()) == (None, [OLD_EDITION])
    cat, dan = server.all_back(cat, dan)
    assert cat.types("C3") == ["ok"]
    assert server.again().of(RoomQuarantined) == [], "it is quarantined once"


def test_a_room_that_only_waits_is_not_touched_by_new_rules(server):
    ada = server.enter("Ada")
    ada.opens("grid-hunt")
    server = server.again(games=upgraded("grid-hunt"))
    assert server.back(ada).where.state == "waiting"


def test_a_game_that_is_no_longer_there_is_quarantined(server):
    (ada, _), (cat, _) = two_tables(server)
    server = server.again(games=tuple(game for game in GAMES if game.card.slug != "grid-hunt"))
    assert server.back(ada).hears() == [OLD_EDITION]
    assert server.back(cat).where.game == "grid-conquest"


def test_one_who_had_left_is_not_told_of_a_room_that_is_quarantined(server):
    ada, bob = server.table("grid-hunt")
    bob.says(Leave)
    server = server.again(games=upgraded("grid-hunt"))
    assert server.back(bob).hears() == []
    assert server.back(ada).hears() == [OLD_EDITION]


@pytest.mark.parametrize("breaks", ["start", "play"])
def test_a_game_that_stumbles_over_its_own_lines_is_quarantined_and_others_play_on(server, breaks):
    ada, bob = server.table("grid-conquest", "Ada", "Bob")
    cat, _ = server.table("grid-hunt", "Cat", "Dan")
    play(ada, bob, lines=MIDDLES["grid-conquest"])
    games = tuple(map(Cracked, GAMES))
    next(game for game in games if game.card.slug == "grid-conquest").breaks = breaks
    server = server.again(games=games)
    assert server.of(RoomQuarantined) == [RoomQuarantined(1, DAMAGED)]
    assert server.notes() == ["room 1 is in quarantine"]
    back = server.back(ada)
    assert (back.welcome.room, back.hears()) == (None, [DAMAGED])
    assert server.back(cat).where.game == "grid-hunt"


def test_a_damaged_room_is_quarantined_and_its_players_are_told(server):
    (ada, bob), (_, dan) = two_tables(server)
    kept = server.storage.saved()
    damaged = replace(kept, rooms=kept.rooms[1:], broken=kept.rooms[:1])
    server = StoredHub(server.storage.again(), damaged, Luck(server.luck.drawn))
    assert server.of(RoomQuarantined) == [RoomQuarantined(1, DAMAGED)]
    assert [server.back(guest).hears() for guest in (ada, bob)] == [[DAMAGED]] * 2
    assert server.back(dan).where.you == 2


def test_a_seat_whose_holder_is_lost_sets_the_room_aside(server):
    (ada, _), (cat, _) = two_tables(server)
    kept = server.storage.saved()
    lost = replace(kept, players=tuple(player for player in kept.players if player.name != "Bob"))
    server = StoredHub(server.storage.again(), lost, Luck(server.luck.drawn))
    assert server.of(RoomQuarantined) == [RoomQuarantined(1, DAMAGED)]
    back = server.back(ada)
    assert (back.hears(), back.welcome.room) == ([DAMAGED], None)
    assert word(back.says(Join, cat.where.room)) == "room_full"


def test_a_note_tells_which_room_was_quarantined_and_nothing_of_it(server):
    ada, _ = server.table("grid-hunt")
    kept = server.storage.saved()
    fresh = StoredHub(Shelf())
    effects = restore(fresh.hub, replace(kept, rooms=(), broken=kept.rooms), kept.now)
    (note,) = [effect.text for effect in effects if isinstance(effect, LogLine)]
    assert ada.where.room not in note
    assert "Ada" not in note
