"""Records: values that are checked when they are made, each from one declaration.

A field's annotation says what it may hold: `text: Annotated[str, Length(1, 300)]`, `you: Seat | None`. Arrays of the
wire are tuples here, maps are records or plain dicts. A record's functions are compiled on first use, not at import.

Packing: a record becomes a dict by compiled code, and msgpack packs the whole in one call. To keep packed parts and
join them gained up to 4 % of a move, which was not worth its code.
"""

import linecache
from collections.abc import Callable, Collection, Iterator, Mapping
from functools import cached_property
from operator import attrgetter
from types import NoneType
from typing import Any, NamedTuple, TypeVar, cast, dataclass_transform, get_args

import msgpack

from gridgames_protocol.rules import FLAT, NAMES, SPARSE, Absent, InvalidField, Rule, name_in_code, rule_of

T = TypeVar("T")

INTEGER_MAX = 2**53 - 1  # the largest integer that every language's numbers hold exactly
DEPTH_MAX = 8  # maps and lists inside each other, the message itself included
REQUIRED = object()  # stands where a field has no default

_SCALARS = frozenset({NoneType, bool, int, str, bytes})
_TEXT = frozenset({str})


class Unchecked:
    """A record that is checked off the wire, but not when it is made.

    A server makes views anew with every move. To check them took a fifth of a move; the tests check all of them.
    """

    __slots__ = ()


class Field(NamedTuple):
    key: str
    hint: Any
    default: object  # REQUIRED where a constructor must be given the field
    absent: object  # what a missing key stands for; REQUIRED where the key must be there
    sparse: bool  # left out of the map while it holds what a missing key stands for
    flat: type | None  # the record that lies open in the map around it


class Declaration:
    """What a record was declared as, and the functions that are compiled from it on first use."""

    def __init__(self, cls: Any, word: str | None, defaults: Mapping[str, object]) -> None:
        self.cls, self.word = cls, word  # a message's map begins with its word
        self.fields = tuple(_field(key, hint, defaults.get(key, REQUIRED)) for key, hint in cls.__annotations__.items())
        self.values = attrgetter(*cls.__annotations__)

    @cached_property
    def rules(self) -> tuple[Rule, ...]:
        """The rule of each field."""
        return tuple(rule_of(field.hint) for field in self.fields)

    @cached_property
    def check(self) -> Callable[[Any], None]:
        """Raises an InvalidField for a record's first field that does not fit."""
        lines = []
        for field, rule in zip(self.fields, self.rules, strict=True):
            lines += [f"it = self.{field.key}", f"if not ({rule.test('it')}):"]
            lines += [f"    raise {name_in_code(InvalidField)}({field.key!r}, {rule.needs!r})"]
        if hasattr(self.cls, "__post_init__"):  # what must hold between the fields
            lines.append("self.__post_init__()")
        return cast("Callable[[Any], None]", self._compile("check", "self", lines))

    @cached_property
    def init(self) -> Callable[..., None]:
        """The record's `__init__`."""
        given = [
            field.key if field.default is REQUIRED else f"{field.key}={name_in_code(field.default)}"
            for field in self.fields
        ]
        lines = [f"self.{field.key} = {field.key}" for field in self.fields]
        if not issubclass(self.cls, Unchecked):
            lines.append(f"{name_in_code(self.check)}(self)")
        return cast("Callable[..., None]", self._compile("__init__", ", ".join(["self", *given]), lines))

    @cached_property
    def as_map(self) -> Callable[[Any], dict[str, object]]:
        """Makes the dict that goes on the wire; the records in it are still records."""
        entries = [f"'type': {self.word!r}"] if self.word else []  # those in front that are always there
        lines: list[str] = []
        for value, field, rule in self._open_fields("self"):
            plain = rule.plain(value) if rule.plain else value
            if field.sparse:
                lines.append(f"if not ({_is_absent(field, value)}): made[{field.key!r}] = {plain}")
            elif lines:
                lines.append(f"made[{field.key!r}] = {plain}")
            else:
                entries.append(f"{field.key!r}: {plain}")
        lines = [f"made = {{{', '.join(entries)}}}", *lines, "return made"]
        return cast("Callable[[Any], dict[str, object]]", self._compile("as_map", "self", lines))

    def _open_fields(self, owner: str) -> Iterator[tuple[str, Field, Rule]]:
        """The fields as they lie in the map, each with the code that gets its value."""
        for field, rule in zip(self.fields, self.rules, strict=True):
            value = f"{owner}.{field.key}"
            if field.flat:
                yield from cast("Any", field.flat).__record__._open_fields(value)
            else:
                yield value, field, rule

    @cached_property
    def read(self) -> Callable[[Mapping[str, object]], Any]:
        """Makes the record that a map from the wire holds. Keys that it does not know are ignored."""
        values = []
        for field, rule in zip(self.fields, self.rules, strict=True):
            if rule.read is None and (field.absent is None or (field.absent is REQUIRED and not rule.fits(None))):
                values.append(f"raw.get({field.key!r})")  # the check refuses a None that must not be
            else:
                values.append(f"{name_in_code(_read_field)}(raw, {name_in_code(field)}, {name_in_code(rule)})")
        lines = [f"made = {name_in_code(self.cls)}({', '.join(values)})"]
        if issubclass(self.cls, Unchecked):
            lines.append(f"{name_in_code(self.check)}(made)")
        return cast("Callable[[Mapping[str, object]], Any]", self._compile("read", "raw", [*lines, "return made"]))

    def _compile(self, name: str, arguments: str, lines: list[str]) -> Any:
        source = f"def {name}({arguments}):\n" + "".join(f"    {line}\n" for line in lines)
        file = f"<{self.cls.__qualname__}.{name}>"
        linecache.cache[file] = (len(source), None, source.splitlines(True), file)  # so that tracebacks show it
        made: dict[str, Any] = {}
        exec(compile(source, file, "exec"), NAMES, made)
        return made[name]


@dataclass_transform(frozen_default=True)
def record(cls: type[T], word: str | None = None) -> type[T]:
    """Make a class a value whose fields are checked when it is made; a message's map begins with its word."""
    # The type checker keeps it frozen. To do so at run time would take 5 % of a move.
    keys = tuple(cls.__annotations__)
    defaults = {key: cls.__dict__[key] for key in keys if key in cls.__dict__}
    body = {name: held for name, held in cls.__dict__.items() if name not in (*keys, "__dict__", "__weakref__")}
    body |= {"__slots__": keys, "__match_args__": keys, "__qualname__": cls.__qualname__}
    body |= {"__init__": _init, "__eq__": _is_equal, "__hash__": _hash, "__repr__": _show}
    body |= {"__dataclass_fields__": _DataclassFields()}
    made: Any = type(cls.__name__, cls.__bases__, body)
    made.__record__ = Declaration(made, word, defaults)
    return cast("type[T]", made)


def _init(self: Any, *args: object, **kwargs: object) -> None:
    """Compile the real `__init__` when the first record of its class is made."""
    cls = type(self)
    cls.__init__ = cls.__record__.init
    self.__init__(*args, **kwargs)


def _is_equal(self: Any, other: Any) -> Any:
    if type(self) is not type(other):
        return NotImplemented
    values = self.__record__.values
    return values(self) == values(other)


def _hash(self: Any) -> int:
    return hash(self.__record__.values(self))


def _show(self: Any) -> str:
    fields = ", ".join(f"{field.key}={getattr(self, field.key)!r}" for field in self.__record__.fields)
    return f"{type(self).__qualname__}({fields})"


class _DataclassFields:
    """Lets `dataclasses.replace` and `fields` work with records; made on first use."""

    def __get__(self, instance: object, owner: Any) -> object:
        from dataclasses import dataclass

        defaults = {field.key: field.default for field in owner.__record__.fields if field.default is not REQUIRED}
        # Without a docstring, a dataclass makes one of its signature: 10 ms.
        bare = type(owner.__name__, (), {"__doc__": "-", "__annotations__": owner.__annotations__, **defaults})
        made: Any = dataclass(init=False, repr=False, eq=False)(bare)
        owner.__dataclass_fields__ = made.__dataclass_fields__
        return owner.__dataclass_fields__


def _field(key: str, hint: Any, default: object) -> Field:
    args = get_args(hint)
    absent = next((mark.value for mark in args if isinstance(mark, Absent)), default)
    sparse = SPARSE in args or absent is None or absent is not default
    return Field(key, hint, default, absent, sparse, args[0] if FLAT in args else None)


def _is_absent(field: Field, value: str) -> str:
    """Return the code that tests whether a sparse field has its default value."""
    return f"not {value}" if field.absent in (False, 0, "", ()) else f"{value} is {name_in_code(field.absent)}"


def _read_field(raw: Mapping[str, object], field: Field, rule: Rule) -> object:
    key, absent = field.key, field.absent
    value = raw if field.flat else raw.get(key, absent)
    if value is REQUIRED:
        raise InvalidField(key, rule.needs)
    if value is None and absent is not REQUIRED:
        return absent
    if rule.read is None or value is absent:
        return value
    try:
        return rule.read(value)
    except InvalidField as unfit:
        raise unfit if field.flat else InvalidField(f"{key}.{unfit.field}", unfit.needs) from None


def read(cls: type[T], raw: Mapping[str, object]) -> T:
    """Make a record from a map of the wire."""
    made: T = cast("Any", cls).__record__.read(raw)
    return made


def check(made: T) -> T:
    """Return a record if each of its fields fits. Records inside it were checked when they were made."""
    cast("Any", made).__record__.check(made)
    return made


def plain_map(value: object) -> dict[str, object]:
    """Return a record as a map of plain values, as it is sent."""
    made: dict[str, object] = cast("Any", value).__record__.as_map(value)
    return made


def pack(value: object) -> bytes:
    """Return a record as packed bytes."""
    # A packer of its own for each call: threads mix up each other's bytes in the pure-Python one.
    packed: bytes = msgpack.packb(plain_map(value))
    return packed


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
