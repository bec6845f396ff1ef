"""The bar at the bottom: the keys that work now, the most useful first."""

import pytest

from gridgames_client.bar import HELP, bar, bar_line
from gridgames_client.desk import Desk
from gridgames_client.paint import plain, width
from tests.client.evening import Evening, in_lobby, listed
from tests.client.scenes import ROOMS, waiting
from tests.client.shelf import at_shelf, finished
from tests.client.stories import story


def keys(desk: Desk, on_board: bool = False) -> str:
    """The bar on a standard screen."""
    return " ".join(plain(bar_line(desk, on_board, 80)).split())


def with_line(desk: Desk, line: str) -> Desk:
    desk.submit(line)
    return desk


def on_room() -> Desk:
    desk = in_lobby(*ROOMS).desk
    desk.pick_row(5)
    return desk


def at_the_shelf(line: str) -> Desk:
    return with_line(at_shelf(in_lobby(), finished(3, "grid-hunt")).desk, line)


def looking_back() -> Desk:
    desk = in_lobby(*ROOMS).desk
    desk.pick_row(99)
    return desk


@pytest.mark.parametrize(
    ("desk", "on_board", "shown"),
    [
        (in_lobby().desk, True, "Enter choose arrows move n new room Tab type F1 help Ctrl-Q quit"),
        (on_room(), True, "Enter choose arrows move n new room w watch Tab type F1 help Ctrl-Q quit"),
        (looking_back(), True, "Enter choose arrows move n new room Tab type F1 help Ctrl-Q quit"),
        (in_lobby().desk, False, "Enter do it Tab complete Esc list F1 help Ctrl-Q quit"),
        (waiting(), False, "F7 close the room F1 help F2 rules F3 chat Ctrl-Q quit"),
        (Evening("grid-conquest").desks[1], False,
         "Enter act arrows move Tab complete F1 help F2 rules F3 chat F5 mark"),
        (Evening("grid-conquest").desks[1], True, "Enter act arrows move F1 help F2 rules F3 chat F5 mark Tab type"),
        (Evening("grid-hunt").desks[1], False, "Enter act arrows move Tab complete F1 help F2 rules F3 chat F4 show"),
        (Evening("grid-conquest").desks[2], False, "F1 help F2 rules F3 chat F5 mark Esc board"),
        (Evening("grid-conquest").desks[None], False, "F7 lobby F1 help F2 rules F3 chat"),
        (story("grid-hunt", "end").desks[1], False,
         "F6 rematch F7 lobby F8 moves F1 help F2 rules F3 chat Ctrl-Q quit"),
        (story("grid-hunt", "end").desks[None], False, "F7 lobby F8 moves F1 help F2 rules F3 chat Ctrl-Q quit"),
        (with_line(Evening("grid-hunt").desks[1], "/help"), True, "Esc back arrows PgUp PgDn scroll"),
        (with_line(Evening("grid-hunt").desks[1], "/resign"), True, "y yes n no"),
        (at_the_shelf("history"), True, "Enter replay arrows move Tab type Esc back"),
        (at_the_shelf("history"), False, "Enter do it Esc keys Tab complete"),
        (with_line(at_shelf(in_lobby()).desk, "history"), True, "Esc back"),
        (at_the_shelf("replay 3"), True, "right next left back Esc close e other eyes Home End first, last Tab type"),
        (at_the_shelf("replay 3"), False, "Enter do it Esc keys Tab complete"),
        (at_the_shelf("standings"), True, "Esc back left right other games up down scroll"),
    ],
)  # fmt: skip
def test_the_keys_that_work_now_are_shown(desk, on_board, shown):
    assert keys(desk, on_board) == shown


def test_own_secrets_that_are_shown_can_be_covered():
    desk = Evening("grid-hunt").desks[1]
    desk.toggle_mask()
    assert "F4 cover" in keys(desk)


def test_a_win_that_can_be_claimed_comes_first():
    evening = Evening("grid-hunt")
    evening.show(claimable=True)
    assert keys(evening.desks[1]).startswith("/claim the win")


def test_a_choice_and_a_dialogue_have_keys_of_their_own():
    table, lobby = Evening("treasure-hunt-duel").desks[1], in_lobby(listed()).desk
    table.act()
    lobby.new_room()
    assert keys(table) == "Enter choose arrows move Esc back"
    assert keys(lobby) == "Enter open the room arrows choose and change Esc back"


@pytest.mark.parametrize("columns", range(10, 100, 7))
def test_what_does_not_fit_is_left_out_from_the_end_and_help_last_of_all(columns):
    desk = Evening("grid-hunt").desks[1]
    line = bar_line(desk, False, columns)
    assert width(line) <= columns
    shown = [fragment.target[1] for fragment in line][::2]
    keys = bar(desk, False)
    assert HELP in [keys[number] for number in shown]
    others = [number for number in shown if keys[number] is not HELP]
    assert others == [number for number in range(len(keys)) if keys[number] is not HELP][: len(others)]


def test_nobody_is_offered_a_rematch_with_one_who_has_left():
    evening = story("grid-hunt", "end")
    evening.tell_room(seats=(evening.room.seats[0], None))
    assert "F6" not in keys(evening.desks[1])
