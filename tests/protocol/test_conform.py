"""The conformance kit passes our client and the bot of the specification, and finds what is wrong with bad ones."""

import sys

import pytest

from gridgames_protocol.conform.__main__ import grade, main
from gridgames_protocol.conform.checks import CHECKS
from tests.protocol.specification import blocks, section

PATIENCE = 8.0
(STARTER,) = blocks("python", section("## A bot of your own"))
STUFFING = r'.replace(b"\xc1", b"\xc1\x00").replace(b"\n", b"\xc1\x01") + b"\n"'
MUSTS = [check for check in CHECKS if check.must]

each_must = pytest.mark.parametrize("check", MUSTS, ids=lambda check: check.name)


def client(folder, source):
    """The command of a client with this source."""
    path = folder / "client.py"
    path.write_text(source, encoding="utf-8")
    return [sys.executable, str(path), "{host}", "{port}", "pick"]


def changed(old, new):
    """The bot of the specification with a mistake in it."""
    assert STARTER.count(old) == 1
    return STARTER.replace(old, new)


@pytest.mark.parametrize("check", CHECKS, ids=lambda check: check.name)
def test_our_client_passes(check):
    ours = [sys.executable, "-m", "gridgames_client", "--plain", "--wait", "{address}"]
    assert grade(check, ours, PATIENCE) == ""


@each_must
def test_the_bot_of_the_specification_passes_what_it_must(tmp_path, check):
    assert grade(check, client(tmp_path, STARTER), PATIENCE) == ""


BAD = {
    "stuffs and unstuffs": (
        changed(STUFFING, r'+ b"\n"'),
        "it sent a line that can't be read",
    ),
    "plays once for a view that comes twice": (
        changed(' or message["rev"] == view["rev"]', ""),
        "it played twice for one view",
    ),
    "skips fields, messages and kinds that it does not know": (
        changed(
            "    message = wire.receive()\n", "    message = wire.receive()\n    assert message['type'] != 'weather'\n"
        ),
        "it closed the connection",
    ),
}


@pytest.mark.parametrize("fault", BAD)
def test_a_bad_client_is_graded_down_for_its_own_fault_alone(tmp_path, fault):
    source, words = BAD[fault]
    grades = {check.name: grade(check, client(tmp_path, source), PATIENCE) for check in MUSTS}
    assert {name for name, found in grades.items() if found} == {fault}
    assert grades[fault].startswith(words)


def test_the_grades_are_printed_as_a_table(tmp_path, capsys):
    assert main(["--patience", "0.1", sys.executable, "-c", ""]) == 1
    printed = capsys.readouterr().out
    assert all(check.name in printed for check in CHECKS)
    assert printed.count("must    FAIL") == len(MUSTS)
