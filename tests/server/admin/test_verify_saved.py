"""Saved games played again: the right ones pass, and whatever a server or a file has got wrong is named."""

import json

import pytest

from gridgames_protocol.commitments import commitment
from gridgames_protocol.messages import FOUL_REASONS, OUTSIDE_REASONS
from gridgames_protocol.saved_game import FORMAT, BadRecord
from gridgames_server.admin.verify_saved import check_saved_game
from gridgames_server.games import GAMES
from gridgames_server.games.game import KnownChance, Outcome
from gridgames_server.games.match import Match, replay
from tests.server.hub_harness import MIDDLES
from tests.server.stored_games import BY_SLUG, played_out

SEED = bytes(range(32))
CAPTURE = ((1, "MOVE 3"), (1, "OBSERVE 5"), (2, "MOVE 5"), (2, "OBSERVE 3"))

every_game = pytest.mark.parametrize("slug", BY_SLUG)
each_first = pytest.mark.parametrize("first", [1, 2])


def saved(match, you=1, **changes):
    """A match as a client at that seat saves it when it is over."""
    ending = match.outcome
    return {
        "format": FORMAT,
        "game": match.game.card.slug,
        "you": you,
        "players": ["Ada", "Bob"],
        "winner": ending.winner,
        "reason": ending.reason,
        "text": ending.text,
        "moves": [[seat, line] for seat, line in match.moves()],
        "commits": {it.what: commitment(it.what, it.value, it.nonce) for it in match.list_reveals()},
        "reveal": [
            {"what": secret.what, "value": secret.value, "nonce": secret.nonce} for secret in match.list_reveals()
        ],
        "told": told_to(you, match),
        **changes,
    }  # fmt: skip


def told_to(you, match):
    """The hints of a match to a seat."""
    again = Match(match.game, match.seed, match.first, match.chance)
    announcements = [
        announcement for line in match.lines for announcement in again.play(line.seat, line.text).announcements
    ]
    return [
        announcement.event.text
        for announcement in announcements
        if announcement.event.kind == "hint" and you in announcement.readers
    ]


def faults(record):
    """What the check says of a record."""
    return check_saved_game(json.dumps(record), GAMES)


def opened(match, **values):
    """The openings of a match, some with another value than the right one."""
    return [
        {"what": secret.what, "value": values.get(secret.what.replace(" ", "_"), secret.value), "nonce": secret.nonce}
        for secret in match.list_reveals()
    ]


def sealed(reveals):
    """The commitments that fit these openings."""
    return {secret["what"]: commitment(**secret) for secret in reveals}


def hunt(first=1):
    """A Treasure Hunt Duel in which each asks twice, and then who began finds the treasure."""
    match = Match(BY_SLUG["treasure-hunt-duel"], SEED, first)
    second = 3 - first
    (treasure,) = match.list_reveals()
    asked = [name for name in ("1A", "2B", "3C", "4D", "5E") if name != treasure.value]
    for seat, cell in zip((first, second, first, second), asked, strict=False):
        match.play(seat, f"QUERY {cell}")
    match.play(first, f"GUESS {treasure.value}")
    return match


def duel():
    """A Quantum Duel that seat 2 wins."""
    return replay(BY_SLUG["quantum-duel"], SEED, 1, CAPTURE)


# Right ones -----------------------------------------------------------------------------------------------------------


@every_game
@each_first
@pytest.mark.parametrize("you", [1, 2, None])
def test_a_game_that_was_played_by_the_rules_is_right(slug, first, you):
    match = played_out(BY_SLUG[slug], SEED, first)
    assert faults(saved(match, you)) == []


@every_game
@pytest.mark.parametrize(("reason", "is_won"), [*OUTSIDE_REASONS.items(), *FOUL_REASONS.items()])
def test_a_game_that_was_ended_from_outside_is_right_wherever_it_ends(slug, reason, is_won):
    for lines in (MIDDLES[slug], ()):
        match = replay(BY_SLUG[slug], SEED, 1, lines)
        match.stop(Outcome(2 if is_won else None, reason, "Over."))
        assert faults(saved(match)) == []


@pytest.mark.parametrize(
    ("winner", "reason"),
    [(1, "agreed"), (2, "afresh"), (None, "resigned"), (None, "absence"), (2, "length"), (None, "forfeit")],
)
def test_nobody_wins_an_agreed_draw_and_somebody_when_the_other_has_resigned(winner, reason):
    match = replay(BY_SLUG["grid-hunt"], SEED, 1, MIDDLES["grid-hunt"])
    match.stop(Outcome(winner, reason, "Over."))
    assert faults(saved(match)) == ["by the rules the result is: none"]


def test_fouls_are_no_moves_and_do_no_harm():
    lines = (
        (1, "GOAL 2"),
        (2, "GOAL 4"),
        (1, "MOVE 9 9"),
        (1, "MOVE 4 2"),
        (2, "MOVE 4 2"),
        (2, "MOVE 3 3"),
        (1, "MOVE 4 2"),
    )
    match = replay(BY_SLUG["secret-paths"], SEED, 1, (*lines, (2, "MOVE 4 1"), (1, "MOVE 5 2")))
    record = saved(match)
    assert (match.outcome.reason, len(record["moves"])) == ("goal", 7)
    assert faults(record) == []


def test_a_draw_is_right():
    conquest = BY_SLUG["grid-conquest"]
    values = "1" * 23 + "21"  # the thirteen cells of who began are worth as much as the twelve of the other
    match = Match(conquest, b"", 1, KnownChance(b"", conquest.draws({"values": values})))
    for number, name in enumerate(match.view(None).board.names):
        match.play(1 + number % 2, name)
    assert match.outcome.reason == "draw"
    assert faults(saved(match)) == []


# Wrong answers --------------------------------------------------------------------------------------------------------


@each_first
def test_a_wrong_answer_is_named(first):
    record = saved(hunt(first), first)
    right, record["told"][1] = record["told"][1], "Distance: 9"
    assert faults(record) == [f"an answer was wrong: answer 2 should have been {right!r}"]


def test_an_answer_that_never_came_is_named():
    record = saved(hunt())
    record["told"].pop()
    assert [fault.partition(":")[0] for fault in faults(record)] == ["an answer was wrong"]


def test_one_who_came_back_in_the_middle_has_only_the_last_answers():
    record = saved(hunt())
    del record["told"][0]
    assert faults(record) == []


def test_an_answer_to_no_question_is_named():
    record = saved(hunt())
    record["told"].append("Distance: 1")
    assert faults(record) == ["an answer was wrong: there are more answers than questions"]


def test_the_other_seats_answers_are_none_of_ones_own():
    record = saved(hunt(), 1, told=told_to(2, hunt()))
    assert [fault.partition(":")[0] for fault in faults(record)] == ["an answer was wrong"]


# Secrets that were changed --------------------------------------------------------------------------------------------


def elsewhere(match):
    """A cell that is not the treasure's."""
    return "1A" if match.list_reveals()[0].value != "1A" else "5E"


def test_a_treasure_that_was_moved_after_it_was_sealed_is_found_out():
    match = Match(BY_SLUG["treasure-hunt-duel"], SEED, 1)
    match.stop(Outcome(1, "resigned", "Over."))
    record = saved(match, reveal=opened(match, treasure=elsewhere(match)))
    assert faults(record) == ["'treasure' does not match its commitment"], "though nobody has asked for it"


def test_a_treasure_that_lay_elsewhere_than_the_answers_say_is_found_out():
    match = hunt()
    reveals = opened(match, treasure=elsewhere(match))
    wrong = faults(saved(match, reveal=reveals, commits=sealed(reveals)))
    assert wrong[0].startswith("an answer was wrong: answer 1 should have been 'Distance: ")
    assert wrong[1] == "by the rules the result is: none"


@pytest.mark.parametrize(
    ("slug", "secret"),
    [("grid-hunt", "treasure_of_2"), ("secret-paths", "goal_of_2"), ("quantum-duel", "token_of_1,_move_1")],
)
def test_a_secret_that_a_player_did_not_choose_is_found_out(slug, secret):
    match = played_out(BY_SLUG[slug], SEED, 1)
    right = {reveal["what"]: reveal["value"] for reveal in opened(match)}[secret.replace("_", " ")]
    reveals = opened(match, **{secret: "1,1" if right != "1,1" else "1,2"})
    assert faults(saved(match, reveal=reveals, commits=sealed(reveals))) == ["the opened secrets do not fit the moves"]


def test_a_secret_that_was_never_sealed_is_found_out():
    assert faults(saved(hunt(), commits={})) == ["treasure was opened, but you were never shown its seal."]


def test_a_secret_that_was_never_opened_is_found_out():
    match = duel()
    assert faults(saved(match, reveal=opened(match)[:1])) == [
        "'token of 2, move 1' does not match its commitment",
        "the opened secrets do not fit the moves",
    ]


@pytest.mark.parametrize(
    ("slug", "values"),
    [
        ("treasure-hunt-duel", {"treasure": "9Z"}),
        ("grid-conquest", {"values": "1" * 24}),
        ("grid-conquest", {"values": "x" * 25}),
    ],
)
def test_secrets_that_this_game_can_not_have_are_named(slug, values):
    match = played_out(BY_SLUG[slug], SEED, 1)
    reveals = opened(match, **values)
    assert faults(saved(match, reveal=reveals, commits=sealed(reveals))) == ["its secrets do not fit this game"]
    assert faults(saved(match, reveal=[], commits={})) == ["its secrets do not fit this game"]


# Wrong ends -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("changes", [{"winner": 1}, {"winner": None}, {"reason": "collision"}, {"reason": "sunset"}])
def test_another_end_than_by_the_rules_is_named(changes):
    assert faults(saved(duel(), **changes)) == [
        "by the rules the result is: Player 2 wins by capturing Player 1's token!"
    ]


def test_a_win_before_the_end_is_named():
    assert faults(saved(duel(), moves=[list(move) for move in CAPTURE[:-1]])) == ["by the rules the result is: none"]


@pytest.mark.parametrize("reason", [*OUTSIDE_REASONS, *FOUL_REASONS])
def test_a_game_that_was_over_can_not_end_again_from_outside(reason):
    assert faults(saved(duel(), reason=reason, winner=1)) == ["by the rules the game ended earlier"]


def test_a_draw_that_could_not_be_claimed_is_named():
    match = replay(BY_SLUG["secret-paths"], SEED, 1, MIDDLES["secret-paths"])
    match.stop(Outcome(None, "repetition", "Over."))
    assert faults(saved(match)) == ["by the rules the result is: none"]


# Moves that are none --------------------------------------------------------------------------------------------------


@each_first
def test_a_move_that_the_rules_refuse_is_named_with_the_reason(first):
    record = saved(hunt(first), first)
    asked = record["moves"][0][1]
    record["moves"][2] = [first, asked]
    (fault,) = faults(record)
    assert fault.startswith(
        f"move 3 ('{asked}') is refused: Cell {asked.removeprefix('QUERY ')} has already been queried."
    )


def test_a_move_out_of_turn_is_named():
    record = saved(duel(), moves=[[1, "MOVE 3"], [2, "OBSERVE 5"]])
    assert faults(record) == ["move 2 ('OBSERVE 5') is refused: It is Player 1's turn."]


def test_a_move_after_the_end_is_named():
    record = saved(duel(), moves=[*map(list, CAPTURE), [1, "STAY"]])
    (fault,) = faults(record)
    assert fault.startswith("move 5 ('STAY') is refused: The game is over.")


def test_a_foul_among_the_moves_is_named():
    match = replay(BY_SLUG["secret-paths"], SEED, 1, MIDDLES["secret-paths"])
    match.stop(Outcome(1, "resigned", "Over."))
    record = saved(match)
    record["moves"].append([2, "MOVE 9 9"])
    (fault,) = faults(record)
    assert fault.startswith("move 4 ('MOVE 9 9') is refused: ")


def test_what_a_terminal_would_obey_is_not_repeated_to_it():
    (fault,) = faults(saved(duel(), moves=[[1, "\x1b]0;gone\x07"]]))
    assert fault.startswith(r"move 1 ('\x1b]0;gone\x07') is refused: ")


# Files that are no saved games ----------------------------------------------------------------------------------------


def refused(text):
    """Why a file is no saved game."""
    with pytest.raises(BadRecord) as caught:
        check_saved_game(text if isinstance(text, str) else json.dumps(text), GAMES)
    return str(caught.value)


def test_what_is_no_saved_game_is_none_here_either():
    assert refused("{}") == "it is not a game that was saved with /save"
    assert refused(saved(duel(), reveal=[7])) == "one of its opened secrets is wrong"


def test_a_game_that_is_not_known_here_is_named_and_harmless():
    assert refused(saved(duel(), game="tic\x1b-tac-toe")) == r"there is no game called 'tic\x1b-tac-toe' here"
