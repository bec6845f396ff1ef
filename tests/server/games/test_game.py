"""What all games share: chance, refusals, the leading word of a line, and whose prompt says what."""

from collections import Counter
from dataclasses import dataclass

import pytest

from gridgames_server.errors import Refusal, illegal, syntax
from gridgames_server.games.game import OWNED, Chance, Outcome, Step, choose_prompt, replace, split_verb, with_seat
from gridgames_server.games.narration import tell_only

ZEROS, COUNTING = bytes(32), bytes(range(32))


@dataclass(frozen=True)
class Ending:
    """The one thing that a prompt asks of a state."""

    outcome: Outcome | None = None


@dataclass(frozen=True)
class Table:
    """A state of some game."""

    turn: int
    outcome: Outcome | None = None


def test_a_state_with_a_field_set_anew_is_another_state():
    before = Table(1)
    assert replace(before, turn=2) == Table(2)
    assert before == Table(1)
    with pytest.raises(AttributeError):
        replace(before, trun=2)


# A store outlives an upgrade: if one of these changes, every stored game would go another way.
@pytest.mark.parametrize(
    ("seed", "bound", "label", "number"),
    [
        (ZEROS, 25, "treasure", 21),
        (ZEROS, 5, "value of A1", 4),
        (ZEROS, 7, "x", 6),
        (COUNTING, 25, "treasure", 4),
        (COUNTING, 5, "value of A1", 4),
        (COUNTING, 5, "value of E5", 2),
        (COUNTING, 7, "x", 1),
        (COUNTING, 1, "x", 0),
    ],
)
def test_a_draw_is_the_same_for_ever(seed, bound, label, number):
    assert Chance(seed).below(bound, label) == number


def test_a_nonce_is_the_same_for_ever():
    assert Chance(ZEROS).digest("nonce of treasure").hex()[:32] == "1f47a05d9cc7b55fc60aec7347ddeb8a"
    assert Chance(COUNTING).digest("nonce of treasure").hex()[:32] == "104efd0b32e3d8924ccad05cf15b5045"


def test_neither_the_order_nor_the_number_of_draws_matters():
    chance = Chance(COUNTING)
    forward = [chance.below(5, f"value {n}") for n in range(20)]
    backward = [chance.below(5, f"value {n}") for n in reversed(range(20))]
    assert forward == backward[::-1]


def seeds(number: int) -> list[bytes]:
    return [n.to_bytes(32, "big") for n in range(number)]


def unevenness(drawn: list[object], kinds: int) -> float:
    """The chi-square of some draws against all kinds being equally likely."""
    counts, expected = Counter(drawn), len(drawn) / kinds
    assert len(counts) == kinds
    return sum((count - expected) ** 2 / expected for count in counts.values())


def test_every_cell_is_as_likely_as_the_others():
    treasures = [Chance(seed).below(25, "treasure") for seed in seeds(5_000)]
    assert unevenness(treasures, 25) < 51  # one fair run in a thousand is more uneven, with 24 degrees of freedom


def test_two_draws_of_a_seed_tell_nothing_of_each_other():
    pairs = [(Chance(seed).below(5, "value of A1"), Chance(seed).below(5, "value of A2")) for seed in seeds(5_000)]
    assert unevenness(pairs, 25) < 51


def test_a_number_that_would_favour_the_low_ones_is_drawn_again():
    chance, bound = Chance(COUNTING), 2**63 + 1  # nearly half of all 64-bit numbers lie at or above it
    again = 0
    for n in range(40):
        tries = [int.from_bytes(chance.digest(f"{n}/{attempt}")[:8], "big") for attempt in range(20)]
        fair = [number for number in tries if number < bound]
        assert chance.below(bound, str(n)) == fair[0]
        again += fair[0] != tries[0]
    assert again > 10


def test_chance_does_not_show_its_seed():
    assert repr(Chance(COUNTING)) == "Chance()"


@pytest.mark.parametrize(
    ("line", "verb", "rest"),
    [
        ("QUERY 2B", "QUERY", "2B"),
        ("  query \t 2b  ", "QUERY", "2B"),
        ("query2b", "QUERY", "2B"),
        ("move to (4, 2)", "MOVE", "TO (4, 2)"),
        ("Stay", "STAY", ""),
        ("C3", "", "C3"),
        ("c 3", "", "C 3"),
        ("33", "", "33"),
        ("", "", ""),
        ("   ", "", ""),
        ("(move) 3", "", "(MOVE) 3"),
    ],
)
def test_a_line_is_a_word_and_the_rest_in_capitals(line, verb, rest):
    assert split_verb(line) == (verb, rest)


@pytest.mark.parametrize("line", ["ＱＵＥＲＹ 2B", "QUЕRY 2B", "gueſs 4D", "ſtay", "mοve 3"])
def test_a_word_of_look_alike_letters_is_not_the_verb(line):
    assert split_verb(line)[0] not in ("QUERY", "GUESS", "STAY", "MOVE")


def test_a_refusal_is_its_sentence_and_keeps_its_code_apart():
    assert (str(syntax("What?")), syntax("What?").code) == ("What?", "syntax")
    assert (str(illegal("No.")), illegal("No.").code) == ("No.", "illegal")
    assert isinstance(illegal("No."), Refusal)


def test_a_seats_part_is_set_and_the_others_stays():
    assert with_seat(("a", "b"), 1, "c") == ("c", "b")
    assert with_seat(("a", "b"), 2, "c") == ("a", "c")


@pytest.mark.parametrize(
    ("to_act", "reader", "prompt"),
    [
        ({1}, 1, "Where?"),
        ({1}, 2, "Waiting for Player 1."),
        ({1}, None, "Waiting for Player 1."),
        ({1, 2}, 1, "Where?"),
        ({1, 2}, 2, "Where?"),
        ({1, 2}, None, "Waiting for Player 1 and Player 2."),
    ],
)
def test_a_prompt_asks_those_to_act_and_tells_the_others_who_they_are(to_act, reader, prompt):
    assert choose_prompt(Ending(), frozenset(to_act), reader, "Where?") == prompt


@pytest.mark.parametrize("reader", [1, 2, None])
def test_at_the_end_the_prompt_says_how_it_ended(reader):
    ended = Ending(Outcome(2, "treasure", "Player 2 wins."))
    assert choose_prompt(ended, frozenset(), reader, "Where?") == "Player 2 wins."


def test_watchers_see_the_table_from_seat_1():
    assert [OWNED[reader][1] for reader in (1, 2, None)] == ["mine", "theirs", "mine"]
    assert [OWNED[reader][2] for reader in (1, 2, None)] == ["theirs", "mine", "theirs"]


def test_a_step_shows_neither_its_state_nor_its_secrets_nor_what_is_told():
    step = Step(Ending(Outcome(1, "seen", "S3CRET")), (tell_only(1, "Distance: S3CRET"),), {"treasure": "S3CRET"})
    assert "S3CRET" not in repr(step)
