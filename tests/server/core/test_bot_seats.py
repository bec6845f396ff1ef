"""A computer player's seat: it is shown what any seat is shown, and what it types is played like anybody's line."""

import pytest

from gridgames_protocol.messages import Again, Create, Leave, Resign, Show
from gridgames_server.bots.policy import legal_lines
from gridgames_server.deeds import Deed, RoomClosed, Saved, SavedPlayer, SavedRoom
from gridgames_server.effects import Think
from gridgames_server.hub import House as Rules
from gridgames_server.hub import Hub
from gridgames_server.restore import restore
from tests.server.house import Entropy, House, play, word


def against(level="hard", game="grid-hunt", **options):
    """Ada at a table with the computer."""
    house = House()
    ada = house.enter("Ada")
    ada.says(Create, game, bot=level, **{"first": "host", **options})
    return house, ada


def thinks(house):
    """What the bot was asked last."""
    return house.of(Think)[-1]


def types(house, line, about=None):
    """The bot makes up its mind."""
    about = about or thinks(house)
    house.does(house.hub.thought(about.room, about.seat, about.show.rev, line, house.now))


def test_the_game_begins_at_once_and_everybody_sees_who_plays():
    _, ada = against("medium")
    assert ada.where.state == "playing"
    assert [(holder.name, holder.online, holder.bot) for holder in ada.where.seats] == [
        ("Ada", True, None),
        ("Bot (medium)", True, "medium"),
    ]


def test_the_bot_is_shown_just_what_its_seat_may_see():
    house, ada = against()
    ada.types("HIDE 2 3")
    about = thinks(house)
    room = house.room(ada.where.room)
    assert (about.game, about.seat, about.level) == ("grid-hunt", 2, "hard")
    assert about.show == Show(room.code, room.rev, (2,), 2, room.match.view(2), None)
    assert "2,3" not in about.show.view.state["treasures"]


def test_what_the_bot_types_is_kept_and_told_like_any_line():
    house, ada = against()
    ada.types("HIDE 2 3")
    ada.reads()
    types(house, "HIDE 5 5")
    assert [(deed.seat, deed.text) for deed in house.lines()] == [(1, "HIDE 2 3"), (2, "HIDE 5 5")]
    assert "Player 2 has hidden a treasure." in ada.hears()


def test_a_thought_about_a_table_that_has_moved_on_is_dropped():
    house, ada = against()
    early = thinks(house)
    ada.types("HIDE 2 3")
    types(house, "HIDE 5 5", early)
    assert len(house.lines()) == 1
    types(house, "HIDE 5 5")
    assert len(house.lines()) == 2


def test_nobody_thinks_when_it_is_not_the_bots_turn():
    house, ada = against(game="treasure-hunt-duel")
    assert house.of(Think) == []
    ada.types("QUERY 2B")
    assert len(house.of(Think)) == 1


def test_the_bot_agrees_to_another_game_at_once():
    house, ada = against(game="treasure-hunt-duel")
    ada.says(Resign)
    ada.says(Again)
    assert (ada.where.number, ada.where.score) == (2, (0, 1, 0))
    assert thinks(house).show.turn == (2,), "and now begins"


@pytest.mark.parametrize("over", [False, True])
def test_the_room_closes_when_the_player_leaves(over):
    house, ada = against(game="treasure-hunt-duel")
    if over:
        ada.says(Resign)
    ada.says(Leave)
    assert house.hub.rooms.by_code == {}
    assert len(house.of(RoomClosed)) == 1


def test_a_bot_that_stumbles_closes_its_room_and_no_other():
    house, ada = against(game="treasure-hunt-duel")
    bob, cat = house.table("grid-conquest", "Bob", "Cat")
    ada.types("QUERY 2B")
    types(house, KeyError("4D"))
    assert "lobby" in ada.words()
    assert len(house.troubles()) == 1
    assert bob.types("C3") == ["ok"]
    assert cat.where.state == "playing"


def test_a_line_that_the_rules_refuse_counts_as_stumbling():
    house, ada = against(game="treasure-hunt-duel")
    ada.types("QUERY 2B")
    types(house, "QUERY 2B")
    assert (house.hub.rooms.by_code, len(house.troubles())) == ({}, 1)


def test_the_seat_comes_back_with_the_room_after_a_restart_and_the_bot_thinks_on():
    house, ada = against(game="treasure-hunt-duel")
    ada.types("QUERY 2B")
    room = house.room(ada.where.room)
    opened = next(effect for effect in house.effects if type(effect).__name__ == "RoomOpened")
    person = room.here.seats[1]
    saved = Saved(
        house.now,
        (SavedPlayer(person.number, person.name, person.key, person.token_hash, person.last_play),),
        (SavedRoom(opened, tuple(house.of(Deed))),),
        next_player=2,
        next_room=2,
    )
    hub = Hub(Rules(house.hub.house.games), Entropy(), house.now)
    (about,) = restore(hub, saved, house.now)
    assert about == thinks(house)
    assert hub.rooms.by_code[room.code].here.seats[2].bot == "hard"


def test_a_whole_game_can_be_played_against_legal_lines():
    house, ada = against(game="grid-hunt")
    while ada.where.state == "playing":
        if 1 in ada.sees.turn:
            play(ada, lines=((1, legal_lines(ada.sees)[0]),))
        if ada.where.state == "playing":
            types(house, legal_lines(thinks(house).show)[0])
    assert word(ada.says(Again)) == "ok"
