"""What a seat looks for: counted move by move when the game is over, shaded on the board where a room has assist."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any, Generic, NamedTuple, TypeVar

from gridgames_protocol.views import Board, CellKind, Review, ReviewRow
from gridgames_server.games.tell import SEATS, player

State = TypeVar("State")


@dataclass(frozen=True, slots=True, repr=False)
class Quest:
    """The cells where something could be at first, and those where it still may be by all that its seeker was told.

    Where the seeker's own secret has ruled out some of them, `covered` is what would be left without it: a board with
    covered secrets shows no more.
    """

    among: frozenset[int] = frozenset()
    left: frozenset[int] = frozenset()
    covered: frozenset[int] = frozenset()


NOTHING = Quest()  # there is nothing to look for, or not yet

SHADED: frozenset[CellKind] = frozenset({"empty", "hidden", "theirs", "miss"})  # all else says more than a shade would


def shaded(board: Board, quest: Quest) -> Board:
    """A board that shows which cells are ruled out; while secrets are covered, only what they do not tell."""
    out = quest.among - quest.left
    if not out:
        return board
    told = out - quest.covered
    kinds = tuple(_shade(kind, cell in out) for cell, kind in enumerate(board.kinds))
    looks = {board.names[cell]: (board.texts[cell], board.kinds[cell]) for cell in sorted(out - told)}
    looks |= {name: (text, kind) for name, text, kind in board.masks}
    names = {board.names[cell] for cell in told}
    masks = tuple((name, text, _shade(kind, name in names)) for name, (text, kind) in looks.items())
    return replace(board, kinds=kinds, masks=masks)


def _shade(kind: CellKind, out: bool) -> CellKind:
    return "ruled_out" if out and kind in SHADED else kind


class Moment(NamedTuple, Generic[State]):
    """How a game stood after so many of its moves."""

    after: int
    state: State


def counted(title: str, moments: Sequence[Moment[Any]], quest: Callable[[Any, int], Quest]) -> Review | None:
    """How many cells each seat had left to look at, for as long as the game lasted and there was something to find."""
    lasting = [moment for moment in moments if not moment.state.outcome]
    quests = {seat: [quest(moment.state, seat) for moment in lasting] for seat in SEATS}
    seeking = {seat: found for seat, found in quests.items() if any(one.among for one in found)}
    points = [point for point in range(len(lasting)) if all(found[point].among for found in seeking.values())]
    if not (seeking and points):
        return None
    after = tuple(lasting[point].after for point in points)
    rows = []
    for seat, found in seeking.items():
        numbers = tuple(len(found[point].left) for point in points)
        most = max(len(found[point].among) for point in points)
        rows.append(ReviewRow(player(seat), most, numbers, insight(player(seat), numbers, after)))
    return Review(title, after, tuple(rows))


def insight(who: str, numbers: Sequence[int], after: Sequence[int]) -> str:
    """When somebody could have known, in words."""
    if 1 not in numbers:
        return f"{who} could not have known: {numbers[-1]} were left."
    for_good = numbers[-1] == 1
    place = numbers.index(1)
    if for_good:
        place = max((at + 1 for at, number in enumerate(numbers) if number != 1), default=0)
    when = f"after move {after[place]}" if after[place] else "before the first move"
    return f"{who} could have known {when}{'' if for_good else ', but not for long'}."
