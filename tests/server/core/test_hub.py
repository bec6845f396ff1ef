"""Every request in every phase, what it is answered, and in which order everybody reads what follows from it."""

import pytest

from gridgames_protocol.messages import (
    REQUESTS,
    Again,
    AskHistory,
    AskReplay,
    AskStandings,
    AskStatus,
    Chat,
    Claim,
    Create,
    Error,
    Farewell,
    Hello,
    Join,
    Leave,
    Ok,
    Ping,
    Play,
    Resign,
    Show,
    Status,
    Watch,
)
from gridgames_server.deeds import Deed, Record
from gridgames_server.effects import Send
from gridgames_server.grants import GRANT
from gridgames_server.session import ALLOWED, REFUSED
from tests.server.house import House, play, word

# Each phase, made from nothing, and the one who is in it.


def new(house):
    return house.connects()


def lobby(house):
    return house.enter("Ada")


def waiting(house):
    ada = house.enter("Ada")
    ada.opens("grid-conquest")
    return ada


def to_act(house):
    return house.table("grid-conquest")[0]


def not_to_act(house):
    return house.table("grid-conquest")[1]


def over(house):
    ada, bob = house.table("grid-conquest")
    bob.says(Resign)
    return ada


def watching(house):
    return house.table("grid-conquest", "Ada", "Bob", "Wes")[2]


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
    AskHistory: "hello_first history history history history history history",
    AskReplay: "hello_first not_now not_now not_now not_now not_now not_now",
    AskStandings: "hello_first standings standings standings standings standings standings",
    Farewell: "ok ok ok ok ok ok ok",
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
    }.get(request, ())


@pytest.mark.parametrize(("request_", "phase", "answer"), TABLE)
def test_every_request_in_every_phase(request_, phase, answer):
    house = House()
    elsewhere = house.enter("Eve").opens("grid-hunt")
    guest = phase(house)
    guest.reads()
    reply = guest.says(request_, *fields_of(request_, elsewhere))
    assert word(reply) == answer
    assert guest.reads()[0] is reply, "the reply comes before all that follows from the request"


def test_the_tables_are_complete():
    kinds = set(REQUESTS.values())
    assert set(ANSWERS) == set(GRANT) == kinds
    for phase, allowed in ALLOWED.items():
        refused = frozenset().union(*(some for some, _, _ in REFUSED[phase]))
        assert allowed | refused == kinds, phase


REFUSALS = [
    pytest.param(request, phase, id=f"{request.__name__}-{phase.__name__}")
    for request, answers in ANSWERS.items()
    for phase, answer in zip(PHASES, answers.split(), strict=True)
    if answer not in ("ok", "welcome", "status", "history", "standings")
]


@pytest.mark.parametrize(("request_", "phase"), REFUSALS)
def test_a_refusal_leaves_no_trace(request_, phase):
    house = House(rate=0)
    elsewhere = house.enter("Eve").opens("grid-hunt")
    guest = phase(house)
    house.passes(1)
    house.read_by_all()
    room = house.room(guest.place.room) if guest.place else None
    before = (room.rev, room.touched, room.match, set(room.wishes)) if room else None
    house.now += 0.5
    kept = house.of(Record)
    reply = guest.says(request_, *fields_of(request_, elsewhere))
    assert len(reply.text) > 10, "it says what to do"
    assert house.of(Record) == kept
    for other in house.guests.values():
        assert other.reads() == ([reply] if other is guest else [])
    assert before == ((room.rev, room.touched, room.match, room.wishes) if room else None)


# Replies


def test_a_reply_names_its_request():
    ada = House().enter("Ada")
    assert ada.says(Ping, id=7) == Ok(7)
    assert ada.says(Ping, id=7) == Ok(7), "only the ids of plays are compared"
    assert ada.says(Ping, id=3) == Ok(3)
    assert ada.says(Play, "C3", id=4).re == 4


def test_joining_and_watching_are_answered_with_the_code():
    house = House()
    ada, bob, wes = map(house.enter, ("Ada", "Bob", "Wes"))
    code = ada.opens("grid-hunt")
    assert bob.says(Join, code.lower(), id=50) == Ok(50, code)
    assert wes.says(Watch, f" {code} ", id=51) == Ok(51, code)


def test_status_counts_what_there_is():
    house = House()
    ada, bob, _ = house.table("grid-conquest", "Ada", "Bob", "Wes")
    ada.types("C3")
    bob.types("D4")
    house.enter("Cat").opens("grid-hunt", private=True)
    house.passes(90)
    assert house.connects().says(AskStatus, id=9) == Status(9, "the house", 90, players=4, rooms=2, games=1, moves=2)


def test_another_version_of_the_protocol_is_told_so():
    guest = House().connects()
    assert guest.says(Hello, 2, "Ada") == Error(
        "protocol", "This server speaks version 1, you speak 2. Update the older of the two.", guest.inbox[-1].re
    )
    assert word(guest.says(Hello, 1, "Ada")) == "welcome", "a hello that was refused may be said again"


def test_goodbye_is_answered_then_said_then_the_connection_is_closed():
    ada = House().enter("Ada")
    ada.reads()
    ada.says(Farewell)
    assert ada.words() == ["ok", "bye"]
    assert ada.closed


def test_whatever_comes_after_goodbye_is_not_heard():
    house = House()
    ada = house.enter("Ada")
    ada.says(Farewell)
    before = list(house.effects)
    house.does(house.hub.heard(ada.id, 9, house.now))
    house.does(house.hub.receive(ada.id, Ping(99), house.now))
    house.does(house.hub.gone(ada.id, house.now))
    assert house.effects == before


# Order


def test_what_follows_from_joining_reads_as_a_story():
    house = House()
    ada, bob = house.enter("Ada"), house.enter("Bob")
    code = ada.opens("grid-hunt")
    house.read_by_all()
    bob.says(Join, code)
    assert bob.words() == ["ok", "event", "room", "event", "event", "event", "view"]
    assert ada.words() == ["event", "room", "event", "event", "event", "view"]


def test_a_line_is_answered_then_told_then_shown():
    house = House()
    ada, bob, wes = house.table("grid-conquest", "Ada", "Bob", "Wes")
    ada.types("C3")
    assert ada.words() == ["ok", "event", "event", "event", "event", "view"]
    assert bob.words() == wes.words() == ["event", "event", "event", "event", "view"]


def test_a_last_line_is_followed_by_the_room_and_the_result():
    house = House()
    ada, bob, wes = house.table("grid-hunt", "Ada", "Bob", "Wes")
    play(ada, bob, lines=((1, "HIDE 2 3"), (2, "HIDE 5 5")))
    house.read_by_all()
    ada.types("DIG 5 5")
    assert ada.words()[-3:] == bob.words()[-3:] == wes.words()[-3:] == ["view", "room", "over"]


def test_a_line_is_recorded_before_anybody_is_told_of_it():
    house = House()
    ada, bob = house.table("quantum-duel")
    for seat, line in ((ada, "MOVE 3"), (ada, "OBSERVE 5"), (bob, "TUNNEL 7")):
        before = len(house.effects)
        seat.types(line)
        first, *rest = house.effects[before:]
        assert isinstance(first, Deed)
        assert all(isinstance(effect, Send) for effect in rest)
    room = house.room(ada.where.room).number
    lines = [(deed.room, deed.seat, deed.text) for deed in house.lines()]
    assert lines == [(room, 1, "MOVE 3"), (room, 1, "OBSERVE 5"), (room, 2, "TUNNEL 7")]


def test_a_line_is_kept_with_its_seat_and_the_id_of_its_request():
    house = House()
    ada, bob = house.table("grid-conquest")
    ada.says(Resign)
    ada.says(Again)
    bob.says(Again)
    bob.says(Play, "c 3", id=900)
    (line,) = house.lines()
    assert (line.seat, line.text, line.id) == (2, "c 3", 900)


@pytest.mark.parametrize("line", ["ZZ", "C9", "\x00", ""])
def test_a_refused_line_is_not_recorded_and_told_to_nobody_else(line):
    house = House()
    ada, bob = house.table("grid-conquest")
    assert ada.types(line)[0] in ("syntax", "illegal")
    assert house.lines() == []
    assert bob.reads() == []
    assert len(ada.reads()) == 1


def test_rev_grows_by_one_with_every_line_for_everybody_alike():
    house = House()
    everybody = house.table("grid-conquest", "Ada", "Bob", "Wes")
    ada, bob, _ = everybody
    start = ada.sees.rev
    play(ada, bob, lines=((1, "C3"), (2, "D4"), (1, "D3")))
    for guest in everybody:
        assert [view.rev for view in guest.reads(Show)] == [start + 1, start + 2, start + 3]
