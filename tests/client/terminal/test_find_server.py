"""Choosing where to play in plain lines."""

import asyncio
from contextlib import asynccontextmanager
from dataclasses import replace

import pytest

from gridgames_client.net import lan_search
from gridgames_client.net.found_servers import HERE, LISTED_MAX, SILENT, PickedServer, Server
from gridgames_client.net.lan_search import AGAIN
from gridgames_client.state.controllers.controller import Controller
from gridgames_client.state.model import Model
from gridgames_client.terminal.find_server import TOLD_MAX, Elsewhere, PlainPicker
from gridgames_protocol.conform.checks import room
from gridgames_protocol.messages import Event, Lobby
from tests.client.net.test_found_servers import ATTIC, CELLAR, FOUND, answer
from tests.client.net.test_lan_search import neighbours
from tests.wire import run, turn, until


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


# Told at home ---------------------------------------------------------------------------------------------------------


@asynccontextmanager
async def at_home(monkeypatch, *declined):
    """Ada in the lobby of her own server, and servers that may come."""
    monkeypatch.setattr(lan_search, "CALLS", ())
    model = Model("127.0.0.1:4743", owns_server=True)
    ada = Controller(model, lambda request: None, lambda what: None, lambda path, text: "", lambda: 0.0)
    ada.on_message(Lobby((), 1, 0))
    async with neighbours() as (there, search):
        elsewhere = Elsewhere(search, declined)
        following = asyncio.create_task(elsewhere.follow(ada))
        await turn()

        async def later(seconds):
            there.now += seconds
            search.news.set()
            await turn()
            await turn()

        try:
            yield ada, there, elsewhere, later
        finally:
            following.cancel()
            await asyncio.gather(following, return_exceptions=True)


TOLD = "attic (127.0.0.1:97) is on your network now: /go goes there."


def test_one_at_home_is_told_once_of_a_server_that_appears(monkeypatch):
    async def scenario():
        async with at_home(monkeypatch) as (ada, there, elsewhere, later):
            ada.submit("go")
            assert ada.model.notice == "No other server has been found on your network."
            there.answers("attic")
            await until(lambda: ada.model.log)
            for _ in range(3):
                await later(AGAIN)
                there.answers("attic")
            await later(AGAIN)
            assert [event.text for event in ada.model.log] == [TOLD]
            ada.submit("go")
            assert ada.model.goes_elsewhere
            assert elsewhere.server.name == "attic"

    run(scenario())


def test_one_who_waits_in_a_room_is_told_too(monkeypatch):
    async def scenario():
        async with at_home(monkeypatch) as (ada, there, *_):
            ada.on_message(replace(room(), state="waiting", seats=(room().seats[0], None)))
            there.answers("attic")
            await until(lambda: ada.model.log)
            assert [event.text for event in ada.model.log] == [TOLD]
            ada.submit("/go")
            assert ada.model.goes_elsewhere

    run(scenario())


def test_earlier_lines_stay_in_sight_when_a_server_appears(monkeypatch):
    async def scenario():
        async with at_home(monkeypatch) as (ada, there, *_):
            for number in range(3):
                ada.on_message(Event(f"Line {number}", "system"))
            ada.scroll(1)
            there.answers("attic")
            await until(lambda: ada.model.elsewhere)
            assert ada.model.log[-1 - ada.log_offset].text == "Line 1"

    run(scenario())


def test_nobody_in_a_game_is_disturbed_and_the_search_rests(monkeypatch):
    async def scenario():
        async with at_home(monkeypatch) as (ada, there, _, later):
            ada.on_message(room())
            there.answers("attic")
            for _ in range(3):
                await later(AGAIN)
            assert there.count_calls() == 0
            assert not ada.model.log
            ada.on_message(Lobby((), 1, 0))
            await later(AGAIN)
            await later(0)
            assert there.count_calls() == 1

    run(scenario())


def test_a_server_that_has_gone_is_no_place_to_go(monkeypatch):
    async def scenario():
        async with at_home(monkeypatch) as (ada, there, elsewhere, later):
            there.answers("attic")
            await until(lambda: ada.model.elsewhere == "attic")
            await later(SILENT)
            assert (ada.model.elsewhere, elsewhere.server) == ("", None)

    run(scenario())


def test_a_server_that_answers_again_can_be_gone_to_and_is_not_told_of_again(monkeypatch):
    async def scenario():
        async with at_home(monkeypatch) as (ada, there, elsewhere, later):
            there.answers("attic")
            await until(lambda: ada.model.elsewhere == "attic")
            await later(SILENT)
            assert ada.model.elsewhere == ""
            there.answers("attic")
            await until(lambda: ada.model.elsewhere == "attic")
            assert [event.text for event in ada.model.log] == [TOLD]
            ada.submit("/go")
            assert (ada.model.goes_elsewhere, elsewhere.server.name) == (True, "attic")

    run(scenario())


def test_after_a_game_the_way_to_a_server_that_was_told_is_open_again(monkeypatch):
    async def scenario():
        async with at_home(monkeypatch) as (ada, there, elsewhere, later):
            there.answers("attic")
            await until(lambda: ada.model.elsewhere == "attic")
            ada.on_message(room())
            for _ in range(4):
                await later(AGAIN)
            assert there.count_calls() == 0
            ada.on_message(Lobby((), 1, 0))
            await later(AGAIN)
            there.answers("attic")
            await until(lambda: elsewhere.server)
            ada.submit("/go")
            assert ada.model.goes_elsewhere
            assert [event.text for event in ada.model.log] == [TOLD]

    run(scenario())


def test_when_the_way_opens_or_closes_the_screen_is_drawn_again(monkeypatch):
    async def scenario():
        async with at_home(monkeypatch) as (ada, there, _, later):
            seen = []
            ada.notify = lambda what: seen.append(ada.model.elsewhere)
            there.answers("attic")
            await until(lambda: seen and seen[-1] == "attic")
            await later(SILENT)
            assert seen[-1] == ""
            there.answers("attic")
            await until(lambda: seen[-1] == "attic")
            told = len(seen)
            await later(0)
            assert len(seen) == told, "nothing is drawn while nothing changes"

    run(scenario())


def test_the_last_server_that_was_told_and_answers_is_the_place_to_go(monkeypatch):
    async def scenario():
        async with at_home(monkeypatch) as (ada, there, _, later):
            there.answers("attic")
            await until(lambda: ada.model.elsewhere == "attic")
            await later(AGAIN)
            there.answers("attic", "barn")
            await until(lambda: ada.model.elsewhere == "barn")
            for _ in range(3):
                await later(AGAIN)
                there.answers("attic")
            await later(AGAIN)
            assert ada.model.elsewhere == "attic"
            there.answers("attic", "barn")
            await until(lambda: ada.model.elsewhere == "barn")
            assert len(ada.model.log) == 2

    run(scenario())


def test_a_server_that_was_declined_at_the_start_stays_declined(monkeypatch):
    async def scenario():
        declined = Server("127.0.0.1", answer("d", port=ord("a")))
        async with at_home(monkeypatch, declined) as (ada, there, elsewhere, later):
            for _ in range(2):
                there.answers("attic")
                await until(elsewhere.search.list_servers)
                await later(0)
                assert not ada.model.log
                assert (ada.model.elsewhere, elsewhere.server) == ("", None)
                await later(SILENT)

    run(scenario())


def test_the_player_is_told_of_no_more_servers_than_a_few_dozen(monkeypatch):
    async def scenario():
        async with at_home(monkeypatch) as (ada, there, elsewhere, later):
            for crowd in range(4):
                for port in range(LISTED_MAX):
                    elsewhere.search.found.add("127.0.0.2", answer("e", port=crowd * LISTED_MAX + port + 1), there.now)
                await later(0)
                there.now += SILENT
            assert len(elsewhere.told) == len(ada.model.log) == TOLD_MAX

    run(scenario())
