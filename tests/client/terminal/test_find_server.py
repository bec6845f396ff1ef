"""Choosing where to play in plain lines."""

import asyncio

import pytest

from gridgames_client.net.found_servers import HERE, PickedServer
from gridgames_client.terminal.find_server import PlainPicker
from tests.client.net.test_found_servers import ATTIC, CELLAR, FOUND
from tests.wire import run


class Scenario:
    """Somebody who types lines, and reads others."""

    def __init__(self, *typed, knows_password=False):
        self.read, self.seen = [], []
        self.picked = run(self.picks(typed, knows_password))

    async def picks(self, typed, knows_password):
        lines = asyncio.Queue()
        for line in typed:
            lines.put_nowait(line)
        return await PlainPicker(lines, self.read.append, self.seen.append).pick(FOUND, knows_password)


def test_a_number_chooses_a_server():
    ada = Scenario("1")
    assert ada.picked == PickedServer(ATTIC)
    assert ada.read[0] == "On your network:"
    assert ada.read[-2:] == [f"4. {HERE}", "Type a number, or nothing to play here:"]


@pytest.mark.parametrize("typed", ["", "4", "here"])
def test_nothing_chooses_this_machine(typed):
    assert Scenario(typed).picked == PickedServer(None)


def test_what_means_nothing_is_asked_again():
    ada = Scenario("7", "create grid-hunt", "1")
    assert ada.read[-2:] == ["Type a number from 1 to 4, or nothing to play here:"] * 2
    assert ada.picked == PickedServer(ATTIC)


def test_a_locked_server_asks_for_its_password_and_does_not_show_it():
    ada = Scenario("2", " sesame ")
    assert (ada.picked, ada.read[-1], ada.seen) == (PickedServer(CELLAR, "sesame"), "Password:", [False, True])
    assert "sesame" not in repr(ada.picked)


def test_one_who_has_brought_the_password_is_not_asked():
    assert Scenario("2", knows_password=True).picked == PickedServer(CELLAR)


def test_a_server_of_another_version_is_refused_and_another_can_be_chosen():
    ada = Scenario("3", "1")
    assert "which this client does not understand" in ada.read[-1]
    assert ada.picked == PickedServer(ATTIC)


@pytest.mark.parametrize("typed", [[], ["7"], ["3"], ["2"]])
def test_the_end_of_input_is_the_end(typed):
    assert Scenario(*typed, None).picked is None
