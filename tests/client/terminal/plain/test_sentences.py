"""The sentences of plain mode."""

from dataclasses import replace

from gridgames_client.terminal.plain.plain_app import Plain
from gridgames_client.terminal.plain.sentences import tell_analysis
from gridgames_protocol.messages import Analysis
from tests.client.finished_games import analysis
from tests.client.game_scripts import story
from tests.client.plain_players import Reader
from tests.client.seated_controllers import Scenario

TYPED = ((1, "HIDE 2 3"), (2, "HIDE 5 5"), (1, "SCAN 3 3"), (2, "SCAN 1 1"), (1, "SCAN 4 4"), (2, "DIG 2 2"))


def finished_game(typed):
    """The model of the first player after a game in which these lines were typed."""
    model = story("grid-hunt", "end").controllers[1].model
    model.ending = replace(model.ending, moves=typed)
    return model


def test_an_analysis_is_told_in_sentences():
    assert tell_analysis(analysis([seat for seat, _ in TYPED]), finished_game(TYPED)) == [
        "The computer has looked at the game. Chances assume a rival of the tests and what the player knew.",
        "Move 3, you typed SCAN 3 3: a blunder; the chance to win was 20 percent. DIG 5,5 was better, with 60 percent."
        " This move decided the game.",
        "Move 4, Bo typed SCAN 1 1: a mistake; the chance to win was 50 percent. SCAN 1,1 was better, with 64 percent.",
        "Move 5, you typed SCAN 4 4: not the best move; the chance to win was 33 percent."
        " SCAN 2,2 was better, with 41 percent.",
        "Your accuracy: 61 of 100, luck: good.",
        "Bo's accuracy: 55 of 100, luck: very bad.",
    ]


def test_an_analysis_without_chances_tells_the_marks_and_what_was_better():
    found = Analysis(((None, None, "MOVE 3,3", "?"), (None, None, "", "none")), (80, None), (None, None), "a rival")
    assert tell_analysis(found, finished_game(((1, "MOVE 4 4"), (2, "MOVE 3 3")))) == [
        "The computer has looked at the game. Chances assume a rival and what the player knew.",
        "Move 1, you typed MOVE 4 4: a mistake. MOVE 3,3 was better.",
        "Your accuracy: 80 of 100.",
    ]


def test_an_analysis_is_printed_when_it_arrives():
    scenario = story("grid-hunt", "end")
    printed = []
    Plain(scenario.controllers[1], printed.append)
    scenario.says(analysis([seat for seat, _ in scenario.table.match.moves()]))
    assert "Your accuracy: 61 of 100, luck: good." in printed
    assert printed[-1] == "Type /again for a rematch, or /leave for the lobby.", "the question is the last line"


def test_help_says_which_claim_and_which_words_are_meant():
    told = Reader(Scenario("grid-conquest")).types("help")
    assert "/claim: takes the win or the draw that is offered to you." in told
    assert any(line.startswith("/words: tells four words; ") for line in told)
