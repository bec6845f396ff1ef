"""A server that lies is found out: by what the player typed, by the seals, by the room's own numbers."""

import json
from dataclasses import replace

import pytest

from gridgames_client.state.history.saved_game import write_saved_game
from gridgames_client.state.history.verify import verify_saved_game
from gridgames_client.state.model import MOVES_MAX, Model, TooMuch
from gridgames_protocol.commitments import commitment
from gridgames_protocol.messages import Commit, Event, Ok, Opening, Over, Play, Reveal
from gridgames_protocol.saved_game import BadRecord
from tests.client.game_scripts import story, type_lines
from tests.client.seated_controllers import CODE, Scenario, room_of, welcome

NONCE = "0" * 32
SLUGS = ("treasure-hunt-duel", "grid-hunt", "grid-conquest", "quantum-duel", "secret-paths")


@pytest.mark.parametrize("slug", SLUGS)
@pytest.mark.parametrize("reader", [1, 2, None])
def test_an_honest_game_leaves_no_doubt(slug, reader):
    model = story(slug, "end").controllers[reader].model
    assert model.ending
    assert model.ending.contradictions == ()
    assert verify_saved_game(write_saved_game(model))[1]


def at_quantum_table() -> Model:
    """Ada has moved to 3, and the server has sealed something."""
    scenario = Scenario("quantum-duel")
    scenario.types(1, "MOVE 3")
    return scenario.controllers[1].model


def ends(model: Model, moves: tuple[tuple[int, str], ...], *opened: Reveal) -> tuple[str, ...]:
    model.apply(Over(2, "capture", "Player 2 wins.", moves, opened))
    assert model.ending
    return model.ending.contradictions


def test_a_secret_that_was_opened_as_something_else_than_was_typed_is_told():
    model = at_quantum_table()
    model.commits["token of 1, move 1"] = commitment("token of 1, move 1", "4", NONCE)
    doubts = ends(model, ((1, "MOVE 3"),), Reveal("token of 1, move 1", "4", NONCE))
    assert doubts == ("token of 1, move 1: you chose 3, and the server opened 4.",)
    assert "Do not trust this server." in model.log[-1].text
    assert model.notice_is_error
    lines, fits = verify_saved_game(write_saved_game(model))
    assert not fits
    assert "token of 1, move 1: you chose 3, and the server opened 4." in lines


def test_a_move_that_was_never_typed_is_told():
    model = at_quantum_table()
    commits = [Reveal(what, "3", NONCE) for what in model.commits]
    assert (
        ends(model, ((1, "MOVE 4"),), *commits)[0] == "Your move 1 was MOVE 3, and the server says that it was MOVE 4."
    )


def test_moves_that_were_added_or_left_out_are_told():
    model = at_quantum_table()
    opened = [Reveal(what, "3", NONCE) for what in model.commits]
    assert "You made 1 moves, and the server lists 2 of yours." in ends(
        model, ((1, "MOVE 3"), (1, "OBSERVE 2")), *opened
    )


def came_back(with_seals: bool = True) -> tuple[Model, tuple[Reveal, ...]]:
    """A new client that has come back into its third movement, and what the server will open."""
    scenario = type_lines(Scenario("quantum-duel"), "1 MOVE 3|1 OBSERVE 5|2 MOVE 6|2 OBSERVE 1")
    model, match = Model("a:1"), scenario.table.match
    model.apply(welcome(room=CODE))
    model.apply(room_of("quantum-duel"))
    for seal in match.list_seals() if with_seals else ():
        model.apply(replace(seal, past=True))
    model.apply(scenario.shown(1))
    return model, tuple(match.list_reveals())


def test_one_who_came_back_with_a_new_client_is_only_told_what_is_sure():
    model, opened = came_back()
    before = ((1, "MOVE 3"), (1, "OBSERVE 5"), (2, "MOVE 6"), (2, "OBSERVE 1"))
    assert ends(model, before, *opened) == ()
    model.ending = None
    model.apply(Ok(2), 0.0, Play(2, "OBSERVE 7"))
    assert ends(model, (*before, (1, "observe  7")), *opened) == ()
    model.ending = None
    assert ends(model, before, *opened) == (
        "You typed OBSERVE 7, and the server's list of your moves does not have it.",
    )


def test_a_secret_that_was_chosen_after_coming_back_and_is_opened_as_another_is_told():
    model, opened = came_back()
    model.apply(Ok(2), 0.0, Play(2, "TUNNEL 1"))
    model.apply(Event("Sealed.", "system", commit=Commit(what := "token of 1, move 2", commitment(what, "2", NONCE))))
    doubts = ends(model, ((1, "TUNNEL 1"),), *opened, Reveal(what, "2", NONCE))
    assert doubts == ("token of 1, move 2: you chose 1, and the server opened 2.",)


def test_a_chosen_secret_that_is_never_opened_is_told():
    model = at_quantum_table()
    assert "token of 1, move 1: you chose 3, and the server did not open it." in ends(model, ((1, "MOVE 3"),))


def test_a_seal_that_was_never_shown_is_told_also_to_one_who_came_back():
    model, opened = came_back(with_seals=False)
    doubts = ends(model, (), *opened)
    assert doubts == tuple(f"{it.what} was opened, but you were never shown its seal." for it in opened)
    assert "Do not trust this server." in model.notice
    assert not verify_saved_game(write_saved_game(model))[1]


@pytest.mark.parametrize("reader", [1, 2, None])
def test_a_seal_that_was_never_shown_is_told_to_players_and_watchers(reader):
    model = story("grid-hunt", "middle").controllers[reader].model
    moves = tuple((1, line) for line in model.own_lines)
    opened = [Reveal(what, value, NONCE) for what, value in (("treasure of 1", "2,3"), ("a third secret", "1"))]
    assert "a third secret was opened, but you were never shown its seal." in ends(model, moves, *opened)


@pytest.mark.parametrize("reader", [1, 2, None])
def test_a_past_seal_can_not_replace_one_that_was_shown_before(reader):
    model = story("grid-hunt", "middle").controllers[reader].model
    model.apply(welcome(room=CODE))
    model.apply(replace(room_of("grid-hunt"), you=reader))
    model.apply(Event("Sealed.", "system", past=True, commit=Commit("treasure of 2", "f" * 64)))
    assert model.contradictions == ["treasure of 2 was sealed twice, with two different seals."]


def test_a_secret_that_is_sealed_or_opened_twice_is_told():
    scenario = Scenario("grid-hunt")
    scenario.types(1, "HIDE 2 3")
    scenario.says(Event("Sealed: treasure of 1.", "system", commit=Commit("treasure of 1", "f" * 64)))
    model = scenario.controllers[1].model
    assert model.contradictions == ["treasure of 1 was sealed twice, with two different seals."]
    twice = [Reveal("treasure of 1", value, NONCE) for value in ("2,3", "2,4")]
    assert "treasure of 1 was opened twice, as two different things." in ends(model, ((1, "HIDE 2 3"),), *twice)


def test_a_room_that_goes_back_to_an_earlier_game_is_told_loudly():
    scenario = story("grid-hunt", "end")
    scenario.tell_room(number=3, state="playing")
    scenario.tell_room(number=1)
    for controller in scenario.controllers.values():
        assert controller.model.contradictions == ["This room went back from game 3 to game 1."]
        assert controller.model.notice.startswith("WARNING: This room went back")


def test_a_goal_that_was_named_by_its_column_is_compared_too():
    scenario = Scenario("secret-paths")
    scenario.types(1, "GOAL 2")
    assert scenario.controllers[1].model.secret_cells == {"goal of 1": "5,2"}


# Files ----------------------------------------------------------------------------------------------------------------


def test_a_file_whose_player_typed_something_else_does_not_fit():
    record = json.loads(write_saved_game(story("grid-hunt", "end").controllers[1].model))
    assert record["typed"][0] == "HIDE 2 3"
    assert verify_saved_game(json.dumps(record | {"typed": ["HIDE 1 1", *record["typed"][1:]]}))[1] is False
    assert verify_saved_game(json.dumps(record | {"chosen": {"treasure of 1": "1,1"}}))[1] is False
    for key in ("typed", "chosen", "complete", "doubts"):
        del record[key]
    assert verify_saved_game(json.dumps(record))[1], "an older client kept no lines"


@pytest.mark.parametrize(
    "changes",
    [{"moves": [[1.0, "HIDE 2 3"]]}, {"moves": [[True, "x"]]}, {"you": 1.0}, {"typed": [1]}, {"chosen": [1]},
     {"chosen": {"a": 1}}, {"typed": "x"}],
)  # fmt: skip
def test_a_file_with_a_wrong_seat_or_wrong_lines_is_no_saved_game(changes):
    record = json.loads(write_saved_game(story("grid-hunt", "end").controllers[1].model))
    with pytest.raises(BadRecord):
        verify_saved_game(json.dumps(record | changes))


# Words ----------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("slug", SLUGS)
@pytest.mark.parametrize("moment", ["middle", "end"])
def test_both_players_have_the_same_four_words(slug, moment):
    scenario = story(slug, moment)
    phrases = {controller.model.phrase for controller in scenario.controllers.values()}
    assert len(phrases) == 1
    assert len(phrases.pop().split()) == 4


def test_another_seal_or_another_move_makes_other_words():
    one, two = story("grid-hunt", "middle").controllers[1].model, story("grid-hunt", "middle").controllers[1].model
    two.commits["treasure of 1"] = "0" * 64
    assert one.phrase != two.phrase
    ended, other = story("grid-hunt", "end").controllers[1].model, story("grid-hunt", "end").controllers[1].model
    assert other.ending
    other.ending = replace(other.ending, moves=other.ending.moves[:-1])
    assert ended.phrase != other.phrase


def test_the_words_are_told_on_demand():
    scenario = story("grid-hunt", "middle")
    scenario.controllers[1].submit("/words")
    assert scenario.controllers[1].model.notice.startswith(scenario.controllers[2].model.phrase)


# Too much -------------------------------------------------------------------------------------------------------------


def test_openings_without_end_are_left():
    model = story("grid-hunt", "middle").controllers[1].model
    part = Opening(tuple((1, "SCAN 1 1") for _ in range(8_000)), ())
    for _ in range(MOVES_MAX // 8_000):
        model.apply(part)
    with pytest.raises(TooMuch, match="moves and openings without end"):
        model.apply(part)


def test_seals_without_end_are_left():
    model = story("grid-hunt", "middle").controllers[1].model
    model.commits |= {f"secret {number}": "f" * 64 for number in range(MOVES_MAX)}
    with pytest.raises(TooMuch, match="seals without end"):
        model.apply(Event("Sealed.", "system", commit=Commit("one more", "f" * 64)))
