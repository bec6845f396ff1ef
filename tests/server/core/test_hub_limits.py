"""How much one connection may say, and what it is told when that was too much; nobody else notices."""

import pytest

from gridgames_protocol.errors import BadLine, BadMessage, TooLong, UnknownType
from gridgames_protocol.messages import Again, Bye, Chat, Create, Error, Leave, Ping, Watch
from gridgames_server.core.limits import (
    BAD_LINES_MAX,
    BURST,
    BYTES_PER_REQUEST,
    COST_CHAT,
    COST_CREATE,
    COST_ERROR,
    COST_WATCH,
    PARTS_PER_REQUEST,
)
from tests.server.hub_harness import HubHarness, word

RATE = 10
SAVED = RATE * BURST  # requests that one may make at once

# Too fast


def answers(guest, kind, *fields, most=1_000):
    """What a guest is answered who asks the same until the connection is closed."""
    heard = []
    while not guest.closed and len(heard) < most:
        heard.append(word(guest.says(kind, *fields)))
    return heard


def rested(rate=RATE):
    """A server, and somebody in it who has everything saved that can be."""
    server = HubHarness(rate=rate)
    ada = server.enter("Ada")
    server.passes(BURST + 1)
    ada.reads()
    return server, ada


def test_who_is_too_fast_is_asked_to_wait_and_then_cut():
    _, ada = rested()
    assert answers(ada, Ping) == ["ok"] * SAVED + ["too_fast"] * SAVED
    assert ada.closed


def test_the_last_words_to_one_who_is_cut():
    _, ada = rested()
    answers(ada, Ping)
    *_, error, bye = ada.reads()
    assert (error.code, error.text) == ("too_fast", f"That was too fast. Try again in {error.wait} s.")
    assert 1 <= error.wait <= 2 * BURST
    assert bye == Bye("too_fast", "You were much too fast for too long.")


def test_who_waits_may_go_on():
    server, ada = rested()
    assert answers(ada, Ping, most=SAVED + 3)[-1] == "too_fast"
    server.passes(1)
    assert word(ada.says(Ping)) == "ok"


def test_what_was_too_fast_was_not_done():
    server = HubHarness(rate=RATE)
    ada, bob = server.table("grid-conquest")
    answers(ada, Ping, most=SAVED)
    server.read_by_all()
    assert ada.types("C3") == ["too_fast"]
    assert (bob.reads(), server.lines()) == ([], [])
    server.passes(5)
    assert ada.types("C3") == ["ok"]


def test_errors_cost_more():
    _, ada = rested()
    assert answers(ada, Again).index("too_fast") == SAVED // (1 + COST_ERROR)


def test_what_burdens_others_costs_more():
    server, ada = rested()
    ada.opens("grid-hunt")
    server.passes(BURST + 1)
    assert answers(ada, Chat, "x").index("too_fast") == SAVED // COST_CHAT
    server, ada = rested()
    rooms = 0
    while word(ada.says(Create, "grid-hunt")) == "ok" and word(ada.says(Leave)) == "ok":
        rooms += 1
    assert rooms == SAVED // (COST_CREATE + 1)
    server, ada = rested()
    code = server.enter("Bob").opens("grid-hunt")
    looks = 0
    while word(ada.says(Watch, code)) == "ok" and word(ada.says(Leave)) == "ok":
        looks += 1
    assert looks == SAVED // (COST_WATCH + 1)


def test_at_the_lowest_rate_one_can_still_say_hello_and_open_a_room():
    assert HubHarness(rate=1).enter("Ada").opens("grid-hunt")


def test_a_flood_of_bytes_that_are_no_messages_is_cut():
    server, ada = rested()
    bob = server.enter("Bob")
    ada.reads()
    for _ in range(2 * SAVED):
        assert not ada.closed
        server.does(server.hub.bytes_received(ada.id, BYTES_PER_REQUEST, (), server.now))
    server.does(server.hub.bytes_received(ada.id, BYTES_PER_REQUEST, (), server.now))
    assert ada.closed
    assert ada.words() == ["too_fast"]
    assert word(bob.says(Ping)) == "ok"


def test_a_flood_of_reads_that_end_no_line_is_cut():
    server, ada = rested()
    sent = 0
    while not ada.closed:
        server.does(server.hub.bytes_received(ada.id, 0, (), server.now, PARTS_PER_REQUEST))
        sent += 1
    assert 2 * SAVED <= sent <= 2 * SAVED + 1
    assert ada.reads() == [Bye("too_fast", "You were much too fast for too long.")]


def test_an_empty_line_now_and_then_costs_nothing_to_speak_of():
    server, ada = rested(rate=1)
    server.passes(600)
    assert not ada.closed
    assert word(ada.says(Ping)) == "ok"


def test_without_a_rate_there_is_no_limit():
    _, ada = rested(rate=0)
    assert answers(ada, Ping) == ["ok"] * 1_000


def test_one_who_is_cut_keeps_the_seat():
    server = HubHarness(rate=RATE)
    ada, bob = server.table("grid-hunt")
    answers(ada, Ping)
    assert ada.closed
    assert bob.hears() == ["Player 1 is away, and can return."]
    assert ada.comes_back().where.you == 1


# Lines that can't be read

UNREADABLE = [BadLine("it holds no map"), TooLong(4_096)]


@pytest.mark.parametrize("error", UNREADABLE, ids=["bad_line", "too_long"])
@pytest.mark.parametrize("known", [True, False], ids=["after hello", "before hello"])
def test_the_eighth_unreadable_line_gets_its_error_then_a_goodbye(error, known):
    server = HubHarness()
    guest = server.enter("Ada") if known else server.connects()
    guest.reads()
    for _ in range(BAD_LINES_MAX - 1):
        guest.garbles(error)
        assert guest.reads() == [Error(error.code, str(error))]
    guest.garbles(error)
    assert guest.reads() == [
        Error(error.code, str(error)),
        Bye(error.code, "That was the 8th line that can't be read."),
    ]
    assert guest.closed


def test_good_lines_between_them_do_not_make_up_for_bad_ones():
    ada = HubHarness().enter("Ada")
    for _ in range(BAD_LINES_MAX):
        assert word(ada.says(Ping)) == "ok"
        ada.garbles(BadLine("it holds no map"))
    assert ada.closed


def test_each_connection_has_its_own_eight():
    ada = HubHarness().enter("Ada")
    for _ in range(BAD_LINES_MAX - 1):
        ada.garbles(BadLine("it holds no map"))
    ada = ada.comes_back()
    ada.garbles(BadLine("it holds no map"))
    assert not ada.closed


MISTAKEN = [UnknownType(5), UnknownType(), BadMessage("chat", "text", "text of 1 to 300 characters", 5)]


@pytest.mark.parametrize("error", MISTAKEN, ids=["unknown", "unknown without id", "unfit"])
def test_a_message_that_can_be_read_but_not_understood_is_answered_and_not_counted(error):
    ada = HubHarness(rate=0).enter("Ada")
    ada.reads()
    for _ in range(3 * BAD_LINES_MAX):
        ada.garbles(error)
        assert ada.reads() == [Error(error.code, str(error), error.re, field=error.field)]
    assert not ada.closed


def test_whoever_makes_such_mistakes_too_fast_is_cut_as_well():
    _, ada = rested()
    for _ in range(2 * SAVED):
        ada.garbles(UnknownType(5))
    heard = ada.words()
    assert heard.count("unknown_type") <= SAVED // (1 + COST_ERROR)
    assert ada.closed


def test_an_unreadable_line_disturbs_nobody():
    server = HubHarness()
    ada, bob = server.table("grid-hunt")
    for _ in range(BAD_LINES_MAX - 1):
        ada.garbles(BadLine("it holds no map"))
    assert bob.reads() == []
    assert ada.types("HIDE 2 3") == ["ok"]
