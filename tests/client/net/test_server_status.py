"""How a server is: the answer, or the reason why there is none."""

import signal

import pytest

from gridgames_client.net.address import Address, Refused
from gridgames_client.net.credentials import find_other_certificate, store_certificate
from gridgames_client.net.server_status import ask_status, describe_status, list_facts
from gridgames_protocol.messages import AskStatus, Create, Error, Join, Play, Status
from gridgames_server.net.tls import compute_fingerprint
from tests.client.net.test_connection_places import tls_of_guests, tls_of_server
from tests.client.scripted_server import pretending
from tests.server.net.test_tls import CERT, KEY
from tests.wire import program, run, serving


def at(server):
    return Address(server.host, server.port)


async def reason(address, **options):
    with pytest.raises(Refused) as refused:
        await ask_status(address, **options)
    return str(refused.value)


def test_a_server_says_how_it_is_without_a_name_or_a_password():
    async def scenario():
        async with serving() as server:
            ada, bob = await server.guest("Ada"), await server.guest("Bob")
            room = (await ada.says(Create, game="grid-hunt")).room
            await bob.says(Join, room=room)
            await ada.says(Play, line="HIDE 2 3")
            await server.later(7)
            assert describe_status(await ask_status(at(server))) == [
                "server: the house",
                "uptime: 7 s",
                "players: 2",
                "rooms: 1",
                "games: 1",
                "moves: 1",
            ]
        async with serving(password="sesame") as server:
            assert isinstance(await ask_status(at(server)), Status)

    run(scenario())


def test_the_version_is_reported_if_the_server_tells_it():
    assert describe_status(Status(1, "attic", 7, 2, 1, 1, 9, "0.1.0"))[6:] == ["version: 0.1.0"]


def test_the_certificate_that_a_server_shows_is_the_one_in_its_log(tmp_path, monkeypatch):
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path))

    async def scenario():
        async with program("--tls-cert", str(CERT), "--tls-key", str(KEY)) as server:
            shown = (await list_facts(at(server), tls=True))[-1].removeprefix("certificate: ")
            assert await server.ends(signal.SIGTERM) == 0
        assert f"the fingerprint of the certificate is {shown}\n" in server.text
        assert shown == compute_fingerprint(CERT.read_text())
        with pytest.raises(Refused, match="Nothing listens"):
            await list_facts(at(server), tls=True)

    run(scenario())


def test_nothing_is_asked_of_a_server_with_another_certificate(tmp_path, monkeypatch):
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path))

    async def scenario():
        async with serving(tls=(tls_of_server(), tls_of_guests())) as server:
            with pytest.raises(Refused, match="shows another certificate than you gave"):
                await list_facts(at(server), True, "0" * 64)
            shown = (await list_facts(at(server), True))[-1].removeprefix("certificate: ")
            assert (await list_facts(at(server), True, shown))[0] == "server: the house"
            assert not (tmp_path / "gridgames").exists(), "who only asks leaves no trace"
            store_certificate(str(at(server)), "0" * 64)
            with pytest.raises(Refused, match="shows another certificate than the first time"):
                await list_facts(at(server), True, shown)

    run(scenario())


def test_a_remembered_certificate_is_compared_without_writing(tmp_path):
    assert find_other_certificate("kitchen", "ab12" * 16, tmp_path) is None
    assert list(tmp_path.iterdir()) == []
    store_certificate("kitchen", "ab12" * 16, tmp_path)
    assert find_other_certificate("kitchen", "ab12" * 16, tmp_path) is None
    assert find_other_certificate("kitchen", "cd34" * 16, tmp_path) == tmp_path / "certificates" / "kitchen.txt"


def test_a_server_with_tls_says_how_it_is_to_those_who_use_it():
    async def scenario():
        async with serving(tls=(tls_of_server(), tls_of_guests())) as server:
            assert (await ask_status(at(server), tls=True)).players == 0
            assert await reason(at(server)) == (
                f"This server speaks TLS only; play with: gridgames-client {at(server)} --tls"
            )

    run(scenario())


def test_a_full_server_says_so():
    async def scenario():
        async with serving(max_players=1) as server:
            await server.guest("Ada")
            assert await reason(at(server)) == "This server is full. Try again later."

    run(scenario())


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
    async def scenario():
        async with pretending(story) as address:
            patience = 0.05 if story is silent else 5.0
            assert await reason(address, within=patience) == sentence.format(address)

    run(scenario())


def test_where_nothing_listens_that_is_the_reason():
    async def scenario():
        async with pretending(silent) as address:
            pass
        assert await reason(address) == f"Nothing listens at {address}. Is gridgames-server running there?"
        assert await reason(address, tls=True) == f"Nothing listens at {address}. Is gridgames-server running there?"

    run(scenario())
