"""TLS, if the host wants it: the same games behind it, and a kind word for those who come without."""

import asyncio
import hashlib
import ssl
from contextlib import suppress
from pathlib import Path

import pytest

from gridgames_protocol.codec import decode_push, encode
from gridgames_protocol.messages import (
    PROTOCOL,
    Bye,
    Event,
    Hello,
    Room,
    Watch,
)
from gridgames_server.core.limits import OUTPUT_CAP, PARTS_PER_REQUEST, TLS_WITHIN
from gridgames_server.net.tls import TlsEngine, compute_fingerprint
from tests.server.raw_sockets import SMALL, chatter
from tests.server.tcp_tables import sit_down
from tests.wire import read_all, run, serving, until

CERT = Path(__file__).parents[1].joinpath("localhost.cert.pem")  # made for these tests, good for this machine alone
KEY = Path(__file__).parents[1].joinpath("localhost.key.pem")


def contexts():
    """The server's side, and that of a client who trusts it."""
    server = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
    server.load_cert_chain(CERT, KEY)
    return server, ssl.create_default_context(cafile=CERT)


class Tls:
    """A client's side of TLS by hand, to send exactly what a test wants."""

    def __init__(self):
        self.arriving, self.leaving = ssl.MemoryBIO(), ssl.MemoryBIO()
        self.tls = contexts()[1].wrap_bio(self.arriving, self.leaving, server_hostname="localhost")

    def shakes(self, heard=b""):
        """The bytes that lead the handshake on; it is done when there is no more to send."""
        self.arriving.write(heard)
        with suppress(ssl.SSLWantReadError):
            self.tls.do_handshake()
        return self.leaving.read()

    def says(self, words):
        self.tls.write(words)
        return self.leaving.read()

    def hears(self, heard):
        self.arriving.write(heard)
        return self.tls.read(65_536)


def met():
    """Both sides of a handshake that is done."""
    veil, client = TlsEngine(contexts()[0]), Tls()
    assert veil.unwrap(client.shakes()) == b""
    assert not veil.is_ready
    assert veil.unwrap(client.shakes(veil.wrap(b""))) == b""
    assert veil.is_ready
    client.shakes(veil.wrap(b""))
    return veil, client


# What players can compare


def test_a_fingerprint_is_that_of_the_first_certificate_in_the_file():
    der = ssl.PEM_cert_to_DER_cert(CERT.read_text())
    wanted = hashlib.sha256(der).hexdigest()
    assert compute_fingerprint(CERT.read_text()) == wanted
    assert compute_fingerprint(KEY.read_text() + CERT.read_text() + "-----BEGIN CERTIFICATE-----") == wanted
    assert compute_fingerprint("nothing") == "unreadable"


# Bytes in, bytes out


def test_words_go_both_ways():
    veil, client = met()
    assert veil.unwrap(client.says(b"hello")) == b"hello"
    assert client.hears(veil.wrap(b"welcome")) == b"welcome"


def test_words_may_come_byte_by_byte_and_many_at_once():
    veil, client = met()
    wire = client.says(b"one\n") + client.says(b"two\n" * 10_000)
    assert b"".join(veil.unwrap(bytes([byte])) for byte in wire) == b"one\n" + b"two\n" * 10_000


def test_words_may_come_with_the_last_of_the_handshake():
    veil, client = TlsEngine(contexts()[0]), Tls()
    veil.unwrap(client.shakes())
    assert veil.unwrap(client.shakes(veil.wrap(b"")) + client.says(b"hello")) == b"hello"


def test_many_words_are_wrapped_at_once():
    veil, client = met()
    client.arriving.write(veil.wrap(b"." * 100_000))
    assert sum(len(client.tls.read(16_384)) for _ in range(7)) == 100_000


def test_the_end_is_told_and_heard():
    veil, client = met()
    with pytest.raises(ssl.SSLWantReadError):
        client.tls.unwrap()
    assert veil.unwrap(client.leaving.read()) == b""
    assert veil.is_ended
    assert client.hears(veil.wrap(b"bye") + veil.end()) == b"bye"
    client.tls.unwrap()


def test_each_record_counts_as_one_part_and_one_without_content_as_a_request():
    veil, client = met()
    wire = client.says(b"one\n") + client.says(b"two\n" * 10)
    veil.unwrap(wire[:-1])
    assert veil.parts == 1
    veil.unwrap(wire[-1:])
    assert veil.parts == 1
    veil.unwrap(b"".join(client.says(b"\n") for _ in range(50)))
    assert veil.parts == 50
    last = client.says(b"x")
    with pytest.raises(ssl.SSLWantReadError):
        client.tls.unwrap()
    assert veil.unwrap(last + client.leaving.read()) == b"x"
    assert veil.parts == 1 + PARTS_PER_REQUEST


def test_a_record_that_is_too_long_is_an_error_before_it_is_complete():
    veil, _ = met()
    with pytest.raises(ssl.SSLError):
        veil.unwrap(b"\x17\x03\x03\xff\xff" + b"." * 16)


def test_what_is_no_tls_is_an_error_and_an_alert():
    veil = TlsEngine(contexts()[0])
    with pytest.raises(ssl.SSLError):
        veil.unwrap(b"\x16\x03\x01\x00\x05hello")
    assert veil.wrap(b"")[:1] == b"\x15"


# Over real connections


def test_a_game_goes_from_hello_to_its_end_behind_tls():
    async def scenario():
        async with serving(tls=contexts()) as server:
            table = await sit_down(server, "quantum-duel")
            table.seats[1].cut()
            await table.seats[2].sees(Room, lambda room: not room.seats[0].online)
            table.seats[1], _ = await server.returns(table.seats[1])
            await table.end()

    run(scenario())


def test_the_last_words_arrive_behind_tls():
    async def scenario():
        async with serving(tls=contexts()) as server:
            eve = await server.connection()
            eve.writer.write(b"\xff\n" * 100_000)
            assert isinstance((await eve.last_words())[-1], Bye)

    run(scenario())


def test_one_too_many_is_told_so_behind_tls_and_counts_from_the_first_moment():
    async def scenario():
        async with serving(tls=contexts(), max_players=1) as server:
            await server.stranger()  # has not even begun its handshake
            await until(lambda: server.service.hub.sessions)
            eve = await server.connection()
            eve.calls(Hello, protocol=PROTOCOL, name="Eve")
            assert [word.code for word in await eve.last_words()] == ["server_full"]

    run(scenario())


def test_one_who_says_goodbye_behind_tls_is_gone_at_once():
    async def scenario():
        async with serving(tls=contexts()) as server:
            ada = await server.guest("Ada")
            ada.writer.close()
            await until(lambda: not server.service.connections)
            await ada.writer.wait_closed()

    run(scenario())


@pytest.mark.parametrize("opening", [b"", b"\x16\x03\x01"])
def test_a_handshake_that_leads_nowhere_is_cut(opening):
    async def scenario():
        async with serving(tls=contexts()) as server:
            stranger = await server.stranger(opening)
            await until(lambda: server.service.connections)
            await server.later(TLS_WITHIN)
            assert len(server.service.connections) == 1
            await server.later(1)
            assert await read_all(stranger) == b""

    run(scenario())


def test_a_broken_handshake_gets_an_alert_and_a_close():
    async def scenario():
        async with serving(tls=contexts()) as server:
            stranger = await server.stranger(b"\x16\x03\x01\x00\x05hello" + b"." * 100_000)
            assert (await read_all(stranger))[:1] == b"\x15"

    run(scenario())


def test_broken_words_end_a_connection_and_hold_its_seat():
    async def scenario():
        async with serving(tls=contexts()) as server:
            table = await sit_down(server, "grid-hunt")
            ada, bob = table.seats.values()
            raw = ada.writer.transport.get_extra_info("socket").dup()
            raw.send(b"\x17\x03\x03\x00\x10" + b"." * 16)
            raw.close()
            await bob.sees(Event, lambda event: event.text == "Player 1 is away, and can return.")
            with pytest.raises((ssl.SSLError, asyncio.IncompleteReadError, ConnectionError)):
                await ada.sees(Bye)

    run(scenario())


def test_a_client_without_tls_is_told_so_in_its_own_language_and_logged_so(caplog):
    caplog.set_level("INFO")

    async def scenario():
        async with serving(tls=contexts()) as server:
            told = await read_all(await server.stranger(encode(Hello(1, PROTOCOL, "Ada"))))
            text = f"This server speaks TLS only; play with: gridgames-client 127.0.0.1:{server.port} --tls"
            assert decode_push(told[:-1]) == Bye("protocol", text)

    run(scenario())
    assert "session 1 does not use TLS" in caplog.messages


@pytest.mark.parametrize("opening", [b"hello?\n", b"SSH-2.0-OpenSSH_9.6\r\n", b"GET / HTTP/1.1\r\n\r\n"])
def test_whoever_comes_without_tls_to_the_wrong_door_gets_the_help_in_plain_text(opening):
    async def scenario():
        async with serving(tls=contexts()) as server:
            told = await read_all(await server.stranger(opening))
            assert told.endswith(b"play with: gridgames-client 127.0.0.1:%d --tls\n" % server.port)

    run(scenario())


def test_a_browser_behind_tls_gets_the_help_there():
    async def scenario():
        async with serving(tls=contexts()) as server:
            browser = await server.connection()
            browser.writer.write(b"GET / HTTP/1.1\r\nHost: localhost\r\n\r\n")
            assert (await browser.reader.read()).startswith(b"HTTP/1.0 400 Bad Request")

    run(scenario())


def test_one_who_never_reads_is_cut_behind_tls_too():
    async def scenario():
        async with serving(tls=contexts(), buffer=SMALL) as server:
            table = await sit_down(server, "grid-hunt")
            ada = table.seats[1]
            loop, eve, client = asyncio.get_running_loop(), await server.stranger(buffer=SMALL), Tls()
            await loop.sock_sendall(eve, client.shakes())
            while not (last := client.shakes(await loop.sock_recv(eve, 65_536))):
                pass
            await loop.sock_sendall(eve, last + client.says(encode(Hello(1, PROTOCOL, "Eve"))))
            await loop.sock_sendall(eve, client.says(encode(Watch(2, table.room))))
            await ada.sees(Room, lambda room: room.watchers == 1)

            wire, most = server.wire(eve), 0
            while wire.is_open:
                most = max(most, wire.unsent)
                await chatter(wire)
            assert OUTPUT_CAP / 2 < most <= OUTPUT_CAP
            await ada.sees(Room, lambda room: room.watchers == 0)
            await table.end()

    run(scenario())
