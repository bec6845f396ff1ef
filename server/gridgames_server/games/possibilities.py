"""Where a seat's target may be. The board shows it with assist, and the review counts it."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from itertools import compress
from typing import Any, Generic, NamedTuple, TypeVar, get_args

from gridgames_protocol.views import Board, CellKind, Layer, LegendEntry, Review, ReviewRow, View
from gridgames_server.games.seats import SEATS, player

State = TypeVar("State")


@dataclass(frozen=True, slots=True, repr=False)
class Possibilities:
    """The cells where a seat's target may be, by what that seat has been told and nothing else."""

    among: frozenset[int] = frozenset()  # at the start
    left: frozenset[int] = frozenset()  # now
    covered: frozenset[int] = frozenset()  # now, without what the seat's own secret rules out
    label: str = "It may be in"  # of the meter that counts them


NOTHING = Possibilities()  # there is no target, or not yet

LINE = 7  # positions of the line on which an unseen token moves
ANYWHERE = (1 << LINE) - 1  # a bit for each position
POSITIONS = tuple(frozenset(at for at in range(LINE) if bits >> at & 1) for bits in range(1 << LINE))  # of all bits


class Suspicion(NamedTuple):
    """The possible positions of an unseen token, as bits: with its tunnel unused, and used. There are none at first."""

    fresh: int = 0
    spent: int = 0

    def after_movement(self) -> "Suspicion":
        """Return what is possible after a movement: a step, a stay, or the tunnel if it may be unused."""
        if not self.fresh | self.spent:
            return Suspicion(ANYWHERE, ANYWHERE)
        fresh = (self.fresh | self.fresh << 1 | self.fresh >> 1) & ANYWHERE
        spent = (self.spent | self.spent << 1 | self.spent >> 1) & ANYWHERE
        return Suspicion(fresh, (spent, ANYWHERE)[fresh > 0])

    def without(self, position: int | None) -> "Suspicion":
        """Return what is possible if the token is not at a position."""
        rest = ANYWHERE if position is None else ANYWHERE & ~(1 << position)
        return Suspicion(self.fresh & rest, self.spent & rest)

    def positions(self) -> frozenset[int]:
        """Return the positions where the token may be."""
        return POSITIONS[self.fresh | self.spent]


LEGEND: tuple[LegendEntry, ...] = (("possible", None, "may be here"), ("ruled_out", None, "cannot be"))
LEGEND_MAX, METERS_MAX = 6, 4  # of a view

SHADED: frozenset[CellKind] = frozenset({"empty", "hidden", "theirs", "miss"})  # other kinds say more than a shade
# The kind of a cell that is possible, and of one that is ruled out. The work is the same for any number of cells that
# are ruled out: the time of an answer must not reveal that number to the other player.
KINDS: tuple[CellKind, ...] = get_args(CellKind)
SHADES: tuple[dict[CellKind, CellKind], dict[CellKind, CellKind]] = (
    {kind: kind for kind in KINDS},
    {kind: "ruled_out" if kind in SHADED else kind for kind in KINDS},
)


def shade_ruled_out(board: Board, found: Possibilities) -> Board:
    """Mark the cells that are ruled out. The masks hide what the reader's own secret rules out.

    The work is the same whatever is ruled out: the other player's answer waits for it.
    """
    out, names = found.among - found.left, board.names
    public, private = out - found.covered, out & found.covered
    kinds = tuple([SHADES[cell in out][kind] for cell, kind in enumerate(board.kinds)])
    covered = {name: (text, kind) for name, text, kind in board.masks}
    cells = zip(names, board.texts, board.kinds, strict=True)
    looks = [covered.get(name, (text, kind)) for name, text, kind in cells]
    masks = [(names[cell], text, SHADES[cell in public][kind]) for cell, (text, kind) in enumerate(looks)]
    shown = [(cell in private) | (name in covered) for cell, name in enumerate(names)]
    return replace(board, kinds=kinds, masks=tuple(compress(masks, shown)))


def show_possibilities(view: View, found: Possibilities) -> View:
    """Return a view with assist: the possible cells, their number, and the cells that are ruled out."""
    if not found.among:
        return view
    board = shade_ruled_out(view.board, found)
    names = tuple(map(board.names.__getitem__, sorted(found.left)))
    # There is always a mask for what the reader's own secret rules out, even if that is no cell now.
    private: tuple[Layer, ...] = (*board.private, "possible") if found.covered else board.private
    meter = (found.label, None, len(found.left), len(found.among), f"{len(found.left)} of {len(found.among)}")
    return replace(
        view,
        board=replace(board, possible=names, private=private),
        legend=(*view.legend, *LEGEND)[:LEGEND_MAX],
        meters=(*view.meters, meter)[:METERS_MAX],
        private=(*view.private, found.label) if found.covered else view.private,
    )


@dataclass(frozen=True, slots=True, repr=False)
class Moment(Generic[State]):
    """The state after a number of moves, the last of them made in a round. Before the first turn the round is 0."""

    after: int
    state: State
    round: int


def count_possibilities(
    title: str, moments: Sequence[Moment[Any]], find: Callable[[Any, int], Possibilities]
) -> Review | None:
    """Return a review: the number of cells that each seat had left after each move, while there was a target."""
    lasting = [moment for moment in moments if not moment.state.outcome]
    found = {seat: [find(moment.state, seat) for moment in lasting] for seat in SEATS}
    seeking = {seat: each for seat, each in found.items() if any(one.among for one in each)}
    points = [point for point in range(len(lasting)) if all(each[point].among for each in seeking.values())]
    if not (seeking and points):
        return None
    rounds = [lasting[point].round for point in points]
    rows = []
    for seat, each in seeking.items():
        numbers = tuple(len(each[point].left) for point in points)
        most = max(len(each[point].among) for point in points)
        rows.append(ReviewRow(player(seat), most, numbers, describe_insight(player(seat), numbers, rounds)))
    return Review(title, tuple(lasting[point].after for point in points), tuple(rows))


def describe_insight(who: str, numbers: Sequence[int], rounds: Sequence[int]) -> str:
    """Return a sentence about when a player had one possibility left."""
    if 1 not in numbers:
        return f"{who} could not have known: {numbers[-1]} were left."
    for_good = numbers[-1] == 1
    place = numbers.index(1)
    if for_good:
        place = max((at + 1 for at, number in enumerate(numbers) if number != 1), default=0)
    if not rounds[place]:
        return f"{who} could have known before the first move."
    if for_good:
        return f"{who} could have known from round {rounds[place]} on."
    return f"{who} could have known in round {rounds[place]}, but not for long."
