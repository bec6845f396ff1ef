"""The specification for other people's clients says what the code does: its tables, examples, bytes and session."""

import json
import re
from collections.abc import Iterator
from dataclasses import MISSING, fields
from hashlib import sha256
from pathlib import Path
from typing import Any, Literal, get_args, get_origin, get_type_hints

import msgpack
import pytest

from gridgames_protocol import discovery
from gridgames_protocol.errors import BadLine, TooLong
from gridgames_protocol.lines import CLIENT_LINE_MAX, SERVER_LINE_MAX, unstuff
from gridgames_protocol.messages import (
    PUSHES,
    REQUESTS,
    ByeCode,
    Card,
    Commit,
    ErrorCode,
    LobbyRoom,
    PastGame,
    Reveal,
    SeatHolder,
    Standing,
    decode_push,
    decode_request,
    encode,
)
from gridgames_protocol.records import FLAT, INTEGER_MAX, rule_of
from gridgames_protocol.views import POINTS_MAX, Action, Board, CellKind, Review, ReviewRow
from gridgames_server import history, limits
from gridgames_server.games import GAMES
from gridgames_server.games.game import Refusal
from gridgames_server.match import LINES_MAX, Match
from gridgames_server.session import ALLOWED, check_allowed
from tests.protocol.specification import Table, blocks, codes, numbers, rows, section, tables
from tests.protocol.vectors import VECTORS, pack

SERVER = "".join(
    path.read_text(encoding="utf-8") for path in sorted((Path(__file__).parents[2] / "server").rglob("*.py"))
)

REQUESTED, SAID = "## What a client says", "## What a server says"
RECORDS = {
    Card: "#### A card",
    LobbyRoom: "#### A row of the lobby",
    SeatHolder: "#### A seat",
    Commit: "#### A commitment",
    Reveal: "#### An opening of a secret",
    PastGame: "#### A past game",
    Standing: "#### A standing",
    Review: "#### A review",
    ReviewRow: "#### A row of a review",
    Board: "### The board",
    Action: "### Actions",
}


# Messages and their fields --------------------------------------------------------------------------------------------


def declared(record: type) -> Iterator[tuple[str, Any, object]]:
    """A record's fields as they lie on the wire: key, annotation, default."""
    hints = get_type_hints(record, include_extras=True)
    for field in fields(record):
        hint = hints[field.name]
        if FLAT in get_args(hint):
            yield from declared(get_args(hint)[0])
        else:
            yield field.name, hint, field.default


def parts(hint: Any) -> Iterator[Any]:
    """An annotation and everything that it is made of."""
    yield hint
    for part in get_args(hint):
        yield from parts(part)


def records_in(record: type) -> set[type]:
    """The records that a record holds, at any depth."""
    held = {part for _, hint, _ in declared(record) for part in parts(hint) if is_record(part)}
    return held.union(*map(records_in, held))


def is_record(part: Any) -> bool:
    return isinstance(part, type) and hasattr(part, "__dataclass_fields__")


LISTED = [
    *(pytest.param((REQUESTED, f"### `{word}`"), cls, id=f"request {word}") for word, cls in REQUESTS.items()),
    *(pytest.param((SAID, f"### `{word}`"), cls, id=f"push {word}") for word, cls in PUSHES.items()),
]
SEARCH = "## Finding a server"
DATAGRAMS = [
    pytest.param((SEARCH, "### The call"), discovery.Call, id="call"),
    pytest.param((SEARCH, "### The answer"), discovery.Answer, id="answer"),
]
HELD = [pytest.param((heading,), cls, id=cls.__name__) for cls, heading in RECORDS.items()]
each_message = pytest.mark.parametrize(("headings", "record"), LISTED)
each_record = pytest.mark.parametrize(("headings", "record"), LISTED + HELD + DATAGRAMS)


def part_of(headings: tuple[str, ...]) -> str:
    """A record's part of the page: under its heading alone, not under those inside it."""
    return re.split(r"\n####? ", section(*headings))[0]


def if_missing(default: object) -> str:
    """How the page writes what a missing field stands for."""
    if default is MISSING:
        return "must"
    if default in (None, (), False):
        return {None: "nil", (): "[]", False: "false"}[default]
    return f"`{default}`"


def bounds(cell: str) -> set[int]:
    """The numbers that a cell of the column `holds` stands for."""
    named = {"id": {1, INTEGER_MAX}, "count": {0, INTEGER_MAX}, "seat": {1, 2}}
    return numbers(cell).union(*(found for word, found in named.items() if re.search(rf"\b(?<!a ){word}\b", cell)))


@each_record
def test_a_record_has_a_table_of_just_its_fields(headings, record):
    assert list(rows(part_of(headings))) == [key for key, _, _ in declared(record)]


@each_record
def test_a_field_may_be_missing_where_its_row_says_so(headings, record):
    table = rows(part_of(headings))
    assert {key: table[key][1] for key in table} == {key: if_missing(default) for key, _, default in declared(record)}


@each_record
def test_a_field_may_be_nil_where_its_row_says_so(headings, record):
    table = rows(part_of(headings))
    for key, hint, default in declared(record):
        nilable = default is MISSING and rule_of(hint).fits(None)
        assert (("or nil" in table[key][0]) and not table[key][0].startswith("[")) == nilable, key


@each_record
def test_a_row_has_the_bounds_of_its_field(headings, record):
    table = rows(part_of(headings))
    for key, hint, _ in declared(record):
        assert bounds(table[key][0]) == numbers(rule_of(hint).needs), key


@each_record
def test_a_row_has_the_words_that_its_field_may_hold(headings, record):
    table = rows(part_of(headings))
    for key, hint, _ in declared(record):
        for part in parts(hint):
            if get_origin(part) is Literal and part not in (CellKind, ErrorCode, ByeCode):
                assert codes(table[key][0]) == set(get_args(part)), key


def test_every_record_that_a_message_holds_has_a_heading():
    listed = (*REQUESTS.values(), *PUSHES.values())
    assert set().union(*map(records_in, listed)) == set(RECORDS)


# Examples -------------------------------------------------------------------------------------------------------------


@each_message
def test_every_message_has_an_example_that_is_one(headings, record):
    examples = [json.loads(block) for block in blocks("json", section(*headings))]
    decode = decode_request if headings[0] == REQUESTED else decode_push
    assert examples
    for example in examples:
        message = decode(pack(example)[:-1])
        assert type(message) is record
        assert set(example) <= set(msgpack.unpackb(unstuff(encode(message)[:-1]))), "an example has no unknown key"


def test_every_example_with_a_type_is_a_message():
    for example in map(json.loads, blocks("json")):
        if "type" in example:
            decode = decode_request if "id" in example else decode_push
            assert decode(pack(example)[:-1])


def test_the_worked_bytes_are_those_of_the_worked_message():
    part = section("## A message is a line", "### A worked example")
    (message,), (packed, line) = map(json.loads, blocks("json", part)), map(bytes.fromhex, blocks("hex", part))
    assert packed == msgpack.packb(message)
    assert line == pack(message)
    assert b"\xc1\x00" in line
    assert b"\xc1\x01" in line
    assert f"these {len(packed)} bytes" in part
    assert b"".join(bytes.fromhex(name) for name in rows(part)) == packed


def test_the_examples_of_the_search_are_its_datagrams():
    call, answer = map(json.loads, blocks("jsonc", section(SEARCH)))
    assert call.pop("pad") == "..."
    asked = discovery.Call(call["nonce"], call["protocol"])
    packed = msgpack.unpackb(discovery.encode_call(asked))
    assert {**call, "pad": packed["pad"]} == packed
    assert msgpack.unpackb(discovery.encode_answer(discovery.decode_answer(msgpack.packb(answer)))) == answer
    assert answer["nonce"] == call["nonce"]


def test_a_call_is_answered_as_often_as_the_page_says():
    words = " ".join(section(SEARCH).split())
    assert f"exactly {discovery.SIZE} bytes" in words
    often = f"({limits.CALLS_PER_ADDRESS} at once, then {limits.CALLS_PER_SECOND_AND_ADDRESS} a second;"
    assert f"{often} {limits.CALLS_PER_SECOND} a second from everybody)" in words


def test_the_replay_is_that_of_the_game_of_the_session():
    over = next(message for _, _, message in session_lines() if message["type"] == "over")
    asked, shown = (json.loads(blocks("json", section(part, "### `replay`"))[0]) for part in (REQUESTED, SAID))
    question, number = decode_request(pack(asked)[:-1]), asked["game"]
    ended = (over["winner"], over["reason"], over["text"], 0.0)
    kept = history.Kept(number, "quantum-duel", 1, b"", 1, (1, 2), ("ann", "ben"), json.dumps(over["moves"]), *ended)
    answer = encode(history.answer(question, history.Found((kept,)), 1, GAMES))
    assert msgpack.unpackb(unstuff(answer[:-1])) == shown
    (row,) = json.loads(blocks("json", section(SAID, "### `history`"))[0])["games"]
    assert (row["number"], row["lines"], row["winner"], row["reason"]) == (number, len(over["moves"]), *ended[:2])


def test_a_long_game_is_reviewed_at_as_many_points_as_the_page_says():
    part = section(SAID, "### `over`", "#### A review")
    assert numbers(rows(part)["after"][0]) == {0, POINTS_MAX, 65_535}
    assert f"A game of more than {POINTS_MAX - 1} moves is shown at some of its points" in part


def test_the_worked_hash_is_that_of_the_worked_secret():
    (example,) = blocks("text", section("## Fairness"))
    worked = dict(re.split(r"\s+", line, maxsplit=1) for line in example.splitlines())
    assert worked["text"] == f"{worked['nonce']}:{worked['what']}={worked['value']}"
    assert worked["hash"] == sha256(worked["text"].encode()).hexdigest()
    assert worked["hash"] in section("## A whole session")


# Closed lists ---------------------------------------------------------------------------------------------------------


def test_every_error_code_has_a_row_and_no_other():
    assert set(rows(section("## Errors"))) == set(get_args(ErrorCode))


def test_every_goodbye_has_a_row():
    listed = set().union(*(codes(row[0]) for row in next(tables(section("## Goodbyes")))))
    assert listed <= set(get_args(ByeCode))
    assert set(get_args(ByeCode)) - set(get_args(ErrorCode)) <= listed
    said = set(re.findall(r'(?:(?:dismiss|expel)\([\w.]+, |Bye\()"(\w+)"', SERVER))
    assert listed == said | {BadLine.code, TooLong.code}


def test_every_kind_of_cell_has_a_row_and_no_other():
    _, kinds = tables(section("## How to read a view", "### The board"))
    assert [row[0].strip("`") for row in kinds] == list(get_args(CellKind))


def test_every_reason_for_an_end_has_a_row_and_no_other():
    given = set(re.findall(r'Outcome\(\s*[^",]+,\s*"(\w+)"', SERVER))
    _, reasons, *_ = tables(section(SAID, "### `over`"))
    assert {row[0].strip("`") for row in reasons} == given


def test_who_may_say_what_when_is_what_the_server_allows():
    table = rows(section("## Who may say what when"))
    assert set(table) == set(REQUESTS)
    for word, cells in table.items():
        assert [cell.strip("`") for cell in cells] == [answer(phase, word) for phase in ALLOWED]


def answer(phase, word):
    """What a phase answers a request: yes, or the code of the refusal."""
    example = next(vector["message"] for vector in VECTORS["messages"] if vector["message"]["type"] == word)
    try:
        check_allowed(phase, decode_request(pack(example)[:-1]))
    except Refusal as refusal:
        return refusal.code
    return "yes"


HOST = limits.Limits()
BOUNDS = {
    "from connecting to a successful `hello`": limits.HELLO_WITHIN,
    "from a line's first byte to its LF": limits.MESSAGE_WITHIN,
    "silence": limits.SILENCE,
    "output that nobody takes": limits.STUCK_OUTPUT,
    "output that waits": limits.OUTPUT_MAX,
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
    "events told again to one who comes back": limits.ROOM_LOG,
    "games in one `history`": history.PAGE,
    "rows in one `standings`": history.TABLE,
    "lines in one game": LINES_MAX,
    "absence in one's own turn": limits.ABSENCE,
    "a room whose seated players are all away": limits.ROOM_DESERTED,
    "a room where nobody does anything": limits.ROOM_IDLE,
    "a token without a connection and a seat": limits.TOKEN_KEPT,
}
UNITS = {"KiB": 1_024, "minutes": 60, "hours": 3_600, "days": 86_400}


def test_the_limits_are_those_that_the_server_keeps():
    table = rows(section("## Limits"))
    assert list(table) == list(BOUNDS)
    for what, (limit, *_) in table.items():
        (number,) = numbers(limit)
        assert number * UNITS.get(limit.split(" ")[-1], 1) == BOUNDS[what], what


COSTS = {
    "a request": 1,
    "chat": limits.COST_CHAT,
    "create": limits.COST_CREATE,
    "watch": limits.COST_WATCH,
    "`history`, `replay`, `standings`": limits.COST_LOOK,
    "a malformed line": 1 + limits.COST_ERROR,
    "a refusal, on top of its request": limits.COST_ERROR,
    f"{limits.BYTES_PER_REQUEST:,} bytes that arrive, on top, empty lines included": 1,
}


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


def test_the_vectors_have_the_lists_and_keys_that_the_page_says():
    table = rows(section("## The byte vectors"))
    assert set(VECTORS) == {"about", *table}
    for name, cells in table.items():
        always, _, sometimes = cells[0].partition("perhaps")
        for vector in VECTORS[name]:
            assert codes(always) <= set(vector) - {"name", "direction"} <= codes(always) | codes(sometimes)


# Games ----------------------------------------------------------------------------------------------------------------

each_game = pytest.mark.parametrize("game", GAMES, ids=lambda game: game.card.slug)


def part_about(game):
    return section("## The state of each game", f"### {game.card.title} (`{game.card.slug}`)")


def played(game, number, lines):
    """A match after some lines of this game, each `(seat, line)`."""
    match = Match(game, number.to_bytes(32, "big"), first=1)
    for seat, line in lines:
        match.play(seat, line)
    return match


@each_game
def test_the_state_has_the_keys_of_its_table_for_every_reader(game):
    match = played(game, 0, typed(game))
    for reader in (1, 2, None):
        assert list(match.view(reader).state) == list(rows(part_about(game)))


def typed(game):
    """The lines of the example, as the page types them."""
    lines = [(int(seat), line) for seat, line in re.findall(r"`([12])> ([^`]+)`", part_about(game))]
    assert lines
    return lines


@each_game
def test_the_example_of_a_state_is_what_its_lines_lead_to(game):
    (example,) = map(json.loads, blocks("json", part_about(game)))
    states = (played(game, number, typed(game)).view(1).state for number in range(200))
    assert any(json.loads(json.dumps(state)) == example for state in states), "no treasure leads there"


def walk(game):
    """A match in which seat 1 always types the first legal line and seat 2 the last, for a while or to its end."""
    match = Match(game, bytes(32), first=1)
    yield match
    while match.to_act() and len(match.lines) < 30:
        seat = min(match.to_act())
        lines = [line for action in match.view(seat).actions for line in action.lines()]
        match.play(seat, lines[0 if seat == 1 else -1])
        yield match


@each_game
def test_every_verb_stands_in_the_part_about_its_game(game):
    forms = {action.form for match in walk(game) for seat in match.to_act() for action in match.view(seat).actions}
    verbs = re.split(r"\bVerbs?: ", part_about(game))[1].split("\n\n")[0]
    assert codes(verbs) == forms


@each_game
def test_every_secret_has_a_row_under_the_name_that_it_is_committed_by(game):
    listed = {row[1].strip("`") for row in next(tables(section("## Fairness"))) if row[0] == game.card.title}
    *_, match = walk(game)
    committed = {re.sub(r"move \d+", "move N", re.sub(r"of \d", "of S", secret.what)) for secret in match.secrets}
    assert committed == listed


def test_every_game_has_its_part_in_the_order_of_the_server():
    parts_found = re.findall(r"^### (.+) \(`(.+)`\)$", section("## The state of each game"), re.MULTILINE)
    named = [slug for _, slug in parts_found]
    assert parts_found == [(game.card.title, game.card.slug) for game in GAMES if game.card.slug in named]
    assert len(named) >= 5


# The session ----------------------------------------------------------------------------------------------------------


def session_lines():
    (session,) = blocks("text", section("## A whole session"))
    return [(line[:3], line[3], json.loads(line[5:])) for line in session.splitlines()]


def test_the_session_is_what_a_server_says_to_these_clients():
    table, heard = Table(), []
    for name, way, message in session_lines():
        if way == ">":
            assert not heard, "everything that was said is shown"
            heard = list(table.say(name, message))
        else:
            assert heard, f"nothing more was said, but the page shows {message}"
            assert table.fits(message, heard[0]), f"the page shows {message}, but the server says {heard[0]}"
            heard.pop(0)
    assert not heard


def test_the_first_line_of_the_session_has_the_bytes_that_stand_before_it():
    (line,) = blocks("hex", section("## A whole session"))
    assert bytes.fromhex(line) == pack(session_lines()[0][2])


def test_the_openings_of_the_session_fit_its_commitments():
    said = [message for _, way, message in session_lines() if way == "<"]
    commits = {message["commit"]["what"]: message["commit"]["hash"] for message in said if "commit" in message}
    opened = {reveal["what"]: reveal for message in said for reveal in message.get("reveal", [])}
    assert set(opened) == set(commits)
    for what, reveal in opened.items():
        assert sha256(f"{reveal['nonce']}:{what}={reveal['value']}".encode()).hexdigest() == commits[what]
