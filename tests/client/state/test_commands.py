"""What a typed line wishes for, and which lines are offered."""

import pytest

from gridgames_client.state import commands
from gridgames_client.state.actions import find_action
from gridgames_client.state.commands import (
    NO_ID,
    Ask,
    ChooseCell,
    Confirm,
    Invalid,
    OpenReplay,
    Quit,
    Save,
    TextPage,
    Toggle,
)
from gridgames_client.state.completion import list_candidates, suggest_rest
from gridgames_client.state.model import Model
from gridgames_protocol.messages import (
    Again,
    AskHistory,
    AskStandings,
    Chat,
    Claim,
    Create,
    History,
    Join,
    Leave,
    Play,
    Resign,
    Show,
    Watch,
)
from gridgames_protocol.views import Action, Board, Frame, View
from tests.client.finished_games import finished, past
from tests.client.game_scripts import story
from tests.client.screen_scenes import waiting
from tests.client.seated_controllers import CODE, Scenario, in_lobby, listed


@pytest.fixture
def lobby() -> Model:
    return in_lobby(listed("K7QX2M"), listed("9FWT4C", state="playing")).controller.model


def at_table(slug: str = "treasure-hunt-duel", moment: str = "start", seat: int | None = 1) -> Model:
    return story(slug, moment).controllers[seat].model


# In the lobby ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("line", "command"),
    [
        ("create grid-hunt", Ask(Create(NO_ID, "grid-hunt"))),
        ("/CREATE Grid-Hunt First=Host clock=60 private", Ask(Create(NO_ID, "grid-hunt", "host", None, True, 60))),
        ("new quantum bot=hard private=no", Ask(Create(NO_ID, "quantum-duel", "random", "hard", False, None))),
        ("create secret variant=burning", Ask(Create(NO_ID, "secret-paths", variant="burning"))),
        ("create secret hints", Ask(Create(NO_ID, "secret-paths", hints=True))),
        ("join k7qx2m", Ask(Join(NO_ID, "K7QX2M"))),
        ("watch 9FWT4C", Ask(Watch(NO_ID, "9FWT4C"))),
        ("rules secret", TextPage("rules", "secret-paths")),
        ("help", TextPage("help")),
        ("?", TextPage("help")),
        ("bell", Toggle("bell")),
        ("/board words", Toggle("words")),
        ("board", Toggle("board")),
        ("history", Ask(AskHistory(NO_ID))),
        ("/history more", Ask(AskHistory(NO_ID))),
        ("replay", Ask(AskHistory(NO_ID))),
        ("REPLAY 12", OpenReplay(12)),
        ("/replay 12 3", OpenReplay(12, 3)),
        ("standings", Ask(AskStandings(NO_ID))),
        ("standings Quantum", Ask(AskStandings(NO_ID, "quantum-duel"))),
        ("quit", Quit()),
        ("exit", Quit()),
    ],
)
def test_in_the_lobby_a_line_does_what_it_says(lobby, line, command):
    assert find_action.read_line(lobby, f"  {line} ") == command


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ("", commands.LOBBY_HELP),
        ("dance", commands.LOBBY_HELP),
        ("join", "Type join and a room's code, for example: join K7QX2M."),
        ("watch a b", "Type watch and a room's code, for example: watch K7QX2M."),
        ("create grid-hunt first=me", commands.OPTIONS),
        ("create grid-hunt clock=1", commands.OPTIONS),
        ("create grid-hunt clock=soon", commands.OPTIONS),
        ("create grid-hunt clock=" + "9" * 5000, commands.OPTIONS),
        ("create grid-hunt private=perhaps", commands.OPTIONS),
        ("create grid-hunt bot=stupid", commands.OPTIONS),
        ("create grid-hunt fast", commands.OPTIONS),
        ("history 12", "Type history for your newest games, history more for older ones."),
        ("replay 0", commands.WHICH),
        ("replay last", commands.WHICH),
        ("replay 12 end", commands.WHICH),
        ("replay -1", commands.WHICH),
        ("replay 1 2 3", commands.WHICH),
        ("replay " + "9" * 5000, commands.WHICH),
    ],
)
def test_in_the_lobby_a_line_that_says_nothing_is_told_what_could_be_said(lobby, line, words):
    assert find_action.read_line(lobby, line) == Invalid(words)


@pytest.mark.parametrize("line", ["create", "create chess", "create grid"])
def test_a_game_that_is_not_there_or_not_the_only_one_leads_to_the_list(lobby, line):
    command = find_action.read_line(lobby, line)
    assert isinstance(command, Invalid)
    assert "treasure-hunt-duel, grid-hunt, grid-conquest, quantum-duel, secret-paths" in command.text


def test_rules_of_no_game_lead_to_the_list(lobby):
    command = find_action.read_line(lobby, "rules chess")
    assert isinstance(command, Invalid)
    assert command.text.startswith("Type rules and a game: treasure-hunt-duel, ")


def test_standings_of_a_game_that_is_not_there_lead_to_the_list(lobby):
    command = find_action.read_line(lobby, "standings chess")
    assert isinstance(command, Invalid)
    assert command.text.startswith("Type standings for all games together, or standings and one of these: treasure-")


def test_a_client_that_has_not_been_welcomed_yet_survives_a_line():
    assert isinstance(find_action.read_line(Model("a:1"), "create"), Invalid)


# At the table ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("line", "command"),
    [
        ("/chat hello  there", Ask(Chat(NO_ID, "hello  there"))),
        ("/C hi", Ask(Chat(NO_ID, "hi"))),
        ("/again", Ask(Again(NO_ID))),
        ("again", Ask(Again(NO_ID))),
        ("/resign", Confirm(commands.RESIGN, Resign(NO_ID))),
        ("/leave", Confirm(commands.LEAVE, Leave(NO_ID))),
        ("leave", Confirm(commands.LEAVE, Leave(NO_ID))),
        ("/lobby", Confirm(commands.LEAVE, Leave(NO_ID))),
        ("/claim", Ask(Claim(NO_ID))),
        ("/rules", TextPage("rules", "treasure-hunt-duel")),
        ("/rules grid-hunt", TextPage("rules", "grid-hunt")),
        ("/help", TextPage("help")),
        ("help", TextPage("help")),
        ("/mask", Toggle("mask")),
        ("/bell", Toggle("bell")),
        ("/board", Toggle("board")),
        ("/board Words", Toggle("words")),
        ("/history", Ask(AskHistory(NO_ID))),
        ("/replay 12", OpenReplay(12)),
        ("/standings grid-hunt", Ask(AskStandings(NO_ID, "grid-hunt"))),
        ("/quit", Quit()),
        ("QUERY 2B", Ask(Play(NO_ID, "QUERY 2B", 1))),
        ("q 2B", Ask(Play(NO_ID, "QUERY 2B", 1))),
        ("x 2B", Ask(Play(NO_ID, "x 2B", 1))),
        ("dance", Ask(Play(NO_ID, "dance", 1))),
    ],
)
def test_at_the_table_commands_start_with_a_slash_and_game_lines_do_not(line, command):
    assert find_action.read_line(at_table(), line) == command


def test_the_letter_of_an_action_without_a_cell_is_the_action():
    seat = Scenario("quantum-duel")
    for mover, line in ((1, "MOVE 3"), (1, "OBSERVE 5"), (2, "MOVE 6"), (2, "OBSERVE 1")):
        seat.types(mover, line)
    assert seat.controllers[1].model.to_act
    assert find_action.read_line(seat.controllers[1].model, "s") == Ask(
        Play(NO_ID, "STAY", seat.controllers[1].model.show.rev)
    )


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ("", "Type a line, or choose a cell with the arrow keys and press Enter."),
        ("/dance", find_action.TABLE_HELP),
        ("/", find_action.TABLE_HELP),
        ("/chat", "Type /chat and what you want to say."),
        ("/chat " + "x" * 301, "That is too long: at most 300 characters."),
        ("x" * 201, "That is too long for a line of the game."),
        ("/save a.json", "A game can be saved when it is over."),
        ("/save", "Type /save and the name of a file."),
    ],
)
def test_at_the_table_what_can_not_be_done_is_said(line, words):
    assert find_action.read_line(at_table(), line) == Invalid(words)


def test_when_the_game_is_over_leaving_is_not_asked_about_and_more_can_be_done():
    over = at_table(moment="end")
    assert find_action.read_line(over, "/leave") == Ask(Leave(NO_ID))
    assert find_action.read_line(over, "/moves") == TextPage("moves")
    assert find_action.read_line(over, "/save a b.json") == Save("a b.json")
    assert find_action.read_line(over, "/resign") == Invalid("There is no game to give up.")


def test_one_who_watches_leaves_without_a_question():
    assert find_action.read_line(at_table(seat=None), "/leave") == Ask(Leave(NO_ID))


def test_claim_is_a_word_of_the_room_only_while_there_is_something_to_claim():
    scenario = Scenario("grid-conquest")
    assert find_action.read_line(scenario.controllers[1].model, "claim") == ChooseCell(
        scenario.controllers[1].model.actions[0]
    )
    scenario.show(claimable=True)
    assert find_action.read_line(scenario.controllers[1].model, "claim") == Ask(Claim(NO_ID))


def test_a_menus_key_a_bare_verb_and_a_form_choose_an_action():
    model = at_table("grid-hunt", "middle")
    scan, dig = model.actions
    assert [find_action.read_line(model, line) for line in ("1", "2", "scan", "DIG {cell}")] == list(
        map(ChooseCell, (scan, dig, scan, dig))
    )


def test_an_action_without_a_cell_is_played_at_once():
    scenario = story("quantum-duel", "middle")
    scenario.types(1, "OBSERVE 7")
    assert find_action.read_line(scenario.controllers[2].model, "stay") == Ask(Play(NO_ID, "STAY", scenario.rev))


def test_where_only_one_thing_can_be_done_a_cell_is_enough():
    assert find_action.read_line(at_table("grid-hunt"), "2 3") == Ask(Play(NO_ID, "HIDE 2 3", 1))
    assert find_action.read_line(at_table("grid-conquest"), "C3") == Ask(Play(NO_ID, "C3", 1))


def test_in_a_room_that_waits_the_same_commands_work():
    model = waiting().model
    assert find_action.read_line(model, "/leave") == Ask(Leave(NO_ID))
    assert find_action.read_line(model, "QUERY 2B") == Ask(Play(NO_ID, "QUERY 2B", None))


# Completion -----------------------------------------------------------------------------------------------------------


def test_in_the_lobby_what_can_be_typed_is_offered(lobby):
    assert list_candidates(lobby, "create g") == ["create grid-hunt", "create grid-conquest"]
    assert list_candidates(lobby, "JOIN ") == ["join K7QX2M"], "only open rooms can be joined"
    assert list_candidates(lobby, "w") == ["watch K7QX2M", "watch 9FWT4C"]
    assert list_candidates(lobby, "x") == []


def test_at_the_table_only_legal_lines_are_offered():
    model = at_table(moment="middle", seat=2)
    queries = list_candidates(model, "que")
    assert "QUERY 4D" in queries
    assert not {"QUERY 2B", "QUERY 5A", "QUERY 3C"} & set(queries), "these have been queried"
    assert len(list_candidates(model, "")) == 22 + 25


def test_out_of_turn_nothing_is_offered_but_commands():
    model = at_table(moment="middle", seat=1)
    assert list_candidates(model, "") == []
    assert "/chat" in list_candidates(model, "/")


def test_before_the_end_moves_shows_the_seals():
    assert find_action.read_line(at_table(), "/moves") == TextPage("seals")


def test_only_commands_that_work_now_are_offered():
    assert list_candidates(at_table(), "/") == [
        *("/again", "/leave", "/moves", "/help", "/mask", "/rules", "/chat", "/resign", "/draw", "/words"),
        *("/history", "/replay", "/standings", "/bell", "/board", "/mouse", "/quit"),
    ]
    assert not {"/again", "/resign", "/save"} & set(list_candidates(at_table(seat=None), "/"))
    assert {"/moves", "/save"} <= set(list_candidates(at_table(moment="end"), "/"))
    assert list_candidates(at_table("secret-paths"), "/mas") == ["/mask"]
    scenario = Scenario("grid-hunt")
    scenario.show(claimable=True)
    assert list_candidates(scenario.controllers[1].model, "/cl") == ["/claim"]


def test_a_secret_that_is_covered_is_not_completed():
    model = at_table("grid-hunt")
    assert list_candidates(model, "") == list_candidates(model, "HI") == []
    assert suggest_rest(model, "HI", "2,3") == ""
    model.masked = False
    assert list_candidates(model, "hide 2") == [f"HIDE 2,{column}" for column in range(1, 6)]
    assert suggest_rest(model, "hi", "2,3") == "de 2,3"


def test_what_could_do_harm_is_not_offered():
    model = at_table()
    board = Board(Frame(("1",), ("1",), ("\x1b[2J",)), ("",), ("empty",))
    harm = Action("DIG", "DIG {cell}", "dig", ("\x1b[2J", "1,\u202e1", "1,2"))
    model.apply(Show(CODE, 2, (1,), 1, View("play", "", board, (), (harm,), {})))
    assert list_candidates(model, "DIG") == ["DIG 1,2"]


# Suggestion -----------------------------------------------------------------------------------------------------------


def test_the_cell_under_the_cursor_is_suggested():
    model = at_table()
    assert suggest_rest(model, "QU", "3C") == "ERY 3C"
    assert suggest_rest(model, "guess ", "3C") == "3c"
    assert suggest_rest(model, "GUESS 4", "3C") == "", "another cell is meant"
    assert suggest_rest(model, "g", "1D") == "uess 1d"
    assert suggest_rest(model, "g ", "1D") == "1d"
    assert suggest_rest(model, "guess 1d", "1D") == "", "the line is complete"


def test_what_is_a_complete_line_is_not_continued():
    model = at_table("secret-paths")
    model.masked = False
    assert suggest_rest(model, "GOAL 5", "5,3") == "", "it means the column"


def test_the_number_of_a_game_is_not_continued(lobby):
    lobby.apply(History(1, (past(finished(58, "grid-hunt")),), False))
    assert suggest_rest(lobby, "replay 5", None) == ""
    assert suggest_rest(lobby, "replay ", None) == "58"


def test_the_only_line_that_is_left_is_suggested(lobby):
    assert suggest_rest(lobby, "create q", None) == "uantum-duel"
    assert suggest_rest(lobby, "create g", None) == ""
    assert suggest_rest(lobby, " ", None) == ""


def test_games_that_were_listed_are_offered_by_their_numbers(lobby):
    table = at_table()
    for model in (lobby, table):
        model.apply(History(1, (past(finished(58, "grid-hunt")), past(finished(7, "grid-hunt"))), False))
    assert list_candidates(lobby, "rep") == ["replay 58", "replay 7"]
    assert list_candidates(table, "/replay ") == ["/replay 58", "/replay 7"]


def test_in_the_lobby_a_line_may_begin_with_a_slash(lobby):
    assert list_candidates(lobby, "/stan")[:2] == ["/standings", "/standings treasure-hunt-duel"]
    assert suggest_rest(lobby, "/hi", None) == "story"
