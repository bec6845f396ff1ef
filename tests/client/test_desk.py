"""The player's desk: what is typed or chosen becomes a request, and what is answered changes what is seen."""

from dataclasses import replace

import pytest

from gridgames_client import commands
from gridgames_client.commands import Confirm, Turn
from gridgames_client.desk import LOST, QUIT, Desk
from gridgames_client.dialogues import Choice, NewRoom
from gridgames_protocol.messages import (
    Again,
    Chat,
    Create,
    Error,
    Event,
    Farewell,
    Join,
    Leave,
    Lobby,
    Ok,
    Play,
    Resign,
    Watch,
)
from tests.client.evening import CODE, Evening, Seat, in_lobby, listed, room_of, welcome
from tests.client.scenes import waiting
from tests.client.stories import story


def lines(seat: Seat) -> list[str]:
    """The lines of the game that a seat has asked to play."""
    return [request.line for request in seat.asked if isinstance(request, Play)]


# What is typed --------------------------------------------------------------------------------------------------------


def test_a_line_of_the_game_goes_out_with_the_table_that_it_was_typed_at():
    evening = Evening("treasure-hunt-duel")
    evening.types(1, "query 2b")
    assert evening.seats[1].asked == [Play(1, "query 2b", 1)]


def test_a_line_that_is_refused_is_given_back_with_the_reason():
    evening = Evening("treasure-hunt-duel")
    seat = evening.seats[1]
    assert seat.desk.submit("QUERY 9Z"), "it is done with until it is answered"
    assert seat.desk.given_back == "QUERY 9Z"
    assert "given back" in seat.happened
    assert (seat.desk.model.notice, seat.desk.model.notice_bad) == (
        "That is off the grid: rows are 1 to 5, columns A to E.",
        True,
    )
    evening.types(1, "QUERY 2B")
    assert seat.desk.model.notice == ""


def test_a_refusal_names_the_players():
    evening = Evening("treasure-hunt-duel")
    evening.desks[2].submit("QUERY 2B")
    assert evening.desks[2].model.notice == "It is Ada [1]'s turn."


def test_a_line_that_wishes_for_nothing_stays():
    seat = in_lobby()
    assert not seat.desk.submit("dance")
    assert seat.desk.model.notice == commands.LOBBY_HELP
    assert seat.asked == []


def test_each_of_several_lines_under_way_is_given_back_for_itself():
    seat = in_lobby()
    seat.desk.heard(room_of("grid-hunt"))
    seat.desk.submit("/chat one")
    seat.desk.submit("/chat two")
    one, two = seat.asked
    seat.desk.answered(replace(one, id=7), Error("too_fast", "Slowly.", 7))
    assert seat.desk.given_back == "/chat one"
    seat.desk.answered(replace(two, id=8), Error("too_fast", "Slowly.", 8))
    assert seat.desk.given_back == "/chat two"


def test_a_line_that_the_connection_swallowed_is_given_back():
    seat = in_lobby()
    seat.desk.ask = seat.desk.unanswered
    seat.desk.submit("create grid-hunt")
    assert (seat.desk.given_back, seat.desk.model.notice) == ("create grid-hunt", LOST)


def test_the_menu_asks_for_row_and_column_and_plays_the_whole_line():
    evening = story("grid-hunt", "middle")
    desk = evening.desks[1]
    evening.types(1, "2")
    assert desk.asking
    assert desk.asking.question == "Row (1-5):"
    evening.types(1, "5")
    assert desk.asking.question == "Column (1-5):"
    evening.types(1, "4")
    assert desk.asking is None
    assert lines(evening.seats[1])[-1] == "DIG 5,4"


def test_a_wrong_answer_to_the_menu_is_asked_again():
    evening = story("grid-hunt", "middle")
    desk = evening.desks[1]
    evening.types(1, "2")
    assert not desk.submit("9")
    assert desk.model.notice == "9 is none of them. Row (1-5):"
    assert desk.asking


def test_the_menus_question_can_be_passed_over():
    evening = story("grid-hunt", "middle")
    evening.types(1, "2", "DIG 1 1")
    assert evening.desks[1].asking is None


@pytest.mark.parametrize("line", ["/chat wait", "/help"])
def test_a_command_of_the_room_leaves_the_menus_question_open(line):
    evening = story("grid-hunt", "middle")
    evening.types(1, "2", line)
    assert evening.desks[1].asking.question == "Row (1-5):"


def test_an_answer_that_is_refused_is_given_back_as_the_whole_line():
    evening = story("grid-hunt", "middle")
    for line in ("1", "1", "1", "DIG 1 2"):
        evening.desks[1 if line != "DIG 1 2" else 2].submit(line)
    for line in ("1", "1", "1"):
        evening.desks[1].submit(line)
    assert evening.desks[1].given_back == "SCAN 1,1"
    assert "scan" in evening.desks[1].model.notice.lower()


def test_the_menus_question_ends_with_the_turn():
    evening = story("grid-hunt", "middle")
    evening.types(1, "2")
    evening.desks[1].heard(replace(evening.shown(2), you=1))
    assert evening.desks[1].asking is None


# On the board ---------------------------------------------------------------------------------------------------------


def test_the_cursor_starts_in_the_middle_and_stays_on_the_board():
    desk = Evening("grid-hunt").desks[1]
    assert desk.cursor == 12
    for rows, cols, cell in ((-9, 0, 2), (0, -9, 0), (9, 9, 24)):
        desk.move_cursor(rows, cols)
        assert desk.cursor == cell


def test_acting_where_one_thing_can_be_done_does_it():
    evening = Evening("grid-conquest")
    evening.desks[1].act()
    assert lines(evening.seats[1]) == ["CLAIM C3"]


def test_acting_where_several_things_can_be_done_asks_which():
    evening = Evening("treasure-hunt-duel")
    desk = evening.desks[1]
    desk.act()
    assert desk.page == Choice(desk.model.actions, "3C")
    desk.pick_row(1)
    assert desk.chosen == 1
    desk.choose(desk.chosen)
    assert lines(evening.seats[1]) == ["GUESS 3C"]
    assert desk.page is None


def test_a_choice_that_is_not_offered_changes_nothing():
    desk = Evening("treasure-hunt-duel").desks[1]
    desk.act()
    desk.choose(7)
    assert isinstance(desk.page, Choice)


def test_what_was_not_sent_is_no_longer_said_when_the_connection_is_back():
    desk = in_lobby().desk
    desk.line_is("reconnecting", "The connection is lost.")
    desk.unanswered(Join(1, "AAAAAA"))
    assert desk.model.notice.startswith("That was not sent")
    desk.line_is("connected", "")
    assert desk.model.notice == ""


def test_another_notice_stays_when_the_connection_is_back():
    desk = in_lobby().desk
    desk.line_is("reconnecting", "The connection is lost.")
    desk.submit("/bell")
    desk.line_is("connected", "")
    assert desk.model.notice == "The bell is off."


@pytest.mark.parametrize("private", [True, False])
def test_a_room_is_known_to_be_private_by_whoever_has_made_it_so(private):
    desk = in_lobby().desk
    desk.answered(Create(7, "grid-hunt", private=private), Ok(7))
    assert desk.model.unlisted is private
    desk.answered(Leave(8), Ok(8))
    assert not desk.model.unlisted


def test_a_choice_ends_with_the_turn():
    evening = Evening("treasure-hunt-duel")
    evening.desks[1].act()
    evening.table.types(1, "QUERY 2B")
    evening.show()
    assert evening.desks[1].page is None


def test_the_cursor_does_not_go_on_pointing_at_what_was_hidden_there():
    evening = Evening("grid-hunt")
    evening.desks[1].move_cursor(2, 2)
    evening.desks[1].act()
    assert lines(evening.seats[1]) == ["HIDE 5,5"]
    assert evening.desks[1].cursor == 12


@pytest.mark.parametrize(
    ("slug", "moment", "seat", "words"),
    [
        ("secret-paths", "start", 1, "Nothing can be done at 3,3 now."),
        ("secret-paths", "middle", 1, "It is not your turn."),
        ("secret-paths", "middle", None, "You are watching: only the players can act."),
        ("secret-paths", "end", 1, "The game is over. Ask for another with /again, or /leave."),
    ],
)
def test_where_nothing_can_be_done_it_is_said_why(slug, moment, seat, words):
    desk = story(slug, moment).desks[seat]
    desk.act()
    assert (desk.model.notice, desk.model.notice_bad) == (words, True)


def test_what_was_wrong_is_forgotten_when_the_turn_changes():
    evening = Evening("treasure-hunt-duel")
    evening.desks[2].act()
    assert evening.desks[2].model.notice == "It is not your turn."
    evening.types(1, "QUERY 2B")
    assert evening.desks[2].model.notice == ""


def test_the_pencil_marks_the_cell_under_the_cursor():
    desk = Evening("grid-hunt").desks[1]
    desk.mark()
    assert desk.model.marks == {"3,3": "?"}


def test_without_a_board_the_keys_of_the_board_do_nothing():
    seat = in_lobby()
    for deed in (seat.desk.act, seat.desk.mark, lambda: seat.desk.move_cursor(1, 1)):
        deed()
    assert (seat.asked, seat.desk.cursor, seat.desk.model.marks) == ([], 0, {})


def test_the_log_is_scrolled_by_events_and_what_is_being_read_stays():
    desk = story("quantum-duel", "end").desks[1]
    most = len(desk.model.log) - 1
    desk.scroll(-5)
    assert desk.scrolled == 0
    desk.scroll(most + 50)
    assert desk.scrolled == most
    desk.scroll(-most + 3)
    desk.heard(Event("One more.", "system"))
    assert desk.scrolled == 4
    desk.submit("/chat hello")
    assert desk.scrolled == 0


# In the lobby ---------------------------------------------------------------------------------------------------------


def test_a_chosen_game_opens_the_dialogue_for_it():
    seat = in_lobby(listed())
    seat.desk.pick_row(2)
    seat.desk.choose_row()
    assert isinstance(seat.desk.page, NewRoom)
    assert seat.desk.page.game == 2


def test_a_chosen_room_is_joined_if_it_is_open_and_watched_if_not():
    seat = in_lobby(listed("K7QX2M"), listed("9FWT4C", state="playing"))
    seat.desk.pick_row(5)
    seat.desk.choose_row()
    seat.desk.choose_row(watch=True)
    seat.desk.pick_row(1)
    seat.desk.choose_row()
    assert seat.asked == [Join(1, "K7QX2M"), Watch(1, "K7QX2M"), Watch(1, "9FWT4C")]


def test_the_lobbys_cursor_stays_on_its_room_whatever_happens_above_it():
    seat = in_lobby(listed("AAAAAA"), listed("BBBBBB"))
    seat.desk.pick_row(6)
    seat.desk.heard(Lobby((listed("CCCCCC"), listed("AAAAAA"), listed("BBBBBB")), 4, 0))
    seat.desk.choose_row()
    assert seat.asked == [Join(1, "BBBBBB")]


def test_when_the_chosen_room_is_gone_the_cursor_stays_in_the_list():
    seat = in_lobby(listed("AAAAAA"), listed("BBBBBB"))
    seat.desk.pick_row(6)
    seat.desk.heard(Lobby((), 4, 0))
    assert seat.desk.chosen == 6
    seat.desk.chosen = 9
    seat.desk.choose_row()
    assert seat.asked == []


def test_a_room_is_made_by_its_dialogue():
    seat = in_lobby()
    seat.desk.new_room(99)
    for rows, turns in ((0, -1), (1, 2), (1, 1), (1, 2), (1, 1)):
        seat.desk.edit_room(rows, turns)
    seat.desk.create_room()
    assert seat.asked == [Create(1, "quantum-duel", "host", "medium", True, 60)]
    assert seat.desk.page is None


def test_the_rows_and_options_of_the_dialogue_go_round():
    page = NewRoom(("a", "b"))
    for _ in range(6):
        assert page.turned(1) != page
        page = page.moved(1)
    assert page.row == 0
    assert page.turned(2) == page


def test_assist_is_asked_for_where_the_game_has_it():
    wish = NewRoom(("a", "b"), assist=True, helped=frozenset("b"))
    assert (wish.assisted, wish.request().assist) == (None, False)
    there = wish.turned(1)
    assert (there.assisted, there.request().assist) == (True, True)
    assert replace(there, assist=False).request() == Create(1, "b")


def test_before_a_server_has_said_what_it_plays_no_room_can_be_made():
    seat = in_lobby()
    seat.desk.model.cards = ()
    seat.desk.new_room()
    assert seat.desk.page is None


def test_what_is_told_of_a_room_begins_with_entering_it():
    seat = in_lobby()
    seat.desk.heard(Event("Your last room was closed.", "system"))
    seat.desk.answered(Join(9, CODE), Ok(9, CODE))
    seat.desk.heard(Event("Player 2 has joined.", "system", 2))
    seat.desk.heard(room_of("grid-hunt", you=2))
    assert [event.text for event in seat.desk.model.log] == ["Player 2 has joined."]
    seat.desk.answered(Leave(10), Ok(10))
    seat.desk.heard(Lobby((), 1, 0))
    assert list(seat.desk.model.log) == []


# Pages and questions --------------------------------------------------------------------------------------------------


def test_giving_up_is_asked_about():
    evening = Evening("grid-hunt")
    desk = evening.desks[1]
    for answer, asked in ((False, []), (True, [Resign(1)])):
        desk.submit("/resign")
        assert desk.page == Confirm(commands.RESIGN, Resign(1))
        desk.confirm(answer)
        assert (desk.page, evening.seats[1].asked) == (None, asked)


def test_leaving_the_program_is_asked_about_in_the_middle_of_a_game_only():
    evening = story("grid-hunt", "middle")
    seat = evening.seats[1]
    seat.desk.submit("/quit")
    assert seat.desk.page == Confirm(QUIT, None)
    seat.desk.confirm(True)
    assert "quit" in seat.happened
    for other in (in_lobby(), story("grid-hunt", "end").seats[1]):
        other.desk.quit()
        assert "quit" in other.happened


def test_a_question_about_a_game_that_ends_is_taken_back():
    evening = story("grid-hunt", "middle")
    evening.desks[2].submit("/resign")
    evening.types(1, "DIG 5 5")
    assert evening.desks[2].page is None


def test_a_page_to_read_stays_when_the_game_ends():
    evening = story("grid-hunt", "middle")
    evening.desks[2].submit("/help")
    evening.types(1, "DIG 5 5")
    assert evening.desks[2].page == Turn("help")


def test_a_page_opens_at_its_top_and_closes():
    desk = Evening("grid-hunt").desks[1]
    desk.page_top = 5
    desk.submit("/rules")
    assert (desk.page, desk.page_top) == (Turn("rules", "grid-hunt"), 0)
    desk.close_page()
    assert desk.page is None


def test_switches_say_what_they_are_now():
    desk = Evening("grid-hunt").desks[1]
    said = []
    for line in ("/mask", "/mask", "/bell", "/bell"):
        desk.submit(line)
        said.append(desk.model.notice)
    assert said == ["Your secrets are shown.", "Your secrets are covered.", "The bell is off.", "The bell is on."]
    desk.submit("/board words")
    assert desk.words
    desk.submit("/board")
    assert not desk.words


def test_a_game_that_is_over_is_saved():
    seat = story("grid-hunt", "end").seats[1]
    seat.desk.submit("/save game.json")
    assert list(seat.saved) == ["game.json"]
    assert seat.desk.model.notice == "Saved to game.json."


def test_a_player_who_goes_leaves_the_room_unless_a_game_is_running():
    for desk, asked in (
        (in_lobby(), [Farewell(1)]),
        (story("grid-hunt", "middle").seats[1], [Farewell(1)]),
        (story("grid-hunt", "end").seats[1], [Leave(1), Farewell(1)]),
    ):
        before = len(desk.asked)
        desk.desk.farewell()
        assert desk.asked[before:] == asked


# What comes over the line ---------------------------------------------------------------------------------------------


def test_ones_turn_is_told_once():
    evening = Evening("grid-hunt")
    told = evening.seats[1].happened
    assert told.count("your turn") == 1
    evening.types(1, "HIDE 2 3")
    evening.types(2, "HIDE 5 5")
    assert told.count("your turn") == 2
    evening.show()
    evening.desks[1].heard(welcome(room=CODE))
    evening.show()
    assert told.count("your turn") == 2, "coming back is no news"
    assert "your turn" not in evening.seats[None].happened


def test_the_clock_runs_on_this_machine_and_ends_with_the_room():
    evening = Evening("grid-conquest", clock=60)
    desk = evening.desks[1]
    assert desk.model.clock_ends == evening.time.now + 60
    desk.heard(Lobby((), 1, 0))
    assert desk.model.clock_ends is None


def test_the_line_goes_down_and_comes_back():
    desk = in_lobby().desk
    desk.line_is("reconnecting", "It broke.")
    assert (desk.model.line, desk.model.trouble) == ("reconnecting", "It broke.")
    desk.line_is("connected", "")
    assert (desk.model.line, desk.model.trouble) == ("connected", "")


def test_a_smaller_board_takes_the_cursor_in():
    evening = Evening("grid-hunt")
    desk = evening.desks[1]
    desk.move_cursor(9, 9)
    desk.heard(Evening("quantum-duel").shown(1))
    assert desk.cursor == 3


def test_a_request_that_was_not_typed_gives_nothing_back():
    seat = in_lobby()
    seat.desk.answered(Again(5), Error("not_now", "Not now.", 5))
    assert (seat.desk.given_back, seat.desk.model.notice) == ("", "Not now.")


def test_chat_goes_to_everybody():
    evening = Evening("grid-hunt")
    evening.types(2, "/chat getting warm?")
    assert evening.seats[2].asked == [Chat(1, "getting warm?")]
    for desk in evening.desks.values():
        assert desk.model.log[-1] == Event("getting warm?", "chat", 2, "Bo")


def test_an_empty_line_in_a_waiting_room_says_what_to_do():
    desk: Desk = waiting()
    assert not desk.submit("")
    assert desk.model.notice_bad
