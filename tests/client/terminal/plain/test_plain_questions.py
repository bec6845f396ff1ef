"""Plain lines: an open question stays open, and is the last line that is read."""

from gridgames_protocol.messages import Event
from tests.client.plain_players import Reader, menu, scenario
from tests.client.seated_controllers import Scenario, lines
from tests.client.state.test_guide import first_game


def hidden_treasures():
    """A game of Grid Hunt in which both have hidden their treasure, and its first player."""
    table = Scenario("grid-hunt")
    reader = Reader(table)
    table.types(1, "HIDE 2 3")
    table.types(2, "HIDE 5 5")
    return table, reader


def test_a_command_in_the_middle_of_a_question_leaves_it_open_and_it_is_asked_again():
    for command in ("help", "/help", "rules", "/bell", "board"):
        _, reader = hidden_treasures()
        assert reader.types("1", "1")[-1] == "Column (1-5):"
        assert reader.types(command)[-1] == "Column (1-5):", command
        reader.types("2")
        assert lines(reader.seat)[-1] == "SCAN 1,2", command


@scenario("grid-hunt first=host")
async def test_a_command_while_hiding_leaves_the_question_open(server, code, ada, bob):
    await ada.reads("Row (1-5):")
    ada.types("2")
    await ada.reads_next("Column (1-5):")
    ada.types("help")
    await ada.reads("/quit: ends the program.", "Column (1-5):")
    ada.types("3")
    await bob.reads("Player 1 has hidden a treasure.")
    await ada.reads_next("Player 1 has hidden a treasure.")
    ada.types("/mask")
    await ada.reads("2 |     |     |  T  |     |     |")


@scenario("grid-hunt first=host")
async def test_a_question_is_asked_again_after_what_the_other_does(server, code, ada, bob):
    await ada.reads("Row (1-5):")
    bob.types("HIDE 5 5")
    await ada.reads("Player 2 has hidden a treasure.", "Row (1-5):")
    assert ada.unread() == []
    ada.types("2")
    bob.types("/chat quick")
    await ada.reads("Bob (Player 2): quick")
    await ada.reads_next("Column (1-5):")
    ada.types("3")
    await ada.reads(*menu(3))
    bob.types("/chat hm")
    await ada.reads("Bob (Player 2): hm")
    await ada.reads_next("Enter your choice (1 or 2):")
    assert [line.startswith("Your turn: ") for line in ada.printed].count(True) == 2


def test_no_question_is_asked_between_a_move_and_the_view_after_it():
    _, reader = hidden_treasures()
    told = reader.types("SCAN 3 3")
    assert "Enter your choice (1 or 2):" not in told
    assert told[-1] == "Player 2's turn."


def test_a_question_that_is_answered_with_no_says_so_and_the_game_goes_on():
    _, reader = hidden_treasures()
    assert reader.types("1", "resign")[-1] == "Give this game to the other player? (y/n)"
    assert reader.types("n") == ["Nothing was done.", "Row (1-5):"]


def test_after_a_game_the_last_line_says_what_can_be_typed():
    table, reader = hidden_treasures()
    reader.types("DIG 5 5")
    assert reader.printed[-1] == "Type /again for a rematch, or /leave for the lobby."
    table.says(Event("well played", "chat", 2, "Bo"))
    assert reader.printed[-2:] == [
        "Bo (Player 2): well played",
        "Type /again for a rematch, or /leave for the lobby.",
    ]
    table.tell_room(again=(1,))
    table.says(Event("Player 1 asks for another game.", "system", 1))
    assert reader.printed[-1] == "Player 1 asks for another game."


# Lessons --------------------------------------------------------------------------------------------------------------


def test_a_lesson_comes_after_what_it_explains_and_before_the_next_question():
    table, _ = first_game()
    reader = Reader(table)
    table.types(1, "HIDE 2 3")
    table.types(2, "HIDE 5 5")
    turn = reader.printed.index("Your turn: SCAN CELL; DIG CELL.")
    assert reader.printed.index("Lesson 2: Only you know it.") < turn
    told = reader.types("SCAN 3 3")
    assert told.index("Scan result: Distance is 4.") < told.index("Lesson 3: That is the distance.")


def test_skip_says_that_there_are_no_more_lessons():
    table, _ = first_game()
    assert Reader(table).types("skip")[0] == "The lessons are over."
