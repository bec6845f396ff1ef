"""Quantum Duel as the computer plays it."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import cache
from operator import mul
from typing import NamedTuple, cast

from gridgames_protocol.messages import Level, Show
from gridgames_server.bots.policy import Chances, softmax
from gridgames_server.bots.quantum_table import PLACEMENTS, ROWS
from gridgames_server.games.quantum_duel import LINE

SIZE = len(LINE)
POSITIONS = range(SIZE)
NONE = SIZE  # in the table: no look was made
LETTERS = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
STRAYS = 0.15  # how often the rival is assumed to leave the table
UNDECIDED = 0.5  # the value of a game that has no winner after the turns that are computed
TUNNEL_WORTH = 0.03  # the value of an unused tunnel
RESTLESS: dict[str, float] = {"medium": 1.0, "easy": 3.0}  # how much a level prefers a step to staying
WARMTH: dict[str, float] = {"medium": 0.45, "easy": 1.0}  # a warmer level chooses bad lines more often

Weights = tuple[float, ...]
Looks = tuple[int, int]  # the last one first


def quantum_duel(show: Show, level: Level) -> Chances:
    """Return the probability of each line. `hard` plays by a table that mixes its movements and looks.

    A fixed strategy loses: the rival learns where to look, and where to stay. The table is the solution of a simpler
    game against a rival who plays by the same table and one who plays at random. It mostly stays, because a step may
    collide with the rival, and steps just often enough to be hard to find. It never tunnels: a table with the tunnel
    was not stronger.

    `medium` and `easy` choose by the chance to win against a rival who plays by the table. The more a line loses, the
    rarer it is. Both prefer to move, as people do, and so risk more collisions than needed.
    """
    duel = read_view(show)
    if level == "hard":
        return play_table(duel)
    if duel.moved:
        return softmax(value_looks(duel), WARMTH[level])
    values = value_moves(duel)
    if "STAY" in values:
        values["STAY"] -= RESTLESS[level]
    return softmax(values, WARMTH[level])


def value_lines(show: Show) -> dict[str, float]:
    """Return the chance to win with each line, the useful ones first, from what the seat knows."""
    duel = read_view(show)
    if duel.moved:
        looks = [look for look in POSITIONS if look != duel.looks[0]]
        return value_looks(duel) | {observe_line(look): value_look(duel, look) for look in looks}
    values = value_moves(duel)
    if duel.at is not None:
        values[f"MOVE {LINE.names[duel.at]}"] = values["STAY"]
    if duel.tunnel:
        near = [to for to in POSITIONS if f"MOVE {LINE.names[to]}" in values]
        values |= {f"TUNNEL {LINE.names[to]}": values[f"MOVE {LINE.names[to]}"] - TUNNEL_WORTH for to in near}
    return values


# The table


class Row(NamedTuple):
    """The probabilities of each movement and of each look."""

    moves: Weights
    looks: Weights


@cache
def read_row(at: int, look: int, rival_look: int, rival_before: int) -> Row:
    """Return the row of the table for a position, the own last look, and the rival's last two looks (or NONE)."""
    if at > SIZE // 2:
        moves, looks = read_row(*map(mirror_position, (at, look, rival_look, rival_before)))
        return Row(moves[::-1], looks[::-1])
    start = 10 * rival_before
    text = ROWS[(at * (SIZE + 1) + look) * (SIZE + 1) + rival_look][start : start + 10]
    left, stay, right = decode_chances(text[:3])
    framed = [0.0] * (SIZE + 2)
    framed[at : at + 3] = left, stay, right
    return Row(tuple(framed[1:-1]), decode_chances(text[3:]))


def mirror_position(position: int) -> int:
    """Return the position that is as far from the other end of the line."""
    return NONE if position == NONE else SIZE - 1 - position


def decode_chances(letters: str) -> Weights:
    """Decode letters of the table as probabilities."""
    weights = [LETTERS.index(letter) for letter in letters]
    return tuple(weight / sum(weights) for weight in weights)


@dataclass(frozen=True, slots=True)
class Rival:
    """A model of the rival: plays by rows like those of the table, and sometimes in any other way."""

    row: Callable[[int, int, int, int], Row]
    placements: Weights
    strays: float

    def moves(self, at: int, last: int, seen_looks: Looks) -> Weights:
        """Return the probability of each movement of a rival, by their last look and the looks that they saw."""
        return self.add_strays(self.row(at, last, *seen_looks).moves)

    def looks(self, at: int, last: int, seen_looks: Looks) -> Weights:
        """Return the probability of each look."""
        return self.add_strays(self.row(at, last, *seen_looks).looks)

    def add_strays(self, chances: Weights) -> Weights:
        """Return the probabilities, with a share for every other choice."""
        return tuple([(1 - self.strays) * chance + self.strays / SIZE for chance in chances])


REFERENCE = Rival(read_row, decode_chances(PLACEMENTS), STRAYS)  # lines are valued against this rival


# What a seat knows


@dataclass(frozen=True, slots=True)
class Duel:
    """What one seat knows: the own token, both players' last two looks (newest first), where the rival may be."""

    at: int | None
    tunnel: bool
    moved: bool  # the look of this turn is due
    looks: Looks
    rival_looks: Looks
    belief: Weights | None  # None: the rival is off the line
    rival: Rival = REFERENCE


ANYWHERE: Weights = (1 / SIZE,) * SIZE


def read_view(show: Show) -> Duel:
    """Read what a seat knows from its view. The belief follows from the public looks."""
    state, you = show.view.state, cast("int", show.you)
    observations = cast("Sequence[tuple[int, int]]", state["observations"])
    movements = cast("Sequence[int]", state["movements"])
    token = cast("Sequence[int | None]", state["tokens"])[you - 1]
    on_line_before = movements[2 - you] > sum(seat != you for seat, _ in observations)
    looks, rival_looks, belief = (NONE, NONE), (NONE, NONE), ANYWHERE if on_line_before else None
    for seat, position in observations:
        if seat == you:
            belief = belief and rule_out(belief, position - 1)
            looks = position - 1, looks[0]
        else:
            belief = update_after_turn(REFERENCE, belief, rival_looks[0], looks, position - 1)
            rival_looks = position - 1, rival_looks[0]
    at = None if token is None else token - 1
    if belief and at is not None:
        belief = rule_out(belief, at)
    return Duel(at, cast("bool", state["tunnel"]), cast("bool", state["moved"]), looks, rival_looks, belief)


def rule_out(belief: Weights, position: int) -> Weights:
    """Return the belief without a position. If nothing is left, all other positions are equally likely."""
    rest = [0.0 if at == position else weight for at, weight in enumerate(belief)]
    total = sum(rest)
    if total < 1e-12:
        rest, total = [float(at != position) for at in POSITIONS], SIZE - 1.0
    return tuple(weight / total for weight in rest)


def update_after_turn(rival: Rival, belief: Weights | None, last: int, own_looks: Looks, look: int) -> Weights:
    """Return the belief after the rival's movement and look."""
    after = update_after_movement(rival, belief, last, own_looks)
    weights = [weight * rival.looks(at, last, own_looks)[look] for at, weight in enumerate(after)]
    total = sum(weights)
    return tuple(weight / total for weight in weights) if total > 1e-12 else ANYWHERE


def update_after_movement(rival: Rival, belief: Weights | None, last: int, own_looks: Looks) -> Weights:
    """Return the belief after the rival's movement."""
    if belief is None:
        return rival.placements
    ways = [rival.moves(at, last, own_looks) for at in POSITIONS]
    return tuple(sum(map(mul, belief, column)) for column in zip(*ways, strict=True))


# What a line is worth


def value_looks(duel: Duel) -> dict[str, float]:
    """Return the chance to win with each look, computed through the rival's next turn. The own position is left out."""
    looks = [look for look in POSITIONS if look not in (duel.at, duel.looks[0])]
    return {observe_line(look): value_look(duel, look) for look in looks}


def value_look(duel: Duel, look: int) -> float:
    """Return the chance to win with a look. If it finds nothing, the rival may collide, or find the own token."""
    if duel.belief is None:
        return UNDECIDED
    at = cast("int", duel.at)
    left = tuple(0.0 if position == look else weight for position, weight in enumerate(duel.belief))
    own_looks, last = (look, duel.looks[0]), duel.rival_looks[0]
    after = update_after_movement(duel.rival, left, last, own_looks)
    goes_on = sum(
        weight * (1 - duel.rival.looks(there, last, own_looks)[at]) for there, weight in enumerate(after) if there != at
    )
    return duel.belief[look] + after[at] + UNDECIDED * goes_on


def value_moves(duel: Duel) -> dict[str, float]:
    """Return the chance to win with each movement, followed by the best look."""
    if duel.at is None:
        return {f"MOVE {LINE.names[to]}": value_placement(duel, to) for to in POSITIONS}
    values = {movement_line(duel.at, to): value_move(duel, to) for to in POSITIONS if abs(to - duel.at) <= 1}
    if duel.tunnel:
        far = [to for to in POSITIONS if abs(to - duel.at) > 1]
        values |= {f"TUNNEL {LINE.names[to]}": value_move(duel, to) - TUNNEL_WORTH for to in far}
    return values


def value_placement(duel: Duel, to: int) -> float:
    """Return the chance to win after placing the token."""
    return UNDECIDED if duel.belief is None else value_move(duel, to)


def value_move(duel: Duel, to: int) -> float:
    """Return the chance to win with a movement to a position."""
    if duel.belief is None:
        return UNDECIDED
    safe = tuple(0.0 if position == to else weight for position, weight in enumerate(duel.belief))
    return max(value_looks(replace(duel, at=to, belief=safe)).values())


# Lines


def observe_line(position: int) -> str:
    return f"OBSERVE {LINE.names[position]}"


def look_at_own_token(show: Show) -> str:
    """Return the look that can't find the rival, or "" before the own token is on the line."""
    at = read_view(show).at
    return "" if at is None else observe_line(at)


def movement_line(at: int, to: int) -> str:
    return "STAY" if to == at else f"MOVE {LINE.names[to]}"


def play_table(duel: Duel) -> Chances:
    """Return the choice of `hard`: the probabilities of the table."""
    if duel.at is None:
        return {f"MOVE {name}": chance for name, chance in zip(LINE.names, decode_chances(PLACEMENTS), strict=True)}
    moves, looks = read_row(duel.at, duel.looks[0], *duel.rival_looks)
    if duel.moved:
        return {observe_line(look): chance for look, chance in enumerate(looks) if chance}
    return {movement_line(duel.at, to): chance for to, chance in enumerate(moves) if chance}
