"""Hints: the best line and why, in a game against the computer."""

from gridgames_protocol.messages import AskHint, Create, Error, Hint, Play
from gridgames_server.analysis.analyse import make_show
from gridgames_server.analysis.hints import accepts_draw, advise
from gridgames_server.bots import BOTS
from gridgames_server.core.hub import Hub, ServerConfig
from gridgames_server.core.limits import Limits
from gridgames_server.games import GAMES
from gridgames_server.games.secret_paths import SecretPaths
from tests.server.games.dialogue import Table
from tests.server.hub_harness import Entropy, HubHarness
from tests.server.stored_hub import Shelf, StoredHub


def advised() -> HubHarness:
    """A server that gives hints."""
    server = HubHarness()
    server.hub = Hub(ServerConfig(GAMES, limits=Limits(), bots=frozenset(BOTS), advise=advise), Entropy(), server.now)
    return server


def test_a_hint_against_the_computer_is_a_legal_line_with_its_reason():
    ada = advised().enter("Ada")
    ada.says(Create, "treasure-hunt-duel", first="host", bot="hard")
    hint = ada.says(AskHint)
    assert isinstance(hint, Hint)
    assert "25 cells fit" in hint.why
    assert not isinstance(ada.says(Play, hint.line), Error)


def test_between_two_people_nobody_is_advised():
    ada, _ = advised().table("treasure-hunt-duel")
    refused = ada.says(AskHint)
    assert refused.text == "Hints are for games against the computer, and for rooms created with hints."


def test_in_a_room_with_hints_whoever_is_to_act_is_advised():
    ada, bob = advised().table("treasure-hunt-duel", hints=True)
    assert ada.where.hints
    assert bob.where.hints
    assert isinstance(ada.says(AskHint), Hint)
    assert bob.says(AskHint).code == "not_your_turn"


def test_a_room_has_its_hints_after_a_restart():
    server = StoredHub(Shelf())
    ada, bob = server.table("treasure-hunt-duel", hints=True)
    ada, bob = server.again().all_back(ada, bob)
    assert ada.where.hints
    assert bob.where.hints


def test_who_is_not_to_act_is_not_advised():
    ada = advised().enter("Ada")
    ada.says(Create, "treasure-hunt-duel", first="guest", bot="hard")
    assert ada.says(AskHint).code == "not_your_turn"


def test_a_server_without_advice_says_so():
    ada = HubHarness().enter("Ada")
    ada.says(Create, "treasure-hunt-duel", first="host", bot="hard")
    assert ada.says(AskHint).text == "This server does not offer that."


def go_to_and_fro(goal: int, *last: str) -> Table:
    """Secret Paths after 32 moves between two cells, and some more; seat 1's goal is in a column."""
    table = Table(SecretPaths(), 1)
    table.types(1, f"GOAL {goal}")
    table.types(2, "GOAL 1")
    for number, cell in enumerate((*["3,4", "3,3"] * 16, *last)):
        table.types(1 + number % 2, f"MOVE {cell}")
    return table


def test_a_bot_accepts_a_draw_after_30_moves_if_its_chances_are_even():
    start = Table(SecretPaths(), 1)
    assert not accepts_draw("secret-paths", "hard", make_show(start.match, 1)), "too early"
    assert accepts_draw("secret-paths", "hard", make_show(go_to_and_fro(1).match, 1))


def test_a_bot_that_can_win_at_once_accepts_no_draw():
    table = go_to_and_fro(3, "4,3", "4,4")
    assert not accepts_draw("secret-paths", "hard", make_show(table.match, 1))
