"""Those who read all the time are never cut, whatever others say within their allowance and however long a game was.

`test_packets_of_a_lan.py` runs these stories with packets of 1500 bytes too: on loopback the system takes far more at
once than on a network.
"""

import asyncio

from gridgames_protocol.messages import (
    CHAT_MAX,
    LINE_MAX,
    Chat,
    Event,
    Ok,
    Opening,
    Over,
    Ping,
    Play,
    Resign,
    Show,
    Watch,
)
from gridgames_server.core.limits import BURST, COST_CHAT, ROOM_CHATS, Limits
from tests.server.tcp_tables import sit_down
from tests.wire import program, run

WATCHERS = 20
CHATS = 26  # of each of them at once: within the allowance
THERE_AND_BACK = {1: "MOVE 4 2", 2: "MOVE 3 3"}
MOVES = 3_000


async def talk(watcher, number):
    """Say as much at once as a connection is allowed. The room may refuse some of it; how much it takes."""
    ids = {watcher.calls(Chat, text=f"{number} {turn} ".ljust(CHAT_MAX, "\U0001f600")) for turn in range(CHATS)}
    taken = 0
    while ids:
        heard = await watcher.hears()
        if getattr(heard, "re", None) in ids:
            ids.remove(heard.re)
            taken += isinstance(heard, Ok)
    return taken


def test_watchers_who_all_talk_at_once_cut_no_player():
    assert Limits().rate * BURST > CHATS * COST_CHAT

    async def scenario():
        async with program("--max-per-address", "100") as server:
            table = await sit_down(server, "grid-conquest")
            watchers = [await server.guest(f"w{number}") for number in range(WATCHERS)]
            for watcher in watchers:
                await watcher.says(Watch, room=table.room)
            async with asyncio.TaskGroup() as reading:
                for seat in table.seats.values():
                    reading.create_task(seat.sees(Event, lambda event: event.text == "quiet now"))
                async with asyncio.TaskGroup() as talking:
                    talks = [talking.create_task(talk(watcher, number)) for number, watcher in enumerate(watchers)]
                table.seats[1].calls(Chat, text="quiet now")
            taken = sum(one.result() for one in talks)
            assert taken >= ROOM_CHATS
            for seat in table.seats.values():
                chats = [event for event in seat.heard if isinstance(event, Event) and event.kind == "chat"]
                assert len(chats) == taken + 1, "everything that the room has taken, and the last word"
            table.watchers = watchers
            await table.end()

    run(scenario(), within=60)


def check_moves(guest):
    """All moves have arrived, each as it is kept: without the spaces behind it."""
    moves = [move for end in guest.heard if isinstance(end, Opening | Over) for move in end.moves]
    assert len(moves) == 2 + MOVES
    assert moves[2:] == [(mover, THERE_AND_BACK[mover]) for mover in (1, 2)] * (MOVES // 2)


async def play_long(table):
    """Play lines that are as long as a line can be, and give up at last."""
    for seat, line in ((1, "GOAL 2"), (2, "GOAL 4")):
        await table.types(seat, line)
    began = table.shown.rev
    for rev in range(began, began + MOVES):
        mover = 1 + (rev - began) % 2
        table.seats[mover].calls(Play, line=THERE_AND_BACK[mover].ljust(LINE_MAX))
        await table.seats[3 - mover].sees(Show, lambda show, rev=rev: show.rev > rev)
    await table.seats[1].says(Resign)


def test_the_end_of_a_long_game_reaches_everybody_and_one_who_comes_back():
    async def scenario():
        async with program("--rate", "0", "--max-per-address", "100") as server:
            table = await sit_down(server, "secret-paths")
            watchers = [await server.guest(f"w{number}") for number in range(2)]
            for watcher in watchers:
                await watcher.says(Watch, room=table.room)
            async with asyncio.TaskGroup() as readers:
                ends = [readers.create_task(guest.sees(Over)) for guest in watchers]
                await play_long(table)
            over = await table.seats[2].sees(Over)
            assert all(end.result() == over for end in ends)
            for guest in (*watchers, table.seats[2]):
                check_moves(guest)
            for seat in (1, 2):
                for _ in range(3):
                    table.seats[seat].cut()
                    table.seats[seat], _ = await server.returns(table.seats[seat])
                    assert await table.seats[seat].sees(Over) == over
                    check_moves(table.seats[seat])
            await table.seats[1].says(Ping)

    run(scenario(), within=300)
