"""A queue that people share. The addresses take turns, however many items one of them has in it."""

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

    def __len__(self) -> int:
        return sum(map(len, self._waiting.values()))

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

    def drop(self) -> None:
        """Remove the last item of the address that has the most."""
        address = max(self._waiting, key=lambda address: len(self._waiting[address]))
        self._waiting[address].pop()
        if not self._waiting[address]:
            del self._waiting[address]
