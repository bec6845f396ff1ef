"""The games over real TCP: from hello to rematch, coming back in the middle, and two hundred tables at once."""

import asyncio
import socket
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from itertools import pairwise

import pytest

from gridgames_protocol.messages import (
    Again,
    Analysis,
    AskHint,
    AskStatus,
    ByeRequest,
    Create,
    Event,
    Hint,
    Leave,
    Lobby,
    OfferDraw,
    Ok,
    Over,
    Ping,
    Play,
    Resign,
    Room,
    Show,
    Watch,
)
from gridgames_server.core.effects import Analyse
from gridgames_server.core.limits import ACCEPTS, ANALYSES_MAX, HELLO_WITHIN, LOBBY_PAUSE
from gridgames_server.net import service as service_module
from gridgames_server.net import thread_work
from gridgames_server.net.connection import Connection
from gridgames_server.net.thread_work import start_threads
from tests.server.tcp_tables import SLUGS, opened, sealed, sit_down
from tests.wire import program, run, serving, turn, until


@pytest.mark.parametrize("game", SLUGS)
def test_a_game_goes_from_hello_to_rematch(game):
    async def scenario():
        async with serving() as server:
            table = await sit_down(server, game)
            ada, bob = table.seats.values()
            over = await table.end()
            assert opened(over.reveal) == sealed(ada) == sealed(bob)
            score = [over.winner == 1, over.winner == 2, over.winner is None]

            assert isinstance(await ada.says(Again), Ok)
            assert isinstance(await bob.says(Again), Ok)
            for guest in (ada, bob):
                room = await guest.sees(Room, lambda room: room.number == 2)
                assert (room.state, list(room.score)) == ("playing", score)
            await table.see(table.shown.rev + 1)
            while table.shown.view.phase == "setup":
                await table.move()
            assert table.shown.turn == (2,), "the first move is the other's now"

            await table.end()
            assert isinstance(await bob.says(Leave), Ok)
            assert isinstance(await ada.says(ByeRequest), Ok)
            assert [word.code for word in (await ada.last_words())[-1:]] == ["bye"]

    run(scenario())


@pytest.mark.parametrize("game", SLUGS)
def test_a_watcher_sees_every_move_and_the_end(game):
    async def scenario():
        async with serving() as server:
            table = await sit_down(server, game)
            eve = await server.guest("Eve")
            await eve.says(Watch, room=table.room)
            assert (await eve.sees(Show)).you is None
            table.watchers.append(eve)
            over = await table.end()
            assert opened(over.reveal) == sealed(eve)

    run(scenario())


@pytest.mark.parametrize("game", SLUGS)
@pytest.mark.parametrize("seat", [1, 2])
def test_whoever_is_cut_off_in_the_middle_comes_back_and_plays_on(game, seat):
    async def scenario():
        async with serving() as server:
            table = await sit_down(server, game)
            await table.play_to_the_middle(game)
            lost, other, rev = table.seats[seat], table.seats[3 - seat], table.shown.rev

            lost.cut()
            await other.sees(Event, lambda event: event.text == f"Player {seat} is away, and can return.")
            assert [holder.online for holder in (await other.sees(Room)).seats] == [seat == 2, seat == 1]

            back, welcome = await server.returns(lost)
            assert (welcome.room, welcome.token) == (table.room, lost.token)
            assert (await back.sees(Room)).you == seat
            assert await back.sees(Show) == lost.table
            await other.sees(Event, lambda event: event.text == f"Player {seat} is back.")
            assert all(holder.online for holder in (await other.sees(Room)).seats)

            table.seats[seat] = back
            await other.sees(Show, lambda show: show.rev == rev)
            await table.end()

    run(scenario())


@pytest.mark.parametrize("game", SLUGS)
def test_a_play_whose_answer_was_lost_is_applied_once(game):
    async def scenario():
        async with serving() as server:
            table = await sit_down(server, game)
            await table.play_to_the_middle(game)
            moves = (await table.seats[1].says(AskStatus)).moves
            (seat, line), rev = table.next(), table.shown.rev + 1
            lost, other = table.seats[seat], table.seats[3 - seat]

            id = lost.calls(Play, line=line)
            await other.sees(Show, lambda show: show.rev == rev)
            lost.cut()

            back, welcome = await server.returns(lost)
            assert welcome.last_play == id
            assert (await back.sees(Show)).rev == rev
            assert await back.says(Play, line=line, id=id) == Ok(id)
            assert (await back.says(AskStatus)).moves == moves + 1
            assert server.service.hub.rooms.by_code[table.room].rev == rev

    run(scenario())


@pytest.mark.parametrize("game", SLUGS)
def test_a_play_that_never_arrived_is_known_to_be_missing_and_said_again(game):
    async def scenario():
        async with serving() as server:
            table = await sit_down(server, game)
            (seat, line), rev = table.next(), table.shown.rev + 1
            lost, other = table.seats[seat], table.seats[3 - seat]

            lost.cut()
            id = lost.calls(Play, line=line)  # into a socket that is no more

            back, welcome = await server.returns(lost)
            assert welcome.last_play is None
            assert await back.says(Play, line=line, id=id) == Ok(id)
            assert (await other.sees(Show, lambda show: show.rev == rev)).rev == rev

    run(scenario())


def test_one_who_is_on_a_second_connection_is_told_so_on_the_first():
    async def scenario():
        async with serving() as server:
            table = await sit_down(server, "grid-conquest")
            ada, bob = table.seats.values()
            table.seats[1], _ = await server.returns(ada)
            assert [word.code for word in (await ada.last_words())[-1:]] == ["replaced"]
            await table.seats[1].sees(Show)
            await table.end()
            assert not any(
                event.text.endswith("is away, and can return.") for event in bob.heard if type(event) is Event
            )

    run(scenario())


def test_the_lobby_hears_the_news_a_few_times_a_second():
    async def scenario():
        async with program() as server:
            ada, took = await server.guest("Ada"), []
            for number in range(1, 4):
                bob = await server.guest(f"Bob {number}")
                since = time.monotonic()
                await bob.says(Create, game="grid-hunt")
                await ada.sees(Lobby, lambda lobby: len(lobby.rooms) == number)  # noqa: B023
                took.append(time.monotonic() - since)
            assert min(took[1:]) < 0.7, "not at the tick of a second"
            assert max(took[1:]) > LOBBY_PAUSE / 2, "but not at once each time"

    run(scenario())


def test_two_hundred_rooms_are_played_at_once():
    async def table_number(number, server, everybody):
        game = SLUGS[number % len(SLUGS)]
        table = await sit_down(server, game, (f"Ada {number}", f"Bob {number}"))
        await table.play_to_the_middle(game)
        await everybody.wait()  # for all the others to be there
        await everybody.wait()  # for the host to have looked around
        await table.move()
        if table.shown.turn:
            assert isinstance(await table.seats[2].says(Resign), Ok)
            await table.see(table.shown.rev + 1)
        await table.end()

    async def scenario():
        limits = ("--max-per-address", "500", "--max-rooms-per-address", "200", "--rate", "0", "--log-level", "error")
        async with program(*limits) as server, asyncio.TaskGroup() as tables:
            everybody = asyncio.Barrier(201)
            for number in range(200):
                tables.create_task(table_number(number, server, everybody))
            await everybody.wait()
            status = await (await server.guest("Ann")).says(AskStatus)
            assert (status.players, status.rooms, status.games) == (401, 200, 200)
            await everybody.wait()

    run(scenario())


def test_both_players_are_sent_the_analysis_of_their_game():
    async def scenario():
        async with program() as server:
            table = await sit_down(server, "treasure-hunt-duel")
            over = await table.end()
            one, two = [await guest.sees(Analysis) for guest in table.seats.values()]
            assert one == two
            assert len(one.moves) == len(over.moves)

    run(scenario())


def test_a_flood_of_connections_is_taken_a_few_at_a_time():
    async def scenario():
        async with serving() as server:
            for _ in range(5 * ACCEPTS):
                server.sockets.append(socket.create_connection((server.host, server.port)))  # the loop stands still
            counts = [0]
            while counts[-1] < 5 * ACCEPTS:
                await turn()
                counts.append(len(server.service.connections))
            assert max(later - sooner for sooner, later in pairwise(counts)) <= ACCEPTS

    run(scenario())


# The computer thinks in other threads ---------------------------------------------------------------------------------


def test_a_hint_is_thought_over_and_the_bot_moves():
    async def scenario():
        async with serving() as server:
            ada = await server.guest("Ada")
            await ada.says(Create, game="grid-hunt", first="host", bot="hard")
            hint = await ada.says(AskHint)
            assert isinstance(hint, Hint)
            await ada.types(hint.line)
            await ada.sees(Show, lambda show: show.turn == (1,) and show.view.phase == "play")

    run(scenario())


def test_a_bot_accepts_a_draw_over_the_wire(monkeypatch):
    async def scenario():
        async with serving() as server:
            ada = await server.guest("Ada")
            await ada.says(Create, game="grid-conquest", first="host", bot="hard")
            assert isinstance(await ada.says(OfferDraw), Ok)
            over = await ada.sees(Over)
            assert over.reason == "agreed"

    monkeypatch.setattr(thread_work, "accepts_draw", lambda game, show, lines: show.you == 2)
    run(scenario())


def test_where_no_thread_can_be_started_any_more_the_computer_still_thinks(monkeypatch):
    def refuse(thread):
        raise RuntimeError("can't start new thread")

    async def scenario():
        async with serving() as server:
            ada = await server.guest("Ada")
            await ada.says(Create, game="grid-conquest", first="host", bot="hard")
            monkeypatch.setattr(threading.Thread, "start", refuse)
            hint = await ada.says(AskHint)
            assert isinstance(hint, Hint)
            await ada.types(hint.line)
            await ada.sees(Show, lambda show: show.turn == (1,) and show.rev == 3)

    run(scenario())


def test_a_thread_that_can_not_be_started_ends_the_start(monkeypatch):
    start, started = threading.Thread.start, []

    def start_one(thread):
        if started:
            raise RuntimeError("can't start new thread")
        started.append(thread)
        start(thread)

    monkeypatch.setattr(threading.Thread, "start", start_one)
    with ThreadPoolExecutor(2) as pool, pytest.raises(RuntimeError, match="can't start new thread"):
        start_threads(pool, 2)
    assert not started[0].is_alive()


def test_addresses_take_turns_with_the_analyses_of_their_games(monkeypatch):
    begun, may_go_on, analysed = threading.Event(), threading.Event(), []

    def analyse(over):
        begun.set()
        may_go_on.wait(20)
        analysed.append(over)

    async def scenario():
        async with serving() as server:
            service = server.service
            service.do([Analyse(number, "evil") for number in range(ANALYSES_MAX)])
            await until(begun.is_set)
            service.do([Analyse("mine", "home"), Analyse("late", "evil")])
            may_go_on.set()
            await until(lambda: len(analysed) == ANALYSES_MAX + 1)
            assert analysed[:3] == [0, 1, "mine"]
            assert "late" not in analysed

    monkeypatch.setattr(service_module, "analyse_record", analyse)
    run(scenario())


def test_a_server_stops_while_the_computer_thinks():
    async def scenario():
        async with serving() as server:
            for name in ("Ada", "Bob", "Cat"):
                guest = await server.guest(name)
                await guest.says(Create, game="grid-hunt", first="host", bot="hard")
                guest.calls(AskHint)
                await guest.writer.drain()

    run(scenario())


# A bug in one connection ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("place", ["flush", "find_overdue", "handle_input"])
def test_a_bug_in_one_connection_closes_it_and_nobody_else_notices(place, monkeypatch, caplog):
    async def scenario():
        async with serving() as server:
            table = await sit_down(server, "grid-conquest")
            eve, silent = await server.guest("Eve"), await server.connection()
            await eve.says(Watch, room=table.room)
            wire = server.wire(eve)
            await until(lambda: len(server.service.connections) == 4)
            real = getattr(Connection, place)

            def struck(self, *given):
                if self is wire:
                    raise ZeroDivisionError
                return real(self, *given)

            monkeypatch.setattr(Connection, place, struck)
            eve.calls(Ping)
            await table.types(1, "C3")
            await server.later(HELLO_WITHIN + 2)
            assert (await silent.last_words())[-1].code == "hello_first", "time goes on for all others"
            await until(lambda: wire not in server.service.connections.values())
            monkeypatch.undo()
            await table.end()

    run(scenario())
    assert {line.partition(" at ")[0] for line in caplog.messages} == {
        "bug in the connection of session 3: ZeroDivisionError"
    }
