"""A match: turns, sealed secrets, replay, how it ends, and what is sent then."""

import hashlib
from dataclasses import replace
from itertools import cycle

import pytest

from gridgames_protocol.codec import encode
from gridgames_protocol.commitments import commitment
from gridgames_protocol.messages import LINE_MAX, Opening, Over
from gridgames_server.errors import Refusal
from gridgames_server.games.game import Outcome
from gridgames_server.games.grid_conquest import GridConquest
from gridgames_server.games.grid_hunt import GridHunt
from gridgames_server.games.match import (
    LINES_MAX,
    PART_BYTES,
    SEALS_TOGETHER,
    Match,
    PackedRows,
    make_closing,
    replay,
    split_into_parts,
)
from gridgames_server.games.quantum_duel import QuantumDuel
from gridgames_server.games.secret_paths import SecretPaths
from gridgames_server.games.treasure_hunt_duel import TreasureHuntDuel
from tests.server.games.dialogue import SEED, Table

RESIGNED = Outcome(2, "resigned", "Player 1 resigned; Player 2 wins.")


def hidden(first: int = 1) -> Match:
    """A Grid Hunt after its setup."""
    match = Match(GridHunt(), SEED, first)
    match.play(1, "HIDE 2 3")
    match.play(2, "HIDE 5 5")
    return match


def refusal(match: Match, seat: int, line: str) -> tuple[str, str]:
    with pytest.raises(Refusal) as caught:
        match.play(seat, line)
    return caught.value.code, caught.value.text


# Turns


@pytest.mark.parametrize("line", ["SCAN 3 3", "HIDE 3 3", "SCAN 9 9", "nonsense", "", "\x00", "ＤＩＧ"])
def test_whatever_is_typed_out_of_turn_is_told_whose_turn_it_is(line):
    match = hidden()
    assert refusal(match, 2, line) == ("not_your_turn", "It is Player 1's turn.")
    match.play(1, "SCAN 3 3")
    assert refusal(match, 1, line) == ("not_your_turn", "It is Player 2's turn.")


def test_who_is_done_with_the_setup_is_told_that_the_other_is_not():
    match = Match(GridHunt(), SEED, 1)
    match.play(1, "HIDE 2 3")
    assert refusal(match, 1, "SCAN 3 3") == ("not_your_turn", "You are done; Player 2 is still choosing.")


@pytest.mark.parametrize("seat", [1, 2])
def test_after_the_end_nobody_plays(seat):
    match = hidden()
    match.play(1, "DIG 5 5")
    said = "The game is over. Ask for another with again, or leave."
    assert refusal(match, seat, "DIG 5 5") == ("not_now", said)


@pytest.mark.parametrize(
    "line", ["SCAN\t3 3", "SCAN 3\n3", "SCAN 3 3\x00", "SCAN ３ ３", "SCAN 3\u00a03", "ﬁnd 3 3", "\x1b[A"]
)
def test_what_is_not_plain_text_is_unreadable_in_every_game(line):
    assert refusal(hidden(), 1, line) == ("syntax", "Only plain letters, digits and signs can be read here.")


def test_a_refused_line_leaves_no_trace():
    match = hidden()
    state, lines, secrets = match.state, list(match.lines), list(match.secrets)
    for line in ("HIDE 1 1", "SCAN 9 9", "SCAN", "hello", "\x00"):
        refusal(match, 1, line)
    assert match.state is state
    assert (match.lines, match.secrets) == (lines, secrets)


@pytest.mark.parametrize("rows", [[], [("1", "SCAN 3,3", "")], [("", ""), ("treasure of 2", "5,5"), ("é", "1 2")]])
def test_packed_rows_come_back_as_they_were_put(rows):
    packed = PackedRows(rows)
    assert (len(packed), list(map(tuple, packed))) == (len(rows), rows)
    assert packed == PackedRows(rows) != PackedRows([*rows, ("more",)])


@pytest.mark.parametrize("row", [("a\tb",), ("a", "b\n")])
def test_a_row_that_would_be_cut_in_two_is_a_bug(row):
    with pytest.raises(AssertionError, match="would cut a row in two"):
        PackedRows([row])


@pytest.mark.parametrize("first", [1, 2])
def test_who_moves_first_is_as_asked(first):
    assert hidden(first).to_act() == {first}
    assert Match(TreasureHuntDuel(), SEED, first).to_act() == {first}


# Sealed secrets


def test_a_commitment_is_the_hash_of_nonce_name_and_value():
    nonce = "00112233445566778899aabbccddeeff"
    text = b"00112233445566778899aabbccddeeff:treasure of 1=2,3"
    assert commitment("treasure of 1", "2,3", nonce) == hashlib.sha256(text).hexdigest()
    assert (
        commitment("treasure of 1", "2,3", nonce) == "ccddd009c604a46e4b9d899aad619a4074ebd5168dc5044fb998def280c5c66a"
    )


def test_a_secret_is_sealed_for_everybody_when_it_comes_to_exist():
    table = Table(TreasureHuntDuel())
    (sealed,) = [announcement for announcement in table.told if announcement.event.commit]
    assert (sealed.event.text, sealed.event.kind, sealed.event.seat) == ("Sealed: treasure.", "system", None)
    assert sealed.readers == {1, 2, None}
    table = Table(GridHunt())
    assert not any(announcement.event.commit for announcement in table.told)
    table.types(2, "HIDE 5 5")
    assert [announcement.event.commit.what for announcement in table.told if announcement.event.commit] == [
        "treasure of 2"
    ]


def sealed_while_playing(game, *lines: tuple[int, str]) -> tuple[Match, dict[str, str]]:
    """A match, and every commitment that was made in it."""
    match = Match(game, SEED, 1)
    told = [
        *match.announce_start(),
        *(announcement for seat, line in lines for announcement in match.play(seat, line).announcements),
    ]
    return match, {
        announcement.event.commit.what: announcement.event.commit.hash
        for announcement in told
        if announcement.event.commit
    }


@pytest.mark.parametrize(
    ("game", "lines", "values"),
    [
        (TreasureHuntDuel(), [], {"treasure": "1E"}),
        (GridConquest(), [], {"values": "5431132142232123544345143"}),
        (GridHunt(), [(2, "HIDE 5 5"), (1, "HIDE 2 3")], {"treasure of 2": "5,5", "treasure of 1": "2,3"}),
        (SecretPaths(), [(1, "GOAL 2"), (2, "GOAL 1 4")], {"goal of 1": "5,2", "goal of 2": "1,4"}),
        (
            QuantumDuel(),
            [(1, "MOVE 4"), (1, "OBSERVE 1"), (2, "TUNNEL 7"), (2, "OBSERVE 1"), (1, "STAY")],
            {"token of 1, move 1": "4", "token of 2, move 1": "7", "token of 1, move 2": "4"},
        ),
    ],
)
def test_the_openings_at_the_end_fit_the_commitments(game, lines, values):
    match, commitments = sealed_while_playing(game, *lines)
    match.stop(RESIGNED)
    (over,) = make_closing(match)
    assert {opened.what: opened.value for opened in over.reveal} == values
    assert {opened.what: commitment(opened.what, opened.value, opened.nonce) for opened in over.reveal} == commitments


def test_no_two_secrets_share_a_nonce():
    match, _ = sealed_while_playing(QuantumDuel(), (1, "MOVE 4"), (1, "OBSERVE 1"), (2, "MOVE 4"))
    nonces = [secret.nonce for secret in (*match.list_reveals(), *hidden().list_reveals())]
    assert len(set(nonces)) == 4
    assert all(len(nonce) == 32 and set(nonce) <= set("0123456789abcdef") for nonce in nonces)


def test_a_nonce_is_the_same_for_ever():
    assert Match(TreasureHuntDuel(), SEED, 1).list_reveals()[0].nonce == "104efd0b32e3d8924ccad05cf15b5045"
    assert Match(TreasureHuntDuel(), bytes(32), 1).list_reveals()[0].nonce == "1f47a05d9cc7b55fc60aec7347ddeb8a"


# Replay

FOULED = [(1, "GOAL 2"), (2, "goal 4"), (1, "move 9 9"), (1, "move to 4,2"), (2, "MOVE 4 2"), (2, "MOVE 33")]


def test_a_seed_makes_the_same_game_and_another_seed_another():
    assert Match(GridConquest(), SEED, 1).state == Match(GridConquest(), SEED, 1).state
    assert Match(GridConquest(), SEED, 1).state != Match(GridConquest(), bytes(32), 1).state


def test_replaying_the_accepted_lines_leads_to_the_same_match():
    game = SecretPaths()
    live = Match(game, SEED, 1)
    for seat, line in FOULED:
        live.play(seat, line)
    again = replay(game, SEED, 1, [(line.seat, line.text) for line in live.lines])
    assert again == live
    assert [again.view(reader) for reader in (1, 2, None)] == [live.view(reader) for reader in (1, 2, None)]


def test_lines_are_kept_as_typed_without_surplus_spaces():
    match = replay(GridHunt(), SEED, 1, [(1, "  hide (2 , 3)"), (2, "HIDE 55")])
    assert match.moves() == ((1, "hide (2 , 3)"), (2, "HIDE 55"))


def test_a_foul_is_kept_as_a_line_and_is_no_move():
    match = replay(SecretPaths(), SEED, 1, FOULED)
    assert [line.text for line in match.lines if line.foul] == ["move 9 9", "MOVE 4 2"]
    assert match.moves() == ((1, "GOAL 2"), (2, "goal 4"), (1, "move to 4,2"), (2, "MOVE 33"))


def test_a_foul_is_answered_with_a_refusal_and_told_to_the_table():
    match = replay(SecretPaths(), SEED, 1, FOULED)
    played = match.play(1, "MOVE 5 5")
    assert played.foul.code == "illegal"
    assert [announcement.event.text for announcement in played.announcements] == [
        "Player 1 made an illegal move, number 2."
    ]
    assert match.play(1, "MOVE 3 4").foul is None


# The end


@pytest.mark.parametrize("game", [TreasureHuntDuel(), GridHunt(), GridConquest(), QuantumDuel(), SecretPaths()])
def test_a_game_may_be_stopped_from_outside(game):
    match = Match(game, SEED, 1)
    assert match.outcome is None
    match.stop(RESIGNED)
    assert match.outcome == RESIGNED
    assert match.to_act() == frozenset()
    for reader in (1, 2, None):
        view = match.view(reader)
        assert (view.phase, view.prompt, view.actions, view.claimable) == ("over", RESIGNED.text, (), False)


def test_the_closing_tells_winner_reason_moves_and_secrets():
    match = hidden()
    match.play(1, "DIG 5 5")
    (over,) = make_closing(match)
    assert (over.winner, over.reason) == (1, "treasure")
    assert over.text == "Player 1 wins: Player 2's treasure was at (5,5)."
    assert over.moves == ((1, "HIDE 2 3"), (2, "HIDE 5 5"), (1, "DIG 5 5"))
    assert [(opened.what, opened.value) for opened in over.reveal] == [
        ("treasure of 1", "2,3"),
        ("treasure of 2", "5,5"),
    ]


def test_a_game_that_goes_on_is_not_opened():
    with pytest.raises(AssertionError, match="only a game that is over is opened"):
        make_closing(hidden())


def test_two_who_never_end_a_game_draw_at_last():
    match = replay(SecretPaths(), SEED, 1, FOULED)
    while match.line_count < LINES_MAX - 1:
        match.play(1, "MOVE 5 5")
    assert match.outcome is None
    match.play(1, "MOVE 5 5")
    assert match.line_count == LINES_MAX
    assert match.outcome == Outcome(None, "length", "After 4000 lines nobody has won: a draw.")
    assert match.view(1).prompt == "After 4000 lines nobody has won: a draw."
    assert refusal(match, 1, "MOVE 3 4")[0] == "not_now"


def test_who_wins_with_the_last_line_wins():
    match = hidden()
    while match.line_count < LINES_MAX - 1:
        match.play(*match.to_act(), "DIG 1 1")
    assert match.to_act() == {2}
    match.play(2, "DIG 2 3")
    assert (match.line_count, match.outcome.winner) == (LINES_MAX, 2)


# What one who comes later is told


def test_past_seals_are_the_seals_marked_as_past_however_often_somebody_comes(short_lines):
    match = replay(QuantumDuel(), SEED, 1, [])
    assert match.past_seals().kept_line == b""
    for number, line in enumerate(short_lines.lines[: 6 * SEALS_TOGETHER]):
        match.play(line.seat, line.text)
        if number % 70 == 0:
            match.past_seals()
    assert match.secret_count == 3 * SEALS_TOGETHER
    seals = [encode(replace(seal, past=True)) for seal in match.list_seals()]
    assert match.past_seals().kept_line == b"".join(seals)


def test_one_who_comes_late_has_few_seals_packed_and_the_next_one_none(short_lines):
    match = replay(QuantumDuel(), SEED, 1, [(line.seat, line.text) for line in short_lines.lines[: LINES_MAX - 8]])
    waiting = match.secret_count - match._packed_seals
    assert waiting < SEALS_TOGETHER
    assert match.past_seals() is match.past_seals(), "all readers share the same bytes"


# A long game's closing, in lines that fit


def opened(parts: tuple[Opening | Over, ...]) -> tuple[tuple, tuple]:
    """All moves and all secrets of a closing, in the order in which they are sent."""
    return (
        tuple(move for part in parts for move in part.moves),
        tuple(secret for part in parts for secret in part.reveal),
    )


def longest_duel(spaces: int) -> Match:
    """A Quantum Duel of as many lines as there can be, each with so many spaces in it."""
    gap = " " * spaces
    match = replay(QuantumDuel(), SEED, 1, [(1, "MOVE 1"), (1, "OBSERVE 3"), (2, "MOVE 7"), (2, "OBSERVE 3")])
    looks = cycle((4, 4, 5, 5))
    while not match.outcome:
        (seat,) = match.to_act()
        match.play(seat, f"STAY{gap}    ")
        match.play(seat, f"OBSERVE{gap}{next(looks)}")
    return match


@pytest.fixture(scope="module")
def short_lines() -> Match:
    return longest_duel(spaces=1)


@pytest.fixture(scope="module")
def long_lines() -> Match:
    return longest_duel(spaces=LINE_MAX - len("OBSERVE4"))


@pytest.fixture(params=["short_lines", "long_lines"])
def longest(request) -> Match:
    """A match of 4000 lines, half of which made a secret."""
    return request.getfixturevalue(request.param)


def test_the_longest_duel_is_as_long_as_it_can_be(short_lines, long_lines):
    for match in (short_lines, long_lines):
        assert len(match.moves()) == LINES_MAX
        assert len(match.secrets) == LINES_MAX // 2
        assert match.outcome.reason == "length"
    assert {text for _, text in long_lines.moves()[4:]} == {"STAY", "OBSERVE 4", "OBSERVE 5"}


def test_a_long_closing_comes_in_parts_and_over_comes_last(longest):
    *parts, over = make_closing(longest)
    assert isinstance(over, Over)
    assert len(parts) > 5
    assert all(isinstance(part, Opening) for part in parts)


def test_a_long_closing_opens_everything_once_and_in_order(longest):
    assert opened(make_closing(longest)) == (longest.moves(), tuple(longest.list_reveals()))


def test_moves_come_before_secrets(longest):
    *parts, _ = make_closing(longest)
    kinds = ["moves" if part.moves else "reveal" for part in parts]
    assert kinds == sorted(kinds)
    assert not any(part.moves and part.reveal for part in parts)


def test_every_part_of_a_long_closing_fits_in_a_line(longest):
    for part in make_closing(longest):
        encode(part)  # which refuses a line over the limit


def test_a_short_closing_is_one_line():
    match = hidden()
    match.stop(RESIGNED)
    assert len(make_closing(match)) == 1


def test_portions_keep_the_order_and_the_limit():
    assert split_into_parts([], len) == [()]
    assert split_into_parts(["x"], len) == [("x",)]
    half = "x" * (PART_BYTES // 2)
    assert split_into_parts([half, half], len) == [(half, half)]
    assert split_into_parts([half, half, "y"], len) == [(half, half), ("y",)]
    assert split_into_parts([half, half, half, half, "y"], len) == [(half, half), (half, half), ("y",)]
    assert split_into_parts([half, "y", half, "z"], len) == [(half, "y"), (half, "z")]


# What must not show


class CoyHunt(GridHunt):
    """A Grid Hunt in which where one scans is hidden, though nothing is sealed by it."""

    def play(self, state, seat, line):
        step = super().play(state, seat, line)
        return replace(step, shown_line="SCAN") if line.startswith("SCAN") else step


def test_only_the_shown_part_of_a_hidden_line_is_told_even_if_it_seals_nothing():
    match = Match(CoyHunt(), SEED, 1)
    match.play(1, "HIDE 2 3")
    match.play(2, "HIDE 5 5")
    told = match.play(1, "SCAN 4 4").announcements
    assert {it.event.line for it in told if it.event.kind == "move"} == {"SCAN"}


def test_a_match_shows_neither_its_seed_nor_its_state_nor_its_lines():
    match = hidden()
    assert repr(match) == f"Match(game={match.game!r}, first=1)"
    assert "State object at 0x" in repr(match.state)
