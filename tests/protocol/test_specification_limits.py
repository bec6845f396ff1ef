"""The limits and the allowance of the specification are those that the server keeps."""

import pytest

from gridgames_protocol import discovery
from gridgames_protocol.framing import CLIENT_LINE_MAX, SERVER_LINE_MAX
from gridgames_protocol.messages import Create, Leave, Play
from gridgames_server.core import limits
from gridgames_server.core.rate_limit import AddressLimits
from gridgames_server.games.match import LINES_MAX
from gridgames_server.storage import history_answers
from tests.protocol.page_tables import SEARCH
from tests.protocol.specification import numbers, rows, section, tables
from tests.server.hub_harness import HubHarness, word

HOST = limits.Limits()
BOUNDS = {
    "from connecting to a successful `hello`": limits.HELLO_WITHIN,
    "from a line's first byte to its LF": limits.MESSAGE_WITHIN,
    "silence": limits.SILENCE,
    "output that nobody takes": limits.STUCK_OUTPUT,
    "output that waits, before your requests wait too": limits.OUTPUT_MAX,
    "output that waits, in all": limits.OUTPUT_CAP,
    "lines of a connection that are `bad_line` or `too_long`": limits.BAD_LINES_MAX,
    "requests a second and connection *": HOST.rate,
    "seconds of that rate that can be saved up": limits.BURST,
    "wrong passwords and room codes from one address": limits.GUESSES,
    "connections in all *": HOST.max_players,
    "connections from one address *": HOST.max_per_address,
    "rooms in all *": HOST.max_rooms,
    "rooms from one address *": HOST.max_rooms_per_address,
    "watchers in a room": limits.WATCHERS_MAX,
    "rooms listed in the lobby": limits.LOBBY_ROOMS,
    "names listed in the lobby": limits.LOBBY_NAMES,
    "events told again to one who comes back": limits.ROOM_LOG,
    "games in one `history`": history_answers.PAGE,
    "rows in one `standings`": history_answers.TABLE,
    "lines in one game": LINES_MAX,
    "absence in one's own turn": limits.ABSENCE,
    "a room whose seated players are all away": limits.ROOM_DESERTED,
    "the same, where no game has begun, or it is over and one has left": limits.WAITING_DESERTED,
    "a room where nobody does anything": limits.ROOM_IDLE,
    "a token without a connection and a seat": limits.TOKEN_KEPT,
}
UNITS = {"KiB": 1_024, "minutes": 60, "hours": 3_600, "days": 86_400}
COSTS = {
    "a request": 1,
    "chat": limits.COST_CHAT,
    "create": limits.COST_CREATE,
    "watch": limits.COST_WATCH,
    "`history`, `replay`, `standings`, `record`, `analysis`, `hint`": limits.COST_LOOK,
    "a malformed line": 1 + limits.COST_ERROR,
    "a refusal, on top of its request": limits.COST_ERROR,
    f"{limits.BYTES_PER_REQUEST:,} bytes that arrive, on top, empty lines and the bytes of TLS included": 1,
    f"{limits.PARTS_PER_REQUEST} packets or TLS records that end no line, on top": 1,
    "a TLS record without content, such as a change of keys, on top": 1,
}


def test_the_limits_are_those_that_the_server_keeps():
    table = rows(section("## Limits"))
    assert list(table) == list(BOUNDS)
    for what, (limit, *_) in table.items():
        (number,) = numbers(limit)
        assert number * UNITS.get(limit.split(" ")[-1], 1) == BOUNDS[what], what


def test_the_allowance_is_what_the_server_counts():
    part = section("## Limits", "### The allowance")
    assert {what: int(cost) for what, (cost,) in rows(part).items()} == COSTS
    saved, words = HOST.rate * limits.BURST, " ".join(part.split())
    assert f"an allowance of {saved}, " in words
    assert f"gets {HOST.rate} back each second, up to {saved}." in words
    assert f"Overdrawn by more than {saved}, " in words


def test_a_line_has_the_lengths_that_the_page_says():
    table = rows(section("## A message is a line", "### What a line may hold"))
    sizes = [cells[0] for what, cells in table.items() if what.startswith("a line to")]
    assert sizes == [f"at most {limit:,} bytes" for limit in (CLIENT_LINE_MAX, SERVER_LINE_MAX)]


def test_a_clock_gains_no_more_by_a_crash_than_the_page_says():
    words = " ".join(section("## Limits").split())
    assert f"from a moment at most {limits.HEARTBEAT_EVERY} s earlier" in words


def test_a_call_is_answered_as_often_as_the_page_says():
    words = " ".join(section(SEARCH).split())
    assert f"exactly {discovery.SIZE} bytes" in words
    often = f"({limits.CALLS_PER_ADDRESS} at once, then {limits.CALLS_PER_SECOND_AND_ADDRESS} a second;"
    assert f"{often} {limits.CALLS_PER_SECOND} a second from everybody)" in words


# What a program may do


def allowance():
    return " ".join(section("## Limits", "### The allowance").split())


def test_an_address_shares_what_the_page_says():
    _, shared = tables(section("## Limits", "### The allowance"))
    kinds = ("connections", "tokens", "games", "chats", "told again")
    sizes = AddressLimits(HOST).sizes
    assert [
        (int(at_once.replace(",", "")), float(then.split()[0].replace(",", ""))) for _, at_once, then in shared
    ] == [(sizes[kind][1], pytest.approx(60 * sizes[kind][0])) for kind in kinds]
    (games, more_games), (chats, more_chats) = (
        (size, round(60 * rate)) for rate, size in (limits.OWN_GAMES, limits.OWN_CHATS)
    )
    assert f"{games} games (then {more_games} a minute) and {chats} chats (then {more_chats} a minute)" in allowance()
    often = f"{limits.ROOM_CHATS} times at once, then {60 * limits.ROOM_CHATS_PER_SECOND} times a minute"
    assert f"In a room each seat may chat {often}" in allowance()
    assert f"It starts with less, but at least {limits.BURST_LEAST}, " in allowance()


def first_refusal(moves_per_second, minutes=10):
    """After how many seconds a program that sends moves evenly meets `too_fast`; None if it does not.

    It sends one accepted move again and again: that costs as much as a new one.
    """
    server = HubHarness()
    ada = server.table("grid-conquest")[0]
    ada.says(Play, "CLAIM C3", 1, id=1_000)
    for number in range(60 * minutes * moves_per_second):
        server.now += 1 / moves_per_second
        if number % moves_per_second == 0:
            server.ticks()
        if word(ada.says(Play, "CLAIM C3", 1, id=1_000)) == "too_fast":
            return number / moves_per_second
        ada.reads()
    return None


def test_a_program_within_the_allowance_is_never_too_fast():
    assert f"{HOST.rate - 1} accepted moves a second are fine; {HOST.rate} are not for long" in allowance()
    assert first_refusal(HOST.rate - 1) is None
    assert first_refusal(HOST.rate) > 60
    assert first_refusal(2 * HOST.rate) < 4


def test_a_neighbour_makes_a_slow_program_meet_too_fast_without_a_wait():
    server = HubHarness(max_rooms_per_address=1)
    ada, eve = server.enter("Ada"), server.enter("Eve")
    while word(eve.says(Create, "grid-hunt")) == "ok":
        eve.says(Leave)
    reply = ada.says(Create, "grid-hunt")
    assert (reply.code, reply.wait) == ("too_fast", None)
    assert "because of a neighbour" in allowance()
