"""Where a connection leads: servers that are none, TLS, and every form of an address."""

import socket
import ssl
from pathlib import Path

import pytest

from gridgames_client.net.address import Address, Refused
from gridgames_client.net.connection import Timeouts
from gridgames_client.net.credentials import Identity, store_certificate
from gridgames_protocol.messages import (
    Error,
    Event,
    Hello,
)
from tests.client.scripted_server import pretending, refusal, visiting
from tests.wire import LOCAL, run, serving

CERTIFICATE = Path(__file__).parents[2] / "server" / "localhost.cert.pem"
KEY = CERTIFICATE.with_name("localhost.key.pem")


def at(server):
    return Address(server.host, server.port)


def taken_by(*names):
    """A server where these names are taken; whoever has another one is welcome."""

    async def story(peer):
        hello = await peer.hears(Hello)
        while hello.name in names:
            peer.says(Error("name_taken", "Somebody here has that name. Choose another.", hello.id))
            hello = await peer.hears(Hello)
        await peer.welcomes(hello)
        await peer.is_left()

    return story


def test_a_server_that_refuses_every_token_is_left_and_not_asked_for_ever():
    async def story(peer):
        while True:
            hello = await peer.hears(Hello)
            peer.says(Error("token", "That token is not known here.", hello.id))

    async def scenario():
        async with pretending(story) as address:
            assert await refusal(address, who=Identity("Ada", "old")) == "That token is not known here."

    run(scenario())


# Servers that are none ------------------------------------------------------------------------------------------------

NONSENSE = {
    "a web server": b"HTTP/1.1 400 Bad Request\r\nContent-Length: 0\r\n\r\n",
    "a secure shell": b"SSH-2.0-OpenSSH_9.2p1\r\n",
    "a mail server": b"220 mail.example ESMTP\r\n",
    "random bytes": bytes(range(255, 0, -1)) + b"\n",
    "a line without end": b"x" * 100_000,
    "a message of another protocol": b"\x81\xa4type\xa5hello\n",
    "a welcome that is none": b"\x82\xa4type\xa7welcome\xa2re\x01\n",
}


@pytest.mark.parametrize("nonsense", NONSENSE.values(), ids=NONSENSE)
def test_something_else_than_a_server_is_told_so(nonsense):
    async def story(peer):
        await peer.hears(Hello)
        peer.writer.write(nonsense)
        await peer.is_left()

    async def scenario():
        async with pretending(story) as address:
            assert await refusal(address) == (
                f"{address} speaks something else than this client. Is it a gridgames server of this version?"
            )

    run(scenario())


def test_something_that_hangs_up_at_once_is_told_so():
    async def story(peer):
        await peer.hears(Hello)

    async def scenario():
        async with pretending(story) as address:
            assert await refusal(address) == (
                f"{address} has closed the connection at once. Is it a gridgames server? With --tls?"
            )

    run(scenario())


def test_something_that_never_answers_is_not_waited_for():
    async def story(peer):
        await peer.is_left()

    async def scenario():
        async with pretending(story) as address:
            sentence = await refusal(address, timeouts=Timeouts(answer=0.05))
            assert sentence == f"{address} does not answer. Is the address right, and the port open?"

    run(scenario())


def test_where_nothing_listens_there_is_no_way_in():
    async def scenario():
        async with pretending(taken_by()) as address:
            pass
        sentence = await refusal(address)
        assert sentence == f"Nothing listens at {address}. Is gridgames-server running there?"

    run(scenario())


def test_what_only_later_versions_say_is_passed_over():
    async def story(peer):
        await peer.welcomes()
        peer.writer.write(b"\x82\xa4type\xa7fanfare\xa5tones\x07\n")
        peer.writer.write(b"\x83\xa4type\xa5event\xa4text\xa1x\xa4kind\xa9in colour\n")
        peer.says(Event("Hello.", "system"))
        await peer.is_left()

    async def scenario():
        async with pretending(story) as address, visiting(address) as ada:
            assert (await ada.listener.hears(Event)).text == "Hello."
            assert len(ada.listener.all(Event)) == 1

    run(scenario())


def test_a_server_that_begins_to_talk_nonsense_is_left():
    async def story(peer):
        await peer.welcomes()
        peer.writer.write(b"\xc1\xc1\n")
        await peer.is_left()

    async def scenario():
        async with pretending(story) as address, visiting(address) as ada:
            with pytest.raises(Refused, match="speaks something else than this client"):
                await ada.ends()

    run(scenario())


# TLS ------------------------------------------------------------------------------------------------------------------


def tls_of_server():
    context = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
    context.load_cert_chain(CERTIFICATE, KEY)
    return context


def tls_of_guests():
    return ssl.create_default_context(cafile=str(CERTIFICATE))


def test_with_tls_one_is_welcome_and_the_certificate_is_looked_at():
    async def scenario():
        shown = []
        async with (
            serving(tls=(tls_of_server(), tls_of_guests())) as server,
            visiting(at(server), tls=True, find_other_certificate=shown.append) as ada,
        ):
            await ada.is_in()
            assert [len(bytes.fromhex(fingerprint)) for fingerprint in shown] == [32]

    run(scenario())


def test_a_certificate_that_has_changed_is_refused_with_what_to_do(tmp_path):
    async def scenario():
        async with serving(tls=(tls_of_server(), tls_of_guests())) as server:

            def distrust(fingerprint):
                return store_certificate("kitchen", fingerprint, tmp_path)

            async with visiting(at(server), tls=True, find_other_certificate=distrust) as ada:
                await ada.is_in()
            file = tmp_path / "certificates" / "kitchen.txt"
            shown = file.read_text().strip()
            file.write_text("0" * 64)
            assert await refusal(at(server), tls=True, find_other_certificate=distrust) == (
                f"{at(server)} shows another certificate than the first time. If its host has not changed it on "
                f"purpose, somebody may be listening in. If you trust it, delete {file} and start "
                f"again. It shows: {shown}"
            )

    run(scenario())


def test_with_tls_where_there_is_none_one_is_told_to_leave_it_out():
    async def scenario():
        async with serving() as server:
            assert await refusal(at(server), tls=True) == f"{at(server)} does not speak TLS. Try without --tls."

    run(scenario())


def test_without_tls_where_it_is_needed_one_is_told_to_use_it():
    async def scenario():
        async with serving(tls=(tls_of_server(), tls_of_guests())) as server:
            assert await refusal(at(server)) == (
                f"This server speaks TLS only; play with: gridgames-client {at(server)} --tls"
            )

    run(scenario())


# Families of addresses ------------------------------------------------------------------------------------------------


def families():
    """The ways to this machine that this machine has."""
    try:
        with socket.socket(socket.AF_INET6) as probe:
            probe.bind(("::1", 0))
    except OSError:
        return [LOCAL, "localhost"]
    return [LOCAL, "localhost", "::1"]


@pytest.mark.parametrize("host", families())
def test_every_form_of_an_address_leads_there(host):
    async def scenario():
        async with pretending(taken_by(), host=host) as address, visiting(address) as ada:
            await ada.is_in()

    run(scenario())


def test_a_name_whose_every_address_refuses_is_told_like_one_address():
    async def scenario():
        async with pretending(taken_by(), host="localhost") as address:
            pass
        assert await refusal(address) == f"Nothing listens at {address}. Is gridgames-server running there?"

    run(scenario())
