"""Plain lines: commands without a slash, misspelt commands, games by their title."""

import pytest

from gridgames_client.state.actions.find_action import TABLE_HELP
from gridgames_client.terminal.plain.plain_app import Plain
from gridgames_protocol.messages import AskHistory, Chat, Claim, Create, OfferDraw, Play
from tests.client.plain_players import Reader
from tests.client.seated_controllers import Scenario, in_lobby


@pytest.mark.parametrize(
    ("typed", "request_"),
    [("history", AskHistory(1)), ("chat hello there", Chat(1, "hello there")), ("Draw", OfferDraw(1))],
)
def test_a_command_needs_no_slash_at_the_table(typed, request_):
    reader = Reader(Scenario("grid-conquest"))
    reader.types(typed)
    assert reader.seat.asked[-1] == request_


def test_a_line_of_the_game_is_no_command():
    table = Scenario("grid-conquest")
    reader = Reader(table)
    for typed, line in (("claim C3", "claim C3"), ("c A1", "CLAIM A1")):
        reader.types(typed)
        assert reader.seat.asked[-1] == Play(1, line, table.rev - 1)
        table.types(2, "E5" if typed == "claim C3" else "E1")


def test_claim_takes_the_win_only_where_it_is_offered():
    table = Scenario("secret-paths")
    table.show(claimable=True)
    reader = Reader(table)
    reader.types("claim")
    assert reader.seat.asked[-1] == Claim(1)


def test_a_misspelt_command_is_told_the_nearest_one():
    reader = Reader(Scenario("grid-conquest"))
    assert reader.types("/bord")[0] == "There is no command /bord. Did you mean /board?"
    assert reader.types("/xyzzy")[0] == TABLE_HELP
    lobby = in_lobby()
    printed = []
    Plain(lobby.controller, printed.append).take_line("craete grid-hunt")
    assert printed == ["There is no command craete. Did you mean create?"]


def test_a_command_of_another_place_is_told_where_it_works():
    reader, printed = Reader(Scenario("grid-conquest")), []
    assert reader.types("/join ABCDEF")[0] == "Type join when you are in the lobby. /leave leads there."
    Plain(in_lobby().controller, printed.append).take_line("moves")
    assert printed == ["Type moves when you are in a room."]


@pytest.mark.parametrize(
    ("typed", "game", "bot"),
    [
        ("create Grid Conquest bot=easy", "grid-conquest", "easy"),
        ("create treasure hunt", "treasure-hunt-duel", None),
        ("play quantum", "quantum-duel", "easy"),
        ("play Secret Paths bot=hard", "secret-paths", "hard"),
    ],
)
def test_a_game_may_be_named_by_its_title(typed, game, bot):
    lobby = in_lobby()
    Plain(lobby.controller, lambda line: None).take_line(typed)
    assert lobby.asked == [Create(1, game, bot=bot, assist=typed.startswith("play"))]


def test_play_has_assist_unless_the_line_or_the_last_choice_says_otherwise():
    lobby = in_lobby()
    for typed in ("play grid-hunt assist=off", "play grid-conquest"):  # Grid Conquest has no assist
        Plain(lobby.controller, lambda line: None).take_line(typed)
    lobby.controller.model.wants_assist = False
    Plain(lobby.controller, lambda line: None).take_line("play grid-hunt")
    assert [request.assist for request in lobby.asked] == [False, False, False]


def test_play_alone_says_what_to_type():
    lobby, printed = in_lobby(), []
    Plain(lobby.controller, printed.append).take_line("play")
    assert printed[0].startswith("Type play and one of these, to play the computer: treasure-hunt-duel, ")
