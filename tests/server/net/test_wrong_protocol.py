"""The polite port over real connections: every opening of the table gets its help, and is closed."""

import pytest

from gridgames_protocol.codec import decode_push, encode
from gridgames_protocol.messages import PROTOCOL, Bye, Hello
from gridgames_server.core.limits import READ_SIZE
from gridgames_server.net.wrong_protocol import make_help_without_tls
from tests.server.net.test_wrong_protocol_table import BROWSERS, HELP, HERE, OTHERS, TEXTS, TLS_HELLOS
from tests.wire import read_all, run, serving

CLIENTS = {"hello": encode(Hello(1, PROTOCOL, "Ada")), "an empty line": b"\n", "half a hello": b"\x84"}


def named(openings):
    return pytest.mark.parametrize("opening", openings.values(), ids=openings.keys())


@named(BROWSERS | TEXTS | TLS_HELLOS)
def test_the_help_arrives_and_the_connection_is_closed(opening):
    async def scenario():
        async with serving() as server:
            told = await read_all(await server.stranger(opening))
            assert told.endswith(b"play with: gridgames-client 127.0.0.1:%d\n" % server.port)
            assert server.service.hub.sessions == {}

    run(scenario())


def test_the_help_arrives_although_much_else_will_never_be_read():
    async def scenario():
        async with serving() as server:
            stranger = await server.stranger(b"POST / HTTP/1.1\r\n\r\n" + b"." * 4 * READ_SIZE)
            assert (await read_all(stranger)).startswith(b"HTTP/1.0 400 Bad Request")

    run(scenario())


@named(TEXTS)
def test_where_tls_is_spoken_text_gets_the_same_line(opening):
    assert make_help_without_tls(opening, HERE) == HELP


@named(CLIENTS | OTHERS)
def test_where_tls_is_spoken_a_client_without_it_is_told_so_in_its_own_language(opening):
    text = f"This server speaks TLS only; play with: gridgames-client {HERE}"
    assert decode_push(make_help_without_tls(opening, HERE)[:-1]) == Bye("protocol", text)
