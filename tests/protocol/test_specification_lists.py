"""The closed lists of the specification are those of the code: codes, kinds, reasons, phases, names."""

import inspect
import re
from pathlib import Path
from typing import get_args

import pytest

import gridgames_server
from gridgames_protocol.codec import decode_request
from gridgames_protocol.conform.checks import CHECKS
from gridgames_protocol.errors import BadLine, TooLong
from gridgames_protocol.messages import FOUL_REASONS, OUTSIDE_REASONS, REQUESTS, ByeCode, ErrorCode
from gridgames_protocol.views import CellKind
from gridgames_server.core.names import check_name
from gridgames_server.core.permissions import ALLOWED, check_allowed
from gridgames_server.errors import Refusal
from gridgames_server.games import GAMES
from tests.protocol.page_tables import REQUESTED, SAID
from tests.protocol.specification import codes, rows, section, tables
from tests.protocol.vectors import VECTORS, pack

PACKAGE = Path(gridgames_server.__file__).parent
SERVER = "".join(path.read_text(encoding="utf-8") for path in sorted(PACKAGE.rglob("*.py")))
FILES_OF_GAMES = {Path(inspect.getfile(type(game))) for game in GAMES}


def reasons_in(*files):
    """The reasons of all outcomes that some files make."""
    return {reason for path in files for reason in re.findall(r'Outcome\(\s*[^",]+,\s*"(\w+)"', path.read_text())}


OWN_REASONS = reasons_in(*FILES_OF_GAMES)


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
    _, shared, own, *_ = tables(section(SAID, "### `over`"))
    assert {row[0].strip("`") for row in shared} == {*OUTSIDE_REASONS, *FOUL_REASONS}
    assert {row[0].strip("`") for row in own} == OWN_REASONS


def test_every_reason_outside_the_rules_of_a_game_is_in_the_closed_list():
    shared = [path for path in PACKAGE.rglob("*.py") if path not in FILES_OF_GAMES]
    assert reasons_in(*shared) == {*OUTSIDE_REASONS, *FOUL_REASONS}
    assert not OWN_REASONS & {*OUTSIDE_REASONS, *FOUL_REASONS}, "a game's own reasons are words of its own"


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


def test_the_vectors_have_the_lists_and_keys_that_the_page_says():
    table = rows(section("## The byte vectors"))
    assert set(VECTORS) == {"about", *table}
    for name, cells in table.items():
        always, _, sometimes = cells[0].partition("perhaps")
        for vector in VECTORS[name]:
            assert codes(always) <= set(vector) - {"name", "direction"} <= codes(always) | codes(sometimes)


def test_the_page_lists_the_checks_of_the_conformance_kit():
    listed = {name: cells[0] == "yes" for name, cells in rows(section("## Testing your client")).items()}
    assert listed == {check.name: check.must for check in CHECKS}


@pytest.mark.parametrize(("name", "is_fine"), [("q" + "\u0323" * 2, True), ("q" + "\u0323" * 3, False)])
def test_a_name_has_as_many_marks_in_a_row_as_the_page_says(name, is_fine):
    assert "with at most two\ncombining marks in a row and none in front" in section(REQUESTED, "### `hello`")
    try:
        check_name(name)
    except Refusal:
        assert not is_fine
    else:
        assert is_fine


@pytest.mark.parametrize("name", ["Player 1", "the host", "bot 3", "\u0430da"])
def test_the_names_that_the_page_calls_refused_are_refused(name):
    with pytest.raises(Refusal):
        check_name(name)
