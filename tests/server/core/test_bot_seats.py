"""A computer player's seat: it is shown what any seat is shown, and what it types is played like anybody's line."""

import pytest

from gridgames_protocol.messages import Again, Create, Leave, Resign, Show
from gridgames_server.bots.policy import list_legal_lines
from gridgames_server.core.effects import AskBot
from gridgames_server.core.hub import Hub
from gridgames_server.core.hub import ServerConfig as Rules
from gridgames_server.core.room_events import RoomClosed, RoomEvent, SavedPlayer, SavedRoom, Snapshot
from gridgames_server.storage.restore import restore
from tests.server.hub_harness import Entropy, HubHarness, play, word


def against(level="hard", game="grid-hunt", **options):
    """Ada at a table with the computer."""
    server = HubHarness()
    ada = server.enter("Ada")
    ada.says(Create, game, bot=level, **{"first": "host", **options})
    return server, ada


def thinks(server):
    """What the bot was asked last."""
    return server.of(AskBot)[-1]


def types(server, line, about=None):
    """The bot makes up its mind."""
    server.answers(about or thinks(server), line)


def test_the_game_begins_at_once_and_everybody_sees_who_plays():
    _, ada = against("medium")
    assert ada.where.state == "playing"
    assert [(holder.name, holder.online, holder.bot) for holder in ada.where.seats] == [
        ("Ada", True, None),
        ("Bot (medium)", True, "medium"),
    ]


def test_the_bot_is_shown_just_what_its_seat_may_see():
    server, ada = against()
    ada.types("HIDE 2 3")
    about = thinks(server)
    room = server.room(ada.where.room)
    assert (about.game, about.seat, about.level) == ("grid-hunt", 2, "hard")
    assert about.show == Show(room.code, room.rev, (2,), 2, room.match.view(2), None)
    assert "2,3" not in about.show.view.state["treasures"]


def test_what_the_bot_types_is_kept_and_told_like_any_line():
    server, ada = against()
    ada.types("HIDE 2 3")
    ada.reads()
    types(server, "HIDE 5 5")
    assert [(event.seat, event.line) for event in server.lines()] == [(1, "HIDE 2 3"), (2, "HIDE 5 5")]
    assert "Player 2 has hidden a treasure." in ada.hears()


def test_a_thought_about_a_table_that_has_moved_on_is_dropped():
    server, ada = against()
    early = thinks(server)
    ada.types("HIDE 2 3")
    types(server, "HIDE 5 5", early)
    assert len(server.lines()) == 1
    types(server, "HIDE 5 5")
    assert len(server.lines()) == 2


def test_nobody_thinks_when_it_is_not_the_bots_turn():
    server, ada = against(game="treasure-hunt-duel")
    assert server.of(AskBot) == []
    ada.types("QUERY 2B")
    assert len(server.of(AskBot)) == 1


def test_the_bot_agrees_to_another_game_at_once():
    server, ada = against(game="treasure-hunt-duel")
    ada.says(Resign)
    ada.says(Again)
    assert (ada.where.number, ada.where.score) == (2, (0, 1, 0))
    assert thinks(server).show.turn == (2,), "and now begins"


@pytest.mark.parametrize("over", [False, True])
def test_the_room_closes_when_the_player_leaves(over):
    server, ada = against(game="treasure-hunt-duel")
    if over:
        ada.says(Resign)
    ada.says(Leave)
    assert server.hub.rooms.by_code == {}
    assert len(server.of(RoomClosed)) == 1


def test_a_bot_that_stumbles_closes_its_room_and_no_other():
    server, ada = against(game="treasure-hunt-duel")
    bob, cat = server.table("grid-conquest", "Bob", "Cat")
    ada.types("QUERY 2B")
    types(server, KeyError("4D"))
    assert "lobby" in ada.words()
    assert len(server.troubles()) == 1
    assert bob.types("C3") == ["ok"]
    assert cat.where.state == "playing"


def test_a_line_that_the_rules_refuse_counts_as_stumbling():
    server, ada = against(game="treasure-hunt-duel")
    ada.types("QUERY 2B")
    types(server, "QUERY 2B")
    assert (server.hub.rooms.by_code, len(server.troubles())) == ({}, 1)


def test_the_seat_comes_back_with_the_room_after_a_restart_and_the_bot_thinks_on():
    server, ada = against(game="treasure-hunt-duel")
    ada.types("QUERY 2B")
    room = server.room(ada.where.room)
    opened = next(effect for effect in server.effects if type(effect).__name__ == "RoomOpened")
    person = room.audience.seats[1]
    saved = Snapshot(
        server.now,
        (SavedPlayer(person.number, person.name, person.key, person.token_hash, person.last_play),),
        (SavedRoom(opened, tuple(server.of(RoomEvent))),),
        next_player=2,
        next_room=2,
    )
    hub = Hub(Rules(server.hub.config.games), Entropy(), server.now)
    (about,) = restore(hub, saved, server.now)
    assert about == thinks(server)
    assert hub.rooms.by_code[room.code].audience.seats[2].bot == "hard"


def test_a_whole_game_can_be_played_against_legal_lines():
    server, ada = against(game="grid-hunt")
    while ada.where.state == "playing":
        if 1 in ada.sees.turn:
            play(ada, lines=((1, list_legal_lines(ada.sees)[0]),))
        if ada.where.state == "playing":
            types(server, list_legal_lines(thinks(server).show)[0])
    assert word(ada.says(Again)) == "ok"
