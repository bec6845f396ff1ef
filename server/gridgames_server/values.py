"""Values that are made by the dozen with every move."""

from dataclasses import dataclass
from typing import TypeVar, dataclass_transform

T = TypeVar("T")


@dataclass_transform(frozen_default=True)
def value(cls: type[T]) -> type[T]:
    """Make a class a value, which the type checker keeps frozen."""
    # A named tuple takes half as long again to make, and twice to read; one that is frozen at run time twice to make.
    return dataclass(slots=True, unsafe_hash=True)(cls)
