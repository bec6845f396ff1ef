"""Every request in every phase, what it is answered, and in which order everybody reads what follows from it."""

from dataclasses import replace

import pytest

from gridgames_protocol.messages import (
    PROTOCOL,
    REQUESTS,
    Again,
    AskAnalysis,
    AskHint,
    AskHistory,
    AskRecord,
    AskReplay,
    AskStandings,
    AskStatus,
    ByeRequest,
    Chat,
    Claim,
    Create,
    Error,
    Hello,
    Join,
    Leave,
    OfferDraw,
    Ok,
    Ping,
    Play,
    Resign,
    Show,
    Status,
    Watch,
)
from gridgames_server.core.effects import Send
from gridgames_server.core.handlers import HANDLERS
from gridgames_server.core.limits import BURST
from gridgames_server.core.permissions import ALLOWED, REFUSALS
from gridgames_server.core.room_events import Record, RoomEvent
from tests.server.hub_harness import HubHarness, play, word

# Each phase, made from nothing, and the one who is in it.


def new(server):
    return server.connects()


def lobby(server):
    return server.enter("Ada")


def waiting(server):
    ada = server.enter("Ada")
    ada.opens("grid-conquest")
    return ada


def to_act(server):
    return server.table("grid-conquest")[0]


def not_to_act(server):
    return server.table("grid-conquest")[1]


def over(server):
    ada, bob = server.table("grid-conquest")
    bob.says(Resign)
    return ada


def watching(server):
    return server.table("grid-conquest", "Ada", "Bob", "Wes")[2]


PHASES = (new, lobby, waiting, to_act, not_to_act, over, watching)

# What each request is answered in each of these phases, in their order. There is always another room to go to.
ANSWERS = {
    Hello: "welcome bad_request bad_request bad_request bad_request bad_request bad_request",
    AskStatus: "status status status status status status status",
    Ping: "hello_first ok ok ok ok ok ok",
    Create: "hello_first ok in_room in_room in_room in_room in_room",
    Join: "hello_first ok in_room in_room in_room in_room in_room",
    Watch: "hello_first ok in_room in_room in_room in_room in_room",
    Leave: "hello_first not_in_room ok ok ok ok ok",
    Play: "hello_first not_in_room not_now ok not_your_turn not_now not_seated",
    Again: "hello_first not_in_room not_now ok ok ok not_seated",
    Resign: "hello_first not_in_room not_now ok ok not_now not_seated",
    Claim: "hello_first not_in_room not_now not_now not_now not_now not_seated",
    Chat: "hello_first not_in_room ok ok ok ok ok",
    OfferDraw: "hello_first not_in_room not_now ok ok not_now not_seated",
    AskHint: "hello_first not_in_room not_now not_now not_now not_now not_seated",
    AskRecord: "hello_first not_now not_now not_now not_now not_now not_now",
    AskAnalysis: "hello_first not_now not_now not_now not_now not_now not_now",
    AskHistory: "hello_first history history history history history history",
    AskReplay: "hello_first not_now not_now not_now not_now not_now not_now",
    AskStandings: "hello_first standings standings standings standings standings standings",
    ByeRequest: "ok ok ok ok ok ok ok",
}
TABLE = [
    pytest.param(request, phase, answer, id=f"{request.__name__}-{phase.__name__}")
    for request, answers in ANSWERS.items()
    for phase, answer in zip(PHASES, answers.split(), strict=True)
]


def fields_of(request, elsewhere):
    """What a request needs to make sense."""
    return {
        Hello: (1, "Zoe"),
        Create: ("grid-hunt",),
        Join: (elsewhere,),
        Watch: (elsewhere,),
        Play: ("C3",),
        Chat: ("hi",),
        AskReplay: (1, 0, 0),
        AskRecord: (1,),
        AskAnalysis: (1,),
    }.get(request, ())


@pytest.mark.parametrize(("request_", "phase", "answer"), TABLE)
def test_every_request_in_every_phase(request_, phase, answer):
    server = HubHarness()
    elsewhere = server.enter("Eve").opens("grid-hunt")
    guest = phase(server)
    guest.reads()
    reply = guest.says(request_, *fields_of(request_, elsewhere))
    assert word(reply) == answer
    assert guest.reads()[0] is reply, "the reply comes before all that follows from the request"


def test_the_tables_are_complete():
    kinds = set(REQUESTS.values())
    assert set(ANSWERS) == set(HANDLERS) == kinds
    for phase, allowed in ALLOWED.items():
        refused = frozenset().union(*(some for some, _, _ in REFUSALS[phase]))
        assert allowed | refused == kinds, phase


REFUSED_EXAMPLES = [
    pytest.param(request, phase, id=f"{request.__name__}-{phase.__name__}")
    for request, answers in ANSWERS.items()
    for phase, answer in zip(PHASES, answers.split(), strict=True)
    if answer not in ("ok", "welcome", "status", "history", "standings")
]


@pytest.mark.parametrize(("request_", "phase"), REFUSED_EXAMPLES)
def test_a_refusal_leaves_no_trace(request_, phase):
    server = HubHarness(rate=0)
    elsewhere = server.enter("Eve").opens("grid-hunt")
    guest = phase(server)
    server.passes(1)
    server.read_by_all()
    room = server.room(guest.place.room) if guest.place else None
    before = (room.rev, room.last_event_at, room.match, set(room.rematch_seats)) if room else None
    server.now += 0.5
    kept = server.of(Record)
    reply = guest.says(request_, *fields_of(request_, elsewhere))
    assert len(reply.text) > 10, "it says what to do"
    assert server.of(Record) == kept
    for other in server.guests.values():
        assert other.reads() == ([reply] if other is guest else [])
    assert before == ((room.rev, room.last_event_at, room.match, room.rematch_seats) if room else None)


# Replies


def test_a_reply_names_its_request():
    ada = HubHarness().enter("Ada")
    assert ada.says(Ping, id=7) == Ok(7)
    assert ada.says(Ping, id=7) == Ok(7), "only the ids of plays are compared"
    assert ada.says(Ping, id=3) == Ok(3)
    assert ada.says(Play, "C3", id=4).re == 4


def test_joining_and_watching_are_answered_with_the_code():
    server = HubHarness()
    ada, bob, wes = map(server.enter, ("Ada", "Bob", "Wes"))
    code = ada.opens("grid-hunt")
    assert bob.says(Join, code.lower(), id=50) == Ok(50, code)
    assert wes.says(Watch, f" {code} ", id=51) == Ok(51, code)


def test_status_counts_what_there_is():
    server = HubHarness()
    ada, bob, _ = server.table("grid-conquest", "Ada", "Bob", "Wes")
    ada.types("C3")
    bob.types("D4")
    server.enter("Cat").opens("grid-hunt", private=True)
    server.passes(90)
    status = server.connects().says(AskStatus, id=9)
    assert replace(status, features=None) == Status(
        9, "the house", 90, players=4, rooms=2, games=1, moves=2, version="1.2.3"
    )


def test_a_server_tells_what_it_can_do():
    server = HubHarness(rate=20)
    features = server.connects().says(AskStatus).features
    assert (features.versions, features.rate, features.burst) == ((PROTOCOL,), 20, 20 * BURST)
    assert server.enter("Ada").welcome.features == features


def test_a_hello_may_list_the_versions_that_a_client_speaks():
    server = HubHarness()
    assert server.connects().says(Hello, (2, 1), "Ada").protocol == 1
    refused = server.connects().says(Hello, (2, 3), "Bob")
    assert (refused.code, refused.text) == (
        "protocol",
        "This server speaks version 1, you speak 2, 3. Update the older of the two.",
    )


def test_a_rev_of_the_future_is_called_so():
    ada, _ = HubHarness().table("grid-conquest")
    assert "No view had the `rev` 99 yet" in ada.says(Play, "C3", 99).text
    assert "moved on" in ada.says(Play, "C3", 0).text


def test_another_version_of_the_protocol_is_told_so():
    guest = HubHarness().connects()
    text = "This server speaks version 1, you speak 2. Update the older of the two."
    assert guest.says(Hello, 2, "Ada") == Error("protocol", text, guest.inbox[-1].re, "protocol")
    assert word(guest.says(Hello, 1, "Ada")) == "welcome", "a hello that was refused may be said again"


def test_goodbye_is_answered_then_said_then_the_connection_is_closed():
    ada = HubHarness().enter("Ada")
    ada.reads()
    ada.says(ByeRequest)
    assert ada.words() == ["ok", "bye"]
    assert ada.closed


def test_whatever_comes_after_goodbye_is_not_heard():
    server = HubHarness()
    ada = server.enter("Ada")
    ada.says(ByeRequest)
    before = list(server.effects)
    server.does(server.hub.bytes_received(ada.id, 9, (), server.now))
    server.does(server.hub.bytes_received(ada.id, 0, [Ping(99)], server.now))
    server.does(server.hub.disconnect(ada.id, server.now))
    assert server.effects == before


# Order


def test_what_follows_from_joining_reads_as_a_story():
    server = HubHarness()
    ada, bob = server.enter("Ada"), server.enter("Bob")
    code = ada.opens("grid-hunt")
    server.read_by_all()
    bob.says(Join, code)
    assert bob.words() == ["ok", "event", "room", "event", "event", "event", "view"]
    assert ada.words() == ["event", "room", "event", "event", "event", "view"]


def test_a_line_is_answered_then_told_then_shown():
    server = HubHarness()
    ada, bob, wes = server.table("grid-conquest", "Ada", "Bob", "Wes")
    ada.types("C3")
    assert ada.words() == ["ok", "event", "event", "event", "event", "view"]
    assert bob.words() == wes.words() == ["event", "event", "event", "event", "view"]


def test_a_last_line_is_followed_by_the_room_and_the_result():
    server = HubHarness()
    ada, bob, wes = server.table("grid-hunt", "Ada", "Bob", "Wes")
    play(ada, bob, lines=((1, "HIDE 2 3"), (2, "HIDE 5 5")))
    server.read_by_all()
    ada.types("DIG 5 5")
    assert ada.words()[-3:] == bob.words()[-3:] == wes.words()[-3:] == ["view", "room", "over"]


def test_a_line_is_recorded_before_anybody_is_told_of_it():
    server = HubHarness()
    ada, bob = server.table("quantum-duel")
    for seat, line in ((ada, "MOVE 3"), (ada, "OBSERVE 5"), (bob, "TUNNEL 7")):
        before = len(server.effects)
        seat.types(line)
        first, *rest = server.effects[before:]
        assert isinstance(first, RoomEvent)
        assert all(isinstance(effect, Send) for effect in rest)
    room = server.room(ada.where.room).number
    lines = [(event.room, event.seat, event.line) for event in server.lines()]
    assert lines == [(room, 1, "MOVE 3"), (room, 1, "OBSERVE 5"), (room, 2, "TUNNEL 7")]


def test_a_line_is_kept_with_its_seat_and_the_id_of_its_request():
    server = HubHarness()
    ada, bob = server.table("grid-conquest")
    ada.says(Resign)
    ada.says(Again)
    bob.says(Again)
    bob.says(Play, "c 3", id=900)
    (line,) = server.lines()
    assert (line.seat, line.line, line.play) == (2, "c 3", 900)


@pytest.mark.parametrize("line", ["ZZ", "C9", "\x00", ""])
def test_a_refused_line_is_not_recorded_and_told_to_nobody_else(line):
    server = HubHarness()
    ada, bob = server.table("grid-conquest")
    assert ada.types(line)[0] in ("syntax", "illegal")
    assert server.lines() == []
    assert bob.reads() == []
    assert len(ada.reads()) == 1


def test_rev_grows_by_one_with_every_line_for_everybody_alike():
    server = HubHarness()
    everybody = server.table("grid-conquest", "Ada", "Bob", "Wes")
    ada, bob, _ = everybody
    start = ada.sees.rev
    play(ada, bob, lines=((1, "C3"), (2, "D4"), (1, "D3")))
    for guest in everybody:
        assert [view.rev for view in guest.reads(Show)] == [start + 1, start + 2, start + 3]
