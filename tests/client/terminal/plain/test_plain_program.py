"""The plain program in a process of its own: pipes, dumb terminals, signals, the echo, and every way to end."""

import asyncio
import os
import signal
import subprocess
import sys
import termios

import pytest

from gridgames_client.net.address import Address
from gridgames_protocol.messages import Chat, Join
from tests.client.client_process import child
from tests.client.pseudo_terminal import PROGRAMS, terminal
from tests.wire import environment, run, serving, until


def at(server):
    return str(Address(server.host, server.port))


async def two_at_a_table(ada, bob, room):
    """Ada opens a room, Bob joins it."""
    ada.types(f"create {room}")
    code = (await ada.reads("Then: join ")).split()[-1]
    bob.types(f"join {code}")
    for player in (ada, bob):
        await player.reads("Welcome to ")
    return code


# Pipes ----------------------------------------------------------------------------------------------------------------


def test_two_clients_play_through_pipes_without_a_single_escape(tmp_path):
    async def scenario():
        async with (
            serving() as server,
            child(at(server), "--name", "Ada", state=tmp_path) as ada,
            child(at(server), "--name", "Bob", state=tmp_path) as bob,
        ):
            await two_at_a_table(ada, bob, "quantum-duel first=host")
            ada.types("MOVE 3", "OBSERVE 5")
            await bob.reads("Player 2's turn.")
            bob.types("MOVE 5", "OBSERVE 3")
            for player in (ada, bob):
                await player.reads("Player 2 wins by capturing Player 1's token!")
                await player.reads("All 2 commitments verified.")
                player.types("/leave", "quit")
            for player in (ada, bob):
                assert await player.ends() == (0, "")
                assert all(line.isprintable() and line.isascii() for line in player.printed)

    run(scenario())


def test_a_name_that_the_output_can_not_show_is_printed_with_question_marks(tmp_path):
    async def scenario():
        async with (
            serving() as server,
            child(at(server), "--name", "Łucja", state=tmp_path, PYTHONIOENCODING="ascii") as ada,
        ):
            await ada.reads("Connected to the house as ?ucja.")
            ada.types("quit")
            assert await ada.ends() == (0, "")

    run(scenario())


def test_a_script_is_taken_line_by_line(tmp_path):
    script = "create grid-hunt private\n/chat hello\n/chat second line\n/leave\ncreate quantum-duel\n/rules"

    async def scenario():
        async with serving() as server, child(at(server), "--name", "Ada", state=tmp_path) as ada:
            ada.process.stdin.write(script.encode())
            assert await ada.ends() == (0, "")
            told = [line for line in ada.printed if line.startswith(("Room ", "Ada (", "Quantum Duel:"))]
            assert [line.partition(" ")[0] for line in told] == ["Room", "Ada", "Ada", "Room", "Quantum"]
            await until(lambda: not server.service.hub.rooms.by_code)

    run(scenario())


def test_a_script_plays_the_computer_and_ends_in_the_middle_of_a_game(tmp_path):
    script = "play Grid Conquest first=host\nA1\nboard words\nE5\nskip"

    async def scenario():
        async with serving() as server, child(at(server), "--wait", "--name", "Ada", state=tmp_path) as ada:
            ada.process.stdin.write(script.encode())
            assert await ada.ends() == (0, "")
            told = [line for line in ada.printed if line.startswith("Your turn: ")]
            assert len(told) == 3
            assert ada.printed[-1] == "Your game is kept; start again to go on."
        async with serving() as server, child(at(server), "--wait", "--name", "Ada", state=tmp_path) as ada:
            ada.process.stdin.write(b"play Grid Conquest first=host\n")
            await ada.reads("The board is empty.")

    run(scenario())


def test_a_line_without_end_and_bytes_that_are_no_text_are_survived(tmp_path):
    async def scenario():
        async with serving() as server, child(at(server), state=tmp_path) as ada:
            ada.process.stdin.write(b"\xff\xfe\x00\n" + b"x" * 1_000_000 + b"\nhelp\n")
            await ada.reads("In the lobby, type one of these:")
            assert await ada.ends() == (0, "")

    run(scenario())


def test_the_end_of_input_in_a_game_keeps_the_seat_and_one_can_come_back(tmp_path):
    async def scenario():
        async with serving() as server, child(at(server), "--name", "Bob", state=tmp_path) as bob:
            async with child(at(server), "--name", "Ada", state=tmp_path) as ada:
                code = await two_at_a_table(ada, bob, "grid-hunt first=host")
                ada.types("HIDE 2 3")
                assert await ada.ends() == (0, "")
            await bob.reads("Player 1 is away, and can return.")
            async with child(at(server), "--name", "Ada", state=tmp_path) as ada:
                await ada.reads(f"You are back in room {code}.")
                await bob.reads("Player 1 is back.")
                bob.types("HIDE 5 5")
                await ada.reads("Player 1's turn.")
                ada.types("DIG 5 5")
                await bob.reads("Player 1 found Player 2's treasure and won the game!")

    run(scenario())


def test_one_who_stops_reading_gets_no_complaint(tmp_path):
    async def scenario():
        async with serving() as server:
            reader, writer = os.pipe()
            async with child(at(server), state=tmp_path, stdout=writer) as ada:
                os.close(writer)
                with os.fdopen(reader) as pipe:
                    await asyncio.to_thread(pipe.readline)
                ada.types("help", "help")
                assert await ada.ends() == (0, "")

    run(scenario())


@pytest.mark.parametrize("closed", ["<&-", "<&- >&- 2>&-"])
def test_without_input_or_output_there_is_nothing_to_do_and_no_complaint(tmp_path, closed):
    async def scenario():
        async with serving() as server:
            command = f'"{PROGRAMS / "gridgames-client"}" {at(server)} --plain {closed} </dev/null'
            if "<&-" in closed:
                command = command.removesuffix(" </dev/null")
            ended = await asyncio.to_thread(
                subprocess.run,
                ["sh", "-c", command],
                capture_output=True,
                env=environment(XDG_STATE_HOME=str(tmp_path)),
                timeout=20,
            )
            assert (ended.returncode, ended.stderr) == (0, b"")

    run(scenario())


@pytest.mark.parametrize(("by", "code", "last"), [(signal.SIGINT, 130, "Goodbye."), (signal.SIGTERM, 0, "Game ")])
def test_a_signal_ends_it_cleanly(tmp_path, by, code, last):
    async def scenario():
        async with serving() as server, child(at(server), state=tmp_path) as ada:
            await ada.reads("You are in the lobby.")
            assert await ada.ends(by) == (code, "")
            assert ada.printed[-1].startswith(last)
            await until(lambda: not server.service.hub.sessions)

    run(scenario())


def test_a_signal_ends_it_while_the_server_does_not_answer(tmp_path):
    async def scenario():
        heard = asyncio.Event()

        async def silent(reader, writer):
            await reader.readuntil(b"\n")
            heard.set()
            await reader.read()
            writer.close()

        server = await asyncio.start_server(silent, "127.0.0.1", 0)
        port = server.sockets[0].getsockname()[1]
        async with child(f"127.0.0.1:{port}", state=tmp_path) as ada:
            await heard.wait()
            assert await ada.ends(signal.SIGTERM) == (0, "")
        server.close()

    run(scenario())


# Terminals ------------------------------------------------------------------------------------------------------------


def escapes(raw):
    return [byte for byte in raw if byte < 0x20 and byte not in b"\r\n\t"]


@pytest.mark.parametrize(("term", "flags"), [("dumb", ()), ("xterm-256color", ("--plain",))])
def test_on_a_dumb_terminal_or_when_asked_to_it_is_plain(tmp_path, term, flags):
    async def scenario():
        async with (
            serving() as server,
            terminal(
                "gridgames-client", at(server), "--name", "Ada", *flags, term=term, XDG_STATE_HOME=str(tmp_path)
            ) as ada,
        ):
            await ada.shows("You are in the lobby.")
            ada.types("create grid-hunt\n")
            await ada.shows("Then: join ")
            ada.types("\x04")
            assert await ada.ends() == 0
            assert escapes(ada.raw) == []

    run(scenario())


@pytest.mark.parametrize(("flags", "bells"), [((), 1), (("--no-bell",), 0)])
def test_the_bell_of_a_terminal_rings_once_when_it_is_the_players_turn(tmp_path, flags, bells):
    async def scenario():
        state = str(tmp_path)
        async with (
            serving() as server,
            terminal("gridgames-client", at(server), "--plain", "--name", "Ada", *flags, XDG_STATE_HOME=state) as ada,
        ):
            await ada.shows("You are in the lobby.")
            ada.types("create quantum-duel bot=easy first=host\n")
            await ada.shows("Your turn: ")
            ada.types("help\n")
            await ada.shows("ends the program")
            assert ada.screen.bells == bells

    run(scenario())


def test_it_is_plain_when_only_the_output_is_no_terminal(tmp_path):
    async def scenario():
        master, slave = os.openpty()
        async with serving() as server, child(at(server), state=tmp_path, stdin=slave, TERM="xterm") as ada:
            os.close(slave)
            await ada.reads("You are in the lobby.")
            os.write(master, b"quit\n")
            assert await ada.ends() == (0, "")
            assert all(line.isprintable() for line in ada.printed)
        os.close(master)

    run(scenario())


def echoes(ada):
    """Whether the terminal shows what is typed."""
    return bool(termios.tcgetattr(ada.master)[3] & termios.ECHO)


async def at_a_secret(server, ada):
    """Bring somebody before the question for a secret."""
    bob = await server.guest("Bob")
    await ada.shows("You are in the lobby.")
    ada.types("create grid-hunt\n")
    await ada.shows("Then: join ")
    await bob.says(Join, room=ada.text().partition("Then: join ")[2][:6])
    await ada.shows("What you type now is not shown. /mask shows it.", "Row (1-5):")
    return bob


def test_a_secret_is_not_echoed_and_everything_else_is(tmp_path):
    async def scenario():
        async with (
            serving() as server,
            terminal("gridgames-client", at(server), "--plain", XDG_STATE_HOME=str(tmp_path)) as ada,
        ):
            bob = await at_a_secret(server, ada)
            assert not echoes(ada)
            ada.types("HIDE 4 1\n")
            await ada.shows("Player 1 has hidden a treasure.")
            await until(lambda: echoes(ada))
            assert b"HIDE 4" not in ada.raw
            assert b"4 1" not in ada.raw
            ada.types("/chat can you see this?\n")
            await ada.until(lambda: ada.text().count("can you see this?") == 2, "the echo and the chat")
            await bob.types("HIDE 5 5")

    run(scenario())


ENDINGS = {
    "the end of input": (lambda ada: ada.types("\x04"), 0),
    "Ctrl-C": (lambda ada: ada.types("\x03"), 130),
    "a signal": (lambda ada: ada.process.send_signal(signal.SIGHUP), 0),
}


@pytest.mark.parametrize(("end", "code"), ENDINGS.values(), ids=ENDINGS)
def test_the_echo_is_back_after_every_way_to_end(tmp_path, end, code):
    async def scenario():
        async with (
            serving() as server,
            terminal("gridgames-client", at(server), "--plain", XDG_STATE_HOME=str(tmp_path)) as ada,
        ):
            await at_a_secret(server, ada)
            assert not echoes(ada)
            end(ada)
            await ada.shows("Your game is kept; start again to go on.")
            assert await ada.process.wait() == code
            assert echoes(ada)
            assert ada.text().rstrip().endswith("\nYour game is kept; start again to go on.")

    run(scenario())


def test_the_echo_is_back_after_a_bug(tmp_path):
    planted = (
        "from gridgames_client.terminal.plain.plain_app import Plain\n"
        "def print_event(self, event):\n    if event.kind == 'chat': raise RuntimeError('planted')\n"
        "Plain.print_event = print_event\n"
        "from gridgames_client.__main__ import main; main()"
    )

    async def scenario():
        async with (
            serving() as server,
            terminal(sys.executable, "-c", planted, at(server), "--plain", XDG_STATE_HOME=str(tmp_path)) as ada,
        ):
            bob = await at_a_secret(server, ada)
            await bob.says(Chat, text="boo")
            await ada.shows("something went wrong in this program (RuntimeError)")
            assert await ada.process.wait() == 1
            assert echoes(ada)
            assert "Traceback" not in ada.text()
            log = tmp_path / "gridgames" / "logs" / "client.log"
            assert "RuntimeError: planted" in log.read_text()

    run(scenario())
