"""Where a token may be that moves unseen on a line: what a player of Quantum Duel can know about the other's."""

from typing import NamedTuple

LINE = 7  # positions of the line
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
