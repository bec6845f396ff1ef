"""What a player notices of the host: a word to everybody, being sent away, and a certificate to compare."""

from gridgames_client.address import Address
from gridgames_server import hosting
from gridgames_server.tls import fingerprint
from tests.client.child import child
from tests.client.table import screen
from tests.client.test_connection import tls_of_guests, tls_of_server
from tests.server.test_tls import CERT, KEY
from tests.wire import program, run, serving


def at(house):
    return str(Address(house.host, house.port))


def hosts(house, deed, words):
    """The host does something."""
    house.service.do(deed(house.service.hub, words, house.clock()))


def test_one_who_is_sent_away_is_told_so_and_does_not_come_back(tmp_path):
    async def evening():
        async with serving() as house, child(at(house), "--name", "Ada", state=tmp_path) as ada:
            await ada.reads("You are in the lobby.")
            hosts(house, hosting.say, "Last round!")
            await ada.reads("The host says: Last round!")
            hosts(house, hosting.kick, "Ada")
            await ada.process.wait()
            assert await ada.ends() == (1, "gridgames-client: The host of the server has asked you to leave.\n")

    run(evening())


def test_the_first_visit_shows_the_certificate_and_the_second_does_not(tmp_path):
    async def evening():
        async with serving(tls=(tls_of_server(), tls_of_guests())) as house:
            for first in (True, False):
                async with child(at(house), "--tls", state=tmp_path) as ada:
                    await ada.reads("You are in the lobby.")
                told = [line for line in ada.printed if line.startswith("The server's certificate is remembered")]
                assert len(told) == first
                assert not first or told[0].split()[-1] == fingerprint(CERT.read_text())

    run(evening())


def test_the_full_screen_shows_the_certificate_too(tmp_path):
    async def evening():
        async with (
            program("--tls-cert", str(CERT), "--tls-key", str(KEY)) as house,
            screen(house.port, "Ada", tmp_path, "--tls") as ada,
        ):
            await ada.shows("Open a room", "The server's certificate is remembered", fingerprint(CERT.read_text()))

    run(evening())
