"""The polite port over real connections: every opener of the table gets its help, and is closed."""

import pytest

from gridgames_protocol.messages import PROTOCOL, Bye, Hello, decode_push, encode
from gridgames_server.limits import READ_SIZE
from gridgames_server.openers import answer_without_tls
from tests.server.test_openers_table import BROWSERS, HELP, HERE, OTHERS, TEXTS, TLS_HELLOS
from tests.wire import read_all, run, serving

CLIENTS = {"hello": encode(Hello(1, PROTOCOL, "Ada")), "an empty line": b"\n", "half a hello": b"\x84"}


def named(openers):
    return pytest.mark.parametrize("opening", openers.values(), ids=openers.keys())


@named(BROWSERS | TEXTS | TLS_HELLOS)
def test_the_help_arrives_and_the_connection_is_closed(opening):
    async def evening():
        async with serving() as house:
            told = await read_all(await house.stranger(opening))
            assert told.endswith(b"play with: gridgames-client 127.0.0.1:%d\n" % house.port)
            assert house.service.hub.sessions == {}

    run(evening())


def test_the_help_arrives_although_much_else_will_never_be_read():
    async def evening():
        async with serving() as house:
            stranger = await house.stranger(b"POST / HTTP/1.1\r\n\r\n" + b"." * 4 * READ_SIZE)
            assert (await read_all(stranger)).startswith(b"HTTP/1.0 400 Bad Request")

    run(evening())


@named(TEXTS)
def test_where_tls_is_spoken_text_gets_the_same_line(opening):
    assert answer_without_tls(opening, HERE) == HELP


@named(CLIENTS | OTHERS)
def test_where_tls_is_spoken_a_client_without_it_is_told_so_in_its_own_language(opening):
    text = f"This server speaks TLS only; play with: gridgames-client {HERE}"
    assert decode_push(answer_without_tls(opening, HERE)[:-1]) == Bye("protocol", text)
