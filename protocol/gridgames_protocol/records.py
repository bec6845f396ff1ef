"""Values that are checked when they are made, each from one declaration.

A field's annotation says what it may hold: `text: Annotated[str, Length(1, 300)]`, `you: Seat | None`. Each rule is an
expression, and a class's `__init__` is compiled from those of its fields when the class is made, as dataclasses compile
theirs: a move makes a dozen records, and a call for every field would be most of its price. The wire's arrays are
tuples here, its maps are records or plain dicts.
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
    """What a field may hold: in words, as an expression over `_it`, and how to read it if it is more than plain."""

    needs: str
    test: str
    read: Callable[[Any], Any] | None = None
    is_text: bool = False

    @property
    def fits(self) -> Callable[[Any], bool]:
        """The test as a function."""
        return cast("Callable[[Any], bool]", eval(f"lambda _it: {self.test}", _BOUND))


class Field(NamedTuple):
    key: str
    rule: Rule
    default: object  # MISSING where the field must be there
    flat: bool


_SCALARS = frozenset({NoneType, bool, int, str, bytes})
_FIELDS: dict[type, tuple[Field, ...]] = {}
_WRITERS: dict[type, Callable[[Any], dict[str, object]]] = {}
_BOUND: dict[str, object] = {}  # what the names in compiled code stand for


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
    """Make a class a frozen value whose fields are checked at every birth; a message's map begins with its word."""
    also = cls.__dict__.get("__post_init__")  # what must hold between the fields
    made = dataclass(frozen=True, slots=True, init=False)(cls)
    hints = hints_of(made, include_extras=True)
    table = _FIELDS[made] = tuple(
        Field(field.name, rule_of(hints[field.name]), field.default, FLAT in get_args(hints[field.name]))
        for field in fields(made)  # type: ignore[arg-type]
    )
    made.__init__ = _initialiser(made, table, also)  # type: ignore[method-assign]
    _WRITERS[made] = _writer(table, word)
    return made


def _initialiser(made: type, table: tuple[Field, ...], also: Callable[[Any], None] | None) -> Callable[..., None]:
    """What makes a record, or raises the Unfit of the first field that does not fit."""
    given = [key if default is MISSING else f"{key}={_bound(default)}" for key, _, default, _ in table]
    lines = [
        f"_it = {key}\n    if not ({rule.test}): raise {_bound(Unfit)}({key!r}, {rule.needs!r})"
        f"\n    {_bound(made.__dict__[key].__set__)}(self, _it)"  # the slot itself, past what keeps it frozen
        for key, rule, _, _ in table
    ]
    then = [f"{_bound(also)}(self)"] if also else []
    return cast("Callable[..., None]", _compiled(f"__init__(self, {', '.join(given)})", *lines, *then))


def _writer(table: tuple[Field, ...], word: str | None) -> Callable[[object], dict[str, object]]:
    """What makes a map of a record."""
    head = [f"'type': {word!r}"] if word else []
    items = [f"**{_bound(plain)}(self.{key})" if flat else f"{key!r}: self.{key}" for key, _, _, flat in table]
    absent = [f"if self.{key} is None: del raw[{key!r}]" for key, _, default, _ in table if default is None]
    return cast(
        "Callable[[object], dict[str, object]]",
        _compiled("write(self)", "raw = {" + ", ".join(head + items) + "}", *absent, "return raw"),
    )


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
    return _WRITERS[type(value)](value)


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
        return Rule("a map", f"type(_it) is {_bound(hint)}", lambda raw: read(hint, _as_map(raw)))
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
    return Rule(rule.needs + ", or nothing", f"_it is None or {rule.test}", read_it)


def _listed(item: Rule, least: int, most: int) -> Rule:
    inner = item.read
    read_all = inner and (lambda raw: tuple(map(inner, _as_list(raw))))
    each = f"{_bound(_Known(item.fits).hold)}(_it)" if item.is_text else f"all(map({_bound(item.fits)}, _it))"
    return Rule(
        f"a list of {least} to {most}, each {item.needs}",
        f"type(_it) is tuple and {least} <= len(_it) <= {most} and (not _it or {each})",
        read_all,
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
    each = [f"{_bound(item.fits)}(_it[{place}])" for place, item in enumerate(items)]

    def read_each(raw: object) -> object:
        given = _as_list(raw)
        if len(given) != size:
            return given  # which the test below refuses, in the words of the whole list
        return tuple(item.read(value) if item.read else value for item, value in zip(items, given, strict=True))

    return Rule(
        "a list of " + " and ".join(item.needs for item in items),
        " and ".join(["type(_it) is tuple", f"len(_it) == {size}", *each]),
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
