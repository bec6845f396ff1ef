"""Every message there and back, and everything that is almost one turned away."""

from dataclasses import MISSING, fields, replace

import msgpack
import pytest

from gridgames_protocol.codec import decode_push, decode_request, encode, keep_line
from gridgames_protocol.errors import BadLine, BadMessage, TooLong, UnknownType
from gridgames_protocol.framing import CLIENT_LINE_MAX, SERVER_LINE_MAX, stuff
from gridgames_protocol.messages import (
    PUSHES,
    REQUESTS,
    AskHistory,
    AskReplay,
    AskStandings,
    Bye,
    Chat,
    Commit,
    Create,
    Error,
    Event,
    Hello,
    History,
    Join,
    Lobby,
    LobbyRoom,
    Ok,
    Opening,
    Over,
    PastGame,
    Ping,
    Play,
    Replay,
    Reveal,
    Room,
    SeatHolder,
    Show,
    Standing,
    Standings,
    Status,
    Watch,
    Welcome,
)
from gridgames_protocol.rules import InvalidField
from gridgames_protocol.schema import INTEGER_MAX, check
from gridgames_protocol.views import Board, Card, Frame, Review, ReviewRow, View
from gridgames_server.games.match import PART_BYTES
from tests.protocol.vectors import MESSAGES, decode, name_of, pack

HELLO = Hello(1, 1, "ann")
CREATE = Create(1, "grid-hunt")
JOIN, WATCH, PLAY, CHAT = Join(1, "K7QX2M"), Watch(1, "K7QX2M"), Play(1, "DIG 5 5"), Chat(1, "hi")
CARD = Card("grid-hunt", "Grid Hunt", "Hide and dig.", "Hide.\nDig.", 1)
WELCOME = Welcome(1, 1, "attic", "ann", "t" * 43, (CARD,), None, None)
STATUS = Status(1, "attic", 1, 2, 3, 4, 5)
WAITING = LobbyRoom("K7QX2M", "grid-hunt", "Grid Hunt", "ann", "waiting", True, 0)
ANN, BOT = SeatHolder("ann", True, None), SeatHolder("Robin", True, "easy")
ROOM = Room("K7QX2M", "grid-hunt", "Grid Hunt", "playing", (ANN, BOT), 1, 0, "random", None, (0, 0, 0), 1)
VIEW = View("play", "Your turn.", Board(Frame(("A",), ("1",), ("A1",)), ("",), ("hidden",)), (), (), {})
SHOW = Show("K7QX2M", 3, (1,), 1, VIEW)
EVENT = Event("Player 1 moved.", "move", 1)
COMMIT = Commit("treasure", "0" * 64)
REVEAL = Reveal("treasure", "5,5", "0" * 32)
ROW = ReviewRow("Player 1", 25, (25, 4), "Player 1 could not have known: 4 were left.")
REVIEW = Review("Cells where it could be", (0, 1), (ROW,))
OVER = Over(1, "found", "Player 1 wins.", ((1, "DIG 5 5"),), (REVEAL,), REVIEW)
HISTORY, REPLAY, STANDINGS = AskHistory(1, 7), AskReplay(1, 7, 0, 0), AskStandings(1, "grid-hunt")
PAST = PastGame(7, "grid-hunt", "Grid Hunt", 1, ("ann", "ben"), 2, "treasure", 12, 1_760_000_000)
SCENE = Replay(1, 7, 3, 12, 0, ("ann", "ben"), (1, "DIG 5 5"), "Player 1 wins.", VIEW)
STANDING = Standing("ann", 3, 1, 1, 1)

UNFIT = [
    *[(Ping(1), "id", id) for id in (0, -1, INTEGER_MAX + 1, True, 1.0, "1", b"1", None, (1,))],
    *[(HELLO, "protocol", protocol) for protocol in (-1, INTEGER_MAX + 1, True, "1", None)],
    *[(HELLO, "name", name) for name in ("n" * 65, None, b"ann", 7)],
    *[(HELLO, "token", token) for token in ("", "t" * 129, b"t", 7)],
    *[(HELLO, "password", password) for password in ("p" * 257, b"p", 7)],
    *[(HELLO, "agent", agent) for agent in ("a" * 65, b"a", 7)],
    *[(CREATE, "game", game) for game in ("", "g" * 41, None, b"grid-hunt")],
    *[(CREATE, "first", first) for first in ("", "me", None, b"host", 1)],
    *[(CREATE, "bot", bot) for bot in ("", "expert", True, b"easy")],
    *[(CREATE, "private", private) for private in (0, 1, None, "yes")],
    *[(CREATE, "clock", clock) for clock in (4, 86_401, -5, True, "30", 30.0)],
    *[(seat, "room", room) for seat in (JOIN, WATCH) for room in ("", "R" * 17, None, b"K7QX2M", 7)],
    *[(PLAY, "line", line) for line in ("x" * 201, None, b"DIG 5 5", 55)],
    *[(PLAY, "rev", rev) for rev in (-1, INTEGER_MAX + 1, True, "3", 3.0)],
    *[(CHAT, "text", text) for text in ("", "c" * 301, None, b"hi", 7)],
    *[(Ok(1), "re", re) for re in (0, -1, True, None, "1")],
    *[(Ok(1), "room", room) for room in ("", "R" * 17, 7)],
    *[(WELCOME, "server", server) for server in ("s" * 65, None)],
    *[(WELCOME, "name", name) for name in ("", "n" * 33, None)],
    *[(WELCOME, "token", token) for token in ("", "t" * 129, None)],
    *[(WELCOME, "games", games) for games in (None, [CARD], (None,), ({"slug": "grid-hunt"},), (CARD,) * 65)],
    *[(WELCOME, "last_play", last) for last in (0, True, "1")],
    *[(STATUS, count, -1) for count in ("uptime", "players", "rooms", "games", "moves")],
    *[(Lobby((), 0, 0), "rooms", rooms) for rooms in (None, [WAITING], (None,), (WAITING,) * 4_097)],
    *[(Lobby((), 0, 0), "more", more) for more in (-1, True, None)],
    *[(WAITING, "open", shut) for shut in (0, 1, None)],
    *[(WAITING, "state", state) for state in ("paused", None)],
    *[(ANN, "bot", bot) for bot in ("expert", False)],
    *[(ROOM, "seats", seats) for seats in (None, (), (ANN,), (ANN, BOT, None), [ANN, BOT], ("ann", "ben"))],
    *[(ROOM, "you", you) for you in (0, 3, True, "1")],
    *[(ROOM, "score", score) for score in (None, (0, 0), (0, 0, -1), (0, 0, 0, 0), [0, 0, 0])],
    *[(SHOW, "turn", turn) for turn in (None, 1, (0,), (3,), (1, 2, 1), [1])],
    *[(SHOW, "view", view) for view in (None, {}, "play")],
    *[(SHOW, "deadline", deadline) for deadline in (-1, True, 1.5)],
    *[(EVENT, "text", text) for text in (None, "t" * 1_001, b"hi")],
    *[(EVENT, "kind", kind) for kind in ("joke", "", None)],
    *[(EVENT, "seat", seat) for seat in (0, 3, True, "1")],
    *[(EVENT, "commit", commit) for commit in ({}, "treasure", REVEAL)],
    *[(EVENT, "past", past) for past in (0, 1, "yes")],
    *[(COMMIT, "hash", digest) for digest in ("0" * 63, "0" * 65, None)],
    *[(REVEAL, "nonce", nonce) for nonce in ("0" * 31, "0" * 33, None)],
    *[(Opening((), ()), "moves", moves) for moves in (None, [(1, "x")], ((3, "x"),), ((1,),), ((1, "x", "y"),))],
    *[(Opening((), ()), "reveal", reveal) for reveal in (None, [REVEAL], ({},), (REVEAL,) * 8_193)],
    *[(OVER, "winner", winner) for winner in (0, 3, True, "1")],
    *[(OVER, "reason", reason) for reason in ("", "r" * 41, None)],
    *[(OVER, "review", review) for review in ((), "good", {}, ROW)],
    *[(REVIEW, "title", title) for title in ("", "t" * 81, None)],
    *[(REVIEW, "after", after) for after in (None, [0, 1], (0, -1), (0, 65_536), (0, True), (0,) * 121)],
    *[(REVIEW, "rows", rows) for rows in (None, [ROW], ({},), (ROW,) * 5)],
    *[(ROW, "label", label) for label in ("", "l" * 41, None)],
    *[(ROW, "most", most) for most in (0, 65_536, True, None)],
    *[(ROW, "numbers", numbers) for numbers in (None, [25, 4], (25, -1), (26, 4), (25, 4.0), (0,) * 121)],
    *[(ROW, "note", note) for note in ("n" * 161, None)],
    *[(HISTORY, "before", before) for before in (0, -1, INTEGER_MAX + 1, True, "7", 7.0)],
    *[(REPLAY, "game", game) for game in (0, -1, INTEGER_MAX + 1, True, "7", None)],
    *[(REPLAY, "step", step) for step in (-1, INTEGER_MAX + 1, True, "0", None)],
    *[(REPLAY, "eyes", eyes) for eyes in (-1, 3, True, "1", None)],
    *[(STANDINGS, "game", game) for game in ("", "g" * 41, 1, b"grid-hunt")],
    *[(History(1, (), False), "games", games) for games in (None, [PAST], (None,), (PAST,) * 51)],
    *[(History(1, (), False), "more", more) for more in (0, 1, None)],
    *[(PAST, "you", you) for you in (0, 3, True, None)],
    *[(PAST, "names", names) for names in (None, (), ("ann",), ("ann", None), ("ann", ""), ["ann", "ben"])],
    *[(PAST, "winner", winner) for winner in (0, 3, True, "1")],
    *[(PAST, count, -1) for count in ("lines", "ended")],
    *[(SCENE, "eyes", eyes) for eyes in (-1, 3, True, None)],
    *[(SCENE, "line", line) for line in ((), (1,), (3, "x"), (1, "x" * 201), [1, "x"], "x")],
    *[(SCENE, "view", view) for view in (None, {}, "play")],
    *[(STANDING, count, -1) for count in ("played", "won", "drawn", "lost")],
    *[(Standings(1, None, ()), "rows", rows) for rows in (None, [STANDING], (None,), (STANDING,) * 101)],
    *[(Error("syntax", "?"), "code", code) for code in ("oops", "", None, 404)],
    *[(Bye("bye", "."), "code", code) for code in ("oops", "", None)],
]


@pytest.mark.parametrize(("message", "field", "value"), UNFIT)
def test_an_unfit_message_cannot_be_made_or_is_not_taken(message, field, value):
    with pytest.raises(InvalidField) as caught:
        check(replace(message, **{field: value}))
    assert caught.value.field == field


def test_a_closed_list_has_every_word_of_the_contract():
    asked = (
        "hello status ping create join watch leave play again resign claim chat bye history replay standings draw hint "
        "record analysis"
    )
    told = (
        "ok welcome status lobby room view event opening over analysis hint record history replay standings error bye"
    )
    assert list(REQUESTS) == asked.split()
    assert list(PUSHES) == told.split()


every_vector = pytest.mark.parametrize("vector", MESSAGES, ids=name_of)


def meaning(vector):
    """The message of a vector as its reader understands it."""
    return vector.get("means", vector["message"])


@every_vector
def test_keys_that_nobody_knows_are_ignored(vector):
    message = {key: value for key, value in meaning(vector).items() if key != "strict"}
    strange = {"": 0, "Type": "?", "x": [{"y": None}], "z": "\n", **message, "re_": 1, "bin": b"\xc1"}
    assert decode(vector["direction"], pack(strange)[:-1]) == decode(vector["direction"], pack(message)[:-1])


@every_vector
def test_a_missing_optional_field_is_the_same_as_nil(vector):
    direction, message = vector["direction"], meaning(vector)
    cls = {"request": REQUESTS, "push": PUSHES}[direction][message["type"]]
    for field in (field for field in fields(cls) if field.default is not MISSING):
        without = {key: value for key, value in message.items() if key != field.name}
        read = decode(direction, pack(without)[:-1])
        assert read == decode(direction, pack({**without, field.name: None})[:-1])
        assert getattr(read, field.name) == field.default


@every_vector
def test_a_missing_field_that_is_not_optional_is_refused(vector):
    direction, message = vector["direction"], meaning(vector)
    cls = {"request": REQUESTS, "push": PUSHES}[direction][message["type"]]
    for field in (field for field in fields(cls) if field.default is MISSING and field.name in message):
        with pytest.raises(BadMessage) as caught:
            decode(direction, pack({key: value for key, value in message.items() if key != field.name})[:-1])
        assert caught.value.field == field.name


@every_vector
def test_no_field_takes_a_value_of_another_type(vector):
    direction, message = vector["direction"], meaning(vector)
    others = (True, 1, "1", b"1", [1], {"1": 1})
    for key, value in message.items():
        fitting = (int, list) if key == "protocol" and message["type"] == "hello" else (type(value),)
        for other in (other for other in others if value is not None and type(other) not in fitting):
            with pytest.raises(UnknownType if key == "type" else BadMessage):
                decode(direction, pack({**message, key: other})[:-1])


@every_vector
def test_the_type_decides_and_the_two_directions_are_kept_apart(vector):
    direction, message = vector["direction"], meaning(vector)
    shared = message["type"] in REQUESTS.keys() & PUSHES.keys()
    with pytest.raises(BadMessage if shared else UnknownType):
        decode("push" if direction == "request" else "request", pack(message)[:-1])


@every_vector
def test_what_follows_a_message_in_its_line_makes_it_no_message(vector):
    payload = msgpack.packb(meaning(vector))
    for more in (b"\xc0", b"\x00", b"\x80", b"\xc1", payload[:1], payload[:60]):
        with pytest.raises(BadLine):
            decode(vector["direction"], stuff(payload + more)[:-1])


@pytest.mark.parametrize(
    "id", [b"\x07", b"\xcc\x07", b"\xcd\0\x07", b"\xce\0\0\0\x07", b"\xd0\x07", b"\xd3" + bytes(7) + b"\x07"]
)
def test_an_integer_may_be_written_in_any_width(id):
    assert decode_request(b"\x82\xa4type\xa4ping\xa2id" + id) == Ping(7)


@pytest.mark.parametrize("word", [b"\xa4ping", b"\xd9\x04ping", b"\xda\x00\x04ping", b"\xdb\x00\x00\x00\x04ping"])
def test_a_text_may_be_written_in_any_width(word):
    assert decode_request(b"\x82\xa4type" + word + b"\xa2id\x07") == Ping(7)


def test_the_last_of_two_equal_keys_counts():
    assert decode_request(b"\x83\xa4type\xa4ping\xa2id\x01\xa2id\x07") == Ping(7)


def padded(message, size):
    """A message's line, without its LF, with a key that nobody knows and so many bytes, the LF included."""
    bare = len(pack({**message, "pad": b""}))
    line = pack({**message, "pad": bytes(size - bare - 1)})
    return (line if len(line) == size else pack({**message, "pad": bytes(2 * size - bare - 1 - len(line))}))[:-1]


def test_a_line_of_exactly_the_limit_is_read_and_one_more_byte_is_too_long():
    for size, message, read in [
        (CLIENT_LINE_MAX, {"type": "ping", "id": 1}, decode_request),
        (SERVER_LINE_MAX, {"type": "ok", "re": 1}, decode_push),
    ]:
        assert len(padded(message, size)) == size - 1
        assert read(padded(message, size)) in (Ping(1), Ok(1))
        with pytest.raises(TooLong):
            read(padded(message, size + 1))


def shown(**state):
    """A view with this state, in which anything may be."""
    return replace(SHOW, view=replace(VIEW, state=state))


def test_a_line_of_exactly_the_limit_is_written_and_one_more_byte_is_refused():
    bare = len(encode(shown(pad="x" * 256)))  # from 256 on a text's head has three bytes
    full = shown(pad="x" * (SERVER_LINE_MAX - bare + 256))
    assert len(encode(full)) == SERVER_LINE_MAX
    assert decode_push(encode(full)[:-1]) == full
    with pytest.raises(InvalidField, match="`view` must be a line of at most 65536 bytes"):
        encode(shown(pad=full.view.state["pad"] + "x"))


def test_a_stuffed_byte_counts_twice_against_the_limit():
    half = "\n" * (SERVER_LINE_MAX // 2)
    with pytest.raises(InvalidField):
        encode(shown(pad=half))
    assert len(encode(shown(pad=half.replace("\n", "x")))) < SERVER_LINE_MAX


def test_the_fullest_requests_fit_their_lines():
    wide = "\U0001f600"  # four bytes
    for full in (
        Hello(INTEGER_MAX, INTEGER_MAX, wide * 64, wide * 128, wide * 256, wide * 64),
        Hello(INTEGER_MAX, INTEGER_MAX, "\n" * 64, "\n" * 128, "\n" * 256, "\n" * 64),
        Create(INTEGER_MAX, wide * 40, "random", "medium", True, 86_400),
        Play(INTEGER_MAX, wide * 200, INTEGER_MAX),
        Chat(INTEGER_MAX, wide * 300),
        AskHistory(INTEGER_MAX, INTEGER_MAX),
        AskReplay(INTEGER_MAX, INTEGER_MAX, INTEGER_MAX, 2),
        AskStandings(INTEGER_MAX, wide * 40),
    ):
        assert decode_request(encode(full)[:-1]) == full


@pytest.mark.parametrize(
    "message",
    [Chat(1, "\ud800"), shown(a=2**64), shown(a=-(2**63) - 1)],
    ids=["half of a surrogate pair", "an integer too large", "an integer too small"],
)
def test_what_the_wire_cannot_carry_is_refused_and_spoils_nothing_after_it(message):
    with pytest.raises(InvalidField, match="must be text that UTF-8 can write and integers of at most 64 bits"):
        encode(message)
    assert encode(Ping(1)) == b"\x82\xa4type\xa4ping\xa2id\x01\n"


def test_the_largest_integers_of_the_wire_come_through_in_a_state():
    show = shown(most=2**64 - 1, least=-(2**63))
    assert decode_push(encode(show)[:-1]) == show


def test_the_fullest_lists_of_games_and_players_fit_their_lines():
    wide = "\U0001f600"
    name, slug, most = wide * 32, wide * 40, INTEGER_MAX
    past = PastGame(most, slug, slug, 2, (name, name), None, slug, most, most)
    for full in (
        History(most, (past,) * 50, True),
        Standings(most, slug, (Standing(name, most, most, most, most),) * 100),
    ):
        assert decode_push(encode(full)[:-1]) == full


def test_the_fullest_review_leaves_room_for_some_moves_and_as_many_secrets():
    wide = "\U0001f600"
    row = ReviewRow(wide * 40, 65_535, (0x0AC1,) * 120, wide * 160)
    text, slug = wide * 1_000, wide * 40
    full = Over(None, slug, text, (), (), Review(wide * 80, (0x0AC1,) * 120, (row,) * 4))
    assert decode_push(encode(full)[:-1]) == full
    assert len(encode(full)) + 2 * PART_BYTES < SERVER_LINE_MAX


@pytest.mark.parametrize("numbers", [(), (25,), (25, 4, 4)])
def test_a_review_has_a_number_for_each_point(numbers):
    with pytest.raises(InvalidField, match="`rows` must be rows with a number for each point"):
        replace(REVIEW, rows=(replace(ROW, numbers=numbers),))


def test_no_number_of_a_review_is_above_what_is_drawn_highest():
    with pytest.raises(InvalidField, match="`numbers` must be at most what `most` says"):
        replace(ROW, most=24)


def test_a_replay_lies_open_in_its_map_like_a_view():
    sent = msgpack.unpackb(encode(SCENE)[:-1])
    shown = msgpack.unpackb(encode(SHOW)[:-1])
    assert {key: sent[key] for key in ("phase", "prompt", "board", "state")} == {
        key: shown[key] for key in ("phase", "prompt", "board", "state")
    }
    assert "view" not in sent


def test_a_view_always_says_whether_the_win_may_be_claimed():
    for claimable in (False, True):
        sent = msgpack.unpackb(encode(replace(SHOW, view=replace(VIEW, claimable=claimable)))[:-1])
        assert sent["claimable"] is claimable


def test_binary_is_a_value_of_the_wire():
    show = shown(blob=b"\n\xc1\x00")
    assert decode_push(encode(show)[:-1]) == show


def test_an_event_that_is_told_again_and_again_has_its_line_made_once():
    event = Event("Player 1's turn.", "system")
    line = encode(event)
    assert encode(event) is not line
    assert encode(keep_line(event)) is encode(event)
    assert encode(event) == line
    assert encode(replace(event, past=True)) != line
