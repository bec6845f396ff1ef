"""What the player does in the lobby: choose a row, make a room."""

from dataclasses import replace

from gridgames_client.state.controllers import lobby_controller
from gridgames_client.state.controllers.key_press import press
from gridgames_client.state.dialogs import NewRoom
from gridgames_client.state.lobby_list import build_play_now, describe_play_now
from gridgames_protocol.messages import (
    Create,
    Event,
    Join,
    Leave,
    Lobby,
    Ok,
    Watch,
)
from tests.client.seated_controllers import CODE, Scenario, in_lobby, listed, room_of


def test_a_chosen_game_opens_the_dialogue_for_it():
    seat = in_lobby(listed())
    seat.controller.pick_row(3)
    lobby_controller.choose_row(seat.controller)
    assert isinstance(seat.controller.page, NewRoom)
    assert seat.controller.page.game == 2


def test_a_chosen_room_is_joined_if_it_is_open_and_watched_if_not():
    seat = in_lobby(listed("K7QX2M"), listed("9FWT4C", state="playing"))
    lobby_controller.choose_row(seat.controller)
    lobby_controller.choose_row(seat.controller, watch=True)
    seat.controller.pick_row(1)
    lobby_controller.choose_row(seat.controller)
    assert seat.asked == [Join(1, "K7QX2M"), Watch(1, "K7QX2M"), Watch(1, "9FWT4C")]


def test_the_lobbys_cursor_stays_on_its_room_whatever_happens_above_it():
    seat = in_lobby(listed("AAAAAA"), listed("BBBBBB"))
    seat.controller.pick_row(1)
    seat.controller.on_message(Lobby((listed("CCCCCC"), listed("AAAAAA"), listed("BBBBBB")), 4, 0))
    lobby_controller.choose_row(seat.controller)
    assert seat.asked == [Join(1, "BBBBBB")]


def test_when_the_chosen_room_is_gone_the_cursor_stays_in_the_list():
    seat = in_lobby(listed("AAAAAA"), listed("BBBBBB"))
    seat.controller.pick_row(1)
    seat.controller.on_message(Lobby((), 4, 0))
    assert seat.controller.chosen_row == 2
    seat.controller.chosen_row = 9
    lobby_controller.choose_row(seat.controller)
    assert seat.asked == []


def test_play_now_joins_somebody_who_waits_and_else_plays_the_computer():
    seat = in_lobby(listed("AAAAAA", state="playing"), listed("BBBBBB"))
    assert lobby_controller.find_chosen_row(seat.controller) == ("room", "BBBBBB"), (
        "a friend finds the cursor on the room that waits"
    )
    seat.controller.pick_row(-9)
    lobby_controller.choose_row(seat.controller)
    alone = in_lobby()
    lobby_controller.choose_row(alone.controller)
    assert (seat.asked, alone.asked) == (
        [Join(1, "BBBBBB")],
        [Create(1, "treasure-hunt-duel", bot="easy", assist=True)],
    )


def test_a_room_is_made_by_its_dialogue():
    seat = in_lobby()
    lobby_controller.open_new_room(seat.controller, "secret-paths")
    for rows, turns in ((0, -1), (1, 2), (1, 1), (1, 2), (1, 1)):
        lobby_controller.edit_room(seat.controller, rows, turns)
    lobby_controller.create_room(seat.controller)
    assert seat.asked == [Create(1, "quantum-duel", "host", "medium", True, 60, assist=True)]
    assert seat.controller.page is None


def test_the_rows_and_options_of_the_dialogue_go_round():
    page = NewRoom(("a", "b"))
    for _ in page.rows:
        assert page.change_value(1) != page
        page = page.move_row(1)
    assert page.row == 0
    assert page.change_value(2) == page


def test_assist_is_asked_for_where_the_game_has_it():
    room = NewRoom(("a", "b"), chosen_assist=True, games_with_assist=frozenset("b"))
    assert (room.will_assist, room.build_request().assist) == (None, False)
    there = room.change_value(1)
    assert (there.will_assist, there.build_request().assist) == (True, True)
    assert replace(there, chosen_assist=False).build_request() == Create(1, "b")


def test_hints_are_asked_for_by_a_tick():
    room = NewRoom(("a",), row=6)
    assert room.rows[6] == "Hints"
    assert (room.will_hint, room.build_request().hints) == (False, False)
    assert (room.change_value(1).will_hint, room.change_value(1).build_request().hints) == (True, True)
    assert replace(room, level=1).will_hint  # against the computer it needs no tick


def test_rules_can_be_chosen_where_a_game_has_several():
    room = NewRoom(("a", "b"), variants={"a": (), "b": ("burning",)})
    assert "Rules" not in room.rows
    there = room.change_value(1).move_row(-1)
    assert there.rows[there.row] == "Rules"
    assert [there.build_request().variant, there.change_value(1).build_request().variant] == [None, "burning"]
    assert there.change_value(2) == there


def test_left_and_right_move_among_the_games_and_no_further():
    seat = in_lobby()
    controller = seat.controller
    controller.chosen_row = 1
    lobby_controller.pick_beside(controller, 1)
    assert controller.chosen_row == 2
    for _ in range(9):
        lobby_controller.pick_beside(controller, 1)
    assert lobby_controller.find_chosen_row(controller) == ("game", "secret-paths")
    controller.chosen_row = 0
    lobby_controller.pick_beside(controller, 1)
    assert controller.chosen_row == 0


def test_before_a_server_has_said_what_it_plays_no_room_can_be_made():
    seat = in_lobby()
    seat.controller.model.cards = ()
    lobby_controller.open_new_room(seat.controller)
    assert seat.controller.page is None


def test_what_is_told_of_a_room_begins_with_entering_it():
    seat = in_lobby()
    seat.controller.on_message(Event("Your last room was closed.", "system"))
    seat.controller.on_reply(Join(9, CODE), Ok(9, CODE))
    seat.controller.on_message(Event("Player 2 has joined.", "system", 2))
    seat.controller.on_message(room_of("grid-hunt", you=2))
    assert [event.text for event in seat.controller.model.log] == ["Player 2 has joined."]
    seat.controller.on_reply(Leave(10), Ok(10))
    seat.controller.on_message(Lobby((), 1, 0))
    assert list(seat.controller.model.log) == []


def test_a_game_against_the_computer_has_assist_unless_it_is_switched_off():
    room = NewRoom(("a",), level=1, games_with_assist=frozenset("a"), row=5)
    assert room.rows[room.row] == "Assist"
    assert room.build_request().assist
    assert not room.change_value(1).build_request().assist
    assert not replace(room, level=0).build_request().assist, "a friend is not asked"
    assert not replace(room, wants_assist=False).build_request().assist


def test_the_choice_of_assist_against_the_computer_is_remembered():
    seat, remembered = in_lobby(), []
    seat.controller.remember_assist = remembered.append
    for level, wanted in ((0, True), (1, False)):  # a friend's room says nothing about the computer
        lobby_controller.open_new_room(seat.controller, "grid-hunt")
        seat.controller.page = replace(seat.controller.page, level=level, row=5).change_value(1)
        lobby_controller.create_room(seat.controller)
        assert seat.controller.model.wants_assist is wanted
    assert remembered == [False]
    assert build_play_now(seat.controller.model) == Create(1, "treasure-hunt-duel", bot="easy")
    lobby_controller.open_new_room(seat.controller, "grid-hunt")
    assert not replace(seat.controller.page, level=1).will_assist


def test_a_new_room_proposes_the_game_that_was_played_last():
    seat = in_lobby(listed())
    seat.controller.model.last_game = "quantum-duel"
    for seat.controller.chosen_row in (0, 1):
        press(seat.controller, "new room", 0)
        assert seat.controller.page.games[seat.controller.page.game] == "quantum-duel"


def test_after_a_game_the_lobbys_cursor_is_on_play_now():
    scenario = Scenario("grid-conquest")
    controller = scenario.controllers[1]
    controller.chosen_row = 1  # of a menu in the game
    controller.on_reply(Leave(1), Ok(1))
    controller.on_message(Lobby((), 1, 0))
    assert lobby_controller.find_chosen_row(controller) == ("play", "now")


def test_what_the_dialogue_shows_is_what_is_asked_for():
    seat = in_lobby()
    seat.controller.guide.known_games = set()
    lobby_controller.open_new_room(seat.controller, "grid-hunt")
    for rows, turns in ((1, 1), (4, 1)):
        lobby_controller.edit_room(seat.controller, rows, turns)
    lobby_controller.create_room(seat.controller)
    assert seat.asked == [Create(1, "grid-hunt", bot="easy")]


def test_play_now_plays_the_game_that_was_played_last():
    scenario, remembered = Scenario("grid-conquest"), []
    controller = scenario.controllers[1]
    assert describe_play_now(in_lobby().controller.model) == "Treasure Hunt Duel against the computer"
    controller.remember_game = remembered.append
    scenario.tell_room(room="AAAAAA", game="grid-hunt")
    controller.on_message(Lobby((), 1, 0))
    assert remembered == ["grid-hunt"]
    assert describe_play_now(controller.model) == "Grid Hunt against the computer"
    assert build_play_now(controller.model) == Create(1, "grid-hunt", bot="easy", assist=True)
    controller.on_message(Lobby((listed(),), 1, 0))
    assert describe_play_now(controller.model) == "Grid Hunt against Bo"
