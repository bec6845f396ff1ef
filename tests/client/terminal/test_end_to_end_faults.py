"""Real screens in real trouble: a server that dies, a line that breaks, signals, and bugs."""

import asyncio
import re
import signal
import stat
import sys

import pytest

from gridgames_client.net.address import Address
from gridgames_client.net.connection import FORGOTTEN
from gridgames_protocol.messages import Chat, Join
from tests.client.pseudo_terminal import terminal
from tests.client.scripted_server import cable
from tests.client.two_terminals import code_of_room, play, screen, see_the_end, sit_down, two_screens
from tests.wire import program, run, serving, until


def at(server):
    return Address(server.host, server.port)


# Lines and servers that break -----------------------------------------------------------------------------------------


def test_a_killed_server_leaves_the_half_typed_line_and_a_new_one_does_not_know_us(tmp_path):
    async def scenario():
        async with program() as server, two_screens(server.port, tmp_path) as (ada, bob):
            await sit_down(ada, bob, "treasure-hunt-duel first=host")
            await ada.shows("your turn")
            ada.types("QUERY 2")
            await ada.shows("> QUERY 2")
            await server.ends(by=signal.SIGKILL)
            for player in (ada, bob):
                await player.shows("Reconnecting")
            await ada.shows("> QUERY 2")
            async with program("--port", str(server.port)):
                for player in (ada, bob):
                    await player.shows("Play now", FORGOTTEN)

    run(scenario())


def test_after_a_cut_both_come_back_and_what_was_under_way_is_played_once(tmp_path):
    async def scenario():
        async with (
            serving() as server,
            cable(at(server)) as wire,
            two_screens(wire.address.port, tmp_path) as (ada, bob),
        ):
            await sit_down(ada, bob, "quantum-duel first=host")
            await ada.shows("your turn")
            wire.loses_answers = True
            ada.enters("MOVE 3")
            await until(lambda: server.service.hub.state.moves == 1)
            ada.types("OBSERVE ")
            await ada.shows("> ********")  # it may still be the secret that is being typed
            wire.cut()
            await asyncio.gather(ada.shows("Reconnecting"), bob.shows("Reconnecting"))
            await asyncio.gather(ada.shows("is back."), bob.shows("is back."))
            await ada.shows("o  Observe", "> OBSERVE")
            ada.enters("5")
            await play(bob, "MOVE 5", then="o  Observe")
            await play(bob, "OBSERVE 3")
            await see_the_end(ada, bob)
            assert server.service.hub.state.moves == 4

    run(scenario())


# Ways out -------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("by", [signal.SIGTERM, signal.SIGHUP])
def test_a_signal_leaves_the_terminal_as_it_was(tmp_path, by):
    async def scenario():
        async with serving() as server, screen(server.port, "Ada", tmp_path) as ada:
            await ada.shows("Play now", "Ada")
            assert not ada.is_restored()
            assert await ada.ends(by) == 0
            assert ada.is_restored(), bytes(ada.raw[-2000:])
            for left, entered in ((b"\x1b[?1049l", b"\x1b[?1049h"), (b"\x1b[?1000l", b"\x1b[?1000h")):
                assert ada.raw.rindex(left) > ada.raw.rindex(entered)
            assert ada.raw.rindex(b"\x1b[?25h") > ada.raw.rfind(b"\x1b[?25l")
            assert ada.text().strip() == ""

    run(scenario())


def test_a_terminal_that_is_closed_ends_the_program(tmp_path):
    async def scenario():
        async with serving() as server, screen(server.port, "Ada", tmp_path) as ada:
            await ada.shows("Play now", "Ada")
            ada.hang_up()
            await ada.process.wait()

    run(scenario())


def test_ctrl_c_asks_before_it_leaves_a_game(tmp_path):
    async def scenario():
        async with serving() as server, screen(server.port, "Ada", tmp_path) as ada:
            await ada.shows("Play now", "Ada")
            ada.enters("create grid-hunt")
            bob = await server.guest("Bob")
            await bob.says(Join, room=await code_of_room(ada))
            await ada.shows("your turn")
            ada.press("ctrl-c")
            await ada.shows("Leave the program?")
            ada.press("n")
            await ada.shows_no_more("Leave the program?")
            ada.press("ctrl-c")
            await ada.shows("Leave the program?")
            ada.press("y")
            assert await ada.ends() == 0
            assert ada.is_restored()

    run(scenario())


def test_who_is_replaced_is_told_so_on_a_restored_screen(tmp_path):
    async def scenario():
        async with serving() as server, screen(server.port, "Ada", tmp_path) as ada:
            await ada.shows("Play now", "Ada")
            await server.guest("Ada", token=token_of(tmp_path))
            assert await ada.ends() == 1
            assert ada.is_restored()
            assert ada.text().strip() == "gridgames-client: You have connected from somewhere else."

    run(scenario())


def token_of(state):
    """The token that the only client has kept."""
    [file] = (state / "gridgames" / "players").iterdir()
    return re.search(r'"token": "(\w+)"', file.read_text())[1]


# Bugs -----------------------------------------------------------------------------------------------------------------

PLANTED = {
    "a key": ("gridgames_client.state.controllers.lobby_controller", "pick_row", 1),
    "the drawing": ("gridgames_client.render.screen", "draw_screen", 1),
    "what is heard": ("gridgames_client.state.model", "Model.apply", 1),
}


@pytest.mark.parametrize(("module", "name", "time"), PLANTED.values(), ids=PLANTED)
def test_a_bug_reaches_a_file_and_never_the_screen(tmp_path, module, name, time):
    planted = (
        f"import {module} as place\n"
        f"good, calls = place.{name}, []\n"
        "def broken(*given, **more):\n"
        "    calls.append(given)\n"
        f"    if len(calls) >= {time}: raise RuntimeError('planted')\n"
        "    return good(*given, **more)\n"
        f"place.{name} = broken\n"
        "from gridgames_client.__main__ import main; main()"
    )

    async def scenario():
        async with (
            serving() as server,
            terminal(sys.executable, "-c", planted, at(server), XDG_STATE_HOME=str(tmp_path)) as ada,
        ):
            if name == "pick_row":
                await ada.shows("Play now")
                ada.press("down")
            assert await ada.ends() == 1
            log = tmp_path / "gridgames" / "logs" / "client.log"
            said = ada.text().replace("\n", "")
            assert said == (
                f"gridgames-client: something went wrong in this program (RuntimeError); the details are in {log}"
            )
            assert ada.is_restored()
            assert b"Traceback" not in ada.raw
            assert "RuntimeError: planted" in log.read_text()
            assert stat.S_IMODE(log.stat().st_mode) == 0o600

    run(scenario())


# Foreign text ---------------------------------------------------------------------------------------------------------

NASTY = [
    *(range(0x20), range(0x7F, 0xA0), range(0x200B, 0x2010), range(0x2028, 0x202F), range(0x2066, 0x206A)),
    *([0xAD, 0x61C, 0x2060, 0xFEFF, 0xFFF9, 0xE000], [0xE0001, 0xE0061, 0x10FFFF]),
]
NASTY = "".join(chr(code) for codes in NASTY for code in codes)


def test_no_control_byte_of_anybodys_chat_reaches_a_screen(tmp_path):
    async def scenario():
        async with (
            serving() as server,
            screen(server.port, "Ada", tmp_path) as ada,
            screen(server.port, "Eve", tmp_path, "--plain") as eve,
        ):
            await ada.shows("Play now", "Ada")
            await eve.shows("You are in the lobby.")
            bob = await server.guest("Bob")
            ada.enters("create grid-hunt")
            code = await code_of_room(ada)
            await bob.says(Join, room=code)
            eve.types(f"watch {code}\n")
            await eve.shows("You are watching.")
            for number, text in enumerate((NASTY, "\x1b[2J\x1b[31m\x1b]0;owned\x07", "\u202e" + "gnorw")):
                await bob.says(Chat, text=f"before {text} after{number}")
                for player in (ada, eve):
                    await player.shows(f"after{number}")
            assert ada.screen.strange == eve.screen.strange == []
            assert [title for title in ada.screen.titles if "owned" in title] == []
            for char in NASTY:
                if ord(char) >= 0x80:
                    assert char.encode() not in ada.raw + eve.raw

    run(scenario())
