"""The real program, in a process of its own: what it says, whom it lets in, how it ends, and what it logs."""

import asyncio
import os
import re
import resource
import signal
import ssl
import subprocess
import time
from pathlib import Path

import pytest

from gridgames_protocol.codec import encode
from gridgames_protocol.messages import PROTOCOL, AskStandings, Bye, Chat, Create, Error, Event, Hello, Join, Play
from gridgames_server.admin.control_socket import ask_server, default_socket
from tests.server.tcp_tables import sit_down
from tests.wire import PROGRAM, environment, program, read_all, run, until

CERT = Path(__file__).with_name("localhost.cert.pem")
KEY = Path(__file__).with_name("localhost.key.pem")


# Listening


@pytest.mark.parametrize(
    ("arguments", "code"), [(["--bogus"], 2), (["--host", "203.0.113.77"], 3), (["--tls-cert", "?"], 4)]
)
def test_the_real_program_shows_no_traceback(arguments, code):
    ended = subprocess.run([PROGRAM, *arguments], capture_output=True, text=True, env=environment(), timeout=20)
    assert (ended.returncode, ended.stdout, ended.stderr.count("\n")) == (code, "", 1)


def test_it_says_one_line_with_the_command_to_type():
    async def scenario():
        async with program("--host", "0.0.0.0") as server:
            found = re.fullmatch(
                r"gridgames \S+ is listening\. To play: gridgames-client ([\d.]+):(\d+)"
                r"( or gridgames-client [\d.]+:\2)*"
                r" or open http://\1:\2( or http://[\d.]+:\2)* in a browser\n",
                server.announced,
            )
            assert found
            server.host = found[1]
            table = await sit_down(server, "treasure-hunt-duel")
            await table.end()

    run(scenario())


def test_where_both_kinds_of_addresses_are_served_both_are_told_and_count_alike():
    async def scenario():
        async with program("--host", "::", "--max-per-address", "1") as server:
            typed, _, opened = server.announced.strip().partition("To play: ")[2].partition(" or open ")
            assert [f"http://{typed.split()[1]}"] == re.findall(r"http://\S+", opened)[:1]
            for command in typed.split(" or "):
                assert re.fullmatch(rf"gridgames-client (\[[0-9a-f:]+\]|[\d.]+):{server.port}", command)
            old = await server.guest("Ada")
            (bye,) = await (await server.connection()).last_words()
            assert bye.code == "server_full"
            old.cut()
            server.host = "::1"
            await server.guest("Bob")
            assert await server.ends(signal.SIGTERM) == 0, "all lines of the log are written"
        assert "connected from 127.0.0.1\n" in server.text
        assert "connected from ::/64\n" in server.text

    run(scenario())


# Who may come in


def test_with_a_password_file_only_those_who_know_it_come_in(tmp_path):
    path = tmp_path / "password"
    path.write_bytes("\ufeffcorrect horse\r\nsecond line\n".encode())

    async def scenario():
        async with program("--password-file", str(path)) as server:
            eve = await server.connection()
            for wrong in (None, "", "correct", "correct horse\r", "second line"):
                reply = await eve.says(Hello, protocol=PROTOCOL, name="Eve", password=wrong)
                assert isinstance(reply, Error)
                assert reply.code == "password"
            await eve.hello("Eve", password="correct horse")

    run(scenario())


def test_with_a_certificate_it_speaks_tls():
    async def scenario():
        trusting = ssl.create_default_context(cafile=CERT)
        async with program("--tls-cert", str(CERT), "--tls-key", str(KEY), tls=trusting) as server:
            assert f" --tls or open https://127.0.0.1:{server.port} in a browser\n" in server.announced
            table = await sit_down(server, "grid-hunt")
            await table.end()

    run(scenario())


# The end


@pytest.mark.parametrize("by", [signal.SIGTERM, signal.SIGINT, signal.SIGHUP])
def test_a_signal_ends_it_cleanly_and_everybody_is_told(by):
    async def scenario():
        async with program() as server:
            table = await sit_down(server, "secret-paths")
            deaf = await server.stranger(encode(Hello(1, PROTOCOL, "deaf")))
            since = time.monotonic()
            server.process.send_signal(by)
            for guest in table.seats.values():
                assert (await guest.last_words())[-1].code == "shutting_down"
                guest.cut()
            assert await server.ends() == 0
            assert time.monotonic() - since < 2
            assert b"shutting_down" in await read_all(deaf)

    run(scenario())


def test_a_second_signal_ends_it_at_once():
    async def scenario():
        async with program() as server:
            await server.stranger(encode(Hello(1, PROTOCOL, "deaf")))
            ada = await server.guest("Ada")
            server.process.send_signal(signal.SIGTERM)
            await ada.sees(Bye)
            assert await server.ends(signal.SIGTERM) == 1

    run(scenario())


def test_a_server_without_file_descriptors_for_a_while_goes_on_afterwards(tmp_path):
    async def scenario():
        async with program("--store", str(tmp_path / "store")) as server:
            table = await sit_down(server, "grid-conquest")
            pid = server.process.pid
            limits = resource.prlimit(pid, resource.RLIMIT_NOFILE)
            used = len(os.listdir(f"/proc/{pid}/fd"))
            resource.prlimit(pid, resource.RLIMIT_NOFILE, (used, limits[1]))
            eve = await server.connection()
            browser = await server.stranger(b"GET / HTTP/1.1\r\n\r\n")
            status = asyncio.create_task(ask_server(default_socket(tmp_path / "store"), "status"))
            await until(lambda: b"no more files can be opened" in os.pread(server.errors.fileno(), 10_000, 0))
            await table.types(1, "C3")
            resource.prlimit(pid, resource.RLIMIT_NOFILE, limits)
            await eve.hello("Eve")
            assert (await status)[0] == 0
            assert (await read_all(browser)).startswith(b"HTTP/1.1 200 OK")
            await table.end()
            assert (await eve.says(AskStandings)).rows

    run(scenario())


# The log


def test_the_log_tells_what_happened_and_nothing_that_was_said(tmp_path):
    password = tmp_path / "password"
    password.write_text("canary-password")

    async def scenario():
        async with program("--log-level", "debug", "--password-file", str(password)) as server:
            ada = await server.guest("Canary Ada", password="canary-password", agent="canary-agent")
            bob = await server.guest("Canary Bob", password="canary-password")
            code = (await ada.says(Create, game="grid-hunt", private=True)).room
            await bob.says(Join, room=code)
            for line in ("HIDE 2 3", "canary line"):
                await ada.says(Play, line=line)
            await bob.says(Chat, text="canary chat")
            await ada.sees(Event, lambda event: event.kind == "chat")
            eve = await server.connection()
            await eve.says(Hello, protocol=PROTOCOL, name="Eve", password="canary-guess")
            await eve.says(Hello, protocol=PROTOCOL, name="Eve", password="canary-password", token="canary-token")
            eve.writer.write(b"canary garbage \xff\n")
            browser = await server.stranger(b"GET /canary HTTP/1.1\r\n\r\n")
            await read_all(browser)
            assert await server.ends(signal.SIGTERM) == 0
        assert "session 1 connected from 127.0.0.1" in server.text
        assert "room 1 opened by session 1: grid-hunt" in server.text
        assert "session 4 is a browser" in server.text
        assert "session 1 dismissed: shutting_down" in server.text
        for secret in ("canary", "Canary", "HIDE", code, ada.token, bob.token):
            assert secret not in server.text
        for line in server.text.splitlines():
            assert re.match(r"\d{4}-\d\d-\d\d \d\d:\d\d:\d\d,\d{3} (DEBUG|INFO|WARNING) \S", line)

    run(scenario())
