"""What holds for every game: whose turn it is, what a refused line leaves behind, how it ends, what stays secret."""

import re
from dataclasses import FrozenInstanceError
from typing import Any

import pytest

from gridgames_protocol.commitments import commitment
from gridgames_protocol.messages import FOUL_REASONS, OUTSIDE_REASONS
from gridgames_protocol.safe_text import is_harmless
from gridgames_server.errors import Refusal
from gridgames_server.games.game import Game, Outcome
from gridgames_server.games.match import Match, make_closing, replay
from gridgames_server.games.narration import TURN
from gridgames_server.games.seats import SEATS, other
from tests.server.games.playouts import (
    ALL,
    PLAYOUT_LINES,
    READERS,
    SEEDS,
    all_shown,
    each_game,
    legal,
    playout,
    seed,
    shown,
)

RESIGNED = Outcome(2, "resigned", "Player 1 resigned; Player 2 wins.")
NONSENSE = ("", " ", "?", "hello", "QUERY", "MOVE MOVE", "3,", "((1,1))", "DIG 1 1 1", "\x00", "２Ｂ", "x" * 200)
EXAMPLE = re.compile(r"for example '?([A-Za-z]+ [\w, ]+)'?\.")


def refused(game: Game[Any], state: Any, seat: int, line: str) -> Refusal | None:
    """How a line is refused, if it is; a foul is."""
    try:
        return game.play(state, seat, line).foul
    except Refusal as refusal:
        return refusal


# Turns and lines


@each_game
def test_legal_lines_exist_exactly_for_those_to_act(game):
    for number in SEEDS:
        for match, _ in playout(game, number):
            assert {seat for seat in SEATS if legal(match, seat)} == match.to_act()
            assert {reader for reader in READERS if match.view(reader).actions} == match.to_act()


@each_game
def test_every_legal_line_plays_in_capitals_or_not_and_with_more_spaces(game):
    for match, _ in playout(game, 3, lines=30):
        for seat in match.to_act():
            for line in legal(match, seat):
                step = game.play(match.state, seat, line)
                assert step.foul is None
                assert step.state != match.state
                assert game.play(match.state, seat, "  " + line.lower().replace(" ", "   ") + " ") == step


@each_game
def test_nonsense_changes_nothing(game):
    for match, _ in playout(game, 4, lines=40):
        before, views, lines = match.state, all_shown(match), list(match.lines)
        for seat in match.to_act():
            for line in NONSENSE:
                with pytest.raises(Refusal) as caught:
                    match.play(seat, line)
                assert caught.value.code == "syntax"
        assert match.state is before
        assert (all_shown(match), match.lines) == (views, lines)


@each_game
def test_a_line_out_of_turn_changes_nothing_even_if_it_would_be_legal(game):
    for match, _ in playout(game, 5, lines=40):
        before, views, lines = match.state, all_shown(match), list(match.lines)
        for seat in set(SEATS) - match.to_act():
            for line in (*legal(match, other(seat))[:3], "nonsense"):
                with pytest.raises(Refusal) as caught:
                    match.play(seat, line)
                assert caught.value.code == ("not_your_turn" if match.to_act() else "not_now")
        assert match.state is before
        assert (all_shown(match), match.lines) == (views, lines)


@each_game
def test_a_refusal_says_something_that_fits_in_a_line_of_text(game):
    for match, _ in playout(game, 6, lines=40):
        for seat in match.to_act():
            for line in (*NONSENSE, "MOVE 9 9", "QUERY 9Z", "DIG 0 0"):
                refusal = refused(game, match.state, seat, line)
                assert refusal
                assert re.fullmatch(r"[A-Z(].*[.]", refusal.text)
                assert len(refusal.text) <= 240
                assert is_harmless(refusal.text)


def test_the_line_that_a_refusal_gives_as_an_example_is_legal():
    tried = 0
    for game in ALL:
        for match, _ in playout(game, 6, lines=30):
            for seat in match.to_act():
                for line in (*NONSENSE, "MOVE 9 9", "MOVE 1", "SCAN 1 1", "OBSERVE 1", "GOAL 3 3"):
                    refusal = refused(game, match.state, seat, line)
                    for example in EXAMPLE.findall(refusal.text if refusal else ""):
                        assert refused(game, match.state, seat, example) is None
                        tried += 1
    assert tried > 100


@each_game
@pytest.mark.parametrize("first", SEATS)
def test_the_first_turn_belongs_to_who_was_asked_for(game, first):
    match = Match(game, seed(1), first)
    told = match.announce_start()
    while match.view(None).phase == "setup":
        seat = min(match.to_act())
        told = match.play(seat, legal(match, seat)[0]).announcements
    assert match.to_act() == {first}
    assert told[-1] == TURN[first]


@each_game
def test_whenever_the_turn_passes_the_table_is_told_whose_it_is_and_that_comes_last(game):
    for number in SEEDS:
        waiting: frozenset[int] = frozenset()
        for match, told in playout(game, number):
            said = [announcement for announcement in told if announcement in (TURN[1], TURN[2])]
            if match.outcome:
                assert said == []
            elif said or (match.view(None).phase == "play" and match.to_act() != waiting):
                (seat,) = match.to_act()
                assert said == [told[-1]] == [TURN[seat]]
            waiting = match.to_act()


# Phases and the end


@each_game
def test_the_outcome_is_there_exactly_when_nobody_acts(game):
    for number in range(10):
        for match, _ in playout(game, number):
            assert (match.outcome is not None) == (not match.to_act()) == (match.view(None).phase == "over")


@each_game
def test_phases_run_from_setup_to_play_to_over_and_never_back(game):
    order = ("setup", "play", "over")
    for number in SEEDS:
        phases = []
        for match, _ in playout(game, number):
            (phase,) = {match.view(reader).phase for reader in READERS}
            phases.append(order.index(phase))
        assert phases == sorted(phases)
        assert phases[-1] == 2 or match.line_count == PLAYOUT_LINES


@each_game
def test_a_setup_waits_for_both_and_turns_wait_for_one(game):
    for number in SEEDS:
        for match, _ in playout(game, number):
            waits = {"setup": {1, 2}, "play": {1}, "over": {0}}[match.view(None).phase]
            assert len(match.to_act()) in waits


@each_game
def test_random_players_end_most_games_and_both_seats_win_some(game):
    ends = []
    for number in range(12):
        *_, (match, _) = playout(game, number)
        ends.append(match.outcome and match.outcome.winner)
    assert ends.count(1) >= 2
    assert ends.count(2) >= 2


@each_game
def test_an_ending_is_told_in_words(game):
    *_, (match, _) = playout(game, 1)
    assert match.outcome
    assert re.fullmatch(r"[a-z]+", match.outcome.reason)
    assert match.outcome.reason not in OUTSIDE_REASONS | FOUL_REASONS, "these say that no move has ended it"
    assert re.fullmatch(r"[A-Z].*[.!]", match.outcome.text)
    assert {match.view(reader).prompt for reader in READERS} == {match.outcome.text}


@each_game
def test_a_game_may_be_given_up_at_any_time(game):
    for number in SEEDS[:2]:
        for live, _ in playout(game, number, lines=25):
            if live.outcome:
                break
            match = replay(game, live.seed, live.first, [(line.seat, line.text) for line in live.lines])
            match.stop(RESIGNED)
            assert match.to_act() == frozenset()
            for reader in READERS:
                view = match.view(reader)
                assert (view.phase, view.prompt, view.actions, view.claimable) == ("over", RESIGNED.text, (), False)
                shown(match, reader)
            assert {opening.what for part in make_closing(match) for opening in part.reveal} == {
                secret.what for secret in match.list_reveals()
            }


@each_game
def test_replaying_the_lines_leads_to_the_live_match(game):
    for number in SEEDS:
        *_, (live, _) = playout(game, number)
        again = replay(game, live.seed, live.first, [(line.seat, line.text) for line in live.lines])
        assert again == live
        assert all_shown(again) == all_shown(live)


# Secrets


@each_game
def test_a_line_seals_a_secret_exactly_if_its_action_is_marked_secret(game):
    for match, _ in playout(game, 7, lines=30):
        for seat in match.to_act():
            for action in match.view(seat).actions:
                for line in action.lines():
                    assert bool(game.play(match.state, seat, line).secrets) == action.secret


@each_game
def test_a_view_names_the_right_secret_of_its_lines_and_only_its_seat_sees_it(game):
    for number in SEEDS:
        for match, _ in playout(game, number, lines=30):
            for reader in READERS:
                view = match.view(reader)
                choices = [action for action in view.actions if action.secret and action.cells]
                assert bool(view.seals) <= bool(choices)
                for action in choices if view.seals else ():
                    for cell, line in zip(action.cells or (), action.lines(), strict=True):
                        assert game.play(match.state, reader, line).secrets == {view.seals: cell}


@each_game
def test_our_games_name_the_secret_of_every_cell_that_is_chosen(game):
    for match, _ in playout(game, 7, lines=30):
        for seat in match.to_act():
            view = match.view(seat)
            assert bool(view.seals) == any(action.secret and action.cells for action in view.actions)


@each_game
def test_every_commitment_is_opened_and_the_openings_fit(game):
    for number in SEEDS:
        sealed: dict[str, str] = {}
        for match, told in playout(game, number):
            for commit in (announcement.event.commit for announcement in told if announcement.event.commit):
                assert commit.what not in sealed
                sealed[commit.what] = commit.hash
            assert [secret.what for secret in match.list_reveals()] == list(sealed)
        if not match.outcome:
            match.stop(RESIGNED)
        openings = [opening for part in make_closing(match) for opening in part.reveal]
        assert {o.what: commitment(o.what, o.value, o.nonce) for o in openings} == sealed
        assert len(openings) == len(sealed) > 0


@each_game
def test_a_state_is_frozen_and_its_repr_tells_nothing(game):
    for match, _ in playout(game, 8, lines=30):
        with pytest.raises(FrozenInstanceError):
            match.state.outcome = RESIGNED
        assert type(match.state).__repr__ is object.__repr__
        assert repr(match) == f"Match(game={game!r}, first={match.first})"
        for seat in match.to_act():
            assert repr(game.play(match.state, seat, legal(match, seat)[0])) == "Step(foul=None)"
