"""Every way to be wrong has its code, its sentence, and the request's id where one could be read."""

import pytest

from gridgames_protocol.errors import BadLine, BadMessage, TooLong, UnknownType, WireError
from gridgames_protocol.messages import decode_push, decode_request
from tests.protocol.vectors import pack

SENTENCES = [
    (BadLine("it holds no map"), "bad_line", "This line is not a message: it holds no map."),
    (TooLong(4_096), "too_long", "This line is too long: at most 4096 bytes, its LF included."),
    (UnknownType(), "unknown_type", "This message has no `type` that is known here."),
    (
        BadMessage("chat", "text", "text of 1 to 300 characters"),
        "bad_request",
        "`chat` needs `text` to be text of 1 to 300 characters.",
    ),
]


@pytest.mark.parametrize(("error", "code", "sentence"), SENTENCES)
def test_an_error_says_one_sentence_and_has_one_code(error, code, sentence):
    assert str(error) == sentence
    assert error.code == code


def test_the_sentences_cover_the_whole_tree():
    assert {type(error) for error, *_ in SENTENCES} == set(WireError.__subclasses__())


def test_an_error_keeps_what_its_sentence_is_made_of():
    assert BadLine("it holds no map").fault == "it holds no map"
    assert TooLong(4_096).limit == 4_096
    wrong = BadMessage("play", "rev", "a whole number", re=7)
    assert (wrong.what, wrong.field, wrong.needs) == ("play", "rev", "a whole number")


def test_an_error_knows_its_request_only_where_it_was_told():
    assert UnknownType(7).re == BadMessage("play", "rev", "a whole number", 7).re == 7
    assert UnknownType().re is BadMessage("play", "rev", "a whole number").re is None
    assert BadLine("it holds no map").re is TooLong(4_096).re is None


BOUNDS = "This line is not a message: it holds no MessagePack value, more than one, or one that is out of bounds."
SHAPE = (
    "This line is not a message: it holds a float, an extension type, a key that is no string, or is nested too deep."
)
MARKS = "This line is not a message: a C1 byte is followed by neither 00 nor 01."


@pytest.mark.parametrize("decode", [decode_request, decode_push])
@pytest.mark.parametrize(
    ("line", "sentence"),
    [
        (b"\xc1", MARKS),
        (b"", BOUNDS),
        (b"\x82", BOUNDS),
        (b"\x80\x80", BOUNDS),
        (b"\x81\xa1x\xdd\xff\xff\xff\xff", BOUNDS),
        (b"\x90", "This line is not a message: it holds no map."),
        (b"\x81\xa1x\xca\x00\x00\x00\x00", SHAPE),
        (b"\x81\xa4type\xa3joy", "This message has no `type` that is known here."),
    ],
)
def test_a_hopeless_line_is_told_what_is_wrong_with_it(decode, line, sentence):
    with pytest.raises(WireError) as caught:
        decode(line)
    assert str(caught.value) == sentence


def test_a_line_is_told_the_limit_of_its_own_direction():
    with pytest.raises(TooLong, match="at most 4096 bytes"):
        decode_request(b"x" * 4_096)
    with pytest.raises(TooLong, match="at most 65536 bytes"):
        decode_push(b"x" * 65_536)


WHOLE = "a whole number from {} to 9007199254740991"
REFUSED = [
    ({"type": "ping", "id": 0}, None, f"`ping` needs `id` to be {WHOLE.format(1)}."),
    ({"type": "hello", "id": 1, "name": "ann"}, 1, f"`hello` needs `protocol` to be {WHOLE.format(0)}."),
    ({"type": "hello", "id": 1, "protocol": 1}, 1, "`hello` needs `name` to be text of 0 to 64 characters."),
    (
        {"type": "hello", "id": 1, "protocol": 1, "name": "ann", "token": ""},
        1,
        "`hello` needs `token` to be text of 1 to 128 characters, or nothing.",
    ),
    ({"type": "create", "id": 2}, 2, "`create` needs `game` to be text of 1 to 40 characters."),
    (
        {"type": "create", "id": 2, "game": "grid-hunt", "first": "me"},
        2,
        "`create` needs `first` to be one of random, host, guest.",
    ),
    (
        {"type": "create", "id": 2, "game": "grid-hunt", "bot": "expert"},
        2,
        "`create` needs `bot` to be one of easy, medium, hard, or nothing.",
    ),
    (
        {"type": "create", "id": 2, "game": "grid-hunt", "private": 1},
        2,
        "`create` needs `private` to be true or false.",
    ),
    (
        {"type": "create", "id": 2, "game": "grid-hunt", "clock": 4},
        2,
        "`create` needs `clock` to be a whole number from 5 to 86400, or nothing.",
    ),
    ({"type": "join", "id": 3, "room": ""}, 3, "`join` needs `room` to be text of 1 to 16 characters."),
    ({"type": "watch", "id": 3, "room": 7}, 3, "`watch` needs `room` to be text of 1 to 16 characters."),
    ({"type": "play", "id": 4, "line": "x" * 201}, 4, "`play` needs `line` to be text of 0 to 200 characters."),
    ({"type": "play", "id": 4, "line": "x", "rev": -1}, 4, f"`play` needs `rev` to be {WHOLE.format(0)}, or nothing."),
    ({"type": "chat", "id": 5, "text": ""}, 5, "`chat` needs `text` to be text of 1 to 300 characters."),
]


@pytest.mark.parametrize(("message", "re", "sentence"), REFUSED)
def test_a_client_is_told_which_field_needs_what(message, re, sentence):
    with pytest.raises(BadMessage) as caught:
        decode_request(pack(message)[:-1])
    assert (str(caught.value), caught.value.re) == (sentence, re)


def test_a_sentence_never_repeats_what_the_peer_wrote():
    for message in ({"type": "\x1b[31mred", "id": 1}, {"type": "join", "id": 1, "room": "\x1b[31mred" * 9}):
        with pytest.raises(WireError) as caught:
            decode_request(pack(message)[:-1])
        assert "red" not in str(caught.value)
