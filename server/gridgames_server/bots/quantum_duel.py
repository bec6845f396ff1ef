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
THINKERS = 0.08  # how many rivals are thinkers, before their first look
FOLLOWS = 0.2  # how often a thinker steps to where we have just looked
STAYS = 0.6  # how often a thinker who neither follows nor tunnels stays
TUNNELS = 0.05  # how often a thinker tunnels
REMEMBERS = 3  # the latest looks that a thinker does not repeat
REPEATS = 0.03  # how likely a thinker looks at a remembered position all the same, or at the own one
STAYED = 0.9  # how surely a token stood one turn ago where it stands now
AHEAD = 8  # turns of each that are played on in thought
UNDECIDED = 0.67  # what a game is worth that has not ended by then
TUNNEL_WORTH = 0.03  # what is kept by not tunnelling yet
EVEN = 0.004  # values this close to each other are as good

Weights = list[float]


def quantum_duel(show: Show, level: Level, chance: Chance) -> str:
    """Move, then look, by two pictures of the rival: a rambler, and a thinker.

    A rambler moves and looks anywhere. A thinker mostly stays, never looks at the own position nor soon again where
    nothing was, and now and then steps to where one has just looked, as no one may look twice running at a position.
    Each picture has a weight for every position. At each public look the weights move as such a rival would, and lose
    what
    is ruled out: where one looked, where one's own token stands (theirs would have broken there), and for a thinker
    where they looked. What a picture did not expect makes it lighter than the other.

    `hard` weighs each movement and each look by playing on in thought: the rival moves and may break on one's token,
    may find it (never where they looked last), and one stays and looks at the likeliest position. So it moves only
    where the rival is hardly to be feared, best to where a thinker has looked just now, which is safe twice over; and
    it tunnels when that is worth more than keeping the tunnel. While the rival is off the line a look can find nothing,
    and it looks anywhere, at its own position too: who counts on the contrary breaks there.

    `medium` has the same pictures and looks at the likeliest position, but places its token anywhere, mostly stays, and
    has lapses in which it does as `easy` does: that never stays, never tunnels, and looks anywhere.
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

    def may_look(self) -> list[int]:
        return [position for position in POSITIONS if position not in self.looks[:1]]


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
        belief = moved(belief, looks[:1])
        if at is not None and looks:
            belief = belief.without(at, STAYED**ago)
        belief = looked(belief, position - 1, rival_looks).sound()
        rival_looks = (position - 1, *rival_looks)
    if belief and state["moved"] and at is not None:
        belief = belief.without(at)
    return Duel(at, looks, rival_looks, belief and belief.sound())


def product(a: Weights, b: Weights) -> Weights:
    return list(map(mul, a, b))


def moved(belief: Belief | None, look: Sequence[int]) -> Belief:
    """Where the rival is after a movement, one's own last look being known to them."""
    if belief is None:
        follows = FOLLOWS if look else 0.0
        wary = [THINKERS * ((1 - follows) / 7 + follows * (at in look)) for at in POSITIONS]
        return Belief([(1 - THINKERS) / 14] * 7, [(1 - THINKERS) / 14] * 7, wary)
    kept = product(belief.loose, KEEPS_TUNNEL)
    leaps = (sum(belief.loose) - sum(kept)) / 7
    return Belief(rambled(kept), [weight + leaps for weight in rambled(belief.bound)], thought(belief.wary, look))


FARTHER = [[1 + 0.05 * abs(position - at) for position in POSITIONS] for at in POSITIONS]
KEEPS_TUNNEL = [(len(near) + 1) / (len(near) + 8) for near in REACH]  # MOVE and STAY among all lines; TUNNEL is seven
STEPS = [1 / (len(near) + 1) for near in REACH]  # one line of MOVE and STAY; staying is two of them
SHIFTS = [(1 - STAYS) / (len(near) - 1) for near in REACH]


def rambled(weights: Weights) -> Weights:
    """A rambler's token after a step or a stay."""
    shares = [0.0, *product(weights, STEPS), 0.0]
    return [shares[at] + 2 * shares[at + 1] + shares[at + 2] for at in POSITIONS]


def thought(weights: Weights, look: Sequence[int]) -> Weights:
    """A thinker's token after a movement."""
    rest, follow = weights, 0.0
    if look:
        near = REACH[look[0]]
        follow = FOLLOWS * sum(weights[at] for at in near)
        rest = [weight * (1 - FOLLOWS) if at in near else weight for at, weight in enumerate(weights)]
    leaps = TUNNELS * sum(rest) / 7
    shares = [0.0, *product(rest, SHIFTS), 0.0]
    after = [leaps + (1 - TUNNELS) * (shares[at] + STAYS * weight + shares[at + 2]) for at, weight in enumerate(rest)]
    if look:
        after[look[0]] += follow
    return after


def looked(belief: Belief, position: int, before: Sequence[int]) -> Belief:
    """The belief after the rival's look at a position: how likely each picture was to look there."""
    remembered = before[:REMEMBERS]
    rambler = 1 / (7 if not before else 6)
    thinker = REPEATS if position in remembered else 1 / (6 - len(remembered))
    after = belief.times(rambler, thinker)
    after.wary[position] *= REPEATS
    return after


def dangers(duel: Duel, at: int, turn: int) -> tuple[float, float]:
    """How likely a rambler and a thinker look at a position, so many turns from now, while the token stays there."""
    before = duel.rival_looks
    rambler = 0.0 if turn == 0 and at in before[:1] else 1 / (6 if before or turn else 7)
    remembered = min(REMEMBERS, len(before) + turn)
    thinker = 0.0 if at in before[: max(0, REMEMBERS - turn)] else 1 / (6 - remembered)
    return rambler, thinker


def likeliest(belief: Belief, at: int, last: int) -> int:
    """Where to look: of nearly even positions the farther, as a rival nearby may also break on one's token."""
    weights = belief.everywhere()
    weights[last] = -1.0
    farther = product(weights, FARTHER[at])
    return farther.index(max(farther))


def prospect(duel: Duel, at: int, look: int) -> float:
    """The chance to win with the token at a position after a look, played on in thought from the rival's turn."""
    belief, won = duel.belief, 0.0
    if belief:
        belief = belief.without(at)
        won, belief = belief.at(look), belief.without(look)
    for turn in range(AHEAD):
        belief = moved(belief, (look,))
        won += belief.at(at)
        rambler, thinker = dangers(duel, at, turn)
        belief = belief.without(at).times(1 - rambler, 1 - thinker)
        look = likeliest(belief, at, look)
        won += belief.at(look)
        belief = belief.without(look)
    return won + UNDECIDED * sum(belief.everywhere()) if belief else won


def best_look(duel: Duel, at: int) -> float:
    """The prospect of a position with one of the two likeliest looks from there."""
    may = duel.may_look()
    if duel.belief is None:
        return prospect(duel, at, may[-1] if at < 3 else may[0])
    weights = duel.belief.everywhere()
    return max(prospect(duel, at, look) for look in sorted(may, key=lambda look: -weights[look] * (look != at))[:2])


def one_of_the_best(chance: Chance, worth: Mapping[str, float], label: str) -> str:
    """A line that is worth most, or as good as that."""
    top = max(worth.values())
    return pick(chance, [line for line, value in worth.items() if value >= top - EVEN], label)


def think(duel: Duel, chance: Chance, show: Show) -> str:
    """The hard duellist."""
    lines = legal_lines(show)
    if show.view.state["moved"]:
        at = cast("int", duel.at)
        if duel.belief is None:
            return pick(chance, lines, f"look {show.rev}")
        return one_of_the_best(chance, {line: prospect(duel, at, target(line)) for line in lines}, f"look {show.rev}")
    worth: dict[str, float] = {}
    for line in lines:
        if line == "STAY":
            continue
        to = target(line)
        if line.startswith("MOVE"):
            worth[line] = best_look(duel, to)
        elif duel.at is not None and to not in REACH[duel.at]:
            worth[line] = best_look(duel, to) - TUNNEL_WORTH
    return one_of_the_best(chance, worth, f"move {show.rev}")


def target(line: str) -> int:
    """The position that a line names."""
    return LINE.names.index(line.split()[1])


def follow(duel: Duel, chance: Chance, show: Show) -> str:
    """The medium duellist: mostly stays, and looks at the likeliest position."""
    lines = legal_lines(show)
    if show.view.state["moved"]:
        away = [line for line in lines if target(line) != duel.at]
        weights = duel.belief.everywhere() if duel.belief else [1.0] * 7
        return one_of_the_best(chance, {line: weights[target(line)] for line in away}, f"look {show.rev}")
    if duel.at is None:
        return pick(chance, lines, f"place {show.rev}")
    return "STAY" if happens(chance, 75, f"stay {show.rev}") else step(duel.at, chance, show)


def wander(duel: Duel, chance: Chance, show: Show) -> str:
    """The easy duellist: never stays, and looks anywhere."""
    if duel.at is None or show.view.state["moved"]:
        return pick(chance, legal_lines(show), f"anywhere {show.rev}")
    return step(duel.at, chance, show)


def step(at: int, chance: Chance, show: Show) -> str:
    """A move to a position beside one's own."""
    return f"MOVE {LINE.names[pick(chance, [to for to in REACH[at] if to != at], f'step {show.rev}')]}"
