"""An error names the field of the request that has to change, as the specification says under Errors."""

import pytest

from gridgames_protocol.codec import decode_request
from gridgames_protocol.errors import WireError
from gridgames_protocol.messages import (
    Again,
    AskAnalysis,
    AskHint,
    AskRecord,
    AskReplay,
    AskStandings,
    Chat,
    Claim,
    Create,
    Error,
    Hello,
    Join,
    OfferDraw,
    Ping,
    Play,
    Resign,
    Watch,
)
from gridgames_server.core.limits import WATCHERS_MAX
from gridgames_server.games import GAMES
from tests.protocol.specification import codes, rows, section
from tests.protocol.vectors import pack
from tests.server.hub_harness import HubHarness

# Who asks. Each function makes a server and returns the guest whose request is refused.


def newcomer():
    server = HubHarness(password="sesame")
    server.enter("Ada", password="sesame")
    return server.connects()


def in_lobby():
    return HubHarness().enter("Eve")


def beside_a_table():
    server = HubHarness()
    server.table("grid-conquest")
    return server.enter("Eve")


def to_act(game="grid-conquest"):
    return HubHarness().table(game)[0]


def not_to_act():
    return HubHarness().table("grid-conquest")[1]


def after_a_move():
    """Seat 1 is to act again, after one line of each."""
    ada, bob = HubHarness().table("treasure-hunt-duel")
    assert [*ada.types("QUERY 1A"), *bob.types("QUERY 1B")] == ["ok", "ok"]
    return ada


def at_the_fork():
    """The Seeker of Secret Paths is to be moved."""
    ada, bob = HubHarness().table("secret-paths")
    assert [*ada.types("GOAL 5 2"), *bob.types("GOAL 1 4")] == ["ok", "ok"]
    return ada


def after_the_end():
    ada, bob = HubHarness().table("grid-conquest")
    bob.says(Resign)
    return ada


def alone():
    guest = in_lobby()
    guest.opens("grid-hunt")
    return guest


def watching():
    return HubHarness().table("grid-conquest", "Ada", "Bob", "Wes")[2]


def open_room(guest):
    (code,) = guest.server.hub.rooms.by_code
    return code


REFUSALS = [
    # who, request, its fields, code, field
    (newcomer, Hello, {"protocol": 99, "name": "Eve"}, "protocol", "protocol"),
    (newcomer, Hello, {"protocol": 1, "name": "Eve"}, "password", "password"),
    (newcomer, Hello, {"protocol": 1, "name": "Eve", "password": "x"}, "password", "password"),
    (newcomer, Hello, {"protocol": 1, "name": "Eve", "password": "sesame", "token": "x"}, "token", "token"),
    (newcomer, Hello, {"protocol": 1, "name": "Ada", "password": "sesame"}, "name_taken", "name"),
    (newcomer, Hello, {"protocol": 1, "name": "", "password": "sesame"}, "name", "name"),
    (newcomer, Hello, {"protocol": 1, "name": "Player 1", "password": "sesame"}, "name", "name"),
    (newcomer, Ping, {}, "hello_first", None),
    (in_lobby, Hello, {"protocol": 1, "name": "Eve"}, "bad_request", None),
    (in_lobby, Create, {"game": "chess"}, "no_such_game", "game"),
    (in_lobby, Create, {"game": "grid-hunt", "variant": "upside-down"}, "not_now", "variant"),
    (in_lobby, Create, {"game": "grid-conquest", "assist": True}, "not_now", "assist"),
    (in_lobby, Join, {"room": "NOSUCH"}, "no_such_room", "room"),
    (in_lobby, Watch, {"room": "NOSUCH"}, "no_such_room", "room"),
    (beside_a_table, Join, {"room": open_room}, "room_full", "room"),
    (in_lobby, Play, {"line": "C3"}, "not_in_room", None),
    (in_lobby, AskStandings, {"game": "chess"}, "no_such_game", "game"),
    (in_lobby, AskReplay, {"game": 1, "step": 0, "eyes": 0}, "not_now", "game"),
    (in_lobby, AskRecord, {"game": 1}, "not_now", "game"),
    (alone, Play, {"line": "HIDE 1 1"}, "not_now", None),
    (alone, Again, {}, "not_now", None),
    (to_act, Create, {"game": "grid-hunt"}, "in_room", None),
    (to_act, Play, {"line": "dance"}, "syntax", "line"),
    (to_act, Play, {"line": "ö"}, "syntax", "line"),
    (to_act, Play, {"line": "Z9"}, "illegal", "line"),
    (to_act, Play, {"line": "C3", "rev": 99}, "stale", "rev"),
    (to_act, Play, {"line": "dance", "rev": 99}, "stale", "rev"),
    (after_a_move, Play, {"line": "QUERY 3C", "rev": 1}, "stale", "rev"),
    (after_a_move, Play, {"line": "QUERY 1A"}, "illegal", "line"),
    (after_a_move, Play, {"line": "QUERY 3C", "id": 1}, "bad_request", "id"),
    (at_the_fork, Play, {"line": "MOVE 1 1"}, "illegal", "line"),  # a foul
    (not_to_act, Play, {"line": "C3", "rev": 99}, "not_your_turn", None),
    (not_to_act, AskHint, {}, "not_now", None),
    (to_act, Claim, {}, "not_now", None),
    (to_act, Chat, {"text": " "}, "bad_request", "text"),
    (after_the_end, Play, {"line": "C3", "rev": 1}, "not_now", None),
    (after_the_end, OfferDraw, {}, "not_now", None),
    (watching, Play, {"line": "C3"}, "not_seated", None),
]


@pytest.mark.parametrize(
    ("who", "request_type", "fields", "code", "field"),
    REFUSALS,
    ids=[f"{who.__name__} {request.__name__} {code}" for who, request, _, code, _ in REFUSALS],
)
def test_a_refusal_names_the_field_that_has_to_change(who, request_type, fields, code, field):
    guest = who()
    sent = {key: value(guest) if callable(value) else value for key, value in fields.items()}
    reply = guest.says(request_type, **sent)
    assert (reply.code, reply.field) == (code, field)


def test_a_room_that_nobody_else_can_watch_is_named():
    server = HubHarness(max_per_address=100)
    code = server.enter("Ada").opens("grid-hunt")
    for number in range(WATCHERS_MAX):
        assert server.enter(f"Wes {number}").says(Watch, code).room == code
    reply = server.enter("Eve").says(Watch, code)
    assert (reply.code, reply.field) == ("room_full", "room")


def test_a_game_that_the_computer_does_not_play_is_refused_for_its_bot():
    guest = in_lobby()
    guest.server.hub.rooms.bots = frozenset()
    reply = guest.says(Create, "grid-hunt", bot="easy")
    assert (reply.code, reply.field) == ("not_now", "bot")


def test_a_server_without_analysis_names_no_game():
    reply = in_lobby().says(AskAnalysis, 1)
    assert (reply.code, reply.field) == ("not_now", None)


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.card.slug)
def test_every_game_refuses_an_unreadable_line_for_its_line(game):
    reply = to_act(game.card.slug).says(Play, "xyzzy")
    assert (reply.code, reply.field) == ("syntax", "line")


# Lines that are no request


def error_for(message, strict=False):
    """What a server answers to a message that can't be understood."""
    guest = in_lobby()
    guest.reads()
    with pytest.raises(WireError) as caught:
        decode_request(pack(message)[:-1], strict)
    guest.garbles(caught.value)
    (error,) = guest.reads(Error)
    return error.code, error.field


def test_a_field_that_is_missing_or_unfit_is_named():
    assert error_for({"type": "play", "id": 7}) == ("bad_request", "line")
    assert error_for({"type": "play", "id": 7, "line": "C3", "rev": -1}) == ("bad_request", "rev")
    assert error_for({"type": "dance", "id": 7}) == ("unknown_type", "type")


def test_a_key_that_is_not_known_is_named_under_strict():
    sent = {"type": "create", "id": 7, "game": "grid-hunt"}
    assert error_for({**sent, "Private": True}, strict=True) == ("bad_request", "Private")
    assert error_for({**sent, "x" * 40: True}, strict=True) == ("bad_request", "x" * 40)
    assert error_for({**sent, "x" * 41: True}, strict=True) == ("bad_request", None)
    assert error_for({**sent, "x\n": True}, strict=True) == ("bad_request", None)


# The page


def test_the_page_lists_the_fields_that_each_code_names():
    listed = {code: codes(cells[1]) for code, cells in rows(section("## Errors")).items()}
    named = {code: {field for *_, found, field in REFUSALS if found == code and field} for code in listed}
    named["not_now"].add("bot")
    named["unknown_type"].add("type")
    requests = {"create", "replay", "record", "analysis"}  # the page says whose fields these are
    assert {code: fields - requests for code, fields in listed.items()} == named
