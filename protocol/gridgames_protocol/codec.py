"""Encode messages as lines, and decode lines into messages."""

from collections.abc import Iterable
from typing import Any, TypeVar

import msgpack

from gridgames_protocol.errors import BadLine, BadMessage, TooLong, UnknownKey, UnknownType
from gridgames_protocol.framing import CLIENT_LINE_MAX, SERVER_LINE_MAX, stuff, unstuff
from gridgames_protocol.messages import PUSHES, REQUESTS, WORDS, Event, Hello, Message, Opening, Over, Push, Request
from gridgames_protocol.rules import InvalidField
from gridgames_protocol.schema import DEPTH_MAX, INTEGER_MAX, is_plain, pack, read

M = TypeVar("M", bound=Event | Opening | Over)

# The entries that arrays and maps of a small message have at the most: a few bytes must not claim megabytes ahead of
# their content.
FEW = 64


class Lines:
    """Several messages as lines, encoded already: a fifth of the memory of the messages."""

    __slots__ = ("kept_line",)

    def __init__(self, messages: Iterable[Message] = (), before: bytes = b"") -> None:
        self.kept_line = before + b"".join(map(encode, messages))


def encode(message: Message | Lines) -> bytes:
    """Return a message as a line, LF included, or several as they are kept."""
    kept: bytes | None = getattr(message, "kept_line", None)
    if kept is not None:
        return kept
    word, limit = WORDS[type(message)]
    try:
        line = stuff(pack(message))
    except (UnicodeEncodeError, OverflowError):  # half of a surrogate pair; an integer that no machine has
        raise InvalidField(word, "text that UTF-8 can write and integers of at most 64 bits") from None
    if len(line) > limit:
        raise InvalidField(word, f"a line of at most {limit} bytes")
    return line


def keep_line(message: M) -> M:
    """Encode a message and keep its line, because it will be sent many times."""
    message.kept_line = encode(message)
    return message


def decode_request(line: bytes, strict: bool = False) -> Request:
    """Decode a client's line, without its LF. A strict reader refuses unknown keys."""
    if len(line) >= CLIENT_LINE_MAX:
        raise TooLong(CLIENT_LINE_MAX)
    raw = unpack(unstuff(line), most=FEW)
    message: Request = recognize(raw, REQUESTS)
    if strict or (isinstance(message, Hello) and message.strict):
        _check_keys(raw, message)
    return message


def _check_keys(raw: dict[str, object], message: Request) -> None:
    for key in raw:
        if key != "type" and key not in message.__match_args__:
            raise UnknownKey(str(raw["type"]), key, message.id)


def decode_push(line: bytes) -> Push:
    """Decode a server's line, without its LF."""
    if len(line) >= SERVER_LINE_MAX:
        raise TooLong(SERVER_LINE_MAX)
    payload = unstuff(line)
    _skim(payload)
    message: Push = recognize(unpack(payload, most=8_192), PUSHES)
    return message


def recognize(raw: dict[str, object], listed: dict[str, type]) -> Any:
    """Return the message that a map holds, by the `type` in it."""
    word = raw.get("type")
    cls = listed.get(word) if type(word) is str else None
    if cls is None:
        raise UnknownType(_id_of(raw), word)
    try:
        return read(cls, raw)
    except InvalidField as unfit:
        raise BadMessage(str(word), unfit.field, unfit.needs, _id_of(raw)) from None


def _id_of(raw: dict[str, object]) -> int | None:
    """Return the id of an invalid request, so that the error can name it."""
    id = raw.get("id")
    return id if type(id) is int and 1 <= id <= INTEGER_MAX else None


def _skim(payload: bytes) -> None:
    """Skip through a payload without building values, to check that it is complete."""
    # An array takes its room when its head is read: a thousand heads inside each other would take 64 MB.
    skimmer = msgpack.Unpacker(max_buffer_size=len(payload))
    skimmer.feed(payload)
    try:
        skimmer.skip()
    except msgpack.OutOfData:
        raise BadLine(BROKEN_OFF) from None
    except ValueError as error:
        raise BadLine(_name_cause(error, 0)) from None


def unpack(payload: bytes, most: int) -> dict[str, object]:
    """Unpack a payload that must be one map of plain values, each with a bounded number of entries."""
    try:
        # What a text or bytes may have is limited by the payload.
        raw = msgpack.unpackb(
            payload, use_list=False, strict_map_key=True, max_array_len=most, max_map_len=most, max_ext_len=0
        )
    except ValueError as error:
        raise BadLine(_name_cause(error, most)) from None
    if type(raw) is not dict:
        raise BadLine("it holds no map")
    if not is_plain(raw):
        raise BadLine(_find_foreign(raw))
    return raw


BROKEN_OFF = "it breaks off in the middle of a value; each LF inside a message must be stuffed as C1 01"


def _name_cause(error: ValueError, most: int) -> str:
    """Say why a payload could not be unpacked, for the author of a client."""
    if isinstance(error, msgpack.ExtraData):
        return "it ends with CR LF; LF alone ends a line" if error.extra == b"\r" else "bytes follow behind the map"
    if isinstance(error, msgpack.StackError):
        return TOO_DEEP
    if isinstance(error, UnicodeDecodeError):
        return "it holds text that is not UTF-8"
    words = str(error)
    # The pure-Python msgpack refuses a text, or with `most` 0 a list, that is longer than the payload.
    if "incomplete" in words or "max_str_len" in words or "max_bin_len" in words or ("max_" in words and not most):
        return BROKEN_OFF
    if "max_ext_len" in words:
        return EXTENSION
    if "max_" in words:
        return f"it holds a list or map of more than {most} entries"
    return KEY if "map key" in words else "it holds no MessagePack value"


TOO_DEEP = f"its maps and lists are nested more than {DEPTH_MAX} deep"
EXTENSION = "it holds an extension type, a timestamp perhaps"
KEY = "it holds a key that is no text"


def _find_foreign(value: object, depth: int = DEPTH_MAX) -> str:
    """Name a value in a map that the wire does not allow, or return ""."""
    if type(value) is float:
        return "it holds a float; whole numbers must be packed as integers"
    if type(value) is dict:
        if not all(type(key) is str for key in value):
            return KEY
        parts = tuple(value.values())
    elif type(value) is tuple:
        parts = value
    else:
        return "" if is_plain(value) else EXTENSION
    if not depth:
        return TOO_DEEP
    return next(filter(None, (_find_foreign(part, depth - 1) for part in parts)), "")
