"""The tables of fields, the examples and the session of the specification are what the code says."""

import json
import re
from hashlib import sha256
from typing import Literal, get_args, get_origin

import msgpack
import pytest

from gridgames_protocol import discovery
from gridgames_protocol.codec import decode_push, decode_request, encode
from gridgames_protocol.describe import held_records, type_parts, wire_fields
from gridgames_protocol.framing import unstuff
from gridgames_protocol.messages import PUSHES, REQUESTS, ByeCode, ErrorCode
from gridgames_protocol.rules import rule_of
from gridgames_protocol.schema import INTEGER_MAX, REQUIRED
from gridgames_protocol.views import CellKind, Mark
from gridgames_server.games import GAMES
from gridgames_server.storage import history_answers
from tests.protocol.page_tables import LISTED, PAGE, RECORDS, REQUESTED, SAID, SEARCH
from tests.protocol.page_tables import rewrite as rewrite_tables
from tests.protocol.specification import README, Table, blocks, codes, numbers, rows, section
from tests.protocol.vectors import pack

# Messages and their fields --------------------------------------------------------------------------------------------


NAMED = [pytest.param(headings, cls, id=headings[-1].strip("# `")) for headings, cls in LISTED]
MESSAGES = len(REQUESTS) + len(PUSHES)
each_message = pytest.mark.parametrize(("headings", "record"), NAMED[:MESSAGES])
each_record = pytest.mark.parametrize(("headings", "record"), NAMED)


def part_of(headings: tuple[str, ...]) -> str:
    """A record's part of the page: under its heading alone, not under those inside it."""
    return re.split(r"\n####? ", section(*headings))[0]


def bounds(cell: str) -> set[int]:
    """The numbers that a cell of the column `holds` stands for."""
    named = {"id": {1, INTEGER_MAX}, "count": {0, INTEGER_MAX}, "seat": {1, 2}}
    return numbers(cell).union(*(found for word, found in named.items() if re.search(rf"\b(?<!a ){word}\b", cell)))


def test_the_tables_are_those_of_the_code(rewrite):
    """With --rewrite the tables are made anew; the column with the meanings is written by hand."""
    if rewrite:
        PAGE.write_text(rewrite_tables(README), encoding="utf-8")
    assert PAGE.read_text(encoding="utf-8") == rewrite_tables(README)


@each_record
def test_a_record_has_a_table_of_just_its_fields(headings, record):
    assert list(rows(part_of(headings))) == [key for key, _, _ in wire_fields(record)]


@each_record
def test_a_field_may_be_missing_where_its_row_says_so(headings, record):
    table = rows(part_of(headings))
    assert {key for key in table if table[key][1] == "must"} == {
        key for key, _, default in wire_fields(record) if default is REQUIRED
    }


@each_record
def test_a_field_may_be_nil_where_its_row_says_so(headings, record):
    table = rows(part_of(headings))
    for key, hint, default in wire_fields(record):
        nilable = default is REQUIRED and rule_of(hint).fits(None)
        assert ("or nil" in re.sub(r"\[.*\]", "", table[key][0])) == nilable, key


@each_record
def test_a_row_has_the_bounds_of_its_field(headings, record):
    table = rows(part_of(headings))
    for key, hint, _ in wire_fields(record):
        assert bounds(table[key][0]) == numbers(rule_of(hint).needs), key


@each_record
def test_a_row_has_the_words_that_its_field_may_hold(headings, record):
    table = rows(part_of(headings))
    for key, hint, _ in wire_fields(record):
        for part in type_parts(hint):
            if get_origin(part) is Literal and part not in (CellKind, Mark, ErrorCode, ByeCode):
                assert codes(table[key][0]) == set(get_args(part)), key


def test_every_record_that_a_message_holds_has_a_heading():
    assert set(held_records()) == set(RECORDS)


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


def test_the_replay_is_that_of_the_game_of_the_session():
    over = next(message for _, _, message in session_lines() if message["type"] == "over")
    asked, shown = (json.loads(blocks("json", section(part, "### `replay`"))[0]) for part in (REQUESTED, SAID))
    question, number = decode_request(pack(asked)[:-1]), asked["game"]
    ended = (over["winner"], over["reason"], over["text"], 0.0)
    kept = history_answers.FinishedGame(
        number, "quantum-duel", 1, b"", 1, (1, 2), ("ann", "ben"), json.dumps(over["moves"]), *ended
    )
    answer = encode(history_answers.build_answer(question, history_answers.QueryResult((kept,)), 1, GAMES))
    assert msgpack.unpackb(unstuff(answer[:-1])) == shown
    (row,) = json.loads(blocks("json", section(SAID, "### `history`"))[0])["games"]
    assert (row["number"], row["lines"], row["winner"], row["reason"]) == (number, len(over["moves"]), *ended[:2])


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
