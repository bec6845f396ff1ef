"""Quantum Duel as the computer plays it."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from operator import mul
from typing import cast

from gridgames_protocol.messages import Level, Show
from gridgames_server.bots.policy import happens, legal_lines, pick
from gridgames_server.games.game import Chance
from gridgames_server.games.quantum_duel import LINE

POSITIONS = range(len(LINE))
REACH = tuple(tuple(to for to in POSITIONS if abs(to - at) <= 1) for at in POSITIONS)
THINKERS = 0.05  # how many rivals are thinkers, before their first look
FOLLOWS = 0.2  # how often a thinker steps to where we have just looked
STAYS = 0.6  # how often a thinker who neither follows nor tunnels stays
TUNNELS = 0.05  # how often a thinker tunnels
REMEMBERS = 3  # the latest looks that a thinker does not repeat
REPEATS = 0.03  # how likely a thinker looks at a remembered position all the same, or at the own one
STAYED = 0.9  # how surely a token stood one turn ago where it stands now
AHEAD = 4  # turns of each that are played on in thought
UNDECIDED = 0.67  # what a game is worth that has not ended by then
TUNNEL_WORTH = 0.03  # what is kept by not tunnelling yet
EVEN = 0.001  # values this close to each other are as good
EVEN_AT_FIRST = 0.02  # the same, while the rival is off the line

Weights = list[float]


def quantum_duel(show: Show, level: Level, chance: Chance) -> str:
    """Move, then look, by two pictures of the rival: a rambler, and a thinker.

    A rambler moves and looks anywhere. A thinker mostly stays, never looks at the own position nor soon again where
    nothing was, and now and then steps to where one has just looked, as no one may look twice running at a position.
    Each picture has a weight for every position. At each public look the weights move as such a rival would, and lose
    what is ruled out: where one looked, where one's own token stands (theirs would have broken there), and for a
    thinker where they looked. What a picture did not expect makes it lighter than the other.

    `hard` weighs each movement and each look by playing on in thought: the rival moves and may break on one's token,
    may find it (never where they looked last), and one stays and looks at the likeliest position. So it moves only
    where the rival is hardly to be feared, best to where a thinker has looked just now, which is safe twice over; and
    it tunnels when that is worth more than keeping the tunnel. While the rival is off the line it looks anywhere, at
    its own position too: who takes that for free breaks there. No play can win 68 games of a hundred against a rambler.

    `medium` has the same pictures and looks at the likeliest position, but places its token anywhere, mostly stays, and
    has lapses, as `easy` always has: that never stays, never tunnels, and looks anywhere.
    """
    duel = seen(show)
    if level == "hard":
        return think(duel, chance, show)
    if level == "medium" and not happens(chance, 30, f"lapse {show.rev}"):
        return follow(duel, chance, show)
    return wander(duel, chance, show)


@dataclass(frozen=True, slots=True)
class Belief:
    """How likely the rival is at each position: a rambler with or without the tunnel, or a thinker."""

    loose: Weights
    bound: Weights
    wary: Weights

    def at(self, position: int) -> float:
        return self.loose[position] + self.bound[position] + self.wary[position]

    def everywhere(self) -> Weights:
        return list(map(sum, zip(self.loose, self.bound, self.wary, strict=True)))

    def times(self, rambler: float, thinker: float) -> "Belief":
        """The belief after something that was so likely of each picture."""
        return Belief(
            [weight * rambler for weight in self.loose],
            [weight * rambler for weight in self.bound],
            [weight * thinker for weight in self.wary],
        )

    def without(self, position: int, surely: float = 1.0) -> "Belief":
        """The belief that the rival is not at a position."""
        left = Belief(self.loose[:], self.bound[:], self.wary[:])
        for weights in (left.loose, left.bound, left.wary):
            weights[position] *= 1.0 - surely
        return left

    def sound(self) -> "Belief":
        """The belief with weights that sum up to one; a rival who can be nowhere may be anywhere."""
        total = sum(self.everywhere())
        return self.times(1 / total, 1 / total) if total > 1e-12 else ANYWHERE


ANYWHERE = Belief([0.0] * 7, [(1 - THINKERS) / 7] * 7, [THINKERS / 7] * 7)


@dataclass(frozen=True, slots=True)
class Duel:
    """What one seat knows: the own token, each one's latest looks (the last one first), and the rival's positions."""

    at: int | None
    looks: tuple[int, ...]
    rival_looks: tuple[int, ...]
    belief: Belief | None  # None: the rival is off the line


def seen(show: Show) -> Duel:
    """What a seat's view tells, by going through the public looks."""
    state, you = show.view.state, cast("int", show.you)
    observations = cast("Sequence[tuple[int, int]]", state["observations"])
    movements = cast("Sequence[int]", state["movements"])
    token = cast("Sequence[int | None]", state["tokens"])[you - 1]
    at = None if token is None else token - 1
    ago = sum(seat != you for seat, _ in observations)
    belief = ANYWHERE if movements[2 - you] > ago else None
    looks: tuple[int, ...] = ()
    rival_looks: tuple[int, ...] = ()
    for seat, position in observations:
        if seat == you:
            looks = (position - 1, *looks)
            belief = belief and belief.without(position - 1)
            continue
        ago -= 1
        belief = moved(belief, looks[0] if looks else None)
        if at is not None and looks:
            belief = belief.without(at, STAYED**ago)
        belief = looked(belief, position - 1, rival_looks).sound()
        rival_looks = (position - 1, *rival_looks)
    if belief and state["moved"] and at is not None:
        belief = belief.without(at)
    return Duel(at, looks, rival_looks, belief and belief.sound())


def rambles(at: int, to: int) -> float:
    """How likely a rambler without a tunnel goes from a position to another: any line, and two of them stay."""
    return (1 + (to == at)) / (len(REACH[at]) + 1) if to in REACH[at] else 0.0


def thinks(at: int, to: int, look: int | None) -> float:
    """How likely a thinker goes from a position to another, after one's own look."""
    follows = FOLLOWS if look in REACH[at] else 0.0
    steps = STAYS if to == at else (1 - STAYS) / (len(REACH[at]) - 1) if to in REACH[at] else 0.0
    return follows * (to == look) + (1 - follows) * (TUNNELS / 7 + (1 - TUNNELS) * steps)


WAYS = [[rambles(at, to) for at in POSITIONS] for to in POSITIONS]
WARY_WAYS = {look: [[thinks(at, to, look) for at in POSITIONS] for to in POSITIONS] for look in (None, *POSITIONS)}
KEPT = [(len(near) + 1) / (len(near) + 8) for near in REACH]  # the lines that do not tunnel: MOVE's and STAY of all


def along(weights: Weights, ways: Sequence[Weights]) -> Weights:
    """The weights after a movement."""
    return [sum(map(mul, weights, way)) for way in ways]


def moved(belief: Belief | None, look: int | None) -> Belief:
    """Where the rival is after a movement, one's own last look being known to them."""
    if belief is None:
        follows = 0.0 if look is None else FOLLOWS
        wary = [THINKERS * ((1 - follows) / 7 + follows * (at == look)) for at in POSITIONS]
        return Belief([(1 - THINKERS) / 14] * 7, [(1 - THINKERS) / 14] * 7, wary)
    kept = list(map(mul, belief.loose, KEPT))
    leaps = (sum(belief.loose) - sum(kept)) / 7
    bound = [weight + leaps for weight in along(belief.bound, WAYS)]
    return Belief(along(kept, WAYS), bound, along(belief.wary, WARY_WAYS[look]))


def looked(belief: Belief, position: int, before: Sequence[int]) -> Belief:
    """The belief after the rival's look at a position: how likely each picture was to look there."""
    thinker = REPEATS if position in before[:REMEMBERS] else 1 / (6 - len(before[:REMEMBERS]))
    after = belief.times(1 / (6 if before else 7), thinker)
    after.wary[position] *= REPEATS
    return after


def dangers(before: Sequence[int], at: int, turn: int) -> tuple[float, float]:
    """How likely a rambler and a thinker look at a position, so many turns from now, while the token stays there."""
    rambler = 0.0 if turn == 0 and at in before[:1] else 1 / (6 if before or turn else 7)
    thinker = 0.0 if at in before[: max(0, REMEMBERS - turn)] else 1 / (6 - min(REMEMBERS, len(before) + turn))
    return rambler, thinker


def likeliest(belief: Belief, at: int, last: int) -> int:
    """Where to look: of nearly even positions the farther, as a rival nearby may also break on one's token."""
    weights = belief.everywhere()
    weights[last] = -1.0
    return max(POSITIONS, key=lambda position: weights[position] * (1 + 0.05 * abs(position - at)))


def prospect(duel: Duel, at: int, look: int) -> float:
    """The chance to win with the token at a position after a look, played on in thought from the rival's turn."""
    belief, won = duel.belief and duel.belief.without(at), 0.0
    if belief:
        won, belief = belief.at(look), belief.without(look)
    for turn in range(AHEAD):
        belief = moved(belief, look)
        won += belief.at(at)
        rambler, thinker = dangers(duel.rival_looks, at, turn)
        belief = belief.without(at).times(1 - rambler, 1 - thinker)
        look = likeliest(belief, at, look)
        won += belief.at(look)
        belief = belief.without(look)
    return won + UNDECIDED * (sum(belief.everywhere()) if belief else 1.0)


def best_prospect(duel: Duel, at: int) -> float:
    """The prospect of a position with one of the two likeliest looks from there."""
    weights = duel.belief.everywhere() if duel.belief else [1.0] * 7
    looks = sorted((look for look in POSITIONS if look not in (at, *duel.looks[:1])), key=lambda look: -weights[look])
    return max(prospect(duel, at, look) for look in looks[:2])


def one_of_the_best(duel: Duel, chance: Chance, worth: Mapping[str, float], label: str) -> str:
    """A line that is worth most, or as good as that."""
    least = max(worth.values()) - (EVEN if duel.belief else EVEN_AT_FIRST)
    return pick(chance, [line for line, value in worth.items() if value >= least], label)


def think(duel: Duel, chance: Chance, show: Show) -> str:
    """The hard duellist: the best prospect, and any look while the rival is off the line."""
    lines = legal_lines(show)
    if duel.at is not None and show.view.state["moved"]:
        worth = {line: prospect(duel, duel.at, target(line)) if duel.belief else 0.0 for line in lines}
        return one_of_the_best(duel, chance, worth, f"look {show.rev}")
    worth = {line: best_prospect(duel, target(line)) for line in lines if line.startswith("MOVE")}
    far = (line for line in lines if line.startswith("TUNNEL") and f"MOVE {target(line) + 1}" not in lines)
    worth |= {line: best_prospect(duel, target(line)) - TUNNEL_WORTH for line in far}
    return one_of_the_best(duel, chance, worth, f"move {show.rev}")


def target(line: str) -> int:
    """The position that a line names."""
    return LINE.names.index(line.split()[1])


def follow(duel: Duel, chance: Chance, show: Show) -> str:
    """The medium duellist: mostly stays, and looks at the likeliest position."""
    if duel.at is not None and show.view.state["moved"]:
        weights = duel.belief.everywhere() if duel.belief else [1.0] * 7
        worth = {line: weights[target(line)] for line in legal_lines(show) if target(line) != duel.at}
        return one_of_the_best(duel, chance, worth, f"look {show.rev}")
    stays = duel.at is not None and happens(chance, 75, f"stay {show.rev}")
    return "STAY" if stays else wander(duel, chance, show)


def wander(duel: Duel, chance: Chance, show: Show) -> str:
    """The easy duellist: never stays, never tunnels, and looks anywhere."""
    lines = [line for line in legal_lines(show) if line.startswith(("MOVE", "OBSERVE"))]
    if not show.view.state["moved"]:
        lines = [line for line in lines if target(line) != duel.at]
    return pick(chance, lines, f"anywhere {show.rev}")
