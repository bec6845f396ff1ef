"""The polite port: what real programs say first, and what each of them gets for an answer.

Each opening is written as its program sends it, as far as that goes without telling one machine from another. Text and
a TLS hello get a line of help. Other bytes go the way of all lines, and get `bad_line` once one is complete.
"""

import pytest

from gridgames_protocol.codec import decode_request, encode
from gridgames_protocol.errors import BadLine
from gridgames_protocol.framing import CLIENT_LINE_MAX, Splitter
from gridgames_protocol.messages import AskStatus, Hello
from gridgames_server.net.wrong_protocol import make_help

HERE = "192.168.1.20:4743"
HELP = f"This is a gridgames server; play with: gridgames-client {HERE}\n".encode()


def octets(text: str) -> bytes:
    """Bytes written as hexadecimal digits."""
    return bytes.fromhex(text)


# A ClientHello's record head, its handshake head, and the version inside.
def tls(record: str, client: str) -> bytes:
    return octets(f"16{record}00c8 01 0000c4 {client}") + bytes(range(32)) + octets("00 0004 1301 1302 0100 0000")


BROWSERS = {
    "GET": b"GET / HTTP/1.1\r\nHost: 192.168.1.20:4743\r\nUser-Agent: Mozilla/5.0\r\nAccept: text/html\r\n\r\n",
    "HEAD": b"HEAD / HTTP/1.1\r\nHost: x\r\n\r\n",
    "POST": b"POST /api HTTP/1.1\r\nHost: x\r\nContent-Length: 2\r\n\r\n{}",
    "PUT": b"PUT /x HTTP/1.1\r\nHost: x\r\n\r\n",
    "DELETE": b"DELETE /x HTTP/1.1\r\nHost: x\r\n\r\n",
    "PATCH": b"PATCH /x HTTP/1.1\r\nHost: x\r\n\r\n",
    "OPTIONS": b"OPTIONS * HTTP/1.1\r\nHost: x\r\n\r\n",
    "CONNECT": b"CONNECT example.org:443 HTTP/1.1\r\nHost: example.org:443\r\n\r\n",
    "TRACE": b"TRACE / HTTP/1.1\r\nHost: x\r\n\r\n",
    "WebSocket": b"GET /chat HTTP/1.1\r\nHost: x\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n\r\n",
    "HTTP/1.0": b"GET / HTTP/1.0\r\n\r\n",
    "RTSP": b"OPTIONS rtsp://192.168.1.20:4743 RTSP/1.0\r\nCSeq: 1\r\n\r\n",
    "SIP": b"OPTIONS sip:nm SIP/2.0\r\nVia: SIP/2.0/TCP nm;branch=foo\r\n\r\n",
}
TEXTS = {
    "HTTP/2": b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n" + octets("000012040000000000"),
    "HTTP/0.9 in small letters": b"get /\r\n",
    "WebDAV": b"PROPFIND / HTTP/1.1\r\nHost: x\r\n\r\n",
    "SSH": b"SSH-2.0-OpenSSH_9.2p1 Debian-2\r\n",
    "SMTP": b"EHLO example.org\r\n",
    "FTP": b"USER anonymous\r\n",
    "POP3": b"CAPA\r\n",
    "IMAP": b"a001 CAPABILITY\r\n",
    "IRC": b"NICK ada\r\nUSER ada 0 * :Ada\r\n",
    "Redis": b"*1\r\n$4\r\nPING\r\n",
    "Redis inline": b"INFO\r\n",
    "memcached": b"stats\r\n",
    "AMQP": b"AMQP\x00\x00\x09\x01",
    "LDAP": octets("300c020101600702010304008000"),
    "X11, little end first": octets("6c000b0000000000000000000000"),
    "X11, big end first": octets("42000000000b0000000000000000"),
    "VNC": b"RFB 003.008\n",
    "git": b"0033git-upload-pack /project.git\x00host=example.org\x00",
    "rsync": b"@RSYNCD: 31.0\n",
    "finger": b"ada\r\n",
    "gopher": b"\r\n",
    "NNTP": b"MODE READER\r\n",
    "XMPP": b"<?xml version='1.0'?><stream:stream to='x' xmlns='jabber:client'>",
    "MongoDB": octets("3f0000000100000000000000d4070000") + b"\x00\x00\x00\x00admin.$cmd\x00",
    "JDWP": b"JDWP-Handshake",
    "Java RMI": b"JRMI\x00\x02K",
    "JSON": b'{"type": "hello", "name": "Ada"}\n',
    "NATS": b'CONNECT{"verbose":false}\r\n',
    "PROXY, version 1": b"PROXY TCP4 10.0.0.1 10.0.0.2 5000 4743\r\n",
    "PROXY, version 2": octets("0d0a0d0a000d0a515549540a2111000c"),
    "a port scan": b"\r\n\r\n",
    "a port scan that asks for help": b"HELP\r\n",
    "a person": b"hello?\r\n",
    "a person with netcat": b"hi\n",
    "a person who hits return first": b"\n\n\nis anybody there\n",
    "a person who types slowly": b"h",
    "a person with a tab": b"\thello\n",
    "a shell": b"/bin/sh -i\n",
}
TLS_HELLOS = {
    "TLS 1.0": tls("0301", "0301"),
    "TLS 1.1": tls("0301", "0302"),
    "TLS 1.2": tls("0301", "0303"),
    "TLS 1.3": tls("0303", "0303"),
    "SSL 3": tls("0300", "0300"),
    "TLS, the first byte of it": b"\x16",
}
OTHERS = {
    "SOCKS 5": octets("050100"),
    "SOCKS 4": octets("04010050c0a801146164610000"),
    "RDP": octets("030000130ee000000000000100080003000000"),
    "SMB 1": octets("00000045ff534d4272000000001801c8000000000000000000000000ffff"),
    "SMB 2": octets("0000006cfe534d4240000100000000000000"),
    "PostgreSQL": octets("0000000804d2162f"),
    "PostgreSQL without TLS": octets("0000002000030000") + b"user\x00ada\x00database\x00ada\x00\x00",
    "MQTT": octets("101000044d5154540402003c0004") + b"test",
    "DNS": octets("001d12340100000100000000000007") + b"version" + octets("04") + b"bind" + octets("0000100003"),
    "telnet": octets("fffd03fffb18fffb1ffffb20fffb21"),
    "BitTorrent": b"\x13BitTorrent protocol" + bytes(8),
    "SSL 2": octets("802e0100020015000000100100800200800300800400800500800600400700c0"),
    "memcached, binary": octets("800b00000000000000000000000000000000000000000000"),
    "SQL Server": octets("12010034000000000000150006010020"),
    "Oracle": octets("003a000001000000013801"),
    "Cassandra": octets("0400000105000000"),
    "Kafka": octets("00000014001200000000000100"),
    "ZooKeeper": octets("0000002d0000000000000000"),
    "Minecraft": octets("1000f6050931302e302e302e31128701"),
    "an old Minecraft": octets("fe01"),
    "NUL bytes": bytes(16),
    "a page of FF": b"\xff" * 64,
    "gRPC's frames without their preface": octets("000012040000000000000300000064"),
    "text beyond ASCII": "привет\n".encode(),
    "UTF-16": "hello".encode("utf-16"),
    "a MessagePack list": octets("93010203"),
}


@pytest.mark.parametrize("opening", BROWSERS)
def test_a_browser_gets_a_page_that_it_can_show(opening):
    told = make_help(BROWSERS[opening], HERE)
    head, _, body = told.partition(b"\r\n\r\n")
    status, *fields = head.decode("ascii").split("\r\n")
    assert status == "HTTP/1.0 400 Bad Request"
    assert dict(field.split(": ") for field in fields) == {
        "Content-Type": "text/plain",
        "Content-Length": str(len(HELP)),
        "Connection": "close",
    }
    assert body == HELP


@pytest.mark.parametrize("opening", TEXTS)
def test_text_gets_one_readable_line(opening):
    assert make_help(TEXTS[opening], HERE) == HELP


@pytest.mark.parametrize("opening", TLS_HELLOS)
def test_tls_on_a_plain_port_gets_the_same_line(opening):
    assert make_help(TLS_HELLOS[opening], HERE) == HELP


@pytest.mark.parametrize("opening", OTHERS)
def test_other_bytes_go_the_way_of_lines_and_none_is_a_message(opening):
    assert make_help(OTHERS[opening], HERE) is None
    lines = Splitter(CLIENT_LINE_MAX).feed(OTHERS[opening] + b"\n")
    assert lines
    for line in lines:
        with pytest.raises(BadLine):
            decode_request(line)


@pytest.mark.parametrize("request_", [Hello(1, 1, "Ada"), AskStatus(1), Hello(2**40, 1, "x", "t" * 64, "p", "agent")])
def test_a_client_is_let_in(request_):
    line = encode(request_)
    assert make_help(line, HERE) is None
    assert make_help(b"\n" + line, HERE) is None, "an empty line is ignored"
    for size in range(1, len(line)):
        assert make_help(line[:size], HERE) is None, "however few bytes of it come first"


def test_a_map_of_any_size_may_be_a_client():
    for head in (*range(0x80, 0x90), 0xDE, 0xDF):
        assert make_help(bytes([head]), HERE) is None


def test_nothing_and_empty_lines_are_no_opening_yet():
    assert make_help(b"", HERE) is None
    assert make_help(b"\n\n\n", HERE) is None
