"""What a field may hold: an annotation becomes a rule.

A rule has a sentence for people, the test and the conversion to plain values as source code, and a function that reads
a value off the wire. Source code, because a record's functions are compiled from that of its fields: calls for each
field made a move 15 % dearer.
"""

from collections.abc import Callable, Mapping
from itertools import count
from types import NoneType, UnionType
from typing import Annotated, Any, Literal, NamedTuple, Union, cast, get_args, get_origin

FLAT = "flat"  # marks a field whose record lies open in the map around it
SPARSE = "sparse"  # marks a field that is left out of the map while it holds its default
NAMES: dict[str, object] = {}  # what the names in compiled code stand for
_numbers = count()


class InvalidField(ValueError):
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
    """The smallest and the largest whole number."""

    least: int
    most: int


class Only(NamedTuple):
    """A text that must pass a test of its own."""

    needs: str
    test: Callable[[str], bool]


class Absent(NamedTuple):
    """What a missing key stands for, where a constructor must be given the field."""

    value: object


class Rule(NamedTuple):
    """What a field may hold."""

    needs: str  # in words
    test: Callable[[str], str]  # the source code of the test, for a value of that name
    read: Callable[[Any], Any] | None = None  # makes the value from plain ones; None where it is plain itself
    plain: Callable[[str], str] | None = None  # the source code that makes plain values of it again
    is_text: bool = False

    @property
    def fits(self) -> Callable[[Any], bool]:
        """The test as a function."""
        return cast("Callable[[Any], bool]", eval(f"lambda value: {self.test('value')}", NAMES))


def name_in_code(thing: object) -> str:
    """Return a new name for a value in compiled code."""
    name = f"_{next(_numbers)}"
    NAMES[name] = thing
    return name


def rule_of(hint: Any) -> Rule:
    """Build the rule of an annotation."""
    origin, args = get_origin(hint), get_args(hint)
    if origin is Annotated:
        return _limited(args[0], args[1])
    if origin in (Union, UnionType):
        first, *others = (rule_of(arg) for arg in args if arg is not NoneType)
        rule = _either(first, others[0]) if others else first
        return _or_nil(rule) if NoneType in args else rule
    if origin is Literal:
        words = name_in_code(frozenset(args))
        needs = "one of " + ", ".join(map(str, args)) if len(args) > 1 else str(args[0])
        return Rule(needs, lambda it: f"type({it}) is str and {it} in {words}", is_text=True)
    if origin is tuple:
        return _fixed([rule_of(arg) for arg in args])
    if hint is bool:
        return Rule("true or false", lambda it: f"type({it}) is bool")
    if origin is not None and issubclass(origin, Mapping):
        # The codec has checked that its values are plain.
        return Rule("a map of plain values", lambda it: f"type({it}) is dict")
    if hasattr(hint, "__record__"):
        cls, made = name_in_code(hint), hint.__record__
        plain = f"{name_in_code(made)}.as_map({{}})"
        return Rule("a map", lambda it: f"type({it}) is {cls}", lambda raw: made.read(_as_map(raw)), plain.format)
    raise TypeError(f"no rule for {hint}")


def _limited(base: Any, limit: object) -> Rule:
    match limit:
        case str() | Absent():
            return rule_of(base)
        case Only(needs, test):
            known = _KnownTexts(test)
            texts, passes = name_in_code(known.texts), name_in_code(known.passes)
            return Rule(needs, lambda it: f"type({it}) is str and ({it} in {texts} or {passes}({it}))", is_text=True)
        case Range(least, most):
            needs = f"a whole number from {least} to {most}"
            return Rule(needs, lambda it: f"type({it}) is int and {least} <= {it} <= {most}")
        case Length(least, most) if base is str:
            needs = f"text of {least} to {most} characters"
            return Rule(needs, lambda it: f"type({it}) is str and {least} <= len({it}) <= {most}", is_text=True)
        case Length(least, most) if get_origin(base) is tuple:
            return _list(rule_of(get_args(base)[0]), least, most)
    raise TypeError(f"no rule for {base} within {limit}")


def _or_nil(rule: Rule) -> Rule:
    inner, convert = rule.read, rule.plain
    read = inner and (lambda raw: None if raw is None else inner(raw))
    plain = convert and (lambda it: f"(None if {it} is None else {convert(it)})")
    return Rule(rule.needs + ", or nothing", lambda it: f"({it} is None or {rule.test(it)})", read, plain)


def _either(one: Rule, two: Rule) -> Rule:
    if one.read or two.read:
        raise TypeError("a choice of two is for plain values")
    return Rule(f"{one.needs}, or {two.needs}", lambda it: f"(({one.test(it)}) or ({two.test(it)}))")


def _list(item: Rule, least: int, most: int) -> Rule:
    inner, convert = item.read, item.plain
    read = inner and (lambda raw: tuple(map(inner, _as_list(raw))))
    each = f"_item{next(_numbers)}"
    plain = convert and (lambda it: f"[{convert(each)} for {each} in {it}]")
    if item.is_text:
        passes = name_in_code(_KnownTexts(item.fits).contain)
        test = f"{passes}({{}})"
    else:
        test = f"all([{item.test(each)} for {each} in {{}}])"
    return Rule(
        f"a list of {least} to {most}, each {item.needs}",
        lambda it: f"type({it}) is tuple and {least} <= len({it}) <= {most} and {test.replace('{}', it)}",
        read,
        plain,
    )


def _fixed(items: list[Rule]) -> Rule:
    size = len(items)

    def test(it: str) -> str:
        each = [f"({item.test(f'{it}[{place}]')})" for place, item in enumerate(items)]
        return " and ".join([f"type({it}) is tuple", f"len({it}) == {size}", *each])

    def plain(it: str) -> str:
        places = [(item, f"{it}[{place}]") for place, item in enumerate(items)]
        return "[" + ", ".join(item.plain(part) if item.plain else part for item, part in places) + "]"

    def read(raw: object) -> object:
        given = _as_list(raw)
        if len(given) != size:
            return given  # the test refuses it, with the sentence for the whole list
        return tuple(item.read(value) if item.read else value for item, value in zip(items, given, strict=True))

    needs = "a list of " + " and ".join(item.needs for item in items)
    if any(item.read for item in items):
        return Rule(needs, test, read, plain)
    return Rule(needs, test)


class _KnownTexts:
    """The texts that have passed a test. The cells of a board hold the same few texts over and over."""

    MOST = 4_096  # texts remembered: a hostile server must not fill a client's memory

    def __init__(self, fits: Callable[[Any], bool]) -> None:
        self.fits = fits
        self.texts: set[str] = set()

    def contain(self, values: tuple[Any, ...]) -> bool:
        """True if every value passes."""
        try:
            return self.texts.issuperset(values) or self._learn(values)
        except TypeError:  # a map among them can't be in a set
            return False

    def passes(self, text: str) -> bool:
        """True if a text passes the test. Texts that pass are remembered."""
        return self._learn((text,))

    def _learn(self, values: tuple[Any, ...]) -> bool:
        if not all(map(self.fits, values)):
            return False
        if len(self.texts) + len(values) > self.MOST:
            self.texts.clear()
        self.texts.update(values)
        return True


def _as_map(raw: object) -> Mapping[str, object]:
    if type(raw) is not dict:
        raise InvalidField("it", "a map")
    return cast("Mapping[str, object]", raw)


def _as_list(raw: object) -> tuple[object, ...]:
    if type(raw) is not tuple:
        raise InvalidField("it", "a list")
    return raw
