"""What can't be brought back is set aside: its players are told, and everybody else plays on."""

from dataclasses import replace

import pytest

from gridgames_protocol.messages import Join, Leave
from gridgames_server.deeds import RoomAside
from gridgames_server.effects import Note
from gridgames_server.games import GAMES
from gridgames_server.restore import DAMAGED, OLD_EDITION, restore
from tests.server.house import MIDDLES, Cracked, play, word
from tests.server.kept import KeptHouse, Luck, Shelf


@pytest.fixture
def house():
    return KeptHouse(Shelf())


def upgraded(slug):
    """The games of a newer server, in which one has other rules."""
    games = []
    for game in GAMES:
        games.append(Cracked(game))
        if game.card.slug == slug:
            games[-1].card = replace(game.card, edition=game.card.edition + 1)
    return tuple(games)


def two_tables(house):
    first = house.table("grid-hunt", "Ada", "Bob")
    second = house.table("grid-conquest", "Cat", "Dan")
    return first, second


def test_a_game_of_older_rules_is_set_aside_its_players_are_told_and_others_play_on(house):
    (ada, bob), (cat, dan) = two_tables(house)
    house = house.again(games=upgraded("grid-hunt"))
    assert house.of(RoomAside) == [RoomAside(1, OLD_EDITION)]
    assert house.notes() == ["room 1 is set aside"]
    for guest in (ada, bob):
        back = house.back(guest)
        assert (back.welcome.room, back.hears()) == (None, [OLD_EDITION])
    cat, dan = house.all_back(cat, dan)
    assert cat.types("C3") == ["ok"]
    assert house.again().of(RoomAside) == [], "it is set aside once"


def test_a_room_that_only_waits_is_not_touched_by_new_rules(house):
    ada = house.enter("Ada")
    ada.opens("grid-hunt")
    house = house.again(games=upgraded("grid-hunt"))
    assert house.back(ada).where.state == "waiting"


def test_a_game_that_is_no_longer_there_is_set_aside(house):
    (ada, _), (cat, _) = two_tables(house)
    house = house.again(games=tuple(game for game in GAMES if game.card.slug != "grid-hunt"))
    assert house.back(ada).hears() == [OLD_EDITION]
    assert house.back(cat).where.game == "grid-conquest"


def test_one_who_had_left_is_not_told_of_a_room_that_is_set_aside(house):
    ada, bob = house.table("grid-hunt")
    bob.says(Leave)
    house = house.again(games=upgraded("grid-hunt"))
    assert house.back(bob).hears() == []
    assert house.back(ada).hears() == [OLD_EDITION]


@pytest.mark.parametrize("breaks", ["start", "play"])
def test_a_game_that_stumbles_over_its_own_lines_is_set_aside_and_others_play_on(house, breaks):
    ada, bob = house.table("grid-conquest", "Ada", "Bob")
    cat, _ = house.table("grid-hunt", "Cat", "Dan")
    play(ada, bob, lines=MIDDLES["grid-conquest"])
    games = tuple(map(Cracked, GAMES))
    next(game for game in games if game.card.slug == "grid-conquest").breaks = breaks
    house = house.again(games=games)
    assert house.of(RoomAside) == [RoomAside(1, DAMAGED)]
    assert house.notes() == ["room 1 is set aside"]
    back = house.back(ada)
    assert (back.welcome.room, back.hears()) == (None, [DAMAGED])
    assert house.back(cat).where.game == "grid-hunt"


def test_a_damaged_room_is_set_aside_and_its_players_are_told(house):
    (ada, bob), (_, dan) = two_tables(house)
    kept = house.keeper.saved()
    damaged = replace(kept, rooms=kept.rooms[1:], broken=kept.rooms[:1])
    house = KeptHouse(house.keeper.again(), damaged, Luck(house.luck.drawn))
    assert house.of(RoomAside) == [RoomAside(1, DAMAGED)]
    assert [house.back(guest).hears() for guest in (ada, bob)] == [[DAMAGED]] * 2
    assert house.back(dan).where.you == 2


def test_a_seat_whose_holder_is_lost_sets_the_room_aside(house):
    (ada, _), (cat, _) = two_tables(house)
    kept = house.keeper.saved()
    lost = replace(kept, players=tuple(player for player in kept.players if player.name != "Bob"))
    house = KeptHouse(house.keeper.again(), lost, Luck(house.luck.drawn))
    assert house.of(RoomAside) == [RoomAside(1, DAMAGED)]
    back = house.back(ada)
    assert (back.hears(), back.welcome.room) == ([DAMAGED], None)
    assert word(back.says(Join, cat.where.room)) == "room_full"


def test_a_note_tells_which_room_was_set_aside_and_nothing_of_it(house):
    ada, _ = house.table("grid-hunt")
    kept = house.keeper.saved()
    fresh = KeptHouse(Shelf())
    effects = restore(fresh.hub, replace(kept, rooms=(), broken=kept.rooms), kept.now)
    (note,) = [effect.text for effect in effects if isinstance(effect, Note)]
    assert ada.where.room not in note
    assert "Ada" not in note
