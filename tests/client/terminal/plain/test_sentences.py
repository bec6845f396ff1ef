"""The sentences of plain mode."""

from gridgames_client.terminal.plain.plain_app import Plain
from gridgames_client.terminal.plain.sentences import tell_analysis
from gridgames_protocol.messages import Analysis
from tests.client.finished_games import analysis
from tests.client.game_scripts import story

TYPED = ((1, "HIDE 2 3"), (2, "HIDE 5 5"), (1, "SCAN 3 3"), (2, "SCAN 1 1"), (1, "SCAN 4 4"), (2, "DIG 2 2"))


def test_an_analysis_is_told_in_sentences():
    assert tell_analysis(analysis([seat for seat, _ in TYPED]), TYPED) == [
        "The computer has looked at the game. The chances are those against a rival of the tests.",
        "Move 3, Player 1 SCAN 3 3: a blunder; the chance to win was 20 percent. DIG 5,5 was better, with 60 percent.",
        "Move 4, Player 2 SCAN 1 1: a mistake; the chance to win was 50 percent. SCAN 1,1 was better, with 64 percent.",
        "Move 5, Player 1 SCAN 4 4: not the best move; the chance to win was 33 percent."
        " SCAN 2,2 was better, with 41 percent.",
        "Player 1: accuracy 61 of 100, luck +28 percent.",
        "Player 2: accuracy 55 of 100, luck -53 percent.",
        "What decided the game: Player 1 played SCAN 3,3: a chance of 20 %. With DIG 5,5 it was 60 %.",
    ]


def test_an_analysis_without_chances_tells_the_marks_and_what_was_better():
    found = Analysis(((None, None, "MOVE 3,3", "?"), (None, None, "", "none")), (80, None), (None, None), "a rival")
    assert tell_analysis(found, ((1, "MOVE 4 4"), (2, "MOVE 3 3"))) == [
        "The computer has looked at the game. The chances are those against a rival.",
        "Move 1, Player 1 MOVE 4 4: a mistake. MOVE 3,3 was better.",
        "Player 1: accuracy 80 of 100.",
    ]


def test_an_analysis_is_printed_when_it_arrives():
    scenario = story("grid-hunt", "end")
    printed = []
    Plain(scenario.controllers[1], printed.append)
    scenario.says(analysis([seat for seat, _ in scenario.table.match.moves()]))
    assert "Player 1: accuracy 61 of 100, luck +28 percent." in printed
    assert printed[-1].startswith("What decided the game: ")
