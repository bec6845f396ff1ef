"""`gridgames-client bot` lets any program play that reads JSON lines and writes lines."""

import asyncio
import itertools
import subprocess
import sys
from contextlib import suppress
from dataclasses import replace

import pytest

from gridgames_client.net import bot_runner
from gridgames_client.net.address import Address, Refused
from gridgames_client.net.connection import Connection
from gridgames_client.net.credentials import Identity
from gridgames_protocol.conform.checks import room, view, welcome
from gridgames_protocol.messages import Again, Bye, ByeRequest, Create, Event, Hello, Leave, Lobby, Ok, Over, Play
from gridgames_server.games import GAMES
from tests.client.scripted_server import SOON, pretending
from tests.protocol.started_server import started_server
from tests.wire import run

PIPE = subprocess.PIPE
# A bot in a shell: the first form of the view, with a random cell.
SHELL_BOT = r"""
random=$$
while read -r view; do
    form=$(printf %s "$view" | sed -n 's/.*"actions": \[{"verb": "[A-Z]*", "form": "\([^"]*\)".*/\1/p')
    set -- $(printf %s "$view" | sed -n 's/.*"actions": \[{[^]]*"cells": \["\([^]]*\)"\].*/\1/p' | sed 's/", "/ /g')
    random=$(((random * 1103515245 + 12345) % 2147483648))
    if [ $# -gt 0 ]; then shift $((random / 65536 % $#)); printf '%s\n' "$form" | sed "s/{cell}/$1/"; fi
done
"""
PYTHON_BOT = """
import json, random, sys
for line in sys.stdin:
    view = json.loads(line)
    if view["type"] == "view":
        lines = [a["form"].replace("{cell}", c) for a in view["actions"] for c in a.get("cells", [""])]
        print(random.choice(lines), flush=True)
"""


@pytest.fixture(scope="module")
def server():
    with started_server() as address:
        yield ":".join(address)


def run_bot(*arguments):
    command = [sys.executable, "-m", "gridgames_client", "bot", *arguments]
    return subprocess.run(command, capture_output=True, text=True, check=False)


@pytest.mark.parametrize("slug", [game.card.slug for game in GAMES])
@pytest.mark.parametrize("command", [(sys.executable, "-c", PYTHON_BOT), ("sh", "-c", SHELL_BOT)], ids=["python", "sh"])
def test_a_program_plays_every_game_against_the_computer(server, command, slug, long):
    games = 20 if long else 2
    done = run_bot("--game", slug, "--against", "easy", "--games", str(games), server, *command)
    assert (done.returncode, done.stderr) == (0, "")
    room, *results = done.stdout.splitlines()
    assert room.startswith("room ")
    assert len(results) == games, "one line a game, and nothing was refused"
    assert all("Player" in result for result in results)


def test_a_program_that_ends_is_told_so(server):
    done = run_bot("--game", "grid-conquest", "--against", "easy", server, sys.executable, "-c", "")
    assert (done.returncode, done.stderr) == (1, "gridgames-client: The program has ended.\n")


def test_a_program_that_is_refused_again_and_again_is_stopped(server):
    done = run_bot(
        "--game",
        "grid-hunt",
        "--against",
        "easy",
        server,
        sys.executable,
        "-u",
        "-c",
        "while input(): print('nonsense')",
    )
    assert done.returncode == 1
    assert "refused 20 times in a row" in done.stderr


def test_a_program_that_does_not_exist_is_one_sentence(server):
    done = run_bot(server, "no-such-program")
    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr == "gridgames-client: no-such-program can't be started: No such file or directory.\n"


def test_a_flag_after_the_host_is_refused_and_not_started(server):
    done = run_bot(server, "--tls", sys.executable, "-c", PYTHON_BOT)
    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr == "gridgames-client: Flags stand before HOST: type --tls there.\n"


# Coming back

OVER = Over(1, "treasure", "Player 1 wins.", (), ())
ENDED = (room("over"), view(4, ()), OVER)


async def say(peer, *messages):
    for message in messages:
        peer.says(message)
    await peer.writer.drain()


async def plays_to_the_end(peer):
    """Open a room, play one line, and see the game end with it."""
    await peer.welcomes()
    create = await peer.hears(Create)
    await say(peer, Ok(create.id, "CONF01"), room(), view(3))
    play = await peer.hears(Play)
    await say(peer, Ok(play.id), *ENDED)


async def says_goodbye(peer):
    bye = await peer.hears(ByeRequest)
    await say(peer, Ok(bye.id), Bye("bye", "Goodbye."))


def play_with_python(games, *stories):
    """What a program's games are reported as, at a server that follows the stories."""

    async def scenario():
        said = []
        async with pretending(*stories) as address:
            command = [sys.executable, "-c", PYTHON_BOT]
            await bot_runner.run_bot(
                address, command, name=None, game="pick", against=None, room=None, games=games, report=said.append,
                timeouts=SOON,
            )  # fmt: skip
        return [line for line in said if "wins" in line]

    return run(scenario())


def test_a_game_counts_once_though_its_end_is_told_again():
    async def ends_and_cuts(peer):
        await plays_to_the_end(peer)
        await peer.hears(Again)
        peer.cut()

    async def tells_the_end_again(peer):
        await say(peer, welcome((await peer.hears(Hello)).id), *ENDED)
        again = await peer.hears(Again)
        await say(peer, Ok(again.id), room(number=2), view(5))
        play = await peer.hears(Play)
        await say(peer, Ok(play.id), room("over", number=2), view(6, ()), OVER)
        await peer.answers(Leave)
        await says_goodbye(peer)

    assert play_with_python(2, ends_and_cuts, tells_the_end_again) == ["Player 1 wins."] * 2


def test_a_rematch_that_was_asked_for_is_not_asked_for_again():
    async def ends_and_cuts(peer):
        await plays_to_the_end(peer)
        await peer.answers(Again)
        peer.cut()

    async def waits_for_the_other(peer):
        await say(
            peer,
            welcome((await peer.hears(Hello)).id),
            room("over", again=(1,)),
            view(4, ()),
            OVER,
            room(number=2),
            view(5),
        )
        await peer.hears(Play)
        await say(peer, room("over", number=2), view(6, ()), OVER)
        await peer.answers(Leave)
        await says_goodbye(peer)

    assert play_with_python(2, ends_and_cuts, waits_for_the_other) == ["Player 1 wins."] * 2


def test_after_the_last_game_no_room_is_opened_on_coming_back():
    async def cuts_after_leaving(peer):
        await plays_to_the_end(peer)
        await peer.answers(Leave)
        peer.cut()

    async def is_greeted_in_the_lobby(peer):
        await peer.welcomes()
        await says_goodbye(peer)

    assert play_with_python(1, cuts_after_leaving, is_greeted_in_the_lobby) == ["Player 1 wins."]


def test_a_room_that_is_closed_ends_the_program():
    async def closes_the_room(peer):
        await plays_to_the_end(peer)
        await peer.answers(Again)
        await say(peer, Lobby((), 1, 0))
        await peer.is_left()

    with pytest.raises(Refused, match=r"The room was closed\."):
        play_with_python(2, closes_the_room)


# Messages in another order

TOLD = [
    welcome(1),
    replace(welcome(1), room=None),
    room(),
    room("over"),
    view(3),
    OVER,
    Lobby((), 1, 0),
    Event("Player 1 is back.", "system"),
    Bye("shutting_down", "The server stops."),
    Ok(1),
]


def test_the_end_of_a_game_is_dropped_until_the_room_is_known():
    async def tells_the_end_first(peer):
        await say(peer, welcome((await peer.hears(Hello)).id), OVER, room(), view(3))
        play = await peer.hears(Play)
        await say(peer, Ok(play.id), *ENDED)
        await peer.answers(Leave)
        await says_goodbye(peer)

    assert play_with_python(1, tells_the_end_first) == ["Player 1 wins."]


def test_messages_in_any_order_end_a_program_with_a_sentence_or_not_at_all():
    async def scenario():
        cat = await asyncio.create_subprocess_exec("cat", stdin=PIPE, stdout=subprocess.DEVNULL)
        for order in itertools.permutations(TOLD, 4):
            runner = bot_runner.BotRunner(cat, Create(1, "pick"), 2, lambda line: None)
            runner.connection = Connection(Address("127.0.0.1"), Identity(), runner)  # without a line: all is lost
            with suppress(Refused):
                for message in order:
                    runner.on_message(message)
            await cat.stdin.drain()
        await bot_runner.end_program(cat)

    run(scenario())
