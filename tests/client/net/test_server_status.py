"""How a server is: the answer, or the reason why there is none."""

import signal

import pytest

from gridgames_client.address import Address, Refused
from gridgames_client.status import ask_status, certificate, report
from gridgames_protocol.messages import AskStatus, Create, Error, Join, Play, Status
from gridgames_server.tls import fingerprint
from tests.client.line import pretending
from tests.client.test_connection import tls_of_guests, tls_of_server
from tests.server.test_tls import CERT, KEY
from tests.wire import program, run, serving


def at(house):
    return Address(house.host, house.port)


async def reason(address, **options):
    with pytest.raises(Refused) as refused:
        await ask_status(address, **options)
    return str(refused.value)


def test_a_server_says_how_it_is_without_a_name_or_a_password():
    async def evening():
        async with serving() as house:
            ada, bob = await house.guest("Ada"), await house.guest("Bob")
            room = (await ada.says(Create, game="grid-hunt")).room
            await bob.says(Join, room=room)
            await ada.says(Play, line="HIDE 2 3")
            await house.later(7)
            assert report(await ask_status(at(house))) == [
                "server: the house",
                "uptime: 7 s",
                "players: 2",
                "rooms: 1",
                "games: 1",
                "moves: 1",
            ]
        async with serving(password="sesame") as house:
            assert isinstance(await ask_status(at(house)), Status)

    run(evening())


def test_the_version_is_reported_if_the_server_tells_it():
    assert report(Status(1, "attic", 7, 2, 1, 1, 9, "0.1.0"))[6:] == ["version: 0.1.0"]


def test_the_certificate_that_a_server_shows_is_the_one_in_its_log(tmp_path):
    async def evening():
        async with program("--tls-cert", str(CERT), "--tls-key", str(KEY)) as house:
            shown = await certificate(at(house))
            assert await house.ends(signal.SIGTERM) == 0
        assert f"the fingerprint of the certificate is {shown}\n" in house.text
        assert shown == fingerprint(CERT.read_text())
        with pytest.raises(Refused, match="Nothing listens"):
            await certificate(at(house))

    run(evening())


def test_a_server_with_tls_says_how_it_is_to_those_who_use_it():
    async def evening():
        async with serving(tls=(tls_of_server(), tls_of_guests())) as house:
            assert (await ask_status(at(house), tls=True)).players == 0
            assert await reason(at(house)) == (
                f"This server speaks TLS only; play with: gridgames-client {at(house)} --tls"
            )

    run(evening())


def test_a_full_server_says_so():
    async def evening():
        async with serving(max_players=1) as house:
            await house.guest("Ada")
            assert await reason(at(house)) == "This server is full. Try again later."

    run(evening())


async def silent(peer):
    await peer.is_left()


async def hanging_up(peer):
    await peer.hears(AskStatus)


async def refusing(peer):
    request = await peer.hears(AskStatus)
    peer.says(Error("unknown_type", "I do not know that word.", request.id))


async def welcoming(peer):
    await peer.hears(AskStatus)
    await peer.welcomes(AskStatusAsHello())


class AskStatusAsHello:
    id, name, token = 1, "Ada", None


def saying(words):
    async def story(peer):
        await peer.hears(AskStatus)
        peer.writer.write(words)
        await peer.is_left()

    return story


ELSE = "{} speaks something else than this client. Is it a gridgames server of this version?"
REASONS = {
    "silence": (silent, "{} does not answer. Is the address right, and the port open?"),
    "an end": (hanging_up, "{} has closed the connection at once. Is it a gridgames server? With --tls?"),
    "a refusal": (refusing, "I do not know that word."),
    "another answer": (welcoming, ELSE),
    "a web server": (saying(b"HTTP/1.1 400 Bad Request\r\n\r\n"), ELSE),
    "a line without end": (saying(b"x" * 100_000), ELSE),
}


@pytest.mark.parametrize(("story", "sentence"), REASONS.values(), ids=REASONS)
def test_the_reason_is_one_sentence(story, sentence):
    async def evening():
        async with pretending(story) as address:
            patience = 0.05 if story is silent else 5.0
            assert await reason(address, within=patience) == sentence.format(address)

    run(evening())


def test_where_nothing_listens_that_is_the_reason():
    async def evening():
        async with pretending(silent) as address:
            pass
        assert await reason(address) == f"Nothing listens at {address}. Is gridgames-server running there?"
        assert await reason(address, tls=True) == f"Nothing listens at {address}. Is gridgames-server running there?"

    run(evening())
