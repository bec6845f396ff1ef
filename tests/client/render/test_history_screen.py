"""How finished games look: the list, a step of a replay, standings, and all of it in sentences."""

from dataclasses import replace

import pytest

from gridgames_client.render import overlays
from gridgames_client.render.drawing.text_layout import ASCII, LINES, plain, width
from gridgames_client.render.past_games import history_screen, replay_screen
from gridgames_client.render.past_games.history_screen import NONE_YET
from gridgames_client.state.controllers.controller import Controller
from gridgames_client.state.history.replay import PastGames, Replaying
from gridgames_protocol.messages import Standing, Standings
from tests.client.finished_games import at_shelf, finished, past
from tests.client.seated_controllers import Scenario, in_lobby

HUNT, DUEL = finished(3, "grid-hunt"), finished(12, "quantum-duel", "Bot (hard)")
OLD = replace(past(HUNT), number=1)


def shelf(line: str, *games: object) -> Controller:
    """A controller in the lobby, after a line."""
    seat = at_shelf(in_lobby(), *(games or (HUNT, DUEL)))
    seat.controller.submit(line)
    return seat.controller


def listed(controller: Controller, columns: int = 80, rows: int = 22) -> list[str]:
    assert isinstance(controller.page, PastGames)
    return [
        plain(line).rstrip()
        for line in history_screen.draw_past_games(controller, controller.page, ASCII, columns, rows)
    ]


def replayed(controller: Controller, columns: int = 80, rows: int = 22) -> list[str]:
    assert isinstance(controller.page, Replaying)
    return [
        plain(line).rstrip() for line in replay_screen.draw_replay(controller, controller.page, ASCII, columns, rows)
    ]


# The list -------------------------------------------------------------------------------------------------------------


def test_the_list_has_number_game_opponent_result_and_when():
    assert listed(shelf("history"))[2:5] == [
        "   No.  Game          Against     Result           When",
        " > 12   Quantum Duel  Bot (hard)  won (collision)  2026-08-01 16:12",
        "   3    Grid Hunt     Bo          won (treasure)   2026-08-01 16:03",
    ]


def test_a_row_can_be_clicked():
    controller = shelf("history")
    assert isinstance(controller.page, PastGames)
    lines = history_screen.draw_past_games(controller, controller.page, LINES, 80, 22)
    assert [fragment.target for line in lines[3:5] for fragment in line] == [("row", 0), ("row", 1)]


def test_an_empty_list_says_so():
    controller = at_shelf(in_lobby()).controller
    controller.submit("history")
    assert listed(controller)[2] == f"  {NONE_YET}"


@pytest.mark.parametrize("columns", [20, 40, 59, 60, 66, 80, 132])
def test_a_list_fits_whatever_the_names_are(columns):
    controller = shelf("history")
    controller.model.past_games = tuple(
        replace(OLD, number=10**9 + number, names=("W" * 16, "漢字漢字漢字漢字"), title="T" * 40, reason="r" * 40)
        for number in range(50)
    )
    assert isinstance(controller.page, PastGames)
    lines = history_screen.draw_past_games(controller, controller.page, LINES, columns, 22)
    assert max(map(width, lines)) <= columns
    assert any(str(10**9) in plain(line) for line in lines)


def test_in_a_long_list_the_chosen_game_is_in_sight_and_older_ones_are_announced():
    controller = shelf("history", *(HUNT._replace(number=number) for number in range(1, 30)))
    controller.page = PastGames(19)
    lines = listed(controller, rows=14)
    assert " > 10   Grid Hunt" in "\n".join(lines)
    assert lines[-1] == "   ~ older ones, further down"
    controller.page = PastGames(0)
    assert " > 29   Grid Hunt" in "\n".join(listed(controller, rows=14))


def test_a_refusal_stands_below_the_list():
    controller = shelf("history", finished(3, "grid-hunt", edition=7))
    controller.submit("3")
    assert listed(controller)[-1] == " That game was played by older rules, which this server does not know."


# A step ---------------------------------------------------------------------------------------------------------------


def test_a_step_shows_the_players_the_board_and_what_led_there():
    assert [line.rstrip() for line in replayed(shelf("replay 3 4"))[:6]] == [
        " [1 Ada] you won                 Grid Hunt   game 3                 lost [Bo 2]",
        " " + "=" * 45 + "-" * 33,
        "  +-- 1 --+-- 2 --+-- 3 --+-- 4 --+-- 5 --+",
        "  |       |.......|.......|.......|       |   Step 4 of 7       As you saw it.",
        " 1|   ?   |.......|.......|.......|   ?   |   [Bo 2] SCAN 1 1",
        "  +-------+-------+-------+-------+-------+   ? This was a mistake. Scan 1,1",
    ]


def test_the_head_of_a_drawn_game_speaks_to_the_player():
    drawn = HUNT._replace(winner=None, reason="agreed", text="Both players agree to a draw.")
    head = replayed(shelf("replay 3 4", drawn))[0]
    assert "[1 Ada] you drew" in head
    assert "draw [Bo 2]" in head


def test_the_start_has_no_line_that_led_there():
    assert "The start." in "\n".join(replayed(shelf("replay 3")))


def test_whose_eyes_these_are_is_told():
    controller = shelf("replay 3 4")
    seen = []
    for word in ("mine", "theirs", "open"):
        controller.submit(word)
        seen.append(next(line for line in replayed(controller) if "saw it" in line or "open." in line)[57:].strip())
    assert seen == ["As you saw it.", "As Bo [2] saw it.", "Everything is open."]


def test_nothing_is_covered_in_a_game_that_is_over():
    controller = shelf("replay 3 2")
    assert controller.model.masked
    assert "Your treasure: (2,3)" in "\n".join(replayed(controller))
    controller.submit("open")
    text = "\n".join(replayed(controller))
    assert " 5|       |       |       |       |   T   |" in text


def test_how_it_ended_is_told_at_the_last_step_alone():
    controller = shelf("replay 3 6")
    assert "wins" not in "\n".join(replayed(controller))
    controller.submit("next")
    assert "* Ada wins:" in "\n".join(replayed(controller))


def test_what_a_step_has_changed_is_lit():
    controller = shelf("replay 3 2")
    controller.submit("next")
    assert isinstance(controller.page, Replaying)
    lit = [
        fragment.text.strip()
        for line in replay_screen.draw_replay(controller, controller.page, LINES, 80, 22)
        for fragment in line
        if "class:news" in fragment.style
    ]
    assert [text for text in lit if text] == ["P1", "4"]


def test_a_game_that_was_given_up_has_no_step_for_that_and_ends_with_the_words():
    controller = shelf("replay 3", finished(3, "grid-hunt", moment="start"))
    assert "* Bo has resigned." in "\n".join(replayed(controller))


def test_the_board_can_be_told_in_words():
    controller = shelf("replay 3 4")
    controller.submit("/board words")
    assert "3,3: 4, hint." in "\n".join(replayed(controller))


def test_the_board_does_not_move_from_step_to_step_or_when_something_is_said():
    controller = shelf("replay 3")
    places = set()
    for line in ("first", "back", "next", "theirs", "open", "last", "next", "replay 99"):
        controller.submit(line)
        places.add(tuple(number for number, text in enumerate(replayed(controller)) if text.startswith(" 5|")))
    assert len(places) == 1
    assert places != {()}


def test_who_looks_at_an_old_game_is_told_that_it_is_their_turn():
    scenario = Scenario("grid-hunt")
    controller = at_shelf(scenario.seats[1], HUNT).controller
    controller.submit("/replay 3")
    assert replayed(controller)[-1] == " Your turn at the table: press Esc."


# Standings ------------------------------------------------------------------------------------------------------------


def standings(controller: Controller, columns: int = 75) -> tuple[str, list[str]]:
    title, lines = overlays.draw_page(controller, ASCII, columns)
    return title, [plain(line) for line in lines]


def test_standings_are_a_table_of_names_and_counts():
    assert standings(shelf("standings")) == (
        "Standings: all games",
        [
            "                  Played  Won  Drawn  Lost",
            "Ada                   12    7      1     4",
            "編集者編集者編集       3    2      0     1",
            "Bot (hard)            12    2      1     9",
        ],
    )


def test_standings_of_one_game_name_it_and_may_be_empty():
    assert standings(shelf("standings quantum"))[0] == "Standings: Quantum Duel"
    title, lines = standings(shelf("standings secret"))
    assert (title, lines[0]) == ("Standings: Secret Paths", NONE_YET)


@pytest.mark.parametrize("columns", [30, 35, 76])
def test_standings_fit_whatever_is_in_them(columns):
    controller = shelf("standings")
    controller.model.standings = Standings(
        1, None, (Standing("漢字漢字漢字漢字", 9, 9, 9, 9), Standing("W" * 16, 1, 0, 0, 1))
    )
    _, lines = overlays.draw_page(controller, LINES, columns)
    assert max(map(width, lines)) <= columns


# In sentences ---------------------------------------------------------------------------------------------------------


def test_the_list_in_sentences_ends_with_what_can_be_done():
    assert history_screen.tell_games(shelf("history"), 0) == [
        "Game 12: Quantum Duel against Bot (hard), won (collision), 2026-08-01 16:12.",
        "Game 3: Grid Hunt against Bo, won (treasure), 2026-08-01 16:03.",
        "Type replay and a number to see one again.",
    ]
    assert history_screen.tell_games(at_shelf(in_lobby()).controller, 0)[0] == NONE_YET


def test_standings_in_sentences_are_one_for_each_player():
    controller = shelf("standings")
    assert history_screen.tell_standings(controller.model, None)[:2] == [
        "Standings: all games.",
        "Ada: played 12, won 7, drawn 1, lost 4.",
    ]


def test_a_step_in_sentences_is_one_fact_a_line():
    controller = shelf("replay 3 7")
    assert isinstance(controller.page, Replaying)
    assert (
        replay_screen.tell_game(controller.page)
        == "Game 3, Grid Hunt: Ada as Player 1, Bo as Player 2. You were Player 1."
    )
    assert replay_screen.tell_replay(controller, controller.page) == [
        "Step 7 of 7: Player 1 typed DIG 5 5, as Player 1 saw it.",
        "     1     2     3     4     5",
        "1 |     |     |     |     |     |",
        "2 |     |     |     |     |     |",
        "3 |     |     |  4  |     |     |",
        "4 |     |     |     |  2  |     |",
        "5 |     |     |     |     |  T  |",
        "Scans left: Player 1: 1, Player 2: 2",
        "Player 1 searched: scan 3,3; scan 4,4; dig 5,5",
        "Player 2 searched: scan 1,1; dig 2,2",
        "Your treasure: (2,3)",
        "Player 1 wins: Player 2's treasure was at (5,5).",
    ]


def test_a_replay_always_says_whose_view_it_is():
    for line, words in (
        ("", "As you saw it."),
        ("theirs", "As Bot (hard) [2] saw it."),
        ("open", "Everything is open."),
    ):
        controller = shelf("replay 12 3")
        controller.submit(line)
        assert words in "\n".join(replayed(controller))
