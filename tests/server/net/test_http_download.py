"""A browser on the game's port: the page, the file, and what hostile ones get, beside a game."""

import asyncio
import contextlib
import errno
import hashlib
import re
import shutil
import socket
import subprocess
import sys
import threading

import pytest

from gridgames_protocol.codec import encode
from gridgames_protocol.messages import AskStatus, Ping
from gridgames_server.core.limits import MESSAGE_WITHIN
from gridgames_server.net import http_download
from gridgames_server.net.connection import PARTING
from gridgames_server.net.http_download import DOWNLOADS_PER_ADDRESS, FILE, HttpDownload
from gridgames_server.net.pyz_builder import build_pyz
from tests.client.pseudo_terminal import PROGRAMS
from tests.server.raw_sockets import SMALL
from tests.server.tcp_tables import sit_down
from tests.wire import environment, program, read_all, run, serving, turn, until

CONTENT = bytes(range(256)) * 4_000  # about as long as the real one


def offering(server, content=CONTENT):
    """Let a service hand out a file."""
    server.service.http_download = HttpDownload("the <b>house</b>", lambda: content)
    return server


async def ask(server, request):
    """The head and the body of an answer."""
    head, _, body = (await read_all(await server.stranger(request))).partition(b"\r\n\r\n")
    return head.decode().split("\r\n"), body


def test_the_page_says_how_to_play_and_runs_nothing():
    async def scenario():
        async with serving() as server:
            head, body = await ask(offering(server), b"GET / HTTP/1.1\r\nHost: evil\r\n\r\n")
            assert head[0] == "HTTP/1.1 200 OK"
            assert "Content-Security-Policy: default-src 'none'; style-src 'sha256-" in "\n".join(head)
            text = body.decode()
            assert "the &lt;b&gt;house&lt;/b&gt;" in text
            assert f"http://127.0.0.1:{server.port}/gridgames.pyz" in text
            assert f"python3 gridgames.pyz 127.0.0.1:{server.port}" in text
            assert hashlib.sha256(CONTENT).hexdigest() in text
            assert "<script" not in text
            assert "evil" not in text
            assert re.findall(r' (?:src|href)="([^"]*)"', text) == [
                "https://www.python.org/downloads/",
                "/gridgames.pyz",
            ]

    run(scenario())


@pytest.mark.parametrize("size", [1, 2, 3])
def test_a_browser_whose_first_packet_is_short_gets_the_page(size):
    async def scenario():
        async with serving() as server:
            request = b"GET / HTTP/1.1\r\n\r\n"
            browser = await offering(server).stranger(request[:size])
            await until(lambda: [one._opening for one in server.service.connections.values()] == [request[:size]])
            await asyncio.get_running_loop().sock_sendall(browser, request[size:])
            assert (await read_all(browser)).startswith(b"HTTP/1.1 200 OK")

    run(scenario())


def test_a_request_in_two_parts_before_the_file_is_built_gets_one_answer():
    async def scenario():
        built = threading.Event()
        async with serving() as server:
            server.service.http_download = HttpDownload("the house", lambda: built.wait(20) and CONTENT)
            browser = await server.stranger(b"GET / HTTP/1.1\r\n")
            await until(lambda: server.service.http_download._built)
            await asyncio.get_running_loop().sock_sendall(browser, b"Host: x\r\n\r\n")
            for _ in range(20):
                await turn()
            built.set()
            answer = await read_all(browser)
            assert (answer[:15], answer.count(b"HTTP/1.1 ")) == (b"HTTP/1.1 200 OK", 1)

    run(scenario())


def test_a_file_that_could_not_be_built_is_built_for_the_next_browser(caplog):
    results = [OSError(errno.EMFILE, "Too many open files"), CONTENT]

    def build():
        result = results.pop(0)
        if isinstance(result, OSError):
            raise result
        return result

    async def scenario():
        async with serving() as server:
            server.service.http_download = HttpDownload("the house", build)
            heads = [(await ask(server, b"GET / HTTP/1.1\r\n\r\n"))[0][0] for _ in range(3)]
            assert heads == ["HTTP/1.1 500 Internal Server Error", *["HTTP/1.1 200 OK"] * 2]

    run(scenario())
    assert [line for line in caplog.messages if "can't be built" in line][1:] == []


def test_the_checksum_is_computed_beside_the_loop():
    computed_in = []

    def compute(file):
        computed_in.append(threading.current_thread())
        return hashlib.sha256(file).hexdigest()

    async def scenario():
        async with serving() as server:
            offering(server)
            for _ in range(3):
                assert hashlib.sha256(CONTENT).hexdigest().encode() in (await ask(server, b"GET / HTTP/1.1\r\n\r\n"))[1]

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(http_download, "compute_checksum", compute)
        run(scenario())
    assert len(computed_in) == 1
    assert computed_in[0] is not threading.main_thread()


def test_a_browser_above_its_address_limit_is_told_so():
    async def scenario():
        async with serving(max_per_address=2) as server:
            await sit_down(offering(server), "grid-conquest")
            head, body = await ask(server, b"GET / HTTP/1.1\r\n\r\n")
            assert head[0].startswith("HTTP/1.1 503")
            assert body.startswith(b"Too many connections come from your address.")

    run(scenario())


def test_who_begins_like_a_browser_and_stops_gets_the_line_of_help():
    async def scenario():
        async with serving() as server:
            stranger = await offering(server).stranger(b"GE")
            stranger.shutdown(socket.SHUT_WR)
            assert (await read_all(stranger)).startswith(b"This is a gridgames server")

    run(scenario())


def test_who_begins_like_a_browser_and_waits_is_sent_away():
    async def scenario():
        async with serving() as server:
            stranger = await offering(server).stranger(b"GE")
            await until(lambda: [one._opening for one in server.service.connections.values()] == [b"GE"])
            await server.later(MESSAGE_WITHIN + 1)
            assert b"must be complete within" in await read_all(stranger)

    run(scenario())


def test_the_file_comes_whole_and_head_gives_its_size_alone():
    async def scenario():
        async with serving() as server:
            head, body = await ask(offering(server), f"GET /{FILE} HTTP/1.1\r\n\r\n".encode())
            assert body == CONTENT
            assert f"Content-Length: {len(CONTENT)}" in head
            assert await ask(server, f"HEAD /{FILE} HTTP/1.0\r\n\r\n".encode()) == (head, b"")
            await server.later(PARTING + 2)
            await until(lambda: server.service.http_download._downloads == {})

    run(scenario())


@pytest.mark.parametrize(
    ("request_line", "status"),
    [
        (b"GET /../etc/passwd HTTP/1.1", "404"),
        (b"GET //gridgames.pyz HTTP/1.1", "404"),
        (b"GET /%67ridgames.pyz HTTP/1.1", "404"),
        (b"GET http://evil/ HTTP/1.1", "404"),
        (b"POST / HTTP/1.1", "405"),
        (b"DELETE /gridgames.pyz HTTP/1.1", "405"),
        (b"GET /", "400"),
        (b"GET / HTTP/2", "400"),
        (b"GET / HTTP/1.1 more", "400"),
        (b"GET /" + b"a" * 5_000 + b" HTTP/1.1", "400"),
        (b"GET /\xff\x00 HTTP/1.1", "404"),
    ],
)
def test_anything_else_is_refused_in_one_line(request_line, status):
    async def scenario():
        async with serving() as server:
            head, body = await ask(offering(server), request_line + b"\r\n\r\n")
            assert head[0].split()[1] == status
            assert body.count(b"\n") == 1

    run(scenario())


def test_pipelined_requests_and_ranges_get_one_whole_answer():
    async def scenario():
        async with serving() as server:
            request = f"GET /{FILE} HTTP/1.1\r\nRange: bytes=0-0,5-\r\n\r\n".encode()
            answer = await read_all(await offering(server).stranger(request * 50))
            assert answer.count(b"HTTP/1.1 ") == 1
            assert answer.endswith(CONTENT)

    run(scenario())


def test_few_downloads_run_at_once_and_a_game_goes_on_beside_them():
    async def scenario():
        async with serving(buffer=SMALL) as server:
            table = await sit_down(offering(server), "grid-conquest")
            request = f"GET /{FILE} HTTP/1.1\r\n\r\n".encode()
            slow = [await server.stranger(request, buffer=SMALL) for _ in range(DOWNLOADS_PER_ADDRESS)]
            while len(server.service.http_download._downloads) < DOWNLOADS_PER_ADDRESS:
                await table.seats[1].says(Ping)
            head, _ = await ask(server, request)
            assert head[0].startswith("HTTP/1.1 503")
            await table.end()
            assert (await read_all(slow[0])).endswith(CONTENT)

    run(scenario())


HOSTILE = {
    "huge headers": b"GET / HTTP/1.1\r\n" + b"X: " + b"a" * 200_000 + b"\r\n\r\n",
    "many headers": b"GET / HTTP/1.1\r\n" + b"X: y\r\n" * 20_000 + b"\r\n",
    "a huge first line": b"GET /" + b"a" * 200_000 + b" HTTP/1.1\r\n\r\n",
    "a body": b"POST / HTTP/1.1\r\nContent-Length: 1000000\r\n\r\n" + b"x" * 200_000,
    "chunks": b"PUT / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n" + b"1\r\nx\r\n" * 20_000,
    "a thousand requests at once": f"GET /{FILE} HTTP/1.1\r\n\r\n".encode() * 1_000,
    "another protocol": b"GET / HTTP/1.1\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n\r\n\x81\x05hello",
    "ranges": f"GET /{FILE} HTTP/1.1\r\nRange: bytes={','.join('0-' for _ in range(2_000))}\r\n\r\n".encode(),
    "our own protocol behind it": b"GET / HTTP/1.1\r\n" + encode(AskStatus(1)) * 100,
}


@pytest.mark.parametrize("hostile", HOSTILE.values(), ids=HOSTILE)
def test_a_hostile_browser_gets_at_most_one_answer_and_a_game_goes_on(hostile):
    async def scenario():
        async with serving() as server:
            table = await sit_down(offering(server), "grid-conquest")
            stranger = await server.stranger(hostile[:100])
            rest = asyncio.create_task(send_all(stranger, hostile[100:]))
            await table.end()
            answer = await read_until_closed(stranger)
            await rest
            assert answer.count(b"HTTP/1.1 ") <= 1
            assert len(answer) < len(CONTENT) + 1_000
            await server.later(PARTING + 2)
            assert len(server.service.connections) == 2

    run(scenario())


async def send_all(stranger, rest):
    with contextlib.suppress(OSError):  # the server does not read all of it
        await asyncio.get_running_loop().sock_sendall(stranger, rest)


async def read_until_closed(stranger):
    found, loop = b"", asyncio.get_running_loop()
    with contextlib.suppress(ConnectionError):  # a server that has bytes unread closes so
        while chunk := await loop.sock_recv(stranger, 65_536):
            found += chunk
    return found


@pytest.mark.parametrize("end", [b"\r\n\r\n", b"\n\n"])
def test_a_request_may_come_slowly(end):
    async def scenario():
        async with serving() as server:
            stranger = await offering(server).stranger(b"GET ")
            for byte in b"/ HTTP/1.0" + end:
                await asyncio.get_running_loop().sock_sendall(stranger, bytes([byte]))
                await turn()
            assert (await read_until_closed(stranger)).startswith(b"HTTP/1.1 200 OK\r\n")

    run(scenario())


def test_a_real_browser_opens_the_page_and_misses_nothing(tmp_path, capsys):
    browser = shutil.which("chromium")
    if not browser:
        with capsys.disabled():
            print("\nno chromium here: the page is only read")
        return
    flags = "--headless --no-sandbox --disable-gpu --disable-quic --no-first-run --disable-background-networking"
    flags += " --disable-component-update --disable-sync --enable-logging=stderr --dump-dom"

    async def scenario():
        async with program("--name", "Ada & Bob's <attic>") as server:
            command = [browser, *flags.split(), f"--user-data-dir={tmp_path}", f"http://127.0.0.1:{server.port}/"]
            seen = await asyncio.to_thread(subprocess.run, command, capture_output=True, text=True)
            assert "<h1>Ada &amp; Bob's &lt;attic&gt;</h1>" in seen.stdout
            assert f"python3 gridgames.pyz 127.0.0.1:{server.port}" in seen.stdout
            assert "CONSOLE" not in seen.stderr, "the page's own policy has refused something"

    run(scenario(), within=60.0)


def test_a_request_that_never_ends_is_closed_in_time():
    async def scenario():
        async with serving() as server:
            stranger = await offering(server).stranger(b"GET /" + b"a" * 100)
            await until(lambda: server.service.connections)
            await server.later(16)
            assert b"HTTP" not in await read_all(stranger)
            assert server.service.connections == {}

    run(scenario())


def test_without_a_handout_a_browser_gets_the_polite_line():
    async def scenario():
        async with program("--no-handout") as server:
            head, body = await ask(server, b"GET / HTTP/1.1\r\n\r\n")
            assert head[0].startswith("HTTP/1.0 400")
            assert body.startswith(b"This is a gridgames server")

    run(scenario())


def test_the_archive_is_the_same_each_time_and_runs_without_any_package(tmp_path):
    file = build_pyz()
    assert file == build_pyz()
    path = tmp_path / FILE
    path.write_bytes(file)
    for words in ([], ["server"]):
        said = subprocess.run(
            [sys.executable, "-I", "-S", path, *words, "--version"], capture_output=True, text=True, env=environment()
        )
        assert (said.returncode, said.stderr) == (0, "")
        assert said.stdout.startswith("gridgames ")


def test_a_friend_downloads_the_file_and_asks_the_server_with_it(tmp_path):
    async def scenario():
        async with program() as server:
            _, body = await ask(server, f"GET /{FILE} HTTP/1.1\r\n\r\n".encode())
            path = tmp_path / FILE
            path.write_bytes(body)
            command = [sys.executable, "-I", "-S", path, f"127.0.0.1:{server.port}", "--status"]
            said = await asyncio.to_thread(subprocess.run, command, capture_output=True, text=True, env=environment())
            assert (said.returncode, said.stdout.splitlines()[0]) == (0, "server: gridgames")

    run(scenario())


def test_the_command_writes_the_file(tmp_path):
    path = tmp_path / FILE
    said = subprocess.run([PROGRAMS / "gridgames-server", "pyz", path], capture_output=True, text=True)
    assert said.returncode == 0
    assert hashlib.sha256(path.read_bytes()).hexdigest() in said.stdout
