"""`schema.json`, by which programs read the protocol, is what the code says."""

import json
from pathlib import Path

from gridgames_protocol.describe import describe_protocol
from gridgames_protocol.schema import INTEGER_MAX
from tests.protocol.vectors import MALFORMED, MESSAGES, VECTORS

STORED = Path(__file__).parents[2] / "protocol" / "schema.json"


def test_the_stored_schema_is_made_from_the_code(rewrite):
    """With --rewrite it is written anew."""
    text = json.dumps(describe_protocol(), indent=1) + "\n"
    if rewrite:
        STORED.write_text(text, encoding="ascii")
    assert STORED.read_text(encoding="ascii") == text


def test_every_message_of_the_vectors_fits_the_schema():
    schema = describe_protocol()
    for vector in MESSAGES:
        fields = schema["requests" if vector["direction"] == "request" else "pushes"][vector["message"]["type"]]
        meant = vector.get("means", vector["message"])
        for key, value in meant.items():
            if key != "type":
                assert fits(schema, fields[key], value), (vector["name"], key)
        assert {key for key, field in fields.items() if field["required"]} <= set(meant)


def fits(schema, kind, value):
    """A second, slower reading of the schema: true if a value is of a type."""
    if value is None:
        return kind.get("nil", False) or not kind.get("required", True)
    match kind["kind"]:
        case "bool" | "map":
            return type(value) is (bool if kind["kind"] == "bool" else dict)
        case "integer":
            return type(value) is int and kind["least"] <= value <= kind["most"]
        case "text":
            return type(value) is str and kind.get("least", 0) <= len(value) <= kind.get("most", 32)
        case "word":
            return value in kind["words"]
        case "list":
            items = all(fits(schema, kind["of"], item) for item in value)
            return type(value) is list and kind["least"] <= len(value) <= kind["most"] and items
        case "tuple":
            pairs = zip(kind["of"], value, strict=False)
            return len(value) == len(kind["of"]) and all(fits(schema, of, item) for of, item in pairs)
        case "either":
            return any(fits(schema, of, value) for of in kind["of"])
        case "record":
            fields = schema["records"][kind["record"]]
            return all(key in fields and fits(schema, fields[key], item) for key, item in value.items())
    raise AssertionError(kind)


def test_no_number_of_the_vectors_is_rounded_by_a_language_with_floats_alone():
    assert all(abs(number) <= INTEGER_MAX for vector in (*MESSAGES, *MALFORMED) for number in numbers(vector))
    assert all(type(number) is int for number in numbers(VECTORS))


def numbers(value):
    """Every number in a JSON value."""
    if isinstance(value, dict):
        value = list(value.values())
    if isinstance(value, list):
        return [number for item in value for number in numbers(item)]
    return [value] if isinstance(value, int | float) and not isinstance(value, bool) else []
