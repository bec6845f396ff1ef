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


def counted(title: str, moments: Sequence[Moment[Any]], quest: Callable[[Any, int], Quest]) -> Review:
    """How many cells each seat had left to look at, for as long as the game lasted."""
    lasting = [moment for moment in moments if not moment.state.outcome]
    after = [moment.after for moment in lasting]
    stopped = len(lasting) == len(moments)  # by the players, not by a line of the game
    rows = []
    for seat in SEATS:
        quests = [quest(moment.state, seat) for moment in lasting]
        numbers = tuple(len(quest.left) for quest in quests)
        most = max((len(quest.among) for quest in quests), default=0)
        rows.append(ReviewRow(player(seat), max(1, most), numbers, insight(player(seat), numbers, after, stopped)))
    return Review(title, tuple(after), tuple(rows))


def insight(who: str, numbers: Sequence[int], after: Sequence[int], stopped: bool) -> str:
    """When somebody could have known, in words. The number after six moves is what the seventh was made with."""
    if not any(numbers):
        return ""
    if 1 not in numbers:
        return f"{who} could not have known: {numbers[-1]} were left."
    for_good = numbers[-1] == 1
    place = numbers.index(1)
    if for_good:
        place = max((at + 1 for at, number in enumerate(numbers) if number != 1), default=0)
    if stopped and place == len(numbers) - 1:
        return f"{who} could have known at the end."
    return f"{who} could have known {'from' if for_good else 'at'} move {after[place] + 1}."
