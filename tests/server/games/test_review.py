"""How a game was decided: the counts are honest, their words fit them, and a long game is shown at some points."""

from typing import Any

import pytest

from gridgames_protocol.codec import encode
from gridgames_protocol.views import Review
from gridgames_server.games.game import Game, Outcome
from gridgames_server.games.grid_conquest import GridConquest
from gridgames_server.games.grid_hunt import GridHunt
from gridgames_server.games.match import LINES_MAX, MOMENTS_MAX, Match, Moments, make_closing
from gridgames_server.games.possibilities import count_possibilities, describe_insight
from gridgames_server.games.quantum_duel import QuantumDuel
from gridgames_server.games.seats import SEATS, player
from gridgames_server.games.secret_paths import SecretPaths
from gridgames_server.games.treasure_hunt_duel import TreasureHuntDuel
from tests.secrecy.games.histories import RiggedChance, history, recorded
from tests.server.games.playouts import ALL, each_game, playout
from tests.server.games.possible_worlds import SOUGHT, worlds
from tests.sixth_game import Pebbles

HISTORIES = 60  # of each game
SEEN_AT_ONCE = {"treasure-hunt-duel", "grid-conquest"}  # there are a treasure or values before anybody moves
RESIGNED = Outcome(2, "resigned", "Player 1 has resigned. Player 2 wins.")

searching = pytest.mark.parametrize(
    "game", [game for game in ALL if game.card.slug in SOUGHT], ids=lambda game: game.card.slug
)


def played(game: Game[Any], number: int) -> Match:
    """A history to its end, by a line of its own or by giving up."""
    past = history(game, number)
    match = past.match()
    for seat, line, verdict in (*past.attempts, *filter(None, [past.ending])):
        if verdict != "refused":
            match.play(seat, line)
    if not match.outcome:
        match.stop(RESIGNED)
    return match


def after(game: Game[Any], lines: list[tuple[int, str]], drawn: dict[str, int] | None = None, first: int = 1) -> Review:
    """The review of a game in which these lines were typed, and then somebody gave up if it was not over."""
    match = recorded(game, first, lines, drawn).match()
    for seat, line in lines:
        match.play(seat, line)
    if not match.outcome:
        match.stop(RESIGNED)
    review = match.review()
    assert review
    return review


def numbers(review: Review) -> list[tuple[int, ...]]:
    return [row.numbers for row in review.rows]


class CertainPaths(SecretPaths):
    """Secret Paths with a review of what is certain, as assist shows it, instead of what steps give away."""

    def review(self, moments: Any) -> Review | None:
        return count_possibilities("Certain", moments, self.possibilities)


# The honest count -----------------------------------------------------------------------------------------------------


@searching
def test_a_count_is_of_the_secrets_that_would_have_told_the_seat_the_same(game):
    counted = 0
    if game.card.slug == "secret-paths":
        game = CertainPaths()
    for number in range(HISTORIES):
        match = played(game, number)
        chance = RiggedChance(match.seed, history(game, number).draws)
        review = match.review()
        rows = {row.label: row for row in review.rows} if review else {}
        for seat in SEATS:
            if player(seat) not in rows:
                continue
            row = rows[player(seat)]
            lines = [(line.seat, line.text) for line in match.lines]
            possible = list(worlds(game, chance, match.first, seat, lines))
            moved = [0, *(place for place, line in enumerate(match.lines, 1) if not line.foul)]
            assert row.numbers == tuple(possible[moved[point]] for point in review.after), (number, seat)
            counted += len(row.numbers)
    assert counted > HISTORIES * 4


@searching
def test_the_truth_is_never_ruled_out(game):
    for number in range(4):
        for match, _ in playout(game, number, 60):
            for seat in () if match.outcome else SEATS:
                sought, found = SOUGHT[game.card.slug](match.state, 3 - seat), game.possibilities(match.state, seat)
                if game.card.slug == "pebbles" and sought:
                    sought = sum(match.state.hands) - 1
                is_setup = game.view(match.state, seat).phase == "setup"  # nothing may be shown before the first turn
                assert sought is None or sought in found.left or (is_setup and not found.among)
                assert found.left <= found.among


def test_a_query_narrows_the_treasure_down_for_the_one_who_asked():
    lines = [(1, "QUERY 2B"), (2, "QUERY 5A"), (1, "QUERY 3C"), (2, "QUERY 4B"), (1, "GUESS 4D")]
    review = after(TreasureHuntDuel(), lines, {"treasure": 18})
    assert (review.title, review.after) == ("Where the treasure could be", (0, 1, 2, 3, 4))
    assert numbers(review) == [(25, 5, 5, 3, 3), (25, 25, 5, 5, 3)]
    assert [(row.label, row.most) for row in review.rows] == [("Player 1", 25), ("Player 2", 25)]
    assert [row.note for row in review.rows] == [
        "Player 1 could not have known: 3 were left.",
        "Player 2 could not have known: 3 were left.",
    ]


def test_a_wrong_guess_tells_both():
    review = after(TreasureHuntDuel(), [(1, "GUESS 1A"), (2, "GUESS 1B")], {"treasure": 18})
    assert numbers(review) == [(25, 24, 23), (25, 24, 23)]


def test_a_scan_that_answers_0_lets_its_seat_know():
    lines = [(1, "HIDE 2 3"), (2, "HIDE 5 5"), (1, "SCAN 5 5"), (2, "DIG 1 1"), (1, "DIG 5 5")]
    review = after(GridHunt(), lines)
    assert review.after == (2, 3, 4)
    assert numbers(review) == [(25, 1, 1), (25, 25, 24)]
    assert review.rows[0].note == "Player 1 could have known from round 1 on."


def test_a_token_that_moves_on_is_lost_sight_of():
    lines = [
        *((1, "TUNNEL 1"), (1, "OBSERVE 7"), (2, "TUNNEL 7"), (2, "OBSERVE 3")),
        *((1, "STAY"), (1, "OBSERVE 4"), (2, "STAY")),
    ]
    review = after(QuantumDuel(), lines)
    assert numbers(review)[0] == (7, 6, 6, 5, 7)  # not where seat 1 is, not where it looked, then anywhere
    assert review.title == "Where the other's token could be"


def test_a_landing_without_a_win_rules_out_the_movers_goal():
    lines = [(1, "GOAL 2"), (2, "GOAL 4"), (1, "MOVE 2 3"), (2, "MOVE 1 3"), (1, "MOVE 2 4"), (2, "MOVE 1 4")]
    assert numbers(after(CertainPaths(), lines)) == [(5, 5, 4, 4), (5, 5, 5, 5)]


def test_a_step_gives_away_the_goals_that_the_mover_could_have_reached():
    lines = [(1, "GOAL 1"), (2, "GOAL 1"), (1, "MOVE 4 4"), (2, "MOVE 4 5"), (1, "MOVE 3 4"), (2, "MOVE 4 4")]
    lines += [(1, "MOVE 4 3"), (2, "MOVE 3 3")]
    review = after(SecretPaths(), lines)
    assert review.title == "Goals that steps left open"
    # From 4,5 seat 1 could have reached 5,4 and 5,5, and from 4,4 also 5,3.
    assert numbers(review) == [(5, 5, 5, 5, 5, 5, 5), (5, 5, 5, 3, 3, 2, 2)]


def test_one_who_passes_up_every_win_gives_away_only_where_the_seeker_was():
    lines = [(1, "GOAL 3"), (2, "GOAL 1"), (1, "MOVE 4 2"), (2, "MOVE 4 3"), (1, "MOVE 5 4"), (2, "MOVE 4 4")]
    lines += [(1, "MOVE 4 3"), (2, "MOVE 4 2"), (1, "MOVE 3 2")]
    assert numbers(after(SecretPaths(), lines))[1] == (5, 5, 5, 2, 2, 1, 1, 4)


def test_a_foul_is_no_point_of_the_review():
    lines = [(1, "GOAL 2"), (2, "GOAL 4"), (1, "MOVE 5 5"), (1, "MOVE 2 3"), (2, "MOVE 3 3")]
    review = after(SecretPaths(), lines)
    assert review.after == (2, 3, 4)
    assert all(len(row.numbers) == 3 for row in review.rows)


def test_pebbles_in_a_strangers_game_are_counted_too():
    lines = [(1, "HOLD 1"), (2, "HOLD 2"), (1, "GUESS 4"), (2, "GUESS 5"), (1, "GUESS 3")]
    assert numbers(after(Pebbles(), lines)) == [(3, 2, 2), (3, 2, 1)]


# The points of Grid Conquest ------------------------------------------------------------------------------------------


def test_grid_conquest_shows_both_scores_and_what_is_left_after_each_claim():
    values = "5315224251434531152312214"
    drawn = {f"value of {'ABCDE'[at // 5]}{at % 5 + 1}": int(value) - 1 for at, value in enumerate(values)}
    claims = ["C3", "D4", "D3", "A1", "B2", "B4", "C5"]
    lines = [(1 + number % 2, claim) for number, claim in enumerate(claims)]
    review = after(GridConquest(), lines, drawn)
    assert (review.title, review.after) == ("Points, and what is left on the board", (0, 1, 2, 3, 4, 5, 6, 7))
    assert [row.label for row in review.rows] == ["Player 1", "Player 2", "Left"]
    one, two, left = numbers(review)
    assert one == (0, 4, 4, 9, 9, 13, 13, 16)
    assert two == (0, 0, 2, 2, 7, 7, 12, 12)
    assert left == tuple(sum(map(int, values)) - mine - theirs for mine, theirs in zip(one, two, strict=True))
    assert [row.most for row in review.rows] == [16, 16, sum(map(int, values))]


@pytest.mark.parametrize(
    ("claims", "notes"),
    [
        ([], ("", "")),
        (["A1"], ("Player 1 was ahead from round 1 on.", "")),
        (["A1", "B1"], ("", "")),
        (["A1", "A2"], ("", "Player 2 was ahead from round 1 on.")),
        (["A1", "A2", "B1", "C1"], ("", "Player 2 was ahead from round 1 on.")),
    ],
)
def test_a_lead_is_told_if_it_lasted(claims, notes):
    drawn = {f"value of {row}{col}": 0 for row in "ABCDE" for col in range(1, 6)} | {"value of A2": 4}
    lines = [(1 + number % 2, claim) for number, claim in enumerate(claims)]
    review = after(GridConquest(), lines, drawn)
    assert tuple(row.note for row in review.rows[:2]) == notes


# The words ------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("numbers", "note"),
    [
        ((40, 25, 8), "Ada could not have known: 8 were left."),
        ((25, 8, 1), "Ada could have known from round 2 on."),
        ((25, 1, 1), "Ada could have known from round 1 on."),
        ((1, 1, 1), "Ada could have known before the first move."),
        ((1, 7, 1), "Ada could have known from round 2 on."),
        ((7, 1, 7), "Ada could have known in round 1, but not for long."),
    ],
)
def test_the_note_names_the_round_in_which_the_count_is_1(numbers, note):
    assert describe_insight("Ada", numbers, (0, 1, 2)) == note


def test_rounds_are_numbered_as_in_a_table_of_moves_and_a_skipped_turn_takes_a_place():
    match = recorded(TreasureHuntDuel(), 2, [], {"treasure": 18}).match()
    rounds = []
    for seat, line in ((2, "GUESS 1A"), (1, "GUESS 1A"), (2, "QUERY 1A"), (1, "GUESS 1B"), (2, "QUERY 1B")):
        rounds.append(match.round)
        match.play(seat, line)
    # 1: both; 2: both are skipped; 3: both; 4: 2, and 1 is skipped; then 2 is to move
    assert rounds == [1, 1, 3, 3, 4]
    assert match.round == 5


def test_a_setup_is_in_no_round_and_a_turn_may_have_two_lines():
    match = Match(SecretPaths(), bytes(32), 2)
    match.play(1, "GOAL 2")
    assert match.round == 0
    match.play(2, "GOAL 2")
    assert match.round == 1
    match = Match(QuantumDuel(), bytes(32), 1)
    match.play(1, "MOVE 2")
    match.play(1, "OBSERVE 2")
    match.play(2, "MOVE 5")
    assert match.round == 1
    match.play(2, "OBSERVE 5")
    assert match.round == 2


# Every game -----------------------------------------------------------------------------------------------------------


@each_game
def test_every_game_that_is_over_has_a_review_of_its_moves(game):
    for number in range(6):
        match = played(game, number)
        review = match.review()
        if review is None:
            assert not any(game.possibilities(match.state, seat).among for seat in SEATS)
            continue
        assert review.after == tuple(range(review.after[0], review.after[-1] + 1))
        assert review.after[-1] in (len(match.moves()) - 1, len(match.moves()))
        assert review.rows


@each_game
def test_a_review_is_sent_with_the_end_and_is_worked_out_once(game):
    match = played(game, 1)
    *_, over = make_closing(match)
    assert over.review == match.review() is match.review()


@each_game
def test_a_note_names_its_player_as_clients_replace_it(game):
    rows = [row for number in range(HISTORIES) if (review := played(game, number).review()) for row in review.rows]
    assert rows
    for row in rows:
        assert not row.note or row.note.startswith(f"{row.label} "), "the label is Player 1 or Player 2"
        assert not row.note or row.label in map(player, SEATS)


@each_game
def test_a_game_that_lasts_is_not_reviewed(game):
    with pytest.raises(AssertionError, match="only a game that is over is reviewed"):
        Match(game, bytes(32), 1).review()


@each_game
def test_a_game_given_up_at_once_has_a_review_of_its_start(game):
    match = Match(game, bytes(32), 1)
    match.stop(RESIGNED)
    review = match.review()
    assert (review and review.after) == ((0,) if game.card.slug in SEEN_AT_ONCE else None)


def test_a_game_given_up_in_the_setup_has_nothing_to_review():
    match = recorded(GridHunt(), 1, [(1, "HIDE 2 3")], None).match()
    match.play(1, "HIDE 2 3")
    match.stop(RESIGNED)
    assert match.review() is None


@each_game
def test_assist_is_there_for_the_games_with_something_to_find(game):
    found = {
        bool(game.possibilities(match.state, seat).among)
        for number in range(3)
        for match, _ in playout(game, number, 20)
        for seat in SEATS
    }
    assert game.card.assist == (True in found)


def test_a_long_game_is_shown_at_points_spread_from_its_start_to_its_end():
    match = Match(SecretPaths(), bytes(32), 1)
    for seat, line in [(1, "GOAL 1"), (2, "GOAL 1")]:
        match.play(seat, line)
    while not match.outcome:
        seat = min(match.to_act())
        match.play(seat, "MOVE 3 4" if match.view(seat).state["seeker"] == "3,3" else "MOVE 3 3")
    review = match.review()
    *gaps, last = [later - sooner for sooner, later in zip(review.after, review.after[1:], strict=False)]
    assert MOMENTS_MAX / 2 <= len(review.after) <= MOMENTS_MAX
    assert (review.after[0], review.after[-1]) == (gaps[0], LINES_MAX), "not the start, where no goal was chosen"
    assert last <= min(gaps) == max(gaps)
    assert all(encode(part) for part in make_closing(match))


@each_game
def test_the_end_is_built_and_packed_once(game):
    match = played(game, 3)
    first = make_closing(match)
    assert make_closing(match) is first
    assert all(encode(part) is encode(part) for part in first)


@each_game
def test_a_long_game_replays_nothing_at_its_end_and_has_the_same_review(game, monkeypatch):
    replayed = played(game, 3).review()
    monkeypatch.setattr("gridgames_server.games.match.REPLAYED_MAX", 1)
    match = played(game, 3)
    monkeypatch.setattr(type(game), "play", None)
    assert match.review() == replayed


def test_few_states_are_kept_for_a_review_from_the_start_to_the_last_move():
    moments = Moments("start")
    for number in range(1, 10_000):
        moments.add(number, 1)
        spread = moments.list_moments()
        assert len(spread) <= MOMENTS_MAX
        assert (spread[0].after, spread[-1].after) == (0, number)
        assert len(spread) > min(number, MOMENTS_MAX // 2)
