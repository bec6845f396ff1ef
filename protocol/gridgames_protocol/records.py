"""Values that are checked when they are made, each from one declaration.

A field's annotation says what it may hold: `text: Annotated[str, Length(1, 300)]`, `you: Seat | None`. The tables that
check, read and write a class are made once, together with the class, so that a message costs a loop over a short tuple
and no look at any annotation. The wire's arrays are tuples here, its maps are records or plain dicts.
"""

from collections.abc import Callable, Mapping
from dataclasses import MISSING, dataclass, fields
from types import NoneType, UnionType
from typing import Annotated, Any, Literal, NamedTuple, TypeVar, Union, cast, dataclass_transform, get_args, get_origin
from typing import get_type_hints as hints_of

T = TypeVar("T")

INTEGER_MAX = 2**53 - 1  # the largest integer that every language's numbers hold exactly
DEPTH_MAX = 8  # maps and lists inside each other, the message itself included
FLAT = "flat"  # marks a field whose record lies open in the map around it


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
    """What a field may hold: in words, as a test, and how to read it where it is more than plain data."""

    needs: str
    fits: Callable[[Any], bool]
    read: Callable[[Any], Any] | None = None


class Field(NamedTuple):
    key: str
    rule: Rule
    default: object  # MISSING where the field must be there
    flat: bool


_SCALARS = frozenset({NoneType, bool, int, str, bytes})
_FIELDS: dict[type, tuple[Field, ...]] = {}


@dataclass_transform(frozen_default=True)
def record(cls: type[T]) -> type[T]:
    """Make a class a frozen value whose fields are checked at every birth."""
    also = cls.__dict__.get("__post_init__")  # what must hold between the fields
    table: list[tuple[str, Callable[[Any], bool], str]] = []

    def check(self: T) -> None:
        for key, fits, needs in table:
            if not fits(getattr(self, key)):
                raise Unfit(key, needs)
        if also:
            also(self)

    cls.__post_init__ = check  # type: ignore[attr-defined]
    made = dataclass(frozen=True, slots=True)(cls)
    hints = hints_of(made, include_extras=True)
    _FIELDS[made] = tuple(
        Field(field.name, rule_of(hints[field.name]), field.default, FLAT in get_args(hints[field.name]))
        for field in fields(made)  # type: ignore[arg-type]
    )
    table += [(field.key, field.rule.fits, field.rule.needs) for field in _FIELDS[made]]
    return made


def read(cls: type[T], raw: Mapping[str, object]) -> T:
    """The record that a map from the wire holds; keys that it does not know are ignored."""
    values = []
    for key, rule, default, flat in _FIELDS[cls]:
        value = raw if flat else raw.get(key, default)
        if value is MISSING:
            raise Unfit(key, rule.needs)
        if value is None and default is not MISSING:
            value = default
        if rule.read is not None and value is not default:
            try:
                value = rule.read(value)
            except Unfit as unfit:
                raise unfit if flat else Unfit(f"{key}.{unfit.field}", unfit.needs) from None
        values.append(value)
    return cls(*values)


def plain(value: object) -> dict[str, object]:
    """A record as the map that goes on the wire; an optional field that holds nothing stays away."""
    raw: dict[str, object] = {}
    for key, _, default, flat in _FIELDS[type(value)]:
        held = getattr(value, key)
        if flat:
            raw.update(plain(held))
        elif default is MISSING or held is not None:
            raw[key] = held
    return raw


def is_plain(value: object, depth: int = DEPTH_MAX) -> bool:
    """True for a value of the wire: scalars, lists and maps with string keys, no deeper than that."""
    kind = type(value)
    if kind in _SCALARS:
        return True
    if depth == 0:
        return False
    if kind is tuple:
        return all(type(held) in _SCALARS or is_plain(held, depth - 1) for held in cast("tuple[object, ...]", value))
    if kind is dict:
        pairs = cast("dict[object, object]", value).items()
        return all(type(key) is str and (type(held) in _SCALARS or is_plain(held, depth - 1)) for key, held in pairs)
    return False


def rule_of(hint: Any) -> Rule:
    """The rule that an annotation stands for."""
    origin, args = get_origin(hint), get_args(hint)
    if origin is Annotated:
        return _narrowed(args[0], args[1])
    if origin in (Union, UnionType):
        (inner,) = (arg for arg in args if arg is not NoneType)
        return _or_nil(rule_of(inner))
    if origin is Literal:
        choices = frozenset(args)
        needs = "one of " + ", ".join(map(str, args)) if len(args) > 1 else str(args[0])
        return Rule(needs, lambda value: type(value) is str and value in choices)
    if origin is tuple:
        return _fixed([rule_of(arg) for arg in args])
    if hint is bool:
        return Rule("true or false", lambda value: type(value) is bool)
    if origin is not None and issubclass(origin, Mapping):
        return Rule("a map of plain values", lambda value: type(value) is dict and is_plain(value, DEPTH_MAX - 1))
    if hint in _FIELDS:
        return Rule("a map", lambda value: type(value) is hint, lambda raw: read(hint, _as_map(raw)))
    raise TypeError(f"no rule for {hint}")


def _narrowed(base: Any, limit: object) -> Rule:
    match limit:
        case str():
            return rule_of(base)
        case Only(needs, test):
            return Rule(needs, lambda value: type(value) is str and test(value))
        case Range(least, most):
            needs = f"a whole number from {least} to {most}"
            return Rule(needs, lambda value: type(value) is int and least <= value <= most)
        case Length(least, most) if base is str:
            needs = f"text of {least} to {most} characters"
            return Rule(needs, lambda value: type(value) is str and least <= len(value) <= most)
        case Length(least, most) if get_origin(base) is tuple:
            return _listed(rule_of(get_args(base)[0]), least, most)
    raise TypeError(f"no rule for {base} within {limit}")


def _or_nil(rule: Rule) -> Rule:
    fits, inner = rule.fits, rule.read
    read_it = inner and (lambda raw: None if raw is None else inner(raw))
    return Rule(rule.needs + ", or nothing", lambda value: value is None or fits(value), read_it)


def _listed(item: Rule, least: int, most: int) -> Rule:
    fits, inner = item.fits, item.read
    read_all = inner and (lambda raw: tuple(map(inner, _as_list(raw))))
    return Rule(
        f"a list of {least} to {most}, each {item.needs}",
        lambda value: type(value) is tuple and least <= len(value) <= most and all(map(fits, value)),
        read_all,
    )


def _fixed(items: list[Rule]) -> Rule:
    size, tests = len(items), [item.fits for item in items]

    def read_each(raw: object) -> object:
        given = _as_list(raw)
        if len(given) != size:
            return given  # which the test below refuses, in the words of the whole list
        return tuple(item.read(value) if item.read else value for item, value in zip(items, given, strict=True))

    return Rule(
        "a list of " + " and ".join(item.needs for item in items),
        lambda value: (
            type(value) is tuple and len(value) == size and all(t(v) for t, v in zip(tests, value, strict=True))
        ),
        read_each if any(item.read for item in items) else None,
    )


def _as_map(raw: object) -> Mapping[str, object]:
    if type(raw) is not dict:
        raise Unfit("it", "a map")
    return cast("Mapping[str, object]", raw)


def _as_list(raw: object) -> tuple[object, ...]:
    if type(raw) is not tuple:
        raise Unfit("it", "a list")
    return raw
