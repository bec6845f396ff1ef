"""Plain lines: boards as pictures and in words."""

import pytest

from gridgames_client.terminal.plain.board_lines import DOTS, UNCHANGED
from gridgames_client.terminal.plain.plain_app import Plain
from tests.client.game_scripts import story
from tests.client.plain_players import Reader
from tests.client.seated_controllers import Scenario, in_lobby
from tests.client.terminal.test_covers import TWINS


def reading_in_words(table, seat=1):
    """A player who has asked for boards in words."""
    reader = Reader(table, seat)
    reader.types("board words")
    return reader


def test_words_tell_each_turn_only_what_has_changed_and_board_tells_everything():
    table = story("grid-conquest", "start")
    reader = reading_in_words(table)
    table.types(1, "C3")
    table.types(2, "A1")
    told = reader.printed[reader.printed.index("Player 1's turn.") :]
    assert "A1: 5, P2, theirs." in told
    table.types(1, "E5")
    before = len(reader.printed)
    table.types(2, "E1")
    told = reader.printed[before:]
    assert "E1: 1, P2, theirs." in told
    assert not any(line.startswith(("A1: ", "Wins at: ")) for line in told)
    for word in ("board", "/board"):
        assert {"A1: 5, P2, theirs.", "E1: 1, P2, theirs.", "Wins at: 15 points"} <= set(reader.types(word))


def test_words_name_only_the_cells_that_are_newly_ruled_out():
    table = story("treasure-hunt-duel", "start", assist=True)
    reader = reading_in_words(table)
    table.types(1, "QUERY 2B")
    table.types(2, "QUERY 5A")
    assert not any("Ruled out" in line for line in reader.printed), "the own answers are covered"
    first = next(line for line in reader.types("/mask") if line.startswith("Ruled out: "))
    table.types(1, "QUERY 3C")
    table.types(2, "QUERY 4B")
    also = next(line for line in reader.printed if line.startswith("Also ruled out: "))
    assert not set(first.split(": ")[1].strip(".").split(", ")) & set(also.split(": ")[1].strip(".").split(", "))


def test_a_board_on_which_nothing_is_new_says_so():
    table = Scenario("quantum-duel")
    reader = reading_in_words(table)
    assert "The board is empty." in reader.printed
    table.show()
    before = len(reader.printed)
    reader.types("MOVE 3")
    assert UNCHANGED in reader.printed[before:], "the own token is covered"


def test_an_own_secret_is_told_to_be_ones_own_and_only_while_it_is_shown():
    table = story("grid-hunt", "middle")
    reader = reading_in_words(table)
    assert not any("2,3" in line for line in reader.printed)
    assert "2,3: T, your treasure." in reader.types("/mask")
    assert not any("your treasure" in line for line in reader.types("/mask"))
    table = story("secret-paths", "middle")
    reader = reading_in_words(table)
    assert "5,2: G, your goal." in reader.types("/mask")
    table = story("quantum-duel", "middle")
    reader = reading_in_words(table)
    assert "5: Q, your token." in reader.types("/mask")


def test_at_the_end_the_others_secrets_are_not_called_ones_own():
    table = story("secret-paths", "end")
    reader = reading_in_words(table, seat=2)
    assert "5,2: G1, goal." in reader.printed
    table = Scenario("quantum-duel")
    table.types(1, "MOVE 3", "OBSERVE 7")
    table.types(2, "MOVE 5", "OBSERVE 3")
    reader = reading_in_words(table)
    assert "5: Q2, token." in reader.printed


@pytest.mark.parametrize("assist", [False, True])
@pytest.mark.parametrize("look", ["board words", "board picture"])
@pytest.mark.parametrize("slug", TWINS)
def test_what_is_printed_is_the_same_for_every_own_secret_that_is_covered(slug, look, assist):
    worlds, lines = TWINS[slug]
    told = []
    for draws, begun in worlds:
        table = Scenario(slug, draws=draws or None, assist=assist)
        reader = Reader(table)
        reader.types(look)
        for seat, line in [*begun, *lines]:
            table.types(seat, line)
            reader.types("board")
        told.append(reader.printed)
    assert all(printed == told[0] for printed in told)


def test_why_a_secret_move_is_refused_is_not_printed_while_covered():
    table = Scenario("quantum-duel")
    table.types(1, "MOVE 1", "OBSERVE 5")
    table.types(2, "MOVE 2", "OBSERVE 7")
    reader = Reader(table)
    said = reader.types("MOVE 7")
    assert said[0] == "That is not possible now. /mask shows your secrets, and then why."
    assert not any("1, 2" in line for line in said)
    reader.types("/mask")
    assert "1, 2" in reader.types("MOVE 7")[0]


def test_dots_are_explained_once():
    table = story("treasure-hunt-duel", "start", assist=True)
    reader = Reader(table)
    table.types(1, "QUERY 2B")
    table.types(2, "QUERY 5A")
    assert any("....." in line for line in reader.types("/mask"))
    reader.types("/board")
    assert reader.printed.count(DOTS) == 1


def test_that_boards_are_told_in_words_is_remembered():
    reader, remembered = Reader(Scenario("grid-conquest")), []
    reader.plain.remember_words = remembered.append
    reader.types("/board words", "/board", "board picture", "board picture")
    assert remembered == [True, False]


def test_the_choice_of_words_is_confirmed_where_there_is_no_board():
    printed = []
    table = Plain(in_lobby().controller, printed.append)
    table.take_line("board words")
    table.take_line("board picture")
    assert printed == ["Boards are told in words.", "Boards are drawn."]
