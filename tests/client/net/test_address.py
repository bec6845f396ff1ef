"""Addresses as people type them, and what is said where there is no way."""

import errno
import os
import socket
import ssl

import pytest

from gridgames_client.net.address import Address, explain_no_answer, read_address
from gridgames_protocol.messages import PORT

GOOD = [
    ("kitchen", Address("kitchen", PORT)),
    ("Kitchen", Address("kitchen", PORT)),
    ("kitchen:4000", Address("kitchen", 4000)),
    ("kitchen.lan.", Address("kitchen.lan.", PORT)),
    ("192.168.1.20", Address("192.168.1.20", PORT)),
    ("192.168.1.20:1", Address("192.168.1.20", 1)),
    ("192.168.1.20:65535", Address("192.168.1.20", 65_535)),
    ("::1", Address("::1", PORT)),
    ("[::1]", Address("::1", PORT)),
    ("[::1]:4000", Address("::1", 4000)),
    ("fe80::1%eth0", Address("fe80::1%eth0", PORT)),
    ("[fe80::1%eth0]:4000", Address("fe80::1%eth0", 4000)),
    ("2001:db8::20:4743", Address("2001:db8::20:4743", PORT)),
    ("köln.example", Address("köln.example", PORT)),
]

BAD = [
    "", " ", ":", ":4743", "kitchen:", "kitchen:0", "kitchen:65536", "kitchen:-1", "kitchen:1.5", "kitchen:port",
    "kitchen:٣", "kitchen:123456", "my kitchen", "kitchen :4743", "http://kitchen:4743", "kitchen/", "ada@kitchen",
    "[kitchen]:4743", "[192.168.1.20]:4743", "[::1", "::1]", "[::1]4743", "[::1]:", "[]:4743", "1:2:3", "a::b::c",
    ".kitchen", "kit..chen", "x" * 64, "kitchen:4743:", "kitchen\n",
]  # fmt: skip


@pytest.mark.parametrize(("text", "address"), GOOD)
def test_an_address_is_read(text, address):
    assert read_address(text) == address


@pytest.mark.parametrize("text", BAD)
def test_what_is_no_address_is_told_so_with_an_example(text):
    with pytest.raises(ValueError, match=r"is no address; type HOST or HOST:PORT, for example 192.168.1.20:4743"):
        read_address(text)


@pytest.mark.parametrize(("text", "address"), GOOD)
def test_an_address_is_shown_so_that_it_can_be_typed_again(text, address):
    assert read_address(str(address)) == address


REASONS = [
    (TimeoutError(), "kitchen:4743 does not answer. Is the address right, and the port open?"),
    (
        ConnectionRefusedError(errno.ECONNREFUSED, "Connect call failed ('127.0.0.1', 4743)"),
        "Nothing listens at kitchen:4743. Is gridgames-server running there?",
    ),
    (
        OSError(
            f"Multiple exceptions: [Errno {errno.ECONNREFUSED}] Connect call failed ('::1', 4743, 0, 0), and so on"
        ),
        "Nothing listens at kitchen:4743. Is gridgames-server running there?",
    ),
    (
        socket.gaierror(socket.EAI_NONAME, "Name or service not known"),
        "No machine called kitchen can be found. Is the name right?",
    ),
    (ssl.SSLError(1, "wrong version number"), "kitchen:4743 does not speak TLS. Try without --tls."),
    (
        ConnectionResetError(errno.ECONNRESET, "Connection reset by peer"),
        "kitchen:4743 has closed the connection at once. Is it a gridgames server? With --tls?",
    ),
    (
        OSError(errno.EHOSTUNREACH, "Connect call failed ('10.9.9.9', 4743)"),
        f"There is no way to kitchen:4743: {os.strerror(errno.EHOSTUNREACH)}.",
    ),
    (OSError("Multiple exceptions: this and that"), "There is no way to kitchen:4743: it can't be reached from here."),
]


@pytest.mark.parametrize(("error", "sentence"), REASONS)
def test_why_there_is_no_connection_is_one_sentence(error, sentence):
    assert explain_no_answer(Address("kitchen"), error) == sentence
