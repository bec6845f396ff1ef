"""What a typed line wishes for, and which lines are offered."""

import pytest

from gridgames_client import commands
from gridgames_client.commands import NO_ID, Ask, Confirm, Pick, Quit, Rerun, Save, Toggle, Turn, Wrong
from gridgames_client.completion import candidates, suggestion
from gridgames_client.model import Model
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
from tests.client.evening import CODE, Evening, in_lobby, listed
from tests.client.scenes import waiting
from tests.client.shelf import finished, past
from tests.client.stories import story


@pytest.fixture
def lobby() -> Model:
    return in_lobby(listed("K7QX2M"), listed("9FWT4C", state="playing")).desk.model


def at_table(slug: str = "treasure-hunt-duel", moment: str = "start", seat: int | None = 1) -> Model:
    return story(slug, moment).desks[seat].model


# In the lobby ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("line", "wish"),
    [
        ("create grid-hunt", Ask(Create(NO_ID, "grid-hunt"))),
        ("/CREATE Grid-Hunt First=Host clock=60 private", Ask(Create(NO_ID, "grid-hunt", "host", None, True, 60))),
        ("new quantum bot=hard private=no", Ask(Create(NO_ID, "quantum-duel", "random", "hard", False, None))),
        ("join k7qx2m", Ask(Join(NO_ID, "K7QX2M"))),
        ("watch 9FWT4C", Ask(Watch(NO_ID, "9FWT4C"))),
        ("rules secret", Turn("rules", "secret-paths")),
        ("help", Turn("help")),
        ("?", Turn("help")),
        ("bell", Toggle("bell")),
        ("/board words", Toggle("words")),
        ("board", Toggle("board")),
        ("history", Ask(AskHistory(NO_ID))),
        ("/history more", Ask(AskHistory(NO_ID))),
        ("replay", Ask(AskHistory(NO_ID))),
        ("REPLAY 12", Rerun(12)),
        ("/replay 12 3", Rerun(12, 3)),
        ("standings", Ask(AskStandings(NO_ID))),
        ("standings Quantum", Ask(AskStandings(NO_ID, "quantum-duel"))),
        ("quit", Quit()),
        ("exit", Quit()),
    ],
)
def test_in_the_lobby_a_line_does_what_it_says(lobby, line, wish):
    assert commands.read(lobby, f"  {line} ") == wish


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
    assert commands.read(lobby, line) == Wrong(words)


@pytest.mark.parametrize("line", ["create", "create chess", "create grid"])
def test_a_game_that_is_not_there_or_not_the_only_one_leads_to_the_list(lobby, line):
    wish = commands.read(lobby, line)
    assert isinstance(wish, Wrong)
    assert "treasure-hunt-duel, grid-hunt, grid-conquest, quantum-duel, secret-paths" in wish.text


def test_rules_of_no_game_lead_to_the_list(lobby):
    wish = commands.read(lobby, "rules chess")
    assert isinstance(wish, Wrong)
    assert wish.text.startswith("Type rules and a game: treasure-hunt-duel, ")


def test_standings_of_a_game_that_is_not_there_lead_to_the_list(lobby):
    wish = commands.read(lobby, "standings chess")
    assert isinstance(wish, Wrong)
    assert wish.text.startswith("Type standings for all games together, or standings and one of these: treasure-")


def test_a_client_that_has_not_been_welcomed_yet_survives_a_line():
    assert isinstance(commands.read(Model("a:1"), "create"), Wrong)


# At the table ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("line", "wish"),
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
        ("/rules", Turn("rules", "treasure-hunt-duel")),
        ("/rules grid-hunt", Turn("rules", "grid-hunt")),
        ("/help", Turn("help")),
        ("help", Turn("help")),
        ("/mask", Toggle("mask")),
        ("/bell", Toggle("bell")),
        ("/board", Toggle("board")),
        ("/board Words", Toggle("words")),
        ("/history", Ask(AskHistory(NO_ID))),
        ("/replay 12", Rerun(12)),
        ("/standings grid-hunt", Ask(AskStandings(NO_ID, "grid-hunt"))),
        ("/quit", Quit()),
        ("QUERY 2B", Ask(Play(NO_ID, "QUERY 2B", 1))),
        ("dance", Ask(Play(NO_ID, "dance", 1))),
    ],
)
def test_at_the_table_commands_start_with_a_slash_and_lines_of_the_game_are_typed_as_they_are(line, wish):
    assert commands.read(at_table(), line) == wish


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ("", "Type a line, or choose a cell with the arrow keys and press Enter."),
        ("/dance", commands.TABLE_HELP),
        ("/", commands.TABLE_HELP),
        ("/chat", "Type /chat and what you want to say."),
        ("/chat " + "x" * 301, "That is too long: at most 300 characters."),
        ("x" * 201, "That is too long for a line of the game."),
        ("/moves", "The moves are shown when the game is over."),
        ("/save a.json", "A game can be saved when it is over."),
        ("/save", "Type /save and the name of a file."),
    ],
)
def test_at_the_table_what_can_not_be_done_is_said(line, words):
    assert commands.read(at_table(), line) == Wrong(words)


def test_when_the_game_is_over_leaving_is_not_asked_about_and_more_can_be_done():
    over = at_table(moment="end")
    assert commands.read(over, "/leave") == Ask(Leave(NO_ID))
    assert commands.read(over, "/moves") == Turn("moves")
    assert commands.read(over, "/save a b.json") == Save("a b.json")
    assert commands.read(over, "/resign") == Wrong("There is no game to give up.")


def test_one_who_watches_leaves_without_a_question():
    assert commands.read(at_table(seat=None), "/leave") == Ask(Leave(NO_ID))


def test_claim_is_a_word_of_the_room_only_while_there_is_something_to_claim():
    evening = Evening("grid-conquest")
    assert commands.read(evening.desks[1].model, "claim") == Pick(evening.desks[1].model.actions[0])
    evening.show(claimable=True)
    assert commands.read(evening.desks[1].model, "claim") == Ask(Claim(NO_ID))


def test_a_menus_key_a_bare_verb_and_a_form_choose_an_action():
    model = at_table("grid-hunt", "middle")
    scan, dig = model.actions
    assert [commands.read(model, line) for line in ("1", "2", "scan", "DIG {cell}")] == list(
        map(Pick, (scan, dig, scan, dig))
    )


def test_an_action_without_a_cell_is_played_at_once():
    evening = story("quantum-duel", "middle")
    evening.types(1, "OBSERVE 7")
    assert commands.read(evening.desks[2].model, "stay") == Ask(Play(NO_ID, "STAY", evening.rev))


def test_where_only_one_thing_can_be_done_a_cell_is_enough():
    assert commands.read(at_table("grid-hunt"), "2 3") == Ask(Play(NO_ID, "HIDE 2 3", 1))
    assert commands.read(at_table("grid-conquest"), "C3") == Ask(Play(NO_ID, "C3", 1))


def test_in_a_room_that_waits_the_same_commands_work():
    model = waiting().model
    assert commands.read(model, "/leave") == Ask(Leave(NO_ID))
    assert commands.read(model, "QUERY 2B") == Ask(Play(NO_ID, "QUERY 2B", None))


# Completion -----------------------------------------------------------------------------------------------------------


def test_in_the_lobby_what_can_be_typed_is_offered(lobby):
    assert candidates(lobby, "create g") == ["create grid-hunt", "create grid-conquest"]
    assert candidates(lobby, "JOIN ") == ["join K7QX2M"], "only open rooms can be joined"
    assert candidates(lobby, "w") == ["watch K7QX2M", "watch 9FWT4C"]
    assert candidates(lobby, "x") == []


def test_at_the_table_only_legal_lines_are_offered():
    model = at_table(moment="middle", seat=2)
    queries = candidates(model, "que")
    assert "QUERY 4D" in queries
    assert not {"QUERY 2B", "QUERY 5A", "QUERY 3C"} & set(queries), "these have been queried"
    assert len(candidates(model, "")) == 22 + 25


def test_out_of_turn_nothing_is_offered_but_commands():
    model = at_table(moment="middle", seat=1)
    assert candidates(model, "") == []
    assert "/chat" in candidates(model, "/")


def test_only_commands_that_work_now_are_offered():
    assert candidates(at_table(), "/") == [
        "/chat",
        "/again",
        "/resign",
        "/rules",
        "/bell",
        "/board",
        "/history",
        "/replay",
        "/standings",
        "/leave",
        "/help",
        "/quit",
    ]
    assert candidates(at_table(seat=None), "/")[:4] == ["/chat", "/rules", "/bell", "/board"]
    assert {"/moves", "/save"} <= set(candidates(at_table(moment="end"), "/"))
    assert candidates(at_table("secret-paths"), "/m") == ["/mask"]
    evening = Evening("grid-hunt")
    evening.show(claimable=True)
    assert candidates(evening.desks[1].model, "/cl") == ["/claim"]


def test_a_secret_that_is_covered_is_completed_only_as_far_as_its_verb():
    model = at_table("grid-hunt")
    assert candidates(model, "") == ["HIDE "]
    assert candidates(model, "HIDE 2") == []
    assert suggestion(model, "HI", "2,3") == ""
    model.masked = False
    assert candidates(model, "hide 2") == [f"HIDE 2,{column}" for column in range(1, 6)]
    assert suggestion(model, "hi", "2,3") == "de 2,3"


def test_what_could_do_harm_is_not_offered():
    model = at_table()
    board = Board(Frame(("1",), ("1",), ("\x1b[2J",)), ("",), ("empty",))
    harm = Action("DIG", "DIG {cell}", "dig", ("\x1b[2J", "1,\u202e1", "1,2"))
    model.apply(Show(CODE, 2, (1,), 1, View("play", "", board, (), (harm,), {})))
    assert candidates(model, "DIG") == ["DIG 1,2"]


# Suggestion -----------------------------------------------------------------------------------------------------------


def test_the_cell_under_the_cursor_is_suggested():
    model = at_table()
    assert suggestion(model, "QU", "3C") == "ERY 3C"
    assert suggestion(model, "guess ", "3C") == "3c"
    assert suggestion(model, "GUESS 4", "3C") == "", "another cell is meant"


def test_the_only_line_that_is_left_is_suggested(lobby):
    assert suggestion(lobby, "create q", None) == "uantum-duel"
    assert suggestion(lobby, "create g", None) == ""
    assert suggestion(lobby, " ", None) == ""


def test_games_that_were_listed_are_offered_by_their_numbers(lobby):
    table = at_table()
    for model in (lobby, table):
        model.look_back(
            History(1, (past(finished(58, "grid-hunt")), past(finished(7, "grid-hunt"))), False), older=False
        )
    assert candidates(lobby, "rep") == ["replay 58", "replay 7"]
    assert candidates(table, "/replay ") == ["/replay 58", "/replay 7"]


def test_in_the_lobby_a_line_may_begin_with_a_slash(lobby):
    assert candidates(lobby, "/stan")[:2] == ["/standings", "/standings treasure-hunt-duel"]
    assert suggestion(lobby, "/hi", None) == "story"
