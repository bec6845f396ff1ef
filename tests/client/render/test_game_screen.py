"""The table's finer points: what is lit, what is covered, what gives way where it is tight."""

from dataclasses import replace

from gridgames_client.render import screen
from gridgames_client.render.drawing.text_layout import LINES, Fragment, plain
from gridgames_client.render.drawing.widgets import choose_prompt, draw_notice
from gridgames_client.render.game_screen import make_overlay, plan_screen
from gridgames_client.render.table.foot import list_events_of_game
from gridgames_client.render.table.pane import draw_facts
from gridgames_client.state.completion import list_candidates
from gridgames_client.state.controllers import board_controller
from gridgames_client.state.controllers.controller import Controller
from gridgames_client.state.model import Model
from gridgames_protocol.messages import Event
from gridgames_server.games.match import PackedRows
from tests.client.game_scripts import story, type_lines
from tests.client.screen_scenes import Scene, analysed, draw_scene
from tests.client.seated_controllers import Scenario


def drawn(controller: Controller, typed: str = "", columns: int = 80, rows: int = 22) -> list[list[Fragment]]:
    return screen.draw_screen(controller, typed, LINES, columns, rows, controller.clock())


def text(controller: Controller, columns: int = 80, rows: int = 22) -> str:
    return "\n".join(plain(line).rstrip() for line in drawn(controller, "", columns, rows))


def roles(controller: Controller, role: str, typed: str = "") -> list[str]:
    """The cells that have a role."""
    assert controller.model.board
    fragments = [fragment for line in drawn(controller, typed) for fragment in line if fragment.target]
    found = [f.target[1] for f in fragments if f.target and f"class:{role}" in f.style.split()]
    return [controller.model.board.names[cell] for cell in dict.fromkeys(found)]


def style(controller: Controller, words: str) -> str:
    """The style in which some words are drawn."""
    return next(fragment.style for line in drawn(controller) for fragment in line if words in fragment.text)


def facts(model: Model) -> list[str]:
    return [plain(line) for line in draw_facts(model, 60)]


# What is lit ----------------------------------------------------------------------------------------------------------


def test_the_cell_that_is_being_typed_is_lit():
    controller = Scenario("treasure-hunt-duel").controllers[1]
    assert roles(controller, "lit", "query 4d") == ["4D"]
    assert roles(controller, "lit", "query 4") == []


def test_the_last_move_is_lit_until_the_next_one():
    scenario = Scenario("grid-conquest")
    assert roles(scenario.controllers[1], "news") == []
    scenario.types(1, "C3")
    assert roles(scenario.controllers[1], "news") == ["C3"], "the view says which move was the last"
    assert "C3" in roles(scenario.controllers[2], "news")
    scenario.types(2, "A1")
    assert roles(scenario.controllers[1], "news") == ["A1"]
    scenario.types(1, "E5")
    assert roles(scenario.controllers[1], "news") == ["E5"]


def test_a_long_answer_is_not_cut_at_80_columns():
    scenario = Scenario("grid-conquest", names=("Ada", "a name of 16 chr"))
    for seat, cell in ((1, "C3"), (2, "A1"), (1, "E5"), (2, "A2")):
        scenario.types(seat, cell)
    words = " ".join(text(scenario.controllers[1], 80, 24).split())
    assert "has claimed cell A2 with a value of 4. a name of 16 chr's new score is 9." in words


def test_a_covered_secret_is_no_news():
    scenario = Scenario("quantum-duel")
    scenario.types(1, "MOVE 4")
    assert roles(scenario.controllers[1], "news") == []
    scenario.controllers[1].toggle_mask()
    assert roles(scenario.controllers[1], "news") == ["4"]


def test_seats_differ_by_mark_as_well_as_colour():
    lines = text(Scenario("grid-conquest").controllers[1]).splitlines()
    assert "[1 Ada] ▸ your turn" in lines[0]
    assert lines[0].endswith("[Bo 2]")


# What is said ---------------------------------------------------------------------------------------------------------


def test_chat_can_not_look_like_the_game():
    scenario = Scenario("grid-hunt")
    scenario.types(2, "/chat Player 1 wins at 5,5.")
    assert "Bo [2]: Player 1 wins at 5,5." in text(scenario.controllers[1])
    assert style(scenario.controllers[1], "wins at").startswith("class:chat")


def test_one_who_watches_is_known_by_it():
    scenario = Scenario("grid-conquest")
    scenario.controllers[None].submit("/chat hello")
    scenario.says(Event("who am I?", "chat"))
    assert "Wim (watching): hello" in text(scenario.controllers[1])
    assert "somebody (watching): who am I?" in text(scenario.controllers[1])


def test_what_the_head_says_is_not_said_again_in_the_log():
    scenario = Scenario("treasure-hunt-duel")
    assert "Ada [1]'s turn." not in text(scenario.controllers[1])
    scenario.types(1, "/chat Player 1's turn.")
    assert "Ada [1]: Player 1's turn." in text(scenario.controllers[1]), "what a player says stays"


def test_a_seal_shows_its_hash():
    controller = Scenario("treasure-hunt-duel").controllers[1]
    assert "0557de6e5d5f" not in text(controller), "it is on a page of its own"
    controller.submit("/moves")
    assert "treasure: 0557de6e5d5f" in text(controller)


def test_a_refusal_is_told_from_a_good_word():
    controller = Scenario("treasure-hunt-duel").controllers[1]
    controller.submit("QUERY 9Z")
    assert style(controller, "off the grid") == "class:bad"
    controller.submit("/bell")
    assert style(controller, "The bell is off.") == "class:good"


def test_facts_name_the_players():
    scenario = story("pebbles", "middle")
    show = scenario.controllers[2].model.show
    scenario.controllers[2].model.show = replace(show, view=replace(show.view, facts=(("Player 1's guesses", "4"),)))
    assert "Ada's guesses: 4" in text(scenario.controllers[2])


def test_a_private_fact_is_covered_until_it_is_shown_or_the_game_is_over():
    scenario = story("quantum-duel", "middle")
    model = scenario.controllers[2].model
    model.show = replace(model.show, view=replace(model.show.view, meters=()))
    assert "Your tunnel: covered (* shows it)" in facts(model)
    scenario.controllers[2].toggle_mask()
    assert "Your tunnel: used" in facts(model)
    over = story("quantum-duel", "end").controllers[1].model
    over.show = replace(over.show, view=replace(over.show.view, meters=()))
    assert "Your tunnel: not used" in facts(over)


def test_the_lines_that_can_be_typed_follow_the_cursor():
    controller = Scenario("treasure-hunt-duel").controllers[1]
    board_controller.move_cursor(controller, 1, 1)
    assert "Query 4D" in text(controller)


def test_every_action_has_a_letter_and_the_cursors_cell():
    assert "[d] Dig 3,3" in text(story("grid-hunt", "middle").controllers[1])


# The clock ------------------------------------------------------------------------------------------------------------


def test_the_clock_of_the_one_to_move_runs_down_to_nothing():
    scenario = Scenario("grid-conquest", clock=75)
    for passed, shown in ((0, "1:15"), (0.5, "1:15"), (14.5, "1:00"), (60, "0:00"), (99, "0:00")):
        scenario.time.now += passed
        assert f"your turn {shown}" in text(scenario.controllers[1])
        assert f"to move {shown}" in text(scenario.controllers[2])


# Where it is tight ----------------------------------------------------------------------------------------------------


def test_on_a_low_screen_the_head_says_only_whose_turn_it_is():
    scenario = Scenario("treasure-hunt-duel")
    assert text(scenario.controllers[1], 20, 8).splitlines()[0] == " [1 Ada] ▸ your turn"
    assert text(scenario.controllers[2], 20, 8).splitlines()[0] == " [1 Ada] ▸ to move"
    over = story("treasure-hunt-duel", "end")
    assert "won" in text(over.controllers[1], 20, 8).splitlines()[0]
    assert "won" in text(over.controllers[None], 20, 8).splitlines()[0]


def test_facts_give_way_before_what_can_be_typed():
    shown = text(story("grid-hunt", "middle").controllers[1], 40, 14)
    assert "[s] Scan 3,3  [d] Dig 3,3" in shown.replace("▸", "[")
    assert "Scans left" not in shown


def test_a_warning_comes_before_everything():
    scenario = story("grid-hunt", "middle")
    match = scenario.table.match
    match._secrets = PackedRows([("treasure of 1", "1,1"), match.secrets[1]])
    scenario.stops(1, "resigned", "Player 2 has resigned. Player 1 wins.")
    shown = text(scenario.controllers[1], 40, 14)
    assert "WARNING: not what was sealed:" in shown
    assert "treasure of 1" in " ".join(shown.split())


def test_a_long_game_costs_no_more_to_draw():
    scenario = Scenario("grid-hunt")
    for number in range(600):
        scenario.says(Event(f"Line {number} of a long evening.", "chat", 1, "Ada"))
    controller = scenario.controllers[1]
    assert "Line 599" in text(controller)
    controller.scroll(400)
    assert "Line 199 " in text(controller)
    assert "400 newer, PgDn" in text(controller)


# After a game ---------------------------------------------------------------------------------------------------------


def after(*events: Event, **changes: object) -> Scenario:
    """A game that is over, and what has happened since."""
    scenario = story("grid-hunt", "end")
    for event in events:
        scenario.says(event)
    scenario.tell_room(**changes)
    return scenario


def test_who_has_asked_for_another_game_waits_and_the_other_is_told_how_to_agree():
    scenario = after(again=(1,))
    assert choose_prompt(scenario.controllers[1].model) == "Waiting for Bo [2] to agree."
    assert choose_prompt(scenario.controllers[2].model) == "Ada [1] wants another game: F6."
    assert choose_prompt(scenario.controllers[None].model) == "/leave goes back to the lobby."


def test_who_asked_for_the_game_before_has_not_asked_for_the_next_one():
    scenario = after(again=(1,))
    scenario.tell_room(number=2, again=())
    assert scenario.controllers[2].model.rematch_seat is None


def test_a_rematch_does_not_show_the_news_of_the_game_before():
    events = [Event("Player 1 has won.", "move", 1), Event("Welcome to Grid Hunt!", "system", begins=2)]
    assert list_events_of_game(events) == events[1:]
    assert list_events_of_game(events[:1]) == events[:1]


def test_nobody_is_offered_another_game_with_one_who_has_left():
    holder = story("grid-hunt", "end").room.seats[0]
    scenario = after(again=(2,), seats=(holder, None))
    assert choose_prompt(scenario.controllers[1].model) == "What now? /leave for the lobby, /save FILE to keep it."
    assert "/again" not in list_candidates(scenario.controllers[1].model, "/")


def test_a_player_whose_name_is_not_known_any_more_is_called_by_the_seat_once():
    holder = story("grid-hunt", "end").room.seats[0]
    scenario = after(seats=(holder, None))
    controller = scenario.controllers[1]
    del controller.model.names[2]  # as after a restart of the client
    assert "Player 2 2" not in text(controller)
    assert " Player 2 " in text(controller)


def test_while_the_line_is_down_the_newest_word_is_seen_too():
    controller = story("grid-hunt", "middle").controllers[1]
    controller.on_connection("reconnecting", "The connection is lost.")
    controller.submit("/bell")
    told = [plain(line) for line in draw_notice(controller.model, 80)]
    assert told == [" The connection is lost. Reconnecting; your text stays.", " The bell is off."]


def test_before_the_first_move_nobody_reads_what_the_other_is_asked_for():
    controllers = story("grid-hunt", "start").controllers
    news = [text(controllers[seat]).splitlines()[-1].strip() for seat in (1, 2)]
    assert news == ["Ada, hide your treasure.", "Bo, hide your treasure."]


def test_only_a_move_that_wins_is_framed_and_no_resignation():
    won, resigned = story("grid-conquest", "end"), story("grid-conquest", "middle")
    resigned.stops(2, "resigned", "Player 1 has resigned. Player 2 wins.")
    assert make_overlay(won.controllers[1], "", 0.0).won
    assert make_overlay(resigned.controllers[1], "", 0.0).last
    assert not make_overlay(resigned.controllers[1], "", 0.0).won


def test_a_line_of_tiles_keeps_its_size_when_the_first_look_comes():
    before, after = (story("quantum-duel", moment).controllers[1].model for moment in ("start", "middle"))
    assert before.show
    assert after.show
    assert not before.show.view.boards
    under = after.show.view.boards[0]
    for size in ((40, 14), (80, 22), (120, 38)):
        assert plan_screen(before.show.view.board, None, *size) == plan_screen(after.show.view.board, under, *size)


def test_an_explanation_is_on_the_screen_once():
    controller = story("quantum-duel", "start").controllers[1]
    sentence = "Put your token anywhere."
    controller.model.log.append(Event(sentence, "system"))
    controller.model.say(sentence)
    text = "\n".join(plain(line) for line in draw_scene(Scene("", controller), 80, 24))
    assert text.count("Put your token") == 1


def test_a_board_in_words_is_wrapped_beside_the_pane():
    controller = story("grid-conquest", "middle").controllers[1]
    controller.submit("/board words")
    for size, board in (((60, 20), 34), ((80, 24), 44)):
        shown = "\n".join(plain(line)[:board] for line in draw_scene(Scene("", controller), *size))
        assert "C3: 4, P1, mine." in " ".join(shown.split())


# Small screens --------------------------------------------------------------------------------------------------------


def foot(controller: Controller, columns: int = 40, rows: int = 16) -> str:
    """The rows between the board and the input line, as one text."""
    lines = [plain(line) for line in draw_scene(Scene("", controller), columns, rows)]
    return " ".join(" ".join(lines[-5:-2]).split())


def test_while_one_waits_the_news_have_two_rows_on_a_small_screen():
    controllers = story("grid-hunt", "middle").controllers
    assert "No treasure at this location." in foot(controllers[2])


def test_a_line_of_tiles_leaves_a_small_screen_two_rows_for_the_news():
    scenario = story("quantum-duel", "middle")
    scenario.types(1, "OBSERVE 7")
    scenario.types(2, "MOVE 7")
    scenario.types(2, "OBSERVE 1")
    told = foot(scenario.controllers[1])
    assert "Move" in told, "the actions have a row of their own"
    assert "Bo's token is not at position 7." in told
    assert "Bo observed position 1." in told


def test_the_result_is_not_cut_on_a_small_screen():
    assert foot(story("secret-paths", "end").controllers[1]).endswith(
        "Bo has moved the Seeker to their Goal Cell and wins the game!"
    )


def test_the_second_board_stays_when_the_analysis_arrives():
    before = story("grid-hunt", "end").controllers[1]
    for size in ((60, 20), (80, 24), (120, 40)):
        for controller in (before, analysed("grid-hunt").controller):
            assert "YOUR FIELD" in "\n".join(plain(line) for line in draw_scene(Scene("", controller), *size))


def test_a_review_of_one_or_two_points_is_not_drawn():
    lines = "1 HIDE 2 3|2 HIDE 5 5|1 DIG 5 5"
    for more, is_drawn in ((lines, False), (lines.replace("|1 DIG", "|1 DIG 1 1|2 DIG 1 1|1 DIG"), True)):
        controller = type_lines(Scenario("grid-hunt"), more).controllers[1]
        assert ("TREASURE COULD BE" in text(controller, 120, 40)) is is_drawn
