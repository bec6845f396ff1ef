"""What the player sees now, as it changes with what the server says."""

from dataclasses import replace

import pytest

from gridgames_client.state.lobby_list import find_browser_address
from gridgames_client.state.model import LOG_MAX, Model
from gridgames_protocol.commitments import commitment
from gridgames_protocol.messages import (
    AskHistory,
    Bye,
    Commit,
    Event,
    Features,
    History,
    Lobby,
    Ok,
    Opening,
    Over,
    Reveal,
)
from tests.client.finished_games import finished, past
from tests.client.game_scripts import story
from tests.client.seated_controllers import CARDS, CODE, Scenario, in_lobby, room_of, welcome

NONCE = "0" * 32


def sealed(what: str, value: str) -> Event:
    """The event that binds the server to a secret."""
    return Event(f"Sealed: {what}.", "system", commit=Commit(what, commitment(what, value, NONCE)))


def at_table() -> Model:
    """Seat 1 of a game that has just begun, as far as the room tells."""
    model = Model("a:1")
    model.apply(welcome(room=CODE))
    model.apply(room_of("grid-hunt"))
    return model


# Games that are over --------------------------------------------------------------------------------------------------


def test_a_page_of_finished_games_takes_the_place_of_the_list_or_goes_on_with_it():
    model = Model("a:1")
    games = tuple(past(finished(number, "grid-hunt")) for number in (9, 7, 4))
    model.apply(History(1, games[:1], True), 0.0, AskHistory(1))
    assert (model.past_games, model.has_older_games) == (games[:1], True)
    model.apply(History(2, games[1:], False), 0.0, AskHistory(2, 9))
    assert (model.past_games, model.has_older_games) == (games, False)
    model.apply(History(3, games[2:], False), 0.0, AskHistory(3))
    assert model.past_games == games[2:]
    model.apply(History(4, games, False), 0.0, AskHistory(4, 77))
    assert model.past_games == games[2:], "one game that was looked up is no page of the list"


# Coming in ------------------------------------------------------------------------------------------------------------


def test_a_welcome_tells_who_one_is_and_what_can_be_played():
    model = Model("a:1", connection="reconnecting", why_disconnected="It broke.")
    model.apply(welcome("Ada"))
    assert (model.name, model.server, model.cards) == ("Ada", "the house", CARDS)
    assert (model.connection, model.why_disconnected) == ("connected", "")


def test_a_goodbye_says_why():
    model = Model("a:1")
    model.apply(Bye("shutting_down", "The server\x1b stops."))
    assert model.why_disconnected == "The server stops."


def test_a_reply_changes_nothing_by_itself():
    model, other = at_table(), at_table()
    model.apply(Ok(3))
    assert model == other


def test_one_who_comes_back_keeps_table_and_marks_and_is_sent_the_log_again():
    scenario = story("grid-hunt", "middle")
    model = scenario.controllers[1].model
    model.marks["3,3"] = "?"
    before, events = model.show, len(model.log)
    model.apply(welcome(room=CODE))
    assert (model.show, model.marks, len(model.log)) == (before, {"3,3": "?"}, 0)
    model.apply(replace(scenario.room, you=1))
    scenario.tell(scenario.table.match.announce_start())
    assert (model.show, model.marks) == (before, {"3,3": "?"})
    assert 0 < len(model.log) < events


def test_one_whose_room_is_gone_comes_back_to_the_lobby():
    model = story("grid-hunt", "middle").controllers[1].model
    model.apply(welcome(room=None))
    assert (model.room, model.show, model.board, model.actions) == (None, None, None, ())


# Rooms ----------------------------------------------------------------------------------------------------------------


def test_a_new_game_in_the_same_room_starts_with_a_clean_sheet():
    scenario = story("grid-hunt", "end")
    model = scenario.controllers[1].model
    model.marks["3,3"] = "?"
    model.masked = False
    model.say("No.", bad=True)
    scenario.tell_room(state="playing", number=2)
    assert (model.ending, model.marks, model.commits, model.masked, model.notice) == (None, {}, {}, True, "")


def test_the_room_that_is_described_again_leaves_the_sheet_alone():
    scenario = story("grid-hunt", "middle")
    model = scenario.controllers[1].model
    model.marks["3,3"] = "?"
    scenario.tell_room(watchers=1)
    assert model.marks == {"3,3": "?"}
    assert model.show


def test_one_who_is_thrown_out_reads_why_in_the_lobby():
    model = story("grid-hunt", "middle").controllers[1].model
    model.apply(Event("Nobody has done anything here for 3 hours. The room is closed.", "system"))
    model.apply(Lobby((), 1, 0))
    assert [event.text for event in model.log] == ["Nobody has done anything here for 3 hours. The room is closed."]
    assert model.room is None


def test_the_log_has_an_end():
    model = at_table()
    for number in range(LOG_MAX + 10):
        model.apply(Event(f"{number}", "chat", 1, "Ada"))
    assert (len(model.log), model.log[0].text) == (LOG_MAX, "10")


# Names ----------------------------------------------------------------------------------------------------------------


def test_sentences_name_the_players_with_their_seats():
    model = at_table()
    assert model.insert_names("Player 1's turn. Player 2 waits. Player 10 and MyPlayer 1 are nobody.") == (
        "Ada [1]'s turn. Bo [2] waits. Player 10 and MyPlayer 1 are nobody."
    )


def test_a_player_who_is_called_like_the_other_seat_confuses_nobody():
    model = at_table()
    model.apply(room_of("grid-hunt", names=("Player 2", "Player 1")))
    assert model.insert_names("Player 1 beats Player 2.") == "Player 2 [1] beats Player 1 [2]."


def test_a_name_stays_when_its_holder_has_left_but_not_in_another_room():
    model = at_table()
    model.apply(room_of("grid-hunt", names=("Ada", None)))
    assert model.seat_name(2) == "Bo [2]"
    model.apply(replace(room_of("grid-hunt", names=("Ada", None)), room="ABCDEF"))
    assert model.seat_name(2) == "Player 2"


def test_in_the_lobby_nobody_has_a_seat():
    assert in_lobby().controller.model.seat_name(1) == "Player 1"


# The table ------------------------------------------------------------------------------------------------------------


def test_it_knows_whose_turn_it_is():
    scenario = Scenario("treasure-hunt-duel")
    assert [scenario.controllers[reader].model.to_act for reader in (1, 2, None)] == [True, False, False]
    assert [scenario.controllers[reader].model.in_game for reader in (1, 2, None)] == [True, True, False]


def test_it_knows_what_can_be_claimed():
    scenario = Scenario("treasure-hunt-duel")
    assert not scenario.controllers[1].model.claim
    scenario.show(claimable=True)
    assert scenario.controllers[1].model.claim


def test_what_tells_a_secret_is_known_before_during_and_after_ones_turn():
    scenario = Scenario("quantum-duel")
    model = scenario.controllers[1].model
    assert model.is_secret("MOVE 4")
    assert model.is_secret("4"), "all that is typed now may tell it"
    scenario.types(1, "MOVE 4")
    assert [model.is_secret(text) for text in ("OBSERVE 4", "move 4", "tun", "/chat MOVE", "")] == [
        False, True, True, False, False,
    ]  # fmt: skip
    scenario.types(1, "OBSERVE 2")
    assert model.is_secret("MOVE 4"), "typed ahead of one's turn"


def test_it_knows_that_something_is_covered():
    scenario = Scenario("secret-paths")
    assert scenario.controllers[1].model.involves_secret, "what is typed"
    scenario.types(1, "GOAL 2")
    assert scenario.controllers[1].model.involves_secret, "the goal on the board"
    assert not scenario.controllers[None].model.involves_secret
    assert not Scenario("grid-conquest").controllers[1].model.involves_secret


def test_the_board_at_the_end_of_ones_turn_is_what_news_are_held_against():
    scenario = Scenario("grid-conquest")
    one, watching = scenario.controllers[1].model, scenario.controllers[None].model
    start = one.last_turn_board
    assert start == one.board
    scenario.types(1, "C3")
    mine = one.board
    assert one.last_turn_board == mine
    scenario.types(2, "A1")
    assert one.last_turn_board == mine
    seen = watching.last_turn_board
    assert seen == replace(mine, kinds=seen.kinds), "who watches sees the last change"
    scenario.tell_room(number=2)
    assert one.last_turn_board is None


# The end --------------------------------------------------------------------------------------------------------------


def over(*reveals: Reveal) -> Over:
    return Over(1, "treasure", "Player 1 wins.", ((1, "DIG 5 5"),), reveals)


def test_at_the_end_every_opening_is_held_against_its_seal():
    model = at_table()
    for what, value in (("a", "1"), ("b", "2"), ("c", "3")):
        model.apply(sealed(what, value))
    model.apply(over(Reveal("a", "1", NONCE), Reveal("b", "changed", NONCE), Reveal("d", "4", NONCE)))
    assert model.ending
    assert model.ending.verdict == (1, ("c", "b"))
    assert model.ending.contradictions == ("d was opened, but you were never shown its seal.",)


def test_a_seal_can_not_be_replaced_by_another():
    model = at_table()
    model.apply(sealed("a", "1"))
    model.apply(sealed("a", "2"))
    model.apply(over(Reveal("a", "2", NONCE)))
    assert model.ending
    assert model.ending.verdict.broken == ("a",)


def test_the_parts_of_a_long_ending_are_put_together_once():
    model = at_table()
    part = Opening(((1, "SCAN 1 1"),), (Reveal("a", "1", NONCE),))
    model.apply(part)
    model.apply(welcome(room=CODE))  # the line broke in the middle of it
    for message in (sealed("a", "1"), sealed("b", "2"), part, over(Reveal("b", "2", NONCE))):
        model.apply(message)
    assert model.ending
    assert model.ending.moves == ((1, "SCAN 1 1"), (1, "DIG 5 5"))
    assert model.ending.verdict == (2, ())


@pytest.mark.parametrize("slug", ["treasure-hunt-duel", "grid-hunt", "grid-conquest", "quantum-duel", "secret-paths"])
def test_every_seal_of_every_game_holds(slug):
    for controller in story(slug, "end").controllers.values():
        assert controller.model.ending
        verdict = controller.model.ending.verdict
        assert verdict.fitting > 0
        assert verdict.broken == controller.model.ending.contradictions == ()


@pytest.mark.parametrize(("tls", "way"), [(False, "gridgames-client a:1"), (True, "gridgames-client a:1 --tls")])
def test_a_friend_is_told_how_to_come_here(tls, way):
    assert Model("a:1", tls=tls).join_command == way


@pytest.mark.parametrize(
    ("address", "tls", "handout", "page"),
    [
        ("192.168.1.20:4743", False, True, "http://192.168.1.20:4743"),
        ("[fd00::1]:4743", True, True, "https://[fd00::1]:4743"),
        ("192.168.1.20:4743", False, False, ""),
        ("127.0.0.1:4743", False, True, ""),
    ],
)
def test_a_friend_without_the_client_gets_it_from_a_server_that_offers_it(address, tls, handout, page):
    model = Model(address, tls=tls)
    model.apply(replace(welcome(), features=Features((1,), 0, 0, (), True, handout, True, True, True)))
    assert find_browser_address(model) == page


def test_a_server_that_says_nothing_of_its_features_offers_nothing():
    model = Model("192.168.1.20:4743")
    model.apply(welcome())
    assert find_browser_address(model) == ""
