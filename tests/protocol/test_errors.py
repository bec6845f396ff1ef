"""Every way to be wrong has its code, its sentence, and the request's id where one could be read."""

import pytest

from gridgames_protocol.codec import BROKEN_OFF, EXTENSION, KEY, TOO_DEEP, decode_push, decode_request
from gridgames_protocol.errors import BadLine, BadMessage, TooLong, UnknownKey, UnknownType, WireError
from tests.protocol.vectors import pack

SENTENCES = [
    (BadLine("it holds no map"), "bad_line", "This line is not a message: it holds no map."),
    (TooLong(4_096), "too_long", "This line is too long: at most 4096 bytes, its LF included."),
    (UnknownType(), "unknown_type", "This message has no `type`."),
    (UnknownType(7, "joy"), "unknown_type", "There is no message of the type `joy` in this direction."),
    (UnknownType(7, "j\x1by"), "unknown_type", "There is no message of the type that you sent in this direction."),
    (UnknownType(7, 5), "unknown_type", "There is no message of the type that you sent in this direction."),
    (UnknownKey("create", "Private", 7), "bad_request", "`create` has no field `Private`."),
    (UnknownKey("create", "x" * 41, 7), "bad_request", "`create` has no field that you sent."),
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
    assert {type(error) for error, *_ in SENTENCES} == {*WireError.__subclasses__(), UnknownKey}


def test_an_error_keeps_what_its_sentence_is_made_of():
    assert BadLine("it holds no map").fault == "it holds no map"
    assert TooLong(4_096).limit == 4_096
    wrong = BadMessage("play", "rev", "a whole number", re=7)
    assert (wrong.what, wrong.field, wrong.needs) == ("play", "rev", "a whole number")


def test_an_error_knows_its_request_only_where_it_was_told():
    assert UnknownType(7).re == BadMessage("play", "rev", "a whole number", 7).re == 7
    assert UnknownType().re is BadMessage("play", "rev", "a whole number").re is None
    assert BadLine("it holds no map").re is TooLong(4_096).re is None


CAUSES = [
    (b"\xc1", "a C1 byte is followed by neither 00 nor 01"),
    (b"", BROKEN_OFF),
    (b"\x82", BROKEN_OFF),
    (b"\x82\xa4type\xa4ping\xa2id", BROKEN_OFF),  # what is left of a ping whose id of 10 was not stuffed
    (b"\x80\x80", "bytes follow behind the map"),
    (b"\x82\xa4type\xa4ping\xa2id\x05\r", "it ends with CR LF; LF alone ends a line"),
    (b"\x90", "it holds no map"),
    (b"\x81\xa1x\xca\x00\x00\x00\x00", "it holds a float; whole numbers must be packed as integers"),
    (b"\x81\xa1x\x91\xcb" + bytes(8), "it holds a float; whole numbers must be packed as integers"),
    (b"\x81\xa1x\xd6\xff" + bytes(4), EXTENSION),
    (b"\x81\xa1x\xc7\x00\x05", EXTENSION),
    (b"\x81\xa1x" + b"\x91" * 8 + b"\x01", TOO_DEEP),
    (b"\x81\xa1x" + b"\x91" * 2_000 + b"\x01", TOO_DEEP),
    (b"\x81\x01\x01", KEY),
    (b"\x81\xc4\x01x\x01", KEY),
    (b"\x81\xa1x\xa1\xff", "it holds text that is not UTF-8"),
]


@pytest.mark.parametrize("decode", [decode_request, decode_push])
@pytest.mark.parametrize(("line", "cause"), CAUSES)
def test_a_bad_line_is_told_what_is_wrong_with_it(decode, line, cause):
    with pytest.raises(BadLine) as caught:
        decode(line)
    assert str(caught.value) == f"This line is not a message: {cause}."


def test_a_list_of_too_many_entries_is_called_so():
    with pytest.raises(BadLine, match="a list or map of more than 64 entries"):
        decode_request(pack({"type": "ping", "id": 1, "more": [1] * 65})[:-1])


def test_a_strict_reader_refuses_keys_that_it_does_not_know():
    line = pack({"type": "create", "id": 3, "game": "grid-hunt", "Private": True})[:-1]
    assert decode_request(line).private is False
    with pytest.raises(UnknownKey) as caught:
        decode_request(line, strict=True)
    assert (caught.value.field, caught.value.re) == ("Private", 3)


def test_a_strict_hello_is_read_strictly_itself():
    hello = {"type": "hello", "id": 1, "protocol": 1, "name": "ann", "nmae": "ann"}
    assert decode_request(pack(hello)[:-1]).name == "ann"
    with pytest.raises(UnknownKey, match="`hello` has no field `nmae`"):
        decode_request(pack({**hello, "strict": True})[:-1])


def test_a_line_is_told_the_limit_of_its_own_direction():
    with pytest.raises(TooLong, match="at most 4096 bytes"):
        decode_request(b"x" * 4_096)
    with pytest.raises(TooLong, match="at most 65536 bytes"):
        decode_push(b"x" * 65_536)


WHOLE = "a whole number from {} to 9007199254740991"
REFUSED = [
    ({"type": "ping", "id": 0}, None, f"`ping` needs `id` to be {WHOLE.format(1)}."),
    (
        {"type": "hello", "id": 1, "name": "ann"},
        1,
        f"`hello` needs `protocol` to be {WHOLE.format(0)}, or a list of 1 to 16, each {WHOLE.format(0)}.",
    ),
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
