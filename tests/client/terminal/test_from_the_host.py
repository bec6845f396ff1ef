"""What a player notices of the host: a word to everybody, being sent away, and a certificate to compare."""

from gridgames_client.net.address import Address
from gridgames_server.admin import commands
from gridgames_server.net.tls import compute_fingerprint
from tests.client.client_process import child
from tests.client.net.test_connection_places import tls_of_guests, tls_of_server
from tests.client.two_terminals import screen
from tests.server.net.test_tls import CERT, KEY
from tests.wire import program, run, serving


def at(server):
    return str(Address(server.host, server.port))


def hosts(server, action, words):
    """The host does something."""
    server.service.do(action(server.service.hub, words, server.clock()))


def test_one_who_is_sent_away_is_told_so_and_does_not_come_back(tmp_path):
    async def scenario():
        async with serving() as server, child(at(server), "--name", "Ada", state=tmp_path) as ada:
            await ada.reads("You are in the lobby.")
            hosts(server, commands.say, "Last round!")
            await ada.reads("The host says: Last round!")
            hosts(server, commands.kick, "Ada")
            await ada.process.wait()
            assert await ada.ends() == (1, "gridgames-client: The host of the server has asked you to leave.\n")

    run(scenario())


def test_the_first_visit_shows_the_certificate_and_the_second_does_not(tmp_path):
    async def scenario():
        async with serving(tls=(tls_of_server(), tls_of_guests())) as server:
            for first in (True, False):
                async with child(at(server), "--tls", state=tmp_path) as ada:
                    await ada.reads("You are in the lobby.")
                told = [line for line in ada.printed if line.startswith("The server's certificate is remembered")]
                assert len(told) == first
                assert not first or told[0].split()[-1] == compute_fingerprint(CERT.read_text())

    run(scenario())


def test_the_full_screen_shows_the_certificate_too(tmp_path):
    async def scenario():
        async with (
            program("--tls-cert", str(CERT), "--tls-key", str(KEY)) as server,
            screen(server.port, "Ada", tmp_path, "--tls") as ada,
        ):
            await ada.shows("Play now", "The server's certificate is remembered", compute_fingerprint(CERT.read_text()))

    run(scenario())
