"""A finished game as one leafs through it: steps, eyes, what is typed, and what is asked of the server."""

from dataclasses import replace

import pytest

from gridgames_client.state.history.replay import KNOWN_MAX, Replaying, describe_result, find_opponent, open_replay
from gridgames_protocol.messages import AskReplay, Replay
from tests.client.finished_games import finished, past, steps

HUNT = finished(5, "grid-hunt")  # seven lines
ALL = {(asked.step, asked.eyes): reply for eyes in (0, 1, 2) for asked, reply in steps(HUNT, eyes)}


def replay(step: int = 0, eyes: int = 1) -> Replaying:
    return open_replay(past(HUNT), AskReplay(1, 5, step, eyes), ALL[step, eyes], listed=False)


def goes(page: Replaying, step: int, eyes: int | None = None) -> Replaying:
    """The replay after the server has answered the request for a step."""
    page = page.at(step, eyes)
    return page.add_reply(page.request, ALL[page.wanted])


def test_a_replay_is_opened_where_it_was_asked_for():
    page = replay(3)
    assert (page.step, page.eyes, page.shown.step, page.waits) == (3, 1, 3, False)


def test_another_step_is_waited_for_and_shown_when_it_has_come():
    page = replay().at(1)
    assert (page.waits, page.shown.step, page.request) == (True, 0, AskReplay(1, 5, 1, 1))
    page = page.add_reply(page.request, ALL[1, 1])
    assert (page.waits, page.shown.line) == (False, (1, "HIDE 2 3"))


def test_a_step_that_was_seen_is_shown_again_without_asking():
    page = goes(replay(), 1).at(0)
    assert (page.waits, page.shown.step) == (False, 0)


def test_a_step_that_comes_too_late_does_not_replace_the_wanted_one():
    first = replay().at(1)
    page = first.at(2).add_reply(first.request, ALL[1, 1])
    assert (page.waits, page.shown.step, page.step) == (True, 0, 2)
    assert page.at(1).shown.step == 1, "but it is remembered"


def test_a_step_that_can_not_be_had_is_given_up():
    page = goes(replay(), 2).at(3, 0).drop_request()
    assert (page.waits, page.step, page.eyes, page.shown.step) == (False, 2, 1, 2)


@pytest.mark.parametrize(("wanted", "step"), [(-1, 0), (0, 0), (7, 7), (8, 7), (10**15 - 1, 7)])
def test_no_step_is_before_the_start_or_behind_the_last_one(wanted, step):
    assert replay(3).at(wanted).step == step


@pytest.mark.parametrize(
    ("line", "step", "eyes"),
    [
        ("", 4, 1),
        ("n", 4, 1),
        (" NEXT ", 4, 1),
        ("p", 2, 1),
        ("back", 2, 1),
        ("first", 0, 1),
        ("last", 7, 1),
        ("6", 6, 1),
        ("99", 7, 1),
        ("mine", 3, 1),
        ("theirs", 3, 2),
        ("open", 3, 0),
    ],
)
def test_a_typed_line_goes_to_a_step_or_looks_with_other_eyes(line, step, eyes):
    page = replay(3).read_line(line)
    assert page
    assert page.wanted == (step, eyes)


@pytest.mark.parametrize("line", ["/chat next", "DIG 5 5", "quit", "-1", "1.5", "٣", "9" * 5_000])
def test_any_other_line_is_none_of_a_replays(line):
    assert replay().read_line(line) is None


def test_the_eyes_go_round_from_ones_own_to_the_others_to_everything_open():
    page, seen = replay(), []
    for _ in range(3):
        page = goes(page, 2, page.next_eyes())
        seen.append(page.shown.eyes)
    assert seen == [2, 0, 1]


def test_ones_own_eyes_are_those_of_the_seat_that_one_had():
    page = replace(replay(), game=past(finished(5, "grid-hunt", seat=2)))
    assert [page.find_eyes(word) for word in ("mine", "theirs", "open")] == [2, 1, 0]


def test_the_board_of_the_step_before_is_known_if_it_was_seen_with_the_same_eyes():
    page = goes(goes(replay(), 1), 2)
    assert page.before == ALL[1, 1].view.board
    assert goes(page, 2, 0).before is None
    assert replay(3).before is None


def test_players_are_called_by_their_names_with_the_seats_number():
    assert replay().insert_names("Player 1 wins: Player 2's treasure was at (5,5).") == (
        "Ada [1] wins: Bo [2]'s treasure was at (5,5)."
    )


def test_a_game_without_a_line_has_a_start_and_no_more():
    empty = replace(past(HUNT), lines=0)
    page = replace(replay(), game=empty)
    for line in ("next", "last", "3"):
        wanted = page.read_line(line)
        assert wanted
        assert wanted.step == 0


def test_a_long_game_is_not_remembered_whole():
    page = replace(replay(), game=replace(past(HUNT), lines=10_000))
    for step in range(3 * KNOWN_MAX):
        page = page.at(step)
        page = page.add_reply(page.request, replace(ALL[0, 1], step=step))
    assert len(page.known) <= KNOWN_MAX + 1
    assert page.shown.step == 3 * KNOWN_MAX - 1


def test_a_server_that_answers_something_else_is_not_asked_for_ever():
    page = replay().at(4)
    page = page.add_reply(page.request, replace(ALL[2, 2], game=9, steps=1))
    assert not page.waits
    assert isinstance(page.shown, Replay)


@pytest.mark.parametrize(
    ("you", "winner", "reason", "words"),
    [
        (1, 1, "treasure", "won (treasure)"),
        (1, 2, "resigned", "lost (resigned)"),
        (2, 2, "capture", "won (capture)"),
        (2, None, "clock", "draw (clock)"),
        (2, None, "draw", "draw"),
        (1, 1, "\x1b[2J", "won ([2J)"),
    ],
)
def test_the_result_is_told_from_the_players_side(you, winner, reason, words):
    assert describe_result(replace(past(HUNT), you=you, winner=winner, reason=reason)) == words


def test_the_opponent_is_who_sat_at_the_other_seat():
    assert find_opponent(past(finished(5, "grid-hunt", "Bot (hard)"))) == "Bot (hard)"
    assert find_opponent(past(finished(5, "grid-hunt", "Cy", seat=2))) == "Cy"
