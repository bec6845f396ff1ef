"""The protocol as data: every message, field, bound and code, for `schema.json` and the tables of the specification."""

from collections.abc import Iterator, Mapping
from types import NoneType, UnionType
from typing import Annotated, Any, Literal, Union, get_args, get_origin

from gridgames_protocol.discovery import Answer, Call
from gridgames_protocol.framing import CLIENT_LINE_MAX, SERVER_LINE_MAX
from gridgames_protocol.messages import PROTOCOL, PUSHES, REQUESTS, ByeCode, ErrorCode
from gridgames_protocol.rules import Length, Only, Range
from gridgames_protocol.schema import DEPTH_MAX, INTEGER_MAX, REQUIRED

Type = dict[str, Any]


def describe_protocol() -> dict[str, Any]:
    """Everything that `schema.json` holds."""
    requests = {word: describe_record(cls) for word, cls in REQUESTS.items()}
    pushes = {word: describe_record(cls) for word, cls in PUSHES.items()}
    return {
        "protocol": PROTOCOL,
        "limits": {
            "request_line": CLIENT_LINE_MAX,
            "push_line": SERVER_LINE_MAX,
            "depth": DEPTH_MAX,
            "integer": INTEGER_MAX,
        },
        "requests": requests,
        "pushes": pushes,
        "records": {cls.__name__: describe_record(cls) for cls in held_records()},
        "datagrams": {"find": describe_record(Call), "here": describe_record(Answer)},
        "error_codes": list(get_args(ErrorCode)),
        "bye_codes": list(get_args(ByeCode)),
    }


def describe_record(cls: type) -> dict[str, Type]:
    """The fields of a record by their keys on the wire."""
    return {key: describe_field(hint, default) for key, hint, default in wire_fields(cls)}


def describe_field(hint: Any, default: object) -> Type:
    """A field's type, and what a missing key stands for."""
    found = {**describe_type(hint), "required": default is REQUIRED}
    if default is not REQUIRED:
        found["default"] = list(default) if isinstance(default, tuple) else default
        found.pop("nil", None)  # a nil is the same as a missing key there
    return found


def describe_type(hint: Any) -> Type:
    """What an annotation allows."""
    origin, args = get_origin(hint), get_args(hint)
    if origin is Annotated:
        return _describe_annotated(args[0], args[1])
    if origin in (Union, UnionType):
        inner = [describe_type(arg) for arg in args if arg is not NoneType]
        found = inner[0] if len(inner) == 1 else {"kind": "either", "of": inner}
        return {**found, "nil": True} if NoneType in args else found
    if origin is Literal:
        return {"kind": "word", "words": list(args)}
    if origin is tuple:
        return {"kind": "tuple", "of": [describe_type(arg) for arg in args]}
    if hint is bool:
        return {"kind": "bool"}
    if origin is not None and issubclass(origin, Mapping):
        return {"kind": "map"}
    return {"kind": "record", "record": hint.__name__}


def _describe_annotated(base: Any, limit: object) -> Type:
    match limit:
        case Range(least, most):
            return {"kind": "integer", "least": least, "most": most}
        case Length(least, most) if base is str:
            return {"kind": "text", "least": least, "most": most}
        case Length(least, most):
            return {"kind": "list", "least": least, "most": most, "of": describe_type(get_args(base)[0])}
        case Only(needs):
            return {"kind": "text", "needs": needs}
    return describe_type(base)


def wire_fields(cls: Any) -> Iterator[tuple[str, Any, object]]:
    """A record's fields as they lie on the wire: key, annotation, and what a missing key stands for."""
    for field in cls.__record__.fields:
        if field.flat:
            yield from wire_fields(field.flat)
        else:
            yield field.key, field.hint, field.absent


def held_records() -> list[type]:
    """The records that messages hold, at any depth, in the order in which they are met."""
    found: dict[type, None] = {}
    for cls in (*REQUESTS.values(), *PUSHES.values()):
        _collect(cls, found)
    return list(found)


def _collect(cls: type, found: dict[type, None]) -> None:
    for _, hint, _ in wire_fields(cls):
        for part in type_parts(hint):
            if isinstance(part, type) and hasattr(part, "__record__") and part not in found:
                found[part] = None
                _collect(part, found)


def type_parts(hint: Any) -> Iterator[Any]:
    """An annotation and everything that it is made of."""
    yield hint
    for part in get_args(hint):
        yield from type_parts(part)
