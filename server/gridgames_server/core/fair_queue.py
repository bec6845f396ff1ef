"""A queue that people share: however much one address puts in, the others are next."""

from collections import deque
from typing import Generic, Protocol, TypeVar


class HasAddress(Protocol):
    @property
    def address(self) -> str: ...


P = TypeVar("P", bound=HasAddress)


class FairQueue(Generic[P]):
    """A queue in which the addresses take turns."""

    def __init__(self) -> None:
        self._waiting: dict[str, deque[P]] = {}  # by address; the one that is served next comes first

    def __bool__(self) -> bool:
        return bool(self._waiting)

    def put(self, item: P) -> None:
        self._waiting.setdefault(item.address, deque()).append(item)

    def take(self) -> P:
        """Remove and return the next item. Its address goes behind the others."""
        address = next(iter(self._waiting))
        own = self._waiting.pop(address)
        item = own.popleft()
        if own:
            self._waiting[address] = own
        return item
