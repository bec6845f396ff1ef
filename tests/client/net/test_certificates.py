"""No server is told a password or a token before its certificate is known: client, bot, guests' door."""

import argparse
import asyncio
import errno
import hashlib
import io
import re
import ssl
from functools import partial

import pytest

from gridgames_client.net import credentials
from gridgames_client.net.address import Refused
from gridgames_client.net.bot_runner import run_bot
from gridgames_client.terminal.plain.guests import GuestDoor
from tests.client.net.test_connection_places import CERTIFICATE, KEY, tls_of_server
from tests.client.pseudo_terminal import PROGRAMS
from tests.client.scripted_server import SOON, pretending, refusal, visiting
from tests.wire import LOCAL, environment, run

FIRST = ssl.PEM_cert_to_DER_cert(CERTIFICATE.read_text())
OTHER = FIRST[:-1] + bytes([FIRST[-1] ^ 1])  # nobody checks its signature
SHOWN, SHOWN_LATER = (hashlib.sha256(one).hexdigest() for one in (FIRST, OTHER))
REMEMBERED = f"The server's certificate is remembered from now on. Ask its host whether it is {SHOWN}"
NOT_STORED = f"The server's certificate can't be remembered on this machine. Ask its host whether it is {SHOWN}"
CHANGED = "shows another certificate than the first time"


@pytest.fixture(autouse=True)
def state(tmp_path, monkeypatch):
    """The files of this user, and a process that has seen no server."""
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path))
    monkeypatch.setattr(credentials, "first_shown", {})
    return tmp_path


@pytest.fixture
def homeless(state, monkeypatch):
    """Nothing can be stored."""
    (state / "file").touch()
    monkeypatch.setenv("XDG_STATE_HOME", str(state / "file"))


@pytest.fixture
def tls(tmp_path):
    """The TLS of a server, and what gives it another certificate."""
    context, other = tls_of_server(), tmp_path / "other.pem"
    other.write_text(ssl.DER_cert_to_PEM_cert(OTHER))
    return context, partial(context.load_cert_chain, other, KEY)


class Trap:
    """A server that keeps what it hears."""

    def __init__(self):
        self.heard, self.left = b"", asyncio.Event()

    async def story(self, peer):
        """Hear everything until the client has left."""
        self.heard += await peer.reader.read()
        self.left.set()

    async def hears_nothing(self):
        """Wait until the client has left: it has said nothing."""
        await self.left.wait()
        assert self.heard == b""


async def closes(peer):
    """Close after the first line."""
    await peer.reader.readline()


def plays(address, said, **options):
    """A bot with a password."""
    return run_bot(
        address, ["true"], name=None, game="pick", against=None, room=None, games=1, report=said.append,
        password="sesame", timeouts=SOON, **options,
    )  # fmt: skip


def door_to(address, said, tls=True, fingerprint=None):
    """A guests' door with a password."""
    options = argparse.Namespace(password="sesame", tls=tls, fingerprint=fingerprint)
    return GuestDoor(address, options, tell=said.append)


@pytest.mark.parametrize("who", ["bot", "guests"])
def test_the_first_certificate_is_remembered_and_another_gets_no_password(who):
    async def scenario():
        said, trap = [], Trap()

        async def calls(address, **options):
            await (plays(address, said, tls=True, **options) if who == "bot" else door_to(address, said).check_server())

        async with pretending(closes, trap.story, tls=tls_of_server()) as address:
            if who == "bot":
                with pytest.raises(Refused, match="has closed the connection at once"):
                    await calls(address)
            else:
                await calls(address)
            assert said == [REMEMBERED]
            credentials.find_known_certificate(str(address)).write_text("0" * 64)
            with pytest.raises(Refused, match=CHANGED):
                await calls(address)
            await trap.hears_nothing()
        assert said == [REMEMBERED]

    run(scenario())


def test_a_guest_behind_a_changed_certificate_ends_and_the_host_is_told():
    async def scenario():
        said, trap = [], Trap()
        async with pretending(trap.story, tls=tls_of_server()) as address:
            credentials.store_certificate(str(address), "0" * 64)
            door = door_to(address, said)
            async with await asyncio.start_server(door.serve_guest, LOCAL, 0) as listening:
                reader, writer = await asyncio.open_connection(*listening.sockets[0].getsockname())
                writer.write(b"Ada\n")
                told = (await reader.read()).decode()
                writer.close()
                await writer.wait_closed()
            await trap.hears_nothing()
        assert told.endswith("The server is not the one that it was. The host knows more.\r\n")
        assert "certificates" not in told, "no guest reads where the host's files are"
        assert len(said) == 1
        assert CHANGED in said[0]

    run(scenario())


@pytest.mark.parametrize("who", ["client", "bot", "guests"])
def test_a_server_that_used_tls_before_gets_nothing_without_it(who, state):
    async def scenario():
        said, trap = [], Trap()
        async with pretending(trap.story) as address:
            credentials.store_certificate(str(address), SHOWN)
            if who == "client":
                told = await command(str(address), "--plain")
            else:
                with pytest.raises(Refused) as refused:
                    await (plays(address, said) if who == "bot" else door_to(address, said, tls=False).check_server())
                told = str(refused.value)
        file = credentials.find_known_certificate(str(address))
        assert told.removeprefix("gridgames-client: ").strip() == (
            f"{address} has used TLS before. Start again with --tls. "
            f"If its host really has stopped using TLS, delete {file}."
        )
        assert not trap.left.is_set(), "there was no connection at all"
        assert trap.heard == b""

    async def command(*arguments):
        process = await asyncio.create_subprocess_exec(
            PROGRAMS / "gridgames-client", *arguments, stdin=asyncio.subprocess.DEVNULL,
            stderr=asyncio.subprocess.PIPE, env=environment(XDG_STATE_HOME=str(state), GRIDGAMES_PASSWORD="sesame"),
        )  # fmt: skip
        return (await process.communicate())[1].decode()

    run(scenario())


@pytest.mark.parametrize("arguments", [("bot",), ("guests", "--listen", f"{LOCAL}:0")], ids=lambda words: words[0])
def test_a_wanted_fingerprint_is_compared_before_anything_is_said(arguments, state):
    async def scenario():
        trap = Trap()
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(CERTIFICATE, KEY)
        async with pretending(trap.story, tls=context) as address:
            words = [*arguments, "--fingerprint", "0" * 64, str(address), *["true"] * (arguments[0] == "bot")]
            process = await asyncio.create_subprocess_exec(
                PROGRAMS / "gridgames-client", *words, stdout=asyncio.subprocess.PIPE, stderr=asyncio.subprocess.PIPE,
                env=environment(XDG_STATE_HOME=str(state), GRIDGAMES_PASSWORD="sesame"),
            )  # fmt: skip
            said, wrong = await process.communicate()
            assert (process.returncode, said) == (1, b"")
            assert re.fullmatch(
                rf"gridgames-client: {address} shows another certificate than you gave\. It shows: {SHOWN}\n",
                wrong.decode(),
            )
            await trap.hears_nothing()

    run(scenario())


# Where no file holds the first certificate ----------------------------------------------------------------------------


def told_to_start_again(address):
    """What is said of another certificate than the first."""
    return (
        f"{address} {CHANGED}. If its host has not changed it on purpose, somebody may be listening in. "
        f"If you trust it, start again. It shows: {SHOWN_LATER}"
    )


def test_a_certificate_that_can_not_be_stored_is_told_all_the_same(homeless):
    said = []
    assert credentials.trust_first_certificate("kitchen:4743", said.append, SHOWN) is None
    assert said == [NOT_STORED]


def test_a_bot_comes_back_to_no_other_certificate_where_none_can_be_stored(homeless, tls):
    async def scenario():
        said, trap = [], Trap()
        context, change = tls

        async def first(peer):
            await peer.welcomes()
            change()
            peer.cut()

        async with pretending(first, trap.story, tls=context) as address:
            with pytest.raises(Refused) as refused:
                await plays(address, said, tls=True)
            await trap.hears_nothing()
        assert str(refused.value) == told_to_start_again(address)
        assert said[0] == NOT_STORED
        assert len(said) == 2, "and that the connection is lost"

    run(scenario())


def test_a_player_who_connects_again_gives_a_password_to_the_same_server_only(homeless, tls):
    async def scenario():
        said, trap = [], Trap()
        context, change = tls

        async def first(peer):
            await peer.welcomes()
            await peer.is_left()

        async with pretending(first, trap.story, tls=context) as address:
            check = partial(credentials.trust_first_certificate, str(address), said.append)
            async with visiting(address, tls=True, find_other_certificate=check) as ada:
                await ada.is_in()
            change()
            told = await refusal(address, tls=True, find_other_certificate=check, password="sesame")
            await trap.hears_nothing()
        assert (told, said) == (told_to_start_again(address), [NOT_STORED])

    run(scenario())


def test_the_first_certificate_holds_for_all_guests_where_none_can_be_stored(homeless, tls):
    async def scenario():
        said, trap = [], Trap()
        context, change = tls
        async with pretending(closes, trap.story, tls=context) as address:
            door = door_to(address, said)
            await door.check_server()
            change()
            async with await asyncio.start_server(door.serve_guest, LOCAL, 0) as listening:
                reader, writer = await asyncio.open_connection(*listening.sockets[0].getsockname())
                writer.write(b"Ada\n")
                told = (await reader.read()).decode()
                writer.close()
                await writer.wait_closed()
            await trap.hears_nothing()
        assert told.endswith("The server is not the one that it was. The host knows more.\r\n")
        assert said == [NOT_STORED, told_to_start_again(address)]

    run(scenario())


def test_a_file_that_is_deleted_while_a_program_runs_lets_no_other_certificate_in(state):
    said = []
    check = partial(credentials.trust_first_certificate, "kitchen:4743", said.append)
    assert check(SHOWN) is None
    credentials.find_known_certificate("kitchen:4743").unlink()
    with pytest.raises(Refused, match=CHANGED):
        check(SHOWN_LATER)
    assert said == [REMEMBERED]
    assert credentials.find_known_certificate("kitchen:4743") is None, "what is refused is not stored"


class FullDisk(io.FileIO):
    """A file on a full disk."""

    def write(self, data):
        raise OSError(errno.ENOSPC, "No space left on device")


def test_a_full_disk_remembers_nothing_and_says_so_until_there_is_space(state, monkeypatch):
    said = []
    with monkeypatch.context() as full:
        full.setattr(credentials, "open_private", lambda path: FullDisk(path, "w+"))
        assert credentials.trust_first_certificate("kitchen:4743", said.append, SHOWN) is None
    file = credentials.find_known_certificate("kitchen:4743")
    assert (said, file.read_bytes()) == ([NOT_STORED], b"")
    assert credentials.trust_first_certificate("kitchen:4743", said.append, SHOWN) is None
    assert (said[1:], file.read_text()) == ([REMEMBERED], f"{SHOWN}\n")


@pytest.mark.parametrize("content", [b"", b"\xff\x00 not hex", SHOWN_LATER[:20].encode(), b"0" * 2_000])
def test_a_file_that_holds_no_certificate_is_written_anew_and_the_player_is_told(content):
    said = []
    credentials.store_certificate("kitchen:4743", SHOWN_LATER)
    file = credentials.find_known_certificate("kitchen:4743")
    file.write_bytes(content)
    for _ in range(2):
        assert credentials.trust_first_certificate("kitchen:4743", said.append, SHOWN) is None
    assert (said, file.read_text()) == ([REMEMBERED], f"{SHOWN}\n")
