"""Bugs that are planted for a test, each by putting something else in the place of one function of the server."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, NamedTuple


class Bug(NamedTuple):
    """A bug: what it is, where it sits, what stands there instead, and the invariants that may find it."""

    what: str
    owner: Any
    name: str
    instead: Callable[[Any], Any]  # given what stands there, what is put in its place
    found_by: frozenset[str]


@contextmanager
def planted(bug: Bug) -> Iterator[None]:
    """Have the bug for a while."""
    right = bug.owner.__dict__[bug.name] if isinstance(bug.owner, type) else getattr(bug.owner, bug.name)
    setattr(bug.owner, bug.name, bug.instead(right))
    try:
        yield
    finally:
        setattr(bug.owner, bug.name, right)


Enter = Callable[[Callable[[Any], Any]], Callable[[Any], Any]]


def entering(table: list[Bug]) -> Callable[..., Enter]:
    """What enters a bug in a table: said before the function that makes what stands in the right one's place."""

    def bug(what: str, owner: Any, name: str, *found_by: str) -> Enter:
        def enter(instead: Callable[[Any], Any]) -> Callable[[Any], Any]:
            table.append(Bug(what, owner, name, instead, frozenset(found_by)))
            return instead

        return enter

    return bug


def after(extra: Callable[..., object]) -> Callable[[Any], Any]:
    """Something more is done, with what was given, after the right thing."""

    def plant(right: Any) -> Any:
        def both(*given: Any) -> Any:
            result = right(*given)
            extra(*given)
            return result

        return both

    return plant
