"""Who does what, and when: the words in which a scenario is written."""

from typing import Any, NamedTuple


class Code(NamedTuple):
    """The code of a table's room, which nobody knows before the room is opened."""

    table: int


class Beat(NamedTuple):
    """Somebody does something; the moment is not settled yet."""

    who: str  # "" for what happens to everybody
    do: str  # a method of the stage
    given: tuple[Any, ...] = ()
    line: int | None = None  # which line of the table's history is typed
    alone: bool = False  # it concerns nobody else: others may not even notice that it was done


class Cue(NamedTuple):
    """A beat and its moment. The number is the same in every world, and so are the ids made of it."""

    number: int
    at: float
    who: str
    do: str
    given: tuple[Any, ...] = ()
    line: int | None = None
    alone: bool = False
