"""The table's finer points: what is lit, what is covered, what gives way where it is tight."""

from dataclasses import replace

from gridgames_client import render
from gridgames_client.completion import candidates
from gridgames_client.desk import Desk
from gridgames_client.paint import LINES, Fragment, plain
from gridgames_client.parts import own_word, prompt
from gridgames_protocol.messages import Event
from tests.client.evening import Evening
from tests.client.stories import story


def drawn(desk: Desk, typed: str = "", columns: int = 80, rows: int = 22) -> list[list[Fragment]]:
    return render.screen(desk, typed, LINES, columns, rows, desk.clock())


def text(desk: Desk, columns: int = 80, rows: int = 22) -> str:
    return "\n".join(plain(line).rstrip() for line in drawn(desk, "", columns, rows))


def roles(desk: Desk, role: str, typed: str = "") -> list[str]:
    """The cells that have a role."""
    assert desk.model.board
    fragments = [fragment for line in drawn(desk, typed) for fragment in line if fragment.target]
    return [desk.model.board.names[f.target[1]] for f in fragments if f.target and f"class:{role}" in f.style.split()]


def style(desk: Desk, words: str) -> str:
    """The style in which some words are drawn."""
    return next(fragment.style for line in drawn(desk) for fragment in line if words in fragment.text)


# What is lit ----------------------------------------------------------------------------------------------------------


def test_the_cell_that_is_being_typed_is_lit():
    desk = Evening("treasure-hunt-duel").desks[1]
    assert roles(desk, "lit", "query 4d") == ["4D"]
    assert roles(desk, "lit", "query 4") == []


def test_what_the_other_has_done_since_ones_last_turn_is_news_until_ones_next():
    evening = Evening("grid-conquest")
    assert roles(evening.desks[1], "news") == []
    evening.types(1, "C3")
    assert roles(evening.desks[1], "news") == [], "one's own deed is no news"
    assert "C3" in roles(evening.desks[2], "news")
    evening.types(2, "A1")
    assert set(roles(evening.desks[1], "news")) == {"A1", "A2", "B1"}
    evening.types(1, "E5")
    assert roles(evening.desks[1], "news") == []


def test_a_covered_secret_is_no_news():
    evening = Evening("quantum-duel")
    evening.types(1, "MOVE 4")
    assert roles(evening.desks[1], "news") == []
    evening.desks[1].toggle_mask()
    assert roles(evening.desks[1], "news") == ["4"]


def test_seats_differ_by_mark_as_well_as_colour():
    lines = text(Evening("grid-conquest").desks[1]).splitlines()
    assert "▶ Ada [1]" in lines[1]
    assert "Bo [2]" in lines[1]


# What is said ---------------------------------------------------------------------------------------------------------


def test_chat_can_not_look_like_the_game():
    evening = Evening("grid-hunt")
    evening.types(2, "/chat Player 1 wins: the treasure was at 5,5.")
    assert "Bo [2]: Player 1 wins: the treasure was at 5,5." in text(evening.desks[1])
    assert style(evening.desks[1], "the treasure was at") == "class:chat"


def test_one_who_watches_is_known_by_it():
    evening = Evening("grid-hunt")
    evening.desks[None].submit("/chat hello")
    evening.says(Event("who am I?", "chat"))
    assert "Wim (watching): hello" in text(evening.desks[1])
    assert "somebody (watching): who am I?" in text(evening.desks[1])


def test_what_the_head_says_is_not_said_again_in_the_log():
    evening = Evening("treasure-hunt-duel")
    assert "Ada [1]'s turn." not in text(evening.desks[1])
    evening.types(1, "/chat Player 1's turn.")
    assert "Ada [1]: Player 1's turn." in text(evening.desks[1]), "what a player says stays"


def test_a_seal_shows_its_hash():
    assert "Sealed: treasure (0557de6e5d5f)." in text(Evening("treasure-hunt-duel").desks[1])


def test_a_refusal_is_told_from_a_good_word():
    desk = Evening("treasure-hunt-duel").desks[1]
    desk.submit("QUERY 9Z")
    assert style(desk, "off the grid") == "class:bad"
    desk.submit("/bell")
    assert style(desk, "The bell is off.") == "class:good"


def test_facts_name_the_players():
    assert "Ada [1]'s score: 9" in text(story("grid-conquest", "middle").desks[2])


def test_a_private_fact_is_covered_until_it_is_shown_or_the_game_is_over():
    evening = story("quantum-duel", "middle")
    assert "Your tunnel: covered (F4 shows it)" in text(evening.desks[2])
    evening.desks[2].toggle_mask()
    assert "Your tunnel: used" in text(evening.desks[2])
    assert "Your tunnel: not used" in text(story("quantum-duel", "end").desks[1])


def test_the_lines_that_can_be_typed_follow_the_cursor():
    desk = Evening("treasure-hunt-duel").desks[1]
    desk.move_cursor(1, 1)
    assert "QUERY 4D" in text(desk)


def test_the_menus_keys_are_told():
    assert "2 or DIG 3,3" in text(story("grid-hunt", "middle").desks[1])


# The clock ------------------------------------------------------------------------------------------------------------


def test_the_clock_of_the_one_to_move_runs_down_to_nothing():
    evening = Evening("grid-conquest", clock=75)
    for passed, shown in ((0, "1:15"), (0.5, "1:15"), (14.5, "1:00"), (60, "0:00"), (99, "0:00")):
        evening.time.now += passed
        assert f"your turn  {shown}" in text(evening.desks[1])
        assert f"to move  {shown}" in text(evening.desks[2])


# Where it is tight ----------------------------------------------------------------------------------------------------


def test_on_a_low_screen_the_head_says_only_whose_turn_it_is():
    evening = Evening("treasure-hunt-duel")
    assert text(evening.desks[1], 30, 8).splitlines()[0] == " ▶   your turn"
    assert text(evening.desks[2], 30, 8).splitlines()[0] == " ▶ Ada [1]  to move"
    over = story("treasure-hunt-duel", "end")
    assert "you: won" in text(over.desks[1], 30, 8).splitlines()[0]
    assert "won" in text(over.desks[None], 30, 8).splitlines()[0]


def test_facts_give_way_before_what_can_be_typed():
    shown = text(story("grid-hunt", "middle").desks[1], 40, 14)
    assert "1 or SCAN 3,3; 2 or DIG 3,3" in shown
    assert "Scans left" not in shown


def test_a_warning_comes_before_everything():
    evening = story("grid-hunt", "middle")
    evening.table.match.secrets[0] = replace(evening.table.match.secrets[0], value="1,1")
    evening.stops(1, "resigned", "Player 2 has resigned. Player 1 wins.")
    shown = text(evening.desks[1], 40, 14)
    assert "WARNING: not what was sealed:" in shown
    assert "treasure of 1" in shown


def test_a_long_game_costs_no_more_to_draw():
    evening = Evening("grid-hunt")
    for number in range(600):
        evening.says(Event(f"Line {number} of a long evening.", "chat", 1, "Ada"))
    desk = evening.desks[1]
    assert "Line 599" in text(desk)
    desk.scroll(400)
    assert "Line 199 " in text(desk)
    assert "400 newer, PgDn" in text(desk)


# After a game ---------------------------------------------------------------------------------------------------------


def after(*events: Event, **changes: object) -> Evening:
    """A game that is over, and what has happened since."""
    evening = story("grid-hunt", "end")
    for event in events:
        evening.says(event)
    evening.tell_room(**changes)
    return evening


def asks(seat: int) -> Event:
    return Event(f"Player {seat} asks for another game.", "system", seat)


def test_who_has_asked_for_another_game_waits_and_the_other_is_told_how_to_agree():
    evening = after(asks(1))
    assert prompt(evening.desks[1].model) == "Waiting for Bo [2] to agree."
    assert prompt(evening.desks[2].model) == "Ada [1] wants another game: F6."
    assert prompt(evening.desks[None].model) == "/leave goes back to the lobby."


def test_who_asked_for_the_game_before_has_not_asked_for_the_next_one():
    evening = after(asks(1), Event("Welcome to Grid Hunt!", "system"))
    assert prompt(evening.desks[2].model).startswith("What now? /again")


def test_nobody_is_offered_another_game_with_one_who_has_left():
    holder = story("grid-hunt", "end").room.seats[0]
    evening = after(asks(2), seats=(holder, None))
    assert prompt(evening.desks[1].model) == "What now? /leave for the lobby, /save FILE to keep it."
    assert "/again" not in candidates(evening.desks[1].model, "/")


def test_while_the_line_is_down_the_newest_word_is_seen_too():
    desk = story("grid-hunt", "middle").desks[1]
    desk.line_is("reconnecting", "The connection is lost.")
    desk.submit("/bell")
    told = [plain(line) for line in own_word(desk.model, 80)]
    assert told == [" The connection is lost. Reconnecting; your line stays.", " The bell is off."]
