"""Values that are checked when they are made, each from one declaration.

A field's annotation says what it may hold: `text: Annotated[str, Length(1, 300)]`, `you: Seat | None`. Each rule is an
expression, and a class's `__init__` is compiled from those of its fields when the class is made, as dataclasses compile
theirs: a move makes a dozen records, and a call for every field would be most of its price. What reads and packs a
record is compiled too: its keys are packed once, and a part that is sent again and again keeps its bytes. The wire's
arrays are tuples here, its maps are records or plain dicts.
"""

from collections.abc import Callable, Collection, Iterator, Mapping
from dataclasses import MISSING, dataclass, fields
from types import NoneType, UnionType
from typing import Annotated, Any, Literal, NamedTuple, TypeVar, Union, cast, dataclass_transform, get_args, get_origin
from typing import get_type_hints as hints_of

import msgpack

T = TypeVar("T")

INTEGER_MAX = 2**53 - 1  # the largest integer that every language's numbers hold exactly
DEPTH_MAX = 8  # maps and lists inside each other, the message itself included
FLAT = "flat"  # marks such a field


class Unfit(ValueError):
    """A field that holds what it may not hold."""

    def __init__(self, field: str, needs: str) -> None:
        super().__init__(field, needs)
        self.field, self.needs = field, needs

    def __str__(self) -> str:
        return f"`{self.field}` must be {self.needs}"


class Length(NamedTuple):
    """How many characters a text has, or items a list."""

    least: int
    most: int


class Range(NamedTuple):
    """Which whole numbers are meant."""

    least: int
    most: int


class Only(NamedTuple):
    """A text that must pass a test of its own."""

    needs: str
    test: Callable[[str], bool]


class Rule(NamedTuple):
    """What a field may hold: in words, as an expression over `_it`, and how to read and pack more than plain values."""

    needs: str
    test: str
    read: Callable[[Any], Any] | None = None
    pack: Callable[[Any], bytes] | None = None
    is_text: bool = False

    @property
    def fits(self) -> Callable[[Any], bool]:
        """The test as a function."""
        return cast("Callable[[Any], bool]", eval(f"lambda _it: {self.test}", _BOUND))


class Field(NamedTuple):
    key: str
    rule: Rule
    default: object  # MISSING where the field must be there
    flat: type | None  # the record that lies open in the map around it


_SCALARS = frozenset({NoneType, bool, int, str, bytes})
_TEXT = frozenset({str})
_FIELDS: dict[type, tuple[Field, ...]] = {}
_PACKERS: dict[type, Callable[[Any], bytes]] = {}
_CHECKS: dict[type, Callable[[Any], None]] = {}
_READERS: dict[type, Callable[[Mapping[str, object]], Any]] = {}
_BOUND: dict[str, object] = {}  # what the names in compiled code stand for
_packer = msgpack.Packer()
_pack = _packer.pack


class Drawn:
    """A record that a server makes anew with every move: it is checked off the wire, but not when it is made."""

    # That check was a fifth of a move's price, for what the tests look at in every view of every game.
    __slots__ = ()


class Repeated:
    """A record that is sent again and again keeps its bytes, once it has them."""

    __slots__ = ("kept",)
    kept: bytes | None


def _bound(thing: object) -> str:
    """A name for something in compiled code."""
    name = f"_{len(_BOUND)}"
    _BOUND[name] = thing
    return name


def _compiled(head: str, *body: str) -> Any:
    """The function with these lines."""
    made: dict[str, Any] = {}
    exec(f"def {head}:\n    " + "\n    ".join(body), _BOUND, made)
    return made.popitem()[1]


@dataclass_transform(frozen_default=True)
def record(cls: type[T], word: str | None = None) -> type[T]:
    """Make a class a value whose fields are checked when it is made; a message's map begins with its word."""
    # The type checker keeps it frozen. At run time too would take 5 % of a move: every field would have to be set by a
    # call, past what stops a change.
    also = cls.__dict__.get("__post_init__")  # what must hold between the fields
    made = dataclass(unsafe_hash=True, slots=True, init=False)(cls)
    hints = hints_of(made, include_extras=True)
    table = _FIELDS[made] = tuple(
        Field(field.name, rule_of(hints[field.name]), field.default, _flat(hints[field.name]))
        for field in fields(made)  # type: ignore[arg-type]
    )
    given = [key if default is MISSING else f"{key}={_bound(default)}" for key, _, default, _ in table]
    lines = [f"self.{key} = {key}" for key, _, _, _ in table]
    if issubclass(made, Repeated):
        lines.append("self.kept = None")
    _CHECKS[made] = _checking(table, also)
    if not issubclass(made, Drawn):
        lines.append(f"{_bound(_CHECKS[made])}(self)")
    made.__init__ = _compiled(f"__init__(self, {', '.join(given)})", *lines)  # type: ignore[method-assign]
    _READERS[made] = _reading(made, table)
    _PACKERS[made] = _packing(table, word)
    return made


def _flat(hint: Any) -> type | None:
    args = get_args(hint)
    return cast("type", args[0]) if FLAT in args else None


def _checking(table: tuple[Field, ...], also: Callable[[Any], None] | None) -> Callable[[Any], None]:
    """What raises the Unfit of a record's first field that does not fit."""
    lines = [
        f"_it = self.{key}\n    if not ({rule.test}): raise {_bound(Unfit)}({key!r}, {rule.needs!r})"
        for key, rule, _, _ in table
    ]
    then = [f"{_bound(also)}(self)"] if also else []
    return cast("Callable[[Any], None]", _compiled("check(self)", *lines, *then))


def _reading(made: type, table: tuple[Field, ...]) -> Callable[[Mapping[str, object]], Any]:
    """What makes a record of a map from the wire; keys that it does not know are ignored."""
    values = []
    for field in table:
        refused = field.default is MISSING and not field.rule.fits(None)
        if field.rule.read is None and (field.default is None or refused):
            # None where the key is missing is right: it is the default, or what the record itself refuses.
            values.append(f"raw.get({field.key!r})")
        else:
            values.append(f"{_bound(_held)}(raw, {_bound(field)})")
    new = f"{_bound(made)}({', '.join(values)})"
    line = f"return {_bound(check)}({new})" if issubclass(made, Drawn) else f"return {new}"
    return cast("Callable[[Mapping[str, object]], Any]", _compiled("read(raw)", line))


def _packing(table: tuple[Field, ...], word: str | None) -> Callable[[object], bytes]:
    """What packs a record as a map; a message's begins with its word."""
    items = [(f"self.{owner}{field.key}", *field) for owner, field in _opened(table)]
    size = sum(len(_FIELDS[flat]) if flat else 1 for *_, flat in items) + bool(word)
    absent = "".join(f" - ({value} is None)" for value, _, _, default, _ in items if default is None)
    heads = _bound(tuple(map(_packer.pack_map_header, range(size + 1))))
    parts = [f"{heads}[{size}{absent}]"] + ([repr(_pack("type") + _pack(word))] if word else [])
    for value, key, rule, default, flat in items:
        if flat:
            _check_flat(flat)
            parts.append(f"{_bound(_pack_kept)}({value})[1:]")  # without its head
            continue
        packed = f"{_bound(rule.pack or _pack)}({value})"
        may_be = f"b'' if {value} is None else {_pack(key)!r} + {packed}"
        parts.append(may_be if default is None else f"{_pack(key)!r}, {packed}")
    return cast("Callable[[object], bytes]", _compiled("pack(self)", f"return b''.join(({', '.join(parts)}))"))


def _check_flat(cls: type) -> None:
    """Refuse to let a record lie open by its kept bytes whose fields may differ in number, or whose head is longer."""
    if len(_FIELDS[cls]) > 15 or any(default is None or flat for _, _, default, flat in _FIELDS[cls]):
        raise TypeError(f"{cls.__name__} can't lie flat and be repeated")


def _opened(table: tuple[Field, ...]) -> Iterator[tuple[str, Field]]:
    """The fields of a map, each with the record in which it lies if that one lies open here and keeps no bytes."""
    for field in table:
        if field.flat and not issubclass(field.flat, Repeated):
            yield from ((f"{field.key}.{owner}", inner) for owner, inner in _opened(_FIELDS[field.flat]))
        else:
            yield "", field


def read(cls: type[T], raw: Mapping[str, object]) -> T:
    """The record that a map from the wire holds."""
    made: T = _READERS[cls](raw)
    return made


def _held(raw: Mapping[str, object], field: Field) -> object:
    """What a map from the wire holds for a field."""
    key, rule, default, flat = field
    value = raw if flat else raw.get(key, default)
    if value is MISSING:
        raise Unfit(key, rule.needs)
    if value is None and default is not MISSING:
        return default
    if rule.read is None or value is default:
        return value
    try:
        return rule.read(value)
    except Unfit as unfit:
        raise unfit if flat else Unfit(f"{key}.{unfit.field}", unfit.needs) from None


def check(made: T) -> T:
    """A record, if each of its fields fits; what lies in them is not looked at again."""
    _CHECKS[type(made)](made)
    return made


def pack(value: object) -> bytes:
    """A record as the map that goes on the wire; an optional field that holds nothing stays away."""
    return _PACKERS[type(value)](value)


def _pack_kept(value: Repeated) -> bytes:
    """A record inside another one, as it was packed before."""
    if value.kept is None:
        value.kept = _PACKERS[type(value)](value)
    return value.kept


def is_plain(value: object, depth: int = DEPTH_MAX) -> bool:
    """True for a value of the wire: scalars, lists and maps with string keys, no deeper than that."""
    kind = type(value)
    if kind is dict:
        held = cast("dict[object, object]", value)
        if not _TEXT.issuperset(map(type, held)):
            return False
        parts: Collection[object] = held.values()
    elif kind is tuple:
        parts = cast("tuple[object, ...]", value)
    else:
        return kind in _SCALARS
    return depth > 0 and (_SCALARS.issuperset(map(type, parts)) or all(is_plain(part, depth - 1) for part in parts))


def rule_of(hint: Any) -> Rule:
    """The rule that an annotation stands for."""
    origin, args = get_origin(hint), get_args(hint)
    if origin is Annotated:
        return _narrowed(args[0], args[1])
    if origin in (Union, UnionType):
        (inner,) = (arg for arg in args if arg is not NoneType)
        return _or_nil(rule_of(inner))
    if origin is Literal:
        needs = "one of " + ", ".join(map(str, args)) if len(args) > 1 else str(args[0])
        return Rule(needs, f"type(_it) is str and _it in {_bound(frozenset(args))}", is_text=True)
    if origin is tuple:
        return _fixed([rule_of(arg) for arg in args])
    if hint is bool:
        return Rule("true or false", "type(_it) is bool")
    if origin is not None and issubclass(origin, Mapping):
        # Off the wire it is plain by then; the tests look at what each game makes, not every move.
        return Rule("a map of plain values", "type(_it) is dict")
    if hint in _FIELDS:
        part = _pack_kept if issubclass(hint, Repeated) else _PACKERS[hint]
        return Rule("a map", f"type(_it) is {_bound(hint)}", lambda raw: read(hint, _as_map(raw)), part)
    raise TypeError(f"no rule for {hint}")


def _narrowed(base: Any, limit: object) -> Rule:
    match limit:
        case str():
            return rule_of(base)
        case Only(needs, test):
            known = _Known(test)
            passed = f"(_it in {_bound(known.texts)} or {_bound(known.passes)}(_it))"
            return Rule(needs, f"type(_it) is str and {passed}", is_text=True)
        case Range(least, most):
            needs = f"a whole number from {least} to {most}"
            return Rule(needs, f"type(_it) is int and {least} <= _it <= {most}")
        case Length(least, most) if base is str:
            needs = f"text of {least} to {most} characters"
            return Rule(needs, f"type(_it) is str and {least} <= len(_it) <= {most}", is_text=True)
        case Length(least, most) if get_origin(base) is tuple:
            return _listed(rule_of(get_args(base)[0]), least, most)
    raise TypeError(f"no rule for {base} within {limit}")


def _or_nil(rule: Rule) -> Rule:
    inner = rule.read
    read_it = inner and (lambda raw: None if raw is None else inner(raw))
    packed = rule.pack
    pack_it = packed and (lambda value: _pack(None) if value is None else packed(value))
    return Rule(rule.needs + ", or nothing", f"_it is None or {rule.test}", read_it, pack_it)


def _listed(item: Rule, least: int, most: int) -> Rule:
    inner, packed = item.read, item.pack
    read_all = inner and (lambda raw: tuple(map(inner, _as_list(raw))))
    each = f"{_bound(_Known(item.fits).hold)}(_it)" if item.is_text else f"all([{item.test} for _it in _it])"
    return Rule(
        f"a list of {least} to {most}, each {item.needs}",
        f"type(_it) is tuple and {least} <= len(_it) <= {most} and (not _it or {each})",
        read_all,
        packed and (lambda values: b"".join([_packer.pack_array_header(len(values)), *map(packed, values)])),
    )


class _Known:
    """The texts that have passed a test: the cells of a board say the same few things over and over."""

    MOST = 4_096  # texts remembered: a hostile server must not fill a client's memory

    def __init__(self, fits: Callable[[Any], bool]) -> None:
        self.fits = fits
        self.texts: set[str] = set()

    def hold(self, values: tuple[Any, ...]) -> bool:
        """True if every value passes."""
        try:
            return self.texts.issuperset(values) or self._learn(values)
        except TypeError:  # a map among them, which has no place in a set
            return False

    def passes(self, text: str) -> bool:
        """True if a text passes that may not be known yet."""
        return self._learn((text,))

    def _learn(self, values: tuple[Any, ...]) -> bool:
        if not all(map(self.fits, values)):
            return False
        if len(self.texts) + len(values) > self.MOST:
            self.texts.clear()
        self.texts.update(values)
        return True


def _fixed(items: list[Rule]) -> Rule:
    size = len(items)
    each = ["(" + item.test.replace("_it", f"_it[{place}]") + ")" for place, item in enumerate(items)]

    def read_each(raw: object) -> object:
        given = _as_list(raw)
        if len(given) != size:
            return given  # which the test below refuses, in the words of the whole list
        return tuple(item.read(value) if item.read else value for item, value in zip(items, given, strict=True))

    def pack_each(values: tuple[object, ...]) -> bytes:
        packed = [(item.pack or _pack)(value) for item, value in zip(items, values, strict=True)]
        return b"".join([_packer.pack_array_header(size), *packed])

    return Rule(
        "a list of " + " and ".join(item.needs for item in items),
        " and ".join(["type(_it) is tuple", f"len(_it) == {size}", *each]),
        read_each if any(item.read for item in items) else None,
        pack_each if any(item.pack for item in items) else None,
    )


def _as_map(raw: object) -> Mapping[str, object]:
    if type(raw) is not dict:
        raise Unfit("it", "a map")
    return cast("Mapping[str, object]", raw)


def _as_list(raw: object) -> tuple[object, ...]:
    if type(raw) is not tuple:
        raise Unfit("it", "a list")
    return raw
