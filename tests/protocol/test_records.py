"""Values that are checked when they are made, each from one declaration."""

import subprocess
import sys
import traceback
from collections.abc import Mapping
from dataclasses import replace
from typing import Annotated, Literal

import msgpack
import pytest

from gridgames_protocol.rules import FLAT, SPARSE, Absent, InvalidField, Length, Only, Range, rule_of
from gridgames_protocol.schema import (
    DEPTH_MAX,
    Unchecked,
    check,
    is_plain,
    pack,
    read,
    record,
)
from gridgames_protocol.views import Board, Frame


@record
class Pin:
    colour: Literal["red", "blue"]
    note: Annotated[str, Length(0, 5)] = ""


@record
class Tag:
    owner: Annotated[str, Length(1, 5)] | None
    pin: Pin | None


@record
class Map:
    title: Annotated[str, Length(1, 10)]
    pins: Annotated[tuple[Pin, ...], Length(0, 2)]
    best: Pin | None = None
    pair: tuple[Pin | None, Pin | None] = (None, None)


@record
class Sheet:
    number: Annotated[int, Range(1, 9)]
    map: Annotated[Map, FLAT]
    folded: bool = False


@record
class Span:
    least: Annotated[int, Range(0, 9)]
    most: Annotated[int, Range(0, 9)]

    def __post_init__(self):
        if self.least > self.most:
            raise InvalidField("most", "at least `least`")


RED, BLUE = Pin("red"), Pin("blue", "sea")


def test_a_record_is_equal_by_value_and_may_be_a_key():
    assert Pin("red") == RED != BLUE
    assert {RED: 1}[Pin("red")] == 1


def test_a_record_has_no_room_for_other_fields():
    assert not hasattr(RED, "__dict__")


def test_every_birth_is_checked():
    with pytest.raises(InvalidField):
        Pin("green")
    with pytest.raises(InvalidField):
        replace(RED, colour="green")
    with pytest.raises(InvalidField):
        read(Pin, {"colour": "green"})


def test_what_must_hold_between_fields_is_checked_after_the_fields():
    assert Span(2, 2).most == 2
    with pytest.raises(InvalidField, match="`most` must be at least `least`"):
        Span(3, 2)
    with pytest.raises(InvalidField, match="`most` must be a whole number from 0 to 9"):
        Span(3, "2")


RULES = [
    (bool, "true or false", [True, False], [0, 1, None, "true", b"", (), {}]),
    (Annotated[int, Range(1, 9)], "a whole number from 1 to 9", [1, 9], [0, 10, True, 1.0, "1", b"1", None, (), {}]),
    (
        Annotated[str, Length(1, 3)],
        "text of 1 to 3 characters",
        ["a", "王王王"],
        ["", "abcd", b"a", 1, None, ("a",), {}],
    ),
    (Literal["red", "blue"], "one of red, blue", ["red", "blue"], ["", "Red", b"red", None, 1, ("red",), {}]),
    (Literal["red"], "red", ["red"], ["blue", None]),
    (Annotated[str, Only("upper case", str.isupper)], "upper case", ["A"], ["a", b"A", None, 1, ()]),
    (bool | None, "true or false, or nothing", [True, None], [0, "", ()]),
    (
        Annotated[tuple[bool, ...], Length(1, 2)],
        "a list of 1 to 2, each true or false",
        [(True,), (True, False)],
        [(), (True,) * 3, [True], (1,), True, None, {}],
    ),
    (
        tuple[bool, Literal["red"]],
        "a list of true or false and red",
        [(True, "red")],
        [(), (True,), (True, "red", "red"), ("red", True), [True, "red"], None],
    ),
    (
        Mapping[str, object],
        "a map of plain values",
        [{}, {"a": {"b": (1, None, b"", "")}}],
        [None, (), "", {1, 2}, 0],
    ),
    (Pin, "a map", [RED], [None, {}, {"colour": "red"}, "red"]),
]


@pytest.mark.parametrize(("hint", "needs", "fit", "unfit"), RULES)
def test_an_annotation_says_what_fits(hint, needs, fit, unfit):
    rule = rule_of(hint)
    assert rule.needs == needs
    assert [value for value in fit if not rule.fits(value)] == []
    assert [value for value in unfit if rule.fits(value)] == []


@pytest.mark.parametrize("hint", [int, str, float, list[int], Annotated[int, Length(0, 1)]])
def test_an_annotation_without_bounds_or_meaning_is_our_own_mistake(hint):
    with pytest.raises(TypeError, match="no rule for"):
        rule_of(hint)


def test_a_record_goes_to_the_wire_and_comes_back():
    for value in (
        RED,
        Map("north", ()),
        Map("north", (RED, BLUE), RED, (None, BLUE)),
        Sheet(3, Map("north", (RED,)), folded=True),
    ):
        assert read(type(value), wired(value)) == value


def wired(value):
    """A record as it looks after its way over the wire: maps and tuples all the way down."""
    return msgpack.unpackb(pack(value), use_list=False)


def test_an_optional_field_that_holds_nothing_stays_away():
    assert wired(Map("north", ())) == {"title": "north", "pins": (), "pair": (None, None)}
    assert wired(RED) == {"colour": "red", "note": ""}
    assert wired(Map("north", (), RED))["best"] == {"colour": "red", "note": ""}


def test_a_flat_record_lies_open_in_the_map_around_it():
    sheet = Sheet(3, Map("north", ()))
    assert wired(sheet) == {"number": 3, "title": "north", "pins": (), "pair": (None, None), "folded": False}
    assert read(Sheet, {"number": 3, "title": "north", "pins": ()}) == sheet


def test_a_board_lies_in_one_map_with_its_frame():
    frame = Frame(("A", "B"), ("1",), ("A1", "B1"))
    board = Board(frame, ("", "x"), ("hidden", "hint"))
    assert wired(board) == {
        "rows": ("A", "B"),
        "cols": ("1",),
        "names": ("A1", "B1"),
        "texts": ("", "x"),
        "kinds": ("hidden", "hint"),
        "masks": (),
    }
    assert wired(board.put(0, "y", "hint"))["names"] == ("A1", "B1")
    assert read(Board, wired(board)) == board


def test_keys_that_a_record_does_not_know_are_ignored():
    assert read(Pin, {"colour": "red", "size": 3, "": None}) == RED


@pytest.mark.parametrize("raw", [{}, {"note": None}])
def test_an_optional_field_may_be_missing_or_nil(raw):
    assert read(Pin, {"colour": "red", **raw}) == RED


def test_a_field_that_may_be_nil_must_be_there_all_the_same():
    assert read(Tag, {"owner": None, "pin": None}) == Tag(None, None)
    assert read(Tag, {"owner": "Ada", "pin": {"colour": "red"}}) == Tag("Ada", RED)


REFUSALS = [
    (Span, {"least": -1}, "`least` must be a whole number from 0 to 9"),
    (Tag, {"pin": None}, "`owner` must be text of 1 to 5 characters, or nothing"),
    (Tag, {"owner": None}, "`pin` must be a map, or nothing"),
    (Pin, {}, "`colour` must be one of red, blue"),
    (Pin, {"colour": None}, "`colour` must be one of red, blue"),
    (Pin, {"colour": "red", "note": "abcdef"}, "`note` must be text of 0 to 5 characters"),
    (Map, {"pins": ()}, "`title` must be text of 1 to 10 characters"),
    (Map, {"title": "north", "pins": ({"colour": "pink"},)}, "`pins.colour` must be one of red, blue"),
    (Map, {"title": "north", "pins": ({"colour": "red"},) * 3}, "`pins` must be a list of 0 to 2, each a map"),
    (Map, {"title": "north", "pins": (), "best": {}}, "`best.colour` must be one of red, blue"),
    (Map, {"title": "north", "pins": (), "pair": (None, {"colour": 1})}, "`pair.colour` must be one of red, blue"),
    (Map, {"title": "n", "pins": (), "pair": ()}, "`pair` must be a list of a map, or nothing and a map, or nothing"),
    (Sheet, {"number": 3, "pins": ()}, "`title` must be text of 1 to 10 characters"),
    (Sheet, {"number": 0, "title": "north", "pins": ()}, "`number` must be a whole number from 1 to 9"),
]


@pytest.mark.parametrize(("cls", "raw", "sentence"), REFUSALS)
def test_a_refusal_names_the_field_and_what_it_needs(cls, raw, sentence):
    with pytest.raises(InvalidField) as caught:
        read(cls, raw)
    assert str(caught.value) == sentence


@pytest.mark.parametrize("pair", [(), (None,), (None, None, None)])
def test_a_list_of_two_takes_neither_one_nor_three(pair):
    with pytest.raises(InvalidField):
        read(Map, {"title": "north", "pins": (), "pair": pair})


@pytest.mark.parametrize("value", [None, 7, True, "text", b"binary", {}, {"pins": ()}])
def test_where_a_list_is_meant_nothing_else_is_read(value):
    with pytest.raises(InvalidField):
        read(Map, {"title": "north", "pins": value})
    with pytest.raises(InvalidField):
        read(Map, {"title": "north", "pins": (), "pair": value or 0})


@pytest.mark.parametrize("value", [7, True, "text", b"binary", (), ("colour", "red")])
def test_where_a_map_is_meant_nothing_else_is_read(value):
    with pytest.raises(InvalidField):
        read(Map, {"title": "north", "pins": (value,)})
    with pytest.raises(InvalidField):
        read(Map, {"title": "north", "pins": (), "best": value})


def nested(depth, wrap):
    """A value in so many wraps."""
    value = 1
    for _ in range(depth):
        value = wrap(value)
    return value


@pytest.mark.parametrize("wrap", [lambda inner: (inner,), lambda inner: {"a": inner}], ids=["lists", "maps"])
def test_a_plain_value_is_nested_at_most_eight_deep(wrap):
    assert DEPTH_MAX == 8
    assert is_plain(nested(8, wrap))
    assert not is_plain(nested(9, wrap))
    assert not is_plain(nested(900, wrap))


class Word(str):
    """Almost a text."""


@pytest.mark.parametrize(
    "value", [0.5, [1], {1}, object(), Word("x"), {1: 2}, {b"a": 1}, {Word("x"): 1}, (0.5,), {"a": 0.5}]
)
def test_what_the_wire_does_not_know_is_not_plain(value):
    assert not is_plain(value)


@pytest.mark.parametrize("value", [None, True, -(2**63), 2**64 - 1, "", b"", (), {}, ((), {}), {"": ((None,),)}])
def test_what_the_wire_knows_is_plain(value):
    assert is_plain(value)


@record
class Row:
    marks: Annotated[tuple[Annotated[str, Length(1, 2)], ...], Length(0, 9_000)]


def test_a_list_of_texts_that_are_known_already_is_still_checked_for_what_is_new():
    assert Row(("a", "bb")).marks == ("a", "bb")
    for strange in ("ccc", "", b"a", 1, None, ("a",), {}, {"a": 1}):
        with pytest.raises(InvalidField):
            Row(("a", strange, "bb"))
        with pytest.raises(InvalidField):  # it was not learned the first time
            Row((strange,))


def test_more_texts_than_are_remembered_are_still_told_apart():
    for start in range(0, 20_000, 5_000):
        assert Row(tuple(chr(0x4E00 + start + n) for n in range(5_000)))
    with pytest.raises(InvalidField):
        Row(("ccc",))


@record
class Odd:
    value: Annotated[int, Range(1, 9)]
    key: Annotated[str, Length(1, 3)]
    self_: bool


def test_a_field_may_have_any_name():
    assert wired(Odd(3, "a", True)) == {"value": 3, "key": "a", "self_": True}


@record
class Stamp(Unchecked):
    sides: Annotated[tuple[Annotated[str, Length(1, 3)], ...], Length(1, 9)]


@record
class Letter(Unchecked):
    stamp: Stamp
    text: Annotated[str, Length(0, 9)]


def test_what_is_drawn_is_not_checked_when_it_is_made_but_off_the_wire():
    wrong = Letter(Stamp(("long",)), "much too long")
    with pytest.raises(InvalidField, match="`text` must be"):
        check(wrong)
    with pytest.raises(InvalidField, match=r"`stamp\.sides` must be"):
        read(Letter, wired(wrong))
    right = Letter(Stamp(("a", "b")), "hello")
    assert read(Letter, wired(check(right))) == right


@record
class Grade:
    marks: tuple[bool, Annotated[tuple[Annotated[int, Range(0, 9)], ...], Length(0, 2)]]


def test_a_pair_may_hold_a_list_of_numbers():
    assert read(Grade, wired(Grade((True, (1, 9))))) == Grade((True, (1, 9)))
    for marks in ((True, (10,)), (True, ("1",)), ((1,), True), (True, 1), (True, (1, 2, 3))):
        with pytest.raises(InvalidField):
            Grade(marks)


def test_a_list_may_hold_lists_of_numbers():
    rule = rule_of(
        Annotated[tuple[Annotated[tuple[Annotated[int, Range(0, 9)], ...], Length(0, 2)], ...], Length(0, 2)]
    )
    assert all(map(rule.fits, ((), ((1, 2), ()), ((9,),))))
    assert not any(map(rule.fits, ((1,), ((10,),), ((1, 2, 3),), ("1",))))


def test_a_traceback_shows_the_line_of_the_compiled_check():
    with pytest.raises(InvalidField) as caught:
        Grade(None)
    *_, last = traceback.extract_tb(caught.value.__traceback__)
    assert (last.filename, last.name) == ("<Grade.check>", "check")
    assert last.line.startswith("raise ")


def test_nothing_is_compiled_before_a_record_is_used():
    program = """
import gridgames_protocol.codec, gridgames_protocol.discovery, linecache, sys
assert [name for name in linecache.cache if name.startswith("<")] == []
assert "dataclasses" not in sys.modules and "inspect" not in sys.modules
gridgames_protocol.messages.Ping(1)
assert sorted(name for name in linecache.cache if name.startswith("<")) == ["<Ping.__init__>", "<Ping.check>"]
"""
    subprocess.run([sys.executable, "-c", program], check=True)


NOTHING: Mapping[str, object] = {}


@record
class Loose:
    """Fields that are left out while they hold what a missing key stands for."""

    notes: Annotated[Mapping[str, object], Absent(NOTHING)]
    names: Annotated[tuple[Annotated[str, Length(1, 5)], ...], Length(0, 2), SPARSE] = ()
    shown: Annotated[bool, SPARSE] = True
    title: Annotated[str, Length(0, 5), SPARSE] = ""


def test_a_sparse_field_is_left_out_while_it_holds_its_default():
    assert msgpack.unpackb(pack(Loose(NOTHING))) == {}
    assert read(Loose, {}) == Loose(NOTHING)
    full = {"notes": {"a": 1}, "names": ["ann"], "shown": False, "title": "map"}
    assert msgpack.unpackb(pack(Loose({"a": 1}, ("ann",), False, "map"))) == full


def test_a_map_that_is_merely_empty_is_not_left_out():
    assert msgpack.unpackb(pack(Loose({}))) == {"notes": {}}


def test_a_field_may_hold_one_of_two_kinds():
    either = rule_of(Annotated[int, Range(0, 9)] | Annotated[tuple[Annotated[int, Range(0, 9)], ...], Length(1, 2)])
    assert all(map(either.fits, (0, 9, (1,), (1, 2))))
    assert not any(map(either.fits, (10, (), (1, 2, 3), (10,), "1", None, True)))
