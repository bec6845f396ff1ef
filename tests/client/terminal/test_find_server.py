"""Choosing where to play in plain lines."""

import asyncio
from contextlib import asynccontextmanager
from dataclasses import replace

import pytest

from gridgames_client.net import lan_search
from gridgames_client.net.found_servers import HERE, LISTED_MAX, ROWS_MAX, SILENT, PickedServer, Server
from gridgames_client.net.lan_search import AGAIN
from gridgames_client.state.controllers.controller import Controller
from gridgames_client.state.model import Model
from gridgames_client.terminal.find_server import TOLD_MAX, Elsewhere, PlainPicker
from gridgames_protocol.conform.checks import room
from gridgames_protocol.messages import Event, Lobby
from tests.client.net.test_found_servers import ATTIC, CELLAR, FOUND, answer
from tests.client.net.test_lan_search import neighbours
from tests.wire import run, turn, until

QUESTION = "Type a number, or nothing to play here:"


class Asked:
    """Somebody who types lines, and reads others, while servers come and go."""

    def __init__(self, *typed):
        self.read, self.seen = [], []
        self.lines, self.found = asyncio.Queue(), asyncio.Queue()
        for line in typed:
            self.lines.put_nowait(line)

    async def updates(self):
        while True:
            found = await self.found.get()
            if isinstance(found, Exception):
                raise found
            yield found

    def picks(self, found=FOUND, knows_password=False):
        picker = PlainPicker(self.lines, self.read.append, self.seen.append)
        return picker.pick(found, knows_password, self.updates())

    async def reads(self, *lines):
        """Wait for these lines, after the last question."""
        await until(lambda: self.read[-1 - len(lines) :] == [QUESTION, *lines])


class Scenario(Asked):
    """Somebody who has typed everything before the question."""

    def __init__(self, *typed, knows_password=False):
        super().__init__(*typed)
        self.picked = run(self.picks(knows_password=knows_password))


def test_a_number_chooses_a_server():
    ada = Scenario("1")
    assert ada.picked == PickedServer(ATTIC)
    assert ada.read[0] == "On your network:"
    assert ada.read[-2:] == [f"4. {HERE}", QUESTION]


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


# While servers come and go --------------------------------------------------------------------------------------------

BARN = Server("192.168.1.30", answer("b", "the barn", 5000))
BARN_LINE = "the barn, 192.168.1.30:5000: 3 players, 1 open"


@pytest.mark.parametrize(("typed", "picked"), [("1", ATTIC), ("2", None), ("3", CELLAR), ("4", BARN), ("", None)])
def test_a_server_that_appears_gets_the_next_number_and_no_number_changes(typed, picked):
    async def scenario():
        ada = Asked()
        picking = asyncio.create_task(ada.picks((ATTIC,), knows_password=True))
        await until(lambda: ada.read)
        assert ada.read == ["On your network:", "1. the attic, 192.168.1.20:4743: 3 players, 1 open", f"2. {HERE}",
                            QUESTION]  # fmt: skip
        ada.found.put_nowait((CELLAR, ATTIC))
        await ada.reads("3. the cellar, 192.168.1.21:4000: password, TLS, 1 player, 0 open", QUESTION)
        ada.found.put_nowait((CELLAR,))
        ada.found.put_nowait((BARN, CELLAR))
        await ada.reads(f"4. {BARN_LINE}", QUESTION)
        ada.lines.put_nowait("5")
        await ada.reads("Type a number from 1 to 4, or nothing to play here:")
        ada.lines.put_nowait(typed)
        assert await picking == PickedServer(picked)

    run(scenario())


def test_a_number_means_the_printed_address_though_its_server_has_moved():
    async def scenario():
        for typed, picked in (("1", BARN), ("3", replace(BARN, host="10.0.0.7"))):
            ada = Asked()
            picking = asyncio.create_task(ada.picks((BARN,)))
            ada.found.put_nowait((replace(BARN, host="10.0.0.7"),))
            await until(lambda ada=ada: len(ada.read) > 4)
            assert ada.read[-2:] == ["3. the barn, 10.0.0.7:5000: 3 players, 1 open", QUESTION]
            ada.lines.put_nowait(typed)
            assert await picking == PickedServer(picked)

    run(scenario())


def test_what_was_typed_before_is_read_before_any_server_that_appears():
    async def scenario():
        ada = Asked("4", None)
        ada.found.put_nowait((BARN,))
        assert await ada.picks() == PickedServer(None)
        assert ada.read[-1] == QUESTION

    run(scenario())


def test_no_server_is_printed_while_a_password_is_asked_for():
    async def scenario():
        ada = Asked("2")
        picking = asyncio.create_task(ada.picks())
        await until(lambda: "Password:" in ada.read)
        ada.found.put_nowait((BARN,))
        ada.lines.put_nowait("sesame")
        assert await picking == PickedServer(CELLAR, "sesame")
        assert ada.read[-1] == "Password:"

    run(scenario())


def test_a_neighbour_that_announces_servers_without_end_does_not_fill_the_list():
    async def scenario():
        ada = Asked()
        picking = asyncio.create_task(ada.picks())
        for port in range(1, 3 * LISTED_MAX):
            ada.found.put_nowait((Server("10.0.0.1", answer("e", port=port)),))
        ada.found.put_nowait((BARN,))
        await until(ada.found.empty)
        await ada.reads(f"{len(FOUND) + 1 + LISTED_MAX - 1}. {BARN_LINE}", QUESTION)
        ada.lines.put_nowait("here")
        assert await picking == PickedServer(None)
        assert len([line for line in ada.read if line[0].isdecimal()]) < ROWS_MAX

    run(scenario())


@pytest.mark.parametrize("bug", [RuntimeError("planted"), BrokenPipeError("planted")])
def test_a_bug_in_the_search_ends_the_question(bug):
    async def scenario():
        ada = Asked()
        picking = asyncio.create_task(ada.picks())
        ada.found.put_nowait(bug)
        await until(picking.done)
        with pytest.raises(type(bug), match="planted"):
            picking.result()

    run(scenario())


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
            assert ada.model.notice == "No new server has appeared since you started."
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
            assert len(elsewhere.told) == len(ada.model.log) == TOLD_MAX // 2
            there.answers("attic")
            await until(lambda: ada.model.elsewhere == "attic")
            for host in range(2 * TOLD_MAX):
                elsewhere.search.found.add(f"10.0.0.{host}", answer("e", port=host + 1), there.now)
            await later(0)
            assert len(elsewhere.told) == len(ada.model.log) == TOLD_MAX

    run(scenario())
